// Vectors of 16 and 32 bytes in the compiler's own extension: one source for SSE2, NEON and AVX2.

#ifndef GCA_VECTORS_H
#define GCA_VECTORS_H

#include "CGraphArchive.h"

#if defined(__x86_64__) && (defined(__clang__) || defined(__GNUC__))
#define GCA_HAS_AVX2 1
#endif
#if defined(GCA_HAS_AVX2) && (defined(__clang__) || __GNUC__ >= 12)
#define GCA_HAS_GFNI 1
#endif
#if defined(GCA_HAS_AVX2)
/// For a function that shifts by any count, one instruction each, besides vectors of 32 bytes.
#define GCA_FAST_BITS __attribute__((target("avx2,bmi,bmi2")))

static inline bool gca_has_fast_bits(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

/// For a function that uses vectors of 64 bytes, explicitly or in loops that the compiler vectorizes.
#define GCA_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#endif
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define GCA_HAS_VECTORS 1
#endif
#endif

#if defined(GCA_HAS_VECTORS)

// Vectors stay in registers where loops over them are unrolled, which GCC does only on request.
#if defined(__clang__)
#define UNROLLED
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

typedef uint8_t vector16 __attribute__((vector_size(16)));

#define LOW16(a, b) \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH16(a, b) \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOAD_GROUP16(vector, src, size) memcpy(&(vector), (src), 16)
#define STORE_GROUP16(dst, vector, size) memcpy((dst), &(vector), 16)

#if defined(GCA_HAS_AVX2)

typedef uint8_t vector32 __attribute__((vector_size(32)));

#define LOW32(a, b)                                                                                   \
    __builtin_shufflevector(a, b, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, \
                            49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55)
#define HIGH32(a, b)                                                                                     \
    __builtin_shufflevector(a, b, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56,  \
                            25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63)
// The two halves of a vector belong to 16 elements each, which lie 16 * size bytes apart.
#define LOAD_GROUP32(vector, src, size)                                                             \
    do {                                                                                            \
        vector16 low, high;                                                                         \
        memcpy(&low, (src), 16);                                                                    \
        memcpy(&high, (src) + 16 * (size), 16);                                                     \
        (vector) = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, \
                                           14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,  \
                                           28, 29, 30, 31);                                         \
    } while (0)
#define STORE_GROUP32(dst, vector, size)                                                                        \
    do {                                                                                                        \
        vector16 low =                                                                                          \
            __builtin_shufflevector(vector, vector, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);      \
        vector16 high = __builtin_shufflevector(vector, vector, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, \
                                                28, 29, 30, 31);                                                \
        memcpy((dst), &low, 16);                                                                                \
        memcpy((dst) + 16 * (size), &high, 16);                                                                 \
    } while (0)

#if defined(__clang__)
#define STREAM16(dst, vector) __builtin_nontemporal_store(vector, (vector16 *)(dst))
#else
typedef long long streamed16 __attribute__((vector_size(16)));
#define STREAM16(dst, vector) __builtin_ia32_movntdq((streamed16 *)(dst), (streamed16)(vector))
#endif

// The same, past the caches; `dst` is a multiple of 16.
#define STREAM_GROUP32(dst, vector, size)                                                                       \
    do {                                                                                                        \
        vector16 low =                                                                                          \
            __builtin_shufflevector(vector, vector, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);      \
        vector16 high = __builtin_shufflevector(vector, vector, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, \
                                                28, 29, 30, 31);                                                \
        STREAM16(dst, low);                                                                                     \
        STREAM16((dst) + 16 * (size), high);                                                                    \
    } while (0)

#endif

// Interleaves the first half of `vectors` with the second, `rounds` times.
#define TURN(width, size, vectors, rounds)                                             \
    UNROLLED for (int round = 0; round < (rounds); round++) {                                   \
        vector##width turned[size];                                                    \
        UNROLLED for (int j = 0; j < (size) / 2; j++) {                                       \
            turned[2 * j] = LOW##width((vectors)[j], (vectors)[j + (size) / 2]);       \
            turned[2 * j + 1] = HIGH##width((vectors)[j], (vectors)[j + (size) / 2]);  \
        }                                                                              \
        UNROLLED for (int j = 0; j < (size); j++) (vectors)[j] = turned[j];                     \
    }

#endif

#endif
