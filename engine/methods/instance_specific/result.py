"""The answer for one patient: its numbers, and how they are told."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from engine.execution import Progress, silent
from engine.methods import report
from engine.methods.fitting import check_codes, check_parents, check_positions, check_shape, check_that
from engine.methods.instance_specific import tell
from engine.methods.instance_specific.columns import TABLES
from engine.methods.instance_specific.numbers import InstanceNumbers
from engine.methods.instance_specific.verdicts.links import DIFFERENTLY, NO_LONGER, NOT_ASKED, TOLD
from engine.methods.result import CANNOT_TELL, CLAIMS, YES, Result, Section
from engine.methods.storing import storable
from engine.scores.instance import UNKNOWN

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset

SLUG = "instance_specific"


@storable
@dataclass(frozen=True, eq=False, repr=False)
class InstanceSpecificResult(InstanceNumbers, Result):
    """The answer to "which links hold for this one patient?"; see its bases for fields and numbers."""

    method: Any
    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/instance-specific/1"
    titles: ClassVar[tuple[str, ...]] = (
        "Links",
        "Families",
        "Distributions",
        "Strength",
        "Prediction",
        "Patient",
        "Settings",
    )
    table_descriptions = TABLES
    no_link_test: ClassVar[str] = tell.NO_LINK_TEST
    caution: ClassVar[str] = tell.NOT_CAUSAL

    def headline(self) -> str:
        """The one-sentence answer: "With smoking = no, age no longer matters for cough ..."."""
        return tell.headline(self)

    def sentences(self) -> list[str]:
        """What changes for the patient, and what that rests on."""
        return tell.sentences(self)

    def sentence(self, variable: str) -> str:
        """What can be said of the links into one variable, in words.

        Parameters
        ----------
        variable : its name

        Returns
        -------
        a sentence for each link

        Raises
        ------
        DataError : there is no such variable
        """
        return tell.sentence(self, self.choice(variable))

    def notes(self) -> list[str]:
        """What a reader must know of this patient: unknown values, levels never seen, thin evidence, rows that belong
        together."""
        return [*tell.notes(self), *self.made.rows]

    def sections(self) -> list[Section]:
        """The answer, the networks, the evidence, how strong it is, and how it was computed."""
        prediction = [Section("prediction", f"Prediction of {self.target}", tables=("Prediction",))]
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section("networks", "The population and this patient", (self.caution,), ("Links",), ("networks",)),
            Section("evidence", "What the answer rests on", tables=("Families", "Distributions")),
            *(prediction if self.target is not None else []),
            Section("strength", "How strong it is", tables=("Strength",), figures=("strength",)),
            Section("method", "How this is computed, and with which settings", tables=("Patient", "Settings")),
        ]

    def claims(self) -> pd.DataFrame:
        """One row an edge of either network: whether it applies to the patient; see `arc_changes` for more.

        "yes": it does, as for others or differently; "no": it no longer matters. `kind` is "not asked" where it could
        not be asked whether it is another here, and nothing is said there but how many rows there are. `effect` with
        `low` and `high` is the shift among the `n` rows like the patient, `chance` the p of its difference from that
        among the others, corrected. What matters more, less or the other way round is a kind of its own ("matters
        differently"): the effect is that difference, and there is no probability.
        """
        import pandas as pd

        nothing = math.nan
        rows = []
        for row in self.arc_changes.itertuples():
            about = f"{row.source} {'->' if row.directed else '--'} {row.target}"
            if not row.asked:
                rows.append((about, NOT_ASKED, CANNOT_TELL, *(nothing,) * 6, row.like))
                continue
            link = self.link(row.source, row.target)
            p = nothing if link is None or link.compared is None else link.compared.p
            if row.word in TOLD and row.word != NO_LONGER:
                apart = (row.difference, row.difference_low, row.difference_high)
                rows.append((about, DIFFERENTLY, YES, nothing, nothing, p, *apart, row.like))
                continue
            found = (row.log_bayes_factor, row.probability, p, row.effect, row.low, row.high)
            rows.append((about, "applies to the patient", row.verdict, *found, row.like))
        return pd.DataFrame(rows, columns=list(CLAIMS))

    def variables(self) -> pd.DataFrame:
        """The families: one row a variable."""
        return self.families()

    def table_titles(self) -> tuple[str, ...]:
        """The titles of the tables; a prediction only where a target was named."""
        return tuple(title for title in self.titles if title != "Prediction" or self.target)

    def table(self, title: str) -> pd.DataFrame:
        """One of the tables.

        Parameters
        ----------
        title : "Links", "Families", "Distributions", "Strength", "Prediction", "Patient" or "Settings"

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        SettingsError : there is no such table
        """
        import pandas as pd

        self._check_title(title)
        if title == "Links":
            return self.arc_changes
        if title == "Families":
            return report.readable(self.families().reset_index())
        if title == "Strength":
            terms = self.log_ratio_terms.rename("log_ratio").reset_index()
            total = pd.DataFrame({"variable": ["(sum)"], "log_ratio": [self.log_likelihood_ratio]})
            return pd.concat([terms, total], ignore_index=True)
        if title == "Prediction":
            found = self.prediction
            return pd.DataFrame(columns=["instance", "population"]) if found is None else found.reset_index()
        if title == "Patient":
            known = [(name, self.patient.get(name, "unknown")) for name in self.names]
            return pd.DataFrame(known, columns=["variable", "value"])
        if title == "Settings":
            return report.settings_table(self.settings(), {"rows": self.n_rows}, self.fingerprint, self.made.versions)
        parts = []
        for name in self.names:
            part = self.distributions(name)
            part.insert(0, "variable", name)
            parts.append(part)
        return pd.concat(parts, ignore_index=True)

    def asks_of(self) -> tuple[str, ...]:
        """The variables; the target is one of them."""
        return self.names

    def rerun(self, data: Dataset, progress: Progress = silent) -> Self:
        """The same patient among other rows: by number where these are the rows of this answer, else by known values.

        Parameters
        ----------
        data : rows of the same variables and levels
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        the answer for these data

        Raises
        ------
        DataError, SettingsError : as the method's `run`
        """
        patient: Any = self.row if self.row is not None and data.is_of(self.fingerprint) else dict(self.patient)
        if isinstance(patient, dict) and self.target is not None and self.observed_target is not None:
            patient[self.target] = self.observed_target
        found: Self = self.method.run(data, patient, target=self.target, progress=progress)
        return found

    def described_rows(self) -> str:
        """The one patient."""
        return "the values of the patient it is about"

    def _check_read(self) -> None:
        super()._check_read()
        population, n = self.network_of_all, len(self.names)
        check_that(sorted(population.names) == sorted(self.names), "its networks stand over other variables")
        arity = [len(self.levels[name]) for name in population.names]
        check_parents(self.network.parents, n)
        check_that(self.network.cpdag is None or self.network.cpdag.n_variables == n, "its networks differ in size")
        check_that([one.child for one in self.network.choices] == list(range(n)), "a variable has no choice")
        for one in self.network.choices:
            check_positions((*one.population, *one.parents, *one.pool), n)
            check_shape(one.cases, arity[one.child])
        check_that(set(self.codes) == set(self.names), "the patient has values of other variables")
        codes = np.array([[self.codes[name]] for name in population.names])
        check_codes(codes, arity, UNKNOWN)
        check_that(self.target is None or self.target in self.names, "the target is no variable")
        check_that(len(self.counted) == n, "a variable has no counts")
        for x, one_family in enumerate(self.counted):
            check_positions(one_family.parents, n)
            check_that(one_family.possible >= 1, "a family has no configurations")
            check_shape(one_family.configurations, None, len(one_family.parents))
            check_shape(one_family.counts, len(one_family.configurations), arity[x])
        check_shape(self.ratio, n)

    def settings(self) -> dict[str, Any]:
        """The settings by name, the seed left out."""
        return tell.settings(self.method)

    def document(self) -> dict[str, Any]:
        """Settings, patient, both networks, every choice with its evidence."""
        return tell.document(self)
