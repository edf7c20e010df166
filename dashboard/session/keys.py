"""Every key of a widget is made here, so that a file that writes another's widget cannot misspell it; and its value."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import streamlit as st

if TYPE_CHECKING:
    from engine import Dataset

STAYS = ("diptych", "diptych.arrived", "diptych.proof")
"""Of what a tab keeps: its session, that it found it, and whose tab it is."""


def widget_key(*parts: object) -> str:
    """The key of a widget: page or method, name, and what it depends on, so that no stale value stays."""
    return ".".join(map(str, parts))


def of_table(data: Dataset) -> str:
    """A part of a key that is another for another table, or for the same prepared otherwise."""
    return data.fingerprint[:12]


def of_names(names: Iterable[str]) -> str:
    """A part of a key that is another for other names."""
    return hashlib.sha256("\0".join(names).encode()).hexdigest()[:12]


def value_of(key: str, default: Any = None) -> Any:
    """Value of the widget of this key; `default` before it is drawn."""
    return st.session_state.get(key, default)


def set_value(key: str, value: Any) -> None:
    """Let the widget of this key say this, now or when it is drawn next."""
    st.session_state[key] = value


def begin_with(key: str, value: Any) -> Any:
    """Let the widget of this key begin with this; what it says, where it says something already."""
    return st.session_state.setdefault(key, value)


def has_value(key: str) -> bool:
    """True where the widget of this key was drawn, or was told what to say."""
    return key in st.session_state


def drop_value(key: str) -> None:
    """Forget what stands under this key."""
    st.session_state.pop(key, None)


def drop_values(prefix: str) -> None:
    """Forget what every widget says whose key begins so: its form then begins as it is told to."""
    for key in list(st.session_state):
        if str(key).startswith(f"{prefix}."):
            del st.session_state[key]


def drop_all_values() -> None:
    """Forget all that this tab keeps beside its session, and that it has arrived."""
    for key in list(st.session_state):
        if key not in STAYS:
            del st.session_state[key]
