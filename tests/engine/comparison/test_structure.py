"""What two answers share: settings, claims, edges and rows."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import engine
import sample_data
from engine.comparison.structure import AGREE, DIFFER, ONLY_A, ONLY_B, Structure
from engine.methods.result import Result


@pytest.fixture(scope="module")
def data() -> engine.Dataset:
    return sample_data.dataset("cough_and_smoke")


def ends(result: Result) -> set[frozenset[str]]:
    """The edges of an undirected answer."""
    return {frozenset(edge) for edge in next(iter(result.graphs().values())).edges}


def shared(one: object, other: object, **more: dict[str, str]) -> Structure:
    """What two answers or networks share."""
    return engine.compare(one, other, **more).structure()  # type: ignore[arg-type]


def test_an_answer_agrees_with_itself(data: engine.Dataset) -> None:
    """Nothing differs, whatever is looked at."""
    result = engine.GroupDifference(group="sex").run(data)
    found = shared(result, result)
    for table in (found.settings, found.claims, found.edges):
        assert set(table["status"]) == {AGREE}
    assert found.variables == result.names
    assert len(found.edges) == len(result.edges())


def test_edges_are_those_of_both_or_of_one(data: engine.Dataset) -> None:
    """Set algebra on the two models, worked out apart."""
    one = engine.LogLinear().run(data)
    other = engine.LogLinear(forbidden=(next(iter(one.graph.edges)),), criterion="bic").run(data)
    found = shared(one, other)
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
    found = shared(patient, group)
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
    found = shared(whole, fewer)
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
    found = shared(whole, fewer)
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
    found = engine.compare(result, result)
    assert len(repr(found)) < 200 and len(repr(found.structure())) < 200


# -- networks that come alone, other pairs, and what is drawn ---------------------------------------------------------


def bare(*arcs: tuple[str, str], lines: tuple[tuple[str, str], ...] = ()) -> nx.DiGraph:
    """A network of arcs, and of lines that run both ways."""
    graph = nx.DiGraph(arcs)
    graph.add_edges_from([*lines, *((b, a) for a, b in lines)])
    return graph


def test_two_bare_networks_worked_out_by_hand() -> None:
    """Each of what an edge can be to both, with its marks and as it is drawn."""
    one = bare(("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), lines=(("e", "f"), ("a", "f")))
    other = bare(("a", "b"), ("c", "b"), ("e", "f"), ("b", "d"), lines=(("d", "e"), ("a", "f")))
    found = shared(one, other)
    table = {frozenset((row.source, row.target)): row for row in found.edges.itertuples()}
    wanted = {
        "ab": ("a", "->", "->", AGREE, "same", ""),
        "bc": ("b", "->", "->", DIFFER, "reversed", "turned"),
        "cd": ("c", "->", "", ONLY_A, "only_a", ""),
        "bd": ("b", "", "->", ONLY_B, "only_b", ""),
        "de": ("d", "->", "--", DIFFER, "reversed", "directed in a only"),
        "ef": ("e", "--", "->", DIFFER, "reversed", "directed in b only"),
        "af": ("a", "--", "--", AGREE, "same", ""),
    }
    assert set(table) == {frozenset(pair) for pair in wanted}
    drawn = found.graph()
    assert list(drawn.nodes) == ["a", "b", "c", "d", "e", "f"]
    for pair, (source, mark_a, mark_b, status, style, change) in wanted.items():
        row = table[frozenset(pair)]
        assert (row.source, row.mark_a, row.mark_b, row.status) == (source, mark_a, mark_b, status)
        about = drawn.edges[row.source, row.target]
        assert (about["status"], about.get("change", "")) == (style, change)
        assert (about["mark_a"], about["mark_b"]) == (mark_a, mark_b)
        assert drawn.has_edge(row.target, row.source) is ("->" not in (mark_a, mark_b))
    assert len(found.settings) == len(found.claims) == len(found.rows) == 0
    assert found.sentences()[-1].startswith("2 of 7 edges agree; 3 differ, 1 is in the first only")


def test_an_answer_beside_a_network_from_a_file(data: engine.Dataset) -> None:
    """What the network lacks is empty; its content or the graph itself say the same."""
    result = engine.LogLinear().run(data)
    edges = list(result.graph.edges)
    text = "from,to,directed\n" + "\n".join(f"{a},{b},no" for a, b in edges[1:]) + f"\n{edges[0][0]},stranger,yes\n"
    found = shared(result, text.encode())
    assert "stranger" not in found.variables
    assert found.edges["status"].value_counts().to_dict() == {AGREE: len(edges) - 1, ONLY_A: 1}
    assert set(found.settings["status"]) == set(found.claims["status"]) == {ONLY_A}
    assert found.rows.empty
    again = shared(result, engine.exchange.read_graph(text.encode()))
    assert again.edges.equals(found.edges)
    assert shared(text.encode(), result).edges["status"].value_counts().to_dict() == {
        AGREE: len(edges) - 1,
        ONLY_B: 1,
    }


def test_other_pairs_of_networks_can_be_asked_for(data: engine.Dataset) -> None:
    """One title with another; what is not there is named."""
    groups, links = engine.GroupDifference(group="sex").run(data), engine.LogLinear().run(data)
    own = list(groups.graphs())
    found = shared(groups, links, networks={own[2]: "associations"})
    assert found.titles() == (own[2],)
    assert set(found.edges["network"]) == {own[2]}
    assert set(found.edges["network_b"]) == {"associations"}
    skeleton = {frozenset(edge) for edge in groups.graphs()[own[2]].edges}
    ours = {frozenset((row.source, row.target)) for row in found.edges.itertuples() if row.mark_a}
    assert ours == skeleton
    both = shared(groups, groups, networks={own[0]: own[1]})
    assert shared(groups, links).titles() == (own[0],)
    assert both.graph(own[0]).number_of_nodes() == len(groups.names)
    assert set(both.graphs()) == {own[0]}
    for strange in ({"nobody's": "associations"}, {own[0]: "nobody's"}):
        with pytest.raises(engine.DataError, match='no network "nobody\'s"'):
            engine.compare(groups, links, networks=strange)
    with pytest.raises(engine.DataError, match="no pair of networks"):
        found.graph("nobody's")


def test_lines_and_arcs_are_compared_by_their_skeleton(data: engine.Dataset) -> None:
    """An association beside an arc is a pair in both, which has a direction in one only."""
    patient, links = engine.InstanceSpecific().run(data, 3), engine.LogLinear().run(data)
    title = next(iter(patient.graphs()))
    found = shared(patient, links, networks={title: "associations"})
    arcs = {frozenset(edge) for edge in patient.graphs()[title].edges}
    lines = {frozenset(edge) for edge in links.graph.edges}
    by_status = {
        status: {frozenset((row.source, row.target)) for row in table.itertuples()}
        for status, table in found.edges.groupby("status")
    }
    assert by_status.get(DIFFER, set()) | by_status.get(AGREE, set()) == arcs & lines
    assert by_status.get(ONLY_A, set()) == arcs - lines
    assert by_status.get(ONLY_B, set()) == lines - arcs
    assert all(
        about["change"] == "directed in a only" for *_, about in found.graph().edges(data=True) if "change" in about
    )


def test_rows_say_what_the_answers_were_made_of() -> None:
    """Numbers of rows, data, versions, and only those choices of the table that differ."""
    table = sample_data.load("screening")
    numbers = [name for name in table.columns if table[name].dtype.kind == "f"]
    kinds = {numbers[0]: "continuous"}
    one, other = (
        engine.LogLinear().run(engine.Dataset.from_frame(part, kinds=kinds, bins={numbers[0]: bins}))
        for part, bins in ((table, 2), (table.iloc[:200], 3))
    )
    found = shared(one, other).rows.set_index("what")
    assert found.at["rows used", "status"] == DIFFER
    assert found.at["rows of the table", "b"] == "200"
    assert found.at["data (fingerprint)", "a"] == one.fingerprint
    assert found.at["version of numpy", "status"] == AGREE
    choices = [what for what in found.index if what.startswith("choice")]
    assert f"choice bins of '{numbers[0]}'" in choices
    assert f"choice levels of '{numbers[0]}'" in choices
    assert set(found.loc[choices, "status"]) == {DIFFER}
    same = shared(one, one)
    assert set(same.rows["status"]) == {AGREE}
    assert not [what for what in same.rows["what"] if what.startswith("choice")]


def test_networks_that_cannot_be_compared_are_refused(data: engine.Dataset) -> None:
    """Two nodes of one text, several edges between two variables, and what is no network at all."""
    result = engine.LogLinear().run(data)
    for strange, words in (
        (nx.Graph([(1, "1")]), "same name as texts"),
        (nx.MultiGraph([("age", "sex"), ("age", "sex")]), "several edges"),
        ("age", "results of two runs, networkx graphs"),
        (b"", "empty"),
    ):
        with pytest.raises(engine.DataError, match=words):
            engine.compare(result, strange)


def test_turns_that_no_rows_could_show_are_counted() -> None:
    """Turned arcs of equivalent networks are; one that makes or takes away a collider is not."""
    chain = nx.DiGraph([("a", "b"), ("b", "c")])
    back = nx.DiGraph([("c", "b"), ("b", "a")])
    collider = nx.DiGraph([("a", "b"), ("c", "b")])
    assert shared(chain, back).loose == 2
    assert "2 arcs turned round" in engine.compare(chain, back).sentences()[0]
    assert shared(chain, collider).loose == 0
    assert "turned round" not in " ".join(engine.compare(chain, collider).sentences())


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ([("a", "b")], [("a", "b")], "The one edge agrees."),
        ([("a", "b"), ("b", "c")], [("a", "b"), ("b", "c")], "All 2 edges agree."),
        ([("a", "b"), ("b", "c")], [("a", "b"), ("a", "c")], "1 of 3 edges agrees; 1 is in the first only and 1 is in"),
        ([], [], "There are no edges to compare."),
    ],
)
def test_sentences_count(one: list[tuple[str, str]], other: list[tuple[str, str]], words: str) -> None:
    """What agrees first, and nothing of which there is none."""
    graphs = [nx.Graph(edges) for edges in (one, other)]
    for graph in graphs:
        graph.add_nodes_from("abc")
    assert shared(*graphs).sentences()[-1].startswith(words)
