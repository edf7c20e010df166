"""How long a fit will take, told before it is begun."""

from __future__ import annotations

from dataclasses import replace

from engine.methods.cost import Cost, Size
from engine.methods.ordinal.settings import BY_TEST, LATENT, OrdinalSettings
from engine.methods.ordinal.structural_em import (
    FEWER_POINTS,
    MANY_ANSWERS,
    POINTS,
    STEPS,
    draws_for,
)

_DRAW, _PRODUCT = 1e-8, 1.2e-10  # seconds of a truncated draw, and of one product of a row, of one core
_POINT = 1.2e-8
_ROUNDS = 4  # that a walk takes as a rule
_SEARCH = 4e-5  # seconds a search of one round takes for every pair of variables
_BY_SCORE, _QUICKER, _BY_TEST = 2.2e-4, 5e-5, 3e-4  # the same of a rival: a walk over orders, other searches, tests
_BYTES = {True: 600.0, False: 2000.0}  # of a pair, by tests and otherwise: matrices and what a walk remembers


def seconds(method: OrdinalSettings, variables: int, rows: int) -> float:
    """About how long `Ordinal.run` computes on one core, without tables drawn again.

    Parameters
    ----------
    method : its approach and draws
    variables, rows : of the table

    Returns
    -------
    seconds; half or twice as long is no surprise
    """
    if method.approach not in LATENT:
        by_score = _BY_SCORE if method.search == "order_mcmc" else _QUICKER
        return (_BY_TEST if method.approach in BY_TEST else by_score) * variables**2
    draws = draws_for(method.draws, rows, len(STEPS))
    points = 8 * (POINTS if rows * variables <= MANY_ANSWERS else FEWER_POINTS)
    sweep = rows * variables * (_DRAW + 0.75 * variables * _PRODUCT)
    judged = rows * points * variables * (_POINT + 0.5 * variables * _PRODUCT)
    return len(STEPS) * _ROUNDS * (draws * sweep + judged + _SEARCH * variables**2)


def cost_of_halves(method: OrdinalSettings, size: Size, runs: int) -> Cost:
    """About what learning so many halves of the rows takes.

    Parameters
    ----------
    method, size : as `cost` takes them
    runs : how many halves
    """
    return cost(replace(method, bootstrap=0), replace(size, rows=max(size.rows // 2, 1))).times(runs)


def cost(method: OrdinalSettings, size: Size) -> Cost:
    """About what `Ordinal.run` takes, tables drawn again included.

    Parameters
    ----------
    method : the settings
    size : of the table

    Returns
    -------
    `Cost`
    """
    once = seconds(method, size.variables, size.rows)
    memory = _BYTES[method.approach in BY_TEST] * size.variables**2
    drawn = once - seconds(replace(method, draws=1), size.variables, size.rows)
    fewer = (["draws"] if drawn > once / 4 else []) + (["tables drawn again"] if method.bootstrap else [])
    quicker = f"fewer {' or '.join(fewer)}" if fewer else ""
    return Cost(once * (1 + method.bootstrap), memory, "choose fewer variables, or another approach", quicker)
