"""What explains the gap of the selected variable: a waterfall from one group to the other, and what is said of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.jobs.job_queue import method_key
from dashboard.session.keys import widget_key
from dashboard.session.labels import labelled, shown_names
from dashboard.session.masking import sentences_shown
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.text import capital, plain, short
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.running import in_background
from engine.data.preparing.roles import demographics
from engine.methods.group_difference.result import SLUG
from engine.telling.group_difference.gap import rows_of, sentences, waterfall
from engine.words import listed

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.gap.gap import Gap
    from engine.methods.group_difference.result import GroupDifferenceResult


def can_explain(result: GroupDifferenceResult, data: Dataset) -> bool:
    """Whether gaps can be explained here: orders were averaged exactly, and these are the rows."""
    known = result.average is not None and result.average.families is not None
    few = result.clusters is not None and result.clusters.too_few
    return known and not few and data.fingerprint == result.fingerprint


def show_gap(result: GroupDifferenceResult, data: Dataset, name: str, level: str | None) -> None:
    """The gap of a variable, worked out beside the page; it belongs to the answer from then on."""
    first = _choose_first(result, name)
    key = ("gap", *method_key(result.method, data, name, level, first))
    gap = in_background(key, partial(result.explain_gap, first=first, data=data), name, level)
    if gap is not None:
        _show(result, result.keep_gap(gap))


def _choose_first(result: GroupDifferenceResult, name: str) -> tuple[str, ...]:
    """Age, sex and the like come first at one press; nothing to choose where there are none, or an order is known."""
    known = result.method.known()
    early = tuple(item for item in demographics(result.names, work().labels) if item != name)
    if not early or known.tiers or known.order is not None:
        return ()
    names = capital(listed(short(shown_names().get(item, item), 20) for item in early))
    verb = "come" if len(early) > 1 else "comes"
    help_text = "No arrow then points at them, and a share may move. An order is not a cause."
    return early if st.toggle(plain(f"{names} {verb} first"), key=widget_key(SLUG, "early"), help=help_text) else ()


def _show(result: GroupDifferenceResult, gap: Gap) -> None:
    """The gap in bold, the waterfall, what it says, and what it rests on in grey."""
    both, *others, order = sentences_shown(result, sentences(gap, rows_of(result, gap)))
    st.markdown(f"**{plain(labelled(both))}**")
    figure = session().figures.of(waterfall, gap)
    about = f"What explains the gap of {short(gap.outcome, 60)}: {len(gap.names)} parts and what is not explained."
    show_figure(figure, "gap", alt=about, key=widget_key(SLUG, "gap"), table=gap.table())
    st.markdown(plain(labelled(" ".join(others))))
    st.caption(plain(labelled(order)))
