"""The evidence on many patients: who shares which links, and which patients are alike."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from engine.data.dataset import Dataset, same_data
from engine.errors import DataError
from engine.lazy import nx, pd
from engine.measures.intervals import share_interval
from engine.methods import frames
from engine.methods.evidence import CANNOT_TELL, YES, Evidence
from engine.methods.fitting import check_codes, check_shape, check_that
from engine.methods.instance_specific.evidence import blanket
from engine.methods.instance_specific.links import Difference
from engine.methods.instance_specific.null import WithoutContext
from engine.methods.instance_specific.population import Population

ABSENT, DROPPED, KEPT, ADDED, REVERSED = -1, 0, 1, 2, 3
"""Codes of `CohortEvidence.arc_matrix`."""
CHANGES = {"added": ADDED, "dropped": DROPPED, "reversed": REVERSED}
MOST_CLUSTERED = 2000
"""Distinct patterns beyond this, the rarest, join the cluster of the common pattern they are nearest to."""


@dataclass(frozen=True, eq=False, repr=False)
class CohortEvidence(Evidence):
    """The networks of many patients beside one population network, in numbers.

    Attributes
    ----------
    method : the settings
    names, levels : the variables in column order, and their levels
    patients : row numbers, or "patient 1" ... for patients given by their values
    n_rows : rows that learned and scored
    arcs, status : the edges of any of the networks, and (patients, arcs) what each is to a patient
    probabilities : (arcs,) mean posterior of each, given that the population has it, over the patients for whom it was
        asked; NaN where for none, and in published mode
    told : (patients, arcs) whether it is carried that an edge is another for a patient
    without_context : what tables without interaction tell, once that was worked out (see `CohortResult.with_chance`)
    least_p : the smallest corrected p of everything that can be asked of the table
    ratios, held_out_gains : (patients,) natural log
    differences : the links that are sure to be different by context, those of the most patients first
    made : what it was computed from and with
    n_clusters : how many clusters there are at most
    numbers : name -> (patients,) the number behind each level, NaN where there is none
    units : name -> unit of its numbers, where it is known
    """

    levels: Mapping[str, tuple[str, ...]]
    patients: tuple[int | str, ...]
    n_rows: int
    network_of_all: Population
    values: np.ndarray
    arcs: tuple[tuple[str, str], ...]
    status: np.ndarray
    probabilities: np.ndarray
    ratios: np.ndarray
    held_out_gains: np.ndarray
    told: np.ndarray
    n_clusters: int = 5
    without_context: WithoutContext | None = None
    least_p: float = 1.0
    differences: tuple[Difference, ...] = ()
    numbers: Mapping[str, np.ndarray] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)

    @property
    def population(self) -> nx.DiGraph:
        """The population's DAG, or its CPDAG in published mode."""
        network = self.network_of_all
        return network.dag(self.names) if self.method.mode == "order_kept" else network.equivalence_class(self.names)

    # -- arcs ---------------------------------------------------------------------------------------------------------

    @property
    def arc_frequencies(self) -> pd.DataFrame:
        """One row an arc of any network: source, target, in_population, and the share of patients for whom it is kept,
        dropped, added, reversed, and for whom it is sure to be different (`told`); `low` and `high` are the central
        95 % interval of the share that has it, and `mean_probability` is `probabilities`."""
        n = len(self.patients)
        has = np.isin(self.status, (KEPT, ADDED, REVERSED)).sum(axis=0)
        low, high = share_interval(has, n)
        population = self.population
        frame = frames.data_frame(self.arcs, columns=["source", "target"])
        frame["in_population"] = [population.has_edge(a, b) for a, b in self.arcs]
        frame = frame.assign(share=has / n, low=low, high=high)
        for word, code in (("kept", KEPT), ("dropped", DROPPED), ("added", ADDED), ("reversed", REVERSED)):
            frame[word] = (self.status == code).mean(axis=0)
        frame["told"] = self.told.mean(axis=0)
        frame["mean_probability"] = self.probabilities if self.method.mode == "order_kept" else np.nan
        return frame

    def arc_matrix(self) -> pd.DataFrame:
        """Status of every arc of any network for every patient.

        Returns
        -------
        pandas.DataFrame, patients x arcs ("a → b"), int8: 1 kept, 0 dropped, 2 added, 3 reversed, -1 in neither network
        """
        columns = [f"{a} → {b}" for a, b in self.arcs]
        return frames.data_frame(self.status, columns, names=self.patients, of="patient")

    # -- patients -----------------------------------------------------------------------------------------------------

    def by_patient(self) -> pd.DataFrame:
        """Table of what is said of every patient.

        Returns
        -------
        pandas.DataFrame by patient: pattern (1 is the commonest), cluster, arcs added, dropped and reversed,
        log-likelihood ratio, and how much better the patient's network foretells the held-out values (natural log)
        """
        pattern, _, _ = self.patterns_of_patients
        return frames.data_frame(
            {
                "pattern": pattern + 1,
                "cluster": self.cluster_numbers[pattern] + 1,
                **{word: (self.status == code).sum(axis=1) for word, code in CHANGES.items()},
                "told": self.told.sum(axis=1),
                "log_likelihood_ratio": self.ratios,
                "held_out_gain": self.held_out_gains,
            },
            names=self.patients,
            of="patient",
        )

    def change_counts(self) -> pd.DataFrame:
        """Number of patients with each combination of added, dropped and reversed arcs.

        Returns
        -------
        pandas.DataFrame: added, dropped, reversed, patients
        """
        counts = self.by_patient().groupby(list(CHANGES)).size()
        return counts.rename("patients").reset_index()

    @property
    def n_patterns(self) -> int:
        """Number of different networks."""
        return len(self.patterns_of_patients[1])

    # -- a target -----------------------------------------------------------------------------------------------------

    def blanket(self, target: str) -> pd.DataFrame:
        """In how many networks each variable is in the target's Markov blanket (parents, children, the children's other
        parents; in published mode neighbours count as both).

        Parameters
        ----------
        target : name of a variable

        Returns
        -------
        pandas.DataFrame by variable, commonest first: share of patients, and whether it is so in the population

        Raises
        ------
        DataError : there is no such variable
        """
        if target not in self.names:
            raise DataError(f"There is no variable {target!r} in this cohort.")
        _, distinct, counts = self.patterns_of_patients
        share = dict.fromkeys(self.names, 0.0)
        for row, count in zip(distinct, counts, strict=True):
            for name in blanket(self._arcs_of(row), target):
                share[name] += count / len(self.patients)
        inside = blanket(set(self.population.edges), target)
        frame = frames.data_frame(
            {"share": [share[x] for x in self.names], "in_population": [x in inside for x in self.names]},
            names=self.names,
        )
        return frame.drop(index=target).sort_values("share", ascending=False, kind="stable")

    def outcome(self, data: Dataset, target: str) -> pd.DataFrame:
        """Distribution of a target in every cluster.

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
        same_data(data, self.fingerprint)
        place, levels = data.index(target), data.levels[target]
        cluster = self.by_patient()["cluster"]
        rows = []
        for number, members in cluster.groupby(cluster):
            inside = [row for row in members.index if not isinstance(row, str)]
            column = data.store.some(np.array(inside, dtype=np.int64))[place]
            counts = np.bincount(column, minlength=len(levels))
            shares = dict(zip(levels, counts / max(counts.sum(), 1), strict=True))
            rows.append({"cluster": number, "patients": len(inside), **shares})
        return frames.data_frame(rows)

    # -- networks -----------------------------------------------------------------------------------------------------

    def graphs(self) -> dict[str, nx.DiGraph]:
        """The networks; a cluster shows the arcs that at least half of it has.

        Arcs carry `share`, the part of those patients that have them; a link runs both ways where no row tells which.
        """
        known = self.network_of_all.equivalence_class(self.names)
        pattern, _, _ = self.patterns_of_patients
        cluster = self.cluster_numbers[pattern]
        groups = {"population": np.ones(len(self.patients), dtype=bool)}
        groups |= {f"cluster {c + 1}": cluster == c for c in range(int(self.cluster_numbers.max()) + 1)}
        result = {}
        for title, inside in groups.items():
            graph = nx.empty_graph(self.names, nx.DiGraph)
            share = np.isin(self.status[inside], (KEPT, ADDED, REVERSED)).mean(axis=0)
            wanted = set(self.population.edges) if title == "population" else None
            for (a, b), part in zip(self.arcs, share.tolist(), strict=True):
                if (a, b) in wanted if wanted is not None else part >= 0.5:
                    graph.add_edge(a, b, share=part)
                    if self.method.mode == "order_kept" and (known.has_edge(b, a) or not known.has_edge(a, b)):
                        graph.add_edge(b, a, share=part)
            result[title] = graph
        return result

    def _arcs_of(self, row: np.ndarray) -> set[tuple[str, str]]:
        """The arcs of one pattern."""
        return {arc for arc, code in zip(self.arcs, row.tolist(), strict=True) if code in (KEPT, ADDED, REVERSED)}

    @cached_property
    def patterns_of_patients(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(patients,) pattern of each, (patterns, arcs) the distinct rows commonest first, and their counts."""
        by_name = sorted(range(len(self.arcs)), key=lambda i: self.arcs[i])  # so that columns may come in any order
        _, first, inverse, counts = np.unique(
            self.status[:, by_name], axis=0, return_index=True, return_inverse=True, return_counts=True
        )
        distinct = self.status[first]
        order = np.argsort(-counts, kind="stable")
        return np.argsort(order)[inverse.ravel()], distinct[order], counts[order]

    @cached_property
    def _tree(self) -> np.ndarray:
        """Average linkage of the distinct patterns by Hamming distance, the share of arcs that differ."""
        from scipy.cluster.hierarchy import linkage

        _, distinct, _ = self.patterns_of_patients
        return np.asarray(linkage(distinct[:MOST_CLUSTERED].astype(float), method="average", metric="hamming"))

    @cached_property
    def cluster_numbers(self) -> np.ndarray:
        """(patterns,) cluster of each, largest first."""
        from scipy.cluster.hierarchy import cut_tree

        _, distinct, counts = self.patterns_of_patients
        if len(distinct) == 1 or self.n_clusters == 1 or not distinct.shape[1]:
            return np.zeros(len(distinct), dtype=np.int64)
        number = min(self.n_clusters, len(distinct[:MOST_CLUSTERED]))
        result = np.asarray(cut_tree(self._tree, n_clusters=number)).ravel()
        rest = [result[np.argmin((distinct[:MOST_CLUSTERED] != row).sum(axis=1))] for row in distinct[MOST_CLUSTERED:]]
        result = np.concatenate([result, np.array(rest, dtype=result.dtype)])
        sizes = np.bincount(result, weights=counts)
        return np.asarray(np.argsort(np.argsort(-sizes, kind="stable"))[result])

    def claims(self) -> pd.DataFrame:
        """One row an edge: whether it is sure to be another for some patients; the effect is the share of these."""
        n, table = len(self.patients), self.arc_frequencies
        low, high = share_interval(np.round(table["told"].to_numpy() * n), n)
        rows = {
            "about": table["source"] + " -> " + table["target"],
            "kind": "another link for some patients",
            "verdict": [YES if share else CANNOT_TELL for share in table["told"]],
            **dict.fromkeys(("log_bayes_factor", "probability", "chance"), math.nan),
            "effect": table["told"],
            "low": low,
            "high": high,
            "n": n,
        }
        return frames.data_frame(rows)

    def variables(self) -> pd.DataFrame:
        """One row a variable: the share of patients for whom a link into it differs from the population's."""
        differs = np.isin(self.status, list(CHANGES.values()))
        into = {name: [i for i, (_, child) in enumerate(self.arcs) if child == name] for name in self.names}
        share = [float(differs[:, into[name]].any(axis=1).mean()) if into[name] else 0.0 for name in self.names]
        return frames.data_frame({"share_changed": share}, names=self.names)

    def _edge_facts(self, about: Mapping[str, Any]) -> tuple[str, float, float, str]:
        """The strength is the share of the patients that have the edge."""
        return "shared", float(about["share"]), math.nan, ""

    @property
    def arcs_by_change(self) -> pd.DataFrame:
        """`arc_frequencies`, the arcs that change for most patients first."""
        table = self.arc_frequencies
        changed = table[["dropped", "added", "reversed"]].sum(axis=1)
        return table.loc[changed.sort_values(ascending=False, kind="stable").index]

    def _check_read(self) -> None:
        super()._check_read()
        population, n = self.network_of_all, len(self.patients)
        check_that(sorted(population.names) == sorted(self.names), "its networks stand over other variables")
        check_that(n and len(set(self.patients)) == n and self.n_clusters > 0, "two of its patients have one name")
        check_that(all(a != b and {a, b} <= set(self.names) for a, b in self.arcs), "an arc leads to no variable")
        for array in (self.status, self.told):
            check_shape(array, n, len(self.arcs))
        check_shape(self.probabilities, len(self.arcs))
        check_shape(self.values, n, len(self.names))
        check_codes(self.values.T, [len(self.levels[name]) for name in population.names], -1)
        check_that(set(self.numbers) <= set(self.names), "a number is of no variable")
        for array in (self.ratios, self.held_out_gains, *self.numbers.values()):
            check_shape(array, n)
