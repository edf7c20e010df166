"""A group comparison in plain sentences, tables, and a document for other programs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import words
from engine.methods.group_difference.evidence import ALIGNMENTS, FEW_ROWS, GroupDifferenceEvidence
from engine.methods.group_difference.odds import probability
from engine.methods.group_difference.verdicts import (
    ALIKE,
    CANNOT_TELL,
    DIFFERS,
    DISPUTED,
    EXPLAINED,
    NOTHING,
    ONE_LEVEL,
    VERDICT_COLUMNS,
    WITHIN,
    GroupDifferenceVerdicts,
)

if TYPE_CHECKING:
    import pandas as pd

CAUTION = "A variable that differs does so given its displayed parents; it need not be the cause."
SHOWN = 3


def headline(result: GroupDifferenceVerdicts) -> str:
    """The one-sentence answer."""
    found = result.variables()
    differ = list(found.index[found["verdict"] == DIFFERS])
    where = f"between {result.method.group} = {result.labels[0]} and {result.labels[1]}"
    total = words.count(len(result.names), "variable")
    if differ:
        verb = "differs" if len(differ) == 1 else "differ"
        named = words.first(differ, most=SHOWN)
        return f"{len(differ)} of {total} {verb} {where} more than chance shows: {named}."
    alone = list(found.index[found["class"].str.startswith(EXPLAINED)])
    if alone:
        verb = "differs" if len(alone) == 1 else "differ"
        return (
            f"{len(alone)} of {total} {verb} {where}, but no more than other variables explain: "
            f"{words.first(alone, most=SHOWN)}."
        )
    alike = (found["verdict"] == ALIKE).sum()
    if alike == len(found):
        return f"All {total} are alike {where}, within {_points(result.method.margin)}."
    return f"No variable is seen to differ {where}; that alone does not make the groups alike."


def sentences(result: GroupDifferenceVerdicts) -> list[str]:
    """What was compared, what of the rest is alike and what cannot be told, and whether anything differs at all."""
    method, found = result.method, result.variables()
    said = [
        f"{result.n[0]:,} rows with {method.group} = {result.labels[0]} were compared with {result.n[1]:,} "
        f"with {result.labels[1]}, over {words.count(len(result.names), 'variable')}."
    ]
    differ = int((found["verdict"] == DIFFERS).sum())
    if differ:
        said.append(f"Of variables called different, up to about {method.chance:.0%} are so by chance.")
    explained = list(found.index[found["class"].str.startswith(EXPLAINED)])
    if explained and differ:
        said.append(
            f"{words.first(explained, most=SHOWN)} {'differs' if len(explained) == 1 else 'differ'} too, but no more "
            "than other variables explain."
        )
    margin = _points(method.margin)
    alike, unknown = (found.index[found["verdict"] == state] for state in (ALIKE, CANNOT_TELL))
    if len(alike):
        said.append(f"Alike within {margin}: {words.first(alike, most=SHOWN)}.")
    if len(unknown):
        most = found.loc[unknown, "rows_needed"].max()
        rows = "" if math.isnan(most) else f"; to see {margin} in all of them would take {most:,.0f} rows a group"
        said.append(f"Cannot be told: {words.first(unknown, most=SHOWN)}{rows}.")
    return [*said, overall(result)]


def overall(result: GroupDifferenceVerdicts) -> str:
    """Whether the groups differ anywhere: the Bayes factor in words, and the probability from even odds."""
    factor = result.overall_bayes_factor
    even = words.probability(float(probability(np.array([factor]))[0]))
    return (
        f"For the groups as a whole: {words.evidence(factor, 'a difference anywhere')} "
        f"(Bayes factor {words.odds(factor)}; from even odds, a probability of {even})."
    )


def notes(result: GroupDifferenceVerdicts) -> list[str]:
    """What hangs on the structure, and what is thin."""
    found, said = result.variables(), []
    disputed = list(found.index[found["class"] == DISPUTED])
    if disputed:
        said.append(
            f"{words.first(disputed)}: shuffled labels rarely show as much, yet the published comparison, where the "
            "three networks give different parents, speaks against a difference; so it is not called."
        )
    thin = list(found.index[found["few_rows"].astype(bool) & (found["verdict"] == DIFFERS)])
    if thin:
        said.append(f"The decisive context has few rows for {words.first(thin)}: read with care.")
    if result.dropped:
        left_out = "; ".join(f"{name}: {', '.join(levels)}" for name, levels in sorted(result.dropped.items()))
        said.append(f"Levels that neither group has were left out: {left_out}.")
    return said + cautions(result)


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


def explain(result: GroupDifferenceVerdicts, variable: str) -> list[str]:
    """The verdict on one variable and why, its effect, its chance, its parents, and the published odds."""
    parents = result.parents(variable)  # first: it says where a variable was not compared
    row = result.variables().loc[variable]
    if row["verdict"] == ONE_LEVEL:
        return [f"{variable} has one level only, so nothing can be said."]
    return [
        _why(result, variable, row),
        _effect(result, row),
        _chance(row),
        *_parents(parents),
        f"Published odds (equation 10): {_log10_odds(row['log10_published'])} a difference, on common parents "
        f"{_log10_odds(row['log10_common'])}; prior odds {_log10_odds(row['prior_log10_odds'])}.",
        *([f"The context that decides has fewer than {FEW_ROWS} rows in a group."] if row["few_rows"] else []),
    ]


def _why(result: GroupDifferenceVerdicts, variable: str, row: pd.Series) -> str:
    """On its own yes or no, beyond its parents yes or no, and what follows."""
    given = [result.names[x] for x in result.common[result.names.index(variable)].parents]
    kind, verdict = row["class"], row["verdict"]
    known = words.listed(given[:SHOWN]) + (" and others" if len(given) > SHOWN else "")
    if kind.startswith(EXPLAINED):
        found = result.variables()["class"]
        itself = [name for name in given if found[name] != NOTHING]
        because = f"On its own {variable} differs"
        because += f", as {words.listed(itself[:SHOWN])} {'does' if len(itself) == 1 else 'do'}" if itself else ""
        return f"{because}; given {known}, {_rest(result, row)}."
    if kind.startswith(WITHIN):
        return f"{variable} differs only within {kind.removeprefix(WITHIN)}; on its own no difference is seen."
    if kind == DIFFERS:
        beyond = f", on its own and beyond what {known} would explain" if given else ""
        return f"{variable} differs between the groups{beyond}."
    if kind == DISPUTED:
        return f"Whether {variable} differs cannot be told: the two ways of comparing the networks disagree."
    if verdict == ALIKE:
        within = f" in every context of {known} that occurs" if given else ""
        return f"{variable} is alike in the two groups within {_points(result.method.margin)}{within}."
    return f"Whether {variable} differs cannot be told: {_rest(result, row)}."


def _rest(result: GroupDifferenceVerdicts, row: pd.Series) -> str:
    margin = _points(result.method.margin)
    if row["verdict"] == ALIKE:
        return f"the groups are alike within {margin}"
    if math.isnan(row["rows_needed"]):
        return "no difference is seen"
    if row["rows_needed"] <= min(result.n):
        where, hidden = (
            (" over all rows", "; yet in a single context they could hide") if row["contexts"] > 1 else ("", "")
        )
        return f"no difference is seen, though {margin}{where} would show in 4 of 5 tables of this size{hidden}"
    return f"no difference is seen (to see {margin} in 4 of 5 tables takes {row['rows_needed']:,.0f} rows a group)"


def _effect(result: GroupDifferenceVerdicts, row: pd.Series) -> str:
    """Both groups' difference of a share, with its interval."""
    first, second = result.labels
    where = "held within its contexts" if row["contexts"] > 1 else "over all rows"
    if math.isnan(row["effect"]):
        return "No context has rows of both groups, so there is no effect to state."
    ends = f"(95 %: {_signed(row['low'])} to {_signed(row['high'])})"
    if round(100 * abs(row["effect"])) == 0:
        size = f"No level's share differs by a point, {where} {ends}"
    else:
        than = f"{'more' if row['effect'] > 0 else 'less'} frequent in {second} than in {first}"
        size = f"{row['level']} is {_points(abs(row['effect']))} {than}, {where} {ends}"
    alone = (
        f"; on its own {_signed(row['effect_alone'])} ({_signed(row['low_alone'])} to {_signed(row['high_alone'])})"
        if row["contexts"] > 1
        else ""
    )
    return size + alone + "."


def _chance(row: pd.Series) -> str:
    alone, beyond = (words.percent(row[f"chance_{which}"]) for which in ("alone", "beyond"))
    if row["contexts"] == 1:
        return f"Chance: {alone}, corrected for the number of variables."
    return f"Chance, corrected for the number of variables: {beyond} beyond its parents, {alone} on its own."


def _parents(parents: dict[str, tuple[str, ...]]) -> list[str]:
    if len(set(parents.values())) == 1:
        group = next(iter(parents.values()))
        return [f"Parents in all three networks: {', '.join(group)}." if group else "It has no parents."]
    listed = "; ".join(f"{title}: {', '.join(group) or 'none'}" for title, group in parents.items())
    return [f"The three networks give it different parents. {listed}."]


def _points(share: float) -> str:
    """'12 points', '1 point', '0.4 points': a difference of two shares."""
    size = 100 * share
    number = f"{size:.0f}" if size >= 1 or size == 0 else f"{size:.1g}"
    return f"{number} point{'' if number == '1' else 's'}"


def _signed(share: float) -> str:
    return f"{100 * share:+.0f}"


def adding_up(parts: pd.Series) -> str:
    """How the contexts' parts make the variable's evidence."""
    shown = " ".join(f"{part:+.1f}" for part in parts[:6]) + (f" and {len(parts) - 6} more" if len(parts) > 6 else "")
    return (
        f"The contexts' parts add up: {shown} = {parts.sum():+.1f} powers of ten by which the data move the "
        "probability of no difference away from one half."
    )


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


def document(result: GroupDifferenceVerdicts) -> dict[str, Any]:
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
        "verdicts": _verdicts(result),
        "overall_log_bayes_factor": result.overall_bayes_factor,
        "blocks": {alignment: blocks(alignment) for alignment in ("published", "common", "marginal")},
        "networks": {
            title: {name: [result.names[x] for x in parents[i]] for i, name in enumerate(result.names)}
            for title, parents in zip(result.graph_titles(), result.structures, strict=True)
        },
    }


def _verdicts(result: GroupDifferenceVerdicts) -> dict[str, dict[str, Any]]:
    """Verdict, class, chances, effects and rows needed by variable; nothing where a number is not given."""
    table = result.variables().loc[list(result.names), list(VERDICT_COLUMNS)]
    rows = table.astype(object).where(table.notna(), None).to_dict("index")
    return {str(name): row for name, row in rows.items()}
