"""What is computed of the particles of a snapshot, in the reduced units of the simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

# Distances that are computed at a time.
AT_ONCE = 4_000_000


def vectors(record: Any) -> Numbers:
    """A vector for each particle, of the arrays of their components."""
    return np.stack([record.x[:], record.y[:], record.z[:]], axis=1)


def kinetic_energy(velocities: Numbers, masses: Numbers) -> float:
    return float(masses @ (velocities**2).sum(axis=1)) / 2


def temperature(kinetic: Any, count: int, fixed: int = 3) -> Any:
    """The temperature of so many particles with a kinetic energy, or with each of several.

    `fixed` is how many degrees of freedom they have not: the three of their common motion, if they are all particles of the box.
    """
    return 2 * kinetic / (3 * count - fixed)


def relative_drift(kinetic: Numbers, potential: Numbers) -> float:
    """How far the total energy has been from its first value, divided by the first kinetic energy."""
    total = kinetic + potential
    return float(np.abs(total - total[0]).max() / kinetic[0])


def radial_distribution(
    positions: Numbers, side: float, radius: float, bins: int = 100, most: int = 4_000
) -> tuple[Numbers, Numbers]:
    """The middles of the bins, and g(r) there: how many particles are at a distance, divided by how many were if they did not interact.

    The box is periodic and cubic. Where there are more particles than `most`, neighbours are counted around so many of them.
    """
    if radius > side / 2:
        raise ValueError(f"a particle is its own neighbour beyond half the side, {side / 2}")
    count = len(positions)
    centres = positions[np.linspace(0, count - 1, min(count, most)).astype(int)]
    edges = np.linspace(0, radius, bins + 1)
    found = np.zeros(bins)
    rows = max(AT_ONCE // count, 1)
    for start in range(0, len(centres), rows):
        squares = np.zeros((len(centres[start : start + rows]), count))
        for axis in range(3):
            offsets = centres[start : start + rows, axis, None] - positions[:, axis]
            squares += (offsets - side * np.round(offsets / side)) ** 2
        found += np.histogram(np.sqrt(squares[squares < radius**2]), edges)[0]
    found[0] -= len(centres)  # Each has found itself.
    volumes = 4 / 3 * np.pi * np.diff(edges**3)
    return (edges[1:] + edges[:-1]) / 2, found / (len(centres) * volumes * (count - 1) / side**3)
