"""The version of the format, and what of it a reader must understand."""

VERSION = 1
UNDERSTOOD = 0x00FF  # Features that a reader has to know.
OVERLAID_EXTENTS, EXTENTS_OF_DIFFERENCES = 1 << 3, 1 << 4  # Those of an archive in pieces.
