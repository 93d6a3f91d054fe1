// Vectors of 64 bytes: what the kernels for AVX-512 share.

#ifndef GCA_VECTORS512_H
#define GCA_VECTORS512_H

#include "vectors.h"

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)

#include <immintrin.h>

/// For a function that also exchanges bytes across vectors or multiplies matrices of bits.
#define GCA_AVX512_BITS __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")))
#define GCA_INLINED __attribute__((always_inline)) static inline

/// Interleaves the bytes of eight vectors: vector `j` then has those of bytes 2j and 2j + 1 of each place, one word for each.
GCA_AVX512 GCA_INLINED void gca_interleave(__m512i vectors[8]) {
    __m512i turned[8];
    UNROLLED for (int round = 0; round < 3; round++) {
        UNROLLED for (int j = 0; j < 4; j++) {
            turned[2 * j] = _mm512_unpacklo_epi8(vectors[j], vectors[j + 4]);
            turned[2 * j + 1] = _mm512_unpackhi_epi8(vectors[j], vectors[j + 4]);
        }
        UNROLLED for (int j = 0; j < 8; j++) vectors[j] = turned[j];
    }
}

/// Place `j` of vector `k`, 16 bytes, to place `k` of vector `j`.
GCA_AVX512 GCA_INLINED void gca_exchange_places(__m512i vectors[4]) {
    __m512i a = _mm512_shuffle_i64x2(vectors[0], vectors[1], 0x44), b = _mm512_shuffle_i64x2(vectors[0], vectors[1], 0xEE);
    __m512i c = _mm512_shuffle_i64x2(vectors[2], vectors[3], 0x44), d = _mm512_shuffle_i64x2(vectors[2], vectors[3], 0xEE);
    vectors[0] = _mm512_shuffle_i64x2(a, c, 0x88);
    vectors[1] = _mm512_shuffle_i64x2(a, c, 0xDD);
    vectors[2] = _mm512_shuffle_i64x2(b, d, 0x88);
    vectors[3] = _mm512_shuffle_i64x2(b, d, 0xDD);
}

/// Stores a vector; past the caches at a multiple of 64.
GCA_AVX512 GCA_INLINED void gca_put(uint8_t *dst, __m512i vector, bool pastCaches) {
    if (pastCaches) {
        _mm512_stream_si512((void *)dst, vector);
    } else {
        _mm512_storeu_si512(dst, vector);
    }
}

#endif
#endif
