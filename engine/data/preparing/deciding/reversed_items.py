"""Items of a scale that run against its others: keyed the other way round, and turned only if the user says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.proposals import level_order
from engine.data.reading.naming import shown_name, shown_value
from engine.text import Number, listed, told
from engine.words import with_sign

REVERSED_ITEMS, FLIP = "reversed-items", "flip"
_FEWEST_ITEMS, _FEWEST_ROWS, _MOST_ROWS = 4, 40, 5_000
_FEWEST_LEVELS = 3
_LARGEST_MINORITY = 0.45
"""Share of a scale's items from which on nobody can say which of them are turned round."""
_CLEARLY, _Z, _SOME = -0.1, -4.0, 0.1
"""An item runs against its scale where its mean correlation with the others and its z with their sum are below these,
and hardly any correlates with it the other way.
"""
_SCALE_AT_LEAST = 0.25
"""Mean correlation of the other items, in absolute value, with the rest: less is no scale."""
Orders = Mapping[str, tuple[str, ...]]
"""Column -> its levels from least to most."""
_STEM = re.compile(r"[\W_]*\d+\w?$")


def reversed_items(view: TableView) -> Iterator[Finding]:
    """A card for each scale with items that run against its others; those that are settled stay as they are."""
    settled = [columns for columns in view.settled_columns(REVERSED_ITEMS) if columns]
    decided = {name for columns in settled for name in columns}
    ordered = [name for name in view.now if view.kinds[name] == "ordinal" or name in decided]
    orders = {name: _order(view, name, turned=name in decided) for name in ordered}
    scales = _scales(orders)
    for columns in settled:
        own = next((scale for scale in scales if {*columns} <= {*scale}), columns)
        yield _finding(view, orders, columns, _correlations(view, orders, own, columns))
    for scale in scales:
        if decided.isdisjoint(scale):
            rest = _negative_item_rest(view, orders, scale)
            if rest:
                yield _finding(view, orders, list(rest), rest)


def _finding(view: TableView, orders: Orders, columns: Sequence[str], rest: Mapping[str, float]) -> Finding:
    turn: Change = {
        "kinds": dict.fromkeys(columns, "ordinal"),
        "levels": {name: list(reversed(orders[name])) for name in columns},
    }
    some = [name for name in list(columns)[:6] if name in rest]
    shown = listed(told("{} {}", shown_name(name, 20), Number(with_sign(rest[name], 2))) for name in some)
    levels = max((orders[name] for name in columns), key=len)
    return Finding(
        REVERSED_ITEMS,
        columns,
        {"rest": shown},
        {FLIP: turn, "leave": {}},
        view.n * len(columns) / 4,
        effects={
            FLIP: told("levels run from '{}' to '{}'", shown_value(levels[-1], 30), shown_value(levels[0], 30)),
            "leave": "nothing changes",
        },
    )


def _order(view: TableView, name: str, *, turned: bool) -> tuple[str, ...]:
    """The levels that a row has, from least to most, as they stand where no decision of ours has turned them."""
    variable = view.now[name]
    present = {level for level, rows in zip(variable.level_names(), variable.counts(), strict=True) if rows}
    given = view.choices.levels.get(name, ())
    if turned or not present <= {*given}:
        given = level_order(variable)[0]
    return tuple(level for level in given if level in present)


def _scales(orders: Orders) -> list[list[str]]:
    """Ordered columns that share one vocabulary and the beginning of their names; by vocabulary where names differ."""
    groups: list[tuple[set[str], list[str]]] = []
    for name, levels in sorted(orders.items(), key=lambda item: -len(item[1])):
        own = next((names for all_, names in groups if all_.issuperset(levels) and 2 * len(levels) > len(all_)), None)
        if own is not None:
            own.append(name)
        elif len(levels) >= _FEWEST_LEVELS:
            groups.append(({*levels}, [name]))
    place = {name: i for i, name in enumerate(orders)}
    result = []
    for _, columns in groups:
        stems: dict[str, list[str]] = {}
        for name in sorted(columns, key=place.__getitem__):
            stems.setdefault(_stem(name), []).append(name)
        alone = [name for names in stems.values() if len(names) == 1 for name in names]
        result += [names for names in (*stems.values(), alone) if len(names) >= _FEWEST_ITEMS]
    return result


def _stem(name: str) -> str:
    """The beginning of a name before the number of the item."""
    bare = _STEM.sub("", name)
    return (bare if bare != name else name.partition("_")[0] or name).casefold()


def _ranks(view: TableView, orders: Orders, names: Sequence[str]) -> np.ndarray:
    """(rows, items) standardized mid-ranks of some rows; 0 where a value is missing."""
    chosen = np.linspace(0, view.n - 1, min(view.n, _MOST_ROWS)).astype(np.int64)
    result = np.zeros((len(chosen), len(names)))
    for j, name in enumerate(names):
        variable = view.now[name]
        place = {level: i for i, level in enumerate(orders[name])}
        recode = np.array([*(place.get(level, -1) for level in variable.level_names()), -1])
        codes = recode[variable.codes[chosen]]
        known = codes >= 0
        counts = np.bincount(codes[known], minlength=len(place))
        middle = np.cumsum(counts) - (counts - 1) / 2
        ranks = middle[codes[known]]
        spread = ranks.std() if len(ranks) else 0.0
        if spread > 0:
            result[known, j] = (ranks - ranks.mean()) / spread
    return result


def _negative_item_rest(view: TableView, orders: Orders, scale: Sequence[str]) -> dict[str, float]:
    """Item -> its rank correlation with the rest of its scale, of the items that clearly run against the others."""
    if view.n < _FEWEST_ROWS:
        return {}
    ranks = _ranks(view, orders, scale)
    correlation = ranks.T @ ranks / len(ranks)
    first = np.linalg.eigh(correlation)[1][:, -1]
    odd = first < 0 if 2 * (first < 0).sum() <= len(first) else first > 0
    if not odd.any() or odd.mean() > _LARGEST_MINORITY:
        return {}
    if (~odd).sum() < 2 or _with_rest(ranks, ~odd, ~odd).mean() < _SCALE_AT_LEAST:
        return {}
    outside, single = _with_rest(ranks, odd, ~odd), correlation[np.ix_(odd, ~odd)]
    with_it = (single * np.sqrt(len(ranks) - 1) > -_Z / 2).mean(axis=1)
    clear = (outside * np.sqrt(len(ranks) - 1) < _Z) & (single.mean(axis=1) < _CLEARLY) & (with_it <= _SOME)
    names = [scale[int(i)] for i in np.flatnonzero(odd)]
    return {name: float(r) for name, r, is_clear in zip(names, outside, clear, strict=True) if is_clear}


def _correlations(view: TableView, orders: Orders, scale: Sequence[str], columns: Sequence[str]) -> dict[str, float]:
    """Item -> its rank correlation with those of its scale that are not among the columns."""
    odd = np.array([name in columns for name in scale])
    if odd.all():
        return {}
    result = _with_rest(_ranks(view, orders, scale), odd, ~odd)
    return dict(zip([name for name in scale if name in columns], map(float, result), strict=True))


def _with_rest(ranks: np.ndarray, items: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Correlation of each flagged item with the sum of the rest, itself left out."""
    whole = ranks[:, rest].sum(axis=1)
    result = []
    for item in np.flatnonzero(items):
        other = whole - ranks[:, item] * rest[item]
        spread = ranks[:, item].std() * other.std()
        result.append(float((ranks[:, item] * (other - other.mean())).mean() / spread) if spread > 0 else 0.0)
    return np.array(result)
