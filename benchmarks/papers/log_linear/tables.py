"""The tables of the log-linear study: by data and levels, the joint move, and the claims with verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pandas as pd

from benchmarks.papers.log_linear.plan import JOINT, SMALL_SIZES, UNDERFLOW, Plan
from benchmarks.papers.log_linear.printed import (
    AH_FALSE,
    AT_LARGEST,
    CLAIMED_AT,
    DRAWN_FROM,
    KL_FALSE,
    LARGEST,
    NO_FALSE,
    RECOVERED,
    REFERENCES,
    ROWS_FOR_90,
)
from benchmarks.papers.log_linear.printed import JOINT as JOINT_ELSEWHERE
from benchmarks.papers.study import Study, cells, made_with
from engine.evaluation.papers import OUTSIDE, WITHIN

Line = tuple[str, str, str, str, bool]
"""Data, what is claimed, the figure there, ours, and whether ours is like it."""
MEASURES = ("edges", "false", "missed", "fdr", "recall", "f", "seconds")
CLAIMS, HELD = "The paper's claims", "Beside data sets made the same way elsewhere"


def tables(study: Study) -> dict[str, pd.DataFrame]:
    """Every table of the study by its title, in reading order."""
    plan: Plan = study.plan
    rows = study.rows
    lines = [line for levels in plan.levels for line in _claims(rows, levels)]
    found = {CLAIMS: _verdicts(lines, "paper"), HELD: _verdicts(list(_held(rows)), "there")}
    if len(joint := _joint(rows)):
        found["Two edges at once (D3)"] = joint
    for levels in plan.levels:
        for data in ("D1", "D2", "D3"):
            here = rows[(rows["data"] == data) & (rows["levels"] == levels)]
            if len(here):
                found |= {f"{data}, {levels}: {title}": one for title, one in _by_size(here, data).items()}
    return found


def done(plan: Mapping[str, Any]) -> str:
    """What a run of this plan was; `KeyError` where a number is missing."""
    return (
        f"Here: {plan['small_sets']} models of D1 and of D2 and {plan['sets']} of the large D3 for each kind of levels."
    )


def heading(study: Study) -> str:
    """What was run, and how to read the cells."""
    plan: Plan = study.plan
    return (
        f"{plan.sets} models of D3 and {plan.small_sets} of D1 and of D2 for each kind of levels, seed {plan.seed}; "
        f"{sum(study.seconds.values()):.0f} s of CPU in all. {made_with()}\n\n"
        "Means over the models. FDR: share of the edges found that are false. Seconds are CPU of one selection, "
        "counting included, rows already packed."
    )


def runs(study: Study) -> pd.DataFrame:
    """Every measure of every model, a row each."""
    found = study.rows.assign(run=[f"model {number + 1}" for number in study.rows["set"]])
    return found.melt([*study.keys, "run"], list(MEASURES), "quantity", "value")


def compared(study: Study) -> pd.DataFrame:
    """A row a size, method and measure: what the paper says, ours, and the difference."""
    lines = []
    for levels in study.plan.levels:
        lines += [("D3", levels, CLAIMED_AT, one, what, figure) for one, what, figure in _said_of_recovery()]
        for method, figures in AT_LARGEST.items():
            for what, figure in zip(("missed", "false"), figures, strict=True):
                lines += [("D3", levels, LARGEST, one, what, float(figure)) for one in _ours(method)]
    paper = pd.DataFrame(lines, columns=[*study.keys, "quantity", "printed"]).assign(printed_spread=math.nan)
    return cells(runs(study), study.keys, paper)


def _said_of_recovery() -> Iterator[tuple[str, str, float]]:
    """(method, measure, share of the graph recovered): recall or F may be meant, so both stand beside it."""
    for method, share in RECOVERED.items():
        for one in _ours(method):
            yield from ((one, what, share) for what in ("recall", "f"))


def _ours(method: str) -> list[str]:
    """Our methods that stand beside a printed one."""
    return [method, UNDERFLOW] if method == "chi2" else [method]


def verdicts(study: Study) -> pd.DataFrame:
    """The paper's claims and figures from elsewhere, and whether ours are like them."""
    shown = [line for levels in study.plan.levels for line in _claims(study.rows, levels)] + list(_held(study.rows))
    lines = [(f"{data}: {what}", said, ours, WITHIN if alike else OUTSIDE) for data, what, said, ours, alike in shown]
    return pd.DataFrame(lines, columns=["what", "band", "ours", "verdict"])


def _by_size(here: pd.DataFrame, data: str) -> dict[str, pd.DataFrame]:
    """{what: methods by rows}; D1 has no true edge to recall."""
    found = {"edges, of these false; FDR": _pivot(here, _edges_cell)}
    if data != "D1":
        found["recall; F"] = _pivot(here, lambda one: f"{one['recall'].mean():.3f}; {one['f'].mean():.3f}")
    if data == "D3":
        found["seconds"] = _pivot(here, lambda one: f"{one['seconds'].mean():.2f}")
    return found


def _pivot(here: pd.DataFrame, cell: Callable[[pd.DataFrame], str]) -> pd.DataFrame:
    sizes = sorted(here["rows"].unique())
    methods = list(dict.fromkeys(here["method"]))
    cells = [[cell(here[(here["method"] == one) & (here["rows"] == size)]) for size in sizes] for one in methods]
    return pd.DataFrame(cells, index=pd.Index(methods, name="method"), columns=[f"{size:,}" for size in sizes])


def _edges_cell(one: pd.DataFrame) -> str:
    return f"{one['edges'].mean():.1f}, {one['false'].mean():.1f}; {one['fdr'].mean():.3f}"


def _joint(rows: pd.DataFrame) -> pd.DataFrame:
    """Single edges beside two at once, for each kind of levels and size of D3."""
    keys = ["levels", "rows", "set"]
    large = rows[rows["data"] == "D3"]
    single, both = (large[large["method"] == name].set_index(keys) for name in ("mml", JOINT))
    lines = []
    for levels, size in dict.fromkeys((one[0], one[1]) for one in single.index.intersection(both.index)):
        a, b = single.loc[levels, size], both.loc[levels, size]
        gain = b["recall"] - a["recall"]
        elsewhere = JOINT_ELSEWHERE.get((levels, size))
        lines.append(
            {
                "levels": levels,
                "rows": f"{size:,}",
                "recall, single → joint": f"{a['recall'].mean():.3f} → {b['recall'].mean():.3f}",
                "elsewhere": f"{elsewhere[0]:.3f} → {elsewhere[1]:.3f}" if elsewhere else "–",
                "better, equal, worse": f"{(gain > 0).sum()}, {(gain == 0).sum()}, {(gain < 0).sum()}",
                "false edges in all": f"{a['false'].sum()} → {b['false'].sum()}",
                "seconds": f"{a['seconds'].mean():.2f} → {b['seconds'].mean():.2f}",
            }
        )
    return pd.DataFrame(lines)


def _claims(rows: pd.DataFrame, levels: str) -> Iterator[Line]:
    """What the paper says, line by line; which levels its variables have it does not say."""
    here = rows[rows["levels"] == levels]
    for data in ("D1", "D2"):
        yield from _claims_small(here[here["data"] == data], f"{data}, {levels}")
    yield from _claims_large(here[here["data"] == "D3"], f"D3, {levels}")


def _claims_small(here: pd.DataFrame, title: str) -> Iterator[Line]:
    """D1 and D2: no false edge of any method but KL (and AH on D2), the whole of D2 at last."""
    for method, one in _each(here, ("mml", "chi2", UNDERFLOW, "ah")):
        wrong, runs = int((one["false"] > 0).sum()), len(one)
        figure = f"{wrong} of {runs} selections"
        if method == "ah" and title.startswith("D2"):
            yield title, f"{method}: false edges", "some, from a few thousand rows", figure, wrong > 0
        else:
            yield title, f"{method}: false edges", "never", figure, wrong == 0
    largest = here[here["rows"] == here["rows"].max()]
    for method, one in _each(largest, ("kl",)):
        share = float((one["edges"] == (3 if title.startswith("D1") else 36)).mean())
        yield title, f"{method}: every possible edge at the largest size", "always", f"{share:.0%}", share == 1
    if title.startswith("D2"):
        for method, one in _each(largest, ("mml", "chi2", UNDERFLOW)):
            share = float(one["recall"].mean())
            what = f"{method}: share of the graph with {SMALL_SIZES['D2'][-1]:,} rows"
            yield title, what, "all of it", f"{share:.0%}", share == 1


def _claims_large(here: pd.DataFrame, title: str) -> Iterator[Line]:
    for method, one in _each(here, ("mml", "chi2", UNDERFLOW)):
        wrong = int(one["false"].sum())
        yield title, f"{method}: false edges, all sizes", "none", f"{wrong} in {len(one)} selections", wrong == 0
    in_figure = here[here["rows"] >= DRAWN_FROM]
    for method, one in _each(in_figure, ("ah",)):
        fdr = float(one["fdr"].mean())
        kept = AH_FALSE[0] <= fdr <= AH_FALSE[1]
        yield title, f"{method}: FDR from {DRAWN_FROM:,} rows", "about 10 %", f"{fdr:.1%}", kept
    for method, one in _each(in_figure, ("kl",)):
        fdr = float(one["fdr"].mean())
        yield title, f"{method}: FDR from {DRAWN_FROM:,} rows", "over 50 %", f"{fdr:.1%}", fdr > KL_FALSE
    yield from _recovery(here, title)


def _recovery(here: pd.DataFrame, title: str) -> Iterator[Line]:
    """How much of D3 is found with how many rows, and what is missed at the largest size."""
    at = here[here["rows"] == CLAIMED_AT]
    for method, one in _each(at, ("mml", "chi2", UNDERFLOW)):
        claim = RECOVERED[_printed_as(method)]
        recall, f = float(one["recall"].mean()), float(one["f"].mean())
        kept = min(recall, f) - 0.1 <= claim <= max(recall, f) + 0.1
        what = f"{method}: recovered with {CLAIMED_AT:,} rows"
        yield title, what, f"{claim:.0%}", f"recall {recall:.0%}, F {f:.0%}", kept
    for method, one in _each(here, ("mml", "chi2", UNDERFLOW)):
        claim, needed = ROWS_FOR_90[_printed_as(method)], _rows_for(one, 0.9)
        more = _printed_as(method) == "chi2"
        kept = needed > claim if more else needed <= claim
        ours = f"{needed:,}" if needed < math.inf else "more than tried"
        what = f"{method}: rows for F of 90 %, of the sizes tried"
        yield title, what, f"{'more than ' if more else ''}{claim:,}", ours, kept
    for method, one in _each(here[here["rows"] == LARGEST], ("mml", "chi2", UNDERFLOW, "ah")):
        missed, wrong = AT_LARGEST[_printed_as(method)]
        lost, added = float(one["missed"].mean()), float(one["false"].mean())
        kept = abs(lost - missed) <= max(2, missed / 2) and abs(added - wrong) <= wrong / 2
        what = f"{method}: missed, false with {LARGEST:,} rows"
        yield title, what, f"{missed}, {wrong}", f"{lost:.1f}, {added:.1f}", kept
    recalls = {method: float(one["recall"].mean()) for method, one in _each(at, ("mml", "chi2", UNDERFLOW, "ah"))}
    for other in (UNDERFLOW, "chi2", "ah"):
        if "mml" in recalls and other in recalls:
            figure = f"{recalls['mml']:.2f}, {recalls[other]:.2f}"
            what = f"recall with {CLAIMED_AT:,} rows: mml, {other}"
            yield title, what, "mml more", figure, recalls["mml"] > recalls[other]


def _held(rows: pd.DataFrame) -> Iterator[Line]:
    large = rows[rows["data"] == "D3"]
    for method, levels, size in NO_FALSE:
        one = large[(large["method"] == method) & (large["levels"] == levels) & (large["rows"] == size)]
        if len(one):
            figure = f"{one['false'].sum()} in {len(one)} selections"
            yield (
                f"D3, {levels}",
                f"{method}: false edges with {size:,} rows",
                "none (asked for)",
                figure,
                not one["false"].any(),
            )
    for ref in REFERENCES:
        chosen = (large["method"] == ref.method) & (large["levels"] == ref.levels) & (large["rows"] == ref.rows)
        if len(one := large[chosen]):
            recall = float(one["recall"].mean())
            there = f"{ref.recall:.3f} ± {ref.tolerance:.2f} ({ref.source})"
            kept = abs(recall - ref.recall) <= ref.tolerance
            yield f"D3, {ref.levels}", f"{ref.method}: recall with {ref.rows:,} rows", there, f"{recall:.3f}", kept


def _each(here: pd.DataFrame, methods: tuple[str, ...]) -> Iterator[tuple[str, pd.DataFrame]]:
    for method in methods:
        if len(one := here[here["method"] == method]):
            yield method, one


def _printed_as(method: str) -> str:
    """The paper's chi-squared is the authors' program, which underflows; both of ours stand beside it."""
    return "chi2" if method == UNDERFLOW else method


def _rows_for(one: pd.DataFrame, f: float) -> float:
    """The smallest size whose mean F reaches `f`; infinity where none does."""
    means = one.groupby("rows")["f"].mean()
    reached = means.index[means >= f]
    return int(reached[0]) if len(reached) else math.inf


def _verdicts(lines: list[Line], source: str) -> pd.DataFrame:
    shown = [(*line[:4], "alike" if line[4] else "**not**") for line in lines]
    return pd.DataFrame(shown, columns=["data", "what", source, "ours", "verdict"])
