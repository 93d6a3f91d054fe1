// A series of numbers coded, from its end to its start.

#include "numbers_coding.h"
#include "vectors.h"

#define INLINED __attribute__((always_inline)) static inline

void gca_numbers_fill_coder(numbers_coder *coder, const numbers_table *table, unsigned log) {
    uint8_t owners[1 << NUMBERS_MOST_LOG];
    uint16_t next[NUMBERS_MOST_BINS];
    size_t size = (size_t)1 << log, k = 0;
    numbers_fill_owners(owners, table, log);
    for (size_t i = 0; i < table->count; i++) {
        const numbers_bin *bin = &table->bins[i];
        uint32_t most = log - numbers_log2(bin->weight);
        next[i] = (uint16_t)k;
        coder->bins[i] = (coded_bin){bin->lower, (most << 16) - ((uint32_t)bin->weight << most),
                                     (int16_t)((int32_t)k - bin->weight), bin->bits};
        k += bin->weight;
    }
    // The parts of a bin are numbered in the order of their slots.
    for (size_t slot = 0; slot < size; slot++) coder->slots[next[owners[slot]]++] = (uint16_t)slot;
}

// MARK: Bits

/// Bits that are put in front of those before, and wait for a whole byte.
typedef struct bit_sink {
    uint8_t *bytes;  ///< The first byte that is whole.
    uint64_t word;
    unsigned count;
} bit_sink;

/// Puts up to 56 bits.
INLINED void put(bit_sink *sink, uint64_t bits, unsigned count) {
    sink->word = sink->word << count | bits;
    sink->count += count;
    // The waiting bits at the top of a word, stored so that its last byte is in front of those before.
    uint64_t top = sink->word << ((64 - sink->count) & 63);
    memcpy(sink->bytes - sizeof top, &top, sizeof top);
    sink->bytes -= sink->count >> 3;
    sink->count &= 7;
}

/// The bits of a number: those that its state gives away and, above them, its distance from the start of its bin.
typedef struct coded {
    uint64_t bits;
    unsigned count;
} coded;

/// Codes a number; one of 8 bytes is put, too, because its bits may be more than 64, and has none then.
INLINED coded code_number(const numbers_coder *coder, size_t index, size_t width, const numbers_work *work, size_t size, size_t *state,
                          bit_sink *sink) {
    const coded_bin *bin = &coder->bins[coder->map.bins[work->classes[index]]];
    unsigned count = ((uint32_t)*state + bin->threshold) >> 16;
    uint64_t stateBits = *state & (((uint64_t)1 << count) - 1);
    uint64_t offset = (uint64_t)numbers_load(work->off, index, width) - bin->lower;
    *state = coder->slots[(int32_t)(*state >> count) + bin->first] + size;
    if (width <= 4) return (coded){stateBits | offset << count, count + bin->bits};
    if (count + bin->bits <= 56) {
        put(sink, stateBits | offset << count, count + bin->bits);
    } else {
        // The first bits of the number are put last.
        put(sink, offset >> 32, (unsigned)bin->bits - 32);
        put(sink, offset & 0xffffffff, 32);
        put(sink, stateBits, count);
    }
    return (coded){0, 0};
}

/// Puts the bits of four numbers, those of the last one first: at once where they fit.
INLINED void put_group(bit_sink *sink, coded a, coded b, coded c, coded d) {
    unsigned count = a.count + b.count + c.count + d.count;
    if (__builtin_expect(count <= 56, 1)) {
        put(sink, ((d.bits << c.count | c.bits) << b.count | b.bits) << a.count | a.bits, count);
    } else {
        put(sink, d.bits, d.count);
        put(sink, c.bits, c.count);
        put(sink, b.bits, b.count);
        put(sink, a.bits, a.count);
    }
}

/// The coders of a page's phases, from that of its first number on until one begins with a group again; or the one of all.
typedef struct page_coders {
    size_t cycle;
    const numbers_coder *coders[NUMBERS_MOST_PERIOD * NUMBERS_LANES];
} page_coders;

/// Codes a page from its last number to the first. Returns whether there was room for its bits.
INLINED bool code_groups(const numbers_work *work, size_t first, size_t end, size_t width, const page_coders *page, bool isOne,
                         size_t states[NUMBERS_LANES], bit_sink *target) {
    size_t size = (size_t)1 << work->series->log, cycle = page->cycle, i = end;
    bit_sink sink = *target;
    if (sink.bytes < work->bits) return false;
    for (; i % NUMBERS_LANES != 0; i--) {
        size_t *state = &states[(i - 1) % NUMBERS_LANES];
        coded number = code_number(page->coders[(i - 1 - first) % cycle], i - 1, width, work, size, state, &sink);
        put(&sink, number.bits, number.count);
    }
    size_t a = states[0], b = states[1], c = states[2], d = states[3], phase = (i - first) % cycle;
    for (; i > first; i -= NUMBERS_LANES) {
        if (!isOne) phase = (phase == 0 ? cycle : phase) - NUMBERS_LANES;
        if (sink.bytes < work->bits) return false;
        const numbers_coder *const *coders = &page->coders[isOne ? 0 : phase];
        coded four = code_number(coders[isOne ? 0 : 3], i - 1, width, work, size, &d, &sink);
        coded three = code_number(coders[isOne ? 0 : 2], i - 2, width, work, size, &c, &sink);
        coded two = code_number(coders[isOne ? 0 : 1], i - 3, width, work, size, &b, &sink);
        coded one = code_number(coders[0], i - 4, width, work, size, &a, &sink);
        if (width <= 4) put_group(&sink, one, two, three, four);
    }
    states[0] = a;
    states[1] = b;
    states[2] = c;
    states[3] = d;
    *target = sink;
    return true;
}

INLINED bool code_page(const numbers_work *work, size_t first, size_t end, size_t width, const numbers_model *model,
                       size_t states[NUMBERS_LANES], bit_sink *sink) {
    const numbers_table *only = &work->series->tables[model->tables[0]];
    if (model->period == 1 && only->count == 1 && only->bins[0].bits == 0) return true;  // Takes no bits.
    page_coders page;
    page.cycle = numbers_cycle(model->period);
    for (size_t k = 0; k < page.cycle; k++) page.coders[k] = &work->coders[model->tables[(first + k) % model->period]];
    if (model->period == 1) return code_groups(work, first, end, width, &page, true, states, sink);
    return code_groups(work, first, end, width, &page, false, states, sink);
}

/// Codes the numbers from the last one to the first, because a decoder's states run the other way.
INLINED bool code_numbers(numbers_work *work, size_t width, size_t capacity) {
    numbers_series *series = work->series;
    size_t size = (size_t)1 << series->log, states[NUMBERS_LANES] = {size, size, size, size};
    bit_sink sink = {.bytes = work->bits + capacity};
    for (size_t page = numbers_page_count(series); page-- > 0;) {
        size_t first = page * series->pageSize;
        if (!code_page(work, first, numbers_page_end(series, first), width, numbers_page_model(series, page), states, &sink)) return false;
    }
    for (size_t i = 0; i < NUMBERS_LANES; i++) series->states[i] = (uint16_t)(states[i] - size);
    // What waits fills the upper bits of the first byte.
    series->skipped = (uint8_t)(sink.count == 0 ? 0 : 8 - sink.count);
    if (sink.count > 0) sink.bytes--;
    if (sink.bytes < work->bits) return false;
    if (sink.count > 0) *sink.bytes = (uint8_t)(sink.word << series->skipped);
    series->bits = sink.bytes;
    series->bitsByteCount = (size_t)(work->bits + capacity - sink.bytes);
    return true;
}

INLINED bool code_all(numbers_work *work, size_t width, size_t capacity) {
    switch (width) {
    case 1: return code_numbers(work, 1, capacity);
    case 2: return code_numbers(work, 2, capacity);
    case 4: return code_numbers(work, 4, capacity);
    default: return code_numbers(work, 8, capacity);
    }
}

#if defined(GCA_HAS_AVX2)
GCA_FAST_BITS static bool code_fast(numbers_work *work, size_t width, size_t capacity) { return code_all(work, width, capacity); }
#endif

bool gca_numbers_code(numbers_work *work, size_t width, size_t capacity) {
#if defined(GCA_HAS_AVX2)
    if (gca_has_fast_bits()) return code_fast(work, width, capacity);
#endif
    return code_all(work, width, capacity);
}
