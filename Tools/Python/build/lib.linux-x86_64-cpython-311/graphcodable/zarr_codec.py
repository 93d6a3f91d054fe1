"""The codec of Zarr that virtual stores read blocks of archives with."""

from .views.zarr_codec import BlockCodec

__all__ = ["BlockCodec"]
