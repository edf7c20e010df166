"""The workshop's network out of a project's file, which anybody may have written."""

from __future__ import annotations

from typing import Any

from dashboard.network.workshop import FARTHEST, place_network
from dashboard.session.session import session
from dashboard.text import visible
from dashboard.views.workshop.sources import check_size
from dashboard.views.workshop.state import FROM_FILE, WorkshopState
from engine import DataError
from engine.methods.fitting import checked_network
from engine.methods.storing import decode
from engine.models.evidence import posteriors

LONGEST = 200
"""Letters of what a network is called."""


def open_saved_network(written: Any) -> tuple[str, ...]:
    """Let the network of a project's file be the workshop's; a sentence where it cannot be.

    Parameters
    ----------
    written : what `WorkshopState.to_plain` gave, or whatever somebody wrote in its place; None for nothing
    """
    if written is None:
        return ()
    try:
        network = checked_network(decode(written["network"]))
        check_size(network)
        evidence, ends = dict(written["evidence"]), tuple(written["ends"])
        posteriors(network, evidence)
        done = dict(written.get("done", {}))
        network.positions_of(done)
        points = {name: (float(x), float(y)) for name, (x, y) in written["positions"].items()}
        about, by_hand = visible(written["about"])[:LONGEST], written["by_hand"] is True
        if not isinstance(written["about"], str):
            raise DataError("it has no name.")
        if len(ends) != 2 or (any(ends) and ends[0] == ends[1]) or not {*ends, *points} <= {"", *network.names}:
            raise DataError("it is about variables that it does not have.")
        if not all(abs(number) < FARTHEST for point in points.values() for number in point):
            raise DataError("a box stands too far away.")
    except DataError as error:
        return (f"The workshop's network in the file cannot be opened: {error}",)
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError):
        return ("The workshop's network in the file is damaged and was left out.",)
    state = session().state(WorkshopState)
    state.open(network, about, f"{FROM_FILE} {about}", (ends[0], ends[1]), evidence)
    state.positions, state.by_hand, state.done = place_network(network, points), by_hand, done
    return ()
