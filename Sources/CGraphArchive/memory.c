// Memory: large pages for memory about to be filled, and whether there is enough.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CGraphArchive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define GCA_LARGE_PAGE ((uintptr_t)2 << 20)

#if defined(__linux__) && !defined(MADV_COLLAPSE)
#define MADV_COLLAPSE 25  // Of Linux 6.1, which Debian 12 has; not of its C library.
#endif
#if defined(__linux__) && !defined(MADV_POPULATE_WRITE)
#define MADV_POPULATE_WRITE 23  // Of Linux 5.14.
#endif

// MARK: Whether large pages pay

// In nanoseconds of a thread: what the 512 small pages in place of a large one take in memory that the machine has at hand
// (240 ms for 256 MB on an EPYC under KVM), and how much more large ones may take in all before they are given up.
#define GCA_SMALL_PAGES INT64_C(1000000)
#define GCA_EXCESS_MAX INT64_C(5000000)
// Once they are given up, this much is added, and each large page that was not made takes this much away: the next is tried after 1 GiB.
#define GCA_PENALTY INT64_C(51200000)
#define GCA_FORGIVEN INT64_C(100000)

/// What large pages have taken more than small ones would have, of all threads.
static _Atomic int64_t excess = 0;

bool gca_memory_large_pages_pay(void) { return atomic_load_explicit(&excess, memory_order_relaxed) < GCA_EXCESS_MAX; }

/// Adds to the excess, which does not become less than zero.
static void add_excess(int64_t nanoseconds) {
    int64_t before = atomic_load_explicit(&excess, memory_order_relaxed), after;
    do {
        after = before + nanoseconds;
        if (before < GCA_EXCESS_MAX && after >= GCA_EXCESS_MAX) after = GCA_EXCESS_MAX + GCA_PENALTY;
        if (after < 0) after = 0;
    } while (!atomic_compare_exchange_weak_explicit(&excess, &before, after, memory_order_relaxed, memory_order_relaxed));
}

void gca_memory_count_large_page(int64_t nanoseconds) { add_excess(nanoseconds - GCA_SMALL_PAGES); }

void gca_memory_count_small_pages(size_t largePageCount) { add_excess(-GCA_FORGIVEN * (int64_t)largePageCount); }

#if defined(__linux__) && defined(MADV_HUGEPAGE)
/// The time of this thread: another one in between does not count, and a host that has to find the memory does.
static int64_t thread_time(void) {
    struct timespec time = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// Advises on all pages of a block, so that what `malloc` has mapped for it stays one mapping: `mremap` moves only one, and otherwise
/// `realloc` would copy. It does no harm that its first and last pages hold a little else.
static void advise(void *start, size_t byteCount, int advice) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)start / page * page;
    uintptr_t end = ((uintptr_t)start + byteCount + page - 1) / page * page;
    int reason = errno;
    // A kernel without large pages refuses, and the memory works as before.
    (void)madvise((void *)first, end - first, advice);
    errno = reason;
}
#endif

// MARK: Advice

void gca_memory_expect_fill(void *start, size_t byteCount) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (byteCount < 2 * GCA_LARGE_PAGE || !gca_memory_large_pages_pay()) return;
    advise(start, byteCount, MADV_HUGEPAGE);
#else
    (void)start;
    (void)byteCount;
#endif
}

size_t gca_memory_whole_pages(size_t byteCount) {
#if defined(__linux__)
    // `malloc` uses 16 bytes of a mapping, and rounds the rest up to 16.
    const size_t head = 64;
    if (byteCount < 8 * GCA_LARGE_PAGE || byteCount > SIZE_MAX / 2) return byteCount;
    size_t whole = (byteCount + head + GCA_LARGE_PAGE - 1) / GCA_LARGE_PAGE * GCA_LARGE_PAGE - head;
    return whole - byteCount <= byteCount / 16 ? whole : byteCount;
#else
    return byteCount;
#endif
}

#if defined(__linux__)
/// Whether the system gives large pages on request. An administrator may have switched them off, which MADV_COLLAPSE ignores.
///
/// Read once, because that takes a tenth of the time of MADV_COLLAPSE.
static bool has_large_pages(void) {
    static _Atomic int answer = -1;
    int known = answer;
    if (known >= 0) return known;
    char setting[64] = "";
    int file = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    bool isRead = read(file, setting, sizeof setting - 1) > 0, has = isRead && strstr(setting, "[never]") == NULL;
    close(file);
    if (isRead) answer = has;
    return has;
}
#endif

void gca_memory_expect_array(void *start, size_t byteCount) {
    gca_memory_expect_fill(start, byteCount);
#if defined(__linux__)
    uintptr_t offset = (uintptr_t)start % GCA_LARGE_PAGE;
    if (byteCount < 8 * GCA_LARGE_PAGE || offset >= 4096 || !gca_memory_large_pages_pay()) return;
    // `malloc` has written to its first page before large ones could be requested.
    int reason = errno;
    if (has_large_pages()) (void)madvise((char *)start - offset, GCA_LARGE_PAGE, MADV_COLLAPSE);
    errno = reason;
#endif
}

void gca_memory_make_pages(void *start, size_t byteCount, size_t from, size_t to) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (byteCount < 2 * GCA_LARGE_PAGE) return;
    uintptr_t smallPage = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t end = (uintptr_t)start + byteCount, written = (uintptr_t)start + to;
    uintptr_t page = ((uintptr_t)start + from + GCA_LARGE_PAGE - 1) / GCA_LARGE_PAGE * GCA_LARGE_PAGE;
    int reason = errno;
    for (; page < written && end - page >= GCA_LARGE_PAGE; page += GCA_LARGE_PAGE) {
        if (!gca_memory_large_pages_pay()) {
            // Also where they did when the memory was made.
            gca_memory_count_small_pages(1);
            advise(start, byteCount, MADV_NOHUGEPAGE);
            continue;
        }
        int64_t before = thread_time();
        // The system clears a large page towards the touched address, faster upwards than downwards. Not by a store, which might
        // undo what another thread writes there.
        (void)madvise((void *)(page + GCA_LARGE_PAGE - smallPage), smallPage, MADV_POPULATE_WRITE);
        gca_memory_count_large_page(thread_time() - before);
    }
    errno = reason;
#else
    (void)start;
    (void)byteCount;
    (void)from;
    (void)to;
#endif
}

bool gca_memory_has_room(size_t byteCount) {
    if (byteCount == 0) return true;
    int reason = errno;
    // Not by malloc, which treats later allocations differently once a large one is freed.
    void *memory = mmap(NULL, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool hasRoom = memory != MAP_FAILED;
    if (hasRoom) munmap(memory, byteCount);
    errno = reason;
    return hasRoom;
}
