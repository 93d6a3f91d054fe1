// XXH3 by the system's libxxhash. On x86 its shared library chooses among SSE2, AVX2 and AVX-512 at run time,
// but only through the functions of xxh_x86dispatch.h; including that header renames the calls.

#include "CGraphArchive.h"

#include <xxhash.h>
#if (defined(__x86_64__) || defined(__i386__)) && defined(__linux__) && defined(__has_include)
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#define GCA_HASH_LEAVES_WIDE_REGISTERS 1
#endif
#endif

// libxxhash 0.8.1's AVX functions return with the upper halves of the vector registers in use. Code that was
// compiled for SSE, as Swift's is by default, then runs its floating-point operations about 2.5 times slower
// on that thread, permanently (Intel's optimization manual, "Mixing AVX code with SSE code").
static inline void clear_wide_registers(void) {
#if defined(GCA_HASH_LEAVES_WIDE_REGISTERS)
    if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper" ::: "memory");
#endif
}

uint64_t gca_hash64_bytes(const void *bytes, size_t byteCount) {
    uint64_t hash = XXH3_64bits(bytes, byteCount);
    clear_wide_registers();
    return hash;
}

gca_hash128 gca_hash128_bytes(const void *bytes, size_t byteCount) {
    XXH128_hash_t hash = XXH3_128bits(bytes, byteCount);
    clear_wide_registers();
    return (gca_hash128){.low = hash.low64, .high = hash.high64};
}
