"""Dates that datetime64 does not have, in arrays, structs, runs and sets: an error that says where, or the number; never another date."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from saved import piece_fields, save_set

import graphcodable as gc

xarray = pytest.importorskip("xarray")
COUNT, PLACE = 20_000, 7_000
NO_DATES = {"inf": np.inf, "-inf": -np.inf, "1e13": 1e13, "-1e300": -1e300}
CHUNKS: list[Any] = [None, {}]


def opened(path: Path, **options: Any) -> Any:
    return xarray.open_dataset(path, engine="graphcodable", **options)


def dates(value: float) -> list[gc.Date]:
    found = [gc.Date(float(second)) for second in range(COUNT)]
    found[PLACE] = gc.Date(value)
    return found


def at(second: float) -> np.datetime64:
    return np.datetime64("2001-01-01", "us") + np.timedelta64(round(second * 1e6), "us")


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("value", NO_DATES.values(), ids=NO_DATES)
def test_a_date_inside_of_an_array_is_an_error_that_says_where(tmp_path: Path, value: float, chunks: Any) -> None:
    gc.save({"d": dates(value)}, tmp_path / "a.gcodable")
    data = opened(tmp_path / "a.gcodable", chunks=chunks)
    assert data.d.dtype == "M8[us]" and data.d[PLACE - 1].values == at(PLACE - 1) and data.d[-1].values == at(COUNT - 1)
    for part in (slice(None), slice(PLACE - 5, PLACE + 5), slice(None, None, -1), PLACE, [3, PLACE]):
        with pytest.raises(gc.GraphCodableError, match=f"d has {re.escape(str(value))} seconds since 2001 at element {PLACE}.*decode_times=False"):
            data.d[part].load()
    assert opened(tmp_path / "a.gcodable", decode_times=False).d[PLACE] == value


@pytest.mark.parametrize("value", NO_DATES.values(), ids=NO_DATES)
@pytest.mark.parametrize("options", [{"use_cftime": True}, {"decode_times": "ns"}, {"decode_times": "s"}], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_other_ways_to_decode_make_no_other_dates(tmp_path: Path, value: float, options: dict[str, Any]) -> None:
    if "use_cftime" in options:
        pytest.importorskip("cftime")
    else:
        options = {"decode_times": xarray.coders.CFDatetimeCoder(time_unit=options["decode_times"])}
    gc.save({"d": dates(value)}, tmp_path / "a.gcodable")
    data = opened(tmp_path / "a.gcodable", **options)
    with pytest.raises(gc.GraphCodableError, match=f"at element {PLACE}"):
        data.d[PLACE].load()


def test_no_number_is_no_date(tmp_path: Path) -> None:
    gc.save({"d": dates(np.nan), "one": gc.Date(float("nan")), "some": [gc.Date(1.0), gc.Date(float("nan"))]}, tmp_path / "a.gcodable")
    data = opened(tmp_path / "a.gcodable").load()
    assert np.isnat(data.d.values).nonzero()[0].tolist() == [PLACE] and np.isnat(data.one.values)
    assert np.isnat(data.some.values).tolist() == [False, True]


@pytest.mark.parametrize("second", [-9e12, -63_114_076_800.0, -1e-6, 0.5, 63_113_904_000.0, 9e12])
@pytest.mark.parametrize("chunks", CHUNKS)
def test_far_dates_are_those_that_were_saved(tmp_path: Path, second: float, chunks: Any) -> None:
    gc.save({"d": dates(second)}, tmp_path / "a.gcodable")
    assert opened(tmp_path / "a.gcodable", chunks=chunks).d[PLACE].values == at(second)


@pytest.mark.parametrize("chunks", [None, {}])
@pytest.mark.parametrize("value", NO_DATES.values(), ids=NO_DATES)
@pytest.mark.parametrize("is_array", [False, True])
def test_a_date_of_a_run_is_an_error_that_names_the_entry(tmp_path: Path, value: float, is_array: bool, chunks: Any) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path, synchronized=False) as writer:
        for number in range(5):
            own = gc.Date(value if number == 2 else float(number))
            writer.append({"d": dates(value if number == 2 else 1.0) if is_array else own}, step=10 * number)
    data = opened(path, chunks=chunks)
    assert data.d.dtype == "M8[us]" and data.d[1].load().size
    for part in (2, slice(None), slice(2, None), slice(None, None, 2), [0, 2]):
        with pytest.raises(gc.GraphCodableError, match="d has .* seconds since 2001 in entry 2"):
            data.d[part].load()
    assert np.isin(value, opened(path, decode_times=False).d[2].values)


@pytest.mark.parametrize("value", NO_DATES.values(), ids=NO_DATES)
def test_values_in_memory_stay_numbers(tmp_path: Path, value: float) -> None:
    state = {"one": gc.Date(value), "some": [gc.Date(1.0), gc.Date(value), gc.Date(2.0)], "date": gc.Date(3.0)}
    gc.save(state, tmp_path / "a.gcodable")
    data = opened(tmp_path / "a.gcodable").load()
    assert data.one == value and data.some[1] == value and data.some.attrs["units"] == "seconds since 2001-01-01"
    assert data.date.values == at(3)


def test_dates_over_parts_are_dates(tmp_path: Path) -> None:
    parts = [{"d": [gc.Date(float(second)) for second in range(first, first + 5000)]} for first in (0, 5000)]
    pieces = [(number, "d", [5000 * number], [5000]) for number in range(2)]
    save_set(tmp_path / "set", parts, [piece_fields("d", [10_000], pieces)])
    data = opened(tmp_path / "set")
    assert data.d.dtype == "M8[us]" and data.d[7000].values == at(7000)
    parts[1]["d"][2000] = gc.Date(np.inf)
    save_set(tmp_path / "other", parts, [piece_fields("d", [10_000], pieces)])
    with pytest.raises(gc.GraphCodableError, match="d has inf seconds since 2001 at element 7000"):
        opened(tmp_path / "other").d.load()


