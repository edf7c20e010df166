"""What several parts of the associations page say of links, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.words import bits_as_odds

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.log_linear.result import LogLinearResult

Pair = tuple[str, str]

SHORT = {"mml": "MML", "smt": "SMT", "chi2": "chi-squared", "bic": "BIC", "ah": "AH 2004", "kl": "KL"}


def link_table(result: LogLinearResult) -> pd.DataFrame:
    """The links, strongest first: what each is worth, in how many groups it lies."""
    import pandas as pd

    worth = result.worth.items()
    rows = [(a, b, one.evidence_bits, odds_words(one.evidence_bits), one.cliques) for (a, b), one in worth]
    return pd.DataFrame(rows, columns=["one", "another", "bits", "in words", "groups"])


def odds_words(bits: float) -> str:
    """A saving in bits as odds: every bit doubles them; nothing where there is no number."""
    return bits_as_odds(bits) if math.isfinite(bits) else ""


def rows_words(factor: float, statistic: float = 0.0) -> str:
    """How many more rows a refused edge with this G would need; "kl" and "ah" do not say."""
    if math.isnan(factor) and statistic > 0:
        return "how many rows it would need is not known under this criterion"
    if not math.isfinite(factor):
        return "no number of rows like these would do"
    if factor < 1.05:
        return "a few more rows would do if it looks the same in them"
    times = f"{factor:,.1f}" if factor < 10 else f"{factor:,.0f}"
    return f"about {times} times the rows would be needed if it looks the same in them"


def edge_words(result: LogLinearResult, a: str, b: str) -> str:
    """What a tooltip says of an edge."""
    about = result.worth[a, b]
    if about.removable:
        bits = about.evidence_bits
        if bits < 0:
            return f"worth {bits:,.1f} bits: by message length it does not pay"
        return f"worth {bits:,.1f} bits ({odds_words(bits)} the link)"
    came = f"; saved {about.entry_bits:,.1f} bits when it came" if math.isfinite(about.entry_bits) else ""
    return f"in {about.cliques} groups, so it cannot be taken away alone{came}"


def edge_sentence(result: LogLinearResult, edge: Pair) -> str:
    """An edge with what it is worth, as a sentence."""
    return f"{edge[0]} with {edge[1]}, {edge_words(result, *edge)}."
