"""The check of files, as `graphcodable verify` of the Swift tool prints it."""

from __future__ import annotations

import argparse
from typing import Any

from ..files.addresses import shown_name
from ..files.messages import Messages
from ..files.opening import Opened
from ..files.series import Series
from ..files.set_series import SetSeries
from ..files.sets import ArchiveSet
from ..format.errors import GraphCodableError
from .choices import DAMAGED, UNREADABLE, Failure, chosen, has_choice, opened, reason
from .information import kind_of, size_of
from .output import flush, line
from .problems import Problem, entry_problems, problems, unfinished, unfinished_text
from .search import Search
from .streams import checked, chosen_message, message_problems
from .texts import counted, grouped, json_text, visible


class Finding:
    """What the check of a file has found."""

    def __init__(self, file: str) -> None:
        self.file = shown_name(file)
        self.about: dict[str, Any] = {}
        self.count = ""
        self.problems: list[Problem] = []

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def is_damaged(self) -> bool:
        return any(not problem.is_unreadable for problem in self.problems)

    def check(self, name: str, options: argparse.Namespace) -> None:
        try:
            with opened(name) as file:
                self.about = {"kind": kind_of(file), "bytes": size_of(file)}
                self.problems = self.found(file, options)
        except GraphCodableError as error:
            self.problems = [Problem(error)]
        except BrokenPipeError:
            raise
        except (OSError, ImportError) as error:
            # Without what the address may have that is secret.
            self.problems = [Problem(OSError(reason(error, self.file)))]

    def found(self, file: Opened, options: argparse.Namespace) -> list[Problem]:
        if isinstance(file, ArchiveSet):
            self.about["parts"] = len(file)
            self.count = counted(len(file), "part", "parts")
        elif isinstance(file, Messages):
            return self.found_in_messages(file, options)
        elif isinstance(file, (Series, SetSeries)):
            is_chosen = has_choice(options)
            number = 1 if is_chosen else len(file)
            entry = chosen(file, options) if is_chosen else None
            self.about["entries"] = number
            self.count = counted(number, *file.NOUNS)
            if entry is not None:
                return list(entry_problems(entry))
            left = unfinished(file)
            if left:
                self.about["unfinishedBytes"] = left
        return list(problems(file))

    def found_in_messages(self, stream: Messages, options: argparse.Namespace) -> list[Problem]:
        if has_choice(options):
            number, found = 1, list(message_problems(chosen_message(stream, options)))
        else:
            number, found = checked(stream)
            if stream.incomplete_size:
                self.about["unfinishedBytes"] = stream.incomplete_size
        self.about["entries"] = number
        self.count = counted(number, "message", "messages")
        return found

    def to_json(self) -> dict[str, Any]:
        return {"file": self.file, **self.about, "ok": self.ok, "problems": [problem.to_json() for problem in self.problems]}

    def print(self) -> None:
        left = self.about.get("unfinishedBytes")
        rest = [] if left is None else [unfinished_text(left, "frame" if self.about["kind"] == "messages" else "entry")]
        if self.ok:
            line(visible(f"{self.file}: " + ", ".join(["OK", *([self.count] if self.count else []), *rest])))
            return
        for problem in self.problems:
            if not problem.is_unreadable:
                line(visible(f"{self.file}{problem.place}: {problem.text}"))
        for text in rest:
            line(visible(f"{self.file}: {text}"))
        flush()
        for problem in self.problems:
            if problem.is_unreadable:
                Failure(f"{self.file}{problem.place}: {problem.message}").print()


def verify(options: argparse.Namespace) -> int:
    """Checks files and prints what was found; the exit status."""
    try:
        search = Search(options.files)
    except OSError as error:
        raise Failure(f"{error.filename}: cannot be read", UNREADABLE) from None
    findings: list[Finding] = []
    for name in search.files:
        finding = Finding(name)
        finding.check(name, options)
        findings.append(finding)
        if not options.json:
            finding.print()
    if options.json:
        line(json_text([finding.to_json() for finding in findings]))
    elif search.folder_count:
        line(summary(findings))
    if any(finding.is_damaged for finding in findings):
        return DAMAGED
    return 0 if all(finding.ok for finding in findings) else UNREADABLE


def summary(findings: list[Finding]) -> str:
    """How many files there were, and how many of them are what."""
    sound, damaged = sum(each.ok for each in findings), sum(each.is_damaged for each in findings)
    unreadable = len(findings) - sound - damaged
    has_sets = any(each.about.get("kind") in ("set", "setSeries") for each in findings)
    number = f"{grouped(len(findings))} files and sets" if has_sets else counted(len(findings), "file", "files")
    parts = [f"{number}: {grouped(sound)} OK"]
    parts += [f"{grouped(damaged)} damaged"] if damaged else []
    parts += [f"{grouped(unreadable)} cannot be read"] if unreadable else []
    return ", ".join(parts)


