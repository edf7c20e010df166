"""One variable of a group comparison in plain sentences: what differs and where, how sure, and how it is on its own."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from engine import words
from engine.lazy import pd
from engine.methods.group_difference.effects import FEW_ROWS, decisive
from engine.methods.group_difference.evidence import GroupDifferenceEvidence
from engine.methods.group_difference.verdicts import CALLED, EVEN, EVERYWHERE, Alone, Verdict, Where, averages_out
from engine.telling import terms
from engine.telling.charts.labels import difference_name, distinct
from engine.telling.group_difference import forms
from engine.telling.group_difference.columns import EFFECTS
from engine.telling.group_difference.tables import contexts, in_spread, of_groups
from engine.telling.spoken import from_lowest_cut
from engine.telling.table_one import odd_values
from engine.text import Count, Level, Name, Number, Share, Text, joined, listed, told

SMALLEST = 0.0005
"""Monte Carlo error from which it is told of a single variable: three decimals show no less."""
_CLEAR = 0.5
"""Posterior probability from which the parents that a difference goes through are named."""
_LEAST_SHOWN = 0.001
_OF_SHARES = ("effect", "where_effect", "effect_alone")
_UNSTATED = told("No adjusted difference is stated: the verdict averages over all networks, not one set of parents.")


def certainly(p: float, of: str = "P(differs)") -> Number:
    """'P(differs) = 97 %'."""
    return Number(words.probability(p, of))


def verdict_words(verdict: str, margin: float) -> Text:
    """A verdict as it stands on screens and in reports."""
    if verdict == Verdict.ALIKE:
        return told("equivalent overall, {}", Number(words.with_unit(f"±{100 * margin:g}")))
    return told(terms.SHOWN.get(verdict, str(verdict)))


def headings(result: GroupDifferenceEvidence, most: int = 20) -> tuple[str, str]:
    """Names of the groups above a column or an axis, in at most so many letters, and never alike."""
    whole = [f"{result.method.group} {label}" if words.is_bare(label) else label for label in result.labels]
    one, other = distinct(whole, most)
    return one, other


def order_words(result: GroupDifferenceEvidence, most: int = 20) -> str:
    """The subtraction of groups in every difference of the result: 'South − North'."""
    one, other = headings(result, most)
    return difference_name(other, one)


def differs_words(result: GroupDifferenceEvidence, name: str, verdict: str, first: bool = False) -> Text:
    """'x differs where a = 1: “yes” in 76 % of North, 33 % of South'; without a verb where it is the first of many."""
    i = result.names.index(name)
    probably = verdict == Verdict.PROBABLY
    if own := forms.sentence(result, i, probably=probably, first=first):
        return own
    place, (one, other) = forms.shown_place(result, i), result.group_names()
    most = where_words(result, i, place) if place else told(" between {} and {}", Level(one), Level(other))
    form = forms.form_of(result, i)
    if form is None or form.kind in ("more often", "less often"):
        return told("{}{}", Name(name), most) if first else told("{} {}{}", Name(name), told(verdict), most)
    rising = forms.rising_place(result, i, form) or place
    most = _turned(result, i, rising, form.kind) if place and rising else Text()
    verb = told(", ") if first else told(" {}", forms.verb(form, probably))
    return told("{}{}{} in {}{}", Name(name), verb, told(form.kind), Level(other), most)


def where_words(result: GroupDifferenceEvidence, i: int, place: Where) -> Text:
    """' where severity = severe: “yes” in 76 % (59 of 78) of North, 33 % (30 of 92) of South', after a verb."""
    labels = result.group_names()
    one, other = (told("{} of {}", share, Level(label)) for share, label in zip(_shares(place), labels, strict=True))
    if place.missing:
        return told("{} in how often it is missing: {}, {}", _context(result, i, place), one, other)
    return told("{}: “{}” in {}, {}", _context(result, i, place), Level(place.level), one, other)


def _turned(result: GroupDifferenceEvidence, i: int, place: Where, kind: str) -> Text:
    """' where a = 1: above “none” in 33 % (30 of 92) v 76 % (59 of 78)', the second group first, which was just named.

    Of a scale that is higher the share above its lowest level, of one that is lower that below its highest.
    """
    name = result.names[i]
    levels = result.levels[name]
    level = told("missing") if place.missing else told("“{}”", Level(place.level))
    beyond = {("higher", levels[0]): "above {}", ("lower", levels[-1]): "below {}"}.get((kind, place.level))
    if beyond and len(levels) > 2 and name not in result.missing:
        place = replace(place, hits=(place.n[0] - place.hits[0], place.n[1] - place.hits[1]))
        level = told(beyond, level)
    one, other = _shares(place)
    return told("{}: {} in {} v {}", _context(result, i, place), level, other, one)


def _shares(place: Where) -> list[Share]:
    return [Share(hits, n, counts=True) for hits, n in zip(place.hits, place.n, strict=True)]


def _context(result: GroupDifferenceEvidence, i: int, place: Where) -> Text:
    j = decisive(result.best_blocks[i])
    if place.context == EVERYWHERE or j is None:
        return Text()
    return told(" where {}", forms.context_words(result, i, j))


def undecided_words(result: GroupDifferenceEvidence) -> list[Text]:
    """What differs of variables together, of which none can be named by itself."""
    names, posterior = [Name(name) for name in result.names], result.posterior
    if posterior is None:
        return []
    pairs = [told("How {} and {} go together differs", names[a], names[b]) for a, b in posterior.together]
    unknown = "One of {} differs (by itself P at least {}, given the others below {}); which is not known"
    for group in posterior.alternatives:
        alone = min(float(posterior.probabilities[list(group)].min()), 0.999)
        limits = (Number(words.probability(p)) for p in (alone, EVEN))
        pairs.append(told(unknown, listed(names[i] for i in group), *limits))
    return pairs


def overall_words(result: GroupDifferenceEvidence, name: str) -> Text:
    """'death differs overall: “yes” in 12 % of North, 23 % of South; among rows alike in x no difference is seen'."""
    row, i = result.verdicts.loc[name], result.names.index(name)
    if name in result.numbers:
        size = forms.medians(result, i)
    else:
        counts, levels = result.marginal[i].counts[0], result.levels[name]
        shares = [group / max(group.sum(), 1) for group in counts]
        k = levels.index(row["level"])
        if len(levels) > 2:  # the level of one context may be alike over all rows
            k = int(np.argmax(np.abs(shares[1] - shares[0])))
        one, other = (
            told("{} of {}", Share(int(group[k]), int(max(group.sum(), 1))), Level(label))
            for group, label in zip(counts, result.group_names(), strict=True)
        )
        size = told("“{}” in {}, {}", Level(levels[k]), one, other)
    given = _through(result, name)
    if not given and row["p_parents"] >= _CLEAR:
        given = _parents(result, name)
    among = told("among rows alike in {}", given) if given else told("given the other variables")
    unsure = told("that is inconclusive") if row["verdict"] == Verdict.CANNOT_TELL else told("no difference is seen")
    return told("{} differs overall: {}; {} {}", Name(name), size, among, unsure)


def _through(result: GroupDifferenceEvidence, name: str) -> Text:
    return joined([Name(result.names[x]) for x in result.through(result.names.index(name))], ", ")


def _parents(result: GroupDifferenceEvidence, name: str) -> Text:
    return joined(map(Name, result.parents_of(result.names.index(name))[0]), ", ")


def found_sentence(result: GroupDifferenceEvidence, name: str) -> Text:
    """'no difference seen overall; where severity = severe: “yes” is 24 percentage points more frequent in South'."""
    found = result.found(result.names.index(name))
    if found is None:
        return told("no difference seen overall")
    begin = 0 if name in result.ordered else found.level
    level = forms.levels_words(result.levels[name], begin, found.level)
    where = forms.pairs_words(result, found.variables, found.codes)
    size = Number(words.points(found.effect))
    than = told("more" if found.effect > 0 else "less")
    frequent = "no difference seen overall; where {}: {} {} {} frequent in {}"
    return told(frequent, where, level, size, than, Level(result.group_names()[1]))


def explain(result: GroupDifferenceEvidence, variable: str) -> list[str]:
    """One variable in plain sentences: the verdict and where, how sure, and what it shows on its own.

    Parameters
    ----------
    variable : one of those compared
    """
    place = result.places[result.index(variable)]
    row = upwards(result, result.verdicts.loc[[variable]].copy()).loc[variable]
    if row["verdict"] == Verdict.ONE_LEVEL:
        return [told("{} has one level only, so nothing can be said.", Name(variable))]
    few = "The context that decides has fewer than {} rows in a group."
    return [
        told("{}.", _why(result, variable, row, place)),
        _UNSTATED
        if row["alone"] == Alone.THROUGH_OTHERS
        else told("{}.", _effect(result, variable, row))
        if math.isnan(row["difference"]) or means_left_out(result, variable)
        else forms.difference_sentence(result, variable),
        _certainty(row),
        told("{}.", _alone(result, variable, row)),
        *filter(None, [means_left_out(result, variable), apart_words(row)]),
        _likeliest_parents(result, variable, row),
        *([told(few, Number(str(FEW_ROWS)))] if row["few_rows"] else []),
    ]


def _why(result: GroupDifferenceEvidence, variable: str, row: pd.Series, place: Where | None) -> Text:
    """The verdict, and where and how much the groups differ most."""
    verdict, i, name = row["verdict"], result.names.index(variable), Name(variable)
    if verdict in CALLED:
        return differs_words(result, variable, verdict)
    if verdict == Verdict.CANNOT_TELL:
        return _inconclusive(result, variable, row)
    text = found_sentence(result, variable) if row["found"] else verdict_words(verdict, result.method.margin)
    if through := _through(result, variable):
        return told("{}: {}; it differs through {}", name, text, through)
    if row["found"]:
        return told("{}: {}", name, text)
    if variable in result.numbers:
        return told("{}: {}: {}", name, text, forms.medians(result, i))
    largest = told("; most evidence") if place is not None and place.context != EVERYWHERE else Text()
    return told("{}: {}{}{}", name, text, largest, Text() if place is None else where_words(result, i, place))


def _inconclusive(result: GroupDifferenceEvidence, variable: str, row: pd.Series) -> Text:
    """The reason why a variable is inconclusive."""
    name = Name(variable)
    if result.names.index(variable) in result.undecided:
        together = (text for text in undecided_words(result) if name in text.parts)
        if text := next(together, None):
            return text
    if through := _through(result, variable):
        return told("{}: inconclusive given {}", name, through)
    if variable in result.unvaried:
        return told("{}: inconclusive, with one value in each subject it carries no evidence", name)
    if row["rows_needed"] != row["rows_needed"]:
        return told("{}: inconclusive", name)
    rows, margin = Number(f"{row['rows_needed']:,.0f}"), Number(words.points(result.method.margin))
    return told("{}: inconclusive; to call {} a difference takes {} rows a group", name, margin, rows)


def _effect(result: GroupDifferenceEvidence, variable: str, row: pd.Series) -> Text:
    """The difference of a share over all contexts, with its interval."""
    if math.isnan(row["effect"]):
        return told("No context has rows of both groups, so there is no effect to state")
    several = row["contexts"] > 1
    where = forms.given_words(result, result.names.index(variable)) if several else told("over all rows")
    ends = forms.interval(_signed(row, "low", "high"))
    hidden = ""
    if averages_out(row):
        place = result.places[result.names.index(variable)]
        context = _context(result, result.names.index(variable), place) if place else Text()
        hidden = told(". The average's interval holds 0; most evidence is{}", context)
    if round(100 * abs(row["effect"])) == 0:
        return told("No level's share differs by a percentage point, {} {}{}", where, ends, hidden)
    one, other = result.group_names()
    than = told("more" if row["effect"] > 0 else "less")
    size = Number(words.points(row["effect"]))
    frequent = "“{}” is {} {} frequent in {} than in {}, {} {}{}"
    return told(frequent, Level(row["level"]), size, than, Level(other), Level(one), where, ends, hidden)


def _signed(row: pd.Series, *columns: str) -> str:
    return " to ".join(words.with_sign(100 * row[column]) for column in columns)


def _certainty(row: pd.Series) -> Text:
    if math.isnan(row["probability"]):
        return told("P(differs) was not worked out.")
    if row["error"] < SMALLEST:
        return told("{}.", certainly(row["probability"]))
    return told("{} (Monte Carlo error {}).", certainly(row["probability"]), Number(f"{row['error']:.2g}"))


def _alone(result: GroupDifferenceEvidence, variable: str, row: pd.Series) -> Text:
    """What it shows on its own, and through whom where the others explain it."""
    p = Number(words.p_value(row["p_alone"], corrected=True))
    if result.chance_alone.least[result.names.index(variable)] and row["p_alone"] >= _LEAST_SHOWN:
        p = Number(f"p at most {words.fraction(row['p_alone'])} after correction")
    if variable in result.numbers and not means_left_out(result, variable):
        mean = forms.mean_words(result, variable, result.numbers[variable].alone)
        text = told("Overall the mean is {}; of all its values {}", mean, p)
    elif math.isnan(row["effect_alone"]):
        text = told("Overall: no effect, {}", p)
    else:
        size = Number(
            f"{_signed(row, 'effect_alone')} (95 %: {_signed(row, 'low_alone', 'high_alone')}) percentage points"
        )
        text = told("Overall, {}: {}, {}", Level(order_words(result)), size, p)
    if row["alone"] != Alone.THROUGH_OTHERS:
        return text
    if row["verdict"] == Verdict.CANNOT_TELL:
        return told("{}; whether only through others is inconclusive", text)
    parents = _parents(result, variable)
    clear = parents and row["p_parents"] >= _CLEAR
    return (
        told("{}; it differs through {}", text, parents)
        if clear
        else told("{}; through which others is not clear", text)
    )


def is_number(row: pd.Series) -> bool:
    """True where a variable's differences are in its unit, and not in shares of a level."""
    return any(row.get(name, math.nan) == row.get(name, math.nan) for name in ("difference", "overall"))


def means_left_out(result: GroupDifferenceEvidence, name: str) -> Text:
    """Why no difference of means is told of a number, but one of shares of a range: values that look like errors move
    it, or it does not show what differs; "" where it is told."""
    row = result.verdicts.loc[name]
    if not is_number(row):
        return told("")
    if odd := odd_values(result.described, variable=name):
        return told("{} Means are left out.", odd)
    if row["difference_low"] * row["difference_high"] <= 0 and row["verdict"] in CALLED:
        return told(
            "Means are left out, as their interval includes 0: what differs is how many values lie in which range."
        )
    return told("")


def without_means(result: GroupDifferenceEvidence, table: pd.DataFrame) -> pd.DataFrame:
    """The variables without the differences of means that are not told; those of shares then stand in their place."""
    shown = [not means_left_out(result, str(name)) for name in table.index]
    columns = [f"{kind}{end}" for kind in ("difference", "overall") for end in ("", "_low", "_high")]
    return with_means(result, table.assign(**{column: table[column].where(shown) for column in columns}))


def with_means(result: GroupDifferenceEvidence, table: pd.DataFrame) -> pd.DataFrame:
    """The same table with mean (SD) of both groups where a difference of means is told, which of medians it is not;
    what differs in its spread has no share, which would look like a direction."""
    for name, row in table.iterrows():
        if in_spread(row) and means_left_out(result, str(name)):
            shares = [column for size in _OF_SHARES for column in (size, *EFFECTS[size])]
            table.loc[name, ["level", *shares]] = ["", *(math.nan for _ in shares)]
        if is_number(row) and not means_left_out(result, str(name)):
            table.loc[name, ["first", "second"]] = forms.means_of_groups(result.numbers[str(name)])
    return upwards(result, table)


def upwards(result: GroupDifferenceEvidence, table: pd.DataFrame) -> pd.DataFrame:
    """The same table with a number's share from its lowest cut up in place of that below it, so that + is higher."""
    for name, row in table.iterrows():
        levels = result.levels[str(name)]
        if str(name) in result.numbers and row["level"] == levels[0] and (above := from_lowest_cut(levels)):
            table.loc[name, "level"] = above
            _turn_shares(table, name, row)
    return table


def above_lowest(result: GroupDifferenceEvidence, table: pd.DataFrame) -> pd.DataFrame:
    """The same table with a scale's share above its lowest level in place of that of it, so that + is higher."""
    for name, row in table.iterrows():
        levels = result.levels[str(name)]
        plain = str(name) in result.ordered and str(name) not in (*result.numbers, *result.missing)
        if plain and len(levels) > 2 and row["level"] == levels[0]:
            both = of_groups(result, result.names.index(str(name)), levels[0], above=True)
            table.loc[name, ["level", "first", "second"]] = [f"above {levels[0]}", *both]
            _turn_shares(table, name, row)
    return table


def _turn_shares(table: pd.DataFrame, name: Hashable, row: pd.Series) -> None:
    """Differences of all other levels in place of those of one."""
    for size in _OF_SHARES:
        low, high = EFFECTS[size]
        table.loc[name, [size, low, high]] = [-row[size], -row[high], -row[low]]


def leaves_out_zero(row: pd.Series) -> bool:
    """True where the overall interval leaves 0 out of a variable that is not said to differ, overall or otherwise."""
    low, high = (row["overall_low"], row["overall_high"]) if is_number(row) else (row["low_alone"], row["high_alone"])
    said = row["alone"] != Alone.NOT_SEEN or row["verdict"] in CALLED or row["found"]
    return bool(low * high > 0 and not said and row["p_alone"] == row["p_alone"])


def apart_words(row: pd.Series) -> Text:
    """Why an interval leaves 0 out of what is not said to differ; "" where none does."""
    if leaves_out_zero(row):
        p = Number(words.p_value(row["p_alone"]))
        return told("Overall {}, corrected for all variables; the interval is not corrected.", p)
    return told("")


def _likeliest_parents(result: GroupDifferenceEvidence, variable: str, row: pd.Series) -> Text:
    """Of S*, with its probability where it is known."""
    names = _parents(result, variable) or told("none")
    share = Text() if math.isnan(row["p_parents"]) else told(" ({})", certainly(row["p_parents"], "P"))
    return told("Likeliest parents: {}{}.", names, share)


def adding_up(result: GroupDifferenceEvidence, variable: str) -> str:
    """How the parts of a variable's contexts make its evidence, over its likeliest parents; one sentence.

    Parameters
    ----------
    variable : one of those compared
    """
    parts = contexts(result, variable)["part"]
    summands = joined([Number(words.with_sign(part, 1)) for part in parts[:6]])
    more = told(" and {} more", Count(len(parts) - 6)) if len(parts) > 6 else Text()
    total = Number(words.with_sign(parts.sum(), 1))
    adds = "The contexts' parts add up: {}{} = {} powers of ten against no difference."
    return told(adds, summands, more, total)
