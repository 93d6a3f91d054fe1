// Blocks of numbers expanded: numbers made of the integers of their series.

#include "numbers_reading.h"
#include "vectors.h"

#define INLINED __attribute__((always_inline)) static inline

/// How numbers are made of the integers of one series or two.
typedef struct making {
    numbers_transform transform;
    unsigned lowBits;
    double base;
    const uint8_t *second;  ///< The integers of the second series; NULL if they are all 0.
} making;

/// Integers become numbers, in their place.
INLINED void make(uint8_t *dst, size_t count, size_t width, const making *by, numbers_transform transform, bool haveSecond) {
    const uint8_t *second = by->second;
    unsigned lowBits = by->lowBits;
    bool haveScale = numbers_have_scale(transform);
    numbers_scale scale = {transform, by->base};
    for (size_t i = 0; i < count; i++) {
        int64_t integer = numbers_load(dst, i, width);
        uint64_t value = haveScale ? (uint64_t)numbers_scaled(integer, scale, width) : (uint64_t)integer << lowBits;
        if (haveSecond) value += (uint64_t)numbers_load(second, i, width);
        numbers_store(dst, i, value, width);
        if (transform == NUMBERS_INTEGERS) continue;
        numbers_store(dst, i, (uint64_t)numbers_order(numbers_load(dst, i, width), width), width);
    }
}

INLINED void make_by_transform(uint8_t *dst, size_t count, size_t width, const making *by) {
    bool haveSecond = by->second != NULL;
    switch (by->transform) {
    case NUMBERS_INTEGERS:
        if (haveSecond) make(dst, count, width, by, NUMBERS_INTEGERS, true);
        if (!haveSecond && by->lowBits > 0) make(dst, count, width, by, NUMBERS_INTEGERS, false);
        return;
    case NUMBERS_ORDERED:
        if (haveSecond) make(dst, count, width, by, NUMBERS_ORDERED, true);
        if (!haveSecond) make(dst, count, width, by, NUMBERS_ORDERED, false);
        return;
    case NUMBERS_MULTIPLES:
        if (width < 4) return;
        if (haveSecond) make(dst, count, width, by, NUMBERS_MULTIPLES, true);
        if (!haveSecond) make(dst, count, width, by, NUMBERS_MULTIPLES, false);
        return;
    case NUMBERS_QUOTIENTS:
        if (width < 4) return;
        if (haveSecond) make(dst, count, width, by, NUMBERS_QUOTIENTS, true);
        if (!haveSecond) make(dst, count, width, by, NUMBERS_QUOTIENTS, false);
    }
}

INLINED void make_all(uint8_t *dst, size_t count, size_t width, const making *by) {
    switch (width) {
    case 1: make_by_transform(dst, count, 1, by); return;
    case 2: make_by_transform(dst, count, 2, by); return;
    case 4: make_by_transform(dst, count, 4, by); return;
    default: make_by_transform(dst, count, 8, by);
    }
}

#if defined(GCA_HAS_AVX2)
GCA_FAST_BITS static void make_fast(uint8_t *dst, size_t count, size_t width, const making *by) { make_all(dst, count, width, by); }

GCA_AVX512 static void make_avx512(uint8_t *dst, size_t count, size_t width, const making *by) { make_all(dst, count, width, by); }
#endif

static void make_numbers(uint8_t *dst, size_t count, size_t width, const making *by) {
#if defined(GCA_HAS_AVX2)
    if (gca_vectors_best() >= GCA_VECTORS_AVX512) {
        make_avx512(dst, count, width, by);
        return;
    }
    if (gca_has_fast_bits()) {
        make_fast(dst, count, width, by);
        return;
    }
#endif
    make_all(dst, count, width, by);
}

/// Reads what stands in front of the series. Returns whether it is valid.
static bool parse_making(making *by, gca_reader *reader, size_t width) {
    uint8_t transform, lowBits;
    if (!gca_get_u8(reader, &transform) || !gca_get_u8(reader, &lowBits)) return false;
    *by = (making){.transform = transform, .lowBits = lowBits};
    uint64_t baseBits;
    switch (transform) {
    case NUMBERS_INTEGERS: return lowBits < width * 8;
    case NUMBERS_ORDERED: return width > 1 && lowBits < width * 8;
    case NUMBERS_MULTIPLES:
    case NUMBERS_QUOTIENTS:
        if (width < 4 || lowBits != 0 || !gca_get_u64(reader, &baseBits)) return false;
        memcpy(&by->base, &baseBits, sizeof by->base);
        return numbers_is_base(by->base);
    default: return false;
    }
}

/// Expands the series, and makes numbers of their integers.
static gca_status expand_numbers(uint8_t *dst, size_t count, size_t width, gca_reader *reader, gca_numbers_memory *memory) {
    making by;
    if (!parse_making(&by, reader, width)) return GCA_BAD_BLOCK;
    gca_status status = gca_numbers_expand_series(dst, count, width, reader, memory, NULL);
    if (status == GCA_OK && (by.lowBits > 0 || numbers_have_scale(by.transform))) {
        uint8_t *second = gca_numbers_room(memory, NUMBERS_SPARE, count * width);
        if (second == NULL) return GCA_NO_MEMORY;
        bool areZeros = false;
        status = gca_numbers_expand_series(second, count, width, reader, memory, &areZeros);
        by.second = areZeros ? NULL : second;
    }
    if (status == GCA_OK) make_numbers(dst, count, width, &by);
    return status;
}

gca_status gca_numbers_expand(uint8_t *dst, size_t rawCount, const uint8_t *src, size_t srcCount, size_t width,
                              gca_numbers_memory *memory) {
    bool isWidth = width == 1 || width == 2 || width == 4 || width == 8;
    if (!isWidth || rawCount < width || rawCount > GCA_BLOCK_MAX || srcCount > GCA_BLOCK_MAX) return GCA_BAD_BLOCK;
    if (srcCount < numbers_fewest_bytes(rawCount)) return GCA_BAD_BLOCK;
    size_t count = rawCount / width, rest = rawCount % width;
    gca_reader reader;
    gca_reader_init(&reader, src, srcCount);
    gca_status status = expand_numbers(dst, count, width, &reader, memory);
    if (status != GCA_OK) return status;
    const uint8_t *end;
    if (!gca_get_bytes(&reader, rest, &end)) return GCA_BAD_BLOCK;
    if (rest > 0) memcpy(dst + count * width, end, rest);
    size_t zeros = gca_reader_left(&reader);
    if (zeros > 0 && srcCount != numbers_fewest_bytes(rawCount)) return GCA_BAD_BLOCK;
    for (size_t i = 0; i < zeros; i++) {
        if (reader.cursor[i] != 0) return GCA_BAD_BLOCK;
    }
    return GCA_OK;
}
