// Series of integers decoded: the entropy coder's states and bits, page by page, and the predictors behind them.

#include "numbers_plan.h"
#include "numbers_reading.h"
#include "vectors.h"

#define INLINED __attribute__((always_inline)) static inline

/// A slot of a table: what a state stands for, and the states behind it. Eight bytes, so that more tables stay in the nearest cache.
typedef struct slot {
    uint32_t lower;     ///< The lower end of the bin, cut to 32 bits; of numbers of 8 bytes, where in `lowers` it is.
    uint16_t next;      ///< The lowest of the states behind it, as the distance from the first slot.
    uint8_t stateBits;  ///< How many bits are added to that.
    uint8_t count;      ///< With those that are added to the lower end of the bin.
} slot;

static void fill_slots(slot *slots, const numbers_table *table, unsigned log, size_t width, size_t firstLower) {
    size_t size = (size_t)1 << log;
    uint8_t owners[1 << NUMBERS_MOST_LOG];
    uint16_t counts[NUMBERS_MOST_BINS];
    numbers_fill_owners(owners, table, log);
    for (size_t i = 0; i < table->count; i++) counts[i] = table->bins[i].weight;
    for (size_t i = 0; i < size; i++) {
        const numbers_bin *bin = &table->bins[owners[i]];
        size_t part = counts[owners[i]]++;
        unsigned stateBits = log - numbers_log2(part);
        uint32_t lower = width <= 4 ? (uint32_t)bin->lower : (uint32_t)(firstLower + owners[i]);
        slots[i] = (slot){lower, (uint16_t)((part << stateBits) - size), (uint8_t)stateBits, (uint8_t)(stateBits + bin->bits)};
    }
}

// MARK: Bits

/// Bits from the lowest of the first byte on. Behind the last byte lie zeros, up to those that a group of numbers can take.
typedef struct bit_source {
    const uint8_t *bytes;
    size_t position, byteCount;
} bit_source;

enum {
    MOST_BYTES = 38,   ///< That a group of numbers takes: each one's 12 bits for its state, and 64.
    GROUP_BYTES = 64,  ///< And what a load reads behind them.
    PEEKED = 57,       ///< As many bits are in a word, whatever the place of the first one in its byte.
};

/// The bits from the position on, and behind them others.
INLINED uint64_t peek(const bit_source *source) {
    uint64_t word;
    memcpy(&word, source->bytes + (source->position >> 3), sizeof word);
    return word >> (source->position & 7);
}

INLINED uint64_t lowest(uint64_t word, unsigned count) { return word & (((uint64_t)1 << count) - 1); }

INLINED uint64_t take(bit_source *source, unsigned count) {
    uint64_t taken = lowest(peek(source), count);
    source->position += count;
    return taken;
}

/// What decoding a series needs besides its description.
typedef struct numbers_decoder {
    slot *slots;
    uint64_t *lowers;   ///< The lower ends of all tables' bins, for numbers of 8 bytes.
    bit_source source;
    size_t states[NUMBERS_LANES];
    uint8_t ending[4 * GROUP_BYTES];  ///< The last bytes, with zeros behind them.
    bool isEnding;
} numbers_decoder;

/// How many groups of numbers can be read at least; 0 if what was read so far was not there.
static size_t groups_left(numbers_decoder *decoder) {
    bit_source *source = &decoder->source;
    size_t byte = source->position >> 3;
    if (byte > source->byteCount) return 0;
    size_t left = source->byteCount - byte;
    if (left >= GROUP_BYTES) return (left - GROUP_BYTES) / MOST_BYTES + 1;
    if (!decoder->isEnding) {
        // Fewer bytes than a group may take are left, which a copy holds with as many zeros behind them.
        memset(decoder->ending, 0, sizeof decoder->ending);
        if (left > 0) memcpy(decoder->ending, source->bytes + byte, left);
        *source = (bit_source){decoder->ending, source->position & 7, left};
        decoder->isEnding = true;
    }
    return 1;
}

// MARK: Numbers

/// Decodes a number whose state is in this slot: by one load, unless it has more than 57 bits.
INLINED void expand_number(uint8_t *dst, size_t index, size_t width, const slot *found, size_t *state, bit_source *source,
                           const uint64_t *lowers) {
    uint64_t lower = width <= 4 ? found->lower : lowers[found->lower];
    if (width <= 4 || __builtin_expect(found->count <= PEEKED, 1)) {
        uint64_t word = take(source, found->count);
        *state = found->next + lowest(word, found->stateBits);
        numbers_store(dst, index, lower + (word >> found->stateBits), width);
        return;
    }
    *state = found->next + take(source, found->stateBits);
    uint64_t low = take(source, 32);
    numbers_store(dst, index, lower + (low | take(source, found->count - found->stateBits - 32u) << 32), width);
}

/// The tables of a page's phases, from that of its first number on until one begins with a group again.
typedef struct page_tables {
    size_t cycle;
    const slot *tables[NUMBERS_MOST_PERIOD * NUMBERS_LANES];
} page_tables;

/// Decodes whole groups that can be read. Returns the phase behind them.
INLINED size_t expand_run(uint8_t *dst, size_t first, size_t end, size_t width, const page_tables *page, size_t phase, bool isOne,
                          numbers_decoder *decoder) {
    size_t a = decoder->states[0], b = decoder->states[1], c = decoder->states[2], d = decoder->states[3];
    bit_source source = decoder->source;
    const uint64_t *lowers = decoder->lowers;
    for (size_t i = first; i < end; i += NUMBERS_LANES) {
        const slot *const *tables = &page->tables[isOne ? 0 : phase];
        expand_number(dst, i, width, &tables[0][a], &a, &source, lowers);
        expand_number(dst, i + 1, width, &tables[isOne ? 0 : 1][b], &b, &source, lowers);
        expand_number(dst, i + 2, width, &tables[isOne ? 0 : 2][c], &c, &source, lowers);
        expand_number(dst, i + 3, width, &tables[isOne ? 0 : 3][d], &d, &source, lowers);
        if (!isOne) phase = phase + NUMBERS_LANES == page->cycle ? 0 : phase + NUMBERS_LANES;
    }
    decoder->source = source;
    decoder->states[0] = a;
    decoder->states[1] = b;
    decoder->states[2] = c;
    decoder->states[3] = d;
    return phase;
}

INLINED bool expand_groups(uint8_t *dst, size_t first, size_t end, size_t width, const page_tables *page, bool isOne,
                           numbers_decoder *decoder) {
    size_t phase = 0, i = first;
    while (i + NUMBERS_LANES <= end) {
        size_t ready = groups_left(decoder), groups = (end - i) / NUMBERS_LANES;
        if (ready == 0) return false;
        size_t next = i + (ready < groups ? ready : groups) * NUMBERS_LANES;
        phase = expand_run(dst, i, next, width, page, phase, isOne, decoder);
        i = next;
    }
    if (i < end && groups_left(decoder) == 0) return false;
    for (size_t k = 0; i < end; k++, i++) {
        size_t *state = &decoder->states[k];
        expand_number(dst, i, width, &page->tables[isOne ? 0 : phase + k][*state], state, &decoder->source, decoder->lowers);
    }
    return true;
}

INLINED bool expand_page(uint8_t *dst, size_t first, size_t end, size_t width, numbers_decoder *decoder,
                         const numbers_series *series, const numbers_model *model) {
    // Of a table of one number, every state leads to itself and takes no bits.
    const numbers_table *only = &series->tables[model->tables[0]];
    if (model->period == 1 && only->count == 1 && only->bins[0].bits == 0) {
        for (size_t i = first; i < end; i++) numbers_store(dst, i, only->bins[0].lower, width);
        return true;
    }
    page_tables page;
    page.cycle = numbers_cycle(model->period);
    for (size_t i = 0; i < page.cycle; i++) {
        page.tables[i] = decoder->slots + ((size_t)model->tables[(first + i) % model->period] << series->log);
    }
    if (model->period == 1) return expand_groups(dst, first, end, width, &page, true, decoder);
    return expand_groups(dst, first, end, width, &page, false, decoder);
}

INLINED bool expand_pages(uint8_t *dst, size_t width, numbers_decoder *decoder, const numbers_series *series) {
    const numbers_model *planned = NULL;
    numbers_plan plan;
    size_t pageCount = numbers_page_count(series);
    for (size_t page = 0; page < pageCount; page++) {
        size_t first = page * series->pageSize, left = series->count - first;
        size_t end = first + (left < series->pageSize ? left : series->pageSize);
        const numbers_model *model = numbers_page_model(series, page);
        if (!expand_page(dst, first, end, width, decoder, series, model)) return false;
        if (model != planned) gca_numbers_plan(&plan, series, model, width, gca_vectors_best());
        planned = model;
        gca_numbers_undo(dst, first, end, width, &plan);
    }
    // All bits are used, and the states are where the writer began.
    size_t states = decoder->states[0] | decoder->states[1] | decoder->states[2] | decoder->states[3];
    return states == 0 && decoder->source.position == decoder->source.byteCount * 8;
}

INLINED bool expand_all(uint8_t *dst, size_t width, numbers_decoder *decoder, const numbers_series *series) {
    switch (width) {
    case 1: return expand_pages(dst, 1, decoder, series);
    case 2: return expand_pages(dst, 2, decoder, series);
    case 4: return expand_pages(dst, 4, decoder, series);
    default: return expand_pages(dst, 8, decoder, series);
    }
}

#if defined(GCA_HAS_AVX2)
GCA_FAST_BITS static bool expand_fast(uint8_t *dst, size_t width, numbers_decoder *decoder, const numbers_series *series) {
    return expand_all(dst, width, decoder, series);
}
#endif

// MARK: Series

/// Whether all integers are 0, and take no bits.
static bool has_zeros(const numbers_series *series) {
    const numbers_model *model = &series->models[0];
    const numbers_table *table = &series->tables[model->tables[0]];
    return series->modelCount == 1 && model->period == 1 && series->predictors[model->predictors[0]].count == 0 && table->count == 1
        && table->bins[0].bits == 0 && table->bins[0].lower == 0;
}

gca_status gca_numbers_expand_series(uint8_t *dst, size_t count, size_t width, gca_reader *reader, gca_numbers_memory *memory,
                                     bool *areZeros) {
    numbers_series *series = gca_numbers_room(memory, NUMBERS_WORK, sizeof *series);
    if (series == NULL) return GCA_NO_MEMORY;
    if (!gca_numbers_parse(series, reader, count, width)) return GCA_BAD_BLOCK;
    if (areZeros != NULL && has_zeros(series)) {
        *areZeros = true;
        size_t states = series->states[0] | series->states[1] | series->states[2] | series->states[3];
        return states == 0 && series->bitsByteCount == 0 ? GCA_OK : GCA_BAD_BLOCK;
    }
    numbers_decoder decoder = {.source = {series->bits, series->skipped, series->bitsByteCount}};
    size_t slotCount = series->tableCount << series->log;
    size_t lowerCount = width == 8 ? series->tableCount * NUMBERS_MOST_BINS : 0;
    decoder.lowers = gca_numbers_room(memory, NUMBERS_TABLES, slotCount * sizeof(slot) + lowerCount * sizeof(uint64_t));
    if (decoder.lowers == NULL) return GCA_NO_MEMORY;
    decoder.slots = (slot *)(void *)(decoder.lowers + lowerCount);
    for (size_t i = 0; i < series->tableCount; i++) {
        const numbers_table *table = &series->tables[i];
        size_t firstLower = i * NUMBERS_MOST_BINS;
        for (size_t k = 0; width == 8 && k < table->count; k++) decoder.lowers[firstLower + k] = table->bins[k].lower;
        fill_slots(decoder.slots + (i << series->log), table, series->log, width, firstLower);
    }
    for (size_t i = 0; i < NUMBERS_LANES; i++) decoder.states[i] = series->states[i];
#if defined(GCA_HAS_AVX2)
    if (gca_has_fast_bits()) return expand_fast(dst, width, &decoder, series) ? GCA_OK : GCA_BAD_BLOCK;
#endif
    return expand_all(dst, width, &decoder, series) ? GCA_OK : GCA_BAD_BLOCK;
}
