"""The rows of each group as a data set of its own, so that one method can be asked of each."""

from __future__ import annotations

from engine.data.dataset import Dataset, as_dataset


def by_group(data: Dataset, group: str) -> dict[str, Dataset]:
    """The rows of each level of a variable, without that variable itself.

    All parts have the levels of the whole table, also those that no row of a part has, so their answers can be
    compared; `origin` says which rows of the table they are.

    Parameters
    ----------
    data : the table
    group : name of the variable that parts the rows

    Returns
    -------
    level -> Dataset, of levels that have rows, in their order

    Raises
    ------
    DataError : no data set, or no variable has that name

    Examples
    --------
    >>> parts = engine.by_group(sample_data.dataset("two_hospitals"), "hospital")
    >>> {level: len(part) for level, part in parts.items()}
    {'North': 613, 'South': 587}
    """
    return as_dataset(data, "engine.by_group(data, group)").split(group)
