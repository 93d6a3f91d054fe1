// Sums of products over GF(2^8) with the vectors of a processor.
//
// Multiplying by a constant is linear in the bits of a byte. So GFNI does it with one instruction and a matrix of bits,
// AVX2 and NEON with two look-ups of half a byte each. A kernel takes up to four parities at once, so each byte is read
// once for them; that with vectors of 64 bytes also takes four rows, so each parity is for these.

#include "parity_kernels.h"

#include "vectors.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
/// Kernels for each number of parities, in which loops over them are unrolled.
#define FOR_EACH_COUNT(function, all, parities, ...)            \
    switch (parities) {                                         \
    case 1: return function(all, 1 __VA_OPT__(, ) __VA_ARGS__); \
    case 2: return function(all, 2 __VA_OPT__(, ) __VA_ARGS__); \
    case 3: return function(all, 3 __VA_OPT__(, ) __VA_ARGS__); \
    default: return function(all, 4 __VA_OPT__(, ) __VA_ARGS__); \
    }

// MARK: Factors

uint8_t gca_parity_multiply(uint8_t left, uint8_t right) {
    uint32_t product = 0, factor = left;
    for (int bit = 0; bit < 8; bit++) {
        if (right >> bit & 1) product ^= factor;
        factor = (factor << 1 & 0xFF) ^ (factor >> 7) * GCA_PARITY_POLYNOMIAL;
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

/// Products of the 16 values of half a byte.
static void set_products(uint8_t table[16], uint8_t factor, int shift) {
    table[0] = 0;
    for (int bit = 0; bit < 4; bit++) {
        uint8_t product = gca_parity_multiply(factor, (uint8_t)(1 << (bit + shift)));
        for (int i = 0; i < 1 << bit; i++) table[(1 << bit) + i] = table[i] ^ product;
    }
}

/// The matrix of a product: its first row, for the lowest bit, is in the highest byte.
static uint64_t matrix(uint8_t factor) {
    // Column by column: the product with each bit.
    uint64_t bits = 0;
    uint32_t product = factor;
    for (int column = 0; column < 8; column++) {
        bits |= (uint64_t)product << (8 * column);
        product = (product << 1 & 0xFF) ^ (product >> 7) * GCA_PARITY_POLYNOMIAL;
    }
    // Transposed in squares of 2, 4 and 8 bits.
    uint64_t changed = (bits ^ bits >> 7) & 0x00AA00AA00AA00AAu;
    bits ^= changed ^ changed << 7;
    changed = (bits ^ bits >> 14) & 0x0000CCCC0000CCCCu;
    bits ^= changed ^ changed << 14;
    changed = (bits ^ bits >> 28) & 0x00000000F0F0F0F0u;
    bits ^= changed ^ changed << 28;
    return __builtin_bswap64(bits);
}

gca_parity_factor gca_parity_prepare(uint8_t factor, gca_vectors vectors) {
    gca_parity_factor result;
    if (vectors >= GCA_VECTORS_GFNI) {
        result.matrix = matrix(factor);
    } else {
        set_products(result.products.low, factor, 0);
        set_products(result.products.high, factor, 4);
    }
    return result;
}

// MARK: Kernels

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)

typedef char signed32 __attribute__((vector_size(32)));

__attribute__((target("avx2"))) ALWAYS_INLINE size_t add_by_halves(gca_parity_rows all, int parities) {
    signed32 low[GCA_PARITIES_MAX], high[GCA_PARITIES_MAX];
    for (int p = 0; p < parities; p++) {
        memcpy(&low[p], all.factors[p][0].products.low, 16);
        memcpy((char *)&low[p] + 16, all.factors[p][0].products.low, 16);
        memcpy(&high[p], all.factors[p][0].products.high, 16);
        memcpy((char *)&high[p] + 16, all.factors[p][0].products.high, 16);
    }
    size_t i = 0;
    for (; i + 32 <= all.byteCount; i += 32) {
        vector32 value;
        memcpy(&value, all.src + i, 32);
        signed32 lower = (signed32)(value & 15), upper = (signed32)(value >> 4);
        UNROLLED for (int p = 0; p < parities; p++) {
            vector32 sum;
            memcpy(&sum, all.dst + (size_t)p * all.dstStride + i, 32);
            sum ^= (vector32)__builtin_ia32_pshufb256(low[p], lower) ^ (vector32)__builtin_ia32_pshufb256(high[p], upper);
            memcpy(all.dst + (size_t)p * all.dstStride + i, &sum, 32);
        }
    }
    return i;
}

__attribute__((target("avx2"))) static size_t add_row_by_halves(gca_parity_rows all, int parities) {
    FOR_EACH_COUNT(add_by_halves, all, parities)
}
#endif

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)

typedef uint64_t words32 __attribute__((vector_size(32)));
typedef char signed64 __attribute__((vector_size(64)));
typedef uint64_t words64 __attribute__((vector_size(64)));

__attribute__((target("avx2,gfni"))) ALWAYS_INLINE size_t add_by_matrix(gca_parity_rows all, int parities) {
    words32 matrices[GCA_PARITIES_MAX];
    for (int p = 0; p < parities; p++) matrices[p] = (words32){} + all.factors[p][0].matrix;
    size_t i = 0;
    for (; i + 32 <= all.byteCount; i += 32) {
        words32 value;
        memcpy(&value, all.src + i, 32);
        UNROLLED for (int p = 0; p < parities; p++) {
            words32 sum;
            memcpy(&sum, all.dst + (size_t)p * all.dstStride + i, 32);
            sum ^= (words32)__builtin_ia32_vgf2p8affineqb_v32qi((signed32)value, (signed32)matrices[p], 0);
            memcpy(all.dst + (size_t)p * all.dstStride + i, &sum, 32);
        }
    }
    return i;
}

__attribute__((target("avx2,gfni"))) static size_t add_row_by_matrix(gca_parity_rows all, int parities) {
    FOR_EACH_COUNT(add_by_matrix, all, parities)
}

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl,gfni")))

WIDE ALWAYS_INLINE size_t add_by_matrices(gca_parity_rows all, int parities, int rows) {
    words64 matrices[GCA_PARITIES_MAX][GCA_PARITY_ROWS_MAX];
    for (int p = 0; p < parities; p++) {
        for (int r = 0; r < rows; r++) matrices[p][r] = (words64){} + all.factors[p][r].matrix;
    }
    size_t i = 0;
    for (; i + 64 <= all.byteCount; i += 64) {
        words64 values[GCA_PARITY_ROWS_MAX];
        UNROLLED for (int r = 0; r < rows; r++) memcpy(&values[r], all.src + (size_t)r * all.srcStride + i, 64);
        UNROLLED for (int p = 0; p < parities; p++) {
            words64 sum;
            memcpy(&sum, all.dst + (size_t)p * all.dstStride + i, 64);
            UNROLLED for (int r = 0; r < rows; r++) {
                sum ^= (words64)__builtin_ia32_vgf2p8affineqb_v64qi((signed64)values[r], (signed64)matrices[p][r], 0);
            }
            memcpy(all.dst + (size_t)p * all.dstStride + i, &sum, 64);
        }
        if (all.sums == NULL) continue;
        UNROLLED for (int r = 0; r < rows; r++) {
            words64 sum;
            memcpy(&sum, all.sums + r * GCA_PARITY_SECTOR + i, 64);
            sum ^= values[r];
            memcpy(all.sums + r * GCA_PARITY_SECTOR + i, &sum, 64);
        }
    }
    return i;
}

WIDE static size_t add_row_by_wide_matrix(gca_parity_rows all, int parities) {
    FOR_EACH_COUNT(add_by_matrices, all, parities, 1)
}

WIDE static size_t add_rows_by_matrices(gca_parity_rows all, int parities) {
    FOR_EACH_COUNT(add_by_matrices, all, parities, GCA_PARITY_ROWS_MAX)
}
#endif

#if defined(GCA_HAS_VECTORS) && defined(__aarch64__)

#include <arm_neon.h>

ALWAYS_INLINE size_t add_by_halves(gca_parity_rows all, int parities) {
    uint8x16_t low[GCA_PARITIES_MAX], high[GCA_PARITIES_MAX];
    for (int p = 0; p < parities; p++) {
        low[p] = vld1q_u8(all.factors[p][0].products.low);
        high[p] = vld1q_u8(all.factors[p][0].products.high);
    }
    size_t i = 0;
    for (; i + 16 <= all.byteCount; i += 16) {
        uint8x16_t value = vld1q_u8(all.src + i);
        uint8x16_t lower = vandq_u8(value, vdupq_n_u8(15)), upper = vshrq_n_u8(value, 4);
        UNROLLED for (int p = 0; p < parities; p++) {
            uint8_t *dst = all.dst + (size_t)p * all.dstStride + i;
            uint8x16_t product = veorq_u8(vqtbl1q_u8(low[p], lower), vqtbl1q_u8(high[p], upper));
            vst1q_u8(dst, veorq_u8(vld1q_u8(dst), product));
        }
    }
    return i;
}

static size_t add_row_by_halves(gca_parity_rows all, int parities) { FOR_EACH_COUNT(add_by_halves, all, parities) }
#endif

// MARK: Which one

size_t gca_parity_add_row(gca_parity_rows all, int parities, gca_vectors vectors) {
    (void)all, (void)parities, (void)vectors;
    all.sums = NULL;
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)
    if (vectors >= GCA_VECTORS_AVX512) return add_row_by_wide_matrix(all, parities);
    if (vectors >= GCA_VECTORS_GFNI) return add_row_by_matrix(all, parities);
#endif
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)
    if (vectors >= GCA_VECTORS_AVX2) return add_row_by_halves(all, parities);
#elif defined(GCA_HAS_VECTORS) && defined(__aarch64__)
    if (vectors == GCA_VECTORS_128) return add_row_by_halves(all, parities);
#endif
    return 0;
}

bool gca_parity_add_four_rows(gca_parity_rows all, int parities, gca_vectors vectors) {
    (void)all, (void)parities, (void)vectors;
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)
    if (vectors >= GCA_VECTORS_AVX512) return add_rows_by_matrices(all, parities), true;
#endif
    return false;
}
