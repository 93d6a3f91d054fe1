// The parts of the graph stream's writer and reader that are too rare or too large to be inlined.

#include "CGraphArchive.h"

#include <stdlib.h>

/// From here on, a growing buffer doubles.
#define GCA_LARGE_BUFFER ((size_t)1 << 20)

gca_status gca_writer_reserve(gca_writer *writer, size_t byteCount) {
    size_t used = gca_writer_count(writer);
    size_t capacity = gca_writer_capacity(writer);
    if (byteCount > SIZE_MAX / 4 || used > SIZE_MAX / 4) return GCA_NO_MEMORY;
    size_t needed = used + byteCount + GCA_SLACK;
    if (needed <= capacity) return GCA_OK;
    // Large steps at first: the memory that `realloc` leaves behind when it moves a buffer often stays
    // unused, and untouched pages take no memory yet.
    size_t grown = capacity * (capacity < GCA_LARGE_BUFFER ? 8 : 2);
    if (grown < needed) grown = needed;
    if (grown < 4096) grown = 4096;
    uint8_t *base = realloc(writer->base, grown);
    if (base == NULL) return GCA_NO_MEMORY;
    gca_memory_expect_fill(base, grown);
    writer->base = base;
    writer->cursor = base + used;
    writer->limit = base + grown - GCA_SLACK;
    return GCA_OK;
}

void gca_writer_free(gca_writer *writer) {
    free(writer->base);
    *writer = gca_writer_empty();
}

bool gca_get_varint_near_end(gca_reader *reader, uint64_t *value) {
    size_t left = gca_reader_left(reader);
    if (left == 0) return false;
    uint8_t first = *reader->cursor;
    unsigned size = first == 0 ? 9 : (unsigned)__builtin_ctz(first) + 1;
    if (left < size) return false;
    uint64_t word = 0;
    if (size == 9) {
        memcpy(&word, reader->cursor + 1, 8);
        *value = word;
    } else {
        memcpy(&word, reader->cursor, size);
        *value = word >> size;
    }
    reader->cursor += size;
    return true;
}

bool gca_is_ascii(const void *bytes, size_t byteCount) {
    const uint8_t *at = bytes;
    uint64_t all = 0, word;
    if (byteCount < sizeof word) {
        for (; byteCount > 0; at++, byteCount--) all |= *at;
    } else {
        // The last word overlaps the one before, so that no single bytes are left.
        memcpy(&all, at + byteCount - sizeof word, sizeof word);
        for (; byteCount > sizeof word; at += sizeof word, byteCount -= sizeof word) {
            memcpy(&word, at, sizeof word);
            all |= word;
        }
    }
    return (all & 0x8080808080808080u) == 0;
}
