"""What the page for one patient keeps beside its settings."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.methods.instance_specific.population import LinkSupport, Population
    from engine.methods.instance_specific.result import InstanceSpecificResult


@dataclass(frozen=True)
class AskedCohort:
    """The patients and settings that a cohort was asked for; `rows` is None for all of them."""

    method: Any
    fingerprint: str
    rows: tuple[int, ...] | None


@dataclass
class PatientState:
    """Everything the two views of the page keep.

    Attributes
    ----------
    asked : fingerprint of the table that networks were asked for
    populations : the networks of the population, the one used last at the end
    seconds : what learning one took the last time, None before the first
    following : place on the page -> the job that it follows
    cohort : the patients asked for
    named : title of the patient typed last, and the values it stands for
    searched : what was looked for in a column, and the rows that have it
    matched : key of the list of rows that was on screen last
    supported : the answer drawn last, how sure its links are, and the answer that says so
    """

    asked: str = ""
    populations: dict[Hashable, Population] = field(default_factory=dict)
    seconds: float | None = None
    following: dict[str, Hashable] = field(default_factory=dict)
    cohort: AskedCohort | None = None
    named: tuple[str, dict[str, str]] = ("", {})
    searched: tuple[Hashable, list[int]] | None = None
    matched: str = ""
    supported: tuple[InstanceSpecificResult, LinkSupport, InstanceSpecificResult] | None = None
