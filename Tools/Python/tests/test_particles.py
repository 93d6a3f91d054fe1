"""The script that plots the particle simulation, and what it computes."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import particles
import pytest
from saved import save_entry

SCRIPT = Path(__file__).parents[1] / "scripts" / "plot.py"
Numbers = particles.Numbers


def lattice(cells: int, unit: float) -> Numbers:
    """A face-centred cubic lattice."""
    places = np.stack(np.meshgrid(*[np.arange(cells)] * 3, indexing="ij"), axis=-1).reshape(-1, 1, 3)
    corners = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])
    sites: Numbers = ((places + corners) * unit).reshape(-1, 3)
    return sites


def neighbours(distances: Numbers, g: Numbers, density: float) -> Numbers:
    """How many particles are in the shell of each bin."""
    width = distances[1] - distances[0]
    volumes = 4 / 3 * np.pi * ((distances + width / 2) ** 3 - (distances - width / 2) ** 3)
    found: Numbers = g * density * volumes
    return found


def test_particles_at_random_places_have_a_distribution_of_one() -> None:
    positions = np.random.default_rng(1).random((5_000, 3)) * 12
    distances, g = particles.radial_distribution(positions, 12.0, 6.0, bins=30)
    assert distances[0] == pytest.approx(0.1) and distances[-1] == pytest.approx(5.9)
    assert np.abs(g[5:] - 1).max() < 0.03 and abs(g[5:].mean() - 1) < 0.003


@pytest.mark.parametrize("most", [50, 5_000])
def test_a_lattice_has_its_shells_of_neighbours(most: int) -> None:
    unit = 1.5
    positions = lattice(5, unit)
    # Shifted, so that the shells go through the sides of the box.
    distances, g = particles.radial_distribution((positions + 0.7) % (5 * unit), 5 * unit, 3.0, bins=300, most=most)
    found = neighbours(distances, g, (len(positions) - 1) / (5 * unit) ** 3)
    shells = {unit * np.sqrt(order / 2): count for order, count in ((1, 12), (2, 6), (3, 24), (4, 12), (5, 24), (6, 8), (7, 48))}
    for radius, count in shells.items():
        assert found[np.abs(distances - radius) < 0.011].sum() == pytest.approx(count)
    assert found.sum() == pytest.approx(sum(shells.values()))
    assert distances[g.argmax()] == pytest.approx(unit / np.sqrt(2), abs=0.011)


def test_particles_are_neighbours_through_the_sides_of_the_box() -> None:
    positions = np.array([[0.1, 5, 9.9], [9.9, 5, 0.1]])
    distances, g = particles.radial_distribution(positions, 10.0, 5.0, bins=50)
    assert np.flatnonzero(g).tolist() == [2] and distances[2] == pytest.approx(0.25)
    assert neighbours(distances, g, 1 / 1000)[2] == pytest.approx(1)
    with pytest.raises(ValueError, match="half the side"):
        particles.radial_distribution(positions, 10.0, 5.1)


def test_the_temperature_is_that_of_the_velocities() -> None:
    masses = np.array([1.0, 2.0] * 20_000)
    velocities = np.random.default_rng(2).normal(size=(40_000, 3)) * np.sqrt(1.6 / masses)[:, None]
    energy = particles.kinetic_energy(velocities, masses)
    assert particles.temperature(energy, len(masses)) == pytest.approx(1.6, rel=0.01)
    # Two particles: (1 · 9 + 2 · 4) / 2, of which one has three degrees of freedom in relation to the other.
    energy = particles.kinetic_energy(np.array([[3.0, 0, 0], [0, 0, 2.0]]), np.array([1.0, 2.0]))
    assert energy == 8.5 and particles.temperature(energy, 2) == pytest.approx(17 / 3)
    assert particles.temperature(energy, 2, fixed=0) == pytest.approx(17 / 6)


def test_the_drift_is_the_largest_one() -> None:
    assert particles.relative_drift(np.array([2.0, 3.0, 1.0]), np.array([0.0, -1.5, 1.0])) == 0.25


# The script


def components(values: Numbers) -> dict[str, Numbers]:
    return dict(zip("xyz", values.T))


def state(step: int, positions: Numbers, side: float) -> dict[str, Any]:
    """A state as the particle simulation stores it. The species have the temperatures 1 and 2, exactly."""
    kinds = (np.arange(len(positions)) % 2).astype("u1")
    velocities = np.where(np.arange(len(positions)) // 2 % 2, 1.0, -1.0)[:, None] * np.sqrt([1.0, 2.0 / 4])[kinds, None] * np.ones(3)
    materials = {"name": "noble gas", "kelvinPerUnit": 100.0, "angstromPerUnit": 3.4}
    species = [
        {"name": name, "diameter": diameter, "wellDepth": 1.0, "mass": mass, "material": materials}
        for name, diameter, mass in (("argon", 1.0, 1.0), ("krypton", 1.067, 4.0))
    ]
    kinetic = np.linspace(900, 600, step + 1)
    return {
        "parameters": {"particleCount": len(positions), "density": 0.7, "temperature": 1.6, "timeStep": 0.5, "seed": 1},
        "side": side, "species": species, "stepCount": step,
        "particles": {"positions": components(positions), "velocities": components(velocities), "species": kinds},
        "energies": {"kinetic": kinetic, "potential": -500 - kinetic + np.linspace(0, 9, step + 1)},
    }  # fmt: skip


def test_the_script_plots_a_series(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    folder, picture = tmp_path / "run", tmp_path / "picture.png"
    folder.mkdir()
    positions = lattice(4, 1.5)
    for number in range(3):
        save_entry(folder, number, state(number * 20, positions, 6.0), number * 20, repr(number * 10.0))
    monkeypatch.setattr(sys, "argv", ["plot.py", str(folder), "--output", str(picture)])
    found = runpy.run_path(str(SCRIPT))
    assert "3 snapshots of 256 particles up to step 40, energy drift 1.0e-02" in capsys.readouterr().out
    assert found["times"][-1] == 20 and found["snapshot_times"] == [0, 10, 20]
    assert found["temperatures"][[0, -1]] == pytest.approx(np.array([180_000, 120_000]) / (3 * 256 - 3))
    assert found["of_species"] == {"argon": pytest.approx([100.0] * 3), "krypton": pytest.approx([200.0] * 3)}
    assert found["distances"][found["g"].argmax()] == pytest.approx(1.5 / np.sqrt(2), abs=0.04)
    figure = found["figure"]
    assert [axes.get_title() for axes in figure.axes] == ["Temperature", "Energy", "Radial distribution", "Particles at step 40"]
    assert all(axes.get_xlabel() and axes.get_ylabel() for axes in figure.axes)
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and picture.stat().st_size > 10_000
    found["plt"].close(figure)
