#!/usr/bin/env python3
"""Compares the whole job of a checkpoint with cp, h5py and safetensors: save 256 MB with sync, load them in a new process.

    python3 -m venv .build/venv && .build/venv/bin/pip install h5py safetensors numpy
    swift build -c release --product benchmarks
    .build/venv/bin/python Benchmarks/compare_files.py [.build/release/benchmarks] [--folder FOLDER]

All save the eight arrays of W4, which GraphCodable has made, and load them into new memory. Each save and each load is a process of its own
that does nothing else, because that is what a restart is: nothing is warm but the file. A save ends when the device has the file. The
ways take turns, in an order that changes; wall time, processor time and the peak of memory are medians.

GraphCodable also loads with large pages switched off for the process (by prctl, PR_SET_THP_DISABLE), by turns: at the end stands whether
it is slower with them, by the median of the quotients of neighbouring runs. The exit status is 1 where it is, by more than 2% of
processor time.
"""

import argparse
import ctypes
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ARRAYS = ("density", "pressure", "temperature", "energy", "velocityX", "velocityY", "velocityZ", "vorticity")
PR_SET_THP_DISABLE = 41
TOLERANCE = 1.02


# MARK: What a child process does


def measured(work):
    def processor():
        its = resource.getrusage(resource.RUSAGE_SELF)
        return its.ru_utime + its.ru_stime

    start, processor_start = time.perf_counter(), processor()
    result = work()
    seconds, processor_seconds = time.perf_counter() - start, processor() - processor_start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    print(json.dumps({"seconds": seconds, "processorSeconds": processor_seconds, "peakByteCount": peak}))
    return result


def sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def save_hdf5(arrays, path):
    import h5py

    with h5py.File(path, "w") as file:
        for name, array in arrays.items():
            file[name] = array
    sync(path)


def load_hdf5(path):
    import h5py

    with h5py.File(path) as file:
        return {name: file[name][:] for name in ARRAYS}


def save_safetensors(arrays, path):
    from safetensors.numpy import save_file

    save_file(arrays, path)
    sync(path)


def load_safetensors(path):
    from safetensors.numpy import load_file

    return load_file(path)


PEERS = {"h5py": (save_hdf5, load_hdf5), "safetensors": (save_safetensors, load_safetensors)}


def child(peer, operation, path, raw):
    import numpy as np

    __import__({"h5py": "h5py", "safetensors": "safetensors.numpy"}[peer])
    save, load = PEERS[peer]
    if operation == "save":
        arrays = dict(zip(ARRAYS, np.fromfile(raw).reshape(len(ARRAYS), -1)))
        measured(lambda: save(arrays, path))
    else:
        loaded = measured(lambda: load(path))
        assert sum(each.nbytes for each in loaded.values()) == os.path.getsize(raw)


def copy_with_sync(source, path):
    start = time.perf_counter()
    process = subprocess.Popen(["cp", "--reflink=never", source, path])
    _, status, its = os.wait4(process.pid, 0)
    assert status == 0
    processor_start = resource.getrusage(resource.RUSAGE_SELF)
    sync(path)
    own = resource.getrusage(resource.RUSAGE_SELF)
    processor = its.ru_utime + its.ru_stime + own.ru_utime + own.ru_stime - processor_start.ru_utime - processor_start.ru_stime
    return {"seconds": time.perf_counter() - start, "processorSeconds": processor, "peakByteCount": its.ru_maxrss << 10}


# MARK: Turns


def without_large_pages():
    if ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0:
        raise OSError("large pages cannot be switched off")


def run(command, prepare=None):
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, preexec_fn=prepare).stdout
    return json.loads(output.splitlines()[-1])


def jobs(program, folder, size):
    """Name and operation to what does it."""
    def own(operation, name, prepare=None, options=()):
        return lambda: run([program, "job", operation, os.path.join(folder, name), "--size", str(size), *options], prepare)

    def peer(name, operation):
        path = os.path.join(folder, name)
        return lambda: run([sys.executable, __file__, "--child", name, operation, path, os.path.join(folder, "raw")])

    its = {
        ("GraphCodable", "save"): own("save", "own"),
        ("GraphCodable", "load"): own("load", "own"),
        ("GraphCodable, small pages", "load"): own("load", "own", without_large_pages),
        ("GraphCodable, LZ4", "save"): own("save", "own-lz4", options=["--lz4"]),
        ("GraphCodable, LZ4", "load"): own("load", "own-lz4"),
        ("GraphCodable, LZ4, small pages", "load"): own("load", "own-lz4", without_large_pages),
        ("cp", "save"): lambda: copy_with_sync(os.path.join(folder, "raw"), os.path.join(folder, "copy")),
    }
    for name in PEERS:
        its |= {(name, operation): peer(name, operation) for operation in ("save", "load")}
    return its


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default=".build/release/benchmarks")
    parser.add_argument("--size", type=int, default=256, help="MB of all arrays")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--folder", help="where the files are written")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        subprocess.run([options.program, "job", "raw", os.path.join(folder, "raw"), "--size", str(options.size)], check=True)
        its = jobs(options.program, folder, options.size)
        for operation in ("save", "load"):  # All files are there, and each program has been read once.
            for (_, each), job in its.items():
                if each == operation:
                    job()
        results = {key: [] for key in its}
        for number in range(options.rounds):
            order = list(its)
            for key in order[number % len(order):] + order[:number % len(order)]:
                results[key].append(its[key]())
    return report(results)


def report(results):
    print(f"{'':32} {'':5} {'wall ms':>9} {'processor ms':>13} {'peak MB':>9}")
    for (name, operation), runs in sorted(results.items(), key=lambda item: item[0][1], reverse=True):
        wall, processor, peak = (
            statistics.median(run[field] for run in runs) for field in ("seconds", "processorSeconds", "peakByteCount"))
        print(f"{name:32} {operation:5} {wall * 1e3:9.1f} {processor * 1e3:13.1f} {peak / 1e6:9.0f}")
    is_never_slower = True
    for name in ("GraphCodable", "GraphCodable, LZ4"):
        large, small = results[name, "load"], results[f"{name}, small pages", "load"]
        for field in ("seconds", "processorSeconds"):
            quotients = [one[field] / other[field] for one, other in zip(large, small)]
            median = statistics.median(quotients)
            slower = sum(quotient > 1 for quotient in quotients)
            verdict = "pass" if median <= TOLERANCE else "NOT YET"
            is_never_slower &= median <= TOLERANCE
            print(f"{name}, load with large pages, {field}: {median:.2f} of small pages, slower in {slower} of {len(quotients)}: {verdict}")
    return 0 if is_never_slower else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
    else:
        sys.exit(main())
