// Bit shuffle: the lowest bits of all elements, then the bits above them, and so on.
//
// Numbers in which only some bits vary become long runs of equal bytes. Elements are first shuffled by bytes, 256 of them at a
// time on the stack. Eight bytes of the same weight are then a matrix of 8 x 8 bits in a 64-bit word; transposed, its bytes
// belong to eight different planes, and a byte shuffle of such words moves them there.

#include "CGraphArchive.h"
#include "parts.h"
#include "vectors.h"

enum { GROUP = 256, MOST_IN_GROUPS = 16 };

static inline uint64_t transposed(uint64_t word) {
    uint64_t swapped = (word ^ word >> 7) & 0x00AA00AA00AA00AAu;
    word ^= swapped ^ swapped << 7;
    swapped = (word ^ word >> 14) & 0x0000CCCC0000CCCCu;
    word ^= swapped ^ swapped << 14;
    swapped = (word ^ word >> 28) & 0x00000000F0F0F0F0u;
    return word ^ swapped ^ swapped << 28;
}

// MARK: Any element size

static void shuffle_portably(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t size,
                             size_t first) {
    for (size_t i = first; i < count; i += 8) {
        for (size_t byte = 0; byte < size; byte++) {
            uint64_t word = 0;
            for (size_t j = 0; j < 8; j++) word |= (uint64_t)src[(i + j) * size + byte] << 8 * j;
            word = transposed(word);
            for (size_t j = 0; j < 8; j++) dst[(byte * 8 + j) * rowBytes + i / 8] = (uint8_t)(word >> 8 * j);
        }
    }
}

static void unshuffle_portably(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t size,
                               size_t first) {
    for (size_t i = first; i < count; i += 8) {
        for (size_t byte = 0; byte < size; byte++) {
            uint64_t word = 0;
            for (size_t j = 0; j < 8; j++) word |= (uint64_t)src[(byte * 8 + j) * rowBytes + i / 8] << 8 * j;
            word = transposed(word);
            for (size_t j = 0; j < 8; j++) dst[(i + j) * size + byte] = (uint8_t)(word >> 8 * j);
        }
    }
}

// MARK: Vectors

#if defined(GCA_HAS_VECTORS)

typedef uint64_t words16 __attribute__((vector_size(16)));
#if defined(GCA_HAS_AVX2)
typedef uint64_t words32 __attribute__((vector_size(32)));
typedef char signed32 __attribute__((vector_size(32)));
#endif

#define TRANSPOSE_BY_SHIFTS(width, bytes)                                              \
    do {                                                                               \
        words##width word = (words##width)(bytes);                                     \
        words##width swapped = (word ^ word >> 7) & 0x00AA00AA00AA00AAu;               \
        word ^= swapped ^ swapped << 7;                                                \
        swapped = (word ^ word >> 14) & 0x0000CCCC0000CCCCu;                           \
        word ^= swapped ^ swapped << 14;                                               \
        swapped = (word ^ word >> 28) & 0x00000000F0F0F0F0u;                           \
        (bytes) = (vector##width)(word ^ swapped ^ swapped << 28);                     \
    } while (0)

#if defined(GCA_HAS_GFNI)
// The instruction multiplies the bytes of a word by a matrix whose first row is in the last byte of the other word. The bytes
// here are unit vectors, so the products are the columns.
#define TRANSPOSE_BY_PRODUCTS(width, bytes)                                                                      \
    do {                                                                                                         \
        vector32 rows = __builtin_shufflevector(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, \
                                                8, 23, 22, 21, 20, 19, 18, 17, 16, 31, 30, 29, 28, 27, 26, 25, 24);\
        vector32 units = (vector32)((words32){} + 0x8040201008040201u);                                          \
        (bytes) = (vector32)__builtin_ia32_vgf2p8affineqb_v32qi((signed32)units, (signed32)rows, 0);             \
    } while (0)
#endif

// One byte of `8 * width` elements: to `width` bytes in each of eight rows, and back.
#define KERNELS(form, width, TRANSPOSE, attributes)                                                                       \
    attributes static inline void rows_by##form(uint8_t *dst, size_t rowBytes, const uint8_t *plane) {     \
        vector##width vectors[8];                                                                           \
        UNROLLED for (int j = 0; j < 8; j++) {                                                                       \
            LOAD_GROUP##width(vectors[j], plane + 16 * j, 8);                                               \
            TRANSPOSE(width, vectors[j]);                                                                   \
        }                                                                                                   \
        TURN(width, 8, vectors, 4)                                                                          \
        UNROLLED for (size_t j = 0; j < 8; j++) memcpy(dst + j * rowBytes, &vectors[j], width);                      \
    }                                                                                                       \
    attributes static inline void plane_by##form(uint8_t *plane, const uint8_t *src, size_t rowBytes) {    \
        vector##width vectors[8];                                                                           \
        UNROLLED for (size_t j = 0; j < 8; j++) memcpy(&vectors[j], src + j * rowBytes, width);                      \
        TURN(width, 8, vectors, 3)                                                                          \
        UNROLLED for (int j = 0; j < 8; j++) {                                                                       \
            TRANSPOSE(width, vectors[j]);                                                                   \
            STORE_GROUP##width(plane + 16 * j, vectors[j], 8);                                              \
        }                                                                                                   \
    }                                                                                                       \
    attributes static size_t shuffle_by##form(uint8_t *dst, const uint8_t *src, size_t count,              \
                                               size_t rowBytes, size_t size, gca_vectors vectors) {         \
        uint8_t planes[GROUP * MOST_IN_GROUPS];                                                             \
        size_t i = 0;                                                                                       \
        for (; i + GROUP <= count; i += GROUP) {                                                            \
            gca_shuffle(planes, src + i * size, GROUP * size, size, vectors);                               \
            for (size_t byte = 0; byte < size; byte++) {                                                    \
                for (size_t part = 0; part < GROUP / 8; part += width) {                                    \
                    rows_by##form(dst + byte * 8 * rowBytes + i / 8 + part, rowBytes,                      \
                                   planes + byte * GROUP + 8 * part);                                       \
                }                                                                                           \
            }                                                                                               \
        }                                                                                                   \
        return i;                                                                                           \
    }                                                                                                       \
    attributes static size_t unshuffle_by##form(uint8_t *dst, const uint8_t *src, size_t count,            \
                                                 size_t rowBytes, size_t size, gca_vectors vectors) {       \
        uint8_t planes[GROUP * MOST_IN_GROUPS];                                                             \
        size_t i = 0;                                                                                       \
        for (; i + GROUP <= count; i += GROUP) {                                                            \
            for (size_t byte = 0; byte < size; byte++) {                                                    \
                for (size_t part = 0; part < GROUP / 8; part += width) {                                    \
                    plane_by##form(planes + byte * GROUP + 8 * part,                                       \
                                    src + byte * 8 * rowBytes + i / 8 + part, rowBytes);                    \
                }                                                                                           \
            }                                                                                               \
            gca_unshuffle(dst + i * size, planes, GROUP * size, size, vectors);                             \
        }                                                                                                   \
        return i;                                                                                           \
    }

KERNELS(16, 16, TRANSPOSE_BY_SHIFTS, )
#if defined(GCA_HAS_AVX2)
KERNELS(32, 32, TRANSPOSE_BY_SHIFTS, __attribute__((target("avx2"))))
#endif
#if defined(GCA_HAS_GFNI)
KERNELS(gfni, 32, TRANSPOSE_BY_PRODUCTS, __attribute__((target("avx2,gfni"))))
#endif

#endif

// MARK: The choice

static void shuffle_rows(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize,
                         gca_vectors vectors) {
    size_t done = 0;
#if defined(GCA_HAS_VECTORS)
    if (elementSize <= MOST_IN_GROUPS) {
#if defined(GCA_HAS_GFNI)
        if (vectors >= GCA_VECTORS_GFNI) done = shuffle_bygfni(dst, src, count, rowBytes, elementSize, vectors);
#endif
#if defined(GCA_HAS_AVX2)
        if (vectors == GCA_VECTORS_AVX2) done = shuffle_by32(dst, src, count, rowBytes, elementSize, vectors);
#endif
        if (vectors == GCA_VECTORS_128) done = shuffle_by16(dst, src, count, rowBytes, elementSize, vectors);
    }
#else
    (void)vectors;
#endif
    shuffle_portably(dst, src, count, rowBytes, elementSize, done);
}

static void unshuffle_rows(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize,
                           gca_vectors vectors) {
    size_t done = 0;
#if defined(GCA_HAS_VECTORS)
    if (elementSize <= MOST_IN_GROUPS) {
#if defined(GCA_HAS_GFNI)
        if (vectors >= GCA_VECTORS_GFNI) done = unshuffle_bygfni(dst, src, count, rowBytes, elementSize, vectors);
#endif
#if defined(GCA_HAS_AVX2)
        if (vectors == GCA_VECTORS_AVX2) done = unshuffle_by32(dst, src, count, rowBytes, elementSize, vectors);
#endif
        if (vectors == GCA_VECTORS_128) done = unshuffle_by16(dst, src, count, rowBytes, elementSize, vectors);
    }
#else
    (void)vectors;
#endif
    unshuffle_portably(dst, src, count, rowBytes, elementSize, done);
}

// The rows of a block are far apart, and often map to the same cache lines, so whole lines of each are moved at once.
static void shuffle_parts(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize,
                          gca_vectors vectors) {
    uint8_t rows[GCA_PART_BYTES];
    size_t most = GCA_PART_BYTES / elementSize / GROUP * GROUP, rowCount = 8 * elementSize;
    if (most == 0) {
        shuffle_rows(dst, src, count, rowBytes, elementSize, vectors);
        return;
    }
    for (size_t first = 0; first < count; first += most) {
        size_t part = count - first < most ? count - first : most, partRowBytes = part / 8;
        shuffle_rows(rows, src + first * elementSize, part, partRowBytes, elementSize, vectors);
        for (size_t row = 0; row < rowCount; row++) {
            memcpy(dst + row * rowBytes + first / 8, rows + row * partRowBytes, partRowBytes);
        }
    }
}

static void unshuffle_parts(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize,
                            gca_vectors vectors) {
    uint8_t rows[GCA_PART_BYTES];
    size_t most = GCA_PART_BYTES / elementSize / GROUP * GROUP, rowCount = 8 * elementSize;
    if (most == 0) {
        unshuffle_rows(dst, src, count, rowBytes, elementSize, vectors);
        return;
    }
    for (size_t first = 0; first < count; first += most) {
        size_t part = count - first < most ? count - first : most, partRowBytes = part / 8;
        for (size_t row = 0; row < rowCount; row++) {
            memcpy(rows + row * partRowBytes, src + row * rowBytes + first / 8, partRowBytes);
        }
        unshuffle_rows(dst + first * elementSize, rows, part, partRowBytes, elementSize, vectors);
    }
}

// MARK: Elements of several numbers

// Their numbers at one place are brought together, a part of all elements at a time, and shuffled as numbers: 512 elements fill a line of
// the caches in each row.
#define NUMBER 4
#define NUMBERS_IN_PART 512

static bool has_numbers(size_t elementSize) { return elementSize > 2 * NUMBER && elementSize % NUMBER == 0; }

static void shuffle_numbers(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize,
                            gca_vectors vectors) {
    uint8_t numbers[NUMBER * NUMBERS_IN_PART];
    for (size_t first = 0; first < count; first += NUMBERS_IN_PART) {
        size_t part = count - first < NUMBERS_IN_PART ? count - first : NUMBERS_IN_PART;
        for (size_t place = 0; place < elementSize; place += NUMBER) {
            const uint8_t *from = src + first * elementSize + place;
            for (size_t i = 0; i < part; i++) memcpy(numbers + NUMBER * i, from + i * elementSize, NUMBER);
            gca_bit_shuffle_part(dst + 8 * place * rowBytes + first / 8, numbers, part, rowBytes, NUMBER, vectors);
        }
    }
}

static void unshuffle_numbers(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize,
                              gca_vectors vectors) {
    uint8_t numbers[NUMBER * NUMBERS_IN_PART];
    for (size_t first = 0; first < count; first += NUMBERS_IN_PART) {
        size_t part = count - first < NUMBERS_IN_PART ? count - first : NUMBERS_IN_PART;
        for (size_t place = 0; place < elementSize; place += NUMBER) {
            uint8_t *to = dst + first * elementSize + place;
            gca_bit_unshuffle_part(numbers, src + 8 * place * rowBytes + first / 8, part, rowBytes, NUMBER, vectors);
            for (size_t i = 0; i < part; i++) memcpy(to + i * elementSize, numbers + NUMBER * i, NUMBER);
        }
    }
}

// MARK: Parts

void gca_bit_shuffle_part(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes, size_t elementSize,
                          gca_vectors vectors) {
    if (has_numbers(elementSize)) {
        shuffle_numbers(dst, src, count, rowBytes, elementSize, vectors);
        return;
    }
    size_t done = 0;
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)
    if (vectors >= GCA_VECTORS_AVX512) done = gca_bit_shuffle_avx512(dst, src, count, rowBytes, elementSize);
#endif
    if (done < count) {
        shuffle_parts(dst + done / 8, src + done * elementSize, count - done, rowBytes, elementSize, vectors);
    }
}

void gca_bit_unshuffle_part(uint8_t *dst, const uint8_t *src, size_t count, size_t rowBytes,
                            size_t elementSize, gca_vectors vectors) {
    if (has_numbers(elementSize)) {
        unshuffle_numbers(dst, src, count, rowBytes, elementSize, vectors);
        return;
    }
    size_t done = 0;
#if defined(GCA_HAS_VECTORS) && defined(GCA_HAS_GFNI)
    if (vectors >= GCA_VECTORS_AVX512) done = gca_bit_unshuffle_avx512(dst, src, count, rowBytes, elementSize);
#endif
    if (done < count) {
        unshuffle_parts(dst + done * elementSize, src + done / 8, count - done, rowBytes, elementSize, vectors);
    }
}

void gca_bit_shuffle(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t elementSize,
                     gca_vectors vectors) {
    size_t count = byteCount / elementSize / 8 * 8, moved = count * elementSize;
    gca_bit_shuffle_part(dst, src, count, count / 8, elementSize, vectors);
    if (moved < byteCount) memcpy(dst + moved, src + moved, byteCount - moved);
}

void gca_bit_unshuffle(uint8_t *dst, const uint8_t *src, size_t byteCount, size_t elementSize,
                       gca_vectors vectors) {
    size_t count = byteCount / elementSize / 8 * 8, moved = count * elementSize;
    gca_bit_unshuffle_part(dst, src, count, count / 8, elementSize, vectors);
    if (moved < byteCount) memcpy(dst + moved, src + moved, byteCount - moved);
}
