// What libFuzzer gives to a custom mutator, and what an input has cost.
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/// Mutates the first `byteCount` bytes, which have room for `capacity`, and returns how many they are then.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t byteCount, size_t capacity);

/// AddressSanitizer's, which calls both for each allocation from then on.
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *place);

/// Bytes of allocations that are alive, and the most that were so at the same time. Of all threads.
static _Atomic int64_t fuzz_alive_byte_count, fuzz_peak_byte_count;

static void fuzz_allocated(const volatile void *place, size_t byteCount) {
  (void)place;
  int64_t alive = __atomic_add_fetch((int64_t *)&fuzz_alive_byte_count, (int64_t)byteCount, __ATOMIC_RELAXED);
  // Threads that raise it at the same time may lose a little.
  if (alive > __atomic_load_n((int64_t *)&fuzz_peak_byte_count, __ATOMIC_RELAXED))
    __atomic_store_n((int64_t *)&fuzz_peak_byte_count, alive, __ATOMIC_RELAXED);
}

static void fuzz_freed(const volatile void *place) {
  __atomic_sub_fetch((int64_t *)&fuzz_alive_byte_count, (int64_t)__sanitizer_get_allocated_size(place),
                     __ATOMIC_RELAXED);
}

/// Counts allocations from now on.
static inline void fuzz_count_allocations(void) {
  __sanitizer_install_malloc_and_free_hooks(fuzz_allocated, fuzz_freed);
}

/// Begins a new peak.
///
/// Returns what is alive.
static inline int64_t fuzz_begin_peak(void) {
  int64_t alive = __atomic_load_n((int64_t *)&fuzz_alive_byte_count, __ATOMIC_RELAXED);
  __atomic_store_n((int64_t *)&fuzz_peak_byte_count, alive, __ATOMIC_RELAXED);
  return alive;
}

static inline int64_t fuzz_peak(void) {
  return __atomic_load_n((int64_t *)&fuzz_peak_byte_count, __ATOMIC_RELAXED);
}

/// Processor time of all threads, in nanoseconds.
static inline int64_t fuzz_processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
