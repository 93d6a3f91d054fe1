"""An archive as a read-only store of Zarr."""

from .views.zarr_store import GraphCodableStore

__all__ = ["GraphCodableStore"]
