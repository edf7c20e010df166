"""The figure of an ordinal network: items as rings, lines or arrows between them, on one of three layouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from engine import words
from engine.errors import SettingsError
from engine.graphs.drawing.interval_plot import Measured, draw_intervals
from engine.graphs.drawing.layout import Point
from engine.graphs.drawing.rings import (
    Ring,
    RingLink,
    draw_rings,
    labels_apart,
    place_by_springs,
    place_in_circle,
    place_in_layers,
)
from engine.methods.ordinal.evidence import OrdinalEvidence
from engine.methods.ordinal.partial_network import MEASURES
from engine.models.partial_correlations import PartialCorrelations
from engine.telling.ordinal.wording import arrow_words, estimate_words, headline, named, sign_words
from engine.words import signed

Kind = Literal["lines", "arrows", "implied"]
KINDS: tuple[Kind, ...] = ("lines", "arrows", "implied")
Layout = Literal["spring", "circle", "layers"]
LAYOUTS: tuple[Layout, ...] = ("spring", "circle", "layers")
ROOM, HEIGHT = 410.0, 380.0
"""Pixels that a figure is about wide and high."""
FEW, NARROWER, SLIM, LOWER = 12, 0.7, 0.825, 0.9
"""Items up to which a figure is narrower and lower, and how narrow one of more is: a small screen shows it whole with
its labels."""
MANY, TALLER = 24, 1.15
"""Items above which labels need more room than rings: a circle is higher by how much."""
CROWD, LARGER = 30, 1.6
"""Items above which a figure is larger, and by how much."""
LEAST_DRAWN = 0.05
"""Partial correlation below which a line is never drawn."""
THIN = 1.0
"""Width of a line that is not clear."""
_SPARSE = 2.5
"""Standard errors of a line, of the middle one, from which on lines are drawn at first."""


def rings_of(result: OrdinalEvidence, names: Sequence[str], labels: Mapping[str, str]) -> list[Ring]:
    """The items, each with its explained share and its scale.

    Parameters
    ----------
    result : the answer
    names : the items that are drawn
    labels : name -> what stands beside it; the name where there is none
    """
    lines = result.lines
    scales = scale_names(result)
    rows = labels_apart(labels.get(name, name) for name in names)
    rings = []
    for name in names:
        label = labels.get(name, name)
        tip = [name if label == name else f"{label} ({name})"]
        share, scale = -1.0, None
        if lines is not None:
            place = lines.names.index(name)
            share = float(lines.explained[place])
            ends = words.in_percent(lines.explained_low[place]), words.in_percent(lines.explained_high[place])
            tip.append(f"{words.in_percent(share)} explained by all others (95 % interval {ends[0]} to {ends[1]})")
            if name in lines.scales:
                scale = scales.index(lines.scales[name])
                tip.append(f"scale: {lines.scales[name]}")
        rings.append(Ring(name, rows[label], share, scale, "\n".join(tip)))
    return rings


def links_of(result: OrdinalEvidence, kind: Kind, names: Sequence[str]) -> list[RingLink]:
    """The lines, thin and pale where not clear; the arrows, pale as `pale_words` says; or the lines that the fitted
    network implies, which have no interval.

    Parameters
    ----------
    result : the answer
    kind : which
    names : the items that are drawn
    """
    members = set(names)
    if kind == "lines":
        lines = result.lines
        if lines is None:
            return []
        return [
            RingLink(
                lines.names[i],
                lines.names[j],
                float(lines.partial[i, j]),
                pale=not lines.clear[i, j],
                width=0.0 if lines.clear[i, j] else THIN,
                words=f"{lines.names[i]} – {lines.names[j]}\npartial correlation "
                + estimate_words(lines.partial[i, j], lines.low[i, j], lines.high[i, j])
                + "\n"
                + sign_words(result, lines.names[i], lines.names[j], lines.partial[i, j]),
            )
            for i, j in lines.pairs
            if abs(lines.partial[i, j]) >= LEAST_DRAWN and {lines.names[i], lines.names[j]} <= members
        ]
    if kind == "implied":
        partial = PartialCorrelations.of(result.matrices["fitted"]).partial
        return [
            RingLink(a, b, float(partial[i, j]), words=f"{a} – {b}\nimplied by the network: {signed(partial[i, j])}")
            for (i, a), (j, b) in combinations(enumerate(result.names), 2)
            if abs(partial[i, j]) >= LEAST_DRAWN and {a, b} <= members
        ]
    return [
        RingLink(
            *pair,
            result.link(*pair).partial,
            directed,
            pale=pair in result.pale_pairs,
            words=f"{named(result, pair)}\n{arrow_words(result, pair)}",
        )
        for pair, directed in result.drawn_pairs
        if set(pair) <= members
    ]


def pale_words(result: OrdinalEvidence, kind: Kind) -> str:
    """What the legend says of pale links.

    Parameters
    ----------
    result : the answer
    kind : which
    """
    if kind != "arrows":
        return "not clear"
    return "not beyond chance" if result.chance_first else "returns in fewer half samples"


def place(rings: Sequence[Ring], result: OrdinalEvidence, layout: Layout) -> dict[str, Point]:
    """Where the items stand, whether lines or arrows are drawn.

    Parameters
    ----------
    rings : the items
    result : the answer
    layout : by springs, in a circle, or in layers
    """
    names = [ring.name for ring in rings]
    wider = LARGER if len(rings) > CROWD else NARROWER if len(rings) <= FEW else 1.0
    higher = LOWER if len(rings) <= FEW else wider
    room, height = wider * ROOM, higher * HEIGHT
    if layout == "circle":
        return place_in_circle(rings, room, TALLER * height if MANY < len(rings) <= CROWD else height)
    room = SLIM * room if FEW < len(rings) <= CROWD else room
    if layout == "layers":
        return place_in_layers(rings, links_of(result, "arrows", names), room)
    least = threshold(result)
    lines = [] if result.arrows_first else links_of(result, "lines", names)
    pulling, arrows = [link for link in lines if abs(link.value) >= least], links_of(result, "arrows", names)
    return place_by_springs(rings, pulling or arrows, room, height, arrows)


def kinds_of(result: OrdinalEvidence) -> tuple[Kind, ...]:
    """The kinds of links, the one that answers best first.

    Parameters
    ----------
    result : the answer
    """
    return tuple(sorted(KINDS, key=lambda kind: kind != "arrows")) if result.arrows_first else KINDS


def threshold(result: OrdinalEvidence) -> float:
    """Size from which lines are drawn at first: the first of .10, .15, ... that is 2.5 standard errors or more, or is
    the last before a clear line.

    Parameters
    ----------
    result : the answer
    """
    if result.lines is None:
        return LEAST_DRAWN
    widths = sorted((result.lines.high - result.lines.low)[pair] for pair in result.lines.pairs)
    error = float(widths[len(widths) // 2]) / (2 * 1.96)
    clear = np.abs(result.lines.partial[result.lines.clear]).min(initial=0.5)
    enough = (step / 100 for step in range(10, 50, 5) if step / 100 >= _SPARSE * error or (step + 5) / 100 > clear)
    return next(enough, 0.5)


def network_figure(
    result: OrdinalEvidence,
    kind: Kind | None = None,
    layout: Layout = "spring",
    *,
    labels: Mapping[str, str] | None = None,
    names: Sequence[str] | None = None,
    grey: bool = False,
) -> str:
    """The network as an SVG element with a legend, for a paper.

    Parameters
    ----------
    result : the answer
    kind : "lines" (partial correlations given all others), "arrows" (the network that was searched) or "implied" (the
        partial correlations that this network implies); the one that answers best where None
    layout : "spring", "circle" or "layers"
    labels : name -> what stands beside an item
    names : the items that are drawn; all where None
    grey : in shades of grey

    Returns
    -------
    the element as text, names escaped

    Examples
    --------
    >>> result = engine.Ordinal(approach="gpc").run(sample_data.dataset("symptoms"))
    >>> network_figure(result, "lines").count("class='rings-node'")
    12
    """
    shown, kind = tuple(result.names if names is None else names), kind or kinds_of(result)[0]
    rings = rings_of(result, shown, labels or {})
    least = 0.0 if kind == "arrows" else threshold(result)
    links = [link for link in links_of(result, kind, shown) if abs(link.value) >= least]
    title = headline(result)
    return draw_rings(
        rings, links, place(rings, result, layout), ident="figure", title=title, scales=scale_names(result), grey=grey,
        legend=True, pale=pale_words(result, kind),
    )  # fmt: skip


CENTRALITIES = ("expected_influence", "strength", "bridge_expected_influence")
"""What the figure of centralities has, where it was measured."""


def centralities_figure(result: OrdinalEvidence, *, labels: Mapping[str, str] | None = None, grey: bool = False) -> str:
    """How central items are, with intervals, as an SVG element; the largest expected influence first;
    no covariate.

    Parameters
    ----------
    result : the answer, lines estimated
    labels : name -> what stands beside an item
    grey : in shades of grey

    Returns
    -------
    the element as text, names escaped

    Examples
    --------
    >>> result = engine.Ordinal(approach="gpc").run(sample_data.dataset("symptoms"))
    >>> centralities_figure(result).count("<circle")
    24
    """
    lines = result.lines
    if lines is None:
        raise SettingsError("No lines were estimated, so there are no centralities to draw.")
    scales, shown = scale_names(result), labels or {}
    items = [k for k, name in enumerate(lines.names) if name not in lines.covariates]
    order = sorted(items, key=lambda k: -lines.centralities[CENTRALITIES[0]].value[k])
    measures = []
    for name in (name for name in CENTRALITIES if name in lines.centralities):
        low, high = lines.interval(name)
        columns = (lines.centralities[name].value, low, high)
        measures.append(Measured(MEASURES[name], *([float(column[k]) for k in order] for column in columns)))
    kinds = [scales.index(lines.scales[name]) if name in lines.scales else None for name in lines.names]
    return draw_intervals(
        [shown.get(lines.names[k], lines.names[k]) for k in order],
        [kinds[k] for k in order],
        measures,
        ident="centralities",
        title="Centrality of variables with 95 % intervals",
        scales=scales,
        grey=grey,
    )


def scale_names(result: OrdinalEvidence) -> list[str]:
    """The scales of the items, as their shapes and colours are numbered.

    Parameters
    ----------
    result : the answer
    """
    return list(dict.fromkeys(result.lines.scales.values())) if result.lines is not None else []
