// Blocks: round trips, and stored bytes that are not what they should be.

#include "CGraphArchiveCases.h"

static const int levels[] = {0, 1, 9, 12, GCA_LEVEL_PLANES};
enum { level_count = sizeof levels / sizeof *levels };

/// Compresses into as many bytes as the source has and sets the stored count.
static guarded compress(const guarded *raw, int level, size_t *storedCount) {
    guarded stored = guarded_make(raw->byteCount);
    CHECK(gca_block_compress(stored.bytes, stored.byteCount, raw->bytes, raw->byteCount, level,
                             storedCount) == GCA_OK);
    CHECK(*storedCount < raw->byteCount || *storedCount == 0);
    return stored;
}

static gca_status expand(const uint8_t *stored, size_t storedCount, guarded *raw, gca_codec codec) {
    guarded source = guarded_copy(stored, storedCount);
    gca_status status = gca_block_expand(raw->bytes, raw->byteCount, source.bytes, storedCount, codec);
    guarded_free(&source);
    return status;
}

static void check_round_trip(const guarded *raw, bool isCompressible) {
    for (size_t i = 0; i < level_count; i++) {
        size_t storedCount = 0;
        guarded stored = compress(raw, levels[i], &storedCount);
        CHECK((storedCount != 0) == isCompressible);
        guarded back = guarded_make(raw->byteCount);
        gca_status status = storedCount != 0
            ? expand(stored.bytes, storedCount, &back, GCA_CODEC_LZ4)
            : expand(raw->bytes, raw->byteCount, &back, GCA_CODEC_STORED);
        CHECK(status == GCA_OK);
        CHECK(memcmp(back.bytes, raw->bytes, raw->byteCount) == 0);
        guarded_free(&back);
        guarded_free(&stored);
    }
}

/// Text-like bytes: LZ4 finds matches, but not only matches.
static guarded make_text(size_t byteCount) {
    static const char words[4][8] = {"energy ", "of the ", "crystal", "\n12.50 "};
    guarded text = guarded_make(byteCount);
    uint64_t state = 42;
    for (size_t i = 0; i < byteCount; i++) {
        if (i % 7 == 0) next_random(&state);
        text.bytes[i] = (uint8_t)words[state >> 62][i % 7];
    }
    return text;
}

static void compressible_blocks_come_back(const char *folder) {
    (void)folder;
    static const size_t sizes[] = {64, 100, 4096, 65535, 65536, 65537, 262144, GCA_BLOCK_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        guarded same = guarded_make(sizes[i]);
        check_round_trip(&same, true);
        guarded_free(&same);
        guarded text = make_text(sizes[i]);
        check_round_trip(&text, true);
        guarded_free(&text);
    }
}

static void incompressible_and_tiny_blocks_are_left_to_be_stored(const char *folder) {
    (void)folder;
    static const size_t sizes[] = {1, 2, 3, 12, 13, 64, 4096, 262144, GCA_BLOCK_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        guarded noise = guarded_make(sizes[i]);
        fill_random(noise.bytes, sizes[i], 7);
        check_round_trip(&noise, false);
        guarded_free(&noise);
    }
}

static void blocks_of_no_or_too_many_bytes_are_refused(const char *folder) {
    (void)folder;
    size_t storedCount = 99;
    guarded empty = guarded_make(0);
    guarded large = guarded_make(GCA_BLOCK_MAX + 1);
    CHECK(gca_block_compress(large.bytes, 10, empty.bytes, 0, 0, &storedCount) == GCA_BAD_BLOCK);
    CHECK(storedCount == 0);
    guarded target = guarded_make(GCA_BLOCK_MAX + 1);
    CHECK(gca_block_compress(target.bytes, target.byteCount, large.bytes, large.byteCount, 0, &storedCount) ==
          GCA_BAD_BLOCK);
    CHECK(gca_block_expand(target.bytes, target.byteCount, large.bytes, 100, GCA_CODEC_LZ4) == GCA_BAD_BLOCK);
    CHECK(gca_block_expand(target.bytes, 100, large.bytes, large.byteCount, GCA_CODEC_LZ4) == GCA_BAD_BLOCK);
    CHECK(gca_block_expand(empty.bytes, 0, empty.bytes, 0, GCA_CODEC_STORED) == GCA_OK);
    CHECK(gca_block_expand(empty.bytes, 0, empty.bytes, 0, GCA_CODEC_LZ4) == GCA_BAD_BLOCK);
    CHECK(gca_block_expand(target.bytes, 1, empty.bytes, 0, GCA_CODEC_LZ4) == GCA_BAD_BLOCK);
    guarded_free(&target);
    guarded_free(&large);
    guarded_free(&empty);
}

static void a_target_too_small_for_the_result_is_not_overrun(const char *folder) {
    (void)folder;
    guarded text = make_text(2000);
    for (size_t i = 0; i < level_count; i++) {
        size_t fullCount = 0;
        guarded full = compress(&text, levels[i], &fullCount);
        for (size_t capacity = 0; capacity <= fullCount; capacity++) {
            guarded target = guarded_make(capacity);
            size_t storedCount = 99;
            CHECK(gca_block_compress(target.bytes, capacity, text.bytes, text.byteCount, levels[i],
                                     &storedCount) == GCA_OK);
            CHECK(storedCount <= capacity);
            if (capacity == fullCount) CHECK(storedCount == fullCount);
            guarded_free(&target);
        }
        guarded_free(&full);
    }
    guarded_free(&text);
}

static void each_truncation_is_refused(const char *folder) {
    (void)folder;
    guarded text = make_text(3000);
    size_t storedCount = 0;
    guarded stored = compress(&text, 0, &storedCount);
    guarded back = guarded_make(text.byteCount);
    for (size_t kept = 0; kept < storedCount; kept++) {
        CHECK(expand(stored.bytes, kept, &back, GCA_CODEC_LZ4) == GCA_BAD_BLOCK);
    }
    for (size_t kept = 0; kept < text.byteCount; kept += 100) {
        CHECK(expand(text.bytes, kept, &back, GCA_CODEC_STORED) == GCA_BAD_BLOCK);
    }
    guarded_free(&back);
    guarded_free(&stored);
    guarded_free(&text);
}

static void a_wrong_raw_byte_count_is_refused(const char *folder) {
    (void)folder;
    guarded text = make_text(3000);
    size_t storedCount = 0;
    guarded stored = compress(&text, 9, &storedCount);
    for (size_t rawCount = 0; rawCount < 3300; rawCount += rawCount < 2950 ? 50 : 1) {
        guarded back = guarded_make(rawCount);
        gca_status expected = rawCount == text.byteCount ? GCA_OK : GCA_BAD_BLOCK;
        CHECK(expand(stored.bytes, storedCount, &back, GCA_CODEC_LZ4) == expected);
        CHECK(expand(text.bytes, text.byteCount, &back, GCA_CODEC_STORED) == expected);
        guarded_free(&back);
    }
    guarded_free(&stored);
    guarded_free(&text);
}

static void changed_bytes_never_reach_outside(const char *folder) {
    (void)folder;
    guarded text = make_text(1500);
    size_t storedCount = 0;
    guarded stored = compress(&text, 0, &storedCount);
    guarded back = guarded_make(text.byteCount);
    unsigned refused = 0;
    for (size_t i = 0; i < storedCount; i++) {
        uint8_t right = stored.bytes[i];
        for (unsigned wrong = 0; wrong < 256; wrong += 5) {
            stored.bytes[i] = (uint8_t)wrong;
            gca_status status = expand(stored.bytes, storedCount, &back, GCA_CODEC_LZ4);
            CHECK(status == GCA_OK || status == GCA_BAD_BLOCK);
            refused += status == GCA_BAD_BLOCK;
        }
        stored.bytes[i] = right;
    }
    CHECK(refused > 0);
    guarded_free(&back);
    guarded_free(&stored);
    guarded_free(&text);
}

static void noise_never_reaches_outside(const char *folder) {
    (void)folder;
    uint64_t state = 99;
    for (unsigned round = 0; round < 5000; round++) {
        guarded noise = guarded_make((size_t)(next_random(&state) >> 33) % 300);
        fill_random(noise.bytes, noise.byteCount, next_random(&state));
        // A first byte like this asks for a long run of literals or a long match.
        if (noise.byteCount != 0 && round % 3 == 0) noise.bytes[0] = round % 2 ? 0xff : 0x0f;
        guarded back = guarded_make((size_t)(next_random(&state) >> 33) % 2000);
        gca_status status =
            gca_block_expand(back.bytes, back.byteCount, noise.bytes, noise.byteCount, GCA_CODEC_LZ4);
        CHECK(status == GCA_OK || status == GCA_BAD_BLOCK);
        guarded_free(&back);
        guarded_free(&noise);
    }
}

static void unknown_codecs_are_refused(const char *folder) {
    (void)folder;
    guarded text = make_text(100);
    guarded back = guarded_make(100);
    for (unsigned codec = 2; codec < 256; codec++) {
        CHECK(expand(text.bytes, 100, &back, (gca_codec)codec) == GCA_BAD_CODEC);
    }
    guarded_free(&back);
    guarded_free(&text);
}

/// The planes of bits of numbers: noise, then what neither is noise nor runs, then runs.
static guarded make_planes(size_t byteCount, uint64_t seed) {
    guarded numbers = guarded_make(byteCount), planes = guarded_make(byteCount);
    uint64_t state = seed, sum = 0;
    for (size_t i = 0; i + 4 <= byteCount; i += 4) {
        uint64_t random = next_random(&state);
        sum += random % 40 + ((random >> 32) % 50 == 0 ? (random >> 40) % 4096 : 0);
        uint32_t number = (uint32_t)(seed % 2 == 0 ? sum : random >> (random >> 60) >> 44);
        memcpy(numbers.bytes + i, &number, 4);
    }
    gca_bit_shuffle(planes.bytes, numbers.bytes, byteCount, 4, GCA_VECTORS_NONE);
    guarded_free(&numbers);
    return planes;
}

static void planes_come_back_and_are_no_larger_than_by_LZ4_by_much(const char *folder) {
    (void)folder;
    static const size_t sizes[] = {64, 500, 4096, 40092, 262147, GCA_BLOCK_MAX - 4, GCA_BLOCK_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (uint64_t seed = 1; seed < 5; seed++) {
            guarded planes = make_planes(sizes[i], seed);
            size_t storedCount = 0, usualCount = 0;
            guarded usual = compress(&planes, 0, &usualCount);
            guarded stored = compress(&planes, GCA_LEVEL_PLANES, &storedCount);
            if (sizes[i] >= 4096) {
                CHECK(storedCount != 0);
                CHECK(storedCount < usualCount + usualCount / 8 + 64);
            }
            if (storedCount != 0) {
                guarded back = guarded_make(sizes[i]);
                CHECK(expand(stored.bytes, storedCount, &back, GCA_CODEC_LZ4) == GCA_OK);
                CHECK(memcmp(back.bytes, planes.bytes, sizes[i]) == 0);
                guarded_free(&back);
            }
            guarded_free(&stored);
            guarded_free(&usual);
            guarded_free(&planes);
        }
    }
}

static void planes_are_stored_alike_wherever_they_lie(const char *folder) {
    (void)folder;
    guarded planes = make_planes(100000, 2), room = guarded_make(100064), target = guarded_make(100064);
    size_t storedCount = 0;
    guarded stored = compress(&planes, GCA_LEVEL_PLANES, &storedCount);
    CHECK(storedCount != 0);
    for (size_t offset = 0; offset <= 64; offset += 7) {
        size_t count = 0;
        memcpy(room.bytes + offset, planes.bytes, planes.byteCount);
        CHECK(gca_block_compress(target.bytes + 64 - offset, storedCount + offset, room.bytes + offset,
                                 planes.byteCount, GCA_LEVEL_PLANES, &count) == GCA_OK);
        CHECK(count == storedCount && memcmp(target.bytes + 64 - offset, stored.bytes, count) == 0);
    }
    guarded_free(&stored);
    guarded_free(&target);
    guarded_free(&room);
    guarded_free(&planes);
}

const test block_tests[] = {
    {"planes come back, and are no larger than by LZ4 by much",
     planes_come_back_and_are_no_larger_than_by_LZ4_by_much},
    {"planes are stored alike wherever they lie", planes_are_stored_alike_wherever_they_lie},
    {"compressible blocks come back", compressible_blocks_come_back},
    {"incompressible and tiny blocks are left to be stored",
     incompressible_and_tiny_blocks_are_left_to_be_stored},
    {"blocks of no or too many bytes are refused", blocks_of_no_or_too_many_bytes_are_refused},
    {"a target too small for the result is not overrun", a_target_too_small_for_the_result_is_not_overrun},
    {"each truncation is refused", each_truncation_is_refused},
    {"a wrong raw byte count is refused", a_wrong_raw_byte_count_is_refused},
    {"changed bytes never reach outside", changed_bytes_never_reach_outside},
    {"noise never reaches outside", noise_never_reaches_outside},
    {"unknown codecs are refused", unknown_codecs_are_refused},
    {NULL, NULL},
};
