// Blocks of numbers compressed: the transform is chosen, and its series written.

#include "numbers_writing.h"

__attribute__((always_inline)) static inline void order_all(uint8_t *restrict dst, const uint8_t *restrict src, size_t count,
                                                            size_t width) {
    for (size_t i = 0; i < count; i++) {
        numbers_store(dst, i, (uint64_t)numbers_order(numbers_load(src, i, width), width), width);
    }
}

static void order(uint8_t *dst, const uint8_t *src, size_t count, size_t width) {
    switch (width) {
    case 2: order_all(dst, src, count, 2); return;
    case 4: order_all(dst, src, count, 4); return;
    default: order_all(dst, src, count, 8);
    }
}

/// Writes what stands between the size of a block and the bytes behind its last whole number. `spare` has room for the numbers
/// twice if they are floating-point numbers.
static gca_status write_block(uint8_t **cursor, const uint8_t *end, uint8_t *spare, const uint8_t *src, size_t count, size_t width,
                              gca_numbers_hint hint, gca_numbers_memory *memory, bool *isWritten) {
    uint8_t *to = *cursor;
    uint64_t baseBits;
    const uint8_t *values = src;
    unsigned lowBits = hint.areFloats ? gca_numbers_low_bits(src, count, width) : 0;
    numbers_scale scale;
    bool hasScale = hint.areFloats && width >= 4 && gca_numbers_find_scale(&scale, src, count, width, lowBits);
    if (hasScale) lowBits = 0;
    to[0] = hasScale ? (uint8_t)scale.transform : hint.areFloats ? NUMBERS_ORDERED : NUMBERS_INTEGERS;
    to[1] = (uint8_t)lowBits;
    *cursor += 2;
    if (hasScale) {
        memcpy(&baseBits, &scale.base, sizeof baseBits);
        memcpy(to + 2, &baseBits, sizeof baseBits);
        *cursor += sizeof baseBits;
        gca_numbers_divide(spare, spare + count * width, src, count, width, scale);
        values = spare;
    } else if (hint.areFloats) {
        order(spare, src, count, width);
        if (lowBits > 0) gca_numbers_part(spare, spare + count * width, count, width, lowBits);
        values = spare;
    }
    gca_status status = gca_numbers_write_series(cursor, end, values, count, width, hint.lanes, hint.row, memory, isWritten);
    if ((!hasScale && lowBits == 0) || status != GCA_OK || !*isWritten) return status;
    return gca_numbers_write_series(cursor, end, spare + count * width, count, width, hint.lanes, hint.row, memory, isWritten);
}

gca_status gca_numbers_compress(uint8_t *dst, size_t dstCapacity, const uint8_t *src, size_t srcCount, size_t width,
                                gca_numbers_hint hint, gca_numbers_memory *memory, size_t *storedCount) {
    *storedCount = 0;
    bool isWidth = width == 1 || width == 2 || width == 4 || width == 8;
    if (!isWidth || srcCount == 0 || srcCount > GCA_BLOCK_MAX || (width == 1 && hint.areFloats)) return GCA_BAD_BLOCK;
    size_t count = srcCount / width, rest = srcCount % width;
    size_t capacity = dstCapacity < srcCount ? dstCapacity : srcCount - 1;
    if (count == 0 || capacity < rest + 16) return GCA_OK;
    uint8_t *cursor = dst, *spare = NULL;
    if (hint.areFloats) {
        spare = gca_numbers_room(memory, NUMBERS_SPARE, 2 * srcCount);
        if (spare == NULL) return GCA_NO_MEMORY;
    }
    bool isWritten = false;
    gca_status status = write_block(&cursor, dst + capacity - rest, spare, src, count, width, hint, memory, &isWritten);
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
