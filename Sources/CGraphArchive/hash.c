// XXH3 by the system's libxxhash. On x86 its shared library chooses among SSE2, AVX2 and AVX-512 when it
// runs, but only through the functions of xxh_x86dispatch.h; including that header renames the calls.

#include "CGraphArchive.h"

#include <xxhash.h>
#if (defined(__x86_64__) || defined(__i386__)) && defined(__linux__) && defined(__has_include)
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif
#endif

uint64_t gca_hash64_bytes(const void *bytes, size_t byteCount) {
    return XXH3_64bits(bytes, byteCount);
}

gca_hash128 gca_hash128_bytes(const void *bytes, size_t byteCount) {
    XXH128_hash_t hash = XXH3_128bits(bytes, byteCount);
    return (gca_hash128){.low = hash.low64, .high = hash.high64};
}
