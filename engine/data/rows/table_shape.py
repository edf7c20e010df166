"""Sentences on tables whose rows are not one case each: long ones, those that lie on their side, totals in between;
and on columns of two units.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.detection import limit_of
from engine.data.preparing.variables import Variable, decimal_of
from engine.data.reading.last_rows import TOTALS
from engine.data.reading.name_words import name_words, names_one_of, names_person
from engine.data.reading.naming import shown_name, shown_value
from engine.data.reading.numbers import is_number, level_text
from engine.text import Level, Number, People, Text, told

_OF_WHAT = {
    "parameter", "variable", "analyte", "analyt", "test", "item", "question", "measure", "measurement", "marker",
    "biomarker", "assay", "component", "indicator", "attribute", "feature", "lab", "merkmal", "kennwert", "messgröße",
    "untersuchung", "frage", "variabele", "paramètre", "analyse", "parametro", "parámetro", "prueba", "análisis",
    "pregunta", "esame", "domanda",
}  # fmt: skip
_VALUES = {
    "value", "result", "reading", "measurement", "score", "answer", "response", "wert", "messwert", "ergebnis",
    "antwort", "valeur", "résultat", "réponse", "valor", "resultado", "respuesta", "valore", "risultato", "risposta",
    "waarde", "resultaat", "antwoord",
}  # fmt: skip
"""Words of the names of two columns: one says what was measured, the other holds the value."""
_EACH, _MOSTLY, _FULL = 1.5, 0.9, 0.9
"""Rows of a person on average, and shares of cells that are nearly all."""
_APART = 0.7
"""Share of the spread of ranks between two things that hardly overlap; of two that never do it is three quarters."""
_MOST_LYING = 500
_GAP, _GAP_RANGES, _ODDS = np.log(10), 3.0, np.log(2)
_FEWEST, _LEAST = 5, 0.05
"""Rows, and share of them, on either side of a gap between two units."""


def odd_shape(view: TableView) -> Iterator[Text]:
    """A sentence on each way in which the rows of a table are not one case each, or a column has two units."""
    variables = [item for item in view.now.values() if item.sort != "unusable" and item.times is None]
    yield from _long(variables)
    yield from _lying(variables)
    yield from _totals(variables)
    for item in variables:
        if view.kinds[item.name] == "continuous" and item.name not in view.choices.kinds:
            yield from _two_units(item)


def _long(variables: Sequence[Variable]) -> Iterator[Text]:
    """Where a row holds one value, a column says of what, and each person has several such rows."""
    persons = [item for item in variables if names_person(item.name) and item.n_rows >= _EACH * item.n_distinct > 1]
    values = [item for item in variables if persons and item.sort != "date" and _holds_numbers(item)]
    for what in variables:
        if what.sort != "words" or not 2 <= what.n_distinct <= what.n_rows / 2 or names_person(what.name):
            continue
        whose = next((item for item in persons if _has_several(item, what)), None)
        for value in values if whose is not None else ():
            signs = names_one_of(name_words(what.name), _OF_WHAT) + names_one_of(name_words(value.name), _VALUES)
            if value is not what and (signs == 2 or (signs and _are_apart(what, value))):
                plain = (
                    "The table is long: each row holds one '{}', and '{}' says of what. Make it one row of each '{}' "
                    "with a column for each '{}' (a pivot table) before you use it."
                )
                yield told(plain, *(shown_name(item.name, 30) for item in (value, what, whose, what) if item))
                return


def _holds_numbers(item: Variable) -> bool:
    """True where most values are numbers or limits; results of some tests may be words."""
    if item.numbers is not None or not item.words:
        return item.n_distinct > 2
    decimal = decimal_of(item.words)
    numbers = sum(bool(is_number(word, decimal) or limit_of(word, decimal)) for word in item.words)
    return item.n_distinct > 2 and 2 * numbers > item.n_distinct


def _has_several(whose: Variable, what: Variable) -> bool:
    """True where another column differs between the rows of a person."""
    both = (whose.codes >= 0) & (what.codes >= 0)
    pairs = np.unique(whose.codes[both].astype(np.int64) * what.n_distinct + what.codes[both])
    return len(pairs) >= _EACH * whose.n_distinct


def _are_apart(what: Variable, value: Variable) -> bool:
    """True where most of the differences between numbers are between the things that were measured."""
    known = (what.codes >= 0) & (value.codes >= 0)
    if value.numbers is None or not known.any():
        return False
    ranks = np.argsort(np.argsort(value.numbers[value.codes[known]])).astype(float)
    size = np.bincount(what.codes[known])
    means = np.bincount(what.codes[known], ranks) / np.maximum(size, 1)
    between = float((size * (means - ranks.mean()) ** 2).sum())
    return between > _APART * float(((ranks - ranks.mean()) ** 2).sum())


def _lying(variables: Sequence[Variable]) -> Iterator[Text]:
    """Where rows look like variables: each is of numbers or of words, and the columns are both."""
    rows = variables[0].n_rows if variables else 0
    if not 3 <= rows < min(len(variables), _MOST_LYING):
        return
    names, *cases = variables
    both = sum(item.sort == "words" for item in cases)
    if names.sort != "words" or names.n_distinct < rows or both < _MOSTLY * len(cases):
        return
    numeric = np.array([_are_numbers(item)[item.codes] for item in cases])
    known = np.array([item.codes >= 0 for item in cases])
    share = (numeric & known).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    if ((share > _MOSTLY) | (share < 1 - _MOSTLY)).all() and (share > _MOSTLY).any() and (share < 1 - _MOSTLY).any():
        first = (shown_value(name, 30) for name in (names.level_names()[code] for code in names.codes[:2]))
        plain = (
            "The table lies on its side: its rows, such as '{}' and '{}', look like variables, its columns like cases. "
            "Turn it (transpose), so that each row is one case."
        )
        yield told(plain, *first)


def _are_numbers(item: Variable) -> np.ndarray:
    """(n_distinct + 1,) flags of the values that are numbers, at last of no value."""
    words = item.level_names()
    decimal = decimal_of(words)
    return np.array([*(item.numbers is not None or is_number(word, decimal) for word in words), False])


def _totals(variables: Sequence[Variable]) -> Iterator[Text]:
    """Where a few rows are named as totals or means, and lack all words and identifiers or stand among numbers."""
    for item in (one for one in variables if one.sort == "words"):
        odd = np.array([*map(_names_total, item.level_names()), False])[item.codes]
        if not 0 < odd.sum() <= (1 - _MOSTLY) * len(odd):
            continue
        names = [other.codes >= 0 for other in variables if other is not item and _names_cases(other, ~odd)]
        lacks = ~np.any(names, axis=0) if names else np.zeros(len(odd), bool)
        among = _are_numbers(item)[item.codes][~odd].mean() > 1 / 2
        rows = np.flatnonzero(odd & (lacks | among))
        if len(rows):
            text = item.level_names()[item.codes[rows[0]]]
            count = People(len(rows), "row looks like a total or mean", "rows look like totals or means")
            plain = "{}, such as row {} with '{}' in '{}': delete or filter out what is no case."
            at = rows[0] if item.origin is None else item.origin[rows[0]]
            yield told(plain, count, Number(f"{at + 1:,}"), shown_value(text, 30), shown_name(item.name))
            return


def _names_cases(item: Variable, cases: np.ndarray) -> bool:
    """True where a column has a word, or a number of its own, for nearly every case."""
    known = item.codes[cases] >= 0
    return bool(known.mean() >= _FULL and (item.sort == "words" or item.n_distinct >= known.sum()))


def _names_total(word: str) -> bool:
    """True where a cell says that it stands for several rows, as "Mean", "Total:" or "Ward A mean"."""
    first, *_, last = [*word.split()[:1], *word.split()] or ["", ""]
    return any(len(part) > 2 and TOTALS.fullmatch(part.strip(":()=")) is not None for part in (first, last))


def _two_units(item: Variable) -> Iterator[Text]:
    """Where positive numbers lie in two ranges with none for a long way between, as heights in m and in cm."""
    numbers, counts = item.known_numbers, item.counts()
    positive = numbers > 0
    values, rows = np.log(numbers[positive]), counts[positive]
    if len(values) < 2 * _FEWEST or item.stand_ins or item.whole:
        return
    place = int(np.argmax(np.diff(values))) + 1
    gap, ranges = values[place] - values[place - 1], (values[place - 1] - values[0], values[-1] - values[place])
    fewest = max(_FEWEST, _LEAST * rows.sum())
    if min(place, len(values) - place) < 3 or min(rows[:place].sum(), rows[place:].sum()) < fewest:
        return
    if gap >= max(_GAP, *ranges) or gap >= max(_ODDS, _GAP_RANGES * max(ranges)):
        low, high = (level_text(round(float(numbers[positive][at]), 6)) for at in (place - 1, place))
        plain = "'{}' may have two units: its numbers go up to {} and from {} on, with none between. Write all in one."
        yield told(plain, shown_name(item.name), Level(low), Level(high))
