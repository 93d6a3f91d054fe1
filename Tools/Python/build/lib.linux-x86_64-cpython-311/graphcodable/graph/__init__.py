"""The values of an archive: the graph stream, records, arrays, and the archive that they are in."""
