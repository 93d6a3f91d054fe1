// Where the stack of the calling thread stands and ends: what Swift has no words for.

#ifndef CCALLSTACK_H
#define CCALLSTACK_H

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

#ifdef __cplusplus
}
#endif

#endif
