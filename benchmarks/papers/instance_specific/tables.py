"""The tables of the instance-specific study: means over networks beside the printed ones, and verdicts on the bands."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from benchmarks.papers.blocks import SECONDS
from benchmarks.papers.instance_specific.plan import GES, KEYS, SHORTCUT, Plan
from benchmarks.papers.instance_specific.printed import (
    BANDS,
    CLASSES,
    COUNTS,
    RATES,
    RATIO,
    TABLES,
    Bands,
    Printed,
    printed,
)
from benchmarks.papers.results import OUTSIDE, WITHIN
from benchmarks.papers.study import Study, cells, made_with
from engine.measures.structure import f_measure

Line = tuple[str, str, str, bool]
"""What is held to a band, our figure, the band, and whether it is kept."""
GES_SEARCHES = (SHORTCUT, GES)
SEARCHES = {"order_kept": "order kept", "published": "published"}
DISTANCE = (*COUNTS, "distance", RATIO, "held-out gain")
PARTS = (("a", "adjacency"), ("b", "arrowhead"), ("c", "structural Hamming distance and log likelihood ratio"))


def by_network(rows: pd.DataFrame) -> pd.DataFrame:
    """Means over the patients of each network (what is not a number left out), and F of mean precision and recall."""
    means = rows.drop(columns=["patient", SECONDS]).groupby([*KEYS, "network"], dropna=False, sort=False).mean()
    for kind in ("adjacency", "arrowhead"):
        for where in CLASSES:
            pairs = zip(means[f"{kind} P {where}"], means[f"{kind} R {where}"], strict=True)
            means[f"{kind} F {where}"] = [f_measure(precision, recall) for precision, recall in pairs]
    return means.reset_index()


def tables(study: Study) -> dict[str, pd.DataFrame]:
    """The paper's tables with ours beside them for every number of arcs, then cell by cell, then the verdicts."""
    networks = by_network(study.rows)
    found: dict[str, pd.DataFrame] = {}
    for arcs in study.plan.arcs:
        paper = printed(arcs) if study.plan.variables == 50 else {}
        for letter, kind in PARTS:
            number = f"Table {TABLES[arcs]}{letter}" if paper else f"Part {letter}"
            found[f"{number}: {kind}, {arcs} arcs"] = _side_by_side(networks, arcs, study.plan.kappas, kind, paper)
        if paper:
            found[f"GES against Table {TABLES[arcs]}, {arcs} arcs"] = _cell_by_cell(networks, arcs, paper)
    verdicts = [line for arcs in study.plan.arcs for line in _verdicts(study, networks, arcs)]
    found["Held to the bands"] = pd.DataFrame(verdicts, columns=["arcs", "what", "ours", "band", "verdict"])
    return found


def done(plan: Mapping[str, Any]) -> str:
    """What a run of this plan was; `KeyError` where a number is missing."""
    return (
        f"Here: {plan['networks']} networks for each number of arcs, {plan['rows']:,} training rows, "
        f"{plan['instances']} patients a network."
    )


def heading(study: Study) -> str:
    """What was run, and how to read the cells."""
    plan: Plan = study.plan
    share = study.rows.groupby("arcs")["in context"].mean()
    shares = ", ".join(f"{share[arcs]:.1%} with {arcs} arcs" for arcs in plan.arcs)
    return (
        f"{plan.networks} networks for each number of arcs, {plan.variables} variables, {plan.rows:,} training rows, "
        f"{plan.instances} patients a network, seed {plan.seed}; {sum(study.seconds.values()):.0f} s of CPU in all. "
        f"Variables in context: {shares}. {made_with()}\n\n"
        "Cells: mean (standard deviation over networks). Rows marked *paper* are the printed figures."
    )


def runs(study: Study) -> pd.DataFrame:
    """Every measure of every network, a row each."""
    found = by_network(study.rows)
    found["run"] = [f"network {number + 1}" for number in found["network"]]
    figures = [name for name in found if name not in (*KEYS, "network", "run", "in context")]
    return found.melt([*KEYS, "run"], figures, "quantity", "value")


def compared(study: Study) -> pd.DataFrame:
    """A row a search and measure: the printed mean and spread, ours, and the difference."""
    lines = []
    for arcs in study.plan.arcs:
        paper = printed(arcs) if study.plan.variables == 50 else {}
        for name, row in paper.items():
            kappa = math.nan if name == "GES" else float(name)
            for search in GES_SEARCHES if name == "GES" else SEARCHES:
                lines += [(arcs, search, kappa, what, cell.mean, cell.spread) for what, cell in row.items()]
                far = sum(row[count].mean for count in COUNTS)
                lines.append((arcs, search, kappa, "distance", far, math.nan))
    columns = [*KEYS, "quantity", "printed", "printed_spread"]
    return cells(runs(study), KEYS, pd.DataFrame(lines, columns=columns))


def verdicts(study: Study) -> pd.DataFrame:
    """What GES and order-kept mode are held to, and whether they keep to it."""
    networks = by_network(study.rows)
    lines = [
        (f"{arcs} arcs: {what}", band, ours, verdict.strip("*"), f"{arcs} arcs: {_sentence(what)}")
        for arcs in study.plan.arcs
        for _, what, ours, band, verdict in _verdicts(study, networks, arcs)
    ]
    return pd.DataFrame(lines, columns=["what", "band", "ours", "verdict", "sentence"])


def _side_by_side(
    networks: pd.DataFrame,
    arcs: int,
    kappas: tuple[float, ...],
    kind: str,
    paper: dict[str, dict[str, Printed]],
) -> pd.DataFrame:
    columns = [f"{kind} {rate}" for rate in RATES] if kind in ("adjacency", "arrowhead") else list(DISTANCE)
    labels, cells = [], []
    for name in [*(f"{kappa:g}" for kappa in kappas), "GES"]:
        if name in paper:
            labels.append("GES, *paper*" if name == "GES" else f"IGES, κ = {name}, *paper*")
            cells.append([_printed_cell(paper[name], column) for column in columns])
        for label, ours in _ours(networks, arcs, name):
            labels.append(label)
            cells.append([_cell(ours[column], column) for column in columns])
    short = [column.removeprefix(f"{kind} ") for column in columns]
    return pd.DataFrame(cells, index=pd.Index(labels, name="search"), columns=short)


def _ours(networks: pd.DataFrame, arcs: int, name: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """(label, one row a network) of our searches that stand beside a printed row."""
    here = networks[networks["arcs"] == arcs]
    if name == "GES":
        for search in GES_SEARCHES:
            yield search, here[here["search"] == search]
        return
    for search, words in SEARCHES.items():
        yield f"{words}, κ = {name}", here[(here["search"] == search) & (here["kappa"] == float(name))]


def _cell_by_cell(networks: pd.DataFrame, arcs: int, paper: dict[str, dict[str, Printed]]) -> pd.DataFrame:
    """Every cell of the printed GES row, and whether ours lies within one of its standard deviations."""
    ours = dict(_ours(networks, arcs, "GES"))
    lines = {}
    for measure, cell in paper["GES"].items():
        line = {"paper": _cell_text(cell.mean, cell.spread, measure)}
        for search, found in ours.items():
            line[search] = _cell(found[measure], measure)
            line[f"{search}: within one SD"] = "yes" if _within(found, measure, cell) else "no"
        lines[measure] = line
    return pd.DataFrame.from_dict(lines, orient="index").rename_axis("measure")


def _within(found: pd.DataFrame, measure: str, cell: Printed) -> bool:
    return abs(float(found[measure].mean()) - cell.mean) <= cell.spread


def _verdicts(study: Study, networks: pd.DataFrame, arcs: int) -> list[tuple[int, str, str, str, str]]:
    """The lines that the figures are held to, where the study is of the paper's size and has the kappas asked for."""
    if study.plan.variables != 50 or arcs not in BANDS:
        return []
    lines = [*_of_ges(networks, arcs)]
    if 0.1 in study.plan.kappas:
        lines += _of_order_kept(networks, arcs, BANDS[arcs], 0.9 in study.plan.kappas)
    return [(arcs, what, figure, band, _verdict(kept)) for what, figure, band, kept in lines]


def _of_ges(networks: pd.DataFrame, arcs: int) -> Iterator[Line]:
    cells = printed(arcs)["GES"]
    for search, found in _ours(networks, arcs, "GES"):
        inside = sum(_within(found, measure, cell) for measure, cell in cells.items())
        what = f"{search}: row of Table {TABLES[arcs]}"
        yield what, f"{inside} of {len(cells)} cells", "all within one SD", inside == len(cells)


def _of_order_kept(networks: pd.DataFrame, arcs: int, bands: Bands, drift_too: bool) -> Iterator[Line]:
    kept = dict(_ours(networks, arcs, "0.1"))["order kept, κ = 0.1"].mean(numeric_only=True)
    for measure, least in (("adjacency F overall", bands.f_overall), ("adjacency F IS", bands.f_context)):
        if least is not None:
            yield f"order kept, κ = 0.1: {measure}", f"{kept[measure]:.3f}", f"≥ {least}", kept[measure] >= least
    far = kept["distance"]
    yield "order kept, κ = 0.1: distance", f"{far:.2f}", f"≤ {bands.distance:g}", far <= bands.distance
    recall = "adjacency R overall"
    lost = float(dict(_ours(networks, arcs, "GES"))["GES"][recall].mean() - kept[recall])
    what = "adjacency recall, GES minus order kept"
    yield what, f"{lost:.3f}", f"≤ {bands.recall_lost}", lost <= bands.recall_lost
    if drift_too:
        drift = abs(far - dict(_ours(networks, arcs, "0.9"))["order kept, κ = 0.9"]["distance"].mean())
        what = "distance, κ = 0.1 against 0.9"
        yield what, f"{drift:.2f}", f"< {bands.distance_drift:g}", drift < bands.distance_drift
    gain = kept["held-out gain"]
    what = "held-out log probability, order kept minus population (nats)"
    yield what, f"{gain:+.3f}", f"≥ −{bands.held_out_lost}", gain >= -bands.held_out_lost


def _sentence(what: str) -> str:
    """A printed row is one, whichever GES stands beside it; a target of ours is itself."""
    search, _, row = what.rpartition(": ")
    return row if search in GES_SEARCHES else what


def _verdict(kept: bool) -> str:
    return WITHIN if kept else f"**{OUTSIDE}**"


def _cell(values: pd.Series, measure: str) -> str:
    return _cell_text(float(values.mean()), float(values.std(ddof=1)), measure)


def _printed_cell(row: dict[str, Printed], measure: str) -> str:
    if measure == "distance":
        return f"{sum(row[count].mean for count in COUNTS):.1f}"
    return _cell_text(row[measure].mean, row[measure].spread, measure) if measure in row else "–"


def _cell_text(mean: float, spread: float, measure: str) -> str:
    if math.isnan(mean):
        return "–"
    digits = 1 if measure in (*COUNTS, "distance", RATIO) else 2
    mean = round(mean, digits) + 0.0  # no "-0.00"
    return f"{mean:.{digits}f}" if math.isnan(spread) else f"{mean:.{digits}f} ({spread:.{digits}f})"
