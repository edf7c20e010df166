"""Nobody knows the methods by name but their own files and the two registries."""

from __future__ import annotations

import ast

from engine.methods.registry import METHODS
from tests.floor.shrinking import held
from tests.floor.tree import arrows, modules, parsed

REGISTRIES = {"engine", "engine.methods.registry", "dashboard.pages"}
"""The public face among them: its names are those that scripts use."""

BY_IMPORT = {
    "dashboard.charts.start_pictures -> group_difference",  # the worked example
    "engine.sklearn -> discriminative",  # one method as scikit-learn's estimator
    "dashboard.views.workshop.steps -> log_linear",  # its search is stepped through as those of the engine are
}
"""Files that use a part of one method; none of them chooses among methods."""

ALSO_A_KIND = {"ordinal"}
"""Slugs that are words of the data as well: a variable is ordinal, whatever the method. Imports are held."""


def others(module: str) -> set[str]:
    """The methods that a module is none of the own files of."""
    return set() if module in REGISTRIES else {slug for slug in METHODS if slug not in module.split(".")}


def test_no_other_file_spells_a_slug() -> None:
    """A list of methods would have to."""
    wrong = {
        f"{module}: {one.value}"
        for module, file in modules().items()
        if not module.startswith("sample_data")
        for one in ast.walk(parsed(file))
        if isinstance(one, ast.Constant) and one.value in others(module) - ALSO_A_KIND
    }
    assert not wrong


def test_no_other_file_imports_what_is_a_methods_own() -> None:
    """Nor the views of its page, its trial or its study; but for the few that are named here."""
    held(
        {
            f"{one.source} -> {slug}"
            for one in arrows()
            for slug in others(one.source)
            if slug in one.target.split(".") and not one.source.startswith("sample_data")
        },
        BY_IMPORT,
    )
