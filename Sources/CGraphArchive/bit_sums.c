// Differences of neighbours behind a bit shuffle, undone at once, with vectors of 64 bytes: what most arrays of `Double` are stored as.
//
// 512 numbers are 64 bytes of each of 64 rows. The sign of a zigzag is row 0, and inverts all others, which are one bit too high:
// so it is undone in the rows. Eight rows at a time become a byte of all numbers: interleaved, they are matrices of 8 x 8 bits,
// which are turned over. These bytes are interleaved in turn. Each of a vector's four places has 128 neighbours, so that
// sums need hardly a shuffle; what the places in front of it come to is added when the numbers are written.

#include "CGraphArchive.h"
#include "parts.h"
#include "vectors.h"

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)

#include <immintrin.h>

#define ATTRIBUTES __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")))
#define INLINED __attribute__((always_inline)) static inline

enum { GROUP = 512, PLACE = 128, LINE = 8, BATCH = 8 };

/// Interleaves the bytes of eight vectors: vector `j` then has those of bytes 2j and 2j + 1 of each place, one word for each.
ATTRIBUTES INLINED void interleave(__m512i vectors[8]) {
    __m512i turned[8];
    UNROLLED for (int round = 0; round < 3; round++) {
        UNROLLED for (int j = 0; j < 4; j++) {
            turned[2 * j] = _mm512_unpacklo_epi8(vectors[j], vectors[j + 4]);
            turned[2 * j + 1] = _mm512_unpackhi_epi8(vectors[j], vectors[j + 4]);
        }
        UNROLLED for (int j = 0; j < 8; j++) vectors[j] = turned[j];
    }
}

/// One byte of 512 numbers, from byte `offset` of the rows on; eight vectors. Of eight neighbours those four apart come side by side.
ATTRIBUTES INLINED void get_bytes(__m512i bytes[8], const gca_planes *rows, size_t byte, size_t offset) {
    __m512i sign = _mm512_loadu_si512(rows->each[0] + offset);
    // The matrix product takes the rows of a matrix from the last one on.
    UNROLLED for (size_t j = 0; j < 8; j++) {
        size_t row = 8 * byte + 8 - j;
        bytes[j] = row == 64 ? sign : _mm512_xor_si512(_mm512_loadu_si512(rows->each[row] + offset), sign);
    }
    interleave(bytes);
    // Its products with the unit vectors 0, 4, 1, 5, 2, 6, 3 and 7 are its columns.
    const __m512i columns = _mm512_set1_epi64((long long)0x8008400420021001u);
    UNROLLED for (int j = 0; j < 8; j++) bytes[j] = _mm512_gf2p8affine_epi64_epi8(columns, bytes[j], 0);
}

/// Sums up eight differences for each place behind `totals`, and puts them to `dst`, one place's behind the other's.
ATTRIBUTES INLINED void sum_up(uint64_t *dst, __m512i numbers[4], __m512i *totals) {
    UNROLLED for (int j = 1; j < 4; j++) numbers[j] = _mm512_add_epi64(numbers[j], numbers[j - 1]);
    __m512i fours = numbers[3];
    __m512i before = _mm512_add_epi64(*totals, _mm512_bslli_epi128(fours, 8));
    *totals = _mm512_add_epi64(*totals, _mm512_add_epi64(fours, _mm512_shuffle_epi32(fours, 0x4E)));
    UNROLLED for (int j = 0; j < 4; j++) numbers[j] = _mm512_add_epi64(numbers[j], before);
    __m512i pairs[4] = {
        _mm512_unpacklo_epi64(numbers[0], numbers[1]), _mm512_unpacklo_epi64(numbers[2], numbers[3]),
        _mm512_unpackhi_epi64(numbers[0], numbers[1]), _mm512_unpackhi_epi64(numbers[2], numbers[3]),
    };
    __m512i a = _mm512_shuffle_i64x2(pairs[0], pairs[1], 0x44), b = _mm512_shuffle_i64x2(pairs[0], pairs[1], 0xEE);
    __m512i c = _mm512_shuffle_i64x2(pairs[2], pairs[3], 0x44), d = _mm512_shuffle_i64x2(pairs[2], pairs[3], 0xEE);
    _mm512_store_si512(dst, _mm512_shuffle_i64x2(a, c, 0x88));
    _mm512_store_si512(dst + PLACE, _mm512_shuffle_i64x2(a, c, 0xDD));
    _mm512_store_si512(dst + 2 * PLACE, _mm512_shuffle_i64x2(b, d, 0x88));
    _mm512_store_si512(dst + 3 * PLACE, _mm512_shuffle_i64x2(b, d, 0xDD));
}

/// The bytes of the numbers of some groups; vectors of a group have those of the same numbers.
typedef struct group_bytes {
    __m512i planes[BATCH][8][8];
} group_bytes;

/// Gets the bytes of `count` groups from byte `offset` of the rows on.
///
/// Rows are far apart, often by the same lines of the cache, which has few of them: so eight rows are read for all groups.
ATTRIBUTES INLINED void get_groups(group_bytes *groups, const gca_planes *rows, size_t offset, size_t count) {
    UNROLLED for (size_t byte = 0; byte < 8; byte++) {
        for (size_t group = 0; group < count; group++) {
            get_bytes(groups->planes[group][byte], rows, byte, offset + group * GROUP / 8);
        }
    }
}

/// Sums up the differences of a group, for each place from zero, and answers what each comes to.
ATTRIBUTES INLINED __m512i sum_places(uint64_t *dst, __m512i (*planes)[8]) {
    __m512i totals = _mm512_setzero_si512();
    for (size_t part = 0; part < 8; part++) {
        __m512i numbers[8];
        UNROLLED for (int byte = 0; byte < 8; byte++) numbers[byte] = planes[byte][part];
        interleave(numbers);
        sum_up(dst + 16 * part, numbers, &totals);
        sum_up(dst + 16 * part + 8, numbers + 4, &totals);
    }
    return totals;
}

ATTRIBUTES INLINED void put(uint8_t *dst, __m512i numbers, bool pastCaches) {
    if (pastCaches) {
        _mm512_stream_si512((void *)dst, numbers);
    } else {
        _mm512_storeu_si512(dst, numbers);
    }
}

ATTRIBUTES INLINED size_t sum_bits(uint8_t *dst, const gca_planes *rows, gca_memory_use use, bool pastCaches) {
    // In front of a group's numbers are the last ones of the group before: what is written are lines of the cache.
    uint64_t numbers[LINE + GROUP] __attribute__((aligned(64)));
    group_bytes batch;
    size_t misplaced = (uintptr_t)dst % 64 / 8, groupCount = rows->byteCount * 8 / GROUP;
    size_t left = (uintptr_t)dst % 8 == 0 && misplaced > 0 ? misplaced : 0;  // Of a group, to the line that the next one begins.
    __mmask8 areNew = (__mmask8)(0xFF << left);
    uint8_t *line = dst - 8 * left;
    gca_next_lines next = gca_find_next_lines(use, groupCount * 8);
    __m512i total = _mm512_setzero_si512();
    for (size_t group = 0; group < groupCount; group++) {
        size_t inBatch = group % BATCH;
        if (inBatch == 0) {
            get_groups(&batch, rows, group * GROUP / 8, groupCount - group < BATCH ? groupCount - group : BATCH);
        }
        __m512i places = sum_places(numbers + LINE, batch.planes[inBatch]);
        __m512i before = _mm512_setzero_si512();
        const uint64_t *from = numbers + LINE - left;
        UNROLLED for (int place = 0; place < 4; place++) {
            __m512i first = _mm512_loadu_si512(from);
            first = _mm512_add_epi64(first, _mm512_mask_mov_epi64(before, areNew, total));
            if (group == 0 && place == 0) {
                _mm512_mask_storeu_epi64(line, areNew, first);
            } else {
                put(line, first, pastCaches);
            }
            for (size_t i = LINE; i < PLACE; i += LINE) {
                put(line + 8 * i, _mm512_add_epi64(_mm512_loadu_si512(from + i), total), pastCaches);
            }
            gca_fetch_share(&next);
            gca_fetch_share(&next);
            from += PLACE;
            line += 8 * PLACE;
            before = total;
            total = _mm512_add_epi64(total, _mm512_shuffle_i64x2(places, places, 0));
            places = _mm512_alignr_epi64(places, places, 2);
        }
        _mm512_store_si512(numbers, _mm512_add_epi64(_mm512_load_si512(numbers + GROUP), before));
    }
    if (groupCount > 0) _mm512_mask_storeu_epi64(line, (__mmask8)~areNew, _mm512_loadu_si512(numbers + LINE - left));
    return groupCount * GROUP;
}

ATTRIBUTES size_t gca_sum_bits_avx512(uint8_t *dst, const gca_planes *planes, gca_memory_use use) {
    if (!use.pastCaches) return sum_bits(dst, planes, use, false);
    size_t done = sum_bits(dst, planes, use, true);
    _mm_sfence();  // Before another thread learns that they are there.
    return done;
}

#endif
