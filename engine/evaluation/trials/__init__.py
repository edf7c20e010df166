"""A truth, data drawn from it, and a method that looks for it: one try, or many with other seeds.

A trial is a frozen settings dataclass (`GroupTrial`, `InstanceTrial`, `AssociationTrial`); its `run(method, second)`
gives an `Outcome` with the truth of every item and one or two scores for it, and `repeat` does that for many seeds.

The file of a trial is named after the method that it is for and has it as `TRIAL`; there is no other list of them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from engine.methods.registry import METHODS

if TYPE_CHECKING:
    from engine.evaluation.trials.outcome import Trial


def every_trial() -> dict[str, type[Trial]]:
    """Slug -> trial, of every method that has one: the `TRIAL` of `engine/evaluation/trials/<slug>.py`."""
    return of_methods("engine.evaluation.trials.{}".format, "TRIAL")


def of_methods(module_name: Callable[[str], str], name: str) -> dict[str, Any]:
    """Slug -> what is called `name` in the module of that slug, for the methods that have one, in their order."""
    modules = {slug: module_called(module_name(slug)) for slug in METHODS}
    return {slug: getattr(module, name) for slug, module in modules.items() if module is not None}


def module_called(name: str) -> ModuleType | None:
    """A module by its name, None where there is none; what goes wrong inside one that is there is raised."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        return None
