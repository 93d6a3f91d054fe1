// The calling thread's position on its stack, and where that stack ends: Swift cannot express either.

#ifndef CCALLSTACK_H
#define CCALLSTACK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Roughly the current position on the stack. Not the address of a variable: sanitizers put those elsewhere.
static inline uintptr_t gca_stack_pointer(void) {
    return (uintptr_t)__builtin_frame_address(0);
}

/// What `gca_find_stack_bottom` has found on this thread: 0 before it is called, 1 if the system does not say. Not
/// `thread_local`, for which C++ would call an initializer.
extern __thread uintptr_t gca_known_stack_bottom;

/// Asks the system where the calling thread's stack ends, which takes up to 0.3 ms.
uintptr_t gca_find_stack_bottom(void);

/// The lowest address that the calling thread's stack may reach; 0 where the system does not say.
static inline uintptr_t gca_stack_bottom(void) {
    // A thread's stack does not move.
    return gca_known_stack_bottom > 1 ? gca_known_stack_bottom : gca_known_stack_bottom == 1 ? 0 : gca_find_stack_bottom();
}

/// Stores the start addresses of the functions being called on this thread, innermost first; 0 if unknown.
///
/// Returns how many there are, or capacity if there are more.
size_t gca_callers(uintptr_t *starts, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
