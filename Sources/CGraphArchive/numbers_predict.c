// Predictors of blocks of numbers: what they are off by, and back.

#include "numbers_plan.h"

__attribute__((always_inline)) static inline uint64_t predict(const numbers_step *step, const uint8_t *bytes, size_t index,
                                                              size_t width, size_t taps) {
    uint64_t sum = step->half;
    for (size_t i = 0; i < taps; i++) {
        sum += (uint64_t)numbers_load(bytes, index - step->lags[i], width) * (uint64_t)step->factors[i];
    }
    return (uint64_t)((int64_t)sum >> step->shift);
}

/// The step of a phase; `*left` are its phases from this one on.
static size_t find_step(const numbers_plan *plan, size_t phase, size_t *left) {
    size_t step = 0, end = plan->steps[0].count;
    while (end <= phase) end += plan->steps[++step].count;
    *left = end - phase;
    return step;
}

/// What a number is predicted as, wherever it stands.
__attribute__((always_inline)) static inline uint64_t predict_first(const numbers_plan *plan, const uint8_t *bytes, size_t index,
                                                                    size_t width) {
    size_t left;
    const numbers_step *step = &plan->steps[find_step(plan, index % plan->period, &left)];
    uint64_t sum = step->half;
    for (size_t i = 0; i < plan->taps; i++) {
        if (step->lags[i] > index) continue;
        sum += (uint64_t)numbers_load(bytes, index - step->lags[i], width) * (uint64_t)step->factors[i];
    }
    return (uint64_t)((int64_t)sum >> step->shift);
}

/// The first number from `first` on that a loop begins with: behind the farthest lag and, for vectors, where one begins.
static size_t find_start(const numbers_plan *plan, size_t first, size_t end) {
    if (first < plan->farthest) first = plan->farthest;
    if (plan->siteCount > 1) first = (first + 2) / 3 * 3;
    return first < end ? first : end;
}

// MARK: Back

__attribute__((always_inline)) static inline void undo_run(uint8_t *bytes, size_t first, size_t end, size_t width,
                                                           const numbers_plan *plan, size_t taps) {
    size_t left, k = find_step(plan, first % plan->period, &left);
    for (size_t i = first; i < end; k = k + 1 == plan->stepCount ? 0 : k + 1, left = plan->steps[k].count) {
        // In registers, because the numbers that are stored may lie anywhere.
        numbers_step step = plan->steps[k];
        size_t stop = plan->period == 1 || end - i < left ? end : i + left;
        for (; step.isBehindVectors && stop - i >= 3; i += 3) {
            // All three before one is stored.
            uint64_t x = (uint64_t)numbers_load(bytes, i, width) + predict(&step, bytes, i, width, taps);
            uint64_t y = (uint64_t)numbers_load(bytes, i + 1, width) + predict(&step, bytes, i + 1, width, taps);
            uint64_t z = (uint64_t)numbers_load(bytes, i + 2, width) + predict(&step, bytes, i + 2, width, taps);
            numbers_store(bytes, i, x, width);
            numbers_store(bytes, i + 1, y, width);
            numbers_store(bytes, i + 2, z, width);
        }
        for (; i < stop; i++) {
            uint64_t value = (uint64_t)numbers_load(bytes, i, width) + predict(&step, bytes, i, width, taps);
            numbers_store(bytes, i, value, width);
        }
    }
}

/// A predictor whose first taps are the numbers directly in front, which stay in registers.
__attribute__((always_inline)) static inline void undo_near(uint8_t *bytes, size_t first, size_t end, size_t width,
                                                            const numbers_plan *plan, size_t near, size_t taps) {
    numbers_step step = plan->steps[0];
    int64_t before[4] = {0};
    for (size_t k = 0; k < near; k++) before[k] = numbers_load(bytes, first - 1 - k, width);
    int64_t a = before[0], b = before[1], c = before[2], d = before[3];
    for (size_t i = first; i < end; i++) {
        uint64_t sum = step.half;
        for (size_t k = near; k < taps; k++) {
            sum += (uint64_t)numbers_load(bytes, i - step.lags[k], width) * (uint64_t)step.factors[k];
        }
        if (near > 3) sum += (uint64_t)d * (uint64_t)step.factors[3];
        if (near > 2) sum += (uint64_t)c * (uint64_t)step.factors[2];
        if (near > 1) sum += (uint64_t)b * (uint64_t)step.factors[1];
        sum += (uint64_t)a * (uint64_t)step.factors[0];
        uint64_t value = (uint64_t)numbers_load(bytes, i, width) + (uint64_t)((int64_t)sum >> step.shift);
        numbers_store(bytes, i, value, width);
        unsigned left = 64 - 8 * (unsigned)width;
        d = c, c = b, b = a, a = (int64_t)(value << left) >> left;
    }
}

/// The same predictor for all numbers, with the number directly in front. Returns whether it is one.
__attribute__((always_inline)) static inline bool undo_one(uint8_t *bytes, size_t first, size_t end, size_t width,
                                                           const numbers_plan *plan) {
    const size_t *lags = plan->steps[0].lags;
    if (plan->period != 1 || plan->taps == 0 || lags[0] != 1) return false;
    if (first == end) return true;
    size_t near = 1;
    while (near < plan->taps && near < 4 && lags[near] == near + 1) near++;
    switch (near * 16 + plan->taps) {
    case 0x13: undo_near(bytes, first, end, width, plan, 1, 3); return true;
    case 0x22: undo_near(bytes, first, end, width, plan, 2, 2); return true;
    case 0x25: undo_near(bytes, first, end, width, plan, 2, 5); return true;
    case 0x26: undo_near(bytes, first, end, width, plan, 2, 6); return true;
    case 0x44: undo_near(bytes, first, end, width, plan, 4, 4); return true;
    default: return false;
    }
}

/// Undoes numbers wherever they stand. Returns the first one behind them.
__attribute__((always_inline)) static inline size_t undo_first(uint8_t *bytes, size_t first, size_t end, size_t width,
                                                               const numbers_plan *plan) {
    for (; first < end; first++) {
        uint64_t value = (uint64_t)numbers_load(bytes, first, width) + predict_first(plan, bytes, first, width);
        numbers_store(bytes, first, value, width);
    }
    return first;
}

__attribute__((always_inline)) static inline void undo(uint8_t *bytes, size_t first, size_t end, size_t width,
                                                       const numbers_plan *plan) {
    first = undo_first(bytes, first, end < NUMBERS_UNIFORM_FIRST ? end : NUMBERS_UNIFORM_FIRST, width, plan);
    first = gca_numbers_undo_uniform(bytes, first, end, width, plan);
    if (first == end) return;
    first = undo_first(bytes, first, find_start(plan, first, end), width, plan);
    if (width == 4 && plan->areBehindVectors) first = gca_numbers_undo_vectors(bytes, first, end, plan);
    if (undo_one(bytes, first, end, width, plan)) return;
    switch (plan->taps) {
    case 0: return;
    case 1: undo_run(bytes, first, end, width, plan, 1); return;
    case 2: undo_run(bytes, first, end, width, plan, 2); return;
    case 3: undo_run(bytes, first, end, width, plan, 3); return;
    case 4: undo_run(bytes, first, end, width, plan, 4); return;
    case 5: undo_run(bytes, first, end, width, plan, 5); return;
    case 6: undo_run(bytes, first, end, width, plan, 6); return;
    default: undo_run(bytes, first, end, width, plan, plan->taps);
    }
}

void gca_numbers_undo(uint8_t *bytes, size_t first, size_t end, size_t width, const numbers_plan *plan) {
    switch (width) {
    case 1: undo(bytes, first, end, 1, plan); return;
    case 2: undo(bytes, first, end, 2, plan); return;
    case 4: undo(bytes, first, end, 4, plan); return;
    default: undo(bytes, first, end, 8, plan);
    }
}

// MARK: There

__attribute__((always_inline)) static inline void differ_run(uint8_t *restrict off, const uint8_t *restrict bytes, size_t first,
                                                             size_t end, size_t width, const numbers_plan *plan, size_t taps) {
    size_t left, k = find_step(plan, first % plan->period, &left);
    for (size_t i = first; i < end; k = k + 1 == plan->stepCount ? 0 : k + 1, left = plan->steps[k].count) {
        numbers_step step = plan->steps[k];
        size_t stop = plan->period == 1 || end - i < left ? end : i + left;
        for (; i < stop; i++) {
            uint64_t value = (uint64_t)numbers_load(bytes, i, width) - predict(&step, bytes, i, width, taps);
            numbers_store(off, i - first, value, width);
        }
    }
}

__attribute__((always_inline)) static inline void differ(uint8_t *off, const uint8_t *bytes, size_t first, size_t end, size_t width,
                                                         const numbers_plan *plan) {
    if (gca_numbers_differ_uniform(off, bytes, first, end, width, plan)) return;
    for (size_t start = find_start(plan, first, end); first < start; first++, off += width) {
        numbers_store(off, 0, (uint64_t)numbers_load(bytes, first, width) - predict_first(plan, bytes, first, width), width);
    }
    if (width == 4 && plan->siteCount > 0) {
        size_t next = gca_numbers_differ_vectors(off, bytes, first, end, plan);
        off += (next - first) * width;
        first = next;
    }
    switch (plan->taps) {
    case 0: differ_run(off, bytes, first, end, width, plan, 0); return;
    case 1: differ_run(off, bytes, first, end, width, plan, 1); return;
    case 3: differ_run(off, bytes, first, end, width, plan, 3); return;
    case 4: differ_run(off, bytes, first, end, width, plan, 4); return;
    case 5: differ_run(off, bytes, first, end, width, plan, 5); return;
    case 6: differ_run(off, bytes, first, end, width, plan, 6); return;
    default: differ_run(off, bytes, first, end, width, plan, plan->taps);
    }
}

void gca_numbers_differ(uint8_t *off, const uint8_t *bytes, size_t first, size_t end, size_t width, const numbers_plan *plan) {
    switch (width) {
    case 1: differ(off, bytes, first, end, 1, plan); return;
    case 2: differ(off, bytes, first, end, 2, plan); return;
    case 4: differ(off, bytes, first, end, 4, plan); return;
    default: differ(off, bytes, first, end, 8, plan);
    }
}
