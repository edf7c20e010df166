"""Roles of a table with several rows a subject: the column that says whose row each is, and when it was taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from engine.data.preparing.proposals import level_order
from engine.data.preparing.variables import Variable, column_names, make_variable
from engine.data.reading.demographic_words import DEMOGRAPHIC, SCHOOLING
from engine.data.reading.name_words import KEYS, name_words, names_one_of, subject_rank
from engine.data.reading.naming import shown_name, shown_value
from engine.errors import DataError
from engine.lazy import pd
from engine.text import Count, Text, told

MOST_CLASSES = 6
_TIMES = {
    "time", "timepoint", "datetime", "timestamp", "visit", "scan", "step", "day", "date", "week", "month", "quarter",
    "year", "hour", "minute", "second", "session", "wave", "epoch", "frame", "occasion", "round", "trial", "tick",
    "cycle", "period", "sequence", "seq", "measurement", "assessment", "followup",
}  # fmt: skip
_SPANS = {"per", "to", "until", "spent", "reaction", "response", "survival", "waiting"}
"""Words of names that say how long something took, or how much there was of it."""
_CLASSES = (
    "class", "diagnos-", "dx", "outcome", "target", "label", "group", "cohort", "disease", "arm", "case", "condition",
    "status", "relapse-", "respon-", "surviv-", "died", "death",
)  # fmt: skip
"""Words of a class column's name as `names_like` takes them, in order of preference."""
_PLACES = ("hospital", "site", "center", "centre", "clinic", "region", "district", "country")
_GROUPS = (
    (
        (
            "trt", "treat", "treatment", "treated", "arm", "armcd", "armcode", "trtgrp", "random-", "rx", "alloc-",
            "intervention", "group", "drug", "cohort", "dose", "gruppe", "groupe", "grupo", "behandlung", "traitement",
            "tratamiento",
        ),
        "an arm or a group",
        MOST_CLASSES,
    ),
    (("exposed", "exposure", "exposition", "exponiert", "vaccin-"), "an exposure", MOST_CLASSES),
    (("diagnos-", "dx", "case", "class", "cls", "klasse", "outcome", "target", "label"), "a class", MOST_CLASSES),
    (_PLACES, "a place", 2),
    (
        ("relapse-", "respon-", "surviv-", "died", "death", "dead", "event", "status", "complication"),
        "an outcome",
        MOST_CLASSES,
    ),
    (
        ("period", "phase", "wave", "timepoint", "occasion", "season", "epoch", "zeitraum", "periode"),
        "a period",
        MOST_CLASSES,
    ),
    (_PLACES, "a place", MOST_CLASSES),
    (("sex", "gender", "geschlecht", "sexe", "sexo"), "a sex", MOST_CLASSES),
)  # fmt: skip
"""Words of a group column's name as `names_like` takes them, in order of preference, what it is named like, and how
many levels it has at most."""
_CONTROLS = {
    "control", "controls", "ctrl", "placebo", "sham", "usual", "tau", "standard", "reference", "comparator", "vehicle",
    "waitlist", "waiting", "untreated", "none", "without", "healthy", "normal", "baseline", "before", "kontrolle",
    "kontrollgruppe", "vorher",
}  # fmt: skip
"""Words of levels that the others are usually compared with; so is one that begins with one of `_NEGATED`, or is 0."""
_COMPARATORS = {
    "control", "controls", "ctrl", "placebo", "sham", "usual", "tau", "vehicle", "waitlist", "untreated", "kontrolle",
    "kontrollgruppe",
}  # fmt: skip
"""Words of levels that only what is compared with has, whatever its column is called."""
_BEFORE_AFTER = ({"before", "after"}, {"pre", "post"}, {"vorher", "nachher"})
"""Levels of a column whose groups are the same subjects twice."""
_EARLIER = {
    "before", "pre", "earlier", "early", "baseline", "admission", "start", "initial", "previous", "vor", "vorher",
    "früher", "davor", "avant", "antes", "prima", "first",
}  # fmt: skip
"""Words of levels that come before the others in time."""
_UNANSWERED = {"answer", "answered", "available", "applicable", "data", "known", "recorded", "reported", "stated"}
"""Words of levels such as 'no answer', which are no group."""
_NEGATED = {
    "no",
    "non",
    "not",
    "never",
    "nein",
    "keine",
    "ohne",
    "sans",
    "sin",
    "negative",
    "negativ",
    "absent",
    "false",
}
_PARTS = {"sub", "pre", "post", "non", "re"}
"""Beginnings of a noun that then means another: a subgroup is no arm of a trial, nor is a pretreatment."""
_MEASURED = {"age", "ages", "birth", "income", "blood", "bmi", "weight", "social", "risk"}
"""Words of names of groups that were made of a measure, or that nobody is put into."""
_WEIGHTS = {
    "pweight", "pweights", "pwt", "fweight", "aweight", "iweight", "wtint", "wtmec", "wtssall", "wtss", "sampwt",
    "sampweight", "finalwt", "llcpwt", "perwt", "hhwt", "wgtp", "pwgtp", "fnlwgt", "ipw", "iptw", "sweight",
}  # fmt: skip
"""Names of weights of rows in public surveys."""
_SAMPLING = {
    "sample", "sampling", "survey", "person", "population", "pop", "probability", "design", "final", "case",
    "household", "poststratification", "inverse", "analysis", "interview", "exam", "mec",
}  # fmt: skip
"""Words beside "weight" that say of rows, not of bodies."""
_LATER_AGES = {"onset", "diagnosis", "first", "menarche", "menopause", "beginn", "ersterkrankung", "erkrankungsalter"}
_MOST_LABEL_WORDS = 6
_LOOK = 64
"""Rows that a column is looked at first, evenly from top to bottom; most have too many values for classes there."""


def propose_roles(table: pd.DataFrame) -> dict[str, str]:
    """Column -> role, of a table that holds several rows a subject; nothing of any other. A proposal, never more.

    The *subject* has a name that says so, and two rows a value or more; the *time* has a name that says so, values in
    order, and never one twice inside a subject. Without both there is neither. The *outcome* is a column of two to six
    levels, two subjects each or more, that never changes inside a subject: one whose name says so, else the only one.
    """
    try:
        names = column_names(table)
    except DataError:
        return {}
    times: dict[str, Variable] | None = None
    for subject in _ranked(names, subject_rank):
        who = _whose(table.iloc[:, names.index(subject)], subject)
        if who is None:
            continue
        if times is None:
            result = {name: _when(table.iloc[:, names.index(name)], name) for name in _ranked(names, _time_rank)}
            times = {name: item for name, item in result.items() if item is not None}
        for name, when in times.items():
            if name != subject and _orders(who, when):
                roles = {subject: "subject", name: "time"}
                outcome = _outcome(table, names, who, roles)
                return roles if outcome is None else {**roles, outcome: "outcome"}
    return {}


def roles_reason(roles: Mapping[str, str]) -> str:
    """Why `propose_roles` proposed these roles, as one sentence; "" where it proposed none."""
    of = {role: shown_name(name) for name, role in roles.items()}
    if "subject" not in of or "time" not in of:
        return ""
    words = told("'{}' has several rows a value; inside each, '{}' never has a value twice", of["subject"], of["time"])
    return words + (told(" and '{}' never changes.", of["outcome"]) if "outcome" in of else ".")


def propose_group(levels: Mapping[str, Sequence[str]]) -> tuple[str, str] | None:
    """The column that most probably says who is in which group, and why as a sentence; None where none could.

    An arm of a trial comes first, then an exposure, a class such as a diagnosis, one of two places, an outcome, a
    period, one of more places, at last the sex; without such a name the first column of two levels.
    """
    fit = [name for name, some in levels.items() if 2 <= len(some) <= MOST_CLASSES]
    two = [name for name in fit if len(levels[name]) == 2]
    by_levels = (*two, *(name for name in fit if name not in two))
    for nouns, role_text, most in _GROUPS:
        for noun in nouns:
            for name in by_levels if most > 2 else two:
                words = name_words(name)
                if names_like(name, noun) and _MEASURED.isdisjoint(words) and len(words) <= _MOST_LABEL_WORDS:
                    return name, told("'{}' is named like {}.", shown_name(name), role_text)
        if nouns is _GROUPS[0][0]:
            for name in two:
                if {" ".join(name_words(level)) for level in levels[name]} in _BEFORE_AFTER:
                    return name, told("'{}' tells before from after.", shown_name(name))
            for name in two:
                compared = [level for level in levels[name] if not _COMPARATORS.isdisjoint(name_words(level))]
                if len(compared) == 1:
                    return name, told("'{}' has a control among its levels.", shown_name(name))
    if not fit:
        return None
    name = (two or fit)[0]
    return name, told("'{}' is the first column of {}.", shown_name(name), Count(len(levels[name]), "level"))


def propose_pair(levels: Sequence[str], rows: Sequence[int]) -> tuple[tuple[str, str], str]:
    """The two of three or more groups that are most probably compared, and why as a sentence.

    The first is the level that reads as a control (of several that of fewest words, then the larger), the second the
    largest other group; where none reads so, both are the two largest, in the order of the levels. Of groups of one
    size the earlier counts as the larger.

    Parameters
    ----------
    levels : of the group column
    rows : how many rows each has
    """
    size = dict(zip(levels, rows, strict=True))
    present = [level for level in levels if size[level]]
    by_size = sorted(present if len(present) > 1 else levels, key=lambda level: -size[level])
    controls = sorted(filter(reads_as_control, by_size), key=lambda level: len(level.split()))
    if not controls:
        a, b = sorted(by_size[:2], key=levels.index)
        return (a, b), _of_both("'{}' and '{}' are its largest groups.", a, b)
    control = controls[0]
    other, *rest = (level for level in by_size if level != control)
    alone = not rest or size[other] > size[rest[0]]
    reason = "and '{}' is the largest other group." if alone else "with which '{}' is compared."
    return (control, other), _of_both(f"'{{}}' reads as a control, {reason}", control, other)


def propose_direction(levels: Sequence[str]) -> tuple[tuple[str, str] | None, str]:
    """Of two levels the one with which the other is compared first, and why; None and "" where neither reads so."""
    if len(levels) != 2:
        return None, ""
    for base, other in (tuple(levels), tuple(reversed(levels))):
        if reads_as_control(base) and not reads_as_control(other):
            return (base, other), _of_both("'{}' reads as a control, with which '{}' is compared.", base, other)
        if not _EARLIER.isdisjoint(name_words(base)) and _EARLIER.isdisjoint(name_words(other)):
            return (base, other), _of_both("'{}' comes earlier, and '{}' is compared with it.", base, other)
        if name_words(base) in [(f"un{word}",) for word in name_words(other)]:
            return (base, other), _of_both("'{}' denies '{}', which is compared with it.", base, other)
    return None, ""


def _of_both(template: str, level: str, other: str) -> Text:
    return told(template, shown_value(level, 60), shown_value(other, 60))


def reads_as_control(level: str) -> bool:
    """True where a level of a group is named like what the others are compared with.

    Parameters
    ----------
    level : such as 'placebo', 'no treatment' or '0'

    Returns
    -------
    whether it is; no answer is no control
    """
    words = name_words(level)
    if not _UNANSWERED.isdisjoint(words):
        return False
    return level.strip() == "0" or not _CONTROLS.isdisjoint(words) or not _NEGATED.isdisjoint(words[:1])


def demographics(names: Iterable[str], labels: Mapping[str, str]) -> list[str]:
    """The columns that by name or label are an age, a sex, an education or an ethnicity: nothing else comes before."""
    return [name for name in names if _is_demographic(name_words(name), name_words(labels.get(name, "")))]


def beside_items(names: Sequence[str]) -> list[str]:
    """The columns that by name are no item of a questionnaire: `demographics`, and one word for a group or a place.

    None where hardly anything else is there.
    """
    early, nouns = demographics(names, {}), {*_GROUPS[0][0], *_PLACES}
    beside = [name for name in names if name in early or (len(own := name_words(name)) == 1 and own[0] in nouns)]
    return beside if len(names) - len(beside) > 1 else []


def _is_demographic(words: Sequence[str], label: Sequence[str]) -> bool:
    if not _LATER_AGES.isdisjoint((*words, *label)):
        return False
    named = len(words) <= 3 and not (DEMOGRAPHIC | SCHOOLING).isdisjoint(words)
    begins = bool(label) and len(label) <= _MOST_LABEL_WORDS and label[0] in DEMOGRAPHIC | SCHOOLING
    return named or begins or (0 < len(label) <= _MOST_LABEL_WORDS and not SCHOOLING.isdisjoint(label))


def propose_weight(table: pd.DataFrame) -> str | None:
    """The column that most probably is a sampling weight: named so, positive, and not all whole numbers.

    No method can use one: it is to be left beside the variables, with the role of an identifier.
    """
    try:
        names = column_names(table)
    except DataError:
        return None
    for name in _ranked(names, _weight_rank):
        seen = make_variable(table.iloc[:, names.index(name)], name)
        numbers = seen.numbers if seen.sort == "number" else None
        if numbers is not None and len(numbers) > 1 and numbers[0] >= 0 and not seen.whole:
            return name
    return None


def _ranked(names: Sequence[str], rank: Callable[[str], int | None]) -> list[str]:
    """The names that have a rank, the lowest first, in the order of the table where equal."""
    result = [(place, name) for name in names if (place := rank(name)) is not None]
    return [name for _, name in sorted(result, key=lambda item: item[0])]


def names_like(name: str, noun: str) -> bool:
    """True where a word of a name is a noun, with an ending or none; one of five letters may end it ('HIVstatus').

    "diagnos-" is what the word begins with. "arm" is no part of 'alarm', nor "clinic" of 'clinical'.
    """
    words = name_words(name)
    if noun.endswith("-"):
        return any(word.startswith(noun[:-1]) for word in words)
    before = {word.removesuffix(noun) for word in words if len(noun) > 4 and word.endswith(noun)}
    return names_one_of(words, {noun}) or bool(before - _MEASURED - _PARTS)


def _weight_rank(name: str) -> int | None:
    """A name that says it is of sampling; "weight" alone is a person's."""
    words = name_words(name)
    if _WEIGHTS & {*words, "".join(words)}:
        return len(words)
    return 10 + len(words) if {"weight", "wt", "weights", "wgt"} & set(words) and _SAMPLING & set(words) else None


def _time_rank(name: str) -> int | None:
    """A short name comes first, and one as it stands before one with an ending, since 'steps' may be how many."""
    words = name_words(name)
    if words == ("t",):
        return 1
    if any(word in KEYS or word in _SPANS for word in words) or ("/" in name and not _TIMES.issuperset(words)):
        return None
    if any(word in _TIMES for word in words):
        return len(words)
    return 10 + len(words) if names_one_of(words, _TIMES) else None


def _whose(column: pd.Series, name: str) -> Variable | None:
    """The column as subjects, None where it cannot be: each has two rows on average, or more."""
    try:
        distinct = int(column.nunique())
    except TypeError:  # lists and other compound values
        return None
    if not 2 <= distinct <= len(column) / 2:
        return None
    result = make_variable(column, name)
    if result.sort not in ("number", "words") or (result.sort == "number" and not result.whole):
        return None
    return result if 2 <= result.n_distinct <= (len(result.codes) - result.n_missing) / 2 else None


def _when(column: pd.Series, name: str) -> Variable | None:
    """The column as times in order, None where it has no order."""
    seen = make_variable(column, name)
    if seen.sort in ("unusable", "flag") or seen.n_distinct < 2:
        return None
    return seen.as_measured() or (seen if level_order(seen)[1] else None)


def _orders(who: Variable, when: Variable) -> bool:
    """True where most rows have a time, subjects two or more on average, and none has one twice."""
    timed = (who.codes >= 0) & (when.codes >= 0)
    subject = who.codes[timed].astype(np.int64)
    if len(subject) < len(timed) / 2 or len(subject) < 2 * int((np.bincount(subject) > 0).sum()):
        return False
    pairs = np.sort(subject * when.n_distinct + when.codes[timed])
    return not bool((pairs[1:] == pairs[:-1]).any())


def _outcome(table: pd.DataFrame, names: Sequence[str], who: Variable, taken: Iterable[str]) -> str | None:
    """The column that says what class a subject is of, None where none or several could; numbers of sites do not."""
    ranks = {name: _class_rank(name) for name in names if name not in taken}
    named = sorted((name for name in ranks if ranks[name] < len(_CLASSES)), key=ranks.__getitem__)
    for name in named:
        if _constant(table.iloc[:, names.index(name)], name, who):
            return name
    fit: list[str] = []
    for name in (name for name in ranks if name not in named and KEYS.isdisjoint(name_words(name))):
        if _constant(table.iloc[:, names.index(name)], name, who):
            fit.append(name)
        if len(fit) > 1:
            return None
    return fit[0] if fit else None


def _class_rank(name: str) -> int:
    """Place of the first noun of a class that the name has; behind all of them where it has none."""
    return next((i for i, noun in enumerate(_CLASSES) if names_like(name, noun)), len(_CLASSES))


def _constant(column: pd.Series, name: str, who: Variable) -> bool:
    """True where a column has two to six levels, two subjects each or more, one a subject, and values in most rows."""
    try:
        few = column.iloc[np.linspace(0, len(column) - 1, _LOOK).astype(np.int64)].nunique() <= MOST_CLASSES
    except TypeError:
        return False
    seen = make_variable(column, name) if few else None
    if seen is None or seen.sort in ("unusable", "date") or not 2 <= seen.n_distinct <= MOST_CLASSES:
        return False
    known = (who.codes >= 0) & (seen.codes >= 0)
    if known.sum() < len(known) / 2:
        return False
    subject, level = who.codes[known], seen.codes[known]
    its = np.full(who.n_distinct, -1)
    its[subject] = level
    sizes = np.bincount(its[its >= 0], minlength=seen.n_distinct)
    return bool((its[subject] == level).all() and sizes.min() >= 2)
