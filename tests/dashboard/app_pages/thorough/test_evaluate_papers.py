"""The papers' view in its page: every control reaches the table, a cell opens its run, no results are no error."""

from __future__ import annotations

import re
from pathlib import Path
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.papers.group_difference.held import READINGS
from dashboard.views.evaluate import papers as evaluate_papers
from dashboard.views.evaluate.story import COVERAGE
from engine.evaluation.figures import paper_figure
from engine.evaluation.papers import covered_papers, every_paper, paper_coverage, read_results
from tests.dashboard.app_pages.stored_runs import made_up

PAGE = Path(__file__).parents[4] / "dashboard" / "app_pages" / "evaluate.py"


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made-up runs in the place of those that come with the package."""
    monkeypatch.setattr(evaluate_papers, "load", made_up)


def opened(name: str = "group_difference") -> AppTest:
    """The view with a paper."""
    at = AppTest.from_file(str(PAGE), default_timeout=60)
    at.session_state["evaluate.view"] = "The papers"
    at.session_state["evaluate.papers.paper"] = name
    at.run()
    assert not at.exception
    return at


def text(at: AppTest) -> str:
    """All that the page says."""
    return "\n".join(str(one.value) for one in [*at.markdown, *at.caption, *at.info, *at.subheader, *at.code])


@pytest.mark.parametrize("name", every_paper())
def test_every_paper_has_its_story_table_and_run(name: str) -> None:
    """What was done, what is outside its band, a line a cell, and how to make it again."""
    study = made_up(name)
    at = opened(name)
    words = text(at)
    assert sum(int(kept) for kept in re.findall(r": (\d) of \d (?:are|agree)", words)) == 1
    assert "blocks ahead" in list(at.dataframe[0].value["what"])
    assert study.command in words
    assert f"Seed {study.plan['seed']}" in words
    assert "1\u00a0h 06\u00a0min of CPU" in words
    quantity = at.selectbox[0].value
    here = study.compared[study.compared["quantity"] == quantity]
    assert len(at.dataframe[1].value) == (here["printed"].notna().sum() or len(here)), "where none is printed, all"
    if at.checkbox:
        at.checkbox[0].uncheck().run()
        assert not at.exception
        assert len(at.dataframe[1].value) == len(here)
    assert at.subheader


@pytest.mark.parametrize("name", every_paper())
def test_the_papers_figure_leads_with_what_it_teaches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figure, claim, outcome and lesson in at most 150 words before the counts; what is here stands in a fold."""
    monkeypatch.setattr(evaluate_papers, "load", read_results)
    at = opened(name)
    figure = paper_figure(read_results(name))
    words = text(at)
    if figure is None:
        assert "What that teaches" not in words
        return
    for part in (figure.claimed, figure.outcome, figure.lesson, figure.source):
        assert part in words
    blocks = [str(one.value) for one in at.markdown]
    lesson = next(place for place, block in enumerate(blocks) if figure.lesson in block)
    counts = next(place for place, block in enumerate(blocks) if " of " in block and ":material/" in block)
    assert lesson < counts and figure.source in at.caption[0].value
    shown = [at.title[0].value, *blocks[: counts + 1], at.caption[0].value]
    first = [re.sub(r":material/\w+:", "", part) for part in shown]
    assert sum(len(re.findall(r"[^\W\d_]{2,}", part)) for part in first) <= 150
    folds = [one.label for one in at.expander]
    assert (COVERAGE in folds) == (name in covered_papers())
    if name in covered_papers():
        assert any(line in words for line in paper_coverage(name).splitlines() if line.startswith("| Of the paper"))


def test_filters_and_quantity_reach_the_table() -> None:
    """Fewer lines, other numbers; the open cell is among those shown."""
    at = opened()
    at.multiselect(key="evaluate.papers.only.group_difference.kind").set_value(["structural"]).run()
    at.multiselect(key="evaluate.papers.only.group_difference.rows").set_value(["1,000"]).run()
    table = at.dataframe[1].value
    assert set(table["kind"]) == {"structural"}
    assert set(table["rows"]) == {1000}
    assert "structural, draws 1, rows 1,000" in at.subheader[0].value.replace("\\", "")
    before = list(table["ours"])
    at.selectbox[0].set_value("lasso").run()
    assert not at.exception
    assert list(at.dataframe[1].value["ours"]) != before


def test_a_cell_opens_its_run() -> None:
    """The one chosen; another repeat has other scores."""
    at = opened()
    first = at.subheader[0].value
    study = made_up("group_difference")
    other = study.compared[(study.compared["quantity"] == "odds") & (study.compared["rows"] == 500)].index[0]
    at.session_state["diptych"].choices["evaluate.papers"]["group_difference"] = int(other)
    at.run()
    assert at.subheader[0].value != first
    assert "rows 500" in at.subheader[0].value
    words = text(at)
    at.segmented_control(key=f"evaluate.papers.repeat.{other}").set_value(2).run()
    assert not at.exception
    assert text(at) != words


def test_a_row_chosen_in_the_table_is_kept() -> None:
    """What the browser reports is looked up among the cells shown; anything else is nothing."""
    at = opened()
    study = made_up("group_difference")
    key = "evaluate.papers.test"
    at.session_state[key] = {"selection": {"rows": [1], "points": [{"customdata": [5]}]}}

    def report(labels: list[int]) -> object:
        with (
            patch.object(evaluate_papers.st, "session_state", at.session_state),
            patch.object(evaluate_papers, "session", lambda: at.session_state["diptych"]),
        ):
            evaluate_papers._from_table(study, key, labels)
            table = at.session_state["diptych"].choices["evaluate.papers"].get("group_difference")
            evaluate_papers._from_figure(study, key, labels)
            return table, at.session_state["diptych"].choices["evaluate.papers"].get("group_difference")

    assert report([3]) == (None, None)
    assert report([3, 4, 5]) == (4, 5)


@pytest.mark.parametrize("name", every_paper())
def test_the_runs_of_the_package_can_be_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some quantities of the real runs, all cells, and the command."""
    monkeypatch.setattr(evaluate_papers, "load", read_results)
    at = opened(name)
    for quantity in at.selectbox[0].options[1::4] if at.selectbox else ():
        at.selectbox[0].set_value(quantity).run()
        assert not at.exception
        assert at.subheader
    assert "python -m benchmarks.papers" in at.code[0].value


def test_both_readings_of_the_order_stand_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be said, in bold; 40 and 57 of 72 without the order, 70 with it under both; no tick for the later."""
    monkeypatch.setattr(evaluate_papers, "load", read_results)
    at = opened()
    words = text(at).replace("\\", "")
    assert f"**{read_results('group_difference').claim}**" in words
    assert "The paper's own sentences: 3 of 4 are seen here." in words
    assert "The paper's figures: 3 of 7 are within their band." in words
    assert "Targets of our own: 1 of 5 are met." in words
    assert "11 figures get no verdict, being of a reading chosen after it was seen." in words
    assert "53 of 72 blocks, its Table 1 in 52" in words
    table = next(one.value for one in at.dataframe if "band" in one.value).set_index("what")
    without, with_order = "blocks with the odds ahead, without order", "blocks with the odds ahead, with order"
    first, later = (f"; {one.words}" for one in READINGS)
    assert [table.at[f"{without}{one}", "ours"] for one in (first, later)] == ["40", "57"]
    assert [table.at[f"{with_order}{one}", "ours"] for one in (first, later)] == ["70", "70"]
    assert [table.at[f"{without}{one}", "verdict"] for one in (first, later)] == ["outside", "no verdict"]
    assert [table.at[f"{with_order}{one}", "verdict"] for one in (first, later)] == ["within", "no verdict"]
