// Part of CGraphArchive: searches for structures of the format in bytes that may be damaged.

#ifndef CGRAPHARCHIVESEARCH_H
#define CGRAPHARCHIVESEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What begins with eight bytes, or four, that say so.
typedef enum gca_magic {
    GCA_MAGIC_NONE = 0,
    GCA_MAGIC_SEGMENT,
    GCA_MAGIC_ARCHIVE,
    GCA_MAGIC_RECORD,
    GCA_MAGIC_SHARED,
} gca_magic;

/// Finds the first magic from `*place` on and sets `*place` to where it begins; to `byteCount` where there is none.
///
/// Not found: one of which fewer than eight bytes are there.
gca_magic gca_search_magic(const uint8_t *bytes, size_t byteCount, size_t *place);

/// A run of bytes of which a hash is known.
typedef struct gca_sought {
    size_t byteCount;
    uint64_t hash;    ///< XXH3-64.
    size_t rawCount;  ///< If it is an LZ4 block, what this expands to; 0 for other bytes.
} gca_sought;

/// The first of the places `first`, `first + stride` … before `end` from which on `byteCount` bytes have the hash; `end` where
/// there is none.
///
/// Each place costs a hash of `byteCount` bytes, unless they cannot be an LZ4 block. The caller has `end - 1 + byteCount`
/// bytes.
size_t gca_search_hash(const uint8_t *bytes, size_t first, size_t end, size_t stride, gca_sought sought);

#ifdef __cplusplus
}
#endif

#endif
