"""The version of the format, and what of it a reader must understand."""

VERSION = 2
UNDERSTOOD = 0x00FF  # Features that a reader has to know; this version defines none.
