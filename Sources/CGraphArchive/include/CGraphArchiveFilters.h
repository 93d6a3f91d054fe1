// Filters: changes to the bytes of a block before it is compressed, undone after it is expanded.
//
// A part of CGraphArchive.h, with the same rules.
#ifndef CGRAPHARCHIVEFILTERS_H
#define CGRAPHARCHIVEFILTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Byte shuffle

/// The vector instructions that move the bytes. The result is the same with all of them.
typedef enum gca_vectors {
    GCA_VECTORS_NONE = 0,  ///< Byte by byte, on any processor.
    GCA_VECTORS_128 = 1,   ///< 16 bytes at a time: SSE2 on x86, NEON on arm64.
    GCA_VECTORS_AVX2 = 2,  ///< 32 bytes at a time.
    GCA_VECTORS_GFNI = 3,  ///< The same, and 8 x 8 bits by one instruction.
    GCA_VECTORS_AVX512 = 4,  ///< The same, and 64 bytes at a time; with VBMI.
} gca_vectors;

/// The fastest of them that this processor has. Each value below it works too.
gca_vectors gca_vectors_best(void);

/// Writes the first bytes of all elements to `dst`, then the second bytes, and so on.
///
/// `elementSize` is 1 to 255; bytes after the last whole element keep their places at the end. `src` and `dst` have `byteCount`
/// bytes each and do not overlap. Elements of 2, 4, 8 and 16 bytes are moved by vectors.
void gca_shuffle(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t elementSize, gca_vectors vectors);

/// Undoes `gca_shuffle`.
void gca_unshuffle(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t elementSize, gca_vectors vectors);

/// Undoes it for memory that is not read soon: where the processor can, `dst` bypasses its caches, which is faster for more bytes
/// than they hold, and keeps in them what is used again.
void gca_unshuffle_past_caches(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t elementSize,
                               gca_vectors vectors);

// MARK: Other filters

/// Writes bit 0 of the first bytes of all elements to `dst`, then bit 1, to bit 7 of the last bytes.
///
/// `elementSize` is 1 to 255. Only whole groups of eight elements are shuffled; the bytes after them keep their places. `src` and
/// `dst` have `byteCount` bytes each and do not overlap. Elements of at most 16 bytes are moved by vectors.
void gca_bit_shuffle(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t elementSize,
                     gca_vectors vectors);

/// Undoes `gca_bit_shuffle`.
void gca_bit_unshuffle(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t elementSize,
                       gca_vectors vectors);

/// Writes each integer of `width` bytes (1, 2, 4 or 8) minus the one `lag` before it, as zigzag.
///
/// `lag` is at least 1. The first `lag` integers are the differences over `startLag`, which is smaller; the first `startLag`, or
/// all of them if it is 0, are written as they are, as zigzag. Differences wrap around. Bytes after the last whole integer are
/// copied. `src` and `dst` have `byteCount` bytes each and do not overlap.
void gca_delta(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width, size_t lag, size_t startLag,
               gca_vectors vectors);

/// Undoes `gca_delta`.
void gca_undelta(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width, size_t lag, size_t startLag,
                 gca_vectors vectors);

/// Multiples of a step that stand for floating-point numbers; made by `gca_grid_make`.
typedef struct gca_grid {
    double step;
    double inverse;      ///< 1 / step
    uint64_t count;      ///< The most steps: 2^bits.
    uint64_t threshold;  ///< The number of the most steps, as bits: from it on, numbers keep their bits.
} gca_grid;

/// Makes a grid of 2^`bits` steps for numbers of `width` bytes: 4 with 1 to 22 bits, or 8 with 1 to 51. Filters are limited to
/// fewer by their own check.
///
/// Returns false, and makes no grid, for others, and where the step is not from 2^-1022 to 2^1000 or that many steps are not from
/// 2^-126 to 2^127 (2^-1022 to 2^1023 for 8 bytes).
bool gca_grid_make(gca_grid *grid, size_t width, double step, unsigned bits);

/// The step that keeps numbers within `bound`: twice that, less a 64th.
double gca_step(double bound);

/// Writes the code of each floating-point number of `width` bytes (4 or 8), an integer of as many, in the same order.
///
/// Below the threshold, the code is the nearest number of steps, ties to even; numbers above keep their bits, and their codes
/// follow. The codes of negative numbers, -0.0 among them, have all bits inverted. Bytes after the last whole number are copied.
/// `src` and `dst` have `byteCount` bytes each and do not overlap.
void gca_quantise(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width, const gca_grid *grid,
                  gca_vectors vectors);

/// Writes the number of each code; the one with the lowest bits where no number has the code.
void gca_dequantise(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width, const gca_grid *grid,
                    gca_vectors vectors);

/// How numbers are rounded in place.
typedef struct gca_rounding {
    uint8_t width;     ///< Bytes of a number: 2, 4 or 8.
    uint8_t dropped;   ///< Bits of the mantissa that become zero; 0: the grid counts.
    int16_t exponent;  ///< Of the step, a power of two, for numbers of 2 bytes.
    gca_grid grid;     ///< For others.
} gca_rounding;

/// Rounds `count` floating-point numbers every `stride` bytes, to the nearest, ties to even.
///
/// With `dropped`, subnormal numbers, infinities and NaN stay as they are, and so do those that would become infinite.
void gca_round(uint8_t *bytes, size_t count, size_t stride, const gca_rounding *rounding, gca_vectors vectors);

/// A filter as the header of a segment has it.
typedef struct gca_filter {
    uint8_t number;
    uint8_t width;
    uint32_t parameter;
    uint64_t argument;
} gca_filter;

/// The filters of the format.
typedef enum gca_filter_number {
    GCA_FILTER_BYTE_SHUFFLE = 1,
    GCA_FILTER_BIT_SHUFFLE = 2,
    GCA_FILTER_DELTA = 3,
    GCA_FILTER_QUANTISED = 4,
    GCA_FILTER_ROUNDED = 5,
} gca_filter_number;

/// Subtracts the integers of `width` = 1, 2, 4 or 8 bytes of another block from those of a block, as `gca_delta` stores
/// differences.
///
/// `dst`, `src` and `other` have `byteCount` bytes each and do not overlap. Bytes after the last integer stay as they are.
void gca_difference(uint8_t *dst, const uint8_t *src, const uint8_t *other, size_t byteCount, size_t width,
                    gca_vectors vectors);

/// Undoes it: `src` has the differences.
void gca_undifference(uint8_t *dst, const uint8_t *src, const uint8_t *other, size_t byteCount, size_t width,
                      gca_vectors vectors);

/// How the numbers of a segment were rounded: the parameter of GCA_FILTER_ROUNDED.
typedef enum gca_precision_mode {
    GCA_PRECISION_ABSOLUTE = 1,
    GCA_PRECISION_RELATIVE = 2,
    GCA_PRECISION_BITS = 3,
} gca_precision_mode;

/// Whether the format has the filter, and its width, parameter and argument are valid for it.
bool gca_filter_is_known(const gca_filter *filter);

/// Applies a list of at most four known filters, in order.
///
/// `src`, `dst` and `spare`, which is overwritten, have `byteCount` bytes each, at most GCA_BLOCK_MAX, and do not overlap.
void gca_filters_apply(uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t byteCount,
                       const gca_filter *filters, size_t count, gca_vectors vectors);

/// Whether a list can be applied span by span: a shuffle of numbers, after differences or codes.
bool gca_filters_take_spans(const gca_filter *filters, size_t count);

/// The length of every span except the last is a multiple of this.
#define GCA_SPAN ((size_t)32768)

/// Applies such a list to a span of a block of `byteCount` bytes, after all earlier spans.
///
/// `src` has the span alone, `spanCount` bytes from `offset` on. `dst` and `spare` are those of the block, and keep their
/// contents between the calls.
void gca_filters_apply_span(uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t offset, size_t spanCount,
                            size_t byteCount, const gca_filter *filters, size_t count, gca_vectors vectors);

/// Undoes such a list, in reverse order.
void gca_filters_undo(uint8_t *dst, uint8_t *spare, const uint8_t *src, size_t byteCount,
                      const gca_filter *filters, size_t count, gca_vectors vectors);

/// How undoing uses memory; it never changes the result.
typedef struct gca_memory_use {
    /// Whether the result goes past the caches, as that of `gca_unshuffle_past_caches` does.
    bool pastCaches;
    /// The `nextCount` bytes that are read next, which may be prefetched meanwhile.
    const uint8_t *next;
    size_t nextCount;
} gca_memory_use;

#ifdef __cplusplus
}
#endif

#endif
