"""How many of a paper's sentences hold: the same in the stored run, on its page and above the table of what is here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.evaluation.papers import FIGURES, OUTSIDE, SENTENCES, WITHIN, agreements, read_results

ROOT = Path(__file__).parents[3]
COUNTED = ("discriminative", "log_linear")
PAGE = re.compile(
    r"own sentences: (\d+) are held to, (\d+) hold under at least one reading\*\* "
    r"\((\d+) under every one, (\d+) under some, (\d+) under none\)"
)
ABOVE = re.compile(r"(\d+) are held to.*? (\d+) hold under every reading, (\d+) under at least one, (\d+) under none")


def text_of(file: Path) -> str:
    """A page as one line."""
    return " ".join(file.read_text(encoding="utf-8").split())


@pytest.mark.parametrize("slug", COUNTED)
def test_all_three_places_have_the_same_counts(slug: str) -> None:
    """Sentences with a number and without one, each once."""
    found = [one for one in agreements(read_results(slug).verdicts) if one.source in (SENTENCES, FIGURES)]
    total, every, some, neither = (
        sum(getattr(one, name) for one in found) for name in ("total", "every", "some", "neither")
    )
    page = PAGE.search(text_of(ROOT / "docs" / f"{slug.replace('_', '-')}-study.md"))
    assert page and [int(one) for one in page.groups()] == [total, every + some, every, some, neither]
    above = ABOVE.search(text_of(ROOT / "engine" / "evaluation" / "coverage" / f"{slug}.md"))
    assert above and [int(one) for one in above.groups()] == [total, every, some, neither]


@pytest.mark.parametrize("slug", COUNTED)
def test_a_sentence_is_held_to_one_thing(slug: str) -> None:
    """Else it would count in two sources; and fewer are counted than lines have a verdict."""
    lines = read_results(slug).verdicts
    judged = lines[lines["verdict"].isin([WITHIN, OUTSIDE])]
    assert (judged.groupby("sentence")["held to"].nunique() == 1).all()
    assert judged["sentence"].nunique() < len(judged)
