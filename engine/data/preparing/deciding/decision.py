"""A decision about a table and its options: what a card shows, and what a press of a button changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.data.preparing.choices import FrameChoices

Change = Mapping[str, Mapping[str, Any]]
"""Argument of `engine.Recipe` -> column -> choice."""


@dataclass(frozen=True)
class Option:
    """One way to decide.

    Attributes
    ----------
    key : of this option, such as "missing"
    label : a few words for its button
    effect : what it does to rows and columns, as the other choices stand
    change : argument of `engine.Recipe` -> column -> choice; missing tokens are added to those chosen
    now : whether this is what happens as the choices stand
    """

    key: str
    label: str
    effect: str
    change: Change
    now: bool = False


@dataclass(frozen=True)
class Decision:
    """A question that only the user of a table can answer.

    Attributes
    ----------
    key : kind, columns and value; the same whenever the same table is read
    kind : of the question, such as "missing-code"
    columns : that it is about
    sentence : the question
    why : what in the table asks it
    options : two to four
    cost : rows or cells at stake
    """

    key: str
    kind: str
    columns: tuple[str, ...]
    sentence: str
    why: str
    options: tuple[Option, ...]
    cost: float

    def option(self, key: str) -> Option:
        """The option with this key."""
        return next(option for option in self.options if option.key == key)


@dataclass(frozen=True)
class Finding:
    """A finding of a rule in a table, before it is put into words.

    Attributes
    ----------
    kind, columns, value : of the key of the decision
    words : what the templates of the rule name, each a part of a sentence
    changes : option -> what it changes
    cost : rows or cells at stake
    number : of what the sentence is about, columns where left out: "it" or "them"
    effects : option -> what it does beyond the rows and columns that it keeps
    rule : that words it, of the same name as `kind` where left out
    also : columns of which the same is asked, beside those that the words name
    open : whether nobody knows what is the case before it was answered
    chosen : whether the user has chosen by hand what this would ask, or left the columns out; then only a decision that
        was settled is still worth a card
    """

    kind: str
    columns: Sequence[str]
    words: Mapping[str, str]
    changes: Mapping[str, Change]
    cost: float
    value: str = ""
    number: int | None = None
    effects: Mapping[str, str] = field(default_factory=dict)
    rule: str = ""
    open: bool = False
    chosen: bool = False
    also: Sequence[str] = ()

    @property
    def key(self) -> str:
        """The key of the decision."""
        return key_of(self.kind, self.columns, self.value)


def settle(choices: FrameChoices | Mapping[str, Any], decision: Decision, option: Option) -> dict[str, Any]:
    """The choices after an option was chosen, as arguments of `engine.Recipe`; what another option did is undone.

    Parameters
    ----------
    choices : as they stand, as a recipe or as arguments of one
    decision, option : from `engine.decisions`

    Returns
    -------
    the arguments, with the decision among those that are settled

    Examples
    --------
    >>> import pandas
    >>> table = pandas.DataFrame({"stage": ["1", "2", "unknown", "3"] * 9})
    >>> card = engine.decisions(table, engine.Recipe())[0]
    >>> arguments = engine.settle(engine.Recipe(), card, card.options[0])
    >>> card.options[0].label, engine.Recipe(**arguments).apply(table).levels["stage"]
    ('Missing', ('1', '2', '3'))
    """
    if isinstance(choices, FrameChoices):
        choices = {**choices.given(), **({"reading": dict(choices.reading)} if choices.reading else {})}
    left = dict(choices)
    for offered in decision.options:
        left = without(left, offered.change)
    settled = {**(left.get("settled") or {}), decision.key: option.key}
    result = merged(left, option.change)
    for name, tokens in option.change.get("missing_tokens", {}).items():
        if name in (result.get("levels") or {}):
            levels = [level for level in result["levels"][name] if level not in tokens]
            result["levels"] = {**result["levels"], name: levels}
    return {**result, "settled": settled}


def merged(choices: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """Choices with a change: tokens are added, any other choice of a column takes the place of the one before."""
    result = dict(choices)
    for argument, about in change.items():
        earlier = result.get(argument)
        columns = dict(earlier) if isinstance(earlier, Mapping) else {}  # a choice for all is spelled out in the change
        for name, new in about.items():
            columns[name] = list(dict.fromkeys([*columns.get(name, ()), *new])) if argument == "missing_tokens" else new
        result[argument] = columns
    return result


def without(choices: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """Choices without those that a change makes."""
    result = dict(choices)
    for argument, about in change.items():
        if not isinstance(result.get(argument), Mapping):
            continue
        columns = dict(result[argument])
        for name in columns.keys() & about.keys():
            if argument == "missing_tokens":
                columns[name] = [token for token in columns[name] if token not in about[name]]
            if _same(columns[name], [] if argument == "missing_tokens" else about[name]):
                del columns[name]
        if columns:
            result[argument] = columns
        else:
            del result[argument]
    return result


def holds(choices: FrameChoices, change: Change) -> bool:
    """True where the choices say all that a change would."""
    for argument, about in change.items():
        for name, wanted in about.items():
            given = getattr(choices, argument)
            chosen = given.get(name) if isinstance(given, Mapping) else given
            if argument == "missing_tokens":
                if not set(wanted) <= set(chosen or ()):
                    return False
            elif not _same(chosen, wanted):
                return False
    return True


def key_of(kind: str, columns: Iterable[str], value: str = "") -> str:
    """The key of a decision."""
    return ":".join([kind, ",".join(columns), *([value] if value else [])])


def columns_in(key: str, names: Iterable[str]) -> list[str]:
    """The columns that the key of a decision is about."""
    named = f",{key.partition(':')[2]},"
    return [name for name in names if f",{name}," in named or f",{name}:" in named]


def _same(item: Any, other: Any) -> bool:
    both = isinstance(item, list | tuple) and isinstance(other, list | tuple)
    return list(item) == list(other) if both else bool(item == other)
