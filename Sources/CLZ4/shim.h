// Debian's liblz4-dev: the block format (lz4.h) and its high-compression encoder (lz4hc.h). The frame
// format (lz4frame.h) is left out: an archive has its own block headers and checksums.
#include <lz4.h>
#include <lz4hc.h>
