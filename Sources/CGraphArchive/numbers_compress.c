// Blocks of numbers compressed: the transform is chosen, and its series written.

#include "numbers_writing.h"

#include <stdlib.h>

static void order(uint8_t *dst, const uint8_t *src, size_t count, size_t width) {
    for (size_t i = 0; i < count; i++) {
        numbers_store(dst, i, (uint64_t)numbers_order(numbers_load(src, i, width), width), width);
    }
}

/// Splits numbers into multiples of a base, and what these are off by.
static void divide(uint8_t *factors, uint8_t *off, const uint8_t *src, size_t count, size_t width, double base) {
    for (size_t i = 0; i < count; i++) {
        int64_t factor;
        int64_t remainder = gca_numbers_remainder(src, i, base, width, &factor);
        numbers_store(factors, i, (uint64_t)factor, width);
        numbers_store(off, i, (uint64_t)remainder, width);
    }
}

/// Writes what stands between the size of a block and the bytes behind its last whole number. `spare` has room for the numbers
/// twice if they are floating-point numbers.
static gca_status write_block(uint8_t **cursor, const uint8_t *end, uint8_t *spare, const uint8_t *src, size_t count, size_t width,
                              gca_numbers_hint hint, bool *isWritten) {
    uint8_t *to = *cursor;
    uint64_t baseBits;
    const uint8_t *values = src;
    double base = hint.areFloats && width >= 4 ? gca_numbers_find_base(src, count, width) : 0;
    to[0] = base != 0 ? NUMBERS_MULTIPLES : hint.areFloats ? NUMBERS_ORDERED : NUMBERS_INTEGERS;
    to[1] = 0;
    *cursor += 2;
    if (base != 0) {
        memcpy(&baseBits, &base, sizeof baseBits);
        memcpy(to + 2, &baseBits, sizeof baseBits);
        *cursor += sizeof baseBits;
        divide(spare, spare + count * width, src, count, width, base);
        values = spare;
    } else if (hint.areFloats) {
        order(spare, src, count, width);
        values = spare;
    }
    gca_status status = gca_numbers_write_series(cursor, end, values, count, width, hint.lanes, hint.row, isWritten);
    if (base == 0 || status != GCA_OK || !*isWritten) return status;
    return gca_numbers_write_series(cursor, end, spare + count * width, count, width, hint.lanes, hint.row, isWritten);
}

gca_status gca_numbers_compress(uint8_t *dst, size_t dstCapacity, const uint8_t *src, size_t srcCount, size_t width,
                                gca_numbers_hint hint, size_t *storedCount) {
    *storedCount = 0;
    bool isWidth = width == 1 || width == 2 || width == 4 || width == 8;
    if (!isWidth || srcCount == 0 || srcCount > GCA_BLOCK_MAX || (width == 1 && hint.areFloats)) return GCA_BAD_BLOCK;
    size_t count = srcCount / width, rest = srcCount % width;
    size_t capacity = dstCapacity < srcCount ? dstCapacity : srcCount - 1;
    if (count == 0 || capacity < rest + 16) return GCA_OK;
    uint8_t *cursor = dst, *spare = NULL;
    if (hint.areFloats) {
        spare = malloc(2 * srcCount);
        if (spare == NULL) return GCA_NO_MEMORY;
    }
    bool isWritten = false;
    gca_status status = write_block(&cursor, dst + capacity - rest, spare, src, count, width, hint, &isWritten);
    free(spare);
    if (status != GCA_OK || !isWritten) return status;
    if (rest > 0) memcpy(cursor, src + count * width, rest);
    size_t written = (size_t)(cursor - dst) + rest, fewest = numbers_fewest_bytes(srcCount);
    if (written < fewest) {
        if (fewest > capacity) return GCA_OK;
        memset(dst + written, 0, fewest - written);
        written = fewest;
    }
    *storedCount = written;
    return GCA_OK;
}
