"""Counts of all pairs: kept or not, in stripes, with weights from a table or worked out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import engine
from engine.methods.log_linear import counts as pairs_module
from engine.methods.log_linear import counts as weights_module
from engine.methods.log_linear.counts import Counts, PairCounts
from tests.engine.methods.log_linear.make import named


def mixed(rows: int = 150) -> engine.Dataset:
    """Levels from 1 to 5, names not in alphabetical order."""
    rng = np.random.default_rng(3)
    levels = [3, 1, 5, 2, 4, 2]
    return named(np.array([rng.integers(0, r, rows) for r in levels]), levels, "fbdaec")


def by_rows(data: engine.Dataset, x: int, y: int) -> list[list[int]]:
    """The table of two variables."""
    table = np.zeros((int(data.arity[x]), int(data.arity[y])), dtype=int)
    np.add.at(table, (data.codes[x], data.codes[y]), 1)
    return table.tolist()


def test_tables_and_levels_follow_from_the_kept_counts() -> None:
    """Either way round, for variables of one level too; there is none before the pairs are counted."""
    data = mixed()
    pairs = PairCounts(data)
    assert pairs.table(0, 2) is None
    list(pairs.blocks(weights_module.entropy_terms(data.n_rows)))
    for x, y in itertools.permutations(range(6), 2):
        table = pairs.table(x, y)
        assert table is not None and table.tolist() == by_rows(data, x, y)
    assert [one.tolist() for one in pairs.levels] == [
        np.bincount(data.codes[x], minlength=r).tolist() for x, r in enumerate(data.arity)
    ]


def test_levels_alone_count_no_pairs() -> None:
    """A question about single variables does not count all pairs."""
    pairs = PairCounts(mixed())
    assert [int(one.sum()) for one in pairs.levels] == [150] * 6
    assert not pairs.counted


@pytest.mark.parametrize("most", [0, 5000])
@pytest.mark.parametrize("stripe", [1, 5, 128])
@pytest.mark.parametrize("lines", [1, 64])
def test_information_does_not_hang_on_how_it_is_cut(
    most: int, stripe: int, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal bits for pairs that are kept and that are not, in wide and narrow stripes."""
    data = mixed()
    expected = [Counts(data).all_pairs(weigh(data.n_rows)) for weigh in (weights_module.log_factorials,
                                                                         weights_module.entropy_terms)]  # fmt: skip
    monkeypatch.setattr(pairs_module, "MOST_KEPT", most)
    monkeypatch.setattr(pairs_module, "_STRIPE", stripe)
    monkeypatch.setattr(pairs_module, "_LINES", lines)
    counts = Counts(data)
    assert counts.pairs.small == (most > 0)
    for weights, known in zip((counts.log_factorials, counts.entropy_terms), expected, strict=True):
        assert counts.all_pairs(weights).tolist() == known.tolist()
    assert counts.pairs.counted == (most > 0)


@pytest.mark.parametrize("most", [0, 5000])
def test_weights_that_are_worked_out(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a table of weights the information is the same but for the last digits."""
    data = mixed()
    counts = Counts(data)
    known = [counts.all_pairs(counts.log_factorials), counts.all_pairs(counts.entropy_terms)]
    monkeypatch.setattr(weights_module, "MOST_TABLED", 10)
    monkeypatch.setattr(pairs_module, "MOST_KEPT", most)
    again = Counts(data)
    assert isinstance(again.log_factorials, weights_module.Computed)
    for weights, expected in zip((again.log_factorials, again.entropy_terms), known, strict=True):
        assert again.all_pairs(weights) == pytest.approx(expected, abs=1e-9)
