"""Your own truth in its page: examples, uploads good and bad, every control, names and values that are odd."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.jobs.job_queue import method_key
from dashboard.session.session import Session
from dashboard.views.evaluate.own_labels import Choice, items_of
from dashboard.views.evaluate.own_networks import match_panels, match_words, strangers
from engine.evaluation.examples import example_labels
from engine.evaluation.networks import Match, cuts, matched, nearest
from engine.exchange.bif import to_bif
from engine.exchange.graph_json import to_json
from engine.measures.bootstrap import bootstrap_interval
from engine.measures.curves import auc
from tests.engine.make import random_data

PAGE = Path(__file__).parents[4] / "dashboard" / "app_pages" / "evaluate.py"
LABELS, NETWORKS = "A score with known labels", "A found network with one you know"
KEY = "evaluate.own"
MARKUP = "![p](http://evil.example/p.png)"


def opened(kind: str, session: Session | None = None) -> AppTest:
    """The view, nothing brought yet."""
    at = AppTest.from_file(str(PAGE), default_timeout=60)
    at.session_state["evaluate.view"] = "Your own truth"
    at.session_state[f"{KEY}.kind"] = kind
    if session is not None:
        at.session_state["diptych"] = session
    return fine(at.run())


def fine(at: AppTest) -> AppTest:
    assert not at.exception
    return at


def settled(at: AppTest) -> AppTest:
    """The page once the jobs that it waits for have ended."""
    for job in list(at.session_state["diptych"].job_queue._jobs.values()):
        assert job.wait(60)
    return fine(at.run())


def bring(at: AppTest, what: str, content: bytes | str, name: str = "my *file*.csv") -> AppTest:
    """Upload a file."""
    data = content.encode() if isinstance(content, str) else content
    at.file_uploader(key=f"{KEY}.{what}.upload").upload(name, data, "text/csv").run()
    return fine(at)


def text(at: AppTest) -> str:
    """All that the page says."""
    elements = [*at.markdown, *at.caption, *at.info, *at.error, *at.warning]
    return "\n".join([*(str(one.value) for one in elements), *(str(one.label) for one in at.expander)])


def box(at: AppTest, label: str) -> Any:
    """The select box of this label."""
    return next(one for one in at.selectbox if one.label == label)


def press(at: AppTest, label: str) -> AppTest:
    next(one for one in at.button if one.label == label).click().run()
    return fine(at)


def csv_of(table: pd.DataFrame) -> str:
    return table.to_csv(index=False)


def test_nothing_brought_is_an_invitation() -> None:
    """A sentence, an upload and an example; no table on the data page is asked for."""
    for kind in (LABELS, NETWORKS):
        at = opened(kind)
        assert "How " in text(at)
        assert not at.selectbox
        assert [one.label for one in at.button] == ["Show me an example"]


def test_the_example_of_labels_has_its_curve() -> None:
    """Rows left out are counted, and the area is that of the rows that are left."""
    at = press(opened(LABELS), "Show me an example")
    table = example_labels().dropna()
    found = auc(table["new score"], table["diagnosis"] == "ill")
    assert "171 of 180 rows count; left out: 3 without a label, 6 without a score." in text(at)
    assert f"AUC {found.value:.2f} ({found.low:.2f} to {found.high:.2f})" in text(at)
    assert "ill" in text(at)


def test_an_upload_is_used_and_every_control_reaches_the_curve() -> None:
    """Label, case, score, direction, a second score, clusters and parts."""
    table = example_labels()
    at = bring(opened(LABELS), "labels", csv_of(table))
    assert r"my \*file\*\.csv" in text(at)
    kept = table.dropna()
    ill = (kept["diagnosis"] == "ill").to_numpy()
    box(at, "Score").set_value("old score").run()
    assert "worse than knowing nothing" in text(fine(at))
    box(at, "A larger score means").set_value(False).run()
    old = table.dropna(subset=["diagnosis", "old score"])
    area = auc(-old["old score"], old["diagnosis"] == "ill").value
    assert f"AUC {area:.2f}" in text(fine(at))
    assert "worse" not in text(at)
    box(at, "A case is").set_value("healthy").run()
    assert "The rows" not in text(fine(at))
    assert f"AUC {1 - area:.2f}" in text(at)
    box(at, "A case is").set_value("ill").run()
    box(at, "Score").set_value("new score").run()
    box(at, "Second score").set_value("old score").run()
    assert "DeLong's paired test" in text(fine(at))
    settled(box(at, "What belongs together").set_value("patient").run())
    low, high = bootstrap_interval(kept["new score"], ill, clusters=kept["patient"].tolist())
    assert f"({low:.2f} to {high:.2f})" in text(fine(at))
    assert "60 groups" in text(at)
    settled(box(at, "Split by").set_value("clinic").run())
    parts = fine(at).dataframe[-1].value.set_index("part")
    for clinic, here in kept.groupby("clinic", observed=True):
        assert parts.at[clinic, "AUC, new score"] == auc(here["new score"], here["diagnosis"] == "ill").value
    assert "too narrow" in text(at)


def test_another_file_starts_anew_and_a_bad_one_changes_nothing() -> None:
    """The sentence of the bad one, and the table from before."""
    at = bring(opened(LABELS), "labels", csv_of(example_labels()))
    bring(at, "labels", b"a,b\n1,2\n1,2,3\n", "bad.csv")
    assert "What was there before still stands" in at.error[0].value
    assert "171 of 180" in text(at)
    bring(at, "labels", "sick,score\n1,5\n0,4\n1,6\n0,1\n0,5\n", "other.csv")
    assert not at.error
    assert "All 5 rows count" in text(at)
    assert "AUC 0.92" in text(at)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a,b\n1,2\n2,3\n3,4\n", "exactly two values"),
        ("sick,name\nyes,anna\nno,bert\nyes,carl\n", "no score"),
        ("sick,score\nyes,\nno,1\nno,2\n", "No case is left"),
    ],
)
def test_a_table_that_will_not_do_says_why(content: str, words: str) -> None:
    """One sentence, no curve."""
    at = bring(opened(LABELS), "labels", content)
    assert words in re.sub(r"\\", "", text(at))
    assert "AUC" not in text(at)


def test_labels_are_words_only_where_they_read_well() -> None:
    """Numbers and markup are called case and other."""
    for levels, words in ((("ill", "well"), ("ill", "well")), (("1", "0"), ("case", "other")), ((MARKUP, "b"), None)):
        table = pd.DataFrame({"label": list(levels)})
        items = items_of(Choice("label", levels[0], (("s", True),), None, None), table)
        assert (items.case, items.other) == (words or ("case", "other"))


def test_the_example_of_networks_is_compared_in_words_and_tables() -> None:
    """What the sentence says is what the tables hold; the switch compares otherwise; the slider takes links away."""
    at = press(opened(NETWORKS), "Show me an example")
    assert "11 of 16 true links were found, and 1 false one." in text(at)
    assert "AUC" in text(at)
    edges = at.dataframe[0].value
    assert (edges["what"] == "missed").sum() == 5
    assert (edges["what"] == "extra").sum() == 1
    assert "CPDAG" in text(at)
    ways = next(one for one in at.segmented_control if one.label == "Compare")
    ways.set_value("Links only").run()
    assert "arrow" not in next(one for one in text(fine(at)).split("\n") if "11 of 16" in one)
    slider = at.select_slider[0]
    slider.set_value(slider.options[-1] if not isinstance(slider.options[-1], str) else float(slider.options[-1])).run()
    assert "11 of 16" not in text(fine(at))


EDGES = "source,target\na,b\nb,c\nc,d\n"


@pytest.mark.parametrize("form", ["csv", "json", "bif"])
def test_networks_come_in_every_form(form: str) -> None:
    """The same network against itself is the same."""
    graph = nx.DiGraph([("X1", "X2"), ("X2", "X3")])
    data = random_data(40, 3, 3, 1)
    graph = nx.relabel_nodes(graph, dict(zip(["X1", "X2", "X3"], data.names, strict=True)))
    arcs = "".join(f"{a},{b}\n" for a, b in graph.edges)
    content = {"csv": f"source,target\n{arcs}", "json": to_json(graph), "bif": to_bif(graph, data)}[form]
    at = bring(opened(NETWORKS), "truth", f"source,target\n{arcs}")
    bring(at, "found", content, f"found.{form}")
    assert "2 of 2 true links were found" in text(at)
    assert "The two networks are the same" in text(at)


def test_columns_of_an_edge_list_can_be_chosen() -> None:
    """A score, and which columns are the ends; the same column twice is a sentence."""
    at = bring(opened(NETWORKS), "truth", EDGES)
    bring(at, "found", "note,one,other,worth\nx,a,b,3\ny,d,c,2\nz,a,d,1\n")
    assert "2 of 3 true links" not in text(at)
    boxes = {one.label: one for one in at.selectbox if ".found." in str(one.key)}
    boxes["From"].set_value("one")
    boxes["To"].set_value("other")
    boxes["Score"].set_value("worth")
    fine(at.run())
    assert "2 of 3 true links were found, and 1 false one" in text(at)
    assert "AUC" in text(at)
    next(one for one in at.selectbox if one.key == boxes["To"].key).set_value("one").run()
    assert "same column" in fine(at).error[0].value


def test_lines_beside_arrows_are_compared_as_links() -> None:
    """A network without arrows says nothing about directions."""
    at = bring(opened(NETWORKS), "truth", EDGES)
    bring(at, "found", "source,target,directed\na,b,no\nb,c,no\n")
    assert "At least one of the two has no arrow" in text(at)
    assert "Structural Hamming distance **1**: 0 added, 1 missing." in text(at)


def test_a_crowd_has_tables_but_no_picture() -> None:
    """More variables than a picture can hold."""
    at = opened(NETWORKS)
    for what in ("truth", "found"):
        bring(at, what, "source,target\n" + "".join(f"v{i},v{i + 1}\n" for i in range(130)))
    assert "131 variables with 130 edges are too many to draw" in text(at)
    assert len(at.dataframe[0].value) == 130


def test_a_result_of_the_session_can_be_compared() -> None:
    """What the associations page found, with its bits as scores."""
    data = random_data(300, 4, 4, 2)
    session = Session(dataset=data)
    method = engine.LogLinear(alpha=0.5, criterion="chi2")
    job = session.ask(method, data).job
    assert job is not None
    assert job.wait(60)
    assert session.job_queue.get(method_key(method, data)) is job
    at = opened(NETWORKS, session)
    edges = list(job.result.graphs()["associations"].edges)
    bring(at, "truth", "source,target\n" + "".join(f"{a},{b}\n" for a, b in edges))
    box(at, "A result of this session").set_value("Associations: associations").run()
    assert f"{len(edges)} of {len(edges)} true links were found, and no false one" in text(fine(at))


def test_words_agree_with_their_numbers() -> None:
    """One link, none at all, and variables that one file lacks."""
    pair = nx.DiGraph([("a", "b")])
    empty = nx.empty_graph(["a", "b"], create_using=nx.DiGraph)
    assert match_words(Match(pair, empty), "Every arrow").startswith("**0 of 1 true link was found, and no false one.")
    assert "1 false one" in match_words(Match(empty, pair), "Links only")
    said = strangers(matched(nx.DiGraph([("a", "b"), ("a", MARKUP)]), pair))
    assert len(said) == 1
    assert MARKUP not in said[0]
    statuses = [[edge.status for edge in panel.edges] for panel in match_panels(Match(pair, empty))]
    assert statuses == [["only_a"], []]


def test_a_slider_stops_at_few_scores_and_at_both_ends() -> None:
    """All of a few; some of very many."""
    assert cuts([3.0, 1.0, 2.0, 1.0], 200) == [1.0, 2.0, 3.0]
    many = cuts(np.arange(10_000.0), 200)
    assert (len(many), many[0], many[-1]) == (201, 0.0, 9999.0)
    assert nearest(many, 60.0) == min(many, key=lambda one: (one - 60.0) ** 2)


def harmless(at: AppTest) -> None:
    """Nothing that Markdown would act on."""
    assert not re.search(r"(?<!\\)!\[|(?<!\\)<img|(?<!\\):red\[|(?<!\\)\[[^\]]*\]\(", text(at))


def test_markup_in_names_stays_text() -> None:
    """As columns, levels, parts, variables and file names, with every choice made."""
    rows = [
        f'"{MARKUP}",{i % 7},":red[x]"' if i % 2 else f'"<b>",{i % 5},"[a](http://evil.example)"' for i in range(40)
    ]
    at = bring(opened(LABELS), "labels", f'"{MARKUP} label","**score**","_part_"\n' + "\n".join(rows), f"{MARKUP}.csv")
    box(at, "Split by").set_value("_part_").run()
    settled(box(at, "What belongs together").set_value("_part_").run())
    assert "AUC" in text(fine(at))
    harmless(at)
    at.segmented_control(key=f"{KEY}.kind").set_value(NETWORKS).run()
    bring(fine(at), "truth", f'from,to\n"{MARKUP}","<b>x</b>"\n"<b>x</b>",":red[y]"\n', f"{MARKUP}.csv")
    bring(at, "found", '"**from**",to,score\n"<b>x</b>",":red[y]",1\n":red[y]","[a](http://evil.example)",2\n')
    assert "of 2 true links" in text(at)
    harmless(at)
