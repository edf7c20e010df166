"""How many of a paper's sentences hold: the same in the stored run, on its page and above the table of what is here."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.papers.results import (
    FIGURES,
    OUTSIDE,
    SENTENCES,
    TARGETS,
    WITHIN,
    agreements,
    read_results,
)

DOCS = Path(__file__).parents[3] / "docs"
READ_IN_WAYS = ("discriminative", "log_linear", "ordinal")
"""Studies all of whose sentences count by how many of their readings hold."""
PAGE = re.compile(
    r"own sentences: (\d+) are held to, (\d+) hold under at least one reading\*\* "
    r"\((\d+) under every one, (\d+) under some, (\d+) under none\)"
)
ABOVE = re.compile(r"(\d+) are held to.*? (\d+) hold under every reading, (\d+) under at least one, (\d+) under none")


def page_of(slug: str) -> str:
    """The page of a study as one line, without emphasis."""
    return " ".join((DOCS / f"{slug.replace('_', '-')}-study.md").read_text(encoding="utf-8").split())


def paper_coverage(slug: str) -> str:
    """The page of what of a paper is here."""
    return (DOCS / "coverage" / f"{slug}.md").read_text(encoding="utf-8")


def count(lines: pd.DataFrame, *sources: str) -> tuple[int, int, int, int]:
    """Of all that is held to some sources: how many, under every reading, under some, under none."""
    found = [one for one in agreements(lines) if one.source in sources]
    total, every, some, neither = (
        sum(getattr(one, name) for one in found) for name in ("total", "every", "some", "neither")
    )
    return total, every, some, neither


@pytest.mark.parametrize("slug", READ_IN_WAYS)
def test_all_three_places_have_the_same_counts(slug: str) -> None:
    """Sentences with a number and without one, each once."""
    total, every, some, neither = count(read_results(slug).verdicts, SENTENCES, FIGURES)
    page = PAGE.search(page_of(slug))
    assert page and [int(one) for one in page.groups()] == [total, every + some, every, some, neither]
    above = ABOVE.search(paper_coverage(slug))
    assert above and [int(one) for one in above.groups()] == [total, every, some, neither]


def test_counts_of_the_group_differences() -> None:
    """Section 4.3 apart from the areas of Table 1, and both from targets of ours; no line is read in two ways."""
    lines = read_results("group_difference").verdicts
    table_1 = lines["sentence"].str.startswith("odds: ")
    total, every, some, neither = count(lines[~table_1], SENTENCES, FIGURES)
    areas, targets = count(lines[table_1], FIGURES), count(lines, TARGETS)
    assert some == areas[2] == targets[2] == 0
    page, above = page_of("group_difference"), paper_coverage("group_difference")
    assert f"own sentences: {total} of section 4.3 are held to, {every} hold**" in page
    assert f"**and {neither} do not**" in page
    assert f"{total} of section 4.3 are held to. {every} hold and {neither} do not" in above
    for text in (page, above):
        assert f"{areas[1]} of {areas[0]} bands on" in text
        assert f"{targets[1]} of {targets[0]} is met" in text


def test_counts_of_the_networks_of_one_patient() -> None:
    """A printed row counts once, whichever GES stands beside it; no sentence is held to."""
    lines = read_results("instance_specific").verdicts
    assert count(lines, SENTENCES)[0] == 0
    total, every, some, _ = count(lines, FIGURES)
    page, above = page_of("instance_specific"), paper_coverage("instance_specific")
    for text in (page, above):
        assert f"{every + some} of {total} rows of GES are within one printed standard deviation in every cell" in text
    assert "None of the paper's own sentences is held to" in page
    assert "own sentences**: none is held to" in above
    targets = count(lines, TARGETS)
    assert f"{targets[1]} of {targets[0]} are met" in page


@pytest.mark.parametrize("slug", [*READ_IN_WAYS, "group_difference", "instance_specific"])
def test_a_sentence_is_held_to_one_thing(slug: str) -> None:
    """Else it would count in two sources; and there are fewer sentences than lines."""
    lines = read_results(slug).verdicts
    judged = lines[lines["verdict"].isin([WITHIN, OUTSIDE])]
    assert not judged[["sentence", "held to"]].drop_duplicates()["sentence"].duplicated().any()
    assert lines["sentence"].nunique() < len(lines)
