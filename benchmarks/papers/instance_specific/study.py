"""The simulation of Jabbari, Visweswaran & Cooper (2018), tables 1 and 2, with the printed figures beside ours.

Random networks with context-specific independence (`engine.simulation.networks`), a training table from each, and
test patients drawn apart from it. GES learns the population network once a network. Then, for each patient, both
modes of `InstanceSpecific` look for the patient's own. The truth is the CPDAG of the true network without the arcs that
the contexts switch off; what is found is compared as a CPDAG too, an order-kept DAG as the CPDAG of that DAG.

As in the authors' figures: an adjacency is "IS" where either end is in context, an arrowhead where its head is.
Precision counts 0 where nothing was found, recall is left out where nothing is there. Precision and recall are
averaged over the patients of a network; F is made of these two averages; mean and standard deviation are over
networks. Settings that the paper does not print: equivalent sample size 1, structure prior 1.

The paper's GES is Tetrad's FGES, which takes a shortcut (pairs of variables that are independent alone are never
joined first). Ours does not, and finds more of the true edges; GES with the shortcut stands beside it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from benchmarks.papers.blocks import HERE, Outcome, Running, run_blocks, table_of, total
from benchmarks.papers.instance_specific import tables as told
from benchmarks.papers.instance_specific.plan import GES, KAPPAS, KEYS, MODES, SHORTCUT, Plan
from benchmarks.papers.instance_specific.printed import CLASSES, RATIO
from benchmarks.papers.results import FIGURES, TARGETS
from benchmarks.papers.study import Study
from engine.graphs import dag, pdag
from engine.measures.structure import adjacencies, arrowheads, difference
from engine.methods.instance_specific.method import InstanceSpecific
from engine.scores.dirichlet import BDeu
from engine.search.learn import learn
from engine.simulation.networks import random_context_network

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.population import Population
    from engine.simulation.networks import ContextNetwork


@dataclass(frozen=True, eq=False)
class InstanceSpecificStudy(Study):
    """What came out.

    Attributes
    ----------
    plan : what was asked for
    rows : one row for each network, patient and search: arcs, network, patient, search, kappa, and every measure
    seconds : {"networks": CPU time of all together, simulating and measuring included}
    """

    slug = "instance_specific"
    paper = "Jabbari, Visweswaran & Cooper 2018, Tables 1 and 2"
    title = "Networks of one patient"
    asked = "Some arcs do not hold for some patients; does a search for one patient see that?"
    reading = (
        "The paper's GES takes a shortcut, ours with and without it stand beside the same figures; so do both of our "
        "searches for a patient. A printed row that both of our GES are held to counts once."
    )
    quick: ClassVar = {"instances": 20}
    full: ClassVar = {"instances": 500}
    keys: ClassVar = KEYS
    by = "search"
    along = "kappa"

    plan: Plan

    _done = staticmethod(told.done)
    heading = told.heading
    tables = told.tables
    compared = told.compared
    runs = told.runs
    verdicts = told.verdicts

    def by_network(self) -> pd.DataFrame:
        """One row for each arcs, search, kappa and network: means over its patients, and F made of them."""
        return told.by_network(self.rows)

    @classmethod
    def source_of(cls, what: str, band: str) -> str:
        """Rows of the paper's tables; how order-kept mode must do was asked by us."""
        return FIGURES if "row of Table" in what else TARGETS

    @classmethod
    def run(
        cls,
        networks: int = 10,
        instances: int = 20,
        rows: int = 1000,
        variables: int = 50,
        arcs: Iterable[int] = (50, 100),
        kappas: Iterable[float] = KAPPAS,
        seed: int = 0,
        *,
        running: Running = HERE,
    ) -> InstanceSpecificStudy:
        """Run the study.

        Parameters
        ----------
        networks, instances : networks for each number of arcs, and test patients for each network
        rows : of a training table
        variables, arcs : of a network
        kappas : priors for a change, each tried in both modes

        Raises
        ------
        SettingsError : a number that cannot be
        Cancelled : out of the progress of `running`
        """
        plan = Plan(networks, instances, rows, variables, tuple(arcs), tuple(kappas), seed)
        blocks = [(many, network) for many in plan.arcs for network in range(networks)]
        found = run_blocks(partial(_one_network, plan), blocks, plan, running, words="networks")
        return cls(plan, table_of(found), total(found))


@dataclass(frozen=True)
class _Found:
    """A network found for a patient, as a CPDAG, and what the search says of its strength."""

    search: str
    kappa: float
    graph: nx.DiGraph
    ratio: float = math.nan
    held_out_gain: float = math.nan


def _one_network(plan: Plan, block: tuple[int, int]) -> Outcome:
    """All rows of one (number of arcs, network), and the CPU seconds they took."""
    start = time.process_time()
    arcs, number = block
    seeds = np.random.SeedSequence(plan.seed, spawn_key=(plan.variables, arcs, number)).spawn(3)
    for_network, for_rows, for_patients = (np.random.default_rng(seed) for seed in seeds)
    network = random_context_network(plan.variables, arcs, for_network)
    data = network.sample(plan.rows, for_rows)
    patients = network.sample(plan.instances, for_patients)
    population = InstanceSpecific(search="ges").learn_population(data)
    shortcut = learn(data, BDeu(1.0), search="ges", structure_prior=1.0, fast=True)
    same_for_all = [
        _Found(GES, math.nan, pdag.to_networkx(population.cpdag, population.names)),
        _Found(SHORTCUT, math.nan, shortcut),
    ]
    rows = []
    for patient, codes in enumerate(patients.codes.T.astype(np.int64)):
        for found in (*same_for_all, *_searches(plan, data, population, codes)):
            key = {"arcs": arcs, "network": number, "patient": patient, "search": found.search, "kappa": found.kappa}
            rows.append({**key, **_measures(network, codes, found)})
    return rows, {"networks": time.process_time() - start}


def _searches(plan: Plan, data: Dataset, population: Population, codes: np.ndarray) -> Iterator[_Found]:
    """Both modes with every kappa, for one patient, (p,) codes of all variables."""
    values = {name: data.levels[name][code] for name, code in zip(data.names, codes, strict=True)}
    for mode in MODES:
        for kappa in plan.kappas:
            result = InstanceSpecific(mode=mode, search="ges", kappa=kappa).run(data, values, population=population)
            graph = pdag.cpdag(result.instance) if mode == "order_kept" else result.instance
            yield _Found(mode, kappa, graph, result.log_likelihood_ratio, result.held_out.gain)


def _measures(network: ContextNetwork, codes: np.ndarray, found: _Found) -> dict[str, float]:
    """Every measure of one network found, against the truth for this patient."""
    truth = pdag.cpdag(dag.to_networkx(network.instance_dag(codes), network.names))
    in_context = [network.names[variable] for variable in network.nodes_in_context(codes)]
    edges = difference(found.graph, truth)
    row: dict[str, float] = {"in context": len(in_context) / len(network.names)}
    for kind, compare in (("adjacency", adjacencies), ("arrowhead", arrowheads)):
        for where, agreement in zip(CLASSES, compare(found.graph, truth, in_context), strict=True):
            row[f"{kind} P {where}"], row[f"{kind} R {where}"] = agreement.precision, agreement.recall
    row |= {"added": edges.added, "deleted": edges.deleted, "reversed": edges.reversed, "distance": edges.total}
    return row | {RATIO: found.ratio, "held-out gain": found.held_out_gain}


STUDY = InstanceSpecificStudy
