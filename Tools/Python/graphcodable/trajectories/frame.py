"""Frames as the entries of a series have them, and the rules by which a run goes on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..files.series import Entry
from ..format.errors import GraphCodableError
from ..graph.values import Record

Numbers = np.ndarray[Any, Any]
# By their names in MDAnalysis, whose own units they are.
UNITS = {"length": "Angstrom", "time": "ps", "velocity": "Angstrom/ps", "force": "kJ/(mol*Angstrom)"}
# The fields with three numbers for each atom, and the unit of each.
VECTORS = {"positions": "length", "velocities": "velocity", "forces": "force"}


@dataclass
class Frame:
    """One frame: what is known of each atom, in the same order in all frames of a run.

    `box` has the three vectors of the periodic cell, in the unit of lengths; `data`, what else belongs to the frame. Step and time are
    those of the entry.
    """

    positions: Numbers | None = None
    velocities: Numbers | None = None
    forces: Numbers | None = None
    box: Numbers | None = None
    units: dict[str, str] = field(default_factory=lambda: dict(UNITS))
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def vectors(self) -> dict[str, Numbers]:
        return {name: value for name in VECTORS if (value := getattr(self, name)) is not None}


def read_frame(entry: Entry, group: str = "") -> Frame:
    """The frame of an entry: its root, or the record at a path in it."""
    archive = entry.archive
    record = archive.at(group) if group else archive.root
    keys = record.keys() if isinstance(record, Record) else []
    vectors = {name: vector_field(record[name], name, entry) for name in VECTORS if name in keys and record[name] is not None}
    if not vectors:
        where = f"at '{group}'" if group else "at its root"
        raise GraphCodableError(
            None, f"entry {entry.number} has no positions, velocities or forces {where}; `group` names the record that has them",
            None, "archive", "valueNotFound",
        )  # fmt: skip
    box = record["box"] if "box" in keys else None
    units, data = (fields(record[name]) if name in keys else {} for name in ("units", "data"))
    return Frame(**vectors, box=None if box is None else np.asarray(box, np.float64).reshape(3, 3), units=units, data=data)


def fields(record: Any) -> dict[str, Any]:
    """The fields of a record as plain values; none where there is no record, or it is empty and so has no keys."""
    found = record.to_dict() if isinstance(record, Record) else {}
    return found if isinstance(found, dict) else {}


def vector_field(value: Any, name: str, entry: Entry) -> Numbers:
    array = np.asarray(value)
    if array.ndim != 2 or array.shape[1] != 3 or array.dtype.kind != "f":
        message = f"the {name} of entry {entry.number} are not three numbers for each atom, but of the shape {array.shape}"
        raise GraphCodableError(None, message, None, "archive", "typeMismatch")
    return array


def atom_count(frame: Frame) -> int:
    """The number of atoms, which is that of all vectors."""
    counts = {len(value) for value in frame.vectors.values()}
    if len(counts) != 1:
        raise GraphCodableError(None, f"vectors of different numbers of atoms: {sorted(counts)}", None, "archive", "invalidValue")
    return counts.pop()


@dataclass(frozen=True)
class Run:
    """What has been saved of a run, as far as new frames have to fit it."""

    path: str
    atoms: int
    time: float
    step: int
    units: Mapping[str, str]

    @staticmethod
    def of(path: str, entry: Entry, group: str = "") -> Run:
        """The run that ends with an entry."""
        frame = read_frame(entry, group)
        return Run(path, atom_count(frame), entry.time, entry.step, frame.units)

    def check_atoms(self, atoms: int) -> None:
        if atoms != self.atoms:
            raise self.refused(f"has frames of {self.atoms} atoms, and not of {atoms}", "write the same atoms, or another file")

    def check_time(self, time: float) -> None:
        """A frame that is appended has to be later than the last one that was there."""
        if not time > self.time or math.isnan(time):
            way_out = "write later frames, or another file; `append=False` begins the run anew, without the frames that are there"
            raise self.refused(f"ends at {self.time:g}, and a frame of {time:g} is not later", way_out)

    def check_units(self, units: Mapping[str, str]) -> None:
        for name, unit in self.units.items():
            if units.get(name, unit) != unit:
                way_out = f"write with `units={dict(self.units)}`, or another file"
                raise self.refused(f"has its {name} in {unit}, and not in {units[name]}", way_out)

    def refused(self, what: str, way_out: str) -> GraphCodableError:
        return GraphCodableError(None, f"{self.path} {what}: {way_out}", None, "series", "invalidValue")
