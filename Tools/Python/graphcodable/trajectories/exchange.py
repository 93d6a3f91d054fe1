"""Trajectories of other formats as series, and back, frame by frame."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import Any

from ..writing.precision import Requested
from .extras import needed
from .frame import VECTORS
from .report import Progress, Report, largest_error, new_file

# Formats by their extensions, which MDAnalysis reads and writes without a topology.
FORMATS = {".xtc": "XTC", ".trr": "TRR", ".dcd": "DCD", ".h5md": "H5MD"}
HDF5 = (".h5", ".hdf5")
SERIES = ".gcseries"
UNITS_SHOWN = {"positions": "Å", "velocities": "Å/ps", "forces": "kJ/(mol Å)", "time": "ps", "box": "Å or °"}


def extension(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def molecules() -> Any:
    """The reader and the writer for MDAnalysis."""
    needed("MDAnalysis", "mdanalysis")
    from . import molecules as loaded

    return loaded


def known_format(path: str) -> str:
    """The name of a trajectory's format in MDAnalysis."""
    ending = extension(path)
    if ending not in FORMATS:
        raise ValueError(f"{path}: no format has the extension '{ending}', but {', '.join([*FORMATS, *HDF5])}")
    if ending == ".h5md":
        needed("h5py", "hdf5")
    return FORMATS[ending]


class AtFrame:
    """What MDAnalysis' writers take in place of a universe, which needs a topology: the frame that a reader is at."""

    def __init__(self, trajectory: Any) -> None:
        self.trajectory = trajectory
        # Where the writer of H5MD looks for units.
        self.universe = self


def import_trajectory(
    source: str, target: str, *, precision: Requested = None, append: bool = False
) -> Report:
    """Writes the frames of a trajectory into a series, each as an entry, and compares each with what was stored.

    Without `append` the target must not be there. One frame is in memory at a time. Lengths are in ångströms, and so is `precision`.
    """
    reader_name = known_format(source)
    if extension(target) != SERIES:
        raise ValueError(f"{target}: the frames of a trajectory become a series, whose name ends with '{SERIES}'")
    loaded = molecules()
    before = os.path.getsize(target) if os.path.exists(target) else 0
    report = Report(source, target, os.path.getsize(source), units=UNITS_SHOWN)
    is_new = nullcontext() if append else new_file(target, "append to it with --append, or write another file")
    with is_new, loaded.reader_of(reader_name)(source) as reader:
        with loaded.GraphCodableWriter(target, reader.n_atoms, precision=precision, synchronized=False) as writer:
            with Progress(f"{source} to {target}", reader.n_frames) as shown:
                for _ in reader:
                    writer.write(AtFrame(reader))
                    shown.step()
            writer.synchronize()
        with loaded.GraphCodableReader(target) as stored:
            first = stored.n_frames - reader.n_frames
            for number, ts in enumerate(reader):
                report.errors.append(errors(ts, stored[first + number]))
    report.target_bytes = os.path.getsize(target) - before
    return report


def export_trajectory(source: str, target: str, *, group: str = "") -> Report:
    """Writes the frames of a series as a trajectory of the format that the extension names, and compares what is read of it."""
    writer_name = known_format(target)
    loaded = molecules()
    report = Report(source, target, os.path.getsize(source) if os.path.isfile(source) else 0, units=UNITS_SHOWN)
    with new_file(target), loaded.GraphCodableReader(source, group=group) as reader:
        options = loaded.writer_options(writer_name, reader.ts)
        with loaded.writer_of(writer_name)(target, n_atoms=reader.n_atoms, **options) as writer:
            with Progress(f"{source} to {target}", reader.n_frames) as shown:
                for _ in reader:
                    writer.write(AtFrame(reader))
                    shown.step()
            # The writer of H5MD leaves its file open.
            if (file := getattr(writer, "h5md_file", None)) is not None:
                file.close()
        with loaded.reader_of(writer_name)(target) as again:
            for ts, other in zip(reader, again, strict=True):
                report.errors.append(errors(ts, other))
    report.target_bytes = os.path.getsize(target)
    return report


def errors(before: Any, after: Any) -> dict[str, float]:
    """The largest error of what both frames have; formats need not have velocities and forces."""
    found = {
        name: largest_error(getattr(before, name), getattr(after, name))
        for name in VECTORS
        if getattr(before, f"has_{name}") and getattr(after, f"has_{name}")
    }
    if before.dimensions is not None and after.dimensions is not None:
        found["box"] = largest_error(before.dimensions, after.dimensions)
    found["time"] = abs(float(before.time) - float(after.time))
    return found

