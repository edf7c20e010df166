"""An ordinal network in plain sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from engine import words
from engine.methods.ordinal.case_dropping import MINIMUM, RECOMMENDED, CaseDropping
from engine.methods.ordinal.effects import ALPHA, Link
from engine.methods.ordinal.inclusion import AGREEING, IN, OPEN, OUT, Inclusion
from engine.methods.ordinal.partial_network import MEASURES, MOST_ITEMS, PartialNetwork
from engine.methods.ordinal.recurrence import RETURNS_AT, HalfSamples, Recurrence
from engine.methods.ordinal.settings import APPROACHES, BY_TEST, LATENT

Pair = tuple[str, str]

NOT_CAUSAL = (
    "A link is not a cause, and one table does not prove the direction of an arrow; a line has none. A missing link "
    "says that nothing more was found, not that there is nothing."
)
FEW_ROWS, WIDTH = 100, 0.2
"""Rows below which a table is small; half the width of an interval that says something."""
SURE, UNSURE = 0.95, 0.5
_MOST_NAMED = 4
READING = {
    "osem": "Every answer is taken for a latent normal value that was cut into levels; links are between the latent "
    "values",
    "bge": "Levels are taken for numbers, 0, 1, 2, ..., and these for normal (BGe)",
    "bic": "Levels are taken for numbers, 0, 1, 2, ..., and these for normal (Gaussian BIC)",
    "bde": "Levels are taken for mere names, without an order (BDe)",
    "gpc": "Levels are taken for numbers, and links are tested by partial correlations (PC)",
    "opc": "Links are tested by the Jonckheere-Terpstra test, which knows the order (PC)",
    "npc": "Links are tested by chi-squared, which does not know the order (PC)",
    "npc_pcalg": "Links are tested by G-squared as in R's pcalg: no order, and with under 10 rows a degree of freedom "
    "a pair is taken as independent (PC)",
    "rpc": "Links are tested by partial correlations of ranks (Kendall's tau), and arrows need all tests to agree (PC)",
    "cpc": "Links are tested by partial correlations of a Gaussian copula, and arrows need all tests to agree (PC)",
    "mmpc": "Links are tested by two ordinal regressions, each variable on the other (PC)",
}

if TYPE_CHECKING:
    from engine.methods.ordinal.result import OrdinalResult


def short_title(result: OrdinalResult) -> str:
    """The approach."""
    return APPROACHES[result.method.approach]


def headline(result: OrdinalResult) -> str:
    """The one-sentence answer: the clearest line, or the links of the network where no lines were estimated."""
    if result.undecided:
        return f"Inconclusive: no link can be judged. {result.too_few()}"
    small = small_table(result)
    if result.lines is None:
        return small or f"{arrows(result)}{result.caveat()}"
    if small and not any(result.lines.p[pair] <= ALPHA for pair in result.lines.pairs):
        return small
    sentence = _clearest_line(result.lines, result.n_rows)
    return f"{'Small table: ' if small else ''}{sentence}"


def small_table(result: OrdinalResult) -> str:
    """That the rows are few, and how many an interval of a useful width takes; "" of a larger table."""
    if result.size >= FEW_ROWS:
        return ""
    whom = words.count(result.subjects, "subject") if result.subjects else words.count(result.n_rows, "row")
    shown = "no line can be estimated" if result.lines is None else "no partial correlation is clear"
    return (
        f"In only {whom} of {len(result.names)} variables {shown}; an interval of ±{WIDTH:.2f} takes about "
        f"{rows_for(result):,} rows."
    )


def why_no_line(result: OrdinalResult) -> str:
    """Why the picture has no lines; "" where it has."""
    if result.lines is not None:
        return ""
    many = len(result.names)
    if result.undecided:
        return f"No lines are drawn: {_lower(result.too_few())}"
    if many > MOST_ITEMS:
        return f"No lines are drawn: they are estimated for at most {MOST_ITEMS} variables; these are {many}."
    whom = "subjects" if result.subjects else "rows"
    return (
        f"No lines are drawn: partial correlations of {many} variables need at least {many + 3} {whom} with both "
        "answers of every pair."
    )


def rows_for(result: OrdinalResult) -> int:
    """Rows, in steps of 10, that the 95 % interval of a partial correlation near 0 takes to be +- WIDTH wide.

    Fisher's z has the variance 1 / (n - p - 1) given all other variables; levels keep a share of the information.
    """
    needed = len(result.names) + 1 + (1.96 / math.atanh(WIDTH)) ** 2 / max(result.information, 0.05)
    return 10 * math.ceil(needed / 10)


def _clearest_line(lines: PartialNetwork, rows: int) -> str:
    """The strongest link between two scales, or of all; links are counted whose corrected p is at most .05."""
    clear = [pair for pair in lines.pairs if lines.p[pair] <= ALPHA]
    if not clear:
        return (
            f"No partial correlation of the {len(lines.names)} variables is clear in {words.count(rows, 'row')}; "
            f"largest: {line_words(lines, *lines.pairs[0])}."
        )
    kinds = list(dict.fromkeys(lines.scales.values()))
    bridges = [pair for pair in clear if lines.is_bridge(*pair)]
    if not kinds:
        rank = "the only clear link" if len(clear) == 1 else f"the strongest of {len(clear)} clear links"
        return f"{line_words(lines, *clear[0], 'partial correlation')}, is {rank}."
    between = f"the scales {words.listed(kinds)}"
    if not bridges:
        return f"No link between {between} is clear; within them the strongest is {line_words(lines, *clear[0])}."
    strongest = line_words(lines, *bridges[0], "partial correlation")
    if len(bridges) == 1:
        return f"One clear link joins {between}: {strongest}."
    return f"{len(bridges)} clear links join {between}; the strongest is {strongest}."


def clear_links(lines: PartialNetwork) -> str:
    """What a clear link is, and how many lines have an interval without 0; "" where no link is clear."""
    if not any(lines.p[pair] <= ALPHA for pair in lines.pairs):
        return ""
    drawn, pairs = sum(bool(lines.drawn[pair]) for pair in lines.pairs), words.count(len(lines.pairs), "pair")
    have = "has" if drawn == 1 else "have"
    return (
        f"Clear: p at most .05 after correction for {pairs}. {words.count(drawn, 'line')} {have} a 95 % interval that "
        "excludes 0."
    )


def line_words(lines: PartialNetwork, i: int, j: int, before: str = "") -> str:
    """'a – b, +0.46 (95 % interval +0.37 to +0.54)'."""
    ends = lines.partial[i, j], lines.low[i, j], lines.high[i, j]
    return f"{lines.names[i]} – {lines.names[j]}, {' '.join(filter(None, (before, estimate_words(*ends))))}"


def pair_words(lines: PartialNetwork, a: str, b: str) -> str:
    """What is known of one pair given all others."""
    i, j = lines.names.index(a), lines.names.index(b)
    estimate = estimate_words(lines.partial[i, j], lines.low[i, j], lines.high[i, j])
    p = words.p_value(lines.p[i, j], corrected=True)
    return f"Partial correlation {estimate} given all other variables; {p} for all pairs."


def estimate_words(value: float, low: float, high: float) -> str:
    """'+0.52 (95 % interval +0.44 to +0.59)'."""
    estimate, *ends = (words.with_sign(number, 2) for number in (value, low, high))
    return f"{estimate} (95 % interval {ends[0]} to {ends[1]})"


def arrows(result: OrdinalResult) -> str:
    """How many links the network has, and how many of them a direction."""
    n, links = len(result.names), result.n_links
    if not links:
        return f"No link between any two of the {n} variables shows in {words.count(result.n_rows, 'row')}."
    joined = {name for pair, _ in result.edge_pairs for name in pair}
    arrows = sum(directed for _, directed in result.drawn_pairs)
    alone = n - len(joined)
    rest = f"; {alone} stand{'s' if alone == 1 else ''} alone" if alone else ""
    whom = f"{len(joined)} of the {n}" if alone else "both" if n == 2 else f"all {n}"
    way = (
        "none has" if not arrows else "all have" if arrows == links else f"{arrows} {'has' if arrows == 1 else 'have'}"
    )
    if links == 1:
        way = "it has" if arrows else "it does not have"
        return f"1 link joins {whom} variables{rest}; {way} a direction{_returning(result)}."
    return f"{links} links join {whom} variables{rest}; {way} a direction{_returning(result)}."


def _returning(result: OrdinalResult) -> str:
    """In how many halves of the rows a direction has to return to be one; without halves, that none was tested."""
    if not any(directed for _, directed in result.edge_pairs):
        return ""
    if result.halves is None:
        return ", not yet tested in half samples"
    return f" that returns in {words.in_percent(RETURNS_AT)} of {result.halves.runs} half samples"


def named(result: OrdinalResult, pair: Pair) -> str:
    """'a → b' or 'a – b'."""
    mark = next((directed for item, directed in result.drawn_pairs if item == pair), False)
    return f"{pair[0]} {'→' if mark else '–'} {pair[1]}"


def effect_words(link: Link) -> str:
    """A link's partial correlation with its interval."""
    return estimate_words(link.partial, link.low, link.high)


def sentences(result: OrdinalResult) -> list[str]:
    """The strongest link, and what the answer rests on."""
    sentences = []
    if result.lines is not None and not result.undecided:
        directed = f"With directions: {_lower(arrows(result))}{result.caveat()}"
        sentences.append(" ".join(filter(None, (clear_links(result.lines), directed))))
    elif result.edge_pairs and not result.undecided:
        pair, _ = max(result.edge_pairs, key=lambda item: abs(result.link(*item[0]).partial))
        sentences.append(
            f"The strongest link is {named(result, pair)}: partial correlation {effect_words(result.link(*pair))}"
            f"{' once the other parents are known' if len(result.names) > 2 else ''}."
        )
    sentences.append(f"{READING[result.method.approach]}.{numbers_words(result)}")
    rows, hidden = (words.count(round(number), "row") for number in (result.size, result.effective_rows))
    sentences.append(
        f"As only levels are known, {rows} are as informative about a link as {hidden} of latent values "
        f"({words.in_percent(result.information)})."
    )
    return sentences


def numbers_words(result: OrdinalResult) -> str:
    """That numbers stand uncut, beginning with a space; "" without any."""
    if not result.numbers:
        return ""
    one, named_ = len(result.numbers) == 1, words.first(result.numbers, _MOST_NAMED)
    if result.uncut:
        return f" {named_} {'is' if one else 'are'} not cut: a number is its own latent value, by its normal score."
    return f" Arrows use the levels of {named_}; lines use {'its' if one else 'their'} numbers, by normal scores."


def copies_words(result: OrdinalResult) -> list[str]:
    """Which variables say the same as another or its reverse, and what to do."""
    if not result.copies:
        return []
    named_ = [
        f"{b} is {f'{a} reversed' if result.correlation.at[a, b] < 0 else f'a copy of {a}'}, or nearly so"
        for a, b in result.copies
    ]
    return [
        f"{words.first(named_, _MOST_NAMED, '; ')}. What such copies are linked with is inconclusive: leave one out."
    ]


def gaps_notes(result: OrdinalResult) -> list[str]:
    """How many answers are missing, what was made of them, what that assumes, and what their gaps depend on."""
    cells = result.n_rows * len(result.names)
    sentences = [
        f"{words.count(result.n_gaps, 'answer')} of {cells:,} {'is' if result.n_gaps == 1 else 'are'} missing. "
        f"{gaps_used(result)}"
    ]
    if result.gaps_depend:
        shown = [
            f"{name} is missing depending on {words.first(others, 2)}" for name, others in result.gaps_depend.items()
        ]
        verdict = (
            "lines of pairwise deletion are biased then; full information allows for it"
            if result.method.missing == "pairwise"
            else "full information allows for that"
        )
        sentences.append(f"Gaps depend on observed answers: {words.first(shown, 2, '; ')}; {verdict}.")
    return sentences


def gaps_used(result: OrdinalResult) -> str:
    """What lines and arrows made of gaps, and what each assumes."""
    if result.method.missing == "pairwise":
        return (
            "Lines use each pair’s own answers, which assumes that they are missing completely at random; arrows use "
            "full information."
        )
    return (
        "Lines and arrows use full information: an answer may be missing depending on other answers, not on what it "
        "would have been (missing at random)."
    )


def gaps_paragraph(result: OrdinalResult) -> str:
    """The same as a paper says it."""
    many = f"{words.count(result.n_gaps, 'missing answer')} {'was' if result.n_gaps == 1 else 'were'} left open"
    if result.lines is not None and result.lines.completed:
        return (
            f"{many}: the directed network and the partial correlations use full information, which assumes answers "
            f"missing at random; for the latter, missing answers were drawn in {result.lines.completed} tables given "
            "all answers of their row under the latent normal model, and estimates pooled (Rubin, 1987)."
        )
    return (
        f"{many} in the search of the directed network (full information, which assumes answers missing at random); "
        "partial correlations use pairwise deletion, which assumes answers missing completely at random."
    )


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def centrality(result: OrdinalResult) -> list[str]:
    """Which variable is the most central, how stable that order is, and what the figures are."""
    lines = result.lines
    if lines is None:
        return []
    sentences = [_leader(lines, measure) for measure in ("expected_influence", "strength")]
    if result.dropping is not None:
        sentences += [stability_of_order(result.dropping, measure) for measure in result.dropping.correlations]
    return [
        *sentences,
        "Expected influence sums all partial correlations of a variable with their signs. Strength sums the sizes of "
        "lines whose interval excludes 0 and is somewhat too high: .11 on a true .67 for 25 items and 800 rows.",
    ]


def _leader(lines: PartialNetwork, measure: str) -> str:
    """The largest value; the order of the first two is left open where their difference may be chance."""
    values, (low, high) = lines.centralities[measure].value, lines.interval(measure)
    order = np.argsort(-values, kind="stable")
    first, second = (int(place) for place in order[:2])
    label = MEASURES[measure].lower()
    tied = [lines.names[place] for place in order if round(float(values[first] - values[place]), 2) == 0]
    if len(tied) > 1:
        size = words.with_sign(values[first], 2) if round(abs(float(values[first])), 2) else "0"
        if len(tied) == len(lines.names):
            return f"No variable comes first by {label}: it is {size} for all."
        return f"No variable comes first by {label}: it is {size} for {words.first(tied)}, the largest value."
    table = lines.difference_table(measure)
    own = table[(table["a"] == lines.names[first]) | (table["b"] == lines.names[first])]
    value = estimate_words(values[first], low[first], high[first])
    if (own["p_corrected"] <= ALPHA).all():
        return f"{lines.names[first]} has the largest {label}: {value}."
    return (
        f"{lines.names[first]} comes first by {label}, {value}; whether it is above {lines.names[second]} and others "
        "is inconclusive."
    )


def difference_words(lines: PartialNetwork, measure: str, a: str, b: str) -> str:
    """Whether two items differ in a measure, with the corrected p of all pairs."""
    table = lines.difference_table(measure)
    own = table[((table["a"] == a) & (table["b"] == b)) | ((table["a"] == b) & (table["b"] == a))].iloc[0]
    turn = 1.0 if own["a"] == a else -1.0
    ends = sorted((turn * own["low"], turn * own["high"]))
    verdict = "differ" if own["p_corrected"] <= ALPHA else "may differ or not: inconclusive"
    p = words.p_value(own["p_corrected"], corrected=True)
    return (
        f"{MEASURES[measure]} of {a} less that of {b}: {estimate_words(turn * own['difference'], *ends)}; {p} for all "
        f"pairs. The two {verdict}."
    )


def stability_of_order(dropping: CaseDropping, measure: str) -> str:
    """The correlation-stability coefficient in words."""
    value = dropping.coefficient(measure)
    reading = (
        "stable" if value >= RECOMMENDED else "to be read with caution" if value >= MINIMUM else "not to be interpreted"
    )
    return (
        f"The order by {MEASURES[measure].lower()} is {reading}: correlation-stability coefficient {value:.2f} "
        f"(stable from {RECOMMENDED:.2f} on)."
    )


def notes(result: OrdinalResult) -> list[str]:
    """What limits the answer, one sentence each."""
    sentences = [*result.row_notes(), *result.warnings]
    if result.size < FEW_ROWS and small_table(result) not in headline(result):
        sentences.append(
            f"{words.count(result.n_rows, 'row')} are few: only strong links can be seen. An interval of ±{WIDTH:.2f} "
            f"takes about {rows_for(result):,} rows."
        )
    if tiers := result.method.knowledge.tiers:
        early = words.listed(tiers[0][:_MOST_NAMED]) + (" and others" if len(tiers[0]) > _MOST_NAMED else "")
        sentences.append(f"No arrow points at {early} from later variables: that order was set, not found.")
    if result.lifted:
        sentences.append(
            "The correlations found pair by pair did not fit together, so they were adjusted before the search; links "
            "among strongly tied variables are the least sure."
        )
    if result.starts > 1:
        sentences.append(
            f"The rounds therefore began {words.count(result.starts, 'time')} with other random numbers; the network "
            "is the best of all rounds. Another seed may find another one."
        )
    if result.n_gaps:
        sentences += gaps_notes(result)
    if result.method.approach in BY_TEST:
        sentences.append(
            "A PC search takes a link away at the first test that fails, so it misses many in small tables."
        )
    if not result.exact:
        sentences.append(
            "The tests contradict each other: no network has exactly these arrows and lines, so sizes and predictions "
            "are those of the nearest one."
        )
    if result.method.approach not in LATENT:
        sentences.append(
            "Signs and sizes of links are those of pairwise hidden correlations, whatever found the links."
        )
    sentences += copies_words(result)
    if result.strength is None and result.halves is None and result.edge_pairs:
        sentences.append("How sure each link is has not been asked: other rows like these could give other links.")
    return sentences


# -- how stable -------------------------------------------------------------------------------------------------------


def stability(result: OrdinalResult) -> list[str]:
    """Whether other seeds give the same network, and which links other rows like these would not."""
    sentences = []
    if result.seeds is not None:
        sentences.append(_by_seed(result, result.seeds))
    if result.halves is not None:
        sentences += _by_halves(result, result.halves)
    if result.strength is not None:
        sentences.append(_by_rows(result, result.strength))
    if result.inclusion is not None:
        sentences += _by_networks(result.inclusion)
    return sentences


def inclusion_words(inclusion: Inclusion, a: str, b: str) -> str:
    """How probable the link of one pair is."""
    i, j = inclusion.names.index(a), inclusion.names.index(b)
    line = words.probability(float(inclusion.lines[i, j]), "P(line)")
    adjacent = words.probability(float(inclusion.arrows[i, j]), "P(adjacent)")
    return f"Over drawn networks {line} and {adjacent} ({inclusion.prior} prior, approximate)."


def _by_networks(inclusion: Inclusion) -> list[str]:
    """How many pairs are linked, not linked, or neither can be said of, over drawn networks."""
    table = inclusion.frame()
    sentences = []
    for name, what in (("line", "lines"), ("arrow", "arrow links")):
        many = table[f"{name}_state"].value_counts()
        included, excluded, unclear = (int(many.get(state, 0)) for state in (IN, OUT, OPEN))
        sentences.append(
            f"Of {words.count(len(table), 'pair')}, {included} {what} are included (Bayes factor 10 or more), "
            f"{excluded} excluded (1/10 or less), {unclear} inconclusive."
        )
    agreeing = "agree" if inclusion.r_hat <= AGREEING else "do not agree, so these figures are not to be trusted"
    return [
        *sentences,
        f"Over {inclusion.networks:,} drawn networks with the {inclusion.prior} prior, approximate; the chains "
        f"{agreeing} (R-hat {inclusion.r_hat:.2f}).",
    ]


def _by_halves(result: OrdinalResult, halves: HalfSamples) -> list[str]:
    """How many links and directions return in halves of the rows; one sentence each."""
    if not result.edge_pairs:
        return []
    links = [pair for pair, _ in result.edge_pairs]
    often = sum(halves.share(*pair) >= RETURNS_AT for pair in links)
    drawn = "Halves of the subjects" if result.subjects else "Halves of the rows"
    sentences = [
        f"{drawn} were learned again {words.times(halves.runs)}: {often} of {words.count(len(links), 'link')} "
        f"{'returns' if often == 1 else 'return'} in {words.in_percent(RETURNS_AT)} or more"
        f"{'.' if often == len(links) else '; the others are pale.'}"
    ]
    arrows = [pair for pair, directed in result.edge_pairs if directed]
    stable = sum(directed for _, directed in result.drawn_pairs)
    if arrows:
        sentences.append(
            f"Of {words.count(len(arrows), 'arrow')}, {stable} {'keeps' if stable == 1 else 'keep'} the direction in "
            f"{words.in_percent(RETURNS_AT)} or "
            f"more{'.' if stable == len(arrows) else '; the others are drawn as lines.'} One table "
            "proves no direction."
        )
    return sentences


def _by_seed(result: OrdinalResult, seeds: Recurrence) -> str:
    if seeds.classes == 1:
        return f"{seeds.runs} seeds give one network."
    flips = [pair for pair, share in _shares(result, seeds) if share < 1]
    own = {frozenset(pair) for pair, _ in result.edge_pairs}
    others = [pair for pair, _ in seeds.pairs() if frozenset(pair) not in own]
    if not flips and not others:
        return f"{seeds.runs} seeds give {seeds.classes} networks; they have the same links and differ in directions."
    sentences = [f"{words.count(len(flips), 'link')} of this one ({_first(result, flips)})"] if flips else []
    sentences += [f"{len(others)} that this one lacks ({_first(result, others)})"] if others else []
    return (
        f"{seeds.runs} seeds give {seeds.classes} networks: {words.listed(sentences)} "
        f"{'is' if len(flips) + len(others) == 1 else 'are'} left to the draws alone. More draws make seeds agree."
    )


def _by_rows(result: OrdinalResult, strength: Recurrence) -> str:
    shares = _shares(result, strength)
    own = {frozenset(pair) for pair, _ in result.edge_pairs}
    often = [pair for pair, share in strength.pairs() if share >= UNSURE and frozenset(pair) not in own]
    text = f" {_first(result, often)} came back in half of them or more, and is not in this network." if often else ""
    if len(often) > 1:
        text = text.replace("and is not", "and are not")
    if not shares:
        return f"The rows were resampled {words.times(strength.runs)}.{text}"
    certain = sum(share >= SURE for _, share in shares)
    unsure = [pair for pair, share in shares if share < UNSURE]
    sentence = (
        f"With the rows resampled {words.times(strength.runs)}, {certain} of the {words.count(len(shares), 'link')} "
        f"came back in {words.in_percent(SURE)} of the networks or more"
    )
    if not unsure:
        return f"{sentence}, and each in at least half.{text}"
    return f"{sentence}; {_first(result, unsure)} came back in fewer than half.{text}"


def _shares(result: OrdinalResult, recurrence: Recurrence) -> list[tuple[Pair, float]]:
    shares = [(pair, recurrence.share(*pair)) for pair, _ in result.edge_pairs]
    return sorted(shares, key=lambda item: item[1])


def _first(result: OrdinalResult, pairs: list[Pair]) -> str:
    listed = [named(result, pair) for pair in pairs[:_MOST_NAMED]]
    more = len(pairs) - len(listed)
    return words.listed([*listed, f"{more} more"] if more else listed)


def latent(result: OrdinalResult) -> list[str]:
    """What stands behind the levels."""
    sentences = [
        f"Each {'rating' if result.numbers else 'variable'} is cut at its thresholds: the share of the normal curve "
        "between two of them is about the share of the rows with that level (one imagined row a level is counted in)."
    ]
    if result.rounds:
        text = "last" if result.method.mode == "published" else "best"
        sentences.append(
            f"{words.count(len(result.rounds), 'round')} of the fit; the {text} explains the answers with a "
            f"log-likelihood of {result.log_likelihood:,.1f} nats ({result.criterion:,.1f} after the penalty)."
        )
    return sentences
