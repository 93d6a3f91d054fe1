"""What xarray asks of its own backends: its test classes, over files that this package writes and its backend opens.

An archive has arrays and numbers by their keys. Names of dimensions, coordinates, attributes and arrays of texts it has no place
for, so they are given when it is opened, as a user would.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphcodable as gc

xarray = pytest.importorskip("xarray")
# Most releases of xarray have their tests in the wheel.
backends = pytest.importorskip("xarray.tests.test_backends", reason="this release of xarray comes without its tests")

use_dask = pytest.fixture(params=[False, True])(lambda request: request.param)
# Tests that cannot apply, with what keeps them from it.
NO_TEXTS = "an array of texts is refused by gc.save: a list of texts is no array"
NO_OBJECTS = "an array of objects has no type that a file could have"
NO_STORE = "the backend reads, and gc.save writes: it is no store of xarray"
NO_DURATIONS = "an array of durations is of integers of 128 bits, which NumPy has no type for"
NO_CFTIME = "dates of other calendars than the usual one have no type in the format"
NO_ENCODING = "there is no encoding to choose: an archive has the types that it was given"
NO_ATTRIBUTES = "an archive has no attributes of variables, where the conventions have fill values, scales, bounds and coordinates"
NO_LAZINESS = "arrays of so few bytes are read when a file is opened, and the test asks whether they are not"
INAPPLICABLE = {
    "test_write_store": NO_STORE,
    "test_roundtrip_None_variable": NO_OBJECTS,
    "test_roundtrip_object_dtype": NO_OBJECTS,
    "test_roundtrip_string_data": NO_TEXTS,
    "test_roundtrip_stringdtype_data": NO_TEXTS,
    "test_roundtrip_stringdtype_nulls": NO_TEXTS,
    "test_roundtrip_stringdtype_with_na_object": NO_TEXTS,
    "test_roundtrip_string_encoded_characters": NO_TEXTS,
    "test_roundtrip_cftime_datetime_data": NO_CFTIME,
    "test_roundtrip_timedelta_data": NO_DURATIONS,
    "test_roundtrip_timedelta_data_via_dtype": NO_DURATIONS,
    "test_roundtrip_example_1_netcdf": NO_TEXTS,
    "test_roundtrip_coordinates_with_space": NO_ENCODING,
    "test_roundtrip_numpy_datetime_data": NO_ENCODING,
    # Of the conventions for climate and forecast, which are about attributes and the encoding of files that xarray writes.
    **dict.fromkeys((
        "test_roundtrip_mask_and_scale", "test_roundtrip_unsigned", "test_grid_mapping_and_bounds_are_not_coordinates_in_file",
        "test_coordinate_variables_after_dataset_roundtrip", "test_grid_mapping_and_bounds_are_coordinates_after_dataarray_roundtrip",
        "test_coordinates_encoding",
    ), NO_ATTRIBUTES),
    **dict.fromkeys((
        "test_encoding_kwarg", "test_encoding_kwarg_dates", "test_encoding_same_dtype", "test_encoding_unlimited_dims",
        "test_default_fill_value", "test_explicitly_omit_fill_value_via_encoding_kwarg",
        "test_explicitly_omit_fill_value_in_coord_via_encoding_kwarg",
    ), NO_ENCODING),
    **dict.fromkeys((
        "test_append_write", "test_append_overwrite_values", "test_append_with_invalid_dim_raises", "test_invalid_dataarray_names_raise",
    ), NO_STORE),
    **dict.fromkeys((
        "test_roundtrip_string_with_fill_value_nchar", "test_roundtrip_bytes_with_fill_value", "test_roundtrip_empty_vlen_string_array",
        "test_encoding_kwarg_fixed_width_string", "test_multiindex_not_implemented",
    ), NO_TEXTS),
    **dict.fromkeys(("test_string_object_warning", "test_indexing_roundtrip"), NO_OBJECTS),
    "test_vectorized_indexing": NO_LAZINESS,
    "test_vectorized_indexing_negative_step": NO_LAZINESS,
    "test_load_async": "the wheel of xarray does not ask for the plugin of pytest that it needs",
}  # fmt: skip


def stored(values: np.ndarray[Any, Any]) -> Any:
    """What gc.save takes for the values of a variable."""
    if values.dtype.kind == "M":
        seconds = (values.astype("M8[ns]") - np.datetime64("2001-01-01", "ns")) / np.timedelta64(1, "s")
        dates = [gc.Date(float(each)) for each in np.ravel(seconds)]
        return dates if values.ndim else dates[0]
    return values if values.ndim else values[()]


NUMBERS = "biufM"


class Contract:
    """How the test classes write and open: as an archive, or as the one entry of a series."""

    name = "a.gcodable"
    folder: Path

    @pytest.fixture(autouse=True)
    def prepared(self, request: pytest.FixtureRequest, tmp_path: Path) -> None:
        self.folder = tmp_path
        reason = INAPPLICABLE.get(request.function.__name__)
        if reason is not None:
            pytest.skip(reason)

    def save(self, data: Any, path: Path) -> None:
        gc.save(self.variables(data), path)

    @staticmethod
    def variables(data: Any) -> dict[str, Any]:
        return {str(name): stored(each.values) for name, each in data.variables.items() if each.dtype.kind in NUMBERS}

    def options(self) -> dict[str, Any]:
        return {"decode_times": xarray.coders.CFDatetimeCoder(time_unit="ns")}  # As the data of the tests are.

    @contextlib.contextmanager
    def roundtrip(
        self, data: Any, save_kwargs: Any = None, open_kwargs: Any = None, allow_cleanup_failure: bool = False
    ) -> Iterator[Any]:
        path = self.folder / self.name
        self.save(data, path)
        dims = {str(name): tuple(map(str, each.dims)) for name, each in data.variables.items()}
        options = {"dims": dims, **self.options(), **(open_kwargs or {})}
        with xarray.open_dataset(path, engine="graphcodable", **options) as found:
            # Of the entry, whose time is called otherwise where the record has a dimension of that name.
            its = found.drop_vars([name for name in ("step", "time", "entry.time") if name in found.coords and not found[name].ndim])
            texts = {name: each for name, each in data.variables.items() if each.dtype.kind not in NUMBERS}
            its = its.rename({"record.time": "time"} if "record.time" in its else {}).assign(texts).set_coords([name for name in data.coords if name in found])
            its.attrs = dict(data.attrs)
            for name, each in data.variables.items():
                its[name].attrs = dict(each.attrs)
            yield its

    @contextlib.contextmanager
    def create_store(self) -> Iterator[Any]:
        pytest.skip(NO_STORE)
        yield


class TestArchive(Contract, backends.CFEncodedBase):  # type: ignore[misc,name-defined]
    pass


class TestEntry(Contract, backends.CFEncodedBase):  # type: ignore[misc,name-defined]
    name = "a.gcseries"

    def save(self, data: Any, path: Path) -> None:
        with gc.SeriesWriter(path, synchronized=False) as writer:
            writer.append({"other": 1})
            writer.append(self.variables(data), step=3)

    def options(self) -> dict[str, Any]:
        return {"entry": 1, **super().options()}
