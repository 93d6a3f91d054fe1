// The tests of CGraphArchive, and their few tools: a check that says where it failed, buffers that end where the
// memory ends, and repeatable random numbers. Swift runs them among all tests, `make sanitize` without Swift.

#ifndef CGRAPHARCHIVECASES_H
#define CGRAPHARCHIVECASES_H

#include "CGraphArchive.h"

/// Ends the program with the file, the line and the condition when it does not hold.
#define CHECK(condition) check_that((condition), __FILE__, __LINE__, #condition)

void check_that(bool holds, const char *file, unsigned line, const char *condition);

/// Memory with an inaccessible page right after its last byte and another before its first page, so that even code
/// without sanitizers, such as LZ4, cannot run past its end unnoticed.
typedef struct guarded {
    uint8_t *bytes;
    size_t byteCount;
    void *mapping;
    size_t mappedByteCount;
} guarded;

/// `byteCount` may be 0. The bytes are 0xa5.
guarded guarded_make(size_t byteCount);

/// The same with a copy of `bytes`.
guarded guarded_copy(const void *bytes, size_t byteCount);

void guarded_free(guarded *memory);

/// The next number of a xorshift generator; `state` must not be 0.
uint64_t next_random(uint64_t *state);

void fill_random(uint8_t *bytes, size_t byteCount, uint64_t seed);

/// A test of one behaviour; `folder` is an empty folder for its files.
typedef struct test {
    const char *name;
    void (*run)(const char *folder);
} test;

/// Each list ends with a test without a name.
extern const test stream_tests[];
extern const test hash_tests[];
extern const test block_tests[];
extern const test restore_tests[];
extern const test numbers_tests[];
extern const test numbers_classes_tests[];
extern const test numbers_plan_tests[];
extern const test shuffle_tests[];
extern const test filter_tests[];
extern const test precision_tests[];
extern const test pack_tests[];
extern const test memory_tests[];
extern const test file_tests[];
extern const test process_tests[];
extern const test parity_tests[];
extern const test search_tests[];

size_t test_count(void);

/// Runs a test below `test_count()`.
void run_test(size_t number, const char *folder);

#endif
