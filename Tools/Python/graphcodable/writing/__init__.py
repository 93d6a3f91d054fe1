"""Writes archives and series."""

from .attributed import Attributed
from .files import encode, save
from .series import SeriesWriter
from .values import AsDictionary

__all__ = ["AsDictionary", "Attributed", "SeriesWriter", "encode", "save"]
