// What is tried for a series of numbers, shared by what proposes it and what compares it.

#ifndef GCA_NUMBERS_CHOOSING_H
#define GCA_NUMBERS_CHOOSING_H

#include "numbers_plan.h"
#include "numbers_writing.h"

enum {
    TRIED = 36,                ///< Numbers of a page that are tried.
    MOST_CANDIDATES = 24,
    TABLE_COST = 900 * 256,    ///< What a table takes, in 2^-8 bits.
    MOST_SITES = 4,
    SITE_SAMPLE = 512,        ///< Numbers of a site that are tried.
};

/// A model that is tried, with its own predictors.
typedef struct candidate {
    size_t sites, predictorCount;
    int64_t base;       ///< Of the classes; one site has it, without a predictor.
    uint32_t signCost;  ///< 2^8 times the bits that a number's sign takes beside its distance from the base.
    numbers_predictor predictors[MOST_SITES];
} candidate;

typedef struct numbers_chooser {
    const uint8_t *bytes;
    size_t count, width, lanes, row, pageCount, candidateCount;
    gca_vectors vectors;
    candidate candidates[MOST_CANDIDATES];
    // Of each page: the bits of the numbers tried without their powers of two, these, and the cost of all numbers.
    uint32_t *bits[MOST_CANDIDATES], *costs[MOST_CANDIDATES];
    uint8_t *powers[MOST_CANDIDATES];
    numbers_series trial;
} numbers_chooser;

/// Adds the model of a candidate to a series, with predictors and tables from these on.
static inline numbers_model *make_model(numbers_series *series, const candidate *tried, size_t lanes, size_t firstPredictor,
                                        size_t firstTable) {
    numbers_model *model = &series->models[series->modelCount];
    model->period = tried->sites == 1 ? 1 : tried->sites * lanes;
    for (size_t phase = 0; phase < model->period; phase++) {
        size_t site = tried->sites == 1 ? 0 : phase / lanes;
        model->predictors[phase] = (uint8_t)(firstPredictor + (tried->predictorCount == 1 ? 0 : site));
        model->tables[phase] = (uint8_t)(firstTable + site);
    }
    return model;
}

/// Chooses the candidates that are used, and one of them for each page.
void gca_numbers_choose_candidates(numbers_chooser *chooser, bool *isUsed, uint8_t *pages);

#endif
