"""How long a fit will take, told before it is begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import words
from engine.methods.ordinal.settings import LATENT, OrdinalSettings
from engine.methods.ordinal.structural_em import (
    FEWER_POINTS,
    MANY_ANSWERS,
    POINTS,
    STEPS,
    draws_for,
)

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

WORTH_TELLING = 15.0
"""Seconds from which it is said."""
_DRAW, _PRODUCT = 5e-8, 6e-10  # seconds of a truncated draw, and of one product of a row, of one core
_POINT = 6e-8
_ROUNDS = 4  # that a walk takes as a rule
_SEARCH = 2e-4  # seconds a search takes for every pair of variables


def seconds(method: OrdinalSettings, variables: int, rows: int) -> float:
    """About how long `Ordinal.run` computes on one core, without tables drawn again; rivals take next to nothing.

    Parameters
    ----------
    method : its approach and draws
    variables, rows : of the table

    Returns
    -------
    seconds; half or twice as long is no surprise
    """
    if method.approach not in LATENT:
        return 0.0
    draws = draws_for(method.draws, rows, len(STEPS))
    points = 8 * (POINTS if rows * variables <= MANY_ANSWERS else FEWER_POINTS)
    sweep = rows * variables * (_DRAW + 0.75 * variables * _PRODUCT)
    judged = rows * points * variables * (_POINT + 0.5 * variables * _PRODUCT)
    return len(STEPS) * _ROUNDS * (draws * sweep + judged + _SEARCH * variables**2)


def sentence(method: OrdinalSettings, data: Dataset) -> str:
    """What to expect of a large table; empty where it is quick.

    Parameters
    ----------
    method : the settings
    data : the table

    Returns
    -------
    one sentence, or none
    """
    about = seconds(method, data.n_variables, data.n_rows)
    if about < WORTH_TELLING:
        return ""
    size = f"{words.count(data.n_variables, 'variable')} and {words.count(data.n_rows, 'row')}"
    return (
        f"{size} will take about {words.duration(about)} on one core; choose fewer variables, or fewer draws, to be "
        "quicker."
    )
