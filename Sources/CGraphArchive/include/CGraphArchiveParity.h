// Part of CGraphArchive: arithmetic of Reed-Solomon codes, over GF(2^8) with x^8 + x^4 + x^3 + x^2 + 1.

#ifndef CGRAPHARCHIVEPARITY_H
#define CGRAPHARCHIVEPARITY_H

#include <stddef.h>
#include <stdint.h>

#include "CGraphArchiveFilters.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The product of two bytes.
uint8_t gca_parity_multiply(uint8_t left, uint8_t right);

/// What a byte is to be multiplied by to make 1; 0 for 0.
uint8_t gca_parity_inverse(uint8_t value);

/// Adds the product of `factor` and each byte of `src` to that of `dst`, which does not overlap. The bytes are the same for all
/// vectors.
void gca_parity_add(uint8_t *dst, uint8_t factor, const uint8_t *src, size_t byteCount, gca_vectors vectors);

/// `gca_parity_add` with a factor of 1.
void gca_parity_xor(uint8_t *dst, const uint8_t *src, size_t byteCount);

/// Bytes of a sector.
enum { GCA_PARITY_SECTOR = 4096 };

/// The parities of some words: the first ones, and each next ones `stride` bytes further on.
typedef struct gca_parities {
    uint8_t *bytes;
    size_t stride;
    size_t count;
    /// What rows are multiplied by for the first parity, in their order; for each next one `factorStride` further on.
    const uint8_t *factors;
    size_t factorStride;
} gca_parities;

/// Sectors of the same words in some rows: `count` side by side, and those of each next row `rowStride` bytes further on.
typedef struct gca_sectors {
    const uint8_t *bytes;
    size_t rowStride;
    size_t rowCount;
    size_t count;
} gca_sectors;

/// Adds sectors to the parities of their words, and sets their checksums, the lower halves of XXH3-64: those of each next row
/// `checksumStride` further on.
///
/// Sector `j` of row `r` is also added to number `r + j` of `sums`, which is NULL or has `rowCount + count - 1` sectors. Nothing
/// overlaps. The bytes are the same for all vectors.
void gca_parity_add_sectors(gca_parities parities, gca_sectors sectors, uint8_t *sums, uint32_t *checksums,
                            size_t checksumStride, gca_vectors vectors);

#ifdef __cplusplus
}
#endif

#endif
