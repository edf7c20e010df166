"""What is said of items whose truth is known: the verdicts of a result's claims, counted by truth.

A ranking may be good and its verdicts wrong, and the other way about. What the page says of an item is a claim of
`Result.claims`, of some kind and in one of three states, or nothing; it is read by kind, state and name only.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.measures.bootstrap import share_interval_of

if TYPE_CHECKING:
    import pandas as pd

Words = Mapping[tuple[str, str], str]
"""Kind of a claim and its verdict -> how it is said."""


def claimed_words(claims: pd.DataFrame, words: Words, silent: str, items: Sequence[Sequence[str]]) -> np.ndarray:
    """What the claims say of every item, in words.

    Examples
    --------
    >>> import pandas as pd
    >>> claims = pd.DataFrame({"about": ["a -- b"], "kind": ["linked"], "verdict": ["yes"]})
    >>> items = [("b -- a", "a -- b"), ("a -- c", "c -- a")]
    >>> claimed_words(claims, {("linked", "yes"): "linked"}, "nothing seen", items).tolist()
    ['linked', 'nothing seen']
    """
    claimed = {
        row.about: words[row.kind, row.verdict] for row in claims.itertuples() if (row.kind, row.verdict) in words
    }
    return np.array(
        [next((claimed[name] for name in names if name in claimed), silent) for names in items], dtype=object
    )


def count_claims(
    claimed: np.ndarray,
    truth: np.ndarray,
    words: Sequence[str],
    headings: tuple[str, str],
    clusters: Sequence[Hashable] | np.ndarray | None = None,
) -> pd.DataFrame:
    """How many of the cases and of the others were said to be what."""
    import pandas as pd

    where = np.asarray(clusters) if clusters is not None else None
    lines = []
    for word in words:
        line: dict[str, object] = {"said": word}
        for heading, kind in zip(headings, (truth, ~truth), strict=True):
            hits = claimed[kind] == word
            low, high = share_interval_of(hits, None if where is None else where[kind])
            share = float(hits.mean()) if len(hits) else float("nan")
            line |= {heading: int(hits.sum()), f"share of {heading}": share}
            line |= {f"low, {heading}": low, f"high, {heading}": high}
        lines.append(line)
    return pd.DataFrame(lines)


def percents(low: float, high: float) -> str:
    """ "13 to 96 %"."""
    return f"{100 * low:.0f} to {100 * high:.0f} %"


def in_words(table: pd.DataFrame, headings: tuple[str, str]) -> pd.DataFrame:
    """`count_claims` for readers: a line for what is said, "2 (13 to 96 %)" for the cases and for the others."""
    import pandas as pd

    some = (table[list(headings)] > 0).any(axis=1)
    some.iloc[:-1] = True
    chosen = table[some]
    columns = {"said": chosen["said"]}
    for heading in headings:
        total = int(table[heading].sum())
        columns[f"of {total:,} {heading}"] = pd.Series(
            [
                f"{many:,} ({percents(low, high)})" if total else "–"
                for many, low, high in zip(
                    chosen[heading], chosen[f"low, {heading}"], chosen[f"high, {heading}"], strict=True
                )
            ],
            index=chosen.index,
        )
    return pd.DataFrame(columns).reset_index(drop=True)
