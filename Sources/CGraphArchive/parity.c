// Products and sums over GF(2^8), of which Reed-Solomon codes are made.
//
// Where a processor has no vectors for that (see parity_kernels.c), bytes are multiplied bit by bit, eight of them
// in a word.

#include "CGraphArchiveParity.h"

#include "CGraphArchive.h"
#include "parity_kernels.h"

#include <string.h>

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
            value = (value << 1 & 0xFEFEFEFEFEFEFEFEu) ^ (value >> 7 & 0x0101010101010101u) * GCA_PARITY_POLYNOMIAL;
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

// MARK: Rows

void gca_parity_add(uint8_t *dst, uint8_t factor, const uint8_t *src, size_t byteCount, gca_vectors vectors) {
    const gca_parity_factor factors[1][GCA_PARITY_ROWS_MAX] = {{gca_parity_prepare(factor, vectors)}};
    gca_parity_rows row = {.dst = dst, .src = src, .byteCount = byteCount, .factors = factors};
    size_t done = gca_parity_add_row(row, 1, vectors);
    add_words(dst, factor, src, done, byteCount);
}

/// Adds the sectors of up to four rows to up to four parities, word by word: its sectors stay in the first cache meanwhile.
///
/// `checksums` is NULL where they are known.
static void add_sectors(gca_parities parities, gca_sectors sectors, uint8_t *sums, uint32_t *checksums,
                        size_t checksumStride, gca_vectors vectors) {
    gca_parity_factor factors[GCA_PARITIES_MAX][GCA_PARITY_ROWS_MAX];
    for (size_t p = 0; p < parities.count; p++) {
        for (size_t r = 0; r < sectors.rowCount; r++) {
            factors[p][r] = gca_parity_prepare(parities.factors[p * parities.factorStride + r], vectors);
        }
    }
    for (size_t j = 0; j < sectors.count; j++) {
        for (size_t r = 0; checksums != NULL && r < sectors.rowCount; r++) {
            const uint8_t *sector = sectors.bytes + r * sectors.rowStride + j * GCA_PARITY_SECTOR;
            checksums[r * checksumStride + j] = (uint32_t)gca_hash64_bytes(sector, GCA_PARITY_SECTOR);
        }
        gca_parity_rows all = {
            .dst = parities.bytes + j * GCA_PARITY_SECTOR,
            .dstStride = parities.stride,
            .src = sectors.bytes + j * GCA_PARITY_SECTOR,
            .srcStride = sectors.rowStride,
            .sums = sums == NULL ? NULL : sums + j * GCA_PARITY_SECTOR,
            .byteCount = GCA_PARITY_SECTOR,
            .factors = factors,
        };
        bool isWhole = sectors.rowCount == GCA_PARITY_ROWS_MAX;
        if (isWhole && gca_parity_add_four_rows(all, (int)parities.count, vectors)) continue;
        for (size_t r = 0; r < sectors.rowCount; r++) {
            gca_parity_factor row[GCA_PARITIES_MAX][GCA_PARITY_ROWS_MAX];
            for (size_t p = 0; p < parities.count; p++) row[p][0] = factors[p][r];
            all.factors = row;
            all.src = sectors.bytes + r * sectors.rowStride + j * GCA_PARITY_SECTOR;
            size_t done = gca_parity_add_row(all, (int)parities.count, vectors);
            for (size_t p = 0; p < parities.count; p++) {
                uint8_t factor = parities.factors[p * parities.factorStride + r];
                add_words(all.dst + p * all.dstStride, factor, all.src, done, GCA_PARITY_SECTOR);
            }
            if (all.sums != NULL) gca_parity_xor(all.sums + r * GCA_PARITY_SECTOR, all.src, GCA_PARITY_SECTOR);
        }
    }
}

void gca_parity_add_sectors(gca_parities parities, gca_sectors sectors, uint8_t *sums, uint32_t *checksums,
                            size_t checksumStride, gca_vectors vectors) {
    for (size_t first = 0; first < sectors.rowCount; first += GCA_PARITY_ROWS_MAX) {
        gca_sectors rows = sectors;
        rows.bytes += first * sectors.rowStride;
        rows.rowCount = sectors.rowCount - first < GCA_PARITY_ROWS_MAX ? sectors.rowCount - first : GCA_PARITY_ROWS_MAX;
        for (size_t p = 0; p < parities.count; p += GCA_PARITIES_MAX) {
            gca_parities some = parities;
            some.bytes += p * parities.stride;
            some.factors += p * parities.factorStride + first;
            some.count = parities.count - p < GCA_PARITIES_MAX ? parities.count - p : GCA_PARITIES_MAX;
            add_sectors(some, rows, p == 0 && sums != NULL ? sums + first * GCA_PARITY_SECTOR : NULL,
                        p == 0 ? checksums + first * checksumStride : NULL, checksumStride, vectors);
        }
    }
}
