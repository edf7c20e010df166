"""Items of a scale that run against its others: keyed the other way round, and turned only if the user says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.proposals import level_order
from engine.words import listed

REVERSED_ITEMS, FLIP = "reversed-items", "flip"
_FEWEST_ITEMS, _FEWEST_ROWS, _MOST_ROWS = 4, 40, 20_000
_FEWEST_LEVELS = 3
_LARGEST_MINORITY = 0.45
"""Share of a scale's items from which on nobody can say which of them are turned round."""
_CLEARLY, _Z, _SOME = -0.1, -4.0, 0.1
"""An item runs against its scale where its mean correlation with the others and its z with their sum are below these,
and hardly any correlates with it the other way.
"""
_SCALE_AT_LEAST = 0.25
"""Mean correlation of the other items, in absolute value, with the rest: less is no scale."""
_STEM = re.compile(r"[\W_]*\d+\w?$")


def reversed_items(view: TableView) -> Iterator[Finding]:
    """A card for each scale with items that run against its others; those that are settled stay as they are."""
    settled = [columns for columns in view.settled_columns(REVERSED_ITEMS) if columns]
    decided = {name for columns in settled for name in columns}
    scales = _scales(view)
    for columns in settled:
        own = next((scale for scale in scales if {*columns} <= {*scale}), columns)
        yield _finding(view, columns, _correlations(view, own, columns))
    for scale in scales:
        if decided.isdisjoint(scale):
            rest = _against(view, scale)
            if rest:
                yield _finding(view, list(rest), rest)


def _finding(view: TableView, columns: Sequence[str], rest: Mapping[str, float]) -> Finding:
    order = {name: _order(view, name) for name in columns}
    turn: Change = {
        "kinds": dict.fromkeys(columns, "ordinal"),
        "levels": {name: list(reversed(levels)) for name, levels in order.items()},
    }
    shown = listed(f"{name[:20]} {rest[name]:+.2f}" for name in list(columns)[:6] if name in rest)
    levels = max(order.values(), key=len)
    return Finding(
        REVERSED_ITEMS,
        columns,
        {"rest": shown},
        {FLIP: turn, "leave": {}},
        view.n * len(columns) / 4,
        effects={FLIP: f"levels run from '{levels[-1][:30]}' to '{levels[0][:30]}'", "leave": "nothing changes"},
    )


def _scales(view: TableView) -> list[list[str]]:
    """Ordered columns that share one vocabulary and the beginning of their names; by vocabulary where names differ."""
    groups: list[tuple[frozenset[str], list[str]]] = []
    orders = {name: frozenset(_order(view, name)) for name in view.used if view.kinds[name] == "ordinal"}
    for name, levels in sorted(orders.items(), key=lambda item: -len(item[1])):
        own = next((columns for words, columns in groups if levels <= words and 2 * len(levels) > len(words)), None)
        if own is not None:
            own.append(name)
        elif len(levels) >= _FEWEST_LEVELS:
            groups.append((levels, [name]))
    place = list(view.now).index
    result = []
    for _, columns in groups:
        stems: dict[str, list[str]] = {}
        for name in sorted(columns, key=place):
            stems.setdefault(_stem(name), []).append(name)
        alone = [name for names in stems.values() if len(names) == 1 for name in names]
        result += [names for names in (*stems.values(), alone) if len(names) >= _FEWEST_ITEMS]
    return result


def _stem(name: str) -> str:
    """The beginning of a name before the number of the item."""
    bare = _STEM.sub("", name)
    return (bare if bare != name else name.partition("_")[0] or name).casefold()


def _order(view: TableView, name: str) -> tuple[str, ...]:
    """The levels that a row has, from least to most, as they stand where no decision of ours turned them."""
    variable = view.now[name]
    present = {level for level, rows in zip(variable.level_names(), variable.counts(), strict=True) if rows}
    given = view.choices.levels.get(name, ())
    if name in view.answered(REVERSED_ITEMS) or not present <= {*given}:
        given = level_order(variable)[0]
    return tuple(level for level in given if level in present)


def _ranks(view: TableView, names: Sequence[str]) -> np.ndarray:
    """(rows, items) standardized mid-ranks of some rows; 0 where a value is missing."""
    chosen = np.linspace(0, view.n - 1, min(view.n, _MOST_ROWS)).astype(np.int64)
    result = np.zeros((len(chosen), len(names)))
    for j, name in enumerate(names):
        variable = view.now[name]
        place = {level: i for i, level in enumerate(_order(view, name))}
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


def _against(view: TableView, scale: Sequence[str]) -> dict[str, float]:
    """Item -> its rank correlation with the rest of its scale, of the items that clearly run against the others."""
    if view.n < _FEWEST_ROWS:
        return {}
    ranks = _ranks(view, scale)
    correlation = ranks.T @ ranks / len(ranks)
    first = np.linalg.eigh(correlation)[1][:, -1]
    minority = first < 0 if (first < 0).sum() * 2 <= len(first) else first > 0
    if not minority.any() or minority.mean() > _LARGEST_MINORITY:
        return {}
    others = [name for name, odd in zip(scale, minority, strict=True) if not odd]
    inside = _with_rest(ranks, np.flatnonzero(~minority), np.flatnonzero(~minority))
    if len(others) < 2 or inside.mean() < _SCALE_AT_LEAST:
        return {}
    outside = _with_rest(ranks, np.flatnonzero(minority), np.flatnonzero(~minority))
    single = correlation[np.ix_(minority, ~minority)]
    with_it = (single * np.sqrt(len(ranks) - 1) > -_Z / 2).mean(axis=1)
    clear = (outside * np.sqrt(len(ranks) - 1) < _Z) & (single.mean(axis=1) < _CLEARLY) & (with_it <= _SOME)
    names = [name for name, odd in zip(scale, minority, strict=True) if odd]
    return {name: float(r) for name, r, is_clear in zip(names, outside, clear, strict=True) if is_clear}


def _correlations(view: TableView, scale: Sequence[str], columns: Sequence[str]) -> dict[str, float]:
    """Item -> its rank correlation with those of its scale that are not among the columns."""
    odd = np.array([name in columns for name in scale])
    if odd.all():
        return {}
    result = _with_rest(_ranks(view, scale), np.flatnonzero(odd), np.flatnonzero(~odd))
    return dict(zip([name for name in scale if name in columns], map(float, result), strict=True))


def _with_rest(ranks: np.ndarray, items: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Correlation of each item with the sum of the rest, itself left out."""
    whole = ranks[:, rest].sum(axis=1)
    result = []
    for item in items:
        other = whole - ranks[:, item] * (item in rest)
        spread = ranks[:, item].std() * other.std()
        result.append(float((ranks[:, item] * (other - other.mean())).mean() / spread) if spread > 0 else 0.0)
    return np.array(result)
