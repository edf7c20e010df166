"""Whether a sentence names a small count of rows or people, or two numbers whose difference is one.

Sentences are made for people, not for programs, so every number that is not known to count something else is taken for
a count: rather a sentence too many is left out than one too few.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

_NUMBER = r"\d{1,3}(?:,\d{3})+|\d+"
_NOT_PEOPLE = (
    "variables? links? networks? levels? values? searches search seeds? folds? tables? pairs? points? bits nats "
    "patterns? clusters? famil(?:y|ies) rounds? parents? groups? more steps? times draws? shuffles? runs? parameters "
    "contexts? cells? columns? predictors? questions? degrees intervals? asked"
)
_OTHER_THINGS = "|".join(_NOT_PEOPLE.split())
_AFTER = re.compile(rf"^(?:\.\d|\s?%|\s+to 1\b|(?:\s+[a-z-]+){{0,1}}\s+(?:{_OTHER_THINGS})\b)")
_OF = re.compile(
    rf"({_NUMBER}) of (?:the |all |this )*({_NUMBER})(?:\s+[a-z-]+){{0,1}}\s+(?:{_OTHER_THINGS})\b"
    r"|\bin \d+ of \d+ such "
)
_TECHNICAL = (
    r"\(?9\d %(?::| interval)[^);.]*\)?",  # an interval; shares are written without the space
    r"\b(?:p|size|kappa|alpha)\s*(?:=|at most|above|below)?\s*\d[\d.]*",
    r"\(equation \d+\)|\bequation \d+",
    r"\brow \d+, counted from 0",
    r"10\^-?\d+ to 1|\d[\d,.]* to 1\b",
    r"10\^-?\d+",
    r"[+\-−]?\d[\d,]*\.\d+",
    r"[+\-−]\d+",
    r"\bby (?:at most )?\d+(?= points| to|[.,;)]|$)",
    r"\d+ to \d+ points",
    r"\bin \d+ of \d+ (?:such )?tables",
    r"\btakes? \d+ points",
    r"\blog10|\bp\(",
    r"\bof \d+ levels",
    r"\b\d+ half samples?\b",
    r"\b\d+ stands? alone|\bcould show \d+ of them|\b\d+ (?:has|have) a direction",
)


def gives_away(
    sentence: str, least: int, values: Iterable[str] = (), people: int | None = None, wholes: Sequence[int] = ()
) -> bool:
    """Whether a count from 1 to below the least can be read from a sentence.

    Parameters
    ----------
    sentence : any
    least : the least count that may be named
    values : names and levels with digits in them, longest first; these count nothing
    people : of how many a percentage in it is, where that is known
    wholes : numbers of rows or people that a reader knows

    Returns
    -------
    yes or no

    Examples
    --------
    >>> gives_away("3 rows with sex = f were compared with 40.", 5), gives_away("1 of 10 variables differs.", 5)
    (True, False)
    """
    text = sentence
    for value in values:
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", " ", text)
    if people is not None and _share_is_small(text, least, people):
        return True
    for pattern in _TECHNICAL:
        text = re.sub(pattern, " ", text)
    text = _OF.sub(" ", text)
    for result in re.finditer(rf"({_NUMBER}) of (?:the |all )*({_NUMBER})", text):
        part, whole = (int(group.replace(",", "")) for group in result.groups())
        if 0 < part < least or 0 < whole - part < least:
            return True
    for result in re.finditer(rf"(?<![\w.^])(?:{_NUMBER})(?!\w)", text):
        number = int(result[0].replace(",", ""))
        if _AFTER.match(text[result.end() :]):
            continue
        if 0 < number < least or any(0 < whole - number < least for whole in wholes):
            return True
    return False


def tells_left_out(sentence: str, least: int, sizes: Mapping[str, int]) -> bool:
    """Whether a small number of rows can be worked out of the share of them that was left out for gaps.

    Parameters
    ----------
    sentence : any
    least : the least count that may be named
    sizes : rows that are used of each part that a share may be of, by name; of another one it may be any of these

    Returns
    -------
    yes or no

    Examples
    --------
    >>> said = "30 % of A and 2 % of B were left out for gaps; what differs may be that."
    >>> tells_left_out(said, 5, {"A": 209, "B": 295}), tells_left_out(said, 5, {"A": 209, "B": 90})
    (False, True)
    """
    if "left out for gaps" not in sentence:
        return False
    for under, number, name in re.findall(r"(under )?(\d+) % of (.+?)(?=, | and | were )", sentence):
        low, high = (int(number) - 0.5) / 100, min((int(number) + 0.5) / 100, 0.999)
        each = [sizes[name]] if name in sizes else list(sizes.values())
        for n in each if int(number) else ():
            if under or any(low <= gone / (n + gone) <= high for gone in range(1, least)):
                return True
    return False


def _share_is_small(text: str, least: int, people: int) -> bool:
    """Whether a percentage of so many people may stand for a small number of them, or for all but a small number."""
    for result in re.finditer(r"(?<![\d.])(\d+)%", re.sub(r"\(?9\d %(?::| interval)[^);.]*\)?", " ", text)):
        low, high = (int(result[1]) - 0.5) / 100 * people, (int(result[1]) + 0.5) / 100 * people
        for low_end, high_end in ((low, high), (people - high, people - low)):
            if any(low_end <= number <= high_end for number in range(1, least)):
                return True
    return False
