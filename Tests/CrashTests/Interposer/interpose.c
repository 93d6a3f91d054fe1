// Stands between a program and the system (LD_PRELOAD): counts the calls that change files, and lets one of them be
// the program's last, or fail.
//
// CRASH_COUNT_FILE: a file that the number of calls is written to when the program ends.
// CRASH_AT: the number of the call, from 1 on; then CRASH_MODE says what happens to it:
//   kill  the process is killed before it
//   half  half of what it should write is written, or all of any other call is done, and the process is killed
//   fail  it is not done, and says that the device is full
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { mode_none, mode_kill, mode_half, mode_fail };

static atomic_long callCount;
static long crashAt = -1;
static enum mode crashMode = mode_none;

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("CRASH_AT"), *mode = getenv("CRASH_MODE");
    if (at == NULL || mode == NULL) return;
    crashAt = atol(at);
    crashMode = strcmp(mode, "kill") == 0 ? mode_kill : strcmp(mode, "half") == 0 ? mode_half : mode_fail;
}

__attribute__((destructor)) static void end(void) {
    long count = atomic_load(&callCount);
    const char *path = getenv("CRASH_COUNT_FILE");
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL) return;
    fprintf(file, "%ld", count);
    fclose(file);
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

// What is to happen to this call.
static enum mode next_call(void) {
    if (atomic_fetch_add(&callCount, 1) + 1 != crashAt) return mode_none;
    if (crashMode == mode_kill) die();
    return crashMode;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// Calls the system; `name` has the given arguments.
#define CALL(name, ...)                                  \
    do {                                                 \
        enum mode mode = next_call();                    \
        if (mode == mode_fail) return errno = ENOSPC, -1; \
        __typeof__(name(__VA_ARGS__)) result = REAL(name)(__VA_ARGS__); \
        if (mode == mode_half) die();                    \
        return result;                                   \
    } while (0)

int rename(const char *from, const char *to) { CALL(rename, from, to); }
int unlink(const char *path) { CALL(unlink, path); }
int unlinkat(int folder, const char *path, int flags) { CALL(unlinkat, folder, path, flags); }
int fsync(int descriptor) { CALL(fsync, descriptor); }
int fchmod(int descriptor, mode_t mode_bits) { CALL(fchmod, descriptor, mode_bits); }
int ftruncate(int descriptor, off_t byteCount) { CALL(ftruncate, descriptor, byteCount); }
int flock(int descriptor, int operation) { CALL(flock, descriptor, operation); }

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t permissions = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (!(flags & O_CREAT)) return REAL(open)(path, flags);
    CALL(open, path, flags, permissions);
}

ssize_t pwritev(int descriptor, const struct iovec *pieces, int pieceCount, off_t offset) {
    enum mode mode = next_call();
    if (mode == mode_fail) return errno = ENOSPC, -1;
    if (mode != mode_half) return REAL(pwritev)(descriptor, pieces, pieceCount, offset);
    struct iovec half = pieces[0];
    half.iov_len /= 2;
    REAL(pwritev)(descriptor, &half, 1, offset);
    die();
    return -1;
}
