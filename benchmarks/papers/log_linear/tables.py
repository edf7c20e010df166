"""The tables of the log-linear study: by data and levels, the joint move, and the claims with verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

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
from benchmarks.papers.results import OPEN, OUTSIDE, WITHIN
from benchmarks.papers.study import Study, cells, made_with


class Line(NamedTuple):
    """What is claimed of some data.

    Attributes
    ----------
    data : with its levels
    what : is claimed
    said : the figure there
    ours : our figure
    alike : whether ours is like it
    sentence : of the paper, whatever the levels and the way to p; empty where the line stands for itself
    later : whether the reading was chosen when figures were known: AH's, by the shape of Figure 4
    """

    data: str
    what: str
    said: str
    ours: str
    alike: bool
    sentence: str = ""
    later: bool = False

    @property
    def verdict(self) -> str:
        """A reading that was chosen later gets none."""
        return OPEN if self.later else WITHIN if self.alike else OUTSIDE


Part = tuple[str, str, bool]
"""The figure there, ours, and whether ours is like it."""
BOTH = ("mml", "chi2", UNDERFLOW)
WAYS = (BOTH[:2], BOTH[::2])
"""What the paper says of MML and chi-squared together is held to chi-squared with either p."""
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
    lines = [
        (what := f"{one.data}: {one.what}", one.said, one.ours, one.verdict, one.sentence or what) for one in shown
    ]
    return pd.DataFrame(lines, columns=["what", "band", "ours", "verdict", "sentence"])


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
    data = title[:2]
    figure = "Figure 3a" if data == "D1" else "Figure 3b"
    sentence = f"{figure}: MML and chi-squared make no false edge on {data}"
    for names, one in _together(here):
        wrong, ours = _selections(one)
        yield Line(title, f"{names}: false edges", "never", ours, wrong == 0, sentence)
    for method, one in _each(here, ("ah",)):
        wrong, ours = _selections(one)
        said, alike = ("never", wrong == 0) if data == "D1" else ("some, from a few thousand rows", wrong > 0)
        yield Line(title, f"{method}: false edges", said, ours, alike, f"{figure}: AH on {data}", later=True)
    largest = here[here["rows"] == here["rows"].max()]
    for method, one in _each(largest, ("kl",)):
        share = float((one["edges"] == (3 if data == "D1" else 36)).mean())
        what = f"{method}: every possible edge at the largest size"
        yield Line(title, what, "always", f"{share:.0%}", share == 1, f"{figure}: KL takes every edge of {data}")
    if data == "D2":
        for names, one in _together(largest):
            share = float(one["recall"].mean())
            what = f"{names}: share of the graph with {SMALL_SIZES['D2'][-1]:,} rows"
            sentence = f"{figure}: MML and chi-squared recover all of D2"
            yield Line(title, what, "all of it", f"{share:.0%}", share == 1, sentence)


def _selections(one: pd.DataFrame) -> tuple[int, str]:
    """How many selections have a false edge, and that in words."""
    wrong = int((one["false"] > 0).sum())
    return wrong, f"{wrong} of {len(one)} selections"


def _claims_large(here: pd.DataFrame, title: str) -> Iterator[Line]:
    for names, one in _together(here):
        wrong = int(one["false"].sum())
        sentence = "Figure 4a: MML and chi-squared make no false edge on D3"
        ours = f"{wrong} in {len(one)} selections"
        yield Line(title, f"{names}: false edges, all sizes", "none", ours, wrong == 0, sentence)
    in_figure = here[here["rows"] >= DRAWN_FROM]
    for method, one in _each(in_figure, ("ah",)):
        fdr = float(one["fdr"].mean())
        kept = AH_FALSE[0] <= fdr <= AH_FALSE[1]
        what = f"{method}: FDR from {DRAWN_FROM:,} rows"
        yield Line(title, what, "about 10 %", f"{fdr:.1%}", kept, "Figure 4a: about 10 % of AH's edges", later=True)
    for method, one in _each(in_figure, ("kl",)):
        fdr = float(one["fdr"].mean())
        what, sentence = f"{method}: FDR from {DRAWN_FROM:,} rows", "Figure 4a: KL is wrong more than half of the time"
        yield Line(title, what, "over 50 %", f"{fdr:.1%}", fdr > KL_FALSE, sentence)
    yield from _recovery(here, title)


def _recovery(here: pd.DataFrame, title: str) -> Iterator[Line]:
    """How much of D3 is found with how many rows, and what is missed at the largest size."""
    at = here[here["rows"] == CLAIMED_AT]
    for names, one in _together(at):
        yield _all_of(title, names, one, f"recovered with {CLAIMED_AT:,} rows", _recovered)
    for names, one in _together(here):
        yield _all_of(title, names, one, "rows for F of 90 %, of the sizes tried", _needed)
    for method, one in _each(here[here["rows"] == LARGEST], (*BOTH, "ah")):
        missed, wrong = AT_LARGEST[_printed_as(method)]
        lost, added = float(one["missed"].mean()), float(one["false"].mean())
        kept = abs(lost - missed) <= max(2, missed / 2) and abs(added - wrong) <= wrong / 2
        what = f"missed, false with {LARGEST:,} rows"
        said, ours = f"{missed}, {wrong}", f"{lost:.1f}, {added:.1f}"
        sentence = f"Figure 4b: {_printed_as(method)}: {what}"
        yield Line(title, f"{method}: {what}", said, ours, kept, sentence, method == "ah")
    recalls = {method: float(one["recall"].mean()) for method, one in _each(at, (*BOTH, "ah"))}
    for other in (UNDERFLOW, "chi2", "ah"):
        if "mml" in recalls and other in recalls:
            figure = f"{recalls['mml']:.2f}, {recalls[other]:.2f}"
            what = f"recall with {CLAIMED_AT:,} rows: mml, {other}"
            sentence = f"Figure 4b: MML needs fewer rows than {_printed_as(other)}"
            yield Line(title, what, "mml more", figure, recalls["mml"] > recalls[other], sentence, other == "ah")


def _all_of(title: str, names: str, here: pd.DataFrame, what: str, one_of: Callable[..., Part]) -> Line:
    """A sentence on MML and chi-squared with a figure for each: both must be met at once."""
    said, ours, kept = zip(*(one_of(method, one) for method, one in _each(here, BOTH)), strict=True)
    sentence = f"Figure 4b: MML and chi-squared: {what}"
    return Line(title, f"{names}: {what}", "; ".join(said), "; ".join(ours), all(kept), sentence)


def _recovered(method: str, one: pd.DataFrame) -> Part:
    """The share of the graph, as recall or as F."""
    claim = RECOVERED[_printed_as(method)]
    recall, f = float(one["recall"].mean()), float(one["f"].mean())
    kept = min(recall, f) - 0.1 <= claim <= max(recall, f) + 0.1
    return f"{claim:.0%}", f"recall {recall:.0%}, F {f:.0%}", kept


def _needed(method: str, one: pd.DataFrame) -> Part:
    """Rows for nine tenths of the graph."""
    claim, needed = ROWS_FOR_90[_printed_as(method)], _rows_for(one, 0.9)
    more = _printed_as(method) == "chi2"
    ours = f"{needed:,}" if needed < math.inf else "more than tried"
    return f"{'more than ' if more else ''}{claim:,}", ours, needed > claim if more else needed <= claim


def _held(rows: pd.DataFrame) -> Iterator[Line]:
    large = rows[rows["data"] == "D3"]
    for method, levels, size in NO_FALSE:
        one = large[(large["method"] == method) & (large["levels"] == levels) & (large["rows"] == size)]
        if len(one):
            figure = f"{one['false'].sum()} in {len(one)} selections"
            what = f"{method}: false edges with {size:,} rows"
            yield Line(f"D3, {levels}", what, "none (asked for)", figure, not one["false"].any())
    for ref in REFERENCES:
        chosen = (large["method"] == ref.method) & (large["levels"] == ref.levels) & (large["rows"] == ref.rows)
        if len(one := large[chosen]):
            recall = float(one["recall"].mean())
            there = f"{ref.recall:.3f} ± {ref.tolerance:.2f} ({ref.source})"
            kept = abs(recall - ref.recall) <= ref.tolerance
            what = f"{ref.method}: recall with {ref.rows:,} rows"
            yield Line(f"D3, {ref.levels}", what, there, f"{recall:.3f}", kept)


def _each(here: pd.DataFrame, methods: tuple[str, ...]) -> Iterator[tuple[str, pd.DataFrame]]:
    for method in methods:
        if len(one := here[here["method"] == method]):
            yield method, one


def _together(here: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Names and rows of MML and chi-squared, for either p; of what was run."""
    run = set(here["method"])
    for methods in dict.fromkeys(tuple(one for one in way if one in run) for way in WAYS):
        if methods:
            yield " and ".join(methods), here[here["method"].isin(methods)]


def _printed_as(method: str) -> str:
    """The paper's chi-squared is the authors' program, which underflows; both of ours stand beside it."""
    return "chi2" if method == UNDERFLOW else method


def _rows_for(one: pd.DataFrame, f: float) -> float:
    """The smallest size whose mean F reaches `f`; infinity where none does."""
    means = one.groupby("rows")["f"].mean()
    reached = means.index[means >= f]
    return int(reached[0]) if len(reached) else math.inf


def _verdicts(lines: list[Line], source: str) -> pd.DataFrame:
    words = {True: "alike", False: "**not**"}
    shown = [(*one[:4], words[one.alike] + (" (no verdict)" if one.later else "")) for one in lines]
    return pd.DataFrame(shown, columns=["data", "what", source, "ours", "verdict"])
