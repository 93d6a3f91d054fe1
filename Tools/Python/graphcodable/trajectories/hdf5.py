"""HDF5 as archives and series, and back: a dataset is an array, a group a record."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np

from ..files.opening import open
from ..files.series import Series
from ..format.errors import GraphCodableError
from ..graph.archive import Archive
from ..graph.arrays import Array
from ..graph.values import Record
from ..writing.files import save
from ..writing.precision import Requested
from ..writing.series import SeriesWriter
from .exchange import SERIES, extension
from .extras import needed
from .report import Progress, Report, largest_error, new_file

# Names of datasets with the steps and times of entries.
STEP, TIME = "step", "time"
MOST_CHUNK = 1 << 20


def import_hdf5(source: str, target: str, *, precision: Requested = None, append: bool = False) -> Report:
    """Writes the datasets of a file of HDF5 into an archive or, one index of their first axis after the other, into a series.

    Datasets `step` and `time` at the top say those of the entries. One entry is in memory at a time, and all of an archive.
    """
    h5py = needed("h5py", "hdf5")
    is_series = extension(target) == SERIES
    if append and not is_series:
        raise ValueError(f"{target}: entries are appended to series, whose names end with '{SERIES}'")
    report = Report(source, target, os.path.getsize(source), what="entry" if is_series else "archive")
    before = os.path.getsize(target) if os.path.exists(target) else 0
    is_new = nullcontext() if append else new_file(target, f"{'append to it with --append' if is_series else 'remove it'}, or write another file")
    with is_new, h5py.File(source, "r") as file:
        if is_series:
            count = common_length(h5py, file, source)
            with SeriesWriter(target, precision=precision, synchronized=False) as writer:
                with Progress(f"{source} to {target}", count) as shown:
                    for index in range(count):
                        writer.append(parts(h5py, file, index), step=step_at(file, index), time=time_at(file, index))
                        shown.step()
                writer.synchronize()
            with open_series(target) as series:
                first = len(series) - count
                for index in range(count):
                    report.errors.append(differences(parts(h5py, file, index), series[first + index].root))
        else:
            value = parts(h5py, file)
            save(value, target, precision=precision)
            opened = open(target)
            assert isinstance(opened, Archive)
            with opened as archive:
                report.errors.append(differences(value, archive.root))
    report.target_bytes = os.path.getsize(target) - before
    return report


def export_hdf5(source: str, target: str) -> Report:
    """Writes the arrays and numbers of an archive, or of all entries of a series along a new first axis, as datasets.

    Values of other kinds, and arrays whose shapes differ from entry to entry, are refused, and so nothing is left out in silence.
    """
    h5py = needed("h5py", "hdf5")
    opened = open(source)
    report = Report(source, target, os.path.getsize(source) if os.path.isfile(source) else 0)
    if isinstance(opened, Archive):
        report.what = "archive"
        with new_file(target), opened:
            with h5py.File(target, "x") as file:
                for path, value in leaves(opened.root):
                    file.create_dataset(path, data=value)
            with h5py.File(target, "r") as file:
                report.errors.append({path: largest_error(value, file[path][()]) for path, value in leaves(opened.root)})
    elif isinstance(opened, Series):
        report.what = "entry"
        with new_file(target), opened:
            write_entries(h5py, opened, target)
            with h5py.File(target, "r") as file:
                for index, entry in enumerate(opened):
                    report.errors.append({path: largest_error(value, file[path][index]) for path, value in leaves(entry.root)})
    else:
        raise GraphCodableError(None, f"{source} is neither an archive nor a series", None, "series", "invalidValue")
    report.target_bytes = os.path.getsize(target)
    return report


def write_entries(h5py: Any, series: Series, target: str) -> None:
    """A row of each dataset for each entry."""
    count = len(series)
    with h5py.File(target, "x") as file, Progress(f"to {target}", count) as shown:
        for index, entry in enumerate(series):
            found = dict(leaves(entry.root))
            if STEP not in found and TIME not in found:
                found |= {STEP: np.int64(entry.step), TIME: np.float64(entry.time)}
            if index == 0:
                for path, value in found.items():
                    shape = np.shape(value)
                    file.create_dataset(path, (count, *shape), np.asarray(value).dtype, chunks=chunk(count, shape, np.asarray(value).dtype))
                names = set(found)
            if set(found) != names:
                raise refused(entry.number, f"has other values: {', '.join(sorted(set(found) ^ names))}")
            for path, value in found.items():
                if np.shape(value) != file[path].shape[1:] or np.asarray(value).dtype != file[path].dtype:
                    raise refused(entry.number, f"has '{path}' of the shape {np.shape(value)}, and the first one {file[path].shape[1:]}")
                file[path][index] = value
            shown.step()


def refused(number: int, what: str) -> GraphCodableError:
    message = f"entry {number} {what}: export entries of one form, or each archive by itself"
    return GraphCodableError(None, message, None, "series", "typeMismatch")


def chunk(count: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[int, ...]:
    """One entry, or of small ones as many as a chunk has room for."""
    size = max(math.prod(shape) * dtype.itemsize, 1)
    return (max(min(MOST_CHUNK // size, 1024, count), 1), *(max(length, 1) for length in shape))


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The numbers and arrays in records, by their paths in a file of HDF5."""
    if isinstance(value, Record):
        for name in value.keys():
            if value[name] is not None:
                yield from leaves(value[name], f"{path}/{name}".lstrip("/"))
        return
    if isinstance(value, Array):
        value = np.asarray(value)
    if isinstance(value, (bool, int, float, str, np.generic, np.ndarray)) and not (isinstance(value, np.ndarray) and value.dtype.kind == "V"):
        yield path or "value", value if isinstance(value, (np.ndarray, str)) else np.asarray(value)[()]
        return
    message = f"'{path or 'the root'}' is a {type(value).__name__}, which HDF5 has no dataset for: export records of numbers and arrays"
    raise GraphCodableError(None, message, None, "archive", "typeMismatch")


def parts(h5py: Any, group: Any, index: int | None = None) -> dict[str, Any]:
    """The datasets and groups in a group, or of each dataset what it has at an index of its first axis."""
    found: dict[str, Any] = {}
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            found[name] = parts(h5py, item, index)
        elif index is None or group.name != "/" or name not in (STEP, TIME):
            value = item[()] if index is None else item[index]
            if isinstance(value, bytes):
                value = value.decode()
            elif isinstance(value, np.ndarray) and value.dtype.kind == "O":
                value = [each.decode() if isinstance(each, bytes) else each for each in value.tolist()]
            found[name] = value
    return found


def common_length(h5py: Any, file: Any, source: str) -> int:
    """The length of the first axis, which all datasets share."""
    lengths: dict[str, int] = {}

    def visit(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            lengths[name] = item.shape[0] if item.shape else 0

    file.visititems(visit)
    if not lengths or len(set(lengths.values())) > 1 or not max(lengths.values()):
        shown = ", ".join(f"{name} {length}" for name, length in sorted(lengths.items())) or "there are none"
        raise ValueError(f"{source}: datasets that share no first axis become no series ({shown}); import them into an archive, '.gcodable'")
    return max(lengths.values())


def step_at(file: Any, index: int) -> int:
    return int(file[STEP][index]) if STEP in file else index


def time_at(file: Any, index: int) -> float:
    return float(file[TIME][index]) if TIME in file else 0.0


def open_series(path: str) -> Series:
    opened = open(path)
    assert isinstance(opened, Series)
    return opened


def differences(before: dict[str, Any], after: Any, path: str = "") -> dict[str, float]:
    """The largest error of each array."""
    found: dict[str, float] = {}
    for name, value in before.items():
        its = f"{path}/{name}".lstrip("/")
        if isinstance(value, dict):
            found |= differences(value, after[name], its)
        elif isinstance(value, (str, list)):
            found[its] = 0.0 if list(value) == list(after[name]) else math.inf
        else:
            found[its] = largest_error(value, after[name])
    return found
