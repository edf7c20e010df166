"""The guide as files: every page has its part, nothing leads nowhere, and all of it is plain Markdown."""

from __future__ import annotations

import re
from operator import attrgetter
from pathlib import Path

import pytest

import dashboard
import engine
from dashboard import guide
from engine.classroom.lesson_file import FOLDER
from engine.methods.ordinal.partial_network import PartialNetwork
from engine.methods.ordinal.result import OrdinalResult
from engine.telling.terms import TERMS
from engine.words import NO_BREAK
from sample_data.worked_examples import example_file, stored_answer
from tests.contract.brings import OURS
from tests.floor.test_shown_words import OLD

PAGES = {path.stem for path in (Path(dashboard.__file__).parent / "app_pages").glob("[!_]*.py")} - {"method", "guide"}
OWN = [name for name, file in guide.page_files().items() if file.parent.name == "guide" or name == guide.CONTENTS]
"""Pages that are written for the guide; the others are documents that it has too."""
MOST_BYTES = 1_000_000
SECTIONS = ("When not to use it", "How it differs from the paper")
"""Headings that the page of each method has."""
LINKS = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def text_of(name: str) -> str:
    """A page as it is written, without code."""
    return re.sub(r"^```.*?^```", "", guide.page_text(name), flags=re.MULTILINE | re.DOTALL)


def headings(name: str) -> set[str]:
    """The names of the headings of a page in an address."""
    return {guide.slug(line.lstrip("# ")) for line in text_of(name).splitlines() if line.startswith("#")}


def test_every_page_of_the_program_has_its_part() -> None:
    """Start leads to the first table, each other page to the part of its own name; unknown ones to the contents."""
    assert {page: guide.part_of(page) for page in PAGES - {"start"}} == {
        page: page.replace("_", "-") for page in PAGES - {"start"}
    }
    assert guide.part_of("") == guide.FIRST
    assert guide.part_of("a_sixth_method") == guide.CONTENTS


def test_the_glossary_has_the_terms_of_the_lessons() -> None:
    """Each term of its table stands in a lesson, and what a lesson teaches is explained."""
    lessons = " ".join(file.read_text(encoding="utf-8") for file in FOLDER.glob("*.md")).lower()
    section = text_of("glossary").partition("## Terms of the lessons")[2].partition("## ")[0]
    terms = re.findall(r"^\| ([^|]+) \|", section, flags=re.MULTILINE)[1:]
    assert [term for term in terms if term.lower() not in lessons] == []
    taught = {"collider", "explaining away", "equivalence class", "overfitting", "power", "Simpson's paradox", "BDeu"}
    assert taught <= set(terms)


def test_the_contents_list_every_page_once() -> None:
    """Whoever reads one after the other comes through all of them."""
    listed = [name for section in guide.contents().values() for name in section]
    pages = {name for name, file in guide.page_files().items() if file.suffix == ".md"}
    assert sorted(listed) == sorted(pages - {guide.CONTENTS})


@pytest.mark.parametrize("name", guide.page_files())
def test_links_and_pictures_lead_somewhere(name: str) -> None:
    """In the program: to a page and a heading that there are, or to a picture that can be read."""
    for target in LINKS.findall(re.sub(r"`[^`\n]*`", "", re.sub(r"(?ms)^```.*?^```", "", guide.app_text(name)))):
        address, _, anchor = target.partition("#")
        page = address.removeprefix("guide?page=") or name
        assert page in guide.page_files(), target
        assert not anchor or anchor in headings(page), target
    assert all(isinstance(block, str) or block.address.startswith("data:image/") for block in guide.blocks(name))


def test_links_of_the_documents_within_the_guide_exist() -> None:
    """What stands in the files leads to a file of the repository, in the guide or beside it."""
    for name, page in guide.page_files().items():
        for target in LINKS.findall(re.sub(r"`[^`\n]*`", "", text_of(name))) if page.suffix == ".md" else ():
            assert target.startswith("#") or (page.parent / target.partition("#")[0]).exists(), (name, target)


@pytest.mark.parametrize("name", OWN)
def test_pages_are_plain_markdown_in_standard_terms(name: str) -> None:
    """No directive, no HTML, headings that both readers name alike, and none of the words that were given up."""
    text = text_of(name)
    assert not re.search(r"^:::|```\{|\{[a-z]+\}`|<[a-z]+[ >]", guide.page_text(name), flags=re.MULTILINE)
    assert all(line.isascii() for line in text.splitlines() if line.startswith("#"))
    assert text.startswith("# ")
    assert not [word for word in OLD if word in " ".join(text.lower().split())]


def test_pages_of_methods_have_the_same_parts() -> None:
    """Question, picture, how to read, when not, how it differs, and the study."""
    for slug in OURS:
        text = guide.page_text(slug.replace("_", "-"))
        assert "**Question:**" in text and "![" in text and "-study.md)" in text
        assert all(f"## {section}" in text for section in (*SECTIONS, "How to read it"))


def test_quoted_sentences_are_those_of_the_stored_results() -> None:
    """The page of each method, of comparisons, and the gallery quote what the worked examples say."""
    for slug in [slug for slug in (*OURS, "compare") if example_file(slug).is_file()]:
        said = f"> {stored_answer(slug).headline()}".replace(NO_BREAK, " ")
        for name in (slug.replace("_", "-"), "gallery"):
            assert said in guide.page_text(name).replace(NO_BREAK, " "), (name, said)


def test_the_terms_of_the_tooltips_stand_in_the_glossary() -> None:
    """Each below a heading, so that a tooltip can lead to it."""
    text = guide.page_text("glossary")
    assert guide.TERMS_HERE not in text
    assert all(f"### {term}\n\n{meaning}" in text for term, meaning in TERMS.items())
    assert len({guide.slug(term) for term in TERMS}) == len(TERMS)


def test_pictures_are_small() -> None:
    """All of them together, as the package carries them."""
    assert 0 < sum(file.stat().st_size for file in (guide.FOLDER / "guide" / "pictures").iterdir()) <= MOST_BYTES


def test_calls_of_the_page_for_newcomers_exist() -> None:
    """Whatever it says to call: of the package, of its classes, and of what these give."""
    text = guide.page_text("coming-from")
    calls = re.findall(r"engine\.(\w+)(?:\([^`|]*?\))?((?:\.\w+)*)", text)
    assert len(calls) > 40
    for name, rest in calls:
        attrgetter(f"{name}{rest}")(engine)
    given = {"result": OrdinalResult, "result.lines": PartialNetwork}
    asked = re.findall(r"(?<![\w.])(result(?:\.lines)?)\.(\w+)", text)
    assert len(asked) > 5
    assert [call for call in asked if call != ("result", "lines") and not hasattr(given[call[0]], call[1])] == []


def test_links_change_outside_of_code_only() -> None:
    """A link to nothing leaves its words; code, in a line and in a block, and pictures stay."""
    text = "[a](x) `[b](x)` ![c](x) [`d`](y)\n```\n[e](x)\n```\n[f](x)"
    changed = guide.change_links(text, lambda target: "" if target == "y" else "z")
    assert changed == "[a](z) `[b](x)` ![c](x) `d`\n```\n[e](x)\n```\n[f](z)"


def test_terms_are_explained_with_the_way_to_the_glossary() -> None:
    """Each of those that a sentence uses; nothing where it uses none."""
    link = "[Bayes factor](guide?page=glossary#bayes-factor)"
    assert guide.explain("a Bayes factor of 3") == f"{link}: {TERMS['Bayes factor']}"
    assert guide.explain("nothing") == ""
