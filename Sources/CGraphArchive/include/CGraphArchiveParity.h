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

#ifdef __cplusplus
}
#endif

#endif
