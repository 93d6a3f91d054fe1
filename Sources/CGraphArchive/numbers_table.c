// Bins for integers of known frequencies, and their weights.

#include "numbers_writing.h"

/// Bits that a bin takes in its table.
enum { BIN_BITS = 22 };

/// The classes that have integers, in their order.
typedef struct class_list {
    size_t first, end;  ///< Those that occur lie between.
    size_t skipped;     ///< Of each sign, those below the magnitude 0.
    const uint32_t *counts;
} class_list;

static size_t class_at(const class_list *list, size_t place) {
    return place < NUMBERS_SIGN - list->skipped ? place : place + 2 * list->skipped;
}

static class_list make_list(const uint32_t counts[NUMBERS_CLASSES], int64_t base) {
    class_list list = {.skipped = numbers_class(0, base) - NUMBERS_SIGN, .counts = counts};
    list.end = NUMBERS_CLASSES - 2 * list.skipped;
    while (list.first < list.end - 1 && counts[class_at(&list, list.first)] == 0) list.first++;
    while (list.first < list.end - 1 && counts[class_at(&list, list.end - 1)] == 0) list.end--;
    return list;
}

/// The cheapest way to cover the classes from one on.
typedef struct cover {
    uint64_t cost;
    uint16_t next;  ///< The class behind the first bin.
    uint8_t bits;   ///< Of that bin; 0xff if the class has no integer and is passed over.
} cover;

enum { PASSED = 0xff };

static void find_covers(cover *covers, const class_list *list, uint64_t total, uint64_t binCost) {
    uint32_t totalCost = numbers_cost(total);
    size_t end = list->end;
    covers[end] = (cover){0, (uint16_t)end, PASSED};
    for (size_t i = end; i-- > list->first;) {
        size_t found = class_at(list, i);
        if (list->counts[found] == 0) {
            covers[i] = (cover){covers[i + 1].cost, (uint16_t)(i + 1), PASSED};
            continue;
        }
        // A bin of 2^bits integers ends where a class begins.
        unsigned bits = numbers_class_bits(found);
        uint64_t covered = 0, count = 0;
        size_t next = i;
        covers[i].cost = UINT64_MAX;
        for (unsigned size = bits; size <= bits + 7 && size < 64 && next < end; size++) {
            uint64_t extent = (uint64_t)1 << size;
            while (next < end && covered < extent) {
                size_t other = class_at(list, next++);
                covered += (uint64_t)1 << numbers_class_bits(other);
                count += list->counts[other];
            }
            if (covered != extent) continue;
            uint64_t cost = count * (((uint64_t)size << 16) + totalCost - numbers_cost(count)) + binCost + covers[next].cost;
            if (cost < covers[i].cost) covers[i] = (cover){cost, (uint16_t)next, (uint8_t)size};
        }
    }
}

/// Weights in proportion to the counts, at least 1 and 2^log in all.
static void weigh(numbers_table *table, const uint64_t *counts, uint64_t total, unsigned log) {
    uint64_t size = (uint64_t)1 << log;
    int64_t left = (int64_t)size;
    for (size_t i = 0; i < table->count; i++) {
        uint64_t weight = (counts[i] * size + total / 2) / total;
        table->bins[i].weight = (uint16_t)(weight == 0 ? 1 : weight);
        left -= table->bins[i].weight;
    }
    // What rounding gave or took in all is taken from or given to the largest, for which it counts least.
    while (left != 0) {
        size_t largest = 0;
        for (size_t i = 1; i < table->count; i++) {
            if (table->bins[i].weight > table->bins[largest].weight) largest = i;
        }
        int64_t most = table->bins[largest].weight / 8 + 1;
        int64_t change = left > most ? most : left < -most ? -most : left;
        if (table->bins[largest].weight + change < 1) change = 1 - table->bins[largest].weight;
        table->bins[largest].weight = (uint16_t)(table->bins[largest].weight + change);
        left -= change;
    }
}

uint64_t gca_numbers_make_table(numbers_table *table, numbers_bin_map *map, const uint32_t counts[NUMBERS_CLASSES], int64_t base,
                                unsigned log) {
    cover covers[NUMBERS_CLASSES + 1];
    uint64_t inBin[NUMBERS_MOST_BINS], total = 0;
    class_list list = make_list(counts, base);
    for (size_t i = list.first; i < list.end; i++) total += counts[class_at(&list, i)];
    memset(map, 0, sizeof *map);
    if (total == 0) {
        table->count = 1;
        table->bins[0] = (numbers_bin){0, (uint16_t)(1 << log), 0};
        return BIN_BITS;
    }
    size_t mostBins = log < 8 ? (size_t)1 << log : NUMBERS_MOST_BINS;
    for (uint64_t binCost = (uint64_t)BIN_BITS << 16;; binCost *= 2) {
        find_covers(covers, &list, total, binCost);
        table->count = 0;
        size_t i = list.first;
        while (i < list.end && table->count <= mostBins) {
            if (covers[i].bits != PASSED) {
                if (table->count == mostBins) break;
                uint64_t count = 0;
                for (size_t k = i; k < covers[i].next; k++) {
                    map->bins[class_at(&list, k)] = (uint8_t)table->count;
                    count += counts[class_at(&list, k)];
                }
                inBin[table->count] = count;
                table->bins[table->count++] = (numbers_bin){(uint64_t)numbers_class_lower(class_at(&list, i), base), 0, covers[i].bits};
            }
            i = covers[i].next;
        }
        if (i >= list.end) break;
    }
    weigh(table, inBin, total, log);
    return covers[list.first].cost >> 16;
}
