"""A group comparison as three network panels and as one of differences, and what the page says of a picture.

Averaged over orders, lines are drawn by P(link): wide and dark where it is there, thin and pale where that cannot be
told. A line that is "only in" a group is drawn so only where the result says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboard.charts.group_difference import OVERALL, VERDICT_STYLES, margin_words, outcome_words
from dashboard.network.boxes import FEW
from dashboard.network.panel import Edge, Node, Panel, certainty_of, of_share
from dashboard.text import short
from engine.graphs.dag import each_edge
from engine.methods.group_difference.verdicts import EVEN, NOT_THERE, SURE, THERE, Alone, Verdict
from engine.telling.group_difference.forms import form_of
from engine.telling.group_difference.one_variable import headings
from engine.telling.group_difference.wording import monte_carlo_note
from engine.words import in_percent, probability

if TYPE_CHECKING:
    import networkx as nx

    from engine.methods.group_difference.result import GroupDifferenceResult

CHOICES = ("difference", "first", "second", "both", "panels")
"""What can be drawn: the differences in one network, one of the three, or the two groups side by side."""
LEAST = (NOT_THERE, 0.25, 0.5, 0.75, THERE)
"""P(link) from which a line is drawn, to choose from."""
STATUS = {
    "both": "same",
    "only A": "only_a",
    "only B": "only_b",
    "reversed": "reversed",
    "neither": "neither",
    "cannot tell": "unclear",
}
"""What an arc is to the two groups -> how it is drawn."""

IN_LINE = 24
"""Letters of what differs up to which it stands in a box."""
MARKED = (Verdict.DIFFERS, Verdict.PROBABLY, Verdict.ALIKE, Verdict.CANNOT_TELL)
"""Verdicts whose boxes have a sign and stand in the legend; the others have neither."""


@dataclass(frozen=True)
class NetworkLink:
    """A line of a picture.

    Attributes
    ----------
    source, target, directed : from where to where, where its direction is clear
    status : of `STATUS`
    p : how probable it is in what is drawn, None where one order was used
    words : what its tooltip says
    """

    source: str
    target: str
    directed: bool
    status: str
    p: float | None
    words: str


def averaged(result: GroupDifferenceResult) -> bool:
    """Whether the networks are averages over orders, in place of one network a group."""
    return result.average is not None


def status_words(result: GroupDifferenceResult) -> dict[str, str]:
    """What the legend calls each kind of arc, with the groups' own names."""
    first, second = (short(label, 18) for label in result.labels)
    return {
        "same": "in both groups",
        "only_a": f"direct in {first} only",
        "only_b": f"direct in {second} only",
        "reversed": "in both, turned round",
        "neither": "only in both together",
        "unclear": "not clear whether in both",
    }


def verdict_legend(result: GroupDifferenceResult) -> dict[str, str]:
    """What the legend calls each sign and colour of a box."""
    beyond = " beyond error" if monte_carlo_note(result) else ""
    sure, even = (f"P ≥ {in_percent(limit)}" for limit in (SURE, EVEN))
    through = (result.verdicts["alone"] == Alone.THROUGH_OTHERS).any()
    words = (
        f"▲ differs, {sure}{beyond}",
        f"△ probably differs, {even}{beyond}",
        f"= equivalent overall, {margin_words(result.method.margin)}",
        f"? inconclusive; {f'{OVERALL[0]} overall; no sign: none seen' if through else 'no sign: no difference seen'}",
    )
    return {VERDICT_STYLES[verdict].colour: text for verdict, text in zip(MARKED, words, strict=True)}


def panels(result: GroupDifferenceResult, names: Collection[str] = ()) -> list[Panel]:
    """The first group's network, the second's and the one of both together; boxes say which variables differ."""
    titles = (*result.labels, "both together")
    rows = (*result.n, result.n_rows)
    matches = []
    for title, graph, n in zip(titles, result.graphs().values(), rows, strict=True):
        edges = _edges(_links_of(result, graph, title))
        matches.append(Panel(title, f"n = {n:,}", nodes(result, names), edges))
    return matches


def difference_panel(result: GroupDifferenceResult, names: Collection[str] = ()) -> Panel:
    """The links of either group in one network: in both, only in one of them, or not clear; as for `panels`."""
    first, second, _ = result.graphs().values()
    if averaged(result):
        matches = list(_union(result, first, second))
    else:
        matches = _links_of(result, first, result.labels[0])
        matches += [item for item in _links_of(result, second, result.labels[1]) if item.status == "only B"]
    title = f"{result.labels[0]} and {result.labels[1]}"
    return Panel(title, "", nodes(result, names), _edges(matches))


def links(result: GroupDifferenceResult) -> dict[tuple[str, str], float]:
    """The links of all three networks by how much the end that differs more does; each variable by itself too."""
    differs = result.variables()["probability"].fillna(0.0)
    matches = {(name, name): float(differs[name]) for name in result.names}
    for graph in result.graphs().values():
        matches |= {(a, b): max(float(differs[a]), float(differs[b])) for a, b in graph.edges if (b, a) not in matches}
    return matches


def drawn_networks(result: GroupDifferenceResult) -> list[nx.DiGraph]:
    """The networks that shape the picture: what is as likely there as not, so that doubtful links tangle nothing."""
    graphs = list(result.graphs().values())
    for graph in graphs:
        doubtful = [(a, b) for a, b, p in graph.edges(data="probability") if p is not None and p < 0.5]
        graph.remove_edges_from(doubtful)
    return graphs


def chosen_panels(result: GroupDifferenceResult, choice: str, names: Collection[str] = ()) -> list[Panel]:
    """The panels of one of `CHOICES`, with boxes for these variables."""
    if choice == "difference":
        return [difference_panel(result, names)]
    three = panels(result, names)
    return three[:2] if choice == "panels" else [three[CHOICES.index(choice) - 1]]


def about_links(result: GroupDifferenceResult) -> str:
    """How to read the lines, below the heading of the picture."""
    text = "A link means that one variable helps to predict the other; it does not show what causes what."
    if averaged(result):
        return (
            f"{text} Wide and dark: P(link) of at least {in_percent(THERE)}. Thin and pale: inconclusive. The "
            "slider says from which P on links are drawn. An arrow stands where the direction is clear, too."
        )
    item = f"{text} These are the paper's networks, under one order of the variables."
    turned = " Directions that could as well be the other say so when you point at the arc."
    return item + (turned if result.method.score.equivalent else "")


def nodes(result: GroupDifferenceResult, names: Collection[str] = ()) -> list[Node]:
    """The boxes of these variables, or of all: of many the sign of a verdict, of few its words too."""
    margin, table = result.method.margin, result.variables()
    some = table.loc[table.index.isin(list(names))] if names else table
    matches = []
    for name, row in some.iterrows():
        p = row["probability"]
        words = [outcome_words(row, margin)]
        if p == p:
            words.append(probability(row["probability"], "P(differs)"))
        if row["where"] and row["verdict"] in (Verdict.DIFFERS, Verdict.PROBABLY):
            words.append(f"most: {row['where']}")
        verdict = Verdict(row["verdict"])
        fill = VERDICT_STYLES[verdict].colour if verdict in MARKED else ""
        few = len(some) <= FEW
        sign = "" if few or not fill else VERDICT_STYLES[verdict].sign
        value = _line(verdict, p, _what_line(result, str(name))) if few else ""
        if row["alone"] == Alone.THROUGH_OTHERS:
            fill, sign, value = "", "" if few else OVERALL[0], OVERALL if few else ""
        matches.append(Node(str(name), words="\n".join(words), sign=sign, value=value, fill=fill))
    return matches


def _what_line(result: GroupDifferenceResult, name: str) -> str:
    """What differs of a number in a few words: 'higher in South', 'varies more'; "" where it is no number."""
    form = form_of(result, result.names.index(name)) if result.number(name) is not None else None
    if form is None:
        return ""
    if form.range or form.kind not in ("higher", "lower"):
        return form.range or form.kind
    return f"{form.kind} in {headings(result)[1]}"  # a long name of a group leaves the box to P(differs)


def _line(verdict: Verdict, p: float, what: str = "") -> str:
    """The line below a name: the sign of its verdict, and what differs or P(differs) where that is worth a look."""
    sign = VERDICT_STYLES[verdict].sign
    if verdict == Verdict.ONE_LEVEL:
        return f"{sign} one level"
    if verdict in (Verdict.DIFFERS, Verdict.PROBABLY):
        return f"{sign} {what if 0 < len(what) <= IN_LINE else probability(p, 'P(differs)')}"
    return {Verdict.ALIKE: "= equivalent overall", Verdict.CANNOT_TELL: "? inconclusive"}.get(verdict, "")


def _links_of(result: GroupDifferenceResult, graph: nx.DiGraph, title: str) -> list[NetworkLink]:
    """The lines of one network."""
    words = status_words(result)
    matches = []
    for source, target, directed, about in each_edge(graph):
        text = words[STATUS[about["status"]]]
        p = about.get("probability")
        if p is not None:
            text = f"{probability(p, 'P(link)')} in {title}; {text}"
        elif not about["compelled"]:
            text += "; its direction could as well be the other"
        matches.append(NetworkLink(source, target, directed, about["status"], p, text))
    return matches


def _union(result: GroupDifferenceResult, first: nx.DiGraph, second: nx.DiGraph) -> Iterator[NetworkLink]:
    """Every pair that either group's network links, once; with an arrow where all that link it agree on one."""
    words, (here, there) = status_words(result), result.labels
    table = result.links()
    likely = table.loc[table["larger"] > NOT_THERE]
    for row in likely.itertuples(index=False):
        ways = {way for graph in (first, second) if (way := _way(graph, row.source, row.target)) is not None}
        source, target = next(iter(ways)) if len(ways) == 1 else (row.source, row.target)
        directed = len(ways) == 1 and (source, target) != ("", "")
        if not directed:
            source, target = row.source, row.target
        text = f"{words[STATUS[row.status]]}; {probability(row.probability_first, 'P(link)')} in {here}, "
        text += f"{probability(row.probability_second)} in {there}"
        if len([way for way in ways if way != ("", "")]) > 1:
            text += "; its direction is not the same in both"
        p = float(max(row.probability_first, row.probability_second))
        yield NetworkLink(str(source), str(target), directed, row.status, p, text)


def _way(graph: nx.DiGraph, a: str, b: str) -> tuple[str, str] | None:
    """Which way a link runs in a network; two empty names where that is not clear, None where there is no link."""
    ways = [item for item in ((a, b), (b, a)) if graph.has_edge(*item)]
    return ("", "") if len(ways) > 1 else next(iter(ways), None)


def _edges(result: Iterable[NetworkLink]) -> list[Edge]:
    return [_edge(item) for item in result]


def _edge(link: NetworkLink) -> Edge:
    if link.p is None:
        return Edge(link.source, link.target, STATUS[link.status], words=link.words)
    certainty = certainty_of(link.p, NOT_THERE, THERE)
    return Edge(
        link.source,
        link.target,
        STATUS[link.status],
        of_share(link.p),
        link.words,
        directed=link.directed,
        certainty=certainty,
        p=link.p,
    )
