// Filters by their numbers, as the header of a segment has them.

#include "CGraphArchive.h"

static double number_of(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static bool make_grid(gca_grid *grid, const gca_filter *filter) {
    return gca_grid_make(grid, filter->width, number_of(filter->argument), filter->parameter);
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
        return parameter <= 63 && make_grid(&grid, filter);
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

void gca_filter_apply(uint8_t *dst, const uint8_t *src, size_t byteCount, const gca_filter *filter,
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

void gca_filter_undo(uint8_t *dst, const uint8_t *src, size_t byteCount, const gca_filter *filter,
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
