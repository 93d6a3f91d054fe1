// What floating-point numbers have in common: a scale that makes them of integers, low bits that none of them uses, and the base of
// the classes of numbers without a predictor.

#include "numbers_writing.h"
#include "vectors.h"

#include <math.h>

enum { BASE_SAMPLE = 512, MOST_DIGITS = 9, LEAST_LOW_BITS = 4 };

static const int64_t MOST_NEAR = (int64_t)1 << 44;

__attribute__((always_inline)) static inline double load(const uint8_t *bytes, size_t index, size_t width) {
    if (width == 4) {
        float value;
        memcpy(&value, bytes + index * 4, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, bytes + index * 8, sizeof value);
    return value;
}

/// The integer of which a scale makes the nearest number. Any would do, so those from 2^51 on, which have no such integer, have 0.
__attribute__((always_inline)) static inline int64_t find_integer(double value, numbers_scale scale, size_t width) {
    double unscaled = scale.transform == NUMBERS_MULTIPLES ? value / scale.base : value * scale.base, end = width == 4 ? 0x1p30 : 0x1p51;
    // False for NaN, too.
    bool isInside = unscaled > -end && unscaled < end;
    // The sum has no bits behind the point, so it is rounded to the nearest integer, and of two to the even one.
    double sum = (isInside ? unscaled : 0) + 0x1.8p52, zero = 0x1.8p52;
    int64_t bits, zeroBits;
    memcpy(&bits, &sum, sizeof bits);
    memcpy(&zeroBits, &zero, sizeof zeroBits);
    return bits - zeroBits;
}

__attribute__((always_inline)) static inline int64_t find_remainder(const uint8_t *bytes, size_t index, numbers_scale scale,
                                                                    size_t width, int64_t *integer) {
    *integer = find_integer(load(bytes, index, width), scale, width);
    int64_t ordered = numbers_order(numbers_load(bytes, index, width), width);
    unsigned left = 64 - 8 * (unsigned)width;
    return (int64_t)((uint64_t)(ordered - numbers_scaled(*integer, scale, width)) << left) >> left;
}

__attribute__((always_inline)) static inline void divide(uint8_t *restrict integers, uint8_t *restrict off,
                                                         const uint8_t *restrict bytes, size_t count,
                                                         size_t width, numbers_scale scale) {
    for (size_t i = 0; i < count; i++) {
        int64_t integer, remainder = find_remainder(bytes, i, scale, width, &integer);
        numbers_store(integers, i, (uint64_t)integer, width);
        numbers_store(off, i, (uint64_t)remainder, width);
    }
}

__attribute__((always_inline)) static inline void divide_all(uint8_t *integers, uint8_t *off, const uint8_t *bytes, size_t count,
                                                             size_t width, numbers_scale scale) {
    const numbers_scale multiples = {NUMBERS_MULTIPLES, scale.base}, quotients = {NUMBERS_QUOTIENTS, scale.base};
    if (scale.transform == NUMBERS_MULTIPLES && width == 4) divide(integers, off, bytes, count, 4, multiples);
    if (scale.transform == NUMBERS_MULTIPLES && width == 8) divide(integers, off, bytes, count, 8, multiples);
    if (scale.transform == NUMBERS_QUOTIENTS && width == 4) divide(integers, off, bytes, count, 4, quotients);
    if (scale.transform == NUMBERS_QUOTIENTS && width == 8) divide(integers, off, bytes, count, 8, quotients);
}

#if defined(GCA_HAS_AVX2)
GCA_AVX512 static void divide_avx512(uint8_t *integers, uint8_t *off, const uint8_t *bytes, size_t count, size_t width, numbers_scale scale) {
    divide_all(integers, off, bytes, count, width, scale);
}
#endif

void gca_numbers_divide(uint8_t *restrict integers, uint8_t *restrict off, const uint8_t *restrict bytes, size_t count, size_t width,
                        numbers_scale scale) {
#if defined(GCA_HAS_AVX2)
    if (gca_vectors_best() >= GCA_VECTORS_AVX512) {
        divide_avx512(integers, off, bytes, count, width, scale);
        return;
    }
#endif
    divide_all(integers, off, bytes, count, width, scale);
}

int64_t gca_numbers_classes_base(const uint8_t *bytes, size_t count, size_t width, bool areFloats) {
    uint64_t sum = 0, tried = 0;
    for (size_t i = 0, step = count / BASE_SAMPLE + 1; i < count; i += step, tried++) {
        int64_t value = numbers_load(bytes, i, width);
        if (areFloats) value = numbers_order(value, width);
        // So that all of them have room.
        sum += (uint64_t)(value ^ (value >> 63)) / BASE_SAMPLE;
    }
    return numbers_base_near((int64_t)(sum / tried * BASE_SAMPLE));
}

unsigned gca_numbers_low_bits(const uint8_t *bytes, size_t count, size_t width) {
    uint64_t all = 0;
    for (size_t i = 0, step = count / BASE_SAMPLE + 1; i < count; i += step) all |= (uint64_t)numbers_load(bytes, i, width);
    // A sign of the second integers may take a bit.
    unsigned found = all == 0 ? 0 : (unsigned)__builtin_ctzll(all);
    return found >= LEAST_LOW_BITS && found < width * 8 - 1 ? found : 0;
}

__attribute__((always_inline)) static inline void part_all(uint8_t *restrict upper, uint8_t *restrict lower, size_t count, size_t width,
                                                           unsigned lowBits) {
    for (size_t i = 0; i < count; i++) {
        uint64_t value = (uint64_t)numbers_load(upper, i, width);
        // To the nearest, since the order of a negative number is one less than a multiple.
        int64_t part = (int64_t)(value + ((uint64_t)1 << (lowBits - 1))) >> lowBits;
        numbers_store(upper, i, (uint64_t)part, width);
        numbers_store(lower, i, value - ((uint64_t)part << lowBits), width);
    }
}

void gca_numbers_part(uint8_t *restrict upper, uint8_t *restrict lower, size_t count, size_t width, unsigned lowBits) {
    // Floating-point numbers have at least 2 bytes.
    switch (width) {
    case 2: part_all(upper, lower, count, 2, lowBits); return;
    case 4: part_all(upper, lower, count, 4, lowBits); return;
    default: part_all(upper, lower, count, 8, lowBits);
    }
}

/// 2^8 times the bits of the floating-point numbers of the sample in their order, without their low bits: as differences of
/// neighbours, or as numbers about a base, whichever take fewer.
static int64_t ordered_bits(const uint8_t *bytes, size_t count, size_t width, unsigned lowBits) {
    unsigned left = 64 - 8 * (unsigned)width;
    int64_t base = gca_numbers_classes_base(bytes, count, width, true), differences = 0, magnitudes = 0;
    for (size_t i = 1, step = count / BASE_SAMPLE + 1; i < count; i += step) {
        int64_t value = numbers_order(numbers_load(bytes, i, width), width);
        uint64_t difference = (uint64_t)value - (uint64_t)numbers_order(numbers_load(bytes, i - 1, width), width);
        differences += numbers_bits_of((int64_t)(difference << left) >> left >> lowBits);
        magnitudes += numbers_bits_of(((value ^ (value >> 63)) - base) >> lowBits) + 256;
    }
    return differences < magnitudes ? differences : magnitudes;
}

/// What a scale does for the numbers of the sample.
typedef struct fit {
    numbers_scale scale;
    int64_t saved;         ///< About how many bits fewer integers and what these are off by take than ordered numbers, 2^8 times.
    bool hasNear, hasFar;  ///< Whether some numbers are a little off those of integers, or much.
} fit;

__attribute__((always_inline)) static inline fit fit_all(const uint8_t *bytes, size_t count, size_t width, numbers_scale scale,
                                                         int64_t ordered) {
    size_t nearCount = 0, farCount = 0, step = count / BASE_SAMPLE + 1, mostFar = count / step / 8;
    int64_t saved = ordered;
    for (size_t i = 1; i < count && farCount <= mostFar; i += step) {
        int64_t before, integer;
        find_remainder(bytes, i - 1, scale, width, &before);
        int64_t off = find_remainder(bytes, i, scale, width, &integer);
        saved -= numbers_bits_of(integer - before);
        // Decimals that were multiplied differ from those that were parsed by a unit in the last place. Where the integers are that
        // large, any number is as near.
        bool isNear = width == 8 && off >= -2 && off <= 2 && integer > -MOST_NEAR && integer < MOST_NEAR;
        nearCount += isNear && off != 0;
        farCount += !isNear && off != 0;
    }
    // What the far ones are off by has no order that could be predicted.
    saved = farCount > mostFar ? 0 : saved - (int64_t)((nearCount * 4 + farCount * 8) * 256);
    return (fit){scale, saved, nearCount > 0, farCount > 0};
}

static fit find_fit(const uint8_t *bytes, size_t count, size_t width, numbers_scale scale, int64_t ordered) {
    return width == 4 ? fit_all(bytes, count, 4, scale, ordered) : fit_all(bytes, count, 8, scale, ordered);
}

/// The largest power of two of which all numbers of the sample are multiples; 0 if there is none.
static double common_power(const uint8_t *bytes, size_t count, size_t width) {
    size_t step = count / BASE_SAMPLE + 1;
    int least = 2000;
    for (size_t i = 0; i < count; i += step) {
        double value = load(bytes, i, width);
        int exponent;
        if (value == 0 || !isfinite(value)) continue;
        double part = frexp(fabs(value), &exponent);
        uint64_t mantissa = (uint64_t)(part * 0x1p53);
        exponent += __builtin_ctzll(mantissa) - 53;
        if (exponent < least) least = exponent;
    }
    return least < 1000 && least > -1000 ? ldexp(1, least) : 0;
}

bool gca_numbers_find_scale(numbers_scale *scale, const uint8_t *bytes, size_t count, size_t width, unsigned lowBits) {
    static const double tens[MOST_DIGITS] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    if (count < 16) return false;
    int64_t ordered = ordered_bits(bytes, count, width, lowBits);
    // At least a bit a number.
    fit best = {.saved = (int64_t)(count < BASE_SAMPLE ? count : BASE_SAMPLE / 2) * 256, .hasFar = true};
    double power = common_power(bytes, count, width);
    if (power != 0) {
        fit next = find_fit(bytes, count, width, (numbers_scale){NUMBERS_MULTIPLES, power}, ordered);
        if (next.saved > best.saved) best = next;
    }
    // Where all numbers fit, others would have larger integers: a power of ten divides such numbers only if a larger power of two does.
    for (size_t i = 0; i < MOST_DIGITS && best.hasFar; i++) {
        fit next = find_fit(bytes, count, width, (numbers_scale){NUMBERS_MULTIPLES, 1 / tens[i]}, ordered);
        if (next.saved > best.saved) best = next;
        if (!next.hasNear) continue;
        next = find_fit(bytes, count, width, (numbers_scale){NUMBERS_QUOTIENTS, tens[i]}, ordered);
        if (next.saved > best.saved) best = next;
    }
    *scale = best.scale;
    return best.scale.base != 0;
}
