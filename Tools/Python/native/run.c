// The blocks of a run are divided into as many stretches as there are threads; a thread that finishes its own takes from the end
// of the longest. So two threads seldom fill the same large page, which the system would make twice.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "run.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

// MARK: Scratch memory

enum { LINE = 64, KEPT = 8 };

/// What a thread needs for one block: its bytes between compression and filters, and between filters, and those of a block of
/// which only a part is wanted.
typedef struct scratch {
    uint8_t memory[3][GCA_BLOCK_MAX + LINE];
    gca_numbers_memory numbers;
} scratch;

// Memory that was used before has its pages, which cost as much as the blocks to make anew.
static void *kept[KEPT];

static scratch *take_scratch(void) {
    for (size_t i = 0; i < KEPT; i++) {
        void *found = gca_exchange(&kept[i], NULL);
        if (found != NULL) return found;
    }
    scratch *made = malloc(sizeof *made);
    if (made != NULL) made->numbers = (gca_numbers_memory){0};
    return made;
}

static void give_back(scratch *memory) {
    void *object = memory;
    for (size_t i = 0; i < KEPT && object != NULL; i++) object = gca_exchange(&kept[i], object);
    if (object == NULL) return;
    scratch *rest = object;
    gca_numbers_forget(&rest->numbers);
    free(rest);
}

static uint8_t *piece(scratch *memory, size_t index) {
    uint8_t *start = memory->memory[index];
    return start + (LINE - (uintptr_t)start % LINE) % LINE;
}

// MARK: Filters and single blocks

// Of more bytes than this, the first are no longer in the caches when the last are written.
static const size_t least_past_caches = (size_t)16 << 20;

bool gca_filter_list_read(gca_filter_list *list, const uint8_t *bytes, size_t byteCount, size_t width) {
    list->count = 0;
    list->width = width;
    if (width != 0 && width != 1 && width != 2 && width != 4 && width != 8) return false;
    if (byteCount % GCA_FILTER_SIZE != 0 || byteCount / GCA_FILTER_SIZE > GCA_FILTERS_MAX) return false;
    for (size_t at = 0; at < byteCount; at += GCA_FILTER_SIZE) {
        gca_filter filter = {.number = bytes[at], .width = bytes[at + 1]};
        memcpy(&filter.parameter, bytes + at + 4, sizeof filter.parameter);
        memcpy(&filter.argument, bytes + at + 8, sizeof filter.argument);
        if (bytes[at + 2] != 0 || bytes[at + 3] != 0 || !gca_filter_is_known(&filter)) return false;
        if (filter.number != GCA_FILTER_ROUNDED) list->filters[list->count++] = filter;
    }
    return true;
}

/// Expands what is compressed, before filters.
static gca_status expand_compressed(uint8_t *dst, size_t rawCount, const uint8_t *src, size_t srcCount, size_t width,
                                    scratch *memory) {
    if (width != 0) return gca_numbers_expand(dst, rawCount, src, srcCount, width, &memory->numbers);
    return gca_block_expand(dst, rawCount, src, srcCount, GCA_CODEC_LZ4);
}

static gca_status expand_stored(uint8_t *dst, size_t rawCount, const uint8_t *src, size_t srcCount,
                                const gca_filter_list *filters, bool pastCaches, scratch *memory) {
    if (srcCount == rawCount) return gca_block_expand(dst, rawCount, src, srcCount, GCA_CODEC_STORED);
    if (filters->count == 0) return expand_compressed(dst, rawCount, src, srcCount, filters->width, memory);
    uint8_t *filtered = piece(memory, 0);
    gca_status status = expand_compressed(filtered, rawCount, src, srcCount, filters->width, memory);
    if (status != GCA_OK) return status;
    if (pastCaches && filters->count == 1 && filters->filters[0].number == GCA_FILTER_BYTE_SHUFFLE) {
        gca_unshuffle_past_caches(dst, filtered, rawCount, filters->filters[0].parameter, gca_vectors_best());
        return GCA_OK;
    }
    gca_filters_undo(dst, piece(memory, 1), filtered, rawCount, filters->filters, filters->count,
                     gca_vectors_best());
    return GCA_OK;
}

gca_status gca_stored_expand(uint8_t *dst, size_t rawCount, const uint8_t *src, size_t srcCount,
                             const gca_filter_list *filters) {
    scratch *memory = take_scratch();
    if (memory == NULL) return GCA_NO_MEMORY;
    gca_status status = expand_stored(dst, rawCount, src, srcCount, filters, false, memory);
    give_back(memory);
    return status;
}

typedef void filters_function(uint8_t *, uint8_t *, const uint8_t *, size_t, const gca_filter *, size_t, gca_vectors);

static gca_status change(filters_function *function, uint8_t *dst, const uint8_t *src, size_t byteCount,
                         const gca_filter_list *list) {
    scratch *memory = take_scratch();
    if (memory == NULL) return GCA_NO_MEMORY;
    function(dst, piece(memory, 1), src, byteCount, list->filters, list->count, gca_vectors_best());
    give_back(memory);
    return GCA_OK;
}

gca_status gca_filter_list_undo(uint8_t *dst, const uint8_t *src, size_t byteCount, const gca_filter_list *filters) {
    return change(gca_filters_undo, dst, src, byteCount, filters);
}

gca_status gca_filter_list_apply(uint8_t *dst, const uint8_t *src, size_t byteCount, const gca_filter_list *filters) {
    return change(gca_filters_apply, dst, src, byteCount, filters);
}

// MARK: Runs

static uint32_t entry_size(const gca_run *run, size_t block) {
    uint32_t size;
    memcpy(&size, run->entries + block * GCA_ENTRY_SIZE, sizeof size);
    return size;
}

static uint64_t entry_hash(const gca_run *run, size_t block) {
    uint64_t hash;
    memcpy(&hash, run->entries + block * GCA_ENTRY_SIZE + 4, sizeof hash);
    return hash;
}

bool gca_run_is_possible(const gca_run *run) {
    if (run->count == 0 || run->blockCount == 0 || run->blockCount > GCA_BLOCK_MAX || run->threadCount == 0) return false;
    if (run->rawCount == 0 || (run->rawCount - 1) / run->blockCount != run->count - 1) return false;
    if (run->start > run->rawCount || run->dstCount > run->rawCount - run->start) return false;
    uint64_t storedCount = 0;
    for (size_t block = 0; block < run->count; block++) {
        size_t size = entry_size(run, block);
        if (size > run->blockCount) return false;
        storedCount += size;
    }
    return storedCount == run->storedCount;
}

enum { STRETCHES = GCA_RUN_THREADS_MAX };

/// What the threads share: the blocks that are still to be given out, and the first failure.
typedef struct shared_work {
    const gca_run *run;
    pthread_mutex_t lock;
    size_t stretches;
    // The blocks from `next` to `end`, and where the stored bytes of the first and behind the last are.
    struct stretch {
        size_t next, end;
        uint64_t nextOffset, endOffset;
    } stretch[STRETCHES];
    gca_run_result result;
} shared_work;

typedef struct worker {
    shared_work *work;
    size_t number;
} worker;

/// Gives out a block, and where its stored bytes are.
static bool take_block(shared_work *work, size_t number, size_t *block, uint64_t *offset) {
    pthread_mutex_lock(&work->lock);
    struct stretch *own = &work->stretch[number];
    bool found = own->next < own->end;
    if (found) {
        *block = own->next++;
        *offset = own->nextOffset;
        own->nextOffset += entry_size(work->run, *block);
    } else {
        struct stretch *longest = own;
        for (size_t i = 0; i < work->stretches; i++) {
            struct stretch *each = &work->stretch[i];
            if (each->end - each->next > longest->end - longest->next) longest = each;
        }
        found = longest->next < longest->end;
        if (found) {
            *block = --longest->end;
            *offset = longest->endOffset -= entry_size(work->run, *block);
        }
    }
    pthread_mutex_unlock(&work->lock);
    return found;
}

/// After a failure, no later block is given out, but all earlier ones are: one of them may be the first failure.
static void fail(shared_work *work, size_t block, gca_run_failure failure) {
    pthread_mutex_lock(&work->lock);
    if (work->result.failure == GCA_RUN_DONE || block < work->result.block) {
        work->result = (gca_run_result){.failure = failure, .block = block};
        for (size_t i = 0; i < work->stretches; i++) {
            struct stretch *each = &work->stretch[i];
            while (each->end > each->next && each->end > block) {
                each->endOffset -= entry_size(work->run, --each->end);
            }
        }
    }
    pthread_mutex_unlock(&work->lock);
}

static gca_run_failure expand_block(const gca_run *run, size_t block, uint64_t offset, scratch *memory) {
    size_t first = block * run->blockCount, left = run->rawCount - first;
    size_t rawCount = left < run->blockCount ? left : run->blockCount, storedCount = entry_size(run, block);
    // The part of the block that is wanted, from and to these of its bytes.
    size_t end = run->start + run->dstCount;
    size_t from = first < run->start ? run->start - first : 0;
    size_t to = end < first + rawCount ? (end > first ? end - first : 0) : rawCount;
    if (from > to) from = to;
    uint8_t *dst = to > from ? run->dst + (first + from - run->start) : run->dst;
    bool isWhole = from == 0 && to == rawCount, isStored = storedCount == rawCount;

    const uint8_t *stored = run->stored + offset;
    if (gca_hash64_bytes(stored, storedCount) != entry_hash(run, block)) return GCA_RUN_BAD_HASH;
    if (isStored) {
        if (to > from) memcpy(dst, stored + from, to - from);
        return GCA_RUN_DONE;
    }
    uint8_t *raw = isWhole ? dst : piece(memory, 2);
    bool pastCaches = isWhole && run->dstCount >= least_past_caches;
    gca_status status = expand_stored(raw, rawCount, stored, storedCount, &run->filters, pastCaches, memory);
    if (status != GCA_OK) return status == GCA_NO_MEMORY ? GCA_RUN_NO_MEMORY : GCA_RUN_BAD_BLOCK;
    if (!isWhole && to > from) memcpy(dst, raw + from, to - from);
    return GCA_RUN_DONE;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void expand_blocks(shared_work *work, size_t number, bool asks) {
    const double interval = 0.1;
    const gca_run *run = work->run;
    scratch *memory = take_scratch();
    if (memory == NULL) {
        fail(work, 0, GCA_RUN_NO_MEMORY);
        return;
    }
    double asked = asks ? now() : 0;
    size_t block;
    uint64_t offset;
    while (take_block(work, number, &block, &offset)) {
        gca_run_failure failure = expand_block(run, block, offset, memory);
        if (failure != GCA_RUN_DONE) fail(work, block, failure);
        if (!asks || now() - asked < interval) continue;
        if (run->isInterrupted(run->interruption)) fail(work, 0, GCA_RUN_INTERRUPTED);
        asked = now();
    }
    give_back(memory);
}

static void *begin(void *argument) {
    worker *its = argument;
    expand_blocks(its->work, its->number, false);
    return NULL;
}

// Threads that were begun and have not ended, of all runs: several callers at once share them.
static size_t helpers;

void gca_run_forget_helpers(void) { helpers = 0; }

gca_run_result gca_run_expand(const gca_run *run) {
    shared_work work = {.run = run, .lock = PTHREAD_MUTEX_INITIALIZER};
    size_t wanted = run->threadCount < run->count ? run->threadCount : run->count;
    work.stretches = wanted < STRETCHES ? wanted : STRETCHES;
    uint64_t offset = 0;
    for (size_t i = 0, block = 0; i < work.stretches; i++) {
        size_t end = run->count / work.stretches * (i + 1) + run->count % work.stretches * (i + 1) / work.stretches;
        work.stretch[i] = (struct stretch){.next = block, .end = end, .nextOffset = offset};
        for (; block < end; block++) offset += entry_size(run, block);
        work.stretch[i].endOffset = offset;
    }
    worker workers[STRETCHES];
    pthread_t threads[STRETCHES];
    size_t started = 1;
    // Signals are for the threads of the interpreter, but for what a thread does wrong itself.
    sigset_t all, before;
    sigfillset(&all);
    const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&all, own[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; started < work.stretches; started++) {
        if (__atomic_fetch_add(&helpers, 1, __ATOMIC_RELAXED) + 1 >= run->threadCount) {
            __atomic_fetch_sub(&helpers, 1, __ATOMIC_RELAXED);
            break;
        }
        workers[started] = (worker){.work = &work, .number = started};
        // Where the system gives no more threads, fewer do it.
        if (pthread_create(&threads[started], NULL, begin, &workers[started]) != 0) {
            __atomic_fetch_sub(&helpers, 1, __ATOMIC_RELAXED);
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    expand_blocks(&work, 0, run->isInterrupted != NULL);
    for (size_t i = 1; i < started; i++) pthread_join(threads[i], NULL);
    __atomic_fetch_sub(&helpers, started - 1, __ATOMIC_RELAXED);
    pthread_mutex_destroy(&work.lock);
    return work.result;
}
