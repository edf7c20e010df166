"""The tables of the study of class networks: the paper's claims, an earlier program beside, and every experiment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.papers.discriminative.claims import claims
from benchmarks.papers.discriminative.earlier import EARLIER, Beside, Cell, beside_earlier, spread
from benchmarks.papers.discriminative.plan import (
    ALL,
    ANEW,
    DIFFERENCES,
    ELR,
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
from benchmarks.papers.results import OUTSIDE, WITHIN
from benchmarks.papers.study import Study, cells, made_with
from engine.words import count

QUANTITIES = ("accuracy", "seconds", TIMES_ACL, "families scored")
AT = {DIFFERENCES: "c", NOISE: "rho", SIZE: "variables", SIZE_ONE: "variables", SIZE_ALL: "variables"}
AT |= {other: AT[experiment] for experiment, other in ROTATED.items()}
TITLES = {
    DIFFERENCES: "Smaller differences (Figure 3)",
    NOISE: "Noise among the subjects of a class (Figure 4)",
    ROTATED[DIFFERENCES]: "Smaller differences, tables by the second generator (Figure 3)",
    ROTATED[NOISE]: "Noise among the subjects of a class, tables by the second generator (Figure 4)",
    SIZE: "More variables, no noise",
    SIZE_ONE: "More variables, noise in the changed variable's table (Figure 5)",
    SIZE_ALL: "More variables, noise in all tables (Figure 5)",
}

OTHERWISE = (*LEAST_SQUARES.values(), *ELR.values())
"""Networks that are told by another boundary, or have other parameters."""


def done(plan: Mapping[str, Any]) -> str:
    """What a run of this plan was; `KeyError` where a number is missing."""
    return (
        f"Here: {count(plan['runs'], 'run')} of every cell, each of fresh networks, and {plan['timed']} of run times."
    )


def heading(study: Study) -> str:
    """What was run, and how to read the cells."""
    plan: Plan = study.plan
    return (
        f"{count(plan.runs, 'run')} of every cell, seed {plan.seed}; {sum(study.seconds.values()):.0f} s of CPU in "
        f"all. {made_with()}\n\n"
        "Accuracy: share of a run's ten test series classified correctly, mean over the runs (standard error); after "
        'the stroke that of an independent program, where it has the cell. 0.5 is guessing. "One family": only the '
        'best family of each network decides. "Single": CCL adds a link to one network at a time; "paired": the same '
        'link to both; "forced": until every variable has a parent, whether it helps or not. "Least squares": told by '
        'ACL\'s boundary; "ELR": parameters climbed to by conditional likelihood. The second generator rotates the '
        "changed link besides weakening it; it was chosen when the figures of the first were known, so its lines get "
        "no verdict."
    )


def tables(study: Study) -> dict[str, pd.DataFrame]:
    """Every table of the study by its title, in reading order."""
    found = {}
    lines = claims(cells_of(study.rows, "accuracy"), cells_of(study.rows, TIMES_ACL))
    if lines:
        words = {True: "alike", False: "**not**"}
        shown = [
            (one.figure, one.what, one.said, one.ours, words[one.alike] + (" (no verdict)" if one.later else ""))
            for one in lines
        ]
        found["The paper's claims"] = pd.DataFrame(shown, columns=["figure", "what", "paper", "ours", "verdict"])
    beside = list(beside_earlier(cells_of(study.rows, "accuracy")))
    if beside:
        found["Beside an independent program"] = _beside(beside)
    for experiment, title in TITLES.items():
        here = study.rows[study.rows["experiment"] == experiment]
        if len(here):
            found[title] = _accuracies(here[~here["method"].isin(OTHERWISE)], AT[experiment])
        if len(here) and AT[experiment] != AT[SIZE]:
            found[f"{title}: networks that have the changed link"] = _links(here, AT[experiment])
            other = here[here["method"].isin(OTHERWISE)]
            found[f"{title}: boundary by least squares, and parameters by ELR"] = _accuracies(other, AT[experiment])
    if (study.rows["experiment"] == ANEW).any():
        found["Run times of the structure search (Figure 6)"] = _times(study.rows)
    return found


def runs(study: Study) -> pd.DataFrame:
    """Every accuracy, and of run times seconds, ratio and families scored, a row each."""
    known = [one for one in QUANTITIES if one in study.rows]
    found = study.rows.assign(run=[f"run {number + 1}" for number in study.rows["run"]])
    return found.melt([*study.keys, "run"], known, "quantity", "value").dropna(subset="value", ignore_index=True)


def compared(study: Study) -> pd.DataFrame:
    """A row a cell: the number of the paper's text if it has one, ours, and the difference."""
    paper = pd.DataFrame(printed(study.plan), columns=[*study.keys, "quantity", "printed"])
    return cells(runs(study), study.keys, paper.astype({"at": float}).assign(printed_spread=math.nan))


def verdicts(study: Study) -> pd.DataFrame:
    """The paper's claims, then the cells held to the independent program."""
    accuracy = cells_of(study.rows, "accuracy")
    lines = [
        (f"Figure {one.figure}: {one.what}", one.said, one.ours, one.verdict, f"Figure {one.figure}: {one.sentence}")
        for one in claims(accuracy, cells_of(study.rows, TIMES_ACL))
    ]
    for one in beside_earlier(accuracy):
        band = f"{one.there:.3f} ± {one.allowed:.3f} (an independent program)"
        what = _named(one.cell)
        lines.append((what, band, f"{one.ours:.3f}", WITHIN if one.alike else OUTSIDE, what))
    return pd.DataFrame(lines, columns=["what", "band", "ours", "verdict", "sentence"])


def cells_of(rows: pd.DataFrame, quantity: str) -> dict[Cell, np.ndarray]:
    """{cell: values of its runs, in their order}; cells without the quantity are left out."""
    if quantity not in rows:
        return {}
    known = rows[rows[quantity].notna()].sort_values("run", kind="stable")
    by = ["experiment", "at", "families", "method"]
    return {
        (str(experiment), float(at), str(families), str(method)): here[quantity].to_numpy(dtype=float)
        for (experiment, at, families, method), here in known.groupby(by, sort=False)
    }


def _named(cell: Cell) -> str:
    experiment, at, families, method = cell
    alone = ", one family" if families == ONE else ""
    return f"{experiment}, {AT[experiment]} {at:g}: {method}{alone}"


def _beside(lines: list[Beside]) -> pd.DataFrame:
    shown = [
        (_named(one.cell), f"{one.there:.3f}", f"{one.ours:.3f}", f"{one.ours - one.there:+.3f}", f"{one.allowed:.3f}",
         "alike" if one.alike else "**not**")
        for one in lines
    ]  # fmt: skip
    return pd.DataFrame(shown, columns=["what", "there", "ours", "difference", "allowed", "verdict"])


def _accuracies(here: pd.DataFrame, at: str) -> pd.DataFrame:
    """A row a value of `at`, a column a method."""
    found: dict[str, dict[str, str]] = {}
    for cell, values in cells_of(here, "accuracy").items():
        _, where, families, method = cell
        there = EARLIER.get(cell)
        shown = f"{values.mean():.3f} ({spread(values) / math.sqrt(len(values)):.3f})"
        column = method if families == ALL else f"{method}, one family"
        found.setdefault(column, {})[f"{where:g}"] = shown + (f" / {there:.3f}" if there is not None else "")
    return _by_at(pd.DataFrame(found), here, at)


def _links(here: pd.DataFrame, at: str) -> pd.DataFrame:
    """Share of runs in which the network of the first, and of the second class has the changed link."""
    found: dict[str, dict[str, str]] = {}
    for (where, method), one in here[(here["families"] == ALL) & ~here["method"].isin(OTHERWISE)].groupby(
        ["at", "method"], sort=False
    ):
        first, second = one["first"].mean(), one["second"].mean()
        found.setdefault(str(method), {})[f"{where:g}"] = f"{first:.2f}, {second:.2f}"
    return _by_at(pd.DataFrame(found), here, at)


def _by_at(table: pd.DataFrame, here: pd.DataFrame, at: str) -> pd.DataFrame:
    """With the values of `at` in rising order."""
    order = [f"{one:g}" for one in sorted(here["at"].unique())]
    return table.loc[order].rename_axis(at)


def _times(rows: pd.DataFrame) -> pd.DataFrame:
    """CPU seconds, times ACL and families scored, by method; with every family anew and with sums kept."""
    found: dict[str, dict[str, str]] = {}
    for experiment, words in ((ANEW, "anew"), (KEPT, "kept")):
        here = rows[rows["experiment"] == experiment]
        for (at, method), one in here.groupby(["at", "method"], sort=False):
            ratio, scored = one[TIMES_ACL].mean(), one["families scored"].mean()
            shown = f"{one['seconds'].mean():.2g} s"
            shown += f"; {ratio:.3g} times" if ratio == ratio else ""
            shown += f"; {scored:,.0f} families" if scored == scored else ""
            found.setdefault(f"{method}, {words}", {})[f"{at:g}"] = shown
    return _by_at(pd.DataFrame(found), rows[rows["experiment"] == ANEW], "variables")
