"""How far the answer holds on other rows and under other orders; and what chance alone shows, in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.desk import method_key
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.downloads import download_table
from dashboard.views.shared.running import await_job, in_background, may_begin
from engine.methods.cost import Size
from engine.methods.group_difference.result import SLUG
from engine.methods.group_difference.verdicts import DIFFERS
from engine.words import count, first

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.resampling import Null, Stability
    from engine.methods.group_difference.result import GroupDifferenceResult

SHUFFLES = 200
"""Tables with shuffled labels that are compared again while the reader looks at the answer."""


def computed_here(learned: GroupDifferenceResult) -> bool:
    """Whether this session has computed the answer for the page, rather than opened it again or read it from a file."""
    analysis = session().answered(SLUG)
    return analysis is not None and analysis.result is learned and analysis.job is not None


def shuffled(learned: GroupDifferenceResult, data: Dataset) -> Null | None:
    """The whole comparison with shuffled labels; it runs by itself while the page is open."""
    key = ("null", SHUFFLES, *method_key(learned.method, data))
    found: Null | None = in_background(key, learned.method.null, data, SHUFFLES)
    return found


def may_shuffle(learned: GroupDifferenceResult, data: Dataset) -> bool:
    """Whether that begins by itself; of a wide table it is asked for."""
    seconds = learned.method.cost(Size.of(data)).times(SHUFFLES).seconds
    return may_begin(("null", SHUFFLES, *method_key(learned.method, data)), seconds, "Shuffle the labels, too")


def known_shuffles(learned: GroupDifferenceResult, data: Dataset) -> Null | None:
    """The same where it is there already."""
    job = session().desk.get(("null", SHUFFLES, *method_key(learned.method, data)))
    return None if job is None else job.result


def shuffle_words(null: Null) -> str:
    """How many variables shuffled tables call different."""
    least, most = null.range_called()
    many = f"{least} to {most} ({null.none_called} of them none)" if least < most else str(most)
    return f"{count(len(null.stacks), 'table')} with shuffled labels give {many}."


def show_resampling(learned: GroupDifferenceResult, result: GroupDifferenceResult, data: Dataset) -> None:
    """Rows drawn again and other orders: in how many of them each verdict holds."""
    with st.expander("Would it hold with other rows?"):
        st.markdown(
            "**Other rows, other orders.** Each run draws as many rows again, with replacement, and decides ties and "
            "the order of variables at random; then the whole comparison is made anew."
        )
        runs = st.select_slider("Runs", (20, 50, 100, 200), value=50, key=widget_key(SLUG, "orders"))
        stability = _job("stability", learned.method.stability, "Draw the rows again", learned, data, runs)
        if stability is not None:
            _show_stability(stability.with_settings(result.method), result)


def _show_stability(stability: Stability, result: GroupDifferenceResult) -> None:
    table = stability.table()
    found = result.variables()
    swaps = stability.swaps(result.neighbours())
    told = []
    for name in found.index[found["verdict"] == DIFFERS]:
        other = f", or {first(swaps[name], most=2)}" if name in swaps else ""
        told.append(f"{name}{other}: {table.at[name, 'share_differs']:.0%}")
    if told:
        st.markdown(plain(f"Runs that say so too: {first(told, most=6, between='; ')}."))
    display = table.loc[found.index].rename(columns=lambda name: name.replace("_", " ")).reset_index()
    st.caption("share differs: runs that say it differs; then log10 odds over the runs, under the prior on screen.")
    numbers = {name: st.column_config.NumberColumn(format="%+.2f") for name in ("lowest", "median", "highest")}
    st.dataframe(display, hide_index=True, column_config=numbers)
    download_table(display, "stability")


def _job(kind: str, function: Any, label: str, learned: GroupDifferenceResult, data: Dataset, runs: int) -> Any | None:
    desk = session().desk
    key = (kind, runs, *method_key(learned.method, data))
    if st.button(label, key=widget_key(SLUG, kind)):
        desk.start(key, function, data, runs)
    job = desk.get(key)
    return None if job is None else await_job(job)
