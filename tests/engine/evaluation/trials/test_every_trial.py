"""What a method brings for its evaluation is found by its slug, and nothing is made of what is not there."""

from __future__ import annotations

import pytest

from engine.evaluation.trials import module_called, of_methods
from engine.methods.registry import METHODS


def test_a_method_is_found_where_its_slug_says() -> None:
    """Those that have a trial, in the order of the registry; a place where none has anything is empty."""
    found = of_methods("engine.evaluation.trials.{}".format, "TRIAL")
    assert list(found) == [slug for slug in METHODS if slug in found]
    assert {"group_difference", "instance_specific"} <= set(found)
    assert of_methods("engine.evaluation.nowhere.{}".format, "TRIAL") == {}


def test_what_goes_wrong_inside_a_module_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that is not there is none; one that asks for something missing is an error."""

    def asks_for_more(name: str) -> None:
        raise ModuleNotFoundError("No module named 'something_else'", name="something_else")

    assert module_called("engine.evaluation.trials.nothing_like_it") is None
    monkeypatch.setattr("engine.evaluation.trials.import_module", asks_for_more)
    with pytest.raises(ModuleNotFoundError, match="something_else"):
        module_called("engine.evaluation.trials.group_difference")
