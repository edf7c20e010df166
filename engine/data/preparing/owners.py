"""Columns that say which rows belong together: by their names, or by how their values behave."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from engine.data.preparing.derived import only_values
from engine.data.preparing.proposals import MOST_LEVELS, nearly_numeric
from engine.data.preparing.variables import Variable
from engine.data.reading.demographic_words import is_demographic
from engine.data.reading.name_words import names_cluster, names_person
from engine.data.units import unit_in

FEWEST_VALUES, LEAST_REPEATS = 6, 2
"""Values that a column which groups rows has, and rows of each on average."""
_MOST_COLUMNS = 6
_OTHER_ROLES = ("group", "outcome", "time", "weight")
FEWEST_OWNERS = 6
_LARGEST = 0.34
"""Share of the rows that one owner may have."""
_FEWEST_WORDS = 13
"""Different words from which on they may be names of persons; fewer are levels."""
_FEWEST_AGAIN = 5
"""Rows beyond the first of each owner."""
_CERTAIN = -6.0
"""Power of ten of the chance that a column is the same in all rows of each owner, below which it is no chance."""
_MOST_EQUAL = 0.8
"""Chance that two rows are equal in a column, above which that tells nothing."""
_SAMPLE = 2_000
_FULL = 0.7
"""Share of all pairs of an owner and a time that have a row, from which on it is a plan that each was met each time."""
_MOST_TIMES = 60
_MOST_CANDIDATES = 12
_FEWEST_EACH, _FEWEST_ALIKE = 2.0, 8
_F_SIGMA, _UNSMOOTH = 8.0, 1.4
"""Distance of a mean square between owners from chance, and ratio of von Neumann of their means (2 by chance)."""


def grouping_columns(
    variables: Iterable[Variable], used: Callable[[str], bool], roles: Mapping[str, str], rows: np.ndarray
) -> tuple[dict[str, np.ndarray], list[str]]:
    """Columns that may say which rows belong together -> their values as numbers, of all rows; and those whose values
    say so whatever their name is.

    Such a column is called so (patient, ward, school), is an identifier, or holds words too many for levels; it has six
    values or more, which repeat twice on average or more. Ordinary measures are never among them.
    """
    result: dict[str, np.ndarray] = {}
    if "subject" in roles.values():
        return result, []
    variables = list(variables)
    for variable in variables:
        if len(result) == _MOST_COLUMNS:
            break
        if variable.sort not in ("words", "number") or roles.get(variable.name) in _OTHER_ROLES:
            continue
        named = names_person(variable.name) or names_cluster(variable.name)
        many = variable.sort == "words" and variable.n_distinct > MOST_LEVELS and not used(variable.name)
        wordy = many and not nearly_numeric(variable)
        if not (named or wordy or roles.get(variable.name) == "identifier"):
            continue
        if variable.sort == "number" and not variable.whole:
            continue
        if not FEWEST_VALUES <= variable.n_distinct <= len(variable.codes) / LEAST_REPEATS:
            continue
        have = variable.codes[rows & (variable.codes >= 0)]
        values = int((np.bincount(have) > 0).sum()) if len(have) else 0
        if FEWEST_VALUES <= values <= len(have) / LEAST_REPEATS:
            result[variable.name] = variable.codes
    every = {item.name: item for item in variables}
    owners = find_owners(variables, result, lambda item: not roles.get(item.name))
    owners = owners[: _MOST_COLUMNS - len(result)]
    return {**result, **{name: every[name].codes for name in owners}}, owners


def find_owners(
    variables: Sequence[Variable], known: Collection[str], allowed: Callable[[Variable], bool]
) -> list[str]:
    """Columns whose values are persons, animals, sites: others never change inside a value, or are alike there.

    Of whole numbers and many words that repeat. A column that follows from a number in intervals (a group of ages)
    says nothing, nor does one that changes smoothly with it.

    Parameters
    ----------
    variables : of a table
    known : columns that are owners by their names
    allowed : whether a column may be one at all
    """
    others = [item for item in variables if item.sort in ("number", "words", "flag") and item.n_distinct >= 2]
    result: list[str] = []
    looked_at = 0
    for item in variables:
        if looked_at < _MOST_CANDIDATES and item.name not in known and _may_own(item) and allowed(item):
            looked_at += 1
            rest = [other for other in others if other is not item and other.name not in {*known, *result}]
            if _keeps_some(item, rest) or _was_planned(item, rest) or _holds_alike(item, rest):
                result.append(item.name)
    return result


def _may_own(item: Variable) -> bool:
    """True where it has values enough that repeat, and may be names or numbers of somebody: what has a unit is none."""
    rows = len(item.codes) - item.n_missing
    if item.sort == "number":
        if not item.whole or item.n_distinct < FEWEST_OWNERS:
            return False
    elif item.sort != "words" or item.n_distinct < _FEWEST_WORDS:
        return False
    if (
        item.n_distinct > rows - _FEWEST_AGAIN
        or 2 * item.n_missing > rows
        or is_demographic(item.name)
        or unit_in(item.name)
    ):
        return False
    return bool(item.counts().max() <= _LARGEST * rows)


def _keeps_some(item: Variable, others: Iterable[Variable]) -> bool:
    """True where other columns are the same in all rows of each value, beyond chance, and not as intervals of it."""
    found = 0.0
    for other in others:
        if 2 * other.n_distinct > item.n_distinct + 1 or 2 * other.n_missing > len(other.codes):
            continue
        if not (_follows(item, other, _SAMPLE) and _follows(item, other)) or _is_cut(item, other):
            continue
        share = np.bincount(other.codes[other.codes >= 0]) / max(int((other.codes >= 0).sum()), 1)
        equal = float((share**2).sum())
        both = item.codes[(item.codes >= 0) & (other.codes >= 0)]
        again = len(both) - int((np.bincount(both) > 0).sum())
        if equal <= _MOST_EQUAL:  # where nearly all rows are one, the others may be of one kind for another reason
            found += again * float(np.log10(max(equal, 1e-9)))
    return found <= _CERTAIN


def _follows(item: Variable, other: Variable, most: int | None = None) -> bool:
    a, b = item.codes[:most], other.codes[:most]
    known = (a >= 0) & (b >= 0)
    its = np.full(item.n_distinct, -1, np.int64)
    its[a[known]] = b[known]
    return bool((its[a[known]] == b[known]).all())


def _is_cut(item: Variable, other: Variable) -> bool:
    """True where the values of a column are intervals of a number."""
    if item.sort != "number":
        return False
    its = only_values(other, item)  # which have been found to be the same in all rows of each
    line = its[its >= 0]
    return int((np.diff(line) != 0).sum()) <= other.n_distinct + 1


def _was_planned(item: Variable, others: Iterable[Variable]) -> bool:
    """True where each value was met at most once at each of a few times, and mostly at all of them."""
    for other in others:
        pairs = item.n_distinct * other.n_distinct
        known = (item.codes >= 0) & (other.codes >= 0)
        rows = int(known.sum())
        if (
            other.n_distinct > min(_MOST_TIMES, item.n_distinct)
            or (other.n_distinct < 3 and item.n_distinct < _FEWEST_WORDS)
            or not _FULL * pairs <= rows <= pairs
        ):
            continue
        key = item.codes[known].astype(np.int64) * other.n_distinct + other.codes[known]
        if rows >= 3 * FEWEST_OWNERS and len(np.unique(key)) == rows:
            return True
    return False


def _holds_alike(item: Variable, others: Iterable[Variable]) -> bool:
    """True where columns that differ between values of a number do so no less between neighbours than between all."""
    if item.sort != "number" or item.n_distinct < _FEWEST_ALIKE:
        return False
    size = np.bincount(item.codes[item.codes >= 0], minlength=item.n_distinct).astype(float)
    if (item.codes >= 0).sum() < _FEWEST_EACH * item.n_distinct:
        return False
    differ = jump = 0
    for other in others:
        known = (item.codes >= 0) & (other.codes >= 0)
        a, b = item.codes[known], other.codes[known].astype(float)
        size = np.bincount(a, minlength=item.n_distinct).astype(float)
        k, n = int((size > 0).sum()), len(a)
        if k < _FEWEST_ALIKE or n < _FEWEST_EACH * k or not b.std() or n <= k:
            continue
        sums = np.bincount(a, b, item.n_distinct)
        means = sums[size > 0] / size[size > 0]
        between = float((size[size > 0] * (means - b.mean()) ** 2).sum())
        within = float(((b - b.mean()) ** 2).sum()) - between
        ratio = (between / (k - 1)) / max(within / (n - k), 1e-12)
        spread = np.sqrt(2 / (k - 1) + 2 / (n - k))
        unsmooth = float((np.diff(means) ** 2).sum() / max(((means - means.mean()) ** 2).sum(), 1e-12))
        if (ratio - 1) / spread >= _F_SIGMA:
            differ += 1
            jump += unsmooth >= _UNSMOOTH
    return 3 * jump > 2 * differ
