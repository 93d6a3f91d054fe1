"""A simulation of OpenMM goes on from the last whole entry of a series."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphcodable as gc

openmm = pytest.importorskip("openmm", reason="without OpenMM: pip install 'graphcodable[openmm]'")

from openmm import app, unit  # noqa: E402

from graphcodable.openmm import Reporter, restore  # noqa: E402

ATOMS, SIDE = 27, 2.4


def integrator(kind: str) -> Any:
    if kind == "custom":
        made = openmm.CustomIntegrator(0.002)
        made.addGlobalVariable("steps", 0)
        made.addPerDofVariable("before", 0)
        made.addComputeGlobal("steps", "steps+1")
        made.addComputePerDof("before", "x")
        made.addComputePerDof("v", "v+dt*f/m")
        made.addComputePerDof("x", "x+dt*v")
        return made
    if kind == "thermostat":
        return openmm.NoseHooverIntegrator(120 * unit.kelvin, 10 / unit.picosecond, 0.002 * unit.picosecond)
    if kind == "random":
        return openmm.LangevinMiddleIntegrator(120 * unit.kelvin, 1 / unit.picosecond, 0.002 * unit.picosecond)
    return openmm.VerletIntegrator(0.002)


def simulation(kind: str = "verlet") -> Any:
    """Argon in a box, with a parameter of its force."""
    system, topology = openmm.System(), app.Topology()
    system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*row) for row in np.eye(3) * SIDE))
    force = openmm.CustomNonbondedForce(("4*0.996" if kind == "plain" else "scale*4*0.996") + "*((0.34/r)^12-(0.34/r)^6)")
    if kind != "plain":
        force.addGlobalParameter("scale", 1.0)
    force.setNonbondedMethod(force.CutoffPeriodic)
    force.setCutoffDistance(1.0)
    chain = topology.addChain()
    for _ in range(ATOMS):
        system.addParticle(39.95)
        force.addParticle([])
        topology.addAtom("Ar", app.Element.getBySymbol("Ar"), topology.addResidue("Ar", chain))
    system.addForce(force)
    made = app.Simulation(topology, system, integrator(kind), openmm.Platform.getPlatformByName("Reference"))
    made.context.setPositions(np.indices((3, 3, 3)).reshape(3, -1).T * SIDE / 3 + 0.1)
    made.context.setVelocities(np.sin(np.arange(3 * ATOMS)).reshape(-1, 3) * 0.2)
    return made


def series(path: Path) -> gc.Series:
    opened = gc.open(path)
    assert isinstance(opened, gc.Series)
    return opened


def vectors(its: Any) -> tuple[Any, Any]:
    state = its.context.getState(positions=True, velocities=True)
    return state.getPositions(asNumpy=True)._value, state.getVelocities(asNumpy=True)._value


@pytest.mark.parametrize("kind", ["verlet", "custom", "thermostat", "plain"])
def test_a_restored_simulation_goes_on_as_the_first_one_does(kind: str, tmp_path: Path) -> None:
    path, first = tmp_path / "run.gcseries", simulation(kind)
    if kind != "plain":
        first.context.setParameter("scale", 0.9)
    with Reporter(path, 10) as reporter:
        first.reporters.append(reporter)
        first.step(30)
    first.reporters.clear()
    first.step(10)
    second = simulation(kind)
    entry = restore(second, path)
    assert (entry.step, second.currentStep, second.context.getStepCount()) == (30, 30, 30)
    assert abs(entry.time - 0.06) < 1e-9 and dict(second.context.getParameters()) == dict(first.context.getParameters())
    with Reporter(path, 10) as reporter:
        second.reporters.append(reporter)
        second.step(10)
    for one, other in zip(vectors(first), vectors(second), strict=True):
        assert np.array_equal(one, other)
    if kind == "custom":
        assert second.integrator.getGlobalVariableByName("steps") == 40
    assert [each.step for each in series(path)] == [10, 20, 30, 40]


def test_an_entry_that_is_cut_short_is_not_restored(tmp_path: Path) -> None:
    path, first = tmp_path / "run.gcseries", simulation("random")
    with Reporter(path, 5) as reporter:
        first.reporters.append(reporter)
        first.step(15)
    os.truncate(path, path.stat().st_size - 100)
    second = simulation("random")
    assert restore(second, path).step == 10 and second.currentStep == 10
    with Reporter(path, 5) as reporter:
        second.reporters.append(reporter)
        second.step(5)
    assert [each.step for each in series(path)] == [5, 10, 15]


def test_log_and_seeds_belong_to_the_entry(tmp_path: Path) -> None:
    path, first = tmp_path / "run.gcseries", simulation("random")
    first.integrator.setRandomNumberSeed(7)
    with Reporter(path, 5, forces=True) as reporter:
        first.reporters.append(reporter)
        first.step(5)
    state = first.context.getState(energy=True, forces=True)
    root = series(path)[-1].root
    assert root.log.potential_energy == state.getPotentialEnergy()._value and 10 < root.log.temperature < 1000
    assert abs(root.log.volume - SIDE**3) < 1e-9 and root.state.seeds.to_dict() == {"integrator": 7}
    assert np.array_equal(root.forces, state.getForces(asNumpy=True)._value) and root.units.length == "nm"


def test_a_trajectory_alone_has_a_precision_and_is_not_restored(tmp_path: Path) -> None:
    path, first = tmp_path / "run.gcseries", simulation()
    with Reporter(path, 5, state=False, precision=0.001) as reporter:
        first.reporters.append(reporter)
        first.step(5)
    root = series(path)[-1].root
    assert root.positions.dtype == np.dtype("<f4") and root.state is None and root.velocities is None
    assert 0 < np.abs(np.asarray(root.positions) - vectors(first)[0]).max() <= 0.0011
    with pytest.raises(gc.GraphCodableError, match="entry 0 of .* has no state: it is of a trajectory alone"):
        restore(simulation(), path)
    with pytest.raises(ValueError, match="a state is exact: write a trajectory to a precision with `state=False`"):
        Reporter(tmp_path / "other.gcseries", 5, precision=0.001)


def test_another_run_is_not_appended_to(tmp_path: Path) -> None:
    path, first = tmp_path / "run.gcseries", simulation()
    with Reporter(path, 5) as reporter:
        first.reporters.append(reporter)
        first.step(10)
    before = path.read_bytes()
    second = simulation()
    with Reporter(path, 5) as reporter:
        second.reporters.append(reporter)
        with pytest.raises(gc.GraphCodableError, match="ends at 0.02, and a frame of 0.01 is not later"):
            second.step(5)
    assert path.read_bytes() == before


def test_mdanalysis_reads_what_a_reporter_has_written(tmp_path: Path) -> None:
    pytest.importorskip("MDAnalysis", reason="without MDAnalysis: pip install 'graphcodable[mdanalysis]'")
    from graphcodable.mdanalysis import GraphCodableReader

    path, first = tmp_path / "run.gcseries", simulation()
    with Reporter(path, 5) as reporter:
        first.reporters.append(reporter)
        first.step(10)
    reader = GraphCodableReader(path)
    assert np.allclose(reader[1].positions, 10 * vectors(first)[0]) and np.allclose(reader.ts.dimensions, [24, 24, 24, 90, 90, 90])
