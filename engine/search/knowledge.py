"""What is known before anything is learned: one value for every method and search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import SettingsError
from engine.search.constraints import Arc, Constraints


@dataclass(frozen=True)
class Knowledge:
    """What an expert knows of the arcs, by names.

    Parameters
    ----------
    forbidden, required : arcs (parent, child) that may not, or must, be there
    tiers : groups of variables, earliest first; no arc runs from a later tier to an earlier one; a variable in no tier
        may have parents and children anywhere
    order : all variables, parents before children
    max_parents : most parents of a variable, None for no limit

    Raises
    ------
    SettingsError : one of them is not of that form; whether the names fit a table is asked when it is used

    Examples
    --------
    >>> engine.Knowledge(forbidden=[("cough", "smoking")], max_parents=3)
    Knowledge(forbidden=(('cough', 'smoking'),), required=(), tiers=None, order=None, max_parents=3)
    """

    forbidden: tuple[Arc, ...] = ()
    required: tuple[Arc, ...] = ()
    tiers: tuple[tuple[str, ...], ...] | None = None
    order: tuple[str, ...] | None = None
    max_parents: int | None = None

    def __init__(
        self,
        forbidden: Iterable[Arc] = (),
        required: Iterable[Arc] = (),
        tiers: Sequence[Iterable[str]] | None = None,
        order: Sequence[str] | None = None,
        max_parents: int | None = None,
    ) -> None:
        given = {
            "forbidden": _arcs("forbidden", forbidden),
            "required": _arcs("required", required),
            "tiers": None if tiers is None else tuple(_names("tiers", tier) for tier in _listed("tiers", tiers)),
            "order": None if order is None else _names("order", order),
            "max_parents": max_parents,
        }
        for name, value in given.items():  # lists are welcome; a frozen value holds tuples
            object.__setattr__(self, name, value)

    def constraints(self, names: Sequence[str]) -> Constraints:
        """The same by position over these variables.

        Parameters
        ----------
        names : of the variables, in column order

        Returns
        -------
        `Constraints`, as a search takes them

        Raises
        ------
        SettingsError : unknown variables, an arc both ways, a cycle of required arcs, too many required parents
        """
        return Constraints.from_names(
            names,
            forbidden=self.forbidden,
            required=self.required,
            tiers=self.tiers,
            order=self.order,
            max_parents=self.max_parents,
        )

    def without(self, names: Iterable[str]) -> Knowledge:
        """What it says of the other variables; for a method that sets one variable aside.

        Parameters
        ----------
        names : of the variables that are set aside

        Returns
        -------
        `Knowledge`
        """
        removed = set(names)

        def kept(given: Iterable[str]) -> tuple[str, ...]:
            return tuple(name for name in given if name not in removed)

        return Knowledge(
            [arc for arc in self.forbidden if not removed & set(arc)],
            [arc for arc in self.required if not removed & set(arc)],
            None if self.tiers is None else [kept(tier) for tier in self.tiers],
            None if self.order is None else kept(self.order),
            self.max_parents,
        )


def _listed(setting: str, given: Any) -> Iterable[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SettingsError(f"{setting} is {given!r}; it must be a list.", setting=setting)
    return given


def _names(setting: str, given: Any) -> tuple[str, ...]:
    return tuple(str(name) for name in _listed(setting, given))


def _arcs(setting: str, given: Any) -> tuple[Arc, ...]:
    result = []
    for arc in _listed(setting, given):
        ends = _names(setting, arc)
        if len(ends) != 2:
            raise SettingsError(f"{setting} has {arc!r}; every entry must be a pair (parent, child).", setting=setting)
        result.append((ends[0], ends[1]))
    return tuple(result)
