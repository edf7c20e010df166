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
    base: tuple[str, pd.DataFrame] | None = None
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

    def recipe(self, proposals: Mapping[str, Proposal]) -> Recipe:
        """The choices as the engine takes them; what does not fit a column's kind rests until it does."""
        return Recipe.fitting(proposals.values(), **self.chosen)

    def arguments(self, proposals: Mapping[str, Proposal]) -> dict[str, Any]:
        """The same as arguments of `Dataset.from_frame`, for a script that repeats what is on screen."""
        return self.recipe(proposals).given()


def work() -> Work:
    """The choices about the session's table, made on first use."""
    about = session().choices.setdefault(PAGE, {})
    if "work" not in about:
        about["work"] = Work()
    held: Work = about["work"]
    return held
