"""Every search on the page, with its drawers open."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.views.workshop import steps as view
from tests.dashboard.views.workshop.test_steps import box, opened, press, said


@pytest.mark.parametrize("search", view.SEARCHES)
def test_every_search_has_its_steps_and_parts(search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence, candidates with gains, a reason, and the parts with their sum, without an error to the last step."""
    expander = view.st.expander
    monkeypatch.setattr(view.st, "expander", lambda label, **more: Opened(expander(label)))
    at = opened()
    box(at, "Search").set_value(search)
    assert said(at.run()).startswith("Step 1 of ")
    tables = [list(item.value.columns) for item in at.dataframe]
    assert tables[0][0] == "candidate"
    assert [columns for columns in tables if columns[0] == "term"]
    assert at.markdown
    assert said(at).endswith(".")
    assert press(at, "Last").endswith(".")


class Opened:
    """A drawer that is open; a test cannot press it."""

    def __init__(self, drawer: Any) -> None:
        self._drawer = drawer
        self.open = True

    def __enter__(self) -> Any:
        return self._drawer.__enter__()

    def __exit__(self, *error: Any) -> Any:
        return self._drawer.__exit__(*error)
