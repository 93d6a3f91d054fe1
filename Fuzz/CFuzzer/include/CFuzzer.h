// What libFuzzer gives to a custom mutator, and what an input has cost.
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Mutates the first `byteCount` bytes, which have room for `capacity`, and returns how many they are then.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t byteCount, size_t capacity);

/// Counts allocations from now on.
void fuzz_count_allocations(void);

/// Begins a new peak.
///
/// Returns the bytes of allocations that are alive.
int64_t fuzz_begin_peak(void);

/// The most bytes of allocations of all threads that were alive at the same time since then.
int64_t fuzz_peak(void);

/// Processor time of all threads, in nanoseconds.
int64_t fuzz_processor_time(void);

#endif
