// Messages of structs of numbers, one behind the other: what a log of events consists of.

#include "CGraphArchive.h"

/// How many bytes a varint takes, by the number of its highest bit: a look-up takes half of the time of the division.
static const uint8_t varint_sizes[64] = {
    1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9,
};

static inline size_t varint_size(uint64_t value) {
    return varint_sizes[63 - __builtin_clzll(value | 1u)];
}

/// Puts a varint of less than 57 bits.
static inline uint8_t *put_short_varint(uint8_t *dst, uint64_t value) {
    size_t size = varint_size(value);
    uint64_t word = ((value << 1) | 1u) << (size - 1);
    memcpy(dst, &word, sizeof word);
    return dst + size;
}

static inline uint8_t *put_varint(uint8_t *dst, uint64_t value) {
    if (__builtin_expect(value >> 56 == 0, 1)) return put_short_varint(dst, value);
    *dst = 0;
    memcpy(dst + 1, &value, sizeof value);
    return dst + 9;
}

// Each kind of field jumps to the next one's by itself, so that the processor foresees each jump by what it followed.
#define NEXT                                 \
    do {                                     \
        src = source + field->offset;        \
        goto *operations[field++->kind];     \
    } while (0)

size_t gca_put_messages(gca_writer *writer, const void *structs, size_t stride, size_t count,
                        const gca_number_field *fields, gca_message_head head, size_t byteCount) {
    static const void *const operations[] = {
        &&int64, &&uint64, &&int32, &&uint32, &&byte, &&four, &&eight, &&end,
    };
    uint64_t word, start;
    uint32_t half;
    memcpy(&start, head.bytes, sizeof start);
    start <<= 8;  // Behind the length.
    const size_t headByteCount = 1 + head.byteCount;
    const uint8_t *source = structs;
    uint8_t *dst = writer->cursor;
    const uint8_t *const limit = dst + byteCount;
    size_t number = 0;
    while (number < count && dst < limit) {
        uint8_t *const message = dst;
        const gca_number_field *field = fields;
        const uint8_t *src;
        memcpy(dst, &start, sizeof start);
        dst += headByteCount;
        NEXT;
    int64:
        memcpy(&word, src, sizeof word);
        dst = put_varint(dst, gca_zigzag((int64_t)word));
        NEXT;
    uint64:
        memcpy(&word, src, sizeof word);
        dst = put_varint(dst, word);
        NEXT;
    int32:
        memcpy(&half, src, sizeof half);
        dst = put_short_varint(dst, gca_zigzag((int32_t)half));
        NEXT;
    uint32:
        memcpy(&half, src, sizeof half);
        dst = put_short_varint(dst, half);
        NEXT;
    byte:
        *dst++ = *src;
        NEXT;
    four:
        memcpy(dst, src, 4);
        dst += 4;
        NEXT;
    eight:
        memcpy(dst, src, 8);
        dst += 8;
        NEXT;
    end:
        *message = (uint8_t)((dst - message - 1) << 1 | 1);
        source += stride;
        number++;
    }
    writer->cursor = dst;
    return number;
}
