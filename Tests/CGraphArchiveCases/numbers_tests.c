// The codec for numbers: what is written comes back, for all small lengths, widths and transforms; other bytes end in an error.

#include "../../Sources/CGraphArchive/numbers_writing.h"
#include "CGraphArchiveCases.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 16 };

/// From block to block, of any sizes; never given back.
static gca_numbers_memory memory;

static const size_t widths[] = {1, 2, 4, 8};

typedef enum pattern {
    CONSTANT, RAMP, WALK, NOISE, EXTREMES, TURNS, DECIMALS, SPECIAL, PATTERN_COUNT,
} pattern;

static double special(uint64_t number) {
    static const double values[] = {0, -0.0, 1, -1.5, 0x1p-1074, -0x1p-1074, 1e300, -1e300, 1e38, 0x1.fffffep127};
    if (number % 13 == 10) return INFINITY;
    if (number % 13 == 11) return -INFINITY;
    if (number % 13 == 12) return NAN;
    return values[number % 13];
}

static void fill(uint8_t *bytes, size_t byteCount, size_t width, pattern shape, uint64_t seed) {
    uint64_t state = seed * 2 + 1;
    int64_t value = (int64_t)next_random(&state);
    for (size_t i = 0; i < byteCount / width; i++) {
        uint64_t random = next_random(&state) >> 8;
        double decimal = shape == SPECIAL ? special(random) : (double)((int64_t)(random % 20000) - 10000) * 0.01;
        switch (shape) {
        case CONSTANT: break;
        case RAMP: value += 3; break;
        case WALK: value += (int64_t)(random % 41) - 20; break;
        case NOISE: value = (int64_t)(random ^ random << 40); break;
        case EXTREMES: value = random % 2 == 0 ? INT64_MIN >> (64 - 8 * width) : INT64_MAX >> (64 - 8 * width); break;
        case TURNS: value = i % 12 < 3 ? (int64_t)(random % 30000) : value + (int64_t)(random % 9); break;
        default:
            if (width == 8) memcpy(&value, &decimal, 8);
            if (width < 8) {
                float single = (float)decimal;
                uint32_t bits;
                memcpy(&bits, &single, 4);
                value = (int64_t)(width == 4 ? bits : bits >> 16);
            }
        }
        numbers_store(bytes, i, (uint64_t)value, width);
    }
    fill_random(bytes + byteCount / width * width, byteCount % width, seed);
}

/// Writes a block even where it is not smaller; the size, or 0.
static size_t write_series_block(uint8_t *block, const uint8_t *raw, size_t byteCount, size_t width, size_t lanes, size_t row) {
    uint8_t *cursor = block + 2;
    bool isWritten;
    size_t count = byteCount / width, rest = byteCount % width;
    block[0] = block[1] = 0;
    CHECK(gca_numbers_write_series(&cursor, block + 4 * MOST_BYTES, raw, count, width, lanes, row, &memory, &isWritten) == GCA_OK);
    CHECK(isWritten);
    if (rest > 0) memcpy(cursor, raw + count * width, rest);
    size_t written = (size_t)(cursor - block) + rest;
    while (written < numbers_fewest_bytes(byteCount)) block[written++] = 0;
    return written;
}

static void check_expands(const uint8_t *block, size_t storedCount, const uint8_t *raw, size_t byteCount, size_t width) {
    guarded stored = guarded_copy(block, storedCount), back = guarded_make(byteCount);
    CHECK(gca_numbers_expand(back.bytes, byteCount, stored.bytes, storedCount, width, &memory) == GCA_OK);
    CHECK(memcmp(back.bytes, raw, byteCount) == 0);
    guarded_free(&back);
    guarded_free(&stored);
}

static void small_lengths(const char *folder) {
    (void)folder;
    uint8_t *block = malloc(4 * MOST_BYTES), raw[800];
    for (size_t w = 0; w < 4; w++) {
        size_t width = widths[w];
        for (size_t byteCount = width; byteCount < 40 * width + 3; byteCount++) {
            for (pattern shape = 0; shape < PATTERN_COUNT; shape++) {
                fill(raw, byteCount, width, shape, byteCount * 31 + (size_t)shape);
                size_t lanes = byteCount % 4, row = byteCount % 5 * 3;
                check_expands(block, write_series_block(block, raw, byteCount, width, lanes, row), raw, byteCount, width);
            }
        }
    }
    free(block);
}

/// Floating-point numbers in their order, and made of integers by a scale, of all small lengths and around the ends of pages.
static void small_lengths_of_floats(const char *folder) {
    (void)folder;
    enum { PAGE = NUMBERS_PAGE_SIZE, MOST_COUNT = 2 * PAGE + 2 };
    uint8_t *block = malloc(4 * MOST_BYTES), *raw = malloc(8 * MOST_COUNT);
    uint8_t *first = malloc(8 * MOST_COUNT), *second = malloc(8 * MOST_COUNT);
    for (size_t w = 1; w < 4; w++) {
        size_t width = widths[w];
        for (size_t count = 1; count <= MOST_COUNT; count += count == 40 ? PAGE - 42 : count == PAGE + 2 ? PAGE - 4 : 1) {
            for (int transform = NUMBERS_ORDERED; transform <= NUMBERS_QUOTIENTS; transform++) {
                bool hasScale = numbers_have_scale((unsigned)transform);
                if (hasScale && width < 4) continue;
                numbers_scale scale = {(numbers_transform)transform, transform == NUMBERS_MULTIPLES ? 0.01 : 100};
                bool isWritten;
                uint8_t *cursor = block + 2;
                fill(raw, count * width, width, count % 2 == 0 ? SPECIAL : DECIMALS, count * 7 + width);
                block[0] = (uint8_t)transform;
                block[1] = 0;
                if (hasScale) memcpy(cursor, &scale.base, sizeof scale.base), cursor += sizeof scale.base;
                if (hasScale) gca_numbers_divide(first, second, raw, count, width, scale);
                for (size_t i = 0; i < count && !hasScale; i++) {
                    numbers_store(first, i, (uint64_t)numbers_order(numbers_load(raw, i, width), width), width);
                }
                const uint8_t *end = block + 4 * MOST_BYTES;
                CHECK(gca_numbers_write_series(&cursor, end, first, count, width, 0, 0, &memory, &isWritten) == GCA_OK && isWritten);
                if (hasScale) {
                    CHECK(gca_numbers_write_series(&cursor, end, second, count, width, 0, 0, &memory, &isWritten) == GCA_OK && isWritten);
                }
                check_expands(block, (size_t)(cursor - block), raw, count * width, width);
            }
        }
    }
    free(second);
    free(first);
    free(raw);
    free(block);
}

static void all_patterns(const char *folder) {
    (void)folder;
    uint8_t *stored = malloc(MOST_BYTES), *raw = malloc(MOST_BYTES), *block = malloc(4 * MOST_BYTES);
    size_t smaller = 0;
    for (size_t i = 0; i < 4 * PATTERN_COUNT * 3; i++) {
        size_t width = widths[i % 4], storedCount, byteCount = MOST_BYTES - i * 5 % 4093;
        pattern shape = (pattern)(i / 4 % PATTERN_COUNT);
        gca_numbers_hint hint = {.areFloats = width > 1 && i % 3 != 0, .lanes = i / 32 % 2 == 0 ? 0 : 3, .row = i % 2 == 0 ? 0 : 300};
        fill(raw, byteCount, width, shape, i);
        CHECK(gca_numbers_compress(stored, MOST_BYTES, raw, byteCount, width, hint, &memory, &storedCount) == GCA_OK);
        CHECK(storedCount < byteCount);
        // Only noise is not made smaller.
        CHECK(storedCount > 0 || shape == NOISE);
        if (storedCount > 0) check_expands(stored, storedCount, raw, byteCount, width);
        if (storedCount > 0) smaller++;
        check_expands(block, write_series_block(block, raw, byteCount, width, hint.lanes, hint.row), raw, byteCount, width);
        // One byte too few, as for all that is given less room.
        if (storedCount > 0) {
            size_t lessCount;
            guarded less = guarded_make(storedCount - 1);
            CHECK(gca_numbers_compress(less.bytes, storedCount - 1, raw, byteCount, width, hint, &memory, &lessCount) == GCA_OK);
            CHECK(lessCount == 0);
            guarded_free(&less);
        }
    }
    CHECK(smaller > 60);
    free(block);
    free(raw);
    free(stored);
}

/// A block of two series, whose transform the writer does not choose.
static void low_bits(const char *folder) {
    (void)folder;
    uint8_t *block = malloc(4 * MOST_BYTES), raw[4000], upper[4000], lower[4000];
    for (size_t w = 0; w < 4; w++) {
        size_t width = widths[w], count = 4000 / width;
        for (unsigned lowBits = 1; lowBits < width * 8; lowBits++) {
            fill(raw, 4000, width, WALK, lowBits);
            for (size_t i = 0; i < count; i++) {
                int64_t value = numbers_load(raw, i, width);
                numbers_store(upper, i, (uint64_t)(value >> lowBits), width);
                numbers_store(lower, i, (uint64_t)value & (((uint64_t)1 << lowBits) - 1), width);
            }
            uint8_t *cursor = block + 2;
            bool isWritten;
            block[0] = NUMBERS_INTEGERS;
            block[1] = (uint8_t)lowBits;
            const uint8_t *series[] = {upper, lower};
            for (size_t i = 0; i < 2; i++) {
                gca_status status =
                    gca_numbers_write_series(&cursor, block + MOST_BYTES, series[i], count, width, 1, 0, &memory, &isWritten);
                CHECK(status == GCA_OK && isWritten);
            }
            check_expands(block, (size_t)(cursor - block), raw, 4000, width);
        }
    }
    free(block);
}

/// Floating-point numbers of 4 bytes stored in 8: no model has to tell the bits that all of them lack.
static void low_bits_of_floats(const char *folder) {
    (void)folder;
    uint8_t raw[8192], block[8192];
    uint64_t state = 5;
    for (size_t i = 0; i < 1024; i++) {
        double value = (float)((double)(int64_t)next_random(&state) * 0x1.3p-63);
        memcpy(raw + 8 * i, &value, 8);
    }
    size_t storedCount;
    gca_numbers_hint hint = {.areFloats = true};
    // Another of the numbers, not of the sample, may have any bits.
    for (size_t other = 0; other < 2; other++) {
        CHECK(gca_numbers_compress(block, sizeof block, raw, sizeof raw, 8, hint, &memory, &storedCount) == GCA_OK);
        CHECK(block[0] == NUMBERS_ORDERED && block[1] == 29);
        CHECK(storedCount > 0 && storedCount < sizeof raw / 2);
        check_expands(block, storedCount, raw, sizeof raw, 8);
        raw[8 * 1000] ^= 1;
    }
}

/// Each byte changed and each end cut off: an error or other numbers, within the memory that is there.
static void damaged_blocks(const char *folder) {
    (void)folder;
    uint8_t *block = malloc(4 * MOST_BYTES), raw[600];
    uint64_t state = 5;
    size_t refused = 0, changed = 0;
    for (size_t w = 0; w < 4; w++) {
        fill(raw, sizeof raw, widths[w], TURNS, w + 1);
        size_t storedCount = write_series_block(block, raw, sizeof raw, widths[w], 3, 0);
        guarded back = guarded_make(sizeof raw);
        for (size_t end = 0; end < storedCount; end++) {
            guarded stored = guarded_copy(block, end);
            CHECK(gca_numbers_expand(back.bytes, sizeof raw, stored.bytes, end, widths[w], &memory) == GCA_BAD_BLOCK);
            guarded_free(&stored);
        }
        guarded stored = guarded_copy(block, storedCount);
        for (size_t i = 0; i < storedCount * 8; i++) {
            size_t at = i / 8;
            uint8_t was = stored.bytes[at];
            stored.bytes[at] = i % 8 == 0 ? 0xff : (uint8_t)(was ^ (1 + next_random(&state) % 255));
            gca_status status = gca_numbers_expand(back.bytes, sizeof raw, stored.bytes, storedCount, widths[w], &memory);
            CHECK(status == GCA_OK || status == GCA_BAD_BLOCK);
            refused += status == GCA_BAD_BLOCK;
            changed++;
            stored.bytes[at] = was;
        }
        CHECK(gca_numbers_expand(back.bytes, sizeof raw - widths[w], stored.bytes, storedCount, widths[w], &memory) == GCA_BAD_BLOCK);
        guarded_free(&stored);
        guarded_free(&back);
    }
    // The states have to end where they began, and the bits to be used up.
    CHECK(refused > changed / 3);
    free(block);
}

static void refused_sizes(const char *folder) {
    (void)folder;
    uint8_t bytes[64] = {0};
    size_t storedCount;
    gca_numbers_hint integers = {.areFloats = false}, floats = {.areFloats = true};
    CHECK(gca_numbers_compress(bytes, 64, bytes, 0, 4, integers, &memory, &storedCount) == GCA_BAD_BLOCK);
    CHECK(gca_numbers_compress(bytes, 64, bytes, GCA_BLOCK_MAX + 1, 4, integers, &memory, &storedCount) == GCA_BAD_BLOCK);
    CHECK(gca_numbers_compress(bytes, 64, bytes, 64, 3, integers, &memory, &storedCount) == GCA_BAD_BLOCK);
    CHECK(gca_numbers_compress(bytes, 64, bytes, 64, 1, floats, &memory, &storedCount) == GCA_BAD_BLOCK);
    CHECK(gca_numbers_expand(bytes, 64, bytes, 64, 3, &memory) == GCA_BAD_BLOCK);
    CHECK(gca_numbers_expand(bytes, 3, bytes, 64, 4, &memory) == GCA_BAD_BLOCK);
    CHECK(gca_numbers_expand(bytes, GCA_BLOCK_MAX + 1, bytes, 64, 4, &memory) == GCA_BAD_BLOCK);
}

/// The bytes of a block as the format describes them: each number is 3 more than the one before; and others that are refused.
static void bytes_by_hand(const char *folder) {
    (void)folder;
    static const uint8_t ramp[] = {
        0, 0,                    // 0: integers, no low bits
        0x02, 0x04,              // 2: pages of 256 numbers
        0,                       // 4: 2^0 slots
        1, 0, 1, 0x03, 1, 0,     // 5: one predictor without a shift, of one tap: lag 1, factor 1
        1, 0, 0x80, 0x0e, 0x02,  // 11: one table of one bin of 2^0 integers, 131 above -128
        0x03,                    // 16: its weight, 1
        1, 1, 0, 0,              // 17: one model of period 1: predictor 0, table 0
        0, 0, 0, 0, 0, 0, 0, 0,  // 21: states
        0, 0x01,                 // 29: no bits
    };
    static const uint8_t expected[] = {3, 6, 9, 12};
    check_expands(ramp, sizeof ramp, expected, 4, 1);
    static const struct { uint8_t offset, byte; } wrong[] = {
        {0, 1}, {0, 2}, {0, 3}, {1, 8}, {4, 1}, {2, 0x01}, {2, 0x06}, {3, 0x03}, {4, 13}, {5, 0}, {5, 33}, {6, 16}, {7, 9}, {8, 0x01},
        {11, 0}, {11, 33}, {12, 1}, {13, 0x88}, {13, 0x89}, {16, 0x01}, {16, 0x05}, {17, 0}, {17, 17}, {18, 0}, {18, 49}, {19, 1},
        {20, 1}, {21, 1}, {28, 1}, {29, 1}, {29, 8}, {30, 0x03},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint8_t block[sizeof ramp], back[4];
        memcpy(block, ramp, sizeof ramp);
        CHECK(block[wrong[i].offset] != wrong[i].byte);
        block[wrong[i].offset] = wrong[i].byte;
        CHECK(gca_numbers_expand(back, 4, block, sizeof block, 1, &memory) == GCA_BAD_BLOCK);
    }
}

/// A block never has more than 255 bytes for a stored one: zeros fill it up, and nothing besides zeros does.
static void expansion(const char *folder) {
    (void)folder;
    enum { COUNT = 100000 };
    uint8_t *raw = calloc(COUNT, 1), stored[1000], back[COUNT];
    size_t storedCount;
    gca_numbers_hint hint = {.areFloats = true};
    CHECK(gca_numbers_compress(stored, sizeof stored, raw, COUNT, 8, hint, &memory, &storedCount) == GCA_OK);
    CHECK(storedCount == (COUNT + 254) / 255);
    check_expands(stored, storedCount, raw, COUNT, 8);
    CHECK(gca_numbers_expand(back, COUNT, stored, storedCount - 1, 8, &memory) == GCA_BAD_BLOCK);
    stored[storedCount] = 0;
    CHECK(gca_numbers_expand(back, COUNT, stored, storedCount + 1, 8, &memory) == GCA_BAD_BLOCK);
    stored[storedCount - 1] = 1;
    CHECK(gca_numbers_expand(back, COUNT, stored, storedCount, 8, &memory) == GCA_BAD_BLOCK);
    free(raw);
}

/// Floating-point noise takes little more than its signs, exponents and mantissas: no predictor, and bins about the exponents.
static void noise(const char *folder) {
    (void)folder;
    enum { COUNT = 16384 };
    float *raw = malloc(COUNT * 4);
    uint8_t *stored = malloc(COUNT * 4);
    uint64_t state = 9;
    size_t storedCount;
    gca_numbers_hint hint = {.areFloats = true, .lanes = 3};
    // Multiples of no base. Where some are below 2 and some are not, each bit is set in one of them, but none is as large as all bits.
    for (float scale = 0.55f; scale < 20; scale *= 4) {
        for (size_t i = 0; i < COUNT; i++) {
            float sum = 0;
            for (size_t k = 0; k < 6; k++) sum += (float)(next_random(&state) >> 40) * 0x1p-24f - 0.5f;
            raw[i] = scale * sum;
        }
        CHECK(gca_numbers_compress(stored, COUNT * 4, (uint8_t *)raw, COUNT * 4, 4, hint, &memory, &storedCount) == GCA_OK);
        CHECK(storedCount > 0 && storedCount * 8 < COUNT * 27);
        check_expands(stored, storedCount, (uint8_t *)raw, COUNT * 4, 4);
    }
    // With one number at the end of all, whose class about a base would end behind them.
    raw[5] = NAN;
    raw[6] = -INFINITY;
    CHECK(gca_numbers_compress(stored, COUNT * 4, (uint8_t *)raw, COUNT * 4, 4, hint, &memory, &storedCount) == GCA_OK);
    if (storedCount > 0) check_expands(stored, storedCount, (uint8_t *)raw, COUNT * 4, 4);
    free(stored);
    free(raw);
}

/// More slots than a block of few numbers may have.
static void slots_by_numbers(const char *folder) {
    (void)folder;
    uint8_t block[400] = {0}, back[400];
    // 32 tables of 2^12 slots in one bin each, for 400 numbers of a byte; then 2 such tables.
    for (size_t tables = 32;; tables = 2) {
        uint8_t *to = block + 2;
        *to++ = 0x02, *to++ = 0x04, *to++ = 12, *to++ = 1, *to++ = 0, *to++ = 0, *to++ = (uint8_t)tables;
        for (size_t i = 0; i < tables; i++) {
            *to++ = 0, *to++ = 0;
            to += gca_varint_write(to, 4096);
        }
        *to++ = 1, *to++ = 1, *to++ = 0, *to++ = 0;
        memset(to, 0, 9);
        to += 9;
        *to++ = 0x01;
        bool isFew = tables == 2;
        CHECK(gca_numbers_expand(back, 400, block, (size_t)(to - block), 1, &memory) == (isFew ? GCA_OK : GCA_BAD_BLOCK));
        if (isFew) return;
    }
}

/// Rows that are nearly a block: an element and a row before is farther away than a predictor may look.
static void rows_of_nearly_a_block(const char *folder) {
    (void)folder;
    uint8_t *raw = malloc(GCA_BLOCK_MAX), *stored = malloc(GCA_BLOCK_MAX);
    uint32_t noise = 123;
    for (size_t i = 0; i < GCA_BLOCK_MAX; i++) {
        noise = noise * 1664525u + 1013904223u;
        raw[i] = (uint8_t)(i / 7 + (noise >> 28 & 1));
    }
    for (uint32_t lanes = 0; lanes < 9; lanes++) {
        for (uint32_t shorter = 1; shorter < 10; shorter += 4) {
            size_t storedCount;
            gca_numbers_hint hint = {.lanes = lanes, .row = GCA_BLOCK_MAX - shorter};
            CHECK(gca_numbers_compress(stored, GCA_BLOCK_MAX, raw, GCA_BLOCK_MAX, 1, hint, &memory, &storedCount) == GCA_OK);
            CHECK(storedCount > 0);
            check_expands(stored, storedCount, raw, GCA_BLOCK_MAX, 1);
        }
    }
    free(stored);
    free(raw);
}

const test numbers_tests[] = {
    {"rows of nearly a block of numbers", rows_of_nearly_a_block},
    {"expansion of numbers", expansion},
    {"slots by numbers", slots_by_numbers},
    {"floating-point noise", noise},
    {"numbers of small lengths", small_lengths},
    {"floating-point numbers of small lengths", small_lengths_of_floats},
    {"numbers of all patterns", all_patterns},
    {"numbers with low bits", low_bits},
    {"low bits of floating-point numbers", low_bits_of_floats},
    {"damaged blocks of numbers", damaged_blocks},
    {"refused sizes of numbers", refused_sizes},
    {"numbers by hand", bytes_by_hand},
    {NULL, NULL},
};
