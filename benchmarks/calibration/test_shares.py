"""What the held-out script calls a miss, and that its generators do what they say."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.calibration import tables
from benchmarks.calibration.group_differences import cells
from benchmarks.calibration.shares import ANY_DIFFERS, CHANCE, DIFFERS_BIN, MET, MISSED, MOVED, Share, pooled


def test_chance_excuses_a_cell_and_not_all_of_them() -> None:
    """Clopper and Pearson's interval by hand: 5 of 100 reaches down to .0164, 7 of 100 to .0286; the bar is .02."""
    shares = [Share("a", ANY_DIFFERS, hits, 100) for hits in (2, 5, 7)]
    assert [one.verdict() for one in shares] == [MET, CHANCE, MISSED]
    assert shares[1].interval == pytest.approx((0.0164, 0.1128), abs=1e-4)
    assert [one.verdict(pooled=True) for one in pooled(shares)] == [MISSED]
    assert [Share("a", MOVED, hits, 100).verdict() for hits in (90, 88, 80)] == [MET, CHANCE, MISSED]
    assert Share("a", MOVED, 10, 100, held=False).verdict() == ""
    assert Share("a", ANY_DIFFERS, 0, 100).interval[0] == 0 and Share("a", ANY_DIFFERS, 100, 100).interval[1] == 1


def test_a_bin_is_held_to_its_mean_probability() -> None:
    """Of 200 said to be .45 probable on average, 110 are within chance of .55, 130 are not; of 99 nothing is said."""
    words = DIFFERS_BIN.format(0.4, 0.5)
    assert [Share("a", words, hits, 200, 90.0).verdict() for hits in (100, 115, 130)] == [MET, CHANCE, MISSED]
    assert Share("a", words, 99, 99, 45.0).verdict() == ""


@pytest.mark.parametrize("draw", [tables.logistic, tables.probit, tables.classes, tables.factors, tables.floors])
def test_rows_have_the_levels_they_are_asked_for(draw: object) -> None:
    """Codes of every generator stay below the most levels, and shares of a network sum to one."""
    generator = np.random.default_rng(1)
    truth = draw(6, (2, 4), generator)
    codes = truth.sample(500, generator)
    assert codes.shape == (6, 500) and codes.min() == 0 and 1 <= codes.max() <= 3
    for table in getattr(truth, "tables", ()):
        assert table.min() > 0 and table.sum(axis=1) == pytest.approx(1)


def test_rows_follow_the_tables() -> None:
    """Shares of a child in every context of its parents, of 100,000 rows."""
    generator = np.random.default_rng(2)
    truth = tables.logistic(5, (2, 3), generator)
    codes = truth.sample(100_000, generator)
    for child, table in enumerate(truth.tables):
        number = truth.contexts(codes, child)
        for context in np.flatnonzero(np.bincount(number, minlength=len(table)) > 5000):
            shares = np.bincount(codes[child, number == context], minlength=table.shape[1]) / (number == context).sum()
            assert shares == pytest.approx(table[context], abs=0.03)


def test_what_is_moved_is_moved_and_nothing_else() -> None:
    """Everywhere, in one context, and of the chain its head."""
    generator = np.random.default_rng(3)
    for _ in range(5):
        one, other, child = tables.moved_everywhere(lambda g: tables.probit(8, (2, 3), g), 0.15, generator)
        change = other.tables[child] - one.tables[child]
        assert np.abs(change).max(axis=1) == pytest.approx(np.full(len(change), 0.15))
        one, other, child = tables.moved_in_one_context(lambda g: tables.logistic(8, (2, 3), g), 0.25, 0.2, generator)
        size = np.abs(other.tables[child] - one.tables[child]).max(axis=1)
        assert sorted(size) == pytest.approx([*[0.0] * (len(size) - 1), 0.25])
        assert all(a is b for i, (a, b) in enumerate(zip(one.tables, other.tables, strict=True)) if i != child)
        one, other = tables.chain(generator)
        assert other.tables[0][0, 0] == pytest.approx(one.tables[0][0, 0] - 0.3)


def test_the_prior_is_drawn_as_it_is_written() -> None:
    """Half of 400 pairs are equal; whether a variable differs is whether its tables do."""
    generator = np.random.default_rng(4)
    pairs = [tables.from_the_prior(5, (2, 3), 0.5, generator) for _ in range(400)]
    assert np.mean([not differs.any() for _, _, differs, _ in pairs]) == pytest.approx(0.5, abs=0.08)
    for one, other, differs, _ in pairs:
        same = [np.array_equal(a, b) for a, b in zip(one.tables, other.tables, strict=True)]
        assert same == (~differs).tolist()


def test_no_two_cells_share_a_name() -> None:
    """Tables are drawn, and kept, by the name of their cell."""
    names = [cell.name for cell in cells()]
    assert len(set(names)) == len(names) == 33
