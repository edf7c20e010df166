"""What is worked out once for all readings of the same evidence."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pandas as pd

from engine.methods.group_difference.readings import once, same_evidence
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
    first, second = Reading(), Reading(Settings(margin=0.4))
    assert (first.verdict, second.verdict) == (0.1, 0.4)
    assert replace(first, method=Settings()).calls == ["verdict"]


def test_a_moved_slider_reads_what_a_new_run_would_say() -> None:
    """Prior, alignment and margin moved one after the other; the table is that of the settings themselves."""
    data = two_groups(400, 5, 7, seed=3, changed=True)
    result = compared(data)
    result.variables()
    moved = result.with_margin(0.3).with_prior(0.2).with_alignment("common")
    anew = compared(data, margin=0.3, p_same=0.2, alignment="common")
    pd.testing.assert_frame_equal(moved.variables(), anew.variables())
    pd.testing.assert_frame_equal(result.variables(), compared(data).variables())
