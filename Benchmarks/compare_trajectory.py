#!/usr/bin/env python3
"""Compares trajectories to a precision with XTC, SZ3, ZFP, Blosc2 and zstd: ratio, and the speed of writing and reading on one core.

    python3 -m venv .build/venv && .build/venv/bin/pip install MDAnalysis MDAnalysisTests blosc2 pysz zfpy zstandard
    swift build -c release --product benchmarks
    .build/venv/bin/python Benchmarks/compare_trajectory.py FOLDER [.build/release/benchmarks]

FOLDER has adk_dims.dcd (`make data`), a protein without water. Molecules in water are those of MDAnalysisTests; without it, and without
a peer's package, these are left out, with a line that says so. GraphCodable encodes frames as `[[SIMD3<Float>]]` with an absolute precision, in
memory, as the cases `W8.*.GraphCodable.*-0.005` of the benchmark suite do, which is given each system as its data.

XTC is written to and read from a file in memory where there is /dev/shm; its precision of 100 (10) per ångström has an error of 0.005 (0.05).
SZ3 and ZFP get the layout of axes, and SZ3 the algorithm, with which they are smallest. Blosc2 gets integers as GraphCodable's filters make them, at bit shuffle and LZ4,
without differences; zstd (level 3) gets their differences by frame or by atom, whichever is smaller, bytes shuffled, and what NumPy does to that end
is not counted.

Peers are measured in processor time, and GraphCodable by its suite's medians of wall time, on one thread. All take turns, five times; of the
rounds the fastest counts, since other work makes rounds only slower. At the end stands what is ahead of GraphCodable's LZ4 and of its codec for
numbers, and a row for each bar; the exit status is 1 where one is not reached.
"""

from __future__ import annotations

import importlib
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from MDAnalysis.coordinates.DCD import DCDReader
from MDAnalysis.lib.formats.libdcd import DCDFile
from MDAnalysis.lib.formats.libmdaxdr import TRRFile, XTCFile

warnings.filterwarnings("ignore")
ROUNDS, REPETITIONS = 5, 5
ERRORS = (0.005, 0.05)
SPEED_BAR = 8
RATIO_BARS = {"lz4-0.005": 3.7, "lz4hc-0.005": 4.05, "lz4-0.05": 6.0, "lz4-0.005-frame": 2.9, "lz4hc-0.005-frame": 3.25}
# Of `.small`: ratios to both errors, and how many times as fast as XTC it is written and read at the first.
SMALL_RATIO_BARS = {"adk, dry": (4.7, 9.0), "adk in water": (3.9, 5.9), "water": (4.4, 8.0), "lipids": (3.65, 5.8)}
SMALL_SPEED_BARS = (1, 2)
DRY = "adk, dry"
# Frames are ångströms; these files have nanometres.
IN_WATER = {"adk in water": "adk_oplsaa.trr", "water": "aux_edr.xtc", "lipids": "analysis/YiiP_lipids.xtc"}


def optional(name):
    """A package of a peer, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name}: skipped, since it is not installed")
        return None


def median(work):
    """Of the processor time of this process."""
    seconds = []
    for _ in range(REPETITIONS):
        start = time.process_time()
        result = work()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds), result


# MARK: Systems


def read_systems(folder):
    systems = {DRY: np.array([frame.positions.copy() for frame in DCDReader(os.path.join(folder, "adk_dims.dcd"))], np.float32)}
    tests = optional("MDAnalysisTests")
    for name, file in IN_WATER.items() if tests else ():
        path = os.path.join(os.path.dirname(tests.__file__), "data", file)
        if not os.path.exists(path):
            print(f"{name}: skipped, since this MDAnalysisTests has no {file}")
            continue
        with (TRRFile if file.endswith("trr") else XTCFile)(path) as frames:
            systems[name] = np.array([frame.x.copy() for frame in frames], np.float32) * np.float32(10)
    return systems


def save_as_dcd(frames, folder):
    """Where the benchmark suite looks for a trajectory, with a topology of as many atoms, which it reads as well."""
    with DCDFile(os.path.join(folder, "adk_dims.dcd"), "w") as file:
        file.write_header(remarks="", natoms=frames.shape[1], istart=0, nsavc=1, delta=1, is_periodic=0)
        for frame in frames:
            file.write(frame, [0, 0, 0, 90, 90, 90])
    atoms = frames.shape[1]
    with open(os.path.join(folder, "adk.psf"), "w") as file:
        file.write(f"PSF NAMD\n\n{atoms:8} !NATOM\n")
        file.writelines(f"{atom:8} W 1 WAT O 1 0.0 16.0 0\n" for atom in range(1, atoms + 1))
        file.writelines(f"\n{0:8} !{section}\n" for section in ("NBOND", "NTHETA", "NPHI", "NIMPHI"))


# MARK: Peers, each of which gives the bytes, and the seconds of both ways


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
        return os.path.getsize(path), encode, decode


def layouts(frames):
    """The axes in any order, and atoms with their coordinates as one axis."""
    orders = [np.ascontiguousarray(frames.transpose(axes)) for axes in itertools.permutations(range(3))]
    return [*orders, frames.reshape(len(frames), -1), np.ascontiguousarray(frames.reshape(len(frames), -1).T)]


def measure_zfp(zfpy, frames, error):
    best = min(layouts(frames), key=lambda each: len(zfpy.compress_numpy(each, tolerance=error)))
    encode, packed = median(lambda: zfpy.compress_numpy(best, tolerance=error))
    decode, back = median(lambda: zfpy.decompress_numpy(packed))
    assert np.abs(back - best).max() <= error
    return len(packed), encode, decode


def measure_sz3(pysz, frames, error):
    def packed(config, layout):
        return pysz.sz.compress(layout, config)[0]

    configs = []
    for algorithm in (pysz.szAlgorithm.INTERP_LORENZO, pysz.szAlgorithm.LORENZO_REG):
        config = pysz.szConfig()
        config.errorBoundMode, config.absErrorBound, config.cmprAlgo = pysz.szErrorBoundMode.ABS, error, algorithm
        configs.append(config)
    best = min(itertools.product(configs, layouts(frames)), key=lambda each: len(packed(*each)))
    encode, stored = median(lambda: packed(*best))
    decode, (back, _) = median(lambda: pysz.sz.decompress(stored, np.float32, best[1].shape))
    # Its bound is that of binary64, and its numbers are rounded to binary32.
    assert np.abs(back.astype(np.float64) - best[1]).max() <= error * 1.001
    return len(stored), encode, decode


def measure_blosc2(blosc2, frames, error):
    settings = {"typesize": 4, "clevel": 5, "filter": blosc2.Filter.BITSHUFFLE, "codec": blosc2.Codec.LZ4}
    blosc2.set_nthreads(1)
    encode, packed = median(lambda: blosc2.compress(np.rint(frames / (2 * error)).astype(np.int32), **settings))
    decode, _ = median(
        lambda: np.frombuffer(blosc2.decompress(packed), np.int32).astype(np.float32) * np.float32(2 * error))
    return len(packed), encode, decode


def measure_zstd(zstandard, frames, error):
    steps = np.rint(frames / (2 * error)).astype(np.int32)
    compressor, decompressor = zstandard.ZstdCompressor(3), zstandard.ZstdDecompressor()

    def shuffled(axis):
        differences = np.diff(steps, axis=axis, prepend=np.int32(0))
        numbers = (differences << 1 ^ differences >> 31).astype("<u4")
        return np.ascontiguousarray(numbers.reshape(-1).view(np.uint8).reshape(-1, 4).T).tobytes()

    best = min(map(shuffled, (0, 1)), key=lambda each: len(compressor.compress(each)))
    encode, packed = median(lambda: compressor.compress(best))
    decode, _ = median(lambda: decompressor.decompress(packed))
    return len(packed), encode, decode


PEERS = {"SZ3": ("pysz", measure_sz3), "ZFP": ("zfpy", measure_zfp), "Blosc2": ("blosc2", measure_blosc2),
         "zstd": ("zstandard", measure_zstd)}  # fmt: skip


def measure_peers(frames, packages):
    rows = {}
    for error in ERRORS:
        rows[f"XTC, {error}"] = measure_xtc(frames, error)
        for name, (package, measure) in PEERS.items():
            if packages[package] is not None:
                rows[f"{name}, {error}"] = measure(packages[package], frames, error)
    return rows


def measure_graphcodable(program, folder):
    with tempfile.TemporaryDirectory() as results:
        subprocess.run(
            [program, "--quiet", "--iterations", str(3 * REPETITIONS), "--results", results, "--data", folder,
             "--filter", r"^W8\.(encode|decode)\.GraphCodable\.(lz4|lz4hc|small)-0\."],
            check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(results, "results.json")) as file:
            found = json.load(file)["results"]
    rows = {}
    for result in found:
        row = rows.setdefault(result["subject"].removeprefix("GraphCodable."), {})
        row[result["operation"]] = result["medianNanoseconds"] / 1e9
        row["bytes"] = result["storedByteCount"]
    return {name: (row["bytes"], row["encode"], row["decode"]) for name, row in rows.items()}


def measure(name, frames, program, packages):
    """Ratio, and seconds of writing and reading, of all."""
    with tempfile.TemporaryDirectory() as folder:
        save_as_dcd(frames, folder)
        rounds = [{**measure_graphcodable(program, folder), **measure_peers(frames, packages)} for _ in range(ROUNDS)]
    rows = {}
    print(f"\n{f'{name}: {frames.shape[0]} × {frames.shape[1]:,}':28}  ratio  write MB/s  read MB/s")
    for row in rounds[0]:
        size = frames[0].nbytes if row.endswith("frame") else frames.nbytes
        _, encode, decode = (min(values) for values in zip(*(each[row] for each in rounds)))
        rows[row] = size / rounds[0][row][0], encode, decode
        print(f"{row:28} {rows[row][0]:6.2f} {size / encode / 1e6:11.0f} {size / decode / 1e6:10.0f}")
    return rows


def print_who_is_ahead(name, rows):
    for codec, error in itertools.product(("lz4", "small"), ERRORS):
        own = rows[f"{codec}-{error}"]
        ahead = [(row.partition(",")[0], its) for row, its in rows.items() if row.endswith(f", {error}") and its[0] > 1.005 * own[0]]
        text = ", ".join(f"{peer} by {its[0] / own[0] - 1:.0%}" for peer, its in sorted(ahead, key=lambda each: -each[1][0]))
        print(f"{name}, {error}: {text or 'nothing'} is smaller than {codec}'s {own[0]:.2f}")


def passes(what, value, bar):
    """Prints whether a bar is reached: a ratio may be 2% lower."""
    is_ratio = what.endswith("ratio")
    is_reached = value >= (0.98 * bar if is_ratio else bar)
    print(f"{what} {value:.2f}, at least {bar}{' less 2%' if is_ratio else ''}: {'pass' if is_reached else 'NOT YET'}")
    return is_reached


def check_small(name, rows):
    all_pass = True
    for error, bar in zip(ERRORS, SMALL_RATIO_BARS[name]):
        all_pass &= passes(f"{name}, small-{error}: ratio", rows[f"small-{error}"][0], bar)
    for index, operation in ((1, "written"), (2, "read")):
        speed = rows[f"XTC, {ERRORS[0]}"][index] / rows[f"small-{ERRORS[0]}"][index]
        all_pass &= passes(f"{name}, small-{ERRORS[0]}: times as fast {operation} as XTC", speed, SMALL_SPEED_BARS[index - 1])
    return all_pass


def main():
    folder = sys.argv[1]
    program = sys.argv[2] if len(sys.argv) > 2 else ".build/release/benchmarks"
    packages = {package: optional(package) for package, _ in PEERS.values()}
    rows = {name: measure(name, frames, program, packages) for name, frames in read_systems(folder).items()}
    print()
    for name, its in rows.items():
        print_who_is_ahead(name, its)

    own, all_pass = rows[DRY], True
    for name, its in rows.items():
        all_pass &= check_small(name, its)
    for name, bar in RATIO_BARS.items():
        all_pass &= passes(f"{name}: ratio", own[name][0], bar)
    for error in ERRORS:
        for index, operation in ((1, "written"), (2, "read")):
            speed = own[f"XTC, {error}"][index] / own[f"lz4-{error}"][index]
            all_pass &= passes(f"lz4-{error}: times as fast {operation} as XTC", speed, SPEED_BAR)
    return 0 if all_pass else 1


if __name__ == "__main__":
    sys.exit(main())
