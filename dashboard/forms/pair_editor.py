"""A small editor of pairs of variables: two boxes and a button to add one, a list to take them out again."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard.session.keys import begin_with, set_value, widget_key
from dashboard.text import plain, short, visible

Pairs = tuple[tuple[str, str], ...]


def choose_pairs(label: str, help: str | None, names: Sequence[str], key: str, default: Pairs = ()) -> Pairs:
    """Draw the editor and return the pairs in the order they were added.

    Parameters
    ----------
    label, help : what the pairs mean
    names : the variables to choose from
    key : of the list, and prefix of the widgets' keys; `keep_pairs` writes there
    default : pairs to begin with
    """
    pairs: Pairs = begin_with(_pairs_key(key), tuple(map(tuple, default)))
    with st.popover(f"{plain(label)} ({len(pairs)})", width="stretch", help=help):
        a = st.selectbox("One variable", names, index=None, key=widget_key(key, "a"), persist_state="session")
        others = [name for name in names if name != a]
        b = st.selectbox("and another", others, index=None, key=widget_key(key, "b", a), persist_state="session")
        known = {frozenset(pair) for pair in pairs}
        ready = a is not None and b is not None and frozenset((a, b)) not in known
        if (
            st.button("Add this pair", key=widget_key(key, "add"), disabled=not ready)
            and a is not None
            and b is not None
        ):
            keep_pairs(key, (*pairs, (a, b)))
            st.rerun()
        if pairs:
            left = st.multiselect(
                "Chosen pairs",
                pairs,
                default=pairs,
                format_func=lambda pair: f"{short(pair[0], 20)} - {short(pair[1], 20)}",
                key=widget_key(key, "list", len(pairs), hash(pairs)),
            )
            if len(left) < len(pairs):
                keep_pairs(key, tuple(left))
                st.rerun()
        else:
            st.caption("None yet.")
    if pairs:
        st.caption(plain("; ".join(f"{visible(a)} - {visible(b)}" for a, b in pairs)))
    return pairs


def keep_pairs(key: str, pairs: Pairs) -> None:
    """Put these pairs into the editor of this key, now or when it is drawn next."""
    set_value(_pairs_key(key), tuple(pairs))


def _pairs_key(key: str) -> str:
    return widget_key(key, "pairs")
