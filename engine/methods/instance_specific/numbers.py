"""What one patient's network shows in numbers: links, families, strength, predictions."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from engine.data.dataset import same_data
from engine.errors import DataError
from engine.methods.instance_specific import evidence
from engine.methods.instance_specific.answer import InstanceAnswer
from engine.methods.instance_specific.predict import log_probabilities
from engine.methods.instance_specific.published import PARTS, ratio_part
from engine.methods.instance_specific.solver import solver_of
from engine.methods.instance_specific.verdicts.support import LinkSupport
from engine.scores.instance import UNKNOWN

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.data.dataset import Dataset


@dataclass(frozen=True, eq=False, repr=False)
class InstanceNumbers(InstanceAnswer):
    """The answer with everything that follows from its fields."""

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
        """The two networks; arcs carry `status` and `probability`.

        Returns
        -------
        {"population": network, "patient": network}
        """
        found = {"population": self.population, "patient": self.instance}
        for row in self._arc_changes.itertuples():
            for graph in found.values():
                for arc in ((row.source, row.target), (row.target, row.source)):
                    if graph.has_edge(*arc):
                        graph.edges[arc].update(status=row.status, probability=row.probability)
        return found

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

        Returns
        -------
        pandas.DataFrame by variable
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
            clusters = data.clusters
            agree[self.row if clusters is None else clusters == clusters[self.row]] = False
        return np.flatnonzero(agree)

    def relinked(self) -> list[str]:
        """Variables into which some edge differs from the population's, the strongest change first.

        Not simply those whose parents differ: the published score counts an edge without a direction as a parent added.

        Returns
        -------
        names, by the net evidence of their families, falling
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
        import pandas as pd

        terms = dict(zip(self.network_of_all.names, self.ratio.tolist(), strict=True))
        return pd.Series([terms[name] for name in self.names], index=pd.Index(self.names, name="variable"))

    def log_ratio_parts(self) -> pd.Series:
        """The ratio by where it comes from: variables with a reversed arc, those with an edge that has no direction in
        the population, those that dropped arcs, those that gained some.

        Returns
        -------
        pandas.Series of four natural logs; their sum is `log_likelihood_ratio`
        """
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
        """Natural-log probability of whole cases under the patient's network.

        A case that shares a context takes the distribution of the similar cases, any other the population's.

        Parameters
        ----------
        data : the data of this result
        cases : a data set of the same variables and levels

        Returns
        -------
        (n,) natural logs, one a case

        Raises
        ------
        DataError : `data` are not those of this result, or `cases` have other variables or levels
        """
        same_data(data, self.fingerprint)
        if set(cases.names) != set(self.names) or any(cases.levels[name] != self.levels[name] for name in self.names):
            raise DataError("The cases must have the variables and levels of the table this network was learned from.")
        tables = solver_of(self.method, self.network_of_all, data).tables
        values = np.array([self.codes[name] for name in self.network_of_all.names])
        codes = cases.select(self.network_of_all.names).codes
        return log_probabilities(tables, self.network.choices, values, codes)

    @property
    def prediction(self) -> pd.DataFrame | None:
        """Level of the target -> probability under both networks, given all other known values of the patient.

        None without a target, or where too many unknown values hang together.
        """
        import pandas as pd

        if self.target is None or self.predicted is None:
            return None
        index = pd.Index(self.levels[self.target], name=self.target)
        return pd.DataFrame({"instance": self.predicted[0], "population": self.predicted[1]}, index=index)

    @cached_property
    def _arc_changes(self) -> pd.DataFrame:
        return evidence.arc_changes(self)

    @cached_property
    def _families(self) -> pd.DataFrame:
        return evidence.families(self)

    @property
    def foretold(self) -> str | None:
        """The level of the target that is most probable under the patient's network; None without a prediction."""
        table = self.prediction
        return None if table is None else str(table["instance"].idxmax())

    @property
    def log_probability_of_observed(self) -> tuple[float, float] | None:
        """Natural log of what the patient's network and the population's gave the target's observed level.

        None without a prediction, or where the target was not observed.
        """
        table = self.prediction
        if table is None or self.observed_target is None:
            return None
        own, shared = (math.log(max(float(table.at[self.observed_target, one]), 1e-300)) for one in table.columns)
        return own, shared
