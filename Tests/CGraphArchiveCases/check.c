#include "CGraphArchiveCases.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *current_test = "";

void check_that(bool holds, const char *file, unsigned line, const char *condition) {
    if (holds) return;
    fflush(stdout);
    fprintf(stderr, "%s:%u: in '%s': not so: %s\n", file, line, current_test, condition);
    // Not abort: a failed check needs no core file, and the sanitizers' reports stay for real errors.
    exit(1);
}

guarded guarded_make(size_t byteCount) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t inside = (byteCount + page - 1) / page * page;
    guarded memory = {.byteCount = byteCount, .mappedByteCount = inside + 2 * page};
    memory.mapping = mmap(NULL, memory.mappedByteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory.mapping != MAP_FAILED);
    uint8_t *start = (uint8_t *)memory.mapping + page;
    if (inside != 0) CHECK(mprotect(start, inside, PROT_READ | PROT_WRITE) == 0);
    memory.bytes = start + inside - byteCount;
    if (byteCount != 0) memset(memory.bytes, 0xa5, byteCount);
    return memory;
}

guarded guarded_copy(const void *bytes, size_t byteCount) {
    guarded memory = guarded_make(byteCount);
    if (byteCount != 0) memcpy(memory.bytes, bytes, byteCount);
    return memory;
}

void guarded_free(guarded *memory) {
    munmap(memory->mapping, memory->mappedByteCount);
    memory->bytes = NULL;
}

uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

void fill_random(uint8_t *bytes, size_t byteCount, uint64_t seed) {
    uint64_t state = seed;
    for (size_t i = 0; i < byteCount; i++) bytes[i] = (uint8_t)(next_random(&state) >> 32);
}

static const test *const lists[] = {
    stream_tests, hash_tests, block_tests, restore_tests, shuffle_tests, filter_tests, precision_tests, pack_tests, memory_tests,
    file_tests, process_tests, parity_tests, search_tests, numbers_tests, numbers_classes_tests, numbers_plan_tests,
};

static const test *find(size_t number) {
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (const test *next = lists[i]; next->name != NULL; next++) {
            if (number-- == 0) return next;
        }
    }
    return NULL;
}

size_t test_count(void) {
    size_t count = 0;
    while (find(count) != NULL) count++;
    return count;
}

void run_test(size_t number, const char *folder) {
    const test *found = find(number);
    current_test = found->name;
    found->run(folder);
}
