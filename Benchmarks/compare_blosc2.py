#!/usr/bin/env python3
"""Compares W4 of the benchmark suite with Blosc2: LZ4 and byte shuffle, one and two threads.

    python3 -m venv .build/venv && .build/venv/bin/pip install blosc2
    swift build -c release
    .build/venv/bin/python Benchmarks/compare_blosc2.py [.build/release/benchmarks]

Both do the same field by turns, several times; the medians are compared. Blosc2 gets the eight arrays in one
buffer that is made by the formula of Benchmarks/Workloads/Fields/FieldSet.swift. "fresh" gives it new memory
for its result, as GraphCodable takes it; "touched" decompresses into an array that has been used before.

At the end stands a row for each bar: GraphCodable must be 1.25 times as fast as Blosc2 with as many threads, with new
memory on both sides and a ratio that is no lower. The exit status is 1 where that is not reached for the default level.
"""

import json
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


def measure_blosc2(field, touched, level, threads, times):
    parameters = {
        "codec": blosc2.Codec.LZ4, "clevel": level, "typesize": 8, "nthreads": threads,
        "filters": [blosc2.Filter.SHUFFLE], "filters_meta": [0],
    }
    for _ in range(REPETITIONS):
        seconds, packed = timed(lambda: blosc2.compress2(field, **parameters))
        times.setdefault("encode", []).append(seconds)
        seconds, _ = timed(lambda: blosc2.decompress2(packed, nthreads=threads))
        times.setdefault("decode, fresh", []).append(seconds)
        seconds, _ = timed(lambda: blosc2.decompress2(packed, dst=touched, nthreads=threads))
        times.setdefault("decode, touched", []).append(seconds)
    assert np.array_equal(field, touched)
    return field.nbytes / len(packed)


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
    touched = np.empty_like(field)
    times, ratios = {}, {}
    for _ in range(ROUNDS):
        for threads in (1, 2):
            own = ("GraphCodable", threads)
            ratios[own] = measure_graphcodable(program, threads, times.setdefault(own, {}))
            for level in LEVELS:
                name = (f"Blosc2 level {level}", threads)
                ratios[name] = measure_blosc2(field, touched, level, threads, times.setdefault(name, {}))

    def rate(name, operation):
        return field.nbytes / statistics.median(times[name][operation]) / 1e9

    print(f"{'':15} threads  ratio  GB/s: encode  decode")
    for name in sorted(times, key=lambda name: (name[1], name[0])):
        own = ("GraphCodable", name[1])
        encode = rate(name, "encode")
        if name == own:
            print(f"{name[0]:15} {name[1]:7}  {ratios[name]:.3f}  {encode:12.2f}  {rate(name, 'decode'):6.2f}")
            continue
        fresh, touched_rate = rate(name, "decode, fresh"), rate(name, "decode, touched")
        print(
            f"{name[0]:15} {name[1]:7}  {ratios[name]:.3f}  {encode:12.2f}  {fresh:6.2f} fresh, "
            f"{touched_rate:.2f} touched; GraphCodable is {rate(own, 'encode') / encode:.2f}, "
            f"{rate(own, 'decode') / fresh:.2f} and {rate(own, 'decode') / touched_rate:.2f} times as fast")
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
            for operation, other_operation in (("encode", "encode"), ("decode", "decode, fresh")):
                speed = rate(own, operation) / rate(other, other_operation)
                verdict = "lower ratio" if not is_small else "pass" if speed >= BAR else "NOT YET"
                if level == DEFAULT_LEVEL:
                    all_pass = all_pass and verdict == "pass"
                print(
                    f"W4 {operation}, threads: {threads}, {speed:.2f} of {other[0]}, at least {BAR}; "
                    f"ratio {ratios[own]:.3f}, theirs {ratios[other]:.3f}: {verdict}")
    return 0 if all_pass else 1


if __name__ == "__main__":
    sys.exit(main())
