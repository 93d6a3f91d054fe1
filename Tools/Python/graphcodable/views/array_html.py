"""What notebooks show of arrays: what they are, their numbers, and the picture that suits them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..files.global_arrays import GlobalArray
from ..format.errors import GraphCodableError
from ..format.kinds import packed_format
from ..graph.arrays import Array
from ..graph.optionals import Optionals
from ..graph.ragged import Ragged, Rows
from ..graph.strings import Strings
from . import charts
from .markup import figure, note, problem, table, table_of, text, title
from .numbers import Column, Summary, brief, columns_of, plain, summary
from .sample import Sample, sample
from .texts import counted, cut, decimal_size, element_text, elements_text, formats_text, grouped, quoted

MOST_COLUMNS, MOST_ROWS, MOST_TEXTS = 12, 10, 5
# So many numbers side by side are lanes, more of them the columns of a plane.
MOST_LANES = 8
GRID_ROWS, GRID_COLUMNS = 32, 48
# Where rows are longer than a block, each number of the grid may take one.
WIDE_ROW, WIDE_SIDE = 1 << 20, 8
# Bytes of a text that are read.
MOST_TEXT_BYTES = 512
Bools = np.ndarray[Any, np.dtype[np.bool_]]


def html_of_array(array: Array) -> str:
    formats = formats_of(array)
    head = title(f"array of {lengths_text(array.lengths)}", formats, decimal_size(array.nbytes), stored_text(array))
    count = 1
    for length in array.lengths:
        count *= length
    if not count:
        return head
    if is_plane(array):
        return head + html_of_plane(array)
    per_unit = array.lengths[1] if len(array.lengths) > 1 else 1
    return head + html_of_elements(array, 0, count, per_unit)


def is_plane(array: Array) -> bool:
    """Whether its numbers are in rows and columns, which a heat map shows."""
    return len(array.lengths) > 1 and array.format is not None and (array.lengths[-1] > MOST_LANES or len(array.lengths) > 2)


def html_of_elements(array: Array, first: int, end: int, per_unit: int = 1, is_there: Bools | None = None) -> str:
    """The numbers of elements, lane by lane, and the first ones. Of optionals, those that are there."""
    its = sample(array, first, end, per_unit)
    data = its.data if is_there is None else its.data[is_there[its.places]]
    numbers = list(columns_of(array, data, per_unit))
    parts = [note(its.text(*(("row", "rows") if per_unit > 1 else ()))), *problems(its)]
    if len(numbers) == 1:
        parts.append(html_of_column(numbers[0], its))
    elif numbers:
        parts.append(html_of_columns(numbers))
    if len(data) and (not numbers or array.layout is not None):
        parts.append(first_elements(array, data))
    elif len(data) and array.format is not None and per_unit == 1:
        shown = data[:32].tobytes()
        parts.append(f"<div>{text(cut(elements_text(array.format, shown, len(data))))}</div>")
    return "".join(parts)


def problems(its: Sample) -> list[str]:
    """The first faults that were met with."""
    more = [problem(f"{grouped(len(its.damage) - 3)} more places are damaged")] if len(its.damage) > 3 else []
    return [*map(problem, its.damage[:3]), *more]


def html_of_column(column: Column, its: Sample) -> str:
    found = summary(column.numbers)
    facts = table_of(HEADS[2:7], [[text(each) for each in facts_of(column, found)]], range(5))
    if found.least is None:
        return facts
    numbers = plain(column.numbers)
    order = "in order" if its.is_whole else "in order, sampled"
    said = f"from {column.text(found.least)} to {column.text(found.greatest)}"
    return (
        facts
        + figure(f"{order}, {said}", charts.line(numbers, f"Numbers in order, {said}"))
        + figure("distribution", charts.histogram(numbers, f"Histogram {said}"))
    )


HEADS = ("", "type", "count", "min", "max", "mean", "NaN", "in order")


def html_of_columns(columns: list[Column]) -> str:
    rows = []
    for column in columns[:MOST_COLUMNS]:
        found = summary(column.numbers)
        picture = ""
        if found.least is not None:
            picture = charts.line(plain(column.numbers), f"Numbers in order of {column.name[:40]}", 140, 22)
        rows.append([f"<code>{text(column.name)}</code>", *map(text, (column.type, *facts_of(column, found))), picture])
    left = len(columns) - MOST_COLUMNS
    return table_of(HEADS, rows, range(2, 7)) + (note(f"… {counted(left, 'more column', 'more columns')}") if left > 0 else "")


def facts_of(column: Column, found: Summary) -> list[str]:
    """Count, least, greatest, mean, and how many are no numbers."""
    missing = grouped(found.missing) + (f", {grouped(found.infinite)} infinite" if found.infinite else "")
    if found.least is None or found.mean is None:
        return [grouped(found.count), "", "", "", missing]
    mean = brief(found.mean) if column.numbers.dtype.kind in "biu" else column.text(found.mean)
    return [grouped(found.count), column.text(found.least), column.text(found.greatest), mean, missing]


def first_elements(array: Array, data: np.ndarray[Any, np.dtype[np.uint8]]) -> str:
    """The first elements as texts: a row for each, with a column for each field of structs."""
    if array.format is not None:
        return table(["", "element"], [[str(at), cut(element_text(array.format, each.tobytes()))] for at, each in enumerate(data[:MOST_TEXTS])], [0])
    if array.layout is None:
        return ""
    fields = list(zip(array.layout.keys, array.layout.formats))[:MOST_COLUMNS]
    names = [str(index) if key is None else key for index, (key, _) in enumerate(fields)]
    rows = []
    for at, each in enumerate(data[:MOST_TEXTS]):
        place, cells = 0, [str(at)]
        for _, number in fields:
            form = packed_format(number)
            assert form is not None
            cells.append(cut(element_text(form, each[place : place + form.size].tobytes())))
            place += form.size
        rows.append(cells)
    return table(["", *names], rows, [0])


def html_of_plane(array: Array) -> str:
    """The last two dimensions, of the first plane where there are more, as a heat map; the numbers are those of all."""
    rows, columns = array.lengths[-2:]
    count = 1
    for length in array.lengths:
        count *= length
    read = sample(array, 0, count)
    numbers = list(columns_of(array, read.data, 1))
    parts = [note(read.text()), *problems(read)]
    if numbers:
        rows_of_facts = [[f"<code>{text(its.name)}</code>", *map(text, (its.type, *facts_of(its, summary(its.numbers))))] for its in numbers]
        parts.append(table_of(HEADS[:-1], rows_of_facts[:MOST_COLUMNS], range(2, 7)))
        try:
            grid, drawn = grid_of(array, rows, columns)
        except GraphCodableError as error:
            return "".join([*parts, problem(error)])
        where = " of the first plane" if len(array.lengths) > 2 else ""
        caption = f"{grid.shape[0]} of {counted(rows, 'row', 'rows')} and {grid.shape[1]} of {counted(columns, 'column', 'columns')}{where}{drawn}"
        parts.append(figure(caption, charts.heat_map(grid, f"Heat map, {caption}")))
    return "".join(parts)


def grid_of(array: Array, rows: int, columns: int) -> tuple[np.ndarray[Any, np.dtype[np.float64]], str]:
    """Numbers of rows and columns at the same distance, and what is to be said of them."""
    is_wide = columns * array.element_size > WIDE_ROW
    row_count, column_count = (min(rows, WIDE_SIDE), min(columns, WIDE_SIDE)) if is_wide else (min(rows, GRID_ROWS), min(columns, GRID_COLUMNS))
    grid = np.full((row_count, column_count), np.nan)
    places = np.arange(column_count) * columns // column_count
    for at in range(row_count):
        start = (at * rows // row_count) * columns
        if is_wide:
            data = np.concatenate([array.read_elements(start + place, start + place + 1) for place in places.tolist()])
            cells = data.reshape(column_count, array.element_size)
        else:
            cells = array.read_elements(start, start + columns).reshape(columns, array.element_size)[places]
        first = next(columns_of(array, cells, 1), None)
        if first is not None:
            grid[at] = plain(first.numbers)
    lanes = array.shape[len(array.lengths) :]
    return grid, ", first lane" if lanes else ""


# What is made of arrays


def html_of_rows(rows: Rows) -> str:
    if isinstance(rows, Strings):
        return html_of_strings(rows)
    lengths = rows.lengths if isinstance(rows, Ragged) else np.empty(0, np.int64)
    first, end = rows.extent
    array = rows.elements
    size = decimal_size((end - first) * array.element_size)
    head = title(f"{counted(len(rows), 'row', 'rows')} of different lengths", formats_of(array), size, stored_text(array))
    if not len(rows):
        return head
    known = f"from {grouped(int(lengths.min()))} to {grouped(int(lengths.max()))}, {counted(end - first, 'element', 'elements')} in all"
    picture = charts.line(lengths.astype(np.float64), f"Lengths of rows in order, {known}", 320, 40)
    shown = head + note(f"lengths {known}") + figure("lengths of the rows in order", picture)
    return shown + (html_of_elements(array, first, end) if end > first else "")


def html_of_strings(strings: Strings) -> str:
    first, end = strings.extent
    name = f"array of {grouped(len(strings))} strings" if strings.is_innermost else f"{grouped(len(strings))} arrays of strings"
    head = title(name, decimal_size(end - first), stored_text(strings.elements))
    rows = []
    for at in range(min(len(strings), MOST_ROWS)):
        start, stop = strings.extent_of(at)
        if strings.is_innermost:
            data = strings.elements.read_elements(start, min(stop, start + MOST_TEXT_BYTES)).tobytes()
            rows.append([grouped(at), decimal_size(stop - start), cut(quoted(data.decode(errors="replace")))])
        else:
            rows.append([grouped(at), decimal_size(stop - start), counted(len(strings[at]), "string", "strings")])
    return head + (table(["", "size", ""], rows, [0, 1]) if rows else "") + more(len(strings) - len(rows))


def html_of_optionals(values: Optionals) -> str:
    missing = int((~values.presence).sum())
    its = values.elements
    about = f"{grouped(missing)} of them missing"
    if isinstance(its, Array) and len(its.lengths) == 1:
        head = title(f"array of {grouped(len(values))} optionals", formats_of(its), about, decimal_size(its.nbytes), stored_text(its))
        return head + (html_of_elements(its, 0, len(its), 1, values.presence) if len(its) else "")
    head = title(f"array of {grouped(len(values))} optionals", about)
    return head + note("what stands for a missing one is among these:") + (html_of_array(its) if isinstance(its, Array) else html_of_rows(its))


def html_of_global_array(array: GlobalArray) -> str:
    """An array over the parts of a set, of which no part is opened but that of the first piece."""
    formats = formats_text(array.formats or ["float64"])
    where = f"in {counted(len(array.parts), 'part', 'parts')}"
    return title(f"array {array.name!r} of {lengths_text(array.shape)}", formats, decimal_size(array.nbytes), where)


def more(count: int) -> str:
    return note(f"… {grouped(count)} more") if count > 0 else ""


def lengths_text(lengths: tuple[int, ...]) -> str:
    return " × ".join(map(grouped, lengths)) or "1"


def formats_of(array: Array) -> str:
    if array.format is not None:
        return str(array.format)
    return "" if array.layout is None else counted(len(array.layout.formats), "field", "fields")


def stored_text(array: Array) -> str:
    """Where its bytes are, how many they became, and to what numbers were rounded."""
    segment = array.stored_segment
    if segment is None:
        return "in the graph stream"
    stored = segment.end - segment.offset
    shown = f"{decimal_size(stored)} in segment bulk {array.segment}, ratio {segment.raw_size / max(stored, 1):.2f}"
    return shown + (f", rounded to {its.kind} {its.value:g}" if (its := array.precision) is not None else "")
