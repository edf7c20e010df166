"""The guide as a folder: built with warnings as errors, no link to nowhere or elsewhere, its examples run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

import engine
import sample_data
from dashboard import guide
from engine.words import NO_BREAK
from tests.floor.tree import ROOT

LINK = re.compile(r"""(?:href|src)=["']([^"']*)["']""")
PRESSED = (
    ("Gaps cost", "A level of its own"),
    ("CRP mg/l", "An end of the scale"),
    ("Steps/day", "Missing"),
)
"""What the first table presses: words of a card, and the choice."""


def built(builder: str, folder: Path) -> Path:
    """The guide as a builder of Sphinx makes it, warnings as errors."""
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", builder, "docs", str(folder)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-4000:]
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of pages."""
    return built("html", tmp_path_factory.mktemp("site"))


def test_no_page_leads_nowhere_or_elsewhere(site: Path) -> None:
    """Every address in every page is a file of the folder with that anchor: a memory stick has all of it."""
    anchors = {
        page: set(re.findall(r'\bid="([^"]+)"', page.read_text(encoding="utf-8"))) for page in site.rglob("*.html")
    }
    wrong = []
    for page in anchors:
        for address in LINK.findall(page.read_text(encoding="utf-8")):
            name, _, anchor = unquote(address).partition("#")
            file = (page.parent / name.partition("?")[0]).resolve() if name else page
            there = (
                file.is_file() and file.is_relative_to(site) and (not anchor or anchor in anchors.get(file, {anchor}))
            )
            if not address.startswith("data:") and not there:
                wrong.append(f"{page.relative_to(site)}: {address}")
    assert not wrong, "\n".join(wrong)


def test_styles_ask_nobody_for_a_font(site: Path) -> None:
    """Nothing that a page loads names another host."""
    styles = {file.name: file.read_text(encoding="utf-8") for file in site.rglob("*.css")}
    assert not [name for name, style in styles.items() if re.search(r"(url\(|@import)[^;)]*//", style)]


def test_every_page_and_public_name_is_in_it(site: Path) -> None:
    """All pages that the contents list, and all that `import engine` offers."""
    listed = [guide.page_files()[name] for section in guide.contents().values() for name in section]
    assert all((site / file.relative_to(guide.FOLDER)).with_suffix(".html").is_file() for file in listed)
    reference = (site / "reference.html").read_text(encoding="utf-8")
    public = [name for name in engine.__all__ if callable(getattr(engine, name))]
    assert not [name for name in public if f'id="engine.{name}"' not in reference]
    assert "Traceback" not in reference


def test_examples_of_the_pages_run(tmp_path: Path) -> None:
    """What a page of the guide shows in Python is what comes out."""
    output = (built("doctest", tmp_path) / "output.txt").read_text(encoding="utf-8")
    assert int(re.findall(r"(\d+) tests?\n", output)[-1]) >= 3 * len(engine.METHODS)
    assert "0 failures in tests" in output


def test_the_first_table_says_what_the_page_quotes() -> None:
    """The sample, the three presses and the question of the page: rows, columns and the sentence."""
    table, text = sample_data.load("clinic_export"), guide.page_text(guide.FIRST)
    recipe = engine.Recipe()
    before = recipe.apply(table)
    assert f"{before.n_rows} of {len(table)} rows" in text
    for words, choice in PRESSED:
        card = next(card for card in engine.decisions(table, recipe) if words in card.sentence)
        option = next(option for option in card.options if option.label == choice)
        recipe = engine.Recipe(**engine.settle(recipe, card, option))
    data = recipe.apply(table)
    assert f"{data.n_rows} of 300 rows and {data.n_variables} of {table.shape[1]} columns" in " ".join(text.split())
    result = engine.GroupDifference.propose(data).run(data)
    assert f"> {result.headline()}".replace(NO_BREAK, " ") in text
