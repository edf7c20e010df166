"""A group comparison in plain sentences, tables, and a document for other programs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine import words
from engine.methods.group_difference.evidence import ALIGNMENTS, FEW_ROWS, GroupDifferenceEvidence

if TYPE_CHECKING:
    import pandas as pd

CAUTION = "A variable called different behaves differently given its displayed parents; it need not be the cause."
PRIOR_ABOUT = {"overall": "for all variables at once", "variable": "for each variable", "context": "for each context"}
"""What the prior probability is about, by `p_level`."""


def headline(result: GroupDifferenceEvidence) -> str:
    """The one-sentence answer."""
    verdicts = result.both()["verdict"]
    different = [name for name in result.ranking().index if verdicts[name] == "different"]
    first, second = result.labels
    where = f"between {result.method.group} = {first} and {second}"
    if not different:
        return f"No variable behaves differently {where} under both ways of comparing the networks."
    verb = "behaves" if len(different) == 1 else "behave"
    shown = words.first(different, most=3)
    return f"{len(different)} of {len(result.names)} variables {verb} differently {where}: {shown}."


def sentences(result: GroupDifferenceEvidence) -> list[str]:
    """What was compared, and whether the groups differ anywhere."""
    method, overall = result.method, result.overall_log_odds
    return [
        f"{result.n[0]:,} rows with {method.group} = {result.labels[0]} were compared with {result.n[1]:,} "
        f"with {result.labels[1]}, over {len(result.names)} variables.",
        f"Odds that the groups differ anywhere: {words.odds(overall)} ({words.evidence(overall, 'a difference')}), "
        f"with a prior probability of {method.p_same:g} for 'no difference' ({PRIOR_ABOUT[method.p_level]}).",
    ]


def notes(result: GroupDifferenceEvidence) -> list[str]:
    """How far the strongest odds would bend, what hangs on the structure, and what is thin."""
    ranking, verdicts = result.ranking(), result.both()["verdict"]
    found = []
    top = ranking.index[0]
    if ranking.at[top, "log10_odds"] > 0:
        tipping = float(ranking.at[top, "tipping_prior"])
        even = f"{tipping:.3g}" if tipping < 0.999 else "more than 0.999"
        found.append(
            f"The strongest is {top}: {_log10_odds(ranking.at[top, 'log10_odds'])}; it would take a prior of "
            f"{even} for 'no difference' to make it even."
        )
    disputed = [name for name in result.names if verdicts[name] == "depends on the structure"]
    if disputed:
        depend = "depends" if len(disputed) == 1 else "depend"
        found.append(
            f"{words.count(len(disputed), 'variable')} {depend} on the structure ({', '.join(disputed[:5])}): the "
            "three networks give different parents, and the two ways of comparing them disagree."
        )
    thin = [name for name in ranking.index if ranking.at[name, "few_rows"] and verdicts[name] == "different"]
    if thin:
        found.append(f"The decisive context has few rows for {', '.join(thin[:5])}: read with care.")
    if result.dropped:
        left_out = "; ".join(f"{name}: {', '.join(levels)}" for name, levels in sorted(result.dropped.items()))
        found.append(f"Levels that neither group has were left out: {left_out}.")
    return found + cautions(result)


def cautions(result: GroupDifferenceEvidence) -> list[str]:
    """What makes some of the odds worth less than they look, each with its variables and a remedy."""
    recoded, many = [], []
    rows = sum(result.n)
    for name, blocks in zip(result.names, result.marginal, strict=True):
        counts = blocks.counts[0]
        if counts.shape[1] > 1 and not ((counts[0] > 0) & (counts[1] > 0)).any():
            recoded.append(name)
        elif counts.shape[1] > 20 or counts.shape[1] > max(rows / 5, 2):
            many.append(name)
    said = []
    if recoded:
        said.append(
            f"{', '.join(recoded[:5])}: no value occurs in both groups, so this tells the groups apart by itself, like "
            "the group column under another name. Leave it out if it is."
        )
    if many:
        said.append(
            f"{', '.join(many[:5])}: many levels for {rows:,} rows, so the odds rest on few rows a level. Merge rare "
            "levels or leave out identifiers."
        )
    return said


def explain(result: GroupDifferenceEvidence, variable: str) -> list[str]:
    """The verdict on one variable, the parents in the three networks, the univariate answer."""
    parents = result.parents(variable)  # first: it says where a variable was not compared
    row = result.ranking().loc[variable]
    sides = f"{_log10_odds(row['log10_published'])} (published), {_log10_odds(row['log10_common'])} (common)"
    verdict = {
        "different": f"{variable} behaves differently in the two groups",
        "same": f"{variable} behaves the same in the two groups",
        "depends on the structure": f"Whether {variable} differs depends on how the networks are compared",
        "no evidence": f"{variable} has one level only, so nothing can be said",
    }[row["verdict"]]
    said = [f"{verdict}: odds {sides}; P(different) {words.probability(row['p_different'])}."]
    if len(set(parents.values())) == 1:
        group = next(iter(parents.values()))
        said.append(f"Parents in all three networks: {', '.join(group)}." if group else "It has no parents.")
    else:
        listed = "; ".join(f"{title}: {', '.join(group) or 'none'}" for title, group in parents.items())
        said.append(f"The three networks give it different parents. {listed}.")
    alone = row["marginal_log10_odds"]
    said.append(
        f"On its own, without the other variables: {_log10_odds(alone)} "
        f"({words.evidence(alone * math.log(10), 'a difference')}); "
        f"the largest difference of a share is {abs(row['largest_share_difference']):.1%}."
    )
    if row["few_rows"]:
        said.append(f"The context that decides has fewer than {FEW_ROWS} rows in one of the groups.")
    return said


def _log10_odds(log10_odds: float) -> str:
    return words.odds(log10_odds * math.log(10))


def per_context(result: GroupDifferenceEvidence, make: Callable[[str, str], pd.DataFrame]) -> pd.DataFrame:
    """The tables of all variables under both alignments, one below the other."""
    import pandas as pd

    parts = []
    for name in result.names:
        for alignment in ALIGNMENTS:
            part = make(name, alignment)
            part.insert(0, "variable", name)
            part.insert(1, "alignment", alignment)
            parts.append(part)
    return pd.concat(parts, ignore_index=True)


def document(result: GroupDifferenceEvidence) -> dict[str, Any]:
    """Settings, data, odds, blocks and networks; natural logs."""

    def blocks(alignment: str) -> list[dict[str, Any]]:
        return [
            {
                "variable": name,
                "parents": [result.names[x] for x in one.parents],
                "possible": one.possible,
                "configurations": one.configurations.tolist(),
                "counts": one.counts.tolist(),
                "log_bayes_factor": one.bayes.tolist(),
            }
            for name, one in zip(result.names, getattr(result, alignment), strict=True)
        ]

    both = result.both()
    return {
        "settings": result.method.shown(),
        "data": {
            "fingerprint": result.fingerprint,
            "variables": list(result.names),
            "levels": {name: list(result.levels[name]) for name in result.names},
            "groups": list(result.labels),
            "rows": list(result.n),
            "dropped_levels": {name: list(levels) for name, levels in result.dropped.items()},
        },
        "overall_log_odds": result.overall_log_odds,
        "log_odds": {alignment: both[alignment].to_dict() for alignment in ("published", "common")},
        "tipping_prior": result.tipping_prior().to_dict(),
        "blocks": {alignment: blocks(alignment) for alignment in ("published", "common", "marginal")},
        "networks": {
            title: {name: [result.names[x] for x in parents[i]] for i, name in enumerate(result.names)}
            for title, parents in zip(result.graph_titles(), result.structures, strict=True)
        },
    }
