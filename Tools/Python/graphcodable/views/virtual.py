"""A parser of VirtualiZarr: arrays in segments as chunks of a virtual store, at their places in the file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from obspec_utils.registry import ObjectStoreRegistry
from virtualizarr.manifests import ChunkManifest, ManifestArray, ManifestGroup, ManifestStore
from virtualizarr.manifests.utils import create_v3_array_metadata

from ..graph.archive import Archive
from ..graph.arrays import Array
from .columns import Column, columns
from ..format.errors import GraphCodableError
from ..format.pieces import PiecesSource
from ..files.fetchers import StoreFetcher
from ..files.remote import RemoteSource
from ..format.segment import Segment
from ..files.series import Series, is_series
from .zarr_codec import BlockCodec


class GraphCodableParser:
    """`open_virtual_dataset(url, parser=GraphCodableParser(group="state"), registry=registry)`

    `entry` chooses an entry of a series, by its place. Only arrays in segments are there, without copies; those of structs
    are not, since a chunk of Zarr has one type, nor those with rows that blocks cut, nor with blocks that a series has made of others.
    Blocks that entries of a series share are chunks of each. The codec checks the hash of each block.
    """

    def __init__(self, group: str = "", entry: int = -1, drop_variables: Iterable[str] = ()) -> None:
        self.group, self.entry, self.dropped = group, entry, set(drop_variables)

    def __call__(self, url: str, registry: ObjectStoreRegistry[Any]) -> ManifestStore:
        store, path = registry.resolve(url)
        source = RemoteSource(StoreFetcher(store, str(path) or urlsplit(url).path))
        base = 0
        if is_series(source):
            entry = Series(source)[self.entry]
            archive, base = entry.archive, entry.offset
        else:
            archive = Archive(source)
        arrays = {}
        lengths: dict[str, int] = {}
        for column in columns(archive, self.group):
            value = archive.at(column.path)
            if column.name in self.dropped or column.field is not None or not isinstance(value, Array):
                continue
            if column.per_block and has_whole_rows(value):
                segment = value.stored_segment
                offsets = None if segment is None else places(archive, base, segment)
                if segment is not None and offsets is not None:
                    arrays[column.name] = virtual_array(url, segment, offsets, column, column.names(lengths))
        if not arrays:
            raise GraphCodableError(None, f"no array at {self.group or 'the root'} is in a segment of its own")
        return ManifestStore(ManifestGroup(arrays, attributes={**archive.metadata, **archive.attributes(self.group).attrs}), registry=registry)


def has_whole_rows(array: Array) -> bool:
    """Whether each block is a chunk."""
    segment = array.stored_segment
    return segment is not None and segment.block_size % (segment.element_size * array.elements_per_row) == 0


def places(archive: Archive, base: int, segment: Segment) -> np.ndarray[tuple[int], np.dtype[np.uint64]] | None:
    """Where the file has each block of a segment; `None` where one is not there as it is."""
    starts = segment.blocks_offset + segment.starts[:-1]
    source = archive.reader.source
    if not isinstance(source, PiecesSource):
        return (base + starts).astype(np.uint64)
    found = [source.place(int(start), int(size)) for start, size in zip(starts, segment.entries["size"], strict=True)]
    return None if None in found else np.array(found, np.uint64)


def virtual_array(
    url: str, segment: Segment, offsets: np.ndarray[tuple[int], np.dtype[np.uint64]], column: Column, names: list[str]
) -> ManifestArray:
    grid = (len(offsets), *(1 for _ in column.shape[1:]))
    paths = np.full(grid, url, dtype=np.dtypes.StringDType())
    lengths = segment.entries["size"].astype(np.uint64).reshape(grid)
    metadata = create_v3_array_metadata(
        shape=column.shape,
        data_type=column.dtype,
        chunk_shape=(column.per_block, *column.shape[1:]),
        codecs=[{"name": "bytes", "configuration": {"endian": "little"}}, BlockCodec.of(segment).to_dict()],
        attributes=column.attributes,
        dimension_names=names,
    )
    manifest = ChunkManifest.from_arrays(paths=paths, offsets=offsets.reshape(grid), lengths=lengths)
    return ManifestArray(metadata=metadata, chunkmanifest=manifest)
