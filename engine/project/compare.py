"""Two answers side by side: which settings, claims and edges agree, differ, or stand in one of them only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import words
from engine.errors import DataError
from engine.methods.result import Result

if TYPE_CHECKING:
    import pandas as pd

AGREE, DIFFER, ONLY_A, ONLY_B = "agree", "differ", "only in a", "only in b"
"""What a setting, a claim or an edge is to the two answers."""
_ENDS = re.compile(" (?:->|--) ")
"""Between the variables of a claim about two; a name may hold spaces itself."""


@dataclass(frozen=True, eq=False)
class ResultComparison:
    """How two answers stand to each other, over the variables that both have.

    Attributes
    ----------
    variables : those that both have, in the order of the first
    settings : setting, a, b, status
    claims : about, kind, verdict_a, verdict_b, probability_a, probability_b, status
    edges : network, source, target, mark_a, mark_b, status; an arc turned round, or with a direction in one answer
        only, differs
    """

    variables: tuple[str, ...]
    settings: pd.DataFrame
    claims: pd.DataFrame
    edges: pd.DataFrame

    def sentences(self) -> list[str]:
        """The comparison in plain words."""
        found = []
        for what, noun, table in (
            ("settings", "setting", self.settings),
            ("claims", "claim", self.claims),
            ("edges", "edge", self.edges),
        ):
            number = {status: int((table["status"] == status).sum()) for status in (AGREE, DIFFER, ONLY_A, ONLY_B)}
            if not len(table):
                found.append(f"There are no {what} to compare.")
                continue
            found.append(
                f"{words.count(number[AGREE], noun)} of {len(table)} agree; {number[DIFFER]} differ, {number[ONLY_A]} "
                f"stand in the first answer only, {number[ONLY_B]} in the second only."
            )
        return found

    def __repr__(self) -> str:
        return f"<ResultComparison of {words.count(len(self.variables), 'variable')}: {self.sentences()[-1]}>"[:199]


def compare(a: Result, b: Result) -> ResultComparison:
    """Two answers of one method or of two, over the variables that both have.

    Networks are compared under their titles; where no title is shared, in their order.

    Parameters
    ----------
    a, b : two answers

    Returns
    -------
    settings, claims and edges of either, each with what it is to the other

    Raises
    ------
    DataError : something else than an answer, or two answers that share no variable

    Examples
    --------
    >>> data = sample_data.dataset("two_hospitals")
    >>> one, other = (engine.LogLinear(criterion=name).run(data) for name in ("mml", "bic"))
    >>> engine.compare(one, other).edges["status"].value_counts().to_dict()
    {'agree': 9, 'only in b': 2}
    """
    for one in (a, b):
        if not isinstance(one, Result):
            raise DataError(f"engine.compare takes the results of two runs, not a {type(one).__name__}.")
    shared = tuple(name for name in a.names if name in set(b.names))
    if not shared:
        raise DataError("The two results share no variable, so there is nothing to compare.")
    return ResultComparison(shared, _settings(a, b), _claims(a, b), _edges(a, b, shared))


def _settings(a: Result, b: Result) -> pd.DataFrame:
    import pandas as pd

    ours, theirs = ({"method": one.slug, **one.settings()} for one in (a, b))
    rows = []
    for name in dict.fromkeys([*ours, *theirs]):
        status = ONLY_A if name not in theirs else ONLY_B if name not in ours else None
        status = status or (AGREE if ours[name] == theirs[name] else DIFFER)
        rows.append((name, str(ours.get(name, "")), str(theirs.get(name, "")), status))
    return pd.DataFrame(rows, columns=["setting", "a", "b", "status"])


def _claims(a: Result, b: Result) -> pd.DataFrame:
    import pandas as pd

    others = set(a.names) ^ set(b.names)

    def kept(result: Result) -> dict[tuple[str, str], Any]:
        rows = result.claims().itertuples()
        return {(row.about, row.kind): row for row in rows if not others & set(_ENDS.split(str(row.about)))}

    ours, theirs = kept(a), kept(b)
    rows = []
    for key in dict.fromkeys([*ours, *theirs]):
        one, other = ours.get(key), theirs.get(key)
        verdicts = ["" if row is None else row.verdict for row in (one, other)]
        probabilities = [float("nan") if row is None else row.probability for row in (one, other)]
        status = ONLY_A if other is None else ONLY_B if one is None else AGREE if len({*verdicts}) == 1 else DIFFER
        rows.append((*key, *verdicts, *probabilities, status))
    columns = ["about", "kind", "verdict_a", "verdict_b", "probability_a", "probability_b", "status"]
    return pd.DataFrame(rows, columns=columns)


def _edges(a: Result, b: Result, shared: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd

    ours, theirs = _by_ends(a, shared), _by_ends(b, shared)
    titles = {title: title for title in ours if title in theirs} or dict(zip(ours, theirs, strict=False))
    rows = []
    for title, other in titles.items():
        for ends in dict.fromkeys([*ours[title], *theirs[other]]):
            here, there = ours[title].get(ends), theirs[other].get(ends)
            status = ONLY_A if there is None else ONLY_B if here is None else AGREE if here == there else DIFFER
            source, target, _ = here or there or ("", "", "")
            rows.append((title, source, target, here[2] if here else "", there[2] if there else "", status))
    return pd.DataFrame(rows, columns=["network", "source", "target", "mark_a", "mark_b", "status"])


def _by_ends(result: Result, shared: tuple[str, ...]) -> dict[str, dict[frozenset[str], tuple[str, str, str]]]:
    """Title -> the two ends of an edge -> source, target and mark; ends of an edge without a direction by name."""
    found: dict[str, dict[frozenset[str], tuple[str, str, str]]] = {title: {} for title in result.graphs()}
    inside = set(shared)
    for row in result.edges().itertuples():
        if {row.source, row.target} <= inside:
            ends = (row.source, row.target) if row.mark == "->" else tuple(sorted((row.source, row.target)))
            found[row.network][frozenset(ends)] = (ends[0], ends[1], row.mark)
    return found
