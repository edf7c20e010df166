"""The answer for one patient: its evidence, told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from engine.data.dataset import Dataset
from engine.execution import Progress, silent
from engine.lazy import pd
from engine.methods import frames
from engine.methods.instance_specific.evidence import InstanceEvidence
from engine.methods.instance_specific.patient_numbers import PatientNumber
from engine.methods.instance_specific.population import LinkSupport
from engine.methods.result import Result
from engine.methods.storing import storable
from engine.models.network import Network
from engine.telling.instance_specific import figures, wording
from engine.telling.instance_specific.columns import TABLES
from engine.telling.sections import Section
from engine.telling.tables import readable

SLUG = "instance_specific"


@storable
@dataclass(frozen=True, eq=False, repr=False)
class InstanceSpecificResult(InstanceEvidence, Result):
    """The answer to "which links hold for this one patient?"; see its base for the fields."""

    whose = "person"
    turned: ClassVar[str] = "turned"
    thick: ClassVar[str] = "the more probable the link"
    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/instance-specific/1"
    titles: ClassVar[tuple[str, ...]] = (
        "Links",
        "Families",
        "Distributions",
        "Strength",
        "Prediction",
        "Unusual values",
        "Numbers",
        "Patient",
        "Settings",
    )
    table_descriptions = TABLES
    no_link_test: ClassVar[str] = wording.NO_LINK_TEST
    caution: ClassVar[str] = wording.NOT_CAUSAL

    def own_networks(self) -> dict[str, Callable[[], Network]]:
        """See `Result.own_networks`: the population's, where it has tables."""
        network = self.population_network
        return {} if network is None else {"population": lambda: network}

    def with_support(self, support: LinkSupport) -> Self:
        """The same answer with the probabilities of the population's links, multiplied into every "applies".

        Parameters
        ----------
        support : from `InstanceSpecific.link_support` with the same data and settings

        Returns
        -------
        the answer

        Raises
        ------
        SettingsError : it belongs to other data or settings
        """
        support.check(self.network_of_all)
        return replace(self, support=support)

    # -- how it is told ------------------------------------------------------------------------------------------------

    _own_figures, headline, sentences, notes = (
        figures.figure_makers,
        wording.headline,
        wording.sentences,
        wording.notes,
    )

    question, how_sure, left_open = wording.question, wording.how_sure, wording.asked_words

    def short_title(self) -> str:
        """The patient, and what is predicted."""
        patient = "Patient by values" if self.table_row is None else f"Row {self.table_row + 1:,}"
        return patient if self.target is None else f"{patient}, {self.target}"

    def sentence(self, variable: str) -> str:
        """Say in words what is known of the links into one variable.

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
        return wording.sentence(self, self.choice(variable))

    def sections(self) -> list[Section]:
        """The answer, the networks, the evidence, how strong it is, and how it was computed."""
        prediction = [Section("prediction", f"Prediction of {self.target}", tables=("Prediction",))]
        unusual = ("Unusual values", "Numbers") if self.numbers else ("Unusual values",)
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section("unusual", "Values that are unusual given the others", tables=unusual),
            Section("networks", "The population and this patient", (self.caution,), ("Links",), ("networks",)),
            Section("evidence", "What the answer rests on", tables=("Families", "Distributions")),
            *(prediction if self.target is not None else []),
            Section("strength", "How strong it is", tables=("Strength",), figures=("strength",)),
            Section(
                "method",
                "How this is computed, and with which settings",
                tuple(wording.method_sentences(self)),
                ("Patient", "Settings"),
            ),
        ]

    def variables(self) -> pd.DataFrame:
        """The families: one row a variable."""
        return self.families()

    def table_titles(self) -> tuple[str, ...]:
        """The titles of the tables; a prediction only where a target was named, numbers where the patient has some."""
        absent = {"Prediction": self.target is None, "Numbers": not self.numbers}
        return tuple(title for title in self.titles if not absent.get(title))

    def _table_makers(self) -> dict[str, Callable[[], pd.DataFrame]]:
        return {
            "Links": lambda: self.arc_changes,
            "Families": lambda: readable(self.families().reset_index()),
            "Distributions": lambda: frames.stacked(
                {name: self.distributions(name) for name in self.names}, ["variable"]
            ),
            "Strength": self._strength,
            "Prediction": self._predictions,
            "Unusual values": lambda: self.unusual_values().reset_index(),
            "Numbers": lambda: frames.data_frame(
                [(*vars(number).values(), number.extreme) for number in self.numbers],
                columns=[*PatientNumber.__dataclass_fields__, "extreme"],
            ).rename(columns={"name": "variable"}),
            "Patient": lambda: frames.data_frame(
                [(name, self.patient.get(name, "unknown")) for name in self.names], columns=["variable", "value"]
            ),
            "Settings": lambda: self.settings_table({"rows": self.n_rows}),
        }

    def _strength(self) -> pd.DataFrame:
        """The terms of the ratio, and their sum."""
        terms = {**self.log_ratio_terms, "(sum)": self.log_likelihood_ratio}
        return frames.data_frame(list(terms.items()), columns=["variable", "log_ratio"])

    def _predictions(self) -> pd.DataFrame:
        result = self.prediction
        return frames.data_frame(columns=["instance", "population"]) if result is None else result.reset_index()

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
        known = {**self.patient, **{number.name: number.value for number in self.numbers}}
        patient: Any = self.row if self.row is not None and data.is_of(self.fingerprint) else known
        if isinstance(patient, dict) and self.target is not None and self.observed_target is not None:
            patient[self.target] = self.observed_target
        result: Self = self.method.run(data, patient, target=self.target, progress=progress)
        return result

    def described_rows(self) -> str:
        """The one patient."""
        return "the values of the patient it is about"

    def settings(self) -> dict[str, Any]:
        """The settings by name; nothing here is random, so the seed says nothing."""
        return {name: value for name, value in self.method.shown().items() if name != "seed"}

    def document(self) -> dict[str, Any]:
        """Settings, data, patient, networks and choices; natural logs."""
        families = self.families()
        held_out = self.held_out
        return {
            "settings": self.settings(),
            "data": self.described_data(rows=self.n_rows),
            "patient": {"row": self.row, "values": self.patient, "target": self.target},
            "networks": {title: [list(arc) for arc in graph.edges] for title, graph in self.graphs().items()},
            "links": [frames.record(row) for row in self.arc_changes.to_dict("records")],
            "families": {name: frames.record(families.loc[name].to_dict()) for name in self.names},
            "distributions": {
                name: [frames.record(row) for row in self.distributions(name).to_dict("records")] for name in self.names
            },
            "log_likelihood_ratio": self.log_likelihood_ratio,
            "log_ratio_terms": self.log_ratio_terms.to_dict(),
            "log_ratio_parts": self.log_ratio_parts().to_dict(),
            "held_out": frames.record(
                {"instance": held_out.instance, "population": held_out.population, "variables": held_out.variables}
            ),
            "prediction": None if self.prediction is None else self.prediction.to_dict(),
            "logistic_regression": None if self.regressed is None else self.regressed.tolist(),
            "scales": [frames.record(vars(scale)) for scale in self.scales],
            "numbers": [frames.record({**vars(number), "extreme": number.extreme}) for number in self.numbers],
        }
