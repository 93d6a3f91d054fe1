// Differences of neighbours behind a bit shuffle, undone at once, with vectors of 64 bytes: what most arrays of `Double` are stored as.
//
// 512 numbers are 64 bytes of each of 64 rows. The sign of a zigzag is row 0, and inverts all others, which are one bit too high:
// so it is undone in the rows. Eight rows at a time become a byte of all numbers: interleaved, they are matrices of 8 x 8 bits,
// which are turned over. These bytes are interleaved in turn. Each of a vector's four places has 128 neighbours, so that
// sums need hardly a shuffle; what the places in front of it come to is added when the numbers are written.

#include "CGraphArchive.h"
#include "parts.h"
#include "vectors512.h"

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)

enum { GROUP = 512, PLACE = 128, LINE = 8, BATCH = 8 };

/// One byte of 512 numbers, from byte `offset` of the rows on; eight vectors. Of eight neighbours those four apart come side by side.
GCA_AVX512_BITS GCA_INLINED void get_bytes(__m512i bytes[8], const gca_planes *rows, size_t byte, size_t offset) {
    __m512i sign = _mm512_loadu_si512(rows->each[0] + offset);
    // The matrix product takes the rows of a matrix from the last one on.
    UNROLLED for (size_t j = 0; j < 8; j++) {
        size_t row = 8 * byte + 8 - j;
        bytes[j] = row == 64 ? sign : _mm512_xor_si512(_mm512_loadu_si512(rows->each[row] + offset), sign);
    }
    gca_interleave(bytes);
    // Its products with the unit vectors 0, 4, 1, 5, 2, 6, 3 and 7 are its columns.
    const __m512i columns = _mm512_set1_epi64((long long)0x8008400420021001u);
    UNROLLED for (int j = 0; j < 8; j++) bytes[j] = _mm512_gf2p8affine_epi64_epi8(columns, bytes[j], 0);
}

/// Sums up eight differences for each place behind `totals`, and puts them to `dst`, one place's behind the other's.
GCA_AVX512_BITS GCA_INLINED void sum_up(uint64_t *dst, __m512i numbers[4], __m512i *totals) {
    UNROLLED for (int j = 1; j < 4; j++) numbers[j] = _mm512_add_epi64(numbers[j], numbers[j - 1]);
    __m512i fours = numbers[3];
    __m512i before = _mm512_add_epi64(*totals, _mm512_bslli_epi128(fours, 8));
    *totals = _mm512_add_epi64(*totals, _mm512_add_epi64(fours, _mm512_shuffle_epi32(fours, 0x4E)));
    UNROLLED for (int j = 0; j < 4; j++) numbers[j] = _mm512_add_epi64(numbers[j], before);
    __m512i pairs[4] = {
        _mm512_unpacklo_epi64(numbers[0], numbers[1]), _mm512_unpacklo_epi64(numbers[2], numbers[3]),
        _mm512_unpackhi_epi64(numbers[0], numbers[1]), _mm512_unpackhi_epi64(numbers[2], numbers[3]),
    };
    gca_exchange_places(pairs);
    UNROLLED for (int place = 0; place < 4; place++) _mm512_store_si512(dst + place * PLACE, pairs[place]);
}

/// The bytes of the numbers of some groups; vectors of a group have those of the same numbers.
typedef struct group_bytes {
    __m512i planes[BATCH][8][8];
} group_bytes;

/// Gets the bytes of `count` groups from byte `offset` of the rows on.
///
/// Rows are far apart, often by the same lines of the cache, which has few of them: so eight rows are read for all groups.
GCA_AVX512_BITS GCA_INLINED void get_groups(group_bytes *groups, const gca_planes *rows, size_t offset, size_t count) {
    UNROLLED for (size_t byte = 0; byte < 8; byte++) {
        for (size_t group = 0; group < count; group++) {
            get_bytes(groups->planes[group][byte], rows, byte, offset + group * GROUP / 8);
        }
    }
}

/// Sums up the differences of a group, for each place from zero, and answers what each comes to.
GCA_AVX512_BITS GCA_INLINED __m512i sum_places(uint64_t *dst, __m512i (*planes)[8]) {
    __m512i totals = _mm512_setzero_si512();
    for (size_t part = 0; part < 8; part++) {
        __m512i numbers[8];
        UNROLLED for (int byte = 0; byte < 8; byte++) numbers[byte] = planes[byte][part];
        gca_interleave(numbers);
        sum_up(dst + 16 * part, numbers, &totals);
        sum_up(dst + 16 * part + 8, numbers + 4, &totals);
    }
    return totals;
}

GCA_AVX512_BITS GCA_INLINED size_t sum_bits(uint8_t *dst, const gca_planes *rows, gca_memory_use use, bool pastCaches) {
    // In front of a group's numbers are the last ones of the group before: what is written are lines of the cache.
    uint64_t numbers[LINE + GROUP] __attribute__((aligned(64)));
    group_bytes batch;
    size_t groupCount = rows->byteCount * 8 / GROUP;
    // How many numbers of its first line lie in front of `dst`: as many of a group are written with the next one.
    size_t left = (uintptr_t)dst % 8 == 0 ? (uintptr_t)dst % 64 / 8 : 0;
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
                gca_put(line, first, pastCaches);
            }
            for (size_t i = LINE; i < PLACE; i += LINE) {
                gca_put(line + 8 * i, _mm512_add_epi64(_mm512_loadu_si512(from + i), total), pastCaches);
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

GCA_AVX512_BITS size_t gca_sum_bits_avx512(uint8_t *dst, const gca_planes *planes, gca_memory_use use) {
    if (!use.pastCaches) return sum_bits(dst, planes, use, false);
    size_t done = sum_bits(dst, planes, use, true);
    _mm_sfence();  // Before another thread learns that they are there.
    return done;
}

#endif
