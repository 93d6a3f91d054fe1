// Memory: large pages are made where the next bytes are written, and nowhere else.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CGraphArchiveCases.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__linux__)
#define LARGE_PAGE ((size_t)2 << 20)

#if !defined(MADV_POPULATE_WRITE)
#define MADV_POPULATE_WRITE 23
#endif

static bool is_there(uint8_t *byte) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char answer = 0;
    CHECK(mincore((void *)((uintptr_t)byte / page * page), page, &answer) == 0);
    return answer & 1;
}

/// Whether the last byte of each large page is there, the first page's first.
static void check_there(uint8_t *pages, const bool *expected, size_t count) {
    for (size_t page = 0; page < count; page++) CHECK(is_there(pages + (page + 1) * LARGE_PAGE - 1) == expected[page]);
}

static void test_made(const char *folder) {
    (void)folder;
    size_t mapped = 7 * LARGE_PAGE;
    uint8_t *mapping = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(mapping != MAP_FAILED);
    uint8_t *pages = mapping + (LARGE_PAGE - (uintptr_t)mapping % LARGE_PAGE) % LARGE_PAGE;
    if (is_there(mapping)) return;  // Not every system that looks like Linux reports resident pages.
    // Where the hint is not known, no page is made, and this checks that nothing is changed.
    size_t smallPage = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *last = mapping + mapped - smallPage;
    bool isKnown = madvise(last, smallPage, MADV_POPULATE_WRITE) == 0 && is_there(last);
    // It begins after the start of a large page, and ends before the end of another one.
    uint8_t *memory = pages + 100;
    size_t byteCount = 5 * LARGE_PAGE - 200;
    gca_memory_expect_fill(memory, byteCount);
    size_t second = LARGE_PAGE - 100;

    gca_memory_make_pages(memory, byteCount, 0, second);
    check_there(pages, (bool[]){false, false, false, false, false}, 5);
    gca_memory_make_pages(memory, byteCount, second - 1, second + 1);
    check_there(pages, (bool[]){false, isKnown, false, false, false}, 5);
    gca_memory_make_pages(memory, byteCount, second + 1, second + LARGE_PAGE);
    check_there(pages, (bool[]){false, isKnown, false, false, false}, 5);

    memset(memory, 0xa5, 3 * LARGE_PAGE);
    gca_memory_make_pages(memory, byteCount, 0, byteCount);
    for (size_t i = 0; i < 3 * LARGE_PAGE; i++) CHECK(memory[i] == 0xa5);
    // The last one has bytes of others, too.
    if (isKnown) check_there(pages, (bool[]){true, true, true, true, false}, 5);
    munmap(mapping, mapped);
}

static void test_small(const char *folder) {
    (void)folder;
    size_t byteCount = 2 * LARGE_PAGE - 1;
    uint8_t *memory = mmap(NULL, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    if (is_there(memory)) return;
    gca_memory_make_pages(memory, byteCount, 0, byteCount);
    for (size_t i = 0; i < byteCount; i += 4096) CHECK(!is_there(memory + i));
    munmap(memory, byteCount);
}

static void test_slow_host(const char *folder) {
    (void)folder;
    size_t byteCount = 4 * LARGE_PAGE;
    uint8_t *mapping = mmap(NULL, byteCount + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(mapping != MAP_FAILED);
    uint8_t *pages = mapping + (LARGE_PAGE - (uintptr_t)mapping % LARGE_PAGE) % LARGE_PAGE;
    if (is_there(mapping)) return;
    gca_memory_expect_fill(pages, byteCount);
    gca_memory_count_large_page(INT64_C(7000000));
    CHECK(!gca_memory_large_pages_pay());
    gca_memory_make_pages(pages, byteCount, 0, byteCount);
    check_there(pages, (bool[]){false, false, false, false}, 4);
    // What is written now is one small page, though a large one was requested before.
    pages[2 * LARGE_PAGE] = 1;
    CHECK(is_there(pages + 2 * LARGE_PAGE) && !is_there(pages + 3 * LARGE_PAGE - 1));
    gca_memory_count_small_pages(600);
    CHECK(gca_memory_large_pages_pay());
    munmap(mapping, byteCount + LARGE_PAGE);
}
#endif

/// More than 5 ms beyond 1 ms a page, of which fast pages in between take away.
static void test_giving_up(const char *folder) {
    (void)folder;
    gca_memory_count_small_pages(1000);
    for (int i = 0; i < 100; i++) gca_memory_count_large_page(150000);
    for (int i = 0; i < 4; i++) gca_memory_count_large_page(2000000);
    CHECK(gca_memory_large_pages_pay());
    for (int i = 0; i < 4; i++) gca_memory_count_large_page(0);
    for (int i = 0; i < 4; i++) gca_memory_count_large_page(2000000);
    CHECK(gca_memory_large_pages_pay());
    gca_memory_count_large_page(2000000);
    CHECK(!gca_memory_large_pages_pay());
    gca_memory_count_small_pages(512);
    CHECK(!gca_memory_large_pages_pay());
    gca_memory_count_small_pages(1);
    CHECK(gca_memory_large_pages_pay());
    // The next slow one suffices.
    gca_memory_count_large_page(3000000);
    CHECK(!gca_memory_large_pages_pay());
    gca_memory_count_small_pages(1000);
    CHECK(gca_memory_large_pages_pay());
}

const test memory_tests[] = {
#if defined(__linux__)
    {"large pages are made where the next bytes begin one", test_made},
    {"less memory than two large pages stays as it is", test_small},
    {"small pages are made where large ones take long", test_slow_host},
#endif
    {"large pages are given up where they take long, and tried again after 1 GiB", test_giving_up},
    {NULL, NULL},
};
