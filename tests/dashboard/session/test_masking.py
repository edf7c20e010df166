"""What stands in the place of small counts, and that nothing in a browser can bring them back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

import dashboard
import engine
from dashboard.server.memory import memory
from dashboard.session import masking
from dashboard.session.cards import Card, parts_of, too_small
from dashboard.session.projects import bytes_of, cards_from
from dashboard.session.session import Session
from dashboard.views.results.keep import saved_bytes
from dashboard.views.results.report import cards_in_report, choices_to_hide, report_bytes
from dashboard.views.shared import downloads
from engine import DataError, Dataset, Project
from engine.data.reading.report import ReadingReport
from engine.methods.masked import Masked
from engine.project.file import load
from engine.text import Count, Level, Name, People, Text, told

APP = str(Path(dashboard.__file__).parent / "app.py")
LEAST = 11


def table(rare: int = 4, rows: int = 120) -> Dataset:
    """Two arms; one level of the grade has few rows."""
    generator = np.random.default_rng(4)
    grade = generator.permuted(np.repeat([0, 1, 2], [60, rows - 60 - rare, rare]))
    codes = np.stack([generator.integers(0, 2, rows), grade])
    return Dataset.from_codes(codes, [["A", "B"], ["low", "middle", "high"]], ["arm", "grade"])


@pytest.fixture(autouse=True)
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """A session on a server with this smallest cell."""
    monkeypatch.setattr(memory(), "smallest_cell", LEAST)
    session = Session(dataset=table(), source="people.csv")
    monkeypatch.setattr(masking, "session", lambda: session)  # what is asked outside a page
    yield session
    session.job_queue.close()


def page(state: Session, slug: str, **values: Any) -> AppTest:
    """A page of the app with this session."""
    at = AppTest.from_file(APP, default_timeout=60)
    at.session_state["diptych"] = state
    for key, value in values.items():
        at.session_state[key] = value
    at.query_params["smallest_cell"] = "0"
    at.switch_page(f"app_pages/{slug}.py").run()
    assert not at.exception
    return at


def said(at: AppTest) -> str:
    return "\n".join(str(item.value) for item in [*at.title, *at.markdown, *at.caption, *at.info, *at.error])


def test_without_the_option_everything_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory(), "smallest_cell", 0)
    assert masking.counts_shown([3, 40]) == ["3", "40"]
    assert masking.sentence_shown("3 rows lack a value.") == "3 rows lack a value."
    assert masking.rows_shown(3, 12) == "3 of 12 rows"
    assert not masking.is_withheld()


def test_parts_of_a_whole() -> None:
    """A small one, and the smallest of the others, from which it could be worked out."""
    assert masking.counts_shown([60, 4, 56]) == ["60", "fewer than 11", "hidden"]
    assert masking.rows_shown(110, 120) == "110 rows"
    assert masking.rows_shown(4, 120) == "fewer than 11 rows"


@pytest.mark.parametrize(
    "sentence",
    [
        "4 rows lack a value.",
        "116 of 120 rows are used; 4 were dropped.",
        "'x' has 3 cells that are no numbers.",
        "'x' holds 'n/a' 7 times.",
        "'age' (12), and 3 more have gaps.",
        "'x' has 12 cells, the first in row 57.",
        "2 % of them are missing.",
        "97\u00a0% are 'A'.",
        "All but 117 are 'A'.",
        "Leaving it out keeps 126 rows.",
    ],
)
def test_a_sentence_that_gives_a_small_count_away_is_left_out(sentence: str) -> None:
    assert masking.sentence_shown(sentence) == "A sentence was left out: it would give away a count under 11."


@pytest.mark.parametrize(
    "sentence",
    [
        told("All {} are used.", People(120, "row")),
        told("'{}' has {}.", Name("grade"), Count(3, "different value")),
        told("{} are used.", Count(6, "variable")),
        told("Are '{}', '{}' and {} more steps of a scale?", Name("a"), Name("b"), Count(4)),
        told("'{}' rows, where {} is high.", Name("PHQ 4"), Level("5")),
        "",
    ],
)
def test_other_sentences_stay(sentence: str) -> None:
    assert masking.sentence_shown(sentence) == sentence


def test_left_out_is_said_once() -> None:
    shown = masking.sentences_about_table(["4 rows.", "All is well.", "5 rows."])
    assert shown == ["All is well.", masking.left_out()]


def test_rows_that_were_left_out_are_not_to_be_worked_out(held: Session) -> None:
    """Neither of two totals that lie close together is said beside the other."""
    for rows, stays in ((124, False), (160, True)):
        held.table = table(rows=rows).to_frame()
        said = ReadingReport("people.csv", "xlsx", rows=rows, columns=2).sentences()[0]
        assert (masking.sentence_shown(said) != masking.left_out()) == stays


def test_groups_whose_counts_are_hidden_are_not_asked() -> None:
    """Nor is the one from which they could be worked out."""
    data = table()
    assert list(parts_of(data, "grade")) == ["grade = low"]
    assert too_small(data, "grade") == ["middle", "high"]


def test_a_result_says_only_what_may_be_shown() -> None:
    data = table()
    result = engine.GroupDifference(group="arm").run(data)
    shown = masking.table_shown(result, "Distributions")
    assert shown is not None
    assert "fewer than 11" in {*shown["count"]}
    assert not any(str(value) in map(str, range(1, LEAST)) for value in shown["count"])
    assert masking.sentences_shown(result, ["4 rows are high.", "All is well."])[0] == "All is well."
    assert masking.masked(result) is masking.masked(result)


def test_comparisons_do_not_say_how_many_rows_there_were() -> None:
    parts = list(engine.by_group(table(), "arm").values())
    result = engine.compare(*(engine.LogLinear(criterion="bic").run(part) for part in parts), data=parts)
    rows = Masked(result, LEAST).written("Compared rows")
    facts = rows[rows["what"].str.startswith("rows ")]
    assert len(facts)
    assert {*facts["a"], *facts["b"]} == {"hidden"}


def test_a_number_alone_is_hidden_where_it_is_small() -> None:
    """From 1 to 10; none at all is no small one."""
    assert [masking.count_shown(number) for number in (0, 1, 10, 11, 1200)] == [
        "0", "fewer than 11", "fewer than 11", "11", "1,200",
    ]  # fmt: skip
    assert masking.counts_shown([1200, 0]) == ["1,200", "0"]
    assert [masking.are_hidden(parts) for parts in ([60, 60], [60, 0], [60, 4])] == [False, False, True]


def test_masked_results_are_remembered_up_to_a_limit_and_made_anew_for_another_least(
    held: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that was shown longest ago goes; nothing is masked twice meanwhile."""
    results = [engine.GroupDifference(group="arm").run(table()) for _ in range(3)]
    monkeypatch.setattr(masking, "MOST", 2)
    first, second = masking.masked(results[0]), masking.masked(results[1])
    assert masking.masked(results[0]) is first
    masking.masked(results[2])
    assert masking.masked(results[0]) is first
    assert masking.masked(results[1]) is not second
    memory().smallest_cell = 7
    assert (first.least, masking.masked(results[0]).least) == (11, 7)


def test_tables_and_headlines_are_as_the_result_has_them_where_nothing_is_hidden() -> None:
    """Else without those whose rows are single people, and without sentences that give a count away."""
    people, groups = engine.InstanceSpecific().run(table(), 3), engine.GroupDifference(group="arm").run(table())
    asked = (people, groups, engine.compare(groups, people), engine.compare(groups, groups))
    assert [item.about_people() for item in asked] == [True, False, True, False]
    assert masking.table_shown(people, "Patient") is None
    assert masking.sentences_shown(people, ["All is well."]) == [masking.NO_PEOPLE]
    shown = masking.sentences_shown(groups, ["4 rows are high.", "All is well.", "5 rows are low."])
    assert shown == ["All is well.", masking.left_out()]
    assert masking.sentences_shown(groups, ["All is well."]) == ["All is well."]
    assert masking.doubt(people) == "" and masking.doubt(groups) in (groups.how_sure()[0], masking.left_out())
    memory().smallest_cell = 0
    assert masking.headline(people) == people.headline() and masking.doubt(people) == people.how_sure()[0]
    assert masking.sentences_shown(people, ["4 rows."]) == ["4 rows."]
    for result in (people, groups):
        title = result.table_titles()[0]
        written = masking.table_shown(result, title)
        assert written is not None
        pd.testing.assert_frame_equal(written, result.table(title))


def test_an_import_report_has_no_cell_of_a_single_row() -> None:
    """Where nothing is hidden it is the whole one."""
    frame = pd.DataFrame({"grade": ["low"] * 60 + ["middle"] * 56 + ["high"] * 4, "age": ["1", "2", "?", "3"] * 30})
    report = Dataset.from_frame(frame).report
    assert report is not None
    shown, whole = masking.report_frame(report), report.to_frame()
    assert shown.loc[shown["column"] == "grade", "rows per level"].item() == "60 | hidden | fewer than 11"
    assert set(whole.columns) - set(shown.columns) == {"missing tokens", "cells in question"}
    memory().smallest_cell = 0
    pd.testing.assert_frame_equal(masking.report_frame(report), whole)


def test_a_sentence_is_compared_with_the_table_and_with_the_data_set(held: Session) -> None:
    """A number just above or under either says how many lie between; names with digits count nothing."""
    held.table = table(rows=160).to_frame()
    for number, stays in ((120, True), (110, False), (130, False), (131, True), (150, False), (160, True), (171, True)):
        assert (masking.sentence_shown(rows_said(number)) == f"{number} rows.") == stays, number
    assert masking.sentence_shown(rows_said(1200)) == "1,200 rows."
    held.dataset = None
    assert masking.sentence_shown(rows_said(121)) == "121 rows."
    held.table = None
    assert masking.sentence_shown("4 rows.") == masking.left_out()
    assert masking.sentence_shown(told("'{}' has {}.", Name("PHQ 4"), People(4, "row"))) == masking.left_out()


def rows_said(number: int) -> Text:
    return told("{}.", People(number, "row"))


@pytest.mark.parametrize("rare", [4, 30])
def test_what_the_data_page_says_is_told_by_its_counts(rare: int) -> None:
    """A card, a reason, a note and a refusal are shown where the cells that they count are many enough."""
    generator = np.random.default_rng(2)
    score, ward = generator.integers(20, 60, 400).astype(str), generator.choice(["A1", "B2"], 400)
    score[:rare] = "n/k"
    frame = pd.DataFrame({"PHQ9": score, "ward 3": ward})
    (card,) = [one for one in engine.decisions(frame, engine.Recipe()) if one.columns == ("PHQ9",)]
    report, gaps = (Dataset.from_frame(frame, missing_tokens=tokens).report for tokens in ([], ["n/k"]))
    assert report is not None and gaps is not None
    reason = report.column("PHQ9").reason
    assert reason.startswith("it would be numeric but for")
    with pytest.raises(DataError) as refused:
        Dataset.from_frame(frame, levels={"PHQ9": sorted({*score} - {"n/k"})}, kinds={"PHQ9": "ordinal"})
    for said in (card.sentence, reason, gaps.rows_sentence(), str(refused.value)):
        assert (masking.sentence_shown(said) == said) == (rare > LEAST), said
    with pytest.raises(DataError) as unknown:
        Dataset.from_frame(frame, kinds={"PHQ10": "nominal"})
    assert "PHQ10" in masking.sentence_shown(str(unknown.value))


def test_what_is_simulated_is_not_withheld(held: Session) -> None:
    """Nor anything where no count is hidden."""
    assert masking.is_withheld()
    held.place = "evaluate"
    assert not masking.is_withheld()
    assert masking.without("A chart was left out: it") == "A chart was left out: it could give away a count under 11."


# -- nobody lifts it ------------------------------------------------------------------------------------------------


def starred(held: Session) -> list[Card]:
    """A result with a star."""
    assert held.dataset is not None
    result = engine.GroupDifference(group="arm").run(held.dataset)
    return [held.cards.add(Card("a", result, held.dataset, "people.csv", starred=True))]


def test_a_report_hides_at_least_as_much(held: Session) -> None:
    """Whatever a browser asks for, by its box, its state or its address."""
    assert choices_to_hide() == [11]
    memory().smallest_cell = 7
    assert choices_to_hide() == [7, 11]
    memory().smallest_cell = LEAST
    cards = starred(held)
    text = report_bytes(held, cards, "Title", 0, [""], {}).decode()
    assert "counts from 1 to 10 are shown as" in text
    at = page(held, "results", **{"results.view": "Report", "results.hide": 0})
    assert at.selectbox(key="results.hide").options == ["Those below 11"]


def test_nothing_is_saved(held: Session) -> None:
    """Neither is the button there, nor does what it calls give the file."""
    starred(held)
    at = page(held, "results", **{"results.view": "Save and open"})
    assert "Nothing is saved on this server" in said(at)
    assert not [button for button in at.get("download_button") if button.proto.label == "Save"]
    for with_table in (True, False):
        with pytest.raises(DataError, match="Nothing is saved on this server"):
            saved_bytes(held, "", with_table=with_table)


def test_a_file_cannot_lift_it(held: Session) -> None:
    """A project that was saved elsewhere brings its results, which are masked like others."""
    starred(held)
    project = load(bytes_of(held, with_table=False))
    assert isinstance(project, Project)
    held.cards.clear()
    for card in cards_from(project, held.dataset):
        held.cards.add(card)
    text = said(page(held, "results")).replace("\\", "")
    (card,) = held.cards
    assert memory().smallest_cell == LEAST
    assert masking.left_out() in text
    assert card.result.headline() not in text


class Streamlit:
    """Takes down what would be drawn."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: self.drawn.append(name)


def test_what_is_not_known_to_be_masked_is_left_out(held: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Charts, tables and files that no one has said to be masked; those of simulated tables are drawn."""
    drawn = Streamlit()
    monkeypatch.setattr(downloads, "st", drawn)
    monkeypatch.setattr(downloads, "labelled_table", lambda shown: shown)
    monkeypatch.setattr(downloads, "session", lambda: held)
    monkeypatch.setattr(downloads, "whole_labels", dict)
    frame = pd.DataFrame({"n": [3]})
    downloads.show_figure(go.Figure(), "chart", alt="", key="chart")
    downloads.show_with_file(frame, "table")
    downloads.download_table(frame, "table")
    downloads.download(b"3", "three.json", "application/json", "JSON")
    assert drawn.drawn == ["caption", "caption"]
    downloads.show_with_file(frame, "table", masked=True)
    assert drawn.drawn[2:] == ["dataframe", "download_button"]
    held.place = "evaluate"
    downloads.download(b"3", "three.json", "application/json", "JSON")
    assert drawn.drawn[4:] == ["download_button"]


# -- single people --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", ["instance_specific"])
def test_single_people_are_not_shown(held: Session, slug: str) -> None:
    at = page(held, slug)
    assert "Single people are not shown on this server." in said(at)
    assert not at.dataframe
    assert not [button for button in at.button if button.key and button.key.startswith(slug)]


def test_labels_of_single_rows_are_not_taken(held: Session) -> None:
    at = page(held, "evaluate", **{"evaluate.view": "Your own truth"})
    assert "Single people are not shown on this server." in said(at)
    assert not at.file_uploader


def test_results_about_people_are_not_in_a_report(held: Session) -> None:
    assert held.dataset is not None
    result = engine.InstanceSpecific().run(held.dataset, 3)
    held.cards.add(Card("p", result, held.dataset, "people.csv", starred=True))
    assert masking.headline(result) == masking.NO_PEOPLE
    assert cards_in_report(held) == []


def test_no_method_is_asked_of_fewer_rows(held: Session) -> None:
    """What a filter leaves may be one person."""
    held.dataset = table(rare=1).rows(np.arange(LEAST - 1))
    at = page(held, "log_linear")
    assert "this server shows no result of so few" in said(at).replace("\\", "")
    assert not [button for button in at.button if button.key == "log_linear.run"]
