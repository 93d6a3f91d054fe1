// Small files, for the tests that need some.

#ifndef FILES_H
#define FILES_H

#include "CGraphArchiveCases.h"

#include <stdio.h>
#include <unistd.h>

enum { path_max = 1000 };

static inline void make_path(char path[path_max], const char *folder, const char *name) {
    int length = snprintf(path, path_max, "%s/%s", folder, name);
    CHECK(length > 0 && length < path_max);
    unlink(path);
}

static inline bool exists(const char *path) {
    return access(path, F_OK) == 0;
}

static inline void write_new_file(const char *path, const char *text) {
    gca_file file;
    gca_piece piece = {text, strlen(text)};
    CHECK(gca_file_create(&file, path, 0666) == GCA_OK);
    CHECK(gca_file_write(file, &piece, 1, 0) == GCA_OK);
    CHECK(gca_file_sync(&file) == GCA_OK);
    gca_file_close(&file);
}

static inline bool holds(const char *path, const char *text) {
    gca_file file;
    uint64_t byteCount = 0;
    char bytes[100];
    CHECK(strlen(text) <= sizeof bytes);
    CHECK(gca_file_open(&file, path, &byteCount) == GCA_OK);
    bool same = byteCount == strlen(text) && gca_file_read(file, bytes, strlen(text), 0) == GCA_OK &&
        memcmp(bytes, text, strlen(text)) == 0;
    gca_file_close(&file);
    return same;
}

#endif
