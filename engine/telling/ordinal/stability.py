"""How stable an ordinal network is, in sentences: over seeds, halves of the rows, resamples and drawn networks."""

from __future__ import annotations

from collections.abc import Sequence

from engine import words
from engine.methods.ordinal.evidence import OrdinalEvidence, Pair
from engine.methods.ordinal.inclusion import AGREEING, IN, OPEN, OUT, Inclusion
from engine.methods.ordinal.recurrence import RETURNS_AT, HalfSamples, Recurrence
from engine.telling.ordinal.wording import MOST_NAMED, named
from engine.text import Count, Number, Text, listed, told

SURE, UNSURE = 0.95, 0.5


def stability(result: OrdinalEvidence) -> list[Text]:
    """Whether other seeds give the same network, and which links other rows like these would not."""
    return [
        *([] if result.seeds is None else [_by_seed(result, result.seeds)]),
        *([] if result.halves is None else _by_halves(result, result.halves)),
        *([] if result.strength is None else [by_rows(result, result.strength)]),
        *([] if result.inclusion is None else _by_networks(result.inclusion)),
    ]


def inclusion_words(inclusion: Inclusion, a: str, b: str) -> Text:
    """How probable the link of one pair is."""
    i, j = inclusion.names.index(a), inclusion.names.index(b)
    return told(
        "Over drawn networks {} and {} ({} prior, approximate).",
        Number(words.probability(float(inclusion.lines[i, j]), "P(line)")),
        Number(words.probability(float(inclusion.arrows[i, j]), "P(adjacent)")),
        inclusion.prior,
    )


def _by_networks(inclusion: Inclusion) -> list[Text]:
    """How many pairs are linked, not linked, or neither can be said of, over drawn networks."""
    table, said = inclusion.frame(), []
    for name, what in (("line", "lines"), ("arrow", "arrow links")):
        many = table[f"{name}_state"].value_counts()
        included, excluded, unclear = (Count(int(many.get(state, 0))) for state in (IN, OUT, OPEN))
        said.append(
            told(
                "Of {}, {} {} are included (Bayes factor 10 or more), {} excluded (1/10 or less), {} inconclusive.",
                Count(len(table), "pair"),
                included,
                what,
                excluded,
                unclear,
            )
        )
    said.append(
        told(
            "Over {} drawn networks with the {} prior, approximate; the chains {} (R-hat {}).",
            Count(inclusion.networks),
            inclusion.prior,
            "agree" if inclusion.r_hat <= AGREEING else "do not agree, so these figures are not to be trusted",
            Number(f"{inclusion.r_hat:.2f}"),
        )
    )
    return said


def _by_halves(result: OrdinalEvidence, halves: HalfSamples) -> list[Text]:
    """How many links and directions return in halves of the rows; one sentence each."""
    links = [pair for pair, _ in result.edge_pairs]
    if not links:
        return []
    often, share = sum(halves.share(*pair) >= RETURNS_AT for pair in links), Number(words.in_percent(RETURNS_AT))
    many, samples = Count(len(links), "link"), Count(halves.runs, "sample")
    sure, whom = len(links) - len(result.doubtful_links()), "subjects" if result.subjects else "rows"
    said = [
        told(
            "In all {} {} of the {} {} beyond chance; half the {} show less: {} {} in {} or more of {}.",
            whom,
            Count(sure),
            many,
            "is" if sure == 1 else "are",
            whom,
            Count(often),
            "returns" if often == 1 else "return",
            share,
            samples,
        )
        if result.chance_first
        else told(
            "With half the {}, which show less, the search finds {} of the {} in {} or more of {}{}",
            whom,
            Count(often),
            many,
            share,
            samples,
            "." if often == len(links) else "; the others are pale.",
        )
    ]
    stable = sum(directed for _, directed in result.drawn_pairs)
    if any(directed for _, directed in result.edge_pairs):
        said.append(
            told(
                "{} of the {} {} a direction in {} or more of these{} One table proves no direction.",
                Count(stable) if stable else told("None"),
                many,
                "keeps" if stable < 2 else "keep",
                share,
                "."
                if stable == len(links)
                else "; the others are drawn as lines."
                if stable
                else "; all are drawn as lines.",
            )
        )
    return said


def _by_seed(result: OrdinalEvidence, seeds: Recurrence) -> Text:
    runs, classes = Count(seeds.runs), Count(seeds.classes)
    if seeds.classes == 1:
        return told("{} seeds give one network.", runs)
    flips = [pair for pair, share in _shares(result, seeds) if share < 1]
    others = _not_drawn(result, seeds)
    if not flips and not others:
        return told("{} seeds give {} networks; they have the same links and differ in directions.", runs, classes)
    left = [
        *([told("{} of this one ({})", Count(len(flips), "link"), _first(result, flips))] if flips else []),
        *([told("{} that this one lacks ({})", Count(len(others)), _first(result, others))] if others else []),
    ]
    return told(
        "{} seeds give {} networks: {} {} left to the draws alone. More draws make seeds agree.",
        runs,
        classes,
        listed(left),
        "is" if len(flips) + len(others) == 1 else "are",
    )


def by_rows(result: OrdinalEvidence, strength: Recurrence) -> Text:
    shares, runs = _shares(result, strength), Number(words.times(strength.runs))
    often, more = _not_drawn(result, strength, UNSURE), told("")
    if often:
        more = told(
            " {} came back in half of them or more, and {} not in this network.",
            _first(result, often),
            "is" if len(often) == 1 else "are",
        )
    if not shares:
        return told("The rows were resampled {}.{}", runs, more)
    unsure = [pair for pair, share in shares if share < UNSURE]
    rest = (
        told("; {} came back in fewer than half", _first(result, unsure)) if unsure else ", and each in at least half"
    )
    return told(
        "With the rows resampled {}, {} of the {} came back in {} of the networks or more{}.{}",
        runs,
        Count(sum(share >= SURE for _, share in shares)),
        Count(len(shares), "link"),
        Number(words.in_percent(SURE)),
        rest,
        more,
    )


def _shares(result: OrdinalEvidence, recurrence: Recurrence) -> list[tuple[Pair, float]]:
    """How often each link came back, the rarest first."""
    return sorted(((pair, recurrence.share(*pair)) for pair, _ in result.edge_pairs), key=lambda known: known[1])


def _not_drawn(result: OrdinalEvidence, recurrence: Recurrence, least: float = 0.0) -> list[Pair]:
    """The pairs that were linked in a share of the networks, and are not in this one."""
    own = {frozenset(pair) for pair, _ in result.edge_pairs}
    return [pair for pair, share in recurrence.pairs() if share >= least and frozenset(pair) not in own]


def _first(result: OrdinalEvidence, pairs: Sequence[Pair]) -> Text:
    more = len(pairs) - MOST_NAMED
    shown = [named(result, pair) for pair in pairs[:MOST_NAMED]]
    return listed([*shown, told("{} more", Count(more))] if more > 0 else shown)
