"""The module in C, if it is used: `graphcodable.native.module`, which is `None` otherwise."""

from .format.native import module

__all__ = ["module"]
