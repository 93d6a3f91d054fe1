#!/usr/bin/env python3
"""Compares sets with parallel HDF5 and with openPMD on ADIOS2: ranks that save 64 MB each, together.

    sudo apt-get install python3-h5py-mpi python3-mpi4py && make setup-mpi
    python3 -m venv .build/venv && .build/venv/bin/pip install numpy mpi4py openpmd-api
    scripts/nested.sh MPI build -c release --product mpi-benchmark
    /usr/bin/python3 Benchmarks/compare_parallel.py PROGRAM .build/venv/bin/python [FOLDER]

PROGRAM is mpi-benchmark, in the folder that the third line prints with --show-bin-path. All save the same eight arrays of
1,000,000 numbers a rank, as W4 of the suite has them: GraphCodable as a set and as unrelated archives; h5py as one file by
MPI-IO, where compressed chunks are written collectively, with gzip and byte shuffle, the one fast compressor that parallel
HDF5 of Debian has; openPMD-api of PyPI, which has no MPI, as a series a rank on ADIOS2 (BP4 or BP5), compressed by Blosc with LZ4
and byte shuffle. Each round writes new files, and none is replaced. It begins
when all ranks do, and ends when all have their data on the device: the peers' files are synced, as GraphCodable's are. The order changes from round to round, and medians are compared.

At the end stands a row for each bar, and the exit status is 1 where one is not reached.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

RANKS = 4
ELEMENTS = 1_000_000
ARRAYS = 8
ROUNDS = 5  # Of each run of a program; there are TURNS of them.
TURNS = 3
TOGETHER_BAR = 1.15


def sync(path):
    for root, _, names in os.walk(path) if os.path.isdir(path) else [(os.path.dirname(path), [], [os.path.basename(path)])]:
        for name in names:
            descriptor = os.open(os.path.join(root, name), os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)


def own_arrays(folder, rank):
    import numpy as np

    return np.fromfile(os.path.join(folder, f"raw-{rank}")).reshape(ARRAYS, -1)


def save_h5py(comm, folder, arrays, compressed):
    import h5py

    path = os.path.join(folder, "arrays.h5")
    first = comm.rank * arrays.shape[1]
    options = {"chunks": (131_072,), "compression": "gzip", "compression_opts": 1, "shuffle": True} if compressed else {}
    with h5py.File(path, "w", driver="mpio", comm=comm) as file:
        for number, array in enumerate(arrays):
            dataset = file.create_dataset(f"array{number}", (arrays.shape[1] * comm.size,), "f8", **options)
            with dataset.collective:
                dataset[first:first + len(array)] = array
    if comm.rank == 0:
        sync(path)


def save_openpmd(comm, folder, arrays, compressed):
    import openpmd_api as openpmd

    path = os.path.join(folder, f"arrays-{comm.rank}.bp")
    operator = {"type": "blosc", "parameters": {"compressor": "lz4", "clevel": 1, "doshuffle": "BLOSC_SHUFFLE"}}
    options = {"backend": "adios2", "adios2": {"dataset": {"operators": [operator] if compressed else []}}}
    series = openpmd.Series(path, openpmd.Access.create, json.dumps(options))
    for number, array in enumerate(arrays):
        component = series.iterations[0].meshes[f"array{number}"][openpmd.Mesh_Record_Component.SCALAR]
        component.reset_dataset(openpmd.Dataset(array.dtype, array.shape))
        component.store_chunk(array)
    series.flush()
    series.close()
    sync(path)


def work(peer, folder):
    """One rank of a peer: rank 0 prints the seconds of each round."""
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    arrays = own_arrays(folder, comm.rank)
    save = {"h5py": save_h5py, "openpmd": save_openpmd}[peer]
    times = {}
    for compressed in (False, True):
        for number in range(ROUNDS):
            place = os.path.join(folder, f"{peer}-{compressed}-{number}")
            if comm.rank == 0:
                os.mkdir(place)
            comm.Barrier()
            start = time.perf_counter()
            save(comm, place, arrays, compressed)
            comm.Barrier()
            times.setdefault(f"{peer}-{'compressed' if compressed else 'plain'}", []).append(time.perf_counter() - start)
            if comm.rank == 0:
                shutil.rmtree(place)
    if comm.rank == 0:
        print(json.dumps({"times": times}), flush=True)


def mpirun(*command):
    line = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(RANKS), *command]
    result = subprocess.run(line, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: {result.stderr[-2000:]}")
    return json.loads(next(line for line in result.stdout.splitlines() if line.startswith("{")))


def main():
    program, python = sys.argv[1:3]
    parent = sys.argv[3] if len(sys.argv) > 3 else None
    times, sizes = {}, {}
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        own = lambda: mpirun(program, folder, str(ELEMENTS), str(ROUNDS))
        peers = [
            lambda: mpirun(sys.executable, __file__, "--rank", "h5py", folder),
            lambda: mpirun(python, __file__, "--rank", "openpmd", folder),
        ]
        for turn in range(TURNS):
            for run in [own, *peers] if turn % 2 == 0 else [own, *reversed(peers)]:
                report = run()
                sizes.update(report.get("bytes", {}))
                for name, seconds in report["times"].items():
                    times.setdefault(name, []).extend(seconds[1:])  # The first one makes the files.
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    total = RANKS * ARRAYS * ELEMENTS * 8
    print(f"{RANKS} ranks, {total / RANKS / 1e6:.0f} MB each; medians of {TURNS * (ROUNDS - 1)}, on the device")
    for name, seconds in sorted(medians.items()):
        print(f"{name:22} {seconds * 1e3:8.1f} ms {total / seconds / 1e9:6.2f} GB/s")
    print("bytes of a set:", ", ".join(f"{name} {size}" for name, size in sizes.items()))
    passed = True
    for form in ("plain", "compressed"):
        rows = [(f"together / unrelated, {form}", medians[f"together-{form}"] / medians[f"unrelated-{form}"], TOGETHER_BAR)]
        rows += [(f"together / {peer}, {form}", medians[f"together-{form}"] / medians[f"{peer}-{form}"], 1) for peer in ("h5py", "openpmd")]
        for title, ratio, bar in rows:
            passed = passed and ratio <= bar
            print(f"{title}: {ratio:.2f}, at most {bar}: {'pass' if ratio <= bar else 'NOT YET'}")
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--rank"]:
        work(sys.argv[2], sys.argv[3])
    elif len(sys.argv) < 3:
        sys.exit(__doc__)
    else:
        main()
