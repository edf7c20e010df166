"""Everything one user's session keeps, in one typed place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dashboard.jobs.closed_tabs import watch
from dashboard.jobs.runner import Desk, server_runner

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset

Point = tuple[float, float]

_KEY = "diptych"


@dataclass
class Session:
    """One browser tab's work. It lives in memory only and ends with the tab.

    Attributes
    ----------
    table : the table as it was read, None before an upload
    source : its name for the screen (user text; escape it)
    dataset : the prepared table the methods run on, None before preparing
    choices : page or editor -> what the user chose there
    picked : page -> the variable in the spotlight
    desk : the session's jobs and their remembered results
    """

    table: pd.DataFrame | None = None
    source: str = ""
    dataset: Dataset | None = None
    choices: dict[str, dict[str, Any]] = field(default_factory=dict)
    picked: dict[str, str | None] = field(default_factory=dict)
    desk: Desk = field(default_factory=lambda: Desk(server_runner()))
    _positions: dict[frozenset[str], dict[str, Point]] = field(default_factory=dict)

    def positions(self, names: Iterable[str], proposed: Mapping[str, Point]) -> dict[str, Point]:
        """Where each variable stands: as the user left it, else as first proposed.

        One layout serves every network of the same variables, over re-runs, thresholds and pages.
        """
        variables = list(names)
        key = frozenset(variables)
        if key not in self._positions:
            self._positions[key] = {name: proposed[name] for name in variables}
        return self._positions[key]

    def has_positions(self, names: Iterable[str]) -> bool:
        """Whether a layout of these variables exists, so that none need be computed."""
        return frozenset(names) in self._positions

    def move(self, names: Iterable[str], moved: Mapping[str, Point]) -> None:
        """Keep what the user dragged."""
        known = self._positions.get(frozenset(names))
        if known is not None:
            known.update({name: point for name, point in moved.items() if name in known})

    def load(self, table: pd.DataFrame, source: str) -> None:
        """A new table takes the place of the old one and of all that was chosen for it."""
        self.desk.close()
        self.table, self.source, self.dataset = table, source, None
        self.choices.clear()
        self.picked.clear()
        self._positions.clear()


def session() -> Session:
    """This user's session, made on first use."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    if _KEY not in st.session_state:
        made = st.session_state[_KEY] = Session()
        context = get_script_run_ctx()
        if context is not None:
            watch(context.session_id, made.desk)
    held: Session = st.session_state[_KEY]
    return held
