"""Three and more groups, told: in which arms how much differs, the trends, and every arm as a row."""

from __future__ import annotations

from engine import words
from engine.lazy import pd
from engine.methods.group_difference.arms_evidence import ArmsEvidence
from engine.methods.group_difference.evidence import GroupDifferenceEvidence
from engine.methods.group_difference.verdicts import CALLED, Verdict
from engine.telling.group_difference import tables, wording
from engine.telling.group_difference.columns import GAP
from engine.telling.tables import TableDescription, described
from engine.text import Count, Level, Name, Number, Text, first, listed, told

_OF_AN_ARM = (
    *("verdict", "probability", "unit", "where"),
    *("what", "first", "second", "difference", "difference_low", "difference_high"),
    *("level", "effect", "low", "high", "effect_alone", "low_alone", "high_alone", "p_alone"),
)
"""Columns of a pair's variables that the table of arms has, as far as they are there."""
TABLES = {
    "Variables": TableDescription(
        "One row a variable, with the arm in which it differs most surely. The trend is the rank correlation with the "
        "order of the arms, its p corrected by Holm.",
        described(text="variable; arm", verdict="verdict", probability="probability: P(differs)", signed="trend")
        | described(p="p_trend: p of the trend, corrected"),
        keys=("variable",),
        differing=(Verdict.DIFFERS,),
        estimates=("trend", "p_trend"),
    ),
    "Arms": TableDescription(
        "One row a variable and arm, each compared with the control alone; differences are arm minus control, and of "
        "one level in all arms.",
        described(
            text="variable; arm; what; unit; first: control; second: this arm; where; level",
            verdict="verdict",
            probability="probability: P(differs)",
            number="difference: difference (95 %); difference_low; difference_high",
            points="effect: difference, pp (95 %); low; high; effect_alone: arm − control overall, pp (95 %); "
            "low_alone; high_alone",
            p="p_alone: p overall (Holm)",
        ),
        keys=("variable", "arm"),
        ends={
            "effect": ("low", "high"),
            "effect_alone": ("low_alone", "high_alone"),
            "difference": ("difference_low", "difference_high"),
        },
        chart="effect_alone",
        level="level",
        differing=(Verdict.DIFFERS,),
        technical=("unit", "where", "effect", "p_alone"),
        estimates=_OF_AN_ARM[4:],
    ),
    "Gap": GAP,
}


def headline(result: ArmsEvidence) -> str:
    """That of the arm which differs most surely."""
    return wording.headline(result.strongest)


def question(result: ArmsEvidence) -> Text:
    """'10 mg and 20 mg v placebo: which variables differ?'."""
    arms, control = [Level(pair.group_names()[1]) for pair in result.pairs], Level(result.strongest.group_names()[0])
    return told("{} v {}: which variables differ?", first(arms, 4) if len(arms) > 4 else listed(arms), control)


def how_sure(result: ArmsEvidence) -> list[str]:
    """In which arms how much differs, and the size of the surest difference with its interval."""
    return [sentences(result)[0], *wording.how_sure(result.strongest)[1:]]


def sentences(result: ArmsEvidence) -> list[str]:
    """In which arms how much differs, the trends, and what is said of the strongest."""
    counts = []
    for pair in result.pairs:
        many = int(pair.verdicts["verdict"].isin(CALLED).sum())
        counts.append(told("{} {}", Level(pair.labels[1]), Count(many, "variable") if many else told("none")))
    against = "Against {}, differing or probably so: {}."
    texts: list[str] = [told(against, Level(result.control), listed(counts))]
    if result.ordered:
        seen = result.verdicts[result.verdicts["p_trend"] <= result.method.chance].sort_values("p_trend")
        names = [
            told("{} ({})", Name(name), told("rises" if row["trend"] > 0 else "falls")) for name, row in seen.iterrows()
        ]
        found = first(names, wording.SHOWN) if names else told("no variable")
        texts.append(told("A trend along the arms (Holm): {}.", found))
    strongest = result.strongest
    own = [text for text in wording.sentences(strongest) if text not in texts]
    return [*texts, told("{}: {}", Level(strongest.labels[1]), own[0]), *own[1:]] if own else texts


def notes(result: ArmsEvidence) -> list[str]:
    """How the prior is shared, and what limits the answer of each arm."""
    together, each = (Number(words.probability(p)) for p in (result.method.p_none, result.prior_of_each))
    shared = "The prior that nothing differs, {}, is of all {} together: {} for each."
    texts = [told(shared, together, Count(len(result.pairs), "arm"), each)]
    return list(dict.fromkeys([*texts, *(note for pair in result.pairs for note in wording.notes(pair))]))


def row_notes(result: ArmsEvidence) -> list[str]:
    """The row notes of every pair, each once."""
    return list(dict.fromkeys(note for pair in result.pairs for note in wording.row_notes(pair)))


def arms(result: ArmsEvidence) -> pd.DataFrame:
    """One row a variable and arm, in the order of `variables`: verdict and effect, each against the control.

    Returns
    -------
    pandas.DataFrame: variable; arm; verdict, probability and differences as `GroupDifferenceResult.variables` has
    them
    """
    parts = [_of_same_levels(result, pair).assign(arm=pair.labels[1]) for pair in result.pairs]
    every = pd.concat(parts).rename_axis("variable").reset_index()
    place = {name: k for k, name in enumerate(result.verdicts.index)}
    every = every.sort_values("variable", key=lambda column: column.map(place), kind="stable", ignore_index=True)
    return every[["variable", "arm", *_OF_AN_ARM]]


def variables(result: ArmsEvidence) -> pd.DataFrame:
    """The surest arm of every variable with its words, and the trend; see `ArmsResult.variables`."""
    parts = {pair.labels[1]: tables.variables(pair) for pair in result.pairs}
    table = result.verdicts
    chosen = [parts[arm].loc[name] for name, arm in table["arm"].items()]
    words_of = pd.DataFrame([row[["what", "first", "second"]] for row in chosen], index=table.index)
    whole = table.join(words_of)
    return whole[["arm", *next(iter(parts.values())).columns, "trend", "p_trend"]]


def _of_same_levels(result: ArmsEvidence, pair: GroupDifferenceEvidence) -> pd.DataFrame:
    """The variables of one arm; shares are of the level that the surest arm tells, so that arms can be compared."""
    table = tables.variables(pair)[list(_OF_AN_ARM)]
    for name, level in result.verdicts["level"].items():
        i = result.names.index(str(name))
        one, other = tables.of_groups(pair, i, level)
        own = {"first": one, "second": other, **pair.of_level(i, pair.levels[str(name)].index(level))}
        table.loc[name, list(own)] = pd.Series(own)
    return table
