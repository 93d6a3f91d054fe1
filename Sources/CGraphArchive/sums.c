// Differences of neighbours behind a shuffle, undone at once: what arrays of smooth numbers are stored as.
//
// A vector of 32 bytes has two integers each of two places that are 16 apart, one of 64 bytes of four. They are summed up for each
// place by itself, and what the places in front of it come to is added.

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
    __builtin_ia32_sfence();  // Before another thread learns that they are there.
    return i;
}

#if defined(GCA_HAS_GFNI)

#include <immintrin.h>

#define INLINED __attribute__((always_inline)) static inline

enum { PART = 4096, GROUP = 64, BIT_GROUP = 512 };

/// The integers that zigzag numbers stand for, each summed up with the one in front of it in its pair.
GCA_AVX512 INLINED __m512i pair_sums(__m512i numbers) {
    __mmask8 areNegative = _mm512_test_epi64_mask(numbers, _mm512_set1_epi64(1));
    __m512i halves = _mm512_srli_epi64(numbers, 1);
    __m512i integers = _mm512_mask_xor_epi64(halves, areNegative, halves, _mm512_set1_epi64(-1));
    return _mm512_add_epi64(integers, _mm512_bslli_epi128(integers, 8));
}

GCA_AVX512 INLINED void put(uint8_t *dst, __m512i numbers, bool pastCaches) {
    if (pastCaches) {
        _mm512_stream_si512((void *)dst, numbers);
    } else {
        _mm512_storeu_si512(dst, numbers);
    }
}

/// Four pairs each of four places, 128 bytes apart from one place to the next.
GCA_AVX512 INLINED void put_pairs(uint8_t *dst, const __m512i pairs[4], bool pastCaches) {
    __m512i a = _mm512_shuffle_i64x2(pairs[0], pairs[1], 0x44), b = _mm512_shuffle_i64x2(pairs[0], pairs[1], 0xEE);
    __m512i c = _mm512_shuffle_i64x2(pairs[2], pairs[3], 0x44), d = _mm512_shuffle_i64x2(pairs[2], pairs[3], 0xEE);
    put(dst, _mm512_shuffle_i64x2(a, c, 0x88), pastCaches);
    put(dst + 128, _mm512_shuffle_i64x2(a, c, 0xDD), pastCaches);
    put(dst + 256, _mm512_shuffle_i64x2(b, d, 0x88), pastCaches);
    put(dst + 384, _mm512_shuffle_i64x2(b, d, 0xDD), pastCaches);
}

/// What is read next, of which a share is brought to the caches with each group that is summed up: the checksum, which reads it
/// first, would wait for the memory otherwise.
typedef struct next_lines {
    const uint8_t *bytes;
    size_t byteCount, done, share;
} next_lines;

static next_lines find_next_lines(gca_memory_use use, size_t count) {
    size_t byteCount = use.nextCount < GCA_BLOCK_MAX ? use.nextCount : GCA_BLOCK_MAX;
    size_t groups = count / GROUP + 1, lines = byteCount / 64 + 1;
    return (next_lines){use.next, byteCount, 0, (lines + groups - 1) / groups};
}

INLINED void fetch_share(next_lines *next) {
    for (size_t i = 0; i < next->share && next->done < next->byteCount; i++, next->done += 64) {
        __builtin_prefetch(next->bytes + next->done, 0, 2);
    }
}

/// Sums up groups of 64 differences behind `total`, and answers how many differences they are.
GCA_AVX512 INLINED size_t sum_groups(uint8_t *dst, const uint8_t *planes, size_t stride, size_t count, __m512i *total,
                                     next_lines *next, bool pastCaches) {
    const __m512i zeros = _mm512_setzero_si512();
    __m512i before = *total;
    size_t i = 0;
    for (; i + GROUP <= count; i += GROUP) {
        fetch_share(next);
        __m512i vectors[8], turned[8], sums = zeros;
        UNROLLED for (size_t j = 0; j < 8; j++) vectors[j] = _mm512_loadu_si512(planes + j * stride + i);
        UNROLLED for (int round = 0; round < 3; round++) {
            UNROLLED for (int j = 0; j < 4; j++) {
                turned[2 * j] = _mm512_unpacklo_epi8(vectors[j], vectors[j + 4]);
                turned[2 * j + 1] = _mm512_unpackhi_epi8(vectors[j], vectors[j + 4]);
            }
            UNROLLED for (int j = 0; j < 8; j++) vectors[j] = turned[j];
        }
        UNROLLED for (int j = 0; j < 8; j++) {
            __m512i pairs = pair_sums(vectors[j]);
            vectors[j] = _mm512_add_epi64(pairs, sums);
            sums = _mm512_add_epi64(sums, _mm512_unpackhi_epi64(pairs, pairs));
        }
        // What all places up to each come to.
        __m512i places = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zeros, 6));
        places = _mm512_add_epi64(places, _mm512_alignr_epi64(places, zeros, 4));
        __m512i start = _mm512_add_epi64(before, _mm512_sub_epi64(places, sums));
        before = _mm512_add_epi64(before, _mm512_shuffle_i64x2(places, places, 0xFF));
        UNROLLED for (int j = 0; j < 8; j++) vectors[j] = _mm512_add_epi64(vectors[j], start);
        put_pairs(dst + i * 8, vectors, pastCaches);
        put_pairs(dst + i * 8 + 64, vectors + 4, pastCaches);
    }
    *total = before;
    return i;
}

/// Sums up differences one by one, up to a line of the cache, which is what is written past the caches.
static size_t sum_to_line(uint8_t *dst, const uint8_t *planes, size_t stride, size_t count, uint64_t *total) {
    size_t i = 0;
    for (; i < count && (uintptr_t)(dst + i * 8) % 64 != 0; i++) {
        uint64_t number = 0;
        for (size_t j = 0; j < 8; j++) number |= (uint64_t)planes[j * stride + i] << 8 * j;
        *total += number >> 1 ^ (0 - (number & 1));
        memcpy(dst + i * 8, total, 8);
    }
    return i;
}

GCA_AVX512 INLINED size_t sum_bytes(uint8_t *dst, const uint8_t *src, size_t count, next_lines *next,
                                    bool pastCaches) {
    uint64_t first = 0;
    size_t done = pastCaches ? sum_to_line(dst, src, count, count, &first) : 0;
    __m512i total = _mm512_set1_epi64((long long)first);
    return done + sum_groups(dst + done * 8, src + done, count, count - done, &total, next, pastCaches);
}

/// The same of bits, of which a part's are brought to planes; those of less than a group stay there for the next part.
GCA_AVX512 INLINED size_t sum_bits(uint8_t *dst, const uint8_t *src, size_t count, next_lines *next,
                                   bool pastCaches) {
    enum { STRIDE = PART + 2 * GROUP };  // Whole groups are kept.
    uint8_t planes[8 * STRIDE];
    size_t whole = count / BIT_GROUP * BIT_GROUP, done = 0, kept = 0;
    __m512i total = _mm512_setzero_si512();
    for (size_t first = 0; first < whole; first += PART) {
        size_t part = whole - first < PART ? whole - first : PART, summed = 0;
        gca_bit_planes_avx512(planes + kept, STRIDE, src + first / 8, part, count / 8, 8);
        if (first == 0 && pastCaches) {
            uint64_t start = 0;
            summed = sum_to_line(dst, planes, STRIDE, part, &start);
            total = _mm512_set1_epi64((long long)start);
        }
        size_t left = kept + part - summed;
        summed += sum_groups(dst + (done + summed) * 8, planes + summed, STRIDE, left, &total, next, pastCaches);
        kept = kept + part - summed;
        done += summed;
        for (size_t j = 0; j < 8; j++) memmove(planes + j * STRIDE, planes + j * STRIDE + summed, GROUP);
    }
    return done;
}

GCA_AVX512 static size_t unshuffle_sums_by64(uint8_t *dst, const uint8_t *src, size_t count, bool areBits,
                                             gca_memory_use use) {
    next_lines next = find_next_lines(use, count);
    if (!use.pastCaches) {
        return areBits ? sum_bits(dst, src, count, &next, false) : sum_bytes(dst, src, count, &next, false);
    }
    size_t done = areBits ? sum_bits(dst, src, count, &next, true) : sum_bytes(dst, src, count, &next, true);
    _mm_sfence();  // Before another thread learns that they are there.
    return done;
}

#endif
#endif

size_t gca_unshuffle_sums(uint8_t *dst, const uint8_t *src, size_t count, bool areBits, gca_memory_use use,
                          gca_vectors vectors) {
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)
    if (vectors >= GCA_VECTORS_AVX512) return unshuffle_sums_by64(dst, src, count, areBits, use);
#endif
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)
    if (vectors >= GCA_VECTORS_AVX2 && !areBits && use.pastCaches) return unshuffle_sums_by32(dst, src, count);
#endif
    (void)dst, (void)src, (void)count, (void)areBits, (void)use, (void)vectors;
    return 0;
}
