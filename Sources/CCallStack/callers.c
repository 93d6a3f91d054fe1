// Which functions are being called.

#include "CCallStack.h"

#include <unwind.h>

struct found {
    uintptr_t *starts;
    size_t count, capacity;
};

static _Unwind_Reason_Code note(struct _Unwind_Context *context, void *place) {
    struct found *found = (struct found *)place;
    if (found->count == found->capacity) return _URC_END_OF_STACK;
    // A call may be the last instruction of a function, so its return address would be the next function's.
    uintptr_t address = (uintptr_t)_Unwind_GetIP(context);
    if (address != 0) {
        found->starts[found->count++] = (uintptr_t)_Unwind_FindEnclosingFunction((void *)(address - 1));
    }
    return _URC_NO_REASON;
}

size_t gca_callers(uintptr_t *starts, size_t capacity) {
    struct found found = {starts, 0, capacity};
    _Unwind_Backtrace(note, &found);
    return found.count;
}
