#!/usr/bin/env python3
"""Compares arrays of numbers, bit for bit, with pcodec: ratio, and the speed of writing and reading on one core.

    python3 -m venv .build/venv
    .build/venv/bin/pip install numpy pcodec iris-sample-data netCDF4 MDAnalysis MDAnalysisTests nibabel dipy obspy
    swift build -c release --product benchmarks
    .build/venv/bin/python Benchmarks/compare_numbers.py [.build/release/benchmarks]

The arrays are a field like those of W4, made here, and examples that packages of Python carry; those of a package that is missing are left
out, with a line that says so. `benchmarks numbers` encodes each as a `GArray` of its shape, with `.small` and with LZ4, and counts the whole
archive. pcodec gets the numbers as one run, with its defaults.

All is in memory, on one core, in processor time. Both take turns, five times, and the fastest counts, since other work makes rounds only slower.
At the end stand the bars: the exit status is 1 where one is not reached.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from importlib import import_module

import numpy as np
from pcodec import ChunkConfig, standalone

warnings.filterwarnings("ignore")
ROUNDS = 5
# Of repetitions in a round, each way.
SECONDS = 0.3
FEWEST = 3
# Of all arrays, as many have at least pcodec's ratio, and the others nearly so.
AS_SMALL, NEARLY = 7, 0.97
WRITTEN, READ = 2, 1


def folder_of(package):
    return os.path.dirname(import_module(package).__file__)


# MARK: Arrays


def smooth_field():
    """Like an array of W4: a sine and its third harmonic about an offset, with noise."""
    angle = np.arange(500_000) * (2 * np.pi / 900)
    return 2.5 + np.sin(angle) + 0.2 * np.sin(3 * angle) + np.random.default_rng(4).uniform(-3e-5, 3e-5, angle.size)


def climate(name, variable):
    netCDF4 = import_module("netCDF4")
    with netCDF4.Dataset(os.path.join(folder_of("iris_sample_data"), "sample_data", name)) as file:
        file.set_auto_maskandscale(False)
        return file[variable][:]


def weather(name, stash):
    """The fields of a kind in a PP file: big-endian records, a header and then its field, with their length at both ends."""
    with open(os.path.join(folder_of("iris_sample_data"), "sample_data", name), "rb") as file:
        contents = file.read()
    fields, place, header = [], 0, None
    while place < len(contents):
        count = int.from_bytes(contents[place : place + 4], "big")
        words = np.frombuffer(contents, ">i4", count // 4, place + 4)
        place += count + 8
        if header is None:
            header = words
            continue
        # Words of a header are counted from 1: rows are 18, columns 19, packing 21 and the kind 42.
        if header[41] == stash and header[20] == 0:
            fields.append(words.view(">f4")[: header[17] * header[18]].reshape(header[17], header[18]))
        header = None
    return np.array(fields, "<f4")


def velocities():
    TRRFile = import_module("MDAnalysis.lib.formats.libmdaxdr").TRRFile
    with TRRFile(os.path.join(folder_of("MDAnalysisTests"), "data", "adk_oplsaa.trr")) as frames:
        # Ångströms per picosecond, as MDAnalysis has them.
        return np.array([frame.v for frame in frames], np.float32) * np.float32(10)


def diffusion():
    nibabel = import_module("nibabel")
    return nibabel.load(os.path.join(folder_of("dipy"), "data", "files", "test_piesno.nii.gz")).get_fdata()


def seismogram():
    obspy = import_module("obspy")
    file = os.path.join(folder_of("obspy"), "io", "gse2", "tests", "data", "loc_RNON20040609200559.z")
    return obspy.read(file)[0].data.astype(np.float64)


def functional():
    nibabel = import_module("nibabel")
    return nibabel.load(os.path.join(folder_of("nibabel"), "tests", "data", "example4d.nii.gz")).dataobj.get_unscaled()


ARRAYS = {
    "smooth field": smooth_field,
    "air temperature, A1B": lambda: climate("A1B_north_america.nc", "air_temperature"),
    "air pressure, colpex": lambda: weather("colpex.pp", 408),
    "temperature, UK": lambda: weather("uk_hires.pp", 4),
    "sea surface, OSTIA": lambda: climate("ostia_monthly.nc", "surface_temperature"),
    "velocities": velocities,
    "diffusion MRI": diffusion,
    "seismogram": seismogram,
    "functional MRI": functional,
}


def make_arrays():
    arrays = {}
    for name, make in ARRAYS.items():
        try:
            array = np.asarray(make())
        except (ImportError, OSError) as error:
            print(f"{name}: skipped, since {error}")
            continue
        arrays[name] = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return arrays


# MARK: Measuring


def fastest(work):
    """Of the processor time of this process."""
    spent, least, count = 0.0, float("inf"), 0
    while spent < SECONDS or count < FEWEST:
        start = time.process_time()
        result = work()
        seconds = time.process_time() - start
        # The clock of a virtual machine may stand still for a moment.
        least = min(least, seconds) if seconds > 0 else least
        spent, count = spent + seconds, count + 1
    return least, result


def measure_pcodec(array):
    numbers = array.reshape(-1)
    write, packed = fastest(lambda: standalone.simple_compress(numbers, ChunkConfig()))
    read, back = fastest(lambda: standalone.simple_decompress(packed))
    assert back.tobytes() == array.tobytes()
    return len(packed), write, read


def measure_graphcodable(program, file):
    output = subprocess.run(
        [program, "numbers", "--json", "--seconds", str(SECONDS), file], check=True, stdout=subprocess.PIPE).stdout
    return {
        cost["choice"]: (cost["storedByteCount"], cost["writeSeconds"], cost["readSeconds"]) for cost in json.loads(output)
    }


def measure(name, array, program, folder):
    """Ratio, and seconds of writing and reading, of all."""
    file = os.path.join(folder, "array.npy")
    np.save(file, array)
    rounds = [{**measure_graphcodable(program, file), "pcodec": measure_pcodec(array)} for _ in range(ROUNDS)]
    title = f"{name}, {array.dtype.name} {' × '.join(map(str, array.shape))}"
    rows = {}
    for row in ("small", "pcodec", "lz4"):
        _, write, read = (min(values) for values in zip(*(each[row] for each in rounds)))
        rows[row] = array.nbytes / rounds[0][row][0], write, read
        print(f"{title:48} {row:7} {rows[row][0]:7.3f} {array.nbytes / write / 1e6:11.0f} {array.nbytes / read / 1e6:10.0f}")
        title = ""
    return rows


# MARK: Bars


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else ".build/release/benchmarks"
    arrays = make_arrays()
    print(f"{'':56}   ratio  write MB/s  read MB/s")
    with tempfile.TemporaryDirectory() as folder:
        rows = {name: measure(name, array, program, folder) for name, array in arrays.items()}

    all_pass = True

    def bar(text, passes):
        nonlocal all_pass
        all_pass = all_pass and passes
        print(f"{text}: {'pass' if passes else 'NOT YET'}")

    print()
    ratios = {name: its["small"][0] / its["pcodec"][0] for name, its in rows.items()}
    as_small = sum(ratio >= 1 for ratio in ratios.values())
    bar(f"at least pcodec's ratio for {as_small} of {len(rows)} arrays, at least {AS_SMALL}", as_small >= AS_SMALL)
    for name, its in rows.items():
        write, read = (its["pcodec"][index] / its["small"][index] for index in (1, 2))
        bar(f"{name}: {ratios[name]:.3f} times pcodec's ratio, at least {NEARLY}", ratios[name] >= NEARLY)
        bar(f"{name}: written {write:.2f} times as fast, at least {WRITTEN}", write >= WRITTEN)
        bar(f"{name}: read {read:.2f} times as fast, at least {READ}", read >= READ)
    return 0 if all_pass else 1


if __name__ == "__main__":
    sys.exit(main())
