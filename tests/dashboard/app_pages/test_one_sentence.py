"""The same question gets the same sentence: on the page, in the report, in JSON and in `summary()`."""

from __future__ import annotations

import html
import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.session.cards import Card
from dashboard.session.session import Session
from engine.methods.method import Method
from engine.methods.registry import METHODS
from engine.methods.result import Result
from tests.contract.brings import WITH_PAGE
from tests.contract.checks import answer, proposed, table
from tests.dashboard.app_pages.running import finished

APP = Path(__file__).parents[3] / "dashboard" / "app.py"


def leading(held: Session, slug: str) -> str:
    """The large heading of a page, as it is read."""
    at = AppTest.from_file(str(APP), default_timeout=60)
    at.session_state["diptych"] = held
    at.switch_page(f"app_pages/{slug}.py")
    finished(at.run())
    return readable(at.title[0].value.replace("\\", "").replace("\u2060", ""))


def readable(text: str) -> str:
    """Without the difference of spaces at which a line may end."""
    return text.replace("\u00a0", " ")


def everywhere(result: Result) -> set[str]:
    """The first sentence of the summary, of JSON and of a report of one chapter."""
    first_page = html.unescape(engine.report([result]).split("<nav", 1)[0])
    given = json.loads(result.to_json())["headline"]
    assert f"<p class='headline'>{given}</p>" in first_page
    return {readable(result.summary().splitlines()[0]), readable(given)}


@pytest.mark.parametrize("kind", [METHODS[slug] for slug in WITH_PAGE], ids=WITH_PAGE)
def test_a_methods_page_leads_with_the_sentence_of_all_its_files(kind: type[Method]) -> None:
    """As it is asked on the page: the settings proposed, the button pressed."""
    data = table()
    method = proposed(kind, data)
    held = Session(dataset=data, source="table.csv")
    held.begin(kind.slug, {name: getattr(method, name) for name in method.get_params()})
    on_page = leading(held, kind.slug)
    assert everywhere(held.analyses[-1].result) == {on_page}


def test_a_comparison_leads_with_the_sentence_of_all_its_files() -> None:
    """Of the links of two groups."""
    data = table()
    held = Session(dataset=data, source="table.csv")
    results = []
    for number, (level, part) in enumerate(engine.by_group(data, "arm").items()):
        results.append(answer(METHODS["log_linear"], part))
        held.cards.add(Card(number, results[-1], part, "table.csv", group=f"arm = {level}"))
    compared = engine.compare(*results, data=list(engine.by_group(data, "arm").values()))
    assert everywhere(compared) == {leading(held, "compare")}
