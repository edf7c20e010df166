"""The tables of the group-difference study: block by block beside the printed ones, deviations, counts, verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from benchmarks.papers.group_difference.comparators import COMPARATORS
from benchmarks.papers.group_difference.held import (
    BLOCK,
    Line,
    P,
    beside_printed,
    count_ahead,
    held,
    p_of,
    signed_rank,
)
from benchmarks.papers.group_difference.plan import BOTH, KEYS, Plan
from benchmarks.papers.group_difference.printed import COUNTS, SETS, WILCOXON, printed
from benchmarks.papers.results import OUTSIDE
from benchmarks.papers.study import Study, cells, made_with
from engine import words
from engine.measures import comparing, curves
from engine.simulation.perturb import KINDS

ODDS = ("odds", "odds, common", "odds, order", "odds, order, common")
DUELS = [*((score, "lasso") for score in ODDS), ("odds", BOTH[1]), BOTH]
"""Which odds stand against which lasso."""


def blocks(study: Study) -> pd.DataFrame:
    """One row a block and repeat; areas and p are not numbers where all variables are cases, or none is."""
    lines = []
    for key, here in study.rows.groupby(KEYS, sort=False):
        truth = here["truth"].to_numpy()
        line = dict(zip(KEYS, key, strict=True)) | {"cases": truth.sum(), "others": (~truth).sum()}
        curved = 0 < truth.sum() < len(truth)
        for score in study.plan.scores:
            line[score] = curves.auc(here[score], truth).value if curved else math.nan
        if study.plan.lasso:
            for odds, lasso in DUELS:
                line[p_of(odds, lasso)] = (
                    comparing.compare_curves(here[odds], here[lasso], truth).p if curved else math.nan
                )
        lines.append(line)
    return pd.DataFrame(lines)


def runs(study: Study) -> pd.DataFrame:
    """Every area and every p of every repeat, a row each."""
    found = blocks(study)
    found["run"] = [f"repeat {number + 1}" for number in found["repeat"]]
    figures = [name for name in found if name in study.plan.scores or name.startswith(P)]
    return found.melt([*BLOCK, "run"], figures, "quantity", "value")


def compared(study: Study) -> pd.DataFrame:
    """A row a block and score: the printed area or p, ours, and the difference."""
    lines = []
    for key, cell in printed().items():
        for quantity, figure in (("odds", cell.odds), ("lasso", cell.lasso), (f"{P}odds", float(cell.p.lstrip("<")))):
            lines.append((*key, quantity, figure, math.nan))
    paper = pd.DataFrame(lines, columns=[*BLOCK, "quantity", "printed", "printed_spread"])
    return cells(runs(study), BLOCK, paper)


def verdicts(study: Study) -> pd.DataFrame:
    """What the figures are held to, and whether they keep to it."""
    lines = held(blocks(study), study.plan.lasso)
    return pd.DataFrame(lines, columns=list(Line._fields))[["what", "band", "ours", "verdict", "sentence"]]


def tables(study: Study) -> dict[str, pd.DataFrame]:
    """Every table of the study by its title, in reading order."""
    found = blocks(study)
    shown = {}
    if lines := held(found, study.plan.lasso):
        shown["Held to"] = held_table(lines)
    shown["Ours less the printed areas"] = _deviations(study, found)
    if study.plan.lasso:
        shown["Odds against lasso"] = _counts(found)
    shown["Mean area of every approach"] = _means(study, found)
    shown["Areas of the odds"] = _areas(found)
    shown["Areas of the baselines"] = _baselines(study, found)
    return shown


def held_table(lines: Iterable[Line]) -> pd.DataFrame:
    """What is held to a band, for readers: what is outside stands out."""
    table = pd.DataFrame(lines, columns=list(Line._fields)).drop(columns="sentence")
    return table.replace({"verdict": {OUTSIDE: f"**{OUTSIDE}**"}})


def done(plan: Mapping[str, Any]) -> str:
    """What a run of this plan was; `KeyError` where a number is missing."""
    return (
        f"Here: {len(plan['sets'])} data sets, {plan['pairs']} pairs of groups in each block, every block drawn "
        f"{words.times(plan['repeats'])}."
    )


def heading(study: Study) -> str:
    """What was run, and how to read the cells."""
    plan: Plan = study.plan
    spent = ", ".join(f"{what} {many:.1f} s" for what, many in study.seconds.items())
    several = f"{plan.repeats} blocks" if plan.repeats > 1 else "1 block"
    return (
        f"{plan.pairs} pairs a block, {several} of each sort, seed {plan.seed}. CPU: {spent}. {made_with()}\n\n"
        "Areas are means over the blocks of a sort, with the lowest and the highest where there are several. "
        '"Common": all networks on the parents of the pooled one. "Order": one of the original network is given, to '
        'the lasso always. "Order of both": one that fits both networks of a pair. The paper names the '
        "approaches behind chi-squared in its section 2.1 and runs none of them." + _said(study)
    )


def _said(study: Study) -> str:
    """What a run of the paper's size lets one say, and where the paper disagrees with itself."""
    if len(beside_printed(blocks(study))) < len(printed()):
        return ""
    return f"\n\n**{study.claim}** {study.reading}\n\n{' '.join(study.slips)}"


def _areas(found: pd.DataFrame) -> pd.DataFrame:
    """Block by block: the printed area of the odds beside ours, four ways."""
    lines = []
    for line, key, here in _by_block(found):
        paper = printed().get(key)
        line |= {"paper": _digits(paper.odds) if paper else "–", "ours": _spread(here["odds"])}
        line["difference"] = f"{here['odds'].mean() - paper.odds:+.3f}" if paper else "–"
        lines.append(line | {score.removeprefix("odds, "): _digits(here[score].mean()) for score in ODDS[1:]})
    return pd.DataFrame(lines)


def _baselines(study: Study, found: pd.DataFrame) -> pd.DataFrame:
    """Block by block: the printed area of the lasso beside ours, DeLong's p of both, and chi-squared."""
    lines = []
    for line, key, here in _by_block(found):
        if study.plan.lasso:
            paper = printed().get(key)
            line |= {"lasso, paper": _digits(paper.lasso) if paper else "–", "lasso, ours": _spread(here["lasso"])}
            line["difference"] = f"{here['lasso'].mean() - paper.lasso:+.3f}" if paper else "–"
            line["p odds = lasso, paper"] = paper.p if paper else "–"
            line["p, ours"] = ", ".join(_p(value) for value in here["p, odds"])
            line["p with order, ours"] = ", ".join(_p(value) for value in here["p, odds, order"])
            line["lasso, order of both"] = _spread(here[BOTH[1]])
        line["chi-squared"] = _spread(here["chi-squared"])
        lines.append(line | {score: _digits(here[score].mean()) for score in COMPARATORS})
    return pd.DataFrame(lines)


def _means(study: Study, found: pd.DataFrame) -> pd.DataFrame:
    """Over the blocks of a kind and over all: the mean area of every score, and how often the odds are ahead of it."""
    means = found.groupby(BLOCK, sort=False).mean(numeric_only=True).reset_index()
    lines = []
    for score in study.plan.scores:
        line: dict[str, object] = {"approach": score}
        line |= {kind: _digits(means.loc[means["kind"] == kind, score].mean()) for kind in KINDS}
        line["all blocks"] = _digits(means[score].mean())
        ahead = f"{int((means['odds'] > means[score]).sum())} of {len(means)}"
        lines.append(line | {"blocks with the odds ahead": "–" if score == "odds" else ahead})
    return pd.DataFrame(lines)


def _by_block(found: pd.DataFrame) -> Iterator[tuple[dict[str, object], tuple[str, str, int, int], pd.DataFrame]]:
    """The first cells of a line, the key of the printed block, and our repeats of it."""
    for key, here in found.groupby(BLOCK, sort=False):
        name, kind, draws, rows = key
        yield {"data": name, "kind": kind, "draws": draws, "rows": f"{rows:,}"}, key, here


def _deviations(study: Study, found: pd.DataFrame) -> pd.DataFrame:
    """Mean difference and mean absolute difference, by data set and kind, and over all blocks."""
    known = beside_printed(found)
    parts = [(name, kind, known[(known["data"] == name) & (known["kind"] == kind)]) for name in SETS for kind in KINDS]
    lines = []
    for name, kind, here in [*parts, ("all", "", known)]:
        if here.empty:
            continue
        line = {"data": name, "kind": kind, "blocks": len(here)}
        for which in ("odds", "lasso") if study.plan.lasso else ("odds",):
            apart = here[which] - here[f"paper {which}"]
            line |= {f"{which}: mean": f"{apart.mean():+.3f}", f"{which}: mean absolute": f"{apart.abs().mean():.3f}"}
        lines.append(line)
    return pd.DataFrame(lines)


def _counts(found: pd.DataFrame) -> pd.DataFrame:
    """Where the odds are ahead of the lasso, and where significantly; a figure for each repeat."""
    lines = []
    for odds, lasso in DUELS:
        counted = [count_ahead(here, odds, lasso) for _, here in found.groupby("repeat")]
        means = found.groupby(BLOCK, sort=False)[[odds, lasso]].mean()
        paper = COUNTS.get(odds) if lasso == "lasso" else None
        line: dict[str, object] = {"odds": odds.removeprefix("odds").removeprefix(", ") or "as published"}
        line |= {"lasso": "order" if lasso == "lasso" else "order of both", "blocks": len(means)}
        for place, what in enumerate(("ahead", "better", "worse")):
            line[what] = ", ".join(str(one[place]) for one in counted)
            line[f"{what}, paper (of 72)"] = getattr(paper, what) if paper else "–"
        line["ahead by mean area"] = int((means[odds] > means[lasso]).sum())
        line["Wilcoxon p"] = _p(signed_rank(means[odds] - means[lasso]))
        lines.append(line | {"Wilcoxon p, paper": f"<{WILCOXON:.4f}" if (odds, lasso) == DUELS[0] else "–"})
    return pd.DataFrame(lines)


def _digits(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _spread(values: pd.Series) -> str:
    """Mean, and the lowest and highest where there are several."""
    known = values.dropna()
    if len(known) < 2:
        return _digits(float(known.mean()))
    return f"{known.mean():.3f} ({known.min():.3f}–{known.max():.3f})"


def _p(value: float) -> str:
    return "–" if math.isnan(value) else "<0.0001" if value < 1e-4 else f"{value:.4f}"
