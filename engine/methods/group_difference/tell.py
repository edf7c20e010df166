"""A group comparison in plain sentences, titles, and JSON."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engine.errors import SettingsError
from engine.methods import report

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.group_difference.result import GroupDifferenceResult

FORMAT = "diptych/group-difference/1"
FEW_ROWS = 10
"""A context with fewer rows than this in one of the groups is marked: its shares are little more than the prior."""
TABLES = ("Odds by variable", "Contexts", "Distributions", "Arcs", "Settings")


def strength(log10_odds: float) -> str:
    """Odds in words: "strong evidence for a difference"."""
    return report.strength(log10_odds * math.log(10), "a difference")


def odds_in_words(log10_odds: float) -> str:
    """'about 40 to 1 for a difference', '3 to 1 against': readable at any size."""
    size = abs(log10_odds)
    side = "for" if log10_odds > 0 else "against"
    if size >= 6:
        return f"10^{size:.0f} to 1 {side}"
    number = 10**size
    return f"{number:,.0f} to 1 {side}" if number >= 10 else f"{number:.1f} to 1 {side}"


def graph_titles(result: GroupDifferenceResult) -> tuple[str, str, str]:
    """Titles of the three networks, different even where the labels are odd."""
    group = result.method.group
    return (
        f"{group} = {result.labels[0]}",
        f"{group} = {result.labels[1]}",
        "both groups together",
    )


def headline(result: GroupDifferenceResult) -> str:
    """The one-sentence answer."""
    verdicts = result.both()["verdict"]
    different = [name for name in result.ranking().index if verdicts[name] == "different"]
    first, second = result.labels
    where = f"between {result.method.group} = {first} and {second}"
    if not different:
        return f"No variable behaves differently {where} under both ways of comparing the networks."
    shown = ", ".join(different[:3])
    more = f" and {len(different) - 3} more" if len(different) > 3 else ""
    verb = "behaves" if len(different) == 1 else "behave"
    return f"{len(different)} of {len(result.names)} variables {verb} differently {where}: {shown}{more}."


def summary(result: GroupDifferenceResult) -> str:
    """The answer, what it rests on, and how not to read it."""
    method = result.method
    overall = result.overall_log_odds / math.log(10)
    verdicts = result.both()["verdict"]
    disputed = [name for name in result.names if verdicts[name] == "depends on the structure"]
    ranking = result.ranking()
    sentences = [
        headline(result),
        f"{result.n[0]:,} rows with {method.group} = {result.labels[0]} were compared with {result.n[1]:,} "
        f"with {result.labels[1]}, over {len(result.names)} variables.",
        f"Odds that the groups differ anywhere: {odds_in_words(overall)} ({strength(overall)}), "
        f"with a prior probability of {method.p_same:g} for 'no difference' ({_prior_words(method.p_level)}).",
    ]
    top = ranking.index[0]
    if ranking.at[top, "log10_odds"] > 0:
        tipping = float(ranking.at[top, "tipping_prior"])
        even = f"{tipping:.3g}" if tipping < 0.999 else "more than 0.999"
        sentences.append(
            f"The strongest is {top}: {odds_in_words(ranking.at[top, 'log10_odds'])}; it would take a prior of "
            f"{even} for 'no difference' to make it even."
        )
    if disputed:
        sentences.append(
            f"{len(disputed)} variable{'s' if len(disputed) > 1 else ''} depend"
            f"{'' if len(disputed) > 1 else 's'} on the structure ({', '.join(disputed[:5])}): the three networks give "
            "different parents, and the two ways of comparing them disagree."
        )
    thin = [name for name in ranking.index if ranking.at[name, "few_rows"] and verdicts[name] == "different"]
    if thin:
        sentences.append(f"The decisive context has few rows for {', '.join(thin[:5])}: read with care.")
    if result.dropped:
        sentences.append(
            "Levels that neither group has were left out: "
            + "; ".join(f"{name}: {', '.join(levels)}" for name, levels in sorted(result.dropped.items()))
            + "."
        )
    sentences += cautions(result)
    sentences.append(
        "A variable called different behaves differently given its displayed parents; it need not be the cause."
    )
    return "\n".join(sentences)


def cautions(result: GroupDifferenceResult) -> list[str]:
    """What makes some of the odds worth less than they look, each with its variables and a remedy."""
    recoded, many = [], []
    rows = sum(result.n)
    for name, blocks in zip(result.names, result.marginal, strict=True):
        counts = blocks.counts[0]
        if counts.shape[1] > 1 and not ((counts[0] > 0) & (counts[1] > 0)).any():
            recoded.append(name)
        elif counts.shape[1] > 20 or counts.shape[1] > max(rows / 5, 2):
            many.append(name)
    sentences = []
    if recoded:
        sentences.append(
            f"{', '.join(recoded[:5])}: no value occurs in both groups, so this tells the groups apart by itself, like "
            "the group column under another name. Leave it out on the data page if it is."
        )
    if many:
        sentences.append(
            f"{', '.join(many[:5])}: many levels for {rows:,} rows, so the odds rest on few rows a level. Merge rare "
            "levels or leave out identifiers on the data page."
        )
    return sentences


def explain(result: GroupDifferenceResult, variable: str) -> list[str]:
    """The verdict on one variable, the parents in the three networks, the univariate answer."""
    row = result.ranking().loc[variable]
    sides = f"{odds_in_words(row['log10_published'])} (published), {odds_in_words(row['log10_common'])} (common)"
    verdict = {
        "different": f"{variable} behaves differently in the two groups",
        "same": f"{variable} behaves the same in the two groups",
        "depends on the structure": f"Whether {variable} differs depends on how the networks are compared",
        "no evidence": f"{variable} has one level only, so nothing can be said",
    }[row["verdict"]]
    sentences = [f"{verdict}: odds {sides}; P(different) {report.chance(row['p_different'])}."]
    parents = result.parents(variable)
    if len(set(parents.values())) == 1:
        group = next(iter(parents.values()))
        sentences.append(f"Parents in all three networks: {', '.join(group)}." if group else "It has no parents.")
    else:
        listed = "; ".join(f"{title}: {', '.join(group) or 'none'}" for title, group in parents.items())
        sentences.append(f"The three networks give it different parents. {listed}.")
    alone = row["marginal_log10_odds"]
    sentences.append(
        f"On its own, without the other variables: {odds_in_words(alone)} ({strength(alone)}); "
        f"the largest difference of a share is {abs(row['largest_share_difference']):.1%}."
    )
    if row["few_rows"]:
        sentences.append(f"The context that decides has fewer than {FEW_ROWS} rows in one of the groups.")
    return sentences


def _prior_words(p_level: str) -> str:
    return {
        "overall": "for all variables at once",
        "variable": "for each variable",
        "context": "for each context",
    }[p_level]


def table(result: GroupDifferenceResult, title: str) -> pd.DataFrame:
    """One of `TABLES`."""
    import pandas as pd

    if title == "Odds by variable":
        return result.ranking().reset_index()
    if title == "Settings":
        return settings_table(result)
    if title == "Arcs":
        arcs = [
            (network, parent, child, about["status"])
            for network, graph in result.graphs().items()
            for parent, child, about in graph.edges(data=True)
        ]
        return pd.DataFrame(arcs, columns=["network", "parent", "child", "status"])
    if title not in TABLES:
        raise SettingsError(f"There is no table {title!r}; there are {', '.join(map(repr, TABLES))}.")
    parts = []
    for name in result.names:
        for alignment in ("published", "common"):
            if title == "Contexts":
                part = result.contexts(name, alignment).iloc[:, :6]  # the shares differ by variable: "Distributions"
            else:
                part = result.distributions(name, alignment)
            part.insert(0, "variable", name)
            part.insert(1, "alignment", alignment)
            parts.append(part)
    return pd.concat(parts, ignore_index=True)


def settings_table(result: GroupDifferenceResult) -> pd.DataFrame:
    """Everything needed to repeat the analysis."""
    rows = {f"rows in {label}": n for label, n in zip(result.labels, result.n, strict=True)}
    return report.settings_table(_settings(result), rows, result.fingerprint)


def _settings(result: GroupDifferenceResult) -> dict[str, Any]:
    method = result.method
    settings = {name: getattr(method, name) for name in method.__dataclass_fields__}
    settings["score"] = {"name": type(method.score).__name__, **asdict(method.score)}
    return settings


def to_json(result: GroupDifferenceResult) -> str:
    """Settings, data, odds, blocks and networks; natural logs; the format is named and versioned."""

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
    document = {
        "format": FORMAT,
        "settings": _settings(result),
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
            for title, parents in zip(graph_titles(result), result.structures, strict=True)
        },
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
