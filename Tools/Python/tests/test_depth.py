"""Deep values and long chains: nothing recurses, and nothing takes time with the square of the depth."""

from __future__ import annotations

import pytest
from forge import archive, varint

import graphcodable as gc

DEPTH = 1 << 17


def test_values_of_the_full_depth_are_read() -> None:
    opened = gc.Archive(archive(b"\x08" + b"\x08\x03" * (DEPTH - 1) + b"\x16\x03\x07"))
    opened.verify()
    value, depth = opened.root, 0
    while isinstance(value, gc.List):
        value, depth = value[0], depth + 1
    assert (depth, value) == (DEPTH, 7)


def test_deep_values_are_listed() -> None:
    opened = gc.Archive(archive(b"\x08" + b"\x08\x03" * ((1 << 14) - 1) + b"\x16\x03\x07"))
    assert opened.tree(None, None).count("\n") == (1 << 14) - 1


def test_one_level_more_is_refused() -> None:
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.Archive(archive(b"\x08" + b"\x08\x03" * DEPTH + b"\x16\x03\x07")).verify()
    assert caught.value.rule == "G12"


def test_many_tags_are_no_depth() -> None:
    opened = gc.Archive(archive(b"\x02" * 1_000_000 + b"\x00"))
    opened.verify()
    assert opened.root is None


def test_records_of_the_full_depth_are_read_from_the_middle_field() -> None:
    # Fields behind and in front of the inner record, so that each level has to find its end.
    shape = bytes([0]) + varint(3) + varint(1) + b"\x16" + varint(2) + b"\x02" + varint(3) + b"\x16"
    depth = 20_000
    stream = b"\x03" + b"\x03\x01\x03" * (depth - 1) + b"\x03\x01\x00" + b"\x02" * depth
    opened = gc.Archive(archive(stream, "abc", [shape]))
    opened.verify()
    record, count = opened.root, 0
    while record is not None:
        assert (record.a, record.c) == (1, 2)
        record, count = record.b, count + 1
    assert count == depth


def test_long_chains_of_objects_are_walked_and_released() -> None:
    count = 30_000
    shape = bytes([1]) + varint(1) + varint(1) + b"\x02"
    stream, objects = b"\x04" + varint(0), []
    for number in range(count):
        objects.append(len(stream))
        stream += varint(1) + (b"\x04" + varint(number + 1) if number + 1 < count else b"\x00")
    opened = gc.Archive(archive(stream, ["next"], [shape], objects))
    opened.verify()
    held, node = [], opened.root
    while node is not None:
        held.append(node)
        node = node.next
    assert len(held) == count
    assert held[-2].next is held[-1]
    assert opened.tree(None, None).count("\n") == count - 1


def test_cycles_keep_their_identity() -> None:
    shape = bytes([1]) + varint(1) + varint(1) + b"\x04"
    opened = gc.Archive(archive(b"\x04\x01" + b"\x03\x03" + b"\x03\x01", ["other"], [shape], [2, 4]))
    opened.verify()
    assert opened.root.other is not opened.root
    first = opened.root
    assert first.other.other is first
    assert "listed above" in opened.tree()


BOX = b"\x04\x01"  # A boxed shape.


def test_boxes_in_place_along_references_are_read_without_recursion() -> None:
    # Each object is a box of a box of a reference to the next one.
    count = 100_000
    objects = [b"\x03\x03\x03\x04" + varint(number) for number in range(1, count)] + [b"\x03\x16\x07"]
    starts = [2]
    for each in objects[:-1]:
        starts.append(starts[-1] + len(each))
    opened = gc.Archive(archive(b"\x04\x01" + b"".join(objects), shapes=[BOX], objects=starts))
    opened.verify()
    assert opened.root == 7


def test_boxes_in_place_that_lead_to_nothing_but_each_other_are_refused() -> None:
    opened = gc.Archive(archive(b"\x04\x01" + b"\x03\x03\x03\x04\x01", shapes=[BOX], objects=[2]))
    for use in (opened.verify, lambda: opened.root):
        with pytest.raises(gc.GraphCodableError) as caught:
            use()
        assert caught.value.rule == "G4"
