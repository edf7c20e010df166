"""What several parts of the associations page need of a result: worked out once, and put in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.methods.log_linear.result import LogLinearResult

PAGE = "log_linear"
Pair = tuple[str, str]
Kept = TypeVar("Kept")

CRITERIA = {
    "mml": "Message length (MML)",
    "smt": "Test, few false links (SMT)",
    "chi2": "Chi-squared, layered",
    "bic": "BIC",
    "ah": "Altmueller and Haralick",
    "kl": "Entropy only (KL)",
}
SHORT = {"mml": "MML", "smt": "SMT", "chi2": "chi-squared", "bic": "BIC", "ah": "AH 2004", "kl": "KL"}
WITH_ALPHA = ("smt", "chi2")
WITH_JOINT = ("mml", "bic")

_kept: WeakKeyDictionary[LogLinearResult, dict[str, Any]] = WeakKeyDictionary()


def _once(result: LogLinearResult, name: str, make: Callable[[], Kept]) -> Kept:
    held: dict[str, Any] = _kept.setdefault(result, {})
    if name not in held:
        held[name] = make()
    found: Kept = held[name]
    return found


def graph_of(result: LogLinearResult) -> nx.Graph:
    """The model; asked for many times a page, worked out once."""
    return _once(result, "graph", lambda: result.graph)


def steps_of(result: LogLinearResult) -> pd.DataFrame:
    """The accepted edges in order."""
    return _once(result, "steps", lambda: result.steps)


def groups_of(result: LogLinearResult) -> list[tuple[str, ...]]:
    """The groups with at least two variables, largest first."""
    return _once(result, "groups", lambda: [group for group in result.cliques if len(group) > 1])


def strengths_of(result: LogLinearResult) -> dict[Pair, float]:
    """What each edge is worth in bits, strongest first.

    One that cannot be taken away alone has no price of its own; it stands with what it saved when it came, or, where
    it was there from the start, last.
    """

    def make() -> dict[Pair, float]:
        found: dict[Pair, float] = {}
        for a, b, about in graph_of(result).edges(data=True):
            present, entry = about["evidence_bits"], about["entry_bits"]
            found[a, b] = present if math.isfinite(present) else entry if math.isfinite(entry) else 0.0
        return dict(sorted(found.items(), key=lambda one: -one[1]))

    return _once(result, "strengths", make)


def link_table(result: LogLinearResult) -> pd.DataFrame:
    """The links, strongest first: what each is worth, in how many groups it lies."""
    import pandas as pd

    about = graph_of(result).edges
    rows = [
        (a, b, about[a, b]["evidence_bits"], odds_words(about[a, b]["evidence_bits"]), about[a, b]["cliques"])
        for a, b in strengths_of(result)
    ]
    return pd.DataFrame(rows, columns=["one", "another", "bits", "in words", "groups"])


def odds_words(bits: float) -> str:
    """A saving in bits as odds: every bit doubles them."""
    if not math.isfinite(bits):
        return ""
    if bits < 0:
        return "against it"
    if bits > 20:
        return "odds of over a million to 1"
    odds = 2.0**bits
    return f"odds of about {odds:,.0f} to 1" if odds >= 10 else f"odds of about {odds:.1f} to 1"


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
    about = graph_of(result).edges[a, b]
    if about["removable"]:
        bits = about["evidence_bits"]
        if bits < 0:
            return f"worth {bits:,.1f} bits: by message length it does not pay"
        return f"worth {bits:,.1f} bits ({odds_words(bits)})"
    came = f"; saved {about['entry_bits']:,.1f} bits when it came" if math.isfinite(about["entry_bits"]) else ""
    return f"in {about['cliques']} groups, so it cannot be taken away alone{came}"


def edge_sentence(result: LogLinearResult, edge: Pair) -> str:
    """An edge with what it is worth, as a sentence."""
    return f"{edge[0]} with {edge[1]}, {edge_words(result, *edge)}."
