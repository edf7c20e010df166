"""Long tables on the data page: roles by default, by hand, and not at all; a few series below them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import sample_data
from dashboard.jobs import table_work
from dashboard.views.data.roles import ITSELF, NONE, QUESTION
from engine.data.series import series
from tests.dashboard.app_pages.test_data import app, data, held, said, with_file, work

__all__ = ["app"]

NAME = ":red[x]"
ROLES = {"Patient Nr": "subject", "Visit No": "time", "outcome": "outcome"}


def ugly(wide: bool = False) -> bytes:
    """Semicolons, decimal commas, visits out of order and left out, empty cells, an extra id, a third of them ill."""
    rng = np.random.default_rng(7)
    rows = [
        [f"P{i}", visit, "ill" if i % 3 == 0 else "well", f"{rng.normal(9, 2):.1f}".replace(".", ","), "xyz"[visit % 3]]
        for i in range(12)
        for visit in range(1, 2 if wide else 8)
        if wide or rng.random() > 0.1
    ]
    rng.shuffle(rows)
    rows[3][3] = ""
    head = f"record id;Patient Nr;Visit No;outcome;marker;{NAME}\n"
    return (head + "".join(f"{i};{';'.join(map(str, row))}\n" for i, row in enumerate(rows))).encode()


def boxes(app: AppTest) -> dict[str, Any]:
    """The boxes of the three roles by label."""
    return {one.label: one for one in app.selectbox if one.label in ("Subject or cluster", "Time", "Class")}


def line(app: AppTest) -> str:
    """The one line about the roles."""
    return next(
        str(one.label) for one in app.expander if str(one.label).startswith(("Do rows", "Several rows", "Rows belong"))
    )


def press(app: AppTest, label: str) -> None:
    next(one for one in app.button if one.label.startswith(label)).click().run()
    assert not app.exception


def test_a_long_table_gets_its_roles_by_default() -> None:
    """Said in words, with the counts; number and time are no variables any more, and a few series are shown."""
    app = with_file("long.csv", ugly())
    assert not app.exception
    found = data(app)
    assert dict(found.roles) == ROLES
    assert found.names == ("outcome", "marker", NAME)
    assert len(series(found).transitions) > 30
    assert found.steps is not None
    assert line(app).endswith(f"its class; {found.steps.sentence()}")
    assert "Proposed: 'Patient Nr' has several rows a value" in said(app).replace("\\", "")
    assert [box.value for box in boxes(app).values()] == list(ROLES)
    shown = next(one for one in app.multiselect if one.label == "Variables to look at")
    assert shown.value == ["marker", NAME]
    assert len(app.get("plotly_chart")) == 2
    assert NAME not in line(app) + said(app)

    press(app, ITSELF)
    assert dict(data(app).roles) == {"outcome": "outcome"}
    assert "Visit No" in data(app).names
    assert line(app) == QUESTION
    press(app, "Take the proposal")
    assert dict(data(app).roles) == ROLES


def test_a_wide_table_gets_none() -> None:
    """The boxes are there, but closed; a subject and a time chosen by hand reach the data set."""
    app = with_file("wide.csv", ugly(wide=True))
    assert not data(app).roles
    assert line(app) == QUESTION
    assert boxes(app)["Time"].disabled
    boxes(app)["Subject or cluster"].select("outcome").run()
    assert dict(data(app).roles) == {"outcome": "subject"}
    assert "which no method counts as independent" in line(app)
    boxes(app)["Time"].select("record id").run()
    assert not app.exception
    assert dict(data(app).roles) == {"outcome": "subject", "record id": "time"}
    assert "2 subjects" in line(app)
    boxes(app)["Subject or cluster"].select(NONE["subject"]).run()
    assert not data(app).roles


def test_roles_that_cannot_be_used_are_a_sentence() -> None:
    """The data set from before stays, and the way out is named; it works."""
    app = with_file("long.csv", ugly())
    before = data(app)
    boxes(app)["Time"].select("marker").run()
    assert not app.exception
    assert "two rows where 'marker' is" in app.error[0].value.replace("\\", "")
    assert data(app) is before
    assert line(app).endswith("this cannot be used")
    assert f"or press *{ITSELF}*" in said(app)
    boxes(app)["Time"].select("Visit No").run()
    assert not app.error


def test_forgetting_all_choices_keeps_the_roles_of_the_beginning(app: AppTest) -> None:
    """Those of a sample are its own; kinds of the two columns may be chosen, and are forgotten."""
    app.selectbox(key="data.sample").select("regions").run()
    press(app, "Open the sample")
    own = sample_data.CATALOG["regions"].choices["roles"]
    assert dict(data(app).roles) == dict(own)
    assert "Proposed:" not in "".join(one.value for one in app.caption if "several rows a value" in one.value)
    current = work(app)
    current.choose("kinds", "scan", "continuous", current.usual(current.proposals(held(app).table)["scan"])[0])  # type: ignore[arg-type]
    app.run()
    assert "scan" in data(app).names
    press(app, ITSELF)
    app.button(key="data.reset").click().run()
    assert dict(data(app).roles) == dict(own)
    assert "scan" not in data(app).names


def test_what_was_said_of_roles_outlives_another_reading() -> None:
    """None stays none; without a word a proposal is made of what is read now."""
    app = with_file("long.csv", ugly())
    press(app, ITSELF)
    press(app, "Read again")
    assert dict(data(app).roles) == {"outcome": "outcome"}
    press(app, "Take the proposal")
    press(app, "Read again")
    assert dict(data(app).roles) == ROLES


def test_a_proposal_that_fails_is_dropped_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """No error, no roles, the table is ready all the same."""
    monkeypatch.setattr(table_work, "propose_roles", lambda _: {"outcome": "subject", "marker": "time"})
    app = with_file("long.csv", ugly())
    assert not app.exception
    assert not app.error
    assert not data(app).roles
    assert line(app) == QUESTION
