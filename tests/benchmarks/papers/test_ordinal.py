"""The study of Luo, Moffa & Kuipers (2021), very small: tables, readings, claims against hand-made rows, commands."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

import engine
from benchmarks.papers.ordinal.bge import by_formula, by_program
from benchmarks.papers.ordinal.claims import claims
from benchmarks.papers.ordinal.draw import drawn, method_of, predicted, recovered, table_called
from benchmarks.papers.ordinal.losses import BEST, REACH, chosen, losses, lower
from benchmarks.papers.ordinal.plan import (
    BDE,
    BGE,
    BGE_ZERO,
    DRAWN,
    GAPS,
    GPC,
    MIXED,
    MMPC,
    MORE_ROWS,
    NETWORK_OF,
    NPC,
    NPC_PCALG,
    OPC,
    OSEM,
    PAPER,
    PREDICTING,
    PUBLISHED,
    THINNED,
    TUNED,
    Plan,
)
from benchmarks.papers.ordinal.printed import ANCHORS, printed
from benchmarks.papers.ordinal.study import OrdinalStudy, blocks_of
from engine.errors import SettingsError
from engine.graphs.dag import Parents
from engine.measures.structure import adjacencies, patterns
from engine.methods.ordinal.held_out_loss import corrected

CELL = (DRAWN, 6, 100, 3)
GRIDS = dict(THINNED)
"""As they are before the tests make them smaller."""
FEW = {OSEM: (3.0,), PUBLISHED: (3.0,), BGE: (0.05, 0.5), BGE_ZERO: (0.5,), BDE: (1.0,)}
FEW |= dict.fromkeys((GPC, OPC, NPC, NPC_PCALG, *MIXED), (0.05,))


@pytest.fixture(scope="module")
def cheap() -> Iterator[None]:
    """Grids of one or two values, for all of this file."""
    with pytest.MonkeyPatch.context() as patch:
        for name, values in FEW.items():
            patch.setitem(THINNED, name, values)  # type: ignore[arg-type]
        for name in PREDICTING:
            patch.setitem(PREDICTING, name, PREDICTING[name][:1])  # type: ignore[arg-type]
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one of the tables: 60 rows of three variables."""
    tmp_path = tmp_path_factory.mktemp("data")
    codes = np.random.default_rng(0).integers(0, 3, (60, 3))
    codes[:, 1] = codes[:, 0]
    pd.DataFrame(codes, columns=["a", "b", "c"]).to_csv(tmp_path / "cmc.csv", index=False)
    return tmp_path


def test_graph_and_weights_are_the_same_for_all_rows_and_levels() -> None:
    """A run is one network: what differs between cells is what the cells are about."""
    one, table = drawn((DRAWN, 8, 200, 3), 1, 0)
    for cell in ((DRAWN, 8, 400, 3), (DRAWN, 8, 200, 5)):
        other, _ = drawn(cell, 1, 0)
        assert other.parents == one.parents
        assert all((a == b).all() for a, b in zip(one.weights, other.weights, strict=True))
    assert drawn((DRAWN, 8, 200, 3), 2, 0)[0].parents != one.parents
    assert drawn((DRAWN, 8, 200, 3), 1, 7)[0].parents != one.parents
    same, gaps = drawn((GAPS, 8, 200, 3), 1, 0)
    assert same.parents == one.parents
    missing = np.array([[str(value) == "missing" for value in gaps[name]] for name in gaps.names])
    assert missing.sum() == 80, "5 % of 1,600 cells"
    known = [[str(value) for value in table[name]] for name in table.names]
    assert (np.array(known)[~missing] == np.array([[str(v) for v in gaps[n]] for n in gaps.names])[~missing]).all()


def test_rates_are_those_of_the_method_on_the_table() -> None:
    """Every approach with every setting, through `engine.Ordinal` itself."""
    rows = list(recovered(CELL, 0, 5, FEW))
    assert [(row["approach"], row["setting"]) for row in rows] == [(a, v) for a, grid in FEW.items() for v in grid]
    model, table = drawn(CELL, 0, 5)
    for row in rows:
        result = method_of(row["approach"], row["setting"]).run(table)
        rates = patterns(result.graph, model.graph)
        assert (row["TPR"], row["FPRp"], row["SHD"]) == (rates.tpr, rates.fprp, rates.distance)
        joined = adjacencies(result.graph, model.graph).overall
        assert row["skeleton SHD"] == joined.wrong + joined.missed and row["skeleton TPR"] == joined.recall
        assert row["true links"] == model.graph.number_of_edges() and row["seconds"] >= 0


def test_names_of_approaches_are_settings_of_the_method() -> None:
    """Each tuned by the setting that decides its links; the thinned grids are points of the paper's."""
    for name, (setting, given) in TUNED.items():
        method = method_of(name, 0.2)
        assert getattr(method, setting) == 0.2
        assert {key: getattr(method, key) for key in given} == given
        assert set(GRIDS[name]) <= set(PAPER[name]) and len(PAPER[name]) == 10
    assert method_of(OSEM, 3.0) == engine.Ordinal(), "the default"


def test_a_loss_held_out_is_that_of_the_method(folder: Path, cheap: None) -> None:
    """Learned from 80 % of the rows, told of the others; equal splits for all approaches."""
    data = table_called("cmc", folder)
    assert set(data.kinds.values()) == {"ordinal"} and data.levels["a"] == ("0", "1", "2")
    rows = list(predicted(data, 60, 1, 0))
    order = np.random.default_rng(np.random.SeedSequence(0, spawn_key=(1,))).permutation(60)
    train, test = data.rows(np.sort(order[12:])), data.rows(np.sort(order[:12]))
    assert [row["approach"] for row in rows] == list(PREDICTING)
    for row in rows:
        if row["approach"] not in NETWORK_OF:
            result = method_of(row["approach"], row["setting"]).run(train)
            assert row["log loss"] == pytest.approx(result.log_loss(test), rel=1e-12)
    assert {row["approach"] for row in rows} > set(NETWORK_OF)


# -- what BGe predicts by ---------------------------------------------------------------------------------------------

MATRIX = np.array([[4.0, 2.0, 1.0], [2.0, 5.0, 3.0], [1.0, 3.0, 6.0]])
NETWORKS: dict[str, tuple[Parents, list[float], list[float]]] = {
    # correlations 0-1, 0-2 and 1-2 by conditional variances, and by the diagonal of the matrix; all worked out by hand
    "one link": (((), (0,), ()), [2 / math.sqrt(20), 0, 0], [2 / math.sqrt(24), 0, 0]),
    "chain": (
        ((), (0,), (1,)),
        [2 / math.sqrt(20), 1.2 / math.sqrt(24), 3 / math.sqrt(30)],
        [2 / math.sqrt(24), 1.2 / math.sqrt(4 * 8.16), 3.6 / math.sqrt(6 * 8.16)],
    ),
    "all": (
        ((), (0,), (0, 1)),
        [2 / math.sqrt(20), 1 / math.sqrt(24), 3 / math.sqrt(30)],
        [2 / math.sqrt(24), 1 / math.sqrt(4 * 8.203125), 3.625 / math.sqrt(6 * 8.203125)],
    ),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_variances_are_conditional_by_the_formula_and_marginal_by_the_program(name: str) -> None:
    """A table of numbers; a network with all links gives the matrix back by the formula only."""
    parents, formula, program = NETWORKS[name]
    upper = np.triu_indices(3, 1)
    assert by_formula(MATRIX, parents)[upper] == pytest.approx(formula)
    assert by_program(MATRIX, parents)[upper] == pytest.approx(program)
    assert (np.diag(by_program(MATRIX, parents)) == 1).all()


def test_conditional_variances_are_those_of_regressions() -> None:
    """Least squares over the rows and one row of the prior for each variable, whose products are the matrix."""
    _, table = drawn((DRAWN, 6, 60, 3), 0, 0)
    score = engine.BGe(am=2.0)
    matrix = score.posterior_matrix(table)
    codes = table.codes.T.astype(float)
    every = np.vstack([codes - codes.mean(axis=0), math.sqrt(2.0 * 2.0 / 3.0) * np.eye(6)])
    assert every.T @ every == pytest.approx(matrix)
    parents: Parents = ((), (0,), (0, 1), (1,), (2, 3), (0, 4))
    slopes, left, all_ = np.zeros((6, 6)), np.zeros(6), np.zeros(6)
    for child, family in enumerate(map(list, parents)):
        weights = np.linalg.lstsq(every[:, family], every[:, child], rcond=None)[0]
        slopes[child, family] = weights
        left[child] = ((every[:, child] - every[:, family] @ weights) ** 2).sum()
        all_[child] = (every[:, child] ** 2).sum()
    spread = np.linalg.inv(np.eye(6) - slopes)
    for variances, way in ((left, by_formula), (all_, by_program)):
        covariance = spread @ np.diag(variances) @ spread.T
        sizes = np.sqrt(np.diag(covariance))
        assert way(matrix, parents) == pytest.approx(covariance / np.outer(sizes, sizes))


def test_only_the_formula_is_the_same_for_a_whole_class() -> None:
    """Of networks with all links, whatever their order, the program makes different correlations."""
    orders = (((), (0,), (0, 1)), ((1, 2), (2,), ()))
    one, other = (by_formula(MATRIX, parents) for parents in orders)
    assert one == pytest.approx(other)
    one, other = (by_program(MATRIX, parents) for parents in orders)
    assert np.abs(one - other).max() > 0.01


# -- readings ---------------------------------------------------------------------------------------------------------


def line(approach: str, setting: float, run: int, tpr: float, fprp: float, **more: object) -> dict[str, object]:
    """A row of ten true links."""
    row: dict[str, object] = {"data": DRAWN, "variables": 12, "rows": 500, "levels": 3.0, "approach": approach}
    row |= {"setting": setting, "run": run, "TPR": tpr, "FPRp": fprp, "SHD": 10 * (1 - tpr + fprp), "true links": 10}
    return row | {"seconds": 1.0} | more


def test_readings_take_the_setting_that_they_say() -> None:
    """The lowest mean SHD; the most links found with a mean FPRp of at most a half, or else the fewest false ones."""
    rows = [line(BGE, 0.1, run, 0.6, 0.1) for run in range(2)] + [line(BGE, 1.0, run, 0.8, 0.4) for run in range(2)]
    rows += [line(BGE, 1.5, run, 0.9, 0.7) for run in range(2)]
    table = pd.DataFrame(rows)
    assert chosen(table, BEST) == 0.1 and chosen(table, REACH) == 1.0
    assert chosen(table[table["setting"] == 1.5], REACH) == 1.5
    found = losses(table, REACH)
    assert list(found) == [(DRAWN, 12, 500, 3)]
    assert found[DRAWN, 12, 500, 3][BGE] == pytest.approx([0.2, 0.2])
    assert losses(table, BEST)[DRAWN, 12, 500, 3][BGE] == pytest.approx([0.5, 0.5])


def test_lower_is_a_paired_t_test() -> None:
    """SciPy's; equal differences are their sign, and no difference is none."""
    rng = np.random.default_rng(0)
    for shift in (0.0, 0.2, 0.5, 1.0):
        one, other = rng.normal(size=12), rng.normal(size=12) + shift
        assert lower(one - other) == (ttest_rel(one, other, alternative="less").pvalue < 0.05)
    assert lower(np.full(3, -0.1)) and not lower(np.full(3, 0.1)) and not lower(np.zeros(5))
    assert not lower(np.array([-1.0]))


def made_up(order: tuple[str, ...], runs: int = 6) -> pd.DataFrame:
    """Rows in which approaches come in an order, more rows and levels help, and more variables do no harm."""
    cells = [(n, rows, 3.0) for n, rows in itertools.product((12, 20), (300, 500, 800))]
    cells += [(20, 500, 2.0), (20, 500, 5.0)]
    rng = np.random.default_rng(1)
    rows = []
    for (n, many, levels), run in itertools.product(cells, range(runs)):
        for place, approach in enumerate(order):
            tpr = 0.9 - 0.12 * place + many / 10_000 + (levels - 3) * (-0.02 if approach == BDE else 0.02)
            tpr += rng.normal(0, 0.005)
            settings = (0.05, 0.3) if approach in (GPC, OPC, NPC) else (3.0,)
            more = {"variables": n, "rows": many, "levels": levels, "seconds": 5.0 if approach == OSEM else 1.0}
            rows += [line(approach, one, run, tpr, 0.05, **more) for one in settings]
    return pd.DataFrame(rows)


def test_what_the_paper_says_is_seen_where_it_is_so() -> None:
    """Under both readings; turned round, what is about the order is not seen."""
    rows = made_up((OSEM, BGE, BDE, GPC, OPC, NPC))
    found = claims(rows)
    papers = [one for one in found if one.where.startswith("Figure")]
    assert len(papers) == 2 * (5 + 1 + 1 + 1 + 4) + 2 + 1
    assert {one.verdict for one in papers} == {"within"}, [one for one in papers if one.verdict != "within"]
    assert len({(one.where, one.sentence) for one in papers}) == (5 + 1 + 1 + 1 + 4) + 1 + 1
    turned = {one.what: one.verdict for one in claims(made_up((NPC, OPC, GPC, BDE, BGE, OSEM)))}
    for pair in (f"{OSEM} less {BGE}", f"{BGE} less {BDE}", f"{GPC} less {OPC}"):
        assert [turned[f"{pair}: {reading}"] for reading in (BEST, REACH)] == ["outside", "outside"]


def test_few_tables_have_no_verdict() -> None:
    """Three tables a claim are too few; counts of cells are what they are."""
    rows = made_up((OSEM, BGE, BDE, GPC, OPC, NPC), runs=1)
    rows = rows[(rows["variables"] == 12) & (rows["levels"] == 3)]
    assert {one.verdict for one in claims(rows) if " less " in one.what} == {"no verdict"}


def test_what_was_to_be_reached_is_held_to_its_bars() -> None:
    """SHD beside the anchors and each rival's best, seconds, and what gaps cost."""
    rows = [line(OSEM, 3.0, run, 0.8, 0.2) for run in range(8)]  # SHD 4
    rows += [line(PUBLISHED, 3.0, run, 0.8, 0.3) for run in range(8)]
    rows += [line(BGE, setting, run, 0.8, fprp) for run in range(8) for setting, fprp in ((0.1, 0.1), (1.0, 0.9))]
    rows += [line(rival, 0.05, run, 0.3, 0.3) for run in range(8) for rival in (BDE, GPC, OPC, NPC)]
    rows += [line(OSEM, 3.0, run, 0.8, 0.35, data=GAPS) for run in range(8)]
    told = {one.what: one for one in claims(pd.DataFrame(rows)) if one.where.startswith("12")}
    anchor = told[f"mean SHD of {OSEM}, penalty 3"]
    assert anchor.ours == "4.00" and anchor.verdict == "within" and f"{ANCHORS[12][OSEM, 3.0][2]:g}" in anchor.said
    assert told[f"CPU seconds of {OSEM}"].verdict == "within"
    slow = claims(pd.DataFrame(rows).assign(seconds=1.5))
    assert next(one for one in slow if one.what == f"CPU seconds of {OSEM}").verdict == "outside"
    behind = told[f"mean SHD of {OSEM}, penalty 3, less that of {BGE} at its best setting"]
    assert behind.ours == "+1.00 (3.00)" and behind.verdict == "outside"
    ahead = told[f"mean SHD of {OSEM}, penalty 3, less that of {PUBLISHED} at its best setting"]
    assert ahead.ours == "-1.00 (5.00)" and ahead.verdict == "within"
    gaps = told[f"mean SHD of {OSEM}, penalty 3, 5 % of the answers missing less none"]
    assert gaps.ours == "+1.50" and gaps.verdict == "outside"


def test_log_losses_are_compared_split_by_split() -> None:
    """By the mean and by the interval over splits that share rows; each approach at its own best setting."""
    rng = np.random.default_rng(2)
    base = rng.normal(10, 1, 6)
    values = {(OSEM, 1.0): base, (BGE, 1.0): base + 0.3 + rng.normal(0, 0.01, 6), (BGE, 3.0): base + 2}
    values |= {(BDE, 20.0): base + rng.normal(-0.01, 0.2, 6)}
    told = {one.what: one for one in claims(predicted_rows("rogers", values))}
    mean, interval = (
        told[f"{OSEM} less {BGE}, nats a row: {what}"] for what in ("the mean (splits below 0)", "95 % interval")
    )
    low, high = corrected(base - values[BGE, 1.0], 0.25)
    assert mean.verdict == interval.verdict == "within" and mean.ours.endswith("(6 of 6)")
    assert mean.sentence == interval.sentence
    assert interval.ours == f"rogers {low:+.3f} to {high:+.3f}"
    assert told[f"{OSEM} less {BDE}, nats a row: 95 % interval"].verdict == "outside"
    behind = predicted_rows("votes", values | {(BGE, 1.0): base - 0.3})
    both = {one.what: one for one in claims(pd.concat([predicted_rows("rogers", values), behind]))}
    turned = both[f"{OSEM} less {BGE}, nats a row: the mean (splits below 0)"]
    assert turned.verdict == "outside" and turned.ours == f"{mean.ours}; votes +0.300 (0 of 6)"


def predicted_rows(name: str, values: dict[tuple[str, float], np.ndarray]) -> pd.DataFrame:
    """Rows of a table with the log losses of approaches at their settings."""
    rows = [
        {"data": name, "variables": 24, "rows": 408, "levels": 4.67, "approach": a, "setting": s, "run": i}
        | {"log loss": one, "seconds": 1.0}
        for (a, s), losses_ in values.items()
        for i, one in enumerate(losses_)
    ]
    return pd.DataFrame(rows)


# -- the whole --------------------------------------------------------------------------------------------------------


def test_a_full_plan_has_the_papers_cells() -> None:
    """Sizes by rows, more numbers of levels, gaps, three densities and new rows; eight of the usual ones."""
    plan = Plan()
    assert len(plan.cells) == 9 + 3 + 1 + 3 + 1 and len(set(plan.cells)) == 17
    blocks = blocks_of(plan, {})
    assert len(blocks) == plan.repeats * 4 + plan.others * 13 and len(set(blocks)) == len(blocks)
    mixed = [cell for cell in plan.cells if MMPC in plan.grids_of(cell)]
    assert mixed == [(DRAWN, 20, 500, 3)]
    assert set(plan.grids_of((MORE_ROWS, 20, 500, 3))) == {OSEM, BGE, BDE}
    assert plan.grids_of((GAPS, 12, 500, 3)) == {OSEM: (3.0,)}
    assert {one[:3] for one in printed(plan)} == {(DRAWN, n, 500) for n in (12, 20, 30)}
    assert Plan(whole=True).grids is PAPER
    assert not list(printed(Plan(sizes=(12,), rows=(300,))))
    assert math.isclose(sum(len(grid) for grid in PAPER.values()), 120)


@pytest.mark.parametrize(
    "wrong",
    [
        {"repeats": 0},
        {"others": 0},
        {"splits": 0},
        {"sizes": [5]},
        {"sizes": [61]},
        {"rows": [49]},
        {"levels": [1]},
        {"sizes": []},
    ],
)
def test_impossible_plans_are_refused(wrong: dict[str, object]) -> None:
    """With a sentence."""
    with pytest.raises(SettingsError, match=r"can be|must be|nothing to run"):
        OrdinalStudy.run(**wrong)  # type: ignore[arg-type]
