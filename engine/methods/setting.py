"""A setting of a method: its default, its words for the screen, and what it may be. One check for all of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, asdict, field, fields, replace
from typing import Any, Self

from engine.errors import SettingsError, check_choice, check_number
from engine.methods.storing import Stored, is_storable
from engine.search.knowledge import Knowledge

_BOUNDS = {"minimum": "least", "maximum": "most", "above": "above", "below": "below"}
"""Bounds of a setting -> what `check_number` calls them."""
_BY_ANOTHER_CHECK = ("score", "search")
"""Roles whose choices are classes or short names, not the values themselves."""


def setting(
    default: Any = MISSING,
    *,
    label: str,
    help: str,
    choices: Sequence[Any] | None = None,
    words: Mapping[Any, str] | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    above: float | None = None,
    below: float | None = None,
    role: str = "",
    place: str = "",
    live: bool = False,
    stops: Sequence[float] = (),
    scale: str = "linear",
    used_when: Mapping[str, Collection[Any]] | None = None,
    example: str = "",
) -> Any:
    """A dataclass field that a form can be made from.

    Parameters
    ----------
    default : its value where none is given; a setting without one has to be given
    label, help : what the form says
    choices, words : the values allowed (of a score: the classes they are of), and what the form calls them; where no
        choices are given they are those that have words, or yes and no, the default first
    minimum, maximum : closed bounds;  above, below : open ones
    role : what the form must know of the data to draw it: "variable", "levels", "score", "order", "pairs" or nothing
    place : "first" where it stands open at the top of the form, "hidden" where a form does not ask for it
    live : it acts on an answer that is there already, so it stands beside the answer and not in the form
    stops : the values of a slider, where it is one
    scale : "log" where a number is asked for over orders of magnitude
    example : how a value is written, for a sentence that refuses another kind of value
    used_when : other setting -> its values that this one has a meaning for; for others the form leaves it out
    """
    if choices is None and isinstance(default, bool):
        choices = (default, not default)
    elif choices is None and words and not role:
        choices = tuple(words)
    metadata = {
        "label": label,
        "help": help,
        "choices": None if choices is None else tuple(choices),
        "words": dict(words or {}),
        "minimum": minimum,
        "maximum": maximum,
        "above": above,
        "below": below,
        "role": role,
        "place": place,
        "live": live,
        "stops": tuple(stops),
        "scale": scale,
        "used_when": {name: tuple(values) for name, values in (used_when or {}).items()},
        "example": example,
    }
    return field(default=default, metadata=metadata) if default is not MISSING else field(metadata=metadata)


def knowledge_setting(help: str, keywords: str = "forbidden=..., required=..., tiers=...") -> Any:
    """The setting that an `engine.Knowledge` is; `keywords` are those that the method has a use for."""
    example = f"engine.Knowledge({keywords})"
    return setting(Knowledge(), label="What is known of the arcs", help=help, place="hidden", example=example)


def completed(known: Knowledge, **settings: Any) -> Knowledge:
    """Join what is known of the arcs with settings that say the same; `SettingsError` where both say something."""
    given = {name: value for name, value in settings.items() if value is not None}
    for name in given:
        if getattr(known, name) is not None:
            raise SettingsError(f"{name} is given twice, as a setting and in knowledge; leave one out.", setting=name)
    return replace(known, **given)


def check_settings(method: Any) -> None:
    """Hold every field of a frozen settings dataclass to its own words; `SettingsError` names field and bounds."""
    for declared in fields(method):
        value, rule = getattr(method, declared.name), declared.metadata
        if not rule or (value is None and declared.default is None):
            continue
        if rule["role"] == "variable" and not isinstance(value, str):
            raise SettingsError(
                f"{declared.name} is {value!r}; it must be the name of a variable.", setting=declared.name
            )
        if rule["example"] and not isinstance(value, type(declared.default)):
            raise SettingsError(f"{declared.name} is {value!r}; give {rule['example']}.", setting=declared.name)
        if rule["choices"] is not None and rule["role"] not in _BY_ANOTHER_CHECK:
            check_choice(declared.name, value, rule["choices"])
        bounds = {word: rule[key] for key, word in _BOUNDS.items() if rule[key] is not None}
        if bounds:
            check_number(declared.name, value, **bounds, whole=str(declared.type).startswith("int"))


class Settings(Stored):
    """Base of the frozen dataclasses that hold a method's settings; every field is made with `setting`."""

    def __post_init__(self) -> None:
        check_settings(self)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Setting -> value, as scikit-learn asks an estimator.

        Parameters
        ----------
        deep : of no meaning here, since no setting is an estimator

        Returns
        -------
        every setting by its name
        """
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **params: Any) -> Self:
        """The same method with other settings; settings are frozen, so this one stays as it is.

        Parameters
        ----------
        params : settings by their names

        Returns
        -------
        the other method

        Raises
        ------
        SettingsError : there is no such setting, or it has a value that it cannot have
        """
        known = self.get_params()
        if unknown := [name for name in params if name not in known]:
            raise SettingsError(f"There is no setting {unknown[0]!r}; there are {', '.join(known)}.")
        return replace(self, **params)  # type: ignore[type-var]

    def shown(self) -> dict[str, Any]:
        """Setting -> value as tables and files show them, scores and searches by their names and parameters.

        Knowledge that says nothing is left out.
        """
        return {name: _named(value) for name, value in self.get_params().items() if value != Knowledge()}


def _named(value: Any) -> Any:
    return {"name": type(value).__name__, **asdict(value)} if is_storable(value) else value
