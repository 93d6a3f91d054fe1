"""What notebooks show: bounded, escaped, and never an exception."""

from __future__ import annotations

import random
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import corpus
import numpy as np
import pytest
from document import example
from forge import resealed
from saved import piece_fields, save_entry, save_set

import graphcodable as gc
from graphcodable.format.kinds import packed_format
from graphcodable.views.charts import heat_map, histogram, line
from graphcodable.views.html import bundle, html
from graphcodable.views.numbers import lanes, summary
from graphcodable.views.sample import WHOLE, sample

VOID = {"path", "img", "br"}
KNOWN = {
    "style", "div", "b", "span", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "details", "summary", "code", "figure", "figcaption",
    "svg", "path", "g",
}  # fmt: skip
MOST_CHARACTERS = 200_000


class Page(HTMLParser):
    """Markup that is well-formed, has no tag or attribute that could act, and needs nothing else."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.tags: list[str] = []
        markup.encode()
        assert len(markup) < MOST_CHARACTERS
        self.feed(markup)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in KNOWN, tag
        assert not any(name.startswith("on") or name in ("href", "src", "style") for name, _ in attrs)
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.texts)


def shown(value: Any) -> Page:
    """What a notebook shows of a value, by both ways of asking."""
    markup = value._repr_html_()
    both = value._repr_mimebundle_()
    assert both == {"text/plain": both["text/plain"], "text/html": markup}
    return Page(markup)


def opened(value: Any, **options: Any) -> gc.Archive:
    return gc.Archive(gc.encode(value, **options))


def test_an_archive_shows_its_parts_with_shapes_and_sizes() -> None:
    page = shown(opened({"name": "argon", "cells": [{"mass": 1.5}] * 30, "grid": np.zeros((40, 50)), "deep": {"a": {"b": {"c": 1}}}}))
    for expected in ("argon", "40 × 50", "16.0 kB", "nested array of float64", "… 22 more", "mass"):
        assert expected in page.text, expected
    assert "details" in page.tags


def test_an_object_is_shown_once() -> None:
    page = shown(gc.Archive(example("Example: a shared object")))
    assert "#0" in page.text and "shown above" in page.text


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.arange(1000.0), ["1,000", "0", "999", "499.5", "in order", "distribution"]),
        (np.array([1.5, np.nan, np.inf, -2.5]), ["-2.5", "1.5", "-0.5", "1, 1 infinite"]),
        (np.array([-5, 7], "<i8"), ["-5", "7", "1"]),
        (np.array([2**64 - 1, 0], "<u8"), ["18,446,744,073,709,551,615"]),
        (np.array([True, False, True]), ["false", "true", "0.666667"]),
        (np.array([1e308, -1e308, 1e308]), ["1e+308", "-1e+308"]),
        (np.array([5e-324, 0.0]), ["5e-324"]),
        (np.full(9, np.nan), ["9"]),
        (np.zeros((100, 3)), ["float64 × 3", "x", "z"]),
        (np.zeros((100, 5)), ["100 × 5", "all 100 rows", "4"]),
        (np.arange(1200.0).reshape(30, 40), ["30 of 30 rows and 40 of 40 columns", "1199"]),
        (np.arange(54.0).reshape(2, 3, 9), ["of the first plane", "2 × 3 × 9"]),
        (np.array([(1.5, 7)], [("t", "f8"), ("n", "i4")]), ["t", "n", "1.5", "7"]),
        (np.empty(0), ["array of 0"]),
    ],
    ids=lambda its: str(its.dtype) + str(its.shape) if isinstance(its, np.ndarray) else "",
)  # fmt: skip
def test_arrays_show_their_numbers(array: np.ndarray[Any, Any], expected: list[str]) -> None:
    page = shown(opened({"array": array}).root.array)
    for text in expected:
        assert text in page.text, text


@pytest.mark.parametrize(
    ("name", "data", "texts"),
    [
        ("date", np.array([0.0, 86400.0]), ["2001-01-01 00:00:00 +0000", "2001-01-02 00:00:00 +0000"]),
        ("int64 (unixMilliseconds)", np.array([0, 1500]), ["1970-01-01T00:00:00.000", "1970-01-01T00:00:01.500"]),
        ("int64 (spanMicroseconds)", np.array([1500, -2]), ["-2 µs", "1,500 µs"]),
        ("duration", np.array([2 * 10**18, 0, 10**18, 0], "<u8"), ["1 s", "2 s"]),
        ("bfloat16", np.array([0x3F80, 0xC000], "<u2"), ["-2", "1"]),
        ("float8e5m2", np.array([0x3C, 0x7C], "u1"), ["1", "1"]),
        ("float64 × 2 (complex)", np.array([1 + 2j, -3 - 4j]), ["-3", "1"]),
        ("uint64 × 2 (range)", np.array([3, 9], "<u8"), ["3", "3"]),
    ],
)  # fmt: skip
def test_numbers_have_the_units_of_their_formats(name: str, data: np.ndarray[Any, Any], texts: list[str]) -> None:
    forms = (packed_format(number) for number in range(1 << 13))
    form = next(its for its in forms if its is not None and str(its) == name)
    column = next(lanes(form, "", data.view(np.uint8).reshape(-1, form.size)))
    found = summary(column.numbers)
    assert [column.text(found.least), column.text(found.greatest)] == texts


def test_rows_strings_and_optionals_show_what_they_have() -> None:
    missing = np.ma.MaskedArray(np.array([1.0, 1e9, 3.0]), [False, True, False])
    root = opened({"rows": [np.zeros(2), np.ones(3)], "names": ["a", "<b>", "c" * 5000], "some": missing}).root
    page = shown(root.some)
    assert "1 of them missing" in page.text and "1e+09" not in page.text and "1,000,000,000" not in page.text
    page = shown(root.names)
    assert "<b>" in page.text and "5.0 kB" in page.text and "c" * 100 not in page.text
    assert "rows of different lengths" in shown(root.rows).text or "2" in shown(root.rows).text


def test_large_arrays_are_sampled_and_say_so(tmp_path: Path) -> None:
    gc.save({"line": np.arange(2_000_000.0), "plane": np.ones((2000, 2000)), "wide": np.ones((3, 500_000))}, tmp_path / "a")
    with gc.open(tmp_path / "a") as archive:
        assert isinstance(archive, gc.Archive)
        root = archive.root
        for key in ("line", "plane", "wide"):
            assert "sampled: " in shown(root[key]).text
            its = root[key]
            count = int(np.prod(its.lengths))
            found = sample(its, 0, count)
            assert found.data.nbytes <= WHOLE and found.places[0] == 0 and found.places[-1] == count - 1
        assert "1999999" in shown(root.line).text
        assert "8 of 500,000 columns" in shown(root.wide).text


def test_many_parts_names_and_columns_are_bounded() -> None:
    fields = [(f"field {number}", "f8") for number in range(300)]
    root = opened({"many": {f"key {n}": {"x": list(range(50))} for n in range(500)}, "structs": np.zeros(5, fields), "n" * 100_000: "v" * 100_000})
    assert "… 288 more columns" in shown(root.root.structs).text
    assert "n" * 100 not in shown(root).text and "v" * 100 not in shown(root).text
    shown(root.root.many)


def test_values_behind_very_many_others_are_not_searched() -> None:
    page = shown(gc.Archive(gc.encode({"first": [[] for _ in range(400_000)], "behind": 7})))
    assert "not looked at" in page.text and "400,000 elements" in page.text


HOSTILE = [
    "<script>alert(1)</script>", "\" onload=\"x", "'><img src=x>", "</style><b>", "\u202eevil", "\0\x1b[31m", "&amp;", "--><!--", "\u2028",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_names_and_texts_are_only_text(name: str, tmp_path: Path) -> None:
    fields = np.array([(1.0, 2)], [(name, "f8"), ("b", "i4")])
    archive = opened({name: name, "list": [{name: name}], "structs": fields, "names": [name] * 3}, metadata={"m": name})
    pages = [shown(archive), shown(archive.root), shown(archive.root.list), shown(archive.root.structs), shown(archive.root.names)]
    with gc.SeriesWriter(tmp_path / "a.gcseries") as writer:
        writer.append({name: 0}, step=5, time=0.5, metadata={"m": name})
    with gc.open(tmp_path / "a.gcseries") as series:
        assert isinstance(series, gc.Series)
        pages += [shown(series), shown(series[0])]
    for page in pages:
        assert not {"\u202e", "\0", "\x1b", "\u2028"} & set(page.text)
    assert any(name[:3] in page.text for page in pages) or not name.isprintable()


def test_series_show_first_and_last_entries_and_their_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path) as writer:
        for step in range(40):
            writer.append({"x": np.arange(100.0) + step}, step=10 * step, time=0.5 * step, metadata={"run": "a"})
    with gc.open(path) as series:
        assert isinstance(series, gc.Series)
        page = shown(series)
        for expected in ("40 entries", "… ", "20 more", "390", "19.5", "run=a", "times 0 to 19.5"):
            assert expected in page.text, expected
        offset = series[20].record_offset
    data = bytearray(path.read_bytes())
    data[offset + 20] ^= 1
    damaged = gc.Series(bytes(data))
    damaged.list_thoroughly()
    assert damaged.damage and "hold no valid entry" in shown(damaged).text
    for time_of in (np.nan, np.inf):
        with gc.SeriesWriter(tmp_path / "odd.gcseries") as writer:
            writer.append(0, step=-(1 << 63), time=float(time_of))
    with gc.open(tmp_path / "odd.gcseries") as odd:
        assert "inf" in shown(odd).text


def test_folders_and_sets_show_their_parts(tmp_path: Path) -> None:
    folder = tmp_path / "series"
    folder.mkdir()
    save_entry(folder, 0, {"x": 1}, 5, "0.5")
    assert "1 entry" in shown(gc.FolderSeries(folder)).text
    pieces = piece_fields("x", [4], [(0, "x", [0], [2]), (1, "x", [2], [2])])
    state = gc.ArchiveSet(save_set(tmp_path / "set", [{"x": np.arange(2.0)}, {"x": np.arange(2.0)}], [pieces]))
    page = shown(state)
    assert "2 parts" in page.text and "part-00001" in page.text
    assert "array 'x' of 4" in shown(state.array("x")).text
    next((tmp_path / "set").glob("part-00000*")).unlink()
    assert "is not there" in shown(gc.ArchiveSet(tmp_path / "set").array("x")).text


def test_damaged_blocks_are_text_and_the_rest_is_shown() -> None:
    data = bytearray(gc.encode({"name": "argon", "noise": np.random.default_rng(1).random(300_000)}))
    data[len(data) // 2] ^= 1
    array = gc.Archive(bytes(data)).root.noise
    page = shown(array)
    assert "damaged" in page.text and "can be read" in page.text and "svg" in page.tags
    assert "argon" in shown(gc.Archive(bytes(data))).text


def test_closed_files_are_text(tmp_path: Path) -> None:
    gc.save({"x": np.arange(100_000.0)}, tmp_path / "a")
    with open(tmp_path / "a", "rb") as file:
        archive = gc.open(file)
        assert isinstance(archive, gc.Archive)
        array = archive.root.x
    assert "cannot be shown: the file is closed" in shown(array).text
    assert "100,000 elements" in shown(archive).text  # Which its tables say, and they were read.
    with gc.SeriesWriter(tmp_path / "s") as writer:
        writer.append(0)
    with gc.open(tmp_path / "s") as series:
        assert isinstance(series, gc.Series)
    (tmp_path / "s").unlink()
    shown(series)


class Failing:
    def __repr__(self) -> str:
        raise MemoryError


def test_whatever_fails_is_text() -> None:
    assert "cannot be shown: MemoryError" in Page(html(Failing())).text
    assert bundle(Failing())["text/plain"] == "<Failing>"


@pytest.mark.parametrize("path", sorted(path for path in corpus.FOLDER.rglob("*.gc*") if path.is_file()), ids=lambda path: path.name)
def test_the_corpus_is_shown(path: Path) -> None:
    data = path.read_bytes()
    for form in (gc.Archive, gc.Series):
        try:
            value: Any = form(data)
        except gc.GraphCodableError:
            continue
        shown(value)
        for entry in value if isinstance(value, gc.Series) else []:
            shown(entry)
        if isinstance(value, gc.Archive):
            for number in range(min(value.object_count, 20)):
                try:
                    its = value.objects[number]
                except gc.GraphCodableError:
                    continue
                if hasattr(its, "_repr_html_"):
                    shown(its)


@pytest.mark.parametrize("path", [path for path in corpus.valid_files() if path.suffix == ".gcodable"], ids=lambda path: path.name)
def test_changed_archives_are_shown(path: Path) -> None:
    data = path.read_bytes()
    whole, numbers = gc.Archive(data), random.Random(path.name)
    for _ in range(10):
        changed = bytearray(data)
        changed[numbers.randrange(40, len(data))] = numbers.randrange(256)
        for its in (bytes(changed), resealed(bytes(changed), whole)):
            try:
                archive = gc.Archive(its)
            except gc.GraphCodableError:
                continue
            shown(archive)
            try:
                parts = list(archive.root) if isinstance(archive.root, gc.Record) else []
            except gc.GraphCodableError:
                continue
            for part in parts:
                if hasattr(part, "_repr_html_"):
                    shown(part)


@pytest.mark.parametrize("numbers", [[], [0.0], [np.nan], [1e308, -1e308], [5e-324, 0], [1.0] * 500, [1, np.nan, 3, np.inf, -np.inf]])
def test_charts_take_any_numbers(numbers: list[float]) -> None:
    its = np.array(numbers, np.float64)
    for picture in (line(its, "<a>"), histogram(its, '"'), heat_map(its.reshape(1, -1), "&") if len(its) else ""):
        Page(picture)
        assert "nan" not in picture and "inf" not in picture


def test_a_heat_map_has_each_cell_once_and_none_for_nan() -> None:
    grid = np.arange(12.0).reshape(3, 4)
    grid[1, 2] = np.nan
    assert heat_map(grid, "").count("h1v1h-1z") == 11


def test_summaries_leave_out_what_is_not_finite() -> None:
    found = summary(np.array([1e308, 1e308, np.nan, np.inf]))
    assert (found.count, found.missing, found.infinite, found.least, found.mean) == (4, 1, 1, 1e308, 1e308)
    assert summary(np.array(["NaT", "2001-01-01"], "M8[s]")).missing == 1
