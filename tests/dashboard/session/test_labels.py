"""Labels in place of codes: in boxes, sentences and tables; names that are words stay, reversed items say so."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import engine
import sample_data
from dashboard.network.boxes import node_label
from dashboard.network.panel import Edge, Node, Panel, panel_data
from dashboard.network.standalone import standalone_html
from dashboard.session import labels
from dashboard.session.cards import Card, ColumnNames
from dashboard.session.labels import (
    column_names,
    full_name,
    labelled,
    labelled_figure,
    labelled_headline,
    labelled_table,
    names_shown,
    show_names_of,
    shown_names,
    shown_names_of,
    whole_labels,
    with_brief_names,
    with_label_columns,
)
from dashboard.session.projects import Screen, bytes_of, cards_from
from dashboard.session.session import Session
from dashboard.session.work import Work
from engine.telling.charts.labels import apart
from engine.text import Level, Name, told

OPEN = Work(
    chosen={
        "levels": {"q2": ["b", "a"], "age": ["2", "1"]},
        "settled": {"reversed-items:q2": "flip", "reversed-items:age": "leave"},
    },
    labels={
        "q1": "I felt sad",
        "q2": "I was glad",
        "q3": "How often in the last two weeks, thinking of all days, did you cry",
        "q4": "How often in the last two weeks, thinking of all days, did you laugh",
        "age": "Age in years",
    },
)


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with these labels is open."""
    monkeypatch.setattr(labels, "work", lambda: OPEN)


def test_a_code_is_called_by_its_label_with_the_code_beside_it() -> None:
    """Whole codes only, and no word that a sentence needs; labels that begin alike keep their end."""
    assert labelled("q1, q10 and age: q1.5 differs; 'q2'.") == (
        "“I felt sad” (q1), q10 and age: q1.5 differs; “I was glad, reversed” (q2)."
    )
    assert full_name("age") == "age"
    assert node_label("q1", list("abcde")) == "I felt sad"
    assert node_label("q3", list("abcde")).endswith("cry")
    assert node_label("q4", list("abcde")).endswith("laugh")


def test_labels_lose_the_question_that_several_begin_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """What tells them apart is left; two that begin alike, a label of its own and rests that are one keep all."""
    stem = "In the last two weeks, how often did you have: "
    asked = {"a1": f"{stem}no joy", "a2": f"{stem}poor sleep: at night", "a3": f"{stem}fear", "a4": "Note: own label"}
    monkeypatch.setattr(labels, "work", lambda: Work(labels=asked))
    assert list(shown_names().values()) == ["no joy", "poor sleep: at night", "fear", "Note: own label"]
    assert whole_labels()["a1"].startswith("In the last")
    pair = {"b1": "How sad? - now", "b2": "How sad? - then"}
    monkeypatch.setattr(labels, "work", lambda: Work(labels=pair))
    assert list(shown_names().values()) == list(pair.values())
    monkeypatch.setattr(labels, "work", lambda: Work(labels={"FEV1": "FEV1 (L)", "FEV2": "Second breath (L)"}))
    assert shown_names() == {"FEV2": "Second breath (L)"}, "a label that adds the unit alone"
    waves = {f"c{i}{j}": f"Wave {i}: fear" for i in (1, 2) for j in (1, 2, 3)} | {"d1": "Wave 3: fear"}
    monkeypatch.setattr(labels, "work", lambda: Work(labels=waves))
    assert shown_names()["c11"] == "c11" and shown_names()["d1"] == "Wave 3: fear"


def test_six_long_labels_that_begin_alike_are_six_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without what they share, with their last words where they still begin alike; else by the column's own name."""
    stem = "During the last two weeks, how often have you been bothered by "
    ends = ("feeling nervous, anxious or on edge at work", "feeling nervous, anxious or on edge at home")
    ends += ("not being able to stop or control worrying", "little energy", "little energy", "trouble falling asleep")
    monkeypatch.setattr(labels, "work", lambda: Work(labels={f"q{i}": stem + end for i, end in enumerate(ends)}))
    shown = list(shown_names().values())
    assert shown[:3] == ["feeling nervous…at work", "feeling nervous…at home", "not being able to stop or…"]
    assert shown[3:] == ["q3", "q4", "trouble falling asleep"]
    figure = labelled_figure(go.Figure(go.Bar(x=[1] * 6, y=list(shown_names()), orientation="h")))
    assert list(figure.data[0].y) == shown
    assert apart(shown_names(), 17)["q1"] == "feeling…at home"
    boxes = [node_label(name, list(shown_names())) for name in shown_names()]
    assert [box.replace("\n", " ").replace("… ", "…") for box in boxes] == [*shown[:2], shown[2], *shown[3:]]
    assert all(text in labelled(f"{name} differs") for name, text in shown_names().items())


def test_networks_show_labels_and_tell_names_in_tooltips_also_in_an_exported_page() -> None:
    """The file is made in a thread that knows no session, so it brings its labels along."""
    panel = Panel("Network", "", [Node("q1", words="3 levels"), Node("age")], [Edge("q1", "age")])
    positions = {"q1": (0.0, 0.0), "age": (90.0, 0.0)}
    data = panel_data([panel], positions)
    assert [node["label"] for node in data["panels"][0]["nodes"]] == ["I felt sad", "age"]
    assert labelled(told("'{}' = {}.", Name("q2"), Level("q1"))) == "“I was glad, reversed” (q2) = q1."
    assert data["panels"][0]["nodes"][0]["words"] == "I felt sad (q1)\n3 levels"
    assert data["panels"][0]["edges"][0]["words"] == "I felt sad (q1) → age"
    assert data["names"] == ["I felt sad (q1)", "age"]
    with names_shown({"q1": "Another label"}):
        assert "Another label (q1)" in standalone_html([panel], positions, "Network")


def test_a_sentence_of_several_names_has_labels_alone_and_long_names_told_apart() -> None:
    """A name that is a part of another one is not taken for it."""
    stem = "How often in the past two weeks were you"
    text = with_brief_names(f"q1, q10, {stem} sad and {stem} tired.", ["q1", f"{stem} sad", f"{stem} tired"])
    assert text == "“I felt sad”, q10, How often in the…you sad and How often in the…tired."


def test_a_table_has_labels_in_its_cells_of_text() -> None:
    """Numbers and other words stay."""
    table = labelled_table(pd.DataFrame({"source": ["q1", "age"], "weight": [0.5, 1.0]}))
    assert table.to_numpy().tolist() == [["I felt sad (q1)", 0.5], ["age", 1.0]]
    assert labelled_table(pd.DataFrame({"n": np.array([1, 2], "i1")}))["n"].dtype == "i1"


def test_a_chart_has_labels_at_its_axes_and_the_code_beside_in_what_a_pointer_shows() -> None:
    """Categories, ticks (also bold ones) and titles; numbers and words that are no codes stay."""
    figure = go.Figure(go.Bar(x=[1, 2], y=["q1", "other"], hovertext=["q1: 1", "x"], orientation="h"))
    figure.add_scatter(x=[0.5], y=[0.5], name="q1")
    figure.update_yaxes(ticktext=["<b>q2</b>", "q10"], tickvals=[0, 1], categoryarray=["q1"], title_text="q1")
    figure.add_annotation(text="<b>q1 – q3</b>", hovertext="q1 – age")
    shown = labelled_figure(figure)
    assert shown.layout.annotations[0].text == "<b>I felt sad – How often…you cry</b>"
    assert shown.layout.annotations[0].hovertext == "“I felt sad” (q1) – age"
    assert list(shown.data[0].y) == ["I felt sad", "other"] and list(shown.data[0].x) == [1, 2]
    assert list(shown.data[0].hovertext) == ["“I felt sad” (q1): 1", "x"] and shown.data[1].name == "I felt sad (q1)"
    assert list(shown.layout.yaxis.ticktext) == ["<b>I was glad, reversed</b>", "q10"]
    assert list(shown.layout.yaxis.categoryarray) == ["I felt sad"] and shown.layout.yaxis.title.text == "I felt sad"
    assert list(figure.data[0].y) == ["q1", "other"]


def test_a_file_has_a_column_of_labels_behind_each_column_of_names() -> None:
    """Whole labels, of words too; one column is called `label`; a table without names stays."""
    labels = whole_labels()
    table = pd.DataFrame({"variable": ["q3", "z"], "n": [1, 2]})
    assert with_label_columns(table, labels).to_dict("list") == {
        "variable": ["q3", "z"],
        "label": ["How often in the last two weeks, thinking of all days, did you cry", ""],
        "n": [1, 2],
    }
    links = with_label_columns(pd.DataFrame({"source": ["q1"], "target": ["age"]}), labels)
    assert links.columns.tolist() == ["source", "source_label", "target", "target_label"]
    assert links["target_label"].tolist() == ["Age in years"]
    assert with_label_columns(table[["n"]], labels).columns.tolist() == ["n"]
    assert with_label_columns(table, {}).columns.tolist() == ["variable", "n"]


def test_a_result_of_another_table_keeps_the_labels_of_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """On its page, beside results of others, in its headline, and out of a file; the open table has its own."""
    held, data = Session(), sample_data.dataset("cough_and_smoke")
    name, other = data.names[:2]
    first = Work(labels={name: "Sad", other: "Both"}, scales={name: "mood"})
    monkeypatch.setattr(labels, "session", lambda: held)
    monkeypatch.setattr(labels, "work", lambda: held.choices["data"]["work"])
    monkeypatch.setattr(labels, "is_code", lambda name: True)
    monkeypatch.setattr(labels, "headline", lambda result: f"{name} is linked.")
    held.choices["data"] = {"work": first}
    earlier = held.cards.add(Card("a", engine.LogLinear().run(data), data))
    first.labels[other] = "Later"
    held.load(None, "second")
    held.choices["data"] = {"work": Work(labels={name: "Glad", other: "Later"})}
    later = held.cards.add(Card("b", engine.LogLinear().run(data), data))
    assert (labelled_headline(earlier), labelled_headline(later)) == (
        f"“Sad” ({name}) is linked.",
        f"“Glad” ({name}) is linked.",
    )
    show_names_of([earlier])
    assert (full_name(name), column_names().scales, whole_labels()[name]) == (f"Sad ({name})", {name: "mood"}, "Sad")
    show_names_of([earlier, later])
    assert (full_name(name), full_name(other)) == (name, f"Later ({other})")
    held.go("another page")
    assert full_name(name) == f"Glad ({name})"
    project = engine.load(bytes_of(held, with_table=False))
    assert isinstance(project, engine.Project)
    assert list(map(shown_names_of, cards_from(project, None))) == [
        {name: "Sad", other: "Later"},
        {name: "Glad", other: "Later"},
    ]
    written = {"cards": {"1": {"names": {"labels": {"a": 1}, "backwards": "no"}}}}
    assert Screen(written).names("1") == ColumnNames() and Screen({"cards": [1]}).names("1") is None


def test_labels_are_cut_where_there_is_little_room_and_the_latest_are_shown() -> None:
    """28 letters, alike in a sentence, a box and at an axis, the end of those that begin alike; what a thread was
    handed ends with its file."""
    shown = labels.shown_names()
    assert (shown["q3"], shown["q4"]) == ("How often in the…you cry", "How often in the…laugh")
    assert node_label("q3", list("abcde")).replace("\n", " ") == "How often in the… you cry"
    assert "“How often in the…you cry” (q3) is" in labelled("q3 is")
    assert "age" not in shown or shown["age"] == "age, reversed"
    figure = labelled_figure(go.Figure(go.Bar(x=["q3", "q4"], y=[1, 2])))
    assert list(figure.data[0].x) == [shown["q3"], shown["q4"]]
    with names_shown({"q1": "Another label"}):
        assert full_name("q1") == "Another label (q1)"
        with names_shown({}):
            assert full_name("q1") == "q1"
        assert full_name("q1") == "Another label (q1)"
    assert full_name("q1") == "I felt sad (q1)"


def test_without_labels_charts_and_tables_are_as_they_were() -> None:
    table, figure = pd.DataFrame({"source": ["q1"]}), go.Figure(go.Bar(x=["q1"], y=[1]))
    with names_shown({}):
        assert labelled_table(table).equals(table)
        assert labelled_figure(figure) is figure


def test_arrays_of_texts_have_labels_and_numbers_stay() -> None:
    """Codes alone at the axis; in what a pointer shows as parts of a text, also in rows of several."""
    figure = go.Figure(go.Bar(x=np.array(["q1", "z"]), y=np.array([1.5, 2.5])))
    figure.data[0].customdata = np.array([["q1", "z"], ["z", "q2"]], object)
    figure.data[0].hovertemplate = "q1: %{y}"
    shown = labelled_figure(figure)
    assert list(shown.data[0].x) == ["I felt sad", "z"]
    assert shown.to_plotly_json()["data"][0]["y"] == figure.to_plotly_json()["data"][0]["y"]
    assert [list(row) for row in shown.data[0].customdata] == [
        ["I felt sad (q1)", "z"],
        ["z", "I was glad, reversed (q2)"],
    ]
    assert shown.data[0].hovertemplate == "“I felt sad” (q1): %{y}"


def test_a_column_of_labels_takes_no_name_that_is_there() -> None:
    """One column of names beside one called `label`; and where the table has its labels already they stay."""
    known = whole_labels()
    table = with_label_columns(pd.DataFrame({"variable": ["q1", 7], "label": ["mine", "x"]}), known)
    assert table.to_dict("list") == {
        "variable": ["q1", 7],
        "variable_label": ["I felt sad", ""],
        "label": ["mine", "x"],
    }
    assert with_label_columns(table, known).equals(table)
