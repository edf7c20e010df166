"""The settings that act on an answer that is there: drawn beside it, as the method's fields say."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import Field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from dashboard.forms.settings_form import choice_words
from dashboard.session.keys import widget_key

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from engine.methods import Method

MethodT = TypeVar("MethodT", bound="Method")


def live_settings(
    method: MethodT, widths: Sequence[float] = (), only: Collection[str] | None = None
) -> tuple[MethodT, list[DeltaGenerator]]:
    """Draw the live settings side by side; the method with what they say, and the columns that are left over.

    Parameters
    ----------
    method : the settings of the answer; the widgets begin with its values
    widths : of the columns, one a live setting, and of those the page wants beside them; equal where none are given
    only : the live settings to draw, where the page has them in several places
    """
    names = [name for name in method.live() if only is None or name in only]
    drawn = [field for field in fields(method) if field.name in names and field.metadata.get("place") != "hidden"]  # type: ignore[arg-type]
    if not drawn:
        return method, []
    columns = st.columns(list(widths) or len(drawn), gap="large", vertical_alignment="bottom")
    values = {}
    for item, column in zip(drawn, columns, strict=False):
        with column:
            values[item.name] = _live(item, getattr(method, item.name), live_key(method.slug, item.name))
    return replace(method, **values), columns[len(drawn) :]  # type: ignore[type-var]


def live_key(slug: str, name: str) -> str:
    """The key of a live setting's widget."""
    return widget_key(slug, "live", name)


def _live(item: Field[Any], value: Any, key: str) -> Any:
    rule: Mapping[str, Any] = item.metadata
    about = {"label": rule["label"], "help": rule["help"], "key": key, "persist_state": "session"}
    if rule["stops"]:
        stops = sorted({*rule["stops"], value})
        return st.select_slider(options=stops, value=value, **about)
    if isinstance(value, bool):
        return st.toggle(value=value, **about)
    if rule["choices"]:
        choices = list(rule["choices"])
        return st.selectbox(
            options=choices,
            index=choices.index(value),
            format_func=lambda choice: choice_words(item, choice),
            **about,
        )
    return st.number_input(min_value=rule["minimum"], max_value=rule["maximum"], value=value, **about)
