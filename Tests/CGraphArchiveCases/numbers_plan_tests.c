// Predictors: what they are off by leads back to the numbers, and vectors give what single numbers give.

#include "../../Sources/CGraphArchive/numbers_plan.h"
#include "CGraphArchiveCases.h"

#include <stdlib.h>

enum { COUNT = 200 };

/// Lags of predictors as a writer may choose them: near ones, those of rows, both, and such as no vector has.
static const uint32_t lag_sets[][6] = {
    {0}, {1}, {2}, {3}, {7}, {3, 6}, {40}, {3, 60, 63}, {3, 6, 9}, {3, 6, 9, 12}, {3, 6, 60, 63, 66}, {3, 6, 60, 63, 120, 123},
    {60, 3}, {3, 3}, {4, 8, 12}, {3, 6, 9, 12, 15, 1}, {3, 6, 9, 12, 15, 18}, {16}, {17, 40}, {1, 2}, {1, 40}, {1, 40, 41}, {1, 2, 40},
    {1, 16, 17, 18}, {1, 2, 40, 41, 80}, {1, 40, 41, 80, 81}, {1, 2, 16, 17, 18, 33}, {1, 15}, {2, 40},
};

/// Factors by which the first taps are the number in front, or the line through the two in front, before the division.
static void make_sum(numbers_predictor *predictor, uint64_t *state) {
    bool isLine = predictor->count > 1 && next_random(state) % 2 == 0;
    if (predictor->shift > 13) predictor->shift = 13;
    predictor->taps[0].factor = (int16_t)((isLine ? 2 : 1) << predictor->shift);
    if (isLine) predictor->taps[1].factor = (int16_t)-(1 << predictor->shift);
}

static numbers_predictor make_predictor(const uint32_t *lags, size_t most, uint64_t *state) {
    numbers_predictor predictor = {.shift = (uint8_t)(next_random(state) % 16)};
    for (size_t i = 0; i < most && lags[i] != 0; i++) {
        uint64_t random = next_random(state);
        int16_t factor = random % 5 == 0 ? INT16_MIN : random % 5 == 1 ? 1 : (int16_t)(random >> 20);
        predictor.taps[predictor.count++] = (numbers_tap){lags[i], factor};
    }
    if (predictor.count > 0 && next_random(state) % 2 == 0) make_sum(&predictor, state);
    if (next_random(state) % 4 == 0) predictor.shift = 0;
    return predictor;
}

/// Predictors that have the lags, or the first ones of them, by sites of three numbers or in any order.
static void make_model(numbers_series *series, numbers_model *model, const uint32_t *lags, size_t period, uint64_t *state) {
    *series = (numbers_series){.count = COUNT, .pageSize = COUNT, .predictorCount = 5};
    bool haveAll = next_random(state) % 2 == 0, areSites = next_random(state) % 4 != 0;
    for (size_t i = 0; i < series->predictorCount; i++) {
        series->predictors[i] = make_predictor(lags, haveAll ? 6 : next_random(state) % 7, state);
    }
    *model = (numbers_model){.period = period};
    for (size_t phase = 0; phase < period; phase++) {
        bool isSame = phase > 0 && areSites && phase % 3 != 0;
        model->predictors[phase] = isSame ? model->predictors[phase - 1] : (uint8_t)(next_random(state) % 5);
    }
}

static void check_model(const numbers_series *series, const numbers_model *model, size_t width, uint64_t *state) {
    uint8_t numbers[COUNT * 8 + 16], off[COUNT * 8 + 16], back[COUNT * 8 + 16];
    size_t first = next_random(state) % COUNT, end = first + 1 + next_random(state) % (COUNT - first);
    gca_vectors best = gca_vectors_best();
    fill_random(numbers, sizeof numbers, next_random(state));
    for (int kind = 0; kind < 4; kind++) {
        // By the portable loops and by vectors, each there and back.
        numbers_plan there, back_plan;
        gca_numbers_plan(&there, series, model, width, kind % 2 == 0 ? GCA_VECTORS_NONE : best);
        gca_numbers_plan(&back_plan, series, model, width, kind / 2 == 0 ? GCA_VECTORS_NONE : best);
        memset(off, 0x5a, sizeof off);
        gca_numbers_differ(off, numbers, first, end, width, &there);
        for (size_t i = first; i < end; i++) {
            const numbers_predictor *predictor = &series->predictors[model->predictors[i % model->period]];
            uint64_t wanted = (uint64_t)numbers_load(numbers, i, width) - numbers_predict(predictor, numbers, i, width);
            uint8_t bytes[8];
            numbers_store(bytes, 0, wanted, width);
            CHECK(memcmp(off + (i - first) * width, bytes, width) == 0);
        }
        CHECK(off[(end - first) * width] == 0x5a);
        memcpy(back, numbers, sizeof back);
        memcpy(back + first * width, off, (end - first) * width);
        gca_numbers_undo(back, first, end, width, &back_plan);
        CHECK(memcmp(back, numbers, sizeof back) == 0);
    }
}

static void any_predictors(const char *folder) {
    (void)folder;
    static const size_t periods[] = {1, 2, 3, 5, 9, 12, 48}, widths[] = {1, 2, 4, 8};
    uint64_t state = 5;
    for (size_t round = 0; round < 40; round++) {
        for (size_t set = 0; set < sizeof lag_sets / sizeof *lag_sets; set++) {
            for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
                numbers_series series;
                numbers_model model;
                make_model(&series, &model, lag_sets[set], periods[i], &state);
                for (size_t w = 0; w < 4; w++) check_model(&series, &model, widths[w], &state);
            }
        }
    }
}

/// The predictors that writers choose for vectors have sites where a processor has vectors.
static void sites_of_vectors(const char *folder) {
    (void)folder;
    uint64_t state = 1;
    bool haveVectors = gca_vectors_best() >= GCA_VECTORS_AVX2;
    for (size_t set = 0; set < sizeof lag_sets / sizeof *lag_sets; set++) {
        numbers_series series = {.count = COUNT, .pageSize = COUNT, .predictorCount = 1};
        numbers_model model = {.period = 12};
        numbers_plan plan;
        series.predictors[0] = make_predictor(lag_sets[set], 6, &state);
        gca_numbers_plan(&plan, &series, &model, 4, gca_vectors_best());
        bool isAny = series.predictors[0].count > 0, isBehind = isAny;
        for (size_t i = 0; i < series.predictors[0].count; i++) isBehind = isBehind && lag_sets[set][i] >= 3;
        CHECK(plan.siteCount == (isAny && haveVectors ? 4 : 0));
        CHECK(plan.areBehindVectors == (isBehind && haveVectors));
        gca_numbers_plan(&plan, &series, &model, 4, GCA_VECTORS_128);
        CHECK(plan.siteCount == 0 && !plan.areBehindVectors);
    }
}

const test numbers_plan_tests[] = {
    {"predictors of all kinds, there and back", any_predictors},
    {"sites of vectors", sites_of_vectors},
    {NULL, NULL},
};
