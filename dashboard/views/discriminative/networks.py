"""The networks of the classes as panels: in which class a link shifts more, how much it gains, how often it recurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.network.boxes import two_columns
from dashboard.network.panel import Edge, Node, Panel
from dashboard.text import short
from dashboard.theme import CHANGED
from engine.methods.discriminative.families import beyond_chance, shares_of_best
from engine.methods.discriminative.result import TURNS
from engine.telling.discriminative.families import size_words
from engine.words import count, in_percent, p_value, with_sign

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from dashboard.session.caches import Point
    from engine.methods.discriminative.result import DiscriminativeResult

MOST_DRAWN = 40
"""Variables up to which a network is drawn; more are ranked in a table."""
BEYOND, USED, ALL = "beyond", "used", "all"
LINK_CHOICES = {BEYOND: "beyond chance", USED: "largest gains", ALL: "all"}
FEW = 10
_THIN = 0.3
"""The largest share of the width that a link has which is not beyond chance."""
DIFFERENCE = "difference"
"""Both classes in one network."""


def status_words(result: DiscriminativeResult) -> dict[str, str]:
    """What the legend calls each kind of arc: by the class in which it shifts its child more, not by its networks."""
    if len(result.classes) != 2:
        return {CHANGED: "beyond chance", "turned": TURNS}
    first, second = (short(name, 32) for name in result.classes)
    return {
        CHANGED: "beyond chance",
        "same": "no clear difference in size",
        "only_a": f"shifts more in {first}",
        "only_b": f"shifts more in {second}",
        "turned": TURNS,
        "plain": "size of the shift not known",
    }


def picture_words(panels: Sequence[Panel]) -> str:
    """What the width of a link is, and that pale ones are not beyond chance."""
    pale = "; pale: not beyond chance" if any(edge.certainty < 1 for panel in panels for edge in panel.edges) else ""
    return f"Thicker: larger gain{pale}."


APART = 130.0
"""Between the boxes of a step and those of the next, so that a small screen has both."""


def links(result: DiscriminativeResult, which: str) -> pd.DataFrame:
    """The families with parents that are drawn, the largest gain first."""
    ranked = result.families()
    linked = ranked[ranked["parents"].map(len) > 0]
    if which == BEYOND:
        return linked[beyond_chance(linked)]
    return linked.head(FEW) if which == USED else linked


def supported(result: DiscriminativeResult) -> bool:
    """Whether a link is beyond chance."""
    return bool(len(links(result, BEYOND)))


def first_choice(result: DiscriminativeResult) -> str:
    """What is drawn to begin with: what is beyond chance, so nothing where nothing is; untested what gains most."""
    return BEYOND if len(result.chance) or result.held_out.too_few else USED


def drawn(result: DiscriminativeResult, titles: list[str], which: str) -> tuple[list[Panel], dict[str, Point]]:
    """Panels of these networks and where their boxes stand: of series two columns, else nothing."""
    ranked = links(result, which)
    together = titles == [DIFFERENCE]
    here = ranked if together else ranked[ranked["network"].isin(titles)]
    names = _involved(result, here)
    panels = []
    for title in titles:
        rows = ranked if together else ranked[ranked["network"] == title]
        edges = _edges(result, rows)
        words = " and ".join(result.classes) if together else title
        panels.append(Panel(words, count(len(edges), "link"), [_node(result, name, rows) for name in names], edges))
    positions: dict[str, Point] = {}
    if result.series:
        earlier = [name for name in names if name in {result.earlier(other) for other in result.names}]
        positions = two_columns(earlier, [name for name in names if name not in set(earlier)], APART)
    return panels, positions


def first_picture(result: DiscriminativeResult) -> tuple[list[Panel], dict[str, Point], dict[str, str]]:
    """What the page begins with: both classes in one network, where the boxes of series stand, and the legend."""
    panels, positions = drawn(result, [DIFFERENCE], first_choice(result))
    return panels, positions, status_words(result)


def _involved(result: DiscriminativeResult, ranked: pd.DataFrame) -> list[str]:
    """The boxes that have a link, in the order of the variables; of rows all of them where they are few."""
    parents = {name for row in ranked["parents"] for name in row}
    children = set(ranked["child"])
    if not result.series:
        involved = parents | children
        return [name for name in result.names if name in involved] or list(result.names)
    earlier = [result.earlier(name) for name in result.names if name in parents]
    return earlier + [result.later(name) for name in result.names if name in children]


def _node(result: DiscriminativeResult, name: str, ranked: pd.DataFrame) -> Node:
    own = ranked[ranked["child"].map(result.later) == name]
    if not len(own) or not beyond_chance(own).iloc[0]:
        return Node(name)
    return Node(name, words=f"beyond chance: {p_words(own['chance'].iloc[0])}", changed=True)


def _edges(result: DiscriminativeResult, ranked: pd.DataFrame) -> list[Edge]:
    graphs = result.graphs()
    edges: dict[tuple[str, str], Edge] = {}
    for row, share, sure in zip(ranked.itertuples(), shares_of_best(ranked), beyond_chance(ranked), strict=True):
        for parent in row.parents:
            ends = result.earlier(parent), result.later(row.child)
            about = graphs[row.network].edges[ends]
            if ends not in edges:  # the largest gain comes first; one that stands in both is drawn once
                edges[ends] = _edge(ends, row, about, share if sure else min(share, _THIN), sure=sure)
    return list(edges.values())


def _edge(ends: tuple[str, str], row: Any, about: dict[str, Any], share: float, *, sure: bool) -> Edge:
    recurs = "" if row.recurrence != row.recurrence else in_percent(row.recurrence)
    both = "both networks" if about["status"] == "same" else f"network of {row.network}"
    own, other = map(size_words, about["shifts"])
    shifts = f"shifts by up to {own} there,\n{other} in the other class\n" if own and other else ""
    if about["turn"]:
        shifts = f"{TURNS}\n{about['turn']}\n"
    words = (
        f"{both}; gain {with_sign(row.gain, 1)} in that of {row.network}, {p_words(row.chance)}\n{shifts}"
        f"in {recurs or 'none'} of the folds' networks"
    )
    return Edge(*ends, about["more"], share, words, certainty=1.0 if sure else 0.0)


def p_words(p: float) -> str:
    """p of a link, corrected for all of them."""
    return "no p" if p != p else p_value(p, corrected=True)
