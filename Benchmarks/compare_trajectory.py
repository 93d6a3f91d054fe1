#!/usr/bin/env python3
"""Compares a trajectory to a precision with XTC, ZFP and Blosc2: ratio, and the speed of writing and reading on one core.

    python3 -m venv .build/venv && .build/venv/bin/pip install MDAnalysis zfpy blosc2
    swift build -c release --product benchmarks
    .build/venv/bin/python Benchmarks/compare_trajectory.py FOLDER [.build/release/benchmarks]

FOLDER has adk_dims.dcd and adk.psf (`make data`): 98 frames of 3,341 atoms. GraphCodable encodes them as `[[SIMD3<Float>]]`
with an absolute precision, in memory, as the cases `W8.*.GraphCodable.*-0.005` of the benchmark suite do; XTC is written to
and read from a file in memory where there is /dev/shm. ZFP takes the frames as an array of three dimensions with the same
absolute error. Blosc2, which has no such precision, gets the same integers as GraphCodable's filters make, at bit shuffle and
LZ4, without differences. XTC's precision of 100 (10) per ångström has an error of 0.005 (0.05). All are measured by turns, five
times, and the medians compared.

At the end stands a row for each bar, and the exit status is 1 where one is not reached.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import blosc2
import MDAnalysis
import numpy as np
import zfpy
from MDAnalysis.lib.formats.libmdaxdr import XTCFile

warnings.filterwarnings("ignore")
ROUNDS, REPETITIONS = 5, 15
SPEED_BAR = 8
RATIO_BARS = {
    "lz4-0.005": 3.7, "lz4hc-0.005": 4.05, "lz4-0.05": 6.0, "lz4-0.005-frame": 2.9, "lz4hc-0.005-frame": 3.25,
}


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def median(work):
    pairs = [timed(work) for _ in range(REPETITIONS)]
    return statistics.median(seconds for seconds, _ in pairs), pairs[0][1]


def read_frames(folder):
    universe = MDAnalysis.Universe(os.path.join(folder, "adk.psf"), os.path.join(folder, "adk_dims.dcd"))
    return np.array([frame.positions.copy() for frame in universe.trajectory], dtype=np.float32)


def measure_xtc(frames, error):
    box = np.eye(3, dtype=np.float32) * 100
    nanometres = frames / np.float32(10)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        path = os.path.join(folder, "frames.xtc")

        def write():
            with XTCFile(path, "w") as file:
                for number, frame in enumerate(nanometres):
                    file.write(frame, box, number, number, precision=round(10 / (2 * error)))

        def read():
            with XTCFile(path) as file:
                return [frame.x.copy() for frame in file]

        encode, _ = median(write)
        decode, back = median(read)
        assert np.abs(np.array(back) * 10 - frames).max() <= error * 1.01
        return frames.nbytes / os.path.getsize(path), encode, decode


def measure_zfp(frames, error):
    encode, packed = median(lambda: zfpy.compress_numpy(frames, tolerance=error))
    decode, back = median(lambda: zfpy.decompress_numpy(packed))
    assert np.abs(back - frames).max() <= error
    return frames.nbytes / len(packed), encode, decode


def measure_blosc2(frames, error):
    settings = {"typesize": 4, "clevel": 5, "filter": blosc2.Filter.BITSHUFFLE, "codec": blosc2.Codec.LZ4}
    blosc2.set_nthreads(1)

    def compress():
        return blosc2.compress(np.rint(frames / (2 * error)).astype(np.int32), **settings)

    encode, packed = median(compress)
    decode, _ = median(
        lambda: np.frombuffer(blosc2.decompress(packed), np.int32).astype(np.float32) * np.float32(2 * error))
    return frames.nbytes / len(packed), encode, decode


def measure_graphcodable(program, folder, byte_counts):
    with tempfile.TemporaryDirectory() as results:
        subprocess.run(
            [program, "--quiet", "--iterations", str(REPETITIONS), "--results", results, "--data", folder,
             "--filter", r"^W8\.(encode|decode)\.GraphCodable\.(lz4|lz4hc)-0\."],
            check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(results, "results.json")) as file:
            found = json.load(file)["results"]
    rows = {}
    for result in found:
        name = result["subject"].removeprefix("GraphCodable.")
        row = rows.setdefault(name, {})
        row[result["operation"]] = result["medianNanoseconds"] / 1e9
        row["ratio"] = byte_counts["frame" if name.endswith("frame") else "all"] / result["storedByteCount"]
    return {name: (row["ratio"], row["encode"], row["decode"]) for name, row in rows.items()}


def measure_peers(frames):
    rows = {}
    for error in (0.005, 0.05):
        rows[f"XTC, {error}"] = measure_xtc(frames, error)
        rows[f"ZFP, {error}"] = measure_zfp(frames, error)
        rows[f"Blosc2, {error}"] = measure_blosc2(frames, error)
    return rows


def medians(rounds):
    return {name: tuple(map(statistics.median, zip(*(rows[name] for rows in rounds)))) for name in rounds[0]}


def main():
    folder = sys.argv[1]
    program = sys.argv[2] if len(sys.argv) > 2 else ".build/release/benchmarks"
    frames = read_frames(folder)
    byte_counts = {"all": frames.nbytes, "frame": frames[0].nbytes}
    rounds = [(measure_graphcodable(program, folder, byte_counts), measure_peers(frames)) for _ in range(ROUNDS)]
    own, peers = map(medians, zip(*rounds))
    print(f"{'':28}  ratio  write MB/s  read MB/s")
    for name, (ratio, encode, decode) in [*own.items(), *peers.items()]:
        size = byte_counts["frame" if name.endswith("frame") else "all"] / 1e6
        print(f"{name:28} {ratio:6.2f} {size / encode:11.0f} {size / decode:10.0f}")

    all_pass = True
    for name, bar in RATIO_BARS.items():
        ratio = own[name][0]
        all_pass = all_pass and ratio >= bar
        print(f"{name}: ratio {ratio:.2f}, at least {bar}: {'pass' if ratio >= bar else 'NOT YET'}")
    for error in (0.005, 0.05):
        for index, operation in ((1, "written"), (2, "read")):
            speed = peers[f"XTC, {error}"][index] / own[f"lz4-{error}"][index]
            all_pass = all_pass and speed >= SPEED_BAR
            print(f"{error}: {operation} {speed:.1f} times as fast as XTC, at least {SPEED_BAR}: "
                  f"{'pass' if speed >= SPEED_BAR else 'NOT YET'}")
    return 0 if all_pass else 1


if __name__ == "__main__":
    sys.exit(main())
