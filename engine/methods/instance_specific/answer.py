"""One patient's answer: its fields, and what is known by position and by name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import DataError
from engine.lazy import nx
from engine.methods.evidence import Evidence
from engine.methods.instance_specific.links import Link
from engine.methods.instance_specific.parent_choices import NodeChoice
from engine.methods.instance_specific.patient_numbers import PatientNumber, PatientScale
from engine.methods.instance_specific.population import LinkSupport, Population, in_column_order
from engine.methods.instance_specific.solver import HeldOut, Network
from engine.methods.storing import storable
from engine.scores.instance import UNKNOWN, PopulationFamily

storable(PopulationFamily)


@dataclass(frozen=True, eq=False, repr=False)
class InstanceAnswer(Evidence):
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
    outer : how many numbers and ordered levels are among the highest of all rows, among the lowest, and there are
    outermost : their names, of the highest or the lowest, which are more
    scales : the patient's scores over items that share their levels and go together
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
    outer: tuple[int, int, int] = (0, 0, 0)
    outermost: tuple[str, ...] = ()
    scales: tuple[PatientScale, ...] = ()
    regressed: np.ndarray | None = None

    @property
    def patient(self) -> dict[str, str]:
        """The patient's known values, name -> level, in column order."""
        return {name: self.levels[name][self.codes[name]] for name in self.names if self.codes[name] != UNKNOWN}

    @property
    def extremes(self) -> list[PatientNumber]:
        """The patient's numbers that are extreme among all rows, or given the patient's other values."""
        return [number for number in self.numbers if number.extreme]

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
        """The graph that the patient's network is compared with: the DAG, or the CPDAG in published mode."""
        return self.population_dag if self.network.cpdag is None else self.population_cpdag

    @property
    def instance(self) -> nx.DiGraph:
        """The patient's network: a DAG, or a CPDAG in published mode."""
        return in_column_order(self.network.drawn(self.network_of_all.names), self.names)

    def has_direction(self, source: str, target: str) -> bool:
        """Whether the rows tell which way a link points: all equivalent networks of the population agree on it.

        Parameters
        ----------
        source, target : its ends, as it is drawn
        """
        cpdag = self.population_cpdag
        return cpdag.has_edge(source, target) and not cpdag.has_edge(target, source)

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
        """The choice of parents of one variable.

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
        """Evidence on every link of either network; none in published mode, which has no probabilities."""
        return self.answered or ()

    def link(self, source: str, target: str) -> Link | None:
        """Evidence on one link; None where there is none.

        Parameters
        ----------
        source, target : names of its ends

        Returns
        -------
        `Link`
        """
        return self._by_ends.get((self._positions[source], self._positions[target]))

    def context_of(self, link: Link) -> dict[str, str]:
        """The context that the rows like the patient have in common, as far as one link goes.

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

    def is_without_context(self, link: Link) -> bool:
        """True where the patient's values of everything beside a link are unknown.

        Parameters
        ----------
        link : one of `links`
        """
        return bool(link.beside) and all(self.codes[self.name(x)] == UNKNOWN for x in link.beside)

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
