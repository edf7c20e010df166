"""What several parts of the associations page say of links, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dashboard.text import capital
from engine.methods.log_linear.wording import p_words
from engine.words import evidence

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.log_linear.result import LogLinearResult

Pair = tuple[str, str]

BITS = (
    "Bits measure how much shorter a message gets that states the model and then the data with its help. A link that "
    "saves bits pays for the numbers it needs; how far that speaks for it stands beside it in words."
)
SHORT = {"mml": "MML", "smt": "SMT", "chi2": "chi-squared", "bic": "BIC", "ah": "AH 2004", "kl": "KL"}


def link_table(result: LogLinearResult) -> pd.DataFrame:
    """The links, strongest first: what each saves, what the rows say of it, in how many groups it lies, and notes."""
    import pandas as pd

    edge_values = result.edge_values.items()
    rows = [(a, b, item.evidence_bits, evidence_words(result, (a, b)), item.cliques) for (a, b), item in edge_values]
    table = pd.DataFrame(rows, columns=["one", "another", "bits", "what the rows say", "groups"])
    if notes := result.link_notes:
        table["note"] = [capital(notes.get(pair, "")) for pair in result.edge_values]
    return table


def evidence_words(result: LogLinearResult, edge: Pair) -> str:
    """The evidence for a link in words, with its p and whether chance could show as much; or "not asked"."""
    item = result.supports.get(edge)
    if result.undecided:
        return "not judged: too few subjects"
    if item is None:
        return "not asked"
    note = ", no more than chance" if edge in result.doubtful_links() else ""
    return f"{evidence(item.log_bayes_factor, 'it')} ({p_words(item.log10_p)}{note})"


def rows_words(factor: Any, statistic: float = 0.0) -> str:
    """How many more rows a refused edge with this G would need; "kl" and "ah" do not say."""
    known = isinstance(factor, float) and math.isfinite(factor)
    if not known and statistic > 0:
        return "how many rows it would need is not known"
    if not known:
        return "no number of rows like these would do"
    if factor < 1.05:
        return "a few more rows would do if it looks the same in them"
    times = f"{factor:,.1f}" if factor < 10 else f"{factor:,.0f}"
    return f"about {times} times the rows would be needed if it looks the same in them"


def edge_words(result: LogLinearResult, a: str, b: str) -> str:
    """What a tooltip says of an edge."""
    about = result.edge_values[a, b]
    if about.removable:
        bits = about.evidence_bits
        if bits < 0:
            return f"costs {-bits:,.1f} bits more than it saves; {evidence_words(result, (a, b))}"
        return f"saves {bits:,.1f} bits; {evidence_words(result, (a, b))}"
    came = f"; saved {about.entry_bits:,.1f} bits when it came" if math.isfinite(about.entry_bits) else ""
    return f"lies in {about.cliques} groups, so it cannot be taken away alone{came}; {evidence_words(result, (a, b))}"


def edge_sentence(result: LogLinearResult, edge: Pair) -> str:
    """An edge with what it is worth, as a sentence; and what is to be noted of it."""
    text = f"{edge[0]} with {edge[1]} {edge_words(result, *edge)}."
    note = result.link_notes.get(edge)
    return f"{text} But {note}" if note else text


def near_miss(row: pd.Series) -> str:
    """A refused link with what it lacks, as a sentence; of a row of the result's refused edges."""
    given = f", given {', '.join(row['separator'])}" if row["separator"] else ""
    return (
        f"Nearest to a link: {row['a']} with {row['b']}{given} ({p_words(row['log10_p'])}); "
        f"{rows_words(row['rows_factor'], row['G'])}."
    )
