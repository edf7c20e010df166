"""Which scale each variable is on, to be set by hand: picture, bridges and sentences follow."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import of_names, widget_key
from dashboard.session.labels import column_names, full_name
from dashboard.session.work import work
from dashboard.text import plain, short
from dashboard.views.ordinal.networks import scales
from engine.data.item_scales import scales_by_prefix
from engine.methods.ordinal.result import SLUG
from engine.words import count, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.methods.ordinal.result import OrdinalResult

LONGEST = 40
"""Letters of a scale's name."""


def show_scales(result: OrdinalResult) -> None:
    """A table of variables and scales, used by one press; without a scale a variable is no end of a bridge."""
    names, known = result.names, scales(result.names)
    key = widget_key(SLUG, "scales", work().version, of_names(names))
    with st.expander(plain(scales_title(names, known))), st.form(key, border=False):
        st.caption(
            "Names or the data dictionary say which scale a variable is on; change it here. Those of one scale share "
            "colour and shape; links between scales are bridges."
        )
        edited = st.data_editor(
            {"variable": [full_name(name) for name in names], "scale": [known.get(name, "") for name in names]},
            key=widget_key(key, "table"),
            hide_index=True,
            disabled=["variable"],
            height=min(38 + 35 * len(names), 420),
            column_config={"scale": st.column_config.TextColumn(max_chars=LONGEST, help="Empty: on no scale")},
            alt="The variables and the scale of each",
        )
        if st.form_submit_button("Use these scales"):
            set_scales(names, edited["scale"])
            st.rerun(scope="app")


def scales_title(names: Sequence[str], known: Mapping[str, str]) -> str:
    """'Scales: PHQ (14 variables) and GAD (14 variables); 2 on none'; without scales what the table is for."""
    if not known:
        return "Say which variables form a scale"
    parts = [f"{short(scale, 20)} ({count(many, 'variable')})" for scale, many in Counter(known.values()).items()]
    alone = [name for name in names if name not in known]
    return f"Scales: {listed(parts)}{f'; {len(alone)} on none' if alone else ''}"


def scales_code(result: OrdinalResult) -> list[str]:
    """The Python that gives the lines of a result their scales, where these are not by the beginnings of names."""
    if result.lines is None:
        return []
    known, usual = dict(result.lines.scales), scales_by_prefix(result.names)
    if known == (usual if len(set(usual.values())) > 1 else {}):
        return []
    groups = [
        f"dict.fromkeys({[name for name, own in known.items() if own == scale]!r}, {scale!r})"
        for scale in dict.fromkeys(known.values())
    ]
    return [
        f"scales = {' | '.join(groups) or '{}'}",
        "result = result.with_parts(method.partial_network(data, scales))",
    ]


def set_scales(names: Sequence[str], given: Sequence[object]) -> None:
    """Let these be the scales of the variables, "" where one is on none; names and the dictionary count no more."""
    stripped = [" ".join(scale.split()) if isinstance(scale, str) else "" for scale in given]
    column_names().scales.update(zip(names, stripped, strict=True))
    work().version += 1
