// Products and sums over GF(2^8), of which Reed-Solomon codes are made.
//
// Multiplying by a constant is linear in the bits of a byte. So GFNI does it with one instruction and a matrix of bits, AVX2 and NEON with
// two look-ups of half a byte each, and other processors bit by bit with eight bytes in a word. A kernel takes up to four parities
// at once, so each byte is read once for them; that with vectors of 64 bytes also takes four rows, so each parity is for these.

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

/// From byte `first` on.
static void add_words(uint8_t *dst, uint8_t factor, const uint8_t *src, size_t first, size_t byteCount) {
    size_t i = first;
    for (; i + 8 <= byteCount; i += 8) {
        uint64_t value = load64(src + i), sum = load64(dst + i);
        for (int bit = 0; bit < 8; bit++) {
            sum ^= value & (0 - (uint64_t)(factor >> bit & 1));
            value = (value << 1 & 0xFEFEFEFEFEFEFEFEu) ^ (value >> 7 & 0x0101010101010101u) * POLYNOMIAL;
        }
        store64(dst + i, sum);
    }
    for (; i < byteCount; i++) dst[i] ^= gca_parity_multiply(src[i], factor);
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

enum { SECTOR = GCA_PARITY_SECTOR, PARITIES_MAX = 4, ROWS_MAX = 4 };

/// A factor in the form that a kernel takes.
typedef union prepared {
    uint64_t matrix;
    struct {
        uint8_t low[16], high[16];
    } products;
} prepared;

/// Up to four parities side by side, and rows that are added to them.
typedef struct group {
    uint8_t *dst;
    size_t dstStride;
    const uint8_t *src;
    size_t srcStride;
    uint8_t *sums;  ///< To each row's sector belongs the next one; NULL for none.
    size_t byteCount;
    const prepared (*factors)[ROWS_MAX];
} group;

#define ALWAYS_INLINE static inline __attribute__((always_inline))
/// Kernels for each number of parities, in which loops over them are unrolled.
#define FOR_EACH_COUNT(function, all, parities, ...)            \
    switch (parities) {                                         \
    case 1: return function(all, 1 __VA_OPT__(, ) __VA_ARGS__); \
    case 2: return function(all, 2 __VA_OPT__(, ) __VA_ARGS__); \
    case 3: return function(all, 3 __VA_OPT__(, ) __VA_ARGS__); \
    default: return function(all, 4 __VA_OPT__(, ) __VA_ARGS__); \
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
        product = (product << 1 & 0xFF) ^ (product >> 7) * POLYNOMIAL;
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

static prepared prepare(uint8_t factor, gca_vectors vectors) {
    prepared result;
    if (vectors >= GCA_VECTORS_GFNI) {
        result.matrix = matrix(factor);
    } else {
        set_products(result.products.low, factor, 0);
        set_products(result.products.high, factor, 4);
    }
    return result;
}

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_AVX2)

typedef char signed32 __attribute__((vector_size(32)));

__attribute__((target("avx2"))) ALWAYS_INLINE size_t add_by_halves(group all, int parities) {
    signed32 low[PARITIES_MAX], high[PARITIES_MAX];
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

__attribute__((target("avx2"))) static size_t add_row_by_halves(group all, int parities) {
    FOR_EACH_COUNT(add_by_halves, all, parities)
}
#endif

#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)

typedef uint64_t words32 __attribute__((vector_size(32)));
typedef char signed64 __attribute__((vector_size(64)));
typedef uint64_t words64 __attribute__((vector_size(64)));

__attribute__((target("avx2,gfni"))) ALWAYS_INLINE size_t add_by_matrix(group all, int parities) {
    words32 matrices[PARITIES_MAX];
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

__attribute__((target("avx2,gfni"))) static size_t add_row_by_matrix(group all, int parities) {
    FOR_EACH_COUNT(add_by_matrix, all, parities)
}

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl,gfni")))

WIDE ALWAYS_INLINE size_t add_by_matrices(group all, int parities, int rows) {
    words64 matrices[PARITIES_MAX][ROWS_MAX];
    for (int p = 0; p < parities; p++) {
        for (int r = 0; r < rows; r++) matrices[p][r] = (words64){} + all.factors[p][r].matrix;
    }
    size_t i = 0;
    for (; i + 64 <= all.byteCount; i += 64) {
        words64 values[ROWS_MAX];
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
            memcpy(&sum, all.sums + r * SECTOR + i, 64);
            sum ^= values[r];
            memcpy(all.sums + r * SECTOR + i, &sum, 64);
        }
    }
    return i;
}

WIDE static size_t add_row_by_wide_matrix(group all, int parities) {
    FOR_EACH_COUNT(add_by_matrices, all, parities, 1)
}

WIDE static size_t add_rows_by_matrices(group all, int parities) {
    FOR_EACH_COUNT(add_by_matrices, all, parities, ROWS_MAX)
}
#endif

#if defined(GCA_HAS_VECTORS) && defined(__aarch64__)

#include <arm_neon.h>

ALWAYS_INLINE size_t add_by_halves(group all, int parities) {
    uint8x16_t low[PARITIES_MAX], high[PARITIES_MAX];
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

static size_t add_row_by_halves(group all, int parities) { FOR_EACH_COUNT(add_by_halves, all, parities) }
#endif

// MARK: Which one

/// Adds a row to the parities, but not to the sums; returns how many bytes are done.
static size_t add_row(group all, int parities, gca_vectors vectors) {
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

void gca_parity_add(uint8_t *dst, uint8_t factor, const uint8_t *src, size_t byteCount, gca_vectors vectors) {
    const prepared factors[1][ROWS_MAX] = {{prepare(factor, vectors)}};
    size_t done = add_row((group){.dst = dst, .src = src, .byteCount = byteCount, .factors = factors}, 1, vectors);
    add_words(dst, factor, src, done, byteCount);
}

/// Adds the sectors of up to four rows to up to four parities, word by word: its sectors stay in the first cache meanwhile.
///
/// `checksums` is NULL where they are known.
static void add_sectors(gca_parities parities, gca_sectors sectors, uint8_t *sums, uint32_t *checksums,
                        size_t checksumStride, gca_vectors vectors) {
    prepared factors[PARITIES_MAX][ROWS_MAX];
    for (size_t p = 0; p < parities.count; p++) {
        for (size_t r = 0; r < sectors.rowCount; r++) {
            factors[p][r] = prepare(parities.factors[p * parities.factorStride + r], vectors);
        }
    }
    for (size_t j = 0; j < sectors.count; j++) {
        for (size_t r = 0; checksums != NULL && r < sectors.rowCount; r++) {
            const uint8_t *sector = sectors.bytes + r * sectors.rowStride + j * SECTOR;
            checksums[r * checksumStride + j] = (uint32_t)gca_hash64_bytes(sector, SECTOR);
        }
        group all = {
            .dst = parities.bytes + j * SECTOR,
            .dstStride = parities.stride,
            .src = sectors.bytes + j * SECTOR,
            .srcStride = sectors.rowStride,
            .sums = sums == NULL ? NULL : sums + j * SECTOR,
            .byteCount = SECTOR,
            .factors = factors,
        };
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)
        if (vectors >= GCA_VECTORS_AVX512 && sectors.rowCount == ROWS_MAX) {
            add_rows_by_matrices(all, (int)parities.count);
            continue;
        }
#endif
        for (size_t r = 0; r < sectors.rowCount; r++) {
            prepared row[PARITIES_MAX][ROWS_MAX];
            for (size_t p = 0; p < parities.count; p++) row[p][0] = factors[p][r];
            all.factors = row;
            all.src = sectors.bytes + r * sectors.rowStride + j * SECTOR;
            size_t done = add_row(all, (int)parities.count, vectors);
            for (size_t p = 0; p < parities.count; p++) {
                add_words(all.dst + p * all.dstStride, parities.factors[p * parities.factorStride + r], all.src, done, SECTOR);
            }
            if (all.sums != NULL) gca_parity_xor(all.sums + r * SECTOR, all.src, SECTOR);
        }
    }
}

void gca_parity_add_sectors(gca_parities parities, gca_sectors sectors, uint8_t *sums, uint32_t *checksums,
                            size_t checksumStride, gca_vectors vectors) {
    for (size_t first = 0; first < sectors.rowCount; first += ROWS_MAX) {
        gca_sectors rows = sectors;
        rows.bytes += first * sectors.rowStride;
        rows.rowCount = sectors.rowCount - first < ROWS_MAX ? sectors.rowCount - first : ROWS_MAX;
        for (size_t p = 0; p < parities.count; p += PARITIES_MAX) {
            gca_parities some = parities;
            some.bytes += p * parities.stride;
            some.factors += p * parities.factorStride + first;
            some.count = parities.count - p < PARITIES_MAX ? parities.count - p : PARITIES_MAX;
            add_sectors(some, rows, p == 0 && sums != NULL ? sums + first * SECTOR : NULL,
                        p == 0 ? checksums + first * checksumStride : NULL, checksumStride, vectors);
        }
    }
}
