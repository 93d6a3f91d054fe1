// Undoes a bit shuffle and the differences of neighbours before it in one step, with vectors of 64 bytes: most arrays of `Double`
// are stored this way.
//
// 512 numbers are 64 bytes of each of 64 rows. The sign of a zigzag is row 0, and inverts all others, which are one bit too high,
// so it is undone in the rows. Eight rows at a time become a byte of all numbers: interleaved, they are matrices of 8 x 8 bits,
// which are transposed. These bytes are interleaved in turn. Each of a vector's four places has 128 neighbours, so sums need
// hardly any shuffles; the total of the places before it is added when the numbers are written.

#include "CGraphArchive.h"
#include "parts.h"
#include "vectors512.h"

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)

enum { GROUP = 512, PLACE = 128, LINE = 8 };

/// Transposes matrices of 8 x 8 bits: their products with the unit vectors 0, 4, 1, 5, 2, 6, 3 and 7 are their columns.
GCA_AVX512_BITS GCA_INLINED __m512i turned_over(__m512i matrices) {
    return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)0x8008400420021001u), matrices, 0);
}

/// One byte of 512 numbers, from byte `offset` of the rows on; eight vectors. Of each eight neighbours, those four apart end up
/// side by side.
GCA_AVX512_BITS GCA_INLINED void get_bytes(__m512i bytes[8], const gca_planes *rows, size_t byte, size_t offset) {
    __m512i sign = _mm512_loadu_si512(rows->each[0] + offset);
    // The matrix product takes the rows of a matrix in reverse order.
    UNROLLED for (size_t j = 0; j < 8; j++) {
        size_t row = 8 * byte + 8 - j;
        // The next line of each row except the sign: the processor does not prefetch that many on its own.
        if (row < 64) _mm_prefetch((const char *)((uintptr_t)rows->each[row] + offset + 64), _MM_HINT_T0);
        bytes[j] = row == 64 ? sign : _mm512_xor_si512(_mm512_loadu_si512(rows->each[row] + offset), sign);
    }
    gca_interleave(bytes);
    UNROLLED for (int j = 0; j < 8; j++) bytes[j] = turned_over(bytes[j]);
}

/// Whether bytes 6 and 7 of 512 numbers hold only the sign, as in small differences.
GCA_AVX512_BITS GCA_INLINED bool are_signs(const gca_planes *rows, size_t offset) {
    __m512i any = _mm512_loadu_si512(rows->each[49] + offset);
    UNROLLED for (int row = 50; row < 64; row++) any = _mm512_or_si512(any, _mm512_loadu_si512(rows->each[row] + offset));
    return _mm512_test_epi64_mask(any, any) == 0;
}

/// A byte of 512 numbers that holds only the sign.
GCA_AVX512_BITS GCA_INLINED void get_signs(__m512i bytes[8], const gca_planes *rows, size_t offset) {
    __m512i sign = _mm512_loadu_si512(rows->each[0] + offset);
    const __m512i ones = _mm512_set1_epi8(1), odd = _mm512_maskz_mov_epi64(0xAA, ones);
    UNROLLED for (int j = 0; j < 8; j++) {
        __m512i places = _mm512_add_epi8(_mm512_set1_epi8((char)(2 * j)), odd);
        bytes[j] = turned_over(_mm512_shuffle_epi8(sign, places));
    }
}

/// All bytes of 512 numbers.
GCA_AVX512_BITS GCA_INLINED void get_group(__m512i planes[8][8], const gca_planes *rows, size_t offset) {
    UNROLLED for (size_t byte = 0; byte < 6; byte++) get_bytes(planes[byte], rows, byte, offset);
    if (are_signs(rows, offset)) {
        get_signs(planes[6], rows, offset);
        UNROLLED for (int j = 0; j < 8; j++) planes[7][j] = planes[6][j];
    } else {
        get_bytes(planes[6], rows, 6, offset);
        get_bytes(planes[7], rows, 7, offset);
    }
}

/// Sums up eight differences for each place, starting from `totals`, and writes them to `dst`, one place after the other.
GCA_AVX512_BITS GCA_INLINED void sum_up(uint64_t *dst, __m512i numbers[4], __m512i *totals) {
    UNROLLED for (int j = 1; j < 4; j++) numbers[j] = _mm512_add_epi64(numbers[j], numbers[j - 1]);
    __m512i fours = numbers[3];
    __m512i turned = _mm512_shuffle_epi32(fours, 0x4E);
    __m512i before = _mm512_mask_add_epi64(*totals, 0xAA, *totals, turned);
    *totals = _mm512_add_epi64(*totals, _mm512_add_epi64(fours, turned));
    UNROLLED for (int j = 0; j < 4; j++) numbers[j] = _mm512_add_epi64(numbers[j], before);
    __m512i pairs[4] = {
        _mm512_unpacklo_epi64(numbers[0], numbers[1]), _mm512_unpacklo_epi64(numbers[2], numbers[3]),
        _mm512_unpackhi_epi64(numbers[0], numbers[1]), _mm512_unpackhi_epi64(numbers[2], numbers[3]),
    };
    gca_exchange_places(pairs);
    UNROLLED for (int place = 0; place < 4; place++) _mm512_store_si512(dst + place * PLACE, pairs[place]);
}

/// Sums up 16 differences for each place of a group, starting from `totals`, and writes them to `dst`.
GCA_AVX512_BITS GCA_INLINED void sum_part(uint64_t *dst, __m512i (*planes)[8], size_t part, __m512i *totals) {
    __m512i numbers[8];
    UNROLLED for (int byte = 0; byte < 8; byte++) numbers[byte] = planes[byte][part];
    gca_interleave(numbers);
    sum_up(dst, numbers, totals);
    sum_up(dst + 8, numbers + 4, totals);
}

/// A group summed up from zero for each place; it is written while the next one is summed up.
typedef struct summed_group {
    /// The last finished numbers of the previous group precede its own, because whole cache lines are written.
    uint64_t *numbers;
    uint8_t *line;
    /// First zero, for numbers that are done; then the total of those before each place.
    __m512i totals[5];
} summed_group;

/// Writes an eighth of each place, in whole lines: each place begins with the last `left` numbers of the one before.
GCA_AVX512_BITS GCA_INLINED void write_eighth(const summed_group *group, size_t part, size_t left, bool isFirst,
                                              bool pastCaches) {
    const uint64_t *from = group->numbers + LINE - left + part * (PLACE / 8);
    uint8_t *line = group->line + part * PLACE;
    __mmask8 areOwn = (__mmask8)(0xFF << (part == 0 ? left : 0));
    UNROLLED for (int place = 0; place < 4; place++) {
        __m512i total = group->totals[place + 1];
        __m512i before = _mm512_mask_mov_epi64(group->totals[place], areOwn, total);
        __m512i first = _mm512_add_epi64(_mm512_loadu_si512(from), before);
        if (place == 0 && isFirst) {
            _mm512_mask_storeu_epi64(line, areOwn, first);
        } else {
            gca_put(line, first, pastCaches);
        }
        gca_put(line + 64, _mm512_add_epi64(_mm512_loadu_si512(from + LINE), total), pastCaches);
        from += PLACE;
        line += 8 * PLACE;
    }
}

GCA_AVX512_BITS GCA_INLINED size_t sum_bits(uint8_t *dst, const gca_planes *rows, gca_memory_use use, bool pastCaches) {
    uint64_t numbers[2][LINE + GROUP] __attribute__((aligned(64)));
    __m512i planes[8][8];
    size_t groupCount = rows->byteCount * 8 / GROUP;
    if (groupCount == 0) return 0;
    // How many numbers of its first line lie before `dst`.
    size_t left = (uintptr_t)dst % 8 == 0 ? (uintptr_t)dst % 64 / 8 : 0;
    gca_next_lines next = gca_find_next_lines(use, groupCount * 8);
    summed_group last = {numbers[1], dst - 8 * left, {{0}}};
    __m512i total = _mm512_setzero_si512(), end = total;
    for (size_t group = 0; group <= groupCount; group++) {
        if (group < groupCount) get_group(planes, rows, group * GROUP / 8);
        uint64_t *own = numbers[group % 2];
        __m512i places = _mm512_setzero_si512();
        for (size_t part = 0; part < 8; part++) {
            if (group < groupCount) sum_part(own + LINE + 16 * part, planes, part, &places);
            if (group > 0) write_eighth(&last, part, left, group == 1 && part == 0, pastCaches);
            gca_fetch_share(&next);
        }
        if (group > 0) {
            end = _mm512_add_epi64(_mm512_load_si512(last.numbers + GROUP), last.totals[4]);
            last.line += 8 * GROUP;
        }
        _mm512_store_si512(own, end);
        last.numbers = own;
        last.totals[0] = _mm512_setzero_si512();
        UNROLLED for (int place = 0; place < 4; place++) {
            last.totals[place + 1] = total;
            total = _mm512_add_epi64(total, _mm512_shuffle_i64x2(places, places, 0));
            places = _mm512_alignr_epi64(places, places, 2);
        }
    }
    // The rest of the last group, up to where another one would begin.
    __mmask8 areLeft = (__mmask8)((1 << left) - 1);
    _mm512_mask_storeu_epi64(last.line, areLeft, _mm512_loadu_si512(last.numbers + LINE - left));
    return groupCount * GROUP;
}

GCA_AVX512_BITS size_t gca_sum_bits_avx512(uint8_t *dst, const gca_planes *planes, gca_memory_use use) {
    if (!use.pastCaches) return sum_bits(dst, planes, use, false);
    size_t done = sum_bits(dst, planes, use, true);
    _mm_sfence();  // Before another thread learns that they are there.
    return done;
}

#endif
