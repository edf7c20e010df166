"""What is worked out once for all readings of the same evidence."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace

import pandas as pd

from engine.methods.readings import MOST_KEPT, STORE, once, same_evidence
from tests.engine.make import two_groups
from tests.engine.methods.group_difference.test_verdicts import compared


@dataclass(frozen=True)
class Settings:
    """Two that can be moved."""

    margin: float = 0.1
    prior: float = 0.5


@dataclass(frozen=True)
class Reading:
    """Counts how often each property was worked out."""

    method: Settings = field(default_factory=Settings)
    calls: list[str] = field(default_factory=list)

    @once()
    def evidence(self) -> str:
        """Nothing moves it."""
        self.calls.append("evidence")
        return "evidence"

    @once("margin")
    def verdict(self) -> float:
        """The margin moves it."""
        self.calls.append("verdict")
        return self.method.margin

    def again(self, **settings: float) -> Reading:
        """Another reading."""
        other = replace(self, method=replace(self.method, **settings))
        same_evidence(self, other)
        return other


def test_a_property_is_worked_out_again_only_for_what_moves_it() -> None:
    """Whichever reading asks first, the others find it; another margin is another verdict, and back is the old one."""
    first = Reading()
    moved = first.again(prior=0.9)
    assert (moved.verdict, moved.evidence, first.verdict, first.evidence) == (0.1, "evidence", 0.1, "evidence")
    assert first.calls == ["verdict", "evidence"]
    assert first.again(margin=0.3).verdict == 0.3
    assert moved.again(margin=0.1).verdict == 0.1
    assert first.calls == ["verdict", "evidence", "verdict"]


def test_another_result_knows_nothing_of_it() -> None:
    """Only readings of the same evidence share."""
    first, second = Reading(), Reading()
    assert (first.verdict, first.evidence, second.verdict, second.evidence) == (0.1, "evidence", 0.1, "evidence")
    assert second.calls == ["verdict", "evidence"]
    assert replace(first, method=Settings()).verdict == 0.1  # which writes into the same list
    assert first.calls == ["verdict", "evidence", "verdict"]


def test_many_moves_leave_few_tables_behind() -> None:
    """The latest are kept; and none of it travels to another process."""
    first = Reading()
    for margin in range(3 * MOST_KEPT):
        assert first.again(margin=margin / 100).verdict == margin / 100
    assert len(first.__dict__[STORE]) == MOST_KEPT
    assert first.again(margin=(3 * MOST_KEPT - 1) / 100).verdict and len(first.calls) == 3 * MOST_KEPT
    result = compared(two_groups(60, 3, 3, seed=3))
    told = result.summary()
    assert STORE in result.__dict__
    again = copy.copy(result)  # by the same state as a pickle
    assert STORE not in again.__dict__
    assert again.summary() == told


def test_a_moved_slider_reads_what_a_new_run_would_say() -> None:
    """Priors, alignment and margin moved one after the other; the table is that of the settings themselves."""
    data = two_groups(400, 5, 7, seed=3, changed=True)
    result = compared(data)
    result.variables()
    moved = result.with_margin(0.3).with_prior(0.2, p_none=0.3).with_alignment("common")
    anew = compared(data, margin=0.3, p_same=0.2, p_none=0.3, alignment="common")
    pd.testing.assert_frame_equal(moved.variables(), anew.variables())
    pd.testing.assert_frame_equal(result.variables(), compared(data).variables())
