// The usual lists of filters, a shuffle after differences of numbers or codes, applied part by part, so that the input and output
// of each filter are in the nearest cache.

#include "CGraphArchive.h"
#include "parts.h"

/// How many numbers a part has: a multiple of 8, and a span is a multiple of it.
static size_t part_count(const gca_chain *chain) { return GCA_PART_BYTES / chain->width; }

bool gca_chain_make(gca_chain *chain, const gca_filter *filters, size_t count) {
    size_t i = 0;
    *chain = (gca_chain){.width = 0};
    if (i < count && filters[i].number == GCA_FILTER_QUANTISED) chain->quantised = &filters[i++];
    if (i < count && filters[i].number == GCA_FILTER_DELTA) chain->delta = &filters[i++];
    if (i == 0 || i + 1 != count) return false;
    chain->shuffle = &filters[i];
    chain->width = filters[0].width;
    if (chain->shuffle->number != GCA_FILTER_BYTE_SHUFFLE && chain->shuffle->number != GCA_FILTER_BIT_SHUFFLE) {
        return false;
    }
    if (chain->quantised != NULL && !gca_filter_grid(&chain->grid, chain->quantised)) return false;
    return chain->shuffle->parameter == chain->width && (chain->delta == NULL || chain->delta->width == chain->width);
}

/// How many numbers are kept to take later ones from: a multiple of a part's, so that no part is divided.
static size_t kept_count(const gca_chain *chain) {
    size_t part = part_count(chain);
    return (chain->delta->parameter + part - 1) / part * part + part;
}

/// Differences of the numbers from `first` to `end` of a block; `kept` is a ring of its last `keptCount` numbers.
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

/// Filters a part of a block of `count` numbers: those from `first` on, a multiple of a part's. `src` begins with them, or with
/// all earlier numbers of the block.
static void apply_part(const gca_chain *chain, uint8_t *dst, uint8_t *kept, const uint8_t *src, bool hasAll,
                       size_t first, size_t end, size_t count, gca_vectors vectors) {
    uint64_t part[GCA_PART_BYTES / 8];
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
    // Only the last part has a remainder.
    if (end == count) memcpy(dst + (count - rest) * width, values + (left - rest) * width, rest * width);
}

void gca_chain_apply(const gca_chain *chain, uint8_t *dst, uint8_t *kept, const uint8_t *src, bool hasAll,
                     size_t first, size_t end, size_t count, gca_vectors vectors) {
    size_t part = part_count(chain);
    while (first < end) {
        size_t next = end - first < part ? end : first + part;
        apply_part(chain, dst, kept, src, hasAll, first, next, count, vectors);
        src += (next - first) * chain->width;
        first = next;
    }
}

gca_planes gca_chain_planes(const gca_chain *chain, const uint8_t *dst, size_t byteCount, gca_memory_use use,
                            gca_vectors vectors) {
    bool areBits = chain->shuffle->number == GCA_FILTER_BIT_SHUFFLE;
    bool areSums = chain->quantised == NULL && chain->delta != NULL && chain->delta->parameter == 1 && chain->width == 8;
    bool isAligned = !use.pastCaches || (uintptr_t)dst % 16 == 0;
    if (!areSums || !isAligned || !gca_has_sums(areBits, use, vectors)) return (gca_planes){.count = 0};
    size_t count = areBits ? 64 : 8;
    return (gca_planes){.count = count, .byteCount = byteCount / 8 * 8 / count};
}

size_t gca_chain_sum(uint8_t *dst, const gca_planes *planes, gca_memory_use use, gca_vectors vectors) {
    if (planes->count == 0) return 0;
    // Of bits, whole bytes of rows.
    return gca_sum_planes(dst, planes, use, vectors) / 8 * 8;
}

void gca_chain_undo(const gca_chain *chain, uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t done,
                    size_t byteCount, gca_vectors vectors) {
    uint64_t part[GCA_PART_BYTES / 8];
    uint8_t *values = (uint8_t *)part;
    size_t width = chain->width, count = byteCount / width, rowBytes = count / 8, rest = count % 8, most = part_count(chain);
    for (size_t first = done; first < count; first += most) {
        size_t end = count - first < most ? count : first + most, left = end - first;
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
