"""How rows are told by their values alone: the most extreme ones, and the kinds that they fall into."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np

from engine.data.item_scales import level_steps, lowest_code
from engine.data.table_rows import table_length
from engine.data.units import name_without_unit
from engine.lazy import pd
from engine.models.kinds import SEPARATED, apart
from engine.telling.instance_specific.numbers import share_beyond
from engine.telling.spoken import level_words
from engine.text import Count, Level, Name, Number, People, Share, Text, first, joined, listed, told
from engine.words import fraction, in_percent, with_minus

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.models.kinds import Extremes, Kinds

_MIDDLE = 0.5
"""SDs up to which a value is neither high nor low."""
_APART, _JUST = 1.5, 1.1
"""How many times as far as the next the farthest row lies apart, and up to which as chance puts it is just beyond."""
_SHORT_LEVEL = 12
"""Letters of a level up to which it stands itself, and not its place among all levels."""
BEYOND = "▲"
"""Of a distance that chance does not reach."""
MOST_LETTERS = 80
"""Of the values in a headline; of longer ones the first alone stands there, since the table below has all."""


def in_doubt(data: Dataset, extremes: Extremes, asked: Mapping[str, Collection[float]]) -> dict[int, tuple[str, ...]]:
    """Extreme row -> its variables whose number may be an error.

    Parameters
    ----------
    data : the table
    extremes : its most extreme rows
    asked : variable -> numbers of which it is asked whether they are errors
    """
    rows = {row: [name for name in asked if name in data.numbers] for row, _, _ in extremes.rows}
    found = {
        row: tuple(name for name in names if float(data.numbers[name].column[row]) in asked[name])
        for row, names in rows.items()
    }
    return {row: names for row, names in found.items() if names}


def farthest_row(
    data: Dataset, extremes: Extremes, named: Callable[[int], str], doubted: Mapping[int, tuple[str, ...]]
) -> Text:
    """The row farthest from all others and what sets it apart, where it lies farther out than chance allows.

    If its number is in doubt, the next without doubt stands beside it.

    Parameters
    ----------
    data : the table
    extremes : its most extreme rows
    named : row -> what it is called
    doubted : what `in_doubt` gives
    """
    row = extremes.rows[0][0]
    several = data.clusters is not None and int(data.clusters.max(initial=-1)) + 1 < data.n_rows
    noun = "row" if several else "patient"
    if extremes.rows[0][1] <= extremes.chance[1]:
        return told("None of the {} lies farther out than the farthest would by chance.", Count(data.n_rows, noun))
    values = _reasons(data, extremes, 0, doubted, brief=True)
    sure = [place for place, item in enumerate(extremes.rows) if item[0] not in doubted] if row in doubted else []
    few = len(values) > 1 and sum(map(len, values)) > MOST_LETTERS
    some = told("{} and {}", values[0], Count(len(values) - 1, "more value")) if few else joined(values, "; ")
    name = named(row)
    begins, why = Level(name[:1].upper() + name[1:]), values[0] if sure else some
    just = told(", just beyond chance") if _just_beyond(extremes) else ""
    text = told("{} lies farthest from the other {}{}: {}.", begins, Count(data.n_rows - 1, noun), just, why)
    if not sure:
        return text
    other = Level(named(extremes.rows[sure[0]][0]))
    return told("{} Without such doubt: {}, {}.", text, other, _reasons(data, extremes, sure[0], {}, brief=True)[0])


def how_far(data: Dataset, extremes: Extremes, doubted: Mapping[int, tuple[str, ...]]) -> Text:
    """What the distance is of, that of the first two rows and the median one, how many rows are in doubt or not ranked,
    and what it does not rank."""
    farthest, middle, low, high = (Number(f"{x:.1f}") for x in (extremes.rows[0][1], extremes.middle, *extremes.chance))
    following = Number(f"{extremes.rows[1][1]:.1f}")
    template = (
        "Overall distance of {} (Mahalanobis): {} for the farthest, {} for the next, at most {} for half of the rows."
    )
    text = told(template, Count(len(extremes.names), "variable"), farthest, following, middle)
    if extremes.skewed:
        which, be = first(map(Name, extremes.skewed), 3), "is" if len(extremes.skewed) == 1 else "are"
        text = told("{} {} {} skewed, so that some rows lie far out without an error.", text, which, be)
        if extremes.rows[0][1] >= _APART * extremes.rows[1][1]:
            text = told("{} The farthest lies apart even so.", text)
    elif extremes.chance[0] == extremes.chance[0]:
        beyond = sum(far > extremes.chance[1] for _, far, _ in extremes.rows)
        template = "{} Chance puts the farthest of as many at {} to {} (95 %); {} of the {} farthest {} beyond."
        lie = f"{'lies' if beyond == 1 else 'lie'}{' just' if _just_beyond(extremes) else ''}"
        text = told(template, text, low, high, Count(beyond), Count(len(extremes.rows)), lie)
    if doubted:
        many = Count(len(doubted)), Count(len(extremes.rows), "most extreme row")
        text = told("{} In {} of the {} a number may be an error: see the questions on Data.", text, *many)
    if unranked := table_length(data) - data.n_rows:
        text = told("{} Not ranked: {} with gaps or left out.", text, People(unranked, "row"))
    ranks = "{} The distance ranks how unusual values and their combination are, not severity: check the value first."
    return told(ranks, text)


def distance_names(extremes: Extremes) -> Text:
    """Which variables the distance is of.

    Parameters
    ----------
    extremes : the most extreme rows of a table
    """
    return told("The distance is of {}.", listed(map(Name, extremes.names)))


def _just_beyond(extremes: Extremes) -> bool:
    """True where the farthest row lies hardly farther than chance would put it."""
    return not extremes.skewed and extremes.chance[1] < extremes.rows[0][1] <= _JUST * extremes.chance[1]


def extremes_table(
    data: Dataset, extremes: Extremes, named: Callable[[int], str], doubted: Mapping[int, tuple[str, ...]]
) -> pd.DataFrame:
    """One row a row of the table that lies far from the others.

    Parameters
    ----------
    data : the table
    extremes : its most extreme rows
    named : row -> what it is called
    doubted : what `in_doubt` gives

    Returns
    -------
    columns patient, what sets it apart most, overall distance, marked where chance does not reach it, and that if these
    values were typical, as the others let expect
    """
    most = np.inf if extremes.skewed else extremes.chance[1]
    signs = [f"{BEYOND} " if far > most else "" for _, far, _ in extremes.rows]
    rows = [
        (
            named(row),
            joined(_reasons(data, extremes, place, doubted), "; "),
            f"{signs[place]}{far:.1f}",
            f"{without:.1f}",
        )
        for place, ((row, far, _), without) in enumerate(zip(extremes.rows, extremes.without, strict=True))
    ]
    return pd.DataFrame(
        rows, columns=["patient", "what sets it apart most", "overall distance", "distance if those were typical"]
    )


def kinds_words(kinds: Kinds) -> Text:
    """How many kinds there are and how separate, or that there are none.

    Parameters
    ----------
    kinds : of a table
    """
    own, chance, least = (Number(fraction(x)) for x in (kinds.silhouette, kinds.chance, SEPARATED))
    many = Count(int(kinds.codes.max()) + 1)
    if kinds.seen:
        template = "{} kinds; average silhouette {} (1: far apart, 0: overlapping), at most {} in tables without kinds."
        return told(template, many, own, chance)
    if kinds.silhouette <= SEPARATED:
        ends = told("even the best division overlaps (average silhouette {}; kinds only above {})", own, least)
    else:
        ends = told("tables without kinds divide as well (average silhouette {} here, up to {} there)", own, chance)
    return told("No separate kinds of patients are seen: {}.", ends)


def kinds_table(data: Dataset, kinds: Kinds) -> pd.DataFrame:
    """One row a kind: how many rows, and what sets it apart from the others, most of all first.

    Parameters
    ----------
    data : the table
    kinds : its kinds

    Returns
    -------
    columns kind, rows, what sets it apart
    """
    result = []
    for kind in range(int(kinds.codes.max()) + 1):
        inside = kinds.codes == kind
        words = joined((_difference(data, name, inside) for name in apart(data, kinds, kind)), "; ")
        result.append({"kind": f"kind {kind + 1}", "rows": int(inside.sum()), "what sets it apart": words})
    return pd.DataFrame(result)


def _reasons(
    data: Dataset, extremes: Extremes, place: int, doubted: Mapping[int, tuple[str, ...]], *, brief: bool = False
) -> list[Text]:
    """'lactate 8.2 mmol/L (highest)', 'smoking = yes (3 % of all)' of an extreme row, with a word on what may be an
    error; the combination where none of these is rare; and that others set it apart too where it lies far without."""
    row, _, names = extremes.rows[place]
    scores = extremes.combined[place]
    values = [
        told("{} ({}{})", *_value(data, row, name), "; may be an error" if name in doubted.get(row, ()) else "")
        for name in names
    ]
    if scores:
        sides = [_side(data, row, *item) for item in scores.items()][: 2 if brief else None]
        values = [told("an unusual combination of {} with {}", sides[0], listed(sides[1:]))]
    rest = told("more values together" if names else "many values together, none by itself")
    return [*values, *([rest] if extremes.without[place] > extremes.usual else [])]


def _side(data: Dataset, row: int, name: str, score: float) -> Text:
    """'lactate high (8.2 mmol/L)', 'mood low (1 of 4)', 'smoking = yes'."""
    if name not in data.numbers and data.kinds[name] != "ordinal":
        return level_words(name, data.levels[name][data.column(name)[row]])
    side = told("in the middle" if abs(score) < _MIDDLE else "high" if score > 0 else "low")
    unit = data.units.get(name, "")
    value: Level | Number
    if name in data.numbers:
        value = _written(float(data.numbers[name].column[row]), unit)
    else:
        value = level_place(data, name, data.levels[name][data.column(name)[row]])
    return told("{} {} ({})", Name(name_without_unit(name, unit)), side, value)


def level_place(data: Dataset, name: str, level: str) -> Level:
    """A short level itself, a long one by its place: '3 of 3'.

    Parameters
    ----------
    data : the table
    name : of a variable whose levels have an order
    level : of it
    """
    levels = data.levels[name]
    steps = level_steps(levels, lowest_code(data, name, levels))
    place = f"{steps[levels.index(level)]:.0f} of {steps[-1]:.0f}"
    return Level(level if len(level) <= _SHORT_LEVEL else with_minus(place))


def _written(value: float, unit: str) -> Number:
    """A number with its unit."""
    return Number(" ".join(filter(None, [with_minus(f"{value:.6g}"), unit])))


def _value(data: Dataset, row: int, name: str) -> tuple[Text, Text]:
    """A number with its unit, anything else as its level; and where it stands among all rows."""
    if name not in data.numbers:
        codes = data.column(name)
        share = Share((codes == codes[row]).sum(), len(codes))
        return level_words(name, data.levels[name][codes[row]]), told("{} of all", share)
    unit, column = data.units.get(name, ""), np.asarray(data.numbers[name].column, dtype=float)
    there = column[~np.isnan(column)]
    lower, higher = int((there < column[row]).sum()), int((there > column[row]).sum())
    stands = told("highest" if not higher else "lowest")
    if lower and higher:
        share = share_beyond(max(lower, higher) / len(there), len(there))
        stands = told("higher than in {}" if lower > higher else "lower than in {}", share)
    return told("{} {}", Name(name_without_unit(name, unit)), _written(column[row], unit)), stands


def _difference(data: Dataset, name: str, inside: np.ndarray) -> Text:
    """'lactate median 4.2 (others 1.8)', 'smoking = yes in 80 % (others 12 %)'."""
    if name in data.numbers:
        column = np.asarray(data.numbers[name].column, dtype=float)
        own, rest = (Number(with_minus(f"{float(np.nanmedian(column[rows])):.4g}")) for rows in (inside, ~inside))
        return told("{} median {} (others {})", Name(name), own, rest)
    codes = data.column(name)
    size = len(data.levels[name])
    here, others = (np.bincount(codes[rows], minlength=size) / max(rows.sum(), 1) for rows in (inside, ~inside))
    level = int(np.argmax(here - others))
    shares = (Share(in_percent(here[level])), Share(in_percent(others[level])))
    return told("{} = {} in {} (others {})", Name(name), Level(data.levels[name][level]), *shares)
