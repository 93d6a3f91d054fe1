"""The bytes of archives: sources, tables, segments, blocks and filters, without knowledge of values."""
