"""A parser of VirtualiZarr for archives."""

from .views.virtual import GraphCodableParser

__all__ = ["GraphCodableParser"]
