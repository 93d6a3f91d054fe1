#!/usr/bin/env python3
"""Writes the manual page of the tool from what its commands say of themselves: graphcodable --experimental-dump-help | manual.py"""

import json
import re
import sys

EXAMPLES = """
.nf
graphcodable info run.gcodable
graphcodable ls state.gcodable 'bodies[3]'
graphcodable get run.gcodable 'bodies[0..<5].mass' --step 100
graphcodable get state.gcodable positions --format npy > positions.npy
graphcodable verify runs/
gunzip < state.gcodable.gz | graphcodable ls -
.fi
"""


def escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def paragraphs(text: str) -> list[str]:
    lines: list[str] = []
    for part in text.strip().split("\n\n"):
        # Tables have lines that begin with spaces, which stay.
        is_table = re.search(r"^ {2}", part, re.MULTILINE)
        lines += [".nf", escaped(part), ".fi", ".PP"] if is_table else [escaped(part), ".PP"]
    return lines[:-1]


def spelled(argument: dict) -> str:
    value = f"<{argument['valueName']}>" if argument.get("valueName") else ""
    if argument["kind"] == "positional":
        return f"\\fI{escaped(value)}\\fR"
    names = sorted(argument.get("names", []), key=lambda name: name["kind"] == "long")
    texts = [("\\-" if name["kind"] == "short" else "\\-\\-") + escaped(name["name"]) for name in names]
    return ", ".join(f"\\fB{text}\\fR" for text in texts) + (f" \\fI{escaped(value)}\\fR" if argument["kind"] == "option" else "")


def synopsis(command: dict, path: str) -> str:
    words = [f"\\fB{escaped(path)}\\fR"]
    for argument in command.get("arguments", []):
        if not argument.get("shouldDisplay", True) or argument.get("valueName") in ("help", "version"):
            continue
        word = spelled(argument) + (" ..." if argument.get("isRepeating") else "")
        words.append(f"[{word}]" if argument.get("isOptional") else word)
    return " ".join(words)


def described(command: dict, path: str) -> list[str]:
    """A command, and those below it."""
    lines: list[str] = []
    subcommands = [each for each in command.get("subcommands", []) if each["commandName"] != "help"]
    if not subcommands:
        lines += [f".SS {escaped(path)}", synopsis(command, path), ".PP", escaped(command["abstract"])]
        if command.get("discussion"):
            lines += [".PP", *paragraphs(command["discussion"])]
        for argument in command.get("arguments", []):
            if argument.get("shouldDisplay", True) and argument.get("valueName") not in ("help", "version"):
                about = argument.get("abstract", "").strip()
                values = argument.get("allValues") or []
                if values and not all(value in about for value in values):
                    about += f" One of {', '.join(values)}."
                lines += [".TP", spelled(argument), escaped(about)]
    for each in subcommands:
        lines += described(each, f"{path} {each['commandName']}")
    return lines


tool = json.load(sys.stdin)["command"]
page = [
    '.TH GRAPHCODABLE 1 "" "GraphCodable" "User Commands"',
    ".SH NAME",
    f"graphcodable \\- {escaped(tool['abstract'][0].lower() + tool['abstract'][1:].rstrip('.'))}",
    ".SH SYNOPSIS",
    "\\fBgraphcodable\\fR \\fIcommand\\fR ...",
    ".SH DESCRIPTION",
    *paragraphs(tool["discussion"]),
    ".SH COMMANDS",
    *described(tool, "graphcodable"),
    ".SH ENVIRONMENT",
    ".TP",
    "\\fBGRAPHCODABLE_TIMEOUT\\fR",
    "How many seconds to wait for a server that says nothing; 30 where it is not set.",
    ".TP",
    "\\fBCOLUMNS\\fR",
    "How wide the terminal is; without it, the terminal is asked.",
    ".TP",
    "\\fBNO_COLOR\\fR",
    "If it is set, to anything, nothing has a colour, on a terminal either.",
    ".SH EXAMPLES",
    EXAMPLES.strip(),
]
print("\n".join(page))
