"""What one patient's network is: every number the screen shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DataError
from engine.methods.instance_specific import evidence
from engine.methods.instance_specific import tell as words
from engine.methods.instance_specific.predict import HeldOut
from engine.methods.instance_specific.published import PARTS, ratio_part
from engine.scores.instance import UNKNOWN

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.graphs.pdag import Pdag
    from engine.methods.instance_specific.order_kept import NodeChoice
    from engine.methods.instance_specific.population import Population
    from engine.methods.instance_specific.settings import InstanceSpecific
    from engine.scores.instance import PopulationFamily

STATUS = {"same": "kept", "only_a": "dropped", "only_b": "added", "reversed": "reversed"}
"""What `engine.graphs.compare` says of population and patient -> what this method calls it."""


@dataclass(frozen=True, eq=False)
class Network:
    """A patient's network by position: the choice of every variable, a DAG, and in published mode its CPDAG."""

    choices: tuple[NodeChoice, ...]
    parents: tuple[tuple[int, ...], ...]
    cpdag: Pdag | None


@dataclass(frozen=True, eq=False)
class InstanceSpecificResult:
    """The answer to "which links hold for this one patient?"

    Attributes
    ----------
    method : the settings
    names, levels : the variables in column order, and their levels
    row : her row number, or None where her values were given
    target, observed_target : the variable whose value was blanked, and that value where it was known
    n_rows : rows that learned and scored
    fingerprint : of the data set
    held_out : natural-log probability of her known values under both networks, her own row left out of the counts
    """

    method: InstanceSpecific
    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    row: int | None
    target: str | None
    observed_target: str | None
    n_rows: int
    fingerprint: str
    held_out: HeldOut
    network_of_all: Population
    network: Network
    counted: tuple[PopulationFamily, ...]
    codes: Mapping[str, int]
    ratio: np.ndarray
    predicted: np.ndarray | None
    unseen: tuple[str, ...]

    @property
    def patient(self) -> dict[str, str]:
        """Her known values, name -> level, in column order."""
        return {name: self.levels[name][self.codes[name]] for name in self.names if self.codes[name] != UNKNOWN}

    # -- networks -----------------------------------------------------------------------------------------------------

    @property
    def population_dag(self) -> nx.DiGraph:
        """One DAG of the population's equivalence class, the one whose order is kept."""
        return self._graph(self.network_of_all.parents)

    @property
    def population_cpdag(self) -> nx.DiGraph:
        """The population's equivalence class: an arc one way, an edge without a direction both ways."""
        return self._cpdag(self.network_of_all.cpdag)

    @property
    def population(self) -> nx.DiGraph:
        """What the patient's network is compared with: the DAG, or the CPDAG in published mode."""
        return self.population_dag if self.network.cpdag is None else self.population_cpdag

    @property
    def instance(self) -> nx.DiGraph:
        """The patient's network: a DAG, or a CPDAG in published mode."""
        if self.network.cpdag is None:
            return self._graph(self.network.parents)
        return self._cpdag(self.network.cpdag)

    @property
    def arc_changes(self) -> pd.DataFrame:
        """One row an edge of either network: source, target, status and its evidence.

        `status` is "kept", "dropped", "added" or "reversed"; `directed`: the edge has a direction; `compelled`: all
        equivalent population DAGs agree on it; `known`: her value of the source is; `probability` that the link applies
        to her (exact sum over parent sets; NaN in published mode); `context` in words, `cases` the rows that share it;
        `score_gain`, `kappa_cost` and `net` (natural log) are those of the whole family of the arc's head.
        """
        return self._arc_changes.copy()

    def graphs(self) -> dict[str, nx.DiGraph]:
        """{"population": network, "patient": network}; arcs carry `status` and `probability`."""
        found = {"population": self.population, "patient": self.instance}
        for row in self._arc_changes.itertuples():
            for graph in found.values():
                for arc in ((row.source, row.target), (row.target, row.source)):
                    if graph.has_edge(*arc):
                        graph.edges[arc].update(status=row.status, probability=row.probability)
        return found

    # -- one variable -------------------------------------------------------------------------------------------------

    def families(self) -> pd.DataFrame:
        """By variable: parents in both networks, her context, similar cases of `rows`, score gain, kappa cost, net.

        Without a target a patient who is a row is one of her own cases (`similar_rows` lists the others).
        `changed`: her parents are not the population's; `few_cases`: under 30 rows share her context; `probability` of
        her parent set among all that were weighed (NaN in published mode). Natural log.
        """
        return self._families.copy()

    def alternatives(self, variable: str) -> pd.DataFrame:
        """The parent sets that were weighed for one variable, best first.

        Columns: parents, dropped, added (tuples of names), context, cases, score_gain, kappa_cost, net, probability.
        """
        return evidence.alternatives(self, self.choice(variable))

    def distributions(self, variable: str) -> pd.DataFrame:
        """The variable among the cases like her, then in the population rows that these replace, long form.

        Columns: who, rows, level, count, share (posterior mean), low and high (central 95 % interval).
        """
        return evidence.distributions(self, self.choice(variable))

    def similar_rows(self, data: Dataset, variable: str) -> np.ndarray:
        """Row numbers of `data` that agree with her on what the variable depends on for her; her own row left out.

        Raises
        ------
        DataError : other data than those of this result
        """
        self._check_data(data)
        agree = np.ones(data.n_rows, dtype=bool)
        for x in self.choice(variable).parents:
            name = self.name(x)
            if self.codes[name] != UNKNOWN:
                agree &= data.column(name) == self.codes[name]
        if self.row is not None:
            agree[self.row] = False
        return np.flatnonzero(agree)

    def sentence(self, variable: str) -> str:
        """What changes for her at one variable, in words."""
        return words.sentence(self, self.choice(variable))

    # -- strength -----------------------------------------------------------------------------------------------------

    @property
    def log_likelihood_ratio(self) -> float:
        """Natural log of how much better her network explains the rows; equation 14 in published mode.

        In order-kept mode both are proper models of the same rows. In published mode a turned arc makes the rows count
        twice; see `log_ratio_parts`.
        """
        return float(self.log_ratio_terms.sum())

    @property
    def log_ratio_terms(self) -> pd.Series:
        """The ratio by variable, in column order; it is their sum."""
        import pandas as pd

        terms = dict(zip(self.network_of_all.names, self.ratio.tolist(), strict=True))
        return pd.Series([terms[name] for name in self.names], index=pd.Index(self.names, name="variable"))

    def log_ratio_parts(self) -> pd.Series:
        """The ratio by where it comes from: variables with a reversed arc, those with an edge that has no direction in
        the population, those that dropped arcs, those that gained some."""
        import pandas as pd

        parts = dict.fromkeys(PARTS, 0.0)
        for child, term in enumerate(self.ratio.tolist()):
            if self.network.cpdag is None:
                added = set(self.network.parents[child]) - set(self.network_of_all.parents[child])
                parts[PARTS[3] if added else PARTS[2]] += term
            elif term:
                parts[ratio_part(child, self.network.parents, self.network_of_all)] += term
        return pd.Series(parts)

    def log_probability(self, data: Dataset, cases: Dataset) -> np.ndarray:
        """(n,) natural-log probability of whole cases (a table of the same variables and levels) under her network.

        A case that shares a context with her takes the distribution of her similar cases, any other the population's.

        Raises
        ------
        DataError : `data` are not those of this result, or `cases` have other variables or levels
        """
        from engine.methods.instance_specific.learn import solver_of
        from engine.methods.instance_specific.predict import log_probabilities

        self._check_data(data)
        if set(cases.names) != set(self.names) or any(cases.levels[name] != self.levels[name] for name in self.names):
            raise DataError("The cases must have the variables and levels of the table this network was learned from.")
        tables = solver_of(self.method, self.network_of_all, data).tables
        values = np.array([self.codes[name] for name in self.network_of_all.names])
        codes = cases.select(self.network_of_all.names).codes
        return log_probabilities(tables, self.network.choices, values, codes)

    @property
    def prediction(self) -> pd.DataFrame | None:
        """Level of the target -> probability under her network and the population's, given all her other known values.

        None without a target, or where too many unknown values hang together.
        """
        import pandas as pd

        if self.target is None or self.predicted is None:
            return None
        index = pd.Index(self.levels[self.target], name=self.target)
        return pd.DataFrame({"instance": self.predicted[0], "population": self.predicted[1]}, index=index)

    # -- words --------------------------------------------------------------------------------------------------------

    def headline(self) -> str:
        """The one-sentence answer: "For this patient, 2 of 38 links do not apply."""
        return words.headline(self)

    def notes(self) -> list[str]:
        """What a reader must know of this patient: unknown values, levels never seen, thin evidence."""
        return words.notes(self)

    def summary(self) -> str:
        """The answer in plain sentences."""
        return words.summary(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """{title: table}, each as `table(title)` gives it."""
        return {title: self.table(title) for title in words.TABLES if title != "Prediction" or self.target}

    def table(self, title: str) -> pd.DataFrame:
        """ "Links", "Families", "Distributions", "Strength", "Prediction", "Patient" or "Settings"."""
        return words.table(self, title)

    def to_json(self) -> str:
        """Everything, versioned: settings, patient, both networks, every choice with its evidence."""
        return words.to_json(self)

    # -- inside -------------------------------------------------------------------------------------------------------

    def name(self, position: int) -> str:
        """The variable at a position of the population network."""
        return self.network_of_all.names[position]

    def in_order(self, positions: Iterable[int]) -> tuple[str, ...]:
        """Names of some positions, in column order."""
        chosen = {self.name(x) for x in positions}
        return tuple(name for name in self.names if name in chosen)

    def _check_data(self, data: Dataset) -> None:
        if data.fingerprint != self.fingerprint:
            raise DataError("These are not the data of this result; ask with the data it was made from.")

    def choice(self, variable: str) -> NodeChoice:
        """What one variable chose; `DataError` where there is no such variable."""
        if variable not in self.names:
            raise DataError(f"There is no variable {variable!r} in this network.")
        return self.network.choices[self.network_of_all.names.index(variable)]

    def _graph(self, parents: tuple[tuple[int, ...], ...]) -> nx.DiGraph:
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from(self.names)
        for name in self.names:
            child = self.network_of_all.names.index(name)
            graph.add_edges_from((source, name) for source in self.in_order(parents[child]))
        return graph

    def _cpdag(self, pdag: Pdag) -> nx.DiGraph:
        from engine.graphs.pdag import to_networkx

        drawn = to_networkx(pdag, self.network_of_all.names)
        graph = self._graph(((),) * len(self.names))
        graph.add_edges_from((a, b) for a in self.names for b in self.names if drawn.has_edge(a, b))
        return graph

    @cached_property
    def _arc_changes(self) -> pd.DataFrame:
        return evidence.arc_changes(self)

    @cached_property
    def _families(self) -> pd.DataFrame:
        return evidence.families(self)

    def settings(self) -> dict[str, Any]:
        """The settings by name, the seed left out."""
        from dataclasses import asdict

        return {name: value for name, value in asdict(self.method).items() if name != "seed"}
