"""How long class networks will take, and what memory, told before it is begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.methods.method import Cost, Size

if TYPE_CHECKING:
    from engine.methods.discriminative.settings import DiscriminativeSettings

FOLDS = 10
"""As many as "subject" means in most tables."""
_CONTRASTS = 2  # one of two classes, else one a class: a table's size does not say
_FIT, _VARIABLE, _PAIR = 1.2e-3, 1e-4, 3e-6  # seconds of one fit, and in it of a variable and of a pair of them
_CELL = 1.5e-11  # of one row and cell of the tables of all pairs
_BYTES = 900.0  # of a variable in a row


def cost(method: DiscriminativeSettings, size: Size) -> Cost:
    """About what `Discriminative.run` takes: everything is learned again for each fold and each shuffle.

    Parameters
    ----------
    method : its folds and shuffles
    size : of the table

    Returns
    -------
    `Cost`
    """
    folds = method.folds if isinstance(method.folds, int) else FOLDS if method.folds == "subject" else size.rows
    fits = (method.shuffles + 1) * (folds + 1) * _CONTRASTS
    pairs = size.variables**2
    fit = _FIT + _VARIABLE * size.variables + pairs * (_PAIR + _CELL * size.rows * size.levels**2)
    fewer = (["shuffles"] if method.shuffles else []) + (["folds"] if folds > FOLDS else [])
    quicker = f"fewer {' or '.join(fewer)}" if fewer else ""
    return Cost(fits * fit, _BYTES * size.variables * size.rows, quicker=quicker)
