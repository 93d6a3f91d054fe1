// The plan of a model: its predictors in the order of the phases, and those of vectors.

#include "numbers_plan.h"

#include "vectors.h"

static void make_step(numbers_step *step, const numbers_predictor *predictor, const numbers_plan *plan) {
    *step = (numbers_step){.isBehindVectors = true, .shift = predictor->shift};
    step->half = predictor->shift == 0 ? 0 : (uint64_t)1 << (predictor->shift - 1);
    for (size_t i = 0; i < plan->taps; i++) {
        bool isTap = i < predictor->count;
        // Numbers that have a plan are behind the farthest lag, so there is one in front of them.
        step->lags[i] = isTap ? predictor->taps[i].lag : plan->farthest;
        step->factors[i] = isTap ? predictor->taps[i].factor : 0;
        if (step->lags[i] < 3) step->isBehindVectors = false;
    }
}

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)

/// The lags that all predictors of a model have, if each has the first ones of another, and vectors have one predictor. Returns whether
/// that is so.
static bool find_lags(numbers_plan *plan, const numbers_series *series, const numbers_model *model) {
    for (size_t phase = 0; phase < model->period; phase++) {
        const numbers_predictor *predictor = &series->predictors[model->predictors[phase]];
        if (model->period > 1 && model->predictors[phase] != model->predictors[phase / 3 * 3]) return false;
        for (size_t i = 0; i < predictor->count; i++) {
            if (predictor->taps[i].lag < 3) plan->areBehindVectors = false;
            if (plan->lags[i] == 0) plan->lags[i] = predictor->taps[i].lag;
            if (plan->lags[i] != predictor->taps[i].lag) return false;
        }
    }
    return true;
}

static void make_sites(numbers_plan *plan, const numbers_series *series, const numbers_model *model) {
    memset(plan->lags, 0, sizeof plan->lags);
    if (plan->period > 1 && plan->period % 3 != 0) return;
    plan->areBehindVectors = true;
    if (!find_lags(plan, series, model)) {
        plan->areBehindVectors = false;
        return;
    }
    for (plan->near = 0; plan->near < 4 && plan->lags[plan->near] == 3 * (plan->near + 1); plan->near++) {}
    size_t count = plan->period == 1 ? 1 : plan->period / 3;
    for (size_t i = 0; i < count; i++) {
        const numbers_predictor *predictor = &series->predictors[model->predictors[3 * i % plan->period]];
        numbers_site *site = &plan->sites[i];
        int64_t half = predictor->shift == 0 ? 0 : (int64_t)1 << (predictor->shift - 1);
        site->shift = predictor->shift;
        for (size_t lane = 0; lane < 4; lane++) {
            site->half[lane] = lane < 3 ? half : 0;
            for (size_t tap = 0; tap < plan->taps; tap++) {
                site->factors[tap][lane] = lane < 3 && tap < predictor->count ? predictor->taps[tap].factor : 0;
            }
        }
    }
    plan->siteCount = count;
}

#endif

void gca_numbers_plan(numbers_plan *plan, const numbers_series *series, const numbers_model *model, size_t width,
                      gca_vectors vectors) {
    plan->period = model->period;
    plan->taps = plan->farthest = plan->stepCount = plan->siteCount = plan->near = 0;
    plan->areBehindVectors = false;
    plan->vectors = vectors;
    for (size_t phase = 0; phase < model->period; phase++) {
        const numbers_predictor *predictor = &series->predictors[model->predictors[phase]];
        if (predictor->count > plan->taps) plan->taps = predictor->count;
        for (size_t i = 0; i < predictor->count; i++) {
            if (predictor->taps[i].lag > plan->farthest) plan->farthest = predictor->taps[i].lag;
        }
    }
    for (size_t phase = 0; phase < model->period; phase++) {
        if (phase == 0 || model->predictors[phase] != model->predictors[phase - 1]) {
            make_step(&plan->steps[plan->stepCount++], &series->predictors[model->predictors[phase]], plan);
        }
        plan->steps[plan->stepCount - 1].count++;
    }
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)
    if (width == 4 && plan->taps > 0 && vectors >= GCA_VECTORS_AVX2) make_sites(plan, series, model);
#else
    (void)width;
#endif
}
