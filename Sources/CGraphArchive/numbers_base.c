// What floating-point numbers have in common: a base of which they are multiples, low bits that none of them uses, and the base of
// the classes of numbers without a predictor.

#include "numbers_writing.h"

#include <math.h>

enum { BASE_SAMPLE = 512, MOST_DIGITS = 9, LEAST_LOW_BITS = 4 };

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

/// The multiple of a base that is nearest to a number; any integer will do.
__attribute__((always_inline)) static inline int64_t find_factor(double value, double base, size_t width) {
    double factor = value / base, most = width == 4 ? 0x1p30 : 0x1p52;
    // False for NaN, too, which is far off any multiple.
    if (!(factor >= -most && factor <= most)) return 0;
    // The sum has no bits behind the point, so it is rounded to the nearest integer, and of two to the even one.
    if (factor > -0x1p51 && factor < 0x1p51) return (int64_t)((factor + 0x1.8p52) - 0x1.8p52);
    return (int64_t)rint(factor);
}

__attribute__((always_inline)) static inline int64_t find_remainder(const uint8_t *bytes, size_t index, double base, size_t width,
                                                                    int64_t *factor) {
    *factor = find_factor(load(bytes, index, width), base, width);
    int64_t ordered = numbers_order(numbers_load(bytes, index, width), width);
    unsigned left = 64 - 8 * (unsigned)width;
    return (int64_t)((uint64_t)(ordered - numbers_multiple(*factor, base, width)) << left) >> left;
}

int64_t gca_numbers_remainder(const uint8_t *bytes, size_t index, double base, size_t width, int64_t *factor) {
    return width == 4 ? find_remainder(bytes, index, base, 4, factor) : find_remainder(bytes, index, base, 8, factor);
}

__attribute__((always_inline)) static inline void divide(uint8_t *factors, uint8_t *off, const uint8_t *bytes, size_t count,
                                                         size_t width, double base) {
    for (size_t i = 0; i < count; i++) {
        int64_t factor, remainder = find_remainder(bytes, i, base, width, &factor);
        numbers_store(factors, i, (uint64_t)factor, width);
        numbers_store(off, i, (uint64_t)remainder, width);
    }
}

void gca_numbers_divide(uint8_t *restrict factors, uint8_t *restrict off, const uint8_t *restrict bytes, size_t count, size_t width,
                        double base) {
    if (width == 4) divide(factors, off, bytes, count, 4, base);
    if (width == 8) divide(factors, off, bytes, count, 8, base);
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

/// About how many bits more the numbers take than the differences of their factors and what these are off by, 2^8 times, over the
/// sample.
static int64_t saved_bits(const uint8_t *bytes, size_t count, size_t width, double base, int64_t ordered) {
    size_t tried = 0, offCount = 0;
    int64_t saved = ordered;
    for (size_t i = 1, step = count / BASE_SAMPLE + 1; i < count; i += step) {
        int64_t before, factor;
        gca_numbers_remainder(bytes, i - 1, base, width, &before);
        int64_t off = gca_numbers_remainder(bytes, i, base, width, &factor);
        saved -= numbers_bits_of(factor - before);
        offCount += off != 0;
        tried++;
    }
    // Most numbers have to be multiples: what they are off by has no order that could be predicted.
    return offCount > tried / 8 ? 0 : saved - (int64_t)(offCount * 8 * 256);
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

double gca_numbers_find_base(const uint8_t *bytes, size_t count, size_t width, unsigned lowBits) {
    static const double tens[MOST_DIGITS] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    double best = 0;
    // At least a bit a number.
    int64_t most = (int64_t)(count < BASE_SAMPLE ? count : BASE_SAMPLE / 2) * 256;
    if (count < 16) return 0;
    int64_t ordered = ordered_bits(bytes, count, width, lowBits);
    for (size_t i = 0; i <= MOST_DIGITS; i++) {
        double base = i == 0 ? common_power(bytes, count, width) : tens[i - 1];
        if (base == 0) continue;
        int64_t saved = saved_bits(bytes, count, width, base, ordered);
        if (saved <= most) continue;
        most = saved;
        best = base;
    }
    return best;
}
