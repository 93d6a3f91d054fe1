// Byte shuffle: the first bytes of all elements, then the second bytes, and so on.
//
// Bytes of the same weight are similar in arrays of numbers: they compress side by side, but not interleaved.
//
// 16 elements of E bytes, E a power of two, are E vectors of 16 bytes. An address in them has the element's number
// above the byte's. Interleaving the first half of the vectors with the second half, byte by byte, rotates the
// bits of all addresses left by one; after four times, the byte's number is above the element's. The way back
// takes log2(E) times. On x86 an interleaving is PUNPCKLBW and PUNPCKHBW, on arm64 ZIP1 and ZIP2; with AVX2 both
// halves of a register do it for 16 elements each.

#include "CGraphArchive.h"
#include "parts.h"
#include "vectors.h"

// MARK: Any element size

static void shuffle_portably(uint8_t *dst, const uint8_t *src, size_t count, size_t stride, size_t size,
                             size_t first) {
    for (size_t byte = 0; byte < size; byte++) {
        uint8_t *plane = dst + byte * stride;
        for (size_t i = first; i < count; i++) plane[i] = src[i * size + byte];
    }
}

static void unshuffle_portably(uint8_t *dst, const uint8_t *src, size_t count, size_t stride, size_t size,
                               size_t first) {
    for (size_t byte = 0; byte < size; byte++) {
        const uint8_t *plane = src + byte * stride;
        for (size_t i = first; i < count; i++) dst[i * size + byte] = plane[i];
    }
}

// MARK: Vectors

#if defined(GCA_HAS_VECTORS)

// Kernels return how many elements they have moved: all but fewer than `width`.
#define UNSHUFFLE_KERNEL(width, attributes, name, size, bits, STORE)                                                \
    attributes static size_t name##size##_by##width(uint8_t *dst, const uint8_t *src, size_t count, size_t stride) {\
        size_t i = 0;                                                                                               \
        for (; i + (width) <= count; i += (width)) {                                                                \
            vector##width vectors[size];                                                                            \
            UNROLLED for (size_t j = 0; j < (size); j++) memcpy(&vectors[j], src + j * stride + i, width);          \
            TURN(width, size, vectors, bits)                                                                        \
            UNROLLED for (int j = 0; j < (size); j++) {                                                             \
                STORE(dst + i * (size) + 16 * j, vectors[j], size);                                                 \
            }                                                                                                       \
        }                                                                                                           \
        return i;                                                                                                   \
    }

#define KERNELS(width, attributes, size, bits)                                                    \
    attributes static size_t shuffle##size##_by##width(uint8_t *dst, const uint8_t *src,          \
                                                       size_t count, size_t stride) {             \
        size_t i = 0;                                                                             \
        for (; i + (width) <= count; i += (width)) {                                              \
            vector##width vectors[size];                                                          \
            UNROLLED for (int j = 0; j < (size); j++) {                                                    \
                LOAD_GROUP##width(vectors[j], src + i * (size) + 16 * j, size);                   \
            }                                                                                     \
            TURN(width, size, vectors, 4)                                                         \
            UNROLLED for (size_t j = 0; j < (size); j++) memcpy(dst + j * stride + i, &vectors[j], width); \
        }                                                                                         \
        return i;                                                                                 \
    } \
    UNSHUFFLE_KERNEL(width, attributes, unshuffle, size, bits, STORE_GROUP##width)

#define ALL_KERNELS(width, attributes)                                                              \
    KERNELS(width, attributes, 2, 1)                                                                \
    KERNELS(width, attributes, 4, 2)                                                                \
    KERNELS(width, attributes, 8, 3)                                                                \
    KERNELS(width, attributes, 16, 4)                                                               \
    static size_t shuffle_by##width(uint8_t *dst, const uint8_t *src, size_t count, size_t stride,  \
                                    size_t size) {                                                  \
        switch (size) {                                                                             \
        case 2: return shuffle2_by##width(dst, src, count, stride);                                         \
        case 4: return shuffle4_by##width(dst, src, count, stride);                                         \
        case 8: return shuffle8_by##width(dst, src, count, stride);                                         \
        case 16: return shuffle16_by##width(dst, src, count, stride);                                       \
        default: return 0;                                                                          \
        }                                                                                           \
    }                                                                                               \
    static size_t unshuffle_by##width(uint8_t *dst, const uint8_t *src, size_t count, size_t stride,\
                                      size_t size) {                                                \
        switch (size) {                                                                             \
        case 2: return unshuffle2_by##width(dst, src, count, stride);                                       \
        case 4: return unshuffle4_by##width(dst, src, count, stride);                                       \
        case 8: return unshuffle8_by##width(dst, src, count, stride);                                       \
        case 16: return unshuffle16_by##width(dst, src, count, stride);                                     \
        default: return 0;                                                                          \
        }                                                                                           \
    }

ALL_KERNELS(16, )
#if defined(GCA_HAS_AVX2)
ALL_KERNELS(32, __attribute__((target("avx2"))))

UNSHUFFLE_KERNEL(32, __attribute__((target("avx2"))), stream, 2, 1, STREAM_GROUP32)
UNSHUFFLE_KERNEL(32, __attribute__((target("avx2"))), stream, 4, 2, STREAM_GROUP32)
UNSHUFFLE_KERNEL(32, __attribute__((target("avx2"))), stream, 8, 3, STREAM_GROUP32)
UNSHUFFLE_KERNEL(32, __attribute__((target("avx2"))), stream, 16, 4, STREAM_GROUP32)

static size_t stream_by32(uint8_t *dst, const uint8_t *src, size_t count, size_t size) {
    // Whole vectors are stored only at multiples of their size.
    if ((uintptr_t)dst % 16 != 0) return 0;
    size_t done = 0;
    switch (size) {
    case 2: done = stream2_by32(dst, src, count, count); break;
    case 4: done = stream4_by32(dst, src, count, count); break;
    case 8: done = stream8_by32(dst, src, count, count); break;
    case 16: done = stream16_by32(dst, src, count, count); break;
    default: return 0;
    }
    __builtin_ia32_sfence();  // Before another thread learns that they are there.
    return done;
}
#endif

#endif

// MARK: The choice

gca_vectors gca_vectors_best(void) {
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("gfni")) {
        return GCA_VECTORS_AVX512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("gfni")) return GCA_VECTORS_GFNI;
#endif
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)
    if (__builtin_cpu_supports("avx2")) return GCA_VECTORS_AVX2;
#endif
#if defined(GCA_HAS_VECTORS) && (defined(__SSE2__) || defined(__ARM_NEON))
    return GCA_VECTORS_128;
#else
    return GCA_VECTORS_NONE;
#endif
}

void gca_shuffle_part(uint8_t *dst, const uint8_t *src, size_t count, size_t stride, size_t elementSize,
                      gca_vectors vectors) {
    size_t done = 0;
#if defined(GCA_HAS_VECTORS)
#if defined(GCA_HAS_AVX2)
    if (vectors >= GCA_VECTORS_AVX2) done = shuffle_by32(dst, src, count, stride, elementSize);
#endif
    if (vectors == GCA_VECTORS_128) done = shuffle_by16(dst, src, count, stride, elementSize);
#else
    (void)vectors;
#endif
    if (done < count) shuffle_portably(dst, src, count, stride, elementSize, done);
}

void gca_unshuffle_part(uint8_t *dst, const uint8_t *src, size_t count, size_t stride, size_t elementSize,
                        gca_vectors vectors) {
    size_t done = 0;
#if defined(GCA_HAS_VECTORS)
#if defined(GCA_HAS_AVX2)
    if (vectors >= GCA_VECTORS_AVX2) done = unshuffle_by32(dst, src, count, stride, elementSize);
#endif
    if (vectors == GCA_VECTORS_128) done = unshuffle_by16(dst, src, count, stride, elementSize);
#else
    (void)vectors;
#endif
    if (done < count) unshuffle_portably(dst, src, count, stride, elementSize, done);
}

void gca_shuffle(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t elementSize, gca_vectors vectors) {
    size_t count = byteCount / elementSize, moved = count * elementSize;
    gca_shuffle_part(dst, src, count, count, elementSize, vectors);
    if (moved < byteCount) memcpy(dst + moved, src + moved, byteCount - moved);
}

void gca_unshuffle(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t elementSize,
                   gca_vectors vectors) {
    size_t count = byteCount / elementSize, moved = count * elementSize;
    gca_unshuffle_part(dst, src, count, count, elementSize, vectors);
    if (moved < byteCount) memcpy(dst + moved, src + moved, byteCount - moved);
}

void gca_unshuffle_past_caches(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t elementSize,
                               gca_vectors vectors) {
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)
    size_t count = byteCount / elementSize, moved = count * elementSize;
    size_t done = vectors >= GCA_VECTORS_AVX2 ? stream_by32(dst, src, count, elementSize) : 0;
    if (done > 0) {
        unshuffle_portably(dst, src, count, count, elementSize, done);
        if (moved < byteCount) memcpy(dst + moved, src + moved, byteCount - moved);
        return;
    }
#endif
    gca_unshuffle(dst, src, byteCount, elementSize, vectors);
}
