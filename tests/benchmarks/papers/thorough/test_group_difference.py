"""The study of Sverchkov & Cooper (2015), very small: scores again by hand, counts, tables, data, the command line."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import wilcoxon

import engine
from benchmarks.papers.__main__ import main
from benchmarks.papers.blocks import SECONDS, Running
from benchmarks.papers.catalog import every_study, study_called
from benchmarks.papers.group_difference import data as data_sets
from benchmarks.papers.group_difference.comparators import COMPARATORS, comparator_scores
from benchmarks.papers.group_difference.held import BLOCK, READINGS, held, of_runs
from benchmarks.papers.group_difference.plan import BOTH, SCORES
from benchmarks.papers.group_difference.printed import AGREEMENT, COUNTS, SPLIT, printed
from benchmarks.papers.group_difference.study import GroupDifferenceStudy, _generators, original
from benchmarks.papers.results import FIGURES, TARGETS, read_results
from benchmarks.papers.writing import shortened
from engine.errors import DataError, SettingsError
from engine.evaluation.baselines import lasso_scores
from engine.graphs.dag import topological_order
from engine.measures.comparing import compare_curves
from engine.measures.curves import auc
from engine.simulation.perturb import KINDS, perturbed_pair
from tests.engine.make import balance_scale

OF_READING = (
    "lasso: mean absolute difference",
    "lasso: mean difference",
    "blocks with the odds ahead, without order",
    "parametric blocks with the odds ahead, without order",
    "structural blocks with the odds ahead, without order",
    "share of blocks with the same one ahead as printed",
    "blocks with the odds ahead, with order",
)
"""What is made of areas alone."""
SMALL = {"draws": [1, 3], "sizes": [200], "pairs": 3, "repeats": 2}


@pytest.fixture(scope="module")
def study() -> GroupDifferenceStudy:
    """balance-scale, both kinds, three pairs, two blocks of each sort."""
    return GroupDifferenceStudy.run(**SMALL)  # type: ignore[arg-type]


def test_every_variable_of_every_pair_is_scored(study: GroupDifferenceStudy) -> None:
    """One row each, no score missing; one draw perturbs one variable, three draws one to three."""
    rows = study.rows
    assert len(rows) == 2 * 2 * 2 * 3 * 5
    keys = ["data", "kind", "draws", "rows", "repeat", "pair"]
    assert not rows.duplicated([*keys, "variable"]).any()
    assert rows[list(study.plan.scores)].notna().all().all()
    perturbed = rows.groupby(keys)["truth"].sum().reset_index()
    assert (perturbed[perturbed["draws"] == 1]["truth"] == 1).all()
    assert perturbed[perturbed["draws"] == 3]["truth"].between(1, 3).all()
    assert set(study.seconds) == {
        "drawing",
        "odds",
        "odds, order",
        "lasso",
        "order of both",
        "chi-squared",
        "other approaches",
    }


def test_a_pair_again_by_hand(study: GroupDifferenceStudy) -> None:
    """The network of the rule, the pair of that seed, and every score of it from the public names."""
    network = original(balance_scale())
    assert network.parents == ((), (0,), (0,), (0,), (0,))
    for_network, for_rows = _generators(0, ("balance-scale", "structural", 3, 200), 1, 2)
    pair = perturbed_pair(network, "structural", 3, for_network)
    data = pair.sample(200, for_rows)
    here = study.rows.query("kind == 'structural' and draws == 3 and repeat == 1 and pair == 2").set_index("variable")
    assert list(here.index) == list(network.names)
    assert here["truth"].tolist() == pair.truth.tolist()
    order = [network.names[i] for i in topological_order(network.parents)]
    of_both = [network.names[i] for i in pair.order]
    assert of_both != order  # or the two readings would not be told apart here
    for what, given in (("odds", None), ("odds, order", order)):
        both = engine.GroupDifference(group="group", order=given).run(data)
        assert np.array_equal(here[what], both.log_odds)
        assert np.array_equal(here[f"{what}, common"], both.with_alignment("common").log_odds)
    assert np.array_equal(here["lasso"], lasso_scores(data, "group", order))
    assert np.array_equal(here["lasso, order of both"], lasso_scores(data, "group", of_both))
    pd.testing.assert_frame_equal(here[list(COMPARATORS)], comparator_scores(data, "group"), check_names=False)
    in_both = engine.GroupDifference(group="group", order=of_both).run(data)
    assert np.array_equal(here["odds, order of both"], in_both.log_odds)


def test_networks_are_the_same_for_all_numbers_of_rows(study: GroupDifferenceStudy) -> None:
    """A larger block perturbs the same variables; another repeat or seed others."""
    larger = GroupDifferenceStudy.run(**{**SMALL, "sizes": [300]}, lasso=False)  # type: ignore[arg-type]
    assert larger.rows["truth"].tolist() == study.rows["truth"].tolist()
    assert not np.array_equal(larger.rows["odds"], study.rows["odds"])
    by_repeat = [study.rows.query("repeat == @which")["truth"].tolist() for which in (0, 1)]
    assert by_repeat[0] != by_repeat[1]
    other = GroupDifferenceStudy.run(**SMALL, lasso=False, seed=1)  # type: ignore[arg-type]
    assert other.rows["truth"].tolist() != study.rows["truth"].tolist()


def test_equal_seeds_equal_scores_on_any_number_of_workers(study: GroupDifferenceStudy) -> None:
    """And without the lasso all other scores are as they were."""
    again = GroupDifferenceStudy.run(**SMALL, lasso=False, running=Running(jobs=2))  # type: ignore[arg-type]
    expected = study.rows.drop(columns=["lasso", *BOTH, SECONDS])
    pd.testing.assert_frame_equal(again.rows.drop(columns=SECONDS), expected, check_exact=True)


def test_a_block_is_one_curve_of_all_its_variables(study: GroupDifferenceStudy) -> None:
    """Areas and DeLong's p from the rows of the block."""
    blocks = study.blocks()
    assert len(blocks) == 8
    line = blocks.query("kind == 'parametric' and draws == 3 and repeat == 0").iloc[0]
    here = study.rows.query("kind == 'parametric' and draws == 3 and repeat == 0")
    assert line["cases"] + line["others"] == len(here) == 15
    for score in study.plan.scores:
        assert line[score] == auc(here[score], here["truth"]).value
    assert line["p, odds, order"] == compare_curves(here["odds, order"], here["lasso"], here["truth"]).p


def test_tables_stand_beside_the_printed_ones() -> None:
    """A made-up study of two printed blocks and one of another size: cells, differences and counts by hand."""
    truth = [True, True, False, False]
    good, bad, even = [4.0, 3.0, 2.0, 1.0], [2.0, 1.0, 4.0, 3.0], [4.0, 2.0, 3.0, 1.0]  # areas 1, 0, 0.75
    parts = []
    for rows, odds, lasso in ((500, good, even), (1000, even, good), (200, bad, good)):
        keys = {"data": "car", "kind": "structural", "draws": 1, "rows": rows, "repeat": 0, "pair": 0}
        scores = {"odds": odds, "odds, common": odds, "odds, order": good, "odds, order, common": good}
        scores |= {"odds, order of both": bad, "lasso, order of both": even}
        part = pd.DataFrame({**keys, "variable": list("abcd"), "truth": truth, **scores, "lasso": lasso})
        parts.append(part.assign(**{"chi-squared": even}, **dict.fromkeys(COMPARATORS, bad)))
    made = GroupDifferenceStudy.run(sizes=[200], draws=[1], pairs=1, repeats=1)
    tables = GroupDifferenceStudy(made.plan, pd.concat(parts, ignore_index=True), {}).tables()
    areas = tables["Areas of the odds"]
    assert areas["paper"].tolist() == ["0.923", "0.937", "–"]
    assert areas["ours"].tolist() == ["1.000", "0.750", "0.000"]
    assert areas["difference"].tolist() == ["+0.077", "-0.187", "–"]
    deviations = tables["Ours less the printed areas"]
    assert deviations["data"].tolist() == ["car", "all"]
    assert deviations["odds: mean"].tolist() == ["-0.055"] * 2
    assert deviations["odds: mean absolute"].tolist() == ["0.132"] * 2
    counts = tables["Odds against lasso"]
    counts, of_both = (counts[counts["lasso"] == which].set_index("odds") for which in ("order", "order of both"))
    assert counts.loc["as published", ["blocks", "ahead", "better", "worse"]].tolist() == [
        3,
        "1",
        "0",
        "0",
    ]  # of four items none
    assert of_both.loc["as published", ["ahead", "ahead by mean area"]].tolist() == ["1", 1]
    assert of_both.loc["order of both", ["ahead", "ahead, paper (of 72)"]].tolist() == ["0", "–"]
    assert counts.loc["order", "ahead by mean area"] == 1
    assert counts.loc["order", "ahead, paper (of 72)"] == 62
    means = tables["Mean area of every approach"].set_index("approach")
    assert means.at["contrast sets", "structural"] == "0.000" and means.at["odds", "blocks with the odds ahead"] == "–"
    assert means.at["contrast sets", "blocks with the odds ahead"] == "2 of 3"
    assert "Held to" not in tables


def test_verdicts_come_with_all_blocks_and_turn() -> None:
    """Areas made to equal the printed ones within rounding are within; lower ones are not."""
    rng = np.random.default_rng(0)
    parts = []
    for (name, kind, draws, rows), cell in printed().items():
        keys = {"data": name, "kind": kind, "draws": draws, "rows": rows, "repeat": 0, "pair": 0}
        scores = {score: _with_area(cell.lasso if "lasso" in score else cell.odds, rng) for score in SCORES}
        parts.append(pd.DataFrame({**keys, "variable": "a", "truth": np.arange(200) < 100, **scores}))
    made = GroupDifferenceStudy.run(sizes=[200], draws=[1], pairs=1, repeats=1)
    rows = pd.concat(parts, ignore_index=True)
    shown = GroupDifferenceStudy(made.plan, rows, {}).tables()["Held to"]
    verdicts = shown.set_index("what")["verdict"]
    first, later = (verdicts[verdicts.index.str.endswith(one.words)] for one in READINGS)
    assert set(later) == {"no verdict"}  # neither a tick nor a miss
    of_table = ["within", "within", "**outside**", "within", "within", "within", "**outside**"]
    assert [first[f"{what}; {READINGS[0].words}"] for what in OF_READING] == of_table
    ours = shown.set_index("what")["ours"]
    figures = ["52", "36", "16", "1.00", "52"]  # the table has 52, the text 53
    for one in READINGS:
        assert [ours[f"{what}; {one.words}"] for what in OF_READING[2:]] == figures
    worse = rows.assign(odds=rows["chi-squared"] * 0)
    assert GroupDifferenceStudy(made.plan, worse, {}).verdicts()["verdict"].tolist()[:2] == ["outside"] * 2
    cells = GroupDifferenceStudy(made.plan, rows, {}).compared()
    assert cells[cells["quantity"].isin(["odds", "lasso"])]["difference"].abs().max() <= 1e-3
    assert cells["printed"].notna().sum() == 3 * 72  # areas of both, and p


def test_the_shipped_verdicts_are_those_of_the_shipped_runs() -> None:
    """Means, counts and agreement by loops over the stored areas; both readings of the order, a line each."""
    run = read_results("group_difference")
    areas: dict[tuple[str, tuple[object, ...]], list[float]] = {}
    for line in run.runs.itertuples():
        areas.setdefault((line.quantity, (line.data, line.kind, line.draws, line.rows)), []).append(line.value)
    ours = {key: sum(values) / len(values) for key, values in areas.items()}

    def ahead(odds: str, lasso: str, kind: str = "") -> int:
        return sum(ours[odds, block] > ours[lasso, block] for block in printed() if block[1].startswith(kind))

    table = run.verdicts.set_index("what")
    both = ("odds, order of both", "lasso, order of both")
    for reading, odds, lasso in (
        ("first reading, order of both networks", *both),
        ("later reading, order of the original", "odds, order", "lasso"),
    ):
        apart = [ours[lasso, block] - cell.lasso for block, cell in printed().items()]
        agree = [
            (ours["odds", block] > ours[lasso, block]) == (cell.odds > cell.lasso) for block, cell in printed().items()
        ]
        expected = {
            "lasso: mean absolute difference": sum(map(abs, apart)) / 72,
            "lasso: mean difference": sum(apart) / 72,
            "blocks with the odds ahead, without order": ahead("odds", lasso),
            "parametric blocks with the odds ahead, without order": ahead("odds", lasso, "parametric"),
            "structural blocks with the odds ahead, without order": ahead("odds", lasso, "structural"),
            "share of blocks with the same one ahead as printed": sum(agree) / 72,
            "blocks with the odds ahead, with order": ahead(odds, lasso),
        }
        assert set(expected) == set(OF_READING)
        for what, value in expected.items():
            assert float(table.at[f"{what}; {reading}", "ours"]) == pytest.approx(value, abs=0.0051), what
    found = [
        table.at[f"blocks with the odds ahead, without order; {one}", "ours"] for one in (r.words for r in READINGS)
    ]
    assert [int(one) for one in found] == [40, 57]
    assert set(table[table.index.str.contains("later reading")]["verdict"]) == {"no verdict"}
    again = pd.DataFrame(held(of_runs(run.runs)))
    assert again.astype(str)["verdict"].tolist() == run.verdicts["verdict"].tolist()
    assert again["sentence"].tolist() == run.verdicts["sentence"].tolist()
    assert again["what"].tolist() == run.verdicts["what"].tolist()
    assert again["ours"].tolist() == run.verdicts["ours"].tolist()
    for line in again.itertuples():
        assert f"| {line.what} | {line.ours} | {line.band} |" in run.page
    assert GroupDifferenceStudy.claim in run.page and GroupDifferenceStudy.reading in run.page


def test_significant_blocks_of_the_shipped_runs_by_loops() -> None:
    """Means over the repeats, the signed rank test over the means, and whether a worse block is structural."""
    run = read_results("group_difference")
    cells: dict[tuple[object, ...], dict[str, float]] = {}
    for line in run.runs.itertuples():
        cells.setdefault((line.data, line.kind, line.draws, line.rows, line.run), {})[line.quantity] = line.value
    ours = run.verdicts.set_index("what")["ours"]
    for reading in READINGS:
        p = "p, odds" if reading.lasso == "lasso" else f"p, odds against {reading.lasso}"
        clear = {key: one["odds"] > one[reading.lasso] for key, one in cells.items() if one[p] < 0.05}
        worse = [key for key, better in clear.items() if not better]
        said = f"{sum(clear.values()) / 3:.1f}, {len(worse) / 3:.1f}"
        assert ours[f"blocks with the odds significantly better, and worse, without order; {reading.words}"] == said
        structural = f"{sum(key[1] == 'structural' for key in worse)} of {len(worse)}"
        what = "structural ones among the blocks with the odds significantly worse, without order"
        assert ours[f"{what}; {reading.words}"] == structural
        apart: dict[tuple[object, ...], list[float]] = {}
        for key, one in cells.items():
            apart.setdefault(key[:4], []).append(one["odds"] - one[reading.lasso])
        p_of_all = wilcoxon([sum(values) / 3 for values in apart.values()]).pvalue
        assert ours[f"signed rank test over the blocks, without order: p; {reading.words}"] == f"{p_of_all:.2g}"


def test_bands_that_were_set_afterwards_are_not_the_papers() -> None:
    """Those on the lasso, on the split by kind and on agreement are targets of ours; the others the paper's."""
    lines = read_results("group_difference").verdicts
    targets = lines[lines["held to"] == TARGETS]["sentence"].unique()
    assert set(targets) == {*OF_READING[:2], *OF_READING[3:6]}
    assert (lines["held to"] == FIGURES)[lines["sentence"].isin([OF_READING[2], OF_READING[6]])].all()


def test_bands_on_our_noise_are_our_noise() -> None:
    """Twice the spread of the counts by kind between our repeats, and how often two repeats agree, by loops."""
    areas = of_runs(read_results("group_difference").runs)
    repeats = [part.set_index(list(BLOCK)) for _, part in areas.groupby("repeat")]
    lasso = READINGS[0].lasso
    ahead = [one["odds"] > one[lasso] for one in repeats]
    agree = [float((a == b).mean()) for a, b in itertools.combinations(ahead, 2)]
    assert round(sum(agree) / len(agree), 2) == AGREEMENT
    spread = [float(np.std([int(one.xs(kind, level="kind").sum()) for one in ahead], ddof=1)) for kind in KINDS]
    assert round(2 * max(spread)) == SPLIT


def _with_area(area: float, rng: np.random.Generator) -> np.ndarray:
    """Scores of 100 cases and 100 others with that area but for one pair in 10,000 or so."""
    wins = round(area * 10_000)
    above = np.full(100, wins // 100) + (np.arange(100) < wins % 100)  # others that each case beats
    return np.concatenate([above - 0.5, np.arange(100)]) + rng.integers(5) * 1000


def test_the_printed_table_counts_as_the_paper_says() -> None:
    """72 blocks; 21 significantly better, 8 worse; ahead in 52, where the text has 53."""
    table = printed()
    assert len(table) == 72
    better = sum(cell.significant and cell.odds > cell.lasso for cell in table.values())
    worse = sum(cell.significant and cell.odds < cell.lasso for cell in table.values())
    assert (better, worse) == (COUNTS["odds"].better, COUNTS["odds"].worse)
    assert sum(cell.odds > cell.lasso for cell in table.values()) == 52
    apart = [cell.odds - cell.lasso for cell in table.values()]
    for how in ("exact", "approx"):
        assert f"{wilcoxon(apart, method=how).pvalue:.4f}" == "0.0002"  # the text: below .0001
    for (name, _, draws, _), cell in table.items():
        if draws == 1 and name in ("balance-scale", "hayes-roth"):  # 20 cases of 100: in steps of 1/3200
            for area in (cell.odds, cell.lasso):
                assert abs(area * 3200 - round(area * 3200)) <= 0.17  # four decimals printed


def test_the_balance_is_the_rule() -> None:
    """625 rows that another version of the rule makes too; 49 in balance."""
    ours, theirs = data_sets.balance_scale(), balance_scale()
    assert ours.fingerprint == theirs.fingerprint
    assert np.bincount(ours.column("class")).tolist() == [49, 288, 288]


def test_tables_come_from_the_folder(tmp_path: Path) -> None:
    """Numbers are nominal; a file that is not there, or has a column too many, is one sentence."""
    lines = [
        "hobby,age,education,marital,class",
        *[f"{i % 3 + 1},{i % 4 + 1},1,{i % 2 + 1},{i % 3 + 1}" for i in range(24)],
    ]
    (tmp_path / "hayes-roth.csv").write_text("\n".join(lines), encoding="utf-8")
    read = data_sets.table("hayes-roth", tmp_path)
    assert read.n_rows == 24 and read.kinds["age"] == "nominal" and read.levels["age"] == ("1", "2", "3", "4")
    with pytest.raises(DataError, match=r"has no car\.csv"):
        data_sets.table("car", tmp_path)
    (tmp_path / "car.csv").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(DataError, match="5 columns; 'car' has 7"):
        data_sets.table("car", tmp_path)
    with pytest.raises(SettingsError, match="--data"):
        data_sets.table("nursery", None)
    with pytest.raises(SettingsError, match="'balance-scale', 'car'"):
        data_sets.table("iris", tmp_path)


@pytest.mark.parametrize(
    "wrong", [{"sets": ["iris"]}, {"kinds": ["x"]}, {"draws": [0]}, {"sizes": []}, {"pairs": 0}, {"repeats": 0}]
)
def test_impossible_plans_are_refused(wrong: dict[str, object]) -> None:
    """Before anything is drawn."""
    with pytest.raises(SettingsError):
        GroupDifferenceStudy.run(**wrong)  # type: ignore[arg-type]


def test_the_command_writes_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few pairs: progress, the page, tables of even width, the tidy table with seed and versions."""
    monkeypatch.setattr(GroupDifferenceStudy, "quick", {"sizes": [500], "pairs": 2, "repeats": 1})
    assert main(["group_difference", "--quick", "--seed", "3", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert "blocks: 6 of 6" in shown.err
    page = (tmp_path / "group_difference.md").read_text(encoding="utf-8")
    assert "2 pairs a block, 1 block of each sort, seed 3" in page
    for title in ("Ours less the printed areas", "Odds against lasso", "Areas of the odds", "Areas of the baselines"):
        part = page.split(f"## {title}\n")[1].split("##")[0]
        assert len({line.count("|") for line in part.splitlines() if line}) == 1
    assert "| balance-scale | structural | 5 | 500 | 0.983 |" in page
    tidy = pd.read_csv(tmp_path / "group_difference.csv")
    assert (tidy["seed"] == 3).all() and (tidy["numpy"] == np.__version__).all()
    assert tidy[SECONDS].between(1e-4, 60).all() and tidy[SECONDS].nunique() == 6
    run = read_results("group_difference", tmp_path)
    assert run.command == "python -m benchmarks.papers group_difference --quick --seed 3 --out FOLDER"
    assert run.scores is not None and run.scores["truth"].tolist() == tidy["truth"].tolist()
    block = run.scores.query("kind == 'structural' and draws == 5")
    cell = run.compared.query("kind == 'structural' and draws == 5 and quantity == 'odds'").iloc[0]
    assert cell["ours"] == pytest.approx(auc(block["odds"], block["truth"]).value)
    assert cell["printed"] == 0.9825


def test_the_command_explains_itself_and_refuses_plainly(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """--help names every option; a table that is not there is one sentence and exit code 2."""
    with pytest.raises(SystemExit) as left:
        main(["group_difference", "--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    for option in ("data", "sets", "quick", "full", "seed", "jobs", "dask", "out"):
        assert f"--{option}" in text
    assert main(["group_difference", "--data", str(tmp_path), "--sets", "car", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("put UCI's table there, or leave 'car' out.\n")


def test_the_command_lists_every_study(capsys: pytest.CaptureFixture[str]) -> None:
    """With its paper; the help of each names it."""
    for slug, study in every_study().items():
        with pytest.raises(SystemExit) as left:
            main([slug, "--help"])
        assert left.value.code == 0 and study_called(slug) is study
        assert f"{study.paper}, again." in " ".join(capsys.readouterr().out.split())


def test_shortened_scores_keep_their_order_and_their_ties() -> None:
    """Within a block; values to a hundredth, signs and zero as they were."""
    rng = np.random.default_rng(3)
    scores = np.concatenate([rng.normal(size=400), rng.normal(size=300) * 1e3, np.repeat([0.0, 0.5, -0.25], 20)])
    blocks = np.array_split(rng.permutation(len(scores)), 3)
    short = shortened(scores, blocks).astype(float)
    for block in blocks:
        assert np.array_equal(np.unique(scores[block], return_inverse=True)[1],
                              np.unique(short[block], return_inverse=True)[1])  # fmt: skip
    assert np.array_equal(np.sign(scores), np.sign(short))
    large = np.abs(scores) > 0.1
    assert np.abs(short[large] / scores[large] - 1).max() < 0.01


def test_a_block_without_others_has_no_area() -> None:
    """Where chance perturbs every variable the cells are dashes, not errors."""
    study = GroupDifferenceStudy.run(sizes=[50], draws=[40], kinds=["parametric"], pairs=1, repeats=1)
    assert study.rows["truth"].all()
    line = study.blocks().iloc[0]
    assert math.isnan(line["odds"]) and math.isnan(line["p, odds"])
    assert study.tables()["Areas of the odds"]["ours"].tolist() == ["–"]
    assert "| – |" in study.markdown()
