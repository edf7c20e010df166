"""The patient in short: values with their shares, and three cards: prediction, unusual values, links that differ."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.labels import full_name, shown_names
from dashboard.session.session import session
from dashboard.text import plain, short, visible
from dashboard.theme import DIFFERENT, LINE, MUTED, PANEL, dark
from dashboard.views.instance_specific.beliefs import everybody
from dashboard.views.shared.downloads import show_figure
from engine.data.table_rows import MOST_FAR
from engine.methods.instance_specific.result import SLUG
from engine.methods.instance_specific.unusual import UNUSUAL
from engine.telling.charts.labels import without_beginnings
from engine.telling.instance_specific.card_figures import link_figure, prediction_figure, unusual_figure
from engine.telling.instance_specific.links import in_points, points, verdict
from engine.telling.instance_specific.numbers import beyond
from engine.telling.instance_specific.strip import (
    ODD_SIGN,
    OUTER_SIGN,
    headings,
    in_order,
    odd_values,
    order_words,
    outer_ones,
    stands_among,
    stands_given,
)
from engine.telling.instance_specific.values import level_place
from engine.telling.instance_specific.wording import (
    NAMED,
    beyond_levels,
    named_links,
    reported_level,
)
from engine.words import count, first, fraction, in_percent, listed

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from engine import Dataset
    from engine.methods.instance_specific.result import InstanceSpecificResult

MOST_VALUES = 8
"""Values of the patient that the strip has room for."""
_TWO_LINES = "font-size:smaller;overflow:hidden;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical"
_FOUR_ROWS = "grid-row:span 4;display:grid;grid-template-rows:subgrid;row-gap:0;overflow-wrap:anywhere"
"""Of a value: name, value, share and p stand as high as those beside them."""
NAME_LETTERS, LEVEL_LETTERS, CODED_LETTERS = 22, 18, 20
"""Of a name and a level in a card, and of a label with its code beside it."""
FAR_OUT = (
    "Extreme: over 3 interquartile ranges below the lower quartile of all rows, or above the upper (Tukey 1977), as in "
    f"at most {in_percent(MOST_FAR)} of them.  \n"
)
EXTREME = (
    "Extreme: far out among all rows (over 3 interquartile ranges beyond a quartile), or a percentile, among all or "
    "given all other values, with corrected p below .05 (latent normal variables).  \n"
)
MOST_UNUSUAL = 3
"""Values that the card draws."""
_TAKEN_AS_KNOWN = (
    "P is the value's probability given all else that is known of this patient, by the network of all rows. P and p "
    "take that network and its tables as known, so they are a little too sure."
)


def show_strip(result: InstanceSpecificResult, data: Dataset) -> None:
    """The patient's values, each with the share of all rows that have it; an unusual one has an edge and a sign.

    A number has the share of rows that it lies beyond, a long ordered level its place; a pointer shows the level, or
    the interval that networks are learned from and that share given all other values.
    """
    numbers, odd, outer = {item.name: item for item in result.numbers}, odd_values(result), outer_ones(result)
    names, cells = in_order(result), []
    for name in names:
        level, tip = result.patient[name], visible(full_name(name))
        if name in numbers:
            interval, item = visible(level), numbers[name]
            level = f"{item.value:.6g}"
            given = "" if math.isnan(item.given) else f"given the others {beyond(item, given=True)}"
            tip = "\n".join(filter(None, (f"{tip}: {interval}", str(beyond(item)), given)))
        elif data.kinds[name] == "ordinal":
            tip, level = f"{tip}: {visible(level)}", level_place(data, name, level)
        edge = f"border-left:3px solid {DIFFERENT}" if name in odd else f"border-left:1px solid {_of_scheme(LINE)}"
        sign = f"{ODD_SIGN} " if name in odd else f"{OUTER_SIGN} " if name in outer else ""
        label, size = _with_code(name), "" if name in numbers else " style=font-size:smaller"
        shown = html.escape(_brief_level(level, data.levels[name]))
        cells.append(
            f"<div style='{edge};padding-left:8px;min-width:0;{_FOUR_ROWS}' title='{html.escape(tip)}'>"
            f"<div style='{_TWO_LINES}'>{html.escape(visible(label))}</div>"
            f"<b{size}>{sign}{shown}</b><small>{stands_among(result, name)}</small>"
            f"<small>{stands_given(result, name)}</small></div>"
        )
    among, given = headings(result)
    muted = f"{_FOUR_ROWS};color:{_of_scheme(MUTED)}"
    heads = f"<div style='{muted}'><i></i><i></i><small>{among}</small><small>{given}</small></div>"
    grid = "display:grid;grid-template-columns:84px repeat(auto-fit,minmax(66px,1fr));gap:1px 8px"
    style = (
        f"padding:6px 12px;border:1px solid {_of_scheme(LINE)};border-radius:6px;background:{_of_scheme(PANEL)};"
        "font-size:.95rem;line-height:1.25;overflow-x:auto"
    )
    # one more takes no more room than the words for it
    most = MOST_VALUES + 1 if len(names) == MOST_VALUES + 1 else MOST_VALUES
    first_ones, rest = (f"<div style='{grid}'>{heads}{''.join(some)}</div>" for some in (cells[:most], cells[most:]))
    if cells[most:]:
        more = f"<summary style='cursor:pointer;color:{_of_scheme(MUTED)}'>{len(cells[most:])} more</summary>"
        first_ones += f"<details style='margin-top:4px'>{more}{rest}</details>"
    order = order_words(result) if len(names) > 1 else ""
    order = f"<small style='display:block;margin-bottom:3px;color:{_of_scheme(MUTED)}'>{order}</small>"
    st.html(f"<div style='{style}'>{order}{first_ones}</div>")


def _with_code(name: str) -> str:
    """The label, brief, with its code beside it, else the name."""
    label = shown_names(CODED_LETTERS).get(name)
    return name if label is None else f"{label} {name}"


def _of_scheme(colour: str) -> str:
    """A colour that the browser turns with the screen's scheme, also where no script runs anew."""
    return f"light-dark({colour},{dark(colour)})"


def show_cards(result: InstanceSpecificResult, data: Dataset) -> None:
    """Prediction, where an outcome is chosen on the left; values, unless none stands out; links that differ, if any."""
    differs, p = any(link.told for link in result.links), result.unusual_values()["p"]
    shows = [_show_prediction] * (result.target is not None) + [_show_links] * differs
    if not p.notna().any() or (p < NAMED).any():
        shows.insert(int(result.target is not None), _show_unusual)
    if not shows:  # which the headline says
        return
    places = st.container(key=widget_key(SLUG, "cards")).columns(len(shows), gap="xsmall")
    for place, show in zip(places, shows, strict=True):
        with place.container(border=True, height="stretch", gap="xsmall"):
            show(result, data)


def _show_prediction(result: InstanceSpecificResult, data: Dataset) -> None:
    table = result.prediction
    if result.target is None or table is None:
        st.markdown("**Prediction**  \nToo many values are unknown to work it out; fill in a few more.")
        return
    level = reported_level(result)
    share = float(table.at[level, "instance"])
    observed = "" if result.observed_target is None else f" Observed: {short(result.observed_target, 20)}."
    here, ends = _ends(result, result.expected_here, level), _ends(result, result.expected, level)
    interval = "" if here is None else f" (95 % interval {in_percent(here[0])} to {in_percent(here[1])})"
    rows = count(int(result.families().at[result.target, "cases"]), "row")
    text = f"{short(result.target, 24)} = {short(level, 16)}: {in_percent(share)}{interval}, from {rows}.{observed}"
    beyond = f"  \n{plain(beyond_levels(result))}" if result.regressed is not None else ""
    st.markdown(f"**Prediction**  \n{plain(text)}{beyond}", help=plain(rests_on(result)))
    shares = everybody(data, result.target)
    all_of_them = float(shares[data.levels[result.target].index(level)])
    figure = prediction_figure(share, here, float(table.at[level, "population"]), ends, all_of_them)
    alt = f"{in_percent(share)} for this patient{interval}, {in_percent(all_of_them)} of all rows"
    show_figure(figure, "prediction", alt=alt, key=widget_key(SLUG, "prediction"), table=table.reset_index())


def rests_on(result: InstanceSpecificResult) -> str:
    """The rows that share the values of the outcome's parents, and the other values that it is predicted from."""
    parents, others = result.evidence_of_target()
    rows = count(int(result.families().at[result.target, "cases"]), "row")
    same = f"{rows} with {short(listed(f'{x} = {result.patient[x]}' for x in parents), 60)}" if parents else rows
    also = f", and the value{'s' if len(others) > 1 else ''} of {short(first(others, 2), 40)}" if others else ""
    return f"From {same}{also}."


def _ends(result: InstanceSpecificResult, expected: np.ndarray | None, level: str) -> tuple[float, float] | None:
    """The 95 % interval of a level's share under one of the networks."""
    if expected is None or result.target is None:
        return None
    low, high = expected[:, result.levels[result.target].index(level)]
    return float(low), float(high)


def _show_unusual(result: InstanceSpecificResult, data: Dataset) -> None:
    table = result.unusual_values()
    judged = table[table["p"].notna()]
    words = f"p given the other values, corrected for {count(len(judged), 'value')}; ▲ below .05."
    if not len(judged):
        words = f"No value {'could be judged' if result.patient else 'is known'}."
    title = "Unexpected values" if (judged["p"] < UNUSUAL).any() else "Least expected values"
    st.markdown(f"**{title}**  \n{words}", help=f"{EXTREME if result.extremes else ''}{_TAKEN_AS_KNOWN}")
    near = judged[judged["p"] < NAMED].head(MOST_UNUSUAL)
    if len(near):
        figure = session().figures.of(unusual_figure, _brief(near, data), UNUSUAL)
        alt = "; ".join(f"{name} = {row['level']}: {fraction(row['p'])}" for name, row in near.iterrows())
        show_figure(figure, "unusual-values", alt=alt, key=widget_key(SLUG, "unusual"), table=table.reset_index())


def _brief(table: pd.DataFrame, data: Dataset) -> pd.DataFrame:
    """The table with names and levels cut so that none reads like another."""
    shown = shown_names()
    names = without_beginnings([shown.get(name, name) for name in table.index], NAME_LETTERS)
    levels = [_brief_level(row["level"], data.levels[str(name)]) for name, row in table.iterrows()]
    return table.assign(level=levels).set_axis(names)


def _brief_level(level: str, levels: Sequence[str]) -> str:
    """A level, or a number, cut so that it does not read like another level of its variable."""
    return without_beginnings([level, *(other for other in levels if other != level)], LEVEL_LETTERS)[0]


def _show_links(result: InstanceSpecificResult, data: Dataset) -> None:
    asked = [link for link in result.links if link.asked]
    different = [link.told for link in result.links].count(True)
    badge = f":orange-badge[{different} of {len(asked)} compared]"
    link = named_links(result)[0]
    sizes = link.compared
    interval, shift = "", None
    if sizes is not None:
        source, child = result.name(link.source), result.name(link.child)
        low, high = (result.levels[source][place] for place in (sizes.low_level, sizes.high_level))
        ends = f"{points(sizes.here_low)} to {points(sizes.here_high)}"
        interval = f" (here {in_points(sizes.here)}, 95 % {ends})"
        shift = plain(f"The shift of {child} = {result.levels[child][sizes.level]}, {source} = {high} less {low}.")
    words = plain(f"{verdict(result, link, begins=True)}{interval}.")
    st.markdown(f"**Links that differ** {badge}  \n{words}", help=shift)
    if link.compared is not None:
        alt = f"Shift here {in_points(link.compared.here)}, among the others {in_points(link.compared.others)}"
        show_figure(link_figure(link.compared), "link", alt=alt, key=widget_key(SLUG, "link"))
