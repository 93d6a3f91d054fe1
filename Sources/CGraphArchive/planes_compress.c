// LZ4 of bit planes: blocks that LZ4 expands, made faster than LZ4 itself makes them after a bit shuffle.
//
// The planes of a bit shuffle are noise, then a few that are neither noise nor empty, then runs. LZ4's fast compressor spends its
// time on those in between, where it finds many short matches that save next to nothing. Here, when matches save little, the
// following places are passed over in long steps; matches reach back, so no run is missed. Six bytes are hashed, so that short
// matches are seldom found, and runs are compared 32 bytes at a time.
//
// Its output depends on the bytes alone, not on the version of a library or the processor.

#include "CGraphArchive.h"
#include "parts.h"
#include "vectors.h"

enum {
    HASH_BITS = 12,
    /// After this many misses, as a power of two, steps become a byte longer.
    STEP_BITS = 4,
    MOST_DISTANCE = 65535,
    /// Matches of a window must save one byte in `LEAST_SAVED`; otherwise the next `PASSED_OVER` parts of the block are passed
    /// over. A window is one part, unless that is too short to tell.
    LEAST_SAVED = 8,
    PASSED_OVER = 7,
    LEAST_WINDOW = 64,
    WINDOWS = 2048,
};

static inline uint32_t four(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint64_t eight(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/// Of six bytes; eight can be read.
static inline uint32_t hash_of(const uint8_t *bytes) {
    return (uint32_t)((eight(bytes) << 16) * 0x9E3779B185EBCA87u >> (64 - HASH_BITS));
}

static inline bool equal_64(const uint8_t *bytes, const uint8_t *other) {
#if defined(GCA_HAS_VECTORS)
    typedef uint64_t words16 __attribute__((vector_size(16)));
    words16 difference = {0, 0};
    UNROLLED for (size_t i = 0; i < 64; i += 16) {
        words16 some, others;
        memcpy(&some, bytes + i, 16);
        memcpy(&others, other + i, 16);
        difference |= some ^ others;
    }
    return (difference[0] | difference[1]) == 0;
#else
    return memcmp(bytes, other, 64) == 0;
#endif
}

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)
/// How many bytes are equal, in steps of 64, up to `most`.
__attribute__((noinline, target("avx2"))) static size_t count_equal_avx2(const uint8_t *bytes, const uint8_t *other,
                                                                         size_t most) {
    typedef uint64_t words32 __attribute__((vector_size(32)));
    size_t count = 0;
    for (; most - count >= 64; count += 64) {
        words32 difference = {0, 0, 0, 0};
        UNROLLED for (size_t i = 0; i < 64; i += 32) {
            words32 some, others;
            memcpy(&some, bytes + count + i, 32);
            memcpy(&others, other + count + i, 32);
            difference |= some ^ others;
        }
        if ((difference[0] | difference[1] | difference[2] | difference[3]) != 0) break;
    }
    return count;
}
#endif

static inline size_t count_equal_words(const uint8_t *bytes, const uint8_t *other, const uint8_t *end) {
    const uint8_t *start = bytes;
    for (; end - bytes >= 8; bytes += 8, other += 8) {
        uint64_t difference = eight(bytes) ^ eight(other);
        if (difference != 0) return (size_t)(bytes - start) + (size_t)__builtin_ctzll(difference) / 8;
    }
    for (; bytes < end && *bytes == *other; bytes++, other++) {}
    return (size_t)(bytes - start);
}

/// How many bytes from `bytes` up to `end` equal those from the earlier `other` on.
static inline size_t count_equal(const uint8_t *bytes, const uint8_t *other, const uint8_t *end, gca_vectors vectors) {
    const uint8_t *start = bytes;
    if (end - bytes >= 64) {
        // Most matches end here.
        uint64_t difference = eight(bytes) ^ eight(other);
        if (difference != 0) return (size_t)__builtin_ctzll(difference) / 8;
    }
    while (end - bytes >= 64 && equal_64(bytes, other)) {
        size_t count = 64;
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)
        // Few are longer, and a call would slow down all of them.
        if (vectors >= GCA_VECTORS_AVX2) count += count_equal_avx2(bytes + 64, other + 64, (size_t)(end - bytes) - 64);
#else
        (void)vectors;
#endif
        bytes += count;
        other += count;
    }
    return (size_t)(bytes - start) + count_equal_words(bytes, other, end);
}

/// How many bytes before `bytes` equal those before `other`, which has `otherCount` before it; up to `most`.
static inline size_t count_equal_before(const uint8_t *bytes, const uint8_t *other, size_t otherCount, size_t most) {
    size_t count = 0;
    for (; otherCount - count >= 8 && count < most; count += 8) {
        uint64_t difference = eight(bytes - count - 8) ^ eight(other - count - 8);
        if (difference == 0) continue;
        count += (size_t)__builtin_clzll(difference) / 8;
        return count < most ? count : most;
    }
    for (; count < most && bytes[-1 - (ptrdiff_t)count] == other[-1 - (ptrdiff_t)count]; count++) {}
    return count < most ? count : most;
}

/// How many bytes a length takes after the token.
static inline size_t length_bytes(size_t length) { return length < 15 ? 0 : 1 + (length - 15) / 255; }

static inline uint8_t *put_length(uint8_t *to, size_t length) {
    if (length < 15) return to;
    size_t more = length - 15, full = more / 255;
    if (full > 0) memset(to, 255, full);
    to[full] = (uint8_t)(more - full * 255);
    return to + full + 1;
}

static inline uint8_t *put_literals(uint8_t *to, const uint8_t *end, const uint8_t *from, const uint8_t *srcEnd,
                                    size_t count) {
    if (count <= 16 && end - to >= 16 && srcEnd - from >= 16) {
        memcpy(to, from, 16);
    } else if (count > 0) {
        memcpy(to, from, count);
    }
    return to + count;
}

size_t gca_planes_compress(uint8_t *dst, size_t dstCapacity, const uint8_t *src, size_t srcCount,
                           gca_vectors vectors) {
    const uint8_t *end = src + srcCount, *literals = src;
    uint8_t *to = dst, *dstEnd = dst + dstCapacity;
    if (srcCount > GCA_LAST_START) {
        uint32_t places[1 << HASH_BITS] = {0};
        const uint8_t *lastStart = end - GCA_LAST_START, *matchEnd = end - GCA_LITERAL_END;
        const uint8_t *at = src + 1, *windowStart = src;
        size_t part = srcCount / WINDOWS, window = part > LEAST_WINDOW ? part : LEAST_WINDOW, saved = 0;
        while (at <= lastStart) {
            const uint8_t *match = src;
            for (size_t step = 1 << STEP_BITS;; at += step++ >> STEP_BITS) {
                if (at > lastStart) goto done;
                uint32_t hash = hash_of(at);
                match = src + places[hash];
                places[hash] = (uint32_t)(at - src);
                // Most places fail by their bytes. Checking the distance first is slower, because it is less predictable.
                if (four(match) == four(at) && at - match <= MOST_DISTANCE) break;
            }
            size_t length = count_equal(at + GCA_LEAST_MATCH, match + GCA_LEAST_MATCH, matchEnd, vectors);
            size_t most = (size_t)(at - literals < match - src ? at - literals : match - src);
            size_t before = count_equal_before(at, match, (size_t)(match - src), most);
            at -= before;
            match -= before;
            length += before;
            size_t literalCount = (size_t)(at - literals);
            size_t room = (size_t)(dstEnd - to);
            if (room < literalCount + (literalCount + length) / 128 + 8
                && room < 3 + length_bytes(literalCount) + literalCount + length_bytes(length)) {
                return 0;
            }
            uint8_t *token = to++;
            if (literalCount < 15) {
                *token = (uint8_t)(literalCount << 4);
                to = put_literals(to, dstEnd, literals, end, literalCount);
            } else {
                *token = 0xF0;
                to = put_length(to, literalCount);
                memcpy(to, literals, literalCount);
                to += literalCount;
            }
            uint16_t distance = (uint16_t)(at - match);
            memcpy(to, &distance, sizeof distance);
            to += 2;
            if (length < 15) {
                *token |= (uint8_t)length;
            } else {
                *token |= 15;
                to = put_length(to, length);
            }
            at += GCA_LEAST_MATCH + length;
            literals = at;
            saved += GCA_LEAST_MATCH + length - 3;
            if (at > lastStart) break;
            places[hash_of(at - 2)] = (uint32_t)(at - 2 - src);
            if ((size_t)(at - windowStart) < window) continue;
            if (saved * LEAST_SAVED < (size_t)(at - windowStart)) {
                if ((size_t)(lastStart - at) < PASSED_OVER * part) break;
                at += PASSED_OVER * part;
            }
            windowStart = at;
            saved = 0;
        }
    }
done:;
    size_t count = (size_t)(end - literals);
    if ((size_t)(dstEnd - to) < 1 + length_bytes(count) + count) return 0;
    *to++ = (uint8_t)((count < 15 ? count : 15) << 4);
    to = put_literals(put_length(to, count), dstEnd, literals, end, count);
    return (size_t)(to - dst);
}
