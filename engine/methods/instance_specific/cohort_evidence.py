"""What the networks of many patients have in common, and how they differ, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from engine.errors import DataError, SettingsError
from engine.graphs.dag import to_networkx
from engine.graphs.pdag import to_networkx as pdag_to_networkx
from engine.measures.intervals import share_interval
from engine.methods.instance_specific.cohort_contexts import ADDED, DROPPED, KEPT, REVERSED, blanket, contexts
from engine.methods.instance_specific.population import Population
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.instance_specific.verdicts.null import WithoutContext
from engine.methods.result import Made

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.data.dataset import Dataset

MOST_CLUSTERED = 2000
"""Distinct patterns beyond this, the rarest, join the cluster of the common pattern they are nearest to."""


@dataclass(frozen=True, eq=False, repr=False)
class CohortEvidence:
    """The networks of many patients beside one population network.

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
    without_context : what tables without interaction tell, once that was worked out (see `with_chance`)
    least_p : the smallest corrected p of everything that can be asked of the table
    ratios, held_out_gains : (patients,) natural log
    made : what it was computed from and with
    n_clusters : how many clusters there are at most
    """

    method: InstanceSpecificSettings
    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    patients: tuple[int | str, ...]
    n_rows: int
    fingerprint: str
    network_of_all: Population
    values: np.ndarray
    arcs: tuple[tuple[str, str], ...]
    status: np.ndarray
    probabilities: np.ndarray
    ratios: np.ndarray
    held_out_gains: np.ndarray
    made: Made
    told: np.ndarray
    n_clusters: int = 5
    without_context: WithoutContext | None = None
    least_p: float = 1.0

    @property
    def population(self) -> nx.DiGraph:
        """The population's DAG, or its CPDAG in published mode."""
        import networkx as nx

        held = self.network_of_all
        if self.method.mode == "order_kept":
            drawn = to_networkx(held.parents, held.names)
        else:
            drawn = pdag_to_networkx(held.cpdag, held.names)
        graph = nx.DiGraph()
        graph.add_nodes_from(self.names)
        graph.add_edges_from((a, b) for a in self.names for b in self.names if drawn.has_edge(a, b))
        return graph

    # -- arcs ---------------------------------------------------------------------------------------------------------

    @property
    def arc_frequencies(self) -> pd.DataFrame:
        """One row an arc of any network: source, target, in_population, and the share of patients for whom it is kept,
        dropped, added, reversed, and for whom it is sure to be different (`told`); `low` and `high` are the central
        95 % interval of the share that has it, and `mean_probability` is `probabilities`."""
        import pandas as pd

        n = len(self.patients)
        has = np.isin(self.status, (KEPT, ADDED, REVERSED)).sum(axis=0)
        low, high = share_interval(has, n)
        population = self.population
        frame = pd.DataFrame(
            {
                "source": [a for a, _ in self.arcs],
                "target": [b for _, b in self.arcs],
                "in_population": [population.has_edge(a, b) for a, b in self.arcs],
                "share": has / n,
                "low": low,
                "high": high,
            }
        )
        for word, code in (("kept", KEPT), ("dropped", DROPPED), ("added", ADDED), ("reversed", REVERSED)):
            frame[word] = (self.status == code).mean(axis=0)
        frame["told"] = self.told.mean(axis=0)
        frame["mean_probability"] = self.probabilities if self.method.mode == "order_kept" else np.nan
        return frame

    def arc_matrix(self) -> pd.DataFrame:
        """What every arc of any network is to every patient."""
        import pandas as pd

        index = pd.Index(self.patients, name="patient")
        return pd.DataFrame(self.status, index=index, columns=[f"{a} → {b}" for a, b in self.arcs])

    # -- patients -----------------------------------------------------------------------------------------------------

    def by_patient(self) -> pd.DataFrame:
        """What is said of every patient."""
        import pandas as pd

        pattern, _, _ = self._patterns
        return pd.DataFrame(
            {
                "pattern": pattern + 1,
                "cluster": self._clusters[pattern] + 1,
                "added": (self.status == ADDED).sum(axis=1),
                "dropped": (self.status == DROPPED).sum(axis=1),
                "reversed": (self.status == REVERSED).sum(axis=1),
                "told": self.told.sum(axis=1),
                "log_likelihood_ratio": self.ratios,
                "held_out_gain": self.held_out_gains,
            },
            index=pd.Index(self.patients, name="patient"),
        )

    def change_counts(self) -> pd.DataFrame:
        """How many patients have each combination of added, dropped and reversed arcs."""
        counts = self.by_patient().groupby(["added", "dropped", "reversed"]).size()
        return counts.rename("patients").reset_index()

    # -- patterns and clusters ----------------------------------------------------------------------------------------

    def patterns(self) -> pd.DataFrame:
        """Equal networks grouped, commonest first."""
        import pandas as pd

        pattern, distinct, counts = self._patterns
        rows = [
            {
                "pattern": number + 1,
                "patients": int(counts[number]),
                "share": counts[number] / len(self.patients),
                "contexts": self._contexts(row, pattern == number),
                "added": int((row == ADDED).sum()),
                "dropped": int((row == DROPPED).sum()),
                "reversed": int((row == REVERSED).sum()),
                "cluster": int(self._clusters[number]) + 1,
            }
            for number, row in enumerate(distinct)
        ]
        return pd.DataFrame(rows)

    @property
    def n_patterns(self) -> int:
        """How many different networks there are."""
        return len(self._patterns[1])

    @property
    def clusters(self) -> pd.DataFrame:
        """Patients with like networks: cluster, name (by its commonest contexts), patients, share, patterns, means.

        The mean held-out gain is that of the patients who have one, NaN where none has.
        """
        import pandas as pd

        pattern, distinct, counts = self._patterns
        rows = []
        for cluster in range(int(self._clusters.max()) + 1):
            members = np.flatnonzero(self._clusters == cluster)
            commonest = members[0]
            inside = np.isin(pattern, members)
            gains = self.held_out_gains[inside & np.isfinite(self.held_out_gains)]
            rows.append(
                {
                    "cluster": cluster + 1,
                    "name": self._contexts(distinct[commonest], pattern == commonest),
                    "patients": int(counts[members].sum()),
                    "share": counts[members].sum() / len(self.patients),
                    "patterns": len(members),
                    "mean_log_ratio": float(self.ratios[inside].mean()),
                    "mean_held_out_gain": float(gains.mean()) if len(gains) else np.nan,
                }
            )
        return pd.DataFrame(rows)

    def with_clusters(self, number: int) -> Self:
        """The same patients in other clusters, at once."""
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise SettingsError(f"{number!r} clusters were asked for; it must be a whole number from 1 up.")
        changed = replace(self, n_clusters=number)
        changed.__dict__.update({k: self.__dict__[k] for k in ("_patterns", "_tree") if k in self.__dict__})
        return changed

    # -- a target -----------------------------------------------------------------------------------------------------

    def blanket(self, target: str) -> pd.DataFrame:
        """In how many networks each variable is in the target's Markov blanket (parents, children, the children's other
        parents; in published mode neighbours count as both).
        """
        import pandas as pd

        if target not in self.names:
            raise DataError(f"There is no variable {target!r} in this cohort.")
        _, distinct, counts = self._patterns
        share = dict.fromkeys(self.names, 0.0)
        for row, count in zip(distinct, counts, strict=True):
            for name in blanket(self._arcs_of(row), target):
                share[name] += count / len(self.patients)
        inside = blanket(set(self.population.edges), target)
        frame = pd.DataFrame(
            {"share": [share[x] for x in self.names], "in_population": [x in inside for x in self.names]},
            index=pd.Index(self.names, name="variable"),
        )
        return frame.drop(index=target).sort_values("share", ascending=False, kind="stable")

    def outcome(self, data: Dataset, target: str) -> pd.DataFrame:
        """How a target is distributed in every cluster."""
        import pandas as pd

        column = data.column(target)
        cluster = self.by_patient()["cluster"].to_numpy()
        rows = []
        for number in range(1, int(cluster.max()) + 1):
            inside = [
                row for row, c in zip(self.patients, cluster, strict=True) if c == number and isinstance(row, int)
            ]
            counts = np.bincount(column[inside], minlength=len(data.levels[target]))
            shares = counts / max(counts.sum(), 1)
            rows.append(
                {"cluster": number, "patients": len(inside), **dict(zip(data.levels[target], shares, strict=True))}
            )
        return pd.DataFrame(rows)

    # -- networks -----------------------------------------------------------------------------------------------------

    def graphs(self) -> dict[str, nx.DiGraph]:
        """The networks; a cluster shows the arcs that at least half of it has.

        Arcs carry `share`, the part of those patients that have them.
        """
        import networkx as nx

        pattern, _, _ = self._patterns
        cluster = self._clusters[pattern]
        groups = {"population": np.ones(len(self.patients), dtype=bool)}
        groups |= {f"cluster {c + 1}": cluster == c for c in range(int(self._clusters.max()) + 1)}
        found = {}
        for title, inside in groups.items():
            graph = nx.DiGraph()
            graph.add_nodes_from(self.names)
            share = np.isin(self.status[inside], (KEPT, ADDED, REVERSED)).mean(axis=0)
            wanted = set(self.population.edges) if title == "population" else None
            for (a, b), part in zip(self.arcs, share.tolist(), strict=True):
                if (a, b) in wanted if wanted is not None else part >= 0.5:
                    graph.add_edge(a, b, share=part)
            found[title] = graph
        return found

    # -- inside -------------------------------------------------------------------------------------------------------

    def _contexts(self, row: np.ndarray, inside: np.ndarray) -> str:
        """What sets one pattern apart, in words; `inside` (patients,) says who has it."""
        values = {name: self.values[inside, i] for i, name in enumerate(self.network_of_all.names)}
        return contexts(self.arcs, row, values, self.levels)

    def _arcs_of(self, row: np.ndarray) -> set[tuple[str, str]]:
        """The arcs of one pattern."""
        return {arc for arc, code in zip(self.arcs, row.tolist(), strict=True) if code in (KEPT, ADDED, REVERSED)}

    @cached_property
    def _patterns(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(patients,) pattern of each, (patterns, arcs) the distinct rows commonest first, and their counts."""
        by_name = sorted(range(len(self.arcs)), key=lambda i: self.arcs[i])  # so that columns may come in any order
        _, first, inverse, counts = np.unique(
            self.status[:, by_name], axis=0, return_index=True, return_inverse=True, return_counts=True
        )
        distinct = self.status[first]
        order = np.argsort(-counts, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return place[inverse.ravel()], distinct[order], counts[order]

    @cached_property
    def _tree(self) -> np.ndarray:
        """Average linkage of the distinct patterns by Hamming distance, the share of arcs that differ."""
        from scipy.cluster.hierarchy import linkage

        _, distinct, _ = self._patterns
        return np.asarray(linkage(distinct[:MOST_CLUSTERED].astype(float), method="average", metric="hamming"))

    @cached_property
    def _clusters(self) -> np.ndarray:
        """(patterns,) cluster of each, largest first."""
        from scipy.cluster.hierarchy import cut_tree

        _, distinct, counts = self._patterns
        if len(distinct) == 1 or self.n_clusters == 1 or not distinct.shape[1]:
            return np.zeros(len(distinct), dtype=np.int64)
        number = min(self.n_clusters, len(distinct[:MOST_CLUSTERED]))
        found = np.asarray(cut_tree(self._tree, n_clusters=number)).ravel()
        rest = [found[np.argmin((distinct[:MOST_CLUSTERED] != row).sum(axis=1))] for row in distinct[MOST_CLUSTERED:]]
        found = np.concatenate([found, np.array(rest, dtype=found.dtype)])
        sizes = np.bincount(found, weights=counts)
        place = np.empty(len(sizes), dtype=np.int64)
        place[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
        return np.asarray(place[found])
