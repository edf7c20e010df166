"""Two answers side by side."""

from __future__ import annotations

import numpy as np
import pytest

import engine
import sample_data
from engine.methods.result import Result
from engine.project.compare import AGREE, DIFFER, ONLY_A, ONLY_B


@pytest.fixture(scope="module")
def data() -> engine.Dataset:
    return sample_data.dataset("cough_and_smoke")


def ends(result: Result) -> set[frozenset[str]]:
    """The edges of an undirected answer."""
    return {frozenset(edge) for edge in next(iter(result.graphs().values())).edges}


def test_an_answer_agrees_with_itself(data: engine.Dataset) -> None:
    """Nothing differs, whatever is looked at."""
    result = engine.GroupDifference(group="sex").run(data)
    found = engine.compare(result, result)
    for table in (found.settings, found.claims, found.edges):
        assert set(table["status"]) == {AGREE}
    assert found.variables == result.names
    assert len(found.edges) == len(result.edges())


def test_edges_are_those_of_both_or_of_one(data: engine.Dataset) -> None:
    """Set algebra on the two models, worked out apart."""
    one = engine.LogLinear().run(data)
    other = engine.LogLinear(forbidden=[next(iter(one.graph.edges))], criterion="bic").run(data)
    found = engine.compare(one, other)
    by_status = {
        status: {frozenset((row.source, row.target)) for row in table.itertuples()}
        for status, table in found.edges.groupby("status")
    }
    assert by_status[AGREE] == ends(one) & ends(other)
    assert by_status[ONLY_A] == ends(one) - ends(other)
    assert by_status.get(ONLY_B, set()) == ends(other) - ends(one)
    settings = found.settings.set_index("setting")["status"]
    assert settings["criterion"] == settings["forbidden"] == DIFFER
    assert settings["alpha"] == AGREE


def test_turned_and_undirected_edges_differ(data: engine.Dataset) -> None:
    """An arc the other way round, or an edge in one answer, is the same pair, and differs."""
    patient = engine.InstanceSpecific().run(data, 3)
    group = engine.GroupDifference(group="sex").run(data)
    found = engine.compare(patient, group)
    assert found.settings.set_index("setting").at["method", "status"] == DIFFER
    marks = found.edges[found.edges["status"] == DIFFER]
    arcs = {frozenset((row.source, row.target)): row.source for row in group.edges().itertuples()}
    for row in marks.itertuples():
        assert row.mark_a != row.mark_b or arcs[frozenset((row.source, row.target))] != row.source
    assert set(found.variables) == set(group.names)
    assert "sex" not in {*found.edges["source"], *found.edges["target"]}


def test_claims_on_one_side_only_are_said(data: engine.Dataset) -> None:
    """A variable that one answer has not is no claim to compare; other claims stand with what they are."""
    whole = engine.GroupDifference(group="sex").run(data)
    fewer = engine.GroupDifference(group="sex").run(data.select([name for name in data.names if name != "cough"]))
    found = engine.compare(whole, fewer)
    assert "cough" not in set(found.claims["about"])
    assert len(found.claims) == len(whole.names) - 1
    both = found.claims.set_index("about")
    for name, row in fewer.claims().set_index("about").iterrows():
        assert both.at[name, "verdict_b"] == row["verdict"]


@pytest.mark.parametrize("gone", ["chest x ray", "age"])
def test_names_with_spaces_are_whole_names(data: engine.Dataset, gone: str) -> None:
    """A variable that one answer lacks takes its own claims away, and no others, whatever words names share."""
    names = ["chest x ray" if name == "chest_x_ray" else name for name in data.names]
    names[names.index("wheeze")] = "age at wheeze"
    spaced = engine.Dataset.from_codes(data.codes, list(data.levels.values()), names)
    whole = engine.InstanceSpecific().run(spaced, 3)
    fewer = engine.InstanceSpecific().run(spaced.select([name for name in names if name != gone]), 3)
    found = engine.compare(whole, fewer)
    abouts = {tuple(about.replace(" -- ", " -> ").split(" -> ")) for about in found.claims["about"]}
    wanted = [*whole.arc_changes.itertuples(), *fewer.arc_changes.itertuples()]
    assert abouts == {(row.source, row.target) for row in wanted if gone not in (row.source, row.target)}


def test_what_cannot_be_compared_is_said(data: engine.Dataset) -> None:
    """No answer, and no shared variable."""
    result = engine.LogLinear().run(data)
    strange = engine.LogLinear().run(engine.Dataset.from_codes(np.zeros((2, 30), int), [2, 2], ["x", "y"]))
    with pytest.raises(engine.DataError, match="results of two runs"):
        engine.compare(result, data)
    with pytest.raises(engine.DataError, match="share no variable"):
        engine.compare(result, strange)
    assert len(repr(engine.compare(result, result))) < 200
