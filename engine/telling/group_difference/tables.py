"""A group comparison as tables: of one variable, of all variables with their words, and as a document."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from engine import words
from engine.errors import DataError
from engine.lazy import pd
from engine.measures.intervals import beta_interval
from engine.methods import frames
from engine.methods.group_difference import odds
from engine.methods.group_difference.compared_groups import ALIGNMENTS
from engine.methods.group_difference.effects import FEW_ROWS, difference
from engine.methods.group_difference.evidence import GroupDifferenceEvidence
from engine.methods.group_difference.numbers.described import NumberSummary
from engine.methods.group_difference.verdicts import ALL_ROWS, Alone, Verdict
from engine.telling.group_difference.forms import context_words, form_of, runs, shares_within, what, written
from engine.telling.group_difference.gap import document as gap_document
from engine.text import Text, told


def variables(result: GroupDifferenceEvidence) -> pd.DataFrame:
    """The verdicts with what differs, and both groups, in words; see `GroupDifferenceResult.variables`."""
    table = result.verdicts.copy()
    places = {name: i for i, name in enumerate(result.names)}
    rows = list(zip((places[str(name)] for name in table.index), table["verdict"], table["level"], strict=True))
    differing = [str(what(result, i)) if Verdict(verdict).called else "" for i, verdict, _ in rows]
    first, second = zip(*(of_groups(result, i, level) for i, _, level in rows), strict=True)
    table.insert(int(table.columns.get_loc("error")) + 1, "what", differing)
    table.insert(int(table.columns.get_loc("what")) + 1, "first", first)
    table.insert(int(table.columns.get_loc("first")) + 1, "second", second)
    return table


def told_in_one_word(variables: pd.DataFrame) -> pd.DataFrame:
    """The same as on the page: what differs overall alone has that for its verdict, and overall stands first."""
    through = variables["alone"] == Alone.THROUGH_OTHERS
    said = variables["verdict"] + [in_spread(row) for _, row in variables.iterrows()]
    table = variables.assign(verdict=said.where(~through, str(Alone.THROUGH_OTHERS)))
    for name in ("overall_high", "overall_low", "overall"):
        table.insert(int(table.columns.get_loc("difference")), name, table.pop(name))
    return table


def in_spread(row: pd.Series) -> str:
    """' in spread', behind the verdict of what differs so that neither a mean nor a share shows it."""
    return " in spread" if Verdict(row["verdict"]).called and row["what"].startswith("varies") else ""


def widths(result: GroupDifferenceEvidence, row: pd.Series) -> str:
    """'IQR 2.6 v 1.4 wide', the second group's first, of a number that differs in its spread; "" of what does not."""
    summary = result.numbers.get(str(row.name))
    if summary is None or not in_spread(row):
        return ""
    one, other = written(summary, (summary.quartiles[:, 2] - summary.quartiles[:, 0]).tolist())
    return f"IQR {other} v {one} wide"


def contexts(result: GroupDifferenceEvidence, variable: str, alignment: str | None = None) -> pd.DataFrame:
    """The blocks of one variable that have rows, strongest evidence for a difference first.

    Parameters
    ----------
    variable : one of those compared
    alignment : None for the likeliest parents of the average (the pooled network's where orders are not averaged);
        "published" or "common" for the paper's, "marginal" for none

    Returns
    -------
    pandas.DataFrame: context (parent values in words), rows in each group, log_bayes_factor (natural log, positive
    for different), part (log10; at even prior odds the parts add up to minus log10 of twice P(no difference |
    data)), posterior_different, few_rows, then the share of every level in either group as observed

    Raises
    ------
    DataError : the variable was not compared, or there is no such alignment
    """
    i = result.index(variable)
    blocks = result.blocks(alignment)[i]
    first, second = result.labels
    n = blocks.counts.sum(axis=2)
    log_p = result.log_block_prior(alignment, i)
    t = odds.surprise(blocks.bayes, np.full(len(blocks.bayes), log_p))
    columns: dict[str, Any] = {
        "context": [result.context(blocks, j) for j in range(len(blocks.configurations))],
        f"n in {first}": n[:, 0],
        f"n in {second}": n[:, 1],
        "log_bayes_factor": blocks.bayes,
        "part": odds.parts(blocks.bayes, blocks.possible) / math.log(10),
        "posterior_different": -np.expm1(-t),
        "few_rows": n.min(axis=1) < FEW_ROWS,
    }
    with np.errstate(invalid="ignore"):
        shares = blocks.counts / n[:, :, None]
    for k, level in enumerate(result.levels[variable]):
        for g, label in enumerate(result.labels):
            title = f"P({level}) in {label}"
            while title in columns:  # odd levels can spell the same title
                title += "*"
            columns[title] = shares[:, g, k]
    order = np.argsort(-blocks.bayes, kind="stable")
    return frames.data_frame(columns).iloc[order].reset_index(drop=True)


def distributions(result: GroupDifferenceEvidence, variable: str, alignment: str | None = None) -> pd.DataFrame:
    """Both groups' distributions of one variable in every context, long form, in the order of `contexts`.

    Parameters
    ----------
    variable, alignment : as for `contexts`

    Returns
    -------
    pandas.DataFrame: context, group, level, count, share (posterior mean), low and high (its central 95 % interval
    under the score's prior)

    Raises
    ------
    DataError : the variable was not compared, or there is no such alignment
    """
    blocks = result.blocks(alignment)[result.index(variable)]
    alpha = result.method.score.cell_prior(blocks.possible, len(result.levels[variable]))
    rows = []
    for j in np.argsort(-blocks.bayes, kind="stable"):
        context = result.context(blocks, j)
        for g, label in enumerate(result.labels):
            a = alpha + blocks.counts[j, g]
            low_ends, high_ends = beta_interval(a, a.sum() - a)
            columns = (result.levels[variable], blocks.counts[j, g].tolist(), a / a.sum(), low_ends, high_ends)
            rows += [(context, label, *row) for row in zip(*columns, strict=True)]
    return frames.data_frame(rows, columns=["context", "group", "level", "count", "share", "low", "high"])


def differences(result: GroupDifferenceEvidence, variable: str, level: str | None = None) -> pd.DataFrame:
    """How much the share of a level differs in each context of S*, and over all rows.

    Parameters
    ----------
    variable : one of those compared
    level : of it; None for that of `where`

    Returns
    -------
    pandas.DataFrame: context; n_first, n_second; difference of the share, second group minus first, with low and
    high (95 %, of all contexts together), NaN where a group has no rows; few_rows. The strongest evidence for a
    difference first, contexts without rows of both groups last of them, and all rows (`ALL_ROWS`) at the end

    Raises
    ------
    DataError : the variable was not compared, or has no such level
    """
    i = result.index(variable)
    place, blocks = result.places[i], result.best_blocks[i]
    levels = result.levels[variable]
    if level is not None and level not in levels:
        raise DataError(f"'{variable}' has no level {level!r} here.", column=variable)
    k = levels.index(level) if level is not None else levels.index(place.level) if place else len(levels) - 1
    rows = blocks.counts.sum(axis=2)
    both = rows.min(axis=1) > 0
    order = sorted(range(len(rows)), key=lambda j: (not both[j], -blocks.bayes[j]))
    rows_of = []
    parts = [(result.context(blocks, j), blocks, j) for j in order] if blocks.parents else []
    for context, own, j in [*parts, (ALL_ROWS, result.marginal[i], 0)]:
        n = own.counts[j].sum(axis=1)
        ends = difference(own, k, j)
        rows_of.append((context, int(n[0]), int(n[1]), *ends, bool(n.min() < FEW_ROWS)))
    columns = ["context", "n_first", "n_second", "difference", "low", "high", "few_rows"]
    return frames.data_frame(rows_of, columns=columns)


def contexts_by_level(result: GroupDifferenceEvidence, variable: str) -> list[str]:
    """List all rows, then the contexts of S* as the levels of the parents go.

    Parameters
    ----------
    variable : one of those compared
    """
    blocks = result.best_blocks[result.index(variable)]
    order = np.lexsort(np.asarray(blocks.configurations).T[::-1]).tolist() if blocks.parents else []
    return [ALL_ROWS, *(result.context(blocks, j) for j in order)]


def in_order_of_levels(result: GroupDifferenceEvidence, variable: str, contexts: pd.DataFrame) -> pd.DataFrame:
    """Sort contexts, one a row, as the levels of the parents go.

    Parameters
    ----------
    variable : one of those compared
    contexts : with a column `context`
    """
    places = {context: place for place, context in enumerate(contexts_by_level(result, variable))}
    return contexts.sort_values("context", key=lambda column: column.map(places), ignore_index=True)


def contexts_in_units(result: GroupDifferenceEvidence, variable: str) -> pd.DataFrame:
    """A number in each context of S*, in its unit.

    Parameters
    ----------
    variable : one of those compared

    Returns
    -------
    pandas.DataFrame: context; n_first, n_second; median, q1 and q3 of both groups; difference of the medians and
    of the means, second group minus first. In the order of `differences`; no rows for what is no number

    Raises
    ------
    DataError : the variable was not compared
    """
    i = result.index(variable)
    given = result.numbers_of(i)
    columns = ["context", "n_first", "n_second", "q1_first", "median_first", "q3_first"]
    columns += ["q1_second", "median_second", "q3_second", "difference_of_medians", "difference_of_means"]
    if given is None:
        return pd.DataFrame(columns=columns)
    blocks = result.best_blocks[i]
    order = sorted(range(len(blocks.bayes)), key=lambda j: (not given.counts[j].all(), -blocks.bayes[j]))
    rows = [
        (
            result.context(blocks, j),
            *given.counts[j].tolist(),
            *given.quartiles[j].ravel().tolist(),
            float(given.quartiles[j, 1, 1] - given.quartiles[j, 0, 1]),
            float(given.means[j, 1] - given.means[j, 0]),
        )
        for j in order
    ]
    return pd.DataFrame(rows, columns=columns)


def segments(result: GroupDifferenceEvidence, variable: str) -> pd.DataFrame:
    """The ranges of a number or an ordered variable in which the groups' shares differ, in the deciding context.

    Parameters
    ----------
    variable : one of those compared

    Returns
    -------
    pandas.DataFrame: low, high, in the variable's unit or as codes of its levels; share_first, share_second;
    direction, "higher" or "lower", of the second group's share. No rows where nothing is told of ranges

    Raises
    ------
    DataError : the variable was not compared
    """
    i = result.index(variable)
    evidence, rows = result.evidence_of(i), []
    if evidence is not None and evidence.segments:
        own = evidence.segments[_deciding(result, i)]
        for a, b, up in runs(own):
            shares = shares_within(own, slice(a, b + 1)).tolist()
            rows.append((float(own.lows[a]), float(own.highs[b]), *shares, "higher" if up else "lower"))
    table = pd.DataFrame(rows, columns=["low", "high", "share_first", "share_second", "direction"])
    return table.astype(dict.fromkeys(table.columns[:4], float))  # also of no rows


def segments_place(result: GroupDifferenceEvidence, variable: str) -> Text:
    """The context that the shares of `segments` are of, such as 'severity = mild'; "" where there is one context only.

    Parameters
    ----------
    result : a comparison
    variable : one of those compared
    """
    i = result.index(variable)
    evidence = result.evidence_of(i)
    several = evidence is not None and bool(evidence.segments) and len(evidence.blocks) > 1
    return context_words(result, i, _deciding(result, i)) if several else told("")


def _deciding(result: GroupDifferenceEvidence, i: int) -> int:
    """The context whose ranges are told: that of the form, else the one with most evidence."""
    form, evidence = form_of(result, i), result.evidence_of(i)
    if form is not None and form.block is not None:
        return form.block
    return 0 if evidence is None else int(np.argmax(evidence.blocks))


def of_groups(result: GroupDifferenceEvidence, i: int, level: str, above: bool = False) -> tuple[str, str]:
    """Each group as it is told over all rows: '1.8 [1.2, 2.7]' of a number, '381 (62 %)' of a level, or above it."""
    summary, counts = result.numbers.get(result.names[i]), result.marginal[i].counts[0]
    if summary is not None:
        first, second = (
            f"{median} [{low}, {high}]" for low, median, high in (written(summary, list(q)) for q in summary.quartiles)
        )
        return first, second
    k = result.levels[result.names[i]].index(level)
    inside = slice(k + 1, None) if above else slice(k, k + 1)
    rows = ((int(row[inside].sum()), max(row.sum(), 1)) for row in counts)
    first, second = (f"{many:,} ({words.in_percent(many / n)})" for many, n in rows)
    return first, second


def per_context(result: GroupDifferenceEvidence, make: Callable[[str, str | None], pd.DataFrame]) -> pd.DataFrame:
    """The tables of all variables, over the likeliest parents and under both alignments, one below the other."""
    alignments = (None, *ALIGNMENTS) if result.average else ALIGNMENTS
    parts = {(name, own or "likeliest"): make(name, own) for name in result.names for own in alignments}
    return frames.stacked(parts, ["variable", "alignment"])


def _plain(summary: NumberSummary) -> dict[str, Any]:
    """A number's summary as JSON takes it."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple | np.ndarray):
            return [plain(inner) for inner in value]
        value = value.item() if hasattr(value, "item") else value
        return None if isinstance(value, float) and not math.isfinite(value) else value

    result: dict[str, Any] = plain(asdict(summary))
    return result


def document(result: GroupDifferenceEvidence, data: Mapping[str, Any]) -> dict[str, Any]:
    """Settings, data, verdicts, links, odds, blocks and networks; natural logs.

    Parameters
    ----------
    data : what is said of the data set
    """

    def blocks(alignment: str) -> list[dict[str, Any]]:
        return [
            {
                "variable": name,
                "parents": [result.names[x] for x in own.parents],
                "possible": own.possible,
                "configurations": own.configurations.tolist(),
                "counts": own.counts.tolist(),
                "log_bayes_factor": own.bayes.tolist(),
            }
            for name, own in zip(result.names, getattr(result, alignment), strict=False)
        ]

    both, links = result.both(), result.link_table
    verdicts = variables(result).loc[list(result.names), :"p_parents"]
    return {
        "settings": result.method.shown(),
        "data": dict(data),
        "numbers": {name: _plain(summary) for name, summary in result.numbers.items()},
        "recording": list(result.recording),
        "set_aside": dict(result.set_aside),
        "outcome": result.outcome or None,
        "p_any": None if math.isnan(result.p_any) else result.p_any,
        "verdicts": verdicts.astype(object).where(verdicts.notna(), None).to_dict("index"),
        "links": links.astype(object).where(links.notna(), None).to_dict("records"),
        "overall_log_odds": result.overall_log_odds,
        "log_odds": {alignment: both[alignment].to_dict() for alignment in ("published", "common")},
        "tipping_prior": result.tipping_prior().to_dict(),
        "overall_log_bayes_factor": result.overall_bayes_factor,
        "blocks": {
            kind: blocks(kind) for kind in ("likeliest", "published", "common", "marginal") if getattr(result, kind)
        },
        **({"gaps": [gap_document(gap) for gap in result.gaps.values()]} if result.gaps else {}),
        "networks": {
            title: {name: [result.names[x] for x in parents[i]] for i, name in enumerate(result.names)}
            for title, parents in zip(result.graph_titles(), result.structures, strict=True)
        },
    }
