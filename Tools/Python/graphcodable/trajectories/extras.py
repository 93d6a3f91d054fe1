"""Packages that are needed for some functions only, and that say how to install them where they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def needed(name: str, extra: str) -> Any:
    """An optional module; an `ImportError` that names the extra where it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        # It may be there, and lack another one.
        if error.name != name:
            raise
        raise ImportError(f"this needs {name}: pip install 'graphcodable[{extra}]'") from None
