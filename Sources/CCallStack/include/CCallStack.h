// Where the stack of the calling thread stands and ends: what Swift has no words for.

#ifndef CCALLSTACK_H
#define CCALLSTACK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// About where the stack stands. Not the address of a variable: sanitizers put those elsewhere.
static inline uintptr_t gca_stack_pointer(void) {
    return (uintptr_t)__builtin_frame_address(0);
}

/// The lowest address that the calling thread's stack may reach; 0 where the system does not say. The system is asked
/// once per thread.
uintptr_t gca_stack_bottom(void);

/// Stores where the functions begin that are being called on this thread, the innermost first; 0 for one that is not known.
///
/// Returns how many there are, or capacity if there are more.
size_t gca_callers(uintptr_t *starts, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
