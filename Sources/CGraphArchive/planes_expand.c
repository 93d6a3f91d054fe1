// LZ4 blocks of planes; uncompressed planes are read where they are stored.
//
// In smooth numbers with noise, more than half of the planes are noise, which LZ4 stores as literals. A plane that lies entirely
// in a run of literals is left there, and copied only if a match reaches into it. The rest is short matches, which spend their
// time on mispredicted branches: here most take three branches, whatever their distance, and half of LZ4's time.
//
// The rules are those of LZ4, and blocks that break one are left to LZ4.

#include "CGraphArchive.h"
#include "parts.h"
#include "vectors512.h"

void gca_planes_place(gca_planes *planes, const uint8_t *src) {
    for (size_t k = 0; k < planes->count; k++) planes->each[k] = src + k * planes->byteCount;
}

void gca_planes_gather(const gca_planes *planes, uint8_t *dst, size_t offset) {
    for (size_t k = 0; k < planes->count; k++) {
        uint8_t *place = dst + k * planes->byteCount;
        if (planes->each[k] == place) continue;
        memcpy(place + offset, planes->each[k] + offset, planes->byteCount - offset);
    }
}

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)

enum {
    /// The most that a short sequence reads, which is more than it writes: 16 literals and 273 bytes of a match, in vectors of
    /// 64.
    SHORT_IN = 32,
    SHORT_OUT = 512,
    /// Runs are copied at most this many bytes at a time, which the nearest caches hold.
    ENOUGH_AT_ONCE = 4096,
};

/// The state of expanding a block: what is left of it, and what it has become so far.
typedef struct cursor {
    const uint8_t *in, *inEnd;
    uint8_t *dst, *out, *outEnd;
    size_t skippedEnd;  ///< Matches from in front of it may be of planes that lie elsewhere.
} cursor;

#define REST8(of, i)                                                                                   \
    (i) % (of), ((i) + 1) % (of), ((i) + 2) % (of), ((i) + 3) % (of), ((i) + 4) % (of), ((i) + 5) % (of), \
        ((i) + 6) % (of), ((i) + 7) % (of)
#define RESTS(of)                                                                                    \
    {                                                                                                \
        REST8(of, 0), REST8(of, 8), REST8(of, 16), REST8(of, 24), REST8(of, 32), REST8(of, 40),      \
            REST8(of, 48), REST8(of, 56)                                                             \
    }
#define RESTS8(of) \
    RESTS(of), RESTS(of + 1), RESTS(of + 2), RESTS(of + 3), RESTS(of + 4), RESTS(of + 5), RESTS(of + 6), RESTS(of + 7)

/// For each period of 1 to 64 bytes, the source places of 64 bytes that repeat with it.
static const uint8_t repeated[64][64] = {
    RESTS8(1), RESTS8(9), RESTS8(17), RESTS8(25), RESTS8(33), RESTS8(41), RESTS8(49), RESTS8(57),
};

/// Expands sequences up to one that is long, or refers to planes that lie elsewhere, or is near an end.
GCA_AVX512_BITS static void expand_short(cursor *at) {
    const uint8_t *in = at->in, *inEnd = at->inEnd;
    uint8_t *dst = at->dst, *out = at->out, *outEnd = at->outEnd;
    size_t skippedEnd = at->skippedEnd;
    while (inEnd - in >= SHORT_IN && outEnd - out >= SHORT_OUT) {
        size_t count = in[0] >> 4, length = in[0] & 15;
        if (count == 15) break;
        memcpy(out, in + 1, 16);
        const uint8_t *behind = in + 1 + count;
        uint8_t *to = out + count;
        size_t distance = (size_t)(behind[0] | behind[1] << 8), hasMore = length == 15, more = behind[2];
        length += GCA_LEAST_MATCH + (hasMore ? more : 0);
        // A distance of 0 becomes the largest number.
        if (length == GCA_LEAST_MATCH + 15 + 255 || distance - 1 >= (size_t)(to - dst) - skippedEnd) break;
        // A distance shorter than a vector repeats within it, so that a match may overlap its own output.
        size_t period = distance < 64 ? distance : 64;
        __m512i places = _mm512_loadu_si512(repeated[period - 1]);
        const uint8_t *from = to - distance;
        _mm512_storeu_si512(to, _mm512_permutexvar_epi8(places, _mm512_loadu_si512(from)));
        if (length > 64) {
            size_t step = 64 / period * period, move = distance < 64 ? 0 : step;
            for (size_t i = step; i < length; i += step) {
                from += move;
                _mm512_storeu_si512(to + i, _mm512_permutexvar_epi8(places, _mm512_loadu_si512(from)));
            }
        }
        in = behind + 2 + hasMore;
        out = to + length;
    }
    at->in = in;
    at->out = out;
}

/// Adds the bytes of a length that follow the token.
static inline bool read_length(const uint8_t **in, const uint8_t *end, size_t *length) {
    uint8_t more = 255;
    while (more == 255) {
        if (*in == end) return false;
        more = *(*in)++;
        *length += more;
    }
    return true;
}

/// Copies literals to byte `at` of the block, except for whole planes. Returns where the last of these ends, or 0 if there are
/// none.
static size_t place_literals(gca_planes *planes, uint8_t *dst, size_t at, const uint8_t *in, size_t count) {
    size_t size = planes->byteCount;
    size_t first = (at + size - 1) / size, last = (at + count) / size;
    if (last > planes->count) last = planes->count;
    if (first >= last) {
        memcpy(dst + at, in, count);
        return 0;
    }
    for (size_t k = first; k < last; k++) planes->each[k] = in + (k * size - at);
    memcpy(dst + at, in, first * size - at);
    memcpy(dst + last * size, in + (last * size - at), at + count - last * size);
    return last * size;
}

/// Copies the planes to their places that have any bytes from `first` to `end`, which a match needs.
static void fill_places(gca_planes *planes, uint8_t *dst, size_t first, size_t end) {
    size_t size = planes->byteCount;
    for (size_t k = first / size; k < planes->count && k * size < end; k++) {
        uint8_t *place = dst + k * size;
        if (planes->each[k] == place) continue;
        memcpy(place, planes->each[k], size);
        planes->each[k] = place;
    }
}

/// Copies a match that may overlap its own output: ever more at a time, as more of it exists.
static void copy_long(uint8_t *out, size_t distance, size_t length) {
    size_t some = distance;
    for (size_t done = 0; done < length; done += some) {
        if (some < ENOUGH_AT_ONCE) some = distance + done;
        if (some > length - done) some = length - done;
        memcpy(out + done, out - distance, some);
    }
}

bool gca_planes_expand(gca_planes *planes, uint8_t *dst, size_t dstCount, const uint8_t *src, size_t srcCount) {
    cursor at = {src, src + srcCount, dst, dst, dst + dstCount, 0};
    gca_planes_place(planes, dst);
    // Without planes, no literals can be a whole plane.
    if (planes->count == 0) planes->byteCount = dstCount + 1;
    if (planes->byteCount == 0) return false;
    for (;;) {
        expand_short(&at);
        if (at.in == at.inEnd) return false;
        uint8_t token = *at.in++;
        size_t count = token >> 4, length = token & 15;
        if (count == 15 && !read_length(&at.in, at.inEnd, &count)) return false;
        if (count > (size_t)(at.inEnd - at.in) || count > (size_t)(at.outEnd - at.out)) return false;
        if (count < planes->byteCount) {
            memcpy(at.out, at.in, count);
        } else {
            size_t end = place_literals(planes, dst, (size_t)(at.out - dst), at.in, count);
            if (end > 0) at.skippedEnd = end;
        }
        at.in += count;
        at.out += count;
        if (at.in == at.inEnd) return at.out == at.outEnd;
        if (at.inEnd - at.in < 2 || at.outEnd - at.out < GCA_LAST_START) return false;
        size_t distance = (size_t)(at.in[0] | at.in[1] << 8);
        at.in += 2;
        if (length == 15 && !read_length(&at.in, at.inEnd, &length)) return false;
        length += GCA_LEAST_MATCH;
        if (distance == 0 || distance > (size_t)(at.out - dst)) return false;
        if (length > (size_t)(at.outEnd - at.out) - GCA_LITERAL_END) return false;
        size_t first = (size_t)(at.out - dst) - distance;
        if (first < at.skippedEnd) fill_places(planes, dst, first, first + length);
        copy_long(at.out, distance, length);
        at.out += length;
    }
}

#else

bool gca_planes_expand(gca_planes *planes, uint8_t *dst, size_t dstCount, const uint8_t *src, size_t srcCount) {
    (void)planes, (void)dst, (void)dstCount, (void)src, (void)srcCount;
    return false;
}

#endif
