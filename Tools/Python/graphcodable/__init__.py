"""Reads and writes GraphCodable archives and series, and reads sets and series of sets.

    import graphcodable

    with graphcodable.open("state.gcodable") as archive:
        state = archive.root
        print(state.title, state.cells[0].name, state.positions[:10])

| in the archive | in Python |
| --- | --- |
| struct, enum, instance of a class | `Record` |
| reference | the object; the same one for all references to it |
| nil, optional without a value, at any level | `None` |
| array, set, dictionary of values | `List`, `Set`, `Dictionary` |
| array of numbers or packed structs, `Data` | `Array`, which gives NumPy arrays |
| arrays of these in each other | `Array` of more dimensions, or `Ragged` where rows differ in length |
| arrays of optional numbers or strings | `Optionals`, a sequence of values and `None`; `to_numpy()` is a masked array |
| arrays of strings | `Strings`, a sequence of `str`; `to_numpy()` |
| bool, integers, string, float64 | `bool`, `int`, `str`, `float` |
| float16, float32 | `numpy.float16`, `numpy.float32`, which keep their bits |
| integers of 128 bits, UUID | `int`, `uuid.UUID` |
| date | `Date`: a `float`, seconds since 2001-01-01 UTC, with `datetime()` |
| duration, instants | `Duration`, `Instant`: an `int`, attoseconds |
| vector; mask | NumPy array of its lanes |
| ranges, points, rectangles | named tuples: `Range`, `Point` … |
| data units | `decimal.Decimal`, `DateInterval`, `AffineTransform`, `DispatchTimeInterval`; others `DataUnit`, which is `bytes` |
"""

from __future__ import annotations

from . import native as native
from .files.folders import FolderSeries
from .files.global_arrays import GlobalArray
from .files.messages import Damage, Message, Messages
from .files.opening import open
from .files.series import Entry, Series
from .files.set_series import SetEntry, SetSeries
from .files.sets import ArchiveSet
from .format.attributes import Attributes
from .format.contents import ClassInfo
from .format.errors import GraphCodableError
from .format.filters import Precision
from .format.limits import limits
from .graph.archive import Archive
from .graph.arrays import Array
from .graph.fixed import (
    ClosedRange, Date, Duration, Instant, LocationAndLength, PartialRangeFrom, PartialRangeThrough, PartialRangeUpTo,
    PlaneVector, Point, Range, Rectangle, Size,
)  # fmt: skip
from .graph.presentation import present_by
from .graph.optionals import Optionals
from .graph.ragged import Ragged
from .graph.strings import Strings
from .graph.units import AffineTransform, DataUnit, DateInterval, DispatchTimeInterval, Opaque
from .graph.values import Dictionary, List, Record, Set
from .views import presentation
from .views.conversion import to_python
from .writing import AsDictionary, Attributed, SeriesWriter, encode, save
from .writing.parity import Repair, check_parity, repair

__all__ = [
    "AffineTransform", "Archive", "ArchiveSet", "Array", "AsDictionary", "Attributed", "Attributes", "ClassInfo", "ClosedRange", "Damage", "DataUnit", "Date", "DateInterval",
    "Dictionary", "DispatchTimeInterval", "Duration", "Entry", "FolderSeries", "GlobalArray", "GraphCodableError", "Instant", "List",
    "LocationAndLength", "Message", "Messages", "Opaque", "PartialRangeFrom", "PartialRangeThrough", "PartialRangeUpTo", "PlaneVector", "Point", "Precision",
    "Optionals", "Ragged", "Range", "Record", "Rectangle", "Repair", "Series", "SeriesWriter", "Set", "SetEntry", "SetSeries", "Size", "Strings", "check_parity", "encode",
    "limits", "open", "repair", "save", "to_python",
]  # fmt: skip

present_by(presentation)
