// Searches in bytes that may be damaged.

#include "CGraphArchiveCases.h"

#include <lz4.h>

static void each_magic_is_found_where_it_begins(const char *folder) {
    (void)folder;
    static const struct {
        const char *bytes;
        gca_magic magic;
    } known[] = {
        {"GSEG....", GCA_MAGIC_SEGMENT},
        {"gcodable", GCA_MAGIC_ARCHIVE},
        {"gcrecord", GCA_MAGIC_RECORD},
        {"gcshared", GCA_MAGIC_SHARED},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        for (size_t front = 0; front < 20; front++) {
            guarded buffer = guarded_make(front + 8);
            // Beginnings of others.
            memset(buffer.bytes, front % 2 == 0 ? 'g' : 'G', front);
            memcpy(buffer.bytes + front, known[k].bytes, 8);
            size_t place = 0;
            CHECK(gca_search_magic(buffer.bytes, buffer.byteCount, &place) == known[k].magic && place == front);
            place = front + 1;
            CHECK(gca_search_magic(buffer.bytes, buffer.byteCount, &place) == GCA_MAGIC_NONE);
            CHECK(place == buffer.byteCount);
            guarded_free(&buffer);
            // Without its last byte it is not looked at.
            guarded cut = guarded_make(front + 7);
            memset(cut.bytes, 'g', front);
            memcpy(cut.bytes + front, known[k].bytes, 7);
            place = 0;
            CHECK(gca_search_magic(cut.bytes, cut.byteCount, &place) == GCA_MAGIC_NONE && place == cut.byteCount);
            guarded_free(&cut);
        }
    }
    size_t place = 0;
    CHECK(gca_search_magic(NULL, 0, &place) == GCA_MAGIC_NONE && place == 0);
}

static void runs_are_found_by_their_hash(const char *folder) {
    (void)folder;
    enum { byteCount = 600, sought = 100 };
    guarded buffer = guarded_make(byteCount);
    fill_random(buffer.bytes, byteCount, 5);
    for (size_t place = 0; place + sought <= byteCount; place += 10) {
        gca_sought run = {.byteCount = sought, .hash = gca_hash64_bytes(buffer.bytes + place, sought)};
        size_t end = byteCount - sought + 1;
        CHECK(gca_search_hash(buffer.bytes, 0, end, 1, run) == place);
        CHECK(gca_search_hash(buffer.bytes, 0, end, 10, run) == place);
        CHECK(gca_search_hash(buffer.bytes, place, place + 1, 7, run) == place);
        // Not between the places, behind the first one, or in front of the end.
        CHECK(gca_search_hash(buffer.bytes, 1, end, 10, run) == end);
        CHECK(gca_search_hash(buffer.bytes, place + 1, end, 1, run) == end);
        CHECK(gca_search_hash(buffer.bytes, 0, place, 1, run) == place);
    }
    guarded_free(&buffer);
}

/// Blocks that LZ4 writes pass the test of their first sequences, whatever they hold.
static void blocks_of_lz4_are_found(const char *folder) {
    (void)folder;
    for (size_t size = 20; size < 3000; size = size * 5 / 4) {
        for (int kind = 0; kind < 4; kind++) {
            guarded raw = guarded_make(size);
            fill_random(raw.bytes, size, size + (size_t)kind);
            // Long matches, short ones, long literals in front of a match, and none.
            if (kind == 0) memset(raw.bytes, 7, size);
            if (kind == 1) for (size_t i = 0; i < size; i++) raw.bytes[i] &= 3;
            if (kind == 2) memset(raw.bytes + size / 2, 7, size / 2);
            int capacity = LZ4_compressBound((int)size);
            uint8_t packed[4096];
            int count = LZ4_compress_default((const char *)raw.bytes, (char *)packed, (int)size, capacity);
            CHECK(count > 0);
            size_t front = size % 37;
            guarded buffer = guarded_make(front + (size_t)count);
            fill_random(buffer.bytes, front, 9);
            memcpy(buffer.bytes + front, packed, (size_t)count);
            gca_sought run = {
                .byteCount = (size_t)count, .hash = gca_hash64_bytes(packed, (size_t)count), .rawCount = size};
            CHECK(gca_search_hash(buffer.bytes, 0, front + 1, 1, run) == front);
            // What expands to another number of bytes is not this block.
            if (kind == 3 || size < 100) {
                run.rawCount = size - 1;
                CHECK(gca_search_hash(buffer.bytes, front, front + 1, 1, run) == front + 1);
            }
            guarded_free(&buffer);
            guarded_free(&raw);
        }
    }
}

/// Any bytes may be looked at as a block, and cut anywhere.
static void any_bytes_may_be_tried_as_blocks(const char *folder) {
    (void)folder;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        size_t byteCount = 1 + (size_t)(seed % 70);
        guarded buffer = guarded_make(byteCount);
        fill_random(buffer.bytes, byteCount, seed);
        if (seed % 3 == 0) buffer.bytes[0] |= 0xF0;
        if (seed % 5 == 0) memset(buffer.bytes, 0xFF, byteCount);
        gca_sought run = {.byteCount = byteCount, .hash = 0, .rawCount = 1 + (size_t)(seed % 1000)};
        CHECK(gca_search_hash(buffer.bytes, 0, 1, 1, run) == 1);
        guarded_free(&buffer);
    }
}

const test search_tests[] = {
    {"each magic is found where it begins", each_magic_is_found_where_it_begins},
    {"runs are found by their hash", runs_are_found_by_their_hash},
    {"blocks of LZ4 are found", blocks_of_lz4_are_found},
    {"any bytes may be tried as blocks", any_bytes_may_be_tried_as_blocks},
    {NULL, NULL},
};
