// Writing and reading a graph stream.

#include "CGraphArchiveCases.h"

#include <stdlib.h>

/// Values at which a varint's size changes, and their neighbours.
static size_t edge_values(uint64_t *values) {
    size_t count = 0;
    values[count++] = 0;
    for (unsigned bits = 1; bits <= 64; bits++) {
        uint64_t highest = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
        values[count++] = highest - 1;
        values[count++] = highest;
        if (bits < 64) values[count++] = highest + 1;
    }
    return count;
}

static void varints_have_pinned_bytes(const char *folder) {
    (void)folder;
    static const struct {
        uint64_t value;
        unsigned size;
        uint8_t bytes[9];
    } pinned[] = {
        {0, 1, {0x01}},
        {1, 1, {0x03}},
        {127, 1, {0xff}},
        {128, 2, {0x02, 0x02}},
        {16383, 2, {0xfe, 0xff}},
        {16384, 3, {0x04, 0x00, 0x02}},
        {((uint64_t)1 << 56) - 1, 8, {0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
        {(uint64_t)1 << 56, 9, {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01}},
        {UINT64_MAX, 9, {0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
    };
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        uint8_t bytes[9];
        CHECK(gca_varint_size(pinned[i].value) == pinned[i].size);
        CHECK(gca_varint_write(bytes, pinned[i].value) == pinned[i].size);
        CHECK(memcmp(bytes, pinned[i].bytes, pinned[i].size) == 0);
    }
}

/// Reads a varint that ends `behind` bytes before the end of the input, whose rest is 0xff.
static void check_varint_read(uint64_t value, size_t behind) {
    uint8_t bytes[9];
    unsigned size = gca_varint_write(bytes, value);
    guarded input = guarded_make(size + behind);
    memset(input.bytes, 0xff, input.byteCount);
    memcpy(input.bytes, bytes, size);
    gca_reader reader;
    gca_reader_init(&reader, input.bytes, input.byteCount);
    uint64_t read = 0;
    CHECK(gca_get_varint(&reader, &read));
    CHECK(read == value);
    CHECK(gca_reader_left(&reader) == behind);
    guarded_free(&input);
}

static void varints_are_read_at_each_distance_from_the_end(const char *folder) {
    (void)folder;
    uint64_t values[200];
    size_t count = edge_values(values);
    for (size_t i = 0; i < count; i++) {
        for (size_t behind = 0; behind <= 20; behind++) check_varint_read(values[i], behind);
    }
}

static void truncated_varints_are_refused_and_move_nothing(const char *folder) {
    (void)folder;
    uint64_t values[200];
    size_t count = edge_values(values);
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[9];
        unsigned size = gca_varint_write(bytes, values[i]);
        for (unsigned kept = 0; kept < size; kept++) {
            guarded input = guarded_copy(bytes, kept);
            gca_reader reader;
            gca_reader_init(&reader, input.bytes, kept);
            uint64_t read;
            CHECK(!gca_get_varint(&reader, &read));
            CHECK(gca_reader_left(&reader) == kept);
            guarded_free(&input);
            // The same when only the count says that there are no more.
            input = guarded_copy(bytes, size);
            gca_reader_init(&reader, input.bytes, size);
            gca_reader_set_count(&reader, kept);
            CHECK(!gca_get_varint(&reader, &read));
            CHECK(gca_reader_left(&reader) == kept);
            gca_reader_set_count(&reader, size);
            CHECK(gca_get_varint(&reader, &read));
            CHECK(gca_reader_left(&reader) == 0);
            guarded_free(&input);
        }
    }
}

static void zigzag_is_its_own_round_trip(const char *folder) {
    (void)folder;
    uint64_t values[200];
    size_t count = edge_values(values);
    for (size_t i = 0; i < count; i++) {
        int64_t value = (int64_t)values[i];
        CHECK(gca_unzigzag(gca_zigzag(value)) == value);
        CHECK(gca_unzigzag(gca_zigzag(-(value / 2))) == -(value / 2));
    }
    CHECK(gca_zigzag(0) == 0 && gca_zigzag(-1) == 1 && gca_zigzag(1) == 2);
    CHECK(gca_zigzag(INT64_MIN) == UINT64_MAX);
}

static void a_growing_writer_keeps_its_bytes(const char *folder) {
    (void)folder;
    enum { rounds = 20000 };
    gca_writer writer = gca_writer_empty();
    CHECK(!gca_writer_has_room(&writer, 0) && gca_writer_count(&writer) == 0);
    uint64_t state = 1;
    for (unsigned i = 0; i < rounds; i++) {
        if (!gca_writer_has_room(&writer, 0)) CHECK(gca_writer_reserve(&writer, 0) == GCA_OK);
        // One put for each check of the limit: the slack is what holds it.
        gca_put_varint(&writer, next_random(&state) >> (i % 64));
    }
    size_t byteCount = gca_writer_count(&writer);
    guarded copy = guarded_copy(writer.base, byteCount);
    gca_writer_free(&writer);
    CHECK(writer.base == NULL && gca_writer_count(&writer) == 0);

    gca_reader reader;
    gca_reader_init(&reader, copy.bytes, byteCount);
    state = 1;
    for (unsigned i = 0; i < rounds; i++) {
        uint64_t value = 0;
        CHECK(gca_get_varint(&reader, &value));
        CHECK(value == next_random(&state) >> (i % 64));
    }
    CHECK(gca_reader_left(&reader) == 0);
    guarded_free(&copy);
}

static void fixed_width_values_come_back_unaligned(const char *folder) {
    (void)folder;
    gca_writer writer = {NULL, NULL, NULL};
    CHECK(gca_writer_reserve(&writer, 64) == GCA_OK);
    gca_put_u8(&writer, 0x12);
    gca_put_u16(&writer, 0x3456);
    gca_put_u32(&writer, 0x789abcde);
    gca_put_u64(&writer, 0xf0e1d2c3b4a59687);
    gca_put_bytes(&writer, "xyz", 3);
    gca_put_bytes(&writer, NULL, 0);
    static const uint8_t expected[] = {0x12, 0x56, 0x34, 0xde, 0xbc, 0x9a, 0x78, 0x87, 0x96,
                                       0xa5, 0xb4, 0xc3, 0xd2, 0xe1, 0xf0, 'x',  'y',  'z'};
    CHECK(gca_writer_count(&writer) == sizeof expected);
    CHECK(memcmp(writer.base, expected, sizeof expected) == 0);
    gca_writer_free(&writer);

    // Each truncation fails at the value it cuts, and leaves the cursor there.
    static const size_t starts[] = {0, 1, 3, 7, 15, 18};
    for (size_t kept = 0; kept <= sizeof expected; kept++) {
        guarded input = guarded_copy(expected, kept);
        gca_reader reader;
        gca_reader_init(&reader, input.bytes, kept);
        uint8_t u8 = 0;
        uint16_t u16 = 0;
        uint32_t u32 = 0;
        uint64_t u64 = 0;
        const uint8_t *bytes = NULL;
        unsigned read = 0;
        if (gca_get_u8(&reader, &u8) && ++read && gca_get_u16(&reader, &u16) && ++read &&
            gca_get_u32(&reader, &u32) && ++read && gca_get_u64(&reader, &u64) && ++read &&
            gca_get_bytes(&reader, 3, &bytes)) {
            read++;
            CHECK(u8 == 0x12 && u16 == 0x3456 && u32 == 0x789abcde && u64 == 0xf0e1d2c3b4a59687);
            CHECK(memcmp(bytes, "xyz", 3) == 0);
        }
        CHECK(starts[read] <= kept && (read == 5 || kept < starts[read + 1]));
        CHECK(kept - gca_reader_left(&reader) == starts[read]);
        guarded_free(&input);
    }
}

static void absurd_sizes_are_refused(const char *folder) {
    (void)folder;
    gca_writer writer = {NULL, NULL, NULL};
    CHECK(gca_writer_reserve(&writer, 10) == GCA_OK);
    gca_put_u8(&writer, 7);
    gca_writer before = writer;
    CHECK(gca_writer_reserve(&writer, SIZE_MAX) == GCA_NO_MEMORY);
    CHECK(gca_writer_reserve(&writer, SIZE_MAX / 2) == GCA_NO_MEMORY);
    CHECK(memcmp(&before, &writer, sizeof writer) == 0 && writer.base[0] == 7);
    gca_writer_free(&writer);
    gca_writer_free(&writer);

    gca_reader reader;
    gca_reader_init(&reader, (const uint8_t *)"abc", 3);
    const uint8_t *bytes = NULL;
    CHECK(!gca_get_bytes(&reader, SIZE_MAX, &bytes) && !gca_get_bytes(&reader, 4, &bytes));
    CHECK(gca_reader_left(&reader) == 3);
}

static void check_holds_nothing(const uint8_t *bytes) {
    gca_reader reader;
    gca_reader_init(&reader, bytes, 0);
    uint8_t u8;
    uint64_t u64;
    const uint8_t *none = NULL;
    CHECK(!gca_get_u8(&reader, &u8) && !gca_get_u64(&reader, &u64) && !gca_get_varint(&reader, &u64));
    CHECK(gca_get_bytes(&reader, 0, &none));
    CHECK(gca_reader_left(&reader) == 0);
}

static void an_empty_stream_holds_nothing(const char *folder) {
    (void)folder;
    guarded nothing = guarded_make(0);
    check_holds_nothing(nothing.bytes);
    check_holds_nothing(NULL);
    guarded_free(&nothing);
}

static void a_byte_beyond_ascii_is_found_at_each_place(const char *folder) {
    (void)folder;
    CHECK(gca_is_ascii(NULL, 0));
    for (size_t count = 0; count <= 40; count++) {
        guarded text = guarded_make(count);
        memset(text.bytes, 0x7f, count);
        CHECK(gca_is_ascii(text.bytes, count));
        for (size_t place = 0; place < count; place++) {
            text.bytes[place] = 0x80;
            CHECK(!gca_is_ascii(text.bytes, count));
            text.bytes[place] = 0x7f;
        }
        guarded_free(&text);
    }
}

static void the_stack_has_a_bottom_below_this_frame(const char *folder) {
    (void)folder;
    uintptr_t bottom = gca_stack_bottom();
    CHECK(bottom == 0 || bottom < gca_stack_pointer());
}

typedef struct record {
    int64_t signed64;
    uint64_t unsigned64;
    int32_t signed32;
    uint32_t unsigned32;
    float four;
    uint8_t one;
    double eight;
} record;

static const gca_number_field record_fields[] = {
    {GCA_NUMBER_8, offsetof(record, eight)},         {GCA_NUMBER_INT64, offsetof(record, signed64)},
    {GCA_NUMBER_UINT64, offsetof(record, unsigned64)}, {GCA_NUMBER_INT32, offsetof(record, signed32)},
    {GCA_NUMBER_UINT32, offsetof(record, unsigned32)}, {GCA_NUMBER_4, offsetof(record, four)},
    {GCA_NUMBER_1, offsetof(record, one)},           {GCA_NUMBER_END, 0},
};

/// The same message, one put after the other.
static void put_record(gca_writer *writer, const record *source, gca_message_head head) {
    size_t start = gca_writer_count(writer);
    CHECK(gca_writer_reserve(writer, 1 + GCA_SHORT_MESSAGE) == GCA_OK);
    gca_put_u8(writer, 0);
    gca_put_bytes(writer, head.bytes, head.byteCount);
    gca_put_bytes(writer, &source->eight, 8);
    gca_put_varint(writer, gca_zigzag(source->signed64));
    gca_put_varint(writer, source->unsigned64);
    gca_put_varint(writer, gca_zigzag(source->signed32));
    gca_put_varint(writer, source->unsigned32);
    gca_put_bytes(writer, &source->four, 4);
    gca_put_u8(writer, source->one);
    writer->base[start] = (uint8_t)((gca_writer_count(writer) - start - 1) << 1 | 1);
}

static void messages_are_what_single_puts_write(const char *folder) {
    (void)folder;
    uint64_t values[200];
    size_t count = edge_values(values);
    record *records = calloc(count, sizeof *records);
    CHECK(records != NULL);
    for (size_t i = 0; i < count; i++) {
        records[i] = (record){(int64_t)values[i], values[i], (int32_t)(uint32_t)values[i], (uint32_t)values[i],
                              1.0f / (float)(i + 1), (uint8_t)i, (double)i / 3};
    }
    for (size_t headByteCount = 0; headByteCount <= 7; headByteCount++) {
        gca_message_head head = {{1, 2, 3, 4, 5, 6, 7}, headByteCount};
        gca_writer expected = gca_writer_empty();
        for (size_t i = 0; i < count; i++) put_record(&expected, records + i, head);
        // In parts of any size, each of which ends with the message that reaches it.
        for (size_t byteCount = 1; byteCount < 600; byteCount += 37) {
            gca_writer writer = gca_writer_empty();
            for (size_t done = 0; done < count;) {
                CHECK(gca_writer_reserve(&writer, byteCount + 1 + GCA_SHORT_MESSAGE) == GCA_OK);
                size_t before = gca_writer_count(&writer);
                size_t added = gca_put_messages(&writer, records + done, sizeof *records, count - done,
                                                record_fields, head, byteCount);
                size_t put = gca_writer_count(&writer) - before;
                CHECK(added > 0 && put < byteCount + 1 + GCA_SHORT_MESSAGE);
                done += added;
                CHECK(put >= byteCount || done == count);
            }
            CHECK(gca_writer_count(&writer) == gca_writer_count(&expected));
            CHECK(memcmp(writer.base, expected.base, gca_writer_count(&writer)) == 0);
            gca_writer_free(&writer);
        }
        gca_writer_free(&expected);
    }
    free(records);
}

const test stream_tests[] = {
    {"varints have pinned bytes", varints_have_pinned_bytes},
    {"varints are read at each distance from the end", varints_are_read_at_each_distance_from_the_end},
    {"truncated varints are refused and move nothing", truncated_varints_are_refused_and_move_nothing},
    {"zigzag is its own round trip", zigzag_is_its_own_round_trip},
    {"a growing writer keeps its bytes", a_growing_writer_keeps_its_bytes},
    {"fixed-width values come back unaligned", fixed_width_values_come_back_unaligned},
    {"absurd sizes are refused", absurd_sizes_are_refused},
    {"an empty stream holds nothing", an_empty_stream_holds_nothing},
    {"a byte beyond ASCII is found at each place", a_byte_beyond_ascii_is_found_at_each_place},
    {"messages are what single puts write", messages_are_what_single_puts_write},
    {"the stack has a bottom below this frame", the_stack_has_a_bottom_below_this_frame},
    {NULL, NULL},
};
