// Advisory locks: they tell other processes, and other threads, that a file is being written.

#include "CGraphArchive.h"

#include <errno.h>
#include <sys/file.h>

gca_status gca_file_lock(gca_file file, bool waits) {
    int failed;
    do {
        failed = flock(file.descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB);
    } while (failed && errno == EINTR);
    if (!failed) return GCA_OK;
    return errno == EWOULDBLOCK ? GCA_FILE_LOCKED : GCA_FILE_NO_LOCKS;
}

void gca_file_unlock(gca_file file) {
    flock(file.descriptor, LOCK_UN);
}
