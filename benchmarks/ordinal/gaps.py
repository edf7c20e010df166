"""Complete tables that lose some of their cells, so that what a method makes of gaps can be checked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.data.dataset import Dataset
from engine.data.preparing.levels import missing_label
from engine.errors import SettingsError


def with_gaps(data: Dataset, share: float, generator: np.random.Generator) -> Dataset:
    """The data with answers missing completely at random, which then have a level of their own, the last.

    The level is called as `Dataset.from_frame(missing="level")` calls it, and `FixedColumn.missing` of the data set's
    recipe says which it is. An ordinal variable stays ordinal: its other levels keep their order.

    Examples
    --------
    >>> from engine.simulation.ordinal import random_latent_model
    >>> data = random_latent_model(4, np.random.default_rng(0), neighbours=2).sample(50, np.random.default_rng(1))
    >>> gaps = with_gaps(data, 0.05, np.random.default_rng(2))
    >>> gaps.levels["X1"], sum(int((gaps[name] == "missing").sum()) for name in gaps.names)
    (('1', '2', '3', '4', 'missing'), 10)
    """
    if not 0 <= share < 1:
        raise SettingsError(f"share is {share}; of all cells it can be from 0 to below 1.", setting="share")
    codes = data.codes.astype(np.int64)
    positions = generator.choice(codes.size, size=round(share * codes.size), replace=False)
    removed = np.isin(np.arange(codes.size), positions).reshape(codes.shape)
    labels = {name: missing_label(data.levels[name]) for name in data.names if removed[data.index(name)].any()}
    levels = {name: (*data.levels[name], *([labels[name]] if name in labels else [])) for name in data.names}
    codes = np.where(removed, data.arity[:, None], codes)
    recipe = data.recipe
    columns = [
        replace(column, levels=levels[column.name], missing=labels.get(column.name, column.missing))
        for column in recipe.columns
    ]
    # the numbers behind intervals would tell what is missing, and the report is about a table without gaps
    return data.with_codes(
        codes,
        levels=levels,
        made_by=replace(recipe, columns=tuple(columns)),
        numbers={},
        report=None,
    )
