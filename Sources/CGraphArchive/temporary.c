// Temporary files: each is named after its process and locked while it is written, so that those of killed processes can be
// recognized, and those of other hosts are left alone.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CGraphArchive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

gca_status gca_file_create(gca_file *file, const char *path, uint32_t permissions) {
    for (;;) {
        do {
            file->descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)permissions);
        } while (file->descriptor < 0 && errno == EINTR);
        if (file->descriptor < 0) return GCA_FILE_OPEN;
        // Some file systems have no locks: files cannot be locked there, so they are not removed either.
        gca_file_lock(*file, true);
        // Before it was locked, it looked like one that a killed process left.
        struct stat status;
        if (fstat(file->descriptor, &status) != 0 || status.st_nlink > 0) return GCA_OK;
        gca_file_close(file);
    }
}

gca_status gca_file_set_permissions(gca_file file, uint32_t permissions) {
    struct stat status;
    if (fstat(file.descriptor, &status) != 0) return GCA_FILE_OPEN;
    // Requested only if needed: some file systems give all files the same permissions, and refuse any others.
    if ((status.st_mode & 07777) == (mode_t)permissions) return GCA_OK;
    return fchmod(file.descriptor, (mode_t)permissions) == 0 ? GCA_OK : GCA_FILE_OPEN;
}

void gca_file_set_owner(gca_file file, uint32_t user, uint32_t group) {
    int reason = errno;
    struct stat status;
    if (fstat(file.descriptor, &status) == 0 && (status.st_uid != (uid_t)user || status.st_gid != (gid_t)group) &&
        fchown(file.descriptor, (uid_t)user, (gid_t)group) != 0) {
        (void)!fchown(file.descriptor, (uid_t)-1, (gid_t)group);
    }
    errno = reason;
}

// Opens a file to lock it. Network file systems (NFS) lock for writing only what is open for writing; elsewhere a file
// that may not be written can be locked, too. O_NOFOLLOW and O_NONBLOCK: it may be a link or a pipe that was given
// such a name.
static int open_to_lock(int folder, const char *name) {
    int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int descriptor = openat(folder, name, O_RDWR | flags);
    return descriptor < 0 && errno == EACCES ? openat(folder, name, O_RDONLY | flags) : descriptor;
}

void gca_temporary_name(char name[GCA_TEMPORARY_NAME_MAX], const gca_process *process, uint64_t number,
                        const char *suffix) {
    snprintf(name, GCA_TEMPORARY_NAME_MAX, ".%s.%" PRId64 ".%" PRIx64 ".%" PRIx64 ".%" PRIx64 "%.32s",
             process->host, process->id, process->started, process->space, number, suffix);
}

// Removes the last part of a name, which begins with a dot.
static bool take_number(char *name, int base, uint64_t *number) {
    char *dot = strrchr(name, '.'), *end;
    if (dot == NULL || dot == name || dot[1] == 0) return false;
    *number = strtoull(dot + 1, &end, base);
    *dot = 0;
    return *end == 0;
}

// Whether a name is one of `gca_temporary_name`; sets the process that made it.
static bool read_name(const char *text, const char *suffix, gca_process *process) {
    char name[GCA_TEMPORARY_NAME_MAX];
    size_t count = strlen(text), suffixCount = strlen(suffix);
    if (text[0] != '.' || count >= sizeof name || count <= suffixCount ||
        memcmp(text + count - suffixCount, suffix, suffixCount) != 0) {
        return false;
    }
    memcpy(name, text, count - suffixCount);
    name[count - suffixCount] = 0;
    memset(process, 0, sizeof *process);
    uint64_t number, id;
    if (!take_number(name, 16, &number) || !take_number(name, 16, &process->space) ||
        !take_number(name, 16, &process->started) || !take_number(name, 10, &id)) {
        return false;
    }
    process->id = (int64_t)id;
    size_t hostCount = strlen(name + 1);
    if (hostCount == 0 || hostCount >= sizeof process->host || id == 0 || id > INT32_MAX) return false;
    memcpy(process->host, name + 1, hostCount);
    return true;
}

void gca_file_remove_abandoned(const char *folder, const char *suffix, const gca_process *here) {
    DIR *directory = opendir(folder);
    if (directory == NULL) return;
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        gca_process process;
        if (!read_name(entry->d_name, suffix, &process)) continue;
        // Locks may hold on one node only, or never be refused.
        if (gca_process_look(&process, here) != GCA_PROCESS_GONE) continue;
        int descriptor = open_to_lock(dirfd(directory), entry->d_name);
        if (descriptor < 0) continue;
        struct stat status;
        // Locked until it is gone, so that a process that has just created it notices: see `gca_file_create`. If it has become
        // another file meanwhile, it no longer has this name, and no other file ever will. Another cleaner may have removed this
        // one before it was locked; then a new file may have the name.
        if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
            gca_file_lock((gca_file){descriptor}, false) == GCA_OK && fstat(descriptor, &status) == 0 &&
            status.st_nlink > 0) {
            unlinkat(dirfd(directory), entry->d_name, 0);
        }
        close(descriptor);
    }
    closedir(directory);
}
