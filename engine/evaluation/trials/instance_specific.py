"""Patients for whom some links of a network are switched off: does the method tell which?"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.evaluation.trials.outcome import (
    LEVEL_CHOICES,
    NOT_ASKED,
    SEED,
    Items,
    Outcome,
    Picture,
    Score,
    Trial,
    Words,
    link_names,
)
from engine.execution import Progress, part
from engine.lazy import nx
from engine.methods.evidence import CANNOT_TELL, NO, YES
from engine.methods.instance_specific.method import InstanceSpecific
from engine.methods.instance_specific.population import Population
from engine.methods.instance_specific.result import InstanceSpecificResult
from engine.methods.setting import check_settings, setting
from engine.scores.dirichlet import BDeu
from engine.simulation.associations import LEVELS
from engine.simulation.networks import ContextNetwork, near_deterministic_table, random_context_network
from engine.telling.terms import SHOWN
from engine.words import count

APPLIES, DIFFERENTLY = "applies to the patient", "matters differently"
"""Kinds of claims about a link that was asked about."""
MOST_PICTURES = 20
MOST_ARCS = 3
"""Links for each variable: with more a table of probabilities outgrows memory."""
Arc = tuple[str, str]


@dataclass(frozen=True)
class InstanceTrial(Trial):
    """A network in which contexts switch links off (Jabbari et al. 2018); items are the links of every test patient.

    A link counts where the true network has it and the population search found it with its direction: of others the
    method is never asked. It is a case where the patient is in a context in which it is switched off.
    """

    variables: int = setting(20, label="Variables", help="Of the network.", minimum=3, maximum=50, place="first")
    arcs: int = setting(30, label="Links", help="Of the true network.", minimum=1, maximum=100, place="first")
    contexts: bool = setting(
        True,
        label="Contexts switch links off",
        help="Off: all links hold for everybody, and whatever is found for a patient is a false alarm.",
        choices=(False, True),
        place="first",
    )
    levels: str = setting("mixed", **LEVEL_CHOICES)
    rows: int = setting(
        1000, label="Rows to learn from", help="Patients in the table.", minimum=20, maximum=20_000, place="first"
    )
    patients: int = setting(
        20,
        label="Test patients",
        help="Drawn apart from the table; each is looked at alone.",
        minimum=1,
        maximum=100,
        place="first",
    )
    seed: int = setting(0, **SEED)

    slug: ClassVar[str] = "instance_specific"
    title: ClassVar[str] = "Single patients"
    story: ClassVar[str] = (
        "In some situations a link of a random network is switched off: which are off for a patient? The method learns "
        "from a table, then looks at test patients one by one."
    )
    items: ClassVar[Items] = Items("link", "links", "switched-off", "intact")
    seconds: ClassVar[Mapping[str, str]] = {
        "mode": "The other search (published or order kept)",
        "prior": "The other prior (paper or union)",
        "weak": "Weakness for everybody",
    }
    first_second: ClassVar[str | None] = "weak"
    nothing: ClassVar[str] = "the population search found no link of the true network; draw more rows."
    opened: ClassVar[tuple[str, ...]] = ("kappa",)
    claim_words: ClassVar[Words] = {
        (APPLIES, NO): "no longer matters",
        (DIFFERENTLY, YES): DIFFERENTLY,
        (APPLIES, CANNOT_TELL): "cannot tell",
        (DIFFERENTLY, CANNOT_TELL): "cannot tell",
        (APPLIES, YES): "applies",
    }
    case_claims: ClassVar[tuple[str, ...]] = ("no longer matters",)
    claims_note: ClassVar[str] = (
        'Only "no longer matters" calls a link switched-off. "matters differently" can be right of an intact link: '
        "where it, or another link to its variable, is off for other patients."
    )
    telling: ClassVar[str] = DIFFERENTLY
    drawn_together: ClassVar[str] = "patients"
    called_where: ClassVar[str] = "The networks behind the verdicts, which ask for less"

    def __post_init__(self) -> None:
        check_settings(self)
        pairs = self.variables * (self.variables - 1) // 2
        if self.arcs > pairs:
            raise SettingsError(f"arcs is {self.arcs}; {self.variables} variables have room for {pairs} links.")
        if self.arcs > MOST_ARCS * self.variables:
            raise SettingsError(
                f"arcs is {self.arcs}; with so many parents a variable has millions of situations. Choose at most "
                f"{MOST_ARCS * self.variables} for {self.variables} variables."
            )

    def draw(self) -> tuple[ContextNetwork, Dataset, Dataset]:
        """The network, the rows to learn from, and the test patients."""
        for_network, for_rows, for_patients = self.generators(3)
        network = random_context_network(self.variables, self.arcs, for_network, LEVELS[self.levels])
        if not self.contexts:
            network = _without_contexts(network, for_network)
        return network, network.sample(self.rows, for_rows), network.sample(self.patients, for_patients)

    def look(
        self,
        method: InstanceSpecific,
        drawn: tuple[ContextNetwork, Dataset, Dataset],
        second: str | None,
        progress: Progress,
    ) -> Outcome:
        """The population is learned once; the links found are scored for every patient."""
        network, data, patients = drawn
        population = method.learn_population(data, progress=part(progress, 0.05, 0.5))
        other = _other(method, second)
        share = 1.0 if other is None else 0.5
        step = part(progress, 0.5, 0.5 + share / 2)
        results = _results(method, data, patients, population, step)
        arcs = _arcs(network, results[0])
        off = [_switched_off(network, codes, arcs) for codes in patients.codes.T]
        scores = [_score(method, results, arcs)]
        if other is not None:
            other_results = _results(other, data, patients, population, part(progress, 0.75, 1.0))
            scores.append(replace(_score(other, other_results, arcs), name=_name(other, second)))
        elif second == "weak":
            scores.append(
                Score("weak for everybody", "-nats", np.tile(_weakness(method, data, results[0], arcs), len(off)))
            )
        called = [[_dropped(result, arc) for arc in arcs] for result in results]
        claimed = [self.claimed(result, (link_names(a, b) for a, b in arcs)) for result in results]
        truth = np.array(off, dtype=bool).reshape(-1)
        tested = np.concatenate(claimed) != NOT_ASKED
        return Outcome(
            trial=self,
            method=method,
            labels=tuple(f"patient {i + 1}: {a} → {b}" for i, (a, b) in itertools.product(range(len(off)), arcs)),
            truth=truth,
            called=np.array(called, dtype=bool).reshape(-1),
            scores=tuple(scores),
            pictures=tuple(
                self._picture(i, dict(zip(arcs, zip(is_off, said, strict=True), strict=True)))
                for i, (is_off, said) in enumerate(zip(off, claimed, strict=True), start=1)
            )[: MOST_PICTURES if arcs else 0],
            remark=f"{len(arcs)} of {self.arcs} true links were found with their direction: {len(truth)} for "
            f"{count(len(off), 'patient')}, {truth.sum()} of them switched off. The score is of all, verdicts are of "
            f"the {tested.sum()} that could be tested, {(truth & tested).sum()} of them switched off. "
            "Intervals keep a patient's links together, but not a link's patients: they are rather too narrow.",
            claimed=np.concatenate(claimed),
            clusters=np.repeat(np.arange(len(off)), len(arcs)),
        )

    def _picture(self, number: int, judged: Mapping[Arc, tuple[bool, str]]) -> Picture:
        """The links that were judged for a patient: whether each is switched off, and what is said of it."""
        truth, found = nx.DiGraph(), nx.DiGraph()
        for graph in (truth, found):
            graph.add_nodes_from(dict.fromkeys(name for arc in judged for name in arc))
        truth.add_edges_from(arc for arc, (is_off, _) in judged.items() if not is_off)
        found.add_edges_from(arc for arc, (_, said) in judged.items() if said not in self.case_claims)
        off = {arc: SHOWN.get(said, said) for arc, (is_off, said) in judged.items() if is_off}
        return Picture(f"Patient {number}: {len(off)} switched off", truth, found, off=off)


def _without_contexts(network: ContextNetwork, generator: np.random.Generator) -> ContextNetwork:
    """The same arcs with tables in which every parent matters always."""
    tables = [
        near_deterministic_table(len(table), int(arity), generator)
        for table, arity in zip(network.tables, network.arities, strict=True)
    ]
    return replace(network, tables=tuple(tables), contexts=((),) * len(network.names))


def _results(
    method: InstanceSpecific, data: Dataset, patients: Dataset, population: Population, progress: Progress
) -> list[InstanceSpecificResult]:
    result = []
    for i, codes in enumerate(patients.codes.T):
        values = {name: data.levels[name][code] for name, code in zip(data.names, codes, strict=True)}
        result.append(method.run(data, values, population=population))
        progress((i + 1) / patients.n_rows, f"patient {i + 1} of {patients.n_rows}")
    return result


def _arcs(network: ContextNetwork, result: InstanceSpecificResult) -> list[Arc]:
    """Arcs of the true network that the population's DAG has."""
    there = result.population_dag
    names = network.names
    return [
        (names[parent], names[child])
        for child, family in enumerate(network.parents)
        for parent in family
        if there.has_edge(names[parent], names[child])
    ]


def _switched_off(network: ContextNetwork, codes: np.ndarray, arcs: list[Arc]) -> list[bool]:
    place = {name: i for i, name in enumerate(network.names)}
    parents = network.instance_dag(codes.astype(np.int64))
    return [place[a] not in parents[place[b]] for a, b in arcs]


def _score(method: InstanceSpecific, results: list[InstanceSpecificResult], arcs: list[Arc]) -> Score:
    """P(the link does not apply); in published mode, which has no such number, whether it is gone."""
    if method.mode == "published":
        dropped = [[float(_dropped(result, arc)) for arc in arcs] for result in results]
        return Score("gone from the patient's network", "1 yes, 0 no", np.array(dropped, dtype=float).reshape(-1))
    values = []
    for result in results:
        changes = result.arc_changes
        applies = dict(zip(zip(changes["source"], changes["target"], strict=True), changes["probability"], strict=True))
        values.append([1.0 - applies[arc] for arc in arcs])
    posteriors = np.nan_to_num(np.array(values, dtype=float), nan=0.0)  # of what was not asked nothing speaks against
    meaning = "The posterior of no link is the probability that a link does not apply to the patient."
    return Score("posterior of no link", "probability", posteriors.reshape(-1), meaning=meaning)


def _dropped(result: InstanceSpecificResult, arc: Arc) -> bool:
    graph = result.instance
    return not (graph.has_edge(*arc) or graph.has_edge(*arc[::-1]))


def _other(method: InstanceSpecific, second: str | None) -> InstanceSpecific | None:
    """The method that gives the second score."""
    if second == "mode":
        return replace(method, mode="published" if method.mode == "order_kept" else "order_kept")
    if second == "prior":
        return replace(method, prior="paper" if method.prior == "union" else "union")
    return None


def _name(other: InstanceSpecific, second: str | None) -> str:
    return f"{other.prior} prior" if second == "prior" else f"{other.mode.replace('_', ' ')} search"


def _weakness(method: InstanceSpecific, data: Dataset, result: InstanceSpecificResult, arcs: list[Arc]) -> np.ndarray:
    """(arcs,) what each adds to the score of its family in all rows, turned round: the same for every patient."""
    score = BDeu(method.ess)
    families = {b: list(result.population_dag.predecessors(b)) for _, b in arcs}
    return np.array(
        [
            score.family(data, b, [x for x in families[b] if x != a]) - score.family(data, b, families[b])
            for a, b in arcs
        ],
        dtype=float,
    )


TRIAL = InstanceTrial
