"""What a session forgets with its table."""

from __future__ import annotations

import pandas as pd

from dashboard.session.session import Session


def test_a_new_table_clears_the_spotlight() -> None:
    """The variable that was looked at may not exist in the new table."""
    held = Session()
    held.picked["page"] = "age"
    held.load(pd.DataFrame({"a": [1]}), "a.csv")
    assert not held.picked


def test_a_layout_keeps_its_own_names_only() -> None:
    """Proposals for other variables are not taken in, now or when something is moved."""
    held = Session()
    proposed = {"a": (0.0, 0.0), "b": (1.0, 1.0), "stranger": (2.0, 2.0)}
    assert held.layouts.of(["a", "b"], proposed) == {"a": (0.0, 0.0), "b": (1.0, 1.0)}
    held.layouts.move(["a", "b"], {"stranger": (3.0, 3.0), "a": (4.0, 4.0)})
    assert held.layouts.of(["a", "b"], proposed) == {"a": (4.0, 4.0), "b": (1.0, 1.0)}
