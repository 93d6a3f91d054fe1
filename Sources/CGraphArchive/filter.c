// Filters by their numbers, as the header of a segment has them, and several of them one after the other.
//
// The usual lists, a shuffle behind differences of numbers or of codes, are applied to parts of 4096 numbers: what one filter
// has written is in the nearest caches when the next one reads it.

#include "CGraphArchive.h"
#include "parts.h"

static double number_of(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static bool make_grid(gca_grid *grid, const gca_filter *filter) {
    // The error is within the argument for this many bits; see the decision on filters.
    if (filter->parameter > (filter->width == 4 ? 17u : 44u)) return false;
    return gca_grid_make(grid, filter->width, gca_step(number_of(filter->argument)), filter->parameter);
}

bool gca_filter_is_known(const gca_filter *filter) {
    uint32_t parameter = filter->parameter;
    uint64_t argument = filter->argument;
    gca_grid grid;
    switch (filter->number) {
    case GCA_FILTER_BYTE_SHUFFLE:
        return filter->width == 0 && argument == 0 && parameter >= 2 && parameter <= 255;
    case GCA_FILTER_BIT_SHUFFLE:
        return filter->width == 0 && argument == 0 && parameter >= 1 && parameter <= 255;
    case GCA_FILTER_DELTA:
        return (filter->width == 1 || filter->width == 2 || filter->width == 4 || filter->width == 8)
            && parameter >= 1 && parameter <= GCA_BLOCK_MAX && argument < parameter;
    case GCA_FILTER_QUANTISED:
        return make_grid(&grid, filter);
    case GCA_FILTER_ROUNDED:
        if (filter->width != 0) return false;
        if (parameter == GCA_PRECISION_BITS) return argument >= 1 && argument <= 52;
        if (parameter != GCA_PRECISION_ABSOLUTE && parameter != GCA_PRECISION_RELATIVE) return false;
        // Positive and finite.
        return argument > 0 && argument < 0x7FF0000000000000u;
    default:
        return false;
    }
}

static void apply(uint8_t *dst, const uint8_t *src, size_t byteCount, const gca_filter *filter,
                  gca_vectors vectors) {
    gca_grid grid;
    switch (filter->number) {
    case GCA_FILTER_BYTE_SHUFFLE: gca_shuffle(dst, src, byteCount, filter->parameter, vectors); return;
    case GCA_FILTER_BIT_SHUFFLE: gca_bit_shuffle(dst, src, byteCount, filter->parameter, vectors); return;
    case GCA_FILTER_DELTA:
        gca_delta(dst, src, byteCount, filter->width, filter->parameter, (size_t)filter->argument, vectors);
        return;
    case GCA_FILTER_QUANTISED:
        if (make_grid(&grid, filter)) gca_quantise(dst, src, byteCount, filter->width, &grid, vectors);
        return;
    default: memcpy(dst, src, byteCount);
    }
}

static void undo(uint8_t *dst, const uint8_t *src, size_t byteCount, const gca_filter *filter,
                 gca_vectors vectors) {
    gca_grid grid;
    switch (filter->number) {
    case GCA_FILTER_BYTE_SHUFFLE: gca_unshuffle(dst, src, byteCount, filter->parameter, vectors); return;
    case GCA_FILTER_BIT_SHUFFLE: gca_bit_unshuffle(dst, src, byteCount, filter->parameter, vectors); return;
    case GCA_FILTER_DELTA:
        gca_undelta(dst, src, byteCount, filter->width, filter->parameter, (size_t)filter->argument, vectors);
        return;
    case GCA_FILTER_QUANTISED:
        if (make_grid(&grid, filter)) gca_dequantise(dst, src, byteCount, filter->width, &grid, vectors);
        return;
    default: memcpy(dst, src, byteCount);
    }
}

// MARK: Lists

enum { PART = GCA_SPAN / 8, MOST_FILTERS = 4 };

/// A list that is done part by part: numbers or codes, their differences if there are any, and a shuffle of as many bytes.
typedef struct filter_chain {
    const gca_filter *quantised;
    const gca_filter *delta;
    const gca_filter *shuffle;
    gca_grid grid;
    size_t width;
} filter_chain;

static bool make_chain(filter_chain *chain, const gca_filter *filters, size_t count) {
    size_t i = 0;
    *chain = (struct filter_chain){.width = 0};
    if (i < count && filters[i].number == GCA_FILTER_QUANTISED) chain->quantised = &filters[i++];
    if (i < count && filters[i].number == GCA_FILTER_DELTA) chain->delta = &filters[i++];
    if (i == 0 || i + 1 != count) return false;
    chain->shuffle = &filters[i];
    chain->width = filters[0].width;
    if (chain->shuffle->number != GCA_FILTER_BYTE_SHUFFLE && chain->shuffle->number != GCA_FILTER_BIT_SHUFFLE) {
        return false;
    }
    if (chain->quantised != NULL && !make_grid(&chain->grid, chain->quantised)) return false;
    return chain->shuffle->parameter == chain->width && (chain->delta == NULL || chain->delta->width == chain->width);
}

/// How many numbers are kept for those behind them to be taken from: a multiple of a part's, so that no part is divided.
static size_t kept_count(const filter_chain *chain) {
    return (chain->delta->parameter + PART - 1) / (size_t)PART * PART + PART;
}

/// Differences of the numbers from `first` to `end` of a block, of which `kept` has the last `keptCount`, in turns.
static void differ(uint8_t *dst, const uint8_t *kept, size_t keptCount, size_t first, size_t end,
                   const gca_filter *delta, gca_vectors vectors) {
    size_t width = delta->width, lag = delta->parameter;
    if (end <= keptCount) {
        gca_delta_part(dst, kept, first, end, width, lag, (size_t)delta->argument, vectors);
        return;
    }
    const uint8_t *numbers = kept + first % keptCount * width;
    size_t before = (first - lag) % keptCount, left = end - first;
    size_t whole = keptCount - before < left ? keptCount - before : left;
    gca_difference(dst, numbers, kept + before * width, whole * width, width, vectors);
    gca_difference(dst + whole * width, numbers + whole * width, kept, (left - whole) * width, width, vectors);
}

/// Filters a part of a block of `count` numbers: those from `first` on, a multiple of a part's. `src` begins with them, or
/// has all numbers of the block in front of them, too.
static void apply_part(const filter_chain *chain, uint8_t *dst, uint8_t *kept, const uint8_t *src, bool hasAll,
                       size_t first, size_t end, size_t count, gca_vectors vectors) {
    uint64_t part[PART];
    uint8_t *differences = (uint8_t *)part;
    size_t width = chain->width, left = end - first, rest = count % 8;
    const uint8_t *values = src;
    if (chain->delta != NULL && chain->quantised == NULL && hasAll) {
        gca_delta_part(differences, src - first * width, first, end, width, chain->delta->parameter,
                       (size_t)chain->delta->argument, vectors);
        values = differences;
    } else if (chain->delta != NULL) {
        size_t keptCount = kept_count(chain);
        uint8_t *numbers = kept + first % keptCount * width;
        if (chain->quantised != NULL) {
            gca_quantise(numbers, src, left * width, width, &chain->grid, vectors);
        } else {
            memcpy(numbers, src, left * width);
        }
        differ(differences, kept, keptCount, first, end, chain->delta, vectors);
        values = differences;
    } else if (chain->quantised != NULL) {
        gca_quantise(differences, src, left * width, width, &chain->grid, vectors);
        values = differences;
    }
    if (chain->shuffle->number == GCA_FILTER_BYTE_SHUFFLE) {
        gca_shuffle_part(dst + first, values, left, count, width, vectors);
        return;
    }
    gca_bit_shuffle_part(dst + first / 8, values, left / 8 * 8, count / 8, width, vectors);
    // Parts but the last have no rest.
    if (end == count) memcpy(dst + (count - rest) * width, values + (left - rest) * width, rest * width);
}

/// Filters the numbers from `first` to `end`; `src` as for a part.
static void apply_parts(const filter_chain *chain, uint8_t *dst, uint8_t *kept, const uint8_t *src, bool hasAll,
                        size_t first, size_t end, size_t count, gca_vectors vectors) {
    while (first < end) {
        size_t next = end - first < PART ? end : first + PART;
        apply_part(chain, dst, kept, src, hasAll, first, next, count, vectors);
        src += (next - first) * chain->width;
        first = next;
    }
}

/// How many numbers of a block are undone at once: differences of neighbours of 8 bytes behind a shuffle.
static size_t undo_sums(const filter_chain *chain, uint8_t *dst, const uint8_t *src, size_t count,
                        gca_memory_use use, gca_vectors vectors) {
    bool fits = chain->quantised == NULL && chain->delta != NULL && chain->delta->parameter == 1 && chain->width == 8
        && (!use.pastCaches || (uintptr_t)dst % 16 == 0);
    if (!fits) return 0;
    bool areBits = chain->shuffle->number == GCA_FILTER_BIT_SHUFFLE;
    return gca_unshuffle_sums(dst, src, count, areBits, use, vectors);
}

static void undo_chain(const filter_chain *chain, uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t byteCount,
                       gca_memory_use use, gca_vectors vectors) {
    uint64_t part[PART];
    uint8_t *values = (uint8_t *)part;
    size_t width = chain->width, count = byteCount / width, rowBytes = count / 8, rest = count % 8;
    // Of bits, whole bytes of rows.
    size_t done = undo_sums(chain, dst, src, count, use, vectors) / 8 * 8;
    for (size_t first = done; first < count; first += PART) {
        size_t end = count - first < PART ? count : first + PART, left = end - first;
        if (chain->shuffle->number == GCA_FILTER_BYTE_SHUFFLE) {
            gca_unshuffle_part(values, src + first, left, count, width, vectors);
        } else {
            gca_bit_unshuffle_part(values, src + first / 8, left / 8 * 8, rowBytes, width, vectors);
            if (end == count) memcpy(values + (left - rest) * width, src + (count - rest) * width, rest * width);
        }
        const uint8_t *codes = values;
        if (chain->delta != NULL) {
            uint8_t *numbers = chain->quantised != NULL ? spare : dst;
            gca_undelta_part(numbers, values, first, end, width, chain->delta->parameter,
                             (size_t)chain->delta->argument, vectors);
            codes = spare + first * width;
        }
        if (chain->quantised != NULL) {
            gca_dequantise(dst + first * width, codes, left * width, width, &chain->grid, vectors);
        }
    }
    memcpy(dst + count * width, src + count * width, byteCount - count * width);
}

/// Leaves out what changes nothing.
static size_t find_changing(gca_filter *changing, const gca_filter *filters, size_t count) {
    size_t found = 0;
    for (size_t i = 0; i < count && found < MOST_FILTERS; i++) {
        if (filters[i].number != GCA_FILTER_ROUNDED) changing[found++] = filters[i];
    }
    return found;
}

void gca_filters_apply(uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t byteCount,
                       const gca_filter *filters, size_t count, gca_vectors vectors) {
    gca_filter changing[MOST_FILTERS];
    filter_chain chain;
    count = find_changing(changing, filters, count);
    if (count == 0) memcpy(dst, src, byteCount);
    if (make_chain(&chain, changing, count)) {
        size_t number = byteCount / chain.width, moved = number * chain.width;
        apply_parts(&chain, dst, spare, src, true, 0, number, number, vectors);
        if (moved < byteCount) memcpy(dst + moved, src + moved, byteCount - moved);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t *target = (count - i) % 2 == 1 ? dst : spare;
        apply(target, src, byteCount, &changing[i], vectors);
        src = target;
    }
}

bool gca_filters_take_spans(const gca_filter *filters, size_t count) {
    filter_chain chain;
    return make_chain(&chain, filters, count);
}

void gca_filters_apply_span(uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t offset, size_t spanCount,
                            size_t byteCount, const gca_filter *filters, size_t count, gca_vectors vectors) {
    filter_chain chain;
    if (!make_chain(&chain, filters, count)) return;
    size_t width = chain.width, number = byteCount / width, end = (offset + spanCount) / width;
    apply_parts(&chain, dst, spare, src, false, offset / width, end, number, vectors);
    // Of a last span.
    size_t moved = end * width, rest = offset + spanCount - moved;
    if (rest > 0) memcpy(dst + moved, src + (moved - offset), rest);
}

void gca_filters_undo_using(uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t byteCount,
                            const gca_filter *filters, size_t count, gca_memory_use use, gca_vectors vectors) {
    gca_filter changing[MOST_FILTERS];
    filter_chain chain;
    count = find_changing(changing, filters, count);
    if (count == 0) memcpy(dst, src, byteCount);
    if (make_chain(&chain, changing, count)) {
        undo_chain(&chain, dst, spare, src, byteCount, use, vectors);
        return;
    }
    if (use.pastCaches && count == 1 && changing[0].number == GCA_FILTER_BYTE_SHUFFLE) {
        gca_unshuffle_past_caches(dst, src, byteCount, changing[0].parameter, vectors);
        return;
    }
    for (size_t i = count; i-- > 0;) {
        uint8_t *target = i % 2 == 0 ? dst : spare;
        undo(target, src, byteCount, &changing[i], vectors);
        src = target;
    }
}

void gca_filters_undo(uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t byteCount,
                      const gca_filter *filters, size_t count, gca_vectors vectors) {
    gca_memory_use use = {0};
    gca_filters_undo_using(dst, spare, src, byteCount, filters, count, use, vectors);
}
