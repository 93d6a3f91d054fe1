// What libFuzzer gives to a custom mutator.
#include <stddef.h>
#include <stdint.h>

/// Mutates the first `byteCount` bytes, which have room for `capacity`, and returns how many they are then.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t byteCount, size_t capacity);
