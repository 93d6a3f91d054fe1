// Checksums. The known values are those of xxHash's own sanity checks, seed 0, over its sanity buffer, and of the
// portable code of xxhash.h for one length of each kind.

#include "CGraphArchiveCases.h"

enum { sanity_byte_count = 300 };

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
        {3, 0x54247382a8d6b94d},   {9, 0x14d5001c15dd3f2b},    {16, 0x981b17d36c7498c9},
        {17, 0x796f5acd3a60f862},  {128, 0xfcff24126754d861},  {129, 0x98f1b0a679a2ca29},
        {240, 0x81c3c2b67f568ccf}, {241, 0xc5a639ecd2030e5e},  {1024, 0xdd85c9b5c1109c5c},
        {4096, 0xe91206429d1f48f9}, {5000, 0x1c246c7bfe003a78},
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
        {2048, 0xdd59e2c3a5f038e0, 0xf736557fd47073a5}, {3, 0x54247382a8d6b94d, 0x20efc49ff02422ea},
        {9, 0xed7ccbc501eb7501, 0x564ef6078950d457},   {16, 0x562980258a998629, 0xc68c368ecf8a9c05},
        {17, 0xabbc12d11973d7db, 0x955fa78643ed3669},  {80, 0x454ae6bf7a8a532d, 0xfdf2cefde9eaac8a},
        {128, 0xebb15e34a7fb5ab1, 0x39992220e045260a}, {129, 0x86c9e3bc8f0a3b5c, 0x03815fc91f1b30b6},
        {195, 0x3fb593c086a66075, 0x7729543a26b207ee}, {240, 0x5c9aae94c8ebe5a0, 0xaa4202daa2769dc8},
        {241, 0xc5a639ecd2030e5e, 0x99a80ecf0ecfc647}, {1024, 0xdd85c9b5c1109c5c, 0x0d30d24071c64c57},
        {4096, 0xe91206429d1f48f9, 0xb9cfaea2ca5626a4}, {5000, 0x1c246c7bfe003a78, 0x3d26bfdbe2ad891e},
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
