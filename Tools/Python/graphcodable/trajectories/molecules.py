"""A reader and a writer of series for MDAnalysis, which finds them by the extension `.gcseries`."""

from __future__ import annotations

import errno
import os
import warnings
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np
from MDAnalysis import units as known_units
from MDAnalysis.coordinates import base
from MDAnalysis.lib import mdamath
from MDAnalysis.lib.util import store_init_arguments

from ..files.folders import FolderSeries
from ..files.opening import open
from ..files.series import Series
from ..format.errors import GraphCodableError
from ..writing.precision import Requested
from ..writing.series import SeriesWriter
from .frame import UNITS, VECTORS, Frame, Run, atom_count, read_frame

FORMAT = "GCSERIES"
# What a time step says of its time, which the entry has, and what a reader was asked for.
OWN_DATA = {"time", "step", "dt", "time_offset"}


def checked_units(units: Mapping[str, str]) -> dict[str, str]:
    """Units of a file, of which MDAnalysis knows each."""
    for name, unit in units.items():
        known = {"length": known_units.lengthUnit_factor, "time": known_units.timeUnit_factor,
                 "velocity": known_units.speedUnit_factor, "force": known_units.forceUnit_factor}.get(name)  # fmt: skip
        if known is None:
            raise ValueError(f"there is no unit of '{name}', but of {', '.join(UNITS)}")
        if unit not in known:
            raise ValueError(f"MDAnalysis knows no {name} in '{unit}', but in {', '.join(known)}")
    return {**UNITS, **units}


class GraphCodableReader(base.ReaderBase):  # type: ignore[misc]
    """Frames of a series: of any entries whose root, or record at the path `group`, has positions, velocities or forces.

        import graphcodable.mdanalysis
        universe = MDAnalysis.Universe("topology.gro", "run.gcseries")

    Each frame is one entry, and read when it is asked for. Numbers are converted from the units that the file states (or `units`, where
    it states none) to those of MDAnalysis, unless `convert_units` is false. A reader has the frames that were there when it was made.
    """

    format = FORMAT
    units = dict(UNITS)

    @store_init_arguments  # type: ignore[untyped-decorator]
    def __init__(
        self, filename: Any, convert_units: bool = True, group: str = "", units: Mapping[str, str] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(filename, convert_units, **kwargs)
        self._group, self._series = group, opened_series(self.filename)
        # Of what a frame has in its data, which the next one need not have.
        self._names: set[str] = set()
        if not len(self._series):
            raise ValueError(f"{self.filename} has no frames")
        self.n_frames = len(self._series)
        first = read_frame(self._series[0], group)
        if not first.units and units is None:
            warnings.warn(f"{self.filename} states no units: lengths are taken for ångströms and times for picoseconds; `units` says others")
        self.units = checked_units(first.units or units or {})
        self.n_atoms = atom_count(first)
        self.ts = self._Timestep(self.n_atoms, **self._ts_kwargs)
        self._frame = -1
        self._read_next_timestep()
        if "dt" not in self._ts_kwargs and self.n_frames > 1:
            self.ts.dt = self._get_dt()

    @classmethod
    def parse_n_atoms(cls, filename: Any, group: str = "", **_: Any) -> int:
        """The number of atoms in a file."""
        with opened_series(str(filename)) as series:
            if not len(series):
                raise ValueError(f"{filename} has no frames")
            return atom_count(read_frame(series[0], group))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_series"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state
        self._reopen_file()

    def _reopen_file(self) -> None:
        self._series = opened_series(self.filename)
        if len(self._series) < self.n_frames:
            count = len(self._series)
            message = f"{self.filename} had {self.n_frames} frames when it was opened, and has {count}"
            raise GraphCodableError(None, message, None, "series", "invalidValue")

    def _reopen(self) -> None:
        self._reopen_file()
        self._frame = -1

    def close(self) -> None:
        """Gives the file back; it is opened again if a frame is read later."""
        if "_series" in self.__dict__:
            self._series.close()

    def _read_next_timestep(self, ts: Any = None) -> Any:
        if self._frame >= self.n_frames - 1:
            raise OSError(errno.EIO, "trying to go over trajectory limit")
        return self._read_frame(self._frame + 1, ts)

    def _read_frame(self, frame: int, ts: Any = None) -> Any:
        if not 0 <= frame < self.n_frames:
            raise IndexError(f"frame {frame} of a trajectory of {self.n_frames}")
        ts = self.ts if ts is None else ts
        entry = self._series[frame]
        its = read_frame(entry, self._group)
        if atom_count(its) != self.n_atoms:
            message = f"frame {frame} of {self.filename} has {atom_count(its)} atoms, and the first one {self.n_atoms}"
            raise GraphCodableError(None, message, None, "series", "invalidValue")
        self._frame = ts.frame = frame
        for name in self._names - its.data.keys():
            ts.data.pop(name, None)
        ts.data.update(its.data)
        self._names = set(its.data)
        ts.data["step"] = entry.step
        if "dt" not in self._ts_kwargs:
            ts.time = self.convert_time_from_native(entry.time) if self.convert_units else entry.time
        for name in VECTORS:
            value = getattr(its, name)
            setattr(ts, f"has_{name}", value is not None)
            if value is not None:
                setattr(ts, name, value)
        ts.dimensions = None if its.box is None else mdamath.triclinic_box(*its.box)
        if self.convert_units:
            self._convert(ts)
        return ts

    def _convert(self, ts: Any) -> None:
        if ts.dimensions is not None:
            self.convert_pos_from_native(ts.dimensions[:3])
        if ts.has_positions:
            self.convert_pos_from_native(ts.positions)
        if ts.has_velocities:
            self.convert_velocities_from_native(ts.velocities)
        if ts.has_forces:
            self.convert_forces_from_native(ts.forces)

    def _get_dt(self) -> float:
        """Between the first two frames."""
        step = self._series[1].time - self._series[0].time
        return float(self.convert_time_from_native(step) if self.convert_units else step)

    def Writer(self, filename: Any, n_atoms: int | None = None, **kwargs: Any) -> GraphCodableWriter:  # noqa: N802
        """A writer for the same number of atoms, in the units of this file."""
        kwargs.setdefault("units", self.units)
        return GraphCodableWriter(filename, self.n_atoms if n_atoms is None else n_atoms, **kwargs)


class GraphCodableWriter(base.WriterBase):  # type: ignore[misc]
    """Appends frames to a series, which is made if it is not there: each is an entry, and on the device once it is written.

        with MDAnalysis.Writer("run.gcseries", n_atoms=universe.atoms.n_atoms, precision=0.005) as writer:
            for _ in universe.trajectory:
                writer.write(universe.atoms)

    Numbers are exact, unless `precision` is a largest error of positions, in the unit of lengths, or a mapping with those of
    `positions`, `velocities` and `forces`. Units are those of MDAnalysis unless `units` has others, such as `{"length": "nm"}`.

    Frames that are appended to a run have its atoms and units, and are later than its last one; otherwise there is a
    `GraphCodableError`, and the file stays as it is. `append=False` begins anew. Nobody else appends meanwhile. Without `synchronized`,
    frames of the last seconds may be lost with the power.
    """

    format = FORMAT
    multiframe = True
    units = dict(UNITS)

    def __init__(
        self, filename: Any, n_atoms: int | None = None, convert_units: bool = True, *, precision: Requested = None,
        append: bool = True, units: Mapping[str, str] | None = None, synchronized: bool = True, compressed: bool = True, **_: Any,
    ) -> None:  # fmt: skip
        self._writer: SeriesWriter | None = None
        if n_atoms is None:
            raise TypeError("GraphCodableWriter: n_atoms, the number of atoms in a frame, is missing")
        if not n_atoms > 0:
            raise ValueError(f"a frame of {n_atoms} atoms")
        self.filename, self.n_atoms, self._convert_units = str(filename), int(n_atoms), convert_units
        if not append:
            remove_run(self.filename)
        self._run = run_at(self.filename)
        if self._run is not None:
            self._run.check_atoms(self.n_atoms)
            units = self._run.units if units is None else units
        self.units = checked_units(units or {})
        if self._run is not None:
            self._run.check_units(self.units)
        precision = precision if precision is None or isinstance(precision, Mapping) else {"positions": precision}
        self._writer = SeriesWriter(self.filename, synchronized=synchronized, compressed=compressed, precision=precision)

    def _write_next_frame(self, obj: Any) -> None:
        try:
            ts = obj.ts if hasattr(obj, "ts") else obj.trajectory.ts
        except AttributeError:
            raise TypeError(f"a {type(obj).__name__} is no AtomGroup or Universe") from None
        if self._writer is None:
            raise ValueError(f"the writer of {self.filename} is closed")
        if ts.n_atoms != self.n_atoms:
            raise ValueError(f"a frame of {ts.n_atoms} atoms, for a writer of {self.n_atoms}; write the atoms that it was made for")
        time = float(self.convert_time_to_native(ts.time) if self._convert_units else ts.time)
        if self._run is not None:
            self._run.check_time(time)
        step = ts.data.get("step")
        self._writer.append(self.frame(ts), step=int(ts.frame if step is None else step), time=time)

    def frame(self, ts: Any) -> Frame:
        """What is stored of a time step."""
        frame = Frame(units=self.units, data={key: value for key, value in ts.data.items() if key not in OWN_DATA})
        convert = {
            "positions": self.convert_pos_to_native, "velocities": self.convert_velocities_to_native, "forces": self.convert_forces_to_native,
        }  # fmt: skip
        for name in VECTORS:
            if getattr(ts, f"has_{name}"):
                value = getattr(ts, name)
                setattr(frame, name, convert[name](value.copy()) if self._convert_units else value)
        if not frame.vectors:
            raise ValueError("a frame without positions, velocities and forces")
        if ts.dimensions is not None:
            # In binary64, from which the lengths and angles come back as they are.
            box = mdamath.triclinic_vectors(ts.dimensions, dtype=np.float64)
            if box.any():
                frame.box = self.convert_pos_to_native(box) if self._convert_units else box
        return frame

    def synchronize(self) -> None:
        """Waits until all frames are on the device."""
        if self._writer is not None:
            self._writer.synchronize()

    def close(self) -> None:
        """Gives the file back."""
        if self._writer is not None:
            self._writer.close()
        self._writer = None


def opened_series(filename: str) -> Series | FolderSeries:
    opened = open(filename)
    if not isinstance(opened, (Series, FolderSeries)):
        message = f"{filename} is no series, but a single archive or a set; write its frames to a series"
        raise GraphCodableError(None, message, None, "series", "notAnArchive")
    return opened


def run_at(filename: str) -> Run | None:
    """What a file has of a run; `None` where there is none, or no frame."""
    try:
        if not os.path.getsize(filename):
            return None
    except FileNotFoundError:
        return None
    with opened_series(filename) as series:
        return Run.of(filename, series[-1]) if len(series) else None


def remove_run(filename: str) -> None:
    """Removes a series, and no other file."""
    if os.path.exists(filename):
        if os.path.getsize(filename):
            opened_series(filename).close()
        os.unlink(filename)


def reader_of(name: str) -> Any:
    """The reader of a format of MDAnalysis."""
    return readers_and_writers(name)[0]


def writer_of(name: str) -> Any:
    return readers_and_writers(name)[1]


def readers_and_writers(name: str) -> tuple[Any, Any]:
    module = import_module(f"MDAnalysis.coordinates.{name}")
    return getattr(module, f"{name}Reader"), getattr(module, f"{name}Writer")


def writer_options(name: str, ts: Any) -> dict[str, Any]:
    """What a writer has to know of the first frame of a trajectory."""
    if name == "DCD":
        return {"dt": ts.dt, "istart": int(ts.data.get("step", 0))}
    if name == "H5MD":
        return {each: getattr(ts, f"has_{each}") for each in VECTORS}
    return {}
