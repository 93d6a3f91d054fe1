"""Markup for notebooks. Every text from a file goes through `text`, and no other function escapes any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ..format.errors import GraphCodableError
from .texts import visible

# Longer names and values end in an ellipsis.
LONGEST = 80
LONGEST_PROBLEM = 300
# All colours are the notebook's own, or stand out from light and dark.
STYLE = """<style>
.gcodable{font-size:13px;line-height:1.4;overflow-x:auto}
.gcodable table{font-size:inherit;border-collapse:collapse;margin:4px 0}
.gcodable th,.gcodable td{padding:1px 8px;text-align:left;border-bottom:1px solid rgba(128,128,128,.3);vertical-align:middle}
.gcodable th{font-weight:600}
.gcodable .n{text-align:right;font-variant-numeric:tabular-nums}
.gcodable ul{list-style:none;margin:0;padding-left:18px}
.gcodable summary{cursor:pointer}
.gcodable .q{opacity:.75}
.gcodable .bad{border-left:3px solid #d1495b;padding-left:6px;margin:4px 0}
.gcodable svg{color:#3d8bd0;vertical-align:middle}
.gcodable figure{display:inline-block;margin:4px 16px 4px 0}
.gcodable figcaption{font-size:12px;opacity:.75}
</style>"""


def text(value: str, longest: int = LONGEST) -> str:
    """A text as it may stand between tags and in quotation marks: cut, without hidden characters, and escaped."""
    return escape(visible(value if len(value) <= longest else value[: longest - 1] + "…"))


def wrapped(body: str) -> str:
    """What stands in a cell of a notebook, in light and dark ones."""
    return f'{STYLE}<div class="gcodable">{body}</div>'


def title(name: str, *facts: str) -> str:
    """What something is, in bold, and what is known of it."""
    rest = "".join(f' <span class="q">· {text(fact)}</span>' for fact in facts if fact)
    return f"<div><b>{text(name)}</b>{rest}</div>"


def note(words: str) -> str:
    return f'<div class="q">{text(words, LONGEST_PROBLEM)}</div>'


def problem(error: Exception | str) -> str:
    """A fault in a file, or one that keeps it from being read."""
    return f'<div class="bad">{text(problem_text(error), LONGEST_PROBLEM)}</div>'


def problem_text(error: Exception | str) -> str:
    if isinstance(error, str):
        return error
    if isinstance(error, GraphCodableError):
        return f"{error.code}: {error}"
    return f"cannot be shown: {str(error) or type(error).__name__}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> str:
    """A table of texts; columns of `numbers` are set to the right."""
    return table_of(heads, ([text(cell) for cell in row] for row in rows), numbers)


def table_of(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> str:
    """A table whose cells are markup."""
    classes = [' class="n"' if at in set(numbers) else "" for at in range(len(heads))]
    head = "".join(f'<th scope="col"{each}>{text(its)}</th>' for each, its in zip(classes, heads))
    body = "".join("<tr>" + "".join(f"<td{each}>{its}</td>" for each, its in zip(classes, row)) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def figure(caption: str, picture: str) -> str:
    return f"<figure>{picture}<figcaption>{text(caption)}</figcaption></figure>"
