// Searches for structures of the format, wherever bytes that were inserted or removed have moved them.

#include "CGraphArchiveSearch.h"

#include "CGraphArchive.h"

static inline uint64_t load64(const uint8_t *src) {
    uint64_t value;
    memcpy(&value, src, 8);
    return value;
}

#define MAGIC_SEGMENT 0x47455347u           // "GSEG"
#define MAGIC_ARCHIVE 0x656C6261646F6367u   // "gcodable"
#define MAGIC_RECORD 0x64726F6365726367u    // "gcrecord"
#define MAGIC_SHARED 0x6465726168736367u    // "gcshared"

gca_magic gca_search_magic(const uint8_t *bytes, size_t byteCount, size_t *place) {
    for (size_t i = *place; i + 8 <= byteCount; i++) {
        // Two letters that the others share, then one that is not.
        if (bytes[i] != 'g' && bytes[i] != 'G') continue;
        gca_magic found = GCA_MAGIC_NONE;
        uint64_t next = load64(bytes + i);
        if ((uint32_t)next == MAGIC_SEGMENT) found = GCA_MAGIC_SEGMENT;
        if (next == MAGIC_ARCHIVE) found = GCA_MAGIC_ARCHIVE;
        if (next == MAGIC_RECORD) found = GCA_MAGIC_RECORD;
        if (next == MAGIC_SHARED) found = GCA_MAGIC_SHARED;
        if (found == GCA_MAGIC_NONE) continue;
        *place = i;
        return found;
    }
    *place = byteCount;
    return GCA_MAGIC_NONE;
}

/// Whether bytes may be an LZ4 block that expands to `rawCount`, by its first sequences: in others, a match soon refers to what
/// is in front of the block.
static bool may_be_lz4(const uint8_t *src, size_t byteCount, size_t rawCount) {
    size_t at = 0, out = 0;
    for (int sequence = 0; sequence < 16; sequence++) {
        if (at >= byteCount) return false;
        uint8_t token = src[at++];
        size_t literals = token >> 4, match = token & 15;
        if (literals == 15) {
            uint8_t more = 255;
            while (more == 255) {
                if (at >= byteCount || literals > rawCount) return false;
                more = src[at++];
                literals += more;
            }
        }
        if (literals > byteCount - at || literals > rawCount - out) return false;
        at += literals;
        out += literals;
        if (at == byteCount) return out == rawCount;
        if (byteCount - at < 2) return false;
        size_t distance = (size_t)src[at] | (size_t)src[at + 1] << 8;
        at += 2;
        if (distance == 0 || distance > out) return false;
        if (match == 15) {
            uint8_t more = 255;
            while (more == 255) {
                if (at >= byteCount || match > rawCount) return false;
                more = src[at++];
                match += more;
            }
        }
        match += 4;
        if (match > rawCount - out) return false;
        out += match;
    }
    return true;
}

size_t gca_search_hash(const uint8_t *bytes, size_t first, size_t end, size_t stride, gca_sought sought) {
    for (size_t i = first; i < end; i += stride) {
        if (sought.rawCount > 0 && !may_be_lz4(bytes + i, sought.byteCount, sought.rawCount)) continue;
        if (gca_hash64_bytes(bytes + i, sought.byteCount) == sought.hash) return i;
    }
    return end;
}
