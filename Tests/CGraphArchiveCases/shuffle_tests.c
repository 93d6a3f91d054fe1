// Byte shuffle: correct by definition, the same for all vectors, and reversible.

#include "CGraphArchiveCases.h"

static const size_t element_sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 36, 48, 255};
enum { element_size_count = sizeof element_sizes / sizeof *element_sizes };

static void check_size(size_t byteCount, size_t elementSize) {
    guarded raw = guarded_make(byteCount);
    fill_random(raw.bytes, byteCount, byteCount * 256 + elementSize + 1);
    for (unsigned vectors = GCA_VECTORS_NONE; vectors <= gca_vectors_best(); vectors++) {
        guarded shuffled = guarded_make(byteCount);
        gca_shuffle(shuffled.bytes, raw.bytes, byteCount, elementSize, (gca_vectors)vectors);
        size_t count = byteCount / elementSize;
        for (size_t i = 0; i < count * elementSize; i++) {
            CHECK(shuffled.bytes[i % elementSize * count + i / elementSize] == raw.bytes[i]);
        }
        for (size_t i = count * elementSize; i < byteCount; i++) CHECK(shuffled.bytes[i] == raw.bytes[i]);
        guarded back = guarded_make(byteCount);
        gca_unshuffle(back.bytes, shuffled.bytes, byteCount, elementSize, (gca_vectors)vectors);
        CHECK(memcmp(back.bytes, raw.bytes, byteCount) == 0);
        memset(back.bytes, 0, byteCount);
        gca_unshuffle_past_caches(back.bytes, shuffled.bytes, byteCount, elementSize, (gca_vectors)vectors);
        CHECK(memcmp(back.bytes, raw.bytes, byteCount) == 0);
        guarded_free(&back);
        guarded_free(&shuffled);
    }
    guarded_free(&raw);
}

static void all_vectors_do_what_the_definition_says(const char *folder) {
    (void)folder;
    for (size_t i = 0; i < element_size_count; i++) {
        for (size_t byteCount = 1; byteCount < 100; byteCount++) check_size(byteCount, element_sizes[i]);
        // Whole groups of 16 and 32 elements, and elements and bytes left over.
        for (size_t count = 15; count <= 98; count++) {
            check_size(count * element_sizes[i], element_sizes[i]);
            check_size(count * element_sizes[i] + element_sizes[i] / 2, element_sizes[i]);
        }
        check_size(65536 + 7, element_sizes[i]);
    }
}

static void some_vectors_are_best(const char *folder) {
    (void)folder;
#if defined(__x86_64__) || defined(__aarch64__)
    CHECK(gca_vectors_best() >= GCA_VECTORS_128);
#endif
    CHECK(gca_vectors_best() <= GCA_VECTORS_AVX512);
}

const test shuffle_tests[] = {
    {"all vectors do what the definition says", all_vectors_do_what_the_definition_says},
    {"some vectors are best", some_vectors_are_best},
    {NULL, NULL},
};
