// Predictors fitted to a sample of the numbers. All sums are taken in one order, without vectors, so that every processor finds the
// same predictors.

#include "numbers_writing.h"

#include <math.h>

enum { FIT_SHIFT = 12, FIT_SAMPLE = 480, FIT_ROUNDS = 3, FIT_UNKNOWNS = NUMBERS_MOST_TAPS - 1 };

/// Numbers of a sample: the differences of earlier numbers to the nearest one, and behind them that of the number itself.
typedef struct sample {
    size_t count, unknowns;
    double differences[FIT_SAMPLE][FIT_UNKNOWNS + 1];
    double off[FIT_SAMPLE];  ///< What the factors are off by.
} sample;

__attribute__((always_inline)) static inline void take_sample(sample *taken, size_t site, size_t sites, const uint8_t *bytes,
                                                              size_t count, size_t width, size_t lanes, uint32_t near,
                                                              const uint32_t *lags, size_t farthest) {
    size_t period = sites * lanes, elements = (count - farthest) / period, most = FIT_SAMPLE / lanes;
    size_t step = (elements / most + 1) * period;
    unsigned left = 64 - 8 * (unsigned)width;
    taken->count = 0;
    for (size_t start = (farthest + period - 1) / period * period + site * lanes; start + lanes <= count; start += step) {
        for (size_t i = start; i < start + lanes && taken->count < FIT_SAMPLE; i++) {
            uint64_t nearest = (uint64_t)numbers_load(bytes, i - lags[0], width);
            double *differences = taken->differences[taken->count++];
            for (size_t k = 0; k <= taken->unknowns; k++) {
                size_t at = k < taken->unknowns ? i - lags[k + 1] : i;
                uint64_t from = k < taken->unknowns || near == 0 ? nearest : (uint64_t)numbers_load(bytes, i - near, width);
                differences[k] = (double)((int64_t)(((uint64_t)numbers_load(bytes, at, width) - from) << left) >> left);
            }
        }
    }
}

__attribute__((always_inline)) static inline double off_by(const double *differences, const double *factors, size_t unknowns) {
    double off = differences[unknowns];
    for (size_t k = 0; k < unknowns; k++) {
        double product = factors[k] * differences[k];
        off -= product;
    }
    return fabs(off);
}

/// Solves for the factors by elimination. Returns whether there is one solution.
static bool solve(double *factors, double rows[FIT_UNKNOWNS][FIT_UNKNOWNS + 1], size_t count) {
    for (size_t i = 0; i < count; i++) {
        // A little more on the diagonal, where numbers depend on each other.
        rows[i][i] += rows[i][i] * 0x1p-16 + 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (!(rows[i][i] > 0)) return false;
        for (size_t k = i + 1; k < count; k++) {
            double part = rows[k][i] / rows[i][i];
            for (size_t column = i; column <= count; column++) {
                double product = part * rows[i][column];
                rows[k][column] -= product;
            }
        }
    }
    for (size_t i = count; i-- > 0;) {
        double value = rows[i][count];
        for (size_t k = i + 1; k < count; k++) {
            double product = rows[i][k] * factors[k];
            value -= product;
        }
        factors[i] = value / rows[i][i];
    }
    return true;
}

/// Improves the factors by those of the sample that are not off by much more than most of them: some bonds cross the end of the
/// box.
__attribute__((always_inline)) static inline bool improve(double *factors, sample *taken, size_t unknowns) {
    double rows[FIT_UNKNOWNS][FIT_UNKNOWNS + 1] = {{0}};
    uint64_t logarithms = 0;
    for (size_t i = 0; i < taken->count; i++) {
        double off = off_by(taken->differences[i], factors, unknowns);
        taken->off[i] = off;
        logarithms += numbers_bits_of((int64_t)(off < 0x1p60 ? off : 0x1p60));
    }
    double bound = 5 * exp2((double)logarithms / (256 * (double)taken->count));
    size_t count = 0;
    for (size_t i = 0; i < taken->count; i++) {
        const double *differences = taken->differences[i];
        if (taken->off[i] > bound) continue;
        count++;
        for (size_t a = 0; a < unknowns; a++) {
            for (size_t b = 0; b <= unknowns; b++) {
                double product = differences[a] * differences[b];
                rows[a][b] += product;
            }
        }
    }
    return count >= 2 * unknowns && solve(factors, rows, unknowns);
}

static bool improve_any(double *factors, sample *taken) {
    switch (taken->unknowns) {
    case 1: return improve(factors, taken, 1);
    case 2: return improve(factors, taken, 2);
    case 3: return improve(factors, taken, 3);
    case 4: return improve(factors, taken, 4);
    case 5: return improve(factors, taken, 5);
    default: return improve(factors, taken, taken->unknowns);
    }
}

/// The factors of the predictor are 2^FIT_SHIFT in all, so that it follows numbers wherever they lie.
static bool make_predictor(numbers_predictor *predictor, const double *factors, uint32_t near, const uint32_t *lags,
                           size_t lagCount) {
    int64_t left = near == 0 ? (int64_t)1 << FIT_SHIFT : 0;
    predictor->shift = FIT_SHIFT;
    predictor->count = 0;
    if (near != 0) predictor->taps[predictor->count++] = (numbers_tap){near, 1 << FIT_SHIFT};
    numbers_tap *first = &predictor->taps[predictor->count++];
    for (size_t i = 1; i < lagCount; i++) {
        double factor = factors[i - 1] * (1 << FIT_SHIFT);
        if (!(factor > -32000 && factor < 32000)) return false;
        int64_t rounded = (int64_t)floor(factor + 0.5);
        predictor->taps[predictor->count++] = (numbers_tap){lags[i], (int16_t)rounded};
        left -= rounded;
    }
    if (left < INT16_MIN || left > INT16_MAX) return false;
    *first = (numbers_tap){lags[0], (int16_t)left};
    return true;
}

bool gca_numbers_fit(numbers_predictor *predictors, size_t sites, const uint8_t *bytes, size_t count, size_t width, size_t lanes,
                 uint32_t near, const uint32_t *lags, size_t lagCount) {
    size_t farthest = 0;
    for (size_t i = 0; i < lagCount; i++) farthest = lags[i] > farthest ? lags[i] : farthest;
    farthest = near > farthest ? near : farthest;
    if (count < farthest + 32 * sites * lanes) return false;
    for (size_t site = 0; site < sites; site++) {
        sample taken;
        taken.unknowns = lagCount - 1;
        double factors[FIT_UNKNOWNS] = {0};
        switch (width) {
        case 1: take_sample(&taken, site, sites, bytes, count, 1, lanes, near, lags, farthest); break;
        case 2: take_sample(&taken, site, sites, bytes, count, 2, lanes, near, lags, farthest); break;
        case 4: take_sample(&taken, site, sites, bytes, count, 4, lanes, near, lags, farthest); break;
        default: take_sample(&taken, site, sites, bytes, count, 8, lanes, near, lags, farthest);
        }
        for (size_t round = 0; round < FIT_ROUNDS; round++) {
            if (!improve_any(factors, &taken)) return false;
        }
        if (!make_predictor(&predictors[site], factors, near, lags, lagCount)) return false;
    }
    return true;
}
