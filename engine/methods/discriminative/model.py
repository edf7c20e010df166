"""What an answer of class networks keeps, and what its parts are called; nothing is told here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.errors import SettingsError
from engine.methods.discriminative.coding import Coding
from engine.methods.discriminative.held_out.evaluation import Evaluation
from engine.methods.discriminative.learned import Learned
from engine.methods.result import RunRecord

BEFORE, AFTER = "{} (t)", "{} (t+1)"


@dataclass(frozen=True, eq=False, repr=False)
class DiscriminativeModel:
    """The fields of an answer to "which links tell the classes apart?".

    Attributes
    ----------
    digest : of the numbers behind intervals, which were cut again
    classes : of the target, in its order
    series : whether a point is a series of a subject; else it is a row
    variables_in_order : p names, as networks have them
    levels : names of each one's codes
    coding : how numbers became codes, fitted to all points
    cut : (p,) whether a variable's codes are its numbers cut here; else they are those of the data set
    learned : of two classes one contrast (the second against the first), of more one a class
    likelihoods : (S, C, 2) of the points that were learned from
    chance : (B,) the most a link gains where classes are dealt at random
    chance_levels : (B,) the most that any variable's own levels are worth there
    derived : variables that were made of the table's: the change of the only one
    held_out : verdicts on points that nothing was learned from
    words : what was passed over
    block : observations that every series was cut to, since classes had series of unlike length; 0 where none was
    """

    method: Any
    names: tuple[str, ...]
    fingerprint: str
    made: RunRecord
    digest: str
    classes: tuple[str, ...]
    series: bool
    variables_in_order: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    coding: Coding
    cut: np.ndarray
    learned: tuple[Learned, ...]
    likelihoods: np.ndarray
    chance: np.ndarray
    chance_levels: np.ndarray
    derived: tuple[str, ...]
    held_out: Evaluation
    words: tuple[str, ...]
    block: int

    # -- names of things ----------------------------------------------------------------------------------------------

    @property
    def names_of_table(self) -> tuple[str, ...]:
        """The variables that the table itself has; a series of one variable has a second made of it."""
        return tuple(name for name in self.names if name not in self.derived)

    @property
    def parameters(self) -> str:
        """Which probabilities the tables have."""
        return str(self.method.parameters) if self.method.score == "acl" else "ml"

    @property
    def sides(self) -> tuple[str, str]:
        """What the two networks of a contrast are called: that of the others, and that of the class."""
        return (self.classes[0], self.classes[1]) if len(self.classes) == 2 else ("others", "class")

    @cached_property
    def networks_in_order(self) -> list[tuple[str, int, int]]:
        """Title, contrast and network (0 of the others, 1 of the class) of all that are shown."""
        if len(self.classes) == 2:
            return [(self.classes[0], 0, 0), (self.classes[1], 0, 1)]
        shown = [(name, c, 1) for c, name in enumerate(self.classes)]
        return shown + [(f"not {name}", c, 0) for c, name in enumerate(self.classes)]

    def place_of(self, network: str) -> tuple[int, int]:
        """Contrast and network (0 of the others, 1 of the class) of a title.

        Parameters
        ----------
        network : one of the titles of `graphs`

        Returns
        -------
        both numbers

        Raises
        ------
        SettingsError : there is no such network
        """
        for title, c, net in self.networks_in_order:
            if title == network:
                return c, net
        known = ", ".join(repr(title) for title, _, _ in self.networks_in_order)
        raise SettingsError(f"There is no network {network!r}; there are {known}.")

    def titles_of(self, c: int, net: int) -> tuple[str, str]:
        """What a network is of, and what it is held against.

        Parameters
        ----------
        c, net : contrast and network, as `place_of` gives them
        """
        if len(self.classes) == 2:
            return self.classes[net], self.classes[1 - net]
        both = f"not {self.classes[c]}", self.classes[c]
        return both[net], both[1 - net]

    def before(self, name: str) -> str:
        """A variable as what comes before; of rows the variable itself.

        Parameters
        ----------
        name : of the variable
        """
        return BEFORE.format(name) if self.series else name

    def after(self, name: str) -> str:
        """A variable as what comes after; of rows the variable itself.

        Parameters
        ----------
        name : of the variable
        """
        return AFTER.format(name) if self.series else name

    def configuration(self, parents: tuple[int, ...], j: int) -> dict[str, str]:
        """Names and levels of a configuration of parents; the first changes slowest.

        Parameters
        ----------
        parents : by position in `variables_in_order`
        j : number of the configuration
        """
        result: dict[str, str] = {}
        for x in reversed(parents):
            j, code = divmod(j, len(self.levels[x]))
            result[self.variables_in_order[x]] = self.levels[x][code]
        return dict(reversed(result.items()))
