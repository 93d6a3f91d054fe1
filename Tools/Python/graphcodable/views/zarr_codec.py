"""A codec of Zarr for the blocks of archives: what virtual stores read them with."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import xxhash
from zarr.abc.codec import BytesBytesCodec
from zarr.core.array_spec import ArraySpec
from zarr.core.buffer import Buffer
from zarr.core.common import JSON, parse_named_configuration

from ..format.blocks import expanded
from ..format.errors import GraphCodableError
from ..format.filters import Filter
from ..format.segment import ENTRY, Segment

NAME = "graphcodable.block"


@dataclass(frozen=True)
class BlockCodec(BytesBytesCodec):
    """Reads a stored block: checks its hash, expands it, undoes the filters, and fills a short last one with zeros.

    It has the entries of all blocks of the segment, since a chunk does not know which of them it is.
    """

    is_fixed_size = False

    block_bytes: int
    total_bytes: int
    filters: tuple[Filter, ...]
    entries: str
    width: int = 0

    @classmethod
    def of(cls, segment: Segment) -> BlockCodec:
        entries = base64.b64encode(segment.entries.tobytes()).decode()
        return cls(segment.block_size, segment.raw_size, tuple(segment.filters), entries, segment.width)

    @classmethod
    def from_dict(cls, data: dict[str, JSON]) -> Self:
        _, given = parse_named_configuration(data, NAME)
        its: dict[str, Any] = dict(given)
        filters = tuple(Filter(*each) for each in its["filters"])
        # Stores that were made before there was a codec for numbers do not say their width.
        return cls(its["block_bytes"], its["total_bytes"], filters, its["entries"], its.get("width", 0))

    def to_dict(self) -> dict[str, JSON]:
        filters: list[JSON] = [list(each) for each in self.filters]
        return {
            "name": NAME,
            "configuration": {
                "block_bytes": self.block_bytes,
                "total_bytes": self.total_bytes,
                "filters": filters,
                "entries": self.entries,
                "width": self.width,
            },
        }

    @cached_property
    def blocks(self) -> dict[int, int]:
        """The number of a block by its hash."""
        entries = np.frombuffer(base64.b64decode(self.entries), ENTRY)
        return {each: number for number, each in enumerate(entries["hash"].tolist())}

    def _decode_sync(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> Buffer:
        stored = chunk_bytes.as_numpy_array().tobytes()
        number = self.blocks.get(xxhash.xxh3_64_intdigest(stored))
        if number is None:
            raise GraphCodableError("S11", "a block does not match the hash of any")
        size = min(self.block_bytes, self.total_bytes - number * self.block_bytes)
        raw = expanded(stored, size, self.filters, width=self.width)
        if raw is None:
            raise GraphCodableError("S12", f"block {number} does not expand to {size} bytes")
        if size < self.block_bytes:
            raw = np.pad(raw, (0, self.block_bytes - size))
        return chunk_spec.prototype.buffer.from_array_like(raw)

    async def _decode_single(self, chunk_data: Buffer, chunk_spec: ArraySpec) -> Buffer:
        return self._decode_sync(chunk_data, chunk_spec)

    async def _encode_single(self, chunk_data: Buffer, chunk_spec: ArraySpec) -> Buffer | None:
        raise NotImplementedError("archives are not written through Zarr")

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: ArraySpec) -> int:
        raise NotImplementedError
