"""Reading large arrays into NumPy: this package, Blosc2, and h5py with gzip and LZ4, one after the other in one process.

    scripts/python.sh run speed [--bytes 176000000] [--threads 2] [--rounds 7]

The data is like W4 of the benchmarks: smooth fields of float64 with small noise. Every result is compared with what was written.
All take turns in each round, and the ratio is the median of the rounds'. On a machine that does other things as well, look at the
processor seconds too. Blosc2 expands into memory of NumPy, and compares no checksums. "in new memory" is this package without
what it keeps of results that are gone.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def fields(size: int) -> dict[str, np.ndarray[Any, Any]]:
    """Eight arrays of float64."""
    count, numbers = size // 64, np.random.default_rng(4)
    x = np.linspace(0, 200, count)
    return {
        f"field{index}": np.sin(x * (1 + index / 8)) + numbers.normal(scale=1e-6, size=count) for index in range(8)
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bytes", type=int, default=176_000_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    os.environ["BLOSC_NTHREADS"] = str(options.threads)
    import blosc2
    import h5py
    import hdf5plugin

    import graphcodable
    from graphcodable.format import native

    print(f"this package {'has' if native.module is not None else 'is without'} its module in C")
    setattr(native, "thread_count", lambda: options.threads)
    blosc2.set_nthreads(options.threads)
    data = fields(options.bytes)
    size = sum(array.nbytes for array in data.values())
    with tempfile.TemporaryDirectory() as folder:
        ours, gzip, lz4 = (Path(folder) / name for name in ("a.gcodable", "gzip.h5", "lz4.h5"))
        graphcodable.save(data, ours)
        packed = {
            name: [
                blosc2.compress2(part, codec=blosc2.Codec.LZ4, clevel=5, typesize=array.dtype.itemsize)
                for part in np.array_split(array.reshape(-1), -(-array.nbytes // (1 << 30)))
            ]
            for name, array in data.items()
        }
        with h5py.File(gzip, "w") as first, h5py.File(lz4, "w") as second:
            for name, array in data.items():
                chunks = (max((1 << 20) // (array.nbytes // len(array)), 1), *array.shape[1:])
                first.create_dataset(name, data=array, chunks=chunks, compression="gzip", shuffle=True)
                second.create_dataset(name, data=array, chunks=chunks, shuffle=True, **hdf5plugin.LZ4())

        def read_ours() -> dict[str, Any]:
            with graphcodable.open(ours) as archive:
                return {name: np.asarray(archive.root[name]) for name in data}  # type: ignore[union-attr]

        def drop_kept() -> None:
            if native.module is not None:
                native.module.drop_kept_memory()

        def read_blosc() -> dict[str, Any]:
            result = {}
            for name, array in data.items():
                out = np.empty(array.size, array.dtype)
                start = 0
                for part in packed[name]:
                    its = blosc2.decompress2(part, dst=out[start:].view(np.uint8).data)
                    start += (its if isinstance(its, int) else out.nbytes) // out.itemsize
                result[name] = out.reshape(array.shape)
            return result

        def read_hdf5(path: Path) -> Callable[[], dict[str, Any]]:
            def read() -> dict[str, Any]:
                with h5py.File(path) as file:
                    return {name: file[name][...] for name in data}

            return read

        readers = {
            "graphcodable": read_ours,
            "in new memory": read_ours,
            "blosc2 decompress": read_blosc,
            "h5py gzip": read_hdf5(gzip),
            "h5py hdf5plugin LZ4": read_hdf5(lz4),
        }
        sizes = {
            "graphcodable": ours.stat().st_size,
            "in new memory": ours.stat().st_size,
            "blosc2 decompress": sum(len(part) for parts in packed.values() for part in parts),
            "h5py gzip": gzip.stat().st_size,
            "h5py hdf5plugin LZ4": lz4.stat().st_size,
        }
        times: dict[str, list[float]] = {name: [] for name in readers}
        busy: dict[str, list[float]] = {name: [] for name in readers}
        for number in range(options.rounds):
            for name, read in readers.items():
                if number > 2 and name == "h5py gzip":
                    continue
                if name == "in new memory":
                    drop_kept()
                started, processor = time.perf_counter(), time.process_time()
                result = read()
                times[name].append(time.perf_counter() - started)
                busy[name].append(time.process_time() - processor)
                if number == 0:
                    assert all(np.array_equal(result[key], data[key]) for key in data), name
                del result
        print(f"{size:,} bytes, {options.threads} threads, {options.rounds} rounds")
        for name, its in times.items():
            speed, median = size / min(its) / 1e9, size / statistics.median(its) / 1e9
            ratio, busy_ratio = (
                statistics.median(other / own for other, own in zip(all_[name], all_["graphcodable"])) for all_ in (times, busy)
            )
            print(f"{name:20} {speed:6.2f} GB/s best {median:6.2f} median  stored 1/{size / sizes[name]:4.2f}  "
                  f"{ratio:5.2f} times our time, {busy_ratio:5.2f} of processors")  # fmt: skip


if __name__ == "__main__":
    main()
