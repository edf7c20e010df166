"""What the rows say of a pair: Bayes factor, p, largest shift and the three states, written again by hand."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

import engine
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.message import largest_shift, log_bayes_factor
from engine.methods.log_linear.pair_evidence import PairState, pair_of
from engine.methods.log_linear.pair_screening import Rule, beyond_chance, rules_of, screen_pairs
from tests.engine.methods.log_linear.make import chain, counter, groups, named


def sequential(data: engine.Dataset, names: list[str], ess: float) -> float:
    """ln of the probability of a table's rows one after another: (ess/cells + seen like it) / (ess + seen)."""
    cells = math.prod(len(data.levels[name]) for name in names)
    seen: Counter = Counter()
    total = 0.0
    for i, row in enumerate(zip(*[data.column(name).tolist() for name in names], strict=True)):
        total += math.log((ess / cells + seen[row]) / (ess + i))
        seen[row] += 1
    return total


@pytest.mark.parametrize("given", [[], ["c"], ["c", "d"]])
@pytest.mark.parametrize("ess", [1.0, 4.0])
def test_the_bayes_factor_is_that_of_the_rows_one_by_one(given: list[str], ess: float) -> None:
    """The clique against its two parts given the separator, each predicted row by row."""
    data = groups(90, 4, 3)
    counts = Counts(data)
    place = counts.names.index
    slow = sequential(data, [*given, "a", "b"], ess) - sequential(data, [*given, "a"], ess)
    slow -= sequential(data, [*given, "b"], ess)
    slow += sequential(data, given, ess) if given else 0.0
    table = counts.margin([place(name) for name in [*given, "a", "b"]])
    assert log_bayes_factor(table, counts.arity, ess) == pytest.approx(slow, abs=1e-9)


def test_the_bayes_factor_is_the_difference_of_two_bdeu_families() -> None:
    """b with its parents c and a against b with c alone: the project's own score says the same."""
    data = groups(200, 4, 5)
    counts = Counts(data)
    table = counts.margin([counts.names.index(name) for name in "cab"])
    score = engine.BDeu(ess=1.0)
    families = score.family(data, "b", ["c", "a"]) - score.family(data, "b", ["c"])
    assert log_bayes_factor(table, counts.arity) == pytest.approx(families, abs=1e-9)


def test_the_largest_shift_by_hand() -> None:
    """Shares line by line, either way round; the bound lies above it and closes in on it with the rows."""
    data = groups(150, 3, 8)
    counts = Counts(data)
    both = counter(data, ["a", "b"])
    found = 0.0
    for x, y, flip in (("a", "b", False), ("b", "a", True)):
        for level, one, two in itertools.product(range(len(data.levels[y])), *[range(len(data.levels[x]))] * 2):
            shares = []
            for line in (one, two):
                cell = (level, line) if flip else (line, level)
                total = counter(data, [x])[(line,)]
                shares.append(both[cell] / total if total else math.nan)
            gap = abs(shares[0] - shares[1])
            found = max(found, gap if math.isfinite(gap) else 0.0)
    shift, high = largest_shift(counts.margin((0, 1)), counts.names, 0)
    assert shift == pytest.approx(found)
    assert high > shift
    rng = np.random.default_rng(0)
    wide = Counts(named(rng.integers(0, 2, (2, 20_000)), [2, 2]))
    assert largest_shift(wide.margin((0, 1)), wide.names, 0)[1] < 0.05


def test_every_pair_has_its_own_test() -> None:
    """G and its p by loops where cells are many; what is no more than chance is so by Bonferroni."""
    data = groups(3000, 5, 2)
    counts = Counts(data)
    screening = screen_pairs(counts, 0)
    for a, b in itertools.combinations(range(5), 2):
        names = [counts.names[a], counts.names[b]]
        one, two, both = (counter(data, x) for x in (names[:1], names[1:], names))
        g = 2 * sum(k * math.log(k * 3000 / (one[cell[:1]] * two[cell[1:]])) for cell, k in both.items())
        df = (len(one) - 1) * (len(two) - 1)
        assert screening.alone(b, a, 5) == pytest.approx(chi2.logsf(g, df) / math.log(10), rel=1e-6, abs=1e-9)
    assert beyond_chance(math.log10(0.05 / 10), 10)
    assert not beyond_chance(math.log10(0.0051), 10)
    assert not beyond_chance(math.nan, 10)


def test_three_states_of_a_pair() -> None:
    """A chain: neighbours are linked, ends need no link and yet are associated; a stranger shows nothing."""
    base = chain(800, 3, keep=0.7)
    stranger = np.random.default_rng(9).integers(0, 3, (1, 800))
    result = engine.LogLinear().run(named(np.vstack([base.codes, stranger]), [3] * 4))
    states = {pair: pair_of(result, *pair).state for pair in itertools.combinations("abcd", 2)}
    assert states == {
        ("a", "b"): PairState.LINKED, ("b", "c"): PairState.LINKED, ("a", "c"): PairState.NOT_NEEDED,
        ("a", "d"): PairState.NOT_SEEN, ("b", "d"): PairState.NOT_SEEN, ("c", "d"): PairState.NOT_SEEN,
    }  # fmt: skip
    said = result.independence("a", "c")
    assert "The model has no link between them; in it they meet only by way of b." in said
    assert "A link, given b, is not worth its 12 parameters at 800 rows." in said
    assert "Yet alone the two are associated (p\u00a0<\u00a0.001)" in said
    assert "very strong evidence for a link" in result.independence("a", "b")
    assert "Alone the two show no more than chance does" in result.independence("a", "d")
    assert "independent" not in " ".join(result.independence(a, b) for a, b in itertools.permutations("abcd", 2))


def test_what_a_link_would_cost_is_said_only_where_it_was_asked() -> None:
    """Not of a forbidden pair, nor beyond the largest clique, nor of a model made by hand."""
    data = chain(800, 3, keep=0.7)
    for method in (engine.LogLinear(forbidden=(("a", "c"),)), engine.LogLinear(max_clique=2)):
        assert "not worth" not in method.run(data).independence("a", "c")
    found = engine.LogLinear().run(data)
    assert "not worth" not in found.edited(data, remove=[("a", "b")]).independence("a", "c")
    assert "does not pass the test" in engine.LogLinear(criterion="smt").run(data).independence("a", "c")


def test_claims_are_yes_no_or_cannot_tell() -> None:
    """A link beyond chance is a yes; a link that was only forced is not; no is said where a shift is improbable."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, (4, 6000))
    codes[1] = np.where(rng.random(6000) < 0.3, codes[0], codes[1])
    result = engine.LogLinear(forced=(("c", "d"),)).run(named(codes, [2] * 4))
    claims = result.claims().set_index("about")
    assert claims.verdict["a -- b"] == "yes"
    assert claims.verdict["c -- d"] == "cannot tell"
    assert claims.verdict["a -- c"] == "no"
    assert (claims.high > claims.effect).all()
    assert result.doubtful_links() == [("c", "d")]
    assert result.headline().endswith("Chance alone could show 1 link.")
    few = engine.LogLinear().run(named(codes[:, :60], [2] * 4)).claims()
    assert "no" not in set(few.verdict)


def test_copies_and_determined_columns_are_found() -> None:
    """A copy with other names, a coarser column, and one that breaks its rule in a few rows; nothing by luck."""
    rng = np.random.default_rng(3)
    a, free = rng.integers(0, 4, 600), rng.integers(0, 3, 600)
    nearly = np.where(np.arange(600) < 4, 1 - (a > 1), a > 1)
    rare = (np.arange(600) < 3).astype(int)
    number = np.arange(600) % 200
    data = named(np.array([a, 3 - a, nearly, free, rare, number]), [4, 4, 2, 3, 2, 200])
    assert set(rules_of(data)) == {Rule("a", "b", True, 0), Rule("a", "c", False, 4), Rule("b", "c", False, 4)}
    result = engine.LogLinear().run(data)
    assert result.screening.rules == rules_of(data)
    assert result.notes()[0].startswith("b is a copy of a, or the same in other names; a determines c but for 4 rows;")
    assert rules_of(data.select(["d", "e", "f"])) == ()


def test_a_strong_test_of_a_small_difference_says_that_it_is_small() -> None:
    """The effect comes before the p: many rows make a difference of 4 percentage points certain, not large."""
    x = np.repeat([0, 1], 20_000)
    y = np.tile(np.r_[np.zeros(10_000, int), np.ones(10_000, int)], 2)
    y[20_000:21_600] = 1
    small = engine.LogLinear().run(named(np.vstack([x, y]), [2, 2]))
    assert small.headline().endswith("otherwise, a small difference (8 percentage points).")
    assert small.sentences()[0] == "a with b: p\u00a0<\u00a0.001."
    y[20_000:24_000] = 1
    large = engine.LogLinear().run(named(np.vstack([x, y]), [2, 2]))
    assert large.headline().endswith("otherwise.")
