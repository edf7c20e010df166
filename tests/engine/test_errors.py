"""Errors keep what they name, also on the way back from another process."""

from __future__ import annotations

import pickle

import pytest

import engine


def test_data_error_keeps_its_place_through_pickling() -> None:
    """Text, column and row survive."""
    error = pickle.loads(pickle.dumps(engine.DataError("no", column="age", row=7)))  # noqa: S301
    assert (str(error), error.column, error.row) == ("no", "age", 7)


@pytest.mark.parametrize("kind", [engine.DataError, engine.SettingsError])
def test_user_errors_are_value_errors_of_one_family(kind: type[Exception]) -> None:
    """A script can catch all of them by one name."""
    assert issubclass(kind, engine.DiptychError)
    assert issubclass(kind, ValueError)
