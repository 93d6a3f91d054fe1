// What the writer of blocks of numbers shares among its files.

#ifndef GCA_NUMBERS_WRITING_H
#define GCA_NUMBERS_WRITING_H

#include "numbers.h"

// MARK: Classes

/// Integers by sign, and by how far their magnitudes are from a base: 16 classes of one integer each below and above it, then 8 for each
/// power of two. All bins are made of classes, so the bin of an integer is found by a table.
///
/// The base is 0, or near most magnitudes of numbers that no predictor is for, such as floating-point numbers in their order.
enum {
    NUMBERS_EXACT = 16,
    NUMBERS_SIDE = NUMBERS_EXACT + (63 - 4) * 8,
    NUMBERS_SIGN = 2 * NUMBERS_SIDE,
    NUMBERS_CLASSES = 2 * NUMBERS_SIGN,
};

/// In the order of the integers.
__attribute__((always_inline)) static inline size_t numbers_class(int64_t value, int64_t base) {
    int64_t sign = value >> 63, distance = (value ^ sign) - base, below = distance >> 63;
    uint64_t size = (uint64_t)(distance ^ below);
    int64_t found = (int64_t)size;
    if (size >= NUMBERS_EXACT) {
        unsigned power = numbers_log2((size_t)size);
        found = NUMBERS_EXACT + (int64_t)(power - 4) * 8 + (int64_t)((size >> (power - 3)) & 7);
    }
    found = NUMBERS_SIDE + (found ^ below);
    return (size_t)(NUMBERS_SIGN + (found ^ sign));
}

/// Where a class stands among those of its sign.
static inline size_t numbers_class_in_sign(size_t found) {
    return found < NUMBERS_SIGN ? NUMBERS_SIGN - 1 - found : found - NUMBERS_SIGN;
}

/// The binary logarithm of how many integers a class has.
static inline unsigned numbers_class_bits(size_t found) {
    size_t place = numbers_class_in_sign(found), side = place < NUMBERS_SIDE ? NUMBERS_SIDE - 1 - place : place - NUMBERS_SIDE;
    return side < NUMBERS_EXACT ? 0 : (unsigned)(side - NUMBERS_EXACT) / 8 + 1;
}

/// The least magnitude of a class; below 0 if no integer is in it.
static inline int64_t numbers_class_magnitude(size_t found, int64_t base) {
    size_t place = numbers_class_in_sign(found), side = place < NUMBERS_SIDE ? NUMBERS_SIDE - 1 - place : place - NUMBERS_SIDE;
    uint64_t size = side;
    unsigned bits = numbers_class_bits(found);
    if (side >= NUMBERS_EXACT) size = (uint64_t)(8 + (side - NUMBERS_EXACT) % 8) << bits;
    uint64_t distance = place < NUMBERS_SIDE ? ~(size + (((uint64_t)1 << bits) - 1)) : size;
    return (int64_t)((uint64_t)base + distance);
}

/// How many integers a class has.
static inline uint64_t numbers_class_extent(size_t found, int64_t base) {
    return numbers_class_magnitude(found, base) < 0 ? 0 : (uint64_t)1 << numbers_class_bits(found);
}

/// The lowest integer of a class.
static inline int64_t numbers_class_lower(size_t found, int64_t base) {
    int64_t magnitude = numbers_class_magnitude(found, base);
    uint64_t last = (uint64_t)magnitude + (numbers_class_extent(found, base) - 1);
    return found < NUMBERS_SIGN ? (int64_t)~last : magnitude;
}

/// A base near a magnitude, with four digits in binary, so that 0 is the first integer of a class.
static inline int64_t numbers_base_near(int64_t magnitude) {
    if (magnitude < NUMBERS_EXACT) return magnitude;
    unsigned rest = numbers_log2((size_t)magnitude) - 3;
    return magnitude >> rest << rest;
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
/// `base` is that of the classes. Returns about how many bits the integers and the table take.
uint64_t gca_numbers_make_table(numbers_table *table, numbers_bin_map *map, const uint32_t counts[NUMBERS_CLASSES], int64_t base,
                                unsigned log);

/// Chooses the predictors of a series of numbers and the models of its pages, without tables: the tables of a model are numbered,
/// and counted in the series. `pages` has room for those of the series, `bases` for those of the tables' classes.
gca_status gca_numbers_choose(numbers_series *series, uint8_t *pages, int64_t bases[NUMBERS_MOST_TABLES], const uint8_t *bytes,
                              size_t width, size_t lanes, size_t row, gca_numbers_memory *memory);

/// Writes a series of `count` numbers, at least 1, behind `*cursor`. `*isWritten` is false if there was not enough room.
gca_status gca_numbers_write_series(uint8_t **cursor, const uint8_t *end, const uint8_t *bytes, size_t count, size_t width,
                                size_t lanes, size_t row, gca_numbers_memory *memory, bool *isWritten);

/// Fits predictors to a sample of the numbers: by the method of least squares, one for each of `sites` groups of `lanes` numbers
/// that take turns, of the numbers `lags` before, the first of which is nearest. Returns whether it could.
bool gca_numbers_fit(numbers_predictor *predictors, size_t sites, const uint8_t *bytes, size_t count, size_t width, size_t lanes,
                 uint32_t near, const uint32_t *lags, size_t lagCount);

/// A base for the classes of integers, or of floating-point numbers in their order: near the mean of their magnitudes.
int64_t gca_numbers_classes_base(const uint8_t *bytes, size_t count, size_t width, bool areFloats);

/// How many of the lowest bits of floating-point numbers are 0, so far as a sample tells: as of binary32 in binary64. 0 for few.
unsigned gca_numbers_low_bits(const uint8_t *bytes, size_t count, size_t width);

/// Splits integers into multiples of 2^lowBits, in their place, and the rest. `lowBits` is not 0.
void gca_numbers_part(uint8_t *restrict upper, uint8_t *restrict lower, size_t count, size_t width, unsigned lowBits);

/// Finds the scale that makes most of some floating-point numbers of 4 or 8 bytes of integers. Returns whether it saves bits beside
/// numbers in their order without their low bits.
bool gca_numbers_find_scale(numbers_scale *scale, const uint8_t *bytes, size_t count, size_t width, unsigned lowBits);

/// Splits floating-point numbers of 4 or 8 bytes into integers of which a scale makes the nearest numbers, and what these are off by, in
/// the order of all numbers.
void gca_numbers_divide(uint8_t *restrict integers, uint8_t *restrict off, const uint8_t *restrict bytes, size_t count, size_t width,
                        numbers_scale scale);

#endif
