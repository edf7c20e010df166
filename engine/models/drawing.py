"""A network changed step by step, as one draws it: each step makes a new network with whole tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from engine.errors import DataError, check_number
from engine.graphs.dag import Parents
from engine.lazy import pd
from engine.models.network import Network, check_size, check_table

MOST_LEVELS = 12
"""Levels of a variable that is drawn."""
LONGEST_NAME = 60
"""Letters of the name of a variable or level."""
MOST_VARIABLES = 60
"""Variables of a network that is drawn."""
_SAME = 1e-12
"""Difference of two probabilities that comes of dividing a row by its sum."""


def empty_network() -> Network:
    """A network without variables, to draw in.

    Returns
    -------
    the network

    Examples
    --------
    >>> add_variable(empty_network(), "rain").names
    ('rain',)
    """
    return Network((), (), (), ())


def add_variable(network: Network, name: str, levels: Sequence[str] = ("no", "yes")) -> Network:
    """The network with one variable more, without arrows; its levels are equally probable.

    Parameters
    ----------
    network : what it is added to
    name : of the variable, not one that is there
    levels : two or more names

    Returns
    -------
    the new network

    Raises
    ------
    DataError : the name is empty, long or taken, the levels are few, many or not all different, or the network is full

    Examples
    --------
    >>> add_variable(empty_network(), "rain", ("none", "some", "much")).tables[0].round(2).tolist()
    [[0.33, 0.33, 0.33]]
    """
    if len(network.names) >= MOST_VARIABLES:
        raise DataError(f"A drawn network has at most {MOST_VARIABLES} variables.")
    called = _new_name(network, name)
    own = _checked_levels(levels)
    table = np.full((1, len(own)), 1 / len(own))
    return Network((*network.names, called), (*network.levels, own), (*network.parents, ()), (*network.tables, table))


def remove_variable(network: Network, name: str) -> Network:
    """The network without a variable and its arrows; its children's tables are as `remove_arrow` leaves them.

    Parameters
    ----------
    network : what it is taken from
    name : of the variable

    Returns
    -------
    the new network

    Raises
    ------
    DataError : there is no such variable

    Examples
    --------
    >>> remove_variable(add_variable(empty_network(), "rain"), "rain").names
    ()
    """
    gone = network.position(name)
    for child, family in enumerate(network.parents):
        if gone in family:
            network = remove_arrow(network, name, network.names[child])
    rest = [i for i in range(len(network.names)) if i != gone]
    families = tuple(tuple(parent - (parent > gone) for parent in network.parents[i]) for i in rest)
    return Network(
        tuple(network.names[i] for i in rest),
        tuple(network.levels[i] for i in rest),
        families,
        tuple(network.tables[i] for i in rest),
    )


def rename_variable(network: Network, name: str, new_name: str, levels: Sequence[str] | None = None) -> Network:
    """The network with another name of a variable, and other names of its levels.

    Parameters
    ----------
    network : what is changed
    name, new_name : of the variable; both may be the same
    levels : as many as it has, or None to leave them

    Returns
    -------
    the new network

    Raises
    ------
    DataError : there is no such variable, or a name is empty, long or taken, or the number of levels differs

    Examples
    --------
    >>> rename_variable(add_variable(empty_network(), "rain"), "rain", "snow").names
    ('snow',)
    """
    here = network.position(name)
    called = name if new_name == name else _new_name(network, new_name)
    own = network.levels[here] if levels is None else _checked_levels(levels)
    if len(own) != len(network.levels[here]):
        raise DataError(f"{name!r} has {len(network.levels[here])} levels; name as many.", column=name)
    names, all_levels = list(network.names), list(network.levels)
    names[here], all_levels[here] = called, own
    return Network(tuple(names), tuple(all_levels), network.parents, network.tables)


def add_arrow(network: Network, source: str, target: str) -> Network:
    """The network with one arrow more; the target's probabilities are repeated for each level of the source.

    Parameters
    ----------
    network : what is changed
    source, target : names of two variables

    Returns
    -------
    the new network; the arrow has no effect until the target's table is changed

    Raises
    ------
    DataError : there is no such variable, the two are linked already, the arrow would close a circle, or the target's
        table would be too large

    Examples
    --------
    >>> network = add_variable(add_variable(empty_network(), "rain"), "wet")
    >>> add_arrow(network, "rain", "wet").tables[1].tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    parent, child = network.position(source), network.position(target)
    if parent == child:
        raise DataError("An arrow joins two different variables.")
    if parent in network.parents[child] or child in network.parents[parent]:
        raise DataError(f"{source} and {target} are linked already; take that arrow away first to turn it.")
    circle = _way(network.parents, child, parent)
    if circle is not None:
        round_trip = " → ".join(network.names[i] for i in (*circle, child))
        raise DataError(f"{source} → {target} would close a circle: {round_trip}. Arrows may not go round.")
    before, own = network.parents[child], len(network.levels[child])
    family = tuple(sorted((*before, parent)))
    check_size(target, [len(network.levels[i]) for i in (*family, child)])
    table = network.tables[child].reshape([*(len(network.levels[i]) for i in before), own])
    table = np.repeat(np.expand_dims(table, family.index(parent)), len(network.levels[parent]), family.index(parent))
    return _with_family(network, child, family, table.reshape(-1, own))


def remove_arrow(network: Network, source: str, target: str) -> Network:
    """The network without an arrow; the target's probabilities are their means over the source's levels as they occur.

    Parameters
    ----------
    network : what is changed
    source, target : names of two variables

    Returns
    -------
    the new network

    Raises
    ------
    DataError : there is no such variable or arrow

    Examples
    --------
    >>> tables = (np.array([[0.75, 0.25]]), np.array([[1.0, 0.0], [0.2, 0.8]]))
    >>> network = engine.models.Network(("rain", "wet"), (("no", "yes"),) * 2, ((), (0,)), tables)
    >>> remove_arrow(network, "rain", "wet").tables[1].round(2).tolist()
    [[0.8, 0.2]]
    """
    parent, child = network.position(source), network.position(target)
    before = network.parents[child]
    if parent not in before:
        raise DataError(f"There is no arrow {source} → {target}.")
    own = len(network.levels[child])
    table = network.tables[child].reshape([*(len(network.levels[i]) for i in before), own])
    mean = np.tensordot(network.query(source), np.moveaxis(table, before.index(parent), 0), axes=1)
    return _with_family(network, child, tuple(i for i in before if i != parent), mean.reshape(-1, own))


def set_table(network: Network, name: str, table: np.ndarray) -> Network:
    """The network with another table of a variable.

    Parameters
    ----------
    network : what is changed
    name : of the variable
    table : (configurations, levels) probabilities, rows as `Network.tables` has them

    Returns
    -------
    the new network, or the same where the table is that one already

    Raises
    ------
    DataError : there is no such variable, or a row does not sum to one; the row is named

    Examples
    --------
    >>> network = add_variable(empty_network(), "rain")
    >>> set_table(network, "rain", np.array([[0.75, 0.25]])).query("rain").tolist()
    [0.75, 0.25]
    """
    child = network.position(name)
    for number, row in enumerate(table):
        if not (np.isfinite(row).all() and (row >= 0).all()):
            raise DataError(f"Row {number + 1} of {name} holds something other than probabilities.", column=name)
        if abs(row.sum() - 1) > 1e-6:
            raise DataError(f"Row {number + 1} of {name} sums to {row.sum():.4g}; it must sum to 1.", column=name)
    whole = table / table.sum(axis=1, keepdims=True)
    check_table(name, whole, (network.configurations(child), len(network.levels[child])))
    if np.abs(whole - network.tables[child]).max() < _SAME:
        return network
    return _with_family(network, child, network.parents[child], whole)


def draw_tables(network: Network, seed: int, concentration: float = 1.0, names: Sequence[str] | None = None) -> Network:
    """The network with tables drawn from a Dirichlet distribution.

    Parameters
    ----------
    network : what is changed
    seed : of the draw
    concentration : of a cell; 1 is uniform over all distributions, below 1 the rows are more uneven
    names : of the variables whose tables are drawn; None for all

    Returns
    -------
    the new network

    Raises
    ------
    SettingsError : concentration is not above 0
    DataError : there is no such variable

    Examples
    --------
    >>> network = add_variable(empty_network(), "rain")
    >>> draw_tables(network, seed=1).tables[0].sum().round(9).item()
    1.0
    """
    check_number("concentration", concentration, above=0)
    generator = np.random.default_rng(seed)
    tables = list(network.tables)
    for child in range(len(tables)) if names is None else [network.position(name) for name in names]:
        levels = len(network.levels[child])
        tables[child] = generator.dirichlet(np.full(levels, concentration), size=network.configurations(child))
    return Network(network.names, network.levels, network.parents, tuple(tables))


def table_frame(network: Network, name: str) -> pd.DataFrame:
    """A variable's table as one reads and types it: a row a configuration of its parents, a column a level.

    Parameters
    ----------
    network : any discrete network
    name : of the variable

    Returns
    -------
    a column for each parent, by its name, then one for each level: "P(level)"

    Raises
    ------
    DataError : there is no such variable

    Examples
    --------
    >>> list(table_frame(add_variable(empty_network(), "rain"), "rain"))
    ['P(no)', 'P(yes)']
    """
    child = network.position(name)
    family = network.parents[child]
    rows = list(product(*(network.levels[parent] for parent in family)))
    columns: dict[str, list[object]] = {network.names[p]: [row[i] for row in rows] for i, p in enumerate(family)}
    for code, heading in enumerate(level_headings(network, name)):
        columns[heading] = [float(p) for p in network.tables[child][:, code]]
    return pd.DataFrame(columns)


def level_headings(network: Network, name: str) -> list[str]:
    """Names of the columns of a variable's levels in `table_frame`; no parent is called so."""
    child = network.position(name)
    taken = {network.names[parent] for parent in network.parents[child]}
    result = []
    for level in network.levels[child]:
        heading = f"P({level})"
        while heading in taken:
            heading += " "
        taken.add(heading)
        result.append(heading)
    return result


def read_table_frame(network: Network, name: str, frame: pd.DataFrame) -> Network:
    """The network with the probabilities that were typed into `table_frame`.

    Parameters
    ----------
    network : the one that the frame was made from
    name : of the variable
    frame : the frame, its rows in their order

    Returns
    -------
    the new network, or the same where nothing was changed

    Raises
    ------
    DataError : a row does not sum to one, or holds something other than probabilities
    """
    return set_table(network, name, frame[level_headings(network, name)].to_numpy(dtype=float))


def sample_rows(network: Network, rows: int, seed: int) -> pd.DataFrame:
    """A table of rows drawn from the network, with level names.

    Parameters
    ----------
    network : any discrete network with a variable
    rows : how many
    seed : of the draw

    Returns
    -------
    a column a variable

    Raises
    ------
    DataError : the network has no variable

    Examples
    --------
    >>> sample_rows(add_variable(empty_network(), "rain"), 3, seed=1)["rain"].tolist()
    ['yes', 'yes', 'no']
    """
    if not network.names:
        raise DataError("There is no variable to draw rows of.")
    return network.sample(rows, np.random.default_rng(seed)).to_frame()


def _with_family(network: Network, child: int, family: tuple[int, ...], table: np.ndarray) -> Network:
    """The network with other parents and another table of a variable."""
    parents, tables = list(network.parents), list(network.tables)
    parents[child], tables[child] = family, table
    return Network(network.names, network.levels, tuple(parents), tuple(tables))


def _way(parents: Parents, start: int, end: int) -> tuple[int, ...] | None:
    """A way from one variable to another along the arrows, or None."""
    waiting: list[tuple[int, ...]] = [(end,)]
    seen = {end}
    for way in waiting:
        if way[0] == start:
            return way
        for parent in parents[way[0]]:
            if parent not in seen:
                seen.add(parent)
                waiting.append((parent, *way))
    return None


def _new_name(network: Network, name: str) -> str:
    called = name.strip()
    if not called:
        raise DataError("A variable needs a name.")
    if len(called) > LONGEST_NAME:
        raise DataError(f"A name has at most {LONGEST_NAME} letters; this has {len(called)}.")
    if called in network.names:
        raise DataError(f"There is a variable {called!r} already; choose another name.")
    return called


def _checked_levels(levels: Sequence[str]) -> tuple[str, ...]:
    """Their names without space around them; `DataError` unless they are two or more, short and different."""
    own = tuple(level.strip() for level in levels)
    if not 2 <= len(own) <= MOST_LEVELS:
        raise DataError(f"A variable has 2 to {MOST_LEVELS} levels; {len(own)} are named.")
    if len(set(own)) < len(own) or not all(own) or max(map(len, own)) > LONGEST_NAME:
        raise DataError(f"Levels need different names of 1 to {LONGEST_NAME} letters.")
    return own
