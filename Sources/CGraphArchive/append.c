// Files that grow at their end, by one writer at a time.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CGraphArchive.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// How often a file may be replaced between being opened and being locked. The limit ends the wait for a process that keeps
// replacing it, or for a file system whose files do not keep their numbers.
#define GCA_OPEN_ATTEMPTS 1000

static gca_status refuse(gca_file *file, gca_status status, int reason) {
    gca_file_close(file);
    errno = reason;
    return status;
}

gca_status gca_file_open_append(gca_file *file, const char *path, uint32_t permissions, bool followsLink) {
    int link = followsLink ? 0 : O_NOFOLLOW;
    for (int attempt = 0; attempt < GCA_OPEN_ATTEMPTS; attempt++) {
        do {
            // O_NONBLOCK: refuse a named pipe below instead of waiting for it.
            file->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | link, (mode_t)permissions);
        } while (file->descriptor < 0 && errno == EINTR);
        if (file->descriptor < 0) return GCA_FILE_OPEN;
        struct stat status;
        if (fstat(file->descriptor, &status) != 0) return refuse(file, GCA_FILE_OPEN, errno);
        if (!S_ISREG(status.st_mode)) return refuse(file, GCA_FILE_OPEN, EINVAL);
        gca_status locked = gca_file_lock(*file, false);
        if (locked == GCA_FILE_LOCKED) return refuse(file, locked, EWOULDBLOCK);
        // The file may have been removed or replaced before it was locked.
        bool isAt = false;
        if (gca_file_is_at(*file, path, &isAt) != GCA_OK) return refuse(file, GCA_FILE_OPEN, errno);
        if (isAt) return GCA_OK;
        gca_file_close(file);
    }
    errno = ESTALE;
    return GCA_FILE_OPEN;
}

gca_status gca_file_size(gca_file file, uint64_t *byteCount) {
    struct stat status;
    if (fstat(file.descriptor, &status) != 0) return GCA_FILE_READ;
    *byteCount = (uint64_t)status.st_size;
    return GCA_OK;
}

gca_status gca_file_is_at(gca_file file, const char *path, bool *isAt) {
    struct stat open, named;
    if (fstat(file.descriptor, &open) != 0) return GCA_FILE_READ;
    *isAt = false;
    if (stat(path, &named) != 0) return errno == ENOENT || errno == ENOTDIR ? GCA_OK : GCA_FILE_READ;
    *isAt = open.st_dev == named.st_dev && open.st_ino == named.st_ino;
    return GCA_OK;
}

gca_status gca_file_truncate(gca_file file, uint64_t byteCount) {
    int failed;
    do {
        failed = ftruncate(file.descriptor, (off_t)byteCount);
    } while (failed && errno == EINTR);
    return failed ? GCA_FILE_WRITE : GCA_OK;
}
