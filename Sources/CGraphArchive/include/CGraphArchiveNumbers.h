// The codec for numbers: blocks of integers or floating-point numbers coded by predictors, bins and an entropy coder.
//
// A part of CGraphArchive.h, with the same rules. What the bytes mean is in Documentation/Format-2.md, "Blocks of numbers".
#ifndef CGRAPHARCHIVENUMBERS_H
#define CGRAPHARCHIVENUMBERS_H

#include "CGraphArchive.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a writer knows of the numbers in a block. It decides what is tried, never whether the block can be read.
typedef struct gca_numbers_hint {
    bool areFloats;   ///< Floating-point numbers of 2, 4 or 8 bytes; integers without it.
    uint32_t lanes;   ///< Numbers per element, such as 3 for vectors of three; 0 if that is not known.
    uint32_t row;     ///< Numbers per row, such as those of a frame; 0 if there are none.
} gca_numbers_hint;

/// Working memory that a thread keeps from block to block, since new pages cost as much as the work in them. Zeros at first.
typedef struct gca_numbers_memory {
    void *parts[3];
    size_t byteCounts[3];
} gca_numbers_memory;

/// Gives it back.
void gca_numbers_forget(gca_numbers_memory *memory);

/// Compresses `srcCount` bytes, at most GCA_BLOCK_MAX, of numbers of `width` = 1, 2, 4 or 8 bytes; bytes after the last whole
/// number are kept, too.
///
/// `*storedCount` is 0 where the result would not be smaller than the block, or not fit into `dstCapacity`. GCA_BAD_BLOCK for
/// other sizes, GCA_NO_MEMORY if an allocation failed. The bytes are the same on all processors.
gca_status gca_numbers_compress(uint8_t *dst, size_t dstCapacity, const uint8_t *src, size_t srcCount, size_t width,
                                gca_numbers_hint hint, gca_numbers_memory *memory, size_t *storedCount);

/// Expands such a block to exactly `rawCount` bytes, at most GCA_BLOCK_MAX: GCA_BAD_BLOCK for any other, after which `dst` has
/// anything.
///
/// The time is bounded by both sizes and that for 32 tables; `memory` becomes at most `rawCount` and about 1.3 MiB larger.
gca_status gca_numbers_expand(uint8_t *dst, size_t rawCount, const uint8_t *src, size_t srcCount, size_t width,
                              gca_numbers_memory *memory);

#ifdef __cplusplus
}
#endif

#endif
