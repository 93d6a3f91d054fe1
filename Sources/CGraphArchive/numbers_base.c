// The base of which floating-point numbers are multiples, if there is one.

#include "numbers_writing.h"

#include <math.h>

enum { BASE_SAMPLE = 512, MOST_DIGITS = 9 };

static double load(const uint8_t *bytes, size_t index, size_t width) {
    if (width == 4) {
        float value;
        memcpy(&value, bytes + index * 4, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, bytes + index * 8, sizeof value);
    return value;
}

int64_t gca_numbers_factor(double value, double base, size_t width) {
    double factor = rint(value / base), most = width == 4 ? 0x1p30 : 0x1p52;
    // False for NaN, too, which is far off any multiple.
    return factor >= -most && factor <= most ? (int64_t)factor : 0;
}

int64_t gca_numbers_remainder(const uint8_t *bytes, size_t index, double base, size_t width, int64_t *factor) {
    *factor = gca_numbers_factor(load(bytes, index, width), base, width);
    int64_t ordered = numbers_order(numbers_load(bytes, index, width), width);
    unsigned left = 64 - 8 * (unsigned)width;
    return (int64_t)((uint64_t)(ordered - numbers_multiple(*factor, base, width)) << left) >> left;
}

/// About how many bits more the differences of neighbours take than the differences of their factors and what these are off by, 2^8
/// times, over the sample.
static int64_t saved_bits(const uint8_t *bytes, size_t count, size_t width, double base) {
    size_t step = count / BASE_SAMPLE + 1;
    int64_t saved = 0;
    size_t tried = 0, offCount = 0;
    for (size_t i = 1; i < count; i += step) {
        int64_t before, factor;
        gca_numbers_remainder(bytes, i - 1, base, width, &before);
        int64_t off = gca_numbers_remainder(bytes, i, base, width, &factor);
        uint64_t difference = (uint64_t)numbers_order(numbers_load(bytes, i, width), width)
            - (uint64_t)numbers_order(numbers_load(bytes, i - 1, width), width);
        unsigned left = 64 - 8 * (unsigned)width;
        saved += numbers_bits_of((int64_t)(difference << left) >> left);
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

double gca_numbers_find_base(const uint8_t *bytes, size_t count, size_t width) {
    static const double tens[MOST_DIGITS] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    double best = 0;
    // At least a bit a number.
    int64_t most = (int64_t)(count < BASE_SAMPLE ? count : BASE_SAMPLE / 2) * 256;
    if (count < 16) return 0;
    for (size_t i = 0; i <= MOST_DIGITS; i++) {
        double base = i == 0 ? common_power(bytes, count, width) : tens[i - 1];
        if (base == 0) continue;
        int64_t saved = saved_bits(bytes, count, width, base);
        if (saved <= most) continue;
        most = saved;
        best = base;
    }
    return best;
}
