"""The workshop's network in a project's file: equal after saving and opening, and what somebody else wrote refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import engine
from dashboard.network.workshop import WorkshopEvent
from dashboard.session.projects import Screen, bytes_of
from dashboard.session.session import Session, session, set_session
from dashboard.views.session.opening import open_content
from dashboard.views.workshop.saved import open_saved_network
from dashboard.views.workshop.state import WorkshopState, open_sample_network
from engine.models import Network

NAMES = ("<b>rain</b>", "wet", "slip")
TABLES = (
    np.array([[0.7, 0.3]]),
    np.array([[1.0, 0.0], [0.1, 0.9]]),
    np.array([[0.99, 0.01], [1 / 3, 2 / 3]]),
)
NETWORK = Network(NAMES, (("no", "yes"),) * 3, ((), (0,), (1,)), TABLES)


@pytest.fixture(autouse=True)
def held() -> Iterator[Session]:
    """A session with a network that was drawn, moved, and asked about."""
    before, state = session(), Session()
    set_session(state)
    workshop = state.state(WorkshopState)
    workshop.open(NETWORK, "my *drawing*", "empty", ("wet", NAMES[0]), {"slip": "yes"})
    workshop.apply(WorkshopEvent("move", "slip", point=(300.0, 210.0)))
    workshop.by_hand = False
    yield state
    set_session(before)


def written(state: Session) -> Any:
    """What stands in the file, as JSON gives it back."""
    project = engine.load(bytes_of(state, with_table=False))
    return copy.deepcopy(dict(Screen(project.screen).saved_state("workshop")))  # type: ignore[union-attr]


def test_what_was_drawn_comes_back_equal(held: Session) -> None:
    """To the last bit, with evidence, the two variables, and where boxes stand; opened a second time it asks first."""
    content = bytes_of(held, with_table=False)
    old = held.state(WorkshopState)
    held.end()
    assert open_content(content) == ""
    new = session().state(WorkshopState)
    assert new is not old and new.to_plain() == old.to_plain()
    assert [table.tolist() for table in new.network.tables] == [table.tolist() for table in TABLES]
    assert (new.network.names, new.network.parents, new.evidence) == (NAMES, NETWORK.parents, {"slip": "yes"})
    assert new.positions["slip"][0] == 300.0 and not session().warnings
    assert open_content(content) == "" and session().waiting is not None, "the network would be gone"


def test_a_network_that_nobody_changed_is_not_in_the_file() -> None:
    """The first sample stands on the page of everybody, until something of it is clicked."""
    state = Session()
    workshop = state.state(WorkshopState)
    open_sample_network(workshop, "cough")
    assert state.saved_states() == {} and not state.is_resumable
    workshop.set_level("Cough", "yes")
    assert list(state.saved_states()) == ["workshop"]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ([], "nothing"),
        (["network"], None),
        (["network"], {"$": "BDeu", "ess": 1.0}),
        (["network", "parents"], [[], [-2], [1]]),
        (["network", "parents"], [[2], [0], [1]]),
        (["network", "parents"], [[], [7], [1]]),
        (["network", "names"], ["a", "a", "b"]),
        (["network", "names"], ["a", "b"]),
        (["network", "levels"], [["no", "no"]] * 3),
        (["network", "tables", 1, "data"], [1.0, 0.0, 0.5, 0.9]),
        (["network", "tables", 1, "data"], ["nan", 0.0, 0.5, 0.5]),
        (["network", "tables", 1, "shape"], [1, 4]),
        (["evidence"], {"slip": "maybe"}),
        (["evidence"], {"slip": ["yes"]}),
        (["evidence"], {"wet": "no", NAMES[0]: "yes", "slip": "yes", "other": "no"}),
        (["evidence"], "slip"),
        (["ends"], ["wet", "wet"]),
        (["ends"], ["wet", "other"]),
        (["ends"], [["wet"], "slip"]),
        (["positions"], {"wet": [1e300, 0.0]}),
        (["positions"], {"wet": ["x", 0.0]}),
        (["positions"], {"wet": [1.0]}),
        (["positions"], [1.0]),
        (["about"], 7),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(held: Session, place: list[Any], value: Any) -> None:
    """Whatever part is not what it should be; the workshop is as if nothing had been in the file."""
    document = written(held)
    assert open_saved_network(json.loads(json.dumps(document))) == ()
    if place:
        inner = document
        for part in place[:-1]:
            inner = inner[part]
        inner[place[-1]] = value
    else:
        document = value
    set_session(Session())
    (sentence,) = open_saved_network(json.loads(json.dumps(document)))
    assert sentence.startswith("The workshop's network in the file ") and sentence.endswith(".")
    assert session().state(WorkshopState).source == ""


def test_a_network_too_large_is_refused(held: Session) -> None:
    """More variables than are drawn, more levels than are shown."""
    for count, levels in ((61, 2), (1, 51)):
        names = tuple(f"v{i}" for i in range(count))
        table = np.full((1, levels), 1 / levels)
        held.state(WorkshopState).open(
            Network(names, (tuple(map(str, range(levels))),) * count, ((),) * count, (table,) * count),
            "large",
            "file x",
        )
        (sentence,) = open_saved_network(written(held))
        assert "the workshop" in sentence
