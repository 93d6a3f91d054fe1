// Checksums. The known values are those of xxHash's own sanity checks, seed 0, over its sanity buffer.

#include "check.h"

enum { sanity_byte_count = 2240 };

static guarded sanity_buffer(size_t byteCount) {
    guarded buffer = guarded_make(byteCount);
    uint64_t generator = 2654435761u;
    for (size_t i = 0; i < byteCount; i++) {
        buffer.bytes[i] = (uint8_t)(generator >> 56);
        generator *= 11400714785074694797u;
    }
    return buffer;
}

static void hash64_has_known_values(const char *folder) {
    (void)folder;
    static const struct {
        size_t byteCount;
        uint64_t hash;
    } known[] = {
        {0, 0x2d06800538d394c2},   {1, 0xc44bdff4074eecdb},    {6, 0x27b56a84cd2d7325},
        {12, 0xa713daf0dfbb77e7},  {24, 0xa3fe70bf9d3510eb},   {48, 0x397da259ecba1f11},
        {80, 0xbcdefbbb2c47c90a},  {195, 0xcd94217ee362ec3a},  {403, 0xcdeb804d65c6dea4},
        {512, 0x617e49599013cb6b}, {2048, 0xdd59e2c3a5f038e0}, {2240, 0x6e73a90539cf2948},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        guarded buffer = sanity_buffer(known[i].byteCount);
        CHECK(gca_hash64_bytes(buffer.bytes, known[i].byteCount) == known[i].hash);
        guarded_free(&buffer);
    }
    CHECK(gca_hash64_bytes(NULL, 0) == known[0].hash);
}

static void hash128_has_known_values(const char *folder) {
    (void)folder;
    static const struct {
        size_t byteCount;
        uint64_t low;
        uint64_t high;
    } known[] = {
        {0, 0x6001c324468d497f, 0x99aa06d3014798d8},   {1, 0xc44bdff4074eecdb, 0xa6cd5e9392000f6a},
        {6, 0x3e7039bdda43cfc6, 0x082afe0b8162d12a},   {12, 0x061a192713f69ad9, 0x6e3efd8fc7802b18},
        {24, 0x1e7044d28b1b901d, 0x0ce966e4678d3761},  {48, 0xf942219aed80f67b, 0xa002ac4e5478227e},
        {81, 0x5e8bafb9f95fb803, 0x4952f58181ab0042},  {222, 0xf1aebd597cec6b3a, 0x337e09641b948717},
        {403, 0xcdeb804d65c6dea4, 0x1b6de21e332dd73d}, {512, 0x617e49599013cb6b, 0x18d2d110dcc9bca1},
        {2048, 0xdd59e2c3a5f038e0, 0xf736557fd47073a5},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        guarded buffer = sanity_buffer(known[i].byteCount);
        gca_hash128 hash = gca_hash128_bytes(buffer.bytes, known[i].byteCount);
        CHECK(hash.low == known[i].low && hash.high == known[i].high);
        guarded_free(&buffer);
    }
    gca_hash128 empty = gca_hash128_bytes(NULL, 0);
    CHECK(empty.low == known[0].low && empty.high == known[0].high);
}

static void hashes_see_each_bit(const char *folder) {
    (void)folder;
    guarded buffer = sanity_buffer(sanity_byte_count);
    uint64_t hash64 = gca_hash64_bytes(buffer.bytes, buffer.byteCount);
    gca_hash128 hash128 = gca_hash128_bytes(buffer.bytes, buffer.byteCount);
    for (size_t bit = 0; bit < 8 * buffer.byteCount; bit++) {
        buffer.bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        gca_hash128 changed = gca_hash128_bytes(buffer.bytes, buffer.byteCount);
        CHECK(gca_hash64_bytes(buffer.bytes, buffer.byteCount) != hash64);
        CHECK(changed.low != hash128.low || changed.high != hash128.high);
        buffer.bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    }
    guarded_free(&buffer);
}

const test hash_tests[] = {
    {"XXH3-64 has known values", hash64_has_known_values},
    {"XXH3-128 has known values", hash128_has_known_values},
    {"hashes see each bit", hashes_see_each_bit},
    {NULL, NULL},
};
