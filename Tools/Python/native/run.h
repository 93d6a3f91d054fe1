// A run of blocks of a segment, expanded on several threads to where their bytes belong.

#ifndef GCA_PYTHON_RUN_H
#define GCA_PYTHON_RUN_H

#include "CGraphArchive.h"

/// The bytes of a block's entry in the header of a segment: its stored size and its hash.
enum { GCA_ENTRY_SIZE = 12, GCA_FILTER_SIZE = 16, GCA_FILTERS_MAX = 4, GCA_RUN_THREADS_MAX = 64 };

/// Filters that are known, less those that change no bytes.
typedef struct gca_filter_list {
    gca_filter filters[GCA_FILTERS_MAX];
    size_t count;
    size_t width;  ///< Bytes of a number, where blocks have the codec for numbers; 0 where they have LZ4.
} gca_filter_list;

/// Reads filters of 16 bytes each, as the header of a segment has them; false for any that cannot be, and for another width than 0,
/// 1, 2, 4 and 8.
bool gca_filter_list_read(gca_filter_list *list, const uint8_t *bytes, size_t byteCount, size_t width);

/// Expands the stored bytes of a block into `rawCount` bytes, at most GCA_BLOCK_MAX. Those that are as many are as they were.
///
/// `src` and `dst` do not overlap. GCA_BAD_BLOCK where others come out, and GCA_NO_MEMORY.
gca_status gca_stored_expand(uint8_t *dst, size_t rawCount, const uint8_t *src, size_t srcCount,
                             const gca_filter_list *filters);

/// Undoes filters, or applies them, to at most GCA_BLOCK_MAX bytes; `src` and `dst` do not overlap.
gca_status gca_filter_list_undo(uint8_t *dst, const uint8_t *src, size_t byteCount, const gca_filter_list *filters);
gca_status gca_filter_list_apply(uint8_t *dst, const uint8_t *src, size_t byteCount, const gca_filter_list *filters);

/// Blocks that are stored one behind the other, and the part of their raw bytes that is wanted.
typedef struct gca_run {
    const uint8_t *stored;
    uint64_t storedCount;    ///< The bytes of all blocks.
    const uint8_t *entries;  ///< GCA_ENTRY_SIZE bytes for each block.
    size_t count;            ///< Of blocks.
    size_t blockCount;       ///< The raw bytes of each block but the last, at most GCA_BLOCK_MAX.
    size_t rawCount;         ///< Those of all blocks.
    size_t start;            ///< How many of them stand in front of `dst`.
    uint8_t *dst;
    size_t dstCount;
    gca_filter_list filters;
    size_t threadCount;
    bool (*isInterrupted)(void *);  ///< Asked now and then, by the thread that calls.
    void *interruption;
} gca_run;

/// What is wrong with a block.
typedef enum gca_run_failure {
    GCA_RUN_DONE = 0,
    GCA_RUN_BAD_HASH = 1,
    GCA_RUN_BAD_BLOCK = 2,
    GCA_RUN_NO_MEMORY = 3,
    GCA_RUN_INTERRUPTED = 4,
} gca_run_failure;

/// The first block that something is wrong with, whatever the number of threads.
typedef struct gca_run_result {
    gca_run_failure failure;
    size_t block;
} gca_run_result;

/// Whether sizes, counts and entries of a run fit each other, so that it reads and writes nothing beside its memory.
bool gca_run_is_possible(const gca_run *run);

/// In a process that was forked: the threads are those of the other one.
void gca_run_forget_helpers(void);

/// Checks and expands the blocks of a run that is possible.
gca_run_result gca_run_expand(const gca_run *run);

#endif
