// Shared by files of the C target: filters of a part of a block, planes of a shuffled block, and lists of filters applied part by
// part.

#ifndef GCA_PARTS_H
#define GCA_PARTS_H

#include "CGraphArchive.h"

/// Bytes of a part that all filters are applied to in turn: it and its result fit in the nearest cache.
enum { GCA_PART_BYTES = 8192 };

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
/// Returns how many elements are done: all but fewer than 512, or none if they have more than 16 bytes.
size_t gca_bit_shuffle_avx512(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize);

/// Undoes `gca_bit_shuffle_avx512`.
size_t gca_bit_unshuffle_avx512(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize);

/// Writes the differences of the integers `first` to `end` of `src` to the start of `dst`.
void gca_delta_part(uint8_t *dst, const uint8_t *src, size_t first, size_t end, size_t width, size_t lag,
                    size_t startLag, gca_vectors vectors);

/// Undoes it: `src` has the differences of the integers `first` to `end` of `dst`, which has those before.
void gca_undelta_part(uint8_t *dst, const uint8_t *src, size_t first, size_t end, size_t width, size_t lag,
                      size_t startLag, gca_vectors vectors);

// MARK: Planes

/// LZ4's rules: the shortest match, the last bytes of a block that no match may cover, and those in which none may begin.
enum { GCA_LEAST_MATCH = 4, GCA_LITERAL_END = 5, GCA_LAST_START = 12 };

/// The planes of a shuffled block, each of which lies anywhere: a bit or a byte of all numbers.
typedef struct gca_planes {
    const uint8_t *each[64];
    size_t count, byteCount;
} gca_planes;

/// Places the planes one after the other, from `src` on.
void gca_planes_place(gca_planes *planes, const uint8_t *src);

/// Expands an LZ4 block to `dst`, except for planes that lie in `src` as a whole, on a processor that has GCA_VECTORS_AVX512.
/// Without planes, all of it is expanded.
///
/// True only for blocks that LZ4 expands to that many bytes, with the same bytes; what it refuses is left to LZ4.
bool gca_planes_expand(gca_planes *planes, uint8_t *dst, size_t dstCount, const uint8_t *src, size_t srcCount);

/// Copies the bytes from `offset` on of planes that lie elsewhere to their places in `dst`.
void gca_planes_gather(const gca_planes *planes, uint8_t *dst, size_t offset);

/// Compresses `srcCount` bytes, at most GCA_BLOCK_MAX, to one LZ4 block, in a way that suits bit planes.
///
/// Returns the size of the block, or 0 if there is not enough room. The bytes are the same for all vectors.
size_t gca_planes_compress(uint8_t *dst, size_t dstCapacity, const uint8_t *src, size_t srcCount,
                           gca_vectors vectors);

/// Whether the processor has vectors for `gca_sum_planes`.
bool gca_has_sums(bool areBits, gca_memory_use use, gca_vectors vectors);

/// Undoes a shuffle of integers of 8 bytes, into 64 planes of bits or 8 of bytes, that are differences of neighbours; `dst`
/// is a multiple of 16 where the result goes past the caches.
///
/// Returns how many of them are done, which is never all.
size_t gca_sum_planes(uint8_t *dst, const gca_planes *planes, gca_memory_use use, gca_vectors vectors);

/// Does it for planes of bits with vectors of 64 bytes, on a processor that has GCA_VECTORS_AVX512: all but fewer than 512.
size_t gca_sum_bits_avx512(uint8_t *dst, const gca_planes *planes, gca_memory_use use);

/// The bytes that are read next. Each summed group prefetches a share of them: otherwise the checksum, which reads them first,
/// would wait for memory.
typedef struct gca_next_lines {
    const uint8_t *bytes;
    size_t byteCount, done, share;
} gca_next_lines;

static inline gca_next_lines gca_find_next_lines(gca_memory_use use, size_t groupCount) {
    size_t byteCount = use.nextCount < GCA_BLOCK_MAX ? use.nextCount : GCA_BLOCK_MAX;
    return (gca_next_lines){use.next, byteCount, 0, (byteCount / 64 + 1 + groupCount) / (groupCount + 1)};
}

static inline void gca_fetch_share(gca_next_lines *next) {
    for (size_t i = 0; i < next->share && next->done < next->byteCount; i++, next->done += 64) {
        __builtin_prefetch(next->bytes + next->done, 0, 2);
    }
}

// MARK: Chains

/// `gca_filters_undo` with control over how memory is used.
void gca_filters_undo_using(uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t byteCount,
                            const gca_filter *filters, size_t count, gca_memory_use use, gca_vectors vectors);

/// A list of filters applied part by part: numbers or codes, their differences if any, and a shuffle of the same width.
typedef struct gca_chain {
    const gca_filter *quantised;
    const gca_filter *delta;
    const gca_filter *shuffle;
    gca_grid grid;
    size_t width;
} gca_chain;

/// Returns whether it is such a list.
bool gca_chain_make(gca_chain *chain, const gca_filter *filters, size_t count);

/// Filters the numbers from `first` to `end` of a block of `count`; `src` begins with them, or has all numbers of the block in front
/// of them, too. `kept` has room for a block, and stays between the calls for one.
void gca_chain_apply(const gca_chain *chain, uint8_t *dst, uint8_t *kept, const uint8_t *src, bool hasAll,
                     size_t first, size_t end, size_t count, gca_vectors vectors);

/// The planes from which differences of 8-byte neighbours are summed up directly; none for other lists, or if the processor lacks
/// the vectors.
gca_planes gca_chain_planes(const gca_chain *chain, const uint8_t *dst, size_t byteCount, gca_memory_use use,
                            gca_vectors vectors);

/// Undoes all filters from these planes, and returns for how many numbers: those of whole bytes of bit planes.
size_t gca_chain_sum(uint8_t *dst, const gca_planes *planes, gca_memory_use use, gca_vectors vectors);

/// Undoes the filters of a block from number `done` on; everything before it is done.
void gca_chain_undo(const gca_chain *chain, uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t done,
                    size_t byteCount, gca_vectors vectors);

/// What a filter of quantised numbers maps them to. Returns whether the format has the filter.
bool gca_filter_grid(gca_grid *grid, const gca_filter *filter);

#endif
