// Undoes a shuffle and the differences of neighbours before it in one step: arrays of smooth numbers are stored this way.
//
// A vector of 32 bytes has two integers each of two places that are 16 apart, one of 64 bytes of four. Each place is summed up
// separately, and the total of the places before it is added.

#include "CGraphArchive.h"
#include "parts.h"
#include "vectors512.h"

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)

typedef uint64_t words32 __attribute__((vector_size(32)));

__attribute__((target("avx2"))) static size_t sum_planes_by32(uint8_t *dst, const gca_planes *planes) {
    size_t count = planes->byteCount;
    const words32 zeros = {0};
    words32 total = zeros;
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        vector32 vectors[8];
        words32 parts[8], sums = zeros;
        UNROLLED for (size_t j = 0; j < 8; j++) memcpy(&vectors[j], planes->each[j] + i, 32);
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

enum { GROUP = 64 };

/// The integers of zigzag numbers, each added to the one before it in its pair.
GCA_AVX512 GCA_INLINED __m512i pair_sums(__m512i numbers) {
    __mmask8 areNegative = _mm512_test_epi64_mask(numbers, _mm512_set1_epi64(1));
    __m512i halves = _mm512_srli_epi64(numbers, 1);
    __m512i integers = _mm512_mask_xor_epi64(halves, areNegative, halves, _mm512_set1_epi64(-1));
    return _mm512_add_epi64(integers, _mm512_bslli_epi128(integers, 8));
}

/// Four pairs each of four places, 128 bytes apart from one place to the next.
GCA_AVX512 GCA_INLINED void put_pairs(uint8_t *dst, __m512i pairs[4], bool pastCaches) {
    gca_exchange_places(pairs);
    UNROLLED for (size_t j = 0; j < 4; j++) gca_put(dst + 128 * j, pairs[j], pastCaches);
}

/// Sums up groups of 64 differences from `offset` on, starting from `total`, and returns how many differences they are.
GCA_AVX512 GCA_INLINED size_t sum_groups(uint8_t *dst, const uint8_t *const planes[8], size_t offset, size_t count,
                                     __m512i *total, gca_next_lines *next, bool pastCaches) {
    const __m512i zeros = _mm512_setzero_si512();
    __m512i before = *total;
    size_t i = 0;
    for (; i + GROUP <= count; i += GROUP) {
        gca_fetch_share(next);
        __m512i vectors[8], sums = zeros;
        UNROLLED for (size_t j = 0; j < 8; j++) vectors[j] = _mm512_loadu_si512(planes[j] + offset + i);
        gca_interleave(vectors);
        UNROLLED for (int j = 0; j < 8; j++) {
            __m512i pairs = pair_sums(vectors[j]);
            vectors[j] = _mm512_add_epi64(pairs, sums);
            sums = _mm512_add_epi64(sums, _mm512_unpackhi_epi64(pairs, pairs));
        }
        // The running totals of all places.
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

/// Sums up differences one by one, up to a cache line: only whole lines can be written past the caches.
static size_t sum_to_line(uint8_t *dst, const uint8_t *const planes[8], size_t count, uint64_t *total) {
    size_t i = 0;
    for (; i < count && (uintptr_t)(dst + i * 8) % 64 != 0; i++) {
        uint64_t number = 0;
        for (size_t j = 0; j < 8; j++) number |= (uint64_t)planes[j][i] << 8 * j;
        *total += number >> 1 ^ (0 - (number & 1));
        memcpy(dst + i * 8, total, 8);
    }
    return i;
}

GCA_AVX512 GCA_INLINED size_t sum_bytes(uint8_t *dst, const gca_planes *planes, gca_next_lines *next, bool pastCaches) {
    uint64_t first = 0;
    size_t count = planes->byteCount, done = pastCaches ? sum_to_line(dst, planes->each, count, &first) : 0;
    __m512i total = _mm512_set1_epi64((long long)first);
    return done + sum_groups(dst + done * 8, planes->each, done, count - done, &total, next, pastCaches);
}

GCA_AVX512 static size_t sum_bytes_by64(uint8_t *dst, const gca_planes *planes, gca_memory_use use) {
    gca_next_lines next = gca_find_next_lines(use, planes->byteCount / GROUP);
    if (!use.pastCaches) return sum_bytes(dst, planes, &next, false);
    size_t done = sum_bytes(dst, planes, &next, true);
    _mm_sfence();  // Before another thread learns that they are there.
    return done;
}

#endif
#endif

bool gca_has_sums(bool areBits, gca_memory_use use, gca_vectors vectors) {
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)
    if (vectors >= GCA_VECTORS_AVX512) return true;
#endif
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)
    if (vectors >= GCA_VECTORS_AVX2 && !areBits && use.pastCaches) return true;
#endif
    (void)areBits, (void)use, (void)vectors;
    return false;
}

size_t gca_sum_planes(uint8_t *dst, const gca_planes *planes, gca_memory_use use, gca_vectors vectors) {
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)
    if (vectors >= GCA_VECTORS_AVX512 && planes->count == 64) return gca_sum_bits_avx512(dst, planes, use);
    if (vectors >= GCA_VECTORS_AVX512) return sum_bytes_by64(dst, planes, use);
#endif
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)
    if (vectors >= GCA_VECTORS_AVX2) return sum_planes_by32(dst, planes);
#endif
    (void)dst, (void)planes, (void)use, (void)vectors;
    return 0;
}
