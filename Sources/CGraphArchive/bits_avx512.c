// Bit shuffle with vectors of 64 bytes: whole lines of the cache of each row at a time.
//
// Elements are shuffled by bytes, part by part; a part fits into the nearest caches. Of each plane, 512 bytes are then eight
// vectors of eight matrices of 8 x 8 bits. These are transposed one by one, then the words and bytes across the vectors, which
// makes each row a vector.

#include "CGraphArchive.h"
#include "parts.h"
#include "vectors512.h"

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)

enum { GROUP = 512, MOST_BYTES = 16 };

// Byte 8 * g + k of a vector to place 8 * k + g.
static const uint8_t across[64] = {
    0, 8,  16, 24, 32, 40, 48, 56, 1, 9,  17, 25, 33, 41, 49, 57, 2, 10, 18, 26, 34, 42,
    50, 58, 3, 11, 19, 27, 35, 43, 51, 59, 4, 12, 20, 28, 36, 44, 52, 60, 5, 13, 21, 29,
    37, 45, 53, 61, 6, 14, 22, 30, 38, 46, 54, 62, 7, 15, 23, 31, 39, 47, 55, 63,
};
// The same, with the bytes of each word in reverse order.
static const uint8_t across_reversed[64] = {
    56, 48, 40, 32, 24, 16, 8,  0, 57, 49, 41, 33, 25, 17, 9,  1, 58, 50, 42, 34, 26, 18,
    10, 2,  59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36, 28, 20, 12, 4, 61, 53, 45, 37,
    29, 21, 13, 5,  62, 54, 46, 38, 30, 22, 14, 6, 63, 55, 47, 39, 31, 23, 15, 7,
};
static const uint8_t reversed[16] = {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8};

/// Transposes the 8 x 8 bits of each word, whose bytes are in reverse order: its products with unit vectors are the columns.
GCA_AVX512_BITS static inline __m512i turned_over(__m512i reversedWords) {
    return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)0x8040201008040201u), reversedWords, 0);
}

/// Word `j` of vector `k` to word `k` of vector `j`.
GCA_AVX512_BITS static inline void transpose_words(__m512i vectors[8]) {
    __m512i pairs[8];
    UNROLLED for (int j = 0; j < 8; j += 2) {
        pairs[j] = _mm512_unpacklo_epi64(vectors[j], vectors[j + 1]);
        pairs[j + 1] = _mm512_unpackhi_epi64(vectors[j], vectors[j + 1]);
    }
    UNROLLED for (int odd = 0; odd < 2; odd++) {
        __m512i places[4] = {pairs[odd], pairs[2 + odd], pairs[4 + odd], pairs[6 + odd]};
        gca_exchange_places(places);
        UNROLLED for (int j = 0; j < 4; j++) vectors[2 * j + odd] = places[j];
    }
}

/// One byte of 512 elements: 64 bytes in each of eight rows.
GCA_AVX512_BITS static inline void put_rows(uint8_t *dst, size_t rowBytes, const uint8_t *plane) {
    const __m512i order = _mm512_loadu_si512(across);
    const __m512i reverse = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)reversed));
    __m512i vectors[8];
    UNROLLED for (int j = 0; j < 8; j++) {
        __m512i bytes = _mm512_shuffle_epi8(_mm512_loadu_si512(plane + 64 * j), reverse);
        vectors[j] = _mm512_permutexvar_epi8(order, turned_over(bytes));
    }
    transpose_words(vectors);
    UNROLLED for (size_t k = 0; k < 8; k++) _mm512_storeu_si512(dst + k * rowBytes, vectors[k]);
}

/// Undoes `put_rows`.
GCA_AVX512_BITS static inline void get_plane(uint8_t *plane, const uint8_t *src, size_t rowBytes) {
    const __m512i order = _mm512_loadu_si512(across_reversed);
    __m512i vectors[8];
    UNROLLED for (size_t k = 0; k < 8; k++) vectors[k] = _mm512_loadu_si512(src + k * rowBytes);
    transpose_words(vectors);
    UNROLLED for (int j = 0; j < 8; j++) {
        _mm512_storeu_si512(plane + 64 * j, turned_over(_mm512_permutexvar_epi8(order, vectors[j])));
    }
}

/// How many of the remaining elements to do at once: whole groups whose planes fit.
static inline size_t part_count(size_t left, size_t elementSize) {
    size_t most = GCA_PART_BYTES / elementSize / GROUP * GROUP;
    return left < most ? left : most;
}

GCA_AVX512_BITS size_t gca_bit_shuffle_avx512(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes,
                                         size_t elementSize) {
    if (elementSize > MOST_BYTES) return 0;
    uint8_t planes[GCA_PART_BYTES];
    size_t whole = count / GROUP * GROUP;
    for (size_t first = 0, part; first < whole; first += part) {
        part = part_count(whole - first, elementSize);
        gca_shuffle_part(planes, src + first * elementSize, part, part, elementSize, GCA_VECTORS_AVX512);
        // Plane by plane: the rows of a block are far apart, and often compete for the same few cache lines.
        for (size_t byte = 0; byte < elementSize; byte++) {
            uint8_t *rows = dst + byte * 8 * rowBytes + first / 8;
            for (size_t i = 0; i < part; i += GROUP) put_rows(rows + i / 8, rowBytes, planes + byte * part + i);
        }
    }
    return whole;
}

GCA_AVX512_BITS size_t gca_bit_unshuffle_avx512(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes,
                                           size_t elementSize) {
    if (elementSize > MOST_BYTES) return 0;
    uint8_t planes[GCA_PART_BYTES];
    size_t whole = count / GROUP * GROUP;
    for (size_t first = 0, part; first < whole; first += part) {
        part = part_count(whole - first, elementSize);
        for (size_t byte = 0; byte < elementSize; byte++) {
            const uint8_t *rows = src + byte * 8 * rowBytes + first / 8;
            for (size_t i = 0; i < part; i += GROUP) get_plane(planes + byte * part + i, rows + i / 8, rowBytes);
        }
        gca_unshuffle_part(dst + first * elementSize, planes, part, part, elementSize, GCA_VECTORS_AVX512);
    }
    return whole;
}

#endif
