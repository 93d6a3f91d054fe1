// Stands between a program and the system (LD_PRELOAD): counts the calls that change files, and lets one of them be
// the program's last, or fail.
//
// CRASH_COUNT_FILE: a file that the number of calls is written to when the program ends.
// CRASH_LOG_FILE: a file that gets a line for each call: its name, and the number (st_ino) of the file; of a call that the system
// has refused, "failed" and 0.
// CRASH_AT: the number of the call, from 1 on; then CRASH_MODE says what happens to it:
//   kill  the process is killed before it
//   half  half of what it should write is written, or all of any other call is done, and the process is killed
//   fail  it is not done, and says that the device is full
//   fail2 the same for the call behind it, too
// CRASH_WAITS: if it is there, nothing counts before the program calls `test_calls_begin`, and after `test_calls_end`.
// CRASH_FLOCK: what `flock` does: `grant` gives everybody every lock, as file systems that do not know better; a number is
// the reason (errno) why there are no locks.
//
// What is written to the standard output and error, and to anything but files, does not count.
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum mode { mode_none, mode_kill, mode_half, mode_fail };

// How many calls fail.
static long failCount = 1;

static atomic_long callCount;
static atomic_bool isCounting = true;
static long crashAt = -1;
static enum mode crashMode = mode_none;
static int logFile = -1;

__attribute__((constructor)) static void begin(void) {
    const char *log = getenv("CRASH_LOG_FILE");
    if (log != NULL) logFile = REAL(open)(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (getenv("CRASH_WAITS") != NULL) atomic_store(&isCounting, false);
    const char *at = getenv("CRASH_AT"), *mode = getenv("CRASH_MODE");
    if (at == NULL || mode == NULL) return;
    crashAt = atol(at);
    crashMode = strcmp(mode, "kill") == 0 ? mode_kill : strcmp(mode, "half") == 0 ? mode_half : mode_fail;
    if (strcmp(mode, "fail2") == 0) failCount = 2;
}

__attribute__((destructor)) static void end(void) {
    long count = atomic_load(&callCount);
    const char *path = getenv("CRASH_COUNT_FILE");
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL) return;
    fprintf(file, "%ld", count);
    fclose(file);
}

void test_calls_begin(void) { atomic_store(&isCounting, true); }
void test_calls_end(void) { atomic_store(&isCounting, false); }

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

// What is to happen to this call.
static enum mode next_call(void) {
    if (!atomic_load(&isCounting)) return mode_none;
    long call = atomic_fetch_add(&callCount, 1) + 1;
    if (crashAt < 0 || call < crashAt || call >= crashAt + failCount) return mode_none;
    if (crashMode == mode_kill) die();
    return crashMode;
}

static bool counts(int descriptor) {
    struct stat status;
    return descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

static ino_t number_of(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

static ino_t number_at(int folder, const char *path) {
    struct stat status;
    return fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_ino : 0;
}

static void note(const char *name, bool isDone, ino_t number) {
    if (logFile < 0 || !atomic_load(&isCounting)) return;
    int reason = errno;
    char line[64];
    int count = snprintf(line, sizeof line, "%s %lu\n", isDone ? name : "failed", isDone ? (unsigned long)number : 0ul);
    if (REAL(write)(logFile, line, (size_t)count) != count) abort();
    errno = reason;
}

// Calls the system; `number` is that of the file before the call.
#define CALL(name, number, ...)                                         \
    do {                                                                \
        enum mode mode = next_call();                                   \
        if (mode == mode_fail) return errno = ENOSPC, -1;               \
        ino_t file = number;                                            \
        __typeof__(name(__VA_ARGS__)) result = REAL(name)(__VA_ARGS__); \
        if (mode == mode_half) die();                                   \
        note(#name, result >= 0, file);                                 \
        return result;                                                  \
    } while (0)

int rename(const char *from, const char *to) { CALL(rename, number_at(AT_FDCWD, from), from, to); }
int renameat(int a, const char *from, int b, const char *to) {
    CALL(renameat, number_at(a, from), a, from, b, to);
}
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    CALL(renameat2, number_at(a, from), a, from, b, to, flags);
}
int link(const char *from, const char *to) { CALL(link, number_at(AT_FDCWD, from), from, to); }
int linkat(int a, const char *from, int b, const char *to, int flags) {
    CALL(linkat, number_at(a, from), a, from, b, to, flags);
}
int unlink(const char *path) { CALL(unlink, number_at(AT_FDCWD, path), path); }
int unlinkat(int folder, const char *path, int flags) {
    CALL(unlinkat, number_at(folder, path), folder, path, flags);
}
int mkdir(const char *path, mode_t bits) { CALL(mkdir, number_at(AT_FDCWD, path), path, bits); }
int rmdir(const char *path) { CALL(rmdir, number_at(AT_FDCWD, path), path); }
int fsync(int descriptor) { CALL(fsync, number_of(descriptor), descriptor); }
int fdatasync(int descriptor) { CALL(fdatasync, number_of(descriptor), descriptor); }
int fchmod(int descriptor, mode_t bits) { CALL(fchmod, number_of(descriptor), descriptor, bits); }
int ftruncate(int descriptor, off_t byteCount) {
    CALL(ftruncate, number_of(descriptor), descriptor, byteCount);
}
int ftruncate64(int descriptor, off64_t byteCount) {
    CALL(ftruncate64, number_of(descriptor), descriptor, byteCount);
}
int truncate(const char *path, off_t byteCount) {
    CALL(truncate, number_at(AT_FDCWD, path), path, byteCount);
}
int fallocate(int descriptor, int mode_bits, off_t offset, off_t byteCount) {
    CALL(fallocate, number_of(descriptor), descriptor, mode_bits, offset, byteCount);
}
int flock(int descriptor, int operation) {
    const char *locks = getenv("CRASH_FLOCK");
    if (locks != NULL && strcmp(locks, "grant") == 0) return 0;
    if (locks != NULL) return errno = atoi(locks), -1;
    CALL(flock, number_of(descriptor), descriptor, operation);
}

// Opening counts where it may create or empty a file.
#define OPEN(name, flags, ...)                                                \
    do {                                                                      \
        va_list arguments;                                                    \
        va_start(arguments, flags);                                           \
        mode_t permissions = flags & O_CREAT ? va_arg(arguments, mode_t) : 0; \
        va_end(arguments);                                                    \
        if (!(flags & (O_CREAT | O_TRUNC))) return REAL(name)(__VA_ARGS__);   \
        enum mode mode = next_call();                                         \
        if (mode == mode_fail) return errno = ENOSPC, -1;                     \
        int result = REAL(name)(__VA_ARGS__, permissions);                    \
        if (mode == mode_half) die();                                         \
        note("open", result >= 0, number_of(result));                         \
        return result;                                                        \
    } while (0)

int open(const char *path, int flags, ...) { OPEN(open, flags, path, flags); }
int open64(const char *path, int flags, ...) { OPEN(open64, flags, path, flags); }
int openat(int folder, const char *path, int flags, ...) { OPEN(openat, flags, folder, path, flags); }
int openat64(int folder, const char *path, int flags, ...) { OPEN(openat64, flags, folder, path, flags); }

// Writes half of it, where the process is to die after that.
#define WRITE(name, descriptor, halfWrite, ...)                             \
    do {                                                                    \
        if (!counts(descriptor)) return REAL(name)(__VA_ARGS__);            \
        enum mode mode = next_call();                                       \
        if (mode == mode_fail) return errno = ENOSPC, -1;                   \
        if (mode == mode_half) {                                            \
            if ((halfWrite) < 0) abort();                                   \
            die();                                                          \
        }                                                                   \
        ssize_t result = REAL(name)(__VA_ARGS__);                           \
        note("write", result >= 0, number_of(descriptor));                  \
        return result;                                                      \
    } while (0)

static struct iovec half_of(const struct iovec *pieces) {
    return (struct iovec){pieces[0].iov_base, pieces[0].iov_len / 2};
}

ssize_t write(int file, const void *bytes, size_t count) {
    WRITE(write, file, REAL(write)(file, bytes, count / 2), file, bytes, count);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    WRITE(pwrite, file, REAL(pwrite)(file, bytes, count / 2, offset), file, bytes, count, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    WRITE(pwrite64, file, REAL(pwrite64)(file, bytes, count / 2, offset), file, bytes, count, offset);
}
ssize_t writev(int file, const struct iovec *pieces, int pieceCount) {
    struct iovec half = half_of(pieces);
    WRITE(writev, file, REAL(writev)(file, &half, 1), file, pieces, pieceCount);
}
ssize_t pwritev(int file, const struct iovec *pieces, int pieceCount, off_t offset) {
    struct iovec half = half_of(pieces);
    WRITE(pwritev, file, REAL(pwritev)(file, &half, 1, offset), file, pieces, pieceCount, offset);
}
ssize_t pwritev64(int file, const struct iovec *pieces, int pieceCount, off64_t offset) {
    struct iovec half = half_of(pieces);
    WRITE(pwritev64, file, REAL(pwritev64)(file, &half, 1, offset), file, pieces, pieceCount, offset);
}
ssize_t pwritev2(int file, const struct iovec *pieces, int pieceCount, off_t offset, int flags) {
    struct iovec half = half_of(pieces);
    WRITE(pwritev2, file, REAL(pwritev2)(file, &half, 1, offset, flags), file, pieces, pieceCount, offset, flags);
}
ssize_t pwritev64v2(int file, const struct iovec *pieces, int pieceCount, off64_t offset, int flags) {
    struct iovec half = half_of(pieces);
    WRITE(pwritev64v2, file, REAL(pwritev64v2)(file, &half, 1, offset, flags), file, pieces, pieceCount, offset, flags);
}
