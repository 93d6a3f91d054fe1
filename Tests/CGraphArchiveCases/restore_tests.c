// Blocks that are restored with planes where they are stored: the same as when they are expanded and unfiltered.

#include "../../Sources/CGraphArchive/parts.h"
#include "CGraphArchiveCases.h"

/// The first two are summed up from planes, the last one is left to LZ4.
static const gca_filter lists[][2] = {
    {{GCA_FILTER_DELTA, 8, 1, 0}, {GCA_FILTER_BIT_SHUFFLE, 0, 8, 0}},
    {{GCA_FILTER_DELTA, 8, 1, 0}, {GCA_FILTER_BYTE_SHUFFLE, 0, 8, 0}},
    {{GCA_FILTER_DELTA, 4, 30, 3}, {GCA_FILTER_BIT_SHUFFLE, 0, 4, 0}},
    {{GCA_FILTER_ROUNDED, 0, GCA_PRECISION_BITS, 20}, {GCA_FILTER_BIT_SHUFFLE, 0, 8, 0}},
    {{GCA_FILTER_ROUNDED, 0, GCA_PRECISION_BITS, 20}, {GCA_FILTER_BYTE_SHUFFLE, 0, 8, 0}},
};

static size_t random_below(uint64_t *state, size_t end) { return (size_t)(next_random(state) >> 20) % end; }

static uint8_t *put_length(uint8_t *to, size_t length) {
    if (length < 15) return to;
    for (length -= 15; length >= 255; length -= 255) *to++ = 255;
    *to++ = (uint8_t)length;
    return to;
}

static uint8_t *put_literals(uint8_t *to, size_t count, size_t matchLength, uint64_t *state) {
    size_t low = matchLength < 15 ? matchLength : 15;
    *to++ = (uint8_t)((count < 15 ? count : 15) << 4 | low);
    to = put_length(to, count);
    fill_random(to, count, next_random(state));
    return to + count;
}

/// How many bytes of a kind that LZ4 or `gca_block_restore` treats specially.
static size_t random_count(uint64_t *state, size_t planeByteCount) {
    switch (random_below(state, 8)) {
    case 0: return 0;
    case 1: return random_below(state, 300);
    case 2: return random_below(state, 4 * planeByteCount + 1);
    default: return random_below(state, 20);
    }
}

/// A block of random sequences that expands to `rawCount` bytes, at least 100; it has no more than twice as many.
static size_t make_block(uint8_t *stored, size_t rawCount, size_t planeByteCount, uint64_t seed) {
    uint64_t state = seed;
    uint8_t *to = stored;
    size_t done = 0;
    for (;;) {
        size_t count = random_count(&state, planeByteCount), length = 4 + random_count(&state, planeByteCount);
        if (done == 0) count += 1;
        if (done + count + length + 12 > rawCount) break;
        to = put_literals(to, count, length - 4, &state);
        done += count;
        static const size_t farthest[] = {4, 70, 1000, 65535};
        size_t most = farthest[random_below(&state, 4)];
        size_t distance = 1 + random_below(&state, done < most ? done : most);
        *to++ = (uint8_t)distance;
        *to++ = (uint8_t)(distance >> 8);
        to = put_length(to, length - 4);
        done += length;
    }
    to = put_literals(to, rawCount - done, 0, &state);
    return (size_t)(to - stored);
}

/// Checks that a block is restored as it would be in two steps, or refused by both. Returns whether it is restored.
static bool check_restored(const uint8_t *stored, size_t storedCount, size_t rawCount, gca_memory_use use) {
    guarded source = guarded_copy(stored, storedCount);
    guarded expanded = guarded_make(rawCount), spare = guarded_make(rawCount), room = guarded_make(rawCount);
    // Whole vectors go past the caches where they are aligned: `guarded` memory may begin anywhere.
    guarded expected = guarded_make(rawCount), back = guarded_make((rawCount + 15) / 16 * 16);
    gca_status status = gca_block_expand(expanded.bytes, rawCount, source.bytes, storedCount, GCA_CODEC_LZ4);
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++) {
        if (status == GCA_OK) {
            gca_filters_undo(expected.bytes, spare.bytes, expanded.bytes, rawCount, lists[list], 2, GCA_VECTORS_NONE);
        }
        for (unsigned vectors = GCA_VECTORS_NONE; vectors <= gca_vectors_best(); vectors++) {
            gca_status found = gca_block_restore(back.bytes, spare.bytes, room.bytes, rawCount, source.bytes, storedCount,
                                                 GCA_CODEC_LZ4, lists[list], 2, use, (gca_vectors)vectors);
            CHECK(found == status);
            if (status == GCA_OK) CHECK(memcmp(back.bytes, expected.bytes, rawCount) == 0);
        }
    }
    guarded *all[] = {&source, &expanded, &spare, &room, &expected, &back};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) guarded_free(all[i]);
    return status == GCA_OK;
}

static const size_t raw_counts[] = {100, 519, 4096, 5000, 33000, 65543, 262144};
enum { raw_count_count = sizeof raw_counts / sizeof *raw_counts };

static void blocks_are_restored_as_they_are_expanded_and_unfiltered(const char *folder) {
    (void)folder;
    for (size_t i = 0; i < raw_count_count; i++) {
        guarded stored = guarded_make(2 * raw_counts[i] + 100);
        for (uint64_t seed = 1; seed <= 40; seed++) {
            // Planes of bits in turn with those of bytes.
            size_t planeByteCount = raw_counts[i] / (seed % 2 == 0 ? 64 : 8);
            size_t count = make_block(stored.bytes, raw_counts[i], planeByteCount, seed);
            gca_memory_use use = {.pastCaches = seed % 3 == 0};
            CHECK(check_restored(stored.bytes, count, raw_counts[i], use));
        }
        guarded_free(&stored);
    }
}

static void planes_are_expanded_without_the_help_of_LZ4(const char *folder) {
    (void)folder;
    if (gca_vectors_best() < GCA_VECTORS_AVX512) return;
    for (size_t i = 0; i < raw_count_count; i++) {
        size_t rawCount = raw_counts[i], skipped = 0;
        guarded stored = guarded_make(2 * rawCount + 100), expected = guarded_make(rawCount), back = guarded_make(rawCount);
        for (uint64_t seed = 1; seed <= 40; seed++) {
            gca_planes planes = {.count = seed % 2 == 0 ? 64 : 8, .byteCount = rawCount / (seed % 2 == 0 ? 64 : 8)};
            size_t count = make_block(stored.bytes, rawCount, planes.byteCount, seed);
            guarded source = guarded_copy(stored.bytes, count);
            CHECK(gca_block_expand(expected.bytes, rawCount, source.bytes, count, GCA_CODEC_LZ4) == GCA_OK);
            CHECK(gca_planes_expand(&planes, back.bytes, rawCount, source.bytes, count));
            for (size_t k = 0; k < planes.count; k++) skipped += planes.each[k] != back.bytes + k * planes.byteCount;
            gca_planes_gather(&planes, back.bytes, 0);
            CHECK(memcmp(back.bytes, expected.bytes, rawCount) == 0);
            guarded_free(&source);
        }
        CHECK(skipped > 0);
        guarded_free(&back);
        guarded_free(&expected);
        guarded_free(&stored);
    }
}

static void blocks_that_LZ4_refuses_are_refused(const char *folder) {
    (void)folder;
    uint64_t state = 3;
    size_t refused = 0;
    guarded stored = guarded_make(2 * 5000 + 100);
    for (uint64_t seed = 1; seed <= 300; seed++) {
        size_t count = make_block(stored.bytes, 5000, 5000 / 64, seed);
        for (size_t i = 0; i < 1 + seed % 3; i++) stored.bytes[random_below(&state, count)] = (uint8_t)next_random(&state);
        size_t kept = seed % 4 == 0 ? random_below(&state, count) : count;
        size_t rawCount = seed % 5 == 0 ? 5000 - random_below(&state, 100) : 5000;
        refused += !check_restored(stored.bytes, kept, rawCount, (gca_memory_use){.pastCaches = false});
    }
    CHECK(refused > 50 && refused < 300);
    guarded_free(&stored);
}

static void blocks_without_bytes_and_too_long_ones_are_refused(const char *folder) {
    (void)folder;
    uint64_t state = 5;
    for (unsigned token = 0; token < 256; token++) {
        uint8_t byte = (uint8_t)token;
        CHECK(check_restored(&byte, 1, 0, (gca_memory_use){.pastCaches = false}) == (token == 0));
    }
    guarded stored = guarded_make(GCA_BLOCK_MAX + GCA_BLOCK_MAX / 255 + 3);
    size_t count = (size_t)(put_literals(stored.bytes, GCA_BLOCK_MAX, 0, &state) - stored.bytes);
    CHECK(!check_restored(stored.bytes, count, GCA_BLOCK_MAX, (gca_memory_use){.pastCaches = false}));
    guarded_free(&stored);
}

static void the_last_bytes_of_a_block_may_be_in_no_match(const char *folder) {
    (void)folder;
    // 600 literals, a match that ends `behind` bytes before the end, and these bytes as literals.
    for (size_t length = 4; length <= 10; length += 6) {
        for (size_t behind = 0; behind < 20; behind++) {
            uint64_t state = 5;
            uint8_t stored[1000];
            uint8_t *to = put_literals(stored, 600, length - 4, &state);
            *to++ = 17;
            *to++ = 0;
            to = put_literals(to, behind, 0, &state);
            bool isRestored = check_restored(stored, (size_t)(to - stored), 600 + length + behind,
                                             (gca_memory_use){.pastCaches = false});
            CHECK(isRestored == (behind >= 5 && length + behind >= 12));
        }
    }
}

static void a_distance_of_0_ends(const char *folder) {
    (void)folder;
    for (size_t length = 4; length < 400; length += 9) {
        uint64_t state = 5;
        uint8_t stored[2000], expanded[2000], spare[2000], back[2000];
        uint8_t *to = put_literals(stored, 700, length - 4, &state);
        *to++ = 0;
        *to++ = 0;
        to = put_length(to, length - 4);
        to = put_literals(to, 600, 0, &state);
        size_t storedCount = (size_t)(to - stored), rawCount = 1300 + length;
        gca_status status = gca_block_expand(expanded, rawCount, stored, storedCount, GCA_CODEC_LZ4);
        CHECK(gca_block_restore(back, spare, expanded, rawCount, stored, storedCount, GCA_CODEC_LZ4, lists[0], 2,
                                (gca_memory_use){.pastCaches = false}, gca_vectors_best()) == status);
    }
}

const test restore_tests[] = {
    {"a distance of 0 ends", a_distance_of_0_ends},
    {"blocks are restored as they are expanded and unfiltered", blocks_are_restored_as_they_are_expanded_and_unfiltered},
    {"planes are expanded without the help of LZ4", planes_are_expanded_without_the_help_of_LZ4},
    {"blocks that LZ4 refuses are refused", blocks_that_LZ4_refuses_are_refused},
    {"blocks without bytes and too long ones are refused", blocks_without_bytes_and_too_long_ones_are_refused},
    {"the last bytes of a block may be in no match", the_last_bytes_of_a_block_may_be_in_no_match},
    {NULL, NULL},
};
