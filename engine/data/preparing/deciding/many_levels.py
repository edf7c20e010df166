"""Columns with very many levels, levels that hardly a row has, and codes whose labels may be grades."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.deciding.ticks import CHOICES, answers_in
from engine.data.preparing.proposals import names_codes, suspicious
from engine.data.preparing.variables import Variable
from engine.data.reading.naming import shown_name
from engine.text import Count, Level, People, first, told

_MANY = 12
_RARE = "rare-levels"
_RARE_ROWS, _RARE_SHARE = 5, 0.01
_TARGETS = {"nominal": "'other'", "ordinal": "the next level"}
_MOST_RARE = 0.1
"""Share of the cells beyond which the levels are not rare but the table is short."""


def many_levels(view: TableView) -> Iterator[Finding]:
    """One card for all columns with more than twelve levels, one for all others with rare levels."""
    left = view.answered(CHOICES)  # as one word; else a card asks about the answers in these words first
    worded = [name for name in view.now if _is_worded(view, name)]
    sizes = {name: _sizes(view.raw[name]) for name in worded if name in left or not answers_in(view.now[name])[0]}
    yield from _many_card(view, {name: size for name, size in sizes.items() if len(size) > _MANY})
    few = [name for name, size in sizes.items() if len(size) <= _MANY]
    yield from _rare_cards(view, few)


def _is_worded(view: TableView, name: str) -> bool:
    """True where a column has levels of its own: also one that such a card has left out."""
    left_out = view.kinds[name] == "ignore" and name in view.answered("many-levels")
    kind = view.proposals[name].kind if left_out else view.kinds[name]
    return kind in ("nominal", "ordinal") and name not in view.choices.roles


def _sizes(variable: Variable) -> np.ndarray:
    counts = variable.counts()
    return np.sort(counts[counts > 0])[::-1]


def _many_card(view: TableView, sizes: dict[str, np.ndarray]) -> Iterator[Finding]:
    columns = list(sizes)
    if not columns:
        return
    # eleven levels and the rest: fewer where several are equally frequent
    thresholds = {name: int(size[_MANY - 1]) + 1 for name, size in sizes.items()}
    rest = sum(int(size[size < thresholds[name]].sum()) for name, size in sizes.items())
    merge: Change = {"rare": thresholds}
    leave: Change = {"kinds": dict.fromkeys(columns, "ignore")}
    yield Finding(
        "many-levels",
        columns,
        {
            "sizes": first(
                (told("'{}' ({})", shown_name(name, 40), Count(len(size))) for name, size in sizes.items()), most=3
            )
        },
        {"merge": merge, "drop": leave, "keep": {}},
        view.n * len(columns) / 2,
        effects={"merge": told("{} of rarer levels are merged", People(rest, "cell"))},
        chosen=all(view.choices.chosen_for("rare", name) for name in columns),
    )


def _rare_cards(view: TableView, names: Sequence[str]) -> Iterator[Finding]:
    """Cards that were settled, whatever has become of the rows since, and one for the other columns."""
    least = max(_RARE_ROWS, int(np.ceil(_RARE_SHARE * view.n)))
    complete, _ = view.after({})
    sizes = {name: _sizes_kept(view, name, complete) for name in names}
    rare = {name: size[size < least] for name, size in sizes.items()}
    settled = [columns for columns in view.settled_columns(_RARE) if sizes.keys() >= {*columns}]
    decided = {name for columns in settled for name in columns}
    useful = [name for name in sizes if name not in decided and _is_of_use(view, name, rare[name], sizes[name])]
    for columns in settled:
        yield from _rare_card(view, columns, rare, least)
    if not all(view.choices.chosen_for("rare", name) for name in useful):
        yield from _rare_card(view, useful, rare, least)


def _sizes_kept(view: TableView, name: str, rows: np.ndarray) -> np.ndarray:
    """Kept rows of each level, levels merged as asked being one: what is rare is judged by these."""
    variable = view.now[name]
    codes = variable.codes[rows]
    counts = np.bincount(codes[codes >= 0], minlength=variable.n_distinct).tolist()
    pairs = view.choices.merge.get(name, {})
    sizes: dict[str, int] = {}
    for level, rows_of in zip(variable.level_names(), counts, strict=True):
        into = pairs.get(level, level)
        sizes[into] = sizes.get(into, 0) + rows_of
    result = np.array(list(sizes.values()), np.int64)
    return result[result > 0]


def _rare_card(
    view: TableView, columns: Sequence[str], rare: Mapping[str, np.ndarray], least: int
) -> Iterator[Finding]:
    cells = sum(int(rare[name].sum()) for name in columns)
    levels = sum(len(rare[name]) for name in columns)
    if not levels:
        return
    merge: Change = {"rare": dict.fromkeys(columns, least)}
    where = {view.kinds[name] for name in columns}
    targets = " or ".join(_TARGETS[kind] for kind in ("nominal", "ordinal") if kind in where)
    yield Finding(
        _RARE,
        columns,
        {"levels": Count(levels, "level"), "least": Count(least)},
        {"merge": merge, "keep": {}},
        cells,
        number=levels,
        effects={"merge": told("{} move to {}", People(cells, "cell"), targets)},
    )


def _is_of_use(view: TableView, name: str, rare: np.ndarray, sizes: np.ndarray) -> bool:
    """True where merging rare levels makes larger ones and leaves two others."""
    if not len(rare) or len(sizes) - len(rare) < 2 or rare.sum() > _MOST_RARE * sizes.sum():
        return False
    return len(rare) > 1 or view.kinds[name] == "ordinal"  # one alone would only be called 'other'


_FEWEST = 3


def labelled_codes(view: TableView) -> Iterator[Finding]:
    """A card for each set of labels whose order only the user knows; columns with the same labels share it."""
    sets: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name in view.labelled:
        pairs = _levels(view, name)
        if len(pairs) >= _FEWEST and _is_open(view, name):
            sets.setdefault(pairs, []).append(name)
    for pairs, columns in sets.items():
        levels = [label for _, label in pairs]
        names: Change = {"levels": dict.fromkeys(columns, levels)}
        grades: Change = {**names, "kinds": dict.fromkeys(columns, "ordinal")}
        ends = (*pairs[0], *pairs[-1])
        yield Finding(
            "labelled-codes",
            columns,
            {"codes": Count(len(pairs)), **dict(zip(("low", "least", "high", "most"), map(Level, ends), strict=True))},
            {"grades": grades, "names": names},
            view.n * len(columns) / 3,
            effects={"grades": "the levels have an order", "names": "the levels have none"},
            chosen=all(name in view.choices.kinds for name in columns),
        )


def _levels(view: TableView, name: str) -> tuple[tuple[str, str], ...]:
    """(code, level) of the codes that a row has and that are not chosen to be missing."""
    variable = view.now[name]
    counts = variable.counts()
    present = {word for word, n in zip(variable.words or (), counts, strict=False) if n}
    return tuple((code, label) for code, label in view.labelled[name] if label in present)


def _is_open(view: TableView, name: str) -> bool:
    """True where neither the file, nor the words, nor the name of the column says what it is."""
    answered = name in view.answered("labelled-codes")
    kind = view.proposals[name].kind
    if name not in view.answered("missing-code") and suspicious(view.now[name]):
        return False  # whether "refused" is a level is asked first
    return name not in view.choices.roles and (
        answered or (kind == "nominal" and view.kinds[name] == "nominal" and not names_codes(name))
    )
