// A series of numbers written: what the predictors are off by, counted, put into bins, and coded from its end to its start.

#include "numbers_plan.h"
#include "numbers_writing.h"
#include "vectors.h"

/// A bin as the coder uses it.
typedef struct coded_bin {
    uint64_t lower;
    uint32_t threshold;  ///< Added to a state: how many bits it gives away, in the upper half.
    int16_t first;       ///< Where the slots of the bin begin, less its weight.
    uint8_t bits;
} coded_bin;

typedef struct numbers_coder {
    numbers_bin_map map;
    coded_bin bins[NUMBERS_MOST_BINS];
    uint16_t slots[1 << NUMBERS_MOST_LOG];  ///< Those of all parts of the bins, one bin after the other.
} numbers_coder;

/// Working memory for a series.
typedef struct numbers_work {
    uint8_t *off;        ///< What the predictors are off by, of the width of the numbers.
    uint16_t *classes;   ///< Its classes.
    uint8_t *pages, *bits;
    uint32_t (*counts)[NUMBERS_CLASSES];
    int64_t bases[NUMBERS_MOST_TABLES];  ///< Of the classes.
    numbers_coder *coders;
    numbers_series *series;
} numbers_work;

static void fill_coder(numbers_coder *coder, const numbers_table *table, unsigned log) {
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

static size_t page_end(const numbers_series *series, size_t first) {
    size_t left = series->count - first;
    return first + (left < series->pageSize ? left : series->pageSize);
}

/// The classes of numbers of 4 bytes at most, whose logarithms are those of floating-point numbers.
__attribute__((always_inline)) static inline void find_classes(uint16_t *restrict classes, const uint8_t *restrict off, size_t count,
                                                               size_t width, int32_t base) {
    for (size_t i = 0; i < count; i++) {
        int32_t value = (int32_t)numbers_load(off, i, width), sign = value >> 31, distance = (value ^ sign) - base;
        int32_t below = distance >> 31, size = distance ^ below;
        // 24 bits are exact.
        float rounded = (float)(size >= 1 << 24 ? size & ~0xff : size);
        int32_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        int32_t found = size < NUMBERS_EXACT ? size : (bits >> 20) - ((127 + 4) * 8 - NUMBERS_EXACT);
        found = NUMBERS_SIDE + (found ^ below);
        classes[i] = (uint16_t)(NUMBERS_SIGN + (found ^ sign));
    }
}

__attribute__((always_inline)) static inline void count_page(numbers_work *work, size_t first, size_t end, size_t width,
                                                             const numbers_model *model) {
    uint32_t *counts[NUMBERS_MOST_PERIOD * NUMBERS_LANES];
    size_t cycle = numbers_cycle(model->period), phase = 0, i = first;
    // A model with a base has one table.
    int64_t base = work->bases[model->tables[0]];
    switch (width) {
    case 1: find_classes(work->classes + first, work->off + first, end - first, 1, (int32_t)base); break;
    case 2: find_classes(work->classes + first, work->off + first * 2, end - first, 2, (int32_t)base); break;
    case 4: find_classes(work->classes + first, work->off + first * 4, end - first, 4, (int32_t)base); break;
    default:
        for (size_t k = first; k < end; k++) work->classes[k] = (uint16_t)numbers_class(numbers_load(work->off, k, 8), base);
    }
    for (size_t k = 0; k < cycle; k++) counts[k] = work->counts[model->tables[(first + k) % model->period]];
    for (; i + NUMBERS_LANES <= end; i += NUMBERS_LANES) {
        const uint16_t *classes = &work->classes[i];
        for (size_t k = 0; k < NUMBERS_LANES; k++) counts[phase + k][classes[k]]++;
        phase = phase + NUMBERS_LANES == cycle ? 0 : phase + NUMBERS_LANES;
    }
    for (; i < end; i++) counts[phase++][work->classes[i]]++;
}

__attribute__((always_inline)) static inline void count_all(numbers_work *work, const uint8_t *bytes, size_t width) {
    const numbers_series *series = work->series;
    const numbers_model *planned = NULL;
    numbers_plan plan;
    for (size_t page = 0, first = 0; first < series->count; page++, first += series->pageSize) {
        const numbers_model *model = numbers_page_model(series, page);
        size_t end = page_end(series, first);
        if (model != planned) gca_numbers_plan(&plan, series, model, width, gca_vectors_best());
        planned = model;
        gca_numbers_differ(work->off + first * width, bytes, first, end, width, &plan);
        count_page(work, first, end, width, model);
    }
}

// MARK: Bits

/// Bits that are put in front of those before, and wait for a whole byte.
typedef struct bit_sink {
    uint8_t *bytes;  ///< The first byte that is whole.
    uint64_t word;
    unsigned count;
} bit_sink;

/// Puts up to 56 bits.
__attribute__((always_inline)) static inline void put(bit_sink *sink, uint64_t bits, unsigned count) {
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

/// Codes a number, and puts its bits if they may be more than 56: it has none then.
__attribute__((always_inline)) static inline coded code_number(const numbers_coder *coder, size_t index, size_t width,
                                                               const numbers_work *work, size_t size, size_t *state,
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
__attribute__((always_inline)) static inline void put_group(bit_sink *sink, coded a, coded b, coded c, coded d) {
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

/// Codes a page from its last number to the first. Returns whether there was room for its bits.
__attribute__((always_inline)) static inline bool code_page(const numbers_work *work, size_t first, size_t end, size_t width,
                                                            const numbers_model *model, size_t states[NUMBERS_LANES],
                                                            bit_sink *target) {
    const numbers_coder *coders[NUMBERS_MOST_PERIOD * NUMBERS_LANES];
    size_t size = (size_t)1 << work->series->log, cycle = numbers_cycle(model->period), i = end;
    for (size_t k = 0; k < cycle; k++) coders[k] = &work->coders[model->tables[(first + k) % model->period]];
    bit_sink sink = *target;
    const numbers_table *only = &work->series->tables[model->tables[0]];
    if (model->period == 1 && only->count == 1 && only->bins[0].bits == 0) return true;  // Takes no bits.
    if (sink.bytes < work->bits) return false;
    for (; i % NUMBERS_LANES != 0; i--) {
        size_t *state = &states[(i - 1) % NUMBERS_LANES];
        coded number = code_number(coders[(i - 1 - first) % cycle], i - 1, width, work, size, state, &sink);
        put(&sink, number.bits, number.count);
    }
    size_t a = states[0], b = states[1], c = states[2], d = states[3], phase = (i - first) % cycle;
    for (; i > first; i -= NUMBERS_LANES) {
        phase = (phase == 0 ? cycle : phase) - NUMBERS_LANES;
        if (sink.bytes < work->bits) return false;
        coded four = code_number(coders[phase + 3], i - 1, width, work, size, &d, &sink);
        coded three = code_number(coders[phase + 2], i - 2, width, work, size, &c, &sink);
        coded two = code_number(coders[phase + 1], i - 3, width, work, size, &b, &sink);
        coded one = code_number(coders[phase], i - 4, width, work, size, &a, &sink);
        if (width <= 4) put_group(&sink, one, two, three, four);
    }
    states[0] = a;
    states[1] = b;
    states[2] = c;
    states[3] = d;
    *target = sink;
    return true;
}

/// Codes the numbers from the last one to the first, because a decoder's states run the other way.
__attribute__((always_inline)) static inline bool code_numbers(numbers_work *work, size_t width, size_t capacity) {
    numbers_series *series = work->series;
    size_t size = (size_t)1 << series->log, states[NUMBERS_LANES] = {size, size, size, size};
    bit_sink sink = {.bytes = work->bits + capacity};
    for (size_t page = numbers_page_count(series); page-- > 0;) {
        size_t first = page * series->pageSize;
        if (!code_page(work, first, page_end(series, first), width, numbers_page_model(series, page), states, &sink)) return false;
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

__attribute__((always_inline)) static inline bool code_all(numbers_work *work, size_t width, size_t capacity) {
    switch (width) {
    case 1: return code_numbers(work, 1, capacity);
    case 2: return code_numbers(work, 2, capacity);
    case 4: return code_numbers(work, 4, capacity);
    default: return code_numbers(work, 8, capacity);
    }
}

#if defined(GCA_HAS_AVX2)
GCA_FAST_BITS static void count_fast(numbers_work *work, const uint8_t *bytes, size_t width) { count_all(work, bytes, width); }

GCA_FAST_BITS static bool code_fast(numbers_work *work, size_t width, size_t capacity) { return code_all(work, width, capacity); }
#endif

static void count_classes(numbers_work *work, const uint8_t *bytes, size_t width) {
#if defined(GCA_HAS_AVX2)
    if (gca_has_fast_bits()) {
        count_fast(work, bytes, width);
        return;
    }
#endif
    count_all(work, bytes, width);
}

static bool code(numbers_work *work, size_t width, size_t capacity) {
#if defined(GCA_HAS_AVX2)
    if (gca_has_fast_bits()) return code_fast(work, width, capacity);
#endif
    return code_all(work, width, capacity);
}

// MARK: Series

/// Bytes in front of the room for the bits: those of one number, and what a store writes in front of them.
enum { BITS_SLACK = 64 };

/// Returns whether there is memory.
static bool make_work(numbers_work *work, size_t count, size_t width, size_t bitsCapacity, gca_numbers_memory *memory) {
    size_t pages = count / NUMBERS_LANES + 8;
    size_t sizes[] = {sizeof *work->series, NUMBERS_MOST_TABLES * sizeof *work->counts, NUMBERS_MOST_TABLES * sizeof *work->coders,
                      count * width, count * sizeof *work->classes, pages, bitsCapacity + BITS_SLACK};
    uint8_t *parts[sizeof sizes / sizeof *sizes];
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) total += (sizes[i] + 15) / 16 * 16;
    uint8_t *next = gca_numbers_room(memory, NUMBERS_WORK, total);
    if (next == NULL) return false;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        parts[i] = next;
        next += (sizes[i] + 15) / 16 * 16;
    }
    // Aligned to 16 bytes each.
    work->series = (numbers_series *)(void *)parts[0];
    work->counts = (uint32_t(*)[NUMBERS_CLASSES])(void *)parts[1];
    work->coders = (numbers_coder *)(void *)parts[2];
    work->off = parts[3];
    work->classes = (uint16_t *)(void *)parts[4];
    work->pages = parts[5];
    work->bits = parts[6] + BITS_SLACK;
    return true;
}

/// Larger tables follow frequencies more closely, and pay for many numbers only.
static unsigned table_log(size_t count) {
    unsigned log = numbers_log2(count);
    return log > 15 ? 11 : log > 12 ? 10 : 8;
}

gca_status gca_numbers_write_series(uint8_t **cursor, const uint8_t *end, const uint8_t *bytes, size_t count, size_t width,
                                size_t lanes, size_t row, gca_numbers_memory *memory, bool *isWritten) {
    numbers_work work;
    size_t capacity = (size_t)(end - *cursor);
    *isWritten = false;
    if (!make_work(&work, count, width, capacity, memory)) return GCA_NO_MEMORY;
    numbers_series *series = work.series;
    series->count = count;
    series->log = table_log(count);
    gca_status status = gca_numbers_choose(series, work.pages, work.bases, bytes, width, lanes, row, memory);
    if (status == GCA_OK) {
        memset(work.counts, 0, series->tableCount * sizeof *work.counts);
        count_classes(&work, bytes, width);
        for (size_t i = 0; i < series->tableCount; i++) {
            gca_numbers_make_table(&series->tables[i], &work.coders[i].map, work.counts[i], work.bases[i], series->log);
            fill_coder(&work.coders[i], &series->tables[i], series->log);
        }
        *isWritten = code(&work, width, capacity) && gca_numbers_put(cursor, end, series, width);
    }
    return status;
}
