"""The guide as files: which pages there are and in which order, and their text with links that a reader can follow.

The page *Guide* and the built documents (`docs/conf.py`) both read it through here.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.telling.terms import TERMS, used_terms

_PACKED = Path(__file__).parent / "assets" / "guide"
FOLDER = _PACKED if _PACKED.is_dir() else Path(__file__).parents[1] / "docs"
"""Where the files are: in the installed package, or beside the source."""
CONTENTS = "index"
FIRST = "first-table"
"""The pages that list all others, and that begin."""
TERMS_HERE = "<!-- the terms of engine/telling/terms.py -->"
"""The line of the glossary in whose place the terms of the tooltips stand."""
RECIPES = "serve"
"""The folder whose files are shown too, whatever they are."""
_LINK = re.compile(
    r"(?P<code>^```.*?^```|`[^`\n]*`)|(?P<picture>!?)\[(?P<words>[^\]]*)\]\((?P<target>[^)\s]+)\)",
    flags=re.MULTILINE | re.DOTALL,
)
_PICTURE = re.compile(r"!\[(?P<words>[^\]]*)\]\((?P<target>[^)\s]+)\)")
_ENTRY = re.compile(r"- \[(?P<title>[^\]]+)\]\((?P<target>[^)\s]+)\.md\)")
_FINDING = re.compile(r"^- \*\*(?P<what>What [^*\n]+):\*\* (?P<words>.+)$", flags=re.MULTILINE)
_MEASURED = re.compile(
    r"\d+ of \d+ shares are within their bars|[Oo]f \d+ shares [^,]+, \d+ miss it|[Nn]o bar is missed"
)
_KINDS = {".png": "image/png", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Illustration:
    """A picture of a page.

    Attributes
    ----------
    words : what it shows, for who does not see it
    address : all of it, as an address that asks nobody for anything
    """

    words: str
    address: str


@cache
def page_files() -> dict[str, Path]:
    """Name in an address -> file, of all that can be shown; pages in the folder `guide` go by their own name."""
    files = (file for file in sorted(FOLDER.rglob("*")) if file.is_file())
    return {page_name(file): file for file in files if file.suffix == ".md" or file.parent == FOLDER / RECIPES}


def page_name(file: Path) -> str:
    """The name of a file of the guide in an address."""
    return file.relative_to(FOLDER).as_posix().removesuffix(".md").removeprefix("guide/")


@cache
def contents() -> dict[str, dict[str, str]]:
    """Section -> name of each of its pages -> its title, as the page of contents lists them."""
    sections: dict[str, dict[str, str]] = {}
    for line in page_files()[CONTENTS].read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            sections[line[3:]] = {}
        elif entry := _ENTRY.match(line):
            sections[list(sections)[-1]][entry["target"].removeprefix("guide/")] = entry["title"]
    return sections


def findings(name: str) -> dict[str, str]:
    """What a study says at its head: "What the paper claims", "What came out", "What that teaches" -> its sentences."""
    return {found["what"]: found["words"] for found in _FINDING.finditer(page_text(name))}


def measured(name: str) -> str:
    """What a page of measurements says of all its bars at once; empty where it has none."""
    found = _MEASURED.search(page_text(name))
    return found.group()[0].lower() + found.group()[1:] if found else ""


def part_of(place: str) -> str:
    """The page of the guide that belongs to a page of the program, by the name in its address."""
    name = place.replace("_", "-") or FIRST
    return name if name in page_files() else CONTENTS


def slug(heading: str) -> str:
    """The name of a heading in an address."""
    return "-".join(re.findall(r"[a-z0-9]+", heading.lower()))


def explained_terms() -> str:
    """The terms of the tooltips with their meanings, each below a heading of its own, as Markdown."""
    ordered = sorted(TERMS.items(), key=lambda item: item[0].lower())
    return "\n\n".join(f"### {term}\n\n{meaning}" for term, meaning in ordered)


def explain(text: str) -> str:
    """Explain the terms of a text, for a tooltip, each with the way to its place in the glossary."""
    return "\n\n".join(f"[{term}]({address_of('glossary', term)}): {meaning}" for term, meaning in used_terms(text))


def page_text(name: str) -> str:
    """The Markdown of a page; of a file that is none, its text as a block."""
    file = page_files()[name]
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".md":
        return f"# {file.name}\n\n```text\n{text}\n```\n"
    return text.replace(TERMS_HERE, explained_terms())


def change_links(text: str, change: Callable[[str], str]) -> str:
    """The Markdown with every link to another target, outside of code; a link to "" becomes its words alone."""

    def changed(match: re.Match[str]) -> str:
        if match["code"] or match["picture"]:
            return match[0]
        target = change(match["target"])
        return f"[{match['words']}]({target})" if target else match["words"]

    return _LINK.sub(changed, text)


def file_of_link(page: Path, target: str) -> Path | None:
    """The file of the guide that a link of one of its pages leads to; None for any other place."""
    file = (page.parent / target.partition("#")[0]).resolve()
    return file if file in {one.resolve() for one in page_files().values()} else None


def address_of(name: str, heading: str = "") -> str:
    """The address of a page of the guide, or of a heading in it, from any page of the program."""
    return f"guide?page={name}{f'#{slug(heading)}' if heading else ''}"


def app_text(name: str) -> str:
    """The Markdown of a page as the program shows it: links lead to its own pages, those to elsewhere are words."""
    page = page_files()[name]

    def change(target: str) -> str:
        if target.startswith("#"):
            return target
        file = file_of_link(page, target)
        _, mark, anchor = target.partition("#")
        return f"{address_of(page_name(file))}{mark}{anchor}" if file is not None else ""

    return change_links(page_text(name), change)


def blocks(name: str) -> list[str | Illustration]:
    """A page as texts and pictures in turn."""
    page, found, text = page_files()[name], list[str | Illustration](), list[str]()
    for line in app_text(name).splitlines():
        picture = _PICTURE.fullmatch(line.strip())
        if picture is None:
            text.append(line)
            continue
        found += ["\n".join(text), Illustration(picture["words"], data_address(page.parent / picture["target"]))]
        text = []
    return [*found, "\n".join(text)]


def data_address(picture: Path) -> str:
    """A picture as an address that holds all of it."""
    content = base64.b64encode(picture.read_bytes()).decode("ascii")
    return f"data:{_KINDS[picture.suffix]};base64,{content}"
