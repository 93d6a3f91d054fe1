// Delta: each integer minus the one `lag` places before it, small magnitudes first (zigzag).
//
// Zigzag keeps the upper bits of small differences zero, whatever their sign; sign bits would be noise in all upper planes of a
// bit shuffle. The loops are plain: the compiler vectorizes them, once for every processor and once with AVX2.

#include "CGraphArchive.h"
#include "parts.h"
#include "vectors.h"

// Anything of the caller's, at any address.
typedef uint8_t u8 __attribute__((may_alias));
typedef uint16_t u16 __attribute__((aligned(1), may_alias));
typedef uint32_t u32 __attribute__((aligned(1), may_alias));
typedef uint64_t u64 __attribute__((aligned(1), may_alias));

// From here on, sums run along a row without waiting for each other.
enum { LEAST_PARALLEL_LAG = 16 };

#define LOOPS(type, form, attributes)                                                                          \
    attributes static void differ_##type##_##form(type *restrict dst, const type *src, const type *before,      \
                                                  size_t count) {                                              \
        for (size_t i = 0; i < count; i++) {                                                                   \
            type difference = (type)(src[i] - before[i]);                                                      \
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

// The sums of a short lag stay in registers, because a number that was just stored is slow to load.
#define SUMS(type, lag)                                                                                   \
    static void sum_##type##_##lag(type *dst, const type *restrict src, size_t count) {                   \
        type sums[lag];                                                                                   \
        for (size_t j = 0; j < (lag); j++) sums[j] = (dst - (lag))[j];                                    \
        size_t i = 0;                                                                                     \
        for (; i + (lag) <= count; i += (lag)) {                                                          \
            for (size_t j = 0; j < (lag); j++) {                                                          \
                sums[j] = (type)(sums[j] + (type)(src[i + j] >> 1 ^ (type)(0 - (type)(src[i + j] & 1)))); \
                dst[i + j] = sums[j];                                                                     \
            }                                                                                             \
        }                                                                                                 \
        for (size_t j = 0; i < count; i++, j++) {                                                         \
            dst[i] = (type)(sums[j] + (type)(src[i] >> 1 ^ (type)(0 - (type)(src[i] & 1))));              \
        }                                                                                                 \
    }

// Sums of neighbours, a vector at a time. The sum before a vector is added last, so that the next vector waits for that addition
// alone.
#if defined(GCA_HAS_AVX2) && defined(GCA_HAS_VECTORS)
#define NEIGHBOURS(type, name, SHIFTED_SUMS, ...)                                                              \
    typedef type name __attribute__((vector_size(32)));                                                       \
    __attribute__((target("avx2"))) static size_t sum_neighbours_##name(void *dst, const void *src,           \
                                                                        size_t count, type before) {          \
        enum { LANES = 32 / sizeof(type) };                                                                   \
        const name zeros = {};                                                                                \
        name sum = zeros + before;                                                                            \
        size_t i = 0;                                                                                         \
        for (; i + LANES <= count; i += LANES) {                                                              \
            name part, result;                                                                                \
            memcpy(&part, (const uint8_t *)src + i * sizeof(type), 32);                                       \
            part = part >> 1 ^ (zeros - (part & 1));                                                          \
            SHIFTED_SUMS                                                                                      \
            result = part + sum;                                                                              \
            memcpy((uint8_t *)dst + i * sizeof(type), &result, 32);                                           \
            sum += __builtin_shufflevector(part, part, __VA_ARGS__);                                          \
        }                                                                                                     \
        return i;                                                                                             \
    }
// Within the halves of a vector first, which is faster than across them.
#define SUMS_OF_4                                                  \
    part += __builtin_shufflevector(part, zeros, 4, 0, 4, 2);      \
    part += __builtin_shufflevector(part, zeros, 4, 4, 1, 1);
#define SUMS_OF_8                                                              \
    part += __builtin_shufflevector(part, zeros, 8, 0, 1, 2, 8, 4, 5, 6);      \
    part += __builtin_shufflevector(part, zeros, 8, 8, 0, 1, 8, 8, 4, 5);      \
    part += __builtin_shufflevector(part, zeros, 8, 8, 8, 8, 3, 3, 3, 3);
NEIGHBOURS(uint32_t, lanes_u32, SUMS_OF_8, 7, 7, 7, 7, 7, 7, 7, 7)
NEIGHBOURS(uint64_t, lanes_u64, SUMS_OF_4, 3, 3, 3, 3)
#define SUM_NEIGHBOURS(type, ...) (vectors >= GCA_VECTORS_AVX2 ? sum_neighbours_lanes_##type(__VA_ARGS__) : 0)
#else
#define SUM_NEIGHBOURS(type, ...) 0
#endif

#if defined(GCA_HAS_AVX2)
#define ALL_LOOPS(type) \
    LOOPS(type, plain, ) LOOPS(type, avx2, __attribute__((target("avx2")))) LOOPS(type, avx512, GCA_AVX512)
#define CALL(type, function, ...)                                              \
    (vectors >= GCA_VECTORS_AVX512 ? function##_##type##_avx512(__VA_ARGS__)   \
         : vectors >= GCA_VECTORS_AVX2 ? function##_##type##_avx2(__VA_ARGS__) \
                                       : function##_##type##_plain(__VA_ARGS__))
#else
#define ALL_LOOPS(type) LOOPS(type, plain, )
#define CALL(type, function, ...) ((void)vectors, function##_##type##_plain(__VA_ARGS__))
#endif

// Both work on the integers from `first` to `end` of an array: of the original ones in one, of the result in the other.
#define DELTA(type, NEIGHBOUR_SUMS)                                                                           \
    ALL_LOOPS(type)                                                                                           \
    SUMS(type, 1) SUMS(type, 2) SUMS(type, 3) SUMS(type, 4)                                                   \
    static void delta_##type(type *dst, const type *src, size_t first, size_t end, size_t lag,                \
                             size_t startLag, gca_vectors vectors) {                                          \
        size_t start = startLag == 0 ? lag : startLag;                                                        \
        size_t i = first;                                                                                     \
        if (i < start) {                                                                                      \
            size_t to = end < start ? end : start;                                                            \
            CALL(type, zigzag, dst, src + i, to - i);                                                         \
            i = to;                                                                                           \
        }                                                                                                     \
        if (i < lag && i < end) {                                                                             \
            size_t to = end < lag ? end : lag;                                                                \
            CALL(type, differ, dst + (i - first), src + i, src + i - startLag, to - i);                       \
            i = to;                                                                                           \
        }                                                                                                     \
        if (i < end) CALL(type, differ, dst + (i - first), src + i, src + i - lag, end - i);                  \
    }                                                                                                         \
    static void sum_##type(type *dst, const type *src, size_t count, size_t lag, gca_vectors vectors) {       \
        switch (lag) {                                                                                        \
        case 1: {                                                                                             \
            size_t done = NEIGHBOUR_SUMS(type, dst, src, count, (dst - 1)[0]);                                \
            sum_##type##_1(dst + done, src + done, count - done);                                             \
            return;                                                                                           \
        }                                                                                                     \
        case 2: sum_##type##_2(dst, src, count); return;                                                      \
        case 3: sum_##type##_3(dst, src, count); return;                                                      \
        case 4: sum_##type##_4(dst, src, count); return;                                                      \
        default: break;                                                                                       \
        }                                                                                                     \
        for (size_t i = 0; i < count; i += lag) {                                                             \
            size_t run = count - i < lag ? count - i : lag;                                                   \
            if (lag >= LEAST_PARALLEL_LAG) {                                                                  \
                CALL(type, add, dst + i, dst + i - lag, src + i, run);                                        \
            } else {                                                                                          \
                add_##type##_plain(dst + i, dst + i - lag, src + i, run);                                     \
            }                                                                                                 \
        }                                                                                                     \
    }                                                                                                         \
    static void undelta_##type(type *dst, const type *src, size_t first, size_t end, size_t lag,              \
                               size_t startLag, gca_vectors vectors) {                                        \
        size_t start = startLag == 0 ? lag : startLag;                                                        \
        size_t i = first;                                                                                     \
        if (i < start) {                                                                                      \
            size_t to = end < start ? end : start;                                                            \
            CALL(type, unzigzag, dst + i, src, to - i);                                                       \
            i = to;                                                                                           \
        }                                                                                                     \
        if (i < lag && i < end) {                                                                             \
            size_t to = end < lag ? end : lag;                                                                \
            sum_##type(dst + i, src + (i - first), to - i, startLag, vectors);                                \
            i = to;                                                                                           \
        }                                                                                                     \
        if (i < end) sum_##type(dst + i, src + (i - first), end - i, lag, vectors);                           \
    }

#define NO_SUMS(...) 0

DELTA(u8, NO_SUMS)
DELTA(u16, NO_SUMS)
DELTA(u32, SUM_NEIGHBOURS)
DELTA(u64, SUM_NEIGHBOURS)

void gca_delta_part(uint8_t *dst, const uint8_t *src, size_t first, size_t end, size_t width, size_t lag,
                    size_t startLag, gca_vectors vectors) {
    const void *from = src;
    void *to = dst;
    switch (width) {
    case 1: delta_u8(to, from, first, end, lag, startLag, vectors); return;
    case 2: delta_u16(to, from, first, end, lag, startLag, vectors); return;
    case 4: delta_u32(to, from, first, end, lag, startLag, vectors); return;
    default: delta_u64(to, from, first, end, lag, startLag, vectors);
    }
}

void gca_undelta_part(uint8_t *dst, const uint8_t *src, size_t first, size_t end, size_t width, size_t lag,
                      size_t startLag, gca_vectors vectors) {
    const void *from = src;
    void *to = dst;
    switch (width) {
    case 1: undelta_u8(to, from, first, end, lag, startLag, vectors); return;
    case 2: undelta_u16(to, from, first, end, lag, startLag, vectors); return;
    case 4: undelta_u32(to, from, first, end, lag, startLag, vectors); return;
    default: undelta_u64(to, from, first, end, lag, startLag, vectors);
    }
}

static void copy_rest(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width) {
    size_t rest = byteCount % width;
    if (rest != 0) memcpy(dst + byteCount - rest, src + byteCount - rest, rest);
}

void gca_delta(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width, size_t lag, size_t startLag,
               gca_vectors vectors) {
    gca_delta_part(dst, src, 0, byteCount / width, width, lag, startLag, vectors);
    copy_rest(dst, src, byteCount, width);
}

void gca_undelta(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t width, size_t lag, size_t startLag,
                 gca_vectors vectors) {
    gca_undelta_part(dst, src, 0, byteCount / width, width, lag, startLag, vectors);
    copy_rest(dst, src, byteCount, width);
}

// MARK: Differences to another block

#define BETWEEN(type)                                                                                            \
    static void differ_from_##type(type *dst, const type *src, const type *other, size_t count,                  \
                                   gca_vectors vectors) {                                                        \
        CALL(type, differ, dst, src, other, count);                                                              \
    }                                                                                                            \
    static void add_to_##type(type *dst, const type *other, const type *src, size_t count, gca_vectors vectors) {\
        CALL(type, add, dst, other, src, count);                                                                 \
    }

BETWEEN(u8)
BETWEEN(u16)
BETWEEN(u32)
BETWEEN(u64)

void gca_difference(uint8_t *dst, const uint8_t *src, const uint8_t *other, size_t byteCount, size_t width,
                    gca_vectors vectors) {
    const void *from = src, *before = other;
    void *to = dst;
    size_t count = byteCount / width;
    switch (width) {
    case 1: differ_from_u8(to, from, before, count, vectors); break;
    case 2: differ_from_u16(to, from, before, count, vectors); break;
    case 4: differ_from_u32(to, from, before, count, vectors); break;
    default: differ_from_u64(to, from, before, count, vectors);
    }
    copy_rest(dst, src, byteCount, width);
}

void gca_undifference(uint8_t *dst, const uint8_t *src, const uint8_t *other, size_t byteCount, size_t width,
                      gca_vectors vectors) {
    const void *from = src, *before = other;
    void *to = dst;
    size_t count = byteCount / width;
    switch (width) {
    case 1: add_to_u8(to, before, from, count, vectors); break;
    case 2: add_to_u16(to, before, from, count, vectors); break;
    case 4: add_to_u32(to, before, from, count, vectors); break;
    default: add_to_u64(to, before, from, count, vectors);
    }
    copy_rest(dst, src, byteCount, width);
}
