"""A walk over DAGs whose steps are compiled; Python weighs what the kernels cannot, tells how far it is, and draws."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np

from engine.counting.climbing.rows import Rows, new_rows
from engine.counting.climbing.table import (
    ADD,
    ALLOWED,
    ASKING,
    AT,
    CHILD,
    CLIMB,
    DONE,
    FULL,
    GIVEN,
    GROW,
    LEFT,
    LOCAL,
    MARKS,
    MODE,
    MOST,
    PARENT,
    QUEUE,
    RECORD,
    REMOVE,
    SEEN,
    SHRINK,
    STALE,
    STEPS,
    TOLERANCE,
    WEIGH,
    WHAT,
    Table,
    new_table,
    with_room,
)
from engine.execution import Progress, silent
from engine.scores.local import GAIN, BoundScore, Family, Weighed, WeighingScore, weighed
from engine.search.constraints import Constraints
from engine.search.moves import Move

Parents = tuple[tuple[int, ...], ...]

_BUDGET = 20_000_000
"""Work until a kernel comes back to let others speak: some 20 milliseconds."""
_WORDS = {CLIMB: "changing arcs", GROW: "adding arcs", SHRINK: "removing arcs"}
_BLOCK = 1 << 22
"""Pairs of variables that are looked over at once."""


class CompiledWalk:
    """A walk over a `Table`."""

    def __init__(
        self,
        module: ModuleType,
        score: BoundScore,
        constraints: Constraints,
        start: Parents | None,
        progress: Progress,
        tabu: int,
    ) -> None:
        self._run, self._score = module.run, score
        p = score.n_variables
        begin = start if start is not None else constraints.required
        self._table = new_table(begin, constraints.allowed, constraints.required, constraints.max_parents, tabu)
        self._weigher = score.weigher() if isinstance(score, WeighingScore) else None
        self._rows = self._weigher.rows if self._weigher is not None else _no_rows(p)
        self._go(WEIGH, progress)
        self._judge()

    @property
    def tolerance(self) -> float:
        """What counts as equal."""
        return float(self._table.real[MARKS, TOLERANCE])

    def _judge(self) -> None:
        largest = float(np.abs(self._table.real[LOCAL]).max(initial=0.0))
        self._table.real[MARKS, TOLERANCE] = GAIN * max(1.0, largest)

    def key(self) -> Parents:
        """The parents of every variable."""
        return _parents(self._table.families)

    def climb(self, progress: Progress) -> tuple[float, Parents]:
        """Climb, then walk on while the tabu allowance lasts; the best total and DAG met."""
        self._table.control[STEPS] = -1
        self._go(CLIMB, progress)
        return float(self._table.real[MARKS, RECORD]), _parents(self._table.kept)

    def grow(self, progress: Progress) -> None:
        """Add the best arc until none gains."""
        self._table.control[STEPS] = 0
        self._go(GROW, progress)

    def shrink(self, progress: Progress) -> None:
        """Take the best arc away until none gains."""
        self._table.control[STEPS] = 0
        self._go(SHRINK, progress)

    def apply(self, move: Move) -> None:
        """Make a move."""
        self._table.control[[WHAT, PARENT, CHILD]] = move
        self._go(GIVEN, silent)

    def again(self, parents: Parents) -> None:
        """Stand at another DAG, as if begun there."""
        control, families = self._table.control, self._table.families
        changed = [child for child, group in enumerate(self.key()) if group != parents[child]]
        for child in changed:
            group = parents[child]
            families[child, 0], families[child, 1 : len(group) + 1] = len(group), group
        self._table.work[QUEUE, : len(changed)] = changed
        control[[STALE, AT, SEEN, LEFT]] = 1, 0, 0, len(changed)
        self._go(WEIGH, silent)
        self._judge()

    def drawn(self, what: int, generator: np.random.Generator) -> Move | None:
        """A move of one kind that is allowed, drawn from all; None where there is none, and then nothing is drawn."""
        spots = list(self._spots(what))  # (first child, flags of its and the next children's candidates)
        ends = np.cumsum([int(flags.sum()) for _, flags in spots])
        if not len(ends) or not ends[-1]:
            return None
        chosen = int(generator.integers(ends[-1]))
        block = int(np.searchsorted(ends, chosen, side="right"))
        first, flags = spots[block]
        child, place = np.argwhere(flags)[chosen - (int(ends[block - 1]) if block else 0)]
        child += first
        parent = self._table.families[child, place + 1] if what == REMOVE else place
        return what, int(parent), int(child)

    def _spots(self, what: int) -> Iterator[tuple[int, np.ndarray]]:
        table, p = self._table, self._score.n_variables
        step = max(1, _BLOCK // max(p, 1))
        for first in range(0, p, step):
            block = slice(first, first + step)
            if what == ADD:
                yield first, np.isfinite(table.add[block]) & ~_below(table, block)
            else:
                there = np.arange(table.gains.shape[2]) < table.families[block, :1]
                yield first, np.isfinite(table.gains[0, block]) & there

    def _go(self, mode: int, progress: Progress) -> None:
        """Run until there is nothing left to do."""
        p = self._score.n_variables
        self._table.control[MODE] = mode
        inside = self._weigher is not None and self._weigher.inside
        if mode == WEIGH and p:
            progress(0.0, f"weighing single arcs: variable 1 of {p}")
        while (why := self._run(*self._table, *self._rows, inside, _BUDGET)) != DONE:
            if why == FULL:
                self._table = with_room(self._table)
                continue
            if why == ASKING:
                self._weigh(inside, mode, progress)
            if mode != WEIGH:
                self._tell(mode, progress)
            elif (at := int(self._table.control[AT])) < p:
                progress(at / p, f"weighing single arcs: variable {at + 1} of {p}")
        if mode in _WORDS:
            self._tell(mode, progress)

    def _tell(self, mode: int, progress: Progress) -> None:
        steps = max(0, int(self._table.control[STEPS]))
        if mode in _WORDS and steps:
            # the number of arcs to come is not known; this nears 1 without passing it
            progress(steps / (steps + self._score.n_variables), f"{_WORDS[mode]}: {steps}")

    def _weigh(self, inside: bool, mode: int, progress: Progress) -> None:
        """Weigh the children that wait; the next one only where kernels weigh the others."""
        table, p = self._table, self._score.n_variables
        control = table.control
        first, left = int(control[AT]), int(control[LEFT])
        children = table.work[QUEUE, first : first + 1 if inside else left].tolist()
        asked = (self._family(child, mode) for child in children)
        found = self._weigher.weighed(asked) if self._weigher is not None else self._one_by_one(asked)
        for child, (local, removals, additions) in zip(children, found, strict=True):
            table.real[LOCAL, child] = local
            table.gains[0, child, : len(removals)] = removals
            table.add[child] = additions
            control[AT] += 1
            if mode == WEIGH and (at := int(control[AT])) < left:
                progress(at / p, f"weighing single arcs: variable {at + 1} of {p}")

    def _one_by_one(self, families: Iterator[Family]) -> Iterator[Weighed]:
        return (weighed(self._score, family) for family in families)

    def _family(self, child: int, mode: int) -> Family:
        table = self._table
        size = int(table.families[child, 0])
        group = tuple(table.families[child, 1 : size + 1].tolist())
        among = None
        if size < table.control[MOST] and mode != SHRINK:
            among = (table.allowed[child] & ALLOWED) > 0
            if mode == GROW:  # nothing is taken away meanwhile: what closes a circle now does so ever after
                among &= ~_below(table, slice(child, child + 1))[0]
        return Family(child, group, table.allowed[child], among)


def _below(table: Table, block: slice) -> np.ndarray:
    """(k, p) flags of what is below some variables."""
    p = table.add.shape[1]
    words = table.below[0, block].astype("<u8", copy=False)
    return np.unpackbits(words.view(np.uint8), axis=1, count=p, bitorder="little").astype(bool)


def _parents(families: np.ndarray) -> Parents:
    return tuple(tuple(row[1 : row[0] + 1]) for row in families.tolist())


def _no_rows(p: int) -> Rows:
    """For a score that weighs by itself."""
    return new_rows(None, None, np.ones(p, dtype=np.int64), (0, 0, 0), (0.0, 0.0))
