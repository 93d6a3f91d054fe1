// Working memory that is kept from block to block.

#include "numbers.h"

#include <stdlib.h>

void gca_numbers_forget(gca_numbers_memory *memory) {
    for (size_t i = 0; i < sizeof memory->parts / sizeof *memory->parts; i++) free(memory->parts[i]);
    *memory = (gca_numbers_memory){0};
}

void *gca_numbers_room(gca_numbers_memory *memory, numbers_part part, size_t byteCount) {
    if (memory->byteCounts[part] < byteCount) {
        free(memory->parts[part]);
        memory->parts[part] = malloc(byteCount);
        memory->byteCounts[part] = memory->parts[part] == NULL ? 0 : byteCount;
    }
    return memory->parts[part];
}
