// Lock files: a file whose existence says that a file beside it is being written, even where `flock` says nothing.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CGraphArchive.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static gca_status write_all(gca_file file, const void *bytes, size_t byteCount) {
    gca_piece piece = {bytes, byteCount};
    return gca_file_write(file, &piece, 1, 0);
}

// Without links, the file exists a moment before its bytes do.
static gca_status make_empty(const char *path, const void *bytes, size_t byteCount) {
    gca_file file;
    do {
        file.descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file.descriptor < 0 && errno == EINTR);
    if (file.descriptor < 0) return errno == EEXIST ? GCA_FILE_EXISTS : GCA_FILE_OPEN;
    gca_status status = write_all(file, bytes, byteCount);
    int reason = errno;
    gca_file_close(&file);
    if (status != GCA_OK) unlink(path);
    errno = reason;
    return status;
}

static bool has_no_links(int reason) {
    return reason == EPERM || reason == EOPNOTSUPP || reason == ENOTSUP || reason == ENOSYS || reason == EMLINK;
}

gca_status gca_file_make_exclusive(const char *temporaryPath, const char *path, const void *bytes,
                                   size_t byteCount) {
    gca_file file;
    gca_status status = gca_file_create(&file, temporaryPath, 0666);
    if (status != GCA_OK) return status;
    status = write_all(file, bytes, byteCount);
    int reason = errno;
    // Closed before it gets its name, so that on network file systems others see its bytes from then on.
    gca_file_close(&file);
    if (status == GCA_OK) {
        bool isLinked = link(temporaryPath, path) == 0;
        reason = errno;
        struct stat status_of;
        // The server's answer may have been lost: it then says to a second request that the name exists.
        if (!isLinked && stat(temporaryPath, &status_of) == 0 && status_of.st_nlink == 2) isLinked = true;
        if (isLinked) {
            unlink(temporaryPath);
            return GCA_OK;
        }
        status = reason == EEXIST ? GCA_FILE_EXISTS : GCA_FILE_OPEN;
        if (has_no_links(reason)) {
            status = make_empty(path, bytes, byteCount);
            reason = errno;
        }
    }
    unlink(temporaryPath);
    errno = reason;
    return status;
}
