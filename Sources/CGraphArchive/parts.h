// Filters of a part of a block: for callers that apply several, part by part.

#ifndef GCA_PARTS_H
#define GCA_PARTS_H

#include "CGraphArchive.h"

/// Shuffles `count` elements to planes that are `stride` bytes apart.
void gca_shuffle_part(uint8_t *dst, const uint8_t *src, size_t count, size_t stride, size_t elementSize,
                      gca_vectors vectors);

/// Undoes `gca_shuffle_part`.
void gca_unshuffle_part(uint8_t *dst, const uint8_t *src, size_t count, size_t stride, size_t elementSize,
                        gca_vectors vectors);

/// Shuffles the bits of `count` elements, a multiple of 8, to planes that are `rowBytes` bytes apart.
void gca_bit_shuffle_part(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize,
                          gca_vectors vectors);

/// Undoes `gca_bit_shuffle_part`.
void gca_bit_unshuffle_part(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes,
                            size_t elementSize, gca_vectors vectors);

/// Writes the differences of the integers `first` to `end` of `src` to the start of `dst`.
void gca_delta_part(uint8_t *dst, const uint8_t *src, size_t first, size_t end, size_t width, size_t lag,
                    size_t startLag, gca_vectors vectors);

/// Undoes it: `src` has the differences of the integers `first` to `end` of `dst`, which has those before.
void gca_undelta_part(uint8_t *dst, const uint8_t *src, size_t first, size_t end, size_t width, size_t lag,
                      size_t startLag, gca_vectors vectors);

#endif
