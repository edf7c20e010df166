"""What a search is asked, and what it answers: one form for all of them, so that a search can be exchanged.

Ties are a promise: among equal gains the variables that come first in `priority` win. Searches decide ties by position,
so they see the variables in that order, and what they find is put back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, runtime_checkable

from engine.data.dataset import Dataset
from engine.errors import check_number
from engine.execution import Progress, silent
from engine.graphs import dag, pdag
from engine.graphs.dag import Parents, bits, mask_of
from engine.graphs.pdag import Pdag, member
from engine.scores.local import BoundScore, LocalScore
from engine.search.constraints import Constraints


@dataclass(frozen=True, eq=False)
class Problem:
    """Data, score and knowledge: everything a search may look at.

    Attributes
    ----------
    data, score : what is explained, and how well a family explains it
    constraints : what a search may do, by position in `data`
    priority : positions of `data`, first wins a tie; the order of the columns where empty
    progress : told how far the search is
    """

    data: Dataset
    score: LocalScore
    constraints: Constraints
    priority: Sequence[int] = ()
    progress: Progress = field(default=silent, repr=False)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The position in `data` of every variable as the search sees them."""
        return tuple(self.priority) or tuple(range(self.data.n_variables))

    @cached_property
    def bound(self) -> BoundScore:
        """The score with its data, variables in the order of priority."""
        return self.score.bind(self.data.select(self.data.names[i] for i in self.order))

    @cached_property
    def allowed(self) -> Constraints:
        """The constraints in the order of priority."""
        return self.constraints.permuted(self.order)

    @cached_property
    def _place(self) -> dict[int, int]:
        return {old: new for new, old in enumerate(self.order)}

    def dag(self, parents: Parents) -> Structure:
        """A DAG that a search found, back in the order of the columns."""
        return Structure(
            tuple(tuple(sorted(self.order[x] for x in parents[self._place[child]])) for child in range(len(self.order)))
        )

    def cpdag(self, pdag: Pdag) -> Structure:
        """An equivalence class that a search found, back in the order of the columns."""

        def back(masks: list[int]) -> list[int]:
            return [mask_of(self.order[x] for x in bits(masks[self._place[child]])) for child in range(len(self.order))]

        return Structure(None, Pdag(back(pdag.parents), back(pdag.children), back(pdag.neighbours)))


@dataclass(frozen=True, eq=False)
class Structure:
    """The structure that a search found, by position: a DAG, or the equivalence class of some.

    Attributes
    ----------
    parents : of every variable in the DAG; None where the search answers with a class
    cpdag : the class; None where the search answers with one DAG
    """

    parents: Parents | None
    cpdag: Pdag | None = None

    def dag(self) -> Parents:
        """The DAG, or one of the class."""
        if self.parents is not None:
            return self.parents
        if self.cpdag is None:
            raise RuntimeError("a search found neither a DAG nor a class of some")
        return member(self.cpdag)

    def arcs(self) -> list[tuple[int, int]]:
        """(source, target) of every arc, in order; in a class an edge without a direction runs both ways."""
        if self.cpdag is not None:
            return pdag.arcs(self.cpdag)
        return dag.arcs(self.parents or ())


@runtime_checkable
class Search(Protocol):
    """A search before it meets a problem: a frozen value."""

    def find(self, problem: Problem) -> Structure:
        """The best structure met; equal problems give equal structures.

        Parameters
        ----------
        problem : data, score and knowledge

        Returns
        -------
        `Structure` with a DAG or a class
        """
        ...


def check_whole_numbers(search: Search, **least: int) -> None:
    """Refuse a search whose fields of these names are not whole numbers from these up."""
    for name, lowest in least.items():
        check_number(name, getattr(search, name), least=lowest, whole=True)
