"""Which groups are compared: all against the control, a pair, or one against the rest; and the table of all arms."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.charts import group_difference as charts
from dashboard.forms.settings_form import set_levels
from dashboard.session.caches import cached
from dashboard.session.keys import value_of, widget_key
from dashboard.session.labels import shown_names
from dashboard.session.masking import sentences_shown
from dashboard.session.session import session
from dashboard.text import distinct, plain, short
from dashboard.views.group_difference.reading import pick, picked
from engine.data.units import name_without_unit
from engine.methods.group_difference.result import SLUG
from engine.methods.group_pair import likely_arms, likely_pair
from engine.telling.table_one import ODD, marked, odd_values
from engine.telling.terms import TERMS

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.arms import ArmsResult
    from engine.methods.group_difference.result import GroupDifferenceResult

MOST_LEVELS = 8
"""Levels of a group up to which every pair is offered."""
IN_COLUMN, IN_HEADING = 28, 18
"""Letters of a variable's name in the table, and of an arm's above its column."""


def offer_groups(result: GroupDifferenceResult | ArmsResult, data: Dataset) -> None:
    """Of a group with more than two levels all against the control, every pair, and each against the rest."""
    group = result.method.group
    levels = data.levels[group]
    if not 2 < len(levels) <= MOST_LEVELS:
        return
    pair, why = cached(data, likely_pair, group)
    ordered = sorted(levels, key=lambda level: pair is None or level != pair[0])  # a control is the first of each pair
    current = result.labels if len(result.labels) > 2 else result.method.groups or result.labels
    likely = cached(data, likely_arms, group)
    arms = [likely] if likely and set(likely) != set(current) else []
    pairs = [*arms, *combinations(ordered, 2), *((level,) for level in ordered)]
    pairs = [current if set(item) == set(current) else item for item in pairs]
    pairs = pairs if current in pairs else [current, *pairs]
    words = {item: _words(item) for item in pairs}
    key, wanted = widget_key(SLUG, "pair", *current), session().choices.setdefault(widget_key(SLUG, "wanted"), {})

    def ask() -> None:
        """Let the form say so, and the page run it; once, since the page may have to wait for the form."""
        chosen, page = value_of(key), session().page(SLUG)
        set_levels(SLUG, "groups", data, group, chosen)
        page.settings = {**page.settings, "group": group, "groups": chosen}
        page.ask_run()
        wanted["now"] = True

    place, about = st.columns([2, 5], vertical_alignment="center")
    place.selectbox(
        "Compared",
        pairs,
        index=pairs.index(current),
        format_func=words.__getitem__,
        key=key,
        label_visibility="collapsed",
        on_change=ask,
    )
    opened = f" {why}" if current == pair else ""
    about.caption(
        plain(f"{group} has {len(levels)} levels: all against one, any two, or one against the rest.{opened}")
    )
    if wanted.pop("now", False):
        st.rerun()


def _words(groups: tuple[str, ...]) -> str:
    if len(groups) > 2:
        return f"all against {short(groups[0], 24)}"
    return f"{short(groups[0], 24)} v {short(groups[1], 24) if len(groups) > 1 else 'the rest'}"


def choose_arm(answer: ArmsResult) -> GroupDifferenceResult:
    """The arm that networks and reading are of; to begin with the one that differs most surely."""
    arms = answer.labels[1:]
    names = dict(zip(arms, distinct(arms, 24), strict=True))
    arm = st.segmented_control(
        "Arm",
        arms,
        default=answer.strongest.labels[1],
        required=True,
        format_func=lambda item: plain(f"{names[item]} v {short(answer.control, 18)}"),
        key=widget_key(SLUG, "arm", *answer.labels),
        label_visibility="collapsed",
    )
    return answer.pair(arm or answer.strongest.labels[1])


def show_arms(answer: ArmsResult, shown: GroupDifferenceResult) -> None:
    """One row a variable, one column an arm: verdict and effect in units, and the trend where arms have an order."""
    variables, known = answer.variables(), shown_names()
    called = [known.get(str(name), name_without_unit(str(name), unit)) for name, unit in variables["unit"].items()]
    every = zip(distinct(called, IN_COLUMN), variables.index, strict=True)
    names = [marked(name, str(own), answer.described) for name, own in every]
    heads = dict(zip(answer.labels, distinct(answer.labels, IN_HEADING), strict=True))
    display = charts.arms_display(answer, names, heads)
    key = widget_key(SLUG, "arms_table")
    text = st.column_config.TextColumn
    columns = {head: text(width=170) for head in display.columns} | {"Variable": text(width=165)}
    columns |= {heads[answer.control]: text(width=112), "Trend": text(width=92, help=TERMS["Trend"])}
    st.dataframe(
        charts.arms_tinted(display, answer, heads, picked(shown)),
        hide_index=True,
        key=key,
        height=min(560, 38 + 35 * len(display)),
        on_select=partial(_pick_row, key, list(variables.index)),
        selection_mode="single-row",
        column_config=columns,
    )
    control = short(answer.control, 24)
    about = f"Each column is that level − {control}, given the parents, with its 95 % interval; shares in pp."
    trend = "Trend: rank correlation with the order of the arms, p corrected by Holm." if answer.ordered else ""
    odd = [f"{ODD} {text}" for text in sentences_shown(answer, filter(None, [odd_values(answer.described)]))]
    st.caption(plain(" ".join(filter(None, (*odd, about, trend, charts.SIGNS)))))


def _pick_row(key: str, names: list[str]) -> None:
    if rows := value_of(key).selection.rows:
        pick(names[rows[0]])
