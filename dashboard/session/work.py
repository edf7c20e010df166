"""What the user has chosen about the open table."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dashboard.jobs.table_work import propose_for
from dashboard.session.cards import ColumnNames
from dashboard.session.large_tables import Unanswered, ask_table
from dashboard.session.session import session
from engine import DataError, Recipe, decisions
from engine.data.preparing.choices import BESIDE
from engine.data.preparing.deciding.decision import Decision, columns_in, holds
from engine.data.preparing.deciding.extremes import EXTREMES
from engine.data.preparing.deciding.reversed_items import FLIP, REVERSED_ITEMS
from engine.data.preparing.proposals import Proposal
from engine.data.preparing.wording import Step, choice_steps
from engine.data.reading.numbers import is_number

if TYPE_CHECKING:
    import pandas as pd

PAGE = "data"
THAWED = (
    "A choice was changed, so levels and cut points are no longer those that came with the table: it is prepared by "
    "the choices on this page."
)
OF_TABLE = ("where", "tiers")
"""Choices about the whole table: a list each, where the others are kept by column."""
SHAPING = ("missing_tokens", "limits", "units", "derive", "where")
"""Choices that change what there is to look at, before any column has a kind."""
MOST_UNDONE = 100
DEFAULTS: dict[str, Any] = {"missing": "drop", "bins": 3, "binning": "quantile", "rare": 0}


@dataclass(frozen=True)
class Done:
    """One change of the choices: what it did, in words, and the choices as they stood until then.

    `recipes` are the frozen ones of before, and `notes` what was noted then, where the change brought others.
    """

    words: str
    choices: str
    recipes: Mapping[str, Recipe] | None = None
    notes: tuple[str, ...] = ()


@dataclass
class Work:
    """The choices about one table.

    Attributes
    ----------
    chosen : argument of `engine.Recipe` -> column -> choice (a list for those of `OF_TABLE`); only what is not usual
    done : changes of the choices since the table was opened, the latest last
    name, content : the file as it came, to read it again another way; None where there is no file
    reading : arguments for `engine.read_table` that the user gave
    sample : key of the sample table this is, "" for the user's own
    labels, scales : column -> label, from the file or a dictionary, and the scale that it is a part of
    begins : column -> role, of the sample or as proposed: what stands where the user has said nothing of roles
    proposed : why these roles are proposed, "" where they are not
    notes : sentences about the dictionary, or on what did not fit
    change_note : what the latest change did beyond what was asked for
    unanswered : why nobody knows what there is to decide; "" where that is known
    error, error_column : why the latest choices could not be used
    version : grows when choices change elsewhere than in the table of columns, so that it is drawn afresh
    used : the recipe that made the data set; None before there is one
    base : key of the table of columns on screen, and the frame it was drawn from
    """

    chosen: dict[str, Any] = field(default_factory=dict)
    done: list[Done] = field(default_factory=list)
    name: str = ""
    content: bytes | None = None
    reading: dict[str, Any] = field(default_factory=dict)
    sample: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    scales: dict[str, str] = field(default_factory=dict)
    begins: dict[str, str] = field(default_factory=dict)
    proposed: str = ""
    notes: tuple[str, ...] = ()
    change_note: str = ""
    unanswered: str = ""
    error: str = ""
    error_column: str | None = None
    version: int = 0
    used: Recipe | None = None
    base: tuple[str, pd.DataFrame] | None = None
    _recipes: dict[str, Recipe] = field(default_factory=dict)
    _thawed: bool = False
    _earlier_notes: tuple[str, ...] = ()
    _next_note: str = ""
    _prepared: str | None = None
    _proposals: tuple[str, dict[str, Proposal]] | None = None
    _stood: str | None = None
    _decisions: tuple[str, tuple[Decision, ...]] | None = None
    _boxes: list[list[str]] = field(default_factory=list)

    def proposals(self, table: pd.DataFrame) -> dict[str, Proposal]:
        """Column, new ones included -> what is proposed for it; looked at again only where choices shape it anew."""
        shaping = self.shaping()
        key = json.dumps(shaping, sort_keys=True, default=str)
        if self._proposals is None or self._proposals[0] != key:
            try:
                result = ask_table("Looking at the columns", propose_for, table, shaping)
            except Unanswered:  # preparing the table says so, where there is something to prepare it by
                if self._proposals is None:
                    raise
                result = list(self._proposals[1].values())
            self._proposals = (key, {item.column: item for item in result})
        return self._proposals[1]

    def shaping(self) -> dict[str, Any]:
        """The choices that change what there is to look at, before any column has a kind."""
        return {argument: self.chosen[argument] for argument in SHAPING if self.chosen.get(argument)}

    def decisions(self, table: pd.DataFrame) -> tuple[Decision, ...]:
        """What only the user can decide, most costly first; looked for again only when a choice changes.

        Where the choices cannot be used, what was found before stands.
        """
        choices = {**self._given(), "reading": self.reading}
        choices.pop("tiers", None)  # they ask nothing
        key = json.dumps(choices, sort_keys=True, default=str)
        if self._decisions is None or self._decisions[0] != key:
            self.unanswered = ""
            try:
                recipe = Recipe.fitting(self.proposals(table).values(), **choices)
                result = ask_table("Looking for what there is to decide", decisions, table, recipe)
            except DataError as error:
                result = self._decisions[1] if self._decisions is not None else ()
                self.unanswered = str(error) if isinstance(error, Unanswered) else ""
            if self.content is None:  # there is no file to be read in another way
                result = tuple(item for item in result if not any("reading" in way.change for way in item.options))
            self._decisions = (key, result)
        return self._decisions[1]

    @property
    def undecided(self) -> int:
        """How many decisions are open, as the data page saw it last."""
        result = self._decisions[1] if self._decisions is not None else ()
        return len([item for item in result if item.key not in self.chosen.get("settled", {})])

    def asked_of_numbers(self) -> dict[str, set[float]]:
        """Column -> numbers of which an open decision asks whether they are errors, as the data page saw it last."""
        result: dict[str, set[float]] = {}
        for item in self._decisions[1] if self._decisions is not None else ():
            if item.kind == EXTREMES and item.key not in self.chosen.get("settled", {}):
                for name, values in item.option("missing").change["missing_tokens"].items():
                    result[name] = {float(value) for value in values if is_number(value, ".")}
        return result

    def get(self, argument: str, column: str) -> Any:
        """The choice about a column; its default, or None, where nothing was chosen."""
        return self.chosen.get(argument, {}).get(column, DEFAULTS.get(argument))

    def choose(self, argument: str, column: str, value: Any, default: Any = None) -> None:
        """Keep a choice; one that is the default (or None) is forgotten."""
        about = self.chosen.setdefault(argument, {})
        if value is None or value == (DEFAULTS.get(argument) if default is None else default):
            about.pop(column, None)
        else:
            about[column] = value

    def settle(self, arguments: Mapping[str, Any]) -> None:
        """Let these be the choices of their arguments, and a change like any other; see `engine.decisions`."""
        for argument, about in arguments.items():
            self.chosen[argument] = dict(about) if isinstance(about, Mapping) else list(about)
        self.version += 1

    def take_back(self, step: Step) -> None:
        """Forget the one choice that a step tells of; with a new column, every choice about it."""
        if step.what in OF_TABLE:
            self.chosen.pop(step.what, None)
        else:
            self.chosen.get(step.what, {}).pop(step.column, None)
        if step.what == "derive":
            for argument, about in self.chosen.items():
                if argument not in OF_TABLE and argument != "settled":
                    about.pop(step.column, None)
        self.version += 1

    def steps(self, proposals: Mapping[str, Proposal]) -> list[Step]:
        """The choices as they stand, each in a sentence."""
        try:
            return choice_steps(Recipe.fitting(proposals.values(), **self.chosen))
        except DataError:
            return []

    def remember(self, proposals: Mapping[str, Proposal]) -> None:
        """Keep how the choices stood before the latest change, so that it can be undone."""
        now = json.dumps(self._given(), default=str)  # new columns stand in order: one may be made of another
        if self._stood is not None and json.loads(self._stood) != json.loads(now):
            self._reopen()
            now = json.dumps(self._given(), default=str)
            self.change_note, self._next_note = self._next_note, ""
            self.done.append(Done(self._difference(self._stood, proposals), self._stood))
            del self.done[:-MOST_UNDONE]
        self._stood = now

    def begin(self) -> None:
        """What stands now is what the table begins with; there is nothing to undo."""
        self.done.clear()
        self._stood = json.dumps(self._given(), default=str)

    def undo(self) -> None:
        """The choices as they stood before the latest change."""
        if self.done:
            last = self.done.pop()
            self._stood, self.change_note = last.choices, ""
            self.chosen = json.loads(last.choices)
            if last.recipes is not None:
                self._recipes, self.notes = dict(last.recipes), last.notes
                self._thawed = bool(self._recipes) and self.frozen is None
            self.version += 1

    def set_change_note(self, words: str) -> None:
        """Say this of the change that is being made, until the next one."""
        self._next_note = words

    def come_after(self, earlier: Work, done: Iterable[Done], words: str) -> None:
        """Let what began all this anew be a change like any other, in words; `done` are the changes before it."""
        stood = json.dumps(earlier._given(), default=str)
        self.done = [*list(done)[1 - MOST_UNDONE :], Done(words, stood, earlier._recipes, earlier.notes)]

    def _reopen(self) -> None:
        """What was decided is open again where another choice has taken it back since."""
        settled = self.chosen.get("settled", {})
        try:
            choices = Recipe(**self._given(), reading=self.reading)
        except DataError:
            return
        for item in self._decisions[1] if self._decisions is not None else ():
            way = next((way for way in item.options if way.key == settled.get(item.key)), None)
            if way is None:
                continue
            changes = [other.change for other in item.options if other.change]
            kinds = {what: about for what, about in way.change.items() if what == "kinds"}
            turned = item.kind == REVERSED_ITEMS
            wanted = way.change if turned else kinds or way.change  # levels may have been put into another order
            stands = holds(choices, wanted) if wanted else not any(holds(choices, other) for other in changes)
            if not stands:
                del settled[item.key]

    def _difference(self, earlier: str, proposals: Mapping[str, Proposal]) -> str:
        """The latest change in words."""
        sentences = [step.sentence for step in Work(chosen=json.loads(earlier)).steps(proposals)]
        now = [step.sentence for step in self.steps(proposals)]
        new = [words for words in now if words not in sentences]
        removed = [words for words in sentences if words not in now]
        return new[0] if new else f"Taken back: {removed[0]}" if removed else "A choice was changed."

    def usual(self, proposal: Proposal) -> tuple[str, str]:
        """What a column is used as where the user says nothing of its kind, and why: its role beside comes first."""
        role = self.roles.get(proposal.column, "")
        return ("ignore", BESIDE[role]) if role in BESIDE else (proposal.kind, proposal.reason)

    def kind(self, proposal: Proposal) -> str:
        """What a column is used as: the user's word, else what is usual."""
        return str(self.chosen.get("kinds", {}).get(proposal.column, self.usual(proposal)[0]))

    @property
    def roles(self) -> Mapping[str, str]:
        """Column -> role, as they stand."""
        return self.chosen.get("roles", {})

    @property
    def reversed(self) -> tuple[str, ...]:
        """The columns whose levels run backwards, since a decision says so."""
        settled = self.chosen.get("settled", {})
        turned = [key for key, way in settled.items() if key.startswith(f"{REVERSED_ITEMS}:") and way == FLIP]
        names = list(self.chosen.get("levels", {}))
        return tuple(name for key in turned for name in columns_in(key, names))

    @property
    def column_names(self) -> ColumnNames:
        """What the columns are called, as it stands: labels and scales that come later are in it too."""
        return ColumnNames(self.labels, self.scales, self.reversed)

    @property
    def tiers(self) -> list[list[str]]:
        """Columns in the order of time, as they stand."""
        return [list(tier) for tier in self.chosen.get("tiers", [])]

    def keep_boxes(self, boxes: Iterable[Iterable[str]]) -> None:
        """Let these be the tiers; boxes that are empty stay on the board where they are."""
        self._boxes = [list(box) for box in boxes]
        self.chosen["tiers"] = [box for box in self._boxes if box]

    def boxed(self, names: Collection[str], boxes: int) -> list[list[str]]:
        """The tiers as boxes on the board: where the user left them, if they still hold what the tiers say."""
        same = [box for box in self._boxes if box] == self.tiers and len(self._boxes) == boxes
        arranged = self._boxes if same else self.tiers
        arranged = [[name for name in item if name in names] for item in arranged]
        return arranged + [[] for _ in range(boxes - len(arranged))]

    def with_role(self, role: str) -> str | None:
        """The column that has a role, None where none has."""
        return next((name for name, other in self.roles.items() if other == role), None)

    def take_roles(self, roles: Mapping[str, str]) -> None:
        """Let these be the roles; a column beside the variables is no variable any more, whatever was chosen for it."""
        self.chosen["roles"] = dict(roles)
        kinds = self.chosen.get("kinds", {})
        for name, role in roles.items():
            if role in BESIDE and kinds.get(name, "ignore") != "ignore":
                del kinds[name]

    def forget(self) -> None:
        """Forget every choice about columns; proposals count again, and the roles of the beginning."""
        self.chosen.clear()
        if self.begins:
            self.take_roles(self.begins)
        self.version += 1

    @property
    def frozen(self) -> Recipe | None:
        """A recipe with fixed levels and cut points that is used in place of the choices, as long as they stand so."""
        return self._recipes.get(self._stands())

    def freeze(self, recipe: Recipe) -> None:
        """Use this recipe whenever the choices stand as they do now."""
        self._recipes[self._stands()] = recipe

    def thaw(self) -> bool:
        """Note that a choice was changed since the recipe came, until it counts again; whether that came just now."""
        thawed = bool(self._recipes) and self.frozen is None
        if thawed == self._thawed:
            return False
        self._thawed = thawed
        if thawed:
            self._earlier_notes, self.notes = self.notes, (THAWED,)
        elif self.notes == (THAWED,):
            self.notes = self._earlier_notes
        return thawed

    def _stands(self) -> str:
        return json.dumps(self._given(), sort_keys=True, default=str)

    def _given(self) -> dict[str, Any]:
        return {argument: about for argument, about in self.chosen.items() if about}

    def let_go(self) -> None:
        """Hold no table any more, whoever still holds this: a widget's callback may, for a while."""
        self.__init__()  # type: ignore[misc]

    def recipe(self, proposals: Mapping[str, Proposal]) -> Recipe:
        """The choices as the engine takes them; what does not fit a column's kind rests until it does.

        Where a frozen recipe is used, it is that one.
        """
        if self.frozen is not None:
            return self.frozen
        return Recipe.fitting(proposals.values(), **self.chosen)

    def arguments(self, table: pd.DataFrame) -> dict[str, Any]:
        """The choices that made the data set, as plain arguments of `engine.Recipe`; with columns where they are fixed.

        Choices that could not be used are not among them where a data set from before stands.
        """
        recipe = self.used if self.used is not None else self.recipe(self.proposals(table))
        return recipe.given() | ({"columns": recipe.to_dict()["columns"]} if recipe.columns else {})


def work() -> Work:
    """The choices about the session's table, made on first use."""
    about = session().choices.setdefault(PAGE, {})
    if "work" not in about:
        about["work"] = Work()
    current: Work = about["work"]
    return current
