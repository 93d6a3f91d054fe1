#!/usr/bin/env python3
"""Compares W4 of the benchmark suite with Blosc2: LZ4 and byte shuffle, one and two threads.

    python3 -m venv .build/venv && .build/venv/bin/pip install blosc2
    swift build -c release
    .build/venv/bin/python Benchmarks/compare_blosc2.py [.build/release/benchmarks]

Both do the same field by turns, several times; the medians are compared. Blosc2 gets the eight arrays in one
buffer that is made by the formula of Benchmarks/Workloads/Fields/FieldSet.swift, and is called in C, without the copy
that its Python functions make of the result. Its results go into new memory, as GraphCodable's do: "fresh" as the
system gives it, "large" with large pages, which GraphCodable asks for; "touched" is memory that has been used before.
GraphCodable also computes a checksum of each block, and Blosc2 has none.

At the end stands a row for each bar: GraphCodable must be 1.25 times as fast as Blosc2 with as many threads, with new
memory on both sides and a ratio that is no lower. The exit status is 1 where that is not reached for the default level.
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

ROUNDS = 3
REPETITIONS = 7
COUNT = 4_000_000
PERIODS = (900, 1500, 2300, 3100, 4700, 6100, 8900, 700)
DEFAULT_LEVEL = 5  # Of C-Blosc2.
LEVELS = (1, DEFAULT_LEVEL, 9)
BAR = 1.25


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


def measure_blosc2(library, field, touched, level, threads, times):
    byte_count = field.nbytes
    room = byte_count + 64  # What Blosc2 asks for beyond the bytes.
    library.blosc2_set_nthreads(threads)

    def compress(memory):
        return library.blosc2_compress(
            level, 1, 8, field.ctypes.data, byte_count, memory.address, room)  # 1: byte shuffle.

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
    return byte_count / packed_count


def measure_graphcodable(program, threads, times):
    subject = f"GraphCodable.lz4-{threads}thread" + ("s" if threads > 1 else "")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [program, "--quiet", "--iterations", str(REPETITIONS), "--results", folder,
             "--filter", rf"^W4\.(encode|decode)\.{subject}$"],
            check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "results.json")) as file:
            results = json.load(file)["results"]
    for result in results:
        times.setdefault(result["operation"], []).append(result["medianNanoseconds"] / 1e9)
    return COUNT * len(PERIODS) * 8 / results[0]["storedByteCount"]


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else ".build/release/benchmarks"
    field = make_field()
    touched = np.zeros_like(field)
    touched.fill(1)
    library = open_blosc2()
    times, ratios = {}, {}
    for _ in range(ROUNDS):
        for threads in (1, 2):
            own = ("GraphCodable", threads)
            ratios[own] = measure_graphcodable(program, threads, times.setdefault(own, {}))
            for level in LEVELS:
                name = (f"Blosc2 level {level}", threads)
                ratios[name] = measure_blosc2(library, field, touched, level, threads, times.setdefault(name, {}))

    def rate(name, operation):
        return field.nbytes / statistics.median(times[name][operation]) / 1e9

    kinds = ("encode, fresh", "encode, large", "decode, fresh", "decode, large", "decode, touched")
    print("GB/s, and in brackets how many times as fast GraphCodable is")
    print(f"{'':15} threads  ratio" + "".join(f"{kind:>17}" for kind in kinds))
    for name in sorted(times, key=lambda name: (name[1], name[0])):
        own = ("GraphCodable", name[1])
        print(f"{name[0]:15} {name[1]:7}  {ratios[name]:.3f}", end="")
        for kind in kinds:
            operation = kind.split(",")[0]
            if name != own:
                print(f"{rate(name, kind):10.2f} ({rate(own, operation) / rate(name, kind):.2f})", end="")
            elif kind.endswith("large"):
                print(f"{rate(own, operation):10.2f}       ", end="")
            else:
                print(" " * 17, end="")
        print()
    print(f"Blosc2: python-blosc2 {blosc2.__version__}, C-Blosc2 {blosc2.blosclib_version}")
    for operation in ("encode", "decode"):
        gain = rate(("GraphCodable", 2), operation) / rate(("GraphCodable", 1), operation)
        print(f"GraphCodable, {operation}: two threads are {gain:.2f} times as fast as one")

    all_pass = True
    for threads in (1, 2):
        for level in LEVELS:
            own, other = ("GraphCodable", threads), (f"Blosc2 level {level}", threads)
            # As printed: the last digits are those of the noise in the field.
            is_small = round(ratios[own], 3) >= round(ratios[other], 3)
            for operation in ("encode", "decode"):
                speed = rate(own, operation) / rate(other, f"{operation}, fresh")
                verdict = "lower ratio" if not is_small else "pass" if speed >= BAR else "NOT YET"
                if level == DEFAULT_LEVEL:
                    all_pass = all_pass and verdict == "pass"
                print(
                    f"W4 {operation}, threads: {threads}, {speed:.2f} of {other[0]}, at least {BAR}; "
                    f"ratio {ratios[own]:.3f}, theirs {ratios[other]:.3f}: {verdict}")
    return 0 if all_pass else 1


if __name__ == "__main__":
    sys.exit(main())
