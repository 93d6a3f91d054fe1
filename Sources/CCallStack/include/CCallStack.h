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

/// The lowest address that the calling thread's stack may reach; 0 where the system does not say. Asks the system once per
/// thread.
uintptr_t gca_stack_bottom(void);

/// Stores the start addresses of the functions being called on this thread, innermost first; 0 if unknown.
///
/// Returns how many there are, or capacity if there are more.
size_t gca_callers(uintptr_t *starts, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
