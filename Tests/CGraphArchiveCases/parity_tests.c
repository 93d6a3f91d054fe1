// Arithmetic of Reed-Solomon codes: the field's laws, and that all kernels write what its definition says.

#include "CGraphArchiveCases.h"

static void products_are_those_of_the_field(const char *folder) {
    (void)folder;
    // x^7 times x is x^4 + x^3 + x^2 + 1.
    CHECK(gca_parity_multiply(0x80, 2) == 0x1D);
    CHECK(gca_parity_multiply(0x53, 0x8C) == 1 && gca_parity_inverse(0x53) == 0x8C);
    CHECK(gca_parity_inverse(0) == 0);
    for (unsigned left = 0; left < 256; left++) {
        CHECK(gca_parity_multiply((uint8_t)left, 1) == left && gca_parity_multiply((uint8_t)left, 0) == 0);
        if (left != 0) CHECK(gca_parity_multiply((uint8_t)left, gca_parity_inverse((uint8_t)left)) == 1);
        for (unsigned right = 0; right < 256; right++) {
            uint8_t product = gca_parity_multiply((uint8_t)left, (uint8_t)right);
            CHECK(product == gca_parity_multiply((uint8_t)right, (uint8_t)left));
            uint8_t sum = product ^ gca_parity_multiply((uint8_t)left, 0x35);
            CHECK(gca_parity_multiply((uint8_t)left, (uint8_t)(right ^ 0x35)) == sum);
        }
    }
}

static void sectors_are_added_to_parities_and_sums(const char *folder) {
    (void)folder;
    enum { parityMax = 9, rowMax = 9, wordMax = 3, factorStride = rowMax + 2, sector = GCA_PARITY_SECTOR };
    uint8_t factors[parityMax * factorStride];
    fill_random(factors, sizeof factors, 3);
    factors[0] = 0, factors[1] = 1;
    for (size_t trial = 0; trial < parityMax * rowMax * wordMax; trial++) {
        size_t parityCount = 1 + trial % parityMax, rowCount = 1 + trial / parityMax % rowMax;
        size_t count = 1 + trial / parityMax / rowMax;
        // Strides that are no multiple of anything.
        size_t stride = count * sector + 3, rowStride = count * sector + 5, checksumStride = count + 2;
        guarded rows = guarded_make((rowCount - 1) * rowStride + count * sector);
        fill_random(rows.bytes, rows.byteCount, 12);
        guarded old = guarded_make((parityCount - 1) * stride + count * sector);
        fill_random(old.bytes, old.byteCount, 11);
        guarded expected = guarded_copy(old.bytes, old.byteCount);
        guarded expectedSums = guarded_make((rowCount + count - 1) * sector);
        for (size_t r = 0; r < rowCount; r++) {
            for (size_t i = 0; i < count * sector; i++) {
                uint8_t byte = rows.bytes[r * rowStride + i];
                expectedSums.bytes[r * sector + i] ^= byte;
                for (size_t p = 0; p < parityCount; p++) {
                    expected.bytes[p * stride + i] ^= gca_parity_multiply(factors[p * factorStride + r], byte);
                }
            }
        }
        for (int vectors = GCA_VECTORS_NONE; vectors <= (int)gca_vectors_best(); vectors++) {
            guarded parities = guarded_copy(old.bytes, old.byteCount);
            guarded sums = guarded_make(expectedSums.byteCount);
            guarded checksums = guarded_make(((rowCount - 1) * checksumStride + count) * sizeof(uint32_t));
            gca_parity_add_sectors(
                (gca_parities){parities.bytes, stride, parityCount, factors, factorStride},
                (gca_sectors){rows.bytes, rowStride, rowCount, count}, trial % 4 == 3 ? NULL : sums.bytes,
                (uint32_t *)(void *)checksums.bytes, checksumStride, (gca_vectors)vectors);
            CHECK(memcmp(parities.bytes, expected.bytes, expected.byteCount) == 0);
            if (trial % 4 != 3) CHECK(memcmp(sums.bytes, expectedSums.bytes, sums.byteCount) == 0);
            for (size_t r = 0; r < rowCount; r++) {
                for (size_t j = 0; j < checksumStride && r * checksumStride + j < checksums.byteCount / 4; j++) {
                    uint32_t checksum, hash = 0xa5a5a5a5;
                    memcpy(&checksum, checksums.bytes + (r * checksumStride + j) * 4, 4);
                    if (j < count) hash = (uint32_t)gca_hash64_bytes(rows.bytes + r * rowStride + j * sector, sector);
                    CHECK(checksum == hash);
                }
            }
            guarded_free(&parities);
            guarded_free(&sums);
            guarded_free(&checksums);
        }
        guarded_free(&rows);
        guarded_free(&old);
        guarded_free(&expected);
        guarded_free(&expectedSums);
    }
}

static void all_factors_give_the_same_with_all_vectors(const char *folder) {
    (void)folder;
    enum { byteCount = 256 + 9 };
    guarded src = guarded_make(byteCount);
    for (size_t i = 0; i < byteCount; i++) src.bytes[i] = (uint8_t)i;
    for (unsigned factor = 0; factor < 256; factor++) {
        for (int vectors = GCA_VECTORS_NONE; vectors <= (int)gca_vectors_best(); vectors++) {
            guarded dst = guarded_make(byteCount);
            gca_parity_add(dst.bytes, (uint8_t)factor, src.bytes, byteCount, (gca_vectors)vectors);
            for (size_t i = 0; i < byteCount; i++) {
                CHECK(dst.bytes[i] == (0xa5 ^ gca_parity_multiply((uint8_t)factor, (uint8_t)i)));
            }
            guarded_free(&dst);
        }
    }
    guarded_free(&src);
}

static void sums_are_exclusive_or(const char *folder) {
    (void)folder;
    for (size_t byteCount = 0; byteCount < 200; byteCount++) {
        guarded dst = guarded_make(byteCount), src = guarded_make(byteCount);
        fill_random(src.bytes, byteCount, byteCount + 1);
        gca_parity_xor(dst.bytes, src.bytes, byteCount);
        for (size_t i = 0; i < byteCount; i++) CHECK(dst.bytes[i] == (0xa5 ^ src.bytes[i]));
        gca_parity_xor(dst.bytes, src.bytes, byteCount);
        for (size_t i = 0; i < byteCount; i++) CHECK(dst.bytes[i] == 0xa5);
        guarded_free(&dst);
        guarded_free(&src);
    }
}

const test parity_tests[] = {
    {"products are those of the field", products_are_those_of_the_field},
    {"sectors are added to parities and sums", sectors_are_added_to_parities_and_sums},
    {"all factors give the same with all vectors", all_factors_give_the_same_with_all_vectors},
    {"sums are exclusive or", sums_are_exclusive_or},
    {NULL, NULL},
};
