// What the writer of blocks of numbers shares among its files.

#ifndef GCA_NUMBERS_WRITING_H
#define GCA_NUMBERS_WRITING_H

#include "numbers.h"

// MARK: Classes

/// Integers by sign and magnitude: 16 classes of one integer each, then 8 for each power of two. All bins are made of classes, so
/// the bin of an integer is found by a table.
enum {
    NUMBERS_EXACT = 16,
    NUMBERS_SIDE = NUMBERS_EXACT + (63 - 4) * 8,
    NUMBERS_CLASSES = 2 * NUMBERS_SIDE,
};

/// In the order of the integers.
__attribute__((always_inline)) static inline size_t numbers_class(int64_t value) {
    uint64_t size = (uint64_t)(value ^ (value >> 63));
    size_t found = (size_t)size;
    if (size >= NUMBERS_EXACT) {
        unsigned power = numbers_log2((size_t)size);
        found = NUMBERS_EXACT + (size_t)(power - 4) * 8 + ((size_t)(size >> (power - 3)) & 7);
    }
    return value < 0 ? NUMBERS_SIDE - 1 - found : NUMBERS_SIDE + found;
}

/// The number of bits of a class, and its lowest integer.
static inline unsigned numbers_class_bits(size_t found) {
    size_t side = found < NUMBERS_SIDE ? NUMBERS_SIDE - 1 - found : found - NUMBERS_SIDE;
    return side < NUMBERS_EXACT ? 0 : (unsigned)(side - NUMBERS_EXACT) / 8 + 1;
}

static inline int64_t numbers_class_lower(size_t found) {
    size_t side = found < NUMBERS_SIDE ? NUMBERS_SIDE - 1 - found : found - NUMBERS_SIDE;
    uint64_t size = side;
    unsigned bits = numbers_class_bits(found);
    if (side >= NUMBERS_EXACT) size = (uint64_t)(8 + (side - NUMBERS_EXACT) % 8) << bits;
    return found < NUMBERS_SIDE ? (int64_t)~(size + (((uint64_t)1 << bits) - 1)) : (int64_t)size;
}

/// 2^16 times the binary logarithm of a number, at least 1, to 0.01.
static inline uint32_t numbers_cost(uint64_t value) {
    unsigned power = numbers_log2((size_t)value);
    uint64_t part = power >= 16 ? value >> (power - 16) : value << (16 - power);
    uint64_t fraction = part & 0xffff;
    return (power << 16) + (uint32_t)(fraction + ((fraction * (0x10000 - fraction) >> 16) * 22708 >> 16));
}

/// About 2^8 times the bits of a number that a predictor is off by.
static inline uint32_t numbers_bits_of(int64_t off) {
    // The exponent and the upper bits of the mantissa are about the logarithm.
    float size = (float)(off ^ (off >> 63)) + 1.5f;
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    return (bits >> 15) - (127 << 8);
}

// MARK: Steps

/// Numbers of a page, a multiple of NUMBERS_LANES.
enum { NUMBERS_PAGE_SIZE = 1024 };

/// Which bin each class has.
typedef struct numbers_bin_map {
    uint8_t bins[NUMBERS_CLASSES];
} numbers_bin_map;

/// Makes a table of how often each class occurs: bins that take the fewest bits, with weights of 2^log in all.
///
/// Returns about how many bits the integers and the table take.
uint64_t gca_numbers_make_table(numbers_table *table, numbers_bin_map *map, const uint32_t counts[NUMBERS_CLASSES], unsigned log,
                            size_t width);

/// Chooses the predictors of a series of numbers and the models of its pages, without tables: the tables of a model are numbered,
/// and counted in the series. `pages` has room for those of the series.
gca_status gca_numbers_choose(numbers_series *series, uint8_t *pages, const uint8_t *bytes, size_t width, size_t lanes, size_t row);

/// Writes a series of `count` numbers, at least 1, behind `*cursor`. `*isWritten` is false if there was not enough room.
gca_status gca_numbers_write_series(uint8_t **cursor, const uint8_t *end, const uint8_t *bytes, size_t count, size_t width,
                                size_t lanes, size_t row, bool *isWritten);

/// Fits predictors to a sample of the numbers: by the method of least squares, one for each of `sites` groups of `lanes` numbers
/// that take turns, of the numbers `lags` before, the first of which is nearest. Returns whether it could.
bool gca_numbers_fit(numbers_predictor *predictors, size_t sites, const uint8_t *bytes, size_t count, size_t width, size_t lanes,
                 const uint32_t *lags, size_t lagCount);

/// The base of which most of some floating-point numbers of 4 or 8 bytes are multiples, where that saves bits; otherwise 0.
double gca_numbers_find_base(const uint8_t *bytes, size_t count, size_t width);

/// The multiple of a base that is nearest to a number; any integer will do.
int64_t gca_numbers_factor(double value, double base, size_t width);

/// How far, in the order of all numbers, number `index` is from its multiple of the base.
int64_t gca_numbers_remainder(const uint8_t *bytes, size_t index, double base, size_t width, int64_t *factor);

#endif
