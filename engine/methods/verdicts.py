"""The words for what differs between groups, a variable or a link, and the probabilities from which they hold."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """Words for a variable, or for a link."""

    DIFFERS = "differs"
    PROBABLY = "probably differs"
    CANNOT_TELL = "cannot tell"
    ALIKE = "alike"
    SAME = "same"
    NOT_SEEN = "no difference seen"
    ONE_LEVEL = "one level"

    @property
    def called(self) -> bool:
        """True where it says that something differs, surely or probably."""
        return self in (Verdict.DIFFERS, Verdict.PROBABLY)


SURE, EVEN, IMPROBABLE = 0.95, 0.5, 0.05
"""P(differs) from which something differs, probably differs; and below which no difference is seen, if it is also
below half of what it was before the data were seen."""


def verdict_of(probability: float, prior: float, bounded: bool, equivalent: Verdict = Verdict.SAME) -> Verdict:
    """The word for P(differs); nothing probably differs by a Bayes factor below 3, however likely it was before.

    Parameters
    ----------
    probability : P(differs)
    prior : what it was before the data were seen
    bounded : whether no difference larger than the margin can be
    equivalent : what is said where that is so

    Examples
    --------
    >>> verdict_of(0.97, 0.02, False), verdict_of(0.001, 0.02, True)
    (<Verdict.DIFFERS: 'differs'>, <Verdict.SAME: 'same'>)
    """
    if probability >= max(EVEN, 3 * prior / (1 + 2 * prior)):
        return Verdict.DIFFERS if probability >= SURE else Verdict.PROBABLY
    if probability < min(IMPROBABLE, prior / 2):
        return equivalent if bounded else Verdict.NOT_SEEN
    return Verdict.CANNOT_TELL
