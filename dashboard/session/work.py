"""What the user has chosen about the open table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dashboard.session.session import session
from engine.data.dataset import Recipe
from engine.data.preparing.choices import BESIDE
from engine.data.preparing.proposals import Proposal, propose

if TYPE_CHECKING:
    import pandas as pd

PAGE = "data"
THAWED = (
    "A choice was changed, so levels and cut points are no longer those that came with the table: it is prepared by "
    "the choices on this page."
)
DEFAULTS: dict[str, Any] = {"missing": "drop", "bins": 3, "binning": "quantile", "rare": 0}


@dataclass
class Work:
    """The choices about one table.

    Attributes
    ----------
    chosen : argument of `engine.Recipe` -> column -> choice; only what differs from the default
    name, content : the file as it came, to read it again another way; None where there is no file
    reading : arguments for `engine.read_table` that the user gave
    sample : key of the sample table this is, "" for the user's own
    labels : column -> label from a dictionary
    begins : column -> role, of the sample or as proposed: what stands where the user has said nothing of roles
    proposed : why these roles are proposed, "" where they are not
    notes : sentences about the dictionary
    error, error_column : why the latest choices could not be used
    version : grows when choices change elsewhere than in the table of columns, so that it is drawn afresh
    frozen : a recipe with fixed levels and cut points that is used in place of the choices, until one is changed
    used : the recipe that made the data set; None before there is one
    base : key of the table of columns on screen, and the frame it was drawn from
    """

    chosen: dict[str, dict[str, Any]] = field(default_factory=dict)
    name: str = ""
    content: bytes | None = None
    reading: dict[str, Any] = field(default_factory=dict)
    sample: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    begins: dict[str, str] = field(default_factory=dict)
    proposed: str = ""
    notes: tuple[str, ...] = ()
    error: str = ""
    error_column: str | None = None
    version: int = 0
    frozen: Recipe | None = None
    used: Recipe | None = None
    base: tuple[str, pd.DataFrame] | None = None
    _frozen_with: str = ""
    _prepared: str | None = None
    _proposals: tuple[str, dict[str, Proposal]] | None = None

    def proposals(self, table: pd.DataFrame) -> dict[str, Proposal]:
        """Column -> what is proposed for it; looked at again only when other texts count as missing."""
        tokens = self.chosen.get("missing_tokens", {})
        key = json.dumps(tokens, sort_keys=True)
        if self._proposals is None or self._proposals[0] != key:
            found = propose(table, missing_tokens=tokens)
            self._proposals = (key, {one.column: one for one in found})
        return self._proposals[1]

    def get(self, what: str, column: str) -> Any:
        """The choice about a column; its default, or None, where nothing was chosen."""
        return self.chosen.get(what, {}).get(column, DEFAULTS.get(what))

    def choose(self, what: str, column: str, value: Any, default: Any = None) -> None:
        """Keep a choice; one that is the default (or None) is forgotten."""
        about = self.chosen.setdefault(what, {})
        if value is None or value == (DEFAULTS.get(what) if default is None else default):
            about.pop(column, None)
        else:
            about[column] = value

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

    def with_role(self, role: str) -> str | None:
        """The column that has a role, None where none has."""
        return next((name for name, one in self.roles.items() if one == role), None)

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

    def freeze(self, recipe: Recipe) -> None:
        """Use this recipe as long as the choices stand as they do now."""
        self.frozen, self._frozen_with = recipe, self._stands()

    def thaw(self) -> bool:
        """Let go of the recipe where a choice was changed since it came; whether it was let go now."""
        if self.frozen is None or self._frozen_with == self._stands():
            return False
        self.frozen, self.notes = None, (THAWED,)
        return True

    def _stands(self) -> str:
        return json.dumps({what: about for what, about in self.chosen.items() if about}, sort_keys=True, default=str)

    def let_go(self) -> None:
        """Hold no table any more, whoever still holds this: a widget's callback may, for a while."""
        self.__init__()  # type: ignore[misc]

    def recipe(self, proposals: Mapping[str, Proposal]) -> Recipe:
        """The choices as the engine takes them; what does not fit a column's kind rests until it does.

        Where a frozen recipe is used, it is that one.
        """
        if self.frozen is not None and self._frozen_with == self._stands():
            return self.frozen
        return Recipe.fitting(proposals.values(), **self.chosen)

    def arguments(self, table: pd.DataFrame) -> dict[str, Any]:
        """The choices that made the data set, as plain arguments of `engine.Recipe`; with columns where they are fixed.

        Choices that could not be used are not among them where a data set from before stands.
        """
        made = self.used if self.used is not None else self.recipe(self.proposals(table))
        return made.given() | ({"columns": made.to_dict()["columns"]} if made.columns else {})


def work() -> Work:
    """The choices about the session's table, made on first use."""
    about = session().choices.setdefault(PAGE, {})
    if "work" not in about:
        about["work"] = Work()
    held: Work = about["work"]
    return held
