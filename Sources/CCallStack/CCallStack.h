// Where the stack of the calling thread stands and ends: what Swift has no words for.

#ifndef CCALLSTACK_H
#define CCALLSTACK_H

#include <pthread.h>
#include <stdint.h>

#if defined(__linux__)
// Declared by <pthread.h> only under _GNU_SOURCE, which the C library's Swift module is built without.
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
#endif

/// About where the stack stands. Not the address of a variable: sanitizers put those elsewhere.
static inline uintptr_t ccs_stack_pointer(void) {
    return (uintptr_t)__builtin_frame_address(0);
}

/// The lowest address that the calling thread's stack may reach; 0 where the system does not say.
static inline uintptr_t ccs_stack_bottom(void) {
#if defined(__APPLE__)
    pthread_t thread = pthread_self();
    return (uintptr_t)pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread);
#elif defined(__linux__)
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    void *bottom = 0;
    size_t byteCount = 0;
    int status = pthread_attr_getstack(&attributes, &bottom, &byteCount);
    pthread_attr_destroy(&attributes);
    return status == 0 ? (uintptr_t)bottom : 0;
#else
    return 0;
#endif
}

#endif
