"""Trajectories and files of HDF5 become series and archives, and come back."""

from __future__ import annotations

import io
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphcodable as gc
from graphcodable.__main__ import main
from graphcodable.trajectories import report

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """The exit status of a command, its output, and its error."""
    try:
        status = main(list(map(str, arguments)))
    except SystemExit as error:
        status = int(error.code or 0)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def mdanalysis() -> Any:
    pytest.importorskip("MDAnalysisTests", reason="without MDAnalysisTests")
    return pytest.importorskip("MDAnalysis", reason="without MDAnalysis: pip install 'graphcodable[mdanalysis]'")


@pytest.fixture(scope="module")
def solvated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A protein in water, as GROMACS has written it: 4 frames of 33,876 atoms."""
    mdanalysis()
    from MDAnalysisTests.datafiles import AUX_EDR_XTC

    # A copy, since MDAnalysis writes an index beside it.
    path = tmp_path_factory.mktemp("solvated") / "solvated.xtc"
    path.write_bytes(Path(AUX_EDR_XTC).read_bytes())
    return path


def test_a_solvated_trajectory_is_imported_appended_to_read_by_slices_exported_and_compared(
    solvated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mda = mdanalysis()
    from graphcodable.mdanalysis import GraphCodableReader

    series, back = tmp_path / "run.gcseries", tmp_path / "back.xtc"
    status, output, _ = run(capsys, "import", solvated, series, "--precision", 0.004, "--json")
    report = json.loads(output)
    assert status == 0 and len(report["errors"]) == 4 and all(0 < each["positions"] <= 0.00401 for each in report["errors"])

    with mda.coordinates.XTC.XTCReader(str(solvated)) as original:
        universe = mda.Universe.empty(original.n_atoms, trajectory=True)
        with mda.Writer(str(series), original.n_atoms, precision=0.004) as writer:
            for ts in original:
                universe.trajectory.ts.positions, universe.trajectory.ts.time = ts.positions, 1000 + ts.time
                universe.dimensions = ts.dimensions
                writer.write(universe)
        reader = GraphCodableReader(series)
        assert [ts.frame for ts in reader[1:8:3]] == [1, 4, 7] and [ts.frame for ts in reader[::-2]] == [7, 5, 3, 1]
        for frame in (6, 1, 3):
            expected = original[frame % 4]
            assert np.abs(reader[frame].positions - expected.positions).max() <= 0.00401
            assert np.array_equal(reader.ts.dimensions, expected.dimensions)

    status, output, _ = run(capsys, "export", series, back, "--errors")
    assert status == 0 and "frame 7: positions" in output and f"{back}: 8 frames" in output
    with mda.coordinates.XTC.XTCReader(str(back)) as again:
        errors = [float(np.abs(ts.positions - reader[ts.frame].positions).max()) for ts in again]
    assert max(errors) <= 0.0051 and f"largest error {max(errors):.3g} Å" in output


@pytest.mark.parametrize("name", ["trr", "dcd", "h5md"])
def test_positions_velocities_and_box_come_back_from_other_formats(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mda = mdanalysis()
    if name == "h5md":
        pytest.importorskip("h5py")
    from MDAnalysisTests.datafiles import COORDINATES_TOPOLOGY, COORDINATES_TRR

    from graphcodable.mdanalysis import GraphCodableReader

    first, other, second = tmp_path / "a.gcseries", tmp_path / f"b.{name}", tmp_path / "c.gcseries"
    universe = mda.Universe(COORDINATES_TOPOLOGY, COORDINATES_TRR)
    with mda.Writer(str(first), 5) as writer:
        for _ in universe.trajectory:
            writer.write(universe)
    assert run(capsys, "export", first, other)[0] == 0 and run(capsys, "import", other, second)[0] == 0
    for before, after in zip(GraphCodableReader(first), GraphCodableReader(second), strict=True):
        assert np.allclose(before.positions, after.positions, rtol=1e-6) and np.allclose(before.dimensions, after.dimensions, rtol=1e-5)
        assert math.isclose(before.time, after.time, abs_tol=1e-6)
        if name != "dcd":
            assert np.allclose(before.velocities, after.velocities, rtol=1e-6) and np.allclose(before.forces, after.forces, rtol=1e-6)


def test_a_run_is_not_written_over_and_goes_on_with_append(solvated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    series = tmp_path / "run.gcseries"
    assert run(capsys, "import", solvated, series)[0] == 0
    before = series.read_bytes()
    status, _, error = run(capsys, "import", solvated, series)
    assert status == 64 and "is there already: append to it with --append, or write another file" in error
    status, _, error = run(capsys, "import", solvated, series, "--append")
    assert status == 1 and "is not later: write later frames" in error and series.read_bytes() == before


def test_a_file_that_fails_leaves_nothing(solvated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken, series = tmp_path / "broken.xtc", tmp_path / "run.gcseries"
    broken.write_bytes(solvated.read_bytes()[:-1000])
    status, _, error = run(capsys, "import", broken, series)
    assert not series.exists() or status == 0, error  # MDAnalysis may take the whole frames of it.
    broken.write_bytes(b"no trajectory")
    status, _, error = run(capsys, "import", broken, series, "--append")
    assert status in (1, 66) and "broken.xtc" in error


def test_extensions_that_are_none_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = run(capsys, "import", tmp_path / "a.pdb", tmp_path / "a.gcseries")
    assert status == 64 and "no format has the extension '.pdb', but .xtc, .trr, .dcd, .h5md, .h5, .hdf5" in error
    status, _, error = run(capsys, "import", tmp_path / "a.xtc", tmp_path / "a.gcodable")
    assert status == 64 and "become a series, whose name ends with '.gcseries'" in error


def test_a_package_that_is_missing_is_named_with_its_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "MDAnalysis", None)
    monkeypatch.setitem(sys.modules, "h5py", None)
    status, _, error = run(capsys, "import", tmp_path / "a.xtc", tmp_path / "a.gcseries")
    assert status == 66 and "this needs MDAnalysis: pip install 'graphcodable[mdanalysis]'" in error
    status, _, error = run(capsys, "export", tmp_path / "a.gcseries", tmp_path / "a.h5")
    assert status == 66 and "this needs h5py: pip install 'graphcodable[hdf5]'" in error


def test_hdf5_becomes_a_series_or_an_archive_and_comes_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    h5py = pytest.importorskip("h5py", reason="without h5py: pip install 'graphcodable[hdf5]'")
    source, series, archive, back = (tmp_path / name for name in ("a.h5", "a.gcseries", "a.gcodable", "b.h5"))
    field = np.arange(60, dtype="<f4").reshape(4, 5, 3)
    with h5py.File(source, "w") as file:
        file["fields/density"], file["counts"] = field, np.arange(4)
        file["step"], file["time"] = np.arange(0, 40, 10), np.arange(4) / 2
    assert run(capsys, "import", source, series)[0] == 0
    entries = gc.open(series)
    assert isinstance(entries, gc.Series) and [(each.step, each.time) for each in entries] == [(0, 0), (10, 0.5), (20, 1), (30, 1.5)]
    assert np.array_equal(entries[2].root.fields.density, field[2]) and entries[2].root.counts == 2
    assert run(capsys, "export", series, back)[0] == 0
    with h5py.File(back) as file:
        assert np.array_equal(file["fields/density"], field) and file["fields/density"].dtype == field.dtype
        assert file["counts"][:].tolist() == [0, 1, 2, 3] and file["step"][:].tolist() == [0, 10, 20, 30]
    status, output, _ = run(capsys, "import", source, archive, "--precision", 0.1)
    assert status == 0 and "fields/density: largest error" in output
    back.unlink()
    assert run(capsys, "export", archive, back)[0] == 0
    with h5py.File(back) as file:
        assert np.abs(file["fields/density"][:] - field).max() <= 0.1


def test_what_hdf5_cannot_take_is_refused_and_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    h5py = pytest.importorskip("h5py")
    gc.save({"a": {"species": [{"name": "Na"}]}}, tmp_path / "a.gcodable")
    status, _, error = run(capsys, "export", tmp_path / "a.gcodable", tmp_path / "a.h5")
    assert status == 1 and "'a/species' is a List, which HDF5 has no dataset for" in error and not (tmp_path / "a.h5").exists()
    with gc.SeriesWriter(tmp_path / "b.gcseries") as writer:
        writer.append({"x": np.zeros(3)})
        writer.append({"x": np.zeros(4)})
    status, _, error = run(capsys, "export", tmp_path / "b.gcseries", tmp_path / "b.h5")
    assert status == 1 and "entry 1 has 'x' of the shape (4,), and the first one (3,)" in error and not (tmp_path / "b.h5").exists()
    with h5py.File(tmp_path / "c.h5", "w") as file:
        file["x"], file["y"] = np.zeros(3), np.zeros(4)
    status, _, error = run(capsys, "import", tmp_path / "c.h5", tmp_path / "c.gcseries")
    assert status == 64 and "(x 3, y 4); import them into an archive" in error and not (tmp_path / "c.gcseries").exists()


def test_progress_is_shown_on_a_terminal_alone() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream in (terminal := Terminal(), file := io.StringIO()):
        with report.Progress("a to b", 2000, stream) as shown:
            shown.step()
    assert terminal.getvalue() == "\ra to b: 1 of 2,000\x1b[K\r\x1b[K" and file.getvalue() == ""


def test_the_largest_error_is_that_of_any_number() -> None:
    one = np.array([1.0, np.nan, np.inf, -2.0])
    assert report.largest_error(one, one) == 0
    assert report.largest_error(one, one + [0, 0, 0, 0.5]) == 0.5
    assert report.largest_error(one, np.array([1.0, 0.0, np.inf, -2.0])) == math.inf
    assert report.largest_error(one, one[:3]) == math.inf
