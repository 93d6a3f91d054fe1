"""The modules of the package import each other only as the table of layers in README.md says."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

HERE = Path(__file__).parent.parent
PACKAGE = HERE / "graphcodable"
ROWS = re.findall(r"^\| `(\w+|\.)` \| [^|]+ \| ((?:`\w+`(?:, )?)+) \|$", (HERE / "README.md").read_text(), re.MULTILINE)
ALLOWED = {folder: {*re.findall(r"\w+", names), folder} for folder, names in ROWS}
TREES = {path: ast.parse(path.read_text()) for path in sorted(PACKAGE.rglob("*.py"))}


def name_of(path: Path) -> str:
    """`files.series`; that of a folder is the folder's."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


NAMES = {name_of(path) for path in TREES}


def imports(path: Path) -> set[str]:
    """The modules of the package that one imports anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.Import):
            assert not any(each.name.split(".")[0] == PACKAGE.name for each in node.names), f"{path}: imports are relative"
        elif isinstance(node, ast.ImportFrom) and node.level:
            folder = path.parents[node.level - 1].relative_to(PACKAGE).parts
            base = ".".join([*folder, *(node.module or "").split(".")]).strip(".")
            inner = {f"{base}.{each.name}".lstrip(".") for each in node.names}
            found |= {name if name in NAMES or not base else base for name in inner}
        else:
            assert not (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == PACKAGE.name), path
    return found


def layer(name: str) -> str:
    folder = name.partition(".")[0]
    return folder if (PACKAGE / folder).is_dir() or folder == "_native" else "."


def test_the_table_has_every_folder() -> None:
    assert ALLOWED.keys() == {layer(name) for name in NAMES} and all(names <= {*ALLOWED, "_native"} for names in ALLOWED.values())


@pytest.mark.parametrize("path", TREES, ids=name_of)
def test_a_module_imports_only_what_its_layer_may(path: Path) -> None:
    wrong = {name for name in imports(path) if layer(name) not in ALLOWED[layer(name_of(path))]}
    assert not wrong, f"{name_of(path)} imports {sorted(wrong)}: see the table of layers in README.md"


def test_no_modules_import_each_other_in_a_circle() -> None:
    try:
        TopologicalSorter({name_of(path): imports(path) for path in TREES}).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' <- '.join(error.args[1])}")


@pytest.mark.parametrize("path", TREES, ids=name_of)
def test_names_with_an_underscore_are_used_in_their_own_module_only(path: Path) -> None:
    own: set[object] = {"_fields"}  # Of named tuples.
    used: dict[str, int] = {}
    for node in ast.walk(TREES[path]):
        if isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Store):
            own.add(node.attr if isinstance(node, ast.Attribute) else node.id)
        elif isinstance(node, ast.Attribute) and re.match("_[^_]", node.attr) and ast.unparse(node.value) != "self":
            used[node.attr] = node.lineno
        elif isinstance(node, (ast.FunctionDef, ast.Constant)):
            own.add(node.name if isinstance(node, ast.FunctionDef) else node.value)
    wrong = {name: line for name, line in used.items() if name not in own}
    assert not wrong, f"{name_of(path)} uses what belongs to another module, by line: {wrong}"
