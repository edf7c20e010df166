"""The study of Petitjean et al. (2014), very small: measures against a slow version, claims, and the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import engine
from benchmarks.papers.__main__ import main
from benchmarks.papers.log_linear.plan import JOINT, METHODS, SMALL_SIZES, UNDERFLOW
from benchmarks.papers.log_linear.printed import JOINT as JOINT_ELSEWHERE
from benchmarks.papers.log_linear.printed import NO_FALSE, REFERENCES
from benchmarks.papers.log_linear.study import LogLinearStudy, UnderflowingChi2, _edges, _generators
from benchmarks.papers.results import OPEN, OUTSIDE, WITHIN, read_results
from engine.errors import SettingsError
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import Chi2, SearchState
from engine.simulation.associations import LEVELS, nine_variables

SMALL = {"sizes": [3_000, 10_000], "levels": ["binary"], "methods": ["mml", JOINT, "kl"], "sets": 1, "small_sets": 1}


@pytest.fixture(scope="module")
def study(request: pytest.FixtureRequest) -> LogLinearStudy:
    """One model of each kind, two levels, three methods; D1 and D2 without their largest sizes."""
    patch = pytest.MonkeyPatch()
    request.addfinalizer(patch.undo)
    patch.setitem(SMALL_SIZES, "D1", (10, 100, 1_000))
    patch.setitem(SMALL_SIZES, "D2", (1_000, 30_000))
    return LogLinearStudy.run(**SMALL)  # type: ignore[arg-type]


def test_a_row_again_by_hand(study: LogLinearStudy) -> None:
    """D2 with its first rows, MML: the same edges out of the model of that seed."""
    for_model, for_rows = _generators(0, (2, list(LEVELS).index("binary"), 0))
    model = nine_variables("binary", for_model)
    codes = model.sample_codes(30_000, for_rows)
    for size in (1_000, 30_000):
        data = engine.Dataset.from_codes(codes[:, :size], [2] * 9, model.names)
        found = {tuple(sorted(edge)) for edge in engine.LogLinear().run(data).graph.edges}
        line = study.rows.query("data == 'D2' and method == 'mml' and rows == @size").iloc[0]
        assert line["edges"] == len(found)
        assert line["false"] == len(found - model.edges)


def test_kl_overfits_and_mml_does_not(study: LogLinearStudy) -> None:
    """The paper's first claim: KL saturates D1 and D2 and is wrong in most edges of D3; MML makes no false edge."""
    by = study.rows.set_index(["data", "rows", "method"])
    assert by.loc[("D1", 1_000, "kl"), "edges"] == 3
    assert by.loc[("D2", 30_000, "kl"), "edges"] == 36
    assert by.loc[("D3", 10_000, "kl"), "edges"] == 590
    assert by.loc[("D3", 10_000, "kl"), "fdr"] > 0.5
    assert study.rows[study.rows["method"] == "mml"]["false"].sum() == 0


def test_tables_have_a_verdict_on_every_claim(study: LogLinearStudy) -> None:
    """Claims first; means and cells are those of the rows."""
    tables = study.tables()
    claims = tables["The paper's claims"]
    assert set(claims["verdict"]) <= {"alike", "**not**"}
    line = claims[(claims["data"] == "D3, binary") & claims["what"].str.startswith("mml: false edges")].iloc[0]
    assert line["ours"] == "0 in 2 selections" and line["verdict"] == "alike"
    joint = tables["Two edges at once (D3)"]
    assert list(joint["rows"]) == ["3,000", "10,000"]
    assert joint["elsewhere"].iloc[1] == "0.094 → 0.134"
    large = study.rows.query("data == 'D3' and method == 'kl' and rows == 10_000").iloc[0]
    cell = tables["D3, binary: edges, of these false; FDR"].loc["kl", "10,000"]
    assert cell == f"{large['edges']:.1f}, {large['false']:.1f}; {large['fdr']:.3f}"
    assert "D1, binary: recall; F" not in tables


def test_a_false_edge_turns_a_verdict(study: LogLinearStudy) -> None:
    """With one false edge of MML the claim that it makes none no longer holds."""
    rows = study.rows.copy()
    which = rows.query("data == 'D3' and method == 'mml'").index[0]
    rows.loc[which, "false"] += 1
    claims = LogLinearStudy(study.plan, rows, 0.0).tables()["The paper's claims"]
    line = claims[(claims["data"] == "D3, binary") & claims["what"].str.startswith("mml: false edges")].iloc[0]
    assert line["verdict"] == "**not**"


def test_a_sentence_on_two_methods_needs_both_in_one_reading(study: LogLinearStudy) -> None:
    """Levels and either p are its readings; a false edge of the underflowing test turns the lines that it is in."""
    here = study.rows[study.rows["method"] == "mml"]
    copies = [here.assign(method=name, levels=kind) for name in ("mml", "chi2", UNDERFLOW) for kind in LEVELS]
    rows = pd.concat(copies, ignore_index=True).assign(false=0)
    rows.loc[(rows["data"] == "D3") & (rows["method"] == UNDERFLOW) & (rows["levels"] == "mixed"), "false"] = 1
    plan = replace(study.plan, levels=tuple(LEVELS))
    lines = LogLinearStudy(plan, rows, {}).verdicts().set_index("sentence")
    none = lines.loc["Figure 4a: MML and chi-squared make no false edge on D3"]
    assert len(none) == 2 * len(LEVELS)
    assert list(none.loc[none["verdict"] == OUTSIDE, "what"]) == [
        f"D3, mixed: mml and {UNDERFLOW}: false edges, all sizes"
    ]
    needed = lines.loc["Figure 4b: MML and chi-squared: rows for F of 90 %, of the sizes tried"]
    assert set(needed["band"]) == {"150,000; more than 500,000"} and set(needed["verdict"]) == {OUTSIDE}


def test_the_printed_figures_name_what_there_is() -> None:
    """Methods, levels and shares that exist, each once."""
    assert len({(one.method, one.levels, one.rows) for one in REFERENCES}) == len(REFERENCES)
    for one in REFERENCES:
        assert one.method in METHODS and one.levels in LEVELS and 0 < one.recall <= 1 and 0 < one.tolerance < 0.2
    assert all(method in METHODS and levels in LEVELS for method, levels, _ in NO_FALSE)
    assert all(single < both for single, both in JOINT_ELSEWHERE.values())


def test_the_underflowing_test_is_the_exact_one_while_p_is_not_zero() -> None:
    """Equal ranks above 1e-10; below 1e-17 fewest degrees of freedom first, then the largest G, and always taken."""
    data = nine_variables("binary", np.random.default_rng(0)).sample(100, np.random.default_rng(0))
    exact, published = (kind(Counts(data), 0.001) for kind in (Chi2, UnderflowingChi2))
    information, degrees = np.array([0.5, 3.0, 12.0]), np.array([1.0, 4.0, 2.0])
    assert np.allclose(exact.rank(information, degrees), published.rank(information, degrees), rtol=1e-5)
    strong = published.rank(np.array([100.0, 200.0, 5_000.0]), np.array([1.0, 1.0, 4.0]))
    assert strong[1] > strong[0] > strong[2]
    late = SearchState(step=200, candidates=11_000, pairs=11_175, edges=199)
    assert published.margin(float(strong[2]), late) > 0
    assert exact.margin(float(exact.rank(np.array([100.0]), np.array([1.0]))[0]), late) < 0


def test_both_chi_squared_tests_agree_on_weak_data() -> None:
    """With few rows nothing underflows, so the edges are the same."""
    model = nine_variables("ternary", np.random.default_rng(5))
    data = model.sample(3_000, np.random.default_rng(6))
    assert _edges("chi2", data) == _edges(UNDERFLOW, data) != set()


@pytest.mark.parametrize(
    "wrong", [{"sets": 0}, {"small_sets": 0}, {"sizes": [0]}, {"levels": ["four"]}, {"methods": ["x"]}, {"methods": []}]
)
def test_impossible_plans_are_refused(wrong: dict[str, object]) -> None:
    """Before anything is drawn."""
    with pytest.raises(SettingsError):
        LogLinearStudy.run(**wrong)  # type: ignore[arg-type]


def test_the_command_writes_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without D3: progress on standard error, the page printed and in a file, a table of even width."""
    small = {"sizes": [], "levels": ["ternary"], "methods": ["mml", "ah"], "small_sets": 1}
    monkeypatch.setattr(LogLinearStudy, "quick", small)
    assert main(["log_linear", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    page = (tmp_path / "log_linear.md").read_text(encoding="utf-8")
    assert shown.out == page and "models: 2 of 2" in shown.err
    assert "## The paper's claims" in page and "| D1, ternary | mml: false edges | never |" in page
    assert "D3" not in page.split("## The paper's claims")[1]
    widths = {line.count("|") for line in page.split("## The paper's claims")[1].split("##")[0].splitlines() if line}
    assert widths == {6}
    run = read_results("log_linear", tmp_path)
    assert run.verdicts["what"].str.startswith("D").all()
    later = run.verdicts["what"].str.contains(": ah:")
    assert later.any() and set(run.verdicts["verdict"][later]) == {OPEN}
    assert set(run.verdicts["verdict"][~later]) <= {WITHIN, OUTSIDE}


def test_cells_have_the_figures_of_the_text(study: LogLinearStudy) -> None:
    """Recovered shares at 100,000 rows beside recall and F, missed and false edges at 10^6; other cells have none."""
    larger = study.rows.replace({"rows": {3_000: 100_000, 10_000: 1_000_000}, "method": {JOINT: "chi2, 1 - P"}})
    study = LogLinearStudy(study.plan, larger, study.seconds)
    said = study.compared().dropna(subset="printed")
    assert len(said) == 2 * 2 + 2 * 2  # two methods with a figure, two measures at either size
    shares = said[said["quantity"].isin(["recall", "f"])]
    assert (shares["rows"] == 100_000).all() and set(shares["data"]) <= {"D3"}
    assert (shares["printed"] == shares["method"].map({"mml": 0.66, "chi2": 0.49, "chi2, 1 - P": 0.49})).all()
    counts = said[said["quantity"].isin(["missed", "false"])]
    assert (counts["rows"] == 1_000_000).all()
    runs = study.runs().query("quantity == 'recall' and data == 'D3' and method == 'mml'")
    cells = study.compared().query("quantity == 'recall' and data == 'D3' and method == 'mml'")
    means = runs.groupby(["levels", "rows"])["value"].mean()
    for _, cell in cells.iterrows():
        assert cell["ours"] == pytest.approx(means[cell["levels"], cell["rows"]])


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is computed, with exit code 2."""
    file = tmp_path / "file"
    file.touch()
    assert main(["log_linear", "--out", str(file / "folder")]) == 2
    assert capsys.readouterr().err == f"The folder '{file / 'folder'}' cannot be made; choose another one with --out.\n"
