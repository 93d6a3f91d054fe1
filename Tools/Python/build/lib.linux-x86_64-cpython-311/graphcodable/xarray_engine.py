"""`xarray.open_dataset(path, engine="graphcodable", group="state")`"""

from .views.xarray_backend import GraphCodableEntrypoint

__all__ = ["GraphCodableEntrypoint"]
