#!/usr/bin/env python3
"""Compares W4 of the benchmark suite with Blosc2: LZ4 with byte and with bit shuffle, one and two threads.

    python3 -m venv .build/venv && .build/venv/bin/pip install blosc2
    swift build -c release
    .build/venv/bin/python Benchmarks/compare_blosc2.py [.build/release/benchmarks]

Both do the same field by turns, several times; of the quotients of each round's medians the median counts. Blosc2 gets the eight arrays in one
buffer that is made by the formula of Benchmarks/Workloads/Fields/FieldSet.swift, and is called in C, without the copy
that its Python functions make of the result. Its results go into new memory, as GraphCodable's do: "fresh" as the
system gives it, "large" with large pages, which GraphCodable asks for; "touched" is memory that has been used before, into
which GraphCodable reads by `GraphArrayView.read(into:)`.
GraphCodable is a process of its own in each round, and Blosc2 is in this one, which has its memory already: a virtual machine
gets new memory from its host, slowly. So GraphCodable runs some times more at first, which do not count.
GraphCodable also computes a checksum of each block, and Blosc2 has none.

At the end stands a row for each bar: GraphCodable must be 1.25 times as fast as Blosc2 with as many threads and memory as the
system gives it, 1.1 times as fast where Blosc2 gets large pages or touched memory, and have a ratio that is no lower. The exit
status is 1 where that is not reached for the default level.
"""

import ctypes
import glob
import json
import mmap
import os
import statistics
import subprocess
import sys
import tempfile
import time

import blosc2
import numpy as np

ROUNDS = 5
REPETITIONS = 7
WARMUPS = 20  # Of GraphCodable.
COUNT = 4_000_000
PERIODS = (900, 1500, 2300, 3100, 4700, 6100, 8900, 700)
DEFAULT_LEVEL = 5  # Of C-Blosc2.
LEVELS = (1, DEFAULT_LEVEL, 9)
SHUFFLES = {"bytes": 1, "bits": 2}
KINDS = ("encode, fresh", "encode, large", "decode, fresh", "decode, large", "decode, touched")
BARS = {"fresh": 1.25, "large": 1.1, "touched": 1.1}


def make_field():
    random = np.random.default_rng(4)
    steps = np.arange(1, COUNT + 1)

    def rotation(period):
        return np.sin(2 * np.arctan(np.pi / period) * steps)

    return np.concatenate([
        2.5 + rotation(period) + 0.2 * rotation(period / 3) + random.uniform(-3e-5, 3e-5, COUNT)
        for period in PERIODS
    ])


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def open_blosc2():
    folder = os.path.dirname(blosc2.__file__)
    paths = [path for place in ("", "lib", "../blosc2.libs") for path in
             glob.glob(os.path.join(folder, place, "libblosc2*.so*"))]
    library = ctypes.CDLL(paths[0])
    size, pointer = ctypes.c_int32, ctypes.c_void_p
    library.blosc2_compress.argtypes = [ctypes.c_int, ctypes.c_int, size, pointer, size, pointer, size]
    library.blosc2_decompress.argtypes = [pointer, size, pointer, size]
    library.blosc2_init()
    library.blosc1_set_compressor(b"lz4")
    return library


class Memory:
    """New memory of the system, untouched."""

    def __init__(self, byte_count, is_large=False):
        self.map = mmap.mmap(-1, byte_count, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if is_large:
            self.map.madvise(mmap.MADV_HUGEPAGE)
        self.bytes = np.frombuffer(self.map, dtype=np.uint8)
        self.address = self.bytes.ctypes.data


def measure_blosc2(library, field, touched, shuffle, level, threads):
    byte_count = field.nbytes
    room = byte_count + 64  # What Blosc2 asks for beyond the bytes.
    library.blosc2_set_nthreads(threads)
    times = {}

    def compress(memory):
        return library.blosc2_compress(
            level, SHUFFLES[shuffle], 8, field.ctypes.data, byte_count, memory.address, room)

    def expand(packed, packed_count, address):
        return library.blosc2_decompress(packed.address, packed_count, address, byte_count)

    for _ in range(REPETITIONS):
        for kind in ("fresh", "large"):
            packed = Memory(room, kind == "large")
            seconds, packed_count = timed(lambda: compress(packed))
            times.setdefault(f"encode, {kind}", []).append(seconds)
            result = Memory(byte_count, kind == "large")
            seconds, count = timed(lambda: expand(packed, packed_count, result.address))
            assert count == byte_count and np.array_equal(result.bytes, field.view(np.uint8))
            times.setdefault(f"decode, {kind}", []).append(seconds)
        seconds, _ = timed(lambda: expand(packed, packed_count, touched.ctypes.data))
        times.setdefault("decode, touched", []).append(seconds)
    return byte_count / packed_count, {kind: statistics.median(its) for kind, its in times.items()}


def own_operation(kind):
    """What of GraphCodable a measurement of Blosc2 is compared with."""
    return kind if kind.endswith("touched") else kind.split(",")[0]


def measure_graphcodable(program, threads):
    subject = f"GraphCodable.lz4-{threads}thread" + ("s" if threads > 1 else "")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [program, "--quiet", "--warmup-iterations", str(WARMUPS), "--iterations", str(REPETITIONS), "--results", folder,
             "--filter", rf"^W4\.(encode|decode)\.{subject}(-touched)?$"],
            check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "results.json")) as file:
            results = json.load(file)["results"]
    times = {
        result["operation"] + (", touched" if result["subject"].endswith("-touched") else ""): result["medianNanoseconds"] / 1e9
        for result in results
    }
    return COUNT * len(PERIODS) * 8 / results[0]["storedByteCount"], times


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else ".build/release/benchmarks"
    field = make_field()
    touched = np.zeros_like(field)
    touched.fill(1)
    library = open_blosc2()
    ratios, times, quotients = {}, {}, {}
    for _ in range(ROUNDS):
        for threads in (1, 2):
            own = ("GraphCodable", threads)
            ratios[own], own_times = measure_graphcodable(program, threads)
            for operation, seconds in own_times.items():
                times.setdefault((own, operation), []).append(seconds)
            for shuffle, level in ((shuffle, level) for shuffle in SHUFFLES for level in LEVELS):
                name = (f"Blosc2 {shuffle}, {level}", threads)
                ratios[name], its = measure_blosc2(library, field, touched, shuffle, level, threads)
                for kind, seconds in its.items():
                    times.setdefault((name, kind), []).append(seconds)
                    quotients.setdefault((name, kind), []).append(seconds / own_times[own_operation(kind)])

    def rate(name, operation):
        return field.nbytes / statistics.median(times[name, operation]) / 1e9

    print("GB/s, and in brackets how many times as fast GraphCodable is")
    print(f"{'':16} threads  ratio" + "".join(f"{kind:>17}" for kind in KINDS))
    for name in sorted(ratios, key=lambda name: (name[1], name[0])):
        print(f"{name[0]:16} {name[1]:7}  {ratios[name]:.3f}", end="")
        for kind in KINDS:
            if name[0] != "GraphCodable":
                print(f"{rate(name, kind):10.2f} ({statistics.median(quotients[name, kind]):.2f})", end="")
            elif not kind.endswith("fresh"):
                print(f"{rate(name, own_operation(kind)):10.2f}       ", end="")
            else:
                print(" " * 17, end="")
        print()
    print(f"Blosc2: python-blosc2 {blosc2.__version__}, C-Blosc2 {blosc2.blosclib_version}")
    for operation in ("encode", "decode"):
        gain = rate(("GraphCodable", 2), operation) / rate(("GraphCodable", 1), operation)
        print(f"GraphCodable, {operation}: two threads are {gain:.2f} times as fast as one")

    all_pass = True
    for (name, kind), its in quotients.items():
        if not name[0].endswith(f", {DEFAULT_LEVEL}"):
            continue
        speed, bar, ratio = statistics.median(its), BARS[kind.split(", ")[1]], ratios["GraphCodable", name[1]]
        # As printed: the last digits are those of the noise in the field.
        is_small = round(ratio, 3) >= round(ratios[name], 3)
        verdict = "lower ratio" if not is_small else "pass" if speed >= bar else "NOT YET"
        all_pass = all_pass and verdict == "pass"
        print(f"W4 {kind}, threads: {name[1]}, {speed:.2f} of {name[0]}, at least {bar}; "
              f"ratio {ratio:.3f}, theirs {ratios[name]:.3f}: {verdict}")
    return 0 if all_pass else 1


if __name__ == "__main__":
    sys.exit(main())
