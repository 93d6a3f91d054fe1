// Blocks: independent pieces of at most 4 MiB, stored as they are or as one LZ4 block.

#include "CGraphArchive.h"
#include "parts.h"

#include <lz4.h>
#include <lz4hc.h>

gca_status gca_block_compress(uint8_t *dst, size_t dstCapacity, const uint8_t *src, size_t srcCount,
                              int level, size_t *storedCount) {
    *storedCount = 0;
    if (srcCount == 0 || srcCount > GCA_BLOCK_MAX) return GCA_BAD_BLOCK;
    // A result that is not smaller is useless, so LZ4 may give up as soon as it reaches that size.
    size_t capacity = dstCapacity < srcCount ? dstCapacity : srcCount - 1;
    if (capacity == 0) return GCA_OK;
    if (level == GCA_LEVEL_PLANES) {
        *storedCount = gca_planes_compress(dst, capacity, src, srcCount, gca_vectors_best());
        return GCA_OK;
    }
    int written = level <= 0
        ? LZ4_compress_default((const char *)src, (char *)dst, (int)srcCount, (int)capacity)
        : LZ4_compress_HC((const char *)src, (char *)dst, (int)srcCount, (int)capacity, level);
    if (written > 0) *storedCount = (size_t)written;
    return GCA_OK;
}

gca_status gca_block_expand(uint8_t *dst, size_t rawCount, const uint8_t *src, size_t srcCount,
                            gca_codec codec) {
    switch (codec) {
    case GCA_CODEC_STORED:
        if (srcCount != rawCount) return GCA_BAD_BLOCK;
        if (rawCount != 0) memcpy(dst, src, rawCount);
        return GCA_OK;
    case GCA_CODEC_LZ4: {
        if (srcCount > GCA_BLOCK_MAX || rawCount > GCA_BLOCK_MAX) return GCA_BAD_BLOCK;
        int written = LZ4_decompress_safe((const char *)src, (char *)dst, (int)srcCount, (int)rawCount);
        return written >= 0 && (size_t)written == rawCount ? GCA_OK : GCA_BAD_BLOCK;
    }
    case GCA_CODEC_NUMBERS: break;
    }
    return GCA_BAD_CODEC;
}
