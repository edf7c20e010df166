"""What a method is evaluated with, found by its slug: nobody keeps a list of trials or studies."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from engine.methods import METHODS


def of_methods(place: Callable[[str], str], name: str) -> dict[str, Any]:
    """What is called `name` in a module of a method's own, for the methods that have it, in the order of the registry.

    Parameters
    ----------
    place : slug -> the module that would have it
    name : such as "TRIAL"

    Returns
    -------
    slug -> what was found
    """
    modules = {slug: module_called(place(slug)) for slug in METHODS}
    return {slug: getattr(module, name) for slug, module in modules.items() if module is not None}


def module_called(name: str) -> ModuleType | None:
    """A module by its name, None where there is none; what goes wrong inside one that is there is raised."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        return None
