"""The generators do what they say, by plain tests on the tables; and two commits are set side by side as told."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from benchmarks.calibration.numbers import __main__ as program
from benchmarks.calibration.numbers import cells, kept, measuring
from benchmarks.calibration.numbers import generators as draw
from benchmarks.calibration.numbers.kept import Kept
from benchmarks.calibration.shares import CHANCE, MET, MISSED

NUMBER = {"target": "number"}


def halves(drawn: draw.Drawn, name: str) -> tuple[np.ndarray, np.ndarray]:
    """A column in the first group, and in the second."""
    column = drawn.frame[name]
    return tuple(column[drawn.frame[draw.GROUP] == group].to_numpy() for group in (draw.FIRST, draw.SECOND))


def effects(move: draw.Move, rows: int, more: Mapping[str, object]) -> list[tuple[float, ...]]:
    """(difference of means in SD of the first group, ratio of SDs, p of t, of KS, of thirds) of every table."""
    generator = np.random.default_rng(0)
    found: list[tuple[float, ...]] = []
    for _ in range(60):
        drawn = cells._moved(move, rows, more, generator)
        a, b = halves(drawn, drawn.moved[0])
        third = np.quantile(np.concatenate([a, b]), [1 / 3, 2 / 3])
        counts = np.array([np.bincount(np.searchsorted(third, one), minlength=3) for one in (a, b)])
        found.append(
            (
                (b.mean() - a.mean()) / a.std(),
                b.std() / a.std(),
                stats.ttest_ind(a, b).pvalue,
                stats.ks_2samp(a, b).pvalue,
                stats.chi2_contingency(counts).pvalue,
            )
        )
    return found


def test_noise_has_mean_0_and_variance_1() -> None:
    for name, shape in draw.SHAPES.items():
        values = shape(np.random.default_rng(0), 400_000)
        assert values.mean() == pytest.approx(0, abs=0.01), name
        assert values.std() == pytest.approx(1, abs=0.03), name


def test_a_moved_number_is_moved_by_what_is_said() -> None:
    """.3 SD of 500 is found by a t test (.01) in 98 %, 1.5 SDs by their ratio; else means and thirds are alike."""
    size, ratio, t, _, _ = np.array(effects(partial(draw.shifted, 0.3), 500, NUMBER)).T
    assert size.mean() == pytest.approx(0.3, abs=0.03) and ratio.mean() == pytest.approx(1, abs=0.03)
    assert stats.norm.sf(2.58 - 0.3 * np.sqrt(250)) == pytest.approx(0.985, abs=0.003) and (t < 0.01).mean() > 0.9
    size, ratio, t, _, _ = np.array(effects(partial(draw.spread, 1.5), 200, NUMBER)).T
    assert size.mean() == pytest.approx(0, abs=0.05) and ratio.mean() == pytest.approx(1.5, abs=0.06)
    size, _, _, _, _ = np.array(effects(partial(draw.raised, 0.06, 3.0), 500, NUMBER)).T
    assert size.mean() == pytest.approx(0.18, abs=0.03)
    size, _, t, ks, thirds = np.array(effects(draw.inside, 1000, NUMBER)).T
    assert np.abs(size).mean() < 0.12 and (thirds < 0.05).mean() < 0.12 and (ks < 0.05).mean() > 0.6
    size, ratio, _, _, thirds = np.array(
        effects(draw.humped, 500, {**NUMBER, "shapes": ("normal",), "own": (0.02, 0.1)})
    ).T
    assert size.mean() == pytest.approx(0, abs=0.03) and ratio.mean() == pytest.approx(1, abs=0.03)
    assert (thirds < 0.05).mean() > 0.8


def test_fifteen_points_at_a_cut_point_are_the_largest_difference() -> None:
    generator = np.random.default_rng(1)
    apart = []
    for move in (partial(draw.transferred, 0.15), partial(draw.shifted, 0.378)):
        for _ in range(3):
            drawn = cells._moved(move, 40_000, {**NUMBER, "shapes": ("normal",)}, generator)
            apart.append(stats.ks_2samp(*halves(drawn, drawn.moved[0])).statistic)
    assert apart == pytest.approx([0.15] * 6, abs=0.015)


def test_levels_are_moved_by_what_is_said() -> None:
    """Ten points of one level of four; fifteen from one to another; the ordered score by .3 SD."""
    generator = np.random.default_rng(2)
    for points, levels in ((0.1, 4), (0.15, 0)):
        move = partial(draw.level_up if levels else draw.between_two, points)
        for _ in range(5):
            drawn = cells._moved(move, 30_000, {"target": "nominal", "levels": levels, "own": (0.02, 0.06)}, generator)
            a, b = halves(drawn, drawn.moved[0])
            names = sorted(set(a))
            change = [float((b == name).mean() - (a == name).mean()) for name in names]
            assert max(change) == pytest.approx(points, abs=0.015)
            assert (len(names) == 4 or not levels) and (levels or min(change) == pytest.approx(-points, abs=0.015))
    p = []
    for _ in range(40):
        drawn = cells._moved(partial(draw.shifted, 0.3), 500, {"target": "ordered"}, generator)
        order = draw.ORDERED[drawn.moved[0]]
        p.append(
            stats.mannwhitneyu(*([order.index(one) for one in half] for half in halves(drawn, drawn.moved[0]))).pvalue
        )
    assert (np.array(p) < 0.01).mean() > 0.8


def test_contexts_differ_by_their_points() -> None:
    generator = np.random.default_rng(3)
    for points in ((0.3, 0, 0, 0, 0, 0), (0.17, -0.17, -0.17, 0.17)):
        truth = draw.Contexts.drawn(points, generator)
        frame = truth.frame(draw.groups(60_000, 60_000), generator)
        by = ["severity" if len(points) == 6 else "insurance", "sex", draw.GROUP]
        share = (frame["readmitted"] == "yes").groupby([frame[one] for one in by]).mean().unstack()
        assert (share["B"] - share["A"]).to_numpy() == pytest.approx(points, abs=0.02)
    assert truth.difference("insurance = public, sex = male, pain = none") == 0.17
    assert truth.difference("sex = male") == pytest.approx(0.0) and truth.difference("pain = none") == pytest.approx(0)


@pytest.mark.parametrize("name", ["normal", "skewed", "heaped", "20:1", "r .9", "subtypes", "gaps", "subjects"])
def test_where_nothing_differs_plain_tests_find_it_as_often_as_by_chance(name: str) -> None:
    """KS of numbers, chi2 of levels, at .05, over all columns of 30 tables; subjects' rows are alike, so not there."""
    generator, p = np.random.default_rng(4), []
    cell = next(one for one in cells._nulls() if one.name.startswith(f"null, {name}"))
    for _ in range(30):
        drawn = cell.measure.args[0](generator)  # type: ignore[attr-defined]
        for column in drawn.frame.columns.drop([draw.GROUP, "patient"], errors="ignore"):
            known = drawn.frame.dropna(subset=[column])
            if column in draw.NUMBERS:
                a, b = halves(draw.Drawn(known), column)
                p.append(stats.ks_2samp(a, b).pvalue)
            else:
                counts = known.groupby([draw.GROUP, column]).size().unstack(fill_value=0)
                p.append(stats.chi2_contingency(counts).pvalue)
    share = (np.array(p) < 0.05).mean()
    assert share > 0.12 if name == "subjects" else share < 0.1


def test_followers_differ_only_through_what_moves() -> None:
    """Of x and a follower given x: a linear or binned regression on x and the group finds no group."""
    generator = np.random.default_rng(5)
    for follow in (cells._curved, cells._unequal, cells._step, cells._count, cells._floor, cells._three, cells._far):
        second = draw.groups(50_000, 50_000)
        x, y, *_ = follow(second, generator)
        edges = np.unique(np.quantile(x, np.linspace(0, 1, 200)))
        bin_of = np.searchsorted(edges, x)
        mean = np.bincount(bin_of, y) / np.maximum(np.bincount(bin_of), 1)
        rest = y - mean[bin_of]
        inner = (x > edges[2]) & (x < edges[-3])
        assert abs(rest[inner & second].mean() - rest[inner & ~second].mean()) < 0.03, follow
        assert abs(x[second].mean() - x[~second].mean()) > 0.1
    zeros = cells._count(draw.groups(50_000, 1), generator)[0] == 0
    assert zeros.mean() == pytest.approx(0.6, abs=0.01)


def test_a_table_is_the_same_whatever_the_number_and_a_run_goes_on(tmp_path: Path) -> None:
    """Three tables, then five: the first three are read, not drawn again."""
    file = tmp_path / "one.json"
    cell = next(one for one in cells.cells() if one.name.startswith("followers: x moves"))
    first = Kept("one", 1)
    program.run(cell, 3, first, file, jobs=1)
    again = Kept.read(file)
    assert again.tables == first.tables
    again.tables[cell.name][1] = (7, {measuring.FOLLOWER: (1, 1, 0.0)})
    shares = program.run(cell, 5, again, file, jobs=1)
    assert shares[0].of == 5 and again.tables[cell.name][1][0] == 7
    lines = list(kept.beside(again, first, [cell.name]))
    assert "1 tables were drawn otherwise" in lines[2]
    assert f"| {measuring.FOLLOWER} | 2 |" in lines[3]


def test_a_change_on_the_same_tables_is_judged_by_those_that_changed() -> None:
    """Of 100 tables 20 were lost and 2 won: 18 points; an interval that ends beyond 5 points is a miss."""
    low, high = kept.change(20, 2, 100)
    assert low < -0.18 < high < -0.05
    assert kept._verdict("a", measuring.CONTEXT, -0.18, low, high) == MISSED
    assert kept._verdict("a", measuring.CONTEXT, -0.08, *kept.change(14, 6, 100)) == CHANCE
    assert kept._verdict("a", measuring.CONTEXT, 0.0, *kept.change(3, 3, 100)) == MET
    assert kept._verdict("COMPARE 1, x", "another 'differs' or 'probably differs'", 0.18, 0.12, 0.22) == MISSED
    assert kept._verdict("COMPARE 1, x", "no role: any called", 0.18, 0.12, 0.22) == ""


def test_every_bar_has_a_cell_and_no_two_cells_share_a_name() -> None:
    """Tables are drawn, and kept, by the name of their cell."""
    names = [cell.name for cell in cells.cells()]
    assert len(set(names)) == len(names)
    assert all(bar.low is not None or bar.high is not None for bar in measuring.BARS.values())


def test_what_is_said_to_be_equivalent_needs_overall() -> None:
    class Said:
        def __init__(self, text: str) -> None:
            self.text = text

        def summary(self) -> str:
            return self.text

        def sentences(self) -> list[str]:
            return [self.text]

        headline = summary

    for text, bare in (
        ("Equivalent within ±10 percentage points: age.", 1),
        ("Equivalent overall, ±10 percentage points: age. x", 0),
        ("No difference seen, which does not make them equivalent: sex.", 0),
    ):
        assert measuring.bare_equivalent(measuring.Answer(Said(text), None)) == bare  # type: ignore[arg-type]
