"""Comparisons of tables with numbers: scales, words, margins, the same bits, and nodes."""

from __future__ import annotations

import json
import re
from functools import cache

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import engine
from engine.comparison.difference import SEEN, common_z, error_shares, find_differences
from engine.comparison.estimates import Estimates, GroupRows
from engine.comparison.link_estimates import LinkEstimates
from engine.comparison.nodes import node_sums
from engine.comparison.numbers import estimate_partial_correlations
from engine.comparison.result import ComparisonResult
from engine.comparison.scales import SCALES
from engine.telling.comparison.paper import links_table, methods_paragraph, nodes_table, paper_page
from tests.engine.comparison.made import by_ends

NAMES = ["age", "lactate", "pain", "fatigue", "ward"]
UNDER = np.full((5, 5), 0.3) + 0.7 * np.eye(5)


def table(seed: int, rows: int = 300, sign: float = 1.0) -> pd.DataFrame:
    """Two groups of numbers, ratings and names; in the second, age and lactate go together by `sign`."""
    generator = np.random.default_rng(seed)
    other = UNDER.copy()
    other[0, 1] = other[1, 0] = 0.3 * sign
    x = np.vstack([generator.multivariate_normal(np.zeros(5), under, rows) for under in (UNDER, other)])
    return pd.DataFrame(
        {
            "age": np.round(50 + 12 * x[:, 0], 1),
            "lactate": np.round(np.exp(0.6 * x[:, 1]), 2),
            "pain": np.digitize(x[:, 2], [-1, 0, 0.8]),
            "fatigue": np.digitize(x[:, 3], [-0.8, 0.2, 1, 1.6]),
            "ward": np.array(["A", "B", "C"])[np.digitize(x[:, 4], [-0.4, 0.7])],
            "arm": np.repeat(["old", "new"], rows),
        }
    )


KINDS = {"age": "continuous", "lactate": "continuous", "pain": "ordinal", "fatigue": "ordinal", "ward": "nominal"}


def found_in(frame: pd.DataFrame, names: list[str] | None = None, **settings: object) -> ComparisonResult:
    """The groups' rows over one chain, compared."""
    names = names or NAMES
    kinds = {name: KINDS[name] for name in names} | {"arm": "nominal"}
    data = engine.Dataset.from_frame(frame[[*names, "arm"]], kinds=kinds)
    parts = engine.by_group(data, "arm")
    graph = nx.path_graph(names)
    return engine.compare(graph, graph, data=[parts["old"], parts["new"]], **{"draws": 199, **settings})  # type: ignore[arg-type]


@cache
def turned() -> ComparisonResult:
    """Age and lactate turn their sign."""
    return found_in(table(0, sign=-1.5))


def test_each_pair_has_the_scale_of_its_kinds() -> None:
    """Numbers with numbers and ratings by correlations, with names by means; the rest by odds ratios."""
    rows = by_ends(turned())
    scales = {ends: row["scale"] for ends, row in rows.items()}
    assert scales[frozenset(("age", "lactate"))] == scales[frozenset(("age", "pain"))] == "correlation"
    assert scales[frozenset(("age", "ward"))] == "means" and scales[frozenset(("pain", "ward"))] == "odds"
    assert rows[frozenset(("age", "ward"))]["levels"].startswith("ward ")
    row = rows[frozenset(("age", "lactate"))]
    assert (row["word"], row["what"]) == ("differs", "turns its sign")
    frame = table(0, sign=-1.5)
    x = frame[frame["arm"] == "old"][["age", "lactate"]]
    assert row["a"] == pytest.approx(x.corr("spearman").iloc[0, 1], abs=0.05)
    assert re.match(r"\d of 10 links differ.*; age – lactate turns its sign: \+\.", turned().headline())
    figure = turned().plot_links()  # of several kinds no axis has numbers; each estimate is written as itself
    assert (figure.layout.xaxis.ticktext, figure.layout.xaxis2.ticktext) == (("no link",), ("no difference",))
    written = {one.text.removeprefix("<b>").removesuffix("</b>") for one in figure.layout.annotations}
    for about in turned().drawn_links().itertuples():
        assert all(any(SCALES[about.scale].text(value) in text for text in written) for value in (about.a, about.b))
    said = turned().summary()
    assert "Two numbers, or a number and a rating," in said and "the difference of means in SD" in said
    for sentence in (turned().headline(), *turned().sentences(), *turned().notes()):
        assert all(len(part.split()) <= 30 for part in sentence.split(". ")), sentence


def test_a_moved_margin_is_no_difference() -> None:
    """Any rising change of a group's numbers leaves correlations and differences of means to the last bit."""
    frame, bent = table(1), table(1)
    new = bent["arm"] == "new"
    bent.loc[new, "lactate"] = np.round(np.exp(bent.loc[new, "lactate"]) + 5, 6)
    a, b = by_ends(found_in(frame)), by_ends(found_in(bent))
    for ends in map(frozenset, (("age", "lactate"), ("lactate", "pain"), ("lactate", "ward"))):
        assert a[ends][["a", "b", "low", "high"]].tolist() == pytest.approx(b[ends][["a", "b", "low", "high"]].tolist())


def test_the_same_rows_give_the_same_bits_in_any_order() -> None:
    """Rows dealt anew, columns turned round, and levels named otherwise."""
    frame = table(2)
    whole = found_in(frame)
    shuffled = found_in(frame.sample(frac=1, random_state=0).reset_index(drop=True))
    assert whole.links().equals(shuffled.links()) and whole.nodes().equals(shuffled.nodes())
    other = by_ends(found_in(frame, NAMES[::-1]))
    for ends, row in by_ends(whole).items():
        assert row[["p", "probability", "word"]].tolist() == other[ends][["p", "probability", "word"]].tolist()
    named = frame.assign(ward=frame["ward"].map({"A": "Z", "B": "Y", "C": "X"}))
    for ends, row in by_ends(found_in(named)).items():
        assert row["log_bayes_factor"] == pytest.approx(by_ends(whole)[ends]["log_bayes_factor"], abs=1e-9)


def test_groups_that_recorded_otherwise_are_rounded_alike() -> None:
    """And it is said."""
    frame = table(3)
    frame.loc[frame["arm"] == "old", "age"] = frame.loc[frame["arm"] == "old", "age"].round()
    found = found_in(frame)
    assert "age: old notes whole numbers; both groups were rounded to 1." in found.notes()


def test_numbers_are_their_own_latent_values_beside_ratings() -> None:
    """Partial correlations given all others of a mixed table: near the hidden ones, influences as left out."""
    generator = np.random.default_rng(4)
    x = generator.multivariate_normal(np.zeros(4), UNDER[:4, :4], 4000).T
    codes = np.array([x[0] > 0, x[1] > 0, np.digitize(x[2], [-1, 0, 1]), np.digitize(x[3], [0, 0.5])]).astype(np.int64)

    def estimate(which: np.ndarray) -> Estimates:
        unit = np.arange(len(which))
        numbers = {0: np.exp(x[0, which]), 1: x[1, which] ** 3}
        return estimate_partial_correlations(GroupRows(codes[:, which], np.array([2, 2, 4, 3]), unit, unit, numbers))

    inverse = np.linalg.inv(UNDER[:4, :4])
    assert np.tanh(estimate(np.arange(4000)).value) == pytest.approx(-inverse[0, 1] / inverse[0, 0], abs=0.06)
    few = np.arange(120)
    own = estimate(few)
    left = np.array([estimate(np.delete(few, row)).value for row in few])
    change = left.mean(axis=0) - left
    for a, b in zip(own.influence, change.T, strict=True):
        assert np.corrcoef(a, b)[0, 1] > 0.98


def test_sums_of_nodes_are_written_out() -> None:
    """Strength over links that are there with their own clear signs, expected influence over all, by loops."""
    generator = np.random.default_rng(5)
    pairs = np.array([(0, 1), (0, 2), (1, 2)])
    groups = [
        Estimates(
            np.array([0.4, -0.3, 0.01]) + shift, 0.004 * generator.normal(size=(3, 200)), np.arange(200) + at, 190
        )
        for shift, at in ((0.0, 0), (0.05, 200))
    ]
    links = LinkEstimates("partial", ("a", "b", "c"), pairs, np.full((3, 2, 2), -1), groups)
    seen = np.abs(common_z(groups)) >= SEEN
    nodes, whole = node_sums(links, seen)
    for group, own, total in zip(groups, nodes, whole, strict=True):
        r = np.tanh(group.value)
        for node in range(3):
            at = [q for q in range(3) if node in pairs[q]]
            assert own.value[node] == pytest.approx(sum(abs(r[q]) for q in at if seen[q]))
            assert own.value[3 + node] == pytest.approx(sum(r[q] for q in at))
            change = sum((1 - r[q] ** 2) * group.influence[q] for q in at)
            assert own.influence[3 + node] == pytest.approx(change)
        assert total.value == pytest.approx(sum(abs(r[q]) for q in range(3) if seen[q]))


def test_a_node_whose_links_differ_is_found_and_one_share_is_each_nodes() -> None:
    """Of ten numbers one goes with all others more in one group; p is corrected evenly over nodes and measures."""
    generator = np.random.default_rng(6)
    frames = []
    for arm, r in (("old", 0.1), ("new", 0.32)):
        precision = np.eye(7)
        precision[0, 1:] = precision[1:, 0] = -r
        x = generator.multivariate_normal(np.zeros(7), np.linalg.inv(precision), 500)
        frames.append(pd.DataFrame(x.round(3), columns=[f"n{k}" for k in range(7)]).assign(arm=arm))
    data = engine.Dataset.from_frame(pd.concat(frames, ignore_index=True), kinds={"arm": "nominal"})
    parts = engine.by_group(data, "arm")
    found = engine.compare(
        *[engine.Ordinal(approach="gpc").run(part) for part in parts.values()], data=[*parts.values()]
    )
    nodes = found.nodes().set_index(["measure", "node"])
    assert nodes.loc[("strength", "n0"), "p"] < 0.05 and nodes.loc[("global strength", "all"), "p"] < 0.05
    assert "most clearly" in found.summary() and "n0" in found.summary()
    test = found.tested.nodes
    assert test is not None and not test.nodes.seen.any()
    assert test.nodes.share == pytest.approx(1 / 14)


def test_even_shares_and_weights_are_what_they_say() -> None:
    """Of draws that are the same the weighted strength is that of scaled estimates."""
    generator = np.random.default_rng(7)
    groups = [Estimates(generator.normal(size=4), 0.1 * generator.normal(size=(4, 50)), np.arange(50) + at, 40)
              for at in (0, 50)]  # fmt: skip
    even = find_differences(groups, 99, 1, even=True)
    assert error_shares(even.seen) == pytest.approx(0.25)
    weights = np.array([1.0, 2.0, 0.5, 1.0])
    scaled = [
        Estimates(own.value * weights, own.influence * weights[:, None], own.units, own.freedom) for own in groups
    ]
    assert find_differences(groups, 99, 1, weights=weights).sums[2] == find_differences(scaled, 99, 1).sums[2]


def test_a_prior_moves_p_alone() -> None:
    """Nothing is counted again, and more than one in two of nothing makes every P smaller."""
    found, less = turned(), turned().with_prior(0.9)
    columns = ["p", "log_bayes_factor", "a", "b"]
    assert found.links()[columns].equals(less.links()[columns].loc[found.links().index])
    assert (less.links().set_index(["source", "target"])["probability"]
            <= found.links().set_index(["source", "target"])["probability"]).all()  # fmt: skip
    with pytest.raises(engine.SettingsError):
        found.with_prior(1.0)


def test_what_a_paper_needs_has_the_figures_of_the_tables() -> None:
    """Paragraph, APA tables and references, every text escaped; the same sentence leads page, JSON and summary."""
    found = turned()
    text = methods_paragraph(found)
    assert "p is corrected for 10 links by 199 joint draws" in text and "0.5 for differences in SD" in text
    links, nodes = links_table(found), nodes_table(found)
    assert links.iloc[0][["Link", "Verdict"]].tolist() == ["age – lactate", "differs, turns its sign"]
    assert len(nodes) == 9 and nodes.iloc[0]["Measure"] == "global strength"
    page = paper_page(found, {"age": "<b>age</b>"})
    assert "<b>age</b>" not in page and "&lt;b&gt;age" in page and "Robinaugh, D. J." in page
    document = json.loads(found.to_json())
    assert document["headline"] == found.headline() == found.summary().splitlines()[0]
    assert len(document["nodes"]) == 9 and document["links"][0]["word"] == "differs"
