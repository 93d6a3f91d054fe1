#!/usr/bin/env python3
"""Copies the DocC catalogue of GraphCodable and adds the pages of Documentation/ to it as articles: catalog.py FOLDER

The pages are plain Markdown with relative links, so that they can be read anywhere. Here links between them, and to articles, become
DocC's, which checks them; others lead to the repository. The list of Documentation/README.md becomes groups of topics, and each row of its
table an article of its own: the site's search knows titles alone, and so finds "rename a class".
"""

import re
import shutil
import sys
from pathlib import Path

ADDRESS = "https://github.com/GraphCodable/GraphCodable/blob/main/"
CATALOG = Path("Sources/GraphCodable/GraphCodable.docc")
PAGES = Path("Documentation")
INDEX = PAGES / "README.md"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def listed() -> dict[str, list[Path]]:
    """The pages of the index by its headings, without what lies elsewhere and the list of decisions."""
    groups: dict[str, list[Path]] = {}
    heading = ""
    for line in INDEX.read_text().splitlines():
        if line.startswith("## "):
            heading = line[3:]
        for _, _, target in LINK.findall(line) if line.startswith("- ") else []:
            page = PAGES / target
            if ".." not in target and page.name != "README.md":
                groups.setdefault(heading, []).append(page)
    return groups


def tasks() -> dict[str, str]:
    """The rows of the index's table: what readers want, and the links that lead there."""
    rows = re.findall(r"^\| (\w.*?) \| (.*\S) \|$", INDEX.read_text(), re.MULTILINE)
    return {want[0].upper() + want[1:].replace("`", ""): links for want, links in rows}


def name_of(page: Path) -> str:
    """An article's name, which no symbol may have: DocC would drop the article."""
    return f"{'Guide' if page.parent == PAGES else page.parent.name}-{page.stem}"


def anchor(heading: str) -> str:
    """That of GitHub: lower case, letters and digits, dashes for spaces."""
    return "".join("-" if c == " " else c for c in heading.lower() if c.isalnum() or c in " -_")


def fragment(page: Path, wanted: str) -> str:
    """What DocC calls the heading that GitHub finds by an anchor."""
    for heading in re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE):
        if anchor(heading) == wanted:
            return "#" + re.sub(r"\s+", "-", re.sub(r"[`'\"]", "", heading))
    sys.exit(f"catalog: {page} has no heading #{wanted}")


def converted(page: Path, text: str, articles: dict[Path, str], pictures: set[Path]) -> str:
    """A page's text, or a part of it, with the links of DocC."""

    def link(match: re.Match[str]) -> str:
        mark, text, target = match.groups()
        if re.match(r"[a-z]+:", target):
            return match[0]
        path, _, heading = target.partition("#")
        file = Path(*(page.parent / path).parts) if path else page
        file = file.resolve().relative_to(Path.cwd())
        if mark:
            pictures.add(file)
            return f"![{text}]({file.name})"
        if file in articles:
            return f"[{text}](doc:{articles[file]}{fragment(file, heading) if heading else ''})"
        return f"[{text}]({ADDRESS}{file}{'#' + heading if heading else ''})"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    # Two backquotes are those of a symbol in DocC.
    return "".join(part if part.startswith("```") else re.sub(r"`` `(\w+)` ``", r"`\1`", LINK.sub(link, part)) for part in parts)


def main() -> None:
    output = Path(sys.argv[1]).resolve()
    shutil.copytree(CATALOG, output)
    groups = listed()
    pages = [page for group in groups.values() for page in group]
    articles = {page: name_of(page) for page in pages}
    articles |= {path: path.stem for path in CATALOG.glob("*.md")}
    pictures: set[Path] = set()
    for page in pages:
        (output / f"{articles[page]}.md").write_text(converted(page, page.read_text(), articles, pictures))
    for picture in pictures:
        shutil.copy(picture, output)
    names = []
    for want, links in tasks().items():
        names.append("Task-" + "-".join(re.findall(r"\w+", want)))
        (output / f"{names[-1]}.md").write_text(f"# {want}\n\nSee {converted(INDEX, links, articles, pictures)}.\n")
    lists = {"I want to": names} | {heading: [articles[page] for page in group] for heading, group in groups.items()}
    topics = "".join(f"### {heading}\n\n" + "".join(f"- <doc:{name}>\n" for name in group) + "\n" for heading, group in lists.items())
    landing = output / "GraphCodable.md"
    first, mark, rest = landing.read_text().partition("### Types that can be stored\n")
    if not mark:
        sys.exit(f"catalog: {landing.name} has no group of types, before which the pages are listed")
    landing.write_text(first + topics + mark + rest)


main()
