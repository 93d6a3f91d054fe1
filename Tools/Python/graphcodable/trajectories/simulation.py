"""A reporter for OpenMM: state, trajectory and log of a simulation, each time in one entry of a series."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import openmm
from openmm import unit

from ..files.opening import open
from ..files.series import Entry, Series
from ..format.errors import GraphCodableError
from ..writing.precision import Requested
from ..writing.series import SeriesWriter
from .frame import Frame, Run, fields, read_frame

# Units of OpenMM, in which its numbers are stored as they are.
UNITS = {"length": "nm", "time": "ps", "velocity": "nm/ps", "force": "kJ/(mol*nm)"}


@dataclass
class Log:
    """What a log has in a line; energies in kJ/mol, the temperature in kelvins, the volume in nm³."""

    potential_energy: float
    kinetic_energy: float
    temperature: float
    volume: float


@dataclass
class State:
    """What a simulation goes on from, beside positions and velocities: nothing of it depends on version, platform or device.

    Seeds are those of forces and integrator. `globals` and `perDof` are the variables of a custom integrator, and `integrator` is what
    OpenMM says of others, such as the chains of a thermostat, as XML.
    """

    step: int
    time: float
    parameters: dict[str, float]
    seeds: dict[str, int]
    globals: dict[str, float]
    per_dof: dict[str, np.ndarray[Any, Any]]
    integrator: str


@dataclass
class ReportedFrame(Frame):
    """A frame that has the state as well, unless it is of a trajectory alone, and a line of the log."""

    units: dict[str, str] = field(default_factory=lambda: dict(UNITS))
    state: State | None = None
    log: Log | None = None


class Reporter:
    """Commits state, frame and log of a simulation as one entry of a series, so that none is ahead of another.

        simulation.reporters.append(graphcodable.openmm.Reporter("run.gcseries", 1000))
        …
        graphcodable.openmm.restore(simulation, "run.gcseries")  # From the last whole entry, on any version or device.

    Positions and velocities are exact (binary64). With `state=False` there are positions in binary32 alone, to a `precision`, which is
    a largest error in nanometres: such a run cannot be restored. A run that is there is appended to: it must have the same number of
    atoms, and end before the simulation's time. Entries are on the device when a step returns.
    """

    def __init__(
        self, file: str | os.PathLike[str], reportInterval: int, *, state: bool = True, forces: bool = False,  # noqa: N803
        precision: Requested = None, enforcePeriodicBox: bool | None = None, synchronized: bool = True,  # noqa: N803
    ) -> None:  # fmt: skip
        if reportInterval < 1:
            raise ValueError(f"a report each {reportInterval} steps")
        if state and precision is not None:
            raise ValueError("a state is exact: write a trajectory to a precision with `state=False`, by another reporter")
        self.path, self._interval, self._has_state, self._has_forces = os.fspath(file), reportInterval, state, forces
        self._enforce = enforcePeriodicBox
        self._freedom: int | None = None
        precision = precision if precision is None or isinstance(precision, Mapping) else {"positions": precision}
        self._writer = SeriesWriter(self.path, synchronized=synchronized, precision=precision)
        try:
            self._run = run_at(self.path)
            if self._run is not None:
                self._run.check_units(UNITS)
        except BaseException:
            self._writer.close()
            raise

    def describeNextReport(self, simulation: Any) -> dict[str, Any]:  # noqa: N802
        """When it wants to report, and what."""
        steps = self._interval - simulation.currentStep % self._interval
        include = ["positions", "energy", *(["velocities"] if self._has_state else []), *(["forces"] if self._has_forces else [])]
        return {"steps": steps, "periodic": self._enforce if not self._has_state else False, "include": include}

    def report(self, simulation: Any, state: Any) -> None:
        """Appends the entry; an error leaves the series as it was."""
        if self._freedom is None:
            self._freedom = degrees_of_freedom(simulation.system)
        frame = frame_of(simulation, state, self._freedom, self._has_state, self._has_forces)
        time = float(state.getTime().value_in_unit(unit.picosecond))
        if self._run is not None:
            self._run.check_atoms(len(frame.positions) if frame.positions is not None else 0)
            self._run.check_time(time)
        self._writer.append(frame, step=simulation.currentStep, time=time)

    def close(self) -> None:
        """Gives the file back."""
        self._writer.close()

    def __enter__(self) -> Reporter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def run_at(path: str) -> Run | None:
    with opened_series(path) as series:
        return Run.of(path, series[-1]) if len(series) else None


def opened_series(path: str) -> Series:
    opened = open(path)
    if not isinstance(opened, Series):
        raise GraphCodableError(None, f"{path} is no series", None, "series", "notAnArchive")
    return opened


def frame_of(simulation: Any, state: Any, freedom: int, has_state: bool, has_forces: bool) -> ReportedFrame:
    """What an entry has; the numbers of OpenMM in its own units."""
    kind = np.float64 if has_state else np.float32

    def vectors(quantity: Any) -> np.ndarray[Any, Any]:
        return np.asarray(quantity._value if hasattr(quantity, "_value") else quantity, kind)

    box = None
    if simulation.system.usesPeriodicBoundaryConditions():
        box = np.array(state.getPeriodicBoxVectors().value_in_unit(unit.nanometer), np.float64)
    frame = ReportedFrame(positions=vectors(state.getPositions(asNumpy=True)), box=box, log=log_of(state, freedom))
    if has_forces:
        frame.forces = vectors(state.getForces(asNumpy=True))
    if has_state:
        frame.velocities = vectors(state.getVelocities(asNumpy=True))
        frame.state = state_of(simulation, state)
    return frame


def degrees_of_freedom(system: Any) -> int:
    """Three of each particle with a mass, less one for each constraint and three where the centre of mass is held."""
    masses = [system.getParticleMass(index).value_in_unit(unit.dalton) for index in range(system.getNumParticles())]
    constraints = (system.getConstraintParameters(index) for index in range(system.getNumConstraints()))
    free: int = 3 * sum(mass > 0 for mass in masses) - sum(masses[one] > 0 or masses[other] > 0 for one, other, _ in constraints)
    is_held = any(isinstance(force, openmm.CMMotionRemover) for force in system.getForces())
    return max(free - 3 if is_held else free, 1)


def log_of(state: Any, freedom: int) -> Log:
    kinetic = float(state.getKineticEnergy().value_in_unit(unit.kilojoule_per_mole))
    gas = unit.MOLAR_GAS_CONSTANT_R.value_in_unit(unit.kilojoule_per_mole / unit.kelvin)
    return Log(
        float(state.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole)), kinetic, 2 * kinetic / (freedom * gas),
        float(state.getPeriodicBoxVolume().value_in_unit(unit.nanometer**3)),
    )  # fmt: skip


def state_of(simulation: Any, state: Any) -> State:
    context, integrator = simulation.context, simulation.integrator
    seeds = {f"force {index}": force.getRandomNumberSeed() for index, force in enumerate(simulation.system.getForces())
             if hasattr(force, "getRandomNumberSeed")}  # fmt: skip
    if hasattr(integrator, "getRandomNumberSeed"):
        seeds["integrator"] = integrator.getRandomNumberSeed()
    values: dict[str, float] = {}
    per_dof: dict[str, np.ndarray[Any, Any]] = {}
    if isinstance(integrator, openmm.CustomIntegrator):
        names = map(integrator.getGlobalVariableName, range(integrator.getNumGlobalVariables()))
        values = {name: integrator.getGlobalVariable(index) for index, name in enumerate(names)}
        names = map(integrator.getPerDofVariableName, range(integrator.getNumPerDofVariables()))
        per_dof = {name: np.array(integrator.getPerDofVariable(index), np.float64) for index, name in enumerate(names)}
    # Of the integrator alone: what else a state has, is stored as numbers.
    text = openmm.XmlSerializer.serialize(context.getState(integratorParameters=True))
    return State(
        simulation.currentStep, float(state.getTime().value_in_unit(unit.picosecond)), dict(context.getParameters()), seeds, values,
        per_dof, text,
    )  # fmt: skip


def restore(simulation: Any, path: str | os.PathLike[str], entry: int = -1) -> Entry:
    """Gives a simulation the state of an entry, by default the last whole one, and returns that.

    The simulation has the same system; its platform, device and version of OpenMM may be others. Generators of random numbers begin anew,
    with the seeds that the simulation has: OpenMM does not say where they were.
    """
    with opened_series(os.fspath(path)) as series:
        if not len(series):
            raise GraphCodableError(None, f"{path} has no entries: begin the simulation anew", None, "series", "valueNotFound")
        found = series[entry]
        frame, root = read_frame(found), found.root
        state = root["state"] if "state" in root else None
        if state is None or frame.positions is None or frame.velocities is None:
            message = f"entry {found.number} of {path} has no state: it is of a trajectory alone; restore what a `Reporter` with a state has written"
            raise GraphCodableError(None, message, None, "archive", "valueNotFound")
        atoms = simulation.system.getNumParticles()
        if len(frame.positions) != atoms:
            message = f"{path} has {len(frame.positions)} atoms, and the simulation {atoms}: restore it with the system that was saved"
            raise GraphCodableError(None, message, None, "archive", "invalidValue")
        apply(simulation, frame, state)
        return found


def apply(simulation: Any, frame: Frame, state: Any) -> None:
    context, integrator = simulation.context, simulation.integrator
    context.setState(openmm.XmlSerializer.deserialize(state.integrator))
    if frame.box is not None:
        context.setPeriodicBoxVectors(*(openmm.Vec3(*row) for row in frame.box.tolist()))
    for name, value in fields(state.parameters).items():
        context.setParameter(name, value)
    context.setPositions(frame.positions)
    context.setVelocities(frame.velocities)
    if isinstance(integrator, openmm.CustomIntegrator):
        for name, value in fields(state.globals).items():
            integrator.setGlobalVariableByName(name, value)
        for name, value in fields(state.per_dof).items():
            integrator.setPerDofVariableByName(name, [openmm.Vec3(*row) for row in np.asarray(value).tolist()])
    context.setTime(state.time)
    context.setStepCount(state.step)
    simulation.currentStep = state.step


__all__ = ["Reporter", "restore"]
