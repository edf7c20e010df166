"""Which counts are hidden where small ones shall not be shown: cells of a table, and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.lazy import nx, pd
from engine.telling.tables import BY_ITSELF, COUNTS, TableDescription
from engine.text import Name, Number, Part, People, Share, Text, has_number

OTHER = "hidden"
"""The sign in place of a count that would give a small one away."""
Cell = tuple[int, str]
"""Row number from 0, and column."""
_MOST_SOLVED = 400
"""Cells of crossing wholes that are covered at the least cost; of more each whole by itself."""


@dataclass
class Hidden:
    """The hidden cells of one table.

    Attributes
    ----------
    least : counts from 1 to below this are not shown; 0 hides nothing
    small : cells that hold such a count
    others : counts from which a small one could be worked out
    derived : numbers made of hidden counts
    counts : what rows are, such as {"sex = f", "North"} -> their hidden number, of a table whose numbers stand in texts
    """

    least: int
    small: set[Cell] = field(default_factory=set)
    others: set[Cell] = field(default_factory=set)
    derived: set[Cell] = field(default_factory=set)
    counts: dict[frozenset[str], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.small | self.others | self.derived)

    def words(self, cell: Cell) -> str | None:
        """The text in a cell instead of its number; None where the number stands."""
        if cell in self.small:
            return fewer(self.least)
        return OTHER if cell in self.others or cell in self.derived else None


def fewer(least: int) -> str:
    """'fewer than 5'."""
    return f"fewer than {least}"


def is_small(count: float, least: int) -> bool:
    """True of a count that is not shown: above 0 and under the least."""
    return 0 < count < least


def hidden_counts(counts: Sequence[int], least: int) -> tuple[set[int], set[int]]:
    """Which parts of a whole of known size are hidden: the small ones, and as many others as it takes.

    Examples
    --------
    >>> hidden_counts([3, 40, 12], 5)
    ({0}, {2})
    """
    small = {i for i, count in enumerate(counts) if is_small(count, least)}
    others: set[int] = set()
    _complete(list(range(len(counts))), counts, small, others, least)
    return small, others


def hidden_cells(
    table: pd.DataFrame, about: TableDescription, least: int, whole: int | None = None, forced: Iterable[Cell] = ()
) -> Hidden:
    """The cells of a table that are hidden.

    Counts that do not add up within it are parts of `whole`; those of `forced` are hidden whatever they are.
    """
    result = Hidden(least)
    if not least or not len(table):
        return result
    counts = counts_of(table, about, whole)
    result.small = {cell for cell, count in counts.items() if is_small(count, least)}
    result.others = {cell for cell in forced if cell not in result.small}
    sets = [cells for cells in wholes_of(table, about, list(counts)) if len(cells) > 1]
    if not sets and whole is not None:  # the rest of the rows is a part of the whole as well
        result.others |= {cell for cell, number in counts.items() if is_small(whole - number, least)} - result.small
    for lines in _crossing(sets):
        if len(lines) > 1 and sum(map(len, lines)) <= _MOST_SOLVED:
            _open(lines, counts, result.small, result.others, least)
            continue
        size = -1
        while size != (size := len(result.others)):
            for cells in lines:
                _complete(cells, counts, result.small, result.others, least)
    result.derived = _derived(table, about, result)
    return result


def counts_of(table: pd.DataFrame, about: TableDescription, whole: int | None = None) -> dict[Cell, int]:
    """The cells of a table that count people, and how many; a part is one of `whole`."""
    result: dict[Cell, int] = {}
    for name in table.columns:
        kind = about.column(str(name), table[name].dtype.kind in "iu").kind
        if kind not in COUNTS:
            continue
        for i, value in enumerate(table[name]):
            if value == value and value is not None and not isinstance(value, str):
                result[i, name] = round(float(value) * (whole or 1)) if kind == "part" else int(value)
    return result


def wholes_of(table: pd.DataFrame, about: TableDescription, cells: Sequence[Cell]) -> Iterable[list[Cell]]:
    """Cells that add up to what a reader may know."""
    for keys in about.sums:
        groups: dict[Any, list[Cell]] = {}
        values = list(zip(*(table[key] for key in keys), strict=True)) if keys else [()] * len(table)
        for i, name in cells:
            groups.setdefault((values[i], name), []).append((i, name))
        yield from groups.values()
    if about.matrix:
        rows: dict[int, list[Cell]] = {}
        for i, name in cells:
            rows.setdefault(i, []).append((i, name))
        yield from rows.values()


def _complete(
    cells: Sequence[Any],
    counts: Mapping[Any, int] | Sequence[int],
    small: set[Any],
    others: set[Any],
    least: int,
) -> None:
    """Hide further parts of a whole until no hidden one can be told more closely than "fewer than the least"."""
    inside = [cell for cell in cells if cell in small or cell in others]
    if not any(cell in small for cell in inside) and len(inside) != 1:
        return
    rest = sorted((cell for cell in cells if cell not in inside), key=lambda cell: counts[cell])
    rest = [cell for cell in rest if counts[cell]] + [cell for cell in rest if not counts[cell]]
    while inside and not _enough(inside, counts, small, least) and rest:
        others.add(rest[0])
        inside.append(rest.pop(0))


def _crossing(wholes: Sequence[Sequence[Cell]]) -> Iterable[list[Sequence[Cell]]]:
    """Wholes in groups, those together that share a cell directly or by others."""
    graph = nx.Graph((i, cell) for i, cells in enumerate(wholes) for cell in cells)
    for group in nx.connected_components(graph):
        yield [wholes[i] for i in sorted(one for one in group if isinstance(one, int))]


def _open(
    lines: Sequence[Sequence[Cell]], counts: Mapping[Cell, int], small: set[Cell], others: set[Cell], least: int
) -> None:
    """Hide further cells until who knows all sums can take each small one for anything from 1 to below the least.

    For each end a linear program asks for another table of the same sums that changes the fewest shown cells (the flows
    of Cox, Journal of the American Statistical Association 90, 1995); these are hidden. One that is hidden for another
    reason can be more or less by the least.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack

    cells = sorted({cell for line in lines for cell in line}, key=lambda cell: (counts[cell], cell))
    place = {cell: i for i, cell in enumerate(cells)}
    begins = np.cumsum([0, *map(len, lines)])
    columns = [place[cell] for line in lines for cell in line]
    sums = csr_array((np.ones(len(columns)), columns, begins), shape=(len(lines), len(cells)))
    sums = hstack([sums, -sums])
    n = np.array([counts[cell] for cell in cells], dtype=float)
    few = np.array([cell in small for cell in cells])
    up, down = np.where(few, least - 1 - n, np.inf), np.where(few, n - 1, np.maximum(n - least, 0))
    cost = np.where(n > 0, 1 + n / (1 + n.max()), 4.0)  # no row is a poor cover, and the fewer rows the less is lost

    def moved(cell: Cell, by: int) -> bool:
        i, hidden = place[cell], np.array([one in small or one in others for one in cells])
        bounds = [[(0.0, float(end)) for end in up], [(0.0, float(end)) for end in down]]
        bounds[0][i], bounds[1][i] = (max(by, 0.0),) * 2, (max(-by, 0.0),) * 2
        prices = np.where(hidden, 1e-6, cost)
        found = linprog(np.tile(prices, 2), A_eq=sums, b_eq=np.zeros(len(lines)), bounds=[*bounds[0], *bounds[1]])
        if found.success:
            changed = found.x.reshape(2, -1).max(axis=0) > 1e-7
            others.update(cells[k] for k in np.flatnonzero(changed & ~hidden))
        return bool(found.success)

    for cell in [cell for cell in cells if cell in small or cell in others]:
        ends = (1, least - 1) if cell in small else (counts[cell] + least,)
        wanted = [end - counts[cell] for end in ends if end != counts[cell]]
        nearer = [by for by in (1, -1) if cell in others or 1 <= counts[cell] + by < least]
        if sum(moved(cell, by) for by in wanted) < len(wanted) and not any(moved(cell, by) for by in nearer):
            others.update({one for line in lines if cell in line for one in line} - small)


def _enough(inside: Sequence[Any], counts: Any, small: set[Any], least: int) -> bool:
    """Two parts or more, whose sum leaves every small one free to be anything from 1 to below the least."""
    few, number, whole = sum(cell in small for cell in inside), len(inside), sum(counts[cell] for cell in inside)
    if number == few:  # a reader knows of each that it is from 1 to below the least
        return number > 1 and number - 1 + least - 1 <= whole <= (number - 1) * (least - 1) + 1
    return number > 1 and whole >= few * (least - 1) + (number - few) * least


def _derived(table: pd.DataFrame, about: TableDescription, cells: Hidden) -> set[Cell]:
    """Numbers of the same row that were made of a hidden count, and columns that tell neighbours apart."""
    hidden = cells.small | cells.others
    rows = {i for i, _ in hidden}
    kinds = {name: about.column(str(name), table[name].dtype.kind in "iu").kind for name in table.columns}
    dependent = [name for name, kind in kinds.items() if kind not in BY_ITSELF and name not in about.keys]
    derived = {(i, name) for i in rows for name in dependent} - hidden
    if about.reveals:
        keys = list(about.sums[0])
        groups = list(zip(*(table[key] for key in keys), strict=True))
        touched = {groups[i] for i in rows}
        derived |= {(i, name) for i, group in enumerate(groups) if group in touched for name in about.reveals}
    return derived


def gives_away(text: str, least: int, wholes: Iterable[int] = (), unsure: Iterable[str] = ()) -> bool:
    """True where a count of people from 1 to below the least can be read from a sentence, or worked out of it.

    A figure in a text that nobody declared may be such a count.

    Parameters
    ----------
    text : a `Text`; of a plain str nothing is known
    least : the smallest count that is shown; 0 hides nothing
    wholes : numbers of people that a reader knows, so that a number a little smaller gives the rest away
    unsure : variables of which no figure is shown, since their counts are hidden

    Examples
    --------
    >>> from engine.text import Name, People, told
    >>> gives_away(told("{} differs in {}.", Name("age"), People(3, "row", of=40)), 5), gives_away("age has 3 rows", 5)
    (True, True)
    """
    if not least:
        return False
    if not isinstance(text, Text):
        return has_number(text)
    parts, whole = text.parts, tuple(wholes)
    if any(part.is_number for part in parts) and not {*unsure}.isdisjoint(
        part for part in parts if isinstance(part, Name)
    ):
        return True
    return any(_tells(part, least, whole) for part in parts if part.is_number)


def _tells(part: Part, least: int, wholes: Sequence[int]) -> bool:
    match part:
        case People(n=n, of=whole):
            return is_small(n, least) or any(is_small(one - n, least) for one in (whole, *wholes) if one)
        case Share(hits=hits, n=n):
            rounded = (round(hits), round(n), round(n) - round(hits))
            return any(is_small(number, least) for number in rounded)
        case Number():
            return False
    return True
