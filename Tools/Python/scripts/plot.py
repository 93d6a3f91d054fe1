# %% [markdown]
# # The particle simulation, from its series
#
# `make gallery` makes the one in the README. For a run of your own:
#
#     make demo DEMO_ARGS="--particles 4000 --steps 400 --snapshot-every 10"
#     scripts/python.sh run plot [SERIES] [--output PICTURE]
#
# Editors that know `# %%` run it cell by cell, with the series that `make demo` wrote at last.
#
# Each entry of the series is the whole object graph of the simulation.
# Of each, this reads only the arrays that it needs.

# %%
import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from particles import kinetic_energy, radial_distribution, relative_drift, temperature, vectors

import graphcodable

parser = argparse.ArgumentParser(description="Plots a series of snapshots of the particle simulation.")
parser.add_argument("series", nargs="?", default=Path(tempfile.gettempdir(), "graphcodable-demo", "run.gcseries"), help="folder, file or address")
parser.add_argument("--output", help="the picture, which is shown if it is to be in no file")
# A notebook has arguments of its own.
options = parser.parse_args([] if "ipykernel" in sys.modules else None)

# %% [markdown]
# ## The last state
#
# It has the energies of all steps, and the species, which share their materials: all have the units of the first one.

# %%
series: Any = graphcodable.open(options.series)
state = series[-1].root
kelvin = state.species[0].material.kelvinPerUnit
names = [species.name for species in state.species]
kinetic, potential = state.energies.kinetic[:], state.energies.potential[:]
times = np.arange(len(kinetic)) * state.parameters.timeStep
count = len(state.particles.species)
drift = relative_drift(kinetic, potential)
print(f"{len(series)} snapshots of {count:,} particles up to step {series[-1].step}, energy drift {drift:.1e}")

# %% [markdown]
# ## Temperature
#
# Particles start on a lattice, which falls apart: part of the kinetic energy becomes potential energy. Collisions then give all
# species the same temperature.

# %%
temperatures = kelvin * temperature(kinetic, count)
snapshot_times = [entry.time for entry in series]
of_species: dict[str, list[float]] = {name: [] for name in names}
for entry in series:
    its = entry.root.particles
    velocities, kinds = vectors(its.velocities), its.species[:]
    for number, species in enumerate(state.species):
        own = velocities[kinds == number]
        energy = kinetic_energy(own, np.full(len(own), species.mass))
        of_species[species.name].append(kelvin * temperature(energy, len(own), fixed=0))
print(f"{temperatures[0]:.1f} K at first, {temperatures[-1]:.1f} K at last")

# %% [markdown]
# ## Structure
#
# The peaks of the lattice become the shells of a liquid.

# %%
early = series[min(1, len(series) - 1)]
radius = min(state.side / 2, 5.0)
distances, g_early = radial_distribution(vectors(early.root.particles.positions), state.side, radius)
distances, g = radial_distribution(vectors(state.particles.positions), state.side, radius)
print(f"g(r) is highest, {g.max():.2f}, at {distances[g.argmax()]:.2f} σ")

# %% [markdown]
# ## The picture
#
# Colours of Okabe and Ito, which people who are colour-blind can tell apart.

# %%
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"]
plt.rcParams.update({"font.size": 9, "axes.titlesize": 10, "axes.spines.top": False, "axes.spines.right": False})
figure = plt.figure(figsize=(9, 7.2), layout="constrained")
TIME = "time (σ√(m/ε))"

axes: Any = figure.add_subplot(2, 2, 1, title="Temperature", xlabel=TIME, ylabel="temperature (K)")
for colour, (name, values) in zip(COLOURS, of_species.items()):
    axes.plot(snapshot_times, values, color=colour, linewidth=1, marker=".", markersize=4, label=name)
axes.plot(times, temperatures, color="black", linewidth=2, label="all")
axes.legend(frameon=False)

axes = figure.add_subplot(2, 2, 2, title="Energy", xlabel=TIME, ylabel="energy per particle (ε)")
total = f"total, which drifts by {100 * drift:.2f} % of the kinetic energy"
for label, values, style in ((total, kinetic + potential, "-"), ("kinetic", kinetic, "--"), ("potential", potential, ":")):
    axes.plot(times, values / count, style, color="black", linewidth=1.5)
    axes.text(times[-1], values[-1] / count + 0.1, label, ha="right", va="bottom")

axes = figure.add_subplot(2, 2, 3, title="Radial distribution", xlabel="distance r (σ)", ylabel="g(r)")
axes.axhline(1, color="0.85", linewidth=0.8)
axes.plot(distances, g_early, color="0.55", linewidth=1, label=f"step {early.step}")
axes.plot(distances, g, color="black", linewidth=2, label=f"step {series[-1].step}")
axes.set(xlim=(0, radius), ylim=(0, None))
axes.legend(frameon=False)

axes = figure.add_subplot(2, 2, 4, projection="3d", title=f"Particles at step {series[-1].step}")
kinds = state.particles.species[:]
# Markers are about as wide as the particles, where the box is 170 points wide.
sizes = np.array([(120 * species.diameter / state.side) ** 2 for species in state.species])
colours = np.array(COLOURS[: len(names)])
# All at once, since only particles of one call are drawn from the back to the front.
axes.scatter(
    *vectors(state.particles.positions).T, s=sizes[kinds], c=colours[kinds], edgecolors="white", linewidths=0.2,
    depthshade=False,
)  # fmt: skip
for name, colour in zip(names, colours):
    axes.scatter([], [], [], s=30, color=colour, label=name)
ticks = np.arange(0, state.side, 5 * max(state.side // 20, 1))
for axis in "xyz":
    axes.set(**{f"{axis}lim": (0, state.side), f"{axis}ticks": ticks, f"{axis}label": f"{axis} (σ)"})
axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(-0.12, 1))

if options.output:
    # Without the version of matplotlib, so that the same picture is the same file.
    figure.savefig(options.output, dpi=95, metadata={"Software": None} if options.output.endswith(".png") else None)
    print(f"written to {options.output}")
else:
    plt.show()
