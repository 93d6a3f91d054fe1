// Elements without the padding between them, and back: any part of them, for blocks that begin inside an element.

#include "CGraphArchive.h"

// With a size that the compiler knows, a copy is one or two moves.
#define FOR_SIZES(action) \
    switch (size) {       \
    case 3: action(3)     \
    case 6: action(6)     \
    case 12: action(12)   \
    case 24: action(24)   \
    default: action(size) \
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
#define PACK(size)                                       \
    for (size_t i = 0; i < whole; i++) {                 \
        memcpy(dst + i * (size), src + i * stride, size); \
    }                                                    \
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
#define UNPACK(size)                                      \
    for (size_t i = 0; i < whole; i++) {                  \
        memcpy(dst + i * stride, src + i * (size), size); \
        memset(dst + i * stride + (size), 0, stride - (size)); \
    }                                                     \
    break;
    FOR_SIZES(UNPACK)
#undef UNPACK
    size_t rest = byteCount % size;
    if (rest != 0) memcpy(dst + whole * stride, src + whole * size, rest);
}
