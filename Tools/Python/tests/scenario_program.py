"""Writes files as the scenarios in scenarios.json say; Tools/Tests/ScenarioWriter does the same in Swift.

    python scenario_program.py ACTION PATH TEXT COUNT

It prints a line for each step: `done`, or `error CODE REASON MESSAGE`, where the reason is the system's number, or 0.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

import graphcodable as gc

THREADS, APPENDS = 4, 30
Value = dict[str, Any]


def model(text: str, count: int) -> Value:
    """A text that tells entries apart, and numbers that no codec makes shorter."""
    numbers = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E37_79B9_7F4A_7C15)
    return {"text": text, "numbers": (numbers ^ numbers >> np.uint64(29)) * np.uint64(0xBF58_476D_1CE4_E5B9)}


def report(action: Callable[[], object]) -> None:
    """Does a step, and prints what became of it."""
    try:
        action()
        line = "done"
    except OSError as error:
        line = f"error file {error.errno} {error}"
    except gc.GraphCodableError as error:
        line = f"error {error.code} 0 {error}"
    print(line, flush=True)


def in_forked_process(action: Callable[[], object]) -> None:
    child = os.fork()
    if not child:
        try:
            action()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def save(path: str, value: Value) -> None:
    gc.save(value, path)


def append(path: str, value: Value) -> None:
    with gc.SeriesWriter(path) as writer:
        writer.append(value)


def again(path: str, value: Value) -> None:
    """After an error, by the same writer, when files may be of any size."""
    with gc.SeriesWriter(path) as writer:
        report(lambda: writer.append(value))
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        writer.append(model("again", 1))


def second(path: str, value: Value) -> None:
    """While there is a writer in this process."""
    with gc.SeriesWriter(path) as writer:
        report(lambda: gc.SeriesWriter(path))
        writer.append(value)


def hold(path: str, value: Value) -> None:
    """Says that it has the series, and goes on when it is told to."""
    with gc.SeriesWriter(path) as writer:
        writer.append(value)
        print("ready", flush=True)
        sys.stdin.readline()
        writer.append(value)


KEPT: list[gc.SeriesWriter] = []


def leave(path: str, value: Value) -> None:
    """Ends without giving the writer back."""
    KEPT.append(gc.SeriesWriter(path))
    KEPT[0].append(value)


def fork(path: str, value: Value) -> None:
    """With a writer that a forked process must not use, nor give back."""
    with gc.SeriesWriter(path) as writer:
        writer.append(value)

        def child() -> None:
            report(lambda: writer.append(value))
            report(lambda: gc.SeriesWriter(path))
            writer.close()

        in_forked_process(child)
        report(lambda: gc.SeriesWriter(path))
        writer.append(value)


def threads(path: str, value: Value) -> None:
    """Each appends thirty entries by the same writer."""
    failures: list[Exception] = []
    with gc.SeriesWriter(path) as writer:

        def work(thread: int) -> None:
            try:
                for number in range(APPENDS):
                    writer.append(model(value["text"], 3000), step=100 * thread + number)
            except Exception as error:
                failures.append(error)

        workers = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    if failures:
        raise failures[0]


ACTIONS = {each.__name__: each for each in (save, append, again, second, hold, leave, fork, threads)}


def main(action: str, path: str, text: str, count: str) -> None:
    if user := os.environ.get("SCENARIO_USER"):
        os.setuid(int(user))
    value = model(text, int(count))
    try:
        # Of the library that counts calls of the system, where that is loaded.
        ctypes.CDLL(None).test_calls_begin()
    except AttributeError:
        pass
    report(lambda: ACTIONS[action](path, value))


if __name__ == "__main__":
    main(*sys.argv[1:])
