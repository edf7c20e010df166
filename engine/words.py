"""One English for numbers: counts, lists, odds, probabilities and evidence, for every sentence of the program."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

NO_BREAK = "\u00a0"
"""A space at which no line ends."""
_BANDS = ((math.log(3), "hardly any evidence either way"), (math.log(20), "positive"), (math.log(150), "strong"))

MOST_ODDS = 1000
"""Odds beyond which a sentence gives no number: the exact ones stand in tables."""

_CODE = re.compile(r"(?=.*[^\W\d_])(?=.*\d)[\w.\-]+")

_BARE = frozenset({"yes", "no", "true", "false", "positive", "negative", "ja", "nein"})
"""Levels that say nothing without their variable, beside numbers and single letters."""

NEIGHBOURS = "block of neighbouring rows"
"""What rows that were measured one after the other share, in place of a column."""


def is_bare(level: str) -> bool:
    """True where a level says nothing without its variable: a number, one or two letters, yes or no.

    Parameters
    ----------
    level : its name

    Returns
    -------
    whether sentences have to name the variable too

    Examples
    --------
    >>> is_bare("A"), is_bare("North")
    (True, False)
    """
    text = level.strip().lower()
    return len(text) <= 2 or text in _BARE or text.replace(".", "").isdigit()


def count(number: int, noun: str, many: str = "") -> str:
    """'1 row', '1,200 rows'.

    Parameters
    ----------
    number : how many
    noun, many : one of them, and several where that is not the noun and an s

    Returns
    -------
    number and noun

    Examples
    --------
    >>> engine.words.count(1200, "row")
    '1,200 rows'
    """
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"


def times(number: int) -> str:
    """'once', 'twice', '3 times'.

    Parameters
    ----------
    number : how often

    Returns
    -------
    the words

    Examples
    --------
    >>> engine.words.times(2)
    'twice'
    """
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def duration(seconds: float) -> str:
    """A span of time as one says it.

    Parameters
    ----------
    seconds : how long; below 0 counts as 0

    Returns
    -------
    seconds, minutes and seconds, or hours and minutes, each unit held to its number by a no-break space

    Examples
    --------
    >>> engine.words.duration(3725) == "1\\u00a0h 02\\u00a0min"
    True
    """
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole}{NO_BREAK}s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes}{NO_BREAK}min {rest:02d}{NO_BREAK}s"
    return f"{minutes // 60}{NO_BREAK}h {minutes % 60:02d}{NO_BREAK}min"


def listed(names: Iterable[str]) -> str:
    """'a', 'a and b', 'a, b and c'.

    Parameters
    ----------
    names : what is listed

    Returns
    -------
    the list; empty for none

    Examples
    --------
    >>> engine.words.listed(["age", "sex", "smoking"])
    'age, sex and smoking'
    """
    words = list(names)
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def first(names: Iterable[str], most: int = 5, between: str = ", ") -> str:
    """'a, b' or, of many, 'a, b, c, d, e and 7 more'.

    Parameters
    ----------
    names : what is listed
    most : how many are named
    between : what stands between two of them

    Returns
    -------
    the list; empty for none

    Examples
    --------
    >>> engine.words.first("abcdefg", most=3)
    'a, b, c and 4 more'
    """
    words = list(names)
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return between.join(words[:most]) + more


def short(text: str, most: int) -> str:
    """At most so many letters of a text, an ellipsis in the place of the rest.

    Parameters
    ----------
    text : such as a name out of a file
    most : letters

    Returns
    -------
    the text or its beginning

    Examples
    --------
    >>> engine.words.short("a very long name", 8)
    'a very…'
    """
    return distinct([text], most)[0]


def capital(text: str) -> str:
    """Make a text's first letter large, as it begins a line.

    Parameters
    ----------
    text : of any length

    Returns
    -------
    the text with a large first letter

    Examples
    --------
    >>> engine.words.capital("one variable differs")
    'One variable differs'
    """
    return text[:1].upper() + text[1:]


def distinct(lines: Sequence[str], most: int) -> list[str]:
    """At most so many letters of each, an ellipsis in the place of the rest: of the middle where two would read alike.

    Parameters
    ----------
    lines : that stand together
    most : letters of each

    Returns
    -------
    list, one a line

    Examples
    --------
    >>> engine.words.distinct(["sad at home", "sad at work", "age"], 8)
    ['sad…ome', 'sad…ork', 'age']
    """
    cut = [line if len(line) <= most else line[: max(most - 1, 1)].rstrip() + "…" for line in lines]
    first: dict[str, str] = {}
    alike = {brief for brief, line in zip(cut, lines, strict=True) if first.setdefault(brief, line) != line}
    end = most - most // 2 - 1
    return [
        f"{line[: most // 2].rstrip()}…{line[-end:].lstrip()}" if brief in alike and brief != line else brief
        for brief, line in zip(cut, lines, strict=True)
    ]


def odds_phrase(log_odds: float, about: str = "") -> str:
    """Odds as one reads them: '40 to 1 for', '2.5 to 1 against', 'more than 1,000 to 1 for'.

    Parameters
    ----------
    log_odds : natural log
    about : what stands before a number that was rounded, such as "about "

    Returns
    -------
    the odds, and which way they go

    Examples
    --------
    >>> engine.words.odds_phrase(3.7)
    '40 to 1 for'
    """
    beyond = abs(log_odds) > math.log(MOST_ODDS) + 1e-9
    size = f"more than {MOST_ODDS:,}" if beyond else ratio(abs(log_odds), about)
    return f"{size} to 1 {'for' if log_odds > 0 else 'against'}"


def ratio(log_size: float, about: str = "") -> str:
    """exp(log_size) as one reads it: '2.5', '1,200', '10^7'.

    Parameters
    ----------
    log_size : natural log, from 0 up
    about : what stands before a number that was rounded, such as "about "

    Returns
    -------
    the number

    Examples
    --------
    >>> engine.words.ratio(7.1)
    '1,212'
    """
    size = log_size / math.log(10)
    if size >= 6:
        return f"10^{size:.0f}"
    number = 10**size
    return f"{about}{number:,.0f}" if number >= 10 else f"{about}{number:.1f}"


def evidence(log_factor: float, of: str) -> str:
    """A Bayes factor in words, by the bands of Kass & Raftery 1995 (3, 20 and 150).

    Parameters
    ----------
    log_factor : natural log, above 0 for what the evidence is for
    of : what the evidence is for, such as "a difference"

    Returns
    -------
    how much evidence, and which way it goes

    Examples
    --------
    >>> engine.words.evidence(4.0, "a difference")
    'strong evidence for a difference'
    """
    name = next((word for bound, word in _BANDS if abs(log_factor) < bound), "very strong")
    return name if name == _BANDS[0][1] else f"{name} evidence {'for' if log_factor > 0 else 'against'} {of}"


def probability(p: float, of: str = "") -> str:
    """The probability of a statement, in percent, so that nobody takes it for a test's p; it never claims certainty.

    Parameters
    ----------
    p : from 0 to 1
    of : what it is of, such as "P(differs)"; the number alone where empty

    Returns
    -------
    whole percents, with one decimal below 10 and above 90, or '> 99.9 %' or '< 0.1 %'; no line ends within it

    Examples
    --------
    >>> [engine.words.probability(p, "P").replace("\\u00a0", " ") for p in (0.774, 0.034, 1.0)]
    ['P = 77 %', 'P = 3.4 %', 'P > 99.9 %']
    """
    if p > 0.999:
        text = f">{NO_BREAK}{in_percent(0.999, 1)}"
    elif p < 0.001:
        text = f"<{NO_BREAK}{in_percent(0.001, 1)}"
    else:
        text = in_percent(p, 0 if 0.1 <= round(p, 3) <= 0.9 else 1)
    return _of(text, of)


def fraction(p: float) -> str:
    """A p of a test, or another number from 0 to 1, without its leading zero.

    Parameters
    ----------
    p : from 0 to 1

    Returns
    -------
    two decimals, three below .1 and above .9, or '> .999' or '< .001'; no line ends within it

    Examples
    --------
    >>> [engine.words.fraction(p) for p in (0.4, 0.0123)]
    ['.40', '.012']
    """
    if p > 0.999:
        return f">{NO_BREAK}.999"
    if p < 0.001:
        return f"<{NO_BREAK}.001"
    return f"{p:.{2 if 0.1 <= round(p, 3) <= 0.9 else 3}f}".removeprefix("0")


def _of(text: str, of: str) -> str:
    """'P = .03', 'p < .001', or the number alone where nothing is named."""
    sign = "" if text[0] in "<>" else f"={NO_BREAK}"
    return f"{of}{NO_BREAK}{sign}{text}" if of else text


def p_value(p: float, corrected: bool = False, draws: int = 0) -> str:
    """The p of a test, which is never written as a chance nor in percent.

    Parameters
    ----------
    p : from 0 to 1
    corrected : whether it is corrected for as many tests as were made
    draws : random tables that it was counted in, 0 for none; the least p that they can give is an upper limit

    Returns
    -------
    p and its number as `fraction` writes it

    Examples
    --------
    >>> [engine.words.p_value(p, corrected=p > 0.1).replace("\\u00a0", " ") for p in (0.4, 0.0123, 1e-9)]
    ['p = .40 after correction', 'p = .012', 'p < .001']
    >>> engine.words.p_value(1 / 200, draws=199).replace("\\u00a0", " ")
    'p at most .005'
    """
    text = _of(fraction(p), "p")
    if draws and p <= 1 / (1 + draws) + 1e-12:
        text = text.replace("p\u00a0=\u00a0", "p\u00a0at most\u00a0")
    return f"{text} after correction" if corrected else text


def in_percent(share: float, decimals: int = 0) -> str:
    """A share in percent, its sign held to the number by a no-break space.

    Parameters
    ----------
    share : from 0 to 1
    decimals : how many

    Returns
    -------
    the number, a no-break space and the sign

    Examples
    --------
    >>> engine.words.in_percent(0.764) == "76\\u00a0%"
    True
    """
    return f"{100 * share:.{decimals}f}{NO_BREAK}%"


def chance_in_percent(p: float) -> str:
    """A share of rows, or a probability of a known network: 0 and 1 are exact, else as `probability` writes it.

    Parameters
    ----------
    p : from 0 to 1

    Returns
    -------
    percents, with a decimal below 10 and above 90

    Examples
    --------
    >>> engine.words.chance_in_percent(0.0104) == "1.0\\u00a0%"
    True
    """
    return in_percent(p) if p in (0, 1) else probability(p)


def shown_difference(share: float, other: float, decimals: int = 0) -> float:
    """The difference of two shares as a reader gets it who subtracts their percents.

    Parameters
    ----------
    share, other : from 0 to 1
    decimals : of the percents that are shown

    Returns
    -------
    percentage points

    Examples
    --------
    >>> engine.words.shown_difference(0.766, 0.734)
    4.0
    """
    return round(float(round(100 * share, decimals) - round(100 * other, decimals)), decimals)


def with_sign(number: float, decimals: int = 0) -> str:
    """A difference, a correlation or a score: '+12', '−8', with a true minus.

    Parameters
    ----------
    number : any
    decimals : how many

    Returns
    -------
    the number with its sign; 0 has none

    Examples
    --------
    >>> engine.words.with_sign(-0.52, 2), engine.words.with_sign(0.04)
    ('−0.52', '0')
    """
    text = f"{number:+z,.{decimals}f}"
    return with_minus(text if text.strip("+0.") else text[1:])


def signed(number: float) -> str:
    """A correlation, or a sum of some, as one reads it: '+.48', '−.51', '+1.12', '0'.

    Parameters
    ----------
    number : any

    Returns
    -------
    the number with two decimals, no zero before the point, and its sign; 0 has none

    Examples
    --------
    >>> engine.words.signed(-0.506)
    '−.51'
    """
    text = f"{abs(number):,.2f}"
    text = text[1:] if text.startswith("0") else text
    return "0" if text == ".00" else f"{'−' if number < 0 else '+'}{text}"


def with_minus(number: str) -> str:
    """A number that is written already, its hyphen made a true minus.

    Parameters
    ----------
    number : such as '-8'

    Returns
    -------
    the same as '−8'

    Examples
    --------
    >>> engine.words.with_minus("-8")
    '−8'
    """
    return number.replace("-", "−")


def points(share: float) -> str:
    """A difference of two shares in percentage points, without its sign.

    Parameters
    ----------
    share : from -1 to 1

    Returns
    -------
    whole points from one point up, else one digit

    Examples
    --------
    >>> engine.words.points(0.124), engine.words.points(-0.01), engine.words.points(0.004)
    ('12 percentage points', '1 percentage point', '0.4 percentage points')
    """
    size = 100 * abs(share)
    number = f"{size:.0f}" if size >= 0.95 or size == 0 else f"{size:.1g}"
    return f"{number} percentage point{'' if number == '1' else 's'}"


def with_unit(number: str) -> str:
    """A difference of two shares in short, its unit held to the number by a no-break space.

    Parameters
    ----------
    number : in percentage points, such as '+12'

    Returns
    -------
    the number, a no-break space and 'pp'

    Examples
    --------
    >>> engine.words.with_unit("+12") == "+12\\u00a0pp"
    True
    """
    return f"{number}{NO_BREAK}pp"


def is_code(name: str) -> bool:
    """True where a name says nothing by itself: one word of letters and digits, such as 'q1' or 'DASS_14'.

    Parameters
    ----------
    name : of a column

    Returns
    -------
    whether it has a letter and a digit, and nothing between that parts words

    Examples
    --------
    >>> engine.words.is_code("DASS_14"), engine.words.is_code("age")
    (True, False)
    """
    return _CODE.fullmatch(name) is not None


def with_labels(text: str, labels: Mapping[str, str]) -> str:
    """A sentence with the label of each column in place of its code, quoted, and the code beside it.

    Parameters
    ----------
    text : the sentence
    labels : code -> label

    Returns
    -------
    the sentence; where it is one code alone, as in a cell, without quotes

    Examples
    --------
    >>> engine.words.with_labels("q1 and q10 are linked.", {"q1": "Felt sad"})
    '“Felt sad” (q1) and q10 are linked.'
    """
    if text in labels:
        return f"{labels[text]} ({text})"
    quoted = {code: f"“{label}” ({code})" for code, label in labels.items()}
    return in_place(text, {f"'{code}'": label for code, label in quoted.items()} | quoted)


def in_place(text: str, texts: Mapping[str, str]) -> str:
    """A sentence with another text in place of each code.

    Parameters
    ----------
    text : the sentence
    texts : code -> what stands in its place

    Returns
    -------
    the sentence

    Examples
    --------
    >>> engine.words.in_place("q1, q10", {"q1": "Felt sad"})
    'Felt sad, q10'
    """
    return _pattern(tuple(texts)).sub(lambda found: texts[found[0]], text) if texts else text


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<![\w.\-])(?:{listed})(?![\w\-]|\.\w)")
