"""The same question asked again, of every kind of answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import engine
import sample_data
from engine.methods.result import Result
from engine.methods.storing import _KINDS
from tests.engine.make import trial

HOSPITALS = sample_data.dataset("two_hospitals")
SYMPTOMS = sample_data.dataset("symptoms")


def compared(data: engine.Dataset) -> Result:
    """Both hospitals' associations beside each other."""
    parts = list(engine.by_group(data, "hospital").values())
    return engine.compare(*(engine.LogLinear().run(part) for part in parts), data=parts)


MADE: dict[str, Callable[[], Result]] = {
    "LogLinearResult": lambda: engine.LogLinear().run(HOSPITALS),
    "GroupDifferenceResult": lambda: engine.GroupDifference(group="hospital").run(HOSPITALS),
    "ArmsResult": lambda: engine.GroupDifference(group="arm").run(trial()),
    "InstanceSpecificResult": lambda: engine.InstanceSpecific().run(HOSPITALS, 3, target="severity"),
    "CohortResult": lambda: engine.InstanceSpecific().run_cohort(HOSPITALS, range(20)).with_clusters(2),
    "DiscriminativeResult": lambda: engine.Discriminative("hospital", shuffles=0).run(HOSPITALS),
    "OrdinalResult": lambda: engine.Ordinal(draws=5).run(SYMPTOMS),
    "ComparisonResult": lambda: compared(HOSPITALS),
}


@cache
def made(kind: str) -> Result:
    """An answer of each kind."""
    return MADE[kind]()


def test_every_kind_of_answer_is_here() -> None:
    """A further method has to say how it is asked again."""
    ours = {name for name, kind in _KINDS.items() if issubclass(kind, Result) and kind.__module__.startswith("engine.")}
    assert ours == set(MADE)


def test_series_are_not_asked_as_rows() -> None:
    """A subject's and a time's column that are gone make another question, so it is refused."""
    data, n = HOSPITALS, HOSPITALS.n_rows
    own = made("DiscriminativeResult")
    codes = np.vstack([data.codes, np.arange(n) // 6, np.arange(n) % 6])
    levels = {**data.levels, "who": n // 6 + 1, "visit": 6}
    roles = {"who": "subject", "visit": "time"}
    series = engine.Dataset.from_codes(codes, levels, [*data.names, *roles], roles=roles)
    with pytest.raises(engine.DataError, match="about rows, and these data hold series"):
        own.rerun(series)


def test_variables_that_are_not_there_are_named() -> None:
    """All that the question needs, the group and the target among them."""
    rest = HOSPITALS.select([name for name in HOSPITALS.names if name != "hospital"])
    for kind in ("GroupDifferenceResult", "DiscriminativeResult", "LogLinearResult"):
        kept = engine.SavedResult(made(kind))
        assert kept.missing_of(rest) == ("hospital",)
        with pytest.raises(engine.DataError, match=r"^It is about 'hospital', which the table does not have\.$"):
            kept.rerun(rest)


@pytest.mark.parametrize(
    ("more", "words"),
    [({"title": 7}, "title"), ({"note": None}, "note"), ({"starred": 1}, "starred"), ({"seconds": "1"}, "seconds")],
)
def test_what_is_said_of_a_result_has_its_type(more: dict[str, Any], words: str) -> None:
    """Texts, a flag and a number."""
    with pytest.raises(engine.DataError, match=words):
        engine.SavedResult(made("LogLinearResult"), **more)
