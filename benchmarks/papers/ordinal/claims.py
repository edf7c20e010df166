"""What the paper says of its figures, line by line under both readings, and what this program was to reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.papers.ordinal.draw import Cell
from benchmarks.papers.ordinal.losses import BEST, READINGS, best_of, losses, lower
from benchmarks.papers.ordinal.plan import (
    AT_LEVELS,
    BDE,
    BGE,
    DRAWN,
    GAPS,
    GPC,
    HELD,
    MIXED,
    NPC,
    OPC,
    OSEM,
    PCS,
    PENALTY,
    PUBLISHED,
    SPARSITY,
    USUAL_LEVELS,
    USUAL_ROWS,
    neighbours_words,
)
from benchmarks.papers.results import OPEN, OUTSIDE, WITHIN
from engine.methods.ordinal.held_out_loss import corrected

if TYPE_CHECKING:
    import pandas as pd

LEAST = 4
"""Tables without which a claim has no verdict."""
LEVEL_ALPHA = 0.05
WORSE = 0.1
"""A rise of a loss with the number of variables that is still no deterioration."""
ANCHORS = {12: 5.5, 20: 13.5, 30: 9.5}
"""SHD of the authors' program on one graph of each size: mean SHD was to be at or below."""
SECONDS = {12: 1.0, 20: 2.0, 30: 4.0}
"""CPU seconds of a fit that were allowed."""
GAP = 1.0
"""How much further off 5 % missing answers may lead, in SHD."""
CONSERVATIVE = "the PC searches are too conservative"
Cells = Mapping[Cell, Mapping[str, np.ndarray]]


class Claim(NamedTuple):
    """A sentence of the paper under one reading, or what this program was to reach.

    Attributes
    ----------
    where : it stands
    sentence : what is claimed
    said : what was said
    ours : what is seen here
    verdict : whether ours is like it
    reading : how the sentence was read; empty where there is one way
    """

    where: str
    sentence: str
    said: str
    ours: str
    verdict: str
    reading: str = ""

    @property
    def what(self) -> str:
        """The sentence with its reading."""
        return f"{self.sentence}: {self.reading}" if self.reading else self.sentence


def claims(rows: pd.DataFrame) -> list[Claim]:
    """The paper's claims on what was run, then what this program was to reach.

    Parameters
    ----------
    rows : of the study
    """
    lines: list[Claim] = []
    here = rows[rows["data"] == DRAWN]
    for reading in READINGS if len(here) else ():
        found = losses(here, reading)
        lines += [*_order(found, reading), *_rows(found, reading), *_size(found, reading), *_levels(found, reading)]
    if len(here):
        lines += [*_conservative(here), *_slower(here), *_supplement(rows)]
    lines += _predicting(rows)
    return lines + list(_reached(rows))


def _verdict(tables: int, holds: bool) -> str:
    return OPEN if tables < LEAST else WITHIN if holds else OUTSIDE


def _sized(found: Cells) -> dict[Cell, Mapping[str, np.ndarray]]:
    """The cells of Figure 2."""
    usual = {cell[3] for cell in found if cell[3] == USUAL_LEVELS} or {min(cell[3] for cell in found)}
    return {cell: one for cell, one in found.items() if cell[3] in usual}


def _below(sentence: str, reading: str, where: str, pairs: list[np.ndarray]) -> Claim:
    """A line that says that differences are below 0: over all tables by a t test, and in how many cells by the mean."""
    all_ = np.concatenate(pairs)
    cells = sum(float(one.mean()) < 0 for one in pairs)
    ours = f"{all_.mean():+.3f} over {len(all_)} tables, below 0 in {cells} of {len(pairs)} cells"
    return Claim(where, sentence, "below 0", ours, _verdict(len(all_), lower(all_, LEVEL_ALPHA)), reading)


def _order(found: Cells, reading: str) -> Iterator[Claim]:
    """OSEM, BGe, BDe, PC; and GPC, OPC, NPC."""
    here = _sized(found)
    for one, others in ((OSEM, (BGE,)), (BGE, (BDE,)), (BDE, PCS), (GPC, (OPC,)), (OPC, (NPC,))):
        pairs = [cell[one] - best_of(cell, others) for cell in here.values()]
        named = others[0] if len(others) == 1 else "the best PC"
        yield _below(f"{one} less {named}", reading, "Figure 2", pairs)
    more = [cell for cell in found if cell not in here]
    if more:
        rivals = (BGE, BDE, *PCS)
        pairs = [found[cell][OSEM] - best_of(found[cell], rivals) for cell in more]
        yield _below(f"{OSEM} less the best rival, other levels", reading, "Figure S3", pairs)


def _changed(found: Cells, approach: str, first: Cell, second: Cell) -> np.ndarray:
    """Second less first, of the runs that both have: the same graphs and weights."""
    one, other = found[first][approach], found[second][approach]
    many = min(len(one), len(other))
    return np.asarray(other[:many] - one[:many])


def _rows(found: Cells, reading: str) -> Iterator[Claim]:
    """More rows help."""
    here = _sized(found)
    least, most = min(cell[2] for cell in here), max(cell[2] for cell in here)
    pairs = [
        _changed(found, OSEM, cell, (cell[0], cell[1], most, cell[3]))
        for cell in here
        if cell[2] == least < most and (cell[0], cell[1], most, cell[3]) in here
    ]
    if pairs:
        yield _below(f"{OSEM}, {most} rows less {least}", reading, "Figure 2", pairs)


def _size(found: Cells, reading: str) -> Iterator[Claim]:
    """More variables do no harm."""
    here = _sized(found)
    least, most = min(cell[1] for cell in here), max(cell[1] for cell in here)
    if least == most:
        return
    means = [float(np.mean([cell[OSEM].mean() for key, cell in here.items() if key[1] == n])) for n in (least, most)]
    tables = min(sum(len(cell[OSEM]) for key, cell in here.items() if key[1] == n) for n in (least, most))
    what = f"{OSEM}, {most} variables less {least}"
    rise = means[1] - means[0]
    yield Claim("Figure 2", what, f"at most +{WORSE:g}", f"{rise:+.3f}", _verdict(tables, rise <= WORSE), reading)


def _levels(found: Cells, reading: str) -> Iterator[Claim]:
    """More levels help OSEM and BGe, GPC a little, and harm BDe."""
    here = [cell for cell in found if cell[1:3] == (AT_LEVELS, USUAL_ROWS)]
    if len(here) < 2:
        return
    few, many = min(here, key=lambda cell: cell[3]), max(here, key=lambda cell: cell[3])
    for approach in (OSEM, BGE, GPC, BDE):
        change = _changed(found, approach, few, many)
        what = f"{approach}, {many[3]} levels less {few[3]}"
        if approach != BDE:
            yield _below(what, reading, "Figure S3", [change])
            continue
        harms = lower(-change, LEVEL_ALPHA)
        ours = f"{change.mean():+.3f} over {len(change)} tables"
        yield Claim("Figure S3", what, "above 0", ours, _verdict(len(change), harms), reading)


def _conservative(rows: pd.DataFrame) -> Iterator[Claim]:
    """PC finds few of the links, whatever the significance level; two readings of "too conservative"."""
    means = rows.groupby(["variables", "rows", "levels", "approach", "setting"])[["TPR", "FPRp"]].mean().reset_index()
    pcs, ours = means[means["approach"].isin(PCS)], means[(means["approach"] == OSEM) & (means["setting"] == PENALTY)]
    if ours.empty:
        return
    by = ["variables", "rows", "levels"]
    most = pcs.groupby(by)["TPR"].max()
    held = ours.set_index(by)["TPR"].reindex(most.index) > most
    said = f"{int(held.sum())} of {len(held)}"
    reading = f"cells in which none, at any alpha, finds the share of links that {OSEM} finds"
    verdict = WITHIN if held.all() else OUTSIDE
    yield Claim("Figure 2", CONSERVATIVE, "all cells", said, verdict, reading)
    usual = pcs[pcs["setting"] == 0.05]
    found = usual["TPR"] + usual["FPRp"]
    shown = f"{found.min():.2f} to {found.max():.2f}"
    reading = "links that one finds at alpha 0.05, right or wrong, over true ones"
    yield Claim(
        "Figure 2", CONSERVATIVE, "fewer than there are", shown, WITHIN if found.max() < 1 else OUTSIDE, reading
    )


def _slower(rows: pd.DataFrame) -> Iterator[Claim]:
    """OSEM takes longer than one search."""
    seconds = rows.groupby(["approach", "variables"])["seconds"].mean()
    ratios = [seconds[OSEM] / seconds[rival] for rival in (BGE, BDE)]
    shown = "; ".join(f"{ratio.min():.1f} to {ratio.max():.1f} times" for ratio in ratios)
    longer = all(ratio.min() > 1 for ratio in ratios)
    what = f"CPU time of {OSEM} over {BGE}'s; over {BDE}'s"
    yield Claim("Figure S5", what, "above 1", shown, WITHIN if longer else OUTSIDE)


def _supplement(rows: pd.DataFrame) -> Iterator[Claim]:
    """OSEM is ahead in skeletons too, in sparser and denser networks, and of the methods for mixed data."""
    rivals = (BGE, BDE, *PCS)
    usual = rows[(rows["data"] == DRAWN) & (rows["levels"] == USUAL_LEVELS)]
    if "skeleton SHD" in usual and len(usual):
        own = usual.assign(SHD=usual["skeleton SHD"])
        pairs = [cell[OSEM] - best_of(cell, rivals) for cell in losses(own, BEST).values()]
        yield _below(f"{OSEM} less the best rival", f"skeleton {BEST}", "Figure S1", pairs)
    sparse = rows[rows["data"].isin(map(neighbours_words, SPARSITY))]
    for reading in READINGS:
        if len(sparse):
            pairs = [cell[OSEM] - best_of(cell, rivals) for cell in losses(sparse, reading).values()]
            yield _below(f"{OSEM} less the best rival, other densities", reading, "Figure S4", pairs)
        mixed = [cell for cell in losses(usual, reading).values() if set(MIXED) <= set(cell)]
        if mixed:
            pairs = [cell[OSEM] - best_of(cell, MIXED) for cell in mixed]
            yield _below(f"{OSEM} less the best of {', '.join(MIXED)}", reading, "Figure S6", pairs)


def _predicting(rows: pd.DataFrame) -> Iterator[Claim]:
    """Log loss, each approach at the setting whose mean is lowest: below on every table, by mean and by interval."""
    if "log loss" not in rows:
        return
    known = rows[rows["log loss"].notna() & ~rows["data"].str.startswith(DRAWN)]
    losses_of = {}
    for name, every in known.groupby("data", sort=False):
        here = every[every["rows"] == every["rows"].max()]
        losses_of[name] = {str(approach): _least(one) for approach, one in here.groupby("approach", sort=False)}
    for rival in (BDE, BGE) if losses_of else ():
        apart = {name: own[OSEM] - own[rival] for name, own in losses_of.items()}
        intervals = {name: corrected(one, HELD / (1 - HELD)) for name, one in apart.items()}
        splits = min(len(one) for one in apart.values())
        means = {name: f"{one.mean():+.3f} ({int((one < 0).sum())} of {len(one)})" for name, one in apart.items()}
        bands = {name: f"{low:+.3f} to {high:+.3f}" for name, (low, high) in intervals.items()}
        below = all(one.mean() < 0 for one in apart.values())
        clear = all(high < 0 for _, high in intervals.values())
        sentence = f"{OSEM} less {rival}, nats a row"
        for reading, shown, holds in (
            ("the mean (splits below 0)", means, below),
            ("95 % interval", bands, clear),
        ):
            ours = "; ".join(f"{name} {one}" for name, one in shown.items())
            yield Claim("Figure 3", sentence, "below 0 on every table", ours, _verdict(splits, holds), reading)


def _least(rows: pd.DataFrame) -> np.ndarray:
    setting = rows.groupby("setting")["log loss"].mean().idxmin()
    return rows[rows["setting"] == setting].sort_values("run")["log loss"].to_numpy(dtype=float)


def _reached(rows: pd.DataFrame) -> Iterator[Claim]:
    """SHD and seconds at the default penalty with 500 rows, and what gaps cost."""
    usual = rows[(rows["rows"] == USUAL_ROWS) & (rows["levels"] == USUAL_LEVELS)]
    drawn = usual[usual["data"] == DRAWN]
    ours = drawn[(drawn["approach"] == OSEM) & (drawn["setting"] == PENALTY)].sort_values("run")
    for n, here in ours.groupby("variables"):
        shd = here["SHD"].to_numpy(dtype=float)
        where, tables = f"{n} variables, {len(shd)} tables", len(shd)
        what = f"mean SHD of {OSEM}, penalty {PENALTY:g}"
        if n in ANCHORS:
            said = f"at most {ANCHORS[n]:g}, one run of the authors' program"
            yield Claim(where, what, said, f"{shd.mean():.2f}", _verdict(tables, shd.mean() <= ANCHORS[n]))
            spent = float(here["seconds"].mean())
            said = f"at most {SECONDS[n]:g}"
            yield Claim(where, f"CPU seconds of {OSEM}", said, f"{spent:.1f}", _verdict(tables, spent <= SECONDS[n]))
        for rival in (PUBLISHED, BGE, BDE, *PCS):
            theirs = _at_best(drawn[(drawn["approach"] == rival) & (drawn["variables"] == n)])
            if len(theirs) == tables:
                shown = f"{shd.mean() - theirs.mean():+.2f} ({theirs.mean():.2f})"
                what_ = f"{what}, less that of {rival} at its best setting"
                yield Claim(where, what_, "below 0", shown, _verdict(tables, shd.mean() < theirs.mean()))
        gaps = usual[(usual["data"] == GAPS) & (usual["approach"] == OSEM) & (usual["variables"] == n)]
        gaps = gaps[gaps["setting"] == PENALTY].sort_values("run")
        if len(gaps) == tables:
            more = float(gaps["SHD"].mean() - shd.mean())
            what_ = f"{what}, 5 % of the answers missing less none"
            yield Claim(where, what_, f"at most +{GAP:g}", f"{more:+.2f}", _verdict(tables, more <= GAP))


def _at_best(rows: pd.DataFrame) -> np.ndarray:
    """(runs,) SHD at the setting whose mean is lowest."""
    if rows.empty:
        return np.empty(0)
    setting = rows.groupby("setting")["SHD"].mean().idxmin()
    return rows[rows["setting"] == setting].sort_values("run")["SHD"].to_numpy(dtype=float)
