"""What the result says of the model: graph, expected counts, residuals, sentences, tables, JSON."""

from __future__ import annotations

import itertools
import json
import math
import pickle
from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.methods.log_linear.result import LogLinearResult
from tests.engine.methods.log_linear.make import chain, counter, edge_set, exclusive_or, groups, named, tree_of


@pytest.fixture(scope="module")
def data() -> engine.Dataset:
    """Eight mixed variables, 900 rows."""
    return groups(900, 8, 4)


@pytest.fixture(scope="module")
def result(data: engine.Dataset) -> LogLinearResult:
    """Its model, with groups of three and more."""
    found = engine.LogLinear(criterion="bic", joint=True).run(data)
    assert len(found.cliques[0]) >= 3
    return found


def slow_expected(data: engine.Dataset, graph: nx.Graph, variables: list[str]) -> dict[tuple[int, ...], float]:
    """N prod p(clique) / prod p(separator) for every cell of the whole joint, summed over what is not asked for."""
    cliques, separators = tree_of(graph)
    names = list(data.names)
    tables = [(sign, sorted(group), counter(data, sorted(group))) for sign, sets in ((1, cliques), (-1, separators))
              for group in sets]  # fmt: skip
    found: dict[tuple[int, ...], float] = {}
    for cell in itertools.product(*[range(len(data.levels[name])) for name in names]):
        at = dict(zip(names, cell, strict=True))
        value = float(data.n_rows)
        for sign, group, counts in tables:
            share = counts[tuple(at[name] for name in group)] / data.n_rows
            if sign > 0:
                value *= share
            elif value:
                value /= share
        key = tuple(at[name] for name in variables)
        found[key] = found.get(key, 0.0) + value
    return found


@settings(max_examples=20)
@given(st.integers(0, 500), st.integers(1, 5), st.integers(1, 150), st.randoms(use_true_random=False))
def test_expected_counts_are_the_product_formula(seed: int, variables: int, rows: int, order: object) -> None:
    """Any variables in any order, against the whole joint; they add up to the rows."""
    table = groups(rows, variables, seed)
    model = engine.LogLinear(criterion="kl", max_clique=3).run(table)
    asked = list(table.names)
    order.shuffle(asked)  # type: ignore[attr-defined]
    asked = asked[: max(1, variables - 1)]
    found = model.expected(asked)
    assert found.index.names == asked
    assert found.sum() == pytest.approx(rows)
    slow = slow_expected(table, model.graph, asked)
    for levels, value in found.items():
        cell = levels if isinstance(levels, tuple) else (levels,)
        codes = tuple(table.levels[name].index(level) for name, level in zip(asked, cell, strict=True))
        assert value == pytest.approx(slow[codes], abs=1e-8)


def test_expected_inside_a_clique_is_observed(data: engine.Dataset, result: LogLinearResult) -> None:
    """The model keeps the counts of every group exactly."""
    for clique in result.cliques:
        counts = counter(data, clique)
        expected = result.expected(clique)
        cells = itertools.product(*[range(len(data.levels[name])) for name in clique])
        assert expected.tolist() == pytest.approx([counts[cell] for cell in cells], abs=1e-8)


def test_residuals_of_a_whole_model_are_zero(result: LogLinearResult) -> None:
    """Inside a clique observed and expected are the same."""
    frame = result.residuals(result.cliques[0])
    assert (frame.observed == frame.expected).all()
    assert not frame.pearson.any() and not frame.adjusted.any()
    assert (frame.small == (frame.expected < 5)).all()


def test_residuals_without_an_edge(data: engine.Dataset, result: LogLinearResult) -> None:
    """Pearson and adjusted by loops; for a removable edge the expected counts are those of the model that lacks it."""
    clique = result.cliques[0]
    a, b = next(pair for pair in itertools.combinations(clique, 2) if result.graph.edges[pair]["removable"])
    frame = result.residuals(clique, without=(b, a))
    rest = [name for name in clique if name not in (a, b)]
    both, alone = counter(data, [*rest, a, b]), counter(data, rest)
    first, second = counter(data, [*rest, a]), counter(data, [*rest, b])
    less = result.edited(data, remove=[(a, b)])
    assert frame.expected.tolist() == pytest.approx(less.expected(clique).tolist(), abs=1e-8)
    assert frame.observed.sum() == data.n_rows
    for row in frame.to_dict("records"):
        code = {name: data.levels[name].index(row[name]) for name in clique}
        s = tuple(code[name] for name in rest)
        n_s, n_a, n_b = alone[s], first[(*s, code[a])], second[(*s, code[b])]
        assert row["observed"] == both[(*s, code[a], code[b])]
        expected = n_a * n_b / n_s if n_s else 0.0
        assert row["expected"] == pytest.approx(expected)
        assert row["small"] == (expected < 5)
        if expected:
            pearson = (row["observed"] - expected) / math.sqrt(expected)
            assert row["pearson"] == pytest.approx(pearson, abs=1e-9)
            variance = (1 - n_a / n_s) * (1 - n_b / n_s)
            assert row["adjusted"] == pytest.approx(pearson / math.sqrt(variance) if variance else 0.0, abs=1e-8)
        else:
            assert row["pearson"] == row["adjusted"] == 0.0


def test_adjusted_residuals_have_variance_one() -> None:
    """Over many tables drawn independently, the adjusted residual of a cell has mean 0 and variance about 1."""
    rng = np.random.default_rng(1)
    seen, plain = [], []
    method = engine.LogLinear(forced=(("a", "b"),))
    for _ in range(200):
        table = named(np.array([rng.choice(2, 200, p=[0.8, 0.2]), rng.integers(0, 3, 200)]), [2, 3])
        frame = method.run(table).residuals(["a", "b"], without=("a", "b"))
        seen.append(frame.adjusted[0])
        plain.append(frame.pearson[0])
    assert np.mean(seen) == pytest.approx(0.0, abs=0.2)
    assert np.var(seen) == pytest.approx(1.0, abs=0.25)
    assert np.var(plain) < 0.3


def test_columns_may_be_called_like_ours() -> None:
    """Variables called observed and expected keep their columns; ours get a star."""
    base = chain(400, 3, keep=0.8)
    table = named(base.codes, [3, 3, 3], ["observed", "expected", "a b"])
    frame = engine.LogLinear().run(table).residuals(["observed", "expected"])
    assert list(frame.columns) == ["observed", "expected", "observed*", "expected*", "pearson", "adjusted", "small"]
    assert frame["observed*"].sum() == 400


def test_graph_cliques_separators_and_formula(data: engine.Dataset, result: LogLinearResult) -> None:
    """As networkx has them, in column order; a chordal graph of all variables."""
    graph = result.graph
    assert tuple(graph.nodes) == data.names
    assert nx.is_chordal(graph)
    cliques, separators = tree_of(graph)
    assert Counter(map(frozenset, result.cliques)) == Counter(cliques)
    assert Counter(map(frozenset, result.separators)) == Counter(separators)
    assert [len(clique) for clique in result.cliques] == sorted(map(len, result.cliques), reverse=True)
    place = data.names.index
    assert all(list(clique) == sorted(clique, key=place) for clique in result.cliques)
    assert result.formula == " ".join(f"[{' '.join(clique)}]" for clique in result.cliques)
    assert set(result.isolated) == set(nx.isolates(graph))
    for a, b, about in graph.edges(data=True):
        assert about["cliques"] == sum({a, b} <= clique for clique in cliques)
        assert about["removable"] == (about["cliques"] == 1)
        steps = result.steps
        mine = steps[[{a, b} == {x, y} for x, y in zip(steps.a, steps.b, strict=True)]]
        assert about["entry_bits"] == pytest.approx(mine.saving_bits.iloc[0])


def test_replay(result: LogLinearResult) -> None:
    """Every step adds its edge and keeps the graph chordal; the last is the model."""
    for k in range(1, len(result.steps) + 1):
        before, after = edge_set(result.replay(k - 1)), edge_set(result.replay(k))
        assert after - before == {frozenset(result.steps.loc[k - 1, ["a", "b"]])}
        assert nx.is_chordal(result.replay(k))
    assert edge_set(result.replay(len(result.steps))) == edge_set(result.graph)
    assert not result.replay(0).edges


@settings(max_examples=20)
@given(st.integers(0, 500), st.integers(1, 8))
def test_directed_network_is_equivalent(seed: int, variables: int) -> None:
    """Acyclic, without v-structures, and marrying parents gives the graph back."""
    model = engine.LogLinear(criterion="kl", max_clique=4).run(groups(200, variables, seed))
    directed = model.directed()
    assert nx.is_directed_acyclic_graph(directed)
    assert edge_set(nx.moral_graph(directed)) == edge_set(model.graph)
    for child in directed:
        for x, y in itertools.combinations(directed.predecessors(child), 2):
            assert directed.has_edge(x, y) or directed.has_edge(y, x)


def test_refused_edges(data: engine.Dataset, result: LogLinearResult) -> None:
    """Best first, none of them in the model, none with a margin above zero."""
    refused = result.refused
    assert len(refused) > 3
    assert refused.short_by_bits.tolist() == sorted(refused.short_by_bits)
    assert (refused.short_by_bits > 0).all()
    model = edge_set(result.graph)
    assert not {frozenset(pair) for pair in zip(refused.a, refused.b, strict=True)} & model
    plain = engine.LogLinear().run(data).refused  # under mml, what is short is what is not saved
    assert plain.short_by_bits.tolist() == pytest.approx((-plain.saving_bits).tolist(), abs=1e-6)


def test_compare(data: engine.Dataset, result: LogLinearResult) -> None:
    """All edges of either model once, with the evidence of both."""
    other = engine.LogLinear(criterion="smt").run(data)
    frame = result.compare(other)
    ours, theirs = edge_set(result.graph), edge_set(other.graph)
    assert len(frame) == len(ours | theirs)
    for row in frame.itertuples():
        edge = frozenset((row.a, row.b))
        assert (row.in_this, row.in_other) == (edge in ours, edge in theirs)
        for inside, bits, graph in (
            (row.in_this, row.bits_here, result.graph),
            (row.in_other, row.bits_there, other.graph),
        ):
            expected = graph.edges[row.a, row.b]["evidence_bits"] if inside else math.nan
            assert bits == pytest.approx(expected, nan_ok=True)
    assert frame.a.map(data.names.index).is_monotonic_increasing


def test_json_loads_and_has_no_nan(data: engine.Dataset, result: LogLinearResult) -> None:
    """Strict JSON with everything; what is unknown is null."""

    def refuse(word: str) -> None:
        raise AssertionError(word)

    document = json.loads(result.to_json(), parse_constant=refuse)
    assert document["format"] == "diptych/log-linear/1"
    assert document["settings"]["criterion"] == "bic"
    assert len(document["edges"]) == result.chosen.n_edges
    assert [step["separator"] for step in document["steps"]] == [list(s) for s in result.steps.separator]
    square = [("a", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("b", "d")]
    made = json.loads(engine.LogLinear(start=square).run(data).to_json(), parse_constant=refuse)
    shared = next(edge for edge in made["edges"] if (edge["a"], edge["b"]) == ("a", "b"))
    assert (shared["evidence_bits"], shared["entry_bits"], shared["removable"]) == (None, None, False)
    assert document["formula"] == result.formula
    assert document["message_bits"]["this model"]["total"] == pytest.approx(result.message["total"]["this model"])


def test_the_result_travels_to_another_process(result: LogLinearResult) -> None:
    """Pickled and back it says the same."""
    back = pickle.loads(pickle.dumps(result))  # noqa: S301
    assert back.to_json() == result.to_json()
    assert back.residuals(result.cliques[0]).equals(result.residuals(result.cliques[0]))


def test_tables_and_words(result: LogLinearResult) -> None:
    """Every table by its title, sentences with the numbers of the model."""
    tables = result.tables()
    assert tuple(tables) == result.titles
    assert len(tables["Edges"]) == result.chosen.n_edges
    assert len(tables["Steps"]) == len(result.steps)
    assert not tables["Steps"].map(lambda value: isinstance(value, tuple)).any().any()
    assert tables["Groups"]["size"].tolist() == [len(clique) for clique in result.cliques]
    counts = result.margin_of([result.position(name) for name in "ab"]).dense(result.arity)
    parts = counts[0], counts[1:].sum(axis=0)
    here, elsewhere = (f"{100 * part[0] / part.sum():.0f}\xa0% ({part[0]:,} of {part.sum():,})" for part in parts)
    assert result.headline() == f"The strongest of 5 links: b = 0 in {here} where a = 0, {elsewhere} otherwise."
    assert result.sentences()[0].startswith("Strongest: without this link the model fits worst (p\u00a0")
    bits = sorted((about.evidence_bits for about in result.edge_values.values() if about.removable), reverse=True)
    assert (
        f". Without the link between d and f the fit worsens by {100 * bits[1] / bits[0]:.0f}\u00a0% of that"
        in result.sentences()[0]
    )
    assert result.sentences()[0].endswith("; no link found for 2 variables.")
    assert "A link is not a cause" in result.summary()
    assert f"has {len(result.cliques[0])} variables" in result.summary()
    nothing = engine.LogLinear().run(named(np.random.default_rng(0).integers(0, 2, (4, 100)), [2] * 4))
    assert nothing.headline() == "No link between any two of the 4 variables shows in 100 rows."
    assert "is 80\u00a0% for a link between" in nothing.sentences()[0]
    assert nothing.summary().count("is 80\u00a0% for a link between") == 1
    few = engine.LogLinear().run(named(np.random.default_rng(0).integers(0, 2, (4, 20)), [2] * 4))
    assert few.headline() == "With only 20 rows, no link between any two of the 4 variables shows."


def test_stability_is_the_same_on_one_worker_and_two() -> None:
    """Same seed, same bits; strong edges always come back, other seeds give other samples."""
    table = chain(300, 5, keep=0.3)
    method = engine.LogLinear(seed=3)
    one = method.stability(table, runs=12)
    assert one.equals(method.stability(table, runs=12, jobs=2))
    assert not one.equals(engine.LogLinear(seed=4).stability(table, runs=12))
    strong = one[one.share == 1.0]
    assert {frozenset(pair) for pair in zip(strong.a, strong.b, strict=True)} >= {frozenset("ab")}
    assert ((one.low <= one.share) & (one.share <= one.high)).all()
    model = edge_set(method.run(table).graph)
    assert {frozenset((row.a, row.b)) for row in one.itertuples() if row.in_model} == model
    seen: list[float] = []
    method.stability(table, runs=3, progress=lambda fraction, words: seen.append(fraction))
    assert seen == sorted(seen) and seen[-1] == 1.0


def test_given_links_are_said_and_drawn_again_without_the_start() -> None:
    """A link to start from has to be found again in every sample; a forced one is always there."""
    data = chain(rows=300, variables=4, seed=2)
    pair = (("a", "d"),)
    for method, share in ((engine.LogLinear(start=pair), 0.0), (engine.LogLinear(forced=pair), 1.0)):
        assert any("1 of the" in note and "given" in note for note in method.run(data).notes())
        table = method.stability(data, runs=10).set_index(["a", "b"])
        assert bool(table.at[("a", "d"), "in_model"])
        assert table.at[("a", "d"), "share"] == share


def test_joint_steps_of_the_exclusive_or() -> None:
    """The two edges of one move are marked; the first of them may cost bits by itself."""
    steps = engine.LogLinear(joint=True).run(exclusive_or()).steps
    together = steps[steps.joint]
    assert len(together) == 2
    assert together.saving_bits.min() < 0 < together.saving_bits.sum()


def test_thin_tables_are_said_where_a_test_rests_on_them() -> None:
    """Under smt, 40 rows over 12 by 2 cells make a test approximate; under mml, and with many rows, nothing is said."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 12, 2000)
    data = engine.Dataset.from_codes(np.array([a, a % 2]), [12, 2], ["a", "b"])
    few = data.rows(np.arange(40))
    said = {
        (criterion, table.n_rows): "rows a cell" in engine.LogLinear(criterion=criterion).run(table).summary()
        for criterion in ("smt", "mml")
        for table in (few, data)
    }
    assert said == {("smt", 40): True, ("smt", 2000): False, ("mml", 40): False, ("mml", 2000): False}


def test_where_most_variables_are_ordered_a_page_that_uses_their_order_is_named() -> None:
    """As items of a questionnaire are; not where they are fewer than half, nor of two levels."""
    codes = np.random.default_rng(1).integers(0, 3, (4, 200))
    kinds = [{f"q{i}": "ordinal" if i < many else "nominal" for i in range(4)} for many in (3, 2)]
    most, half = (engine.LogLinear().run(engine.Dataset.from_codes(codes, [3] * 4, [*own], kinds=own)) for own in kinds)
    assert most.ordered == ("q0", "q1", "q2") and "3 of 4 variables are ordered: read Ordinal" in " ".join(most.notes())
    assert half.ordered == ("q0", "q1") and "are ordered" not in " ".join(half.notes())
    pairs = engine.LogLinear().run(engine.Dataset.from_codes(codes % 2, [2] * 4, [*kinds[0]], kinds=kinds[0]))
    assert pairs.ordered == ()
