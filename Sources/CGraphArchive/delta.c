// Delta: each integer less the one that stands `lag` before it, small magnitudes first (zigzag).
//
// Zigzag keeps the upper bits of small differences zero, whatever their sign: sign bits would be noise in each of the
// upper planes of a bit shuffle. The loops are plain: the compiler makes vectors of them, once for every processor, and
// once with AVX2.

#include "CGraphArchive.h"
#include "vectors.h"

// Anything of the caller's, at any address.
typedef uint8_t u8 __attribute__((may_alias));
typedef uint16_t u16 __attribute__((aligned(1), may_alias));
typedef uint32_t u32 __attribute__((aligned(1), may_alias));
typedef uint64_t u64 __attribute__((aligned(1), may_alias));

// From here on, sums run along a row without waiting for each other.
enum { LEAST_PARALLEL_LAG = 16 };

#define LOOPS(type, form, attributes)                                                                          \
    attributes static void differ_##type##_##form(type *restrict dst, const type *restrict src, size_t first,  \
                                                  size_t end, size_t lag) {                                    \
        for (size_t i = first; i < end; i++) {                                                                 \
            type difference = (type)(src[i] - src[i - lag]);                                                   \
            dst[i] = (type)((type)(difference << 1) ^ (type)(0 - (type)(difference >> (8 * sizeof(type) - 1))));\
        }                                                                                                      \
    }                                                                                                          \
    attributes static void zigzag_##type##_##form(type *restrict dst, const type *restrict src, size_t end) {  \
        for (size_t i = 0; i < end; i++) {                                                                     \
            dst[i] = (type)((type)(src[i] << 1) ^ (type)(0 - (type)(src[i] >> (8 * sizeof(type) - 1))));       \
        }                                                                                                      \
    }                                                                                                          \
    attributes static void unzigzag_##type##_##form(type *restrict dst, const type *restrict src, size_t end) {\
        for (size_t i = 0; i < end; i++) dst[i] = (type)(src[i] >> 1 ^ (type)(0 - (type)(src[i] & 1)));        \
    }                                                                                                          \
    attributes static void add_##type##_##form(type *restrict dst, const type *restrict before,                \
                                               const type *restrict src, size_t count) {                       \
        for (size_t i = 0; i < count; i++) {                                                                   \
            dst[i] = (type)(before[i] + (type)(src[i] >> 1 ^ (type)(0 - (type)(src[i] & 1))));                 \
        }                                                                                                      \
    }

// The sums of a short lag stay in registers: a number that was just stored is slow to load.
#define SUMS(type, lag)                                                                                     \
    static void sum_##type##_##lag(type *restrict dst, const type *restrict src, size_t first, size_t end) {\
        type sums[lag];                                                                                     \
        for (size_t j = 0; j < (lag); j++) sums[j] = dst[first - (lag) + j];                                \
        size_t i = first;                                                                                   \
        for (; i + (lag) <= end; i += (lag)) {                                                              \
            for (size_t j = 0; j < (lag); j++) {                                                            \
                sums[j] = (type)(sums[j] + (type)(src[i + j] >> 1 ^ (type)(0 - (type)(src[i + j] & 1))));   \
                dst[i + j] = sums[j];                                                                       \
            }                                                                                               \
        }                                                                                                   \
        for (size_t j = 0; i < end; i++, j++) {                                                             \
            dst[i] = (type)(sums[j] + (type)(src[i] >> 1 ^ (type)(0 - (type)(src[i] & 1))));                \
        }                                                                                                   \
    }

#if defined(GCA_HAS_AVX2)
#define ALL_LOOPS(type) LOOPS(type, plain, ) LOOPS(type, avx2, __attribute__((target("avx2"))))
#define CALL(type, function, ...)                                                    \
    (vectors == GCA_VECTORS_AVX2 ? function##_##type##_avx2(__VA_ARGS__) : function##_##type##_plain(__VA_ARGS__))
#else
#define ALL_LOOPS(type) LOOPS(type, plain, )
#define CALL(type, function, ...) ((void)vectors, function##_##type##_plain(__VA_ARGS__))
#endif

#define DELTA(type)                                                                                           \
    ALL_LOOPS(type)                                                                                           \
    SUMS(type, 1) SUMS(type, 2) SUMS(type, 3) SUMS(type, 4)                                                   \
    static void delta_##type(type *dst, const type *src, size_t count, size_t lag, size_t startLag,           \
                             gca_vectors vectors) {                                                           \
        size_t start = startLag == 0 || startLag > lag ? lag : startLag;                                      \
        if (start > count) start = count;                                                                     \
        size_t row = lag < count ? lag : count;                                                               \
        CALL(type, zigzag, dst, src, start);                                                                  \
        if (startLag != 0) CALL(type, differ, dst, src, start, row, startLag);                                \
        CALL(type, differ, dst, src, row, count, lag);                                                        \
    }                                                                                                         \
    static void sum_##type(type *dst, const type *src, size_t first, size_t end, size_t lag,                  \
                           gca_vectors vectors) {                                                             \
        if (first >= end) return;                                                                             \
        switch (lag) {                                                                                        \
        case 1: sum_##type##_1(dst, src, first, end); return;                                                 \
        case 2: sum_##type##_2(dst, src, first, end); return;                                                 \
        case 3: sum_##type##_3(dst, src, first, end); return;                                                 \
        case 4: sum_##type##_4(dst, src, first, end); return;                                                 \
        default: break;                                                                                       \
        }                                                                                                     \
        for (size_t i = first; i < end; i += lag) {                                                           \
            size_t run = end - i < lag ? end - i : lag;                                                       \
            if (lag >= LEAST_PARALLEL_LAG) {                                                                  \
                CALL(type, add, dst + i, dst + i - lag, src + i, run);                                        \
            } else {                                                                                          \
                add_##type##_plain(dst + i, dst + i - lag, src + i, run);                                     \
            }                                                                                                 \
        }                                                                                                     \
    }                                                                                                         \
    static void undelta_##type(type *dst, const type *src, size_t count, size_t lag, size_t startLag,         \
                               gca_vectors vectors) {                                                         \
        size_t start = startLag == 0 || startLag > lag ? lag : startLag;                                      \
        if (start > count) start = count;                                                                     \
        size_t row = lag < count ? lag : count;                                                               \
        CALL(type, unzigzag, dst, src, start);                                                                \
        if (startLag != 0) sum_##type(dst, src, start, row, startLag, vectors);                               \
        sum_##type(dst, src, row, count, lag, vectors);                                                       \
    }

DELTA(u8)
DELTA(u16)
DELTA(u32)
DELTA(u64)

static void copy_rest(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width) {
    size_t rest = byteCount % width;
    if (rest != 0) memcpy(dst + byteCount - rest, src + byteCount - rest, rest);
}

void gca_delta(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width, size_t lag, size_t startLag,
               gca_vectors vectors) {
    const void *from = src;
    void *to = dst;
    switch (width) {
    case 1: delta_u8(to, from, byteCount, lag, startLag, vectors); break;
    case 2: delta_u16(to, from, byteCount / 2, lag, startLag, vectors); break;
    case 4: delta_u32(to, from, byteCount / 4, lag, startLag, vectors); break;
    case 8: delta_u64(to, from, byteCount / 8, lag, startLag, vectors); break;
    default: return;
    }
    copy_rest(dst, src, byteCount, width);
}

void gca_undelta(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width, size_t lag, size_t startLag,
                 gca_vectors vectors) {
    const void *from = src;
    void *to = dst;
    switch (width) {
    case 1: undelta_u8(to, from, byteCount, lag, startLag, vectors); break;
    case 2: undelta_u16(to, from, byteCount / 2, lag, startLag, vectors); break;
    case 4: undelta_u32(to, from, byteCount / 4, lag, startLag, vectors); break;
    case 8: undelta_u64(to, from, byteCount / 8, lag, startLag, vectors); break;
    default: return;
    }
    copy_rest(dst, src, byteCount, width);
}
