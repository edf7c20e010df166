"""The links of an ordinal network as tables: its own, beside those of another, and for other programs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engine.errors import DataError
from engine.execution import Progress, part, silent
from engine.lazy import pd
from engine.methods import frames
from engine.methods.cost import Size
from engine.methods.ordinal.partial_network import MEASURES
from engine.telling.tables import Column, TableDescription, described

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.ordinal.method import Ordinal
    from engine.methods.ordinal.recurrence import EdgeStrength
    from engine.methods.ordinal.result import OrdinalResult

TABLES: Mapping[str, TableDescription] = {
    "Edges": TableDescription(
        "Every link, the strongest first. The partial correlation is that of the latent values once the later one’s "
        "other parents are known; p is corrected for the number of pairs.",
        described(
            text="source: from; target: to; mark",
            signed="partial: partial correlation (95 %); low; high; weight",
            log_odds="log_bayes_factor: Bayes factor",
            p="chance: p, corrected",
            share="share: of drawn tables (95 %); share_low; share_high; directed_share: this way; "
            "seeds_share: of seeds; half_share: of half samples; half_way: of these, this way",
        ),
        keys=("source", "mark", "target"),
        ends={"partial": ("low", "high"), "share": ("share_low", "share_high")},
        chart="partial",
    ),
    "Lines": TableDescription(
        "Every pair: the partial correlation of the latent values given all others. A line is clear where p, corrected "
        "for the number of pairs, is at most .05.",
        described(
            text="a; b",
            signed="partial: partial correlation (95 %); low; high",
            p="p: p, corrected",
            flag="clear; bridge: between scales",
        ),
        keys=("a", "b"),
        ends={"partial": ("low", "high")},
        chart="partial",
    ),
    "Inclusion": TableDescription(
        "How probable a line and an arrow link of every pair are, over drawn networks; approximate. Included from a "
        "Bayes factor of 10 on, excluded below 1/10.",
        described(
            text="a; b; line_state: line; arrow_state: arrow link",
            probability="line: P(line); arrow: P(adjacent); forward: P(a → b); backward: P(b → a)",
            number="line_bayes_factor: Bayes factor; arrow_bayes_factor: Bayes factor",
        ),
        keys=("a", "b"),
    ),
    "Centrality": TableDescription(
        "How central each variable is among the lines. Strength sums the sizes of the lines whose interval excludes 0, "
        "expected influence all partial correlations with their signs; bridges count links between scales.",
        described(
            text="variable; scale",
            share="explained: explained by all others (95 %); explained_low; explained_high",
            number="strength: strength (95 %); strength_low; strength_high; bridge_strength: bridge strength (95 %); "
            "bridge_strength_low; bridge_strength_high; closeness; betweenness",
            signed="expected_influence: expected influence (95 %); expected_influence_low; expected_influence_high; "
            "expected_influence_2: in two steps (95 %); expected_influence_2_low; expected_influence_2_high; "
            "bridge_expected_influence: bridge expected influence (95 %); bridge_expected_influence_low; "
            "bridge_expected_influence_high",
        ),
        keys=("variable",),
        ends={name: (f"{name}_low", f"{name}_high") for name in ("explained", *MEASURES)},
        chart="expected_influence",
        left_out=("closeness", "betweenness"),
    ),
    "Case dropping": TableDescription(
        "How the values of the nodes correlate with those of all rows after rows were dropped at random.",
        described(
            text="measure",
            share="dropped: rows dropped; passed: draws above .7",
            signed="correlation: correlation (95 % of draws); low; high",
        ),
        keys=("measure", "dropped"),
        ends={"correlation": ("low", "high")},
    ),
    "Strength": TableDescription(
        "How often a link came back when the rows were resampled.",
        described(text="source: from; target: to", share="share: share (95 %); low; high; directed: this way"),
        keys=("source", "target"),
        ends={"share": ("low", "high")},
    ),
    "Thresholds": TableDescription(
        "Where each variable is cut, in standard deviations of its latent value.",
        described(text="variable; level", count="rows", share="share", signed="above; below"),
        keys=("variable", "level"),
        sums=(("variable",),),
        reveals=("above", "below"),
    ),
    **{
        title: TableDescription(about, described(text="variable"), others=Column("", "signed"), keys=("variable",))
        for title, about in (
            (
                "Correlations",
                "Of the latent values, pair by pair: polychoric, polyserial by moments with a number, of two "
                "numbers that of their normal scores; with full information the mean over completed tables.",
            ),
            ("Implied correlations", "Of the latent values, as the arrows of the network imply them."),
        )
    },
    "Rounds": TableDescription(
        "The rounds of the fit.", described(whole="draws; links", number="step; criterion"), keys=("draws",)
    ),
}


BOTH, FIRST, SECOND, TURNED = "both", "first only", "second only", "direction differs"


def agreement(first: OrdinalResult, second: OrdinalResult) -> pd.DataFrame:
    """Every link of either network.

    Parameters
    ----------
    first, second : results over the same variables, such as two approaches

    Returns
    -------
    pandas.DataFrame: a, b (in column order of the first), in_first and in_second ("a -> b", "b -> a", "a -- b" or ""),
    how ("both", "direction differs", "first only", "second only"); in this order

    Raises
    ------
    DataError : the networks stand over different variables
    """
    if set(first.names) != set(second.names):
        raise DataError("The two networks stand over different variables; compare networks of the same ones.")
    marks = [_marks(entry, first.names) for entry in (first, second)]
    order = {BOTH: 0, TURNED: 1, FIRST: 2, SECOND: 3}
    rows = []
    for pair in sorted({*marks[0], *marks[1]}):
        item, other = (mark.get(pair, "") for mark in marks)
        how = SECOND if not item else FIRST if not other else BOTH if item == other else TURNED
        rows.append((first.names[pair[0]], first.names[pair[1]], item, other, how))
    frame = frames.data_frame(rows, columns=["a", "b", "in_first", "in_second", "how"])
    return frame.sort_values("how", key=lambda how: how.map(order), kind="stable", ignore_index=True)


def seconds_of_approaches(methods: Mapping[str, Ordinal], size: Size, runs: int) -> float:
    """About the seconds of one core that `resample_approaches` takes."""
    return sum(method.cost(size).times(runs).seconds for method in methods.values())


def resample_approaches(
    methods: Mapping[str, Ordinal], data: Dataset, runs: int, *, progress: Progress = silent
) -> dict[str, EdgeStrength]:
    """`Ordinal.edge_strength` of several methods on the same bootstrap samples, by their names here."""
    size = Size.of(data)
    whole, done = seconds_of_approaches(methods, size, 1), 0.0
    strengths = {}
    for name, method in methods.items():
        begun, done = done, min(done + method.cost(size).seconds / whole, 1.0)
        strengths[name] = method.edge_strength(data, runs, progress=part(progress, begun, done))
    return strengths


def shares_by_approach(strengths: Mapping[str, EdgeStrength]) -> pd.DataFrame:
    """One row an approach and pair that was ever linked: how often the link came back.

    Parameters
    ----------
    strengths : approach -> its networks of bootstrap samples

    Returns
    -------
    pandas.DataFrame: approach, then the columns of `EdgeStrength.frame`

    Examples
    --------
    >>> data = sample_data.dataset("symptoms")
    >>> data = data.select(data.names[:5])
    >>> strengths = {name: engine.Ordinal(approach=name).edge_strength(data, runs=5) for name in ("gpc", "npc")}
    >>> shares_by_approach(strengths)["approach"].unique().tolist()
    ['gpc', 'npc']
    """
    frames = [strength.frame().assign(approach=name) for name, strength in strengths.items()]
    frame = pd.concat(frames, ignore_index=True)
    return frame[["approach", *frame.columns.drop("approach")]]


def _marks(result: OrdinalResult, names: tuple[str, ...]) -> dict[tuple[int, int], str]:
    place = {name: i for i, name in enumerate(names)}
    matches = {}
    for (source, target), directed in result.edge_pairs:
        i, j = place[source], place[target]
        mark = "a -- b" if not directed else "a -> b" if i < j else "b -> a"
        matches[min(i, j), max(i, j)] = mark
    return matches


def document(result: OrdinalResult) -> dict[str, Any]:
    """Settings, network, thresholds, correlations, rounds."""
    rows = [frames.record(row) for row in edge_rows(result)]
    return {
        "settings": result.method.shown(),
        "data": result.described_data(missing_answers=result.n_gaps),
        "edges": rows,
        "thresholds": {name: list(cuts) for name, cuts in result.thresholds.items()},
        "correlation": dict(zip(result.names, result.matrices["pairs"].tolist(), strict=True)),
        "implied_correlation": dict(zip(result.names, result.matrices["fitted"].tolist(), strict=True)),
        "numbers": list(result.numbers),
        "copies": [list(pair) for pair in result.copies],
        "gaps": {name: list(others) for name, others in result.gaps_depend.items()},
        "start": dict(zip(result.names, result.matrices["start"].tolist(), strict=True)),
        "log_likelihood": None if math.isnan(result.log_likelihood) else result.log_likelihood,
        "information": result.information,
        "lifted": result.lifted,
        "rounds": [asdict(item) for item in result.rounds],
    }


def edge_rows(result: OrdinalResult) -> list[dict[str, Any]]:
    """One row a link, the strongest partial correlation first; see `OrdinalResult.edge_table`."""
    rows = []
    for (source, target), directed in result.drawn_pairs:
        row: dict[str, Any] = {"source": source, "target": target, "mark": "->" if directed else "--"}
        row |= asdict(result.link(source, target))
        row |= dict.fromkeys(("share", "share_low", "share_high", "directed_share", "seeds_share"), math.nan)
        if result.strength is not None:
            row["share_low"], row["share_high"] = result.strength.interval(source, target)
            row["share"] = result.strength.share(source, target)
            row["directed_share"] = result.strength.directed_share(source, target)
        if result.seeds is not None:
            row["seeds_share"] = result.seeds.share(source, target)
        if result.halves is not None:
            row["half_share"] = result.halves.share(source, target)
            row["half_way"] = result.halves.returns(source, target)
        rows.append(row)
    return sorted(rows, key=lambda row: -abs(row["partial"]))


def threshold_rows(result: OrdinalResult) -> list[tuple[str, str, int, float, float, float]]:
    """Variable, level, rows, share, and between which thresholds; infinite at the ends. Numbers have none."""
    rows = []
    for name in (name for name in result.names if name not in result.numbers):
        ends = [-math.inf, *result.thresholds[name], math.inf]
        levels = zip(
            result.levels[name], result.counts[name].tolist(), result.shares[name], ends, ends[1:], strict=False
        )
        rows += [(name, *about) for about in levels]
    return rows
