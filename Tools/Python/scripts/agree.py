"""Whether this package and the tool, which is the library, say the same of changed files whose checksums match.

    scripts/python.sh run agree --tool TOOL [--count 200000] [--seed 1] [--keep FOLDER]

The files are those of Tests/Corpus, with some bytes changed, removed, inserted or repeated, and then new checksums: archives, series,
and folders with a changed index, entry, manifest or part. Both verify each of them. One that only one of them accepts is a
disagreement, which ends the run with status 1. These are kept, and so are those that both refuse with other codes.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import xxhash

from graphcodable.views import command

CORPUS = Path("Tests/Corpus")
HEADER, SERIES_HEADER, RECORD_HEAD = 40, 64, 88
BATCH = 400
SPECIAL = (0, 1, 2, 3, 4, 5, 8, 0x0B, 0x10, 0x7F, 0x80, 0xFE, 0xFF)


def digest(data: bytes) -> bytes:
    return xxhash.xxh3_64_intdigest(data).to_bytes(8, "little")


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Some bytes changed, up to three times."""
    result = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        if not result:
            return bytes([chance.randrange(256)])
        place, way = chance.randrange(len(result)), chance.randrange(8)
        if way == 0:
            result[place] = chance.randrange(256)
        elif way == 1:
            result[place] ^= 1 << chance.randrange(8)
        elif way == 2:
            result[place] = chance.choice(SPECIAL)
        elif way == 3:
            del result[place]
        elif way == 4:
            result.insert(place, chance.randrange(256))
        elif way == 5:
            del result[place : place + chance.randint(1, 8)]
        elif way == 6:
            # A varint of nine bytes.
            result[place : place + chance.randrange(2)] = b"\0" + b"\xff" * 8
        else:
            start = chance.randrange(len(result))
            result[place:place] = result[start : start + chance.randrange(16)]
    return bytes(result)


def sealed(front: bytes, contents: bytes, features: bytes) -> bytes:
    """An archive of what stands between header and contents, and the contents."""
    head = b"gcodable" + struct.pack("<H", 1) + features + struct.pack("<IQ", len(contents), HEADER + len(front) + len(contents))
    head += digest(contents)
    return head + digest(head) + front + contents


def changed_archive(data: bytes, chance: random.Random) -> bytes:
    size = int.from_bytes(data[12:16], "little")
    if data[:8] != b"gcodable" or not 0 < size <= len(data) - HEADER:
        return mutated(data, chance)
    features, front, contents = data[10:12], data[HEADER:-size], data[-size:]
    way = chance.randrange(8)
    if way == 0 and front:
        front = mutated(front, chance)
    elif way == 1:
        head = mutated(data[: HEADER - 8], chance)
        return head + digest(head) + data[HEADER:]
    elif way == 2 and front:
        return sealed(*changed_block(front, contents, chance), features)
    else:
        contents = mutated(contents, chance)
    return sealed(front, contents, features)


def changed_block(front: bytes, contents: bytes, chance: random.Random) -> tuple[bytes, bytes]:
    """The first segment with other bytes in its header or its only block, and both hashes right, in front and in the contents."""
    count = int.from_bytes(front[24:28], "little")
    size = 40 + 16 * front[28] + 12 * count + 8
    if front[:4] != b"GSEG" or contents.find(front[:size]) < 0 or count != 1:
        return mutated(front, chance), contents
    head, body = bytearray(front[:size]), bytearray(front[size:])
    if chance.randrange(2):
        place = chance.randrange(4, size - 8)
        head[place] = chance.choice(SPECIAL)
    stored = int.from_bytes(head[-20:-16], "little")
    start = (-(HEADER + size)) % (1 << min(head[29], 20))
    if start + stored <= len(body):
        if stored and chance.randrange(2):
            body[start + chance.randrange(stored)] ^= 1 << chance.randrange(8)
        head[-16:-8] = digest(bytes(body[start : start + stored]))
    head[-8:] = digest(bytes(head[:-8]))
    return bytes(head + body), contents.replace(front[:size], bytes(head), 1)


def changed_series(data: bytes, chance: random.Random) -> bytes:
    result, way = bytearray(data), chance.randrange(4)
    records = [place for place in range(SERIES_HEADER, len(data), 64) if data[place : place + 8] == b"gcrecord"]
    if len(data) < SERIES_HEADER:
        return mutated(data, chance)
    if way == 0 or not records:
        head = bytearray(data[: SERIES_HEADER - 8])
        head[chance.randrange(8, len(head))] = chance.choice(SPECIAL)
        result[:SERIES_HEADER] = head + digest(bytes(head))
        return bytes(result)
    if way == 1:
        return mutated(data, chance)
    record = chance.choice(records)
    size = int.from_bytes(data[record + 8 : record + 12], "little")
    if way == 2:
        place = record + chance.randrange(8, max(min(size, len(data) - record) - 8, 9))
        result[place] = chance.choice(SPECIAL)
        end = record + size - 8
        if end + 8 <= len(result):
            result[end : end + 8] = digest(bytes(result[record:end]))
        return bytes(result)
    # The archive of the entry, in place.
    offset, stored = struct.unpack_from("<QQ", data, record + 24)
    its = changed_archive(data[offset : offset + stored], chance)
    if len(its) == stored:
        result[offset : offset + stored] = its
    return bytes(result)


def changed_folder(source: Path, target: Path, chance: random.Random) -> None:
    shutil.copytree(source, target)
    files = sorted(file for file in target.rglob("*.gcodable") if file.is_file())
    chosen = chance.choice(files)
    chosen.write_bytes(changed_archive(chosen.read_bytes(), chance))


class Sources:
    def __init__(self) -> None:
        valid = sorted((CORPUS / "valid").glob("*"))
        self.archives = [file.read_bytes() for file in valid if file.suffix == ".gcodable" and file.stat().st_size < 1 << 16]
        self.series = [file.read_bytes() for file in valid if file.suffix == ".gcseries" and file.stat().st_size < 1 << 18]
        self.folders = [file for file in sorted((CORPUS / "swift").iterdir()) if file.is_dir() and any(file.rglob("*.gcodable"))]

    def write(self, folder: Path, number: int, chance: random.Random) -> Path:
        way = chance.randrange(20)
        if way == 0:
            target = folder / f"{number:06}"
            changed_folder(chance.choice(self.folders), target, chance)
            return target
        kind, change = ("gcseries", changed_series) if way < 4 else ("gcodable", changed_archive)
        target = folder / f"{number:06}.{kind}"
        target.write_bytes(change(chance.choice(self.series if way < 4 else self.archives), chance))
        return target


def judged(text: str) -> dict[str, list[tuple[bool, tuple[str, ...]]]]:
    """For each file, whether it is sound, and the codes of its problems."""
    found: dict[str, list[tuple[bool, tuple[str, ...]]]] = {}
    for entry in json.loads(text):
        found.setdefault(entry["file"], []).append((entry["ok"], tuple(sorted({each["code"] for each in entry["problems"]}))))
    return found


def by_package(files: list[str]) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(SystemExit):
        command.main(["verify", "--json", *files])
    return output.getvalue()


def by_tool(tool: str, files: list[str]) -> str:
    return subprocess.run([tool, "verify", "--json", *files], capture_output=True, text=True, check=False).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "disagreements")
    options = parser.parse_args()
    chance, sources, counts = random.Random(options.seed), Sources(), Counter[str]()
    for start in range(0, options.count, BATCH):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            files = [sources.write(folder, number, chance) for number in range(start, min(start + BATCH, options.count))]
            names = [str(file) for file in files]
            package, tool = judged(by_package(names)), judged(by_tool(options.tool, names))
            for name in sorted(package.keys() | tool.keys()):
                ours, its = package.get(name), tool.get(name)
                counts["sound" if its is not None and all(ok for ok, _ in its) else "refused"] += 1
                if ours == its:
                    continue
                is_outcome = [ok for ok, _ in ours or []] != [ok for ok, _ in its or []]
                counts["other outcome" if is_outcome else "other code"] += 1
                options.keep.mkdir(parents=True, exist_ok=True)
                path = folder / Path(name).relative_to(folder).parts[0]
                kept = options.keep / f"{options.seed}-{path.name}"
                if not kept.exists():
                    (shutil.copytree if path.is_dir() else shutil.copyfile)(path, kept)
                print(f"{kept}: package {ours}, tool {its}", flush=True)
        if start // BATCH % 25 == 0:
            print(f"{start + len(files):,} of {options.count:,}: {dict(counts)}", file=sys.stderr, flush=True)
    print(dict(counts))
    sys.exit(1 if counts["other outcome"] else 0)


if __name__ == "__main__":
    main()
