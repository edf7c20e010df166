"""The answer for many patients: its numbers, and how they are told."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from engine import words
from engine.execution import Progress, silent
from engine.measures.intervals import share_interval
from engine.methods import report
from engine.methods.fitting import check_codes, check_shape, check_that
from engine.methods.instance_specific import cohort_tell, tell
from engine.methods.instance_specific.cohort_contexts import ADDED, DROPPED, REVERSED
from engine.methods.instance_specific.cohort_evidence import CohortEvidence
from engine.methods.instance_specific.columns import COHORT_TABLES
from engine.methods.instance_specific.result import SLUG
from engine.methods.instance_specific.verdicts.null import WithoutContext
from engine.methods.result import CANNOT_TELL, CLAIMS, YES, Result, Section
from engine.methods.storing import storable

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset


@storable
@dataclass(frozen=True, eq=False, repr=False)
class CohortResult(CohortEvidence, Result):
    """The answer to "who shares which links?"; see its base for fields and numbers."""

    method: Any
    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/instance-specific-cohort/1"
    titles: ClassVar[tuple[str, ...]] = ("Links", "Patients", "Patterns", "Clusters", "Changes", "Settings")
    table_descriptions = COHORT_TABLES
    no_link_test: ClassVar[str] = tell.NO_LINK_TEST
    caution: ClassVar[str] = tell.NOT_CAUSAL

    def headline(self) -> str:
        """The one-sentence answer."""
        return cohort_tell.headline(self)

    def sentences(self) -> list[str]:
        """The link dropped most often, what the networks foretell, and what the answer rests on."""
        return cohort_tell.sentences(self)

    def notes(self) -> list[str]:
        """The warning of the published search, and rows that belong together."""
        return [*([tell.WARNING_PUBLISHED] if self.method.mode == "published" else []), *self.made.rows]

    def sections(self) -> list[Section]:
        """The answer, the links, patterns and clusters, the patients, and how it was computed."""
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section("networks", "The population and the clusters", (self.caution,), ("Links",), ("networks",)),
            Section("patterns", "Patterns and clusters", tables=("Patterns", "Clusters", "Changes")),
            Section("patients", "The patients", tables=("Patients",)),
            Section("method", "How this is computed, and with which settings", tables=("Settings",)),
        ]

    def claims(self) -> pd.DataFrame:
        """One row an edge: whether it is sure to be another for some patients; the effect is the share of these."""
        import pandas as pd

        nothing = math.nan
        rows = [
            (
                f"{row.source} -> {row.target}",
                "another link for some patients",
                YES if row.told else CANNOT_TELL,
                nothing,
                nothing,
                nothing,
                row.told,
                *(float(end) for end in share_interval(round(row.told * len(self.patients)), len(self.patients))),
                len(self.patients),
            )
            for row in self.arc_frequencies.itertuples()
        ]
        return pd.DataFrame(rows, columns=list(CLAIMS))

    def variables(self) -> pd.DataFrame:
        """One row a variable: the share of patients for whom a link into it differs from the population's."""
        import pandas as pd

        differs = np.isin(self.status, (DROPPED, ADDED, REVERSED))
        into = {name: [i for i, (_, child) in enumerate(self.arcs) if child == name] for name in self.names}
        share = [float(differs[:, into[name]].any(axis=1).mean()) if into[name] else 0.0 for name in self.names]
        return pd.DataFrame({"share_changed": share}, index=pd.Index(self.names, name="variable"))

    def _edge_facts(self, about: Mapping[str, Any]) -> tuple[str, float, float, str]:
        """The strength is the share of the patients that have the edge."""
        return "shared", float(about["share"]), math.nan, ""

    @property
    def share_told(self) -> float:
        """The share of the patients for whom some link is sure to be different."""
        return float(self.told.any(axis=1).mean())

    def with_chance(self, found: WithoutContext) -> Self:
        """The same answer beside what tables without interaction tell.

        Parameters
        ----------
        found : from `InstanceSpecific.without_context` with the same data and settings

        Returns
        -------
        the answer

        Raises
        ------
        SettingsError : it belongs to other data or settings
        """
        found.check(self.network_of_all)
        return replace(self, without_context=found)

    @property
    def arcs_by_change(self) -> pd.DataFrame:
        """`arc_frequencies`, the arcs that change for most patients first."""
        table = self.arc_frequencies
        changed = table["dropped"] + table["added"] + table["reversed"]
        return table.loc[changed.sort_values(ascending=False, kind="stable").index]

    def outcome(self, data: Dataset, target: str) -> pd.DataFrame:
        """How a target is distributed in every cluster.

        Parameters
        ----------
        data : the data of this answer
        target : name of a variable

        Returns
        -------
        pandas.DataFrame by cluster: patients that are rows of `data`, and the share of every level among them

        Raises
        ------
        DataError : other data than those of this answer, or an unknown target
        """
        self.check_data(data)
        return super().outcome(data, target)

    def table(self, title: str) -> pd.DataFrame:
        """One of the tables.

        Parameters
        ----------
        title : "Links", "Patients", "Patterns", "Clusters", "Changes" or "Settings"

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        SettingsError : there is no such table
        """
        self._check_title(title)
        if title == "Links":
            return self.arc_frequencies
        if title == "Patients":
            return self.by_patient().reset_index()
        if title == "Patterns":
            return self.patterns()
        if title == "Clusters":
            return self.clusters
        if title == "Changes":
            return self.change_counts()
        return report.settings_table(self.settings(), {"rows": self.n_rows}, self.fingerprint, self.made.versions)

    def asks_of(self) -> tuple[str, ...]:
        """The variables."""
        return self.names

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
        asked: Any = None if self.patients == tuple(range(self.n_rows)) else self._known()
        if asked is not None and data.is_of(self.fingerprint):
            asked = [values if isinstance(one, str) else one for one, values in zip(self.patients, asked, strict=True)]
        found: Self = self.method.run_cohort(data, asked, progress=progress)
        return found if self.n_clusters == found.n_clusters else found.with_clusters(self.n_clusters)

    def _known(self) -> list[dict[str, str]]:
        """The known values of every patient, by name."""
        return [
            {
                name: self.levels[name][code]
                for name, code in zip(self.network_of_all.names, row, strict=True)
                if code >= 0
            }
            for row in self.values.tolist()
        ]

    def described_rows(self) -> str:
        """All its patients."""
        return f"the values of the {words.count(len(self.patients), 'patient')} it is about"

    def _check_read(self) -> None:
        super()._check_read()
        population, n = self.network_of_all, len(self.patients)
        check_that(sorted(population.names) == sorted(self.names), "its networks stand over other variables")
        check_that(n and len(set(self.patients)) == n and self.n_clusters > 0, "its patients are not told apart")
        check_that(all(a != b and {a, b} <= set(self.names) for a, b in self.arcs), "an arc leads to no variable")
        for array in (self.status, self.told):
            check_shape(array, n, len(self.arcs))
        check_shape(self.probabilities, len(self.arcs))
        check_shape(self.values, n, len(self.names))
        check_codes(self.values.T, [len(self.levels[name]) for name in population.names], -1)
        for array in (self.ratios, self.held_out_gains):
            check_shape(array, n)

    def settings(self) -> dict[str, Any]:
        """The settings by name, the seed left out."""
        return tell.settings(self.method)

    def document(self) -> dict[str, Any]:
        """Settings, patients, the status of every arc, ratios, clusters."""
        return cohort_tell.document(self)
