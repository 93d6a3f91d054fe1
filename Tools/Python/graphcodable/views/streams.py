"""Streams of messages, as the Swift tool prints them: what they consist of, one message, and what is wrong with them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from ..files.messages import Damage, Message, Messages
from ..format.errors import GraphCodableError
from .choices import LAST
from .problems import Problem, problems_of, unfinished_text
from .texts import counted, grouped


def chosen_message(stream: Messages, options: argparse.Namespace) -> Message:
    """The message that the options name, as far as it can be read; the last one where they name none."""
    if options.step is not None or options.time is not None:
        raise not_found("messages have numbers, and neither steps nor times: see --entry")
    number = None if options.entry == LAST else options.entry
    last = None
    for message in stream:
        if message.number == number:
            return message
        last = message
    if number is not None:
        raise not_found(f"the stream has no message {number} that can be read")
    if last is None:
        raise not_found("the stream has no messages")
    return last


def not_found(message: str) -> GraphCodableError:
    return GraphCodableError(None, message, code="valueNotFound")


def damage_problem(damage: Damage) -> Problem:
    return Problem(GraphCodableError("M6", damage.reason + damage.lost_text, damage.offset, "stream", "damaged"))


def message_problems(message: Message) -> Iterator[Problem]:
    for its in problems_of(lambda: message.archive.verify()):
        # A place in a message is none in the file.
        error = GraphCodableError(None, its.message, None, "archive", its.code)
        yield Problem(error, message.number, is_in_message=True)


def checked(stream: Messages) -> tuple[int, list[Problem]]:
    """How many messages can be read, and all that is wrong: in the stream, and then in each of them."""
    count, found = 0, list[Problem]()
    for message in stream:
        count += 1
        found += message_problems(message)
    return count, [*map(damage_problem, stream.damage), *found]


# What a stream consists of


def of_messages(name: str, stream: Messages) -> dict[str, Any]:
    numbers, frames = list[int](), set[int]()
    metadata: dict[str, str] | None = None
    for message in stream:
        numbers.append(message.number)
        frames.add(message.frame_offset)
        if metadata is None:
            metadata = message.archive.metadata
    result: dict[str, Any] = {
        "file": name, "kind": "messages", "bytes": stream.size, "messages": len(numbers), "frames": len(frames), "metadata": metadata or {},
        "damage": [damage_problem(its).to_json() for its in stream.damage],
    }  # fmt: skip
    result |= {"first": numbers[0], "last": numbers[-1]} if numbers else {}
    return result | ({"unfinishedBytes": stream.incomplete_size} if stream.incomplete_size else {})


def lines_of_messages(about: dict[str, Any], stream: Messages) -> Iterator[str]:
    yield f"{about['file']}: stream, {counted(about['messages'], 'message', 'messages')}, {grouped(about['bytes'])} bytes"
    if about["messages"]:
        yield f"messages {grouped(about['first'])} to {grouped(about['last'])} in {counted(about['frames'], 'frame', 'frames')}"
    yield from (f"{key}: {value}" for key, value in sorted(about["metadata"].items()))
    yield from (damage_problem(its).text for its in stream.damage)
    if stream.incomplete_size:
        yield unfinished_text(stream.incomplete_size, "frame")
