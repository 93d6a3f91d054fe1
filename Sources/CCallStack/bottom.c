#if defined(__linux__)
#define _GNU_SOURCE  // pthread_getattr_np
#endif

#include "CCallStack.h"

#include <pthread.h>
#include <stddef.h>

static uintptr_t find_bottom(void) {
#if defined(__APPLE__)
    pthread_t thread = pthread_self();
    return (uintptr_t)pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread);
#elif defined(__linux__)
    pthread_attr_t attributes;
    void *bottom = NULL;
    size_t byteCount = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    int failed = pthread_attr_getstack(&attributes, &bottom, &byteCount);
    pthread_attr_destroy(&attributes);
    return failed ? 0 : (uintptr_t)bottom;
#else
    return 0;
#endif
}

__thread uintptr_t gca_known_stack_bottom;

uintptr_t gca_find_stack_bottom(void) {
    // For the main thread, glibc reads the process's memory map as text.
    uintptr_t bottom = find_bottom();
    gca_known_stack_bottom = bottom == 0 ? 1 : bottom;
    return bottom;
}
