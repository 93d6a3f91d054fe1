// Predictors of blocks of numbers: what they are off by, and back.

#include "numbers.h"

/// How far back the predictors of a model look.
static size_t farthest_lag(const numbers_series *series, const numbers_model *model) {
    size_t farthest = 0;
    for (size_t phase = 0; phase < model->period; phase++) {
        const numbers_predictor *predictor = &series->predictors[model->predictors[phase]];
        for (size_t i = 0; i < predictor->count; i++) {
            if (predictor->taps[i].lag > farthest) farthest = predictor->taps[i].lag;
        }
    }
    return farthest;
}

/// A predictor in a form for loops, with as many taps as the others of its model.
typedef struct numbers_step {
    size_t count;   ///< Of phases in a row that have it.
    unsigned shift;
    bool isBehindVectors;  ///< All lags are at least 3.
    uint64_t half;
    size_t lags[NUMBERS_MOST_TAPS];
    int64_t factors[NUMBERS_MOST_TAPS];
} numbers_step;

/// The predictors of a model, in the order of the numbers from the first one of a range on.
typedef struct numbers_plan {
    size_t stepCount, taps, period;
    numbers_step steps[NUMBERS_MOST_PERIOD + 1];
} numbers_plan;

static void make_step(numbers_step *step, const numbers_predictor *predictor, size_t taps, size_t farthest) {
    step->count = 0;
    step->isBehindVectors = true;
    step->shift = predictor->shift;
    step->half = predictor->shift == 0 ? 0 : (uint64_t)1 << (predictor->shift - 1);
    for (size_t i = 0; i < taps; i++) {
        bool isTap = i < predictor->count;
        // A range that has a plan is behind the farthest lag, so there is a number in front of it.
        step->lags[i] = isTap ? predictor->taps[i].lag : farthest;
        step->factors[i] = isTap ? predictor->taps[i].factor : 0;
        if (step->lags[i] < 3) step->isBehindVectors = false;
    }
}

static void make_plan(numbers_plan *plan, const numbers_series *series, const numbers_model *model, size_t first,
                      size_t farthest) {
    plan->stepCount = plan->taps = 0;
    plan->period = model->period;
    for (size_t phase = 0; phase < model->period; phase++) {
        size_t count = series->predictors[model->predictors[phase]].count;
        if (count > plan->taps) plan->taps = count;
    }
    size_t phase = first % model->period, last = NUMBERS_MOST_PREDICTORS;
    for (size_t i = 0; i < model->period; i++) {
        if (model->predictors[phase] != last) {
            last = model->predictors[phase];
            make_step(&plan->steps[plan->stepCount++], &series->predictors[last], plan->taps, farthest);
        }
        plan->steps[plan->stepCount - 1].count++;
        phase = phase + 1 == model->period ? 0 : phase + 1;
    }
}

__attribute__((always_inline)) static inline uint64_t predict(const numbers_step *step, const uint8_t *bytes, size_t index,
                                                              size_t width, size_t taps) {
    uint64_t sum = step->half;
    for (size_t i = 0; i < taps; i++) {
        sum += (uint64_t)numbers_load(bytes, index - step->lags[i], width) * (uint64_t)step->factors[i];
    }
    return (uint64_t)((int64_t)sum >> step->shift);
}

// MARK: Back

__attribute__((always_inline)) static inline void undo_run(uint8_t *bytes, size_t first, size_t end, size_t width,
                                                           const numbers_plan *plan, size_t taps) {
    for (size_t k = 0, i = first; i < end; k = k + 1 == plan->stepCount ? 0 : k + 1) {
        // In registers, because the numbers that are stored may lie anywhere.
        numbers_step step = plan->steps[k];
        size_t stop = plan->period == 1 || end - i < step.count ? end : i + step.count;
        if (step.isBehindVectors && stop - i == 3) {
            // All three before one is stored.
            uint64_t x = (uint64_t)numbers_load(bytes, i, width) + predict(&step, bytes, i, width, taps);
            uint64_t y = (uint64_t)numbers_load(bytes, i + 1, width) + predict(&step, bytes, i + 1, width, taps);
            uint64_t z = (uint64_t)numbers_load(bytes, i + 2, width) + predict(&step, bytes, i + 2, width, taps);
            numbers_store(bytes, i, x, width);
            numbers_store(bytes, i + 1, y, width);
            numbers_store(bytes, i + 2, z, width);
            i = stop;
        }
        for (; i < stop; i++) {
            uint64_t value = (uint64_t)numbers_load(bytes, i, width) + predict(&step, bytes, i, width, taps);
            numbers_store(bytes, i, value, width);
        }
    }
}

/// One tap, or those of a parallelogram, without a shift: by additions.
__attribute__((always_inline)) static inline bool undo_sums(uint8_t *bytes, size_t first, size_t end, size_t width,
                                                            const numbers_predictor *predictor) {
    const numbers_tap *taps = predictor->taps;
    if (predictor->shift != 0 || taps[0].factor != 1) return false;
    size_t a = taps[0].lag, b = taps[1].lag, c = taps[2].lag;
    if (predictor->count == 1) {
        for (size_t i = first; i < end; i++) {
            numbers_store(bytes, i, (uint64_t)numbers_load(bytes, i, width) + (uint64_t)numbers_load(bytes, i - a, width), width);
        }
        return true;
    }
    if (predictor->count != 3 || taps[1].factor != 1 || taps[2].factor != -1) return false;
    for (size_t i = first; i < end; i++) {
        uint64_t sum = (uint64_t)numbers_load(bytes, i, width) + (uint64_t)numbers_load(bytes, i - a, width)
            + (uint64_t)numbers_load(bytes, i - b, width) - (uint64_t)numbers_load(bytes, i - c, width);
        numbers_store(bytes, i, sum, width);
    }
    return true;
}

__attribute__((always_inline)) static inline void undo_page(uint8_t *bytes, size_t first, size_t end, size_t width,
                                                            const numbers_series *series, const numbers_model *model) {
    const numbers_predictor *only = &series->predictors[model->predictors[0]];
    if (model->period == 1 && only->count == 0) return;
    size_t farthest = farthest_lag(series, model);
    for (; first < end && (first < farthest || first == 0); first++) {
        const numbers_predictor *predictor = &series->predictors[model->predictors[first % model->period]];
        uint64_t value = (uint64_t)numbers_load(bytes, first, width) + numbers_predict(predictor, bytes, first, width);
        numbers_store(bytes, first, value, width);
    }
    if (model->period == 1 && undo_sums(bytes, first, end, width, only)) return;
    numbers_plan plan;
    make_plan(&plan, series, model, first, farthest);
    switch (plan.taps) {
    case 0: return;
    case 1: undo_run(bytes, first, end, width, &plan, 1); return;
    case 2: undo_run(bytes, first, end, width, &plan, 2); return;
    case 3: undo_run(bytes, first, end, width, &plan, 3); return;
    case 4: undo_run(bytes, first, end, width, &plan, 4); return;
    case 5: undo_run(bytes, first, end, width, &plan, 5); return;
    case 6: undo_run(bytes, first, end, width, &plan, 6); return;
    default: undo_run(bytes, first, end, width, &plan, plan.taps);
    }
}

void gca_numbers_undo_page(uint8_t *bytes, size_t first, size_t end, size_t width, const numbers_series *series,
                       const numbers_model *model) {
    switch (width) {
    case 1: undo_page(bytes, first, end, 1, series, model); return;
    case 2: undo_page(bytes, first, end, 2, series, model); return;
    case 4: undo_page(bytes, first, end, 4, series, model); return;
    default: undo_page(bytes, first, end, 8, series, model);
    }
}

// MARK: There

/// An integer cut to the width, with its sign.
__attribute__((always_inline)) static inline int64_t cut(uint64_t value, size_t width) {
    unsigned left = 64 - 8 * (unsigned)width;
    return (int64_t)(value << left) >> left;
}

__attribute__((always_inline)) static inline void differ_run(int64_t *restrict dst, const uint8_t *restrict bytes, size_t first,
                                                             size_t end, size_t width, const numbers_plan *plan, size_t taps) {
    if (plan->period == 1) {
        numbers_step step = plan->steps[0];
        for (size_t i = first; i < end; i++) {
            dst[i - first] = cut((uint64_t)numbers_load(bytes, i, width) - predict(&step, bytes, i, width, taps), width);
        }
        return;
    }
    size_t start = first;
    for (size_t k = 0; k < plan->stepCount; k++) {
        numbers_step step = plan->steps[k];
        for (size_t next = start + step.count; start < next; start++) {
            for (size_t i = start; i < end; i += plan->period) {
                dst[i - first] = cut((uint64_t)numbers_load(bytes, i, width) - predict(&step, bytes, i, width, taps), width);
            }
        }
    }
}

__attribute__((always_inline)) static inline void differ_page(int64_t *dst, const uint8_t *bytes, size_t first, size_t end,
                                                              size_t width, const numbers_series *series,
                                                              const numbers_model *model) {
    size_t farthest = farthest_lag(series, model);
    for (; first < end && (first < farthest || first == 0); first++) {
        const numbers_predictor *predictor = &series->predictors[model->predictors[first % model->period]];
        *dst++ = cut((uint64_t)numbers_load(bytes, first, width) - numbers_predict(predictor, bytes, first, width), width);
    }
    numbers_plan plan;
    make_plan(&plan, series, model, first, farthest);
    switch (plan.taps) {
    case 0: differ_run(dst, bytes, first, end, width, &plan, 0); return;
    case 1: differ_run(dst, bytes, first, end, width, &plan, 1); return;
    case 3: differ_run(dst, bytes, first, end, width, &plan, 3); return;
    case 4: differ_run(dst, bytes, first, end, width, &plan, 4); return;
    case 5: differ_run(dst, bytes, first, end, width, &plan, 5); return;
    case 6: differ_run(dst, bytes, first, end, width, &plan, 6); return;
    default: differ_run(dst, bytes, first, end, width, &plan, plan.taps);
    }
}

void gca_numbers_predict_page(int64_t *dst, const uint8_t *bytes, size_t first, size_t end, size_t width,
                          const numbers_series *series, const numbers_model *model) {
    switch (width) {
    case 1: differ_page(dst, bytes, first, end, 1, series, model); return;
    case 2: differ_page(dst, bytes, first, end, 2, series, model); return;
    case 4: differ_page(dst, bytes, first, end, 4, series, model); return;
    default: differ_page(dst, bytes, first, end, 8, series, model);
    }
}
