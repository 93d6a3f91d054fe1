// The description of a series in a block of numbers, read with all its checks, and written.

#include "numbers.h"

/// Reads a varint from `least` to `most`.
static bool get_size(gca_reader *reader, size_t *value, size_t least, size_t most) {
    uint64_t read;
    if (!gca_get_varint(reader, &read) || read < least || read > most) return false;
    *value = (size_t)read;
    return true;
}

/// Reads a byte from `least` to `most`.
static bool get_byte(gca_reader *reader, size_t *value, size_t least, size_t most) {
    uint8_t read;
    if (!gca_get_u8(reader, &read) || read < least || read > most) return false;
    *value = read;
    return true;
}

static bool parse_predictor(numbers_predictor *predictor, gca_reader *reader) {
    size_t shift, count;
    if (!get_byte(reader, &shift, 0, NUMBERS_MOST_SHIFT) || !get_byte(reader, &count, 0, NUMBERS_MOST_TAPS)) return false;
    predictor->shift = (uint8_t)shift;
    predictor->count = (uint8_t)count;
    for (size_t i = 0; i < count; i++) {
        size_t lag;
        uint16_t factor;
        if (!get_size(reader, &lag, 1, GCA_BLOCK_MAX) || !gca_get_u16(reader, &factor)) return false;
        predictor->taps[i] = (numbers_tap){(uint32_t)lag, (int16_t)factor};
    }
    return true;
}

/// A bin begins behind the one before it, or further on by a gap; the last one ends at 2^(8 * width) at most.
static bool parse_table(numbers_table *table, gca_reader *reader, unsigned log, size_t width) {
    uint8_t last;
    if (!gca_get_u8(reader, &last)) return false;
    table->count = (size_t)last + 1;
    size_t bits = width * 8, left = (size_t)1 << log;
    // Counted from the lowest integer of the width, and up to its highest.
    uint64_t most = UINT64_MAX >> (64 - bits), next = 0;
    bool isFull = false;
    for (size_t i = 0; i < table->count; i++) {
        uint8_t size;
        uint64_t gap = 0;
        size_t weight;
        if (isFull || !gca_get_u8(reader, &size)) return false;
        if (size >= 0x80 && !gca_get_varint(reader, &gap)) return false;
        size &= 0x7f;
        if (size > bits || !get_size(reader, &weight, 1, left)) return false;
        if (gap > most - next) return false;
        next += gap;
        uint64_t extent = size == 64 ? UINT64_MAX : ((uint64_t)1 << size) - 1;
        if (extent > most - next) return false;
        // The lowest integer is -2^(bits - 1).
        uint64_t lower = next - ((uint64_t)1 << (bits - 1));
        table->bins[i] = (numbers_bin){lower, (uint16_t)weight, size};
        isFull = extent == most - next;
        next += extent + 1;
        left -= weight;
        if (left == 0) return i + 1 == table->count;
    }
    return false;
}

static bool parse_model(numbers_model *model, gca_reader *reader, const numbers_series *series) {
    if (!get_byte(reader, &model->period, 1, NUMBERS_MOST_PERIOD)) return false;
    for (size_t i = 0; i < model->period; i++) {
        size_t predictor, table;
        if (!get_byte(reader, &predictor, 0, series->predictorCount - 1)) return false;
        if (!get_byte(reader, &table, 0, series->tableCount - 1)) return false;
        model->predictors[i] = (uint8_t)predictor;
        model->tables[i] = (uint8_t)table;
    }
    return true;
}

static bool parse_pages(numbers_series *series, gca_reader *reader) {
    series->pages = NULL;
    if (series->modelCount == 1) return true;
    size_t count = numbers_page_count(series);
    if (!gca_get_bytes(reader, count, &series->pages)) return false;
    for (size_t i = 0; i < count; i++) {
        if (series->pages[i] >= series->modelCount) return false;
    }
    return true;
}

bool gca_numbers_parse(numbers_series *series, gca_reader *reader, size_t count, size_t width) {
    size_t log;
    series->count = count;
    if (!get_size(reader, &series->pageSize, NUMBERS_LEAST_PAGE, GCA_BLOCK_MAX)) return false;
    if (series->pageSize % NUMBERS_LANES != 0 || !get_byte(reader, &log, 0, NUMBERS_MOST_LOG)) return false;
    series->log = (unsigned)log;
    if (!get_byte(reader, &series->predictorCount, 1, NUMBERS_MOST_PREDICTORS)) return false;
    for (size_t i = 0; i < series->predictorCount; i++) {
        if (!parse_predictor(&series->predictors[i], reader)) return false;
    }
    if (!get_byte(reader, &series->tableCount, 1, NUMBERS_MOST_TABLES)) return false;
    size_t slots = series->tableCount << log;
    if (slots > NUMBERS_FREE_SLOTS && slots > NUMBERS_SLOTS_PER_NUMBER * count) return false;
    for (size_t i = 0; i < series->tableCount; i++) {
        if (!parse_table(&series->tables[i], reader, series->log, width)) return false;
    }
    if (!get_byte(reader, &series->modelCount, 1, NUMBERS_MOST_MODELS)) return false;
    for (size_t i = 0; i < series->modelCount; i++) {
        if (!parse_model(&series->models[i], reader, series)) return false;
    }
    if (!parse_pages(series, reader)) return false;
    for (size_t i = 0; i < NUMBERS_LANES; i++) {
        if (!gca_get_u16(reader, &series->states[i]) || series->states[i] >> series->log != 0) return false;
    }
    size_t skipped;
    if (!get_byte(reader, &skipped, 0, 7) || !get_size(reader, &series->bitsByteCount, skipped > 0, GCA_BLOCK_MAX)) return false;
    series->skipped = (uint8_t)skipped;
    return gca_get_bytes(reader, series->bitsByteCount, &series->bits);
}

// MARK: Writing

/// The most bytes of what is written between two checks: a predictor, a bin or a phase.
enum { MOST_PART = 128 };

static uint8_t *put_predictor(uint8_t *to, const numbers_predictor *predictor) {
    *to++ = predictor->shift;
    *to++ = predictor->count;
    for (size_t i = 0; i < predictor->count; i++) {
        to += gca_varint_write(to, predictor->taps[i].lag);
        memcpy(to, &predictor->taps[i].factor, 2);
        to += 2;
    }
    return to;
}

static bool put_table(uint8_t **cursor, const uint8_t *end, const numbers_table *table, size_t width) {
    uint8_t *to = *cursor;
    uint64_t next = 0;
    if (end - to < MOST_PART) return false;
    *to++ = (uint8_t)(table->count - 1);
    for (size_t i = 0; i < table->count; i++) {
        const numbers_bin *bin = &table->bins[i];
        if (end - to < MOST_PART) return false;
        uint64_t start = bin->lower + ((uint64_t)1 << (width * 8 - 1));
        if (width < 8) start &= ((uint64_t)1 << (width * 8)) - 1;
        *to++ = (uint8_t)(bin->bits | (start == next ? 0 : 0x80));
        if (start != next) to += gca_varint_write(to, start - next);
        to += gca_varint_write(to, bin->weight);
        next = bin->bits == 64 ? 0 : start + ((uint64_t)1 << bin->bits);
    }
    *cursor = to;
    return true;
}

bool gca_numbers_put(uint8_t **cursor, const uint8_t *end, const numbers_series *series, size_t width) {
    uint8_t *to = *cursor;
    if (end - to < MOST_PART) return false;
    to += gca_varint_write(to, series->pageSize);
    *to++ = (uint8_t)series->log;
    *to++ = (uint8_t)series->predictorCount;
    for (size_t i = 0; i < series->predictorCount; i++) {
        if (end - to < MOST_PART) return false;
        to = put_predictor(to, &series->predictors[i]);
    }
    if (end - to < MOST_PART) return false;
    *to++ = (uint8_t)series->tableCount;
    for (size_t i = 0; i < series->tableCount; i++) {
        if (!put_table(&to, end, &series->tables[i], width)) return false;
    }
    if (end - to < MOST_PART) return false;
    *to++ = (uint8_t)series->modelCount;
    for (size_t i = 0; i < series->modelCount; i++) {
        const numbers_model *model = &series->models[i];
        if (end - to < MOST_PART) return false;
        *to++ = (uint8_t)model->period;
        for (size_t phase = 0; phase < model->period; phase++) {
            *to++ = model->predictors[phase];
            *to++ = model->tables[phase];
        }
    }
    size_t pageCount = series->modelCount == 1 ? 0 : numbers_page_count(series);
    if ((size_t)(end - to) < pageCount + MOST_PART) return false;
    if (pageCount > 0) memcpy(to, series->pages, pageCount);
    to += pageCount;
    memcpy(to, series->states, sizeof series->states);
    to += sizeof series->states;
    *to++ = series->skipped;
    to += gca_varint_write(to, series->bitsByteCount);
    if ((size_t)(end - to) < series->bitsByteCount) return false;
    if (series->bitsByteCount > 0) memcpy(to, series->bits, series->bitsByteCount);
    *cursor = to + series->bitsByteCount;
    return true;
}
