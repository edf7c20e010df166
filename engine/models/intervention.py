"""What a network says when some of its variables are set rather than seen: do(x), and a variable that is randomised.

Setting a variable cuts the arrows into it and leaves every other table as it is: the truncated factorisation of Pearl
(2009), Causality, section 3.2. It answers for the world only where the arrows are causes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from engine.errors import DataError
from engine.models.evidence import posteriors
from engine.models.network import Network
from engine.words import short


def intervene(network: Network, do: Mapping[str, str], randomised: Collection[str] = ()) -> Network:
    """The network in which some variables are set from outside, whatever their parents.

    Parameters
    ----------
    network : any discrete network, its arrows read as causes
    do : name -> the level that it is set to
    randomised : names of variables whose level is drawn by lot instead, each level as probable

    Returns
    -------
    the network without arrows into these variables; `posteriors`, `query` and `sample` of it answer under do(...)

    Raises
    ------
    DataError : no such variable or level, or one is both set and randomised

    Examples
    --------
    >>> tables = (np.array([[0.75, 0.25]]), np.array([[1.0, 0.0], [0.25, 0.75]]))
    >>> network = engine.models.Network(("rain", "wet"), (("no", "yes"),) * 2, ((), (0,)), tables)
    >>> engine.models.intervene(network, {"wet": "yes"}).query("rain").tolist()
    [0.75, 0.25]
    """
    rows = {child: np.eye(len(network.levels[child]))[code] for child, code in network.positions_of(do).items()}
    for name in randomised:
        if name not in network.names:
            raise DataError(f"The network has no variable {short(name, 60)!r}.", column=name)
        if name in do:
            raise DataError(f"{short(name, 60)!r} is both set and randomised; choose one.", column=name)
        child = network.names.index(name)
        rows[child] = np.full(len(network.levels[child]), 1 / len(network.levels[child]))
    return Network(
        network.names,
        network.levels,
        tuple(() if child in rows else family for child, family in enumerate(network.parents)),
        tuple(rows[child][None, :] if child in rows else table for child, table in enumerate(network.tables)),
    )


def seen_and_done(network: Network, do: Mapping[str, str], x: str, y: str) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of Y's levels where X is seen at the level it is set to, and where it is set; the rest is set.

    Parameters
    ----------
    network : any discrete network, its arrows read as causes
    do : name -> the level that it is set to, X among them
    x, y : names of two variables

    Returns
    -------
    two arrays of (levels,)

    Raises
    ------
    DataError : no such variable or level, or X never has the level

    Examples
    --------
    >>> tables = (np.array([[0.75, 0.25]]), np.array([[1.0, 0.0], [0.25, 0.75]]))
    >>> network = engine.models.Network(("rain", "wet"), (("no", "yes"),) * 2, ((), (0,)), tables)
    >>> [p.tolist() for p in seen_and_done(network, {"wet": "yes"}, "wet", "rain")]
    [[0.0, 1.0], [0.75, 0.25]]
    """
    others = {name: level for name, level in do.items() if name != x}
    return posteriors(intervene(network, others), {x: do[x]})[y], posteriors(intervene(network, do))[y]
