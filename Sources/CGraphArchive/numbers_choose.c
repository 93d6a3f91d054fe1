// Which predictors are tried for a series, and what is made of those that are chosen.

#include "numbers_choosing.h"


static void add(numbers_chooser *chooser, numbers_predictor predictor) {
    if (chooser->candidateCount == MOST_CANDIDATES) return;
    chooser->candidates[chooser->candidateCount++] = (candidate){.sites = 1, .predictorCount = 1, .predictors = {predictor}};
}

__attribute__((always_inline)) static inline uint64_t mean_cost(const numbers_chooser *chooser, const numbers_predictor *predictor,
                                                                size_t site, size_t sites, size_t width) {
    size_t period = sites * chooser->lanes, step = (chooser->count / SITE_SAMPLE / period + 1) * period;
    unsigned left = 64 - 8 * (unsigned)width;
    uint64_t cost = 0, tried = 0, negative = 0;
    for (size_t start = step + site * chooser->lanes; start < chooser->count; start += step) {
        uint64_t off = (uint64_t)numbers_load(chooser->bytes, start, width)
            - numbers_predict(predictor, chooser->bytes, start, width);
        int64_t cut = (int64_t)(off << left) >> left;
        cost += numbers_bits_of(cut);
        negative += cut < 0;
        tried++;
    }
    // Signs cost a bit, unless nearly all are the same.
    bool haveSigns = negative > tried / 16 && negative < tried - tried / 16;
    return tried == 0 ? 0 : cost / tried + (haveSigns ? 256 : 0);
}

/// The mean cost of a site's numbers, over a sample.
static uint64_t site_cost(const numbers_chooser *chooser, const numbers_predictor *predictor, size_t site, size_t sites) {
    switch (chooser->width) {
    case 1: return mean_cost(chooser, predictor, site, sites, 1);
    case 2: return mean_cost(chooser, predictor, site, sites, 2);
    case 4: return mean_cost(chooser, predictor, site, sites, 4);
    default: return mean_cost(chooser, predictor, site, sites, 8);
    }
}

static const numbers_predictor nothing = {0, 0, {{0, 0}}};

/// Whether numbers differ from the element before by another size in every so many elements.
static bool take_turns(const numbers_chooser *chooser, size_t sites) {
    numbers_predictor near = {0, 1, {{(uint32_t)chooser->lanes, 1}}};
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t site = 0; site < sites; site++) {
        uint64_t cost = site_cost(chooser, &near, site, sites);
        least = cost < least ? cost : least;
        most = cost > most ? cost : most;
    }
    // By a bit and a half.
    return most > least + 384;
}

static void add_fitted(numbers_chooser *chooser, size_t sites, uint32_t near, const uint32_t *lags, size_t lagCount) {
    if (chooser->candidateCount == MOST_CANDIDATES || (sites > 1 && !take_turns(chooser, sites))) return;
    candidate *next = &chooser->candidates[chooser->candidateCount];
    *next = (candidate){.sites = sites, .predictorCount = sites};
    if (!gca_numbers_fit(next->predictors, sites, chooser->bytes, chooser->count, chooser->width, chooser->lanes, near, lags, lagCount)) {
        return;
    }
    // A molecule may be anywhere, whatever the one before it.
    for (size_t site = 0; sites > 1 && site < sites; site++) {
        if (site_cost(chooser, &nothing, site, sites) < site_cost(chooser, &next->predictors[site], site, sites)) {
            next->predictors[site] = nothing;
        }
    }
    chooser->candidateCount++;
}

static void add_sums(numbers_chooser *chooser, uint32_t near, uint32_t row) {
    if (near != 0) add(chooser, (numbers_predictor){0, 1, {{near, 1}}});
    if (near != 0) add(chooser, (numbers_predictor){0, 2, {{near, 2}, {2 * near, -1}}});
    if (row != 0) add(chooser, (numbers_predictor){0, 1, {{row, 1}}});
    if (near != 0 && row != 0) add(chooser, (numbers_predictor){0, 3, {{near, 1}, {row, 1}, {row + near, -1}}});
}

// MARK: Candidates

/// The distance at which scalars are most alike, if nobody knows of elements of several.
static size_t find_lanes(numbers_chooser *chooser) {
    static const uint32_t lags[] = {1, 2, 3, 4, 6, 8};
    uint64_t best = UINT64_MAX;
    size_t lanes = 1;
    for (size_t i = 0; i < sizeof lags / sizeof *lags; i++) {
        chooser->candidateCount = 0;
        chooser->lanes = 1;
        add(chooser, (numbers_predictor){0, 1, {{lags[i], 1}}});
        uint64_t cost = site_cost(chooser, &chooser->candidates[0].predictors[0], 0, 1);
        if (cost + cost / 32 >= best) continue;
        best = cost;
        lanes = lags[i];
    }
    chooser->candidateCount = 0;
    return lanes;
}

/// Whether the classes about a base end where the integers of the width do, so far as there are numbers.
static bool reaches_all(const numbers_chooser *chooser, int64_t base) {
    int64_t most = 0;
    for (size_t i = 0; i < chooser->count; i++) {
        int64_t value = numbers_load(chooser->bytes, i, chooser->width);
        int64_t magnitude = value ^ (value >> 63);
        most = magnitude > most ? magnitude : most;
    }
    size_t last = numbers_class(most, base);
    uint64_t end = (uint64_t)numbers_class_magnitude(last, base) + numbers_class_extent(last, base);
    return end <= (uint64_t)1 << (chooser->width * 8 - 1);
}

/// Numbers without a predictor whose magnitudes lie about a base, if they take fewer bits than differences.
static void add_base(numbers_chooser *chooser) {
    int64_t base = gca_numbers_classes_base(chooser->bytes, chooser->count, chooser->width, false);
    size_t step = chooser->count / SITE_SAMPLE + 1, negative = 0, tried = 0;
    uint64_t cost = 0;
    for (size_t i = 0; i < chooser->count; i += step, tried++) {
        int64_t value = numbers_load(chooser->bytes, i, chooser->width);
        cost += numbers_bits_of((value ^ (value >> 63)) - base);
        negative += value < 0;
    }
    uint32_t signCost = negative == 0 || negative == tried ? 0 : 256;
    numbers_predictor near = {0, 1, {{(uint32_t)chooser->lanes, 1}}};
    if (base < NUMBERS_EXACT || cost / tried + signCost > site_cost(chooser, &near, 0, 1) || !reaches_all(chooser, base)) return;
    add(chooser, nothing);
    chooser->candidates[chooser->candidateCount - 1].base = base;
    chooser->candidates[chooser->candidateCount - 1].signCost = signCost;
}

static void add_candidates(numbers_chooser *chooser) {
    uint32_t near = (uint32_t)chooser->lanes, row = (uint32_t)chooser->row;
    add(chooser, nothing);
    add_base(chooser);
    add_sums(chooser, near, row);
    if (near > 1) add(chooser, (numbers_predictor){0, 1, {{1, 1}}});
    uint32_t inRow[] = {near, 2 * near, 3 * near, 4 * near};
    for (size_t sites = 1; sites <= (near > 1 ? 4 : 1); sites++) {
        if (sites != 2 && sites * near <= NUMBERS_MOST_PERIOD) add_fitted(chooser, sites, 0, inRow, 4);
    }
    if (row < 4 * near) return;
    if (near == 1) {
        // Sums of what the rows before say of the change: nearly as small as with any factor, and read several times as fast.
        uint32_t before[] = {row, row + 1, row + 2};
        add_fitted(chooser, 1, near, before, 3);
        uint32_t twoBefore[] = {row, row + 1, 2 * row, 2 * row + 1};
        add_fitted(chooser, 1, near, twoBefore, 4);
        return;
    }
    uint32_t before[] = {near, 2 * near, row, row + near, row + 2 * near};
    add_fitted(chooser, 1, 0, before, 5);
    uint32_t twoBefore[] = {near, 2 * near, row, row + near, 2 * row, 2 * row + near};
    add_fitted(chooser, 1, 0, twoBefore, 6);
}

gca_status gca_numbers_choose(numbers_series *series, uint8_t *pages, int64_t bases[NUMBERS_MOST_TABLES], const uint8_t *bytes,
                              size_t width, size_t lanes, size_t row, gca_numbers_memory *memory) {
    size_t pageCount = (series->count + NUMBERS_PAGE_SIZE - 1) / NUMBERS_PAGE_SIZE;
    size_t costsByteCount = MOST_CANDIDATES * pageCount * (2 * sizeof(uint32_t) + TRIED);
    numbers_chooser *chooser = gca_numbers_room(memory, NUMBERS_TABLES, sizeof *chooser + costsByteCount);
    if (chooser == NULL) return GCA_NO_MEMORY;
    memset(chooser, 0, sizeof *chooser);
    uint32_t *costs = (uint32_t *)(void *)(chooser + 1);
    chooser->bytes = bytes;
    chooser->count = series->count;
    chooser->width = width;
    chooser->vectors = gca_vectors_best();
    chooser->pageCount = pageCount;
    // Elements of at most 8 numbers before a row lie within the block, so that every lag is one that readers know.
    chooser->row = row + 8 <= series->count ? row : 0;
    for (size_t i = 0; i < MOST_CANDIDATES; i++) {
        chooser->costs[i] = costs + 2 * i * pageCount;
        chooser->bits[i] = chooser->costs[i] + pageCount;
        chooser->powers[i] = (uint8_t *)(costs + 2 * MOST_CANDIDATES * pageCount) + i * pageCount * TRIED;
    }
    chooser->lanes = lanes > 0 && lanes <= 8 ? lanes : find_lanes(chooser);
    add_candidates(chooser);
    bool isUsed[MOST_CANDIDATES] = {false};
    uint8_t numbers[MOST_CANDIDATES] = {0};
    gca_numbers_choose_candidates(chooser, isUsed, pages);
    series->pageSize = NUMBERS_PAGE_SIZE;
    series->predictorCount = series->tableCount = series->modelCount = 0;
    for (size_t i = 0; i < chooser->candidateCount; i++) {
        const candidate *used = &chooser->candidates[i];
        if (!isUsed[i]) continue;
        numbers[i] = (uint8_t)series->modelCount;
        make_model(series, used, chooser->lanes, series->predictorCount, series->tableCount);
        memcpy(&series->predictors[series->predictorCount], used->predictors, used->predictorCount * sizeof *used->predictors);
        for (size_t site = 0; site < used->sites; site++) bases[series->tableCount + site] = used->base;
        series->predictorCount += used->predictorCount;
        series->tableCount += used->sites;
        series->modelCount++;
    }
    for (size_t page = 0; page < pageCount; page++) pages[page] = numbers[pages[page]];
    series->pages = series->modelCount > 1 ? pages : NULL;
    return GCA_OK;
}
