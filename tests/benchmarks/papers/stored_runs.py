"""Made-up stored runs of the studies: small, seeded, with what a page may meet in real ones."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.papers.catalog import study_called
from benchmarks.papers.results import PaperResults
from benchmarks.papers.study import cells
from engine.measures.comparing import compare_curves
from engine.measures.curves import auc

Lines = list[dict[str, Any]]


def made_up(name: str) -> PaperResults:
    """A run of a study."""
    made = {"group_difference": groups, "instance_specific": instances, "log_linear": associations}
    return (made | {"discriminative": classes, "ordinal": ordinal, "calibration": calibration})[name]()


def groups() -> PaperResults:
    """Two data sets, 12 blocks of two repeats; only odds, lasso and p are printed; a block without cases."""
    generator = np.random.default_rng(5)
    keys = ["data", "kind", "draws", "rows"]
    scores: Lines = []
    runs: Lines = []
    printed: Lines = []
    blocks = itertools.product(("balance-scale", "car"), ("parametric", "structural"), (1,), (500, 1000, 5000))
    for number, block in enumerate(blocks):
        at = dict(zip(keys, block, strict=True))
        for repeat in range(2):
            truth = np.tile([True, False, False, False], 10) & (number > 0)
            odds, lasso = (generator.normal(size=40).astype("float32") + shift * truth for shift in (1.6, 1.0))
            for i in range(40):
                line = {"repeat": repeat, "pair": i // 4, "variable": f"v{i % 4}", "truth": bool(truth[i])}
                scores.append({**at, **line, "odds": odds[i], "odds, order": odds[i], "lasso": lasso[i]})
            if truth.any():
                values = {"odds": auc(odds, truth).value, "odds, order": auc(odds, truth).value}
                values |= {"lasso": auc(lasso, truth).value, "p, odds": compare_curves(odds, lasso, truth).p}
                runs += [{**at, "quantity": q, "run": f"seed {repeat}", "value": v} for q, v in values.items()]
        for quantity, low in (("odds", 0.8), ("lasso", 0.7), ("p, odds", 0.0)):
            value = round(float(low + 0.15 * generator.random()), 4)
            printed.append({**at, "quantity": quantity, "printed": value, "printed_spread": np.nan})
    plan = {"sets": ["balance-scale", "car"], "pairs": 10, "repeats": 2, "lasso": True, "seed": 0}
    return _run("group_difference", keys, runs, printed, plan, pd.DataFrame(scores))


def instances() -> PaperResults:
    """Three searches, one without a kappa; spreads are printed."""
    generator = np.random.default_rng(6)
    keys = ["arcs", "search", "kappa"]
    runs: Lines = []
    printed: Lines = []
    for arcs, (search, kappa) in itertools.product(
        (50, 100), [("order kept", 0.001), ("order kept", 0.1), ("published", 0.1), ("GES", np.nan)]
    ):
        at = {"arcs": arcs, "search": search, "kappa": kappa}
        for quantity, middle in (("adjacency F overall", 0.8), ("added", 5.0), ("distance", 30.0)):
            values = middle * generator.uniform(0.8, 1.2, size=10)
            runs += [{**at, "quantity": quantity, "run": f"network {i}", "value": v} for i, v in enumerate(values)]
            if search != "order kept":
                line = {"printed": round(middle * 1.05, 2), "printed_spread": middle / 10}
                printed.append({**at, "quantity": quantity, **line})
    plan = {"networks": 10, "instances": 20, "rows": 1000, "arcs": [50, 100], "kappas": [0.001, 0.1], "seed": 3}
    return _run("instance_specific", keys, runs, printed, plan)


def associations() -> PaperResults:
    """Two methods over three sizes; hardly a number is printed."""
    generator = np.random.default_rng(7)
    keys = ["data", "levels", "rows", "method"]
    runs: Lines = []
    sizes = (10_000, 100_000, 1_000_000)
    for data, levels, rows, method in itertools.product(("D1", "D3"), ("binary", "ternary"), sizes, ("mml", "chi2")):
        at = {"data": data, "levels": levels, "rows": rows, "method": method}
        for quantity, middle in (("fdr", 0.02), ("recall", 0.7), ("seconds", 3.0)):
            values = middle * generator.uniform(0.5, 1.5, size=3)
            runs += [{**at, "quantity": quantity, "run": f"model {i}", "value": v} for i, v in enumerate(values)]
    at = {"data": "D3", "levels": "binary", "rows": 100_000, "method": "mml"}
    printed = [{**at, "quantity": "recall", "printed": 0.66, "printed_spread": np.nan}]
    plan = {"sizes": list(sizes), "levels": ["binary", "ternary"], "sets": 3, "small_sets": 20, "seed": 0}
    return _run("log_linear", keys, runs, printed, plan)


def classes() -> PaperResults:
    """Two experiments of three methods; chance and perfect accuracies are printed."""
    generator = np.random.default_rng(9)
    keys = ["experiment", "at", "families", "method"]
    runs: Lines = []
    printed: Lines = []
    cells_of = [("differences", 0.05), ("differences", 0.17), ("size, no noise", 4), ("size, no noise", 40)]
    for (experiment, place), method in itertools.product(cells_of, ("ACL-ML", "CCL single", "BDE")):
        at = {"experiment": experiment, "at": float(place), "families": "all families", "method": method}
        values = generator.integers(4, 11, size=5) / 10
        runs += [{**at, "quantity": "accuracy", "run": f"run {i + 1}", "value": v} for i, v in enumerate(values)]
        runs.append({**at, "quantity": "seconds", "run": "run 1", "value": generator.uniform()})
        if place == 0.17:
            one = 0.5 if method == "BDE" else 1.0
            printed.append({**at, "quantity": "accuracy", "printed": one, "printed_spread": np.nan})
    plan = {"runs": 5, "timed": 1, "differences": [0.05, 0.17], "nodes": [4, 40], "seed": 0}
    return _run("discriminative", keys, runs, printed, plan)


def ordinal() -> PaperResults:
    """Patterns of drawn tables, of two approaches with two settings each, and log loss of a table; few anchors."""
    generator = np.random.default_rng(10)
    keys = ["data", "variables", "rows", "levels", "approach", "setting"]
    runs: Lines = []
    printed: Lines = []
    grids = {"OSEM": (2.0, 3.0), "BGe": (0.05, 0.5)}
    for n, (approach, grid) in itertools.product((12, 20), grids.items()):
        for setting in grid:
            at = {"data": "drawn", "variables": n, "rows": 500, "levels": 3.0, "approach": approach, "setting": setting}
            for quantity, middle in (("TPR", 0.7), ("FPRp", 0.2), ("SHD", 10.0), ("seconds", 1.0)):
                values = middle * generator.uniform(0.5, 1.3, size=4)
                runs += [{**at, "quantity": quantity, "run": f"run {i + 1}", "value": v} for i, v in enumerate(values)]
                if approach == "OSEM" and n == 12:
                    printed.append({**at, "quantity": quantity, "printed": middle, "printed_spread": np.nan})
    for approach, grid in grids.items():
        at = {"data": "rogers", "variables": 24, "rows": 408, "levels": 4.67, "approach": approach, "setting": grid[0]}
        values = generator.uniform(27.2, 27.8, size=6)
        runs += [{**at, "quantity": "log loss", "run": f"run {i + 1}", "value": v} for i, v in enumerate(values)]
    plan = {"repeats": 4, "others": 2, "sizes": [12, 20], "rows": [500], "levels": [3], "whole": False, "splits": 6}
    return _run("ordinal", keys, runs, printed, plan | {"data": ["rogers"], "seed": 0})


def calibration() -> PaperResults:
    """Shares on tables whose truth is known; no number is printed."""
    generator = np.random.default_rng(8)
    runs: Lines = []
    for method, cell in itertools.product(("group_difference", "log_linear"), ("200 rows", "1,000 rows")):
        at = {"method": method, "cell": cell}
        for quantity in ("null tables with any 'differs'", "interval of the effect holds it"):
            values = generator.uniform(0, 0.1, size=4)
            runs += [{**at, "quantity": quantity, "run": f"tables {i}", "value": v} for i, v in enumerate(values)]
    at = {"method": "group_difference", "cell": "200 rows", "quantity": "null tables with any 'differs'"}
    printed = [{**at, "printed": np.nan, "printed_spread": np.nan}]
    return _run("calibration", ["method", "cell"], runs, printed, {"tables": 500, "seed": 0})


def _run(
    slug: str, keys: list[str], runs: Lines, printed: Lines, plan: dict[str, Any], scores: pd.DataFrame | None = None
) -> PaperResults:
    table = pd.DataFrame(runs)
    verdicts = pd.DataFrame(
        [("mean difference", "<= 0.03", "+0.010", "within"), ("blocks ahead", ">= 53", "49", "outside")],
        columns=["what", "band", "ours", "verdict"],
    )
    study = study_called(slug)
    verdicts["held to"] = [study.source_of(line.what, line.band) for line in verdicts.itertuples()]
    compared = cells(table, keys, pd.DataFrame(printed))
    versions = {"python": "3.11.2", "numpy": "2.3.0"}
    return PaperResults(
        slug=slug,
        title=study.title,
        paper="Made & Up 2015",
        asked=study.asked,
        reading=study.reading,
        claim=study.claim,
        slips=study.slips,
        unjudged=study.unjudged,
        done=study.done(plan),
        command=f"python -m benchmarks.papers {slug} --full --out results",
        plan=plan,
        versions=versions,
        seconds=4000.0,
        made="2026-01-31",
        compared=compared,
        runs=table,
        verdicts=verdicts,
        keys=keys,
        by=study.by,
        along=study.along,
        page="# A page\n",
        scores=scores,
    )
