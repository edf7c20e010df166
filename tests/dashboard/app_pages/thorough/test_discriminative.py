"""The page of class networks: with series, with rows, with odd tables; every control wired to the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.session.session import Session
from dashboard.views.discriminative.comparison import compare
from tests.dashboard.app_pages.running import finished
from tests.engine.methods.discriminative.make import dataset, row_frame, series_frame

APP = str(Path(__file__).parents[4] / "dashboard" / "app.py")
PAGE = Path(APP).parent / "app_pages" / "discriminative.py"


def opened(data: engine.Dataset, *, run: bool = True, **settings: Any) -> AppTest:
    """The page, with this data set in the session; inside the whole app where it links to another page."""
    refused = bool(engine.Discriminative.unfit(data))
    at = AppTest.from_file(APP if refused else str(PAGE), default_timeout=60)
    session = Session()
    session.dataset, session.source = data, "a *table*.csv"
    session.begin("discriminative", {"shuffles": 9, **settings}, run=run)
    at.session_state["diptych"] = session
    if refused:
        at.switch_page("app_pages/discriminative.py")
    return finished(at.run())


def text(at: AppTest) -> str:
    """All that the page says."""
    return "\n".join(str(one.value) for one in [*at.title, *at.markdown, *at.caption, *at.info, *at.error, *at.warning])


def spoken(at: AppTest) -> str:
    """The same without the marks that keep names from acting as markup."""
    return text(at).replace("\\", "")


def press(at: AppTest, label: str) -> AppTest:
    """A button of a part of the page; the page is drawn again as a whole."""
    next(one for one in at.button if one.label == label).click()
    return finished(at.run().run())


@pytest.fixture(scope="module")
def series() -> AppTest:
    """The answer for small series; tests only read it."""
    return opened(dataset(series_frame(subjects=14)))


@pytest.mark.usefixtures("on_a_press")
def test_before_a_run_it_says_what_would_be_done() -> None:
    """The table in a line; the class column is proposed."""
    at = opened(dataset(series_frame()), run=False)
    assert "A network for each class" in text(at)
    assert at.selectbox[0].value == "class"


def test_the_answer_comes_first_with_chance_beside_it(series: AppTest) -> None:
    """Count, interval, largest class, p; then families, verdicts, costs."""
    said = text(series)
    assert "on 14 held\\-\u2060out subjects" in series.title[0].value
    assert "p\N{NO-BREAK SPACE}at most\N{NO-BREAK SPACE}\\.10\\." in series.title[0].value
    assert "it is not a cause" in said
    assert "Cheapest among these 14" in said
    assert "No probabilities are given for under 50 subjects" in said
    labels = [one.label for one in series.expander]
    assert {"Other methods, a second table"} <= set(labels)
    assert any(label.startswith("Every variable in each network, ranked") for label in labels)


def test_a_family_and_a_subject_can_be_chosen(series: AppTest) -> None:
    """The select boxes list all of them, the most worth first."""
    family = next(one for one in series.selectbox if one.key.startswith("discriminative.family."))
    assert "v1 (network of ill)" in family.options[0]
    assert len(family.options) == 8
    subject = next(one for one in series.selectbox if one.key == "discriminative.subject")
    assert len(subject.options) == 14
    assert "by networks that had not seen this subject" in text(series)


def test_other_methods_and_covariates_stand_beside_by_one_press() -> None:
    """A row a method with its p; what is named like a covariate is proposed; chosen settings are listed."""
    frame = series_frame(subjects=14)
    frame["age"] = frame["who"].map(lambda name: 40 + int(name[1:]) % 7)
    at = opened(dataset(frame, kinds={"age": "continuous"}))
    assert at.multiselect[0].value == ["age"]
    at.session_state["discriminative.choose"] = ["top_families"]
    at = press(at, "Compare")
    said = spoken(at)
    assert "Age alone: accuracy" in said
    assert "With the networks' score added to age" in said
    assert "fold by fold" in said
    table = next(one.value for one in at.dataframe if "p accuracy" in one.value)
    assert table["method"].tolist()[0] == "class networks"
    assert {"age alone", "Each class by itself (BDeu)", "CCL networks"} <= set(table["method"])
    assert not at.error
    method = engine.Discriminative("class", shuffles=5)
    assert not len(compare(method, dataset(series_frame(steps=8)), ("eps",), (), 1, lambda *_: None).null)


def test_a_second_table_is_tested_and_a_bad_one_refused() -> None:
    """Figures, confusion table and curve; a table without the classes has its sentence, and the first stays."""
    at = opened(engine.Dataset.from_frame(row_frame(160)))
    fresh = row_frame(80, seed=9)

    def drop(frame: pd.DataFrame) -> AppTest:
        content = frame.to_csv(index=False).encode()
        at.file_uploader[0].upload(f"second{len(frame.columns)}.csv", content, "text/csv")
        return finished(at.run().run())

    assert "on 80 rows of the second table" in spoken(drop(fresh))
    assert any("called ill" in one.value for one in at.dataframe)
    assert "which says the classes" in text(drop(fresh.drop(columns="class")))
    assert "What was there before still stands" in text(at)
    assert "on 80 rows of the second table" in spoken(at)


def test_rows_and_three_classes_have_their_page() -> None:
    """No steps in the words; a curve for the class looked for."""
    frame = row_frame(150)
    frame.loc[::5, "class"] = "odd"
    at = opened(engine.Dataset.from_frame(frame))
    said = text(at)
    assert "on 150 held\\-\u2060out rows" in said
    assert "No probabilities are given for several classes" in said
    assert not at.error


def test_of_very_many_variables_links_are_a_table_of_colours() -> None:
    """No picture of boxes; the ranked table has all of them."""
    at = opened(dataset(series_frame(subjects=8, steps=20, variables=42)), shuffles=3)
    assert "42 variables are too many to draw" in text(at)
    assert not at.error


def test_a_subject_of_two_classes_is_named_on_the_page() -> None:
    """In a sentence, and nothing else is lost."""
    frame = series_frame(steps=8)
    frame.loc[frame.index[3], "class"] = "ill"
    data = dataset(frame, kinds={"class": "nominal"})
    assert "s00" in text(opened(data))
    assert "is of one class" in text(opened(data))


def test_the_lesson_of_a_switching_link_draws_and_classifies() -> None:
    """The sentence has the numbers that were asked for."""
    at = opened(dataset(series_frame(subjects=14)))
    at.session_state["discriminative.switching.levels"] = 2
    at.session_state["discriminative.switching.rows"] = 25
    at = press(at.run(), "Draw and classify")
    assert "2 levels, 25 training rows of each class" in spoken(at)
