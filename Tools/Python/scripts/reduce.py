"""Writes a series, and has two processes of Dask reduce over it.

    scripts/python.sh run reduce [--bytes 1000000000] [--entries 64]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import xarray

import graphcodable


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bytes", type=int, default=1_000_000_000)
    parser.add_argument("--entries", type=int, default=64)
    options = parser.parse_args()
    count = options.bytes // options.entries // 8
    base = np.sin(np.arange(count) / 1000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.gcseries"
        started = time.perf_counter()
        with graphcodable.SeriesWriter(path, synchronized=False) as writer:
            for step in range(options.entries):
                writer.append({"x": base + step}, step=step, time=step / 2)
        seconds = time.perf_counter() - started
        print(f"written: {count * 8 * options.entries:,} bytes as {path.stat().st_size:,} in {seconds:.1f} s")
        import distributed

        cluster: Any = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        )
        with cluster, distributed.Client(cluster):
            started = time.perf_counter()
            data = xarray.open_dataset(path, engine="graphcodable", chunks={"step": 1, f"dim_{count}": -1})
            sums = data.x.sum(f"dim_{count}").compute().values
            print(f"reduced by 2 processes in {time.perf_counter() - started:.1f} s")
        expected = base.sum() + np.arange(options.entries) * count
        assert np.allclose(sums, expected), "other sums than there should be"


if __name__ == "__main__":
    main()
