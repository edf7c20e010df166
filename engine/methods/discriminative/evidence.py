"""The evidence of class-discriminative networks: what was learned of each class, and how well it classifies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import SettingsError
from engine.lazy import pd
from engine.methods import frames
from engine.methods.discriminative.coding import Coding
from engine.methods.discriminative.effect import SIGNIFICANCE, chance_of
from engine.methods.discriminative.evaluation import Evaluation
from engine.methods.discriminative.structure import Learned
from engine.methods.evidence import Evidence
from engine.methods.fitting import check_codes, check_parents, check_shape, check_that

EARLIER, LATER = "{} (t)", "{} (t+1)"


@dataclass(frozen=True, eq=False, repr=False)
class DiscriminativeEvidence(Evidence):
    """Two networks a contrast, and the verdicts on points that they were not learned from.

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
        """The names of the two networks of a contrast: that of the others, and that of the class."""
        return (self.classes[0], self.classes[1]) if len(self.classes) == 2 else ("others", "class")

    @cached_property
    def networks_in_order(self) -> list[tuple[str, int, int]]:
        """Title, contrast and network (0 of the others, 1 of the class) of all that are shown."""
        if len(self.classes) == 2:
            return [(self.classes[0], 0, 0), (self.classes[1], 0, 1)]
        visible = [(name, c, 1) for c, name in enumerate(self.classes)]
        return visible + [(f"not {name}", c, 0) for c, name in enumerate(self.classes)]

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
        known = {title: (c, net) for title, c, net in self.networks_in_order}
        if network not in known:
            raise SettingsError(f"There is no network {network!r}; there are {', '.join(map(repr, known))}.")
        return known[network]

    def titles_of(self, c: int, net: int) -> tuple[str, str]:
        """The class that a network is of, and that which it is held against.

        Parameters
        ----------
        c, net : contrast and network, as `place_of` gives them
        """
        if len(self.classes) == 2:
            return self.classes[net], self.classes[1 - net]
        both = f"not {self.classes[c]}", self.classes[c]
        return both[net], both[1 - net]

    def earlier(self, name: str) -> str:
        """A variable as what comes before; of rows the variable itself.

        Parameters
        ----------
        name : of the variable
        """
        return EARLIER.format(name) if self.series else name

    def later(self, name: str) -> str:
        """A variable as what comes after; of rows the variable itself.

        Parameters
        ----------
        name : of the variable
        """
        return LATER.format(name) if self.series else name

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

    def asks_of(self) -> tuple[str, ...]:
        """The variables that the table itself has, and the target."""
        return tuple(dict.fromkeys((*self.names_of_table, self.method.target)))

    # -- what was learned ---------------------------------------------------------------------------------------------

    @cached_property
    def gains_by_chance(self) -> np.ndarray:
        """(B,) `chance`; none where subjects are too few for a verdict."""
        return self.chance[:0] if self.held_out.too_few else self.chance

    @cached_property
    def ranked(self) -> pd.DataFrame:
        """One row a family of a network, the largest gain first; see `DiscriminativeResult.families`."""
        rows, differing = [], set(self.differing_levels)
        for title, c, net in self.networks_in_order:
            network, recurrence = self.learned[c].networks[net], self.held_out.recurrence[c, net]
            for child, parents in enumerate(network.parents):
                effect, low, high = (float(x) for x in network.effects[child, :3])
                gain = float(network.gain[child])
                rows.append(
                    {
                        "network": title,
                        "child": self.variables_in_order[child],
                        "parents": tuple(self.variables_in_order[x] for x in parents),
                        "gain": gain,
                        "worth": float(network.penalised_pacl[child]),
                        "pacl": float(network.pacl[child]),
                        "added": int(network.added[child]),
                        "used": bool(network.used[child]),
                        "chance": chance_of(self.gains_by_chance, gain) if parents else float("nan"),
                        "levels": any(self.variables_in_order[x] in differing for x in (child, *parents)),
                        "recurrence": float(recurrence[child, list(parents)].min()) if parents else float("nan"),
                        "effect": effect,
                        "low": low,
                        "high": high,
                    }
                )
        return frames.data_frame(rows).sort_values("gain", ascending=False, kind="stable", ignore_index=True)

    @cached_property
    def differing_levels(self) -> list[str]:
        """Variables whose own levels tell the classes apart beyond chance, whatever stands before them."""
        if self.held_out.too_few:
            return []
        differing = {
            self.variables_in_order[i]
            for contrast in self.learned
            for network in contrast.networks
            for i, value in enumerate(network.alone)
            if chance_of(self.chance_levels, float(value)) <= SIGNIFICANCE
        }
        return [name for name in self.names if name in differing]

    def _check_read(self) -> None:
        super()._check_read()
        p, evaluation = len(self.variables_in_order), self.held_out
        check_that(sorted(self.variables_in_order) == sorted(self.names), "its networks stand over other variables")
        check_that(len(self.levels) == p and len(self.coding.arity) == p, "a variable has no levels")
        check_that(1 < len(set(self.classes)) == len(self.classes) < 20, "two of its classes have one name")
        check_that(len(self.learned) == (1 if len(self.classes) == 2 else len(self.classes)), "a class has no network")
        for item in (network for pair in self.learned for network in pair.networks):
            check_parents(item.parents, p, acyclic=not self.series)
            check_that(len(item.counts) == p, "a variable has no counts")
            for array in (item.pacl, item.alone, item.added, item.used):
                check_shape(array, p)
            check_shape(item.shifts, p, max(map(len, item.parents), default=0), 2, 3)
        check_that(
            evaluation.classes == self.classes and len(evaluation.labels) == len(evaluation.units) > 0,
            "verdicts are of other points",
        )
        check_that(evaluation.n == len(evaluation.ids), "verdicts are of other points")
        check_codes(evaluation.labels[None], [len(self.classes)])
        check_shape(evaluation.scores, None, len(evaluation.labels), len(self.learned))
        check_shape(evaluation.recurrence, len(self.learned), 2, p, p)
