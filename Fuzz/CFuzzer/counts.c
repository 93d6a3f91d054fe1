#include "CFuzzer.h"

#include <stdatomic.h>
#include <time.h>

// AddressSanitizer's, which calls both functions for each allocation from then on.
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *place);

/// Bytes of allocations that are alive, and the most that were so at the same time.
static _Atomic int64_t alive, peak;

static void allocated(const volatile void *place, size_t byteCount) {
  (void)place;
  int64_t now = atomic_fetch_add_explicit(&alive, (int64_t)byteCount, memory_order_relaxed) + (int64_t)byteCount;
  // Threads that raise it at the same time may lose a little.
  if (now > atomic_load_explicit(&peak, memory_order_relaxed))
    atomic_store_explicit(&peak, now, memory_order_relaxed);
}

static void freed(const volatile void *place) {
  atomic_fetch_sub_explicit(&alive, (int64_t)__sanitizer_get_allocated_size(place), memory_order_relaxed);
}

void fuzz_count_allocations(void) { __sanitizer_install_malloc_and_free_hooks(allocated, freed); }

int64_t fuzz_begin_peak(void) {
  int64_t now = atomic_load_explicit(&alive, memory_order_relaxed);
  atomic_store_explicit(&peak, now, memory_order_relaxed);
  return now;
}

int64_t fuzz_peak(void) { return atomic_load_explicit(&peak, memory_order_relaxed); }

int64_t fuzz_processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
