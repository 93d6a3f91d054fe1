#if defined(__linux__)
#define _GNU_SOURCE  // pthread_getattr_np
#endif

#include "CCallStack.h"

#include <pthread.h>
#include <stdbool.h>
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

uintptr_t gca_stack_bottom(void) {
    // A thread's stack does not move, and finding it takes up to 0.3 ms: for the main thread, glibc reads the
    // process's memory map as text.
    static _Thread_local uintptr_t bottom;
    static _Thread_local bool isKnown;
    if (!isKnown) {
        bottom = find_bottom();
        isKnown = true;
    }
    return bottom;
}
