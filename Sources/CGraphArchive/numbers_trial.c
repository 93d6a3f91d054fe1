// Candidates for the models of a series compared, on a part of each page.

#include "numbers_choosing.h"

/// The numbers of a page that are tried: how many, and the first of them.
static size_t find_tried(const numbers_chooser *chooser, size_t page, size_t *first) {
    *first = page * NUMBERS_PAGE_SIZE;
    size_t left = chooser->count - *first;
    if (left > NUMBERS_PAGE_SIZE / 2 + TRIED) *first += NUMBERS_PAGE_SIZE / 2;
    return left < TRIED ? left : TRIED;
}

/// Notes the powers of two of numbers, or of how far these are from a base; 2^8 times their bits.
__attribute__((always_inline)) static inline uint32_t find_powers(uint8_t *powers, const uint8_t *off, size_t count, size_t width,
                                                                  const candidate *tried) {
    uint32_t cost = tried->signCost * (uint32_t)count;
    int64_t base = tried->base;
    for (size_t i = 0; i < count; i++) {
        int64_t value = numbers_load(off, i, width);
        // The bits of a number do not depend on its sign.
        uint32_t bits = numbers_bits_of((value ^ (value >> 63)) - base);
        cost += bits;
        powers[i] = (uint8_t)(bits >> 8);
    }
    return cost;
}

/// Notes for each page 2^8 times the bits behind the first one of the numbers that are tried, and the powers of two of these.
static void try(numbers_chooser *chooser, size_t index) {
    const candidate *tried = &chooser->candidates[index];
    numbers_series *trial = &chooser->trial;
    trial->modelCount = 0;
    memcpy(trial->predictors, tried->predictors, sizeof tried->predictors);
    numbers_plan plan;
    gca_numbers_plan(&plan, trial, make_model(trial, tried, chooser->lanes, 0, 0), chooser->width, chooser->vectors);
    for (size_t page = 0; page < chooser->pageCount; page++) {
        uint8_t off[TRIED * 8];
        size_t first, count = find_tried(chooser, page, &first);
        uint8_t *powers = chooser->powers[index] + page * TRIED;
        gca_numbers_differ(off, chooser->bytes, first, first + count, chooser->width, &plan);
        switch (chooser->width) {
        case 1: chooser->bits[index][page] = find_powers(powers, off, count, 1, tried); break;
        case 2: chooser->bits[index][page] = find_powers(powers, off, count, 2, tried); break;
        case 4: chooser->bits[index][page] = find_powers(powers, off, count, 4, tried); break;
        default: chooser->bits[index][page] = find_powers(powers, off, count, 8, tried);
        }
    }
}

/// Counts the powers of a candidate's pages, site by site, and adds to each page's cost what it takes to tell them: of all pages,
/// if the candidate has few.
static void score(numbers_chooser *chooser, size_t index, const uint8_t *pages) {
    const candidate *tried = &chooser->candidates[index];
    uint32_t counts[MOST_SITES][64], sums[MOST_SITES];
    size_t pageCount = 0, period = tried->sites == 1 ? 1 : tried->sites * chooser->lanes;
    uint8_t sites[NUMBERS_MOST_PERIOD];
    for (size_t phase = 0; phase < period; phase++) sites[phase] = (uint8_t)(period == 1 ? 0 : phase / chooser->lanes);
    for (size_t page = 0; page < chooser->pageCount; page++) pageCount += pages[page] == index;
    for (size_t site = 0; site < tried->sites; site++) {
        for (size_t power = 0; power < 64; power++) counts[site][power] = 1;
        sums[site] = 64;
    }
    for (int isCounted = 0; isCounted < 2; isCounted++) {
        for (size_t page = 0; page < chooser->pageCount; page++) {
            size_t first, count = find_tried(chooser, page, &first), phase = first % period;
            const uint8_t *powers = chooser->powers[index] + page * TRIED;
            uint64_t cost = 0;
            if (!isCounted && pageCount > 3 && pages[page] != index) continue;
            for (size_t i = 0; i < count; i++) {
                size_t site = sites[phase];
                if (isCounted) cost += counts[site][powers[i]];
                if (!isCounted) counts[site][powers[i]]++, sums[site]++;
                phase = phase + 1 == period ? 0 : phase + 1;
            }
            if (isCounted) {
                cost = (cost >> 8) + chooser->bits[index][page];
                chooser->costs[index][page] = (uint32_t)(cost * NUMBERS_PAGE_SIZE / count);
            }
        }
        // From how often to the bits that it takes.
        for (size_t site = 0; !isCounted && site < tried->sites; site++) {
            uint32_t all = numbers_cost(sums[site]);
            for (size_t power = 0; power < 64; power++) counts[site][power] = all - numbers_cost(counts[site][power]);
        }
    }
}

/// Chooses the cheapest of the candidates that are used for each page; the cost of all.
static uint64_t assign(const numbers_chooser *chooser, uint32_t *const costs[MOST_CANDIDATES], const bool *isUsed, uint8_t *pages) {
    uint64_t total = 0;
    for (size_t page = 0; page < chooser->pageCount; page++) {
        uint32_t least = UINT32_MAX;
        for (size_t i = 0; i < chooser->candidateCount; i++) {
            if (!isUsed[i] || costs[i][page] >= least) continue;
            least = costs[i][page];
            if (pages != NULL) pages[page] = (uint8_t)i;
        }
        total += least;
    }
    for (size_t i = 0; i < chooser->candidateCount; i++) {
        if (isUsed[i]) total += (uint64_t)TABLE_COST * chooser->candidates[i].sites;
    }
    return total;
}

/// Adds the candidate that saves the most, again and again, as long as one does.
static void select_candidates(const numbers_chooser *chooser, bool *isUsed) {
    size_t used = 0, tables = 0;
    uint64_t best = UINT64_MAX;
    while (used < NUMBERS_MOST_MODELS) {
        size_t found = chooser->candidateCount;
        for (size_t i = 0; i < chooser->candidateCount; i++) {
            if (isUsed[i] || tables + chooser->candidates[i].sites > NUMBERS_MOST_TABLES) continue;
            isUsed[i] = true;
            uint64_t cost = assign(chooser, chooser->costs, isUsed, NULL);
            isUsed[i] = false;
            if (cost >= best) continue;
            best = cost;
            found = i;
        }
        if (found == chooser->candidateCount) return;
        isUsed[found] = true;
        tables += chooser->candidates[found].sites;
        used++;
    }
}

void gca_numbers_choose_candidates(numbers_chooser *chooser, bool *isUsed, uint8_t *pages) {
    bool areUsed[MOST_CANDIDATES];
    memset(areUsed, true, sizeof areUsed);
    for (size_t i = 0; i < chooser->candidateCount; i++) try(chooser, i);
    assign(chooser, chooser->bits, areUsed, pages);
    for (size_t i = 0; i < chooser->candidateCount; i++) score(chooser, i, pages);
    select_candidates(chooser, isUsed);
    assign(chooser, chooser->costs, isUsed, pages);
    // With the tables that follow from the choice, some pages do better elsewhere.
    for (size_t i = 0; i < chooser->candidateCount; i++) {
        if (isUsed[i]) score(chooser, i, pages);
    }
    assign(chooser, chooser->costs, isUsed, pages);
    for (size_t i = 0; i < chooser->candidateCount; i++) {
        isUsed[i] = isUsed[i] && memchr(pages, (int)i, chooser->pageCount) != NULL;
    }
}
