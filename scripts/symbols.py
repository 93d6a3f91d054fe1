#!/usr/bin/env python3
"""Fails where a public symbol of one version is not in the other: symbols.py THEN NOW, folders of scripts/symbols.sh

A symbol is what its mangled name says, with its types. Names that begin with an underscore are no API.
"""

import json
import sys
from pathlib import Path


def symbols(folder: Path) -> dict[str, str]:
    """The paths of the symbols in all graphs of a folder, by their mangled names."""
    found = {}
    for graph in sorted(folder.rglob("*.symbols.json")):
        for symbol in json.loads(graph.read_text())["symbols"]:
            path = symbol["pathComponents"]
            if not any(name.startswith("_") for name in path):
                found[symbol["identifier"]["precise"]] = ".".join(path)
    return found


then, now = (symbols(Path(argument)) for argument in sys.argv[1:3])
if len(then) < 100 or len(now) < 100:
    sys.exit(f"symbols: {len(then)} and {len(now)} symbols are too few to compare")
gone = sorted(f"symbols: {path} is gone, or has another type ({name})" for name, path in then.items() if name not in now)
if gone:
    sys.exit("\n".join(gone))
print(f"symbols: all {len(then)} of before are there, and {len(now.keys() - then.keys())} are new")
