// Numbers to a precision: within the bound for all bit patterns, the same for all vectors, and unchanged by a second rounding.

#include "CGraphArchiveCases.h"

#include <fenv.h>
#include <math.h>

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/// A number of `width` bytes: of any bits, or of about the size of the step.
static uint64_t random_bits(uint64_t *random, size_t width, double step) {
    uint64_t bits = next_random(random);
    double scaled = step * ((double)(int64_t)next_random(random) / 0x1p63) * ldexp(1, (int)(bits % 60));
    if (bits >> 60 != 0) {
        if (width == 8) memcpy(&bits, &scaled, sizeof bits);
        float single = (float)scaled;
        if (width == 4) memcpy(&bits, &single, sizeof single);
    }
    return width == 4 ? bits & UINT32_MAX : bits;
}

static void check_quantised(size_t width, double step, unsigned bits, uint64_t seed) {
    enum { COUNT = 1003 };
    gca_grid grid;
    CHECK(gca_grid_make(&grid, width, step, bits));
    uint8_t raw[8 * COUNT], codes[8 * COUNT], result[8 * COUNT], again[8 * COUNT], portable[8 * COUNT];
    size_t byteCount = COUNT * width;
    uint64_t random = seed;
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t number = random_bits(&random, width, step);
        if (i < 4) number = grid.threshold - 2 + i;
        memcpy(raw + i * width, &number, width);
    }
    // Half-way between two steps, and next to that.
    for (size_t i = 500; i < 700; i++) {
        double middle = (double)(next_random(&random) >> 11 & (grid.count - 1)) + 0.5, number = middle * step;
        uint64_t near = 0;
        float single = (float)number;
        memcpy(&near, width == 4 ? (void *)&single : (void *)&number, width);
        near += i % 3 - 1;
        near |= (uint64_t)(i & 1) << (8 * width - 1);
        memcpy(raw + i * width, &near, width);
    }
    gca_quantise(portable, raw, byteCount, width, &grid, GCA_VECTORS_NONE);
    for (unsigned vectors = GCA_VECTORS_NONE; vectors <= gca_vectors_best(); vectors++) {
        gca_quantise(codes, raw, byteCount, width, &grid, (gca_vectors)vectors);
        CHECK(memcmp(codes, portable, byteCount) == 0);
        gca_dequantise(result, codes, byteCount, width, &grid, (gca_vectors)vectors);
        gca_quantise(again, result, byteCount, width, &grid, (gca_vectors)vectors);
        CHECK(memcmp(again, codes, byteCount) == 0);
    }
    uint64_t threshold = grid.threshold, sign = (uint64_t)1 << (8 * width - 1);
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t before = 0, after = 0, code = 0;
        memcpy(&before, raw + i * width, width);
        memcpy(&after, result + i * width, width);
        memcpy(&code, codes + i * width, width);
        CHECK((before & sign) == (after & sign) && (code & sign) == (before & sign));
        if ((before & (sign - 1)) >= threshold) {
            CHECK(before == after);
        } else {
            double a = width == 4 ? (double)float_of((uint32_t)before) : double_of(before);
            double b = width == 4 ? (double)float_of((uint32_t)after) : double_of(after);
            // More bits than a filter has: the number of the code is rounded, too.
            double rounding = width == 4 && bits > 17 ? fabs(b) * 0x1p-24 : 0;
            CHECK(fabs(a - b) <= step / 2 / (1 - 0x1p-6) + rounding);
        }
    }
}

static void quantised_numbers_are_within_the_bound(const char *folder) {
    (void)folder;
    for (uint64_t seed = 1; seed < 200; seed++) {
        check_quantised(4, ldexp((double)(1000 + seed) / 1024, (int)(seed % 200) - 120), 17, seed);
        check_quantised(8, ldexp((double)(1000 + seed) / 1024, (int)(seed % 200 * 9) - 900), 44, seed);
        check_quantised(4, 0.01 * (double)seed, 1 + (unsigned)(seed % 17), seed);
    }
    for (unsigned bits = 1; bits <= 22; bits++) check_quantised(4, 0x1p-10 + (double)bits / 3, bits, bits);
    check_quantised(4, 0x1p-10, 22, 7);
    check_quantised(4, 0x1p-143, 17, 7);
    check_quantised(4, 0x1p110, 17, 7);
    check_quantised(8, 0x1p-1022, 44, 7);
    check_quantised(8, 0x1p979, 44, 7);
}

static void codes_have_the_order_of_the_numbers(const char *folder) {
    (void)folder;
    gca_grid grid;
    CHECK(gca_grid_make(&grid, 4, 0.01, 17));
    const float numbers[] = {-INFINITY, -1e30f, -1400, -1300, -0.02f, -0.0f, 0.0f, 0.02f, 1300, 1400, 1e30f, INFINITY};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    int32_t codes[COUNT];
    gca_quantise((uint8_t *)codes, (const uint8_t *)numbers, sizeof numbers, 4, &grid, GCA_VECTORS_NONE);
    for (size_t i = 1; i < COUNT; i++) CHECK(codes[i - 1] < codes[i]);
    CHECK(codes[5] == -1 && codes[6] == 0 && codes[7] == 2);
    // Every code has a number.
    uint32_t any[] = {0x7FFFFFFF, 0x80000000, 0x7F000000, 0xFFFFFFFF}, results[4];
    gca_dequantise((uint8_t *)results, (const uint8_t *)any, sizeof any, 4, &grid, GCA_VECTORS_NONE);
    CHECK((results[0] & 0x80000000) == 0 && (results[1] & 0x80000000) != 0 && results[3] == 0x80000000);
}

/// A process may trap them.
static void quantising_raises_no_exceptions(const char *folder) {
    (void)folder;
    enum { COUNT = 48 };
    const float some[] = {1e20f, -1e20f, 3.4e38f, INFINITY, -INFINITY, NAN, 0.5f, -0.0f};
    const double steps[] = {0.01, 1e-30, 1e30};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        float numbers[COUNT];
        int32_t codes[COUNT];
        gca_grid grid;
        CHECK(gca_grid_make(&grid, 4, steps[i], 17));
        for (size_t j = 0; j < COUNT; j++) numbers[j] = some[j % 8];
        for (unsigned vectors = GCA_VECTORS_NONE; vectors <= gca_vectors_best(); vectors++) {
            feclearexcept(FE_ALL_EXCEPT);
            gca_quantise((uint8_t *)codes, (const uint8_t *)numbers, sizeof numbers, 4, &grid, (gca_vectors)vectors);
            CHECK(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO) == 0);
        }
    }
    feclearexcept(FE_ALL_EXCEPT);
}

static void check_round(const gca_rounding *rounding, uint64_t seed, double bound, bool isRelative) {
    enum { COUNT = 700, STRIDE = 11 };
    size_t width = rounding->width;
    uint8_t raw[8 * COUNT], result[8 * COUNT], apart[STRIDE * COUNT], portable[8 * COUNT];
    fill_random(raw, sizeof raw, seed);
    memcpy(portable, raw, sizeof raw);
    gca_round(portable, COUNT, width, rounding, GCA_VECTORS_NONE);
    for (unsigned vectors = GCA_VECTORS_NONE; vectors <= gca_vectors_best(); vectors++) {
        memcpy(result, raw, sizeof raw);
        gca_round(result, COUNT, width, rounding, (gca_vectors)vectors);
        CHECK(memcmp(result, portable, COUNT * width) == 0);
        memset(apart, 0xEE, sizeof apart);
        for (size_t i = 0; i < COUNT; i++) memcpy(apart + i * STRIDE, raw + i * width, width);
        gca_round(apart, COUNT, STRIDE, rounding, (gca_vectors)vectors);
        for (size_t i = 0; i < COUNT; i++) {
            CHECK(memcmp(apart + i * STRIDE, result + i * width, width) == 0);
            for (size_t j = width; j < STRIDE; j++) CHECK(apart[i * STRIDE + j] == 0xEE);
        }
        gca_round(result, COUNT, width, rounding, (gca_vectors)vectors);
        CHECK(memcmp(result, portable, COUNT * width) == 0);
    }
    if (width == 2) return;
    for (size_t i = 0; i < COUNT; i++) {
        double a, b;
        if (width == 4) {
            float before, after;
            memcpy(&before, raw + 4 * i, 4);
            memcpy(&after, portable + 4 * i, 4);
            a = (double)before, b = (double)after;
        } else {
            memcpy(&a, raw + 8 * i, 8);
            memcpy(&b, portable + 8 * i, 8);
        }
        if (isfinite(a)) {
            CHECK(isfinite(b) && fabs(a - b) <= (isRelative ? fabs(a) * bound : bound));
        } else {
            CHECK(memcmp(raw + width * i, portable + width * i, width) == 0);
        }
    }
}

static void numbers_are_rounded_in_place(const char *folder) {
    (void)folder;
    for (uint64_t seed = 1; seed < 60; seed++) {
        gca_rounding rounding = {.width = 4, .dropped = (uint8_t)(1 + seed % 23)};
        check_round(&rounding, seed, ldexp(1, rounding.dropped - 24), true);
        rounding = (gca_rounding){.width = 8, .dropped = (uint8_t)(1 + seed % 52)};
        check_round(&rounding, seed, ldexp(1, rounding.dropped - 53), true);
        rounding = (gca_rounding){.width = 2, .dropped = (uint8_t)(1 + seed % 10)};
        check_round(&rounding, seed, 0, true);
        rounding = (gca_rounding){.width = 2, .exponent = (int16_t)((int)(seed % 48) - 28)};
        check_round(&rounding, seed, 0, false);
        rounding = (gca_rounding){.width = 4};
        CHECK(gca_grid_make(&rounding.grid, 4, ldexp(1, (int)seed - 30), 22));
        check_round(&rounding, seed, ldexp(1, (int)seed - 31), false);
        rounding.width = 8;
        CHECK(gca_grid_make(&rounding.grid, 8, ldexp(1, (int)seed * 20 - 500), 51));
        check_round(&rounding, seed, ldexp(1, (int)seed * 20 - 501), false);
    }
}

static double half_of(uint16_t bits) {
    double size = (bits & 0x7C00) == 0 ? ldexp(bits & 0x3FF, -24)
                                       : ldexp(0x400 | (bits & 0x3FF), (bits >> 10 & 31) - 25);
    return bits & 0x8000 ? -size : size;
}

static void all_halves_are_within_the_bound(const char *folder) {
    (void)folder;
    static uint16_t halves[65536];
    for (int exponent = -26; exponent < 20; exponent++) {
        for (size_t i = 0; i < 65536; i++) halves[i] = (uint16_t)i;
        const gca_rounding rounding = {.width = 2, .exponent = (int16_t)exponent};
        gca_round((uint8_t *)halves, 65536, 2, &rounding, gca_vectors_best());
        for (size_t i = 0; i < 65536; i++) {
            if ((i & 0x7C00) == 0x7C00) {
                CHECK(halves[i] == i);
            } else {
                CHECK((halves[i] & 0x7C00) != 0x7C00 && (halves[i] & 0x8000) == (i & 0x8000));
                CHECK(fabs(half_of(halves[i]) - half_of((uint16_t)i)) <= ldexp(1, exponent - 1));
            }
        }
    }
    const gca_rounding rounding = {.width = 2, .dropped = 4};
    for (size_t i = 0; i < 65536; i++) halves[i] = (uint16_t)i;
    gca_round((uint8_t *)halves, 65536, 2, &rounding, gca_vectors_best());
    for (size_t i = 0; i < 65536; i++) {
        double number = half_of((uint16_t)i);
        if ((i & 0x7C00) == 0x7C00 || (i & 0x7C00) == 0) {
            CHECK(halves[i] == i);
        } else {
            CHECK(fabs(half_of(halves[i]) - number) <= fabs(number) * 0x1p-7);
        }
    }
}

const test precision_tests[] = {
    {"quantised numbers are within the bound", quantised_numbers_are_within_the_bound},
    {"quantising raises no exceptions", quantising_raises_no_exceptions},
    {"codes have the order of the numbers", codes_have_the_order_of_the_numbers},
    {"numbers are rounded in place", numbers_are_rounded_in_place},
    {"all halves are within the bound", all_halves_are_within_the_bound},
    {NULL, NULL},
};
