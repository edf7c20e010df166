"""The data page: empty, samples, uploads good and bad; every control reaches the data set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import dashboard
from dashboard.session.session import Session
from dashboard.session.work import Work
from dashboard.views.data.preview import MOST_ROWS, first_rows
from dashboard.views.data.variable import read_cuts
from engine.data.dataset import Dataset

PAGE = "app_pages/data.py"
APP = str(Path(dashboard.__file__).parent / "app.py")
CSV = "arm;stage;score;note\n" + "".join(
    f"{'AB'[i % 2]};{['low', 'mid', 'high'][i % 3]};{i * 1.5:.1f};{['x', 'X', '?', 'y'][i % 4]}\n".replace(".", ",")
    for i in range(60)
)


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(APP, default_timeout=60).switch_page(PAGE).run()


@pytest.fixture
def loaded() -> AppTest:
    return with_file("trial.csv", CSV.encode())


def with_file(name: str, content: bytes) -> AppTest:
    """The page as an upload of this file leaves it, without the page before it and its way there."""

    def read() -> None:
        import streamlit as st

        from dashboard.views.data import source

        assert source.read(*st.session_state["file"])

    session, reader = Session(), AppTest.from_function(read, default_timeout=60)
    reader.session_state["diptych"], reader.session_state["file"] = session, (name, content)
    reader.run()
    assert not reader.exception
    page = AppTest.from_file(APP, default_timeout=60)
    page.session_state["diptych"] = session
    return page.switch_page(PAGE).run()


def upload(app: AppTest, name: str, content: bytes, key: str = "data.upload") -> AppTest:
    app.file_uploader(key=key).upload(name, content, "text/csv").run()
    return app


def held(app: AppTest) -> Session:
    state: Session = app.session_state["diptych"]
    return state


def work(app: AppTest) -> Work:
    found: Work = held(app).choices["data"]["work"]
    return found


def data(app: AppTest) -> Dataset:
    found = held(app).dataset
    assert found is not None
    return found


def control(app: AppTest, kind: str, label: str) -> Any:
    found = [one for one in getattr(app, kind) if one.label == label]
    # of two controls of one name, the first belongs to "All columns at once", the second to the column
    return found[-1]


def look_at(app: AppTest, column: str) -> AppTest:
    app.selectbox(key=f"data.spotlight.{id(work(app))}").select(column).run()
    assert not app.exception
    return app


def said(app: AppTest) -> str:
    kinds = ("title", "markdown", "caption", "error", "warning", "info")
    return "\n".join(one.value for kind in kinds for one in getattr(app, kind))


def test_empty_page_says_what_will_happen(app: AppTest) -> None:
    """Without a table: an upload, a sample, the limits and where data stay."""
    assert not app.exception
    assert "20 million rows" in said(app)
    assert not app.tabs


def test_a_sample_opens_here(app: AppTest) -> None:
    """The chosen sample is read, prepared as its dictionary says and reported."""
    app.selectbox(key="data.sample").select("symptoms").run()
    app.button(key="data.sample.open").click().run()
    assert not app.exception
    assert work(app).sample == "symptoms"
    assert set(data(app).kinds.values()) == {"ordinal"}


def test_an_upload_is_read_and_prepared(app: AppTest) -> None:
    """Semicolons and decimal commas are found out; the answer counts rows and columns."""
    loaded = upload(app, "trial.csv", CSV.encode())
    assert not loaded.exception
    found = data(loaded)
    assert found.names == ("arm", "stage", "score", "note")
    assert found.kinds["score"] == "continuous"
    assert found.levels["stage"] == ("low", "mid", "high")
    assert "60 of 60 rows and 4 of 4 columns are used\\; 3 questions are open" in said(loaded)


def test_the_sentence_about_gaps_has_labels_in_place_of_codes(app: AppTest) -> None:
    """What a dictionary calls a column stands where the page says how many rows lack a value of it."""
    rows = "".join(f"{'' if i < 7 else i % 3},{i % 2}\n" for i in range(60))
    loaded = upload(app, "scale.csv", f"q1,q2\n{rows}".encode())
    assert "lack a value in 'q1' (7)" in said(loaded).replace("\\", "")
    work(loaded).labels = {"q1": "Felt sad"}
    labelled = said(loaded.run()).replace("\\", "")
    assert "lack a value in “Felt sad” (q1) (7)" in labelled
    assert "'q1' (7)" not in labelled  # be it in the sentence or above the rows


def test_a_single_column_is_said_to_be_too_few(app: AppTest) -> None:
    """No page can use it, so that the reader has to know what to do here."""
    loaded = upload(app, "one.csv", b"only\n" + b"a\nb\n" * 20)
    assert "at least two columns" in said(loaded)


def test_a_bad_file_leaves_the_open_table(loaded: AppTest) -> None:
    """The error is a sentence, and the data set from before is still there."""
    before = data(loaded)
    upload(loaded, "bad.csv", b"a,b\n1,2\n1,2,3\n")
    assert not loaded.exception
    assert len(loaded.error) == 1
    assert "still open" in loaded.error[0].value
    assert data(loaded) is before


def test_a_refused_file_can_be_read_another_way(app: AppTest) -> None:
    """Skipping to the right header line turns a refusal into a table."""
    upload(app, "odd.csv", b"x,y\n1,2,3\n4,5,6\n7,8,9\n")
    assert app.error
    control(app, "number_input", "Header in line (0: find out, -1: none)").set_value(2)
    app.button[0].click().run()
    assert not app.exception
    assert held(app).table is not None


def test_reading_again_with_another_separator(loaded: AppTest) -> None:
    """The bytes in memory are read with the user's separator, and choices about columns that stay are kept."""
    look_at(loaded, "stage")
    control(loaded, "selectbox", "Use it as").select("nominal").run()
    control(loaded, "selectbox", "Decimal mark").select("point 1.5")
    next(one for one in loaded.button if one.label == "Read again").click().run()
    assert not loaded.exception
    assert work(loaded).reading == {"decimal": "."}
    assert data(loaded).kinds["stage"] == "nominal"
    assert data(loaded).kinds.get("score") != "continuous"


def test_the_missing_tokens_of_the_reading(loaded: AppTest) -> None:
    """A token that is added for the whole file is missing in every column."""
    tokens = control(loaded, "multiselect", "Texts that count as missing (empty cells always do)")
    tokens.set_value([*tokens.value, "mid"] if "mid" in tokens.options else tokens.value[:1])
    next(one for one in loaded.button if one.label == "Read again").click().run()
    assert not loaded.exception
    assert len(work(loaded).reading["missing"]) == 1


@pytest.mark.parametrize("kind", ["nominal", "ordinal", "ignore"])
def test_the_kind_reaches_the_data_set(loaded: AppTest, kind: str) -> None:
    """What a column is used as is what it becomes."""
    look_at(loaded, "note")
    control(loaded, "selectbox", "Use it as").select(kind).run()
    assert not loaded.exception
    assert data(loaded).kinds.get("note", "ignore") == kind


def test_a_kind_that_does_not_fit_keeps_the_data_set(loaded: AppTest) -> None:
    """Words cannot be continuous: a sentence says so, and what was there stays."""
    before = data(loaded)
    look_at(loaded, "stage")
    control(loaded, "selectbox", "Use it as").select("continuous").run()
    assert not loaded.exception
    assert "cannot be continuous" in loaded.error[0].value
    assert data(loaded) is before
    control(loaded, "selectbox", "Use it as").select("ordinal").run()
    assert not loaded.error


def test_intervals_rule_and_cut_points(loaded: AppTest) -> None:
    """Number, rule and the user's own cut points all reach the data set."""
    look_at(loaded, "score")
    control(loaded, "number_input", "Intervals").set_value(5).run()
    assert len(data(loaded).levels["score"]) == 5
    quantiles = data(loaded).cuts["score"]
    control(loaded, "selectbox", "of").select("width").run()
    assert data(loaded).cuts["score"] != quantiles
    control(loaded, "text_input", "or cut at").set_value("10; 20,5").run()
    assert data(loaded).cuts["score"] == (10.0, 20.5)
    control(loaded, "text_input", "or cut at").set_value("20; 10").run()
    assert not loaded.exception
    assert "rising" in loaded.error[0].value
    assert data(loaded).cuts["score"] == (10.0, 20.5)


def test_missing_tokens_and_the_rule_for_gaps(loaded: AppTest) -> None:
    """A suggestion taken with one press makes gaps; the rule says what becomes of them."""
    look_at(loaded, "note")
    next(one for one in loaded.button if one.label.startswith("Count")).click().run()
    assert not loaded.exception
    assert data(loaded).n_rows == 45
    assert "?" not in data(loaded).levels["note"]
    control(loaded, "selectbox", "If missing").select("level").run()
    assert data(loaded).n_rows == 60
    assert data(loaded).levels["note"][-1] == "missing"
    control(loaded, "multiselect", "Count as missing in this column").set_value([]).run()
    assert "?" in data(loaded).levels["note"]


def test_look_alike_levels_are_merged_with_one_press(loaded: AppTest) -> None:
    """Two spellings become one level."""
    look_at(loaded, "note")
    next(one for one in loaded.button if one.label.startswith("Merge")).click().run()
    assert not loaded.exception
    assert len(data(loaded).levels["note"]) == 3


def test_rare_levels(loaded: AppTest) -> None:
    """The threshold reaches the data set."""
    look_at(loaded, "note")
    control(loaded, "number_input", "Merge levels with fewer rows than").set_value(16).run()
    assert data(loaded).levels["note"] == ("other",)


def test_all_columns_at_once(loaded: AppTest) -> None:
    """One choice for every column, and one press to forget it."""
    loaded.number_input(key="data.all.bins").set_value(4)
    loaded.selectbox(key="data.all.binning").select("width")
    loaded.selectbox(key="data.all.missing").select("level")
    loaded.number_input(key="data.all.rare").set_value(2)
    next(one for one in loaded.button if one.label == "Apply to all columns").click().run()
    assert not loaded.exception
    assert len(data(loaded).levels["score"]) == 4
    chosen = work(loaded).chosen
    assert set(chosen["missing"].values()) == {"level"}
    assert set(chosen["rare"].values()) == {2}
    loaded.button(key="data.reset").click().run()
    assert len(data(loaded).levels["score"]) == 3
    assert not any(work(loaded).chosen.values())


def test_edits_of_the_table_of_columns(loaded: AppTest) -> None:
    """Kind, gaps, intervals and rare levels edited in the table are the choices."""
    loaded.toggle(key=f"data.many.{id(work(loaded))}").set_value(True).run()
    edits: dict[int, dict[str, Any]] = {
        0: {"use as": "leave out"},
        1: {"use as": "nominal", "if missing": "own level"},
        2: {"intervals": 4},
        3: {"rare below": 16},
    }
    edit(loaded, "columns", edits)
    found = data(loaded)
    assert "arm" not in found.names
    assert found.kinds["stage"] == "nominal"
    assert len(found.levels["score"]) == 4
    assert found.levels["note"] == ("other",)
    assert work(loaded).get("missing", "stage") == "level"


def test_edits_of_the_levels(loaded: AppTest) -> None:
    """A place orders, another name renames or merges."""
    look_at(loaded, "stage")
    edit(loaded, "levels", {0: {"place": 3}}, column="stage")
    assert data(loaded).levels["stage"] == ("mid", "high", "low")
    edit(loaded, "levels", {0: {"becomes": "middle"}}, column="stage")
    assert data(loaded).levels["stage"] == ("middle", "high", "low")
    edit(loaded, "levels", {1: {"becomes": "middle"}}, column="stage")
    assert data(loaded).levels["stage"] == ("middle", "low")


def edit(app: AppTest, what: str, edits: dict[int, dict[str, Any]], column: str = "") -> None:
    """Do what the editor's callback does; a test cannot type into an editor."""
    from unittest.mock import patch

    from dashboard.views.data.columns_table import keep_edits
    from dashboard.views.data.variable import _Column

    current, table = work(app), held(app).table
    assert table is not None
    if what == "columns":
        with patch("dashboard.views.data.columns_table.session", lambda: held(app)):
            keep_edits(current, edits)
    else:
        one = _Column(current, current.proposals(table)[column], 0)
        one.keep_levels(one._ordered(list(one.proposal.levels)), edits)
    app.run()
    assert not app.exception
    assert not app.error


def test_a_dictionary_is_taken(loaded: AppTest) -> None:
    """Kinds, levels and units of an uploaded dictionary reach the data set; what it cannot say is a finding."""
    words = (
        "name,type,label,levels,unit\nstage,ordinal,Stage of disease,high | mid | low,\n"
        "score,,,,mmol/l\nnot there,nominal,,,\n"
    )
    upload(loaded, "dictionary.csv", words.encode(), key="data.dictionary")
    assert not loaded.exception
    assert data(loaded).levels["stage"] == ("high", "mid", "low")
    assert data(loaded).recipe.units_known == {"score": "mmol/l"}
    assert work(loaded).labels == {"stage": "Stage of disease", "score": "score [mmol/l]"}
    assert "not there" in said(loaded)


def test_a_dictionary_that_is_none_is_refused(loaded: AppTest) -> None:
    """A sentence, and nothing has changed."""
    before = data(loaded)
    upload(loaded, "dictionary.csv", b"a,b\n1,2\n", key="data.dictionary")
    assert not loaded.exception
    assert "no column 'name'" in loaded.error[0].value.replace("\\", "")
    assert data(loaded) is before


def test_choices_stay_over_a_change_of_page(loaded: AppTest) -> None:
    """Another page and back: table, choices and data set are as they were."""
    look_at(loaded, "score")
    control(loaded, "number_input", "Intervals").set_value(5).run()
    before = data(loaded)
    loaded.switch_page("app_pages/start.py").run()
    loaded.switch_page(PAGE).run()
    assert not loaded.exception
    assert data(loaded) is before
    assert control(loaded, "number_input", "Intervals").value == 5


def test_nothing_is_prepared_again_without_a_change(loaded: AppTest) -> None:
    """A look at another column leaves the very same data set."""
    before = data(loaded)
    look_at(loaded, "score")
    assert data(loaded) is before


@pytest.mark.parametrize("name", [":red[x]", "![p](http://x.example/p.png)", "<script>alert(1)</script>", "$x^2$"])
def test_names_and_levels_are_never_markup(app: AppTest, name: str) -> None:
    """A hostile name stands as itself, every mark of it escaped, wherever Markdown is drawn."""
    rows = "".join(f'"{name}","{name}{i % 2}",?\n' if i % 3 else f'"{name.upper()}",b,{i % 4}\n' for i in range(40))
    upload(app, "names.csv", f'"{name}",b,c\n{rows}'.encode())
    look_at(app, name)
    labels = [one.label for one in (*app.button, *app.get("page_link")) if hasattr(one, "label")]
    for shown in (*said(app).splitlines(), *labels):
        assert name not in shown
        assert name.upper() not in shown


def test_the_preview_is_small() -> None:
    """Two hundred rows of a long table, without the levels of the rest."""
    long = pd.DataFrame({"a": pd.Categorical([f"v{i % 900}" for i in range(5000)])})
    shown = first_rows(long)
    assert len(shown) == MOST_ROWS
    assert len(shown["a"].cat.categories) == MOST_ROWS
    assert len(long["a"].cat.categories) == 900


def test_cut_points_as_typed() -> None:
    """Semicolons with either decimal mark, blanks, commas with blanks; anything else is refused."""
    assert read_cuts("18.5; 25;30") == read_cuts("18,5;25; 30") == read_cuts("18.5 25 30") == (18.5, 25.0, 30.0)
    assert read_cuts("1, 2") == (1.0, 2.0)
    assert read_cuts("") == ()
    for wrong in ("a", "2; 1", "1; 1", "inf", "nan", "1;x"):
        with pytest.raises(ValueError, match=r"not rising|convert"):
            read_cuts(wrong)
