// Blocks of numbers expanded: the entropy coder's states, bits, predictors and transforms.

#include "numbers_plan.h"
#include "vectors.h"

/// A slot of a table: what a state stands for, and the states behind it. Eight bytes for numbers of up to 4 bytes, so that more
/// tables stay in the nearest cache.
typedef struct slot {
    uint32_t lower;     ///< Cut to 32 bits: numbers of up to 4 bytes need no more, others have `lowers`.
    uint16_t next;      ///< The lowest of them, as the distance from the first slot.
    uint8_t stateBits;  ///< How many bits are added to it.
    uint8_t bits;       ///< How many bits are added to the lower end of the bin.
} slot;

/// The slots of a table; `lowers` has the lower ends of their bins, where they have more than 32 bits.
static void fill_slots(slot *slots, uint64_t *lowers, const numbers_table *table, unsigned log) {
    size_t size = (size_t)1 << log;
    uint8_t owners[1 << NUMBERS_MOST_LOG];
    uint16_t counts[NUMBERS_MOST_BINS];
    numbers_fill_owners(owners, table, log);
    for (size_t i = 0; i < table->count; i++) counts[i] = table->bins[i].weight;
    for (size_t i = 0; i < size; i++) {
        const numbers_bin *bin = &table->bins[owners[i]];
        size_t part = counts[owners[i]]++;
        unsigned stateBits = log - numbers_log2(part);
        slots[i] = (slot){(uint32_t)bin->lower, (uint16_t)((part << stateBits) - size), (uint8_t)stateBits, bin->bits};
        if (lowers != NULL) lowers[i] = bin->lower;
    }
}

// MARK: Bits

/// Bits from the lowest of the first byte on. Behind the last byte lie zeros, up to those that a group of numbers can take.
typedef struct bit_source {
    const uint8_t *bytes;
    size_t position, byteCount;
} bit_source;

/// More bytes than a group of numbers takes, and what a load reads behind them.
enum { GROUP_BYTES = 64 };

__attribute__((always_inline)) static inline uint64_t take(bit_source *source, unsigned count) {
    uint64_t word;
    memcpy(&word, source->bytes + (source->position >> 3), sizeof word);
    word >>= source->position & 7;
    source->position += count;
    return word & (((uint64_t)1 << count) - 1);
}

/// Takes up to 64 bits.
__attribute__((always_inline)) static inline uint64_t take_wide(bit_source *source, unsigned count) {
    if (__builtin_expect(count <= 56, 1)) return take(source, count);
    uint64_t low = take(source, 32);
    return low | take(source, count - 32) << 32;
}

/// What decoding a series needs besides its description.
typedef struct numbers_decoder {
    slot *slots;
    uint64_t *lowers;         ///< The lower ends of the slots' bins, for numbers of 8 bytes.
    bit_source source;
    size_t states[NUMBERS_LANES];
    uint8_t ending[4 * GROUP_BYTES];  ///< The last bytes, with zeros behind them.
    bool isEnding;
} numbers_decoder;

/// Decodes a number with the table of its phase.
__attribute__((always_inline)) static inline void expand_number(uint8_t *dst, size_t index, size_t width, const slot *slots,
                                                                size_t *state, bit_source *source,
                                                                const numbers_decoder *decoder) {
    const slot *found = &slots[*state];
    if (width <= 4) {
        // State and offset, 12 and 32 bits at most, by one load.
        uint64_t word = take(source, (unsigned)found->stateBits + found->bits);
        *state = found->next + (word & (((uint64_t)1 << found->stateBits) - 1));
        numbers_store(dst, index, found->lower + (word >> found->stateBits), width);
        return;
    }
    uint64_t lower = decoder->lowers[found - decoder->slots];
    *state = found->next + take(source, found->stateBits);
    numbers_store(dst, index, lower + take_wide(source, found->bits), width);
}

/// Makes sure that a group of numbers can be read, and returns whether what was read so far was there.
static inline bool prepare(numbers_decoder *decoder) {
    bit_source *source = &decoder->source;
    size_t byte = source->position >> 3;
    if (__builtin_expect(source->byteCount - byte >= GROUP_BYTES && byte <= source->byteCount, 1)) return true;
    if (byte > source->byteCount) return false;
    if (decoder->isEnding) return true;
    // Fewer bytes than a group may take are left, which a copy holds with as many zeros behind them.
    size_t left = source->byteCount - byte;
    memset(decoder->ending, 0, sizeof decoder->ending);
    if (left > 0) memcpy(decoder->ending, source->bytes + byte, left);
    *source = (bit_source){decoder->ending, source->position & 7, left};
    decoder->isEnding = true;
    return true;
}

__attribute__((always_inline)) static inline bool expand_page(uint8_t *dst, size_t first, size_t end, size_t width,
                                                              numbers_decoder *decoder,
                                                              const numbers_series *series, const numbers_model *model) {
    const slot *tables[NUMBERS_MOST_PERIOD * NUMBERS_LANES];
    size_t period = model->period, cycle = numbers_cycle(period);
    // Of a table of one number, every state leads to itself and takes no bits.
    const numbers_table *only = &series->tables[model->tables[0]];
    if (period == 1 && only->count == 1 && only->bins[0].bits == 0) {
        for (size_t i = first; i < end; i++) numbers_store(dst, i, only->bins[0].lower, width);
        return true;
    }
    for (size_t i = 0; i < cycle; i++) {
        tables[i] = decoder->slots + ((size_t)model->tables[(first + i) % period] << series->log);
    }
    size_t a = decoder->states[0], b = decoder->states[1], c = decoder->states[2], d = decoder->states[3];
    bit_source source = decoder->source;
    size_t phase = 0, i = first;
    for (; i + NUMBERS_LANES <= end; i += NUMBERS_LANES) {
        if (__builtin_expect(source.byteCount - (source.position >> 3) < GROUP_BYTES || decoder->isEnding, 0)) {
            decoder->source = source;
            if (!prepare(decoder)) return false;
            source = decoder->source;
        }
        const slot *const *group = &tables[phase];
        expand_number(dst, i, width, group[0], &a, &source, decoder);
        expand_number(dst, i + 1, width, group[1], &b, &source, decoder);
        expand_number(dst, i + 2, width, group[2], &c, &source, decoder);
        expand_number(dst, i + 3, width, group[3], &d, &source, decoder);
        phase = phase + NUMBERS_LANES == cycle ? 0 : phase + NUMBERS_LANES;
    }
    decoder->source = source;
    if (i < end) {
        if (!prepare(decoder)) return false;
        expand_number(dst, i, width, tables[phase], &a, &decoder->source, decoder);
        if (i + 1 < end) expand_number(dst, i + 1, width, tables[phase + 1], &b, &decoder->source, decoder);
        if (i + 2 < end) expand_number(dst, i + 2, width, tables[phase + 2], &c, &decoder->source, decoder);
    }
    decoder->states[0] = a;
    decoder->states[1] = b;
    decoder->states[2] = c;
    decoder->states[3] = d;
    return true;
}

__attribute__((always_inline)) static inline bool expand_all(uint8_t *dst, size_t width, numbers_decoder *decoder, const numbers_series *series) {
    size_t pageCount = numbers_page_count(series);
    const numbers_model *planned = NULL;
    numbers_plan plan;
    for (size_t page = 0; page < pageCount; page++) {
        size_t first = page * series->pageSize, left = series->count - first;
        size_t end = first + (left < series->pageSize ? left : series->pageSize);
        const numbers_model *model = numbers_page_model(series, page);
        bool isDone;
        switch (width) {
        case 1: isDone = expand_page(dst, first, end, 1, decoder, series, model); break;
        case 2: isDone = expand_page(dst, first, end, 2, decoder, series, model); break;
        case 4: isDone = expand_page(dst, first, end, 4, decoder, series, model); break;
        default: isDone = expand_page(dst, first, end, 8, decoder, series, model);
        }
        if (!isDone) return false;
        if (model != planned) gca_numbers_plan(&plan, series, model, width, gca_vectors_best());
        planned = model;
        gca_numbers_undo(dst, first, end, width, &plan);
    }
    // All bits are used, and the states are where the writer began.
    size_t states = decoder->states[0] | decoder->states[1] | decoder->states[2] | decoder->states[3];
    return states == 0 && decoder->source.position == decoder->source.byteCount * 8;
}

#if defined(GCA_HAS_AVX2)
GCA_FAST_BITS static bool expand_fast(uint8_t *dst, size_t width, numbers_decoder *decoder, const numbers_series *series) {
    return expand_all(dst, width, decoder, series);
}
#endif

static bool expand_pages(uint8_t *dst, size_t width, numbers_decoder *decoder, const numbers_series *series) {
#if defined(GCA_HAS_AVX2)
    if (gca_has_fast_bits()) return expand_fast(dst, width, decoder, series);
#endif
    return expand_all(dst, width, decoder, series);
}

/// Expands `count` numbers, at least 1.
static gca_status expand_series(uint8_t *dst, size_t count, size_t width, gca_reader *reader, gca_numbers_memory *memory) {
    numbers_series *series = gca_numbers_room(memory, NUMBERS_WORK, sizeof *series);
    if (series == NULL) return GCA_NO_MEMORY;
    if (!gca_numbers_parse(series, reader, count, width)) return GCA_BAD_BLOCK;
    numbers_decoder decoder = {.source = {series->bits, series->skipped, series->bitsByteCount}};
    size_t slotCount = series->tableCount << series->log;
    size_t byteCount = slotCount * (sizeof *decoder.slots + (width == 8 ? sizeof *decoder.lowers : 0));
    decoder.slots = gca_numbers_room(memory, NUMBERS_TABLES, byteCount);
    if (decoder.slots == NULL) return GCA_NO_MEMORY;
    decoder.lowers = width == 8 ? (uint64_t *)(void *)(decoder.slots + slotCount) : NULL;
    for (size_t i = 0; i < series->tableCount; i++) {
        size_t first = i << series->log;
        fill_slots(decoder.slots + first, width == 8 ? decoder.lowers + first : NULL, &series->tables[i], series->log);
    }
    for (size_t i = 0; i < NUMBERS_LANES; i++) decoder.states[i] = series->states[i];
    return expand_pages(dst, width, &decoder, series) ? GCA_OK : GCA_BAD_BLOCK;
}

// MARK: Transforms

__attribute__((always_inline)) static inline void order_all(uint8_t *bytes, size_t count, size_t width) {
    for (size_t i = 0; i < count; i++) {
        numbers_store(bytes, i, (uint64_t)numbers_order(numbers_load(bytes, i, width), width), width);
    }
}

static void order(uint8_t *bytes, size_t count, size_t width) {
    switch (width) {
    case 2: order_all(bytes, count, 2); return;
    case 4: order_all(bytes, count, 4); return;
    default: order_all(bytes, count, 8);
    }
}

/// Puts the lower bits behind the upper ones.
static void join(uint8_t *dst, const uint8_t *low, size_t count, size_t width, unsigned lowBits) {
    for (size_t i = 0; i < count; i++) {
        uint64_t value = (uint64_t)numbers_load(dst, i, width) << lowBits;
        numbers_store(dst, i, value + (uint64_t)numbers_load(low, i, width), width);
    }
}

__attribute__((always_inline)) static inline void multiply_all(uint8_t *dst, const uint8_t *off, size_t count, size_t width,
                                                               double base) {
    for (size_t i = 0; i < count; i++) {
        uint64_t ordered = (uint64_t)numbers_multiple(numbers_load(dst, i, width), base, width);
        numbers_store(dst, i, ordered + (uint64_t)numbers_load(off, i, width), width);
    }
    order_all(dst, count, width);
}

static void multiply(uint8_t *dst, const uint8_t *off, size_t count, size_t width, double base) {
    if (width == 4) multiply_all(dst, off, count, 4, base);
    if (width == 8) multiply_all(dst, off, count, 8, base);
}

gca_status gca_numbers_expand(uint8_t *dst, size_t rawCount, const uint8_t *src, size_t srcCount, size_t width,
                              gca_numbers_memory *memory) {
    bool isWidth = width == 1 || width == 2 || width == 4 || width == 8;
    if (!isWidth || rawCount < width || rawCount > GCA_BLOCK_MAX || srcCount > GCA_BLOCK_MAX) return GCA_BAD_BLOCK;
    if (srcCount < numbers_fewest_bytes(rawCount)) return GCA_BAD_BLOCK;
    size_t count = rawCount / width, rest = rawCount % width;
    gca_reader reader;
    gca_reader_init(&reader, src, srcCount);
    uint8_t transform, lowBits;
    if (!gca_get_u8(&reader, &transform) || !gca_get_u8(&reader, &lowBits)) return GCA_BAD_BLOCK;
    uint64_t baseBits = 0;
    double base = 0;
    switch (transform) {
    case NUMBERS_INTEGERS: if (lowBits >= width * 8) return GCA_BAD_BLOCK; break;
    case NUMBERS_ORDERED: if (width == 1 || lowBits >= width * 8) return GCA_BAD_BLOCK; break;
    case NUMBERS_MULTIPLES:
        if (width < 4 || lowBits != 0 || !gca_get_u64(&reader, &baseBits)) return GCA_BAD_BLOCK;
        memcpy(&base, &baseBits, sizeof base);
        if (!numbers_is_base(base)) return GCA_BAD_BLOCK;
        break;
    default: return GCA_BAD_BLOCK;
    }
    gca_status status = expand_series(dst, count, width, &reader, memory);
    if (status == GCA_OK && (lowBits > 0 || transform == NUMBERS_MULTIPLES)) {
        uint8_t *second = gca_numbers_room(memory, NUMBERS_SPARE, count * width);
        if (second == NULL) return GCA_NO_MEMORY;
        status = expand_series(second, count, width, &reader, memory);
        if (status == GCA_OK && transform == NUMBERS_MULTIPLES) multiply(dst, second, count, width, base);
        if (status == GCA_OK && transform != NUMBERS_MULTIPLES) join(dst, second, count, width, lowBits);
    }
    if (status != GCA_OK) return status;
    if (transform == NUMBERS_ORDERED) order(dst, count, width);
    const uint8_t *end;
    if (!gca_get_bytes(&reader, rest, &end)) return GCA_BAD_BLOCK;
    if (rest > 0) memcpy(dst + count * width, end, rest);
    size_t zeros = gca_reader_left(&reader);
    if (zeros > 0 && srcCount != numbers_fewest_bytes(rawCount)) return GCA_BAD_BLOCK;
    for (size_t i = 0; i < zeros; i++) {
        if (reader.cursor[i] != 0) return GCA_BAD_BLOCK;
    }
    return GCA_OK;
}
