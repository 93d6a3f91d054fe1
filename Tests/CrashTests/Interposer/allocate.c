// Stands between a program and its memory (LD_PRELOAD): counts allocations, and lets one of them fail.
//
// Nothing is counted before the program calls `test_allocations_begin`. `test_allocations_live` says how many blocks are
// in use.
//
// ALLOCATION_COUNT_FILE: a file that the number of calls is written to when the program ends.
// ALLOCATION_OF: which calls count:
//   checked  those of the program's own code, which gets to see that there is no memory
//   any      all, those of Swift's runtime included, which ends the process
// ALLOCATION_AT: the number of the call that fails, from 1 on.
#define _GNU_SOURCE

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// What glibc does itself: to look them up would allocate.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static atomic_bool isCounting;
static atomic_long callCount, liveCount;
static long failAt = -1;
static bool countsAll;
static uintptr_t programStart, programEnd;

// The first one is the program.
static int find_program(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    (void)data;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        if (info->dlpi_phdr[index].p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[index].p_vaddr;
        uintptr_t end = start + info->dlpi_phdr[index].p_memsz;
        if (programStart == 0 || start < programStart) programStart = start;
        if (end > programEnd) programEnd = end;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void) {
    dl_iterate_phdr(find_program, NULL);
    const char *at = getenv("ALLOCATION_AT"), *of = getenv("ALLOCATION_OF");
    if (at != NULL) failAt = atol(at);
    countsAll = of != NULL && strcmp(of, "any") == 0;
}

__attribute__((destructor)) static void end(void) {
    long count = atomic_load(&callCount);
    atomic_store(&isCounting, false);
    const char *path = getenv("ALLOCATION_COUNT_FILE");
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL) return;
    fprintf(file, "%ld", count);
    fclose(file);
}

void test_allocations_begin(void) { atomic_store(&isCounting, true); }
long test_allocations_live(void) { return atomic_load(&liveCount); }

// Whether a call that returns to `caller` is to fail.
static bool fails(void *caller) {
    if (!atomic_load_explicit(&isCounting, memory_order_relaxed)) return false;
    if (!countsAll && ((uintptr_t)caller < programStart || (uintptr_t)caller >= programEnd)) return false;
    return atomic_fetch_add(&callCount, 1) + 1 == failAt;
}

static void *counted(void *memory) {
    if (memory != NULL) atomic_fetch_add_explicit(&liveCount, 1, memory_order_relaxed);
    return memory;
}

#define CALLER __builtin_return_address(0)
#define FAIL return errno = ENOMEM, NULL

void *malloc(size_t count) {
    if (fails(CALLER)) FAIL;
    return counted(__libc_malloc(count));
}
void *calloc(size_t count, size_t size) {
    if (fails(CALLER)) FAIL;
    return counted(__libc_calloc(count, size));
}
void *realloc(void *memory, size_t count) {
    if (fails(CALLER)) FAIL;
    void *moved = __libc_realloc(memory, count);
    if (memory == NULL) return counted(moved);
    if (moved == NULL && count == 0) atomic_fetch_sub_explicit(&liveCount, 1, memory_order_relaxed);
    return moved;
}
void *aligned_alloc(size_t alignment, size_t count) {
    if (fails(CALLER)) FAIL;
    return counted(__libc_memalign(alignment, count));
}
void *memalign(size_t alignment, size_t count) {
    if (fails(CALLER)) FAIL;
    return counted(__libc_memalign(alignment, count));
}
int posix_memalign(void **result, size_t alignment, size_t count) {
    if (fails(CALLER)) return ENOMEM;
    void *memory = counted(__libc_memalign(alignment, count));
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}
void free(void *memory) {
    if (memory != NULL) atomic_fetch_sub_explicit(&liveCount, 1, memory_order_relaxed);
    __libc_free(memory);
}
void *mmap(void *address, size_t count, int protection, int flags, int file, off_t offset) {
    if (fails(CALLER)) return errno = ENOMEM, MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, count, protection, flags, file, offset);
}
