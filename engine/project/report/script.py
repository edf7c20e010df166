"""The Python that repeats a result, as far as the result itself knows it."""

from __future__ import annotations

from typing import Any

from engine.comparison.result import ComparisonResult
from engine.exchange.script import analysis_script, comparison_script
from engine.methods.result import Result

_FIXED = ("columns", "reading", "written")
"""Of a recipe: what follows from the other choices, and what reading the file took."""
_USUAL = {"missing": "drop", "bins": 3, "binning": "quantile", "rare": 0, "tick": None}


def script_of(result: Result, source: str = "") -> str:
    """Python that reads the table, prepares it in the same way, and runs the method with the same settings."""
    if isinstance(getattr(result, "patients", (0,))[0], str):
        return ""  # their values are not kept
    provenance = result.provenance
    if isinstance(result, ComparisonResult):
        return _compared(result, source)
    call, run = run_call(result)
    return analysis_script(
        result.method,
        result.fingerprint,
        file=source or "table.csv",
        reading=dict(provenance.recipe.get("reading") or {}),
        preparing=choices(provenance.recipe),
        call=call,
        run=run,
        shown=f"result.table({result.table_titles()[0]!r})",
    )


def _compared(result: ComparisonResult, source: str) -> str:
    """The script of a comparison of groups of one table; of others the result does not know the rows."""
    if not result.group:
        return ""
    recipe = result.provenance.recipe
    return comparison_script(
        [answer.method for answer in result.answers],
        result.group,
        result.levels,
        result.fingerprint,
        file=source or "table.csv",
        reading=dict(recipe.get("reading") or {}),
        preparing=choices(recipe),
        settings=result.method.changed(),
    )


def choices(recipe: Any) -> dict[str, Any]:
    """The choices of a recipe that are not the usual ones."""
    return {
        name: value
        for name, value in dict(recipe).items()
        if name not in _FIXED and value not in ({}, [], ()) and value != _USUAL.get(name, ...)
    }


def by_values(result: Result) -> bool:
    """Whether a result is about a person who is no row of the table, so that a script has to name the values."""
    return hasattr(result, "patient") and getattr(result, "row", None) is None


def run_call(result: Result) -> tuple[str, dict[str, Any]]:
    """What was called, and with what beside the data: a patient, or several."""
    if hasattr(result, "patients"):
        return "run_cohort", {"instances": list(result.patients)}
    if hasattr(result, "patient"):
        matches: dict[str, Any] = {"instance": result.patient if result.row is None else result.row}  # type: ignore[attr-defined]
        return "run", matches | ({} if result.target is None else {"target": result.target})  # type: ignore[attr-defined]
    return "run", {}
