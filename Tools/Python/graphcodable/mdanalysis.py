"""A reader and an appending writer for MDAnalysis, which finds them by the extension `.gcseries` once this module is imported."""

from .trajectories.extras import needed

needed("MDAnalysis", "mdanalysis")

from .trajectories.molecules import GraphCodableReader, GraphCodableWriter  # noqa: E402

__all__ = ["GraphCodableReader", "GraphCodableWriter"]
