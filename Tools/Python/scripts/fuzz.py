"""Changes archives and series of the corpus, gives them checksums that match, and reads them in every way.

    scripts/python.sh run fuzz [--seconds 600] [--seed 1]

Fails where anything else than a `GraphCodableError` is raised, where a file takes more than 20 seconds, or where memory grows
beyond 2 GB. The last file is kept in the folder for temporary files.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import corpus
import numpy as np
from forge import resealed

import graphcodable as gc

MOST_MEMORY, MOST_SECONDS = 2 << 30, 20


def read(archive: gc.Archive) -> None:
    archive.tree(200, 200)
    archive.to_dict()
    archive._repr_html_()
    for value in archive.objects:
        if isinstance(value, gc.Array):
            np.asarray(value)
            value[::7]


def changed(data: bytes, numbers: random.Random, first: int) -> bytearray:
    result = bytearray(data)
    for _ in range(numbers.choice((1, 1, 2, 4, 8))):
        place = numbers.randrange(first, len(result)) if len(result) > first else 0
        if not result:
            break
        which = numbers.randrange(5)
        if which == 0:
            result[place] ^= 1 << numbers.randrange(8)
        elif which == 1:
            result[place] = numbers.choice((0, 1, 2, 3, 127, 128, 254, 255))
        elif which == 2:
            result[place] = numbers.randrange(256)
        elif which == 3:
            end = min(place + numbers.randrange(1, 9), len(result))
            result[place:end] = bytes(numbers.randrange(256) for _ in range(end - place))
        else:
            source = numbers.randrange(len(result))
            run = result[source : source + numbers.randrange(1, 17)]
            result[place : place + len(run)] = run[: len(result) - place]
    return result


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY + (2 << 30), resource.RLIM_INFINITY))
    numbers = random.Random(options.seed)
    files = [(path, path.read_bytes()) for path in corpus.valid_files() if path.stat().st_size > 0]
    whole = {path: gc.Archive(data) for path, data in files if path.suffix == ".gcodable"}
    kept = Path(tempfile.gettempdir()) / "graphcodable-fuzz"
    end, count, accepted = time.monotonic() + options.seconds, 0, 0
    while time.monotonic() < end:
        path, data = numbers.choice(files)
        if path in whole:
            mutant = changed(data, numbers, 40)
            kind = numbers.randrange(4)
            result = bytes(mutant) if kind == 0 else resealed(bytes(mutant), whole[path])
        else:
            result = bytes(changed(data, numbers, 0))
        kept.write_bytes(result)
        signal.alarm(MOST_SECONDS)
        uses = (gc.Archive.verify, read) if path in whole else (series_read,)
        for use in uses:
            try:
                use(gc.Archive(result) if path in whole else gc.Series(result))  # type: ignore[arg-type,operator]
                accepted += 1
            except gc.GraphCodableError as error:
                assert str(error)
        signal.alarm(0)
        count += 1
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    print(f"{count:,} files, {accepted:,} reads without an error, {used / 1e6:,.0f} MB at most")
    if used > MOST_MEMORY:
        sys.exit("more memory than there should be")


def series_read(series: gc.Series) -> None:
    series._repr_html_()
    for entry in series:
        try:
            read(entry.archive)
        except gc.GraphCodableError:
            continue
    series.verify()


if __name__ == "__main__":
    main()
