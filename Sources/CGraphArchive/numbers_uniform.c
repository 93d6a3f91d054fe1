// One predictor for all numbers, by loops of which compilers make vectors.
//
// Back, it may begin with the number in front, or with the line through the two in front: what its other taps add is found for many numbers
// at once, and then each is a sum.

#include "numbers_plan.h"
#include "vectors.h"

#define INLINED __attribute__((always_inline)) static inline

/// Fewer numbers at once are slower than one after the other.
enum { LEAST_LAG = 16 };

/// Sums that wait for a division, in the nearest cache.
enum { FAR_COUNT = 256 };

/// A predictor without the taps of the numbers in front.
typedef struct far_taps {
    size_t count, least;  ///< The least lag.
    unsigned shift;
    uint64_t half;
    size_t lags[NUMBERS_MOST_TAPS];
    int32_t factors[NUMBERS_MOST_TAPS];
} far_taps;

// MARK: Taps

/// By one instruction of a vector, for numbers of at most 4 bytes.
INLINED uint64_t product(int64_t number, int32_t factor, size_t width) {
    return width < 8 ? (uint64_t)((int64_t)(int32_t)number * factor) : (uint64_t)number * (uint64_t)(int64_t)factor;
}

/// What `count` taps predict of a number, cut to the width. Of a sum of 32 or 64 bits, no more of them are left.
INLINED uint64_t predict(const uint8_t *const before[NUMBERS_MOST_TAPS], const int32_t factors[NUMBERS_MOST_TAPS], size_t i, size_t width,
                         uint64_t half, unsigned shift, size_t count) {
    uint64_t sum = half;
    uint32_t lowerSum = (uint32_t)half;
    for (size_t k = 0; k < count; k++) {
        int64_t number = numbers_load(before[k], i, width);
        if (width <= 2) lowerSum += (uint32_t)number * (uint32_t)factors[k];
        if (width > 2) sum += product(number, factors[k], width);
    }
    if (width == 8) return (uint64_t)((int64_t)sum >> shift);
    return width <= 2 ? lowerSum >> shift : sum >> shift;
}

/// Writes `numberCount` numbers, less or more what `count` taps predict of each: `to` is `from`, or lies elsewhere.
INLINED void apply_taps(uint8_t *restrict to, const uint8_t *from, size_t numberCount, size_t width, const far_taps *taps, size_t count,
                        bool isBack) {
    const uint8_t *before[NUMBERS_MOST_TAPS];
    int32_t factors[NUMBERS_MOST_TAPS];
    uint64_t half = taps->half;
    unsigned shift = taps->shift;
    for (size_t k = 0; k < count; k++) {
        before[k] = from - taps->lags[k] * width;
        factors[k] = taps->factors[k];
    }
    const uint8_t *numbers = isBack ? to : from;
    for (size_t i = 0; i < numberCount; i++) {
        uint64_t number = (uint64_t)numbers_load(numbers, i, width);
        uint64_t predicted = predict(before, factors, i, width, half, shift, count);
        numbers_store(to, i, isBack ? number + predicted : number - predicted, width);
    }
}

/// The same for a number before, or that and how far another one before is from it: without products, for which there are no vectors of
/// 8 bytes.
INLINED void apply_change(uint8_t *restrict to, const uint8_t *from, size_t numberCount, size_t width, const far_taps *taps, size_t count,
                          bool isBack) {
    const uint8_t *numbers = isBack ? to : from;
    const uint8_t *a = from - taps->lags[0] * width, *b = count > 1 ? from - taps->lags[1] * width : from;
    for (size_t i = 0; i < numberCount; i++) {
        uint64_t number = (uint64_t)numbers_load(numbers, i, width), change = (uint64_t)numbers_load(a, i, width);
        if (count > 1) change -= (uint64_t)numbers_load(b, i, width);
        numbers_store(to, i, isBack ? number + change : number - change, width);
    }
}

INLINED void apply(uint8_t *to, const uint8_t *from, size_t numberCount, size_t width, const far_taps *taps, bool isBack) {
    bool isChange = taps->shift == 0 && taps->factors[0] == 1 && (taps->count == 1 || (taps->count == 2 && taps->factors[1] == -1));
    switch (taps->count) {
    case 0:
        // All that is left is half of 2^shift, which is nothing when it is divided.
        if (!isBack) memcpy(to, from, numberCount * width);
        return;
    case 1:
        if (isChange) apply_change(to, from, numberCount, width, taps, 1, isBack);
        if (!isChange) apply_taps(to, from, numberCount, width, taps, 1, isBack);
        return;
    case 2:
        if (isChange) apply_change(to, from, numberCount, width, taps, 2, isBack);
        if (!isChange) apply_taps(to, from, numberCount, width, taps, 2, isBack);
        return;
    case 3: apply_taps(to, from, numberCount, width, taps, 3, isBack); return;
    case 4: apply_taps(to, from, numberCount, width, taps, 4, isBack); return;
    case 5: apply_taps(to, from, numberCount, width, taps, 5, isBack); return;
    case 6: apply_taps(to, from, numberCount, width, taps, 6, isBack); return;
    default: apply_taps(to, from, numberCount, width, taps, taps->count, isBack);
    }
}

// MARK: Back

/// Adds to each number the one in front, as it is then; with `order` 2, how far that is from the one in front of it, too.
INLINED void sum(uint8_t *bytes, size_t first, size_t end, size_t width, size_t order) {
    uint64_t before = (uint64_t)numbers_load(bytes, first - 1, width);
    uint64_t change = order == 2 ? before - (uint64_t)numbers_load(bytes, first - 2, width) : 0;
    for (size_t i = first; i < end; i++) {
        uint64_t off = (uint64_t)numbers_load(bytes, i, width);
        change += off;
        before += order == 2 ? change : off;
        numbers_store(bytes, i, before, width);
    }
}

/// The same for integers of 8 bytes, where the number in front loses what it has in front when it is multiplied by 2^shift: so it cannot be
/// added behind the division.
INLINED void undo_long_sums(uint8_t *bytes, size_t first, size_t end, const far_taps *taps, size_t order) {
    uint64_t far[FAR_COUNT];
    unsigned shift = taps->shift;
    uint64_t before = (uint64_t)numbers_load(bytes, first - 1, 8);
    uint64_t change = order == 2 ? before - (uint64_t)numbers_load(bytes, first - 2, 8) : 0;
    size_t most = taps->least < FAR_COUNT ? taps->least : FAR_COUNT;
    while (first < end) {
        size_t count = end - first < most ? end - first : most;
        for (size_t i = 0; i < count; i++) far[i] = taps->half;
        for (size_t k = 0; k < taps->count; k++) {
            const uint8_t *from = bytes + (first - taps->lags[k]) * 8;
            for (size_t i = 0; i < count; i++) far[i] += product(numbers_load(from, i, 8), taps->factors[k], 8);
        }
        for (size_t i = 0; i < count; i++) {
            uint64_t line = (before + change) << shift;
            uint64_t value = (uint64_t)numbers_load(bytes, first + i, 8) + (uint64_t)((int64_t)(line + far[i]) >> shift);
            if (order == 2) change = value - before;
            before = value;
            numbers_store(bytes, first + i, value, 8);
        }
        first += count;
    }
}

INLINED void undo(uint8_t *bytes, size_t first, size_t end, size_t width, const far_taps *taps, size_t order) {
    if (width == 8 && order > 0 && taps->shift > 0) {
        undo_long_sums(bytes, first, end, taps, order);
        return;
    }
    while (first < end) {
        size_t next = taps->count > 0 && end - first > taps->least ? first + taps->least : end;
        if (taps->count > 0) apply(bytes + first * width, bytes + first * width, next - first, width, taps, true);
        if (order == 1) sum(bytes, first, next, width, 1);
        if (order == 2) sum(bytes, first, next, width, 2);
        first = next;
    }
}

INLINED void undo_all(uint8_t *bytes, size_t first, size_t end, size_t width, const far_taps *taps, size_t order) {
    switch (width) {
    case 1: undo(bytes, first, end, 1, taps, order); return;
    case 2: undo(bytes, first, end, 2, taps, order); return;
    case 4: undo(bytes, first, end, 4, taps, order); return;
    default: undo(bytes, first, end, 8, taps, order);
    }
}

#if defined(GCA_HAS_AVX2)
GCA_FAST_BITS static void undo_fast(uint8_t *bytes, size_t first, size_t end, size_t width, const far_taps *taps, size_t order) {
    undo_all(bytes, first, end, width, taps, order);
}

GCA_AVX512 static void undo_avx512(uint8_t *bytes, size_t first, size_t end, size_t width, const far_taps *taps, size_t order) {
    undo_all(bytes, first, end, width, taps, order);
}
#endif

/// How many taps of a predictor are those of the number in front, or of the line through the two in front.
static size_t find_order(const numbers_step *step, size_t taps) {
    int64_t one = (int64_t)1 << step->shift;
    if (step->lags[0] != 1) return 0;
    if (taps > 1 && step->lags[1] == 2) return step->factors[0] == 2 * one && step->factors[1] == -one ? 2 : 0;
    return step->factors[0] == one ? 1 : 0;
}

/// The taps of the predictor of all numbers from one on, so far as they are no farther than the start of the series. `*end` becomes that of
/// the numbers that have the same.
static far_taps taps_from(const numbers_plan *plan, size_t tap, size_t first, size_t *end) {
    const numbers_step *step = &plan->steps[0];
    far_taps taps = {.least = SIZE_MAX, .shift = step->shift, .half = step->half};
    for (size_t k = tap; k < plan->taps; k++) {
        size_t lag = step->lags[k];
        if (lag > first) {
            if (lag < *end) *end = lag;
            continue;
        }
        taps.lags[taps.count] = lag;
        taps.factors[taps.count++] = (int32_t)step->factors[k];
        if (lag < taps.least) taps.least = lag;
    }
    return taps;
}

static void undo_taps(uint8_t *bytes, size_t first, size_t end, size_t width, const far_taps *taps, size_t order, gca_vectors vectors) {
#if defined(GCA_HAS_AVX2)
    if (vectors >= GCA_VECTORS_AVX512) {
        undo_avx512(bytes, first, end, width, taps, order);
        return;
    }
    if (vectors >= GCA_VECTORS_AVX2 && gca_has_fast_bits()) {
        undo_fast(bytes, first, end, width, taps, order);
        return;
    }
#else
    (void)vectors;
#endif
    undo_all(bytes, first, end, width, taps, order);
}

size_t gca_numbers_undo_uniform(uint8_t *bytes, size_t first, size_t end, size_t width, const numbers_plan *plan) {
    if (plan->period != 1 || plan->taps == 0 || first < NUMBERS_UNIFORM_FIRST) return first;
    size_t order = find_order(&plan->steps[0], plan->taps);
    while (first < end) {
        size_t stop = end;
        far_taps taps = taps_from(plan, order, first, &stop);
        if (taps.least < LEAST_LAG) break;
        undo_taps(bytes, first, stop, width, &taps, order, plan->vectors);
        first = stop;
    }
    return first;
}

// MARK: There

INLINED void differ_all(uint8_t *off, const uint8_t *numbers, size_t count, size_t width, const far_taps *taps) {
    switch (width) {
    case 1: apply(off, numbers, count, 1, taps, false); return;
    case 2: apply(off, numbers, count, 2, taps, false); return;
    case 4: apply(off, numbers, count, 4, taps, false); return;
    default: apply(off, numbers, count, 8, taps, false);
    }
}

#if defined(GCA_HAS_AVX2)
GCA_FAST_BITS static void differ_fast(uint8_t *off, const uint8_t *numbers, size_t count, size_t width, const far_taps *taps) {
    differ_all(off, numbers, count, width, taps);
}

GCA_AVX512 static void differ_avx512(uint8_t *off, const uint8_t *numbers, size_t count, size_t width, const far_taps *taps) {
    differ_all(off, numbers, count, width, taps);
}
#endif

static void differ_taps(uint8_t *off, const uint8_t *numbers, size_t count, size_t width, const far_taps *taps, gca_vectors vectors) {
#if defined(GCA_HAS_AVX2)
    if (vectors >= GCA_VECTORS_AVX512) {
        differ_avx512(off, numbers, count, width, taps);
        return;
    }
    if (vectors >= GCA_VECTORS_AVX2 && gca_has_fast_bits()) {
        differ_fast(off, numbers, count, width, taps);
        return;
    }
#else
    (void)vectors;
#endif
    differ_all(off, numbers, count, width, taps);
}

bool gca_numbers_differ_uniform(uint8_t *off, const uint8_t *bytes, size_t first, size_t end, size_t width, const numbers_plan *plan) {
    if (plan->period != 1) return false;
    while (first < end) {
        size_t stop = end;
        far_taps taps = taps_from(plan, 0, first, &stop);
        differ_taps(off, bytes + first * width, stop - first, width, &taps, plan->vectors);
        off += (stop - first) * width;
        first = stop;
    }
    return true;
}
