"""One group of variables looked at closely: what was observed, what a model without one link expects, and the gap."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations, starmap
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.labels import full_name, labelled
from dashboard.session.session import session
from dashboard.text import capital, plain, visible
from dashboard.views.log_linear.graph import OUTLINED, Pair, clique_number, evidence_words
from dashboard.views.shared.downloads import show_figure, show_with_file
from engine import DiptychError
from engine.methods.log_linear.edge_tables import FAR, deviation_of, held_fast, parts_of
from engine.methods.log_linear.pair_evidence import held_fixed, strongest_link
from engine.methods.log_linear.result import SLUG
from engine.telling.log_linear.figures import MOST_TILES, mosaic_alt, mosaic_figure
from engine.telling.log_linear.wording import contrast_words
from engine.telling.spoken import level_words
from engine.words import count

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.log_linear.result import LogLinearResult


@dataclass
class AssociationState:
    """Everything the views of the page keep.

    Attributes
    ----------
    clique : the clique in the spotlight, None for that of the strongest link
    without : the link that its expected counts shall lack
    origin : the model that the ones below were made from by hand
    by_hand : those models, in order
    """

    clique: tuple[str, ...] | None = None
    without: tuple[str, str] | None = None
    origin: LogLinearResult | None = None
    by_hand: list[LogLinearResult] = field(default_factory=list)


FINE = 48
"""Cells from which a picture shows only a part of them."""


def chosen_clique(result: LogLinearResult) -> tuple[str, ...] | None:
    """The clique in the spotlight: the one clicked, else that of the strongest link; None where nothing is linked."""
    cliques = result.linked_cliques
    wanted, strongest = session().state(AssociationState).clique, strongest_link(result)
    if wanted in cliques:
        return wanted
    return clique_of_edge(result, *strongest) if strongest is not None else next(iter(cliques), None)


def choose_clique(clique: tuple[str, ...], without: Pair | None = None) -> None:
    """Put a group in the spotlight, with the link that the expected counts shall lack."""
    state = session().state(AssociationState)
    state.clique, state.without = clique, without


def clique_of_edge(result: LogLinearResult, a: str, b: str) -> tuple[str, ...] | None:
    """The largest group with both variables."""
    return next((clique for clique in result.linked_cliques if a in clique and b in clique), None)


def show_clique(result: LogLinearResult) -> None:
    """The group's select box, the link left out, the mosaic and its table."""
    clique = chosen_clique(result)
    if clique is None:
        return
    clique = _pick_clique(result, clique)
    strongest = next(pair for pair in result.edge_values if set(pair) <= set(clique))
    pairs = list(combinations(clique, 2))
    without = _pick_edge(clique_number(result, clique), pairs, strongest) if len(pairs) > 1 else strongest
    try:
        table = result.residuals(clique, without)
    except DiptychError as error:
        st.info(plain(error))
        return
    if without is None:
        st.markdown(
            "Variables all linked with each other are fitted whole: with all their links, every cell is expected just "
            "as observed."
        )
        _show_table(table, list(clique))
    else:
        st.markdown(_verdict(result, without))
        order = [*(name for name in clique if name not in without), *without]
        _show_table(table, order, _cells(table, clique, without))


def clique_words(result: LogLinearResult, clique: tuple[str, ...]) -> str:
    """The names of a group, after its number where the picture has that in its outline."""
    names = ", ".join(map(full_name, clique))
    return f"{clique_number(result, clique)}: {names}" if len(clique) >= OUTLINED else names


def _pick_clique(result: LogLinearResult, clique: tuple[str, ...]) -> tuple[str, ...]:
    key = widget_key(SLUG, "group")
    cliques = result.linked_cliques
    set_value(key, cliques.index(clique))
    place = st.selectbox(
        "Variables looked at together",
        range(len(cliques)),
        format_func=lambda i: clique_words(result, cliques[i]),
        key=key,
        on_change=lambda: choose_clique(cliques[value_of(key)]),
    )
    return cliques[place if place is not None else 0]


def _pick_edge(number: int, pairs: list[Pair], strongest: Pair) -> Pair | None:
    wanted = session().state(AssociationState).without
    start = pairs.index(wanted if wanted in pairs else strongest)
    key = widget_key(SLUG, "without", number, start)
    names = [*(f"{full_name(a)} and {full_name(b)}" for a, b in pairs), "none of them: all links stay"]
    place = st.selectbox(
        "Rows expected if no link joined",
        range(len(names)),
        index=start,
        format_func=names.__getitem__,
        key=key,
        help="Expected counts as if these two had nothing to do with each other, given the rest of the group, so the "
        "shades show what the link explains.",
    )
    return pairs[place] if place is not None and place < len(pairs) else None


def _verdict(result: LogLinearResult, without: Pair) -> str:
    """What the link shifts, how sure that is, and what is to be noted of it."""
    a, b = without
    strongest = strongest_link(result) or ()  # whose shares are the page's sentence
    words = "" if {a, b} == {*strongest} else f"{plain(labelled(contrast_words(result, a, b)))}. "
    if without in result.edge_values or (b, a) in result.edge_values:
        edge = without if without in result.edge_values else (b, a)
        if edge in held_fixed(result):
            return f"{plain(labelled(contrast_words(result, *edge)))}."
        words += f"{plain(capital(evidence_words(result, edge).replace('for it', 'for the link')))}."
    if note := result.link_notes.get(without, result.link_notes.get((b, a))):
        words += f" But {plain(labelled(note))}"
    return words


def _cells(table: pd.DataFrame, clique: tuple[str, ...], without: Pair) -> str:
    """How many cells are far from what no link would give, the farthest of them, and which to read with care."""
    deviation = deviation_of(table)
    a, b = without
    others = [name for name in clique if name not in without]
    given = f", given {plain(labelled(', '.join(others)))}," if others else ""
    cell = ", ".join(starmap(level_words, deviation.levels.items()))
    verb = "is" if deviation.far == 1 else "are"
    farthest = f"{cell}, {deviation.observed:,} rows where {deviation.expected:,.1f} were expected"
    words = (
        f"{deviation.far} of {deviation.cells} cells {verb} farther than chance allows from what no link between "
        f"**{plain(full_name(a))}** and **{plain(full_name(b))}**{given} would give "
        f"(residual beyond {FAR:g}; by chance about 1 in 20 is). Farthest: {plain(labelled(farthest))}."
    )
    if deviation.thin:
        words += f" {count(deviation.thin, 'cell expects', 'cells expect')} fewer than 5 rows: "
        words += "read these residuals with care."
    return words


def _show_table(table: pd.DataFrame, order: list[str], words: str = "") -> None:
    """The picture of the cells, and below it all of them, with what is far off in words."""
    tiles, rest = _choose_part(table, order)
    if len(tiles) > MOST_TILES:
        st.info(f"{len(table):,} cells are too many for a picture; the table has them all.")
    else:
        figure = session().figures.of(mosaic_figure, tiles, rest)
        show_figure(figure, "group-mosaic", alt=mosaic_alt(tiles, rest), key=widget_key(SLUG, "mosaic"))
    _, expected, pearson, adjusted, small = table.columns[-5:]
    number = st.column_config.NumberColumn
    formats: dict[str, Any] = {expected: number(format="%.1f"), small: st.column_config.CheckboxColumn()}
    signed = dict.fromkeys((pearson, adjusted), 2)
    with st.expander(f"All {len(table):,} cells as a table"):
        st.markdown(words)
        show_with_file(table, "group-cells", column_config=formats, signed=signed)


def _choose_part(table: pd.DataFrame, order: list[str]) -> tuple[pd.DataFrame, list[str]]:
    """Where a picture of all cells would be too fine, those for one combination of levels, chosen by the user.

    Returns the cells and the variables that tell them apart. The combination farthest off comes first.
    """
    fixed, rest = held_fast(table, order, FINE)
    if not fixed:
        return table, rest
    parts = parts_of(table, fixed)
    place = st.selectbox(
        "Rows with",
        range(len(parts)),
        format_func=lambda i: visible(", ".join(map(level_words, fixed, parts[i]))),
        key=widget_key(SLUG, "part", len(table), len(parts)),
        help="The group has too many cells for one picture. The combination that is farthest off comes first.",
    )
    wanted = parts[place if place is not None else 0]
    for name, level in zip(fixed, wanted, strict=True):
        table = table[table[name] == level]
    return table, rest
