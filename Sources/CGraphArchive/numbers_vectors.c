// Predictors of vectors of three numbers of 4 bytes, one vector at a time, where a processor has AVX2.
//
// A vector of 4 integers of 8 bytes has the three numbers and the next one, which is predicted as 0 and so stays what it is.

#include "numbers_plan.h"
#include "vectors.h"

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)

#include <immintrin.h>

#define KERNEL __attribute__((target("avx2")))
#define INLINED __attribute__((always_inline)) static inline

INLINED KERNEL __m256i load(const uint8_t *bytes, size_t index) {
    return _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(bytes + index * 4)));
}

/// Stores the lower halves.
INLINED KERNEL void store(uint8_t *bytes, size_t index, __m256i value) {
    const __m256i places = _mm256_setr_epi32(0, 2, 4, 6, 0, 0, 0, 0);
    __m128i stored = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(value, places));
    _mm_storeu_si128((__m128i *)(void *)(bytes + index * 4), stored);
}

/// The product of the lower halves, which have a sign.
INLINED KERNEL __m256i times(__m256i value, const int64_t *factors) {
    return _mm256_mul_epi32(value, _mm256_loadu_si256((const __m256i *)(const void *)factors));
}

INLINED KERNEL __m256i taps_from(size_t tap, size_t taps, __m256i sum, const uint8_t *bytes, size_t index, const size_t *lags,
                                 const numbers_site *site) {
    for (; tap < taps; tap++) sum = _mm256_add_epi64(sum, times(load(bytes, index - lags[tap]), site->factors[tap]));
    return sum;
}

/// The lower half of a sum that is divided needs no sign: a predictor's shift is less than 32.
INLINED KERNEL __m256i divided(__m256i sum, const numbers_site *site) {
    return _mm256_srl_epi64(sum, _mm_cvtsi64_si128((long long)site->shift));
}

INLINED KERNEL __m256i half_of(const numbers_site *site) {
    return _mm256_loadu_si256((const __m256i *)(const void *)site->half);
}

// MARK: Back

/// The vectors in front stay in registers, because a load that takes parts of two stores waits for both.
INLINED KERNEL size_t undo(uint8_t *bytes, size_t i, size_t end, const numbers_plan *plan, size_t near, size_t taps) {
    size_t lags[NUMBERS_MOST_TAPS], siteCount = plan->siteCount, site = siteCount == 1 ? 0 : i % plan->period / 3;
    memcpy(lags, plan->lags, sizeof lags);
    if (i + 4 > end) return i;
    const __m256i zero = _mm256_setzero_si256();
    __m256i a = near > 0 ? load(bytes, i - 3) : zero, b = near > 1 ? load(bytes, i - 6) : zero;
    __m256i c = near > 2 ? load(bytes, i - 9) : zero, d = near > 3 ? load(bytes, i - 12) : zero;
    __m256i next = load(bytes, i);
    for (; i + 7 <= end; i += 3) {
        const numbers_site *now = &plan->sites[site];
        __m256i off = next, sum = taps_from(near, taps, half_of(now), bytes, i, lags, now);
        if (near > 3) sum = _mm256_add_epi64(sum, times(d, now->factors[3]));
        if (near > 2) sum = _mm256_add_epi64(sum, times(c, now->factors[2]));
        if (near > 1) sum = _mm256_add_epi64(sum, times(b, now->factors[1]));
        if (near > 0) sum = _mm256_add_epi64(sum, times(a, now->factors[0]));
        __m256i value = _mm256_add_epi64(off, divided(sum, now));
        // Before the store, which has the first of these numbers, too.
        next = load(bytes, i + 3);
        store(bytes, i, value);
        d = c, c = b, b = a, a = value;
        site = site + 1 == siteCount ? 0 : site + 1;
    }
    return i;
}

KERNEL size_t gca_numbers_undo_vectors(uint8_t *bytes, size_t first, size_t end, const numbers_plan *plan) {
    switch (plan->near * 16 + plan->taps) {
    case 0x01: return undo(bytes, first, end, plan, 0, 1);
    case 0x11: return undo(bytes, first, end, plan, 1, 1);
    case 0x13: return undo(bytes, first, end, plan, 1, 3);
    case 0x22: return undo(bytes, first, end, plan, 2, 2);
    case 0x25: return undo(bytes, first, end, plan, 2, 5);
    case 0x26: return undo(bytes, first, end, plan, 2, 6);
    case 0x44: return undo(bytes, first, end, plan, 4, 4);
    default: return undo(bytes, first, end, plan, plan->near, plan->taps);
    }
}

// MARK: There

INLINED KERNEL size_t differ(uint8_t *off, const uint8_t *bytes, size_t i, size_t end, const numbers_plan *plan, size_t taps) {
    size_t lags[NUMBERS_MOST_TAPS], siteCount = plan->siteCount, site = siteCount == 1 ? 0 : i % plan->period / 3;
    memcpy(lags, plan->lags, sizeof lags);
    for (; i + 4 <= end; i += 3, off += 12) {
        const numbers_site *now = &plan->sites[site];
        __m256i sum = taps_from(0, taps, half_of(now), bytes, i, lags, now);
        store(off, 0, _mm256_sub_epi64(load(bytes, i), divided(sum, now)));
        site = site + 1 == siteCount ? 0 : site + 1;
    }
    return i;
}

KERNEL size_t gca_numbers_differ_vectors(uint8_t *off, const uint8_t *bytes, size_t first, size_t end, const numbers_plan *plan) {
    switch (plan->taps) {
    case 1: return differ(off, bytes, first, end, plan, 1);
    case 2: return differ(off, bytes, first, end, plan, 2);
    case 3: return differ(off, bytes, first, end, plan, 3);
    case 4: return differ(off, bytes, first, end, plan, 4);
    case 5: return differ(off, bytes, first, end, plan, 5);
    case 6: return differ(off, bytes, first, end, plan, 6);
    default: return differ(off, bytes, first, end, plan, plan->taps);
    }
}

#else

size_t gca_numbers_undo_vectors(uint8_t *bytes, size_t first, size_t end, const numbers_plan *plan) {
    (void)bytes, (void)end, (void)plan;
    return first;
}

size_t gca_numbers_differ_vectors(uint8_t *off, const uint8_t *bytes, size_t first, size_t end, const numbers_plan *plan) {
    (void)off, (void)bytes, (void)end, (void)plan;
    return first;
}

#endif
