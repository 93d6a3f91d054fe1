// Bit shuffle, delta and the list of filters: correct by definition, the same for all vectors, and reversible.

#include "../../Sources/CGraphArchive/parts.h"
#include "CGraphArchiveCases.h"

static unsigned bit_of(const uint8_t *bytes, size_t bit) { return bytes[bit / 8] >> bit % 8 & 1u; }

static void check_bits(size_t byteCount, size_t elementSize) {
    guarded raw = guarded_make(byteCount);
    fill_random(raw.bytes, byteCount, byteCount * 256 + elementSize + 1);
    size_t count = byteCount / elementSize / 8 * 8;
    for (unsigned vectors = GCA_VECTORS_NONE; vectors <= gca_vectors_best(); vectors++) {
        guarded shuffled = guarded_make(byteCount);
        gca_bit_shuffle(shuffled.bytes, raw.bytes, byteCount, elementSize, (gca_vectors)vectors);
        for (size_t i = 0; i < count; i++) {
            for (size_t bit = 0; bit < 8 * elementSize; bit++) {
                CHECK(bit_of(shuffled.bytes, bit * count + i) == bit_of(raw.bytes, i * 8 * elementSize + bit));
            }
        }
        for (size_t i = count * elementSize; i < byteCount; i++) CHECK(shuffled.bytes[i] == raw.bytes[i]);
        guarded back = guarded_make(byteCount);
        gca_bit_unshuffle(back.bytes, shuffled.bytes, byteCount, elementSize, (gca_vectors)vectors);
        CHECK(memcmp(back.bytes, raw.bytes, byteCount) == 0);
        guarded_free(&back);
        guarded_free(&shuffled);
    }
    guarded_free(&raw);
}

static void bits_are_shuffled_as_the_definition_says(const char *folder) {
    (void)folder;
    static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 17, 255};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t byteCount = 0; byteCount < 70; byteCount++) check_bits(byteCount, sizes[i]);
        // Whole groups of 256 and 512 elements, eights and bytes left over.
        static const size_t counts[] = {127, 128, 255, 256, 257, 264, 511, 520, 1021, 2561, 9000};
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            check_bits(counts[j] * sizes[i] + counts[j] % sizes[i], sizes[i]);
        }
    }
}

static uint64_t integer_at(const uint8_t *bytes, size_t index, size_t width) {
    uint64_t value = 0;
    memcpy(&value, bytes + index * width, width);
    return value;
}

static void check_delta(size_t byteCount, size_t width, size_t lag, size_t startLag, size_t misalignment) {
    guarded room = guarded_make(byteCount + misalignment);
    uint8_t *raw = room.bytes + misalignment;
    fill_random(raw, byteCount, byteCount + 64 * lag + width);
    size_t count = byteCount / width;
    uint64_t mask = width == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * width) - 1;
    for (unsigned vectors = GCA_VECTORS_NONE; vectors <= gca_vectors_best(); vectors++) {
        guarded differences = guarded_make(byteCount + misalignment);
        uint8_t *result = differences.bytes + misalignment;
        gca_delta(result, raw, byteCount, width, lag, startLag, (gca_vectors)vectors);
        for (size_t i = 0; i < count; i++) {
            size_t back = i >= lag ? lag : startLag != 0 && i >= startLag ? startLag : 0;
            uint64_t before = back == 0 ? 0 : integer_at(raw, i - back, width);
            uint64_t difference = (integer_at(raw, i, width) - before) & mask;
            bool isNegative = difference >> (8 * width - 1) != 0;
            uint64_t expected = (difference << 1 ^ (isNegative ? UINT64_MAX : 0)) & mask;
            CHECK(integer_at(result, i, width) == expected);
        }
        for (size_t i = count * width; i < byteCount; i++) CHECK(result[i] == raw[i]);
        guarded back = guarded_make(byteCount + misalignment);
        gca_undelta(back.bytes + misalignment, result, byteCount, width, lag, startLag, (gca_vectors)vectors);
        CHECK(memcmp(back.bytes + misalignment, raw, byteCount) == 0);
        guarded_free(&back);
        guarded_free(&differences);
    }
    guarded_free(&room);
}

static void differences_are_those_over_the_lag(const char *folder) {
    (void)folder;
    for (size_t width = 1; width <= 8; width *= 2) {
        static const size_t lags[] = {1, 2, 3, 4, 5, 7, 12, 16, 17, 100, 1000};
        for (size_t i = 0; i < sizeof lags / sizeof *lags; i++) {
            for (size_t byteCount = 0; byteCount < 40; byteCount++) check_delta(byteCount, width, lags[i], 0, 0);
            check_delta(1999 * width + width / 2, width, lags[i], 0, 0);
            check_delta(1999 * width, width, lags[i], 0, 1);
            if (lags[i] > 3) {
                check_delta(1999 * width + width / 2, width, lags[i], 3, 0);
                check_delta(1999 * width, width, lags[i], lags[i] - 1, 3);
                check_delta(4 * width, width, lags[i], 3, 0);
            }
        }
    }
}

static void check_differences_to_others(size_t byteCount, size_t width, size_t misalignment) {
    guarded room = guarded_make(byteCount + misalignment), otherRoom = guarded_make(byteCount);
    uint8_t *raw = room.bytes + misalignment;
    fill_random(raw, byteCount, byteCount + width);
    fill_random(otherRoom.bytes, byteCount, byteCount + 3 * width);
    size_t count = byteCount / width;
    uint64_t mask = width == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * width) - 1;
    for (unsigned vectors = GCA_VECTORS_NONE; vectors <= gca_vectors_best(); vectors++) {
        guarded differences = guarded_make(byteCount), back = guarded_make(byteCount + misalignment);
        gca_difference(differences.bytes, raw, otherRoom.bytes, byteCount, width, (gca_vectors)vectors);
        for (size_t i = 0; i < count; i++) {
            uint64_t difference = (integer_at(raw, i, width) - integer_at(otherRoom.bytes, i, width)) & mask;
            bool isNegative = difference >> (8 * width - 1) != 0;
            CHECK(integer_at(differences.bytes, i, width) == ((difference << 1 ^ (isNegative ? UINT64_MAX : 0)) & mask));
        }
        for (size_t i = count * width; i < byteCount; i++) CHECK(differences.bytes[i] == raw[i]);
        gca_undifference(back.bytes + misalignment, differences.bytes, otherRoom.bytes, byteCount, width,
                         (gca_vectors)vectors);
        CHECK(memcmp(back.bytes + misalignment, raw, byteCount) == 0);
        guarded_free(&back);
        guarded_free(&differences);
    }
    guarded_free(&otherRoom);
    guarded_free(&room);
}

static void differences_to_others_are_those_at_the_same_places(const char *folder) {
    (void)folder;
    for (size_t width = 1; width <= 8; width *= 2) {
        for (size_t byteCount = 0; byteCount < 80; byteCount++) check_differences_to_others(byteCount, width, 0);
        check_differences_to_others(1999 * width + width / 2, width, 0);
        check_differences_to_others(1999 * width, width, 3);
    }
}

static uint64_t argument_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static void known_filters_have_what_they_can_have(const char *folder) {
    (void)folder;
    const gca_filter known[] = {
        {1, 0, 2, 0}, {1, 0, 255, 0}, {2, 0, 1, 0}, {2, 0, 255, 0}, {3, 1, 1, 0}, {3, 8, 1 << 20, (1 << 20) - 1},
        {4, 4, 17, argument_of(0.01)}, {4, 8, 44, argument_of(0.01)}, {5, 0, 1, argument_of(0.01)},
        {5, 0, 2, argument_of(0.01)}, {5, 0, 3, 52},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) CHECK(gca_filter_is_known(&known[i]));
    const gca_filter unknown[] = {
        {0, 0, 2, 0}, {6, 0, 2, 0}, {1, 0, 1, 0}, {1, 0, 256, 0}, {1, 4, 4, 0}, {1, 0, 4, 1}, {2, 0, 0, 0},
        {2, 0, 256, 0}, {2, 1, 4, 0}, {2, 0, 4, 1}, {3, 0, 1, 0}, {3, 3, 1, 0}, {3, 16, 1, 0}, {3, 4, 0, 0},
        {3, 4, (1 << 20) + 1, 0}, {3, 4, 3, 3}, {3, 4, 3, UINT64_MAX}, {4, 2, 8, argument_of(0.01)},
        {4, 4, 0, argument_of(0.01)}, {4, 4, 23, argument_of(0.01)}, {4, 8, 52, argument_of(0.01)},
        {4, 4, UINT32_MAX, argument_of(0.01)}, {4, 4, 17, 0}, {4, 4, 17, argument_of(-0.01)},
        {4, 4, 17, argument_of(0x1p-144)}, {4, 4, 17, argument_of(0x1p111)}, {4, 8, 44, argument_of(0x1p-1073)},
        {4, 8, 44, 0x7FF0000000000000u}, {4, 8, 44, 0x7FF8000000000000u}, {4, 4, 17, 0x7FF8000000000000u},
        {5, 4, 1, argument_of(0.01)}, {5, 0, 0, argument_of(0.01)}, {5, 0, 4, argument_of(0.01)}, {5, 0, 1, 0},
        {5, 0, 1, argument_of(-1)}, {5, 0, 2, 0x7FF0000000000000u}, {5, 0, 1, 0x7FF8000000000000u}, {5, 0, 3, 0},
        {5, 0, 3, 53},
    };
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) CHECK(!gca_filter_is_known(&unknown[i]));
}

static void check_list(const gca_filter *filters, size_t count, size_t byteCount) {
    guarded raw = guarded_make(byteCount), spare = guarded_make(byteCount);
    // Numbers, some of them far from zero, without NaN: quantising quantised numbers again changes nothing.
    fill_random(raw.bytes, byteCount, byteCount + count);
    for (size_t i = 3; i < byteCount; i += 4) raw.bytes[i] = (uint8_t)(raw.bytes[i] & 0x83) | 0x40;
    guarded one = guarded_copy(raw.bytes, byteCount), other = guarded_make(byteCount);
    for (size_t i = 0; i < count; i++) {
        gca_filters_apply(other.bytes, spare.bytes, one.bytes, byteCount, &filters[i], 1, GCA_VECTORS_NONE);
        memcpy(one.bytes, other.bytes, byteCount);
    }
    guarded back = guarded_copy(one.bytes, byteCount);
    for (size_t i = count; i-- > 0;) {
        gca_filters_undo(other.bytes, spare.bytes, back.bytes, byteCount, &filters[i], 1, GCA_VECTORS_NONE);
        memcpy(back.bytes, other.bytes, byteCount);
    }
    for (unsigned vectors = GCA_VECTORS_NONE; vectors <= gca_vectors_best(); vectors++) {
        gca_filters_apply(other.bytes, spare.bytes, raw.bytes, byteCount, filters, count, (gca_vectors)vectors);
        CHECK(memcmp(other.bytes, one.bytes, byteCount) == 0);
        if (gca_filters_take_spans(filters, count)) {
            memset(other.bytes, 0, byteCount);
            for (size_t offset = 0; offset < byteCount; offset += GCA_SPAN) {
                size_t left = byteCount - offset < GCA_SPAN ? byteCount - offset : GCA_SPAN;
                guarded span = guarded_copy(raw.bytes + offset, left);
                gca_filters_apply_span(other.bytes, spare.bytes, span.bytes, offset, left, byteCount, filters, count,
                                       (gca_vectors)vectors);
                guarded_free(&span);
            }
            CHECK(memcmp(other.bytes, one.bytes, byteCount) == 0);
        }
        guarded result = guarded_make(byteCount);
        gca_filters_undo(result.bytes, spare.bytes, one.bytes, byteCount, filters, count, (gca_vectors)vectors);
        CHECK(memcmp(result.bytes, back.bytes, byteCount) == 0);
        // Whole vectors go past the caches where they are aligned: `guarded` memory ends at a page, and may begin anywhere.
        guarded aligned = guarded_make((byteCount + 15) / 16 * 16);
        gca_filters_undo(aligned.bytes, spare.bytes, one.bytes, byteCount, filters, count, (gca_vectors)vectors);
        CHECK(memcmp(aligned.bytes, back.bytes, byteCount) == 0);
        memset(aligned.bytes, 0, byteCount);
        gca_memory_use pastCaches = {.pastCaches = true, .next = raw.bytes, .nextCount = byteCount};
        gca_filters_undo_using(aligned.bytes, spare.bytes, one.bytes, byteCount, filters, count, pastCaches,
                               (gca_vectors)vectors);
        CHECK(memcmp(aligned.bytes, back.bytes, byteCount) == 0);
        guarded_free(&aligned);
        gca_filters_undo_using(result.bytes, spare.bytes, one.bytes, byteCount, filters, count, pastCaches,
                               (gca_vectors)vectors);
        CHECK(memcmp(result.bytes, back.bytes, byteCount) == 0);
        if (filters[0].number != GCA_FILTER_QUANTISED && (count < 2 || filters[1].number != GCA_FILTER_QUANTISED)) {
            CHECK(memcmp(result.bytes, raw.bytes, byteCount) == 0);
        }
        guarded_free(&result);
    }
    guarded *all[] = {&raw, &spare, &one, &other, &back};
    for (size_t i = 0; i < 5; i++) guarded_free(all[i]);
}

static void lists_are_their_filters_one_after_the_other(const char *folder) {
    (void)folder;
    const gca_filter lists[][4] = {
        {{1, 0, 12, 0}},
        {{5, 0, 3, 12}},
        {{5, 0, 3, 12}, {2, 0, 8, 0}},
        {{4, 4, 17, argument_of(0.01)}},
        {{4, 4, 17, argument_of(0.01)}, {1, 0, 4, 0}},
        {{4, 4, 17, argument_of(0.01)}, {2, 0, 4, 0}},
        {{4, 8, 44, argument_of(0.01)}, {3, 8, 1, 0}, {2, 0, 8, 0}},
        {{5, 0, 1, argument_of(0.1)}, {4, 4, 17, argument_of(0.2)}, {3, 4, 1000, 3}, {2, 0, 4, 0}},
        {{4, 4, 17, argument_of(0.01)}, {3, 8, 3, 0}, {1, 0, 4, 0}},
        {{3, 8, 1, 0}, {1, 0, 8, 0}},
        {{3, 8, 1, 0}, {2, 0, 8, 0}},
        {{3, 4, 1, 0}, {2, 0, 4, 0}},
        {{3, 8, 3, 0}, {2, 0, 8, 0}},
        {{3, 4, 3000, 2}, {2, 0, 4, 0}},
        {{3, 4, 5, 0}, {1, 0, 4, 0}},
        {{3, 2, 1, 0}, {2, 0, 2, 0}},
        {{3, 1, 4, 0}, {2, 0, 1, 0}},
        {{3, 1, 4, 0}, {2, 0, 4, 0}},
        {{3, 8, 1, 0}, {3, 8, 1, 0}, {2, 0, 8, 0}},
        {{1, 0, 2, 0}, {2, 0, 3, 0}, {3, 4, 7, 0}, {1, 0, 8, 0}},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        size_t count = 0;
        while (count < 4 && lists[i][count].number != 0) count++;
        for (size_t byteCount = 0; byteCount < 80; byteCount += 3) check_list(lists[i], count, byteCount);
        static const size_t sizes[] = {8191, 8192, 8193, 20000, 32768, 40008, 65536 + 100, 140024};
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) check_list(lists[i], count, sizes[j]);
    }
}

/// Numbers whose differences have at most this many bits, or a single bit, some hundred of each in turn.
static void fill_steps(uint64_t *numbers, size_t count, size_t round) {
    static const unsigned bits[] = {1, 64, 8, 47, 48, 49, 30, 56, 48, 63};
    uint64_t state = 7, number = 0x4005BF0A8B145769u;
    for (size_t i = 0; i < count; i++) {
        size_t run = i / (300 + 67 * round);
        uint64_t step = next_random(&state) >> (64 - bits[run % 10]);
        bool isNegative = next_random(&state) >> 63 != 0;
        number += run % 3 == 2 ? (uint64_t)1 << (bits[run % 10] - 1) % 63 : isNegative ? 0 - step : step;
        numbers[i] = number;
    }
}

static void differences_of_any_size_are_summed_up(const char *folder) {
    (void)folder;
    const gca_filter lists[][2] = {{{3, 8, 1, 0}, {2, 0, 8, 0}}, {{3, 8, 1, 0}, {1, 0, 8, 0}}};
    enum { COUNT = 20000, BYTES = COUNT * 8 };
    static uint64_t numbers[COUNT];
    static uint8_t stored[BYTES], spare[BYTES], back[BYTES + 64] __attribute__((aligned(64)));
    for (size_t round = 0; round < 16; round++) {
        fill_steps(numbers, COUNT, round);
        size_t shift = round * 8 % 64;
        for (size_t list = 0; list < 2; list++) {
            gca_filters_apply(stored, spare, (const uint8_t *)numbers, BYTES, lists[list], 2, GCA_VECTORS_NONE);
            for (unsigned vectors = GCA_VECTORS_NONE; vectors <= gca_vectors_best(); vectors++) {
                for (int isPast = 0; isPast < 2; isPast++) {
                    memset(back, 0xA5, sizeof back);
                    gca_filters_undo_using(back + shift, spare, stored, BYTES, lists[list], 2,
                                           (gca_memory_use){.pastCaches = isPast}, (gca_vectors)vectors);
                    CHECK(memcmp(back + shift, numbers, BYTES) == 0);
                    for (size_t i = 0; i < 64; i++) CHECK(back[i < shift ? i : BYTES + i] == 0xA5);
                }
            }
        }
    }
}

const test filter_tests[] = {
    {"bits are shuffled as the definition says", bits_are_shuffled_as_the_definition_says},
    {"differences are those over the lag", differences_are_those_over_the_lag},
    {"differences of any size are summed up", differences_of_any_size_are_summed_up},
    {"differences to others are those at the same places", differences_to_others_are_those_at_the_same_places},
    {"known filters have what they can have", known_filters_have_what_they_can_have},
    {"lists are their filters one after the other", lists_are_their_filters_one_after_the_other},
    {NULL, NULL},
};
