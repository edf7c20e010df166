"""The study of Burge & Lane (2005), very small: searches against slow versions, claims, verdicts, the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import xlogy
from scipy.stats import ttest_rel

import engine
from benchmarks.papers.__main__ import main
from benchmarks.papers.blocks import SECONDS
from benchmarks.papers.discriminative.claims import Claim, better, claims
from benchmarks.papers.discriminative.conditional import acl_anew, ccl_anew, forced
from benchmarks.papers.discriminative.draw import ORDER, accuracies, draw, generator_of
from benchmarks.papers.discriminative.earlier import EARLIER, HELD, Beside, beside_earlier, runs_there, spread
from benchmarks.papers.discriminative.elr import ascend, cells_of, climb
from benchmarks.papers.discriminative.plan import (
    ALL,
    ANEW,
    BEST_ALONE,
    DIFFERENCES,
    ELR,
    FORCED,
    KEPT,
    LEAST_SQUARES,
    NOISE,
    ONE,
    ROTATED,
    SIZE,
    SIZE_ALL,
    SIZE_ONE,
    TIMES_ACL,
    Plan,
)
from benchmarks.papers.discriminative.printed import printed
from benchmarks.papers.discriminative.study import DiscriminativeStudy
from benchmarks.papers.results import OPEN, SENTENCES, WITHIN, agreements, read_results
from engine.counting.by_group import Slices
from engine.errors import SettingsError
from engine.evaluation.lessons.discriminative import (
    BDE,
    METHODS,
    ML,
    PAIRED,
    SINGLE,
    STEPS,
    TESTED,
    TRAINED,
    ClassSeries,
    method_of,
)
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.structure import fit_pair

SMALL = {"runs": 2, "timed": 1, "differences": [0.05, 0.17], "noises": [0, 80], "nodes": [4], "timed_nodes": [3]}
COLUMNS = len(METHODS) + len(BEST_ALONE) + len(FORCED) + len(LEAST_SQUARES) + len(ELR)
"""Accuracies of a run."""


@pytest.fixture(scope="module")
def study() -> DiscriminativeStudy:
    """Two runs of a few cells."""
    return DiscriminativeStudy.run(**SMALL)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def noisy() -> ClassSeries:
    """A run of eight variables, all disturbed, so that searches do not all find the same."""
    return draw(SIZE_ALL, 8, np.random.default_rng(4))


def test_every_method_is_measured_in_every_run(study: DiscriminativeStudy) -> None:
    """One row each; accuracies are tenths; run times have seconds instead."""
    rows = study.rows
    told = rows[rows["accuracy"].notna()]
    assert len(told) == 2 * COLUMNS * (2 * (2 + 2) + 3)
    assert not rows.duplicated([*study.keys, "run"]).any()
    assert (told["accuracy"] * 2 * TESTED % 1).abs().max() < 1e-9 and told["accuracy"].between(0, 1).all()
    assert set(rows.loc[rows["accuracy"].isna(), "experiment"]) == {ANEW, KEPT}
    assert set(told.loc[told["families"] == ONE, "method"]) == set(BEST_ALONE)
    assert study.rows["seconds"].dropna().ge(0).all() and set(study.seconds) == {"differences", "noise", "size", "time"}


def test_the_first_class_has_the_stronger_link_and_tested_series_are_not_learned_from() -> None:
    """Five of each class to learn from and five to try; transitions stay inside their series."""
    drawn = draw(DIFFERENCES, 0.17, np.random.default_rng(0))
    assert drawn.counted.n_points == 2 * (TRAINED + TESTED) and (drawn.counted.lengths == STEPS - 1).all()
    assert [(drawn.side == one).sum() for one in (0, 1, -1)] == [TRAINED, TRAINED, 2 * TESTED]
    assert ((drawn.side == drawn.truth) | (drawn.side == -1)).all()
    assert (drawn.child, drawn.parent) == (3, 2)
    counts = drawn.counted.counts_by_point(3, (2,)).reshape(-1, 4, 4)
    told = [_information(counts[drawn.truth == one].sum(axis=0)) for one in (0, 1)]
    assert told == pytest.approx([0.22, 0.05], abs=0.03)


def _information(counts: np.ndarray) -> float:
    """Mutual information by the child's entropy."""
    joint = counts / counts.sum()
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    child = joint.sum(axis=0)
    return float(xlogy(joint, joint / product).sum() / -(child * np.log(child)).sum())


@pytest.mark.parametrize("name", [ML, "ACL-Mid", BDE, SINGLE])
def test_an_accuracy_is_that_of_the_method_on_a_table(name: str) -> None:
    """Learned by `run` from the training series, told by `predict` of the others."""
    drawn = draw(NOISE, 40, np.random.default_rng(1))
    slices, p = drawn.counted.slices, drawn.counted.slices.n_variables
    series = slices.before.reshape(p, len(drawn.truth), -1)
    last = slices.after.reshape(p, len(drawn.truth), -1)[:, :, -1:]
    codes = np.concatenate([series, last], axis=2)
    people = [f"S{i:02d}" for i in range(len(drawn.truth))]
    names = ["who", "step", "class", *(f"v{i}" for i in range(p))]

    def table(these: np.ndarray) -> engine.Dataset:
        who, step = (one.ravel() for one in np.indices((len(these), STEPS)))
        columns = np.vstack([these[who], step, drawn.truth[these][who], codes[:, these].reshape(p, -1)])
        levels = [people, range(STEPS), ["a", "b"], *([4] * p)]
        return engine.Dataset.from_codes(columns, levels, names, roles={"who": "subject", "step": "time"})

    settings = {"target": "class", "balance": False, "shuffles": 0, "folds": 2}
    result = engine.Discriminative(**settings, **METHODS[name]).run(table(np.flatnonzero(drawn.side >= 0)))
    tested = np.flatnonzero(drawn.side < 0)
    verdicts = result.predict(table(tested)).set_index("subject")["class"].loc[[people[i] for i in tested]]
    share = float(((verdicts == "b").to_numpy() == drawn.truth[tested]).mean())
    found = {(row["method"], row["families"]): row["accuracy"] for row in accuracies(drawn)}
    assert found[name, ALL] == pytest.approx(share)


@pytest.mark.parametrize("paired", [False, True])
def test_forced_searches_are_those_that_score_every_family_anew(noisy: ClassSeries, paired: bool) -> None:
    """The same parents, and as many families as a search without a memory has to score."""
    p = noisy.counted.slices.n_variables
    fast = forced(noisy.counted, noisy.side, paired=paired)
    slow = ccl_anew(noisy.counted, noisy.side, paired=paired)
    assert np.array_equal(fast.parents, slow.parents)
    assert slow.scored == (p**2 * (p + 1) if paired else p**2 * (2 * p + 1))
    assert not paired or np.array_equal(fast.parents[0], fast.parents[1])
    others, own = (
        np.sum([_likelihood(noisy, net, child, int(x)) for child, x in enumerate(fast.parents[net])], axis=0)
        for net in (0, 1)
    )
    assert np.allclose(fast.scores, own - others)


def _likelihood(drawn: ClassSeries, net: int, child: int, parent: int) -> np.ndarray:
    """(S,) log-likelihood of every series by a family of one class's training series, eps 1."""
    tables = drawn.counted.counts_by_point(child, (parent,)).reshape(-1, 4, 4)
    weights = tables[drawn.side == net].sum(axis=0) + 1.0
    return (tables * np.log(weights / weights.sum(axis=1, keepdims=True))).sum(axis=(1, 2))


def test_elr_climbs_by_the_right_gradient_and_never_down() -> None:
    """Against finite differences, with links and without; many short series cannot be told apart, so it climbs."""
    generator = np.random.default_rng(0)
    arity, many, steps = np.array([3, 2, 4]), 120, 3
    codes = (generator.random((3, many * steps)) * arity[:, None]).astype(np.uint8)
    after = np.where(generator.random(codes.shape) < 0.5, codes, (codes + 1) % arity[:, None]).astype(np.uint8)
    counted = Counted(Slices(codes, after, arity), np.repeat(np.arange(many), steps), many)
    side = np.tile([0, 1, -1], many // 3)
    parents = [[(0,), (), (1,)], [(1,), (2,), ()]]
    nets = [cells_of(counted, one) for one in parents]
    beta = generator.normal(size=sum(cells.counts.shape[1] for cells in nets))
    slope = climb(beta, nets, side)[1]
    for i in range(len(beta)):
        step = np.zeros(len(beta))
        step[i] = 1e-5
        up, down = (climb(beta + sign * step, nets, side)[0] for sign in (1, -1))
        assert slope[i] == pytest.approx((up - down) / 2e-5, rel=1e-5, abs=1e-6)
    ascent, first = ascend(counted, side, parents), ascend(counted, side, parents, steps=1)
    assert ascent.start < first.end < ascent.end - 1 and first.start == ascent.start
    for log, cells in zip(ascent.log_theta, nets, strict=True):
        assert np.add.reduceat(np.exp(log), cells.starts) == pytest.approx(np.ones(len(cells.starts)))
    others, own = (cells.counts @ log for cells, log in zip(nets, ascent.log_theta, strict=True))
    assert np.allclose(ascent.scores, own - others)
    of_own_class = 1 / (1 + np.exp(np.where(side == 1, others - own, own - others)))
    assert ascent.end == pytest.approx(np.log(of_own_class[side >= 0]).sum())


def test_elr_stays_where_the_training_series_are_told_apart_already(noisy: ClassSeries) -> None:
    """Eight variables of 500 steps: nothing is left to climb."""
    found = forced(noisy.counted, noisy.side, paired=True)
    ascent = ascend(noisy.counted, noisy.side, found.parents[:, :, None].tolist())
    assert -1e-3 < ascent.start <= ascent.end <= 0


def test_elr_and_least_squares_have_the_structures_of_the_search(study: DiscriminativeStudy) -> None:
    """The same links in the same runs."""
    by = study.rows.set_index(["experiment", "at", "run", "method"])
    for name, other in (*LEAST_SQUARES.items(), *ELR.items()):
        both = [by[by["families"] == ALL].xs(one, level="method")[["first", "second"]] for one in (name, other)]
        assert len(both[0]) and both[0].equals(both[1])


def test_the_second_generator_has_its_own_tables_and_the_first_ones_runs_do_not_move() -> None:
    """The first class is the same from the same numbers; the second's changed link is as weak, and leans elsewhere."""
    for experiment, at in ((DIFFERENCES, 0.13), (NOISE, 40)):
        first = draw(experiment, at, np.random.default_rng(3))
        second = draw(ROTATED[experiment], at, np.random.default_rng(3))
        assert (first.child, first.parent) == (second.child, second.parent)
        assert not np.array_equal(first.counted.by_point, second.counted.by_point)
    told = draw(ROTATED[DIFFERENCES], 0.13, np.random.default_rng(0))
    counts = told.counted.counts_by_point(3, (2,)).reshape(-1, 4, 4)
    ours = [_information(counts[told.truth == one].sum(axis=0)) for one in (0, 1)]
    assert ours == pytest.approx([0.22, 0.09], abs=0.03)


def test_sentences_are_counted_once_however_often_they_are_read(study: DiscriminativeStudy) -> None:
    """Fewer than lines; what comes of the second generator is in no count."""
    verdicts = study.verdicts()
    verdicts["held to"] = [study.source_of(line.what, line.band) for line in verdicts.itertuples()]
    counted = {one.source: one for one in agreements(verdicts)}
    lines = verdicts[(verdicts["held to"] == SENTENCES) & (verdicts["verdict"] != OPEN)]
    assert counted[SENTENCES].total == lines["sentence"].nunique() < len(lines)
    held = lines[lines["verdict"] == WITHIN]["sentence"].unique()
    assert counted[SENTENCES].supported == len(held)


@pytest.mark.parametrize("name, paired", [(SINGLE, False), (PAIRED, True)])
def test_the_methods_links_are_the_first_of_a_forced_search(noisy: ClassSeries, name: str, paired: bool) -> None:
    """It ends earlier, but moves alike."""
    pair = fit_pair(noisy.counted, noisy.side, method_of(name), noisy.known)
    every = forced(noisy.counted, noisy.side, paired=paired).parents
    links = [
        (net, child, x)
        for net, one in enumerate((pair.others, pair.own))
        for child, parents in enumerate(one.parents)
        for x in parents
    ]
    assert links and all(every[net, child] == x for net, child, x in links)


def test_acl_anew_is_the_methods_structure(noisy: ClassSeries) -> None:
    """Of families with a parent, which all are but by accident."""
    pair = fit_pair(noisy.counted, noisy.side, method_of(ML), noisy.known)
    slow = acl_anew(noisy.counted, noisy.side)
    assert slow.scored == 2 * 8**2
    for net, one in enumerate((pair.others, pair.own)):
        assert [parents[0] for parents in one.parents] == slow.parents[net].tolist()


def test_runs_do_not_depend_on_what_else_is_run(study: DiscriminativeStudy) -> None:
    """A cell by itself has the same accuracies; another seed has others."""
    for seed in (0, 1):
        alone = DiscriminativeStudy.run(runs=2, differences=[0.05], noises=[], nodes=[], timed_nodes=[], seed=seed)
        whole = study.rows[(study.rows["experiment"] == DIFFERENCES) & (study.rows["at"] == 0.05)]
        here = alone.rows[alone.rows["experiment"] == DIFFERENCES]
        shown = [one.drop(columns=[SECONDS]).reset_index(drop=True) for one in (here, whole)]
        both = [one[["run", "method", "families", "accuracy"]] for one in shown]
        assert both[0].equals(both[1]) == (seed == 0)
    assert len({generator_of(0, one, 4, run).random() for one in ORDER for run in range(3)}) == 3 * len(ORDER)


def test_better_is_a_paired_t_test() -> None:
    """One-sided, against SciPy's; runs that are all alike are no evidence, a difference that never changes is."""
    generator = np.random.default_rng(0)
    for _ in range(20):
        one, other = generator.integers(0, 11, (2, 12)) / 10
        assert better(one, other) == (ttest_rel(one, other, alternative="greater").pvalue < 0.05)
    assert not better(one, one) and better(one + 0.1, one) is True and not better(one[:1] + 1, one[:1])


def test_what_the_paper_says_is_alike_where_it_is_so() -> None:
    """Curves drawn as the text has them earn every line; curves of other methods lose theirs."""
    told = _as_told()
    lines = claims(told, {(ANEW, 40.0, ALL, one): np.array([61.0]) for one in (SINGLE, PAIRED)})
    assert [one for one in lines if not one.alike] == []
    judged = [one for one in lines if not one.later]
    assert len(judged) == 32 and len({(one.figure, one.sentence) for one in judged}) == 19
    assert {one.verdict for one in judged} == {WITHIN} and {one.verdict for one in lines if one.later} == {OPEN}
    swapped = {(*cell[:3], {"ACL-Mid": ML, ML: "ACL-Mid"}.get(cell[3], cell[3])): v for cell, v in told.items()}
    missed = [one for one in claims(swapped, {}) if not one.alike]
    assert any(isinstance(one, Claim) and one.what.startswith("ACL-Mid above ACL-ML") for one in missed)
    assert claims({}, {}) == []


def _as_told() -> dict[tuple[str, float, str, str], np.ndarray]:
    """Accuracies of ten runs of every cell, as sections 5.1.1 to 5.1.3 tell them."""
    found = {}

    def add(experiment: str, at: float, **means: float) -> None:
        for name, mean in means.items():
            methods = {"ccl": list(FORCED), "ml": [ML], "mid": ["ACL-Mid", "ACL-Max"], "bde": [BDE]}[name]
            for method in [*methods, *(LEAST_SQUARES[one] for one in methods if one in LEAST_SQUARES)]:
                noise = np.zeros(10) if mean == 1 else np.tile([-0.01, 0.01], 5)
                for here in (experiment, *([ROTATED[experiment]] if experiment in ROTATED else [])):
                    found[here, float(at), ALL, method] = mean + noise

    for c in Plan.differences:
        add(DIFFERENCES, c, ml=1 if c >= 0.114 else 0.85, mid=0.8, bde=0.5)
        add(DIFFERENCES, c, ccl=1 if c >= 0.13 else 0.6 if c > 0.08 else 0.5)
        add(DIFFERENCES, c, mid=0.8 if c <= 0.13 else 1)
    for rho in (0, 20, 80, 100, 300):
        add(NOISE, rho, ml=0.7, mid=0.8, ccl=0.9 if rho else 1, bde=0.5)
    for n in Plan.nodes:
        for experiment in (SIZE_ONE, SIZE_ALL):
            add(experiment, n, ml=1 - n / 100, mid=0.9, ccl=0.93)
        add(SIZE, n, ml=0.98)
    return found


def test_the_independent_program_is_frozen_and_allows_three_standard_errors() -> None:
    """Every cell is one that can be run; both programs spread as ours does, and never by nothing."""
    assert len(EARLIER) == 11 * 6 + 7 * 5 + (7 + 4) * 7
    for (experiment, at, families, method), value in EARLIER.items():
        assert experiment in ORDER and families in (ALL, ONE) and method in METHODS and 0.4 < value <= 1
        assert at in {DIFFERENCES: Plan.differences, NOISE: Plan.noises}.get(experiment, Plan.nodes)
    assert all(any(cell[:2] == (experiment, at) for cell in EARLIER) for experiment in HELD for at in HELD[experiment])
    cell = (DIFFERENCES, 0.10, ALL, ML)
    values = np.tile([0.9, 1.0], 50)
    (one,) = beside_earlier({cell: values, (DIFFERENCES, 0.13, ALL, ML): values})
    expected = 3 * max(values.std(ddof=1), np.sqrt(0.95 * 0.05 / 10)) * np.sqrt(1 / 100 + 1 / 100)
    assert one == Beside(cell, 0.944, pytest.approx(0.95), pytest.approx(expected, rel=1e-2)) and one.alike
    (far,) = beside_earlier({cell: values - 0.1})
    assert not far.alike
    assert spread(np.ones(100)) > 0 and spread(np.ones(1)) > spread(np.ones(100))
    assert [runs_there((one, at, ALL, ML)) for one, at in ((NOISE, 80), (SIZE, 16), (SIZE, 28))] == [50, 30, 20]


def test_cells_have_the_numbers_of_the_text_and_the_means_of_their_runs(study: DiscriminativeStudy) -> None:
    """What the paper prints stands beside every method that it may be of; nothing of the independent program does."""
    cells = study.compared().set_index([*study.keys, "quantity"])
    assert cells.loc[(DIFFERENCES, 0.17, ALL, ML, "accuracy"), "printed"] == 1.0
    assert cells.loc[(DIFFERENCES, 0.05, ALL, BDE, "accuracy"), "printed"] == 0.5
    assert np.isnan(cells.loc[(DIFFERENCES, 0.05, ALL, ML, "accuracy"), "printed"])
    assert set(cells["printed"].dropna()) == {0.5, 1.0}
    means = study.rows.groupby(study.keys)["accuracy"].mean().dropna()
    for key, mean in means.items():
        assert cells.loc[(*key, "accuracy"), "ours"] == pytest.approx(mean)
    assert cells.loc[(ANEW, 3.0, ALL, SINGLE, "families scored"), "ours"] == 9 * 7
    assert (ANEW, 3.0, ALL, ML, TIMES_ACL) not in cells.index
    assert (ANEW, 40, ALL, SINGLE, TIMES_ACL, 60.0) in list(printed(Plan()))
    assert set(study.runs()["run"]) == {"run 1", "run 2"}


def test_tables_and_verdicts_tell_the_same(study: DiscriminativeStudy) -> None:
    """Claims and cells in both; a mean that is moved away turns its verdict."""
    tables, verdicts = study.tables(), study.verdicts()
    lines = pd.concat([tables["The paper's claims"], tables["Beside an independent program"]])
    words = {"alike": "within", "**not**": "outside"}
    assert verdicts["verdict"].tolist() == lines["verdict"].map(lambda word: words.get(word, "no verdict")).tolist()
    rotated = verdicts[verdicts["what"].str.contains("rotated tables")]
    assert len(rotated) and set(rotated["verdict"]) == {"no verdict"}
    what = "differences, c 0.05: ACL-ML"
    assert verdicts.set_index("what").loc[what, "band"].startswith("0.753 ± ")
    rows = study.rows.copy()
    rows.loc[(rows["at"] == 0.05) & (rows["method"] == ML), "accuracy"] = 0.0
    moved = DiscriminativeStudy(study.plan, rows, study.seconds).verdicts().set_index("what")
    assert moved.loc[what, "verdict"] == "outside"
    shown = tables["Smaller differences (Figure 3)"].loc["0.05", "ACL-ML"]
    mean = study.rows.query("experiment == 'differences' and at == 0.05 and method == 'ACL-ML'")
    assert shown.startswith(f"{mean[mean['families'] == ALL]['accuracy'].mean():.3f} (") and shown.endswith("/ 0.753")


@pytest.mark.parametrize(
    "wrong",
    [
        {"runs": 0},
        {"timed": 0},
        {"differences": [0.3]},
        {"noises": [-1]},
        {"nodes": [1]},
        {"differences": [], "noises": [], "nodes": [], "timed_nodes": []},
    ],
)
def test_impossible_plans_are_refused(wrong: dict[str, object]) -> None:
    """Before anything is drawn."""
    with pytest.raises(SettingsError):
        DiscriminativeStudy.run(**wrong)  # type: ignore[arg-type]


def test_the_command_writes_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Progress on standard error, the page printed and in a file; blocks are kept, so again costs nothing."""
    small = {"runs": 1, "differences": [0.17], "noises": [], "nodes": [], "timed_nodes": []}
    monkeypatch.setattr(DiscriminativeStudy, "quick", small)
    for _ in range(2):
        assert main(["discriminative", "--out", str(tmp_path)]) == 0
        shown = capsys.readouterr()
        page = (tmp_path / "discriminative.md").read_text(encoding="utf-8")
        assert shown.out == page and "## The paper's claims" in page
    run = read_results("discriminative", tmp_path)
    assert run.slug == "discriminative" and set(run.verdicts["verdict"]) <= {"within", "outside", "no verdict"}
    assert run.done == "Here: 1 run of every cell, each of fresh networks, and 3 of run times. Seed 0."
