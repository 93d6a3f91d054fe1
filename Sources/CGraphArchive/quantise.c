// Floating-point numbers to a precision: as multiples of a step, or with fewer bits of mantissa.
//
// A number below a threshold is stored as the nearest number of steps. From the threshold on, a number keeps its bits, minus
// those of the threshold, so that the codes continue without a gap, in the order of the numbers, and include infinities and NaN.
// The sign inverts all bits of a code: -0.0 is -1. Only additions, multiplications and comparisons are used, whose results IEEE
// 754 fixes, so all vectors give the same bits. No product may be fused with a sum.

#include "CGraphArchive.h"
#include "vectors512.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

// Anything of the caller's, at any address.
typedef uint16_t u16 __attribute__((aligned(1), may_alias));
typedef uint32_t u32 __attribute__((aligned(1), may_alias));
typedef uint64_t u64 __attribute__((aligned(1), may_alias));

static inline float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// 2^52: adding it to a smaller non-negative number leaves the nearest integer in the lower 52 bits.
static const uint64_t ROUNDER = 0x4330000000000000u;

bool gca_grid_make(gca_grid *grid, size_t width, double step, unsigned bits) {
    if (!(step >= 0x1p-1022 && step <= 0x1p1000)) return false;
    grid->step = step;
    grid->inverse = 1 / step;
    grid->count = (uint64_t)1 << (bits & 63);
    double threshold = (double)grid->count * step;
    if (width == 4 && bits >= 1 && bits <= 22) {
        // Normal and finite: such a threshold has more numbers below it than codes.
        if (!(threshold >= 0x1p-126 && threshold <= 0x1p127)) return false;
        grid->threshold = bits_of_float((float)threshold);
        return true;
    }
    if (width == 8 && bits >= 1 && bits <= 51) {
        if (!(threshold >= 0x1p-1022 && threshold <= 0x1p1023)) return false;
        grid->threshold = bits_of_double(threshold);
        return true;
    }
    return false;
}

double gca_step(double bound) { return bound * 0x1.F8p0; }

// MARK: Loops

// The compiler vectorizes them, once for every processor and once with AVX2. Adding and subtracting `rounder` gives the nearest
// integer, ties to even.
#define LOOPS(form, attributes)                                                                              \
    attributes static void quantise4_##form(u32 *restrict dst, const u32 *restrict src, size_t count,        \
                                            const gca_grid *grid) {                                          \
        double inverse = grid->inverse, rounder = double_of(ROUNDER);                                        \
        int32_t threshold = (int32_t)grid->threshold, shift = (int32_t)grid->count - threshold;              \
        for (size_t i = 0; i < count; i++) {                                                                 \
            int32_t bits = (int32_t)src[i], size = bits & 0x7FFFFFFF;                                        \
            double scaled = (double)float_of((uint32_t)size) * inverse;                                      \
            int32_t steps = (int32_t)(uint32_t)bits_of_double(scaled + rounder);                             \
            dst[i] = (uint32_t)((size < threshold ? steps : size + shift) ^ (bits >> 31));                   \
        }                                                                                                    \
    }                                                                                                        \
    attributes static void dequantise4_##form(u32 *restrict dst, const u32 *restrict src, size_t count,      \
                                              const gca_grid *grid) {                                        \
        double step = grid->step;                                                                            \
        int32_t most = (int32_t)grid->count;                                                                 \
        uint32_t shift = (uint32_t)grid->threshold - (uint32_t)grid->count;                                  \
        for (size_t i = 0; i < count; i++) {                                                                 \
            int32_t code = (int32_t)src[i], size = code ^ (code >> 31);                                      \
            uint32_t near = bits_of_float((float)((double)size * step));                                     \
            uint32_t far = ((uint32_t)size + shift) & 0x7FFFFFFFu;                                           \
            dst[i] = (size <= most ? near : far) | ((uint32_t)code & 0x80000000u);                           \
        }                                                                                                    \
    }                                                                                                        \
    attributes static void quantise8_##form(u64 *restrict dst, const u64 *restrict src, size_t count,        \
                                            const gca_grid *grid) {                                          \
        double inverse = grid->inverse, rounder = double_of(ROUNDER);                                        \
        int64_t threshold = (int64_t)grid->threshold, shift = (int64_t)grid->count - threshold;              \
        for (size_t i = 0; i < count; i++) {                                                                 \
            int64_t bits = (int64_t)src[i], size = bits & 0x7FFFFFFFFFFFFFFF;                                \
            double scaled = double_of((uint64_t)size) * inverse;                                             \
            int64_t steps = (int64_t)(bits_of_double(scaled + rounder) - ROUNDER);                           \
            dst[i] = (uint64_t)((size < threshold ? steps : size + shift) ^ (bits >> 63));                   \
        }                                                                                                    \
    }                                                                                                        \
    attributes static void dequantise8_##form(u64 *restrict dst, const u64 *restrict src, size_t count,      \
                                              const gca_grid *grid) {                                        \
        double step = grid->step, rounder = double_of(ROUNDER);                                              \
        int64_t most = (int64_t)grid->count;                                                                 \
        uint64_t shift = grid->threshold - grid->count;                                                      \
        for (size_t i = 0; i < count; i++) {                                                                 \
            int64_t code = (int64_t)src[i], size = code ^ (code >> 63);                                      \
            double steps = double_of(((uint64_t)size & 0xFFFFFFFFFFFFFu) | ROUNDER) - rounder;               \
            uint64_t near = bits_of_double(steps * step);                                                    \
            uint64_t far = ((uint64_t)size + shift) & 0x7FFFFFFFFFFFFFFFu;                                   \
            dst[i] = (size <= most ? near : far) | ((uint64_t)code & 0x8000000000000000u);                   \
        }                                                                                                    \
    }                                                                                                        \
    attributes static void shorten4_##form(u32 *dst, const u32 *src, size_t count, unsigned dropped) {       \
        uint32_t odd = (uint32_t)1 << dropped, half = (odd >> 1) - 1, mask = ~(odd - 1);                     \
        for (size_t i = 0; i < count; i++) {                                                                 \
            uint32_t bits = src[i], exponent = bits & 0x7F800000u;                                           \
            uint32_t rounded = (bits + half + (bits >> dropped & 1)) & mask;                                 \
            bool stays = exponent == 0 || exponent == 0x7F800000u || (rounded & 0x7F800000u) == 0x7F800000u; \
            dst[i] = stays ? bits : rounded;                                                                 \
        }                                                                                                    \
    }                                                                                                        \
    attributes static void shorten8_##form(u64 *dst, const u64 *src, size_t count, unsigned dropped) {       \
        uint64_t odd = (uint64_t)1 << dropped, half = (odd >> 1) - 1, mask = ~(odd - 1);                     \
        const uint64_t infinite = 0x7FF0000000000000u;                                                       \
        for (size_t i = 0; i < count; i++) {                                                                 \
            uint64_t bits = src[i], exponent = bits & infinite;                                              \
            uint64_t rounded = (bits + half + (bits >> dropped & 1)) & mask;                                 \
            bool stays = exponent == 0 || exponent == infinite || (rounded & infinite) == infinite;          \
            dst[i] = stays ? bits : rounded;                                                                 \
        }                                                                                                    \
    }

LOOPS(plain, )
#if defined(GCA_HAS_AVX2)
LOOPS(avx2, __attribute__((target("avx2"))))
LOOPS(avx512, GCA_AVX512)
#define CALL(function, ...)                                                    \
    (vectors >= GCA_VECTORS_AVX512 ? function##_avx512(__VA_ARGS__)            \
         : vectors >= GCA_VECTORS_AVX2 ? function##_avx2(__VA_ARGS__) : function##_plain(__VA_ARGS__))
#else
#define CALL(function, ...) ((void)vectors, function##_plain(__VA_ARGS__))
#endif

// MARK: In single precision

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)

/// Quantises 16 numbers at a time in single precision, as far as it is clear that the codes are those of the loop above.
///
/// Returns how many are done. A product in single precision is within one of the number of steps. The remainder of the number
/// after that many steps is exact but for 2^-22 of a step: the inverse is the sum of two numbers of single precision to 2^-48 of
/// itself, there are at most 2^22 steps, and both products are fused with the sums. Where less than half a step is left, the
/// nearest number of steps was found.
GCA_AVX512 static size_t quantise4_while_clear(u32 *dst, const u32 *src, size_t count, const gca_grid *grid) {
    float inverse = (float)grid->inverse, correction = (float)(grid->inverse - (double)inverse);
    const __m512 high = _mm512_set1_ps(inverse), low = _mm512_set1_ps(correction);
    const __m512 half = _mm512_set1_ps(0.5f - 0x1p-16f);
    const __m512i most = _mm512_set1_epi32(0x7FFFFFFF), threshold = _mm512_set1_epi32((int32_t)grid->threshold);
    size_t done = 0;
    for (; done + 16 <= count; done += 16) {
        __m512i bits = _mm512_loadu_si512(src + done);
        // Before any arithmetic, because large numbers and NaN raise exceptions, which a process may trap.
        if (_mm512_cmplt_epi32_mask(_mm512_and_si512(bits, most), threshold) != 0xFFFF) break;
        __m512 numbers = _mm512_castsi512_ps(bits);
        __m512i steps = _mm512_cvtps_epi32(_mm512_mul_ps(numbers, high));
        __m512 left = _mm512_fmadd_ps(numbers, low, _mm512_fmsub_ps(numbers, high, _mm512_cvtepi32_ps(steps)));
        if (_mm512_cmp_ps_mask(_mm512_abs_ps(left), half, _CMP_LT_OQ) != 0xFFFF) break;
        _mm512_storeu_si512(dst + done, _mm512_add_epi32(steps, _mm512_srai_epi32(bits, 31)));
    }
    return done;
}

static void quantise4_in_single(u32 *dst, const u32 *src, size_t count, const gca_grid *grid) {
    // So that the correction is neither infinite nor subnormal; a process may flush subnormals to zero.
    bool isSingle = grid->inverse > 0x1p-80 && grid->inverse < 0x1p127;
    while (count > 0) {
        size_t done = isSingle ? quantise4_while_clear(dst, src, count, grid) : 0;
        // If one number is not clear, many may not be.
        size_t most = done > 0 ? 16 : 256, exact = count - done < most ? count - done : most;
        quantise4_avx512(dst + done, src + done, exact, grid);
        dst += done + exact;
        src += done + exact;
        count -= done + exact;
    }
}
#endif

// MARK: The choice

static void quantise4(u32 *dst, const u32 *src, size_t count, const gca_grid *grid, gca_vectors vectors) {
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)
    if (vectors >= GCA_VECTORS_AVX512) {
        quantise4_in_single(dst, src, count, grid);
        return;
    }
#endif
    CALL(quantise4, dst, src, count, grid);
}

static void copy_rest(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width) {
    size_t rest = byteCount % width;
    if (rest != 0 && dst != src) memcpy(dst + byteCount - rest, src + byteCount - rest, rest);
}

void gca_quantise(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width, const gca_grid *grid,
                  gca_vectors vectors) {
    if (width == 4) {
        quantise4((u32 *)dst, (const u32 *)src, byteCount / 4, grid, vectors);
    } else {
        CALL(quantise8, (u64 *)dst, (const u64 *)src, byteCount / 8, grid);
    }
    copy_rest(dst, src, byteCount, width);
}

void gca_dequantise(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width, const gca_grid *grid,
                    gca_vectors vectors) {
    if (width == 4) {
        CALL(dequantise4, (u32 *)dst, (const u32 *)src, byteCount / 4, grid);
    } else {
        CALL(dequantise8, (u64 *)dst, (const u64 *)src, byteCount / 8, grid);
    }
    copy_rest(dst, src, byteCount, width);
}

// MARK: In place

// A number of 16 bits is a multiple of 2^-24; here, the nearest one of 2^exponent, ties to even.
static uint16_t snapped2(uint16_t bits, int exponent) {
    unsigned size = bits & 0x7FFFu, dropped = (unsigned)(exponent + 24);
    if (exponent <= -24 || size >= 0x7C00u) return bits;
    uint64_t units = size < 0x400u ? size : (uint64_t)(0x400u | (size & 0x3FFu)) << ((size >> 10) - 1);
    if (dropped > 41) return bits & 0x8000u;
    uint64_t half = ((uint64_t)1 << (dropped - 1)) - 1;
    units = (units + half + (units >> dropped & 1)) >> dropped << dropped;
    unsigned shift = 0;
    while (units >> shift > 0x7FFu) shift++;
    // Normal numbers have bit 10, which adds 1 to the exponent.
    size = (shift << 10) + (unsigned)(units >> shift);
    return size >= 0x7C00u ? bits : (uint16_t)((bits & 0x8000u) | size);
}

static uint16_t shortened2(uint16_t bits, unsigned dropped) {
    uint32_t odd = (uint32_t)1 << dropped, exponent = bits & 0x7C00u;
    uint32_t rounded = (bits + (odd >> 1) - 1 + (bits >> dropped & 1u)) & ~(odd - 1);
    return exponent == 0 || exponent == 0x7C00u || (rounded & 0x7C00u) == 0x7C00u ? bits : (uint16_t)rounded;
}

enum { MOST_AT_ONCE = 256 };

static void round_run(u64 *dst, const u64 *src, size_t count, const gca_rounding *rounding,
                      gca_vectors vectors) {
    u64 codes[MOST_AT_ONCE];
    size_t width = rounding->width, byteCount = count * width;
    if (width == 2) {
        for (size_t i = 0; i < count; i++) {
            uint16_t bits = ((const u16 *)src)[i];
            ((u16 *)dst)[i] = rounding->dropped != 0 ? shortened2(bits, rounding->dropped)
                                                     : snapped2(bits, rounding->exponent);
        }
    } else if (rounding->dropped == 0) {
        gca_quantise((uint8_t *)codes, (const uint8_t *)src, byteCount, width, &rounding->grid, vectors);
        gca_dequantise((uint8_t *)dst, (const uint8_t *)codes, byteCount, width, &rounding->grid, vectors);
    } else if (width == 4) {
        CALL(shorten4, (u32 *)dst, (const u32 *)src, count, rounding->dropped);
    } else {
        CALL(shorten8, dst, src, count, rounding->dropped);
    }
}

void gca_round(uint8_t *bytes, size_t count, size_t stride, const gca_rounding *rounding,
               gca_vectors vectors) {
    u64 numbers[MOST_AT_ONCE], rounded[MOST_AT_ONCE];
    size_t width = rounding->width;
    while (count > 0) {
        size_t run = count < MOST_AT_ONCE ? count : MOST_AT_ONCE;
        if (stride == width) {
            memcpy(numbers, bytes, run * width);
        } else {
            for (size_t i = 0; i < run; i++) memcpy((uint8_t *)numbers + i * width, bytes + i * stride, width);
        }
        round_run(rounded, numbers, run, rounding, vectors);
        if (stride == width) {
            memcpy(bytes, rounded, run * width);
        } else {
            for (size_t i = 0; i < run; i++) memcpy(bytes + i * stride, (uint8_t *)rounded + i * width, width);
        }
        bytes += run * stride;
        count -= run;
    }
}

static double number_of(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

bool gca_filter_grid(gca_grid *grid, const gca_filter *filter) {
    // The error is within the argument for this many bits; see the decision on filters.
    if (filter->parameter > (filter->width == 4 ? 17u : 44u)) return false;
    return gca_grid_make(grid, filter->width, gca_step(number_of(filter->argument)), filter->parameter);
}
