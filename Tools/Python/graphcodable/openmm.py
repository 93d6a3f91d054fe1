"""A reporter for OpenMM that commits state, trajectory and log of a simulation as one entry of a series, and `restore`."""

from .trajectories.extras import needed

needed("openmm", "openmm")

from .trajectories.simulation import Log, ReportedFrame, Reporter, State, restore  # noqa: E402

__all__ = ["Log", "ReportedFrame", "Reporter", "State", "restore"]
