// Elements without the padding between them, and back: any part of them, for blocks that begin inside an element.

#include "CGraphArchive.h"
#include "vectors.h"

// Three numbers of four bytes in 16, such as a SIMD3<Float>, except the last one: the four bytes after each are copied along, and
// the next one overwrites them.
#if defined(GCA_HAS_VECTORS)
static size_t pack_threes(uint8_t *dst, const uint8_t *src, size_t count) {
    size_t i = 0;
    for (; i + 1 < count; i++) {
        // When the caches are busy, the processor does not prefetch far enough on its own. The address may be past the array.
        __builtin_prefetch((const void *)((uintptr_t)src + i * 16 + 2048));
        vector16 vector;
        memcpy(&vector, src + i * 16, 16);
        memcpy(dst + i * 12, &vector, 16);
    }
    return i;
}

static size_t unpack_threes(uint8_t *dst, const uint8_t *src, size_t count) {
    const vector16 mask = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    size_t i = 0;
    for (; i + 1 < count; i++) {
        vector16 vector;
        memcpy(&vector, src + i * 12, 16);
        vector &= mask;
        memcpy(dst + i * 16, &vector, 16);
    }
    return i;
}
#else
static size_t pack_threes(uint8_t *dst, const uint8_t *src, size_t count) {
    (void)dst, (void)src, (void)count;
    return 0;
}

static size_t unpack_threes(uint8_t *dst, const uint8_t *src, size_t count) {
    return pack_threes(dst, src, count);
}
#endif

// With a size and stride known to the compiler, a copy is one or two moves.
#define FOR_SIZES(action)                                    \
    switch (stride < 256 ? size << 8 | stride : 0) {         \
    case 3 << 8 | 4: action(3, 4)                            \
    case 6 << 8 | 8: action(6, 8)                            \
    case 12 << 8 | 16: action(12, 16)                        \
    case 24 << 8 | 32: action(24, 32)                        \
    default: action(size, stride)                            \
    }

void gca_pack(uint8_t *dst, const uint8_t *src, size_t offset, size_t byteCount, size_t size, size_t stride) {
    src += offset / size * stride;
    size_t inside = offset % size;
    if (inside != 0) {
        size_t count = size - inside < byteCount ? size - inside : byteCount;
        memcpy(dst, src + inside, count);
        dst += count;
        byteCount -= count;
        src += stride;
    }
    size_t whole = byteCount / size;
    size_t first = size == 12 && stride == 16 ? pack_threes(dst, src, whole) : 0;
#define PACK(size, stride)                                    \
    for (size_t i = first; i < whole; i++) {                  \
        memcpy(dst + i * (size), src + i * (stride), (size)); \
    }                                                         \
    break;
    FOR_SIZES(PACK)
#undef PACK
    size_t rest = byteCount % size;
    if (rest != 0) memcpy(dst + whole * size, src + whole * stride, rest);
}

void gca_unpack(uint8_t *dst, const uint8_t *src, size_t offset, size_t byteCount, size_t size, size_t stride) {
    dst += offset / size * stride;
    size_t inside = offset % size;
    if (inside != 0) {
        size_t count = size - inside < byteCount ? size - inside : byteCount;
        memcpy(dst + inside, src, count);
        if (inside + count == size) memset(dst + size, 0, stride - size);
        src += count;
        byteCount -= count;
        dst += stride;
    }
    size_t whole = byteCount / size;
    size_t first = size == 12 && stride == 16 ? unpack_threes(dst, src, whole) : 0;
#define UNPACK(size, stride)                                          \
    for (size_t i = first; i < whole; i++) {                          \
        memcpy(dst + i * (stride), src + i * (size), (size));         \
        memset(dst + i * (stride) + (size), 0, (stride) - (size));    \
    }                                                                 \
    break;
    FOR_SIZES(UNPACK)
#undef UNPACK
    size_t rest = byteCount % size;
    if (rest != 0) memcpy(dst + whole * stride, src + whole * size, rest);
}
