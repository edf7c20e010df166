"""Cards for columns with very many levels, and for levels that hardly a row has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engine.data.preparing.deciding.decision import Change, Decision, Option, columns_in, key_of, quoted
from engine.data.preparing.deciding.look import Look
from engine.data.preparing.variables import Variable
from engine.words import count, first

_MANY = 12
_RARE = "rare-levels"
_RARE_ROWS, _RARE_SHARE = 5, 0.01
_TARGETS = {"nominal": "'other'", "ordinal": "the next level"}
_MOST_RARE = 0.1
"""Share of the cells beyond which the levels are not rare but the table is short."""


def many_levels(look: Look) -> Iterator[Decision]:
    """One card for all columns with more than twelve levels, one for all others with rare levels."""
    sizes = {name: _sizes(look.raw[name]) for name in look.now if _is_worded(look, name)}
    yield from _many_card(look, {name: size for name, size in sizes.items() if len(size) > _MANY})
    few = [name for name, size in sizes.items() if len(size) <= _MANY]
    yield from _rare_cards(look, few)


def _is_worded(look: Look, name: str) -> bool:
    """Whether a column has levels of its own: also one that such a card has left out."""
    worded = ("nominal", "ordinal")
    left_out = name in look.answered("many-levels")
    kind = look.proposals[name].kind if left_out and look.kinds[name] == "ignore" else look.kinds[name]
    return kind in worded and name not in look.choices.roles


def _sizes(variable: Variable) -> np.ndarray:
    counts = variable.counts()
    return np.sort(counts[counts > 0])[::-1]


def _many_card(look: Look, sizes: dict[str, np.ndarray]) -> Iterator[Decision]:
    columns = list(sizes)
    key = key_of("many-levels", columns)
    by_hand = key not in look.choices.settled and all(look.choices.rare_for(name) for name in columns)
    if not columns or by_hand:
        return
    # eleven levels and the rest: fewer where several are equally frequent
    thresholds = {name: int(size[_MANY - 1]) + 1 for name, size in sizes.items()}
    rest = sum(int(size[size < thresholds[name]].sum()) for name, size in sizes.items())
    merge: Change = {"rare": thresholds}
    leave: Change = {"kinds": dict.fromkeys(columns, "ignore")}
    named = first((f"'{name[:40]}' ({len(size)})" for name, size in sizes.items()), most=3)
    has = "has" if len(columns) == 1 else "have"
    it = "it" if len(columns) == 1 else "them"
    effect = f"{count(rest, 'cell')} of rarer levels are merged"
    yield from look.ask(
        key,
        columns,
        f"{named} {has} very many levels: merge the rare ones?",
        "With many levels there are few rows for each, and whatever depends on them is learned badly.",
        (
            Option("merge", "Merge rare levels", f"{effect}", merge),
            Option("drop", f"Leave {it} out", "", leave),
            Option("keep", "Keep all levels", "", {}),
        ),
        look.n * len(columns) / 2,
    )


def _rare_cards(look: Look, names: Sequence[str]) -> Iterator[Decision]:
    """Cards that were settled, whatever has become of the rows since, and one for the other columns."""
    least = max(_RARE_ROWS, int(np.ceil(_RARE_SHARE * look.n)))
    kept, _ = look.after({})
    sizes = {name: _sizes_kept(look, name, kept) for name in names}
    rare = {name: size[size < least] for name, size in sizes.items()}
    settled = [
        columns for key in look.choices.settled if (columns := _rare_columns(key, look)) and sizes.keys() >= {*columns}
    ]
    decided = {name for columns in settled for name in columns}
    useful = [name for name in sizes if name not in decided and _is_of_use(look, name, rare[name], sizes[name])]
    for columns in settled:
        yield from _rare_card(look, columns, rare, least)
    if not all(look.choices.rare_for(name) for name in useful):
        yield from _rare_card(look, useful, rare, least)


def _rare_columns(key: str, look: Look) -> list[str]:
    """The columns that the key of such a card names; none where it is of another kind, or the table has others."""
    found = columns_in(key, look.now)
    return found if key_of(_RARE, found) == key else []


def _sizes_kept(look: Look, name: str, rows: np.ndarray) -> np.ndarray:
    """Kept rows of each level, levels merged as asked being one: what is rare is judged by these."""
    variable = look.now[name]
    codes = variable.codes[rows]
    counts = np.bincount(codes[codes >= 0], minlength=variable.n_distinct).tolist()
    pairs = look.choices.merge.get(name, {})
    sizes: dict[str, int] = {}
    for level, rows_of in zip(variable.level_names(), counts, strict=True):
        into = pairs.get(level, level)
        sizes[into] = sizes.get(into, 0) + rows_of
    found = np.array(list(sizes.values()), np.int64)
    return found[found > 0]


def _rare_card(look: Look, columns: Sequence[str], rare: Mapping[str, np.ndarray], least: int) -> Iterator[Decision]:
    key = key_of(_RARE, columns)
    cells = sum(int(rare[name].sum()) for name in columns)
    levels = sum(len(rare[name]) for name in columns)
    if not levels:
        return
    merge: Change = {"rare": dict.fromkeys(columns, least)}
    named = quoted(columns)
    where = {look.kinds[name] for name in columns}
    moved = f"{count(cells, 'cell')} move to " + " or ".join(
        _TARGETS[kind] for kind in ("nominal", "ordinal") if kind in where
    )
    yield from look.ask(
        key,
        columns,
        f"{count(levels, 'level')} of {named} {'has' if levels == 1 else 'have'} fewer than {least:,} rows: merge "
        f"{'it with another' if levels == 1 else 'them'}?",
        "From so few rows nothing is learned about a level.",
        (
            Option("merge", "Merge rare levels", f"{moved}", merge),
            Option("keep", "Keep all levels", "", {}),
        ),
        cells,
    )


def _is_of_use(look: Look, name: str, rare: np.ndarray, sizes: np.ndarray) -> bool:
    """Whether merging rare levels makes larger ones and leaves two others."""
    if not len(rare) or len(sizes) - len(rare) < 2 or rare.sum() > _MOST_RARE * sizes.sum():
        return False
    return len(rare) > 1 or look.kinds[name] == "ordinal"  # one alone would only be called 'other'
