// Shared by files of the C target: sums of products over GF(2^8), with vectors.

#ifndef GCA_PARITY_KERNELS_H
#define GCA_PARITY_KERNELS_H

#include "CGraphArchive.h"
#include "CGraphArchiveParity.h"

/// x^8 + x^4 + x^3 + x^2 + 1, without the first of them.
enum { GCA_PARITY_POLYNOMIAL = 0x1D };

/// What a kernel takes at once.
enum { GCA_PARITIES_MAX = 4, GCA_PARITY_ROWS_MAX = 4 };

/// A factor in the form that a kernel takes.
typedef union gca_parity_factor {
    uint64_t matrix;
    struct {
        uint8_t low[16], high[16];
    } products;
} gca_parity_factor;

/// Up to four parities side by side, and rows that are added to them.
typedef struct gca_parity_rows {
    uint8_t *dst;
    size_t dstStride;
    const uint8_t *src;
    size_t srcStride;
    uint8_t *sums;  ///< To each row's sector belongs the next one; NULL for none.
    size_t byteCount;
    const gca_parity_factor (*factors)[GCA_PARITY_ROWS_MAX];
} gca_parity_rows;

/// A factor for the kernels of these vectors.
gca_parity_factor gca_parity_prepare(uint8_t factor, gca_vectors vectors);

/// Adds the first row to the parities, but not to the sums; returns how many bytes are done.
size_t gca_parity_add_row(gca_parity_rows rows, int parities, gca_vectors vectors);

/// Adds four rows to the parities and the sums, if there is a kernel for that.
bool gca_parity_add_four_rows(gca_parity_rows rows, int parities, gca_vectors vectors);

#endif
