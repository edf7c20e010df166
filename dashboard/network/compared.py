"""Groups and their difference as panels on one layout: sign, size and doubt of every link, and the one looked at."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dashboard.network.panel import Edge, Node, Panel, of_estimate
from dashboard.session.labels import labelled
from dashboard.text import distinct, short, shorten, visible
from dashboard.theme import DIFFERENT
from engine.comparison.result import DIFFERENCE
from engine.comparison.scales import SCALES, Scale, on_axis
from engine.comparison.table import LinkWord, kind_of
from engine.graphs.dag import each_edge
from engine.methods.verdicts import Verdict
from engine.telling.charts.colours import GROUP_COLOURS
from engine.telling.comparison.wording import evidence, order_of, search_name, verdict_text
from engine.text import Count, Level, Name, Number, told
from engine.words import count, p_value, signed

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.comparison.result import ComparisonResult

Link = tuple[str, str]

SIGNS = ("●", "□", "◇", "△", "✚", "✕")
"""Of the groups, as the chart of the links has them."""
LEAST_ODDS = (1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0)
LEAST_CORRELATIONS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
PALE = 0.0
"""How sure a link without a sign is whose interval holds 0; it can still be seen."""
PAIRS = 6
"""Pairs that are read where neither network has a link."""
LOOKS = {"linked": "link"}
"""Status of a link without a sign -> how it is drawn."""
MARKS = {"only_a": "A", "only_b": "B", "reversed": "⟲"}
"""On the middle of an arc, so that colour says nothing alone."""


def least_sizes(scale: Scale) -> dict[float, str]:
    """The sizes from which links can be asked for -> how each is written."""
    if scale.ratios:
        return {math.log(odd): "all" if odd == 1 else f"{odd:g}" for odd in LEAST_ODDS}
    return {
        correlation: "all" if not correlation else signed(correlation).removeprefix("+")
        for correlation in LEAST_CORRELATIONS
    }


def links_of(result: ComparisonResult, pair: tuple[str, str], least: float = 0.0) -> pd.DataFrame:
    """The links that are drawn of two groups and the one that differs most, least p first; as large in either.

    Where no link is drawn, some of the pairs that differ most.
    """
    rows = result.links()
    rows = rows[(rows["group_a"] == pair[0]) & (rows["group_b"] == pair[1])]
    drawn, named = result.union_and_called(), result.leading()
    if named is not None:
        drawn |= {frozenset((named.source, named.target))}
    if not result.union_and_called():
        drawn |= {frozenset(ends) for ends in rows[["source", "target"]].head(PAIRS).to_numpy()}
    rows = rows[[frozenset(ends) in drawn for ends in rows[["source", "target"]].to_numpy()]]
    return rows[on_axis(rows, result.scale, ["a", "b"]).abs().max(axis=1) >= least] if len(rows) else rows


def link_at(rows: pd.DataFrame, link: Link | None) -> Any | None:
    """The row of a link, whichever end is named first."""
    if link is None:
        return None
    return next((row for row in rows.itertuples() if {row.source, row.target} == set(link)), None)


def differing_ends(rows: pd.DataFrame) -> list[str]:
    """The ends of the links that differ, of the one that differs most where none does; `rows` are of `links_of`."""
    called = rows[rows["what"] != ""] if (rows["what"] != "").any() else rows.head(1)
    return list(dict.fromkeys(called[["source", "target"]].to_numpy().ravel().tolist()))


def link_sizes(rows: pd.DataFrame) -> dict[Link, float]:
    """Size of each link in either of two groups."""
    sizes = rows[["a", "b"]].abs().max(axis=1)
    return dict(zip(zip(rows["source"], rows["target"], strict=True), sizes.tolist(), strict=True))


def clearest_pair(result: ComparisonResult) -> tuple[str, str]:
    """The two groups between which a link differs most clearly; the first two where nothing was tested."""
    row = result.leading()
    return (result.labels[0], result.labels[1]) if row is None else (str(row["group_a"]), str(row["group_b"]))


def pair_sentence(result: ComparisonResult, pair: tuple[str, str]) -> str:
    """Which links differ between two of several groups, in a few words."""
    rows = result.links()
    rows = rows[(rows["group_a"] == pair[0]) & (rows["group_b"] == pair[1])]
    if not len(rows):
        return "Only their structure is compared."
    called = rows[rows["what"] != ""]
    if not len(called):
        return told("No difference is seen: the least {}.", Number(p_value(rows["p"].iloc[0])))
    first = called.iloc[0]
    sure = (called["word"] == Verdict.DIFFERS).all()
    verb = f"{'' if sure else 'probably '}{'differs' if len(called) == 1 else 'differ'}"
    link, phrase = Name(link_name(first)), Level(difference_phrase(first))
    return told("{} {}: {} {}.", Count(len(called), "link"), verb, link, phrase)


def link_name(row: Any) -> str:
    """The two ends of a link, with labels in place of codes."""
    return labelled(" – ".join(shorten(visible(end), 30) for end in (row.source, row.target)))


def difference_phrase(row: Any) -> str:
    """What is said of a difference as the end of a sentence; `row` is one of `links`."""
    if not row.what:
        return f"{'difference ' * (row.word == Verdict.CANNOT_TELL)}{verdict_text(row)}"
    word, _ = kind_of(row)
    adverb = "probably " if row.word == Verdict.PROBABLY else ""
    begins = {LinkWord.ONLY: f"is {adverb}there ", LinkWord.STRONGER: f"is {adverb}"}
    return f"{begins.get(word, adverb)}{row.what}"


def difference_title(result: ComparisonResult, pair: tuple[str, str]) -> str:
    """The network of the difference of two groups among those of the comparison."""
    return DIFFERENCE if len(result.labels) == 2 else f"{pair[1]} - {pair[0]}"


def link_panels(
    result: ComparisonResult, pair: tuple[str, str], titles: tuple[str, str], rows: pd.DataFrame, link: Link | None
) -> list[Panel]:
    """Two groups and their difference, with these links alone; estimates have no direction, so links have no heads."""
    graphs, drawn_rows = result.graphs(), {frozenset((row.source, row.target)): row for row in rows.itertuples()}
    ends = frozenset(link or ())
    nodes = [Node(name, lit=name in ends and ends in drawn_rows, narrow=True) for name in result.names]
    sizes, search = dict(zip(result.labels, result.rows, strict=True)), search_name(result)
    panels = []
    for label, title in zip(pair, titles, strict=True):
        place = result.labels.index(label)
        edges = [
            _group_edge(
                SCALES[drawn_rows[frozenset((source, target))].scale], label, (source, target), about,
                lit={source, target} == ends, search=search,
            )
            for source, target, _, about in each_edge(graphs[label])
            if frozenset((source, target)) in drawn_rows
        ]  # fmt: skip
        panels.append(
            Panel(title, f"n = {sizes[label]:,}", nodes, edges, sign=SIGNS[place], colour=GROUP_COLOURS[place])
        )
    edges = [
        _difference_edge(SCALES[row.scale], row, about, lit=ends == frozenset((source, target)))
        for source, target, _, about in each_edge(graphs[difference_title(result, pair)])
        if (row := drawn_rows.get(frozenset((source, target)))) is not None
    ]
    called = sum(bool(row.what) for row in drawn_rows.values())
    subtitle = f"{called or 'none'} seen to differ"
    return [*panels, Panel(_order_title(result.scale), subtitle, nodes, edges, sign="◆", colour=DIFFERENT)]


def _group_edge(scale: Scale, label: str, link: Link, about: Mapping[str, Any], *, lit: bool, search: str) -> Edge:
    value, low, high = about["estimate"], about["low"], about["high"]
    found = "found it" if about["drawn"] else "did not find it"
    words = f"{scale.short} {scale.interval(value, low, high)} in {short(label, 40)}\nthe {search} {found}"
    return Edge(
        *link,
        LOOKS.get(about["status"], about["status"]),
        words=words,
        directed=False,
        certainty=PALE if about["pale"] and about["status"] == "linked" else 1.0,
        width=0.0 if about["pale"] else of_estimate(value if scale.ratios else value * scale.weight, odds=scale.ratios),
        lit=lit,
    )


def _difference_edge(scale: Scale, row: Any, about: Mapping[str, Any], *, lit: bool) -> Edge:
    words = f"{difference_words(scale, row)}, {evidence(row)}, {p_value(row.p)} (corrected)"
    return Edge(
        row.source,
        row.target,
        LOOKS.get(about["status"], about["status"]),
        words=words,
        directed=False,
        certainty=1.0 if row.what else PALE,
        lit=lit,
    )


def _order_title(scale: Scale) -> str:
    """What stands above the difference of two: the second less the first, or their ratio, as the two are headed."""
    return f"{'Ratio' if scale.ratios else 'Difference'} {order_of(scale, 'A', 'B')}"


def difference_words(scale: Scale, row: Any) -> str:
    """The difference of a link with its interval, and which group is subtracted from which."""
    value, low, high = (scale.difference_text(item) for item in (row.difference, row.low, row.high))
    name = "ratio of the odds ratios" if scale.ratios else "difference"
    return f"{name} {order_of(scale, *distinct((row.group_a, row.group_b), 20))} = {value} ({low} to {high})"


def structure_panels(result: ComparisonResult, titles: Sequence[str], title: str) -> list[Panel]:
    """Two networks whose links are not tested, and what is in both or in one of them."""
    structure, names = result.structure(), result.names
    rows = structure.edges[structure.edges["network"] == title]
    other = rows["network_b"].iloc[0] if len(rows) else title
    pair = []
    for side, own, name in zip(result.sides, (title, other), titles, strict=False):
        graph = side.graphs[own] if own in side.graphs else next(iter(side.graphs.values()))
        pair.append(_structure_panel(name, graph, names))
    edges = [
        Edge(
            source,
            target,
            str(about.get("status", "same")),
            directed=directed,
            mark=MARKS.get(str(about.get("status")), ""),
        )
        for source, target, directed, about in each_edge(structure.graph(title))
    ]
    unlike = [edge for edge in edges if edge.status != "same"]
    last = Panel(
        "Difference",
        f"{len(unlike)} of {count(len(edges), 'edge')}",
        [Node(name, narrow=True) for name in names],
        edges,
    )
    return [*pair, last]


def _structure_panel(title: str, graph: nx.Graph, names: Collection[str]) -> Panel:
    inside = set(names)
    edges = [
        Edge(source, target, directed=directed)
        for source, target, directed, _ in each_edge(graph)
        if source in inside and target in inside
    ]
    return Panel(title, count(len(edges), "edge"), [Node(name, narrow=True) for name in names], edges)
