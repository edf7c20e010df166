"""The tables of the study of ordinal networks: the paper's claims, then every cell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from benchmarks.papers.ordinal.claims import claims
from benchmarks.papers.ordinal.losses import BEST, chosen
from benchmarks.papers.ordinal.plan import DRAWN, MORE_ROWS, NETWORK_OF, PREDICTING, TUNED, Plan
from benchmarks.papers.ordinal.printed import printed
from benchmarks.papers.results import OPEN, WITHIN
from benchmarks.papers.study import Study, cells, made_with
from engine.words import count

SKELETON = ("skeleton TPR", "skeleton FPRp", "skeleton SHD")
QUANTITIES = ("TPR", "FPRp", "SHD", *SKELETON, "log loss", "seconds")
SHOWN = {WITHIN: "seen", OPEN: "no verdict"}


def done(plan: Mapping[str, Any]) -> str:
    """What a run of this plan was; `KeyError` where a number is missing."""
    data = f", and {count(plan['splits'], 'split')} of each of {count(len(plan['data']), 'table')}" * bool(plan["data"])
    grids = "the paper's grids" if plan["whole"] else "grids thinned to six points, of OSEM to three"
    return (
        f"Here: {count(plan['repeats'], 'network')} of every cell with 500 rows and 3 levels, {plan['others']} of the "
        f"others{data}; {grids}."
    )


def heading(study: Study) -> str:
    """What was run, and how to read the cells."""
    return (
        f"{done(vars(study.plan))} Seed {study.plan.seed}; {sum(study.seconds.values()):.0f} s of CPU in all. "
        f"{made_with()}\n\n"
        "A cell: mean share of true links found (TPR) / false links over true ones (FPRp) / SHD of patterns, at the "
        "setting whose mean SHD is lowest, in brackets. A link is right where it is the same in both patterns, half "
        "right where one of the two has no direction. CPU seconds are of one fit, means over the whole grid."
    )


def tables(study: Study) -> dict[str, pd.DataFrame]:
    """Every table of the study by its title, in reading order."""
    found = {}
    lines = [(one.where, one.what, one.said, one.ours, SHOWN.get(one.verdict, "**not**")) for one in claims(study.rows)]
    if lines:
        found["Claims and bars"] = pd.DataFrame(lines, columns=["where", "what", "said", "ours", "verdict"])
    drawn = study.rows[study.rows["data"].str.startswith(DRAWN)]
    if len(drawn):
        found["Patterns at the best setting"] = _patterns(drawn)
        found["Skeletons at the same settings"] = _patterns(drawn, SKELETON)
        found["CPU seconds of a fit"] = _seconds(drawn)
        for approach in dict.fromkeys(drawn["approach"]):
            found[f"Every setting: {approach}"] = _settings(drawn[drawn["approach"] == approach], approach)
    if MORE_ROWS in set(drawn["data"]):
        found["Log loss of new rows, nats a row, beside SHD"] = _beside(drawn[drawn["data"] == MORE_ROWS])
    if study.plan.data:
        held = study.rows[study.rows["data"].isin(study.plan.data)]
        found["Log loss of rows held out, nats a row"] = _losses(held)
    return found


def runs(study: Study) -> pd.DataFrame:
    """Every rate, loss and time, a row each."""
    known = [one for one in QUANTITIES if one in study.rows]
    found = study.rows.assign(run=[f"run {number + 1}" for number in study.rows["run"]])
    return found.melt([*study.keys, "run"], known, "quantity", "value").dropna(subset="value", ignore_index=True)


def compared(study: Study) -> pd.DataFrame:
    """A row a cell: the number of the authors' program if there is one, ours, and the difference."""
    plan: Plan = study.plan
    anchors = pd.DataFrame(printed(plan), columns=[*study.keys, "quantity", "printed"])
    kinds = dict.fromkeys(("variables", "rows"), "int64") | dict.fromkeys(("levels", "setting", "printed"), "float64")
    return cells(runs(study), study.keys, anchors.astype(kinds).assign(printed_spread=math.nan))


def verdicts(study: Study) -> pd.DataFrame:
    """The paper's claims, and what this program was to reach."""
    lines = [
        (f"{one.where}: {one.what}", one.said, one.ours, one.verdict, f"{one.where}: {one.sentence}")
        for one in claims(study.rows)
    ]
    return pd.DataFrame(lines, columns=["what", "band", "ours", "verdict", "sentence"])


def _named(cell: tuple[Any, ...]) -> str:
    data, n, rows, levels = cell
    kind = str(data).removeprefix(DRAWN)
    return f"{n} variables, {rows} rows, {levels:g} levels{kind}"


def _patterns(rows: pd.DataFrame, shown_are: Sequence[str] = ("TPR", "FPRp", "SHD")) -> pd.DataFrame:
    """A row a cell, a column an approach, at the setting with the lowest mean SHD of patterns."""
    tpr, fprp, shd = shown_are
    found: dict[str, dict[str, str]] = {}
    for cell, here in rows.groupby(["data", "variables", "rows", "levels"], sort=False):
        for approach, one in here.groupby("approach", sort=False):
            setting = chosen(one, BEST)
            at = one[one["setting"] == setting]
            shown = f"{at[tpr].mean():.2f} / {at[fprp].mean():.2f} / {at[shd].mean():.1f} ({setting:g})"
            found.setdefault(str(approach), {})[_named(cell)] = shown
    return _table(found, "cell")


def _settings(rows: pd.DataFrame, approach: str) -> pd.DataFrame:
    """A row a cell, a column a setting: a curve of the paper."""
    found: dict[str, dict[str, str]] = {}
    for (*cell, setting), one in rows.groupby(["data", "variables", "rows", "levels", "setting"], sort=False):
        shown = f"{one['TPR'].mean():.2f} / {one['FPRp'].mean():.2f} / {one['SHD'].mean():.1f}"
        found.setdefault(f"{TUNED[approach][0]} {setting:g}", {})[_named(tuple(cell))] = shown
    return _table(found, "cell")


def _seconds(rows: pd.DataFrame) -> pd.DataFrame:
    found: dict[str, dict[str, str]] = {}
    for (n, approach), one in rows[rows["data"] == DRAWN].groupby(["variables", "approach"], sort=False):
        found.setdefault(str(approach), {})[f"{n}"] = f"{one['seconds'].mean():.2f}"
    return _table(found, "variables")


def _losses(rows: pd.DataFrame) -> pd.DataFrame:
    """A row a table and number of its rows, a column an approach and setting."""
    found: dict[str, dict[str, str]] = {}
    for (name, many, approach, setting), one in rows.groupby(["data", "rows", "approach", "setting"], sort=False):
        found.setdefault(_tuned(str(approach), setting), {})[f"{name}, {many} rows"] = f"{one['log loss'].mean():.3f}"
    order = [_tuned(approach, one) for approach, grid in PREDICTING.items() for one in grid]
    return _table(found, "table")[[one for one in order if one in found]]


def _beside(rows: pd.DataFrame) -> pd.DataFrame:
    """A row an approach and setting: its mean SHD, and the mean log loss of rows that it has not seen."""
    found: dict[str, dict[str, str]] = {}
    for (approach, setting), one in rows.groupby(["approach", "setting"], sort=False):
        name = _tuned(str(approach), setting)
        found.setdefault("SHD", {})[name] = f"{one['SHD'].mean():.1f}"
        found.setdefault("log loss", {})[name] = f"{one['log loss'].mean():.3f}"
    return _table(found, "approach")


def _tuned(approach: str, setting: float) -> str:
    """An approach with its setting, as a column is called."""
    return f"{approach}, {TUNED[NETWORK_OF.get(approach, approach)][0]} {setting:g}"


def _table(found: dict[str, dict[str, str]], name: str) -> pd.DataFrame:
    return pd.DataFrame(found).fillna("").rename_axis(name)
