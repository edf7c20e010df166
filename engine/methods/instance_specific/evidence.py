"""One patient's answer: its fields, by position and by name, and the tables that are worked out of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.errors import DataError
from engine.graphs.comparison import compare
from engine.lazy import nx, pd
from engine.measures.intervals import beta_interval
from engine.methods import frames
from engine.methods.evidence import CANNOT_TELL
from engine.methods.instance_specific.links import Link, LinkWord, agreeing
from engine.methods.instance_specific.parent_choices import NodeChoice
from engine.methods.instance_specific.patient_numbers import PatientNumber
from engine.methods.instance_specific.population import LinkSupport, Population, in_column_order
from engine.methods.instance_specific.solver import HeldOut, Network
from engine.methods.result import Result
from engine.methods.storing import storable
from engine.scores.instance import UNKNOWN, PopulationFamily

storable(PopulationFamily)

FEW_CASES = 30
"""With fewer similar cases than this the shares are marked as thin evidence."""
SIMILAR = "similar cases"
STATUS = {"same": "kept", "only_a": "dropped", "only_b": "added", "reversed": "reversed"}
"""What `engine.graphs.comparison` says of population and patient -> what this method calls it."""


@dataclass(frozen=True, eq=False, repr=False)
class InstanceAnswer(Result):
    """The answer to "which links hold for this one patient?"

    Attributes
    ----------
    method : the settings
    names, levels : the variables in column order, and their levels
    row : of the patient, or None where values were given
    table_row : number from 0 of that row in the table that was read; None where values were given
    target, observed_target : the variable whose value was blanked, and that value where it was known
    n_rows : rows that learned and scored
    fingerprint : of the data set
    made : what it was computed from and with
    not_known : a sentence for every value that was given and is not known
    expected, expected_here : (2, r) ends of the 95 % interval of the target's shares under the population's network,
        and under the patient's
    support : how sure the population's links are, once that was worked out (see `with_support`)
    held_out : natural-log probability of the known values under both networks, the patient's row left out of the counts
    answered : what is said of every link; None in published mode, which has no probabilities
    divided_by : what counts were divided by before they were scored, the design effect of the subjects
    numbers : the patient's numbers with their percentiles, the most extreme first
    regressed : (r,) the target's probabilities by logistic regression, where a number of the patient's is extreme
    population_tables : of the population's DAG, estimated from all rows but the patient's; None where too large
    """

    levels: Mapping[str, tuple[str, ...]]
    row: int | None
    target: str | None
    observed_target: str | None
    n_rows: int
    held_out: HeldOut
    network_of_all: Population
    network: Network
    counted: tuple[PopulationFamily, ...]
    codes: Mapping[str, int]
    ratio: np.ndarray
    predicted: np.ndarray | None
    unseen: tuple[str, ...]
    not_known: tuple[str, ...] = ()
    expected: np.ndarray | None = None
    expected_here: np.ndarray | None = None
    support: LinkSupport | None = None
    answered: tuple[Link, ...] | None = None
    divided_by: float = 1.0
    population_tables: tuple[np.ndarray, ...] | None = None
    table_row: int | None = None
    numbers: tuple[PatientNumber, ...] = ()
    regressed: np.ndarray | None = None

    @property
    def patient(self) -> dict[str, str]:
        """The patient's known values, name -> level, in column order."""
        return {name: self.levels[name][self.codes[name]] for name in self.names if self.codes[name] != UNKNOWN}

    @property
    def extremes(self) -> list[PatientNumber]:
        """The patient's numbers that are extreme among all rows, or given the patient's other values."""
        return [item for item in self.numbers if item.extreme]

    # -- networks -----------------------------------------------------------------------------------------------------

    @property
    def population_dag(self) -> nx.DiGraph:
        """One DAG of the population's equivalence class, the one whose order is kept."""
        return self.network_of_all.dag(self.names)

    @property
    def population_cpdag(self) -> nx.DiGraph:
        """The population's equivalence class: an arc one way, an edge without a direction both ways."""
        return self.network_of_all.equivalence_class(self.names)

    @property
    def population(self) -> nx.DiGraph:
        """What the patient's network is compared with: the DAG, or the CPDAG in published mode."""
        return self.population_dag if self.network.cpdag is None else self.population_cpdag

    @property
    def instance(self) -> nx.DiGraph:
        """The patient's network: a DAG, or a CPDAG in published mode."""
        return in_column_order(self.network.drawn(self.network_of_all.names), self.names)

    # -- inside -------------------------------------------------------------------------------------------------------

    def name(self, position: int) -> str:
        """The variable at a position of the population network.

        Parameters
        ----------
        position : from 0

        Returns
        -------
        its name
        """
        return self.network_of_all.names[position]

    def in_order(self, positions: Iterable[int]) -> tuple[str, ...]:
        """Names of some positions, in column order.

        Parameters
        ----------
        positions : of the population network

        Returns
        -------
        the names
        """
        return tuple(sorted({self.name(x) for x in positions}, key=self._columns.__getitem__))

    def choice(self, variable: str) -> NodeChoice:
        """What one variable chose.

        Parameters
        ----------
        variable : its name

        Returns
        -------
        `NodeChoice`: the parent sets weighed, by position, with their gains

        Raises
        ------
        DataError : there is no such variable
        """
        if variable not in self._columns:
            raise DataError(f"There is no variable {variable!r} in this network.")
        return self.network.choices[self._positions[variable]]

    # -- verdicts -----------------------------------------------------------------------------------------------------

    @property
    def links(self) -> tuple[Link, ...]:
        """What may be said of every link of either network; none in published mode, which has no probabilities."""
        return self.answered or ()

    def link(self, source: str, target: str) -> Link | None:
        """What may be said of one link; None where there is nothing.

        Parameters
        ----------
        source, target : names of its ends

        Returns
        -------
        `Link`
        """
        return self._by_ends.get((self._positions[source], self._positions[target]))

    def context_of(self, link: Link) -> dict[str, str]:
        """What the rows like the patient have in common, as far as one link goes.

        Parameters
        ----------
        link : one of `links`

        Returns
        -------
        name -> the patient's level, of every other parent of its head that is known
        """
        return self.known_values(link.beside)

    def known_values(self, positions: Iterable[int]) -> dict[str, str]:
        """Name -> the patient's level, of every variable whose value is known, in column order.

        Parameters
        ----------
        positions : of the variables
        """
        known = [name for name in self.in_order(positions) if self.codes[name] != UNKNOWN]
        return {name: self.levels[name][self.codes[name]] for name in known}

    def support_of(self, link: Link) -> float:
        """The probability that the population has a link.

        Parameters
        ----------
        link : one of `links`

        Returns
        -------
        from 0 to 1; NaN until it was worked out, 1 for a link that the population does not claim
        """
        if link.status == "added":
            return 1.0
        if self.support is None:
            return math.nan
        return self.support.probability(self.name(link.source), self.name(link.child))

    def probability_of(self, link: Link) -> float:
        """The probability that a link applies to the patient: that the population has it, times that it applies then.

        Until the first was worked out (see `with_support`) it is the second alone.

        Parameters
        ----------
        link : one of `links`

        Returns
        -------
        from 0 to 1; NaN for what was not asked
        """
        known = self.support_of(link)
        return link.applies if math.isnan(known) else link.applies * known

    @cached_property
    def codes_by_position(self) -> dict[int, int]:
        """Position in the population network -> code of the patient's value."""
        return {position: self.codes[name] for name, position in self._positions.items()}

    @cached_property
    def _columns(self) -> dict[str, int]:
        """Variable -> its column; looked up where a wide table would be searched."""
        return {name: column for column, name in enumerate(self.names)}

    @cached_property
    def _positions(self) -> dict[str, int]:
        """Variable -> its position in the population network."""
        return {name: position for position, name in enumerate(self.network_of_all.names)}

    @cached_property
    def _by_ends(self) -> dict[tuple[int, int], Link]:
        """Positions of the ends -> the first link with them."""
        return {(link.source, link.child): link for link in reversed(self.links)}


def arc_changes(result: InstanceAnswer) -> pd.DataFrame:
    """One row an edge of either network; see `InstanceSpecificResult.arc_changes`."""
    cpdag = result.population_cpdag
    population, instance = result.population, result.instance
    rows = []
    for arc in compare(population, instance).arcs:
        source, target = arc.source, arc.target
        status = STATUS[arc.status]
        drawn = instance if status in ("added", "reversed") else population
        if drawn.has_edge(target, source) and not drawn.has_edge(source, target):
            source, target = target, source
        choice = result.choice(target)
        link = result.link(source, target)
        rows.append(
            {
                "source": source,
                "target": target,
                "status": status,
                "directed": not (drawn.has_edge(source, target) and drawn.has_edge(target, source)),
                "compelled": cpdag.has_edge(source, target) and not cpdag.has_edge(target, source),
                "known": result.codes[source] != UNKNOWN,
                "probability": result.probability_of(link) if link is not None else math.nan,
                "context": in_words(result, choice.parents),
                "cases": int(choice.cases.sum()),
                "score_gain": choice.gain,
                "kappa_cost": choice.cost,
                "net": choice.gain + choice.cost,
                **_said(result, link),
            }
        )
    columns = ["source", "target", "status", "directed", "compelled", "known", "probability", "context", "cases"]
    return frames.data_frame(rows, columns=[*columns, "score_gain", "kappa_cost", "net", *SAID])


def _said(result: InstanceAnswer, link: Link | None) -> dict[str, Any]:
    """The columns `SAID` of one edge; of one that nothing can be said of, nothing."""
    nothing = math.nan
    if link is None:
        return dict(zip(SAID, (False, nothing, CANNOT_TELL, LinkWord.NOT_ASKED, *(nothing,) * 9, 0), strict=True))
    text = (
        link.asked,
        result.support_of(link),
        link.verdict,
        link.word,
        link.log_bayes_factor,
        *_shifts(link),
        nothing if link.needed is None else link.needed,
        link.rows,
    )
    return dict(zip(SAID, text, strict=True))


def _shifts(link: Link) -> tuple[float, ...]:
    """The shift here with its interval, that among the others, and their difference with its own."""
    item = link.compared
    if item is None:
        return link.here.effect, link.here.low, link.here.high, *(math.nan,) * 4
    difference = item.difference, item.difference_low, item.difference_high
    return item.here, item.here_low, item.here_high, item.others, *difference


SAID = (
    "asked",
    "in_population",
    "verdict",
    "word",
    "log_bayes_factor",
    "effect",
    "low",
    "high",
    "others",
    "difference",
    "difference_low",
    "difference_high",
    "rows_needed",
    "like",
)
"""What the verdicts add to an edge; see `InstanceSpecificResult.arc_changes`."""


def families(result: InstanceAnswer) -> pd.DataFrame:
    """One row a variable; see `InstanceSpecificResult.families`."""
    rows = []
    for name in result.names:
        choice = result.choice(name)
        chosen = sum(1 << i for i, x in enumerate(choice.pool) if x in choice.parents)
        links = [link for link in result.links if link.child == choice.child]
        rows.append(
            {
                "population_parents": result.in_order(choice.population),
                "instance_parents": result.in_order(choice.parents),
                "changed": choice.changed,
                "context": in_words(result, choice.parents),
                "cases": int(choice.cases.sum()),
                "rows": result.n_rows,
                "few_cases": bool(choice.cases.sum() / result.divided_by < FEW_CASES),
                "score_gain": choice.gain,
                "kappa_cost": choice.cost,
                "net": choice.gain + choice.cost,
                "probability": _parent_set_probability(result, choice, chosen),
                **{
                    word.replace(" ", "_"): result.in_order(link.source for link in links if _group_word(link) == word)
                    for word in (LinkWord.NO_LONGER, LinkWord.DIFFERENTLY, CANNOT_TELL, LinkWord.NOT_ASKED)
                },
            }
        )
    return frames.data_frame(rows, names=result.names)


def _group_word(link: Link) -> str:
    """The word under which a link is listed; one for all that matter otherwise but still."""
    return LinkWord.DIFFERENTLY if link.told and link.word != LinkWord.NO_LONGER else link.word


def _parent_set_probability(result: InstanceAnswer, choice: NodeChoice, chosen: int) -> float:
    """The probability of a set of parents among those weighed; NaN where only one could be chosen."""
    if result.network.cpdag is not None or np.isfinite(choice.gains).sum() < 2:
        return math.nan
    return float(choice.posterior()[chosen])


def alternatives(result: InstanceAnswer, choice: NodeChoice) -> pd.DataFrame:
    """Every parent set that was weighed for one variable, best first."""
    weighed = [(choice.parents, choice.gain, choice.cost, math.nan)]
    if result.network.cpdag is None:
        posterior = choice.posterior()
        weighed = [
            (choice.subset(s), float(choice.gains[s]), float(choice.costs[s]), float(posterior[s]))
            for s in np.argsort(-(choice.gains + choice.costs), kind="stable").tolist()
            if choice.gains[s] > -np.inf
        ]
    elif choice.changed:
        weighed.append((choice.population, 0.0, 0.0, math.nan))
    rows = [
        {
            "parents": result.in_order(group),
            "dropped": result.in_order(set(choice.population) - set(group)),
            "added": result.in_order(set(group) - set(choice.population)),
            "context": in_words(result, group),
            "cases": _cases(result, choice, group),
            "score_gain": gain,
            "kappa_cost": cost,
            "net": gain + cost,
            "probability": probability,
        }
        for group, gain, cost, probability in weighed
    ]
    return frames.data_frame(rows)


def distributions(result: InstanceAnswer, choice: NodeChoice) -> pd.DataFrame:
    """The child's distribution in the patient's row of parameters, and in the population rows this replaces."""
    family = result.counted[choice.child]
    r = family.counts.shape[1]
    blocks: list[tuple[str, np.ndarray, float]] = []
    if choice.changed:
        blocks.append((SIMILAR, choice.cases, _shared_prior(result, choice)))
    prior = result.method.ess / (family.possible + (result.method.prior == "paper" and choice.changed))
    replaced = agreeing(family, result.codes_by_position, {*choice.population} & {*choice.parents})
    for configuration, counts in zip(family.configurations[replaced], family.counts[replaced], strict=True):
        blocks.append((_row_words(result, family.parents, configuration), counts, prior))
    if not blocks:
        blocks.append((in_words(result, family.parents), np.zeros(r, dtype=np.int64), prior))
    levels = result.levels[result.name(choice.child)]
    rows = [row for who, counts, total in blocks for row in _shares(who, counts, total, levels, result.divided_by)]
    return frames.data_frame(rows, columns=["who", "rows", "level", "count", "share", "low", "high"])


def in_words(result: InstanceAnswer, group: tuple[int, ...]) -> str:
    """The patient's known values of some variables in one cell of a table: "smoking = no"."""
    return ", ".join(f"{name} = {level}" for name, level in result.known_values(group).items())


def _row_words(result: InstanceAnswer, parents: tuple[int, ...], configuration: np.ndarray) -> str:
    values = dict(zip((result.name(x) for x in parents), configuration.tolist(), strict=True))
    words = [f"{name} = {result.levels[name][values[name]]}" for name in result.names if name in values]
    return ", ".join(words) or "all rows"


def _cases(result: InstanceAnswer, choice: NodeChoice, group: tuple[int, ...]) -> int | None:
    """Rows that agree with the patient on a subset of the population's parents; None for other parents."""
    if group == choice.parents:
        return int(choice.cases.sum())
    if not set(group) <= set(choice.population):
        return None
    family = result.counted[choice.child]
    return int(family.counts[agreeing(family, result.codes_by_position, group)].sum())


def _shared_prior(result: InstanceAnswer, choice: NodeChoice) -> float:
    if result.method.prior == "paper":
        return result.method.ess / (result.counted[choice.child].possible + 1)
    return result.method.ess / math.prod(len(result.levels[result.name(x)]) for x in choice.parents)


def _shares(who: str, counts: np.ndarray, prior: float, levels: tuple[str, ...], by: float) -> list[tuple[Any, ...]]:
    """Posterior mean and central 95 % interval of every level's share (Beta margins of the Dirichlet)."""
    a = counts / by + prior / len(counts)
    low, high = beta_interval(a, a.sum() - a)
    columns = (levels, counts.tolist(), a / a.sum(), low, high)
    return [(who, int(counts.sum()), *row) for row in zip(*columns, strict=True)]


def blanket(arcs: set[tuple[str, str]], target: str) -> set[str]:
    """The Markov blanket of a variable: its parents, its children, and the children's other parents."""
    children = {b for a, b in arcs if a == target}
    near = {a for a, b in arcs if b == target or b in children} | children
    return near - {target}
