// A series of numbers written: what the predictors are off by, counted, put into bins, and coded.

#include "numbers_coding.h"

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
    work->counts = (uint32_t(*)[NUMBERS_LANES][NUMBERS_CLASSES])(void *)parts[1];
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

/// Describes integers that are all 0, which take no bits.
static void describe_zeros(numbers_series *series) {
    series->pageSize = NUMBERS_PAGE_SIZE;
    series->log = 0;
    series->predictorCount = series->tableCount = series->modelCount = 1;
    series->predictors[0] = (numbers_predictor){0};
    series->tables[0].count = 1;
    series->tables[0].bins[0] = (numbers_bin){.weight = 1};
    series->models[0] = (numbers_model){.period = 1};
    series->pages = NULL;
    memset(series->states, 0, sizeof series->states);
    series->skipped = 0;
    series->bitsByteCount = 0;
}

static bool are_zeros(const uint8_t *bytes, size_t byteCount) {
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, byteCount - 1) == 0;
}

gca_status gca_numbers_write_series(uint8_t **cursor, const uint8_t *end, const uint8_t *bytes, size_t count, size_t width,
                                size_t lanes, size_t row, gca_numbers_memory *memory, bool *isWritten) {
    numbers_work work;
    size_t capacity = (size_t)(end - *cursor);
    *isWritten = false;
    if (!make_work(&work, count, width, capacity, memory)) return GCA_NO_MEMORY;
    numbers_series *series = work.series;
    series->count = count;
    if (are_zeros(bytes, count * width)) {
        describe_zeros(series);
        *isWritten = gca_numbers_put(cursor, end, series, width);
        return GCA_OK;
    }
    series->log = table_log(count);
    gca_status status = gca_numbers_choose(series, work.pages, work.bases, bytes, width, lanes, row, memory);
    if (status == GCA_OK) {
        gca_numbers_count(&work, bytes, width);
        for (size_t i = 0; i < series->tableCount; i++) {
            gca_numbers_make_table(&series->tables[i], &work.coders[i].map, work.counts[i][0], work.bases[i], series->log);
            gca_numbers_fill_coder(&work.coders[i], &series->tables[i], series->log);
        }
        *isWritten = gca_numbers_code(&work, width, capacity) && gca_numbers_put(cursor, end, series, width);
    }
    return status;
}
