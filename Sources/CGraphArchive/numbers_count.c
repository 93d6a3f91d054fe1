// What the predictors of a series are off by, and how often each class of it occurs.

#include "numbers_coding.h"
#include "numbers_plan.h"
#include "vectors.h"

#define INLINED __attribute__((always_inline)) static inline

/// The classes of numbers that 4 bytes hold, whose logarithms are those of floating-point numbers.
INLINED void find_classes(uint16_t *restrict classes, const uint8_t *restrict off, size_t count, size_t width, int32_t base) {
    for (size_t i = 0; i < count; i++) {
        int32_t value = (int32_t)numbers_load(off, i, width), sign = value >> 31, distance = (value ^ sign) - base;
        int32_t below = distance >> 31, size = distance ^ below;
        // 24 bits are exact.
        float rounded = (float)(size >= 1 << 24 ? size & ~0xff : size);
        int32_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        int32_t found = size < NUMBERS_EXACT ? size : (bits >> 20) - ((127 + 4) * 8 - NUMBERS_EXACT);
        found = NUMBERS_SIDE + (found ^ below);
        classes[i] = (uint16_t)(NUMBERS_SIGN + (found ^ sign));
    }
}

/// The same for numbers of 8 bytes, most of which have 32 bits.
INLINED void find_long_classes(uint16_t *restrict classes, const uint8_t *restrict off, size_t count, int64_t base) {
    // Magnitudes of at most 31 bits, and so their distances from the base.
    uint64_t magnitudes = (uint64_t)base;
    for (size_t i = 0; i < count; i++) {
        int64_t value = numbers_load(off, i, 8);
        magnitudes |= (uint64_t)(value ^ (value >> 63));
    }
    if (magnitudes >> 31 == 0) {
        find_classes(classes, off, count, 8, (int32_t)base);
    } else {
        for (size_t i = 0; i < count; i++) classes[i] = (uint16_t)numbers_class(numbers_load(off, i, 8), base);
    }
}

INLINED void count_page(numbers_work *work, size_t first, size_t end, size_t width, const numbers_model *model) {
    // Numbers that follow each other are often alike: each lane has counts of its own, so that none waits for the one before.
    uint32_t *counts[NUMBERS_MOST_PERIOD * NUMBERS_LANES];
    size_t cycle = numbers_cycle(model->period), phase = 0, i = first;
    // A model with a base has one table.
    int64_t base = work->bases[model->tables[0]];
    switch (width) {
    case 1: find_classes(work->classes + first, work->off + first, end - first, 1, (int32_t)base); break;
    case 2: find_classes(work->classes + first, work->off + first * 2, end - first, 2, (int32_t)base); break;
    case 4: find_classes(work->classes + first, work->off + first * 4, end - first, 4, (int32_t)base); break;
    default: find_long_classes(work->classes + first, work->off + first * 8, end - first, base);
    }
    for (size_t k = 0; k < cycle; k++) counts[k] = work->counts[model->tables[(first + k) % model->period]][k % NUMBERS_LANES];
    for (; i + NUMBERS_LANES <= end; i += NUMBERS_LANES) {
        const uint16_t *classes = &work->classes[i];
        for (size_t k = 0; k < NUMBERS_LANES; k++) counts[phase + k][classes[k]]++;
        phase = phase + NUMBERS_LANES == cycle ? 0 : phase + NUMBERS_LANES;
    }
    for (; i < end; i++) counts[phase++][work->classes[i]]++;
}

INLINED void count_all(numbers_work *work, const uint8_t *bytes, size_t width) {
    const numbers_series *series = work->series;
    const numbers_model *planned = NULL;
    numbers_plan plan;
    for (size_t page = 0, first = 0; first < series->count; page++, first += series->pageSize) {
        const numbers_model *model = numbers_page_model(series, page);
        size_t end = numbers_page_end(series, first);
        if (model != planned) gca_numbers_plan(&plan, series, model, width, gca_vectors_best());
        planned = model;
        gca_numbers_differ(work->off + first * width, bytes, first, end, width, &plan);
        count_page(work, first, end, width, model);
    }
}

#if defined(GCA_HAS_AVX2)
GCA_FAST_BITS static void count_fast(numbers_work *work, const uint8_t *bytes, size_t width) { count_all(work, bytes, width); }
#endif

static void count(numbers_work *work, const uint8_t *bytes, size_t width) {
#if defined(GCA_HAS_AVX2)
    if (gca_has_fast_bits()) {
        count_fast(work, bytes, width);
        return;
    }
#endif
    count_all(work, bytes, width);
}

void gca_numbers_count(numbers_work *work, const uint8_t *bytes, size_t width) {
    memset(work->counts, 0, work->series->tableCount * sizeof *work->counts);
    count(work, bytes, width);
    for (size_t table = 0; table < work->series->tableCount; table++) {
        uint32_t(*counts)[NUMBERS_CLASSES] = work->counts[table];
        for (size_t i = 0; i < NUMBERS_CLASSES; i++) counts[0][i] += counts[1][i] + counts[2][i] + counts[3][i];
    }
}
