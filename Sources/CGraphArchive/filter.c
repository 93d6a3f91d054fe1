// Filters by their numbers, as in the header of a segment, and several of them in sequence.

#include "CGraphArchive.h"
#include "parts.h"

/// The largest lag of GCA_FILTER_DELTA.
#define GCA_FILTER_LAG_MAX ((uint32_t)1 << 20)

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
            && parameter >= 1 && parameter <= GCA_FILTER_LAG_MAX && argument < parameter;
    case GCA_FILTER_QUANTISED:
        return gca_filter_grid(&grid, filter);
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
        if (gca_filter_grid(&grid, filter)) gca_quantise(dst, src, byteCount, filter->width, &grid, vectors);
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
        if (gca_filter_grid(&grid, filter)) gca_dequantise(dst, src, byteCount, filter->width, &grid, vectors);
        return;
    default: memcpy(dst, src, byteCount);
    }
}

// MARK: Lists

enum { MOST_FILTERS = 4 };

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
    gca_chain chain;
    count = find_changing(changing, filters, count);
    if (count == 0) memcpy(dst, src, byteCount);
    if (gca_chain_make(&chain, changing, count)) {
        size_t number = byteCount / chain.width, moved = number * chain.width;
        gca_chain_apply(&chain, dst, spare, src, true, 0, number, number, vectors);
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
    gca_chain chain;
    return gca_chain_make(&chain, filters, count);
}

void gca_filters_apply_span(uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t offset, size_t spanCount,
                            size_t byteCount, const gca_filter *filters, size_t count, gca_vectors vectors) {
    gca_chain chain;
    if (!gca_chain_make(&chain, filters, count)) return;
    size_t width = chain.width, number = byteCount / width, end = (offset + spanCount) / width;
    gca_chain_apply(&chain, dst, spare, src, false, offset / width, end, number, vectors);
    // Only a last span has one.
    size_t moved = end * width, rest = offset + spanCount - moved;
    if (rest > 0) memcpy(dst + moved, src + (moved - offset), rest);
}

void gca_filters_undo_using(uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t byteCount,
                            const gca_filter *filters, size_t count, gca_memory_use use, gca_vectors vectors) {
    gca_filter changing[MOST_FILTERS];
    gca_chain chain;
    count = find_changing(changing, filters, count);
    if (count == 0) memcpy(dst, src, byteCount);
    if (gca_chain_make(&chain, changing, count)) {
        gca_planes planes = gca_chain_planes(&chain, dst, byteCount, use, vectors);
        gca_planes_place(&planes, src);
        size_t done = gca_chain_sum(dst, &planes, use, vectors);
        gca_chain_undo(&chain, dst, spare, src, done, byteCount, vectors);
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

/// Restores a block of planes. Returns whether it could.
///
/// Planes that are summed up stay where they are stored. Others are expanded as a whole; bit planes not by LZ4, because they have
/// short matches.
static bool restore_from_planes(uint8_t *dst, uint8_t *spare, uint8_t *expanded, size_t byteCount, const uint8_t *src,
                                size_t srcCount, const gca_filter *filters, size_t count, gca_memory_use use,
                                gca_vectors vectors) {
    gca_filter changing[MOST_FILTERS];
    gca_chain chain;
    gca_planes planes = {.count = 0};
    count = find_changing(changing, filters, count);
    if (count == 0) return false;
    if (gca_chain_make(&chain, changing, count)) planes = gca_chain_planes(&chain, dst, byteCount, use, vectors);
    if (planes.count == 0) {
        if (changing[count - 1].number != GCA_FILTER_BIT_SHUFFLE) return false;
        if (!gca_planes_expand(&planes, expanded, byteCount, src, srcCount)) return false;
        gca_filters_undo_using(dst, spare, expanded, byteCount, changing, count, use, vectors);
        return true;
    }
    if (!gca_planes_expand(&planes, expanded, byteCount, src, srcCount)) return false;
    size_t done = gca_chain_sum(dst, &planes, use, vectors);
    gca_planes_gather(&planes, expanded, done * chain.width / planes.count);
    gca_chain_undo(&chain, dst, spare, expanded, done, byteCount, vectors);
    return true;
}

gca_status gca_block_restore(uint8_t *dst, uint8_t *spare, uint8_t *expanded, size_t byteCount, const uint8_t *src,
                             size_t srcCount, gca_codec codec, const gca_filter *filters, size_t count,
                             gca_memory_use use, gca_vectors vectors) {
    // What `gca_block_expand` refuses is final.
    bool isBlock = codec == GCA_CODEC_LZ4 && byteCount > 0 && byteCount <= GCA_BLOCK_MAX && srcCount <= GCA_BLOCK_MAX;
    if (isBlock && vectors >= GCA_VECTORS_AVX512
        && restore_from_planes(dst, spare, expanded, byteCount, src, srcCount, filters, count, use, vectors)) {
        return GCA_OK;
    }
    gca_status status = gca_block_expand(expanded, byteCount, src, srcCount, codec);
    if (status != GCA_OK) return status;
    gca_filters_undo_using(dst, spare, expanded, byteCount, filters, count, use, vectors);
    return GCA_OK;
}
