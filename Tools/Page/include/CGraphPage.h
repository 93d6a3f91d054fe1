/// The files of the page that `graphcodable view` makes, as bytes in the program.
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
ptrdiff_t gcp_script_count(void);

/// A module, which imports from those before it alone.
///
/// `number` is less than the number of modules.
GCPResource gcp_script(ptrdiff_t number);

#endif
