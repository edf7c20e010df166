"""A group comparison as three network panels, and the small things the page says about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dashboard.charts.differences import LOOKS, outcome, outcome_words
from dashboard.network.panel import Edge, Node, Panel
from dashboard.text import short
from engine.methods.group_difference.verdicts import ALIKE, CANNOT_TELL, DIFFERS, DISPUTED, EXPLAINED, ONE_LEVEL, WITHIN
from engine.words import count

if TYPE_CHECKING:
    from engine.methods.group_difference.result import GroupDifferenceResult

EVIDENCE = "▲ orange differs, = blue alike, △ ? · neither; number: log10 Bayes factor"
CROWD = 20
"""Variables up to which a box says its outcome in a word; of more its sign does, and the legend."""
CHOICES = ("difference", "first", "second", "both", "panels")
"""What can be drawn: the differences in one network, one of the three, or three panels."""
_STRONGEST = 2.0
_WORDS = {
    DIFFERS: "differs",
    EXPLAINED: "explained",
    WITHIN: "within",
    ALIKE: "alike",
    DISPUTED: "disputed",
    CANNOT_TELL: "unsure",
    ONE_LEVEL: "one level",
}


def longest_line(result: GroupDifferenceResult) -> str:
    """The longest line below a name."""
    return "△ explained +99.9" if len(result.names) <= CROWD else "△ +99.9"


def status_words(result: GroupDifferenceResult) -> dict[str, str]:
    """What the legend calls each kind of arc, with the groups' own names."""
    first, second = (short(label, 18) for label in result.labels)
    return {
        "same": "in both groups",
        "only_a": f"only in {first}",
        "only_b": f"only in {second}",
        "reversed": "in both, turned round",
        "neither": "only in both together",
    }


def panels(result: GroupDifferenceResult, names: Collection[str] = ()) -> list[Panel]:
    """The first group's network, the second's and the pooled one; boxes say which variables differ.

    Parameters
    ----------
    result : the answer
    names : the variables that get a box; all of them where none is named
    """
    titles = (*result.labels, "both together")
    rows = (*result.n, result.n_rows)
    found = []
    for title, graph, n in zip(titles, result.graphs().values(), rows, strict=True):
        edges = _edges(result, graph.edges(data=True))
        found.append(Panel(title, f"{count(n, 'row')}, {count(len(edges), 'arc')}", _nodes(result, names), edges))
    return found


def difference_panel(result: GroupDifferenceResult, names: Collection[str] = ()) -> Panel:
    """The arcs of either group in one network: only in the first, only in the second, in both."""
    first, second, _ = result.graphs().values()
    arcs = [(*one, about) for *one, about in first.edges(data=True)]
    arcs += [(*one, about) for *one, about in second.edges(data=True) if about["status"] == "only_b"]
    edges = _edges(result, arcs)
    different = len([edge for edge in edges if edge.status != "same"])
    title = f"{result.labels[0]} and {result.labels[1]}"
    return Panel(title, f"{count(len(edges), 'arc')}, {different} not in both alike", _nodes(result, names), edges)


def links(result: GroupDifferenceResult) -> dict[tuple[str, str], float]:
    """The arcs of all three networks by how much the end that differs more does; each variable by itself too."""
    differs = result.variables()["log10_bf_beyond"]
    found = {(name, name): float(differs[name]) for name in result.names}
    for graph in result.graphs().values():
        found |= {(a, b): max(float(differs[a]), float(differs[b])) for a, b in graph.edges if (b, a) not in found}
    return found


def chosen_panels(result: GroupDifferenceResult, choice: str, names: Collection[str] = ()) -> list[Panel]:
    """The panels of one of `CHOICES`, with boxes for these variables."""
    if choice == "difference":
        return [difference_panel(result, names)]
    three = panels(result, names)
    return three if choice == "panels" else [three[CHOICES.index(choice) - 1]]


def _nodes(result: GroupDifferenceResult, names: Collection[str]) -> list[Node]:
    margin, table = result.method.margin, result.variables()
    found = []
    for name, row in (table.loc[table.index.isin(list(names))] if names else table).iterrows():
        kind = outcome(row)
        look = LOOKS[kind]
        colour = {DIFFERS: _STRONGEST, WITHIN: _STRONGEST, ALIKE: -_STRONGEST}.get(kind)
        word = f"{_WORDS[kind]} " if len(result.names) <= CROWD else ""
        words = f"{outcome_words(row, margin)}\nlog10 Bayes factor {row['log10_bf_beyond']:+.1f} beyond its parents, "
        words += f"{row['log10_bf_alone']:+.1f} on its own"
        found.append(Node(str(name), colour, words, f"{look.sign} {word}{row['log10_bf_beyond']:+z.1f}"))
    return found


def _edges(result: GroupDifferenceResult, arcs: Iterable[tuple[str, str, Mapping[str, Any]]]) -> list[Edge]:
    words = status_words(result)
    turned = "; its direction could as well be the other"
    return [
        Edge(source, target, about["status"], words=words[about["status"]] + ("" if about["compelled"] else turned))
        for source, target, about in arcs
    ]
