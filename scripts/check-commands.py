#!/usr/bin/env python3
"""Checks that nothing is left behind which nobody runs, and that what is named is there; `make lint` runs this.

- Paths, sources and excluded files of every manifest exist: of a missing one SwiftPM says nothing or only warns.
- Test names in the Makefile and the scripts (--filter, --skip, FILTER=) are those of tests: one that fits none passes.
- Environment variables that are set for tests there are read by some source.
- The tool and the Python package have one version.
- Each target of the Makefile, and each script, is run by .ci/run or scripts/nightly.sh, directly or by another one.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# What a person runs.
BY_HAND = {"help", "setup", "setup-mpi", "format", "nightly", "clean", "compare_parallel.py"}

problems = []


def tracked(*patterns: str) -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    return [Path(name) for name in names if name and Path(name).exists()]


def check_manifest(manifest: Path, scratch: str) -> None:
    # In a folder of its own, so that it does not wait for a build.
    dump = subprocess.run(
        [os.environ.get("SWIFT", "swift"), "package", "--package-path", manifest.parent, "--scratch-path", scratch, "dump-package"],
        capture_output=True,
        text=True,
    )
    if dump.returncode != 0:
        problems.append(f"{manifest}: {dump.stderr.strip()}")
        return
    for target in json.loads(dump.stdout)["targets"]:
        default = Path("Tests" if target["type"] == "test" else "Sources", target["name"])
        folder = manifest.parent / target.get("path", default)
        for path in [folder, *(folder / name for name in target["exclude"] + target.get("sources", []))]:
            if not path.exists():
                problems.append(f"{manifest}: {target['name']} names {path}, which is not there")


def check_names(commands: str, tests: str) -> None:
    filters = re.findall(r"(?:--(?:filter|skip)[ =]|FILTER=)'?([\w|./\\^]+)", commands)
    skipped = re.search(r"^skipped=\((.*?)^fi$", Path("scripts/sanitize-swift.sh").read_text(), re.DOTALL | re.MULTILINE)
    filters += re.findall(r"'([\w./\\]+)'", skipped[1]) if skipped else []
    for text in filters:
        for name in re.findall(r"\w{4,}", text):
            if not re.search(rf"\b(?:struct|class|enum|func) \w*{name}\b", tests) and not any(Path().glob(f"*/{name}")):
                problems.append(f"'{name}' fits no test")
    for name in set(re.findall(r"\b(GRAPHCODABLE_\w+)=", commands)):
        if name not in tests:
            problems.append(f"{name} is set, and nothing reads it")


def check_runs(ci: str, nightly: str) -> None:
    makefile = Path("Makefile").read_text()
    rules = dict(re.findall(r"^([\w-]+):(.*(?:\n\t.*|\n@.*|\n#.*)*)", makefile, re.MULTILINE))
    folders = ["scripts", "Benchmarks/*.py", "Benchmarks/*.sh", "Examples/*.sh", "Tools/Python/scripts"]
    scripts = {path.name: path.read_text() for path in tracked(*folders)}
    # A module that another script imports, or a script by its name without the ending, counts as well.
    run: set[str] = set()
    texts = [ci, nightly]
    while texts:
        text = texts.pop()
        for name, body in rules.items():
            if name not in run and re.search(rf"\bmake {name}(?![\w-])|\$\(MAKE\) {name}(?![\w-])", text):
                run.add(name)
                # With what it depends on.
                texts += [body, *(f"make {other}" for other in body.split("##")[0].split())]
        for name, body in scripts.items():
            stem = re.escape(name.removesuffix(".py"))
            pattern = rf"{re.escape(name)}|python\.sh run {stem}\b|^from {stem} import"
            if name not in run and re.search(pattern, text, re.MULTILINE):
                run.add(name)
                texts.append(body)
    for name in [*rules, *scripts]:
        if name not in run | BY_HAND:
            problems.append(f"nobody runs {name}: neither .ci/run nor scripts/nightly.sh leads to it")


def check_versions() -> None:
    found = {
        path: re.search(r'(?:ersion = )"([0-9a-z.-]+)"', Path(path).read_text())
        for path in ("Tools/Command/Commands/ToolVersion.swift", "Tools/Python/pyproject.toml")
    }
    # Python writes 1.0.0rc1 for 1.0.0-rc.1.
    versions = {path: re.sub(r"-(a|b|rc)[a-z]*\.", r"\1", match[1]) if match else None for path, match in found.items()}
    if len(set(versions.values())) != 1 or None in versions.values():
        problems.append(f"versions differ: {versions}")


check_versions()
with tempfile.TemporaryDirectory() as scratch:
    for path in tracked("Package.swift", "*/Package.swift"):
        check_manifest(path, scratch)
script_texts = {path: path.read_text() for path in tracked("Makefile", ".ci", "scripts/*.sh")}
sources = "\n".join(path.read_text() for path in tracked("*.swift", "*.py") if path.parts[0] != "scripts")
check_names("\n".join(script_texts.values()), sources)
check_runs(Path(".ci/run").read_text(), Path("scripts/nightly.sh").read_text())
if problems:
    sys.exit("\n".join(f"check-commands: {problem}" for problem in problems))
