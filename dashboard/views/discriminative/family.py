"""One family: its tables in both classes, their difference, its counts and what chance would show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.keys import begin_with, set_value, value_of, widget_key
from dashboard.session.labels import LETTERS, labelled, shown_names
from dashboard.text import plain, short
from dashboard.views.shared.downloads import show_figure, show_with_file
from engine.methods.discriminative.families import leading_family
from engine.methods.discriminative.result import SLUG, TURNS
from engine.methods.frames import in_points
from engine.telling.discriminative.families import (
    IN_SHORT,
    apart,
    family_sentence,
    family_tables,
    size_words,
    turn_words,
)
from engine.telling.discriminative.figures import MOST_ROWS, configurations, is_stacked, tables_alt, tables_figure
from engine.words import count, in_percent, with_sign

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.discriminative.result import DiscriminativeResult

P = "p, corrected"
EFFECT = {"effect": "difference, pp", "low": "low, pp", "high": "high, pp"}
LINKS = {
    "source": "from",
    "target": "to",
    "status": "in networks",
    "strength": "gain",
    "shift_own": "shift here, pp",
    "low_own": "low here, pp",
    "high_own": "high here, pp",
    "shift_other": "shift in the other, pp",
    "low_other": "low in the other, pp",
    "high_other": "high in the other, pp",
    "more": "shifts more in, or turns",
}
"""Column of the links -> its heading."""


def _chosen_family(result: DiscriminativeResult) -> str:
    """Key of the family that is looked at: of this result, so that another begins with its own."""
    return widget_key(SLUG, "family", result.fingerprint, hash(result.method))


def family_label(row: Any, network: str) -> str:
    """A family in a list; `network` is what that network is called, where it matters."""
    *parents, child = (short(shown_names().get(name, name), LETTERS) for name in (*row["parents"], row["child"]))
    link = f"{', '.join(parents)} → {child}" if parents else f"{child} by itself"
    return f"{link} (network of {short(network, 24)})" if network else link


def choose_family(result: DiscriminativeResult, ends: tuple[str, str], network: str = "") -> bool:
    """Put the family of an arc that was clicked into the panel; whether that changes anything."""
    ranked = result.families()
    for place, row in ranked[ranked["network"] == network if network else ranked["gain"].notna()].iterrows():
        arcs = {(result.earlier(parent), result.later(row["child"])) for parent in row["parents"]}
        if tuple(ends) in arcs:
            key = _chosen_family(result)
            changed = value_of(key) != place
            set_value(key, place)
            return bool(changed)
    return False


def show_family(result: DiscriminativeResult) -> None:
    """The panel beside the networks; it begins with the family that the headline names."""
    ranked, leading, key = result.families(), leading_family(result), _chosen_family(result)
    begin_with(key, 0 if leading is None else int(leading.name))
    alone = ranked["parents"].map(len).eq(0) & (len(result.classes) == 2)  # alike in both networks: one is enough
    again = alone & ranked.assign(alone=alone).duplicated(["child", "alone"]) & (ranked.index != value_of(key))
    called = ranked["network"].map(result.held_out.display_name).mask(alone, "")
    place = st.selectbox(
        "Family, the largest gain first",
        list(ranked.index[~again]),
        format_func=lambda i: family_label(ranked.loc[i], called[i]),
        key=key,
        label_visibility="collapsed",
    )
    row = ranked.loc[place]
    titles = result.titles_of(*result.place_of(row["network"]))
    st.markdown(plain(labelled(family_sentence(row, apart(result, row)))))
    if row["shift"]:
        st.markdown(shifts_table(result, row, titles))
    for parent in row["parents"]:
        if turn := turn_words(result, row["network"], row["child"], parent):
            st.caption(plain(labelled(f"{short(parent, 40)} {TURNS}: shifts of {turn.level}, {turn.contrast}.")))
    table, own, other = family_tables(result, row)
    child = result.later(row["child"])
    figure = tables_figure(table, own, other, child)
    fits = len(set(table[child])) <= 2 or is_stacked(table, child)  # beside the networks on a small screen, too
    with st.container(key=widget_key(SLUG, "narrow" if fits else "matrices")):
        show_figure(
            figure,
            "family-tables",
            alt=tables_alt(table, own, other),
            key=widget_key(SLUG, "tables", place),
            table=table,
        )
    if configurations(table, child) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS} configurations of the parents; all are in the CSV.")
    step = "steps" if result.series else "rows"
    folds = ""
    if row["recurrence"] == row["recurrence"]:
        again = f"Learned again without one fold at a time, {in_percent(row['recurrence'])} of the networks have"
        folds = f"{again} this link too; they share most of their {step}. "
    gain = ""
    if row["parents"]:
        added = count(int(row["added"]), "more probability", "more probabilities")
        gain = f"Gain {with_sign(row['gain'], 1)}: what the link adds to the score, less a penalty for {added}. "
    order = f"Difference: {short(own, 24)} minus {short(other, 24)}, in percentage points (pp)."
    st.caption(f"{plain(order)} {folds}{gain}Small numbers count {step}; probabilities are in the CSV.")


def shifts_table(result: DiscriminativeResult, row: pd.Series, titles: tuple[str, str]) -> str:
    """How far each parent shifts the child in either class, as Markdown."""
    child, graph = result.later(row["child"]), result.graphs()[row["network"]]
    heads = ["largest shift", *(short(title, 32) for title in titles)]
    lines = [[f":small[{plain(text)}]" for text in heads], [":--"] * len(heads)]
    for parent in row["parents"]:
        shifts = graph.edges[result.earlier(parent), child]["shifts"]
        signed = turn_words(result, row["network"], row["child"], parent) is not None
        sizes = [size_words(shift, signed=signed, unit=IN_SHORT) for shift in shifts]
        lines.append([f":small[{plain(text)}]" for text in (labelled(f"by {short(parent, 60)}"), *sizes)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def show_ranking(result: DiscriminativeResult) -> None:
    """All families, then all links with the networks that have them, as tables; further columns are in the files."""
    ranked = result.families()
    display = (
        in_points(ranked, ("effect", "low", "high"))
        .assign(parents=[", ".join(item) for item in ranked["parents"]])
        .drop(columns="shift")
        .rename(columns={"pacl": "PACL", "added": "parameters added", "recurrence": "folds", "chance": P} | EFFECT)
    )
    signed = {"gain": 1, "worth": 1, **dict.fromkeys(EFFECT.values(), 0)}
    show_with_file(
        display,
        "families",
        most=420,
        p_values=[P],
        percents=["folds"],
        signed=signed,
        column_order=["network", "child", "parents", P, *EFFECT.values(), "where", "gain", "folds"],
    )
    links = result.links().drop(columns="mark")
    sizes = [name for name in links if str(name).startswith(("shift_", "low_", "high_"))]
    links = in_points(links, sizes).rename(columns=LINKS)
    if len(links):
        st.caption(
            "Links: which networks have them, and the largest shift of a level of the child in either class, in "
            "percentage points (pp), with its 95 % interval."
        )
        signed = {"gain": 1, **dict.fromkeys((LINKS[name] for name in sizes), 0)}
        show_with_file(links, "links", most=420, signed=signed)
