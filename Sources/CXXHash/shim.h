// Debian's libxxhash-dev. The shared library chooses SSE2, AVX2 or AVX-512 when it runs, through the
// functions of xxh_x86dispatch.h; the static library does not hold them.
#include <xxhash.h>
