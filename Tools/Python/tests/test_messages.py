"""Streams of messages: the corpus, and damage."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import corpus
import pytest
import xxhash
from expectation import Expectation

import graphcodable as gc

FOLDER = corpus.FOLDER / "streams"


VALID = [path.with_suffix(".gclog") for path in corpus.files("streams/stream-*.json")]


@pytest.mark.parametrize("path", VALID, ids=lambda p: p.name)
def test_valid_streams_have_the_messages_of_their_json(path: Path) -> None:
    expected = corpus.expected(path)
    log = gc.open(path)
    assert isinstance(log, gc.Messages)
    log.verify()
    messages = list(log)
    assert log.damage == [] and len(messages) == len(expected["messages"])
    for message, node in zip(messages, expected["messages"]):
        assert message.number == int(node["number"])
        Expectation(message.archive, node["archive"]).check()


@pytest.mark.parametrize("node", corpus.listed("streams/invalid.json"), ids=lambda n: n["file"])
def test_invalid_streams_are_refused(node: dict[str, Any]) -> None:
    with pytest.raises(gc.GraphCodableError):
        opened = gc.open(node["at"] / Path(node["file"]).name)
        opened.verify()


def frames(data: bytes) -> list[tuple[int, int]]:
    """Where each frame begins and ends."""
    places, offset = [], 32
    while offset < len(data):
        end = offset + 40 + struct.unpack_from("<I", data, offset + 8)[0]
        places.append((offset, end))
        offset = end
    return places


def test_damage_loses_its_frame_alone() -> None:
    data = (FOLDER / "stream-additions.gclog").read_bytes()
    whole = [message.number for message in gc.Messages(gc_source(data))]
    for start, end in frames(data):
        for place in range(start, end, 3):
            damaged = bytearray(data)
            damaged[place] ^= 0x40
            log = gc.Messages(gc_source(bytes(damaged)))
            found = [message.number for message in log]
            kind, number = data[start + 4], struct.unpack_from("<Q", data, start + 16)[0]
            count = struct.unpack_from("<I", data, start + 12)[0]
            is_tables = kind in (1, 2)
            assert log.damage or log.incomplete_size
            if not is_tables:
                assert found == [n for n in whole if not number <= n < number + count]


def test_an_incomplete_frame_is_no_damage() -> None:
    data = (FOLDER / "stream-events.gclog").read_bytes()
    places = frames(data)
    for end in range(places[0][1], len(data)):
        log = gc.Messages(gc_source(data[:end]))
        count = len(list(log))
        assert log.damage == []
        start = max(frame_end for _, frame_end in places if frame_end <= end)
        assert log.incomplete_size == end - start
        assert count == sum(struct.unpack_from("<I", data, s + 12)[0] for s, e in places if e <= end)


def test_a_newer_frame_costs_its_messages_alone() -> None:
    data = (FOLDER / "stream-events.gclog").read_bytes()
    identifier = int.from_bytes(data[16:24], "little")
    end = frames(data)[1][1]
    head = b"\xffgcf" + struct.pack("<4B2IQI", 100, 0, 1, 0, 0, 1, 2, 1)
    body = head + struct.pack("<I", (xxhash.xxh3_64_intdigest(head) ^ identifier) & 0xFFFFFFFF)
    frame = body + (xxhash.xxh3_64_intdigest(body) ^ identifier).to_bytes(8, "little")
    log = gc.Messages(gc_source(data[:end] + frame))
    assert [message.number for message in log] == [0, 1]
    assert [damage.lost for damage in log.damage] == [range(2, 3)]
    with pytest.raises(gc.GraphCodableError):
        list(gc.Messages(gc_source(data[:end] + frame), strict=True))


def gc_source(data: bytes) -> Any:
    from graphcodable.format.source import MemorySource

    return MemorySource(memoryview(data))
