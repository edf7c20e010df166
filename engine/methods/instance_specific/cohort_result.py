"""The answer for many patients: its evidence, told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from engine import words
from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.execution import Progress, silent
from engine.lazy import pd
from engine.methods import frames
from engine.methods.instance_specific.cohort_evidence import CohortEvidence
from engine.methods.instance_specific.null import WithoutContext
from engine.methods.instance_specific.result import SLUG
from engine.methods.result import Result
from engine.methods.storing import storable
from engine.telling.instance_specific import cohort_wording, figures, wording
from engine.telling.instance_specific.columns import COHORT_TABLES
from engine.telling.sections import Section


@storable
@dataclass(frozen=True, eq=False, repr=False)
class CohortResult(CohortEvidence, Result):
    """The answer to "who shares which links?"; `CohortEvidence` says what its fields are."""

    whose = "persons"
    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/instance-specific-cohort/1"
    title: ClassVar[str] = "Many patients"
    titles: ClassVar[tuple[str, ...]] = ("Links", "Patients", "Patterns", "Clusters", "Changes", "Settings")
    table_descriptions = COHORT_TABLES
    no_link_test: ClassVar[str] = wording.NO_LINK_TEST
    caution: ClassVar[str] = wording.NOT_CAUSAL
    thick: ClassVar[str] = "the more of the patients have it"

    patterns = cohort_wording.patterns

    clusters = property(cohort_wording.clusters)

    def with_clusters(self, number: int) -> Self:
        """The same patients in other clusters, at once.

        Parameters
        ----------
        number : how many clusters at most, from 1 up

        Returns
        -------
        a result with these clusters

        Raises
        ------
        SettingsError : it is no whole number from 1 up
        """
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise SettingsError(f"{number!r} clusters were asked for; it must be a whole number from 1 up.")
        changed = replace(self, n_clusters=number)
        changed.__dict__.update({k: self.__dict__[k] for k in ("patterns_of_patients", "_tree") if k in self.__dict__})
        return changed

    def with_chance(self, without_context: WithoutContext) -> Self:
        """The same answer beside what tables without interaction tell.

        Parameters
        ----------
        without_context : from `InstanceSpecific.without_context` with the same data and settings

        Returns
        -------
        the answer

        Raises
        ------
        SettingsError : it belongs to other data or settings
        """
        without_context.check(self.network_of_all)
        return replace(self, without_context=without_context)

    # -- how it is told ------------------------------------------------------------------------------------------------

    _own_figures, headline, sentences = figures.cohort_makers, cohort_wording.headline, cohort_wording.sentences
    question = cohort_wording.question

    notes = cohort_wording.notes

    def sections(self) -> list[Section]:
        """The answer, the links, patterns and clusters, the patients, and how it was computed."""
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section("networks", "The population and the clusters", (self.caution,), ("Links",), ("networks",)),
            Section("patterns", "Patterns and clusters", tables=("Patterns", "Clusters", "Changes")),
            Section("patients", "The patients", tables=("Patients",)),
            Section("method", "How this is computed, and with which settings", tables=("Settings",)),
        ]

    def _table_makers(self) -> dict[str, Callable[[], pd.DataFrame]]:
        return {
            "Links": lambda: self.arc_frequencies,
            "Patients": lambda: self.by_patient().reset_index(),
            "Patterns": self.patterns,
            "Clusters": lambda: self.clusters,
            "Changes": self.change_counts,
            "Settings": lambda: self.settings_table({"rows": self.n_rows}),
        }

    def rerun(self, data: Dataset, progress: Progress = silent) -> Self:
        """The same question of other data.

        Of all rows where this answer is about all rows of its table; by row number where the data are those of this
        answer; else the same patients, by their known values.

        Parameters
        ----------
        data : rows of the same variables and levels
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        the answer for these data

        Raises
        ------
        DataError, SettingsError : as the method's `run_cohort`
        """
        patients: Any = None if self.patients == tuple(range(self.n_rows)) else self._known()
        if patients is not None and data.is_of(self.fingerprint):
            patients = [
                values if isinstance(patient, str) else patient
                for patient, values in zip(self.patients, patients, strict=True)
            ]
        result: Self = self.method.run_cohort(data, patients, progress=progress)
        return result if self.n_clusters == result.n_clusters else result.with_clusters(self.n_clusters)

    def _known(self) -> list[dict[str, str]]:
        """The known values of every patient, by name."""
        names = self.network_of_all.names
        rows = (zip(names, row, strict=True) for row in self.values.tolist())
        return [{name: self.levels[name][code] for name, code in row if code >= 0} for row in rows]

    def described_rows(self) -> str:
        """All its patients."""
        return f"the values of the {words.count(len(self.patients), 'patient')} it is about"

    def settings(self) -> dict[str, Any]:
        """The settings by name; nothing here is random, so the seed says nothing."""
        return {name: value for name, value in self.method.shown().items() if name != "seed"}

    def document(self) -> dict[str, Any]:
        """Settings, patients and the status of every arc; natural logs."""
        return {
            "settings": self.settings(),
            "data": {"fingerprint": self.fingerprint, "variables": list(self.names), "rows": self.n_rows},
            "patients": list(self.patients),
            "population": [list(arc) for arc in self.population.edges],
            "arcs": [list(arc) for arc in self.arcs],
            "status": self.status.tolist(),
            "status_words": {"-1": "absent", "0": "dropped", "1": "kept", "2": "added", "3": "reversed"},
            "log_likelihood_ratio": self.ratios.tolist(),
            "held_out_gain": list(frames.record(dict(enumerate(self.held_out_gains.tolist()))).values()),
            "cluster": self.by_patient()["cluster"].tolist(),
            "without_interaction": None if self.without_context is None else self.without_context.shares.tolist(),
            "clusters": [frames.record(row) for row in self.clusters.to_dict("records")],
        }
