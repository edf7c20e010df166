"""The model as a picture and its links in words: by strength, groups as outlines, lone variables in a list."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dashboard.network.panel import Edge, Node, Outline, Panel, free_outlines, widths
from dashboard.session.caches import Point
from dashboard.session.labels import labelled
from dashboard.text import capital, distinct, short
from dashboard.views.shared.network_view import positions_of
from engine.methods.log_linear.number_checks import FROM_THE_CUT
from engine.methods.log_linear.pair_evidence import contrast_of, held_fixed, in_order
from engine.telling.log_linear.wording import (
    check_words,
    contrast_brief,
    contrast_cells,
    links_counted,
    only_held,
    p_words,
)
from engine.text import Level
from engine.words import evidence

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.log_linear.result import LogLinearResult

Pair = tuple[str, str]

BITS = (
    "Bits measure how much shorter a message gets that states the model and then the data with its help. A link that "
    "saves bits pays for the numbers it needs; how far that speaks for it stands beside it in words."
)
MOST_OF_A_NAME = 28
"""Letters of a name, and of a level, in the table of links; whole names stand in the reading and in the file."""
WITH_ENDS = {"share there": "there (95 %)", "otherwise": "otherwise (95 %)"}
SHORT = {"mml": "MML", "smt": "SMT", "chi2": "chi-squared", "bic": "BIC", "ah": "AH 2004", "kl": "KL"}


def link_table(result: LogLinearResult) -> pd.DataFrame:
    """The links, strongest first: how much each shifts and saves, the evidence, in how many groups it lies, notes."""
    import pandas as pd

    order, values = in_order(result), result.edge_values
    rows = [
        (*e, contrast_brief(result, *e), values[e].evidence_bits, evidence_words(result, e), values[e].cliques)
        for e in order
    ]
    columns = ["one", "another", "largest difference", "bits", "what the rows say", "groups"]
    table = pd.DataFrame(rows, columns=columns)
    if notes := result.link_notes:
        table["note"] = [capital(notes.get(pair, "")) for pair in order]
    return table


def links_display(result: LogLinearResult, names: Mapping[str, str]) -> pd.DataFrame:
    """Of the links what a reader needs to choose one, as the headline says it: share of what, where; the evidence."""
    import pandas as pd

    brief = dict(
        zip(result.names, distinct([names.get(name, name) for name in result.names], MOST_OF_A_NAME), strict=True)
    )
    rows, held = [], held_fixed(result)
    every = list(dict.fromkeys(level for name in result.names for level in result.levels[name]))
    levels = dict(zip(every, distinct(every, MOST_OF_A_NAME), strict=True))

    def called(part: str) -> str:
        return (levels if isinstance(part, Level) else brief).get(part, part)

    for pair in in_order(result):
        cells = {head: text.shown(called) for head, text in contrast_cells(result, *pair).items()}
        said = FROM_THE_CUT if result.from_the_cut(pair) else evidence_words(result, pair).partition(" (")[0]
        if pair in held:
            said = only_held([held[pair]]).shown(called)
        link = {} if cells else {"share of": " – ".join(brief[name] for name in pair)}
        rows.append({**link, **cells, "evidence": said.removesuffix(" evidence for it")})
    heads = ["share of", "where", "share there", "otherwise", "evidence"]
    return pd.DataFrame(rows, columns=heads).fillna("").rename(columns=WITH_ENDS)


def evidence_words(result: LogLinearResult, edge: Pair) -> str:
    """The evidence for a link in words, with its p and whether chance could show as much; or "not asked"."""
    item, contrast = result.supports.get(edge), contrast_of(result, *edge)
    if result.undecided:
        return "not judged: too few subjects"
    if contrast is not None and contrast.alike:
        return only_held([contrast.alike])
    if item is None:
        return "not asked"
    note, check = ", no more than chance" if edge in result.doubtful_links() else "", result.number_check(*edge)
    numbers = "" if check is None else f"; {FROM_THE_CUT if check.from_the_cut else check_words(check)}"
    return f"{evidence(item.log_bayes_factor, 'it')} ({p_words(item.log10_p)}{note}){numbers}"


def rows_words(factor: Any, statistic: float = 0.0) -> str:
    """How many more rows a refused edge with this G would need; "kl" and "ah" do not say."""
    known = isinstance(factor, float) and math.isfinite(factor)
    if not known and statistic > 0:
        return "how many rows that would take is not known"
    if not known:
        return "no number of rows like these would do"
    if factor < 1.05:
        return "a few more rows would do"
    times = f"{factor:,.1f}" if factor < 10 else f"{factor:,.0f}"
    return f"about {times} times the rows would do"


def edge_words(result: LogLinearResult, a: str, b: str) -> str:
    """What a tooltip says of an edge."""
    about = result.edge_values[a, b]
    if about.removable:
        bits = about.evidence_bits
        worth = f"costs {-bits:,.1f} bits more than it saves" if bits < 0 else f"saves {bits:,.1f} bits"
        return f"{worth}; {evidence_words(result, (a, b))}"
    came = f"; saved {about.entry_bits:,.1f} bits when it came" if math.isfinite(about.entry_bits) else ""
    return f"lies in {about.cliques} groups, so it cannot be taken away alone{came}; {evidence_words(result, (a, b))}"


OUTLINED = 3
"""Variables from which a group gets an outline; two are a group that the line between them shows."""
MOST_EDGES = 250
"""Links that a picture shows unless it is asked for more."""
CROWD = 30
MOST_OUTLINES = 40
ROOM = 540.0
"""Width of the picture, so that a small screen has it whole too."""
WORDS = {
    "link": "a link: the wider, the stronger",
    "held": "in several groups, cannot go alone",
    "alike": "only with others held fixed",
    "cut": "may come from the cut of numbers",
}


def legend(result: LogLinearResult) -> dict[str, str]:
    """What each kind of line is called; of links that want others held fixed, these by name where they are the same."""
    return {**WORDS, "alike": str(labelled(only_held(held_fixed(result).values())))}


def model_positions(result: LogLinearResult, drawn: Collection[str] = ()) -> dict[str, Point]:
    """Where variables stand, all or those drawn: as on other pages that draw these, or laid out by this model."""
    return positions_of(list(drawn) or result.names, [result.graph], room=ROOM, clear=True)


def linked(result: LogLinearResult) -> tuple[str, ...]:
    """The variables that have a link, in column order."""
    alone = set(result.isolated)
    return tuple(name for name in result.names if name not in alone)


def strengths(result: LogLinearResult) -> dict[Pair, float]:
    """What each link is worth."""
    return {edge: value.strength for edge, value in result.edge_values.items()}


def within(edges: Collection[Pair], names: Collection[str]) -> list[Pair]:
    """The links between these variables."""
    inside = set(names)
    return [(a, b) for a, b in edges if a in inside and b in inside]


def crowded(result: LogLinearResult) -> bool:
    """Whether the picture needs the whole width of the page."""
    return len(result.names) > CROWD + len(result.isolated)


def strongest_edges(result: LogLinearResult, strongest: int) -> list[Pair]:
    """The strongest links."""
    return list(result.edge_values)[:strongest]


def outlined(result: LogLinearResult, edges: Collection[Pair]) -> list[tuple[str, ...]]:
    """Groups of three and more whose links are all on screen, and show in all rows."""
    there = set(map(frozenset, edges)).difference(map(frozenset, held_fixed(result)))
    return [
        clique
        for clique in result.linked_cliques
        if len(clique) >= OUTLINED and all(frozenset((a, b)) in there for a in clique for b in clique if a != b)
    ]


def clique_number(result: LogLinearResult, clique: tuple[str, ...]) -> int:
    """The number of a group on the page, from 1."""
    return result.linked_cliques.index(clique) + 1


def weights(result: LogLinearResult) -> dict[Pair, float]:
    """Widths of all links, by what they are worth."""
    return widths(strengths(result))


def model_panel(
    result: LogLinearResult, edges: Sequence[Pair], chosen: tuple[str, ...] | None, placed: Mapping[str, Point]
) -> Panel:
    """The model with its strongest links and its groups, where boxes stand so that an outline has none of another."""
    width = weights(result)
    cliques = outlined(result, edges)[:MOST_OUTLINES]
    held = held_fixed(result)
    drawn = [
        Edge(*edge, _kind(result, edge, held), width[edge], edge_words(result, *edge), directed=False) for edge in edges
    ]
    hulls = [Outline(clique, str(clique_number(result, clique)), clique == chosen) for clique in cliques]
    boxes = nodes(result, edges, members=chosen or ())
    return Panel("The model", subtitle(result, edges), boxes, drawn, free_outlines(hulls, boxes, placed))


def _kind(result: LogLinearResult, edge: Pair, held: Collection[Pair]) -> str:
    about = result.edge_values[edge]
    if about.from_the_cut:
        return "cut"
    if edge in held:
        return "alike"
    return "link" if about.removable else "held"


def subtitle(result: LogLinearResult, edges: Collection[Pair]) -> str:
    """How much of the model is on screen."""
    total = len(result.edge_values)
    if len(edges) == total:
        return str(labelled(links_counted(result, edges)))
    strongest = list(edges) == list(result.edge_values)[: len(edges)]
    return f"{'the ' if strongest else ''}{len(edges)}{' strongest' if strongest else ''} of {total:,} links"


def nodes(result: LogLinearResult, *lists: Collection[Pair], members: Collection[str] = ()) -> list[Node]:
    """The variables that have a link on screen, in column order.

    Those of the chosen group stand out, whether or not it has an outline.
    """
    linked = {name for edges in lists for edge in edges for name in edge}
    graph = result.graph
    drawn = []
    for name in result.names:
        if name in linked:
            neighbours = ", ".join(short(other, 24) for other in graph[name])
            words = f"linked directly with {neighbours}" if neighbours else "no link in the model"
            inside = name in members
            drawn.append(Node(name, words=f"in the chosen group; {words}" if inside else words, lit=inside))
    return drawn
