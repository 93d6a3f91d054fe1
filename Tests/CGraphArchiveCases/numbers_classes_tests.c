// The classes of integers that bins are made of, and the order of floating-point numbers.

#include "../../Sources/CGraphArchive/numbers_writing.h"
#include "CGraphArchiveCases.h"

/// The ends of every class are in it, and it ends where the next one begins.
static void check_classes(int64_t base) {
    // Of all classes that have integers of 64 bits, each begins where the one before it ends.
    bool isFirst = true;
    uint64_t next = 0;
    for (size_t i = 0; i < NUMBERS_CLASSES; i++) {
        uint64_t extent = numbers_class_extent(i, base);
        int64_t magnitude = numbers_class_magnitude(i, base);
        if (extent == 0 || extent - 1 > (uint64_t)(INT64_MAX - magnitude)) continue;
        int64_t lower = numbers_class_lower(i, base), upper = (int64_t)((uint64_t)lower + (extent - 1));
        CHECK(extent == (uint64_t)1 << numbers_class_bits(i));
        CHECK(numbers_class(lower, base) == i && numbers_class(upper, base) == i);
        CHECK(isFirst || (uint64_t)lower == next);
        next = (uint64_t)upper + 1;
        isFirst = false;
    }
    CHECK(numbers_class(0, base) == numbers_class(-1, base) + 1 + 2 * (numbers_class(0, base) - NUMBERS_SIGN));
}

static void classes_adjoin(const char *folder) {
    (void)folder;
    uint64_t state = 3;
    check_classes(0);
    CHECK(numbers_class_lower(numbers_class(INT64_MIN, 0), 0) == INT64_MIN);
    CHECK(numbers_class(INT64_MAX, 0) == NUMBERS_CLASSES - 1);
    for (unsigned bits = 1; bits < 63; bits++) {
        for (size_t i = 0; i < 20; i++) {
            int64_t magnitude = (int64_t)(next_random(&state) >> bits), base = numbers_base_near(magnitude);
            CHECK(base <= magnitude && magnitude - base <= magnitude / 8);
            check_classes(base);
        }
    }
}

/// All of 2^16 numbers: ordered as they compare, and back.
static void ordered_floats(const char *folder) {
    (void)folder;
    for (int32_t bits = INT16_MIN; bits <= INT16_MAX; bits++) {
        int64_t ordered = numbers_order(bits, 2);
        CHECK(ordered >= INT16_MIN && ordered <= INT16_MAX && numbers_order(ordered, 2) == bits);
        CHECK(bits >= 0 ? ordered == bits : ordered == INT16_MIN + (INT16_MAX - (bits & INT16_MAX)));
    }
}

const test numbers_classes_tests[] = {
    {"classes adjoin", classes_adjoin},
    {"floating-point numbers are ordered", ordered_floats},
    {NULL, NULL},
};
