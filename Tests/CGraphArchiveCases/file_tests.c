// Files: what was written is read back, errors carry errno, and a name changes hands at once.

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void many_pieces_come_back_in_order(const char *folder) {
    char path[path_max];
    make_path(path, folder, "pieces");
    // More pieces than one system call takes, every third of them empty.
    enum { piece_count = 500 };
    static gca_piece pieces[piece_count];
    static uint8_t source[piece_count * piece_count];
    fill_random(source, sizeof source, 5);
    size_t total = 0;
    for (size_t i = 0; i < piece_count; i++) {
        size_t byteCount = i % 3 == 0 ? 0 : i;
        pieces[i] = (gca_piece){byteCount == 0 ? NULL : source + total, byteCount};
        total += byteCount;
    }
    gca_file file;
    CHECK(gca_file_create(&file, path, 0600) == GCA_OK);
    CHECK(gca_file_write(file, pieces, piece_count, 0) == GCA_OK);
    CHECK(gca_file_write(file, NULL, 0, 0) == GCA_OK);
    gca_piece header = {"header", 6};
    CHECK(gca_file_write(file, &header, 1, 10) == GCA_OK);
    memcpy(source + 10, "header", 6);
    CHECK(gca_file_sync(&file) == GCA_OK);
    gca_file_close(&file);

    struct stat status;
    CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0600);
    uint64_t byteCount = 0;
    CHECK(gca_file_open(&file, path, &byteCount) == GCA_OK);
    CHECK(byteCount == total);
    guarded back = guarded_make(total);
    CHECK(gca_file_read(file, back.bytes, total, 0) == GCA_OK);
    CHECK(memcmp(back.bytes, source, total) == 0);
    CHECK(gca_file_read(file, back.bytes, 100, 1000) == GCA_OK);
    CHECK(memcmp(back.bytes, source + 1000, 100) == 0);
    guarded_free(&back);
    gca_file_close(&file);
    gca_file_close(&file);
    CHECK(file.descriptor == -1);
}

static void offsets_above_4_gib_are_kept(const char *folder) {
    char path[path_max];
    make_path(path, folder, "sparse");
    const uint64_t offset = ((uint64_t)9 << 32) + 5;
    gca_file file;
    gca_piece pieces[] = {{"far ", 4}, {"away", 4}};
    CHECK(gca_file_create(&file, path, 0600) == GCA_OK);
    CHECK(gca_file_write(file, pieces, 2, offset) == GCA_OK);
    gca_file_close(&file);
    uint64_t byteCount = 0;
    CHECK(gca_file_open(&file, path, &byteCount) == GCA_OK);
    CHECK(byteCount == offset + 8);
    char back[8];
    CHECK(gca_file_read(file, back, 8, offset) == GCA_OK && memcmp(back, "far away", 8) == 0);
    CHECK(gca_file_read(file, back, 1, offset - ((uint64_t)1 << 32)) == GCA_OK && back[0] == 0);
    gca_file_close(&file);
    unlink(path);
}

static void reading_past_the_end_says_so(const char *folder) {
    char path[path_max];
    make_path(path, folder, "short");
    write_new_file(path, "abc");
    gca_file file;
    uint64_t byteCount = 0;
    CHECK(gca_file_open(&file, path, &byteCount) == GCA_OK);
    guarded back = guarded_make(4);
    CHECK(gca_file_read(file, back.bytes, 4, 0) == GCA_FILE_SHORT);
    CHECK(gca_file_read(file, back.bytes, 1, 3) == GCA_FILE_SHORT);
    CHECK(gca_file_read(file, back.bytes, 1, (uint64_t)1 << 40) == GCA_FILE_SHORT);
    CHECK(gca_file_read(file, back.bytes, 0, 3) == GCA_OK);
    CHECK(gca_file_read(file, back.bytes, 1, UINT64_MAX) == GCA_FILE_READ && errno == EINVAL);
    guarded_free(&back);
    gca_file_close(&file);
}

static void what_cannot_be_opened_is_refused(const char *folder) {
    char path[path_max];
    gca_file file;
    uint64_t byteCount = 0;
    make_path(path, folder, "missing");
    CHECK(gca_file_open(&file, path, &byteCount) == GCA_FILE_OPEN && errno == ENOENT);
    CHECK(gca_file_open(&file, folder, &byteCount) == GCA_FILE_OPEN && errno == EISDIR);
    CHECK(file.descriptor == -1);
    make_path(path, folder, "pipe");
    CHECK(mkfifo(path, 0600) == 0);
    CHECK(gca_file_open(&file, path, &byteCount) == GCA_FILE_OPEN && errno == EINVAL);
    CHECK(file.descriptor == -1);
    CHECK(gca_file_open(&file, "/dev/null", &byteCount) == GCA_FILE_OPEN && errno == EINVAL);
    make_path(path, folder, "existing");
    write_new_file(path, "old");
    CHECK(gca_file_create(&file, path, 0600) == GCA_FILE_OPEN && errno == EEXIST);
    CHECK(holds(path, "old"));
    make_path(path, folder, "no folder/file");
    CHECK(gca_file_create(&file, path, 0600) == GCA_FILE_OPEN && errno == ENOENT);
}

static void failed_writes_say_why(const char *folder) {
    char path[path_max];
    make_path(path, folder, "read only");
    write_new_file(path, "old");
    gca_file file;
    uint64_t byteCount = 0;
    gca_piece piece = {"new", 3};
    CHECK(gca_file_open(&file, path, &byteCount) == GCA_OK);
    CHECK(gca_file_write(file, &piece, 1, 0) == GCA_FILE_WRITE && errno == EBADF);
    gca_file_close(&file);
    CHECK(holds(path, "old"));
    CHECK(gca_file_sync(&file) == GCA_FILE_SYNC && errno == EBADF);

    file.descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (file.descriptor < 0) return;  // Only Linux has this device.
    piece = (gca_piece){"new", 3};
    CHECK(gca_file_write(file, &piece, 1, 0) == GCA_FILE_WRITE && errno == ENOSPC);
    gca_file_close(&file);
}

static void publishing_replaces_the_old_file(const char *folder) {
    char path[path_max], temporary[path_max];
    make_path(path, folder, "archive");
    make_path(temporary, folder, "archive.tmp");
    write_new_file(temporary, "first");
    CHECK(gca_file_publish(temporary, path, folder) == GCA_OK);
    CHECK(holds(path, "first") && !exists(temporary));
    write_new_file(temporary, "second");
    CHECK(holds(path, "first"));
    CHECK(gca_file_publish(temporary, path, folder) == GCA_OK);
    CHECK(holds(path, "second") && !exists(temporary));
}

static void a_failed_publish_leaves_both_files(const char *folder) {
    char path[path_max], temporary[path_max], elsewhere[path_max];
    make_path(path, folder, "kept");
    make_path(temporary, folder, "kept.tmp");
    make_path(elsewhere, folder, "no folder/kept");
    write_new_file(path, "old");
    CHECK(gca_file_publish(temporary, path, folder) == GCA_FILE_RENAME && errno == ENOENT);
    CHECK(holds(path, "old"));
    write_new_file(temporary, "new");
    CHECK(gca_file_publish(temporary, elsewhere, folder) == GCA_FILE_RENAME && errno == ENOENT);
    CHECK(holds(path, "old") && holds(temporary, "new"));
    // A folder stands where the file should go.
    CHECK(mkdir(elsewhere, 0700) != 0);
    CHECK(gca_file_publish(temporary, folder, folder) == GCA_FILE_RENAME);
    CHECK(holds(temporary, "new"));
}

static void a_file_grows_by_one_writer_at_a_time(const char *folder) {
    char path[path_max];
    make_path(path, folder, "growing");
    gca_file file, other;
    CHECK(gca_file_open_append(&file, path, 0600, true) == GCA_OK);
    CHECK(gca_file_open_append(&other, path, 0600, true) == GCA_FILE_LOCKED && errno == EWOULDBLOCK);
    CHECK(other.descriptor == -1);
    CHECK(gca_file_lock(file, false) == GCA_OK);
    gca_piece piece = {"one two", 7};
    CHECK(gca_file_write(file, &piece, 1, 0) == GCA_OK);
    uint64_t byteCount = 0;
    CHECK(gca_file_size(file, &byteCount) == GCA_OK && byteCount == 7);
    CHECK(gca_file_truncate(file, 3) == GCA_OK);
    CHECK(holds(path, "one"));
    CHECK(gca_folder_sync(folder) == GCA_OK);
    gca_file_unlock(file);
    CHECK(gca_file_open_append(&other, path, 0600, true) == GCA_OK);
    CHECK(gca_file_lock(file, false) == GCA_FILE_LOCKED);
    gca_file_close(&file);
    gca_file_close(&other);
    // What is there stays.
    CHECK(gca_file_open_append(&file, path, 0600, true) == GCA_OK);
    CHECK(gca_file_size(file, &byteCount) == GCA_OK && byteCount == 3);
    char back[3];
    CHECK(gca_file_read(file, back, 3, 0) == GCA_OK && memcmp(back, "one", 3) == 0);
    CHECK(unlink(path) == 0);
    // The lock was that of the file that is gone.
    CHECK(gca_file_open_append(&other, path, 0600, true) == GCA_OK);
    gca_file_close(&file);
    gca_file_close(&other);
}

static void a_file_knows_whether_it_has_its_name(const char *folder) {
    char path[path_max], second[path_max], link[path_max];
    make_path(path, folder, "named");
    make_path(second, folder, "named otherwise");
    make_path(link, folder, "link to the name");
    gca_file file, other;
    bool isAt = false;
    CHECK(gca_file_open_append(&file, path, 0600, true) == GCA_OK);
    CHECK(symlink(path, link) == 0);
    CHECK(gca_file_open_append(&other, link, 0600, false) == GCA_FILE_OPEN && errno == ELOOP);
    CHECK(gca_file_is_at(file, path, &isAt) == GCA_OK && isAt);
    CHECK(gca_file_is_at(file, link, &isAt) == GCA_OK && isAt);
    // It still has a name, and another file has its old one.
    CHECK(rename(path, second) == 0);
    CHECK(gca_file_is_at(file, path, &isAt) == GCA_OK && !isAt);
    CHECK(gca_file_open_append(&other, path, 0600, true) == GCA_OK);
    CHECK(gca_file_is_at(file, path, &isAt) == GCA_OK && !isAt);
    CHECK(gca_file_is_at(file, link, &isAt) == GCA_OK && !isAt);
    CHECK(gca_file_is_at(file, second, &isAt) == GCA_OK && isAt);
    make_path(path, second, "below a file");
    CHECK(gca_file_is_at(file, path, &isAt) == GCA_OK && !isAt);
    gca_file_close(&file);
    gca_file_close(&other);
    CHECK(gca_file_is_at(file, second, &isAt) == GCA_FILE_READ && errno == EBADF);
}

static void permissions_are_given_without_the_mask(const char *folder) {
    char path[path_max];
    make_path(path, folder, "permitted");
    gca_file file;
    mode_t mask = umask(0077);
    CHECK(gca_file_create(&file, path, 0644) == GCA_OK);
    struct stat status;
    CHECK(fstat(file.descriptor, &status) == 0 && (status.st_mode & 07777) == 0600);
    CHECK(gca_file_set_permissions(file, 0664) == GCA_OK);
    CHECK(fstat(file.descriptor, &status) == 0 && (status.st_mode & 07777) == 0664);
    CHECK(gca_file_set_permissions(file, 0664) == GCA_OK);
    umask(mask);
    gca_file_close(&file);
    CHECK(gca_file_set_permissions(file, 0600) == GCA_FILE_OPEN && errno == EBADF);
}

static void owners_are_given_as_far_as_the_process_may(const char *folder) {
    char path[path_max];
    make_path(path, folder, "owned");
    gca_file file;
    CHECK(gca_file_create(&file, path, 0644) == GCA_OK);
    struct stat before, after;
    CHECK(fstat(file.descriptor, &before) == 0);
    bool mayGiveAway = geteuid() == 0;
    uint32_t user = mayGiveAway ? 4711 : (uint32_t)before.st_uid + 1;
    uint32_t group = mayGiveAway ? 4712 : (uint32_t)before.st_gid;
    errno = ENOTTY;
    gca_file_set_owner(file, user, group);
    CHECK(errno == ENOTTY);
    CHECK(fstat(file.descriptor, &after) == 0 && after.st_gid == (gid_t)group);
    CHECK(after.st_uid == (mayGiveAway ? (uid_t)user : before.st_uid));
    gca_file_close(&file);
    gca_file_set_owner(file, user, group);
    CHECK(errno == ENOTTY);
}

static void what_cannot_grow_is_refused(const char *folder) {
    char path[path_max];
    gca_file file;
    uint64_t byteCount = 0;
    CHECK(gca_file_open_append(&file, folder, 0600, true) == GCA_FILE_OPEN && errno == EISDIR);
    make_path(path, folder, "no growing pipe");
    CHECK(mkfifo(path, 0600) == 0);
    CHECK(gca_file_open_append(&file, path, 0600, true) == GCA_FILE_OPEN && errno == EINVAL);
    CHECK(file.descriptor == -1);
    make_path(path, folder, "no folder/growing");
    CHECK(gca_file_open_append(&file, path, 0600, true) == GCA_FILE_OPEN && errno == ENOENT);
    CHECK(gca_file_size(file, &byteCount) == GCA_FILE_READ && errno == EBADF);
    CHECK(gca_file_truncate(file, 0) == GCA_FILE_WRITE && errno == EBADF);
    CHECK(gca_file_lock(file, false) == GCA_FILE_NO_LOCKS && errno == EBADF);
    CHECK(gca_folder_sync(path) == GCA_FILE_OPEN && errno == ENOENT);
}

const test file_tests[] = {
    {"many pieces come back in order", many_pieces_come_back_in_order},
    {"offsets above 4 GiB are kept", offsets_above_4_gib_are_kept},
    {"reading past the end says so", reading_past_the_end_says_so},
    {"what cannot be opened is refused", what_cannot_be_opened_is_refused},
    {"failed writes say why", failed_writes_say_why},
    {"publishing replaces the old file", publishing_replaces_the_old_file},
    {"a failed publish leaves both files", a_failed_publish_leaves_both_files},
    {"a file grows by one writer at a time", a_file_grows_by_one_writer_at_a_time},
    {"a file knows whether it has its name", a_file_knows_whether_it_has_its_name},
    {"permissions are given without the mask", permissions_are_given_without_the_mask},
    {"owners are given as far as the process may", owners_are_given_as_far_as_the_process_may},
    {"what cannot grow is refused", what_cannot_grow_is_refused},
    {NULL, NULL},
};
