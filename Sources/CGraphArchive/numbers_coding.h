// What writing a series works with.

#ifndef GCA_NUMBERS_CODING_H
#define GCA_NUMBERS_CODING_H

#include "numbers_writing.h"

/// A bin as the coder uses it.
typedef struct coded_bin {
    uint64_t lower;
    uint32_t threshold;  ///< Added to a state: how many bits it gives away, in the upper half.
    int16_t first;       ///< Where the slots of the bin begin, less its weight.
    uint8_t bits;
} coded_bin;

typedef struct numbers_coder {
    numbers_bin_map map;
    coded_bin bins[NUMBERS_MOST_BINS];
    uint16_t slots[1 << NUMBERS_MOST_LOG];  ///< Those of all parts of the bins, one bin after the other.
} numbers_coder;

/// Working memory for a series.
typedef struct numbers_work {
    uint8_t *off;        ///< What the predictors are off by, of the width of the numbers.
    uint16_t *classes;   ///< Its classes.
    uint8_t *pages, *bits;
    uint32_t (*counts)[NUMBERS_LANES][NUMBERS_CLASSES];  ///< Of each table, of numbers that take turns.
    int64_t bases[NUMBERS_MOST_TABLES];  ///< Of the classes.
    numbers_coder *coders;
    numbers_series *series;
} numbers_work;

/// Where the page ends that begins with a number.
static inline size_t numbers_page_end(const numbers_series *series, size_t first) {
    size_t left = series->count - first;
    return first + (left < series->pageSize ? left : series->pageSize);
}

/// Finds what the predictors are off by, and how often each table has each class of it.
void gca_numbers_count(numbers_work *work, const uint8_t *bytes, size_t width);

/// Makes a coder of a table, whose map is done.
void gca_numbers_fill_coder(numbers_coder *coder, const numbers_table *table, unsigned log);

/// Codes the numbers of a series into its `bits`, for which there is room for `capacity` bytes. Returns whether that is enough.
bool gca_numbers_code(numbers_work *work, size_t width, size_t capacity);

#endif
