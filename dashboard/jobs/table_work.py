"""What walks through all cells of a table, for a process that may die of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from engine import DataError, Recipe
from engine.data.preparing.proposals import Proposal, propose
from engine.data.preparing.roles import propose_roles, propose_weight
from engine.data.preparing.shaping import propose_shaped

if TYPE_CHECKING:
    import pandas as pd


def call(function: Callable[..., Any], table: pd.DataFrame, more: tuple[Any, ...], progress: Any = None) -> Any:
    """Ask a function of a table, in a job."""
    return function(table, *more)


def find_roles(table: pd.DataFrame) -> tuple[dict[str, str], str | None]:
    """The roles that are proposed, and the column that is probably a weight."""
    return propose_roles(table), propose_weight(table)


def propose_for(table: pd.DataFrame, shaping: Mapping[str, Any]) -> list[Proposal]:
    """Propose for a table shaped so.

    Where a filter leaves no row, all rows are seen; where nothing else can be used either, as they were read.
    """
    try:
        return propose_shaped(table, Recipe(**shaping))
    except DataError:  # preparing the table says why
        if not shaping.get("where"):
            return propose(table)
    try:
        return propose_shaped(table, Recipe(**{**shaping, "where": ()}))
    except DataError:
        return propose(table)
