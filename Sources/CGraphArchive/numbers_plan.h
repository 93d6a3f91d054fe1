// The predictors of a model in a form for loops.

#ifndef GCA_NUMBERS_PLAN_H
#define GCA_NUMBERS_PLAN_H

#include "numbers.h"

/// A predictor with as many taps as the others of its model.
typedef struct numbers_step {
    size_t count;   ///< Of phases in a row that have it.
    unsigned shift;
    bool isBehindVectors;  ///< All lags are at least 3.
    uint64_t half;
    size_t lags[NUMBERS_MOST_TAPS];
    int64_t factors[NUMBERS_MOST_TAPS];
} numbers_step;

/// A predictor of a vector of three numbers of 4 bytes: a 0 for a fourth number stands behind each factor, and behind `half`.
typedef struct numbers_site {
    int64_t half[4];
    int64_t factors[NUMBERS_MOST_TAPS][4];
    uint64_t shift;
} numbers_site;

/// The predictors of a model.
typedef struct numbers_plan {
    size_t period, taps;
    size_t farthest;   ///< How far back they look.
    gca_vectors vectors;
    size_t stepCount;
    numbers_step steps[NUMBERS_MOST_PERIOD];  ///< From phase 0 on.
    /// Those of vectors, which take turns; 0 if a processor has no vectors for them, or a vector has several predictors.
    size_t siteCount;
    bool areBehindVectors;  ///< There are sites, and all lags are at least 3.
    size_t near;       ///< Taps in front of the others, of the vectors directly in front: with the lags 3, 6, 9 and 12.
    size_t lags[NUMBERS_MOST_TAPS];
    numbers_site sites[NUMBERS_MOST_PERIOD / 3];
} numbers_plan;

/// Makes the plan of a model, for numbers of `width` bytes.
void gca_numbers_plan(numbers_plan *plan, const numbers_series *series, const numbers_model *model, size_t width, gca_vectors vectors);

/// Replaces the numbers `first` to `end`, which are what their predictors were off by, by what they were. Those in front of
/// them are done.
void gca_numbers_undo(uint8_t *bytes, size_t first, size_t end, size_t width, const numbers_plan *plan);

/// Writes what the predictors of the numbers `first` to `end` are off by, of `width` bytes, too.
void gca_numbers_differ(uint8_t *off, const uint8_t *bytes, size_t first, size_t end, size_t width, const numbers_plan *plan);

/// The first number from which on one predictor of all numbers is undone at once.
enum { NUMBERS_UNIFORM_FIRST = 2 };

/// The same for one predictor of all numbers. `undo` returns the number that it ends in front of: the rest is left. `differ` returns whether
/// there is one.
size_t gca_numbers_undo_uniform(uint8_t *bytes, size_t first, size_t end, size_t width, const numbers_plan *plan);
bool gca_numbers_differ_uniform(uint8_t *off, const uint8_t *bytes, size_t first, size_t end, size_t width, const numbers_plan *plan);

/// The same by vectors, from a number behind the farthest lag on, where a vector begins; `end` numbers are readable. The plan has sites and,
/// for `undo`, is behind vectors. Both return the number that they end in front of: the rest is left.
size_t gca_numbers_undo_vectors(uint8_t *bytes, size_t first, size_t end, const numbers_plan *plan);
size_t gca_numbers_differ_vectors(uint8_t *off, const uint8_t *bytes, size_t first, size_t end, const numbers_plan *plan);

#endif
