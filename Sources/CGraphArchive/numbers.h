// What the writer and the reader of blocks of numbers share: the description of a series, and its tables.

#ifndef GCA_NUMBERS_H
#define GCA_NUMBERS_H

#include "CGraphArchiveNumbers.h"

/// The limits of the format.
enum {
    NUMBERS_LANES = 4,
    NUMBERS_MOST_TAPS = 8,
    NUMBERS_MOST_PREDICTORS = 32,
    NUMBERS_MOST_SHIFT = 15,
    NUMBERS_MOST_TABLES = 32,
    NUMBERS_MOST_BINS = 256,
    NUMBERS_MOST_MODELS = 16,
    NUMBERS_MOST_PERIOD = 48,
    NUMBERS_MOST_LOG = 12,
    // What each page and each table takes, however few bytes it has, is bounded by the numbers.
    NUMBERS_LEAST_PAGE = 256,
    NUMBERS_FREE_SLOTS = 8192,
    NUMBERS_SLOTS_PER_NUMBER = 4,
};

/// A block has at most so many bytes for each stored one, as one of LZ4, so that limits of memory hold for both. Zeros fill up
/// a shorter one.
enum { NUMBERS_MOST_EXPANSION = 255 };

static inline size_t numbers_fewest_bytes(size_t byteCount) {
    return (byteCount + NUMBERS_MOST_EXPANSION - 1) / NUMBERS_MOST_EXPANSION;
}

/// What has each part of the working memory.
typedef enum numbers_part {
    NUMBERS_SPARE,  ///< Integers between a transform and their series, or of a second series.
    NUMBERS_WORK,   ///< A series, and what its writer counts and codes.
    NUMBERS_TABLES, ///< What is looked up: costs of candidates, or the slots of a reader.
} numbers_part;

/// Room that lasts until the same part is asked for again; NULL without memory.
void *gca_numbers_room(gca_numbers_memory *memory, numbers_part part, size_t byteCount);

/// How the integers of a series are made of numbers.
typedef enum numbers_transform {
    NUMBERS_INTEGERS = 0,
    NUMBERS_ORDERED = 1,    ///< The bits of floating-point numbers, in their order.
    NUMBERS_MULTIPLES = 2,  ///< Integers times a base, and how far off these are.
    NUMBERS_QUOTIENTS = 3,  ///< Integers divided by a base, and how far off these are: decimals as they are parsed.
} numbers_transform;

/// What makes floating-point numbers of integers.
typedef struct numbers_scale {
    numbers_transform transform;  ///< NUMBERS_MULTIPLES or NUMBERS_QUOTIENTS.
    double base;
} numbers_scale;

static inline bool numbers_have_scale(unsigned transform) { return transform == NUMBERS_MULTIPLES || transform == NUMBERS_QUOTIENTS; }

typedef struct numbers_tap {
    uint32_t lag;    ///< At least 1.
    int16_t factor;
} numbers_tap;

/// Earlier numbers, each times a factor, in all divided by 2^shift. Without taps it predicts 0.
typedef struct numbers_predictor {
    uint8_t shift, count;
    numbers_tap taps[NUMBERS_MOST_TAPS];
} numbers_predictor;

/// 2^bits integers from `lower` on; the weights of a table's bins are 2^log in all.
typedef struct numbers_bin {
    uint64_t lower;
    uint16_t weight;
    uint8_t bits;
} numbers_bin;

typedef struct numbers_table {
    size_t count;
    numbers_bin bins[NUMBERS_MOST_BINS];
} numbers_table;

/// Which predictor and which table the numbers of a page have, by their number in the series modulo the period.
typedef struct numbers_model {
    size_t period;
    uint8_t predictors[NUMBERS_MOST_PERIOD];
    uint8_t tables[NUMBERS_MOST_PERIOD];
} numbers_model;

typedef struct numbers_series {
    size_t count;      ///< Of numbers, at least 1.
    size_t pageSize;   ///< Numbers of a page: a multiple of NUMBERS_LANES.
    unsigned log;
    size_t predictorCount, tableCount, modelCount;
    numbers_predictor predictors[NUMBERS_MOST_PREDICTORS];
    numbers_model models[NUMBERS_MOST_MODELS];
    const uint8_t *pages;  ///< The model of each page; NULL if there is one model.
    uint16_t states[NUMBERS_LANES];
    uint8_t skipped;       ///< Bits of the first byte that are not used, 0 to 7.
    const uint8_t *bits;
    size_t bitsByteCount;
    numbers_table tables[NUMBERS_MOST_TABLES];
} numbers_series;

static inline size_t numbers_page_count(const numbers_series *series) {
    return (series->count + series->pageSize - 1) / series->pageSize;
}

static inline const numbers_model *numbers_page_model(const numbers_series *series, size_t page) {
    return &series->models[series->pages == NULL ? 0 : series->pages[page]];
}

/// So many numbers that groups of NUMBERS_LANES begin with the first phase of a period again.
static inline size_t numbers_cycle(size_t period) { return period % 4 == 0 ? period : period % 2 == 0 ? period * 2 : period * 4; }

/// Reads the description of a series of `count` numbers of `width` bytes. Returns whether it is one; everything in it is
/// in range then.
bool gca_numbers_parse(numbers_series *series, gca_reader *reader, size_t count, size_t width);

/// Writes it. Returns whether there was room.
bool gca_numbers_put(uint8_t **cursor, const uint8_t *end, const numbers_series *series, size_t width);

/// Writes which bin has each slot of a table. The k-th part of the bins, one bin after the other, has the slot that is `k` with its
/// bits in reverse, so that the slots of a bin lie far apart.
static inline void numbers_fill_owners(uint8_t *owners, const numbers_table *table, unsigned log) {
    size_t size = (size_t)1 << log, slot = 0, k = 0;
    for (size_t i = 0; i < table->count; i++) {
        for (size_t part = 0; part < table->bins[i].weight; part++) {
            owners[slot] = (uint8_t)i;
            // Counting flips the lowest bits up to the first zero.
            unsigned flipped = (unsigned)__builtin_ctzll(++k) + 1;
            slot ^= size - (flipped > log ? 0 : size >> flipped);
            slot &= size - 1;
        }
    }
}

static inline unsigned numbers_log2(size_t value) { return 63u - (unsigned)__builtin_clzll(value); }

/// An integer of `width` bytes with its sign.
__attribute__((always_inline)) static inline int64_t numbers_load(const uint8_t *bytes, size_t index, size_t width) {
    switch (width) {
    case 1: return (int8_t)bytes[index];
    case 2: { int16_t value; memcpy(&value, bytes + index * 2, 2); return value; }
    case 4: { int32_t value; memcpy(&value, bytes + index * 4, 4); return value; }
    default: { int64_t value; memcpy(&value, bytes + index * 8, 8); return value; }
    }
}

/// Stores the lower bytes of an integer.
__attribute__((always_inline)) static inline void numbers_store(uint8_t *bytes, size_t index, uint64_t value, size_t width) {
    switch (width) {
    case 1: bytes[index] = (uint8_t)value; return;
    case 2: { uint16_t part = (uint16_t)value; memcpy(bytes + index * 2, &part, 2); return; }
    case 4: { uint32_t part = (uint32_t)value; memcpy(bytes + index * 4, &part, 4); return; }
    default: memcpy(bytes + index * 8, &value, 8);
    }
}

/// What a predictor says of a number, before it is cut to the width: from those in front of it, 0 in place of those before the
/// first one.
__attribute__((always_inline)) static inline uint64_t numbers_predict(const numbers_predictor *predictor, const uint8_t *bytes,
                                                                      size_t index, size_t width) {
    uint64_t sum = predictor->shift == 0 ? 0 : (uint64_t)1 << (predictor->shift - 1);
    for (size_t i = 0; i < predictor->count; i++) {
        const numbers_tap *tap = &predictor->taps[i];
        if (tap->lag > index) continue;
        sum += (uint64_t)numbers_load(bytes, index - tap->lag, width) * (uint64_t)(int64_t)tap->factor;
    }
    return (uint64_t)((int64_t)sum >> predictor->shift);
}

/// The bits of a floating-point number as an integer in the order of the numbers, and back: the same for both.
__attribute__((always_inline)) static inline int64_t numbers_order(int64_t bits, size_t width) {
    // Of a negative number all bits but the sign are inverted.
    return bits ^ (bits >> 63 & (int64_t)(((uint64_t)1 << (width * 8 - 1)) - 1));
}

/// The bits of the number that a scale makes of an integer, in binary64 and rounded to the width, ordered.
__attribute__((always_inline)) static inline int64_t numbers_scaled(int64_t integer, numbers_scale scale, size_t width) {
    double number = scale.transform == NUMBERS_MULTIPLES ? (double)integer * scale.base : (double)integer / scale.base;
    if (width == 8) {
        int64_t bits;
        memcpy(&bits, &number, sizeof bits);
        return numbers_order(bits, 8);
    }
    float rounded = (float)number;
    int32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return numbers_order(bits, 4);
}

/// Whether a base can be one: positive, normal and finite.
static inline bool numbers_is_base(double base) { return base >= 0x1p-1022 && base <= 0x1p1022; }

#endif
