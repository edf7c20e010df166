"""The commonest slip: something else where a data set is asked for."""

from __future__ import annotations

from typing import Any

from engine.data.dataset import Dataset
from engine.errors import DataError


def as_dataset(data: Any, call: str) -> Dataset:
    """`data`, where it is a data set.

    Parameters
    ----------
    data : what was given
    call : what was called, as one writes it, for the sentence

    Returns
    -------
    the data set

    Raises
    ------
    DataError : a frame or anything else; the text says what to write instead
    """
    if isinstance(data, Dataset):
        return data
    what = "a pandas table" if type(data).__name__ == "DataFrame" else f"a {type(data).__name__}"
    raise DataError(f"{call} needs a Dataset, not {what}; write data = engine.Dataset.from_frame(table) before it.")


def same_data(data: Dataset, fingerprint: str) -> None:
    """Nothing where an answer was made from these data.

    Parameters
    ----------
    data : what was given
    fingerprint : of the data that the answer was made from

    Raises
    ------
    DataError : they are others
    """
    if not data.is_of(fingerprint):
        raise DataError("These are not the data of this result; ask with the data it was made from.")
