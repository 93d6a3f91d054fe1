"""Writes archives and series."""

from .files import encode, save
from .series import SeriesWriter
from .values import AsDictionary

__all__ = ["AsDictionary", "SeriesWriter", "encode", "save"]
