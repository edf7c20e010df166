"""The study of Jabbari et al. (2018), very small: shapes, averages against a slow version, and the command line."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.papers.__main__ import main
from benchmarks.papers.blocks import SECONDS, Running
from benchmarks.papers.instance_specific.printed import BANDS, COUNTS, RATES, RATIO, TABLES, printed
from benchmarks.papers.instance_specific.study import InstanceSpecificStudy
from benchmarks.papers.results import read_results
from engine.errors import SettingsError

SEARCHES = 2 + 2 * 2  # GES with and without the shortcut; two modes with two kappas


@pytest.fixture(scope="module")
def study() -> InstanceSpecificStudy:
    """2 networks, 3 patients each, 10 variables."""
    return InstanceSpecificStudy.run(networks=2, instances=3, rows=300, variables=10, arcs=[12], kappas=[0.1, 0.9])


def test_every_search_is_measured_on_every_patient(study: InstanceSpecificStudy) -> None:
    """One row each, no measure out of its range."""
    assert len(study.rows) == 2 * 3 * SEARCHES
    assert not study.rows.duplicated(["arcs", "network", "patient", "search", "kappa"]).any()
    rates = study.rows[[f"{kind} {rate}" for kind in ("adjacency", "arrowhead") for rate in RATES[:6]]]
    assert ((rates >= 0) & (rates <= 1) | rates.isna()).all(axis=None)
    assert (study.rows[list(COUNTS)].sum(axis=1) == study.rows["distance"]).all()
    found = study.rows[study.rows["search"].isin(["order_kept", "published"])]
    assert np.isfinite(found[[RATIO, "held-out gain"]]).all(axis=None)


def test_averages_against_a_loop(study: InstanceSpecificStudy) -> None:
    """Per network: means that leave out what is not a number; F is made of mean precision and recall."""
    networks = study.by_network()
    assert len(networks) == 2 * SEARCHES
    for _, line in networks.iterrows():
        same = [
            row
            for _, row in study.rows.iterrows()
            if row["network"] == line["network"]
            and row["search"] == line["search"]
            and (row["kappa"] == line["kappa"] or (math.isnan(row["kappa"]) and math.isnan(line["kappa"])))
        ]
        assert len(same) == 3
        for measure in ("adjacency P IS", "adjacency R IS", "arrowhead R other", "distance"):
            values = [row[measure] for row in same if not math.isnan(row[measure])]
            assert line[measure] == pytest.approx(sum(values) / len(values) if values else math.nan, nan_ok=True)
        p, r = line["adjacency P overall"], line["adjacency R overall"]
        assert line["adjacency F overall"] == pytest.approx(2 * p * r / (p + r))


def test_order_kept_only_drops(study: InstanceSpecificStudy) -> None:
    """Deletion alone adds no edge that GES did not add, so a sign error or a swap of searches shows here."""
    by = study.rows.set_index(["network", "patient", "search", "kappa"])["added"]
    for (network, patient, search, _), added in by.items():
        if search == "order_kept":
            assert added <= by[network, patient, "GES"].iloc[0]


def test_tables_of_another_size_have_no_printed_rows(study: InstanceSpecificStudy) -> None:
    """Three parts and an empty list of verdicts; two searches for each kappa and two for GES."""
    tables = study.tables()
    assert list(tables)[:3] == [
        "Part a: adjacency, 12 arcs",
        "Part b: arrowhead, 12 arcs",
        "Part c: structural Hamming distance and log likelihood ratio, 12 arcs",
    ]
    assert all(len(tables[title]) == SEARCHES for title in list(tables)[:3])
    assert len(tables["Held to the bands"]) == 0


def test_equal_seeds_equal_bits_on_any_number_of_workers(study: InstanceSpecificStudy) -> None:
    """Two workers give the table of one; another seed gives another."""
    again = InstanceSpecificStudy.run(2, 3, 300, 10, [12], [0.1, 0.9], running=Running(jobs=2))
    pd.testing.assert_frame_equal(again.rows.drop(columns=SECONDS), study.rows.drop(columns=SECONDS), check_exact=True)
    other = InstanceSpecificStudy.run(2, 3, 300, 10, [12], [0.1, 0.9], seed=1)
    assert not other.rows.equals(study.rows)


def test_printed_figures_agree_with_themselves() -> None:
    """F lies near 2PR / (P + R) of the printed means: a digit typed wrong would show."""
    assert printed(51) == {}
    for arcs in TABLES:
        rows = printed(arcs)
        assert list(rows) == ["0.001", "0.1", "0.5", "0.9", "GES"]
        for name, row in rows.items():
            assert len(row) == 18 + 3 + (name != "GES")
            for kind in ("adjacency", "arrowhead"):
                for where in ("IS", "other", "overall"):
                    p, r, f = (row[f"{kind} {letter} {where}"].mean for letter in "PRF")
                    assert abs(2 * p * r / (p + r) - f) <= 0.035
    assert printed(50)["0.1"]["adjacency P IS"].spread == 0.12
    assert set(BANDS) == set(TABLES)


@pytest.mark.parametrize("wrong", [{"networks": 0}, {"instances": 0}, {"rows": 0}, {"kappas": []}, {"arcs": []}])
def test_impossible_plans_are_refused(wrong: dict[str, object]) -> None:
    """Before anything is drawn."""
    with pytest.raises(SettingsError):
        InstanceSpecificStudy.run(**wrong)  # type: ignore[arg-type]


def test_the_command_prints_ours_beside_the_papers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tiny run over 50 variables: progress on standard error, the page printed and in a file, all verdicts."""
    small = {"networks": 1, "instances": 1, "rows": 200, "arcs": [50], "kappas": [0.1, 0.9]}
    monkeypatch.setattr(InstanceSpecificStudy, "quick", small)
    assert main(["instance_specific", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert "networks: 1 of 1" in shown.err
    page = (tmp_path / "instance_specific.md").read_text(encoding="utf-8")
    assert shown.out == page
    assert "| IGES, κ = 0.1, *paper* | 0.81 (0.12) |" in page
    assert "| order kept, κ = 0.9 |" in page
    assert "Table 1c" in page and "Table 2" not in page
    verdicts = page.split("## Held to the bands")[1]
    assert verdicts.count("within |") + verdicts.count("outside**") == 8
    widths = {line.count("|") for line in page.split("## Table 1b")[0].splitlines() if line.startswith("|")}
    assert widths == {11}
    held = read_results("instance_specific", tmp_path)
    assert len(held.verdicts) == 8 and held.verdicts["sentence"].nunique() == 7  # the row of GES is one
    line = held.compared.query("search == 'published' and kappa == 0.1 and quantity == 'adjacency P IS'").iloc[0]
    assert (line["printed"], line["printed_spread"]) == (0.81, 0.12)
    assert line["difference"] == pytest.approx(line["ours"] - 0.81)
    ges = held.compared.query("search == 'GES' and quantity == 'distance'").iloc[0]
    assert ges["printed"] == pytest.approx(6.09 + 7.60 + 7.12)


def test_cells_are_means_of_their_runs(study: InstanceSpecificStudy) -> None:
    """Also the row of GES, whose kappa is not a number; other sizes have nothing printed."""
    cells, runs = study.compared(), study.runs()
    assert len(cells) * 2 == len(runs)
    assert cells["printed"].isna().all()
    assert (cells["search"] == "GES").any()
    by = study.by_network()
    for _, cell in cells[cells["quantity"] == "arrowhead R overall"].iterrows():
        same_kappa = by["kappa"].isna() if math.isnan(cell["kappa"]) else by["kappa"] == cell["kappa"]
        here = by[(by["search"] == cell["search"]) & same_kappa]["arrowhead R overall"]
        assert cell["ours"] == pytest.approx(here.mean()) and len(here) == 2
        assert cell["ours_spread"] == pytest.approx(here.std())


def test_a_number_that_cannot_be_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2, and no page."""
    monkeypatch.setattr(InstanceSpecificStudy, "quick", {"networks": 0})
    assert main(["instance_specific", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "networks is 0; it must be at least 1.\n"
    assert not list(tmp_path.glob("*.md"))


def bands(networks: int, instances: int) -> pd.DataFrame:
    """Our figures with 50 arcs, held to the paper's bands; the shortcut of GES is not the paper's."""
    study = InstanceSpecificStudy.run(networks=networks, instances=instances, arcs=[50], kappas=[0.1, 0.9])
    held = study.tables()["Held to the bands"]
    return held[~held["what"].str.startswith("GES, shortcut")]
