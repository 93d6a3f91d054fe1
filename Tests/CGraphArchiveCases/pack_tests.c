// Padding: any part of the elements goes without it and comes back.

#include "CGraphArchiveCases.h"

static void check_elements(size_t size, size_t stride, size_t count) {
    guarded elements = guarded_make(count * stride);
    fill_random(elements.bytes, elements.byteCount, size * 64 + stride);
    guarded packed = guarded_make(count * size);
    for (size_t i = 0; i < packed.byteCount; i++) {
        packed.bytes[i] = elements.bytes[i / size * stride + i % size];
    }
    for (size_t offset = 0; offset <= packed.byteCount; offset++) {
        for (size_t byteCount = 0; byteCount <= packed.byteCount - offset; byteCount++) {
            guarded part = guarded_make(byteCount);
            gca_pack(part.bytes, elements.bytes, offset, byteCount, size, stride);
            CHECK(memcmp(part.bytes, packed.bytes + offset, byteCount) == 0);
            guarded back = guarded_make(count * stride);
            gca_unpack(back.bytes, part.bytes, offset, byteCount, size, stride);
            for (size_t i = 0; i < back.byteCount; i++) {
                size_t inside = i % stride;
                size_t last = i / stride * size + (inside < size ? inside : size - 1);
                bool isWritten = last >= offset && last < offset + byteCount;
                uint8_t expected = !isWritten ? 0xa5 : inside < size ? elements.bytes[i] : 0;
                CHECK(back.bytes[i] == expected);
            }
            guarded_free(&back);
            guarded_free(&part);
        }
    }
    guarded_free(&packed);
    guarded_free(&elements);
}

static void any_part_goes_without_padding_and_comes_back(const char *folder) {
    (void)folder;
    static const size_t sizes[][2] = {{1, 1}, {1, 4}, {3, 4}, {5, 8}, {6, 8}, {8, 8}, {12, 16}, {24, 32}, {8, 1040}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) check_elements(sizes[i][0], sizes[i][1], 4);
}

const test pack_tests[] = {
    {"any part goes without padding and comes back", any_part_goes_without_padding_and_comes_back},
    {NULL, NULL},
};
