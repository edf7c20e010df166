"""A log-linear analysis in plain sentences: the answer, what limits it, and what may be said of two variables.

The notes on links ask rather than say: whether two columns cannot both be yes by construction is known to those who
made the table.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from engine import words
from engine.data.spoken_levels import says_yes
from engine.methods.log_linear import edge_tables
from engine.methods.log_linear.evidence import LogLinearEvidence
from engine.methods.log_linear.message import MARGIN
from engine.methods.log_linear.number_checks import FROM_THE_CUT, NumberCheck
from engine.methods.log_linear.pair_evidence import (
    Contrast,
    PairEvidence,
    PairState,
    contrast_of,
    held_fixed,
    pair_of,
    share_ends,
    strongest_link,
)
from engine.methods.log_linear.pair_screening import beyond_chance
from engine.methods.log_linear.settings import WITH_ALPHA, WITH_JOINT
from engine.methods.log_linear.thin_tables import is_thin, strata
from engine.telling.links import MISSING, caveat, row_notes, too_few
from engine.telling.log_linear.power import Margins, false_links_sentence, power_sentence, rule_sentences
from engine.telling.spoken import FEW_ROWS, level_words, of_rows
from engine.text import Count, Level, Name, Number, People, Share, Text, decapitalized, first, joined, listed, told

NOT_CAUSAL = told(
    f"A link is not a cause: it says that two variables are associated beyond what the others explain. {MISSING}"
)


CLOSE, EQUAL = 0.8, 0.95
"""Part of what the strongest link saves from which the next one is named beside it, and from which it is as strong."""
NEAR = -1.301
"""The log10 of p up to which a link that was not taken was near: p of .05."""
LONG = 12
"""Letters of a level beyond which it is said once where both variables have it."""


def question(result: LogLinearEvidence) -> Text:
    """'Which of 8 variables are directly linked?'."""
    return told("Which of {} are directly linked?", Count(len(result.names), "variable"))


def headline(result: LogLinearEvidence) -> str:
    """The one-sentence answer."""
    if result.undecided:
        return told("Inconclusive: no link can be judged. {}", too_few(result))
    return of_rows(_headline(result), result.n_rows)


def _headline(result: LogLinearEvidence) -> Text:
    edges, variables = result.chosen.n_edges, Count(len(result.names), "variable")
    if not edges:
        where = told(" in {}", People(result.n_rows, "row")) if result.n_rows >= FEW_ROWS else ""
        return told("No link between any two of the {} shows{}.", variables, where)
    many, strongest, held = Count(edges, "link"), strongest_link(result), held_fixed(result)
    if strongest is None:
        linked = Count(len(result.names) - len(result.isolated))
        return told("{} among {} of the {}.{}", many, linked, variables, caveat(result))
    doubtful = sum(map(result.from_the_cut, result.edge_values))
    if doubtful == edges:
        return told("{} of levels, which the numbers do not show: {}.{}", many, FROM_THE_CUT, caveat(result))
    said, shown = contrast_words(result, *strongest), edges - doubtful - len(held)
    if not shown:
        many, said = Count(len(held), "link"), decapitalized(said)
        return told("{} {}: {}.{}", many, only_held(held.values()), said, caveat(result))
    others = [pair for pair in result.edge_values if pair not in (strongest, *held) and not result.from_the_cut(pair)]
    bits = {pair: result.edge_values[pair].evidence_bits for pair in (strongest, *others)}
    equals = sum(bits[pair] >= EQUAL * bits[strongest] for pair in others)
    first = "One of the strongest of {} links" if equals else "The strongest of {} links"
    which = told("The only link") if shown == 1 else told(first, Count(shown))
    return told("{}: {}.{}", which, said, caveat(result))


def sentences(result: LogLinearEvidence) -> list[str]:
    """The evidence for the strongest link, the largest group, and what the answer rests on."""
    lines: list[str] = []
    strongest, held, cut = strongest_link(result), held_fixed(result), result.from_the_cut
    if strongest is not None and not result.undecided:
        both, alone = tuple(map(Name, strongest)), len(result.isolated)
        apart = told("; {} {}", _named_held(held), only_held(held.values())) if held else told("")
        rest, p = told("; no link found for {}", Count(alone, "variable")), p_words(result.supports[strongest].log10_p)
        rest = rest if alone else told("")
        if strongest in held:
            lines.append(told("{} with {}, others held fixed: {}{}.", *both, p, rest))
        elif others := [pair for pair in result.edge_values if pair not in (strongest, *held) and not cut(pair)]:
            second = _second(result, strongest, others)
            lines.append(told("Strongest: without this link the model fits worst ({}){}{}{}.", p, second, apart, rest))
        else:
            lines.append(told("{} with {}: {}{}{}.", *both, p, apart, rest))
        doubtful = sum(map(cut, result.edge_values))
        if 0 < doubtful < len(result.edge_values):
            lines.append(told("{} {}.", Count(doubtful, "more link"), FROM_THE_CUT))
        if note := link_note(result, strongest):
            lines.append(told("But of {} and {}: {}", *both, note))
    elif power := _power_of_no_links(result):
        lines.append(power)
    largest = result.cliques[0] if result.cliques else ()
    if len(largest) > 2 and not any(set(pair) <= set(largest) for pair in held):
        group, names = Count(len(largest), "variable"), joined(map(Name, largest), ", ")
        lines.append(told("The largest group, all linked with each other, has {}: {}.", group, names))
    rests = People(result.n_rows, "row"), Count(len(result.names), "variable"), rule_words(result)
    lines.append(told("{}, {}{}.", *rests))
    return lines


def _second(result: LogLinearEvidence, strongest: tuple[str, str], others: Collection[tuple[str, str]]) -> Text:
    """'. Without the link between a and b the fit worsens by 93 % of that', of the next link, where that is close."""
    most, bits = result.edge_values[strongest].evidence_bits, {p: result.edge_values[p].evidence_bits for p in others}
    near = [pair for pair in others if bits[pair] >= CLOSE * most > 0]  # never one that cannot go alone, whose are NaN
    if not near:
        return told("")
    worse = ". Without the link between {} and {} the fit worsens by {} of that"
    return told(worse, *map(Name, near[0]), Number(words.in_percent(bits[near[0]] / most)))


def length_sentences(result: LogLinearEvidence) -> tuple[Text, ...]:
    """The message lengths that the model was chosen by, for whoever asks how it is computed."""
    empty, length = (Number(f"{result.message['total'][model]:,.0f}") for model in ("no edges", "this model"))
    whole = told("Message length {} bits without links, {} with these.", empty, length)
    return whole, told("A link’s worth is how many bits longer the message would be without it.")


def held_sentence(result: LogLinearEvidence) -> Text:
    """How a link can come about that shows only with others held fixed; "" where there is none."""
    held = held_fixed(result)
    if len(held) != 1:
        return told("A dotted link may only mean that both variables act on those held fixed." if held else "")
    ((pair, given),) = held.items()
    return told(
        "The dotted link may only mean that {} and {} both act on {}.", *map(Name, pair), listed(map(Name, given))
    )


def charge_sentence(result: LogLinearEvidence) -> Text:
    """What "no link found" does not say, where a link must pay for its parameters; "" under other criteria."""
    if result.method.criterion not in WITH_JOINT:
        return told("")
    open_still = told("“No link found” does not rule one out: a link must pay for its parameters")
    not_taken = edge_tables.refused(result)
    for row in not_taken[not_taken["log10_p"] <= NEAR].head(1).itertuples():
        return told(
            "{}; {} with {} is nearest ({}, uncorrected).", open_still, Name(row.a), Name(row.b), p_words(row.log10_p)
        )
    return told("{}.", open_still)


def order_sentence(result: LogLinearEvidence) -> Text:
    """Where most variables are ordered, as items of a questionnaire are, that their order is not used; "" elsewhere."""
    ordered, every = len(result.ordered), len(result.names)
    if 2 * ordered <= every:
        return told("")
    return told(
        "{} of {} are ordered: read Ordinal networks first, for the order.",
        Count(ordered),
        Count(every, "variable"),
    )


def cut_sentence(result: LogLinearEvidence) -> Text:
    """That numbers count in ranges, and why Ordinal networks may link other pairs; "" where none was cut."""
    if not result.cut or order_sentence(result):
        return told("Numbers count here in few ranges." if result.cut else "")
    return told(
        "Numbers count here in few ranges, scales without their order. Ordinal networks uses the order and another "
        "rule (p, all others held fixed): links and their number can differ."
    )


def rule_words(result: LogLinearEvidence) -> Text:
    """The criterion, where it is another than the usual one; "" elsewhere."""
    criterion = result.method.criterion
    return told("") if criterion == "mml" else told(", criterion {}", Level(criterion))


def contrast_words(result: LogLinearEvidence, a: str, b: str) -> Text:
    """'b = no in 45 % (9 of 20) where a = high, 12 % (6 of 50) otherwise', of the cell farthest from no link.

    Parameters
    ----------
    result : with a link between them
    a, b : names of the two variables

    Returns
    -------
    a sentence without its full stop, which says so where the difference is small, is none, or nothing can be compared
    """
    contrast = contrast_of(result, a, b)
    if contrast is None:
        return told("{} and {} have no level that can be compared", Name(a), Name(b))
    if contrast.alike:
        given, act = listed(map(Name, contrast.alike)), told("it" if len(contrast.alike) == 1 else "them")
        template = "Overall {} and {} are not seen to be associated ({}); holding {} fixed links them, which can "
        return told(template + "happen when both act on {}", Name(a), Name(b), _two_shares(contrast), given, act)
    text = contrast_brief(result, a, b, counts=True)
    (part, n), (other, rest) = contrast.here, contrast.elsewhere
    small = told(", a small difference ({})", Number(words.points(part / n - other / rest)))
    return told("{}{}", text, small if contrast.is_small else "")


def contrast_brief(result: LogLinearEvidence, a: str, b: str, *, counts: bool = False) -> Text:
    """The same in a table, with 95 % intervals in place of counts: 'b = no in 45 % (26 to 66) where a = high, ...'."""
    contrast = contrast_of(result, a, b)
    if contrast is None:
        return told("no level can be compared")
    if contrast.alike:
        template = "no overall association seen ({}); linked {}"
        return told(template, _two_shares(contrast), only_held([contrast.alike]))
    shares = contrast.here, contrast.elsewhere
    here, elsewhere = (Share(*share, counts=True) if counts else _with_ends(result, share) for share in shares)
    again = contrast.high == contrast.low and len(contrast.high) > LONG
    where = told("{} is too", Name(a)) if again else level_words(a, contrast.low)
    ends = level_words(b, contrast.high), here, where, elsewhere
    return told("{} in {} where {}, {} otherwise", *ends)


def _with_ends(result: LogLinearEvidence, share: tuple[float, float]) -> Share:
    """'45 % (26 to 66)', with the 95 % interval."""
    low, high = share_ends(result, share)
    ends = f"{words.in_percent(share[0] / share[1])} ({100 * low:.0f} to {100 * high:.0f})"
    return Share(*share, written=ends)


def _two_shares(contrast: Contrast) -> Text:
    return told("{} v {}", Share(*contrast.here), Share(*contrast.elsewhere))


def only_held(given: Collection[tuple[str, ...]]) -> Text:
    """'only with C held fixed', of links that no share shows over all rows; of several given unlike sets 'others'."""
    one = set(given)
    return told("only with {} held fixed", listed(map(Name, one.pop())) if len(one) == 1 else "others")


def _named_held(held: Mapping[tuple[str, str], tuple[str, ...]]) -> Text:
    """'hospital – sepsis', or '2 more links'."""
    if len(held) == 1:
        return told("{} – {}", *map(Name, next(iter(held))))
    return told("{}", Count(len(held), "more link"))


def links_counted(result: LogLinearEvidence, pairs: Collection[Sequence[str]]) -> Text:
    """'8 links, and 1 only with C held fixed', of these links."""
    sets = set(map(frozenset, pairs))
    held = [given for pair, given in held_fixed(result).items() if frozenset(pair) in sets]
    apart = told(", and {} {}", Count(len(held)), only_held(held)) if held else ""
    return told("{}{}", Count(len(pairs) - len(held), "link"), apart)


def contrast_cells(result: LogLinearEvidence, a: str, b: str) -> dict[str, Text]:
    """The same in cells of a table: share of 'b = no' where 'a = high', 45 % (26 to 66) there; empty for none."""
    contrast = contrast_of(result, a, b)
    if contrast is None:
        return {}
    cells = {"share of": level_words(b, contrast.high), "where": level_words(a, contrast.low)}
    return cells | {
        "share there": told("{}", _with_ends(result, contrast.here)),
        "otherwise": told("{}", _with_ends(result, contrast.elsewhere)),
    }


def notes(result: LogLinearEvidence) -> list[str]:
    """The limits of the answer."""
    method, lines = result.method, [*rule_sentences(result.screening.rules), *row_notes(result)]
    if result.size < FEW_ROWS:
        lines.append(told("{} are few: only very strong links could show.", People(result.n_rows, "row")))
    if len(result.names) < 2:
        lines.append(told("One variable has nothing to be linked with; choose more."))
    if (false := false_links_of(result)) and len(result.names) > 1:
        lines.append(false)
    power = power_sentence(_margins(result), result.n_rows, method.criterion, method.alpha)
    if power and power != _power_of_no_links(result):
        lines.append(power)
    singles = zip(result.sorted_names, result.singles, strict=True)
    if constant := [Name(name) for name, margin in singles if len(margin.counts) < 2]:
        lines.append(told("Only one value occurs, which can tell nothing of a link: {}.", first(constant)))
    if method.criterion in ("kl", "ah"):
        criterion = Level(method.criterion)
        lines.append(told("The criterion '{}' finds links that are not there; it is for comparison.", criterion))
    if method.criterion in WITH_ALPHA:
        lines += _thin_note(result)
    if doubtful := [pair for pair in result.edge_values if result.from_the_cut(pair)]:
        pairs, them = first(map(_pair, doubtful), 3, "; "), "it" if len(doubtful) == 1 else "them"
        many = Count(len(doubtful), "link")
        lines.append(told("{} {}, as the numbers do not show {}: {}.", many, FROM_THE_CUT, them, pairs))
    if result.cut and method.criterion in WITH_ALPHA:
        cut = first(map(Name, result.cut), 3)
        lines.append(told("Numbers were cut, so alpha does not bound false links found through them: {}.", cut))
    lines += filter(None, [order_sentence(result), cut_sentence(result)])
    if given := result.begun.n_edges:
        template = "{} of the {} {} given (forced, or to start from), not found by the search."
        were = "was" if given == 1 else "were"
        lines.append(told(template, Count(given), Count(result.chosen.n_edges, "link"), were))
    if result.filled:
        pairs = joined((_pair(result.in_order(edge)) for edge in result.filled[:5]), ", ")
        lines.append(told("Added so that the model keeps a closed form: {}.", pairs))
    return lines


def _pair(pair: Sequence[str]) -> Text:
    return joined(map(Name, pair), " - ")


def _power_of_no_links(result: LogLinearEvidence) -> Text:
    """The strength from which a link would have shown, where none does; "" elsewhere."""
    if result.undecided or result.chosen.n_edges:
        return told("")
    return power_sentence(_margins(result), result.n_rows, result.method.criterion, result.method.alpha)


def false_links_of(result: LogLinearEvidence) -> Text:
    """The rate of false links by this criterion, in tables of about this size; "" where unknown."""
    levels = math.exp(float(np.log(np.maximum(result.arity, 1)).mean())) if len(result.arity) else 1.0
    method, rows = result.method, max(round(result.size), 1)
    return false_links_sentence(method.criterion, method.joint, rows, len(result.names), levels)


def _thin_note(result: LogLinearEvidence) -> list[str]:
    """The way p was found where cells are few."""
    thin = sum(is_thin(strata(step.table), result.effect) for step in result.accepted)
    if not thin:
        return []
    many = told("{} of the {} rest on tables with few rows a cell", Count(thin), Count(len(result.accepted), "link"))
    if result.method.thin_tables == "drawn":
        return [told("{}; their p comes from tables drawn with the same margins.", many)]
    return [told("{}, where the published test finds links too easily; let p be drawn, or merge rare levels.", many)]


def _margins(result: LogLinearEvidence) -> list[Margins]:
    """Every variable with its levels and how often each occurs, divided by the design effect."""
    return [
        (name, result.levels[name], margin.dense(result.arity) / result.effect)
        for name, margin in zip(result.sorted_names, result.singles, strict=True)
    ]


# -- what the making of the table may explain --------------------------------------------------------------------------


def link_notes(result: LogLinearEvidence) -> Mapping[tuple[str, str], Text]:
    """Links that the way the table was made may explain, each with the end of a sentence."""
    notes = {pair: link_note(result, pair) for pair in result.edge_values}
    return {pair: note for pair, note in notes.items() if note}


def link_note(result: LogLinearEvidence, pair: tuple[str, str]) -> Text:
    """The note of one link; "" for none."""
    if (without := result.gap_supports.get(pair)) is not None:
        template = "they are missing together: without those rows there is {} ({})."
        return told(template, Number(words.evidence(without.log_bayes_factor, "the link")), p_words(without.log10_p))
    check = result.number_check(*pair)
    if check is not None and check.from_the_cut:
        return told("{}: it {}.", check_words(check), FROM_THE_CUT)
    both = result.margin_of([result.position(name) for name in pair])
    return level_note(pair, result.levels, both.dense(result.arity))


def check_words(check: NumberCheck) -> Text:
    """'given C the partial rank correlation is .02 (95 % −.04 to .08)'."""
    given = told("given {} ", listed(map(Name, check.given))) if check.given else ""
    ends = [level_words(*end) for end in zip((check.a, check.b), check.of, strict=True) if end[1]]
    of = told(" with {}", listed(ends)) if ends else ""
    size, low, high = (
        Number(words.with_minus(f"{x:.2f}").replace("0.", ".")) for x in (check.correlation, check.low, check.high)
    )
    partial = "partial " if check.given else ""
    return told("{}the {}rank correlation{} is {} (95 % {} to {})", given, partial, of, size, low, high)


EXPECTED = 5.0
"""Rows that must be expected, were the two unrelated, where none is: fewer may be missing by luck."""


def level_note(names: tuple[str, str], levels: Mapping[str, Sequence[str]], table: np.ndarray) -> Text:
    """The question whether two columns can both be yes, or a level of one goes with a single level of the other.

    Parameters
    ----------
    names : of the two variables
    levels : of each
    table : (r, s) their counts

    Returns
    -------
    a question; "" where nothing is to be noted
    """
    yes = [says_yes(levels[name]) for name in names]
    if None not in yes:
        i, j = (place or 0 for place in yes)
        if not table[i, j] and _expected(table)[i, j] >= EXPECTED:
            both = map(Name, names)
            return told("no row has both: cannot {} and {} both be yes by construction?", *both)
    result = [*_followers(names, levels, table), *_followers(names[::-1], levels, table.T)]
    if not result:
        return told("")
    ends = max(result, key=lambda follower: follower[0])[1]
    return told("every row with {} has {}: does the one follow from the other?", *ends)


def _followers(
    names: tuple[str, str], levels: Mapping[str, Sequence[str]], table: np.ndarray
) -> list[tuple[tuple[float, float], list[Text]]]:
    """Levels of the first that occur with one level of the second only, and both in words.

    Before them by what they are ranked: rows expected elsewhere, and how rare the level is.
    """
    result, expected = [], _expected(table)
    for i, line in enumerate(table):
        if np.count_nonzero(line) == 1 and np.count_nonzero(table.sum(axis=0)) > 1:
            j = int(line.argmax())
            elsewhere = float(expected[i].sum() - expected[i, j])
            if elsewhere >= EXPECTED:
                ends = [level_words(name, levels[name][place]) for name, place in zip(names, (i, j), strict=True)]
                result.append(((round(elsewhere, 6), -float(line.sum())), ends))
    return result


def _expected(table: np.ndarray) -> np.ndarray:
    """Counts of unrelated variables with the same margins."""
    return np.outer(table.sum(axis=1), table.sum(axis=0)) / max(table.sum(), 1)


# -- two variables -----------------------------------------------------------------------------------------------------


def independence(result: LogLinearEvidence, a: str, b: str) -> Text:
    """The state of two variables in words: linked, no link needed, or nothing seen, and what the rows say of them.

    "No link" is said of the model only; it connects the two by way of the variables named, if at all.

    Parameters
    ----------
    a, b : names of two variables

    Returns
    -------
    one sentence

    Raises
    ------
    DataError : an unknown variable, or one twice
    """
    pair = pair_of(result, a, b)
    both = told("{} and {}", Name(pair.a), Name(pair.b))
    if pair.state == PairState.UNDECIDED:
        return told("{}: inconclusive. {}", both, too_few(result))
    if pair.state == PairState.LINKED:
        note = link_note(result, result.pair(result.edge(pair.a, pair.b)))
        return told("{}: linked. {}{}", both, _gain(result, pair), told(" But {}", note) if note else "")
    through = told("; in it they meet only by way of {}", listed(map(Name, pair.separator))) if pair.separator else ""
    model = told("{}: {}. The model has no link between them{}.", both, pair.state, through)
    return joined(filter(None, (model, _not_paid(result, pair), _rows_say(result, pair))))


def p_words(log10_p: float) -> Number:
    """'p = .030', 'p < .001'; the exact p stands in the tables."""
    return Number(words.p_value(10.0**log10_p))


def _gain(result: LogLinearEvidence, pair: PairEvidence) -> Text:
    about = result.edge_values[result.pair(result.edge(pair.a, pair.b))]
    bits = Number(f"{abs(about.evidence_bits):,.1f}")
    if about.removable and about.evidence_bits >= 0:
        text = told("It saves {} bits", bits)
    elif about.removable:
        text = told("It costs {} bits more than it saves", bits)
    else:
        text = told("It lies in {} groups and cannot be taken away alone", Count(about.cliques))
    contrast, found = contrast_words(result, pair.a, pair.b), contrast_of(result, pair.a, pair.b)
    if pair.support is None or (found and found.alike):
        return told("{}. {}.", contrast, text)
    beyond = beyond_chance(pair.support.log10_p, result.pairs)
    chance = told("") if beyond else told(", so chance alone could show as much")
    factor, check = Number(words.evidence(pair.support.log_bayes_factor, "a link")), result.number_check(pair.a, pair.b)
    numbers = told("; {}", check_words(check)) if check is not None and not check.from_the_cut else ""
    saves, p = decapitalized(text), p_words(pair.support.log10_p)
    return told("{}. The rows are {} ({}{}); {}{}.", contrast, factor, p, chance, saves, numbers)


def _not_paid(result: LogLinearEvidence, pair: PairEvidence) -> Text:
    """Why there is no link, where that is known."""
    if math.isnan(pair.parameters):
        return told("")
    given = told(", given {},", listed(map(Name, pair.given))) if pair.given else ""
    rows = People(result.n_rows, "row")
    if result.method.criterion in WITH_ALPHA:
        return told("A link{} does not pass the test among so many at {}.", given, rows)
    return told("A link{} is not worth its {} at {}.", given, Count(round(pair.parameters), "parameter"), rows)


def _rows_say(result: LogLinearEvidence, pair: PairEvidence) -> Text:
    """The evidence of the rows on the two, whatever the model."""
    support = pair.support
    given = listed(map(Name, support.separator)) if support is not None else told("")
    if support is not None and given and beyond_chance(support.log10_p, result.pairs):
        check = result.number_check(pair.a, pair.b)
        if check is not None and check.from_the_cut:
            template = "Yet in the levels of {} the two are associated, which {}: {}."
            return told(template, given, FROM_THE_CUT, check_words(check))
        return told("Yet given {} the two are associated ({}).", given, p_words(support.log10_p))
    if beyond_chance(pair.alone, result.pairs):
        less = told(", given {} no more than chance shows", given) if given else ""
        return told("Yet alone the two are associated ({}){}.", p_words(pair.alone), less)
    if math.isnan(pair.alone):
        return told("What the two show by themselves was not worked out.")
    among = p_words(pair.alone), Count(result.pairs, "pair")
    text = told("Alone the two show no more than chance does ({}, one of {})", *among)
    if pair.shift_high < MARGIN:
        least = Number(words.in_percent(MARGIN))
        return told("{}; a shift of {} or more of any share is improbable.", text, least)
    return told("{}, which does not say that there is nothing.", text)
