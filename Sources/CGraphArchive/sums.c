// Differences of neighbours behind a byte shuffle, undone at once: what arrays of smooth numbers are stored as.
//
// A vector of 32 bytes has two integers each of two places that are 16 apart. They are summed up for both places by
// themselves, and what the first one comes to is added to the second one's.

#include "CGraphArchive.h"
#include "parts.h"
#include "vectors.h"

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)

typedef uint64_t words32 __attribute__((vector_size(32)));

__attribute__((target("avx2"))) static size_t unshuffle_sums_by32(uint8_t *dst, const uint8_t *src, size_t count) {
    const words32 zeros = {0};
    words32 total = zeros;
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        vector32 vectors[8];
        words32 parts[8], sums = zeros;
        UNROLLED for (size_t j = 0; j < 8; j++) memcpy(&vectors[j], src + j * count + i, 32);
        TURN(32, 8, vectors, 3)
        UNROLLED for (size_t j = 0; j < 8; j++) {
            words32 part = (words32)vectors[j];
            part = part >> 1 ^ (zeros - (part & 1));
            part += __builtin_shufflevector(part, zeros, 4, 0, 4, 2);
            parts[j] = part + sums;
            sums += __builtin_shufflevector(part, part, 1, 1, 3, 3);
        }
        words32 before = total + __builtin_shufflevector(sums, zeros, 4, 4, 0, 0);
        UNROLLED for (size_t j = 0; j < 8; j++) {
            vector32 numbers = (vector32)(parts[j] + before);
            STREAM_GROUP32(dst + i * 8 + 16 * j, numbers, 8);
        }
        total += __builtin_shufflevector(sums, sums, 0, 0, 0, 0) + __builtin_shufflevector(sums, sums, 2, 2, 2, 2);
    }
    __builtin_ia32_sfence();  // Before another thread is told that they are there.
    return i;
}

#endif

size_t gca_unshuffle_sums(uint8_t *dst, const uint8_t *src, size_t count, gca_vectors vectors) {
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)
    if (vectors >= GCA_VECTORS_AVX2) return unshuffle_sums_by32(dst, src, count);
#else
    (void)dst, (void)src, (void)count, (void)vectors;
#endif
    return 0;
}
