"""A cohort in plain sentences, titles, and JSON."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import SettingsError
from engine.methods.instance_specific.tell import NOT_CAUSAL, WARNING_PUBLISHED, listed, settings_table
from engine.scores.instance import UNKNOWN

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.instance_specific.cohort_result import CohortResult

FORMAT = "diptych/instance-specific-cohort/1"
TABLES = ("Links", "Patients", "Patterns", "Clusters", "Changes", "Settings")
UNCHANGED = "as the population"


def contexts(result: CohortResult, row: np.ndarray, members: np.ndarray) -> str:
    """What sets one pattern apart, in words: the values its patients share, and the links these switch off.

    Values are those of the parents that stay; levels that differ inside the pattern are joined by "or".
    """
    from engine.methods.instance_specific.cohort_result import ADDED, DROPPED, KEPT, REVERSED

    by_child: dict[str, dict[int, list[str]]] = {}
    for (source, target), code in zip(result.arcs, row.tolist(), strict=True):
        by_child.setdefault(target, {}).setdefault(code, []).append(source)
    parts = []
    for child, arcs in by_child.items():
        lost, gained, turned = (arcs.get(code, []) for code in (DROPPED, ADDED, REVERSED))
        if not lost and not gained and not turned:
            continue
        given = [_values(result, source, members) for source in arcs.get(KEPT, [])]
        condition = f"{', '.join(given)}: " if given else ""
        changes = [f"{listed(names)} {_verb(word, names)} {child}" for names, word in _worded(lost, gained, turned)]
        parts.append(condition + ", ".join(changes))
    return "; ".join(parts) or UNCHANGED


def _worded(lost: list[str], gained: list[str], turned: list[str]) -> list[tuple[list[str], str]]:
    words = (
        (lost, "no longer matter{s} for"),
        (gained, "also matter{s} for"),
        (turned, "{is} linked in another direction to"),
    )
    return [(names, word) for names, word in words if names]


def _verb(word: str, names: list[str]) -> str:
    one = len(names) == 1
    return word.replace("{s}", "s" if one else "").replace("{is}", "is" if one else "are")


def _values(result: CohortResult, name: str, members: np.ndarray) -> str:
    codes = result.values[members, result.network_of_all.names.index(name)]
    levels = [result.levels[name][code] for code in np.unique(codes[codes != UNKNOWN]).tolist()]
    return f"{name} = {' or '.join(levels) or 'unknown'}"


def blanket(arcs: set[tuple[str, str]], target: str) -> set[str]:
    """The Markov blanket of a variable: its parents, its children, and the children's other parents."""
    children = {b for a, b in arcs if a == target}
    near = {a for a, b in arcs if b == target or b in children} | children
    return near - {target}


def headline(result: CohortResult) -> str:
    """How many patients have a network of their own."""
    from engine.methods.instance_specific.cohort_result import ABSENT, KEPT

    n = len(result.patients)
    different = int((~np.isin(result.status, (KEPT, ABSENT))).any(axis=1).sum())
    patterns = result.n_patterns
    return (
        f"For {different:,} of {n:,} patients ({different / n:.0%}) some link differs from the population's network; "
        f"there {'is 1 pattern' if patterns == 1 else f'are {patterns:,} patterns'} in all."
    )


def summary(result: CohortResult) -> str:
    """The answer, what it rests on, and how not to read it."""
    method = result.method
    frequencies = result.arc_frequencies.sort_values("dropped", ascending=False, kind="stable")
    sentences = [headline(result)]
    if len(frequencies) and frequencies["dropped"].iloc[0] > 0:
        top = frequencies.iloc[0]
        sentences.append(f"The link dropped most often is {top.source} to {top.target}, for {top.dropped:.0%} of them.")
    gain = result.held_out_gains[np.isfinite(result.held_out_gains)]
    if len(gain):
        error = float(gain.std(ddof=1) / math.sqrt(len(gain))) if len(gain) > 1 else math.nan
        spread = f" (standard error {error:.3f})" if math.isfinite(error) else ""
        sentences.append(
            f"On average their own networks foretell the patients' held-out values by {gain.mean():+.3f} nats against "
            f"the population's{spread}."
        )
    sentences.append(
        f"{len(result.patients):,} patients, {result.n_rows:,} rows, {len(result.names)} variables (equivalent sample "
        f"size {method.ess:g}, kappa {method.kappa:g}, {method.prior} prior)."
    )
    return "\n".join([*sentences, *([WARNING_PUBLISHED] if method.mode == "published" else []), NOT_CAUSAL])


def table(result: CohortResult, title: str) -> pd.DataFrame:
    """One of `TABLES`."""
    if title == "Links":
        return result.arc_frequencies
    if title == "Patients":
        return result.by_patient().reset_index()
    if title == "Patterns":
        return result.patterns()
    if title == "Clusters":
        return result.clusters
    if title == "Changes":
        return result.change_counts()
    if title == "Settings":
        return settings_table(result)
    raise SettingsError(f"There is no table {title!r}; there are {', '.join(map(repr, TABLES))}.")


def to_json(result: CohortResult) -> str:
    """Settings, patients and the status of every arc; natural logs; the format is named and versioned."""
    document = {
        "format": FORMAT,
        "settings": result.settings(),
        "data": {"fingerprint": result.fingerprint, "variables": list(result.names), "rows": result.n_rows},
        "patients": list(result.patients),
        "population": [list(arc) for arc in result.population.edges],
        "arcs": [list(arc) for arc in result.arcs],
        "status": result.status.tolist(),
        "status_words": {"-1": "absent", "0": "dropped", "1": "kept", "2": "added", "3": "reversed"},
        "log_likelihood_ratio": result.ratios.tolist(),
        "held_out_gain": [_finite(value) for value in result.held_out_gains.tolist()],
        "cluster": result.by_patient()["cluster"].tolist(),
        "clusters": [{key: _finite(value) for key, value in row.items()} for row in result.clusters.to_dict("records")],
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)


def _finite(value: object) -> object:
    """The value as JSON takes it: None for what is not a number."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
