// What files of the C target share: filters of a part of a block, for callers that apply several, part by part, and the
// compressor of bit planes.

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

/// Does it with vectors of 64 bytes, on a processor that has GCA_VECTORS_AVX512.
///
/// Answers how many elements are done: all but fewer than 512, or none where they are of more than 16 bytes.
size_t gca_bit_shuffle_avx512(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize);

/// Undoes `gca_bit_shuffle_avx512`.
size_t gca_bit_unshuffle_avx512(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize);

/// Undoes it as far as a byte shuffle, for `count` elements, a multiple of 512: to planes that are `stride` bytes apart.
void gca_bit_planes_avx512(uint8_t *planes, size_t stride, const uint8_t *src, size_t count, size_t rowBytes,
                           size_t elementSize);

/// Writes the differences of the integers `first` to `end` of `src` to the start of `dst`.
void gca_delta_part(uint8_t *dst, const uint8_t *src, size_t first, size_t end, size_t width, size_t lag,
                    size_t startLag, gca_vectors vectors);

/// Undoes it: `src` has the differences of the integers `first` to `end` of `dst`, which has those before.
void gca_undelta_part(uint8_t *dst, const uint8_t *src, size_t first, size_t end, size_t width, size_t lag,
                      size_t startLag, gca_vectors vectors);

/// Undoes a shuffle of `count` integers of 8 bytes, by bits or by bytes, that are differences of neighbours; `dst` is a multiple of
/// 16 where the result goes past the caches.
///
/// Answers how many of them are done: not all, and none where the processor has no vectors for it.
size_t gca_unshuffle_sums(uint8_t *dst, const uint8_t *src, size_t count, bool areBits, gca_memory_use use,
                          gca_vectors vectors);

/// Compresses `srcCount` bytes, at most GCA_BLOCK_MAX, to one LZ4 block, in a way that suits bit planes.
///
/// Answers how many bytes the block has; 0 where it would be more than there is room for.
size_t gca_planes_compress(uint8_t *dst, size_t dstCapacity, const uint8_t *src, size_t srcCount);

#endif
