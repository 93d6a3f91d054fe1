// The C kernels under libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer: what is expanded, unshuffled, unpacked
// or read is as large as it says, and what they write comes back.

#include "CGraphArchive.h"

#include <stdlib.h>

/// A copy that ends where its memory ends, so that a byte behind it is seen.
static uint8_t *copy(const uint8_t *bytes, size_t byteCount) {
    uint8_t *memory = malloc(byteCount == 0 ? 1 : byteCount);
    if (memory == NULL) abort();
    if (byteCount != 0) memcpy(memory, bytes, byteCount);
    return memory;
}

static void check(bool holds) {
    if (!holds) abort();
}

static void expand(const uint8_t *bytes, size_t byteCount, size_t rawCount, unsigned codec) {
    uint8_t *stored = copy(bytes, byteCount);
    uint8_t *raw = malloc(rawCount == 0 ? 1 : rawCount);
    if (raw == NULL) abort();
    gca_status status = gca_block_expand(raw, rawCount, stored, byteCount, (gca_codec)codec);
    check(status == GCA_OK || status == GCA_BAD_BLOCK || status == GCA_BAD_CODEC);
    free(raw);
    free(stored);
}

/// What is stored uncompressed may be read where it lies: with the same result.
static void restore(const uint8_t *bytes, size_t byteCount, size_t rawCount, unsigned list) {
    static const gca_filter lists[][2] = {
        {{GCA_FILTER_DELTA, 8, 1, 0}, {GCA_FILTER_BYTE_SHUFFLE, 0, 8, 0}},
        {{GCA_FILTER_DELTA, 8, 1, 0}, {GCA_FILTER_BIT_SHUFFLE, 0, 8, 0}},
        {{GCA_FILTER_DELTA, 4, 3, 0}, {GCA_FILTER_BIT_SHUFFLE, 0, 4, 0}},
        {{GCA_FILTER_BIT_SHUFFLE, 0, 8, 0}},
    };
    const gca_filter *filters = lists[list % 4];
    size_t count = list % 4 == 3 ? 1 : 2;
    uint8_t *stored = copy(bytes, byteCount);
    uint8_t *expanded = calloc(rawCount + 1, 1), *spare = calloc(rawCount + 1, 1);
    uint8_t *expected = malloc(rawCount + 1), *back = malloc(rawCount + 1);
    if (expanded == NULL || spare == NULL || expected == NULL || back == NULL) abort();
    gca_status status = gca_block_expand(expanded, rawCount, stored, byteCount, GCA_CODEC_LZ4);
    if (status == GCA_OK) gca_filters_undo(expected, spare, expanded, rawCount, filters, count, GCA_VECTORS_NONE);
    gca_memory_use use = {.pastCaches = rawCount % 2 == 0, .next = bytes, .nextCount = byteCount};
    check(gca_block_restore(back, spare, expanded, rawCount, stored, byteCount, GCA_CODEC_LZ4, filters, count, use,
                            gca_vectors_best()) == status);
    if (status == GCA_OK) check(memcmp(back, expected, rawCount) == 0);
    free(back);
    free(expected);
    free(spare);
    free(expanded);
    free(stored);
}

static void compress(const uint8_t *bytes, size_t byteCount, int level) {
    if (byteCount == 0) return;
    uint8_t *raw = copy(bytes, byteCount);
    uint8_t *stored = copy(bytes, byteCount);
    uint8_t *back = copy(bytes, byteCount);
    size_t storedCount = 0;
    check(gca_block_compress(stored, byteCount, raw, byteCount, level, &storedCount) == GCA_OK);
    check(storedCount < byteCount);
    if (storedCount != 0) {
        memset(back, 0xa5, byteCount);
        check(gca_block_expand(back, byteCount, stored, storedCount, GCA_CODEC_LZ4) == GCA_OK);
    }
    check(memcmp(back, raw, byteCount) == 0);
    free(back);
    free(stored);
    free(raw);
}

static void shuffle(const uint8_t *bytes, size_t byteCount, size_t elementSize) {
    uint8_t *raw = copy(bytes, byteCount);
    uint8_t *expected = copy(bytes, byteCount);
    uint8_t *shuffled = copy(bytes, byteCount);
    uint8_t *back = copy(bytes, byteCount);
    gca_shuffle(expected, raw, byteCount, elementSize, GCA_VECTORS_NONE);
    for (unsigned vectors = 0; vectors <= (unsigned)gca_vectors_best(); vectors++) {
        gca_shuffle(shuffled, raw, byteCount, elementSize, (gca_vectors)vectors);
        check(byteCount == 0 || memcmp(shuffled, expected, byteCount) == 0);
        gca_unshuffle(back, shuffled, byteCount, elementSize, (gca_vectors)vectors);
        check(byteCount == 0 || memcmp(back, raw, byteCount) == 0);
    }
    free(back);
    free(shuffled);
    free(expected);
    free(raw);
}

static void unpack(const uint8_t *bytes, size_t byteCount, size_t size, size_t padding) {
    size_t stride = size + padding;
    size_t count = byteCount / size;
    if (count == 0) return;
    uint8_t *packed = copy(bytes, count * size);
    uint8_t *back = copy(bytes, count * size);
    uint8_t *elements = calloc(count, stride);
    if (elements == NULL) abort();
    gca_unpack(elements, packed, 0, count * size, size, stride);
    memset(back, 0xa5, count * size);
    gca_pack(back, elements, 0, count * size, size, stride);
    check(memcmp(back, packed, count * size) == 0);
    free(elements);
    free(back);
    free(packed);
}

static void expand_numbers(const uint8_t *bytes, size_t byteCount, size_t rawCount, size_t width) {
    uint8_t *stored = copy(bytes, byteCount), *raw = malloc(rawCount == 0 ? 1 : rawCount);
    if (raw == NULL) abort();
    gca_numbers_memory memory = {0};
    gca_status status = gca_numbers_expand(raw, rawCount, stored, byteCount, width, &memory);
    gca_numbers_forget(&memory);
    check(status == GCA_OK || status == GCA_BAD_BLOCK);
    free(raw);
    free(stored);
}

static void compress_numbers(const uint8_t *bytes, size_t byteCount, size_t width, gca_numbers_hint hint) {
    if (byteCount == 0 || (width == 1 && hint.areFloats)) return;
    uint8_t *raw = copy(bytes, byteCount), *stored = copy(bytes, byteCount), *back = copy(bytes, byteCount);
    size_t storedCount = 0;
    gca_numbers_memory memory = {0};
    check(gca_numbers_compress(stored, byteCount, raw, byteCount, width, hint, &memory, &storedCount) == GCA_OK);
    check(storedCount < byteCount);
    memset(back, 0xa5, byteCount);
    if (storedCount != 0) {
        check(gca_numbers_expand(back, byteCount, stored, storedCount, width, &memory) == GCA_OK);
        check(memcmp(back, raw, byteCount) == 0);
    }
    gca_numbers_forget(&memory);
    free(back);
    free(stored);
    free(raw);
}

/// Each byte of `commands` says what is read next.
static void read_stream(const uint8_t *bytes, size_t byteCount, const uint8_t *commands, size_t commandCount) {
    uint8_t *stream = copy(bytes, byteCount);
    gca_reader reader;
    gca_reader_init(&reader, stream, byteCount);
    for (size_t i = 0; i < commandCount; i++) {
        uint64_t u64 = 0;
        uint32_t u32 = 0;
        uint16_t u16 = 0;
        uint8_t u8 = 0;
        const uint8_t *found = NULL;
        const uint8_t *before = reader.cursor;
        bool isRead = false;
        switch (commands[i] % 6) {
            case 0: isRead = gca_get_varint(&reader, &u64); break;
            case 1: isRead = gca_get_u8(&reader, &u8); break;
            case 2: isRead = gca_get_u16(&reader, &u16); break;
            case 3: isRead = gca_get_u32(&reader, &u32); break;
            case 4: isRead = gca_get_u64(&reader, &u64); break;
            default:
                isRead = gca_get_bytes(&reader, commands[i], &found);
                if (isRead) (void)gca_is_ascii(found, commands[i]);
        }
        check(reader.cursor <= reader.end && (isRead || reader.cursor == before));
        if (isRead && commands[i] % 6 == 0) {
            uint8_t varint[16];
            unsigned size = gca_varint_write(varint, u64);
            check(size == gca_varint_size(u64) && size <= (size_t)(reader.cursor - before));
        }
    }
    free(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byteCount) {
    if (byteCount < 4) return 0;
    unsigned parameter = bytes[1] | (unsigned)bytes[2] << 8;
    const uint8_t *rest = bytes + 4;
    size_t restCount = byteCount - 4;
    switch (bytes[0] % 8) {
        case 0: expand(rest, restCount, parameter, bytes[3]); break;
        case 1: compress(rest, restCount, bytes[3] % 13); break;
        case 2: shuffle(rest, restCount, 1 + bytes[3] % 255u); break;
        case 3: restore(rest, restCount, parameter, bytes[3]); break;
        case 4: unpack(rest, restCount, 1 + bytes[1], bytes[2]); break;
        case 5: expand_numbers(rest, restCount, parameter, (size_t)1 << bytes[3] % 4); break;
        case 6: {
            uint32_t row = bytes[2] < 128 ? bytes[2] : (uint32_t)(restCount >> bytes[3] % 4) + 7 - bytes[2] % 16u;
            gca_numbers_hint hint = {.areFloats = bytes[3] & 4, .lanes = bytes[1] % 10u, .row = row};
            compress_numbers(rest, restCount, (size_t)1 << bytes[3] % 4, hint);
            break;
        }
        default: {
            size_t commandCount = parameter < restCount ? parameter : restCount;
            read_stream(rest + commandCount, restCount - commandCount, rest, commandCount);
        }
    }
    return 0;
}
