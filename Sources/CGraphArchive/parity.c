// Products and sums over GF(2^8), of which Reed-Solomon codes are made.
//
// Multiplying by a constant is linear in the bits of a byte. So GFNI does it with one instruction and a matrix of bits, AVX2 with two
// look-ups of half a byte each, and other processors bit by bit with eight bytes in a word.

#include "CGraphArchiveParity.h"

#include "CGraphArchive.h"
#include "vectors.h"

// x^8 + x^4 + x^3 + x^2 + 1.
enum { POLYNOMIAL = 0x1D };

uint8_t gca_parity_multiply(uint8_t left, uint8_t right) {
    uint32_t product = 0, factor = left;
    for (int bit = 0; bit < 8; bit++) {
        if (right >> bit & 1) product ^= factor;
        factor = (factor << 1 & 0xFF) ^ (factor >> 7) * POLYNOMIAL;
    }
    return (uint8_t)product;
}

uint8_t gca_parity_inverse(uint8_t value) {
    // The 254th power.
    uint8_t power = value, result = 1;
    for (int bit = 1; bit < 8; bit++) {
        power = gca_parity_multiply(power, power);
        result = gca_parity_multiply(result, power);
    }
    return result;
}

// MARK: Words

static inline uint64_t load64(const uint8_t *src) {
    uint64_t value;
    memcpy(&value, src, 8);
    return value;
}

static inline void store64(uint8_t *dst, uint64_t value) { memcpy(dst, &value, 8); }

static void add_words(uint8_t *dst, uint8_t factor, const uint8_t *src, size_t first, size_t byteCount) {
    for (size_t i = first; i + 8 <= byteCount; i += 8) {
        uint64_t value = load64(src + i), sum = load64(dst + i);
        for (int bit = 0; bit < 8; bit++) {
            sum ^= value & (0 - (uint64_t)(factor >> bit & 1));
            value = (value << 1 & 0xFEFEFEFEFEFEFEFEu) ^ (value >> 7 & 0x0101010101010101u) * POLYNOMIAL;
        }
        store64(dst + i, sum);
    }
    for (size_t i = byteCount & ~(size_t)7; i < byteCount; i++) {
        if (i >= first) dst[i] ^= gca_parity_multiply(src[i], factor);
    }
}

void gca_parity_xor(uint8_t *dst, const uint8_t *src, size_t byteCount) {
    size_t i = 0;
    for (; i + 32 <= byteCount; i += 32) {
        store64(dst + i, load64(dst + i) ^ load64(src + i));
        store64(dst + i + 8, load64(dst + i + 8) ^ load64(src + i + 8));
        store64(dst + i + 16, load64(dst + i + 16) ^ load64(src + i + 16));
        store64(dst + i + 24, load64(dst + i + 24) ^ load64(src + i + 24));
    }
    for (; i < byteCount; i++) dst[i] ^= src[i];
}

// MARK: Vectors

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)

typedef char signed32 __attribute__((vector_size(32)));

/// Products of the 16 values of half a byte, twice.
static void products(uint8_t table[32], uint8_t factor, int shift) {
    for (int i = 0; i < 32; i++) table[i] = gca_parity_multiply(factor, (uint8_t)((i & 15) << shift));
}

__attribute__((target("avx2"))) static size_t add_by_halves(uint8_t *dst, uint8_t factor, const uint8_t *src,
                                                            size_t byteCount) {
    uint8_t table[32];
    signed32 low, high;
    products(table, factor, 0);
    memcpy(&low, table, 32);
    products(table, factor, 4);
    memcpy(&high, table, 32);
    size_t i = 0;
    for (; i + 32 <= byteCount; i += 32) {
        vector32 value, sum;
        memcpy(&value, src + i, 32);
        memcpy(&sum, dst + i, 32);
        sum ^= (vector32)__builtin_ia32_pshufb256(low, (signed32)(value & 15));
        sum ^= (vector32)__builtin_ia32_pshufb256(high, (signed32)(value >> 4));
        memcpy(dst + i, &sum, 32);
    }
    return i;
}
#endif

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)

typedef uint64_t words32 __attribute__((vector_size(32)));
typedef char signed64 __attribute__((vector_size(64)));
typedef uint64_t words64 __attribute__((vector_size(64)));

/// The matrix of a product: its first row, for the lowest bit, is in the highest byte.
static uint64_t matrix(uint8_t factor) {
    uint64_t rows = 0;
    for (int column = 0; column < 8; column++) {
        uint8_t product = gca_parity_multiply(factor, (uint8_t)(1 << column));
        for (int row = 0; row < 8; row++) rows |= (uint64_t)(product >> row & 1) << (8 * (7 - row) + column);
    }
    return rows;
}

__attribute__((target("avx2,gfni"))) static size_t add_by_matrix(uint8_t *dst, uint64_t rows, const uint8_t *src,
                                                                 size_t byteCount) {
    words32 all = (words32){} + rows;
    size_t i = 0;
    for (; i + 32 <= byteCount; i += 32) {
        words32 value, sum;
        memcpy(&value, src + i, 32);
        memcpy(&sum, dst + i, 32);
        sum ^= (words32)__builtin_ia32_vgf2p8affineqb_v32qi((signed32)value, (signed32)all, 0);
        memcpy(dst + i, &sum, 32);
    }
    return i;
}

__attribute__((target("avx512f,avx512bw,avx512vl,gfni"))) static size_t add_by_wide_matrix(
    uint8_t *dst, uint64_t rows, const uint8_t *src, size_t byteCount) {
    words64 all = (words64){} + rows;
    size_t i = 0;
    for (; i + 64 <= byteCount; i += 64) {
        words64 value, sum;
        memcpy(&value, src + i, 64);
        memcpy(&sum, dst + i, 64);
        sum ^= (words64)__builtin_ia32_vgf2p8affineqb_v64qi((signed64)value, (signed64)all, 0);
        memcpy(dst + i, &sum, 64);
    }
    return i;
}
#endif

void gca_parity_add(uint8_t *dst, uint8_t factor, const uint8_t *src, size_t byteCount, gca_vectors vectors) {
    size_t done = 0;
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)
    if (vectors >= GCA_VECTORS_AVX512) {
        done = add_by_wide_matrix(dst, matrix(factor), src, byteCount);
    } else if (vectors >= GCA_VECTORS_GFNI) {
        done = add_by_matrix(dst, matrix(factor), src, byteCount);
    }
#endif
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)
    if (vectors == GCA_VECTORS_AVX2) done = add_by_halves(dst, factor, src, byteCount);
#endif
    (void)vectors;
    add_words(dst, factor, src, done, byteCount);
}
