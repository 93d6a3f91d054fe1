"""MDAnalysis' own tests of readers and writers, for series; and what is more to appending."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphcodable as gc

mda = pytest.importorskip("MDAnalysis", reason="without MDAnalysis: pip install 'graphcodable[mdanalysis]'")
pytest.importorskip("MDAnalysisTests", reason="without MDAnalysisTests")

from MDAnalysisTests.coordinates import base  # noqa: E402
from MDAnalysisTests.datafiles import COORDINATES_TOPOLOGY, COORDINATES_TRR, COORDINATES_XTC  # noqa: E402

from graphcodable.mdanalysis import GraphCodableReader, GraphCodableWriter  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def copied(source: str, path: Path, **options: Any) -> str:
    """A trajectory of another format as a series."""
    universe = mda.Universe(COORDINATES_TOPOLOGY, source)
    with mda.Writer(str(path), universe.atoms.n_atoms, **options) as writer:
        for _ in universe.trajectory:
            writer.write(universe)
    return str(path)


class Reference(base.BaseReference):  # type: ignore[misc]
    """The frames that all formats are tested with, of 5 atoms with positions, velocities and forces."""

    def __init__(self, trajectory: str, has_vectors: bool = True) -> None:
        super().__init__()
        self.trajectory, self.topology = trajectory, COORDINATES_TOPOLOGY
        self.reader, self.writer, self.ext = GraphCodableReader, GraphCodableWriter, "gcseries"
        self.prec, self.changing_dimensions, self.has_vectors = 3, True, has_vectors
        for ts in (self.first_frame, self.second_frame, self.last_frame, self.jump_to_frame):
            self.complete(ts)

    def complete(self, ts: Any) -> None:
        if self.has_vectors:
            ts.velocities, ts.forces = ts.positions / 10, ts.positions / 100

    def iter_ts(self, i: int) -> Any:
        ts = super().iter_ts(i)
        self.complete(ts)
        return ts


@pytest.fixture(scope="module")
def trajectory(tmp_path_factory: pytest.TempPathFactory) -> str:
    return copied(COORDINATES_TRR, tmp_path_factory.mktemp("trr") / "frames.gcseries")


class TestReader(base.MultiframeReaderTest):  # type: ignore[misc]
    @pytest.fixture
    def ref(self, trajectory: str) -> Reference:
        return Reference(trajectory)


class TestWriter(base.BaseWriterTest):  # type: ignore[misc]
    @pytest.fixture
    def ref(self, trajectory: str) -> Reference:
        return Reference(trajectory)


class TestReaderOfNanometres(base.MultiframeReaderTest):  # type: ignore[misc]
    """The same of a file in other units, to a precision, and with positions alone."""

    @pytest.fixture(scope="class")
    def in_nanometres(self, tmp_path_factory: pytest.TempPathFactory) -> str:
        units = {"length": "nm", "time": "ns"}
        return copied(COORDINATES_XTC, tmp_path_factory.mktemp("xtc") / "frames.gcseries", units=units, precision=1e-5)

    @pytest.fixture
    def ref(self, in_nanometres: str) -> Reference:
        return Reference(in_nanometres, has_vectors=False)


@pytest.fixture
def universe() -> Iterator[Any]:
    made = mda.Universe(COORDINATES_TOPOLOGY, COORDINATES_TRR)
    yield made
    made.trajectory.close()


def write(path: Path, universe: Any, frames: Any = slice(None), **options: Any) -> None:
    with mda.Writer(str(path), universe.atoms.n_atoms, **options) as writer:
        for _ in universe.trajectory[frames]:
            writer.write(universe)


def test_numbers_are_exact_unless_a_precision_is_asked_for(universe: Any, tmp_path: Path) -> None:
    write(tmp_path / "exact.gcseries", universe)
    write(tmp_path / "rounded.gcseries", universe, precision={"positions": 0.05, "velocities": 0.5})
    exact, rounded = (GraphCodableReader(tmp_path / f"{name}.gcseries") for name in ("exact", "rounded"))
    for ts, one, other in zip(universe.trajectory, exact, rounded, strict=True):
        for name in ("positions", "velocities", "forces", "dimensions"):
            assert np.array_equal(getattr(one, name), getattr(ts, name))
        assert 0 < np.abs(other.positions - ts.positions).max() <= 0.05
        assert 0 < np.abs(other.velocities - ts.velocities).max() <= 0.5
        assert np.array_equal(other.forces, ts.forces) and other.data["lambda"] == ts.data["lambda"]


def test_a_run_goes_on_where_it_ended(universe: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.gcseries"
    write(path, universe, slice(0, 3))
    write(path, universe, slice(3, None))
    assert [ts.time for ts in GraphCodableReader(path)] == [ts.time for ts in universe.trajectory]


def test_what_does_not_fit_a_run_is_refused_and_changes_nothing(universe: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.gcseries"
    write(path, universe, slice(0, 3))
    before = path.read_bytes()
    with pytest.raises(gc.GraphCodableError, match="has frames of 5 atoms, and not of 6: write the same atoms, or another file"):
        mda.Writer(str(path), 6)
    with pytest.raises(gc.GraphCodableError, match="ends at 2, and a frame of 2 is not later: .*`append=False` begins the run anew"):
        write(path, universe, slice(2, None))
    with pytest.raises(gc.GraphCodableError, match="has its length in Angstrom, and not in nm: write with `units="):
        mda.Writer(str(path), 5, units={"length": "nm"})
    with mda.Writer(str(path), 5), pytest.raises(gc.GraphCodableError) as error:
        mda.Writer(str(path), 5)
    assert error.value.code == "locked" and path.read_bytes() == before


def test_a_run_begins_anew_and_nothing_but_a_series_is_replaced(universe: Any, tmp_path: Path) -> None:
    path, other = tmp_path / "run.gcseries", tmp_path / "letter.gcseries"
    write(path, universe)
    write(path, universe, slice(0, 2), append=False)
    assert len(GraphCodableReader(path)) == 2
    other.write_text("Dear reader,")
    with pytest.raises(gc.GraphCodableError):
        mda.Writer(str(other), 5, append=False)
    assert other.read_text() == "Dear reader,"


def test_a_reader_keeps_its_frames_while_the_run_goes_on(universe: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.gcseries"
    write(path, universe, slice(0, 3))
    with mda.Writer(str(path), 5) as writer:
        reader = GraphCodableReader(path)
        universe.trajectory[3]
        writer.write(universe)
        assert len(reader) == 3 and len(reader.copy()) == 4 and reader[2].time == 2
    path.unlink()
    write(path, universe, slice(0, 1))
    reader.close()
    with pytest.raises(gc.GraphCodableError, match="had 3 frames when it was opened, and has 1"):
        reader._reopen()


def test_entries_of_others_are_read_by_their_path(tmp_path: Path) -> None:
    path = tmp_path / "run.gcseries"
    with gc.SeriesWriter(path) as writer:
        for step in range(3):
            writer.append({"state": {"positions": np.full((4, 3), step, "<f8")}, "energy": 1.0}, step=10 * step, time=step / 2)
    reader = GraphCodableReader(path, group="state", units={"length": "nm"})
    assert reader[2].positions[3].tolist() == [20, 20, 20] and reader.ts.time == 1 and reader.ts.data["step"] == 20
    assert reader.dt == 0.5 and reader.ts.dimensions is None
    with pytest.raises(gc.GraphCodableError, match="entry 0 has no positions, velocities or forces at its root; `group` names the record"):
        GraphCodableReader(path)
    with pytest.raises(ValueError, match="MDAnalysis knows no length in 'mile', but in "):
        GraphCodableReader(path, group="state", units={"length": "mile"})


def test_a_file_without_frames_says_so(tmp_path: Path) -> None:
    path = tmp_path / "run.gcseries"
    gc.SeriesWriter(path).close()
    with pytest.raises(ValueError, match="has no frames"):
        GraphCodableReader(path)
    gc.save({"positions": np.zeros((3, 3))}, path)
    with pytest.raises(gc.GraphCodableError, match="is no series, but a single archive or a set"):
        GraphCodableReader(path)
