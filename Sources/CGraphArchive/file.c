// Files: all bytes written or an error, and a new file seen only when it is whole.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CGraphArchive.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// One system call moves at most this much: Linux stops at 2 GiB less a page, macOS refuses more.
#define GCA_TRANSFER_MAX ((size_t)1 << 30)
#define GCA_PIECES_MAX 64
// From this many bytes on, a write is sent to the device at once.
#define GCA_WRITEBACK_MIN ((uint64_t)256 << 10)

gca_status gca_file_open(gca_file *file, const char *path, uint64_t *byteCount) {
    do {
        // O_NONBLOCK: refuse a named pipe below instead of waiting for it.
        file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    } while (file->descriptor < 0 && errno == EINTR);
    if (file->descriptor < 0) return GCA_FILE_OPEN;
    struct stat status;
    int failed = fstat(file->descriptor, &status);
    if (!failed && !S_ISREG(status.st_mode)) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
        failed = 1;
    }
    if (failed) {
        int reason = errno;
        gca_file_close(file);
        errno = reason;
        return GCA_FILE_OPEN;
    }
    *byteCount = (uint64_t)status.st_size;
    return GCA_OK;
}

gca_status gca_file_map(gca_file file, uint64_t offset, size_t byteCount, gca_mapping *mapping) {
    struct stat status;
    if (fstat(file.descriptor, &status)) return GCA_FILE_OPEN;
    if (offset > (uint64_t)status.st_size || byteCount > (uint64_t)status.st_size - offset) return GCA_FILE_SHORT;
    // Mappings begin at pages.
    size_t before = (size_t)(offset % (uint64_t)sysconf(_SC_PAGESIZE));
    mapping->byteCount = byteCount + before;
    mapping->start =
        mmap(NULL, mapping->byteCount, PROT_READ, MAP_SHARED, file.descriptor, (off_t)(offset - before));
    if (mapping->start == MAP_FAILED) return GCA_FILE_OPEN;
    mapping->bytes = (const uint8_t *)mapping->start + before;
    return GCA_OK;
}

void gca_file_unmap(gca_mapping *mapping) { munmap(mapping->start, mapping->byteCount); }

/// Sends what has been written on its way to the device, so that a later sync finds most of it there.
///
/// Errors are ignored here, because the sync reports them, too.
static void begin_writeback(gca_file file, uint64_t start, uint64_t end) {
#if defined(__linux__)
    if (end - start < GCA_WRITEBACK_MIN) return;
    int reason = errno;
    (void)sync_file_range(file.descriptor, (off_t)start, (off_t)(end - start), SYNC_FILE_RANGE_WRITE);
    errno = reason;
#else
    (void)file, (void)start, (void)end;
#endif
}

gca_status gca_file_write(gca_file file, gca_piece *pieces, size_t pieceCount, uint64_t offset) {
    uint64_t start = offset;
    size_t next = 0;
    while (next < pieceCount) {
        struct iovec vectors[GCA_PIECES_MAX];
        int vectorCount = 0;
        size_t total = 0;
        for (size_t i = next; i < pieceCount && vectorCount < GCA_PIECES_MAX && total < GCA_TRANSFER_MAX; i++) {
            size_t room = GCA_TRANSFER_MAX - total;
            size_t count = pieces[i].byteCount < room ? pieces[i].byteCount : room;
            if (count == 0) continue;
            vectors[vectorCount].iov_base = (void *)(uintptr_t)pieces[i].bytes;
            vectors[vectorCount].iov_len = count;
            vectorCount++;
            total += count;
        }
        if (vectorCount == 0) break;
        // The kernel takes some 100 ns longer where it must fetch a list of pieces, which may be all of a message's write.
        ssize_t written = vectorCount == 1
                              ? pwrite(file.descriptor, vectors[0].iov_base, vectors[0].iov_len, (off_t)offset)
                              : pwritev(file.descriptor, vectors, vectorCount, (off_t)offset);
        if (written < 0) {
            if (errno == EINTR) continue;
            return GCA_FILE_WRITE;
        }
        if (written == 0) {
            errno = EIO;  // No progress and no reason: do not retry forever.
            return GCA_FILE_WRITE;
        }
        offset += (uint64_t)written;
        size_t left = (size_t)written;
        while (next < pieceCount && left >= pieces[next].byteCount) left -= pieces[next++].byteCount;
        if (next < pieceCount) {
            pieces[next].bytes = (const uint8_t *)pieces[next].bytes + left;
            pieces[next].byteCount -= left;
        }
    }
    begin_writeback(file, start, offset);
    return GCA_OK;
}

gca_status gca_file_read(gca_file file, void *bytes, size_t byteCount, uint64_t offset) {
    uint8_t *next = bytes;
    while (byteCount > 0) {
        size_t count = byteCount < GCA_TRANSFER_MAX ? byteCount : GCA_TRANSFER_MAX;
        ssize_t got = pread(file.descriptor, next, count, (off_t)offset);
        if (got < 0) {
            if (errno == EINTR) continue;
            return GCA_FILE_READ;
        }
        if (got == 0) return GCA_FILE_SHORT;
        next += got;
        offset += (uint64_t)got;
        byteCount -= (size_t)got;
    }
    return GCA_OK;
}

gca_status gca_file_sync(gca_file *file) {
    int failed;
    do {
#if defined(__APPLE__)
        // fsync leaves the bytes in the drive's cache there; not every file system knows F_FULLFSYNC.
        failed = fcntl(file->descriptor, F_FULLFSYNC);
        if (failed && errno != EINTR) failed = fsync(file->descriptor);
#else
        failed = fsync(file->descriptor);
#endif
    } while (failed && errno == EINTR);
    return failed ? GCA_FILE_SYNC : GCA_OK;
}

gca_status gca_folder_open(gca_file *directory, const char *folder) {
    do {
        directory->descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    } while (directory->descriptor < 0 && errno == EINTR);
    return directory->descriptor < 0 ? GCA_FILE_OPEN : GCA_OK;
}

// Closes the folder too, and leaves errno.
static gca_status sync_folder(gca_file *directory) {
    gca_status status = gca_file_sync(directory);
    int reason = errno;
    gca_file_close(directory);
    errno = reason;
    // Some file systems cannot sync a folder and say EINVAL; a name is as safe there as it gets.
    return status != GCA_OK && reason == EINVAL ? GCA_OK : status;
}

gca_status gca_folder_sync(const char *folder) {
    gca_file directory;
    gca_status status = gca_folder_open(&directory, folder);
    return status == GCA_OK ? sync_folder(&directory) : status;
}

gca_status gca_file_publish(const char *temporaryPath, const char *path, const char *folder) {
    // Opened first, so that a folder that cannot be opened is noticed before the old file is gone.
    gca_file directory;
    gca_status status = gca_folder_open(&directory, folder);
    if (status != GCA_OK) return status;
    if (rename(temporaryPath, path) != 0) {
        int reason = errno;
        gca_file_close(&directory);
        errno = reason;
        return GCA_FILE_RENAME;
    }
    return sync_folder(&directory);
}

void gca_file_close(gca_file *file) {
    if (file->descriptor >= 0) close(file->descriptor);
    file->descriptor = -1;
}
