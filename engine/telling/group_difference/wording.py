"""A group comparison in plain sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine import words
from engine.lazy import pd
from engine.methods.group_difference.average.averaging import MOST_WALKED
from engine.methods.group_difference.effects import FEW_ROWS
from engine.methods.group_difference.evidence import READ, GroupDifferenceEvidence
from engine.methods.group_difference.numbers.equivalence import pairs_scanned
from engine.methods.group_difference.numbers.items import ItemScale
from engine.methods.group_difference.odds import visible_shift
from engine.methods.group_difference.verdicts import (
    CALLED,
    EVEN,
    IMPROBABLE,
    MOST_R_HAT,
    OUTCOME_EVEN,
    SURE,
    Alone,
    Verdict,
)
from engine.methods.readings import told_once
from engine.telling.charts.labels import short
from engine.telling.group_difference import forms
from engine.telling.group_difference.belonging import cluster_sentences, refusal_words
from engine.telling.group_difference.one_variable import (
    SMALLEST,
    certainly,
    differs_words,
    explain,
    found_sentence,
    leaves_out_zero,
    overall_words,
    undecided_words,
    verdict_words,
    where_words,
)
from engine.telling.spoken import decimal, of_rows, with_interval
from engine.telling.table_one import odd_values
from engine.text import Count, Level, Name, Number, People, Text, decapitalized, first, joined, listed, told

CAUTION = told("A variable that differs does so given its likeliest parents; it need not be the cause.")
LINK_MISSED = told(
    "A link that differs between the groups can be missed where neither end is a likely parent of the other; "
    "Compare tests each link."
)
SHOWN = 3
_FAINT = 0.1
"""P(differs) below which a headline names no variable that is inconclusive."""


@told_once(*READ)
def headline(result: GroupDifferenceEvidence) -> str:
    """The one-sentence answer: what differs, where, and how much."""
    scale = _leading_scale(result)
    said = _of_variables(result) if scale is None else _of_scale(result, scale)
    return of_rows(told("{}.", said), sum(result.n))


def _leading_scale(result: GroupDifferenceEvidence) -> ItemScale | None:
    """The scale that is the answer: the clearest of those that are, where no variable by itself is said to differ."""
    clear = [scale for scale in result.scales if scale.clear]
    if not clear or (result.verdicts["verdict"] == Verdict.DIFFERS).any():
        return None
    return max(clear, key=lambda scale: abs(scale.difference[0]) / (scale.difference[2] - scale.difference[1]))


def _of_variables(result: GroupDifferenceEvidence) -> Text:
    """What is said of the surest variables, or of none."""
    matches = result.verdicts
    none = told("No {}variable is seen to differ", "" if _leading_scale(result) is None else "single ")
    total = Count(len(result.names), "variable")
    for verdict in CALLED:
        names = [str(name) for name in matches.index[matches["verdict"] == verdict]]
        if len(names) == 1:
            return differs_words(result, names[0], verdict)
        if names:
            most = differs_words(result, names[0], verdict, first=True)
            return told("{} of {} {}, first {}", Count(len(names)), total, told(verdict.removesuffix("s")), most)
    groups = [told("{} ({})", Level(label), People(n)) for label, n in zip(result.group_names(), result.n, strict=True)]
    between = told("between {} and {}", *groups)
    if len(matches) and (matches["verdict"] == Verdict.ALIKE).all():
        return told("All {} are {}, {}", total, verdict_words(Verdict.ALIKE, result.method.margin), between)
    if (matches["verdict"] == Verdict.ONE_LEVEL).all():
        return told("Every variable has one level only {}, so nothing can be said", between)
    probabilities = matches["probability"].dropna()
    if probabilities.empty:
        return told("No verdict: {}", _refusal(result))
    if undecided := undecided_words(result):
        return undecided[0]
    if among := among_words(result, matches):
        return among
    through = matches[matches["alone"] == Alone.THROUGH_OTHERS]
    if len(through):
        return overall_words(result, str(through.sort_values("p_alone", kind="stable").index[0]))
    top = str(probabilities.idxmax())
    size = certainly(float(probabilities[top]), "P")
    if matches.at[top, "verdict"] != Verdict.CANNOT_TELL or probabilities[top] < _FAINT:
        return told("{} {}{}", none, between, _visible_words(result))
    place = None if matches.at[top, "few_rows"] else result.places[result.names.index(top)]
    if top in result.numbers:
        shares = told(": {}", forms.medians(result, result.names.index(top)))
    elif place is None:
        return told("{} {}; {} is inconclusive, {}", none, between, Name(top), size)
    else:
        shares = where_words(result, result.names.index(top), place)
    return told("{}; {} is inconclusive ({}){}", none, Name(top), size, shares)


def _visible_words(result: GroupDifferenceEvidence) -> Text:
    """'; 14 percentage points (0.28 SD) would have been, in 8 of 10 tables': nothing where rows belong together."""
    if result.posterior is None or result.clusters is not None:
        return told("")
    shift = visible_shift(*result.n, float(np.median(result.log_priors)))
    if not shift < 1:  # percentage points would be above 50
        return told("; these rows show no difference below 50 percentage points (1 SD)")
    sizes = Number(f"{50 * shift:.0f}"), Number(f"{shift:.2f}")
    return told("; {} percentage points ({} SD) would have been, in 8 of 10 tables", *sizes)


def among_words(result: GroupDifferenceEvidence, matches: pd.DataFrame) -> Text:
    """'Something differs among x, y and z; ...', where that is sure and no variable is more probable than not."""
    p = matches["probability"].dropna().sort_values(ascending=False, kind="stable")
    if math.isnan(result.p_any) or result.p_any < SURE or not len(p) or p.iloc[0] >= EVEN:
        return Text()
    many = int((p.cumsum() < SURE * min(float(p.sum()), 1.0)).sum()) + 1
    if many < 2:
        return Text()
    return told("Something differs among {}; which of them is not known", _named(list(map(str, p.index[:many]))))


def question(result: GroupDifferenceEvidence) -> Text:
    """'drug v placebo: which variables differ?', what is subtracted last, as in every difference."""
    first, second = map(Level, result.group_names())
    return told("{} v {}: which variables differ?", second, first)


def how_sure(result: GroupDifferenceEvidence) -> list[str]:
    """P(differs) of what is called and what differs overall only, then the surest difference with its interval.

    Where values look like errors that is said in place of a difference of means, which one such value moves.
    """
    top, scales = str(result.verdicts.index[0]), scale_words(result)
    if not result.verdicts["verdict"].isin(CALLED).any():
        said = below_headline(result)
        return [joined(scales), *said[-1:]] if scales else said
    odd = odd_values(result.described, variable=top)
    beside = odd or told("{}: {}", Name(top), decapitalized(explain(result, top)[1]))
    surest = joined([*scales, result.left_out or _probabilities(result), *through_words(result)])  # what a card has
    return list(filter(None, [surest, beside]))


def below_headline(result: GroupDifferenceEvidence) -> list[str]:
    """What the page has room for below the headline: rows left out, scales, how sure, and what differs overall only."""
    rest = len(through_words(result)) if result.verdicts["verdict"].isin(CALLED).any() else 0
    return sentences(result)[: (1 if result.left_out else 0) + len(scale_words(result)) + 1 + rest]


def left_open(result: GroupDifferenceEvidence) -> list[str]:
    """What is inconclusive where nothing differs, equivalent overall, and of what no difference is seen: by name."""
    by_list, margin = lists(result), Number(words.with_unit(f"±{100 * result.method.margin:g}"))
    called = result.verdicts["verdict"].isin(CALLED).any()
    kinds = {
        **({} if called else {Verdict.CANNOT_TELL: told("Inconclusive")}),  # `how_sure` has it beside what differs
        Verdict.ALIKE: told("Equivalent overall ({})", margin),
        Verdict.NOT_SEEN: told("No difference seen, which does not make them equivalent"),
    }
    return [told("{}: {}.", text, _named(by_list[kind])) for kind, text in kinds.items() if by_list[kind]]


def _named(names: Sequence[str], most: int = 5) -> Text:
    every = list(map(Name, names))
    return listed(every) if len(every) <= most else first(every, most)


def _refusal(result: GroupDifferenceEvidence) -> Text:
    """Why there are no probabilities."""
    clusters = result.clusters
    if clusters is not None and clusters.too_few:
        return refusal_words(clusters, result.group_names())
    if clusters is not None and result.method.average == "none":
        alone = "the paper's odds count every row by itself, and rows with one '{}' belong together"
        return told(alone, Name(short(clusters.name, 40)))
    return _too_many(result)


FOUND, UNDECIDED = "no difference seen overall", "undecided"
LISTS = (
    (Verdict.DIFFERS, "Differs"),
    (Verdict.PROBABLY, "Probably differs"),
    (Alone.THROUGH_OTHERS, "Differs overall, not clearly given others"),
    (Verdict.CANNOT_TELL, "Inconclusive"),
    (Verdict.ALIKE, ""),
    (Verdict.NOT_SEEN, "No difference seen, which does not make them equivalent"),
)
"""The lists that variables are told in, each in one, and how these begin."""


def lists(result: GroupDifferenceEvidence) -> dict[str, list[str]]:
    """The list that each variable is told in; a variable stands in one."""
    matches = result.verdicts
    through = matches["alone"] == Alone.THROUGH_OTHERS
    kinds = matches["verdict"].where(~through, str(Alone.THROUGH_OTHERS)).where(matches["found"] == "", FOUND)
    kinds = kinds.where(~matches.index.isin([result.names[i] for i in result.undecided]), UNDECIDED)
    names: dict[str, list[str]] = {str(kind): [] for kind, _ in LISTS}
    for name, kind in zip(matches.index, kinds, strict=True):
        if kind in names:
            names[kind].append(str(name))
    return names


def _found_sentences(result: GroupDifferenceEvidence) -> list[Text]:
    """Variables of which no difference is seen overall, each with its context."""
    names = [str(name) for name in result.verdicts.index[result.verdicts["found"] != ""]]
    more = told("No difference seen overall, and one in a context, for {} more.", Count(len(names) - SHOWN))
    texts = [told("{}: {}.", Name(name), found_sentence(result, name)) for name in names[:SHOWN]]
    return texts + ([more] if len(names) > SHOWN else [])


@told_once(*READ)
def sentences(result: GroupDifferenceEvidence) -> list[str]:
    """What rows left out may do, how sure, every variable in one list, and whether anything differs at all."""
    matches, texts = result.verdicts, [*([result.left_out] if result.left_out else []), *scale_words(result)]
    called = matches["probability"][matches["verdict"].isin(CALLED)]
    by_list = lists(result)
    if len(called):  # what differs overall is never hidden behind what differs given others
        by_list.pop(Alone.THROUGH_OTHERS)
        texts += [_probabilities(result), *through_words(result)]
        wrong = float((1 - called).sum())
        if len(called) > 1 and wrong >= 0.005:
            about = "Under this prior, about {} of the {} verdicts that name a difference are wrong."
            texts.append(told(about, Number(f"{wrong:.2g}"), Count(len(called))))
    if result.outcome:
        prior = "{} was asked about beforehand: its prior is 1/2, the others share theirs."
        texts.append(told(prior, Name(result.outcome)))
    texts += [told("{}.", text) for text in undecided_words(result)[0 if len(called) else 1 :]]  # one is the headline
    for kind, begins in LISTS:
        names = by_list.get(kind, [])
        if not names or (kind in CALLED and names == list(called.index) and len(names) <= SHOWN):
            continue
        if kind == Alone.THROUGH_OTHERS:
            texts += [text for text in through_words(result) if str(text) != f"{_of_variables(result)}."]  # said above
            continue
        margin = Number(words.with_unit(f"±{100 * result.method.margin:g}"))
        equivalent = told("Equivalent overall, {}; a context may differ", margin)
        named = first(map(Name, names), SHOWN)
        texts.append(told("{}: {}{}.", told(begins) if begins else equivalent, named, _rows(result, kind, names)))
    texts += _found_sentences(result)
    if not math.isnan(result.p_any) and (matches["verdict"] != Verdict.ONE_LEVEL).any():
        texts.append(told("{}.", certainly(result.p_any, "P(anything differs between the groups)")))
    return texts


def scale_words(result: GroupDifferenceEvidence) -> list[str]:
    """'The mean of 9 items scored 0 to 3 is higher in drug: ...' of each scale; of that which is the headline how many
    of its items go that way, and last what is said of single variables."""
    lead, texts = _leading_scale(result), list[str]()
    for scale in sorted(result.scales, key=lambda scale: scale is not lead):
        said = told("{}{}.", _of_scale(result, scale), "" if scale.clear else ", uncorrected")
        if scale is lead:
            higher, many = scale.higher[int(scale.difference[0] >= 0)], len(scale.items)
            some = told("{}", Count(higher)) if higher < many else told("Each")
            said = told("{} of the {} items has the higher mean there.", some, Count(many))
        texts.append(said)
        if scale.against:
            texts[-1] += told(" Left out, since they go against these: {}.", first(map(Name, scale.against)))
        if sum(scale.n) < sum(result.n):
            texts[-1] += told(" Of {} with every answer.", People(sum(scale.n), "row"))
    return texts if lead is None else [*texts, told("{}.", _of_variables(result))]


def _of_scale(result: GroupDifferenceEvidence, scale: ItemScale) -> Text:
    """'The mean of 9 items scored 0 to 3 is higher in drug: 1.4 v 0.9, difference 0.5 (95 %: 0.3 to 0.7)'; of what is
    not clear both means without a word."""
    top = int(scale.difference[0] >= 0)
    ends = scale.difference if top else (-scale.difference[0], *(-end for end in scale.difference[:0:-1]))
    one, other = map(Number, decimal([scale.means[top], scale.means[1 - top]], ends[2] - ends[1]))
    between = Number("{} (95 %: {} to {})".format(*with_interval(*ends)))
    items = told("{} items scored {}", Count(len(scale.items)), Number(f"{scale.ends[0]} to {scale.ends[1]}"))
    if len(result.scales) > 1:
        items = told("{} items ({} to {})", Count(len(scale.items)), Name(scale.items[0]), Name(scale.items[-1]))
    group, rest = (Level(result.group_names()[place]) for place in (top, 1 - top))
    if scale.clear:
        return told("The mean of {} is higher in {}: {} v {}, difference {}", items, group, one, other, between)
    return told("The mean of {} is {} in {}, {} in {}: difference {}", items, one, group, other, rest, between)


@told_once(*READ)
def through_words(result: GroupDifferenceEvidence) -> list[str]:
    """What differs overall and not given others: the outcome with its shares; of others a single one, else which."""
    names = lists(result)[Alone.THROUGH_OTHERS]
    others = [name for name in names if name != result.outcome]
    texts = [told("{}.", overall_words(result, name)) for name in names if name == result.outcome or len(others) == 1]
    begins = told(dict(LISTS)[Alone.THROUGH_OTHERS])
    return [*texts, told("{}: {}.", begins, first(map(Name, others), SHOWN))] if len(others) > 1 else [*texts]


def _probabilities(result: GroupDifferenceEvidence) -> Text:
    """P(differs), and its scale, of what differs, what probably does and what is inconclusive; who varies more."""
    known = result.verdicts.dropna(subset=["probability"])
    known = known[known["alone"] != Alone.THROUGH_OTHERS]  # which are told beside it
    kinds: dict[str, pd.Series] = dict(iter(known.groupby("verdict")["probability"]))
    none = known["probability"].iloc[:0]
    differ, probable, unsure = (
        kinds.get(kind, none) for kind in (Verdict.DIFFERS, Verdict.PROBABLY, Verdict.CANNOT_TELL)
    )
    called = differ if len(differ) else probable
    least, most = (words.probability(float(end)) for end in (called.min(), called.max()))
    size = told("P(differs): {}", Number(least if least == most else f"at least {least}"))
    names, lead = list(map(Name, called.index)), _leading_scale(result) is not None
    if len(names) <= SHOWN and (called is probable or not len(probable)):
        which = listed(names)
    elif len(names) == 1:
        which = told("the one that differs")  # of a single one that only probably differs the name stands here
    else:
        verb = told("differ") if len(differ) else told("probably differ")
        which = told("the {} that {}", Count(len(names)), verb)
    between = [("probably differs", probable)] if called is differ else []
    parts = [_of_verdict(kind, part) for kind, part in between if len(part)]
    size = told("{} for {}", size, which) if len(names) > 1 or not lead else size
    said = told("{}.", joined([size, *parts], "; "))
    if len(unsure):
        said = told("{} {}.", said, _of_verdict("Inconclusive", unsure, 0 if lead else SHOWN))
    return told("{}{}", said, _spreads(result, pd.concat([differ, probable])))


def _spreads(result: GroupDifferenceEvidence, called: pd.Series) -> Text:
    """' Glucose varies more in South.' of what differs in its spread alone, which nobody reads from "differs"."""
    places = [result.index(name) for name in called.sort_values(ascending=False).index[1:]]
    some = [i for i in places if (form := forms.form_of(result, i)) is not None and form.kind.startswith("varies")]
    return joined([told(" {} {}.", Name(result.names[i]), forms.what(result, i)) for i in some[:SHOWN]], "")


def _of_verdict(kind: str, p: pd.Series, shown: int = SHOWN) -> Text:
    """'Inconclusive: age and 2 more (.31 to .12)', the most probable first; how many where none has room."""
    p = p.sort_values(ascending=False, kind="stable")
    least, most = (words.probability(float(end)) for end in (p.min(), p.max()))
    size = Number(least if least == most else f"{most} to {least}")
    named = first(map(Name, p.index), shown) if shown else Count(len(p), "variable")
    return told("{}: {} ({})", told(kind), named, size)


def _rows(result: GroupDifferenceEvidence, kind: str, names: list[str]) -> Text:
    """The rows that would decide what is inconclusive."""
    needed = result.verdicts.loc[names if kind == Verdict.CANNOT_TELL else [], "rows_needed"].dropna()
    if needed.empty:
        return Text()
    ends = dict.fromkeys(f"{end:,.0f}" for end in (needed.min(), needed.max()))
    margin, own = Number(words.points(result.method.margin)), told(", by variable") if len(ends) > 1 else Text()
    return told("; to call {} a difference takes {} rows a group{}", margin, Number(" to ".join(ends)), own)


def row_notes(result: GroupDifferenceEvidence) -> list[str]:
    """Rows left out for gaps, unlike recording, columns that others determine, and rows that belong together."""
    clusters, own = result.clusters, []
    if clusters is not None and result.average is not None:
        own = cluster_sentences(clusters, result.group_names())
    if clusters is not None and (same := result.unvaried):
        have = "{} has one value in each '{}' and so cannot differ inside it."
        if len(same) > 1:
            have = "{} have one value in each '{}' and so cannot differ inside it."
        own.append(told(have, _named(same), Name(short(clusters.name, 40))))
    left_out = [result.left_out] if result.left_out else []
    return [*dict.fromkeys([*result.made.rows, *left_out, *result.recording, *result.set_aside.values(), *own])]


@told_once(*READ)
def notes(result: GroupDifferenceEvidence) -> list[str]:
    """The limits of the average, and contexts that are thin."""
    matches, texts = result.verdicts, [note for note in row_notes(result) if note != result.left_out]
    average, posterior = result.average, result.posterior
    if result.method.average == "none":
        texts.append(
            told("One order only, as in the paper: neighbours of a variable that differs are often called too.")
        )
    elif average is None or posterior is None:
        texts.append(told("Orders {}; choose fewer variables for P(differs).", _too_many(result, begins="")))
    else:
        texts += _about_average(result)
    texts += filter(None, [odd_values(result.described)])
    if posterior is not None and len(result.names) > 1:
        texts.append(LINK_MISSED)
    thin = matches.index[matches["few_rows"].astype(bool) & matches["verdict"].isin(CALLED)]
    few = Number(str(FEW_ROWS))
    if len(thin):
        decisive = "The decisive context has fewer than {} rows in a group for {}."
        texts.append(told(decisive, few, first(map(Name, thin), SHOWN)))
    small = [(label, n) for label, n in zip(result.labels, result.n, strict=True) if n < FEW_ROWS]
    if small:
        groups = listed(told("{} ({})", Level(label), People(n)) for label, n in small)
        texts.append(told("{} {} fewer than {} rows.", groups, told("has" if len(small) == 1 else "have"), few))
    if result.dropped:
        left_out = [
            told("{}: {}", Name(name), joined(map(Level, levels), ", "))
            for name, levels in sorted(result.dropped.items())
        ]
        texts.append(told("Levels that neither group has were left out: {}.", joined(left_out, "; ")))
    return texts + cautions(result)


def _about_average(result: GroupDifferenceEvidence) -> list[str]:
    """The number of parents that were averaged over, and how well orders were drawn."""
    average, posterior = result.average, result.posterior
    texts: list[str] = []
    if average is None or posterior is None:
        return texts
    limit, most = result.method.known().max_parents, average.max_parents
    if most < 3 and limit is None and most < len(result.names) - 1:
        memory = "Averaged over at most {} of a variable: more would not fit into memory."
        texts.append(told(memory, Count(most, "parent")))
    if average.families is not None:
        return texts
    worst = float(posterior.error.max(initial=0))
    size = Number(f"of at most {worst:.2g}" if worst >= SMALLEST else f"below {SMALLEST:g}")
    r_hat = Number(f"{posterior.r_hat[posterior.error.argmax()]:.2f}")
    texts.append(told("Orders were drawn: P(differs) has a Monte Carlo error {} (there R-hat {}).", size, r_hat))
    if limit is not None and limit > most:
        texts.append(told("Where orders are drawn, at most {} parents are averaged over.", Count(most)))
    return [*texts, monte_carlo_note(result)]


def monte_carlo_note(result: GroupDifferenceEvidence) -> str:
    """When drawn orders leave the word of a variable open; "" where the sums are exact."""
    if result.average is None or result.average.families is not None:
        return ""
    crossed = (
        "Whatever its P, a variable is inconclusive where two Monte Carlo errors reach across a limit, or the walks "
        "disagree (R-hat above {})."
    )
    return told(crossed, Number(str(MOST_R_HAT)))


def table_rules(result: GroupDifferenceEvidence) -> list[str]:
    """From which P(differs) each verdict holds, what it means, what to quote, and what the rows in a note are for."""
    sure, even, improbable = (Number(words.in_percent(limit)) for limit in (SURE, EVEN, IMPROBABLE))
    limit: str = told("{} and half the prior", improbable)
    if result.posterior is not None:
        half = float(-np.expm1(result.log_priors.max())) / 2
        limit = Number(words.probability(half)) if half < IMPROBABLE else improbable
    limits = "P(differs) is adjusted too. Differs: at least {}. Probably differs: at least {}."
    unseen = (
        "No difference seen: below {}, so the rows lean against a difference; one inside the interval stays possible."
    )
    overall = "Differs overall: over all rows; adjusted, it is inconclusive or no difference is seen."
    corrected = " p in a note is corrected for all variables (Holm), intervals are not."
    noted = any(leaves_out_zero(row) for _, row in result.verdicts.iterrows())
    texts = [
        told(limits, sure, even),
        told(unseen, limit),
        told("Inconclusive: between; the rows do not settle it."),
        told(overall) if lists(result)[Alone.THROUGH_OTHERS] else "",
        told(
            "Quote the verdict with its P(differs), and the interval for the size.{}", told(corrected if noted else "")
        ),
    ]
    if result.verdicts["rows_needed"].notna().any():
        rows = "Rows each: with so many a true difference of {} (not the one seen) has P(differs) {} in 8 of 10 tables."
        prior = Number(words.probability(float(-np.expm1(np.median(result.log_priors)))))
        fewer = told("A test at p < .05 needs fewer: P(differs) starts from {}, its prior.", prior)
        texts += [told(rows, Number(words.with_unit(f"{100 * result.method.margin:g}")), sure), fewer]
    return list(filter(None, texts))


def verdict_rules(result: GroupDifferenceEvidence) -> list[str]:
    """What stands below the table, and why an interval may say something else than a verdict."""
    margin = Number(f"±{words.points(result.method.margin)}")
    equivalent = (
        "Equivalent overall: no difference seen, and shares are within {} (95 %), over all rows and adjusted{}."
    )
    cut = told(", of a number below each cut point") if result.ordered else Text()
    texts = [
        *table_rules(result),
        told("P(differs) decides first, however narrow the interval."),
        told(
            "P(differs) is of the whole distribution over all networks, an interval of one mean or share: like "
            "intervals can have unlike verdicts."
        ),
        monte_carlo_note(result),
        told(equivalent, margin, cut) if (result.verdicts["verdict"] == Verdict.ALIKE).any() else "",
        told("Of two levels, one of them rare, shares must lie within half of the rare one's to be equivalent.")
        if any(result.margin_of(i) < result.method.margin for i in range(len(result.names)))
        else "",
        _scanned(result),
        told(
            "The outcome, asked about beforehand, probably differs from {}.",
            Number(words.in_percent(OUTCOME_EVEN)),
        )
        if result.outcome
        else "",
        told("Of a number the verdict rests on ranges of its values, not on means.") if result.ordered else "",
    ]
    return list(filter(None, texts))


def _scanned(result: GroupDifferenceEvidence) -> str:
    """The contexts that were looked through for a difference."""
    if not result.found_contexts:
        return ""
    paired = pairs_scanned(np.array([len(result.levels[name]) for name in result.names]))
    many = told("one and two variables") if paired else told("one variable")
    through = "Subgroups by {}, of {} rows or more in each group, were searched too (p corrected by Holm)."
    return told(through, many, Number(str(FEW_ROWS)))


def _too_many(result: GroupDifferenceEvidence, begins: str = "orders ") -> Text:
    most, many = Count(MOST_WALKED, "variable"), Count(len(result.names))
    return told("{}are averaged for up to {}, and these are {}", told(begins), most, many)


def cautions(result: GroupDifferenceEvidence) -> list[str]:
    """Reasons that make a difference worth less than it looks, each with its variables and a remedy."""
    recoded, many = [], []
    rows = sum(result.n)
    for name, blocks in zip(result.names, result.marginal, strict=True):
        counts = blocks.counts[0]
        if counts.shape[1] > 1 and not ((counts[0] > 0) & (counts[1] > 0)).any():
            recoded.append(Name(name))
        elif counts.shape[1] > 20 or counts.shape[1] > max(rows / 5, 2):
            many.append(Name(name))
    texts: list[str] = []
    if recoded:
        other = "{}: no value occurs in both groups, like the group column under another name. Leave it out if it is."
        texts.append(told(other, first(recoded)))
    if many:
        merge = "{}: many levels for {}. Merge rare levels or leave out identifiers."
        texts.append(told(merge, first(many), People(rows, "row")))
    return texts


def published(result: GroupDifferenceEvidence) -> list[str]:
    """What the paper's own numbers say, and where they are on the other side of one half."""
    odds = Number(words.odds_phrase(result.overall_log_odds))
    single = "Under the paper's single order the odds that the groups differ anywhere (equation 11) are {}."
    texts: list[str] = [told(single, odds)]
    if result.clusters is not None:
        texts.append(told("They count every row as independent, which these are not."))
    matches = result.verdicts["probability"]
    if result.method.average != "orders" or not matches.notna().any():
        return texts
    different = result.ranking()["p_different"]
    other = [
        Name(name)
        for name, p in different.items()
        if not math.isnan(matches[name]) and (p >= EVEN) != (matches[name] >= EVEN)
    ]
    overall = (result.overall_log_odds >= 0) != (result.p_any >= EVEN)
    about = [*([told("whether anything differs")] if overall else []), *([first(other)] if other else [])]
    average = told("the average over all orders ({})", certainly(result.p_any, "P(anything differs)"))
    if about:
        return [*texts, told("They disagree with {} about {}.", average, listed(about))]
    return [*texts, told("They agree with {} about what is more probable than not.", average)]
