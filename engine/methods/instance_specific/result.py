"""The answer for one patient: its numbers, and how they are told."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from engine.data.dataset import Dataset, same_data
from engine.data.table_rows import rows_of_subject
from engine.execution import Progress, silent
from engine.lazy import nx, pd
from engine.methods import frames
from engine.methods.evidence import CANNOT_TELL, CLAIMS, YES, Claim
from engine.methods.fitting import check_codes, check_parents, check_positions, check_shape, check_that
from engine.methods.instance_specific import evidence, figures, wording
from engine.methods.instance_specific.columns import TABLES
from engine.methods.instance_specific.evidence import InstanceAnswer
from engine.methods.instance_specific.links import SUBJECTS, TOLD, LinkWord
from engine.methods.instance_specific.parent_choices import PARTS, ratio_part
from engine.methods.instance_specific.patient_numbers import PatientNumber
from engine.methods.instance_specific.population import LinkSupport
from engine.methods.instance_specific.unusual import unusual_values
from engine.methods.storing import storable
from engine.models.network import Network as BayesianNetwork
from engine.scores.instance import UNKNOWN
from engine.telling.sections import Section
from engine.telling.tables import readable

SLUG = "instance_specific"


@storable
@dataclass(frozen=True, eq=False, repr=False)
class InstanceSpecificResult(InstanceAnswer):
    """The answer to "which links hold for this one patient?"; see its base for the fields."""

    turned: ClassVar[str] = "turned"
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

    # -- numbers ------------------------------------------------------------------------------------------------------

    @property
    def arc_changes(self) -> pd.DataFrame:
        """One row an edge of either network: source, target, status and its evidence.

        `status` is "kept", "dropped", "added" or "reversed"; `directed`: the edge has a direction; `compelled`: all
        equivalent population DAGs agree on it; `known`: the patient's value of the source is; `probability` that the
        link applies here (exact sum over parent sets; NaN in published mode); `context` in words, `cases` the rows that
        share it; `score_gain`, `kappa_cost` and `net` (natural log) are those of the whole family of the arc's head.
        """
        return self._arc_changes.copy()

    def graphs(self) -> dict[str, nx.DiGraph]:
        """The two networks; arcs carry `status` and `probability`."""
        result = {"population": self.population, "patient": self.instance}
        for row in self._arc_changes.itertuples():
            for graph in result.values():
                for arc in ((row.source, row.target), (row.target, row.source)):
                    if graph.has_edge(*arc):
                        graph.edges[arc].update(status=row.status, probability=row.probability)
        return result

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

    # -- one variable -------------------------------------------------------------------------------------------------

    def families(self) -> pd.DataFrame:
        """By variable: parents in both networks, the context, similar cases of `rows`, score gain, kappa cost, net.

        Without a target a patient who is a row is one of the similar cases (`similar_rows` lists the others).
        `changed`: the parents are not the population's; `few_cases`: under 30 rows share the context; `probability` of
        the parent set among all that were weighed (NaN in published mode). Natural log.
        """
        return self._families.copy()

    def alternatives(self, variable: str) -> pd.DataFrame:
        """The parent sets that were weighed for one variable, best first.

        Parameters
        ----------
        variable : its name

        Returns
        -------
        pandas.DataFrame: parents, dropped, added (tuples of names), context, cases, score_gain, kappa_cost, net,
        probability

        Raises
        ------
        DataError : there is no such variable
        """
        return evidence.alternatives(self, self.choice(variable))

    def distributions(self, variable: str) -> pd.DataFrame:
        """The variable among the cases like the patient, then in the population rows that these replace, long form.

        Parameters
        ----------
        variable : its name

        Returns
        -------
        pandas.DataFrame: who, rows, level, count, share (posterior mean), low and high (central 95 % interval)

        Raises
        ------
        DataError : there is no such variable
        """
        return evidence.distributions(self, self.choice(variable))

    def similar_rows(self, data: Dataset, variable: str) -> np.ndarray:
        """Row numbers of `data` that agree on what the variable depends on here; the patient's own row, and all of the
        own subject, left out.

        Parameters
        ----------
        data : the data of this result
        variable : its name

        Returns
        -------
        (k,) ascending row numbers

        Raises
        ------
        DataError : other data than those of this result, or no such variable
        """
        same_data(data, self.fingerprint)
        agree = np.ones(data.n_rows, dtype=bool)
        for x in self.choice(variable).parents:
            name = self.name(x)
            if self.codes[name] != UNKNOWN:
                agree &= data.column(name) == self.codes[name]
        if self.row is not None:
            agree[rows_of_subject(data, self.row)] = False
        return np.flatnonzero(agree)

    def relinked(self) -> list[str]:
        """Variables into which some edge differs from the population's, the strongest change first.

        Not simply those whose parents differ: the published score counts an edge without a direction as a parent added.
        """
        changes = self._arc_changes
        differs = changes[changes["status"] != "kept"]
        heads = {*differs["target"], *differs.loc[~differs["directed"].astype(bool), "source"]}
        order = self._families["net"].sort_values(ascending=False, kind="stable").index
        return [name for name in order if name in heads]

    # -- strength -----------------------------------------------------------------------------------------------------

    @property
    def log_likelihood_ratio(self) -> float:
        """Natural log of how much better the patient's network explains the rows; equation 14 in published mode.

        In order-kept mode both are proper models of the same rows. In published mode a turned arc makes the rows count
        twice; see `log_ratio_parts`.
        """
        return float(self.log_ratio_terms.sum())

    @property
    def log_ratio_terms(self) -> pd.Series:
        """The ratio by variable, in column order; it is their sum."""
        terms = dict(zip(self.network_of_all.names, self.ratio.tolist(), strict=True))
        return frames.series_of([terms[name] for name in self.names], self.names)

    def log_ratio_parts(self) -> pd.Series:
        """The ratio by where it comes from: variables with a reversed arc, those with an edge that has no direction in
        the population, those that dropped arcs, those that gained some.
        """
        parts = dict.fromkeys(PARTS, 0.0)
        for child, term in enumerate(self.ratio.tolist()):
            if self.network.cpdag is None:
                added = set(self.network.parents[child]) - set(self.network_of_all.parents[child])
                parts[PARTS[3] if added else PARTS[2]] += term
            elif term:
                parts[ratio_part(child, self.network.parents, self.network_of_all)] += term
        return pd.Series(parts)

    @property
    def prediction(self) -> pd.DataFrame | None:
        """Level of the target -> probability under both networks, given all other known values of the patient.

        None without a target, or where too many unknown values hang together.
        """
        if self.target is None or self.predicted is None:
            return None
        shares = {"instance": self.predicted[0], "population": self.predicted[1]}
        return frames.data_frame(shares, names=self.levels[self.target], of=self.target)

    @cached_property
    def population_network(self) -> BayesianNetwork | None:
        """The population's DAG with its tables, variables in alphabetical order; None where a table is too large."""
        if self.population_tables is None:
            return None
        population = self.network_of_all
        return BayesianNetwork(
            population.names,
            tuple(self.levels[name] for name in population.names),
            population.parents,
            self.population_tables,
        )

    def unusual_values(self) -> pd.DataFrame:
        """How improbable each of the patient's values is, given all the others; see `unusual.unusual_values`.

        One row a known value, the least expected first: variable (index), level, probability, surprise, p (corrected),
        likeliest. No row where a table of the population's network is too large; no p where rows belong to so few
        subjects that nothing is tested.
        """
        return self._unusual.copy()

    @cached_property
    def _unusual(self) -> pd.DataFrame:
        network = self.population_network
        if network is None:
            return frames.data_frame(columns=["level", "probability", "surprise", "likeliest", "p"])
        table = unusual_values(network, self.patient)
        if any(wording.why_untested(self, link) == SUBJECTS for link in self.links if not link.asked):
            table["p"] = math.nan
        return table

    _arc_changes = cached_property(evidence.arc_changes)

    _families = cached_property(evidence.families)

    @property
    def foretold(self) -> str | None:
        """The level of the target that is most probable under the patient's network; None without a prediction."""
        table = self.prediction
        return None if table is None else str(table["instance"].idxmax())

    def evidence_of_target(self) -> tuple[list[str], list[str]]:
        """What the prediction is from: the target's parents with known values, and its other known neighbours.

        Returns
        -------
        names of known parents in the patient's network, and of the known rest of the target's Markov blanket there
        """
        if self.target is None:
            return [], []
        parents = [self.name(x) for x in self.choice(self.target).parents]
        near = evidence.blanket(set(self.instance.edges), self.target) - set(parents)
        return [x for x in self.patient if x in parents], [x for x in self.patient if x in near]

    @property
    def log_probability_of_observed(self) -> tuple[float, float] | None:
        """Natural log of what the patient's network and the population's gave the target's observed level.

        None without a prediction, or where the target was not observed.
        """
        table = self.prediction
        if table is None or self.observed_target is None:
            return None
        own, shared = (math.log(max(float(table.at[self.observed_target, column]), 1e-300)) for column in table.columns)
        return own, shared

    # -- how it is told ------------------------------------------------------------------------------------------------

    _own_figures = figures.figure_makers

    def short_title(self) -> str:
        """The patient, and what is predicted."""
        patient = "Patient by values" if self.table_row is None else f"Row {self.table_row + 1:,}"
        return patient if self.target is None else f"{patient}, {self.target}"

    headline = wording.headline

    sentences = wording.sentences

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
        return wording.sentence(self, self.choice(variable))

    notes = wording.notes

    def sections(self) -> list[Section]:
        """The answer, the networks, the evidence, how strong it is, and how it was computed."""
        prediction = [Section("prediction", f"Prediction of {self.target}", tables=("Prediction",))]
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section(
                "unusual",
                "Values that are unusual given the others",
                tables=("Unusual values", *(("Numbers",) if self.numbers else ())),
            ),
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
        rows = []
        for row in self.arc_changes.itertuples():
            about = f"{row.source} {'->' if row.directed else '--'} {row.target}"
            if not row.asked:
                rows.append(Claim(about, LinkWord.NOT_ASKED, CANNOT_TELL, n=row.like))
                continue
            link = self.link(row.source, row.target)
            p = math.nan if link is None or link.compared is None else link.compared.p
            if row.word in TOLD and row.word != LinkWord.NO_LONGER:
                difference = (row.difference, row.difference_low, row.difference_high)
                rows.append(Claim(about, LinkWord.DIFFERENTLY, YES, math.nan, math.nan, p, *difference, row.like))
                continue
            result = (row.log_bayes_factor, row.probability, p, row.effect, row.low, row.high)
            rows.append(Claim(about, "applies to the patient", row.verdict, *result, row.like))
        return frames.data_frame(rows, columns=list(CLAIMS))

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
                [(*vars(item).values(), item.extreme) for item in self.numbers],
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
        known = {**self.patient, **{item.name: item.value for item in self.numbers}}
        patient: Any = self.row if self.row is not None and data.is_of(self.fingerprint) else known
        if isinstance(patient, dict) and self.target is not None and self.observed_target is not None:
            patient[self.target] = self.observed_target
        result: Self = self.method.run(data, patient, target=self.target, progress=progress)
        return result

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
        check_that([choice.child for choice in self.network.choices] == list(range(n)), "a variable has no choice")
        for choice in self.network.choices:
            check_positions((*choice.population, *choice.parents, *choice.pool), n)
            check_shape(choice.cases, arity[choice.child])
        check_that(set(self.codes) == set(self.names), "the patient has values of other variables")
        codes = np.array([[self.codes[name]] for name in population.names])
        check_codes(codes, arity, UNKNOWN)
        check_that({item.name for item in self.numbers} <= set(self.names), "a number is of no variable")
        check_that(self.regressed is None or self.target is not None, "a regression has no target")
        check_that(self.target is None or self.target in self.names, "the target is no variable")
        check_that(len(self.counted) == n, "a variable has no counts")
        for x, family in enumerate(self.counted):
            check_positions(family.parents, n)
            check_that(family.possible >= 1, "a family has no configurations")
            check_shape(family.configurations, None, len(family.parents))
            check_shape(family.counts, len(family.configurations), arity[x])
        check_that(self.population_tables is None or len(self.population_tables) == n, "a variable has no table")
        for x, table in enumerate(self.population_tables or ()):
            check_shape(table, math.prod(arity[y] for y in population.parents[x]), arity[x])
        check_shape(self.ratio, n)

    settings = wording.settings

    document = wording.document
