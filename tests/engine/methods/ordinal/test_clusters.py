"""Rows that belong together: divided scores and tests, intervals by subject, whole subjects drawn; and half samples."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import engine
from engine.counting.design_effect import design_effect
from engine.graphs.pdag import Pdag
from engine.methods.ordinal import method as ordinal_method
from engine.methods.ordinal.answers import read
from engine.methods.ordinal.effects import link_effects
from engine.methods.ordinal.held_out_loss import held_out_rows
from engine.methods.ordinal.recurrence import HalfSamples, origin_of
from engine.methods.ordinal.rivals import divided_test
from engine.methods.storing import decode, encode
from engine.scores.dirichlet import BDe
from engine.scores.divided import Divided
from engine.scores.gaussian import BGe, GaussianBIC
from engine.search.independence import ChiSquared, FisherZ, Jonckheere
from tests.engine.methods.ordinal.make import chain

METHOD = engine.Ordinal(draws=20, search="exact", seed=3)


def of_subjects(data: engine.Dataset, subjects: np.ndarray) -> engine.Dataset:
    """The same rows, each of a subject."""
    number = np.unique(subjects, return_inverse=True)[1]
    levels = [*(len(data.levels[name]) for name in data.names), int(number.max()) + 1]
    return engine.Dataset.from_codes(
        np.vstack([data.codes, number]),
        levels,
        [*data.names, "patient"],
        kinds=dict.fromkeys(data.names, "ordinal"),
        roles={"patient": "subject"},
    )


def repeated(data: engine.Dataset, times: int) -> engine.Dataset:
    """Every row so often, with its number as the subject."""
    rows = np.repeat(np.arange(data.n_rows), times)
    return of_subjects(data.rows(rows), rows)


def alone(data: engine.Dataset) -> engine.Dataset:
    """The same rows without subjects."""
    return engine.Dataset.from_codes(data.codes, [4] * len(data.names), data.names, kinds=data.kinds)


def unrelated(seed: int, subjects: int = 30, each: int = 10, icc: float = 0.6, variables: int = 2) -> engine.Dataset:
    """Variables of subjects that differ in each of them independently."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(subjects), each)
    own = rng.standard_normal((variables, subjects))[:, who]
    value = math.sqrt(icc) * own + math.sqrt(1 - icc) * rng.standard_normal((variables, len(who)))
    codes = np.digitize(value, [-0.7, 0.0, 0.7])
    data = engine.Dataset.from_codes(codes, [4] * variables, list("abcdef")[:variables])
    return of_subjects(data, who)


@pytest.mark.parametrize("approach", ["osem", "bge", "bic", "bde", "gpc", "opc", "npc", "npc_pcalg", "rpc", "mmpc"])
def test_tripled_rows_tell_what_the_single_table_tells(approach: str) -> None:
    """The same links and intervals, with the row's number as the subject; without it there is more of both."""
    single = chain(120)
    method = replace(METHOD, approach=approach)
    own, tripled = method.run(single), method.run(repeated(single, 3))
    factor = design_effect(single.codes, single.arity, np.arange(120))
    assert tripled.effect == pytest.approx(3 * factor)
    assert {frozenset(pair) for pair, _ in tripled.edge_pairs} == {frozenset(pair) for pair, _ in own.edge_pairs}
    raw = method.run(alone(repeated(single, 3)))
    for pair, one in own.links.items():
        width, wide, narrow = (x.high - x.low for x in (one, tripled.links[pair], raw.links[pair]))
        assert narrow < 0.9 * width
        assert wide == pytest.approx(width, rel=0.35)
        assert wide > 0.9 * width  # never below what independent rows would give


@pytest.mark.parametrize("approach", ["osem", "bge", "bic", "bde", "opc"])
def test_without_subjects_nothing_changes(approach: str) -> None:
    """Each row a subject of its own is no cluster."""
    single = chain(120)
    method = replace(METHOD, approach=approach)
    one, other = method.run(single), method.run(of_subjects(single, np.arange(120)))
    assert (other.effect, other.subjects, other.subject) == (1.0, 0, "")
    assert "effects" not in other.matrices
    assert one.links == other.links
    assert one.criterion == other.criterion or math.isnan(one.criterion)
    assert np.array_equal(one.matrices["fitted"], other.matrices["fitted"])


def test_rivals_of_divided_rows_are_those_of_the_single_table() -> None:
    """Scores and tests of tripled rows divided by 3; that of Jonckheere and Terpstra nearly, by its variance."""
    single = chain(90)
    tripled = single.rows(np.repeat(np.arange(90), 3))
    families = [(0, ()), (0, (1,)), (2, (0, 1)), (3, (0, 1, 2))]
    pairs = [(BGe(0.05), Divided(BGe(0.05), 3.0)), (BDe(1.5), Divided(BDe(1.5), 3.0))]
    pairs.append((BGe(0.5, prior_mean="zero"), Divided(BGe(0.5, prior_mean="zero"), 3.0)))
    pairs.append((GaussianBIC(2.0), Divided(GaussianBIC(2.0), 3.0)))
    for plain, divided in pairs:
        own, its = plain.bind(single), divided.bind(tripled)
        for child, parents in families:
            assert its.local(child, parents) == pytest.approx(own.local(child, parents), rel=1e-9)
            assert its.additions(child, parents)[[x for x in range(4) if x not in (child, *parents)]] == pytest.approx(
                own.additions(child, parents)[[x for x in range(4) if x not in (child, *parents)]], rel=1e-9
            )
    correlation = np.corrcoef(single.codes.astype(float))
    for make, near in ((ChiSquared, 1e-6), (Jonckheere, 0.2), (lambda data: FisherZ(correlation, data.n_rows), 1e-9)):
        own, its = make(single), divided_test(make(tripled), tripled, 3.0)
        for groups in (np.empty((1, 0), dtype=int), np.array([[1], [2]])):
            expected, found = own.p_values(0, 3, groups), its.p_values(0, 3, groups)
            assert found == pytest.approx(expected, rel=near)
            assert not np.allclose(make(tripled).p_values(0, 3, groups), expected, rtol=0.3, atol=0)


def test_the_effect_of_a_link_by_sums_written_out() -> None:
    """The influence of every row on a partial correlation, summed by subject."""
    data = unrelated(0, subjects=12, each=7, variables=3)
    answers = read(data)
    scores = []
    for codes in answers.codes:
        shares = (np.bincount(codes, minlength=4) + 1) / (len(codes) + 4)
        cuts = stats.norm.ppf(np.concatenate([[0.0], shares.cumsum()]).clip(0, 1))
        means = [stats.truncnorm(low, high).mean() for low, high in itertools.pairwise(cuts)]
        scores.append(np.array(means)[codes])
    z = np.array(scores) - np.mean(scores, axis=1, keepdims=True)
    who = answers.data.clusters
    assert who is not None
    for others in ((), (2,)):
        u, v = z[0], z[1]
        for x in others:
            u, v = (one - z[x] * (one @ z[x]) / (z[x] @ z[x]) for one in (u, v))
        u, v = u / u.std(), v / v.std()
        e = u * v - (u @ v) / len(u) * (u**2 + v**2) / 2
        sums = np.array([e[who == c].sum() for c in range(12)])
        slow = 12 / 11 * (sums**2).sum() / (e**2).sum()
        assert link_effects(answers.boxes(), who, [(0, 1, others)]) == pytest.approx([max(slow, 1.0)], rel=1e-3)


def test_intervals_of_links_hold_their_level_by_subject() -> None:
    """Of unrelated variables of subjects the interval holds 0 in nine tenths and more; rows by themselves do not."""
    method = engine.Ordinal(approach="gpc")
    held, raw = 0, 0
    for seed in range(80):
        data = unrelated(seed)
        ours, rows = (method.run(one).links["a", "b"] for one in (data, alone(data)))
        held += ours.low <= 0 <= ours.high
        raw += rows.low <= 0 <= rows.high
    assert held >= 70
    assert raw <= 62


def test_false_links_of_subjects_go_away() -> None:
    """Fewer tables with a link once it is known whose rows they are."""
    method = engine.Ordinal(approach="bge")
    tables = [unrelated(seed, variables=4) for seed in range(25)]
    with_role, without = (sum(method.run(one(data)).n_links > 0 for data in tables) for one in (lambda x: x, alone))
    assert with_role <= without / 2


@pytest.mark.parametrize("name", ["edge_strength", "half_samples"])
def test_whole_subjects_are_drawn(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as they are drawn, with all their rows; and judged by the whole table's design effect."""
    data = of_subjects(chain(90), np.repeat(np.arange(9), [2, 18, 3, 7, 20, 10, 10, 10, 10]))
    code = data.codes.T @ 4 ** np.arange(4)
    expected = [np.bincount(code[np.asarray(data.clusters) == c], minlength=256) for c in range(9)]
    seen: list[np.ndarray] = []

    def looked_at(method: engine.Ordinal, drawn: engine.Dataset, _: object, effect: float | None, starts: int) -> Pdag:
        counts = np.bincount(drawn.codes.T @ 4 ** np.arange(4), minlength=256)
        left = counts.copy()
        members = np.bincount(np.asarray(drawn.clusters))
        seen.append(members)
        assert (effect, starts) == (METHOD.run(data).effect, 1)
        own = [(drawn.codes.T @ 4 ** np.arange(4))[np.asarray(drawn.clusters) == c] for c in range(len(members))]
        for rows in own:
            one = np.bincount(rows, minlength=256)
            assert any(not (one % whole.clip(1)).any() and (one > 0).sum() == (whole > 0).sum() for whole in expected)
            left -= one
        assert not left.any()
        return Pdag([0] * 4, [0] * 4, [0] * 4)

    monkeypatch.setattr(ordinal_method, "class_of", looked_at)
    getattr(METHOD, name)(data, runs=4)
    assert len(seen) == 4
    if name == "half_samples":
        assert {len(one) for one in seen} == {4}


@settings(max_examples=50)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=12), st.floats(0.05, 0.9), st.integers(0, 99))
def test_subjects_are_held_out_whole(sizes: list[int], share: float, seed: int) -> None:
    """About as many rows as asked for, one subject at least and not all."""
    who = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    rng = np.random.default_rng(seed)
    data = of_subjects(engine.Dataset.from_codes(rng.integers(0, 2, (2, len(who))), [2, 2], ["a", "b"]), who)
    held = max(1, round(share * len(who)))
    rows, many = held_out_rows(data, held, np.random.default_rng(seed))
    assert sorted(rows) == list(range(len(who)))
    if data.clusters is not None:
        assert 0 < many < len(who)
        assert not set(who[rows[:many]]) & set(who[rows[many:]])
        assert abs(many - held) <= max(sizes)


def test_rows_of_one_subject_are_refused_where_some_must_be_left_out() -> None:
    """One sentence each."""
    data = of_subjects(chain(40), np.zeros(40))
    method = engine.Ordinal(approach="gpc")
    with pytest.raises(engine.DataError, match="one subject"):
        method.log_loss(data, ["gpc"], repeats=2)
    with pytest.raises(engine.DataError, match="too few"):
        method.half_samples(data, runs=2)


def test_fewer_than_six_subjects_give_no_verdict() -> None:
    """Whatever the rows show: the headline says why, and no pair is claimed."""
    base = chain(300)
    method = engine.Ordinal(approach="gpc")
    many, few = (method.run(of_subjects(base, np.arange(300) % k)) for k in (6, 5))
    assert many.claims().verdict.isin(["yes"]).any()
    assert few.headline() == "Inconclusive: no link can be judged. The rows belong to 5 patients; 6 are needed."
    assert set(few.claims().verdict) == {"cannot tell"}
    assert not any("strongest" in one for one in few.sentences())


def test_what_the_rows_are_worth_is_told_and_stored() -> None:
    """In the notes, the document, the settings; older answers open without."""
    result = METHOD.run(repeated(chain(120), 3))
    worth = round(360 / result.effect)
    said = f"Rows of one 'patient' count together: 360 rows of 120 patients tell as much as about {worth} rows."
    assert result.notes()[0] == said
    document = result.document()["data"]
    assert (document["subject"], document["subjects"], document["design_effect"]) == ("patient", 120, result.effect)
    assert str(worth) in result.table("Settings").value.to_list()
    again = decode(encode(result))
    assert again.links == result.links
    older = encode(result)
    for name in ("effect", "subject", "subjects", "halves"):
        del older[name]
    opened = decode(older)
    assert (opened.effect, opened.subjects, opened.halves) == (1.0, 0, None)


# -- half samples -----------------------------------------------------------------------------------------------------


def test_every_half_is_an_analysis_of_half_the_rows() -> None:
    """As many links as the public method finds in these rows; equal whatever the jobs."""
    data = chain(160)
    found = METHOD.half_samples(data, runs=3)
    ordered = data.rows(np.lexsort(data.select(sorted(data.names)).codes[::-1]))
    links = np.zeros((4, 4), dtype=int)
    for seed in np.random.SeedSequence(3).spawn(3):
        rows = np.sort(np.random.default_rng(seed).permutation(160)[:80])
        for (a, b), _ in METHOD.run(ordered.rows(rows)).edge_pairs:
            i, j = data.index(a), data.index(b)
            links[i, j] += 1
            links[j, i] += 1
    assert np.array_equal(found.links, links)
    assert np.array_equal(found.directed, METHOD.half_samples(data, runs=3, jobs=2).directed)
    with pytest.raises(engine.SettingsError, match="runs"):
        METHOD.half_samples(data, runs=0)


def halves_of(result: object, runs: int, turned: int, gone: int) -> HalfSamples:
    """Networks equal to that of the answer; in some the first arrow is turned, in others its last link is gone."""
    graphs = []
    for k in range(runs):
        graph = Pdag(*(list(x) for x in (result.cpdag.parents, result.cpdag.children, result.cpdag.neighbours)))
        if k < turned:
            source, target = (result.names.index(x) for x in next(p for p, d in result.edge_pairs if d))
            graph.parents[target] &= ~(1 << source)
            graph.children[source] &= ~(1 << target)
            graph.parents[source] |= 1 << target
            graph.children[target] |= 1 << source
        if k < gone:
            a, b = (result.names.index(x) for x in result.edge_pairs[-1][0])
            for masks in (graph.parents, graph.children, graph.neighbours):
                masks[a] &= ~(1 << b)
                masks[b] &= ~(1 << a)
        graphs.append(graph)
    return HalfSamples.of(result.names, graphs, 3, origin_of(result.method, result.fingerprint))


def test_arrows_that_do_not_return_are_lines_everywhere() -> None:
    """In the picture's graph, the table, and the sentences; nine in ten are enough."""
    result = METHOD.run(chain(600))
    assert sum(directed for _, directed in result.edge_pairs) >= 2
    first = next(pair for pair, directed in result.edge_pairs if directed)
    kept = result.with_parts(halves_of(result, 20, turned=2, gone=0))
    lost = result.with_parts(halves_of(result, 20, turned=3, gone=3))
    assert dict(kept.drawn_pairs) == dict(kept.edge_pairs)
    assert not dict(lost.drawn_pairs)[first]
    assert lost.halves is not None
    assert lost.halves.returns(*first) == pytest.approx(0.85)
    graph = lost.graphs()["network"]
    assert graph.has_edge(*first)
    assert graph.has_edge(*first[::-1])
    assert not kept.graphs()["network"].has_edge(*first[::-1])
    table = lost.edge_table().set_index(["source", "target"])
    assert table.loc[first].mark == "--"
    assert table.loc[first].half_way == pytest.approx(0.85)
    assert table.half_share.min() == pytest.approx(0.85)
    assert "half_share" not in result.edge_table()
    arrows = sum(directed for _, directed in result.edge_pairs)
    assert f"{arrows - 1} " in " ".join(lost.sentences())
    assert "a direction that returns in 90\u00a0% of 20 half samples" in " ".join(lost.sentences())
    links = len(result.edge_pairs)
    assert lost.section("strength").sentences == (
        f"With half the rows, which show less, the search finds {links - 1} of the {links} links in 90\u00a0% or more "
        "of 20 samples; the others are pale.",
        f"{arrows - 1} of the {links} links {'keeps' if arrows == 2 else 'keep'} a direction in 90\u00a0% or more of "
        "these; the others are drawn as lines. One table proves no direction.",
    )
    sure = links - len(lost.doubtful_links())
    said = replace(lost, lines=None).section("strength").sentences[0]
    assert said.startswith(f"In all rows {sure} of the {links} links {'is' if sure == 1 else 'are'} beyond chance; ")
    assert f"half the rows show less: {links - 1} return" in said
    assert not any("How sure each link is" in note for note in lost.notes())
    again = decode(encode(lost))
    assert again.drawn_pairs == lost.drawn_pairs
    with pytest.raises(engine.SettingsError, match="other data"):
        METHOD.run(chain(140)).with_parts(lost.halves)
