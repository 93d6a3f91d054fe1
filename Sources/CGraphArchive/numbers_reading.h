// What the reader of blocks of numbers shares among its files.

#ifndef GCA_NUMBERS_READING_H
#define GCA_NUMBERS_READING_H

#include "numbers.h"

/// Expands a series of `count` integers, at least 1. If `areZeros` is given and all integers are 0, it is set in place of them.
gca_status gca_numbers_expand_series(uint8_t *dst, size_t count, size_t width, gca_reader *reader, gca_numbers_memory *memory,
                                     bool *areZeros);

#endif
