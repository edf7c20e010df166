"""A group comparison in plain sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from engine import words
from engine.lazy import pd
from engine.methods.group_difference import telling
from engine.methods.group_difference.average.averaging import MOST_WALKED
from engine.methods.group_difference.evidence import FEW_ROWS, GroupDifferenceEvidence
from engine.methods.group_difference.numbers.equivalence import FoundContext, pairs_scanned
from engine.methods.group_difference.verdicts import (
    EVEN,
    EVERYWHERE,
    IMPROBABLE,
    MOST_R_HAT,
    OUTCOME_EVEN,
    SURE,
    Alone,
    Verdict,
    Where,
    averages_out,
    verdict_words,
)
from engine.telling.charts.labels import difference_name, distinct
from engine.telling.spoken import of_rows

if TYPE_CHECKING:
    from engine.methods.group_difference.result import GroupDifferenceResult

CAUTION = "A variable that differs does so given its likeliest parents; it need not be the cause."
LINK_MISSED = (
    "A link that differs between the groups can be missed where neither end is a likely parent of the other; "
    "Compare tests each link."
)
SHOWN = 3
_SMALLEST = 0.0005
"""Monte Carlo error from which it is told of a single variable: three decimals show no less."""
_LEAST_SHOWN = 0.001
"""Probability below which `words.probability` says only that it is below."""
_CLEAR = 0.5
"""Posterior probability from which the parents that a difference goes through are named."""


def headline(result: GroupDifferenceResult) -> str:
    """The one-sentence answer: what differs, where, and how much."""
    return of_rows(_headline(result), sum(result.n))


def _headline(result: GroupDifferenceResult) -> str:
    matches = result.variables()
    total = words.count(len(result.names), "variable")
    first, second = group_names(result)
    for verdict in (Verdict.DIFFERS, Verdict.PROBABLY):
        names = [str(name) for name in matches.index[matches["verdict"] == verdict]]
        if names:
            one = differs_words(result, names[0], verdict)
            if len(names) == 1:
                return f"{one}."
            most = differs_words(result, names[0], verdict, first=True)
            return f"{len(names)} of {total} {verdict.removesuffix('s')}, first {most}."
    between = f"between {first} ({result.n[0]:,}) and {second} ({result.n[1]:,})"
    if len(matches) and (matches["verdict"] == Verdict.ALIKE).all():
        return f"All {total} are {verdict_words(Verdict.ALIKE, result.method.margin)}, {between}."
    if (matches["verdict"] == Verdict.ONE_LEVEL).all():
        return f"Every variable has one level only {between}, so nothing can be said."
    probabilities = matches["probability"].dropna()
    if probabilities.empty:
        return f"No verdict: {_refusal(result)}."
    if undecided := undecided_words(result):
        return f"{undecided[0]}."
    if among := among_words(result, matches):
        return f"{among}."
    through = matches[matches["alone"] == Alone.THROUGH_OTHERS]
    if len(through):
        return f"{overall_words(result, str(through.sort_values('p_alone', kind='stable').index[0]))}."
    top = probabilities.idxmax()
    size = words.probability(float(probabilities[top]), "P")
    if matches.at[top, "verdict"] != Verdict.CANNOT_TELL:
        return f"No variable is seen to differ {between}; the most probable is {top}, {size}."
    if top in result.numbers:
        told = telling.medians(result, result.names.index(str(top)))
        return f"No variable is seen to differ; {top} is inconclusive ({size}): {told}."
    place = None if matches.at[top, "few_rows"] else result.where(str(top))
    if place is None:
        return f"No variable is seen to differ {between}; {top} is inconclusive, {size}."
    return f"No variable is seen to differ; {top} is inconclusive ({size}){where_words(place, (first, second))}."


def differs_words(result: GroupDifferenceResult, name: str, verdict: str, first: bool = False) -> str:
    """'x differs where a = 1: "yes" in 76 % of North, 33 % of South'; without a verb where it is the first of many."""
    i = result.names.index(name)
    if own := telling.sentence(result, i, probably=verdict == Verdict.PROBABLY, first=first):
        return own
    place, labels = telling.shown_place(result, i), group_names(result)
    most = where_words(place, labels) if place else f" between {labels[0]} and {labels[1]}"
    form = telling.told(result, i)
    if form is None or form.form in ("more often", "less often"):
        return f"{name}{most}" if first else f"{name} {verdict}{most}"
    verb = "" if form.form.startswith("varies") else "is "
    sure = "probably " if verdict == Verdict.PROBABLY else ""
    most = turned_words(telling.rising_place(result, i, form) or place) if place else ""
    return (
        f"{name}, {form.form} in {labels[1]}{most}" if first else f"{name} {verb}{sure}{form.form} in {labels[1]}{most}"
    )


def turned_words(place: Where) -> str:
    """' where a = 1: "yes" in 33 % (30 of 92) v 76 % (59 of 78)', the second group first, which was just named."""
    one, other = (
        f"{words.in_percent(hits / n)} ({hits:,} of {n:,})" for hits, n in zip(place.hits, place.n, strict=True)
    )
    context = "" if place.context == EVERYWHERE else f" where {place.context}"
    level = "missing" if place.missing else f'"{place.level}"'
    return f"{context}: {level} in {other} v {one}"


def undecided_words(result: GroupDifferenceResult) -> list[str]:
    """What differs of variables together, of which none can be named by itself."""
    names, posterior = result.names, result.posterior
    if posterior is None:
        return []
    said = [f"How {names[a]} and {names[b]} go together differs" for a, b in posterior.together]
    return said + [
        f"One of {words.listed(names[i] for i in group)} differs; which is not known"
        for group in posterior.alternatives
    ]


def among_words(result: GroupDifferenceResult, matches: pd.DataFrame) -> str:
    """'Something differs among x, y and z; ...', where that is sure and no variable is more probable than not."""
    p = matches["probability"].dropna().sort_values(ascending=False, kind="stable")
    if math.isnan(result.p_any) or result.p_any < SURE or not len(p) or p.iloc[0] >= EVEN:
        return ""
    many = int((p.cumsum() < SURE * min(float(p.sum()), 1.0)).sum()) + 1
    if many < 2:
        return ""
    return f"Something differs among {_named(list(map(str, p.index[:many])))}; which of them is not known"


def _named(names: list[str], most: int = 5) -> str:
    return words.listed(names) if len(names) <= most else words.first(names, most=most)


def overall_words(result: GroupDifferenceResult, name: str) -> str:
    """'deaths: "yes" in 12 % of North, 23 % of South; among rows alike in severity no difference is seen'."""
    row, i, (first, second) = result.variables().loc[name], result.names.index(name), group_names(result)
    if name in result.numbers:
        size = telling.medians(result, i)
    else:
        k, shares = result.levels[name].index(row["level"]), [c / max(c.sum(), 1) for c in result.marginal[i].counts[0]]
        if len(result.levels[name]) > 2:  # the level of one context may be alike over all rows
            k = int(np.argmax(np.abs(shares[1] - shares[0])))
        one, other = (words.in_percent(share[k]) for share in shares)
        size = f'"{result.levels[name][k]}" in {one} of {first}, {other} of {second}'
    given = row["through"] or (row["parents"] if row["p_parents"] >= _CLEAR else "")
    among = f"among rows alike in {given}" if given else "given the other variables"
    unsure = row["verdict"] == Verdict.CANNOT_TELL
    return f"{name}: {size}; {among} {'that is inconclusive' if unsure else 'no difference is seen'}"


def found_words(result: GroupDifferenceResult, found: FoundContext) -> str:
    """'severity = severe, admission = night'."""
    pairs = [(result.names[x], code) for x, code in zip(found.variables, found.codes, strict=True)]
    return ", ".join(f"{name} = {result.levels[name][code]}" for name, code in pairs)


def _found(result: GroupDifferenceResult, name: str) -> str:
    """'no difference seen overall; where severity = severe: "yes" is 24 percentage points more frequent in South'."""
    item = result._found(result.names.index(name))
    if item is None:
        return "no difference seen overall"
    levels, upto = result.levels[name], name in result.ordered
    level = f'"{levels[0]}" to "{levels[item.level]}"' if upto and item.level else f'"{levels[item.level]}"'
    than = f"{'more' if item.effect > 0 else 'less'} frequent in {group_names(result)[1]}"
    return f"no difference seen overall; where {found_words(result, item)}: {level} {words.points(item.effect)} {than}"


def _refusal(result: GroupDifferenceResult) -> str:
    """Why there are no probabilities."""
    few = result.clusters
    if few is not None and few.too_few:
        return few.refusal(group_names(result))
    if few is not None and result.method.average == "none":
        return f"the paper's odds count every row by itself, and rows with one '{few.name[:40]}' belong together"
    return _too_many(result)


def group_names(result: GroupDifferenceResult) -> tuple[str, str]:
    """What the groups are called in sentences."""
    return result.group_names()


def headings(result: GroupDifferenceResult, most: int = 20) -> tuple[str, str]:
    """What the groups are called above a column or an axis, in at most so many letters, and never alike."""
    whole = [f"{result.method.group} {label}" if words.is_bare(label) else label for label in result.labels]
    first, second = distinct(whole, most)
    return first, second


def order_words(result: GroupDifferenceResult, most: int = 20) -> str:
    """Which group is subtracted from which in every difference of the result: 'South − North'."""
    first, second = headings(result, most)
    return difference_name(second, first)


def where_words(place: Where, labels: tuple[str, str]) -> str:
    """' where severity = severe: "yes" in 76 % (59 of 78) of North, 33 % (30 of 92) of South', after a verb."""
    shares = [
        f"{words.in_percent(hits / n)} ({hits:,} of {n:,}) of {label}"
        for hits, n, label in zip(place.hits, place.n, labels, strict=True)
    ]
    context = "" if place.context == EVERYWHERE else f" where {place.context}"
    if place.missing:
        return f"{context} in how often it is missing: {shares[0]}, {shares[1]}"
    return f'{context}: "{place.level}" in {shares[0]}, {shares[1]}'


FOUND, UNDECIDED = "no difference seen overall", "undecided"
LISTS = (
    (Verdict.DIFFERS, "Differs"),
    (Verdict.PROBABLY, "Probably differs"),
    (Alone.THROUGH_OTHERS, "Differs overall, and no difference is seen given others"),
    (Verdict.CANNOT_TELL, "Inconclusive"),
    (Verdict.ALIKE, ""),
    (Verdict.NOT_SEEN, "No difference seen, which does not make them equivalent"),
)
"""The lists that variables are told in, each in one, and how these begin."""


def lists(result: GroupDifferenceResult) -> dict[str, list[str]]:
    """Which list a variable is told in; a variable stands in one."""
    matches = result.variables()
    through = (matches["alone"] == Alone.THROUGH_OTHERS) & (matches["verdict"] == Verdict.NOT_SEEN)
    kinds = matches["verdict"].where(~through, str(Alone.THROUGH_OTHERS)).where(matches["found"] == "", FOUND)
    kinds = kinds.where(~matches.index.isin([result.names[i] for i in result.undecided]), UNDECIDED)
    names: dict[str, list[str]] = {str(kind): [] for kind, _ in LISTS}
    for name, kind in zip(matches.index, kinds, strict=True):
        if kind in names:
            names[kind].append(str(name))
    return names


def _found_sentences(result: GroupDifferenceResult) -> list[str]:
    """Variables of which no difference is seen overall, each with its context."""
    matches = result.variables()
    names = [str(name) for name in matches.index[matches["found"] != ""]]
    more = [f"No difference seen overall, and one in a context, for {len(names) - SHOWN} more."]
    return [f"{name}: {_found(result, name)}." for name in names[:SHOWN]] + (more if len(names) > SHOWN else [])


def sentences(result: GroupDifferenceResult) -> list[str]:
    """What rows left out may do, how sure, every variable in one list, and whether anything differs at all."""
    matches, sentences = result.variables(), [result.left_out] if result.left_out else []
    called = matches["probability"][matches["verdict"].isin([Verdict.DIFFERS, Verdict.PROBABLY])]
    listed = lists(result)
    if len(called):  # what differs overall is never hidden behind what differs given others
        listed.pop(Alone.THROUGH_OTHERS)
        sentences += [_probabilities(matches), *through_words(result)]
        wrong = float((1 - called).sum())
        if len(called) > 1 and wrong >= 0.005:
            sentences.append(
                f"Under this prior, about {wrong:.2g} of the {len(called)} verdicts that name a difference are wrong."
            )
    if result.outcome:
        sentences.append(f"{result.outcome} was asked about beforehand: its prior is 1/2, the others share theirs.")
    sentences += [f"{said}." for said in undecided_words(result)]
    margin = result.method.margin
    for kind, begins in LISTS:
        names = listed.get(kind, [])
        only = kind in (Verdict.DIFFERS, Verdict.PROBABLY) and names == list(called.index) and len(names) <= SHOWN
        if names and not only:
            begins = begins or f"{verdict_words(Verdict.ALIKE, margin).capitalize()}; a context may differ"
            if kind == Alone.THROUGH_OTHERS:
                sentences += through_words(result)
                continue
            sentences.append(
                f"{begins}: {words.first(names, most=SHOWN)}{_rows(matches, kind, names, margin, min(result.n))}."
            )
    sentences += _found_sentences(result)
    if not math.isnan(result.p_any) and (matches["verdict"] != Verdict.ONE_LEVEL).any():
        sentences.append(f"{words.probability(result.p_any, 'P(anything differs between the groups)')}.")
    return sentences


def through_words(result: GroupDifferenceResult) -> list[str]:
    """What differs overall and not given others: the outcome with its shares; of others a single one, else which."""
    names = lists(result)[Alone.THROUGH_OTHERS]
    others = [name for name in names if name != result.outcome]
    told = [name for name in names if name == result.outcome or len(others) == 1]
    rest = [f"{dict(LISTS)[Alone.THROUGH_OTHERS]}: {words.first(others, most=SHOWN)}."] if len(others) > 1 else []
    return [*(f"{overall_words(result, name)}." for name in told), *rest]


def _probabilities(table: pd.DataFrame) -> str:
    """How probable a difference is of the variables of each verdict, and at most of those of which none is seen."""
    known = table.dropna(subset=["probability"])
    kinds: dict[str, pd.Series] = dict(iter(known.groupby("verdict")["probability"]))
    none = known["probability"].iloc[:0]
    differ, probable, unsure, alike, unseen = (
        kinds.get(kind, none)
        for kind in (Verdict.DIFFERS, Verdict.PROBABLY, Verdict.CANNOT_TELL, Verdict.ALIKE, Verdict.NOT_SEEN)
    )
    called = differ if len(differ) else probable
    least, most = (words.probability(float(end)) for end in (called.min(), called.max()))
    size = words.probability(float(called.min()), "P(differs)") if least == most else f"P(differs) is at least {least}"
    names = list(map(str, called.index))
    by_name = len(names) <= SHOWN and (called is probable or not len(probable))
    one = "the one that differs"  # of a single one that only probably differs the name stands here
    many = f"the {len(names):,} that {'' if len(differ) else 'probably '}differ"
    which = words.listed(names) if by_name else one if len(names) == 1 else many
    between = [("probably differs", probable)] if called is differ else []
    parts = [_of_verdict(kind, part) for kind, part in (*between, ("inconclusive", unsure)) if len(part)]
    rest = pd.concat([alike, unseen])
    others = f"{_at_most(float(rest.max()))} for the other variables" if len(rest) else ""
    text = f"{size} for {which}"
    if not parts:
        return f"{' and '.join(filter(None, (text, others)))}."
    return f"{'; '.join(filter(None, (text, *parts, others)))}."


def _of_verdict(kind: str, p: pd.Series) -> str:
    """'inconclusive: age (.31)', or how many and between which two."""
    least, most = (words.probability(float(end)) for end in (p.min(), p.max()))
    size = least if least == most else f"{least} to {most}"
    return f"{kind}: {p.index[0] if len(p) == 1 else words.count(len(p), 'variable')} ({size})"


def _at_most(probability: float) -> str:
    """'at most .12', or how it is written where it is below what is shown."""
    text = words.probability(probability)
    return text if probability < _LEAST_SHOWN else f"at most {text}"


def _rows(result: pd.DataFrame, kind: str, names: list[str], margin: float, least: int) -> str:
    """How many rows would decide what is inconclusive, where that is more than the smaller group has."""
    needed = result.loc[names, "rows_needed"].max() if kind == Verdict.CANNOT_TELL else math.nan
    if not needed > least:
        return ""
    each = "" if len(names) == 1 else " in each of them"
    return f"; {words.points(margin)}{each} would take {needed:,.0f} rows a group"


def row_notes(result: GroupDifferenceResult) -> list[str]:
    """Rows left out for gaps, unlike recording, columns that others determine, and rows that belong together."""
    own = [] if result.clusters is None or result.average is None else result.clusters.sentences(group_names(result))
    if result.clusters is not None and (same := result.unvaried):
        have = "has" if len(same) == 1 else "have"
        own.append(
            f"{_named(same)} {have} one value in each '{result.clusters.name[:40]}' and so cannot differ inside it."
        )
    left_out = [result.left_out] if result.left_out else []
    return [*dict.fromkeys([*result.made.rows, *left_out, *result.recording, *result.set_aside.values(), *own])]


def notes(result: GroupDifferenceResult) -> list[str]:
    """What the average rests on, and what is thin."""
    matches, sentences = result.variables(), [note for note in row_notes(result) if note != result.left_out]
    average, posterior = result.average, result.posterior
    if result.method.average == "none":
        sentences.append("One order only, as in the paper: neighbours of a variable that differs are often called too.")
    elif average is None or posterior is None:
        sentences.append(f"{_too_many(result).capitalize()}; choose fewer variables for P(differs).")
    else:
        limit = result.method.known().max_parents
        if average.max_parents < 3 and limit is None and average.max_parents < len(result.names) - 1:
            sentences.append(
                f"Averaged over at most {words.count(average.max_parents, 'parent')} of a variable: more would not fit "
                "into memory."
            )
        if average.families is None:
            worst = float(posterior.error.max(initial=0))
            size = f"of at most {worst:.2g}" if worst >= _SMALLEST else f"below {_SMALLEST:g}"
            r_hat = posterior.r_hat[posterior.error.argmax()]
            sentences.append(f"Orders were drawn: P(differs) has a Monte Carlo error {size} (there R-hat {r_hat:.2f}).")
            if limit is not None and limit > average.max_parents:
                sentences.append(f"Where orders are drawn, at most {average.max_parents} parents are averaged over.")
            sentences.append(open_limits(result))
    if posterior is not None and len(result.names) > 1:
        sentences.append(LINK_MISSED)
    called = matches["verdict"].isin([Verdict.DIFFERS, Verdict.PROBABLY])
    thin = list(matches.index[matches["few_rows"].astype(bool) & called])
    if thin:
        sentences.append(
            f"The decisive context has fewer than {FEW_ROWS} rows in a group for {words.first(thin, most=SHOWN)}."
        )
    small = [f"{label} ({n})" for label, n in zip(result.labels, result.n, strict=True) if n < FEW_ROWS]
    if small:
        sentences.append(f"{words.listed(small)} {'has' if len(small) == 1 else 'have'} fewer than {FEW_ROWS} rows.")
    if result.dropped:
        left_out = "; ".join(f"{name}: {', '.join(levels)}" for name, levels in sorted(result.dropped.items()))
        sentences.append(f"Levels that neither group has were left out: {left_out}.")
    return sentences + cautions(result)


def open_limits(result: GroupDifferenceResult) -> str:
    """When drawn orders leave the word of a variable open; "" where the sums are exact."""
    if result.average is None or result.average.families is not None:
        return ""
    return (
        f"Whatever its P, a variable is inconclusive where two Monte Carlo errors reach across a limit, or the walks "
        f"disagree (R-hat above {MOST_R_HAT})."
    )


def verdict_rules(result: GroupDifferenceResult) -> list[str]:
    """From which P(differs) each verdict holds, and why an interval may say something else."""
    sure, even, improbable = (f"{limit:g}".removeprefix("0") for limit in (SURE, EVEN, IMPROBABLE))
    limit = f"{improbable} and below half its prior"
    if result.posterior is not None:
        half = float(-np.expm1(result.log_priors.max())) / 2
        limit = f"{words.probability(half)}, half its prior" if half < IMPROBABLE else improbable
    margin = words.points(result.method.margin)
    sentences = [
        f"Differs: P(differs) of at least {sure}; probably differs: at least {even}; "
        f"no difference seen: below {limit}.",
        "Inconclusive: between these limits, often for too few rows.",
        open_limits(result),
        f"Equivalent overall: intervals of all rows' shares, and of those held within parents, lie within ±{margin}; a "
        "context may differ.",
        "Of a number or an ordered variable these are the shares up to every cut point." if result.ordered else "",
        _scanned(result),
        f"The outcome, asked about beforehand, probably differs from {OUTCOME_EVEN:g}.".replace("0.", ".")
        if result.outcome
        else "",
        "Intervals are not corrected for the number of variables.",
        "P(differs) weighs all contexts and levels under a prior of no difference, so it can be low beside an interval "
        "without 0.",
    ]
    return list(filter(None, sentences))


def _scanned(result: GroupDifferenceResult) -> str:
    """Which contexts were looked through for a difference."""
    if not result.found_contexts:
        return ""
    paired = pairs_scanned(np.array([len(result.levels[name]) for name in result.names]))
    return (
        f"All contexts of one {'and two variables' if paired else 'variable'} with {FEW_ROWS} rows a group were looked "
        "through for a difference (Holm)."
    )


def _too_many(result: GroupDifferenceResult) -> str:
    return f"orders are averaged for up to {MOST_WALKED} variables, and these are {len(result.names):,}"


def cautions(result: GroupDifferenceEvidence) -> list[str]:
    """What makes a difference worth less than it looks, each with its variables and a remedy."""
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
            f"{words.first(recoded)}: no value occurs in both groups, like the group column under another name. "
            "Leave it out if it is."
        )
    if many:
        sentences.append(
            f"{words.first(many)}: many levels for {rows:,} rows. Merge rare levels or leave out identifiers."
        )
    return sentences


def published(result: GroupDifferenceResult) -> list[str]:
    """What the paper's own numbers say, and where they are on the other side of one half."""
    method, ranking = result.method, result.ranking()
    sentences = [
        f"Under the paper's single order the odds that the groups differ anywhere (equation 11) are "
        f"{words.odds_phrase(result.overall_log_odds)}."
    ]
    if result.clusters is not None:
        sentences.append("They count every row as independent, which these are not.")
    matches = result.variables()["probability"]
    if method.average != "orders" or not matches.notna().any():
        return sentences
    other = [
        str(name)
        for name in ranking.index
        if not math.isnan(matches[name]) and (ranking.at[name, "p_different"] >= EVEN) != (matches[name] >= EVEN)
    ]
    overall = (result.overall_log_odds >= 0) != (result.p_any >= EVEN)
    about = [*(["whether anything differs"] if overall else []), *([words.first(other, most=5)] if other else [])]
    average = f"the average over all orders ({words.probability(result.p_any, 'P(anything differs)')})"
    if about:
        sentences.append(f"They disagree with {average} about {words.listed(about)}.")
    else:
        sentences.append(f"They agree with {average} about what is more probable than not.")
    return sentences


def explain(result: GroupDifferenceResult, variable: str) -> list[str]:
    """One variable in plain sentences: the verdict and where, how sure, and what it shows on its own.

    Parameters
    ----------
    variable : one of those compared
    """
    result.parents(variable)  # first: it says where a variable was not compared
    row = result.variables().loc[variable]
    if row["verdict"] == Verdict.ONE_LEVEL:
        return [f"{variable} has one level only, so nothing can be said."]
    place = result.where(variable)
    return [
        _why(result, variable, row, place),
        _effect(result, row),
        _certainty(row),
        _alone(result, row),
        *telling.likeliest_parents(row),
        *([f"The context that decides has fewer than {FEW_ROWS} rows in a group."] if row["few_rows"] else []),
    ]


def _why(result: GroupDifferenceResult, variable: str, row: pd.Series, place: Where | None) -> str:
    """The verdict, and where and how much the groups differ most."""
    verdict = row["verdict"]
    most = "" if place is None else where_words(place, group_names(result))
    if verdict in (Verdict.DIFFERS, Verdict.PROBABLY):
        return f"{differs_words(result, variable, verdict)}."
    if verdict == Verdict.CANNOT_TELL:
        i = result.names.index(variable)
        if said := next((text for text in undecided_words(result) if i in result.undecided and variable in text), ""):
            return f"{said}."
        if row["through"]:
            return f"{variable}: inconclusive given {row['through']}."
        if variable in result.unvaried:
            return f"{variable}: inconclusive, with one value in each subject it carries no evidence."
        needed = row["rows_needed"]
        more = needed > min(result.n)
        rows = f"; {needed:,.0f} rows a group would show {words.points(result.method.margin)}" if more else ""
        return f"{variable}: inconclusive{rows}."
    text = _found(result, variable) if row["found"] else verdict_words(verdict, result.method.margin)
    if row["through"]:
        return f"{variable}: {text}; it differs through {row['through']}."
    if row["found"]:
        return f"{variable}: {text}."
    if variable in result.numbers:
        return f"{variable}: {text}: {telling.medians(result, result.names.index(variable))}."
    largest = "; most evidence" if place is not None and place.context != EVERYWHERE else ""
    return f"{variable}: {text}{largest}{most}."


def _effect(result: GroupDifferenceResult, row: pd.Series) -> str:
    """Both groups' difference, of a number in its unit, else of a share over all contexts, with its interval."""
    if not math.isnan(row["difference"]):
        return telling.difference_sentence(result, str(row.name))
    if math.isnan(row["effect"]):
        return "No context has rows of both groups, so there is no effect to state."
    where = "given its parents" if row["contexts"] > 1 else "over all rows"
    ends = f"(95 %: {_signed(row['low'])} to {_signed(row['high'])})"
    first, second = group_names(result)
    hidden = f" The average's interval holds 0; most evidence is where {row['where']}." if averages_out(row) else ""
    than = f"{'more' if row['effect'] > 0 else 'less'} frequent in {second} than in {first}"
    if round(100 * abs(row["effect"])) == 0:
        return f"No level's share differs by a percentage point, {where} {ends}.{hidden}"
    return f'"{row["level"]}" is {words.points(row["effect"])} {than}, {where} {ends}.{hidden}'


def _certainty(row: pd.Series) -> str:
    if math.isnan(row["probability"]):
        return "P(differs) was not worked out."
    error = f" (Monte Carlo error {row['error']:.2g})" if row["error"] >= _SMALLEST else ""
    return f"{words.probability(row['probability'], 'P(differs)')}{error}."


def _alone(result: GroupDifferenceResult, row: pd.Series) -> str:
    """What it shows on its own, and through whom where the others explain it."""
    p = words.p_value(row["p_alone"], corrected=True)
    if result.chance_alone.least[result.names.index(str(row.name))] and row["p_alone"] >= _LEAST_SHOWN:
        p = f"p at most {words.probability(row['p_alone'])} after correction"
    size = f"{_signed(row['effect_alone'])} (95 %: {_signed(row['low_alone'])} to {_signed(row['high_alone'])})"
    text = f"Overall, {order_words(result)}: {size} percentage points, {p}"
    if str(row.name) in result.numbers:
        text = f"{telling.overall_sentence(result, str(row.name))}, {p}"
    elif math.isnan(row["effect_alone"]):
        text = f"Overall: no effect, {p}"
    if row["alone"] != Alone.THROUGH_OTHERS:
        return f"{text}."
    if row["verdict"] == Verdict.CANNOT_TELL:
        return f"{text}; whether only through others is inconclusive."
    clear = row["parents"] and row["p_parents"] >= _CLEAR
    return f"{text}; it differs through {row['parents']}." if clear else f"{text}; through which others is not clear."


def _signed(share: float) -> str:
    return words.with_sign(100 * share)
