"""Which variables differ between two groups, by P(differs) and verdict; and one of them in every context."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from dashboard.text import capital, short
from dashboard.theme import ALIKE as ALIKE_FILL
from dashboard.theme import DIFFERENT, PANEL, PAPER, dark, is_dark
from engine.data.units import name_without_unit
from engine.methods.group_difference.verdicts import (
    Alone,
    Verdict,
    averages_out,
)
from engine.telling.group_difference.one_variable import is_number, leaves_out_zero, verdict_words
from engine.telling.group_difference.tables import in_spread
from engine.telling.spoken import with_interval
from engine.telling.terms import SHOWN
from engine.telling.terms import SIGNS as OF_VERDICTS
from engine.words import NO_BREAK, p_value, probability, with_minus, with_sign, with_unit

if TYPE_CHECKING:
    from engine.methods.group_difference.arms import ArmsResult


@dataclass(frozen=True)
class VerdictStyle:
    """How one verdict is drawn: colour and sign say the same thing twice."""

    sign: str
    colour: str


VERDICT_STYLES = {
    verdict: VerdictStyle(OF_VERDICTS[verdict], colour)
    for verdict, colour in (
        (Verdict.DIFFERS, DIFFERENT),
        (Verdict.PROBABLY, "#F7D9B8"),
        (Verdict.CANNOT_TELL, PAPER),
        (Verdict.ALIKE, ALIKE_FILL),
        (Verdict.NOT_SEEN, PAPER),
        (Verdict.ONE_LEVEL, PANEL),
    )
}
TAGS = {Verdict.DIFFERS: "orange", Verdict.PROBABLY: "orange", Verdict.ALIKE: "blue"}
"""Verdict -> the colour of its tag among those of Streamlit; grey for the others."""
SELECTED, TAG = "#FCF3EA", "#F5B984"
"""Of the selected row, and of the tag *differs*: an orange on which dark letters can be read."""
OVERALL = f"◑ {SHOWN[Alone.THROUGH_OTHERS]}"
"""The mark of a variable that differs overall, and of which no adjusted difference is told."""
HIGHEST = 0.999
"""Probabilities above it are shown alike; their evidence orders them."""


def outcome_words(row: pd.Series, margin: float) -> str:
    """What is said of a variable in a few words: its verdict, and what it shows on its own where that is another."""
    text, note = _brief(row, margin), outcome_note(row, margin)
    if row["alone"] == Alone.THROUGH_OTHERS:
        return f"adjusted, {text}; {note}"
    return f"{text} ({note})" if note else text


def outcome_note(row: pd.Series, margin: float) -> str:
    """What stands beside a verdict: what it shows on its own where that is another, what it rests on, rows needed."""
    if row["alone"] == Alone.THROUGH_OTHERS:
        return SHOWN[Alone.THROUGH_OTHERS]
    if row["found"]:
        return f"{row['found']}"
    needed = row["rows_needed"]
    return "" if needed != needed else f"{with_unit(f'{100 * margin:g}')}: {needed:,.0f} rows each"


def _table_note(row: pd.Series, margin: float) -> str:
    """What differs, and `outcome_note`; where the context that decides stands in place of the average, that average,
    where an interval leaves 0 out that nothing is said of, its corrected p, where no difference is seen its end."""
    note = f"average {_Difference(row, '')}" if averages_out(row) else outcome_note(row, margin)
    note = f"{p_value(row['p_alone'])}, corrected" if leaves_out_zero(row) else note
    note = note or (_still_possible(row) if row["verdict"] == Verdict.NOT_SEEN else "")
    return "; ".join(filter(None, (what_in_table(row), note)))


def _still_possible(row: pd.Series) -> str:
    """'+17 pp possible overall', the farther end of the interval over all rows; "" where there is none."""
    of_number = is_number(row)
    names = ("overall", "overall_low", "overall_high") if of_number else ("effect_alone", "low_alone", "high_alone")
    size, low, high = (float(row[name]) for name in names)
    if low != low:
        return ""
    far = max(low, high, key=abs)
    end = with_interval(size, low, high)[1 + int(far == high)] if of_number else with_unit(with_sign(100 * far))
    return f"{'+' if of_number and far > 0 else ''}{end} possible overall"


def _brief(row: pd.Series, margin: float) -> str:
    """A verdict without the margin, which stands in the legend; with "in spread" where no share or mean shows it."""
    said = "equivalent overall" if row["verdict"] == Verdict.ALIKE else verdict_words(row["verdict"], margin)
    return said + in_spread(row)


def margin_words(margin: float) -> str:
    """The margin of *equivalent*: "±10 pp"."""
    return with_unit(f"±{100 * margin:g}")


IN_LEVEL = 16
"""Letters of a level beside a variable's name."""
UNIT_OR_LEVEL = "unit or level"
"""Heading of what a row's figures are in, or of."""
DIFFERENCES = {"overall": "_alone", "adjusted": ""}
"""What a difference in the table of variables is taken over, first as both groups are told -> what the names
of its numbers end in."""


IN_ORDER = 5
"""Letters of a subtraction that a heading has room for."""


def difference_columns(order: str) -> dict[str, str]:
    """Heading of each difference, the first with which group is subtracted from which -> what its numbers end in."""
    first, *others = DIFFERENCES
    named = f"{order}, {first}" if len(order) <= IN_ORDER else first  # the sentence below says of what
    return {named: DIFFERENCES[first], **{over: DIFFERENCES[over] for over in others}}


def by_probability(variables: pd.DataFrame) -> pd.DataFrame:
    """The variables by the probability that the table shows, those of the same by their evidence."""
    return variables.sort_values(
        "probability", ascending=False, kind="stable", key=lambda column: column.clip(upper=HIGHEST)
    )


def variables_display(
    variables: pd.DataFrame, margin: float, order: str, names: Sequence[str] = (), groups: tuple[str, str] = ("A", "B")
) -> pd.DataFrame:
    """The variables as the page's table has them: verdict, P, both groups, both differences with intervals, a note.

    Parameters
    ----------
    variables : of the result
    margin : of *equivalent*
    order : which group is subtracted from which
    names : what the variables are called, without their unit or level
    groups : headings of the two groups' columns
    """
    rows = [row for _, row in variables.iterrows()]
    called = names or [name_without_unit(str(name), row["unit"]) for name, row in variables.iterrows()]
    return pd.DataFrame(
        {
            "variable": called,
            UNIT_OR_LEVEL: [_unit_or_level(row) for row in rows],
            "verdict": [[verdict_mark(row, margin)] for row in rows],  # a list of one, which is drawn as a tag
            "P(differs)": variables["probability"].to_numpy(),
            groups[0]: list(variables["first"]),
            groups[1]: list(variables["second"]),
            **{
                column: [float(_Difference(row, after)) for row in rows]
                for column, after in difference_columns(order).items()
            },
            "note": [_table_note(row, margin) for row in rows],
        }
    )


def _unit_or_level(row: pd.Series) -> str:
    """'mmol/L', 'yes', or '<2.3 mmol/L' of a number whose means are not told."""
    if is_number(row) or not row["unit"] or not row["level"]:
        return str(row["unit"] if is_number(row) else row["level"] or row["unit"])
    return (
        re.sub(r"^below |(.*) and above$", lambda end: f"≥{end[1]}" if end[1] else "<", f"{row['level']}")
        + f" {row['unit']}"
    )


def end_of_scale(level: str, levels: Sequence[str]) -> str:
    """'above lowest' or 'highest level' of a scale, for a narrow column; "" of any other.

    Parameters
    ----------
    level : whose shares are shown
    levels : of the scale, in their order; none of what is no scale
    """
    if len(levels) < 3:
        return ""
    ends = {f"above {levels[0]}": "above lowest", levels[0]: "lowest level", levels[-1]: "highest level"}
    return ends.get(level, "")


def has_ranges(variables: pd.DataFrame) -> bool:
    """Whether a share of a range is shown of a number.

    Parameters
    ----------
    variables : of the result
    """
    return any(row["unit"] and row["level"] and not is_number(row) for _, row in variables.iterrows())


def what_in_table(row: pd.Series) -> str:
    """What differs, without the group and the level that are named beside: 'higher', 'less often where arm = b'."""
    form, where, context = row["what"].partition(" where ")
    form = form.rpartition(" in ")[0].removesuffix(f" “{row['level']}”")
    return f"{form}{where}{context}"


def named_in_table(name: str, row: pd.Series) -> str:
    """A variable as a row has it: 'Lactate, mmol/L', or 'cure: yes' of the level that its shares are of."""
    if not is_number(row):
        return f"{name}: {short(row['level'], IN_LEVEL)}"
    said = not row["unit"] or row["unit"].casefold() in name.casefold()
    return name if said else f"{name}, {short(row['unit'], 14)}"


def named_with_unit(name: str, unit: str) -> str:
    """'Lactate (mmol/L)', of a name that says its unit or does not."""
    return name if not unit or unit.casefold() in name.casefold() else f"{name} ({unit})"


def number_words(row: pd.Series, order: str) -> tuple[str, str, str]:
    """What differs of a number; the difference of its means in its unit; and of which rows that is.

    Parameters
    ----------
    row : of `GroupDifferenceResult.variables`
    order : which group is subtracted from which
    """
    overall, given = (_Difference(row, after, unit=row["unit"]) for after in DIFFERENCES.values())
    beside = (
        f"; adjusted for {short(row['parents'], 40)} {_Difference(row, '')}"
        if row["parents"] and given == given
        else ""
    )
    size = str(overall if overall == overall else given)
    if is_number(row):
        return called_words(row), size, f"{order}: means{' overall' if beside else ''}, 95 %{beside}."
    groups = f"{row['second']} v {row['first']} {row['unit']}".strip()  # a mean does not show what is told
    share = f"Share of “{row['level']}”, {order}: {size}{' overall' if beside else ''}{beside}; 95 % intervals."
    return called_words(row), groups, share if row["level"] else ""


def called_words(row: pd.Series, levels: Sequence[str] = ()) -> str:
    """'Higher in South', of what is said to differ; of a scale whose end is told, that this level is rarer.

    Parameters
    ----------
    row : of `GroupDifferenceResult.variables`
    levels : of a scale, in their order
    """
    if not Verdict(row["verdict"]).called:
        return ""
    ends = {"higher": ("lowest", levels[:1]), "lower": ("highest", levels[-1:])}
    end, told = ends.get(row["what"].partition(" in ")[0], ("", ()))
    rarer = len(levels) > 2 and row["level"] in told and row["effect_alone"] < 0
    return capital(row["what"]) + (f": the {end} level is rarer" if rarer else "")


def verdict_mark(row: pd.Series, margin: float) -> str:
    """The sign of a verdict, and its words; what differs overall is not told as no difference."""
    if row["alone"] == Alone.THROUGH_OTHERS:
        return OVERALL
    return f"{VERDICT_STYLES[Verdict(row['verdict'])].sign} {_brief(row, margin)}"


def verdict_colours(variables: pd.DataFrame, margin: float) -> dict[str, str]:
    """What stands in the tags of verdicts -> the colour of the tag."""
    shade = dark if is_dark() else str
    colours = {verdict: style.colour for verdict, style in VERDICT_STYLES.items()}
    colours |= {Verdict.DIFFERS: TAG, Verdict.CANNOT_TELL: PANEL, Verdict.NOT_SEEN: PANEL}
    return {verdict_mark(row, margin): shade(colours[row["verdict"]]) for _, row in variables.iterrows()}


class _Difference(float):
    """A difference with its interval, in a number's unit or in percentage points: a table shows both, and is sorted by
    the number."""

    words: str

    def __new__(cls, row: pd.Series, after: str, before: str = "", unit: str = "") -> _Difference:
        """The one of a variable; `after` as in `difference_columns`, `before` "where_" for the context that decides."""
        if is_number(row):
            start = "overall" if after else "difference"
            numbers = [float(row[name]) for name in (start, f"{start}_low", f"{start}_high")]
            result = super().__new__(cls, numbers[0])
            result.words = _in_unit(numbers, unit)
            return result
        effect, low, high = (100 * row[f"{before}{name}{after}"] for name in ("effect", "low", "high"))
        result = super().__new__(cls, effect)
        result.words = (
            ""
            if effect != effect
            else with_unit(with_sign(effect)) + ("" if low != low else f" ({' to '.join(_ends(row, low, high))})")
        )
        if before and " where " not in row["what"]:
            result.words += f" where {short(row['where'], 24)}"
        return result

    def __str__(self) -> str:
        """'+33 pp (+8 to +54)', '+1.4 (+1.2 to +1.6)'."""
        return self.words


def _ends(row: pd.Series, low: float, high: float) -> list[str]:
    """The ends of an interval of shares; of what is equivalent with a decimal, so that none looks like the margin."""
    return [with_sign(end, int(row["verdict"] == Verdict.ALIKE)) for end in (low, high)]


def _in_unit(numbers: Sequence[float], unit: str) -> str:
    """A difference of means with its interval, as sentences and the report write them, with their signs."""
    if numbers[0] != numbers[0]:
        return ""
    known = numbers[1] == numbers[1]
    texts = with_interval(*numbers) if known else [with_minus(f"{numbers[0]:.1f}")]
    one, *ends = (
        f"{'+' if number > 0 and text.strip('0.') else ''}{text}" for number, text in zip(numbers, texts, strict=False)
    )
    beside = f" {short(unit, 14)}" if unit else ""
    return f"{one}{beside} ({ends[0]} to {ends[1]})" if known else f"{one}{beside}"


def tinted(display: pd.DataFrame, variables: pd.DataFrame, picked: str | None, order: str) -> Any:
    """The table with the selected row tinted and numbers as sentences write them, as pandas styles it."""
    shade = dark if is_dark() else str

    def colours(row: pd.Series) -> list[str]:
        back = f"background-color: {shade(SELECTED)}" if variables.index[row.name] == picked else ""
        return [back] * len(display.columns)

    rows, columns = [row for _, row in variables.iterrows()], difference_columns(order)
    differences = {
        column: pd.Series(
            [
                _Difference(row, after, "" if after or is_number(row) or not averages_out(row) else "where_")
                for row in rows
            ],
            dtype=object,
            index=display.index,
        )
        for column, after in columns.items()
    }
    styled = display.assign(**differences).style
    if picked is not None:
        styled.apply(colours, axis=1)
    styled.format(probability, subset=["P(differs)"], na_rep="")
    return styled.format(str, subset=list(columns), na_rep="")


_ODDS = {
    "log10_odds": "log10 odds",
    "p_different": "P(different)",
    "prior_log10_odds": "prior",
    "log10_published": "published",
    "log10_common": "common parents",
    "marginal_log10_odds": "without parents",
    "tipping_prior": "tipping prior",
    "parents_differ": "parents differ",
}


SIGNS = "▲ differs, △ probably differs, ? inconclusive, = equivalent overall, ◑ differs overall, ○ no difference seen."
"""What the signs of verdicts mean, where these stand alone."""


def arms_display(answer: ArmsResult, names: Sequence[str], heads: Mapping[str, str]) -> pd.DataFrame:
    """One row a variable: the control as it is told, each arm's verdict and effect, and the trend.

    Parameters
    ----------
    answer : every arm against the control
    names : of its variables, in their order
    heads : what the control and each arm are called above a column
    """
    table = answer.arms().set_index(["arm", "variable"])
    order = list(answer.variables().index)
    rows = {arm: [table.loc[(arm, name)] for name in order] for arm in answer.labels[1:]}
    some = rows[answer.labels[1]]
    columns = {
        "Variable": [named_in_table(name, row) for name, row in zip(names, some, strict=True)],
        heads[answer.control]: [row["first"] for row in some],
        **{heads[arm]: [_arm_cell(row) for row in own] for arm, own in rows.items()},
    }
    if answer.ordered:
        columns["Trend"] = [
            _trend_words(row, answer.pairs[0].levels[name], answer.method.chance)
            for name, row in answer.variables().iterrows()
        ]
    return pd.DataFrame(columns)


def _arm_cell(row: pd.Series) -> str:
    """'▲ +1.4 (+1.2 to +1.6)'."""
    size = _Difference(row, "")
    return f"{VERDICT_STYLES[Verdict(row['verdict'])].sign} {size if size == size else ''}".strip()


def _trend_words(row: pd.Series, levels: Sequence[str], most: float) -> str:
    """'↗ p < .001', '' of what has no order. The arrow, up to this p, is that of the number, or of the share that the
    row tells: of the highest level as of the variable, of the lowest turned, of one between none."""
    if row["p_trend"] != row["p_trend"]:
        return ""
    way = 1 if is_number(row) else {levels[-1]: 1, levels[0]: -1}.get(row["level"], 0)
    way *= row["p_trend"] <= most
    return f"{['', '↗', '↘'][int(math.copysign(way, way * row['trend']))]} {p_value(row['p_trend'])}".strip()


def arms_tinted(display: pd.DataFrame, answer: ArmsResult, heads: Mapping[str, str], picked: str | None) -> Any:
    """The table of arms with what differs and the selected row tinted, as pandas styles it."""
    shade = dark if is_dark() else str
    order = list(answer.variables().index)
    colours = pd.DataFrame("", index=display.index, columns=display.columns)
    if picked in order:
        colours.iloc[order.index(picked)] = f"background-color: {shade(SELECTED)}"
    for pair in answer.pairs:
        verdicts = pair.variables()["verdict"].loc[order]
        for place, verdict in enumerate(verdicts):
            if verdict in (Verdict.DIFFERS, Verdict.PROBABLY):
                fill = TAG if verdict == Verdict.DIFFERS else VERDICT_STYLES[Verdict.PROBABLY].colour
                colours.loc[place, heads[pair.labels[1]]] = f"background-color: {shade(fill)}"
    return display.style.apply(lambda _: colours, axis=None)


def odds_display(ranking: pd.DataFrame) -> pd.DataFrame:
    """The published odds under the prior on screen, strongest first."""
    more = [name for name in ranking.columns if name.startswith("share of permutations")]
    return ranking.reset_index()[["variable", *_ODDS, *more]].rename(columns=_ODDS)


def difference_words(row: pd.Series, order: str) -> str:
    """A difference of a share with its interval, and which group was subtracted from which."""
    if row["difference"] != row["difference"]:
        return "no rows in one of the groups"
    low, high = 100 * row["low"], 100 * row["high"]
    size = with_unit(with_sign(100 * row["difference"]))
    return f"{order} = {size} (95 % interval {NO_BREAK.join((with_sign(low), 'to', with_sign(high)))})"


def given_words(row: pd.Series) -> str:
    """The adjusted difference, which the verdict is of; "" where none is stated."""
    given = _Difference(row, "")
    return f"{given}; the verdict is of this" if given.words else ""


def interval_note(row: pd.Series, verdict: str) -> str:
    """Why the interval may leave 0 out where the verdict says no difference; "" where they say the same."""
    if verdict in (Verdict.DIFFERS, Verdict.PROBABLY) or not row["low"] * row["high"] > 0:
        return ""
    return (
        "The interval is of these rows alone and uncorrected. P(differs) weighs all networks and allows for no "
        "difference, so it can stay low."
    )


def contexts_display(contexts: pd.DataFrame) -> pd.DataFrame:
    """The contexts table with headings for the screen."""
    return contexts.rename(
        columns={
            "log_bayes_factor": "ln Bayes factor",
            "part": "part of the evidence (log10)",
            "posterior_different": "P(different)",
            "few_rows": "few rows",
        }
    )


def reading_alt(name: str, level: str, contexts: int) -> str:
    """The chart for someone who does not see it."""
    return f"Share of {short(level, 30)} of {short(name, 60)} in both groups, in {contexts} contexts."
