"""The network as a picture: colour and dash by sign, width by how sure or how strong, shape by scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from dashboard.network.boxes import SHAPES
from dashboard.network.panel import Edge, Node, Panel, certainty_of, of_correlation, of_share
from dashboard.session.labels import column_names
from dashboard.text import short
from dashboard.views.shared.network_view import positions_of
from engine.data.item_scales import scales_by_prefix
from engine.graphs.dag import each_edge
from engine.methods.ordinal.recurrence import RETURNS_AT
from engine.telling.ordinal.figures.tables import fixed_order
from engine.telling.ordinal.wording import effect_words
from engine.words import count, in_percent

if TYPE_CHECKING:
    import networkx as nx

    from dashboard.session.caches import Point
    from engine.methods.ordinal.recurrence import HalfSamples
    from engine.methods.ordinal.result import OrdinalResult


def scales(names: Sequence[str]) -> dict[str, str]:
    """Name -> its scale: as set by hand or by the data dictionary, else how the name begins; "" by hand is none."""
    of = column_names().scales
    if any(name in of for name in names):
        return {name: of[name] for name in names if of.get(name)}
    return scales_by_prefix(names)


def shape_of(result: dict[str, str]) -> dict[str, str]:
    """Name -> the shape of its scale; what is beyond the shapes there are has none of its own."""
    return {name: shape for shape, kind in _shaped(result) for name, own in result.items() if own == kind}


def shape_words(result: dict[str, str]) -> dict[str, str]:
    """Shape -> what the legend says of it."""
    many = Counter(result.values())
    begun = {kind: f"{_begins(result, kind)}…" for kind in many if _begins(result, kind)}
    return {shape: f"{short(kind, 20)}{begun.get(kind, '')} ({many[kind]})" for shape, kind in _shaped(result)}


def label_of(name: str, result: dict[str, str]) -> str:
    """The name without its scale, where all of the scale begin with it; "" for the name as it is."""
    kind = result.get(name)
    between = "" if kind is None else _begins(result, kind)
    return name.removeprefix(f"{kind}{between}") if between else ""


def _begins(result: dict[str, str], kind: str) -> str:
    """What stands between a scale and its items where all of their names begin with it: "_" or a space."""
    rests = [name.removeprefix(kind) for name, own in result.items() if own == kind and name.startswith(kind)]
    fits = len(rests) == list(result.values()).count(kind) and all(len(rest) > 1 for rest in rests)
    between = {rest[:1] for rest in rests}
    return between.pop() if fits and between in ({"_"}, {" "}) else ""


def _shaped(result: dict[str, str]) -> list[tuple[str, str]]:
    """Shapes and their scales; the first is everybody's where more scales are told than there are shapes."""
    kinds = list(dict.fromkeys(result.values()))
    return list(zip(SHAPES, kinds, strict=False)) if len(kinds) <= len(SHAPES) else []


def order_of(result: OrdinalResult) -> tuple[list[str], list[int]]:
    """The variables by scale and column, and the places before which a new scale begins."""
    matches = scales(result.names)
    order = fixed_order(result.names, matches)
    breaks = [i for i, (a, b) in enumerate(pairwise(order), 1) if matches.get(a) != matches.get(b)]
    return order, breaks


def words_of(result: OrdinalResult) -> dict[str, str]:
    """What the legend says of shapes; what it says of signs is the theme's."""
    return shape_words(scales(result.names))


def network_panel(result: OrdinalResult) -> Panel:
    """The network of all rows; pale as `OrdinalEvidence.pale_pairs`, without a head where no direction returns."""
    return _panel(
        result, result.graphs()["network"], f"The network of all {count(result.n_rows, 'row')}", result.halves
    )


def averaged_panel(result: OrdinalResult, threshold: float) -> Panel:
    """The links that came back in a larger share of the drawn tables than this."""
    runs = 0 if result.strength is None else result.strength.runs
    return _panel(
        result,
        result.averaged(threshold),
        f"Links in more than {in_percent(threshold)} of {count(runs, 'bootstrap sample')}",
    )


def nodes(result: OrdinalResult, names: Collection[str] = ()) -> list[Node]:
    """The boxes in column order, with their levels as words."""
    scale = scales(result.names)
    shape = shape_of(scale)
    return [
        Node(
            name,
            words=_levels(result, name),
            shape=shape.get(name, "box"),
            label=label_of(name, scale),
        )
        for name in names or result.names
    ]


def model_positions(result: OrdinalResult, names: Collection[str] = ()) -> dict[str, Point]:
    """Where the boxes stand, on this page and on others; of a wide network those that are drawn."""
    drawn = list(names) or list(result.names)
    return positions_of(drawn, [result.graph], nodes=nodes(result, drawn))


def _panel(result: OrdinalResult, graph: nx.Graph, title: str, halves: HalfSamples | None = None) -> Panel:
    edges = [_edge(result, a, b, directed, halves) for a, b, directed, _ in each_edge(graph)]
    lines = [edge.directed for edge in edges].count(False)
    without = f", {lines} without a direction" if lines else ""
    return Panel(title, f"{count(len(edges), 'link')}{without}", nodes(result), edges)


def _edge(result: OrdinalResult, a: str, b: str, directed: bool, halves: HalfSamples | None) -> Edge:
    item = result.link(a, b)
    words, width = f"partial correlation {effect_words(item)}", of_correlation(item.partial)
    if result.strength is not None:
        share = result.strength.share(a, b)
        width = of_share(share)
        words += f"\nin {in_percent(share)} of {count(result.strength.runs, 'bootstrap sample')}"
    certainty = 1.0
    if halves is not None:
        share = halves.share(a, b)
        certainty = float(item.beyond_chance) if result.chance_first else certainty_of(share, 0.0, RETURNS_AT)
        words += f"\nin {in_percent(share)} of {count(halves.runs, 'half sample')}"
    status = "negative" if item.partial < 0 else "positive"
    return Edge(a, b, status, width, words, directed=directed, certainty=certainty)


def _levels(result: OrdinalResult, name: str) -> str:
    levels = result.levels[name]
    return f"{count(len(levels), 'level')}: {short(levels[0], 20)} to {short(levels[-1], 20)}"
