/// The files of the page that `graphcodable view` and `serve` make, as bytes in the program.
#ifndef CGRAPHPAGE_H
#define CGRAPHPAGE_H

#include <stddef.h>

/// A file's bytes: constants, without a zero behind them.
typedef struct {
  const unsigned char *bytes;
  ptrdiff_t byteCount;
} GCPResource;

/// The page, with places in double braces for everything else.
GCPResource gcp_page(void);

/// Its style sheet.
GCPResource gcp_style(void);

/// How many modules its script has.
ptrdiff_t gcp_view_count(void);

/// A module of its script, which imports from those before it alone.
///
/// `number` is less than the number of modules.
GCPResource gcp_view(ptrdiff_t number);

/// How many modules the script of its worker has, which reads files.
ptrdiff_t gcp_reader_count(void);

/// A module of that script, likewise.
GCPResource gcp_reader(ptrdiff_t number);

#endif
