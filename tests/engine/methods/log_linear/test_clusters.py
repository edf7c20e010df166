"""Rows that belong together: counts divided by the design effect, whole subjects drawn, no verdict from too few."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import chi2 as chi_squared

import engine
from engine.counting.design_effect import design_effect
from engine.methods.log_linear import counts as weights
from engine.methods.log_linear.pair_evidence import PairState, pair_of
from engine.methods.log_linear.thin_tables import drawn_log_p, is_thin, strata
from engine.telling.log_linear.power import trust
from tests.engine.methods.log_linear.make import chain, groups, named


def with_subjects(data: engine.Dataset, subjects: np.ndarray) -> engine.Dataset:
    """The same rows, each of a subject."""
    codes = np.vstack([data.codes, np.unique(subjects, return_inverse=True)[1]])
    levels = [*(len(data.levels[name]) for name in data.names), len(set(subjects.tolist()))]
    return engine.Dataset.from_codes(codes, levels, [*data.names, "clinic"], roles={"clinic": "subject"})


def repeated(data: engine.Dataset, times: int) -> engine.Dataset:
    """Every row so often, with its number as the subject."""
    rows = np.repeat(np.arange(data.n_rows), times)
    return with_subjects(data.rows(rows), rows)


def null_clinics(seed: int, subjects: int, rows: int, spread: float, variables: int = 5) -> engine.Dataset:
    """Yes/no columns whose shares differ between subjects, independently of one another."""
    rng = np.random.default_rng(seed)
    share = 1 / (1 + np.exp(-rng.normal(0, spread, (variables, subjects))))
    who = np.repeat(np.arange(subjects), rows)
    return with_subjects(named((rng.random((variables, len(who))) < share[:, who]).astype(int), [2] * variables), who)


@pytest.mark.parametrize("criterion", ["mml", "bic", "smt", "chi2", "ah"])
def test_tripled_rows_tell_what_the_single_table_tells(criterion: str) -> None:
    """Their row number as the subject: n is divided by 3 n / (n - 1), and every length and p follows."""
    single = groups(400, 6, 3)
    own, tripled = (engine.LogLinear(criterion=criterion).run(one) for one in (single, repeated(single, 3)))
    assert set(tripled.graph.edges) == set(own.graph.edges)
    own_effect = design_effect(single.codes, single.arity, np.arange(400))
    assert tripled.effect == pytest.approx(3 * own_effect, rel=1e-9)
    assert tripled.size == pytest.approx(400 / own_effect)
    assert tripled.message["total"].to_numpy() == pytest.approx(own.message["total"].to_numpy(), rel=0.01)
    assert tripled.steps.G.to_numpy() == pytest.approx(own.steps.G.to_numpy() / own_effect, rel=1e-9)


def test_lengths_of_divided_counts_written_out() -> None:
    """Message, G, p and Bayes factor of every edge, from sums of ln Gamma over counts divided by the effect."""
    data = null_clinics(1, 30, 20, 0.8)
    linked = np.array(data.codes)
    linked[1] = np.where(np.random.default_rng(2).random(600) < 0.5, linked[0], linked[1])
    data = with_subjects(named(linked, [2] * 5), np.repeat(np.arange(30), 20))
    result = engine.LogLinear(joint=False).run(data)
    d = result.effect
    assert d > 1.05
    n = 600 / d
    whole = 10.0
    for number, (step, found) in enumerate(zip(result.accepted, result.entries, strict=True)):
        *given, a, b = step.table.variables
        tables = [step.table.over(group).counts / d for group in ((*given, a, b), given, (*given, a), (*given, b))]
        length = [math.lgamma(n + 1) - gammaln(one + 1).sum() for one in tables]
        information = -(length[0] + length[1] - length[2] - length[3])
        degrees = 2.0 ** len(given)
        graph = math.log((whole - number) / (number + 1))
        assert found.message.total == pytest.approx(graph + math.log(n + 1) * degrees - information, abs=1e-8)
        assert step.margin == pytest.approx(-found.message.total, abs=1e-6)
        g = 2 * sum(sign * (one * np.log(one)).sum() for sign, one in zip((1, 1, -1, -1), tables, strict=True))
        assert found.statistic == pytest.approx(g, abs=1e-8)
        assert found.log10_p == pytest.approx(chi_squared.logsf(g, degrees) / math.log(10), rel=1e-6)
        cells = [2.0 ** len(group) for group in ((*given, a, b), given, (*given, a), (*given, b))]
        bayes = [
            gammaln(1) - gammaln(1 + n) + (gammaln(1 / m + one) - gammaln(1 / m)).sum() if m > 1 else 0.0
            for m, one in zip(cells, tables, strict=True)
        ]
        stand = result.support_of(step.table)
        assert stand.log_bayes_factor == pytest.approx(bayes[0] + bayes[1] - bayes[2] - bayes[3], abs=1e-8)
    assert len(result.accepted) == 1
    saved = sum(found.saving_bits for found in result.entries)
    assert result.message["total"].diff().iloc[1] == pytest.approx(-saved)


@pytest.mark.parametrize("criterion", ["mml", "bic", "smt", "ah", "kl"])
@pytest.mark.parametrize("joint", [False, True])
def test_without_subjects_nothing_is_divided(criterion: str, joint: bool) -> None:
    """Each row a subject of its own is no cluster, and gives the same to the last bit."""
    if joint and criterion not in ("mml", "bic"):
        return
    single = groups(300, 6, 5)
    apart = with_subjects(single, np.arange(300))
    one, other = (engine.LogLinear(criterion=criterion, joint=joint).run(data) for data in (single, apart))
    assert (other.effect, other.subjects, other.subject) == (1.0, 0, "")
    assert one.steps.equals(other.steps)
    assert one.message.equals(other.message)


def test_weights_of_divided_counts() -> None:
    """A table, or worked out where they are asked for, as for whole counts; ln n! that of the Gamma function."""
    counts = np.array([0, 1, 7, 100, -1])
    for table, shared, slow in (
        (weights.log_factorials, weights.shared_log_factorials, lambda k: math.lgamma(k + 1)),
        (weights.entropy_terms, weights.shared_entropy_terms, lambda k: k * math.log(k) if k else 0.0),
    ):
        expected = [slow(k / 2.5) for k in (0, 1, 7, 100, 100)]
        assert table(100, 2.5)[counts] == pytest.approx(expected, abs=1e-12)
        assert shared(100, 2.5)[counts] == pytest.approx(expected, abs=1e-12)
    computed = weights.Computed(weights._log_factorial, 100, 2.5)
    assert computed[counts] == pytest.approx(weights.log_factorials(100, 2.5)[counts])


def test_the_pruning_of_joint_moves_holds_for_divided_counts() -> None:
    """The information of x given S is at most w() - w(x), also where counts are no whole numbers."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        table = rng.integers(0, 12, rng.integers(2, 4, 3))
        w = weights.log_factorials(int(table.sum()), float(rng.uniform(1, 9)))
        s, sx, sy = table.sum(axis=(1, 2)), table.sum(axis=2), table.sum(axis=1)
        information = w[table].sum() + w[s].sum() - w[sx].sum() - w[sy].sum()
        assert information <= w[table.sum()] - w[table.sum(axis=(0, 2))].sum() + 1e-9


def test_false_links_of_clinics_go_away() -> None:
    """Shares that differ between subjects link nothing within them; the role takes such links away."""
    method = engine.LogLinear(criterion="bic")
    tables = [null_clinics(seed, 60, 10, 2.0) for seed in range(20)]
    with_role = sum(method.run(data).chosen.n_edges > 0 for data in tables)
    without = sum(method.run(named(data.codes, [2] * 5)).chosen.n_edges > 0 for data in tables)
    assert without >= 12
    assert with_role <= 5


def test_draws_for_thin_tables_have_divided_margins() -> None:
    """p by all tables with the divided margins, written out; one table of the same size by itself gives it too."""
    table = np.array([[12, 0], [6, 12]])
    half = sum(
        sign * (one[one > 0] * np.log(one[one > 0])).sum()
        for sign, one in ((1, table), (1, table.sum(keepdims=True)), (-1, table.sum(axis=0)), (-1, table.sum(axis=1)))
    )
    k = np.arange(0, 5)  # rows 4 and 6, columns 6 and 4, of 10
    cells = np.stack([k, 4 - k, 6 - k, k])
    log_p = gammaln(5) + gammaln(7) + gammaln(7) + gammaln(5) - gammaln(11) - gammaln(cells + 1).sum(axis=0)
    g = (cells * np.log(np.maximum(cells, 1))).sum(axis=0) + 10 * math.log(10) - 2 * (4 * math.log(4) + 6 * math.log(6))
    exact = float(np.exp(log_p)[g >= half / 3 - 1e-9].sum())
    found = math.exp(drawn_log_p([table], np.random.default_rng(0), hits=20_000, most=20_000, effect=3.0))
    assert found == pytest.approx(exact, abs=0.015)
    assert 0.05 < exact < 0.6
    assert drawn_log_p([table], np.random.default_rng(0), effect=29.0) == 0.0


def test_tables_are_thin_by_divided_counts() -> None:
    """Five expected rows of six that tell as much as one are few."""
    even = [np.full((2, 2), 30)]
    assert not is_thin(even)
    assert is_thin(even, 7.0)
    data = repeated(chain(60, 3), 8)
    result = engine.LogLinear(criterion="smt").run(data)
    assert is_thin(strata(result.accepted[0].table), result.effect)
    assert any("few rows a cell" in note for note in result.notes())


def test_fewer_than_six_subjects_give_no_verdict() -> None:
    """Whatever the rows show: the headline says why, and no pair is claimed."""
    base = chain(600, 4, keep=0.8)
    many, few = (engine.LogLinear().run(with_subjects(base, np.arange(600) % k)) for k in (6, 5))
    assert many.claims().verdict.isin(["yes"]).any()
    assert few.headline() == "Inconclusive: no link can be judged. The rows belong to 5 clinics; 6 are needed."
    assert set(few.claims().verdict) == {"cannot tell"}
    assert set(few.doubtful_links()) == set(few.edge_values)
    assert pair_of(few, "a", "b").state == PairState.UNDECIDED
    assert few.independence("a", "b") == "a and b: inconclusive. The rows belong to 5 clinics; 6 are needed."
    assert not any("evidence" in one for one in few.sentences())


def test_what_the_rows_are_worth_is_told() -> None:
    """In the notes, in the document, in the table of settings; before the run in how strong a link must be."""
    data = repeated(chain(400, 3), 4)
    result = engine.LogLinear().run(data)
    worth = round(1600 / result.effect)
    assert f"Rows of one 'clinic' count together: 1,600 rows of 400 clinics tell as much as about {worth} rows." in (
        result.notes()
    )
    document = result.document()["data"]
    assert (document["subject"], document["subjects"]) == ("clinic", 400)
    assert document["design_effect"] == result.effect
    assert str(worth) in result.table("Settings").value.to_list()
    alone, together = (trust(one, "mml", 0.05, joint=False) for one in (named(data.codes, [3] * 3), data))
    points = [float(said.split(" percentage points more common")[0].rsplit(" ", 1)[1]) for said in (alone, together)]
    assert points[1] > 1.5 * points[0]


def test_whole_subjects_are_drawn() -> None:
    """Copies with their row as subject come back as rarely as the rows would; copies drawn one by one do not."""
    rng = np.random.default_rng(4)
    weak = rng.integers(0, 2, (2, 150))
    weak[1] = np.where(rng.random(150) < 0.30, weak[0], weak[1])
    single = named(weak, [2, 2])
    method = engine.LogLinear(criterion="bic")
    own = method.stability(single, runs=100)
    tripled = method.stability(repeated(single, 3), runs=100)
    raw = method.stability(named(repeated(single, 3).codes, [2, 2]), runs=100)
    assert abs(float(tripled.share.iloc[0]) - float(own.share.iloc[0])) <= 0.1
    assert float(raw.share.iloc[0]) > float(own.share.iloc[0]) + 0.1


def test_an_edge_by_hand_has_the_price_of_the_search() -> None:
    """What if, residuals and a model by hand count as the search does."""
    data = null_clinics(7, 40, 10, 1.0)
    result = engine.LogLinear(joint=False).run(data)
    refused = result.refused.iloc[0]
    price = result.what_if(data, refused.a, refused.b)
    assert price.saving_bits == pytest.approx(refused.saving_bits)
    edited = result.edited(data, add=[(refused.a, refused.b)])
    assert edited.effect == result.effect
    assert edited.message_length.total - result.message_length.total == pytest.approx(
        -price.saving_bits * math.log(2), abs=1e-6
    )
    raw = (
        engine.LogLinear(joint=False)
        .run(named(data.codes, [2] * 5))
        .edited(named(data.codes, [2] * 5), add=[(refused.a, refused.b)])
    )
    pair = (refused.a, refused.b)
    with_role = edited.residuals(pair, without=pair).adjusted
    assert with_role.to_numpy() * math.sqrt(edited.effect) == pytest.approx(raw.residuals(pair, without=pair).adjusted)


def test_it_is_stored_and_older_answers_open() -> None:
    """All of it comes back; an answer from before has effect 1 and no subjects."""
    from engine.methods.storing import decode, encode

    result = engine.LogLinear().run(repeated(chain(100, 3), 3))
    again = decode(encode(result))
    assert (again.effect, again.subject, again.subjects) == (result.effect, "clinic", 100)
    assert again.headline() == result.headline()
    older = encode(result)
    for name in ("effect", "subject", "subjects", "missing"):
        del older[name]
    assert (decode(older).effect, decode(older).subjects) == (1.0, 0)
    broken = encode(result) | {"effect": 0.5}
    with pytest.raises(engine.DataError):
        decode(broken)
