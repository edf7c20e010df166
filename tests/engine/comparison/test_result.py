"""A comparison as an answer: kept and read again, asked again of other rows, and with names that are meant ill."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import engine
from engine.comparison.result import ComparisonResult
from engine.telling.comparison.wording import drawn_words
from tests.engine.comparison.made import drawn, grouped, random_parts, two
from tests.engine.telling.comparison.test_wording import ordinal


def kept(which: str) -> ComparisonResult:
    """Comparisons of every sort."""
    if which == "nominal":
        parts, graphs = random_parts(2, 80, 3)
        return engine.compare(*graphs, data=parts, draws=199)
    if which == "ratings":
        parts = ordinal()
        return engine.compare(*(engine.Ordinal().run(part) for part in parts), data=parts, draws=199)
    if which == "structure":
        return engine.compare(nx.DiGraph([("a", "b"), ("b", "c")]), nx.DiGraph([("b", "a"), ("b", "c")]))
    parts = two(0, (150, 100), (3.0, -3.0))
    a, b = (engine.LogLinear(criterion="bic").run(part) for part in parts)
    if which == "pairs":
        return engine.compare(a, b, networks={"associations": "associations"})
    return engine.compare(a, b, data=parts, draws=199, search_again=2)


@pytest.mark.parametrize("which", ["associations", "nominal", "ratings", "structure", "pairs"])
def test_what_is_kept_is_read_as_it_was(which: str, tmp_path: Path) -> None:
    """From a file and from a dict: every table, network and sentence, to the last bit."""
    found = kept(which)
    text = found.to_json()
    assert "NaN" not in text and "Infinity" not in text and json.loads(text)
    engine.save(found, tmp_path / "found.diptych")
    for again in (engine.load(tmp_path / "found.diptych"), ComparisonResult.from_dict(found.to_dict())):
        assert isinstance(again, ComparisonResult)
        assert again.summary() == found.summary() and again.to_json() == text
        assert again.to_dict() == found.to_dict()
        for title, table in found.tables().items():
            assert again.table(title).equals(table), title
        for title, graph in found.graphs().items():
            assert nx.utils.graphs_equal(again.graphs()[title], graph), title
    assert len(repr(found)) < 200


def test_the_same_is_asked_of_other_rows() -> None:
    """Of next month's table with its groups; networks of a file, and groups of no column, cannot be asked again."""
    group, codes = np.arange(400) % 2, drawn(1, 400)
    codes[1] = np.where(group == 0, codes[1], 1 - codes[1])
    month = [
        engine.Dataset.from_codes(np.vstack([codes, group])[:, rows], [2, 2, 2, 2, ["left", "right"]], [*"abcd", "arm"])
        for rows in (slice(0, 200), slice(200, 400))
    ]
    found = []
    for table in month:
        parts = list(engine.by_group(table, "arm").values())
        found.append(engine.compare(*(engine.LogLinear().run(part) for part in parts), data=parts, draws=199, seed=4))
    again = found[0].rerun(month[1])
    assert again.links().equals(found[1].links()) and again.labels == found[1].labels
    assert again.headline() == found[1].headline() and set(found[0].asks_of()) == {*"abcd", "arm"}
    gone = month[1].rows(np.flatnonzero(month[1].column("arm") == 0))
    with pytest.raises(engine.DataError, match="No row has the level 'right' of 'arm'"):
        found[0].rerun(gone)
    halves = [month[0].rows(np.arange(100)), month[0].rows(np.arange(100, 200))]
    loose = engine.compare(*(engine.LogLinear().run(part) for part in halves), data=halves, draws=99)
    assert loose.labels == ("A", "B") and loose.group == ""
    with pytest.raises(engine.DataError, match="not levels of one column"):
        loose.rerun(month[1])
    with pytest.raises(engine.DataError, match="cannot be learned again"):
        kept("structure").rerun(month[1])


def test_settings_and_made_are_those_of_the_comparison() -> None:
    """Draws, seed, and the rows of all groups; no table has another title."""
    found = kept("associations")
    assert found.settings() == {"draws": 199, "seed": 0, "p_none": 0.5}
    assert found.made.rows_used == 250 and found.rows == (150, 100)
    with pytest.raises(engine.SettingsError):
        found.table("nobody's")
    with pytest.raises(engine.DataError, match="no group 'nobody'"):
        found.plot_links(groups=("left", "nobody"))


HOSTILE = [
    "<script>alert(1)</script>",
    "a -- b -> c",
    '"; DROP TABLE x; --',
    "=cmd|' /C calc'!A0",
    "{0} %s \\u0000 $x$",
    "**bold** [link](http://x) | cell",
    "‮evil‬ ﷽ 🙂",
    " ",
    "only in A",
    "n" * 300,
    "one two three four five six seven eight nine ten eleven twelve thirteen",
]


@pytest.mark.parametrize("ill", HOSTILE)
def test_names_that_are_meant_ill_are_names(ill: str, tmp_path: Path) -> None:
    """As a variable, a level and a group: same numbers, all tables, and a headline of a sentence's length."""
    generator = np.random.default_rng(3)
    codes = np.array([*drawn(2, 300)[:2], generator.integers(0, 3, 300)])
    group = np.arange(300) % 2
    codes[1] = np.where(group == 0, codes[1], 1 - codes[1])
    levels = [["no", "yes"], ["no", "yes"], [ill, "x", "y"]]
    parts = grouped(codes, levels, ["a", ill, "c"], group, (ill, "other"))
    plain = grouped(codes, [["no", "yes"], ["no", "yes"], ["w", "x", "y"]], ["a", "b", "c"], group, ("ill", "other"))
    graph = nx.Graph([("a", ill), (ill, "c")])
    found = engine.compare(graph, graph, data=parts, draws=199)
    wanted = engine.compare(*[nx.Graph([("a", "b"), ("b", "c")])] * 2, data=plain, draws=199)
    numbers = ["a", "b", "difference"]
    assert np.sort(np.abs(found.links()[numbers]), axis=0) == pytest.approx(
        np.sort(np.abs(wanted.links()[numbers]), axis=0), abs=1e-6
    )
    assert set(zip(found.links()["source"], found.links()["target"], strict=True)) == {
        ("a", ill),
        (ill, "c"),
        ("a", "c"),
    }
    assert len(found.graphs()) == 3 and len(found.plot_links().data) > 0 and len(found.summary()) > 0
    engine.save(found, tmp_path / "ill.diptych")
    again = engine.load(tmp_path / "ill.diptych")
    assert isinstance(again, ComparisonResult) and again.summary() == found.summary()
    assert json.loads(found.to_json())["headline"] == found.headline()
    assert len(found.headline()) < 260


@pytest.mark.parametrize("labels", [("Difference", "other"), ("1", "arm = 1"), ("A", "B"), ("left - right", "left")])
def test_groups_that_are_called_like_our_own_words_stay_apart(labels: tuple[str, str]) -> None:
    """No network, claim or level is lost to a level of that name; the same can be asked again."""
    parts = two(3, (80, 80), (3.0, -3.0))
    codes = np.concatenate([part.codes for part in parts], axis=1)
    again = grouped(codes, [2] * 4, "abcd", np.repeat([0, 1], 80), labels)
    answers = [engine.LogLinear(criterion="bic").run(part) for part in again]
    found = engine.compare(*answers, data=again, draws=199)
    assert len(set(found.labels)) == 2 and len(found.graphs()) == 3
    assert found.levels == labels
    signs = [graph.edges["a", "b"]["status"] for graph in found.graphs().values()]
    assert signs == ["positive", "negative", "differs"]
    table = engine.Dataset.from_codes(
        np.vstack([codes, np.repeat([0, 1], 80)]), [2, 2, 2, 2, list(labels)], [*"abcd", "arm"]
    )
    assert found.rerun(table).links().equals(found.links())


def test_a_sign_is_told_only_where_it_is_clear() -> None:
    """Not where the interval holds 0, nor of a variable that others nearly determine in that group."""
    found = kept("ratings")
    first, second = found.labels
    for label in found.labels:
        for *_, about in found.graphs()[label].edges(data=True):
            clear = "positive" if about["estimate"] >= 0 else "negative"
            assert about["status"] == ("unsure" if about["low"] <= 0 <= about["high"] else clear)
    name, lines = found.names[0], found.answers[1].lines
    explained = np.where(np.array(lines.names) == name, 0.97, lines.explained)
    shaky = replace(found.answers[1], lines=replace(lines, explained=explained))
    again = replace(found, answers=(found.answers[0], shaky))
    assert nx.utils.graphs_equal(again.graphs()[first], found.graphs()[first])
    statuses = nx.get_edge_attributes(again.graphs()[second], "status")
    assert any(name in ends for ends in statuses)
    assert {statuses[ends] for ends in statuses if name in ends} == {"unsure"}
    others = nx.get_edge_attributes(found.graphs()[second], "status")
    assert {ends: said for ends, said in statuses.items() if name not in ends} == {
        ends: said for ends, said in others.items() if name not in ends
    }
    drawn = len(found.drawn_links())
    assert "nearly explain an end" in drawn_words(again, drawn, True) and "nearly" not in drawn_words(
        found, drawn, True
    )
    assert "not clear" not in drawn_words(again, drawn, False) and "uncorrected" in drawn_words(again, drawn, False)
    assert drawn_words(found, drawn, True).startswith(f"Drawn: {drawn} of {found.tested_pairs()} tested links")
