"""A comparison in sentences: one with where and how much, how sure that is, and what limits it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine import words
from engine.comparison.difference import LEVEL, SPLIT, SUMS
from engine.comparison.evidence import ComparisonEvidence, both_ends
from engine.comparison.nodes import GLOBAL
from engine.comparison.scales import CORRELATION, MEANS, MIXED, ODDS, PARTIAL, SCALES, Scale, ratio
from engine.comparison.structure import AGREE, DIFFER, ONLY_A, ONLY_B
from engine.comparison.table import LinkTest, kind_of
from engine.graphs.dag import each_edge
from engine.lazy import pd, special
from engine.methods.verdicts import Verdict
from engine.telling.charts.labels import difference_name, shorten
from engine.telling.links import determined_words
from engine.telling.subjects import subjects_of
from engine.telling.terms import SHOWN
from engine.text import Count, Level, Name, Number, People, Text, first, joined, listed, told

CAUTION = told("An arrow is not a cause, and a difference between two groups is not an effect of the group.")
FEW_ROWS = 100
FEW_FREEDOM = 60
LARGE = 0.5
"""Of two correlations' difference (Cohen's q), from which on it is large; of other links on their scale."""
HARDLY = 3.0
"""Bayes factor, either way, within which the rows hardly changed P(differs)."""
_NAME, _LEVELS = 24, 60
SEARCH = "search"


def question(result: ComparisonEvidence) -> Text:
    """'South v North: which links differ?', what is subtracted last."""
    return told("{}: which links differ?", joined(map(Level, reversed(result.labels)), " v "))


def headline(result: ComparisonEvidence) -> Text:
    """The one sentence: which links differ, where and how much; or that no difference is seen."""
    if result.test is None:
        return _structure_headline(result)
    called, row = result.called(), result.leading()
    if row is None or not len(called):
        return _nothing(result)
    many = _verdicts(result)
    surely, probably = many[Verdict.DIFFERS], many[Verdict.PROBABLY]
    more = told(" and {} more probably", Count(probably)) if surely and probably else told("")
    which = told(
        "{} of {} {}{}{}",
        Count(surely or probably),
        Count(result.tested_pairs(), "link"),
        "" if surely else "probably ",
        "differs" if (surely or probably) == 1 else "differ",
        more,
    )
    rest = told("{} {}", name_link(row), _link_words(row, _labels(result)))
    if surely + probably == 1:
        return told("{}: {}.", which, rest)
    return told("{}{}; {}.", which, _most_between(result, called), rest)


def _verdicts(result: ComparisonEvidence) -> Counter[Verdict]:
    """The number of links of which each word is said: of more than two groups the first that any two of them have."""
    order = (Verdict.DIFFERS, Verdict.PROBABLY, Verdict.CANNOT_TELL, Verdict.NOT_SEEN, Verdict.SAME)
    found: dict[frozenset[str], Verdict] = {}
    for row in result.links().itertuples():
        ends, word = frozenset((row.source, row.target)), Verdict(row.word)
        found[ends] = min(word, found.get(ends, word), key=order.index)
    return Counter(found.values())


def _most_between(result: ComparisonEvidence, called: pd.DataFrame) -> Text:
    """', most between B and C (3)'; "" of two groups, or where no pair of them has more than the others."""
    if len(result.labels) < 3:
        return told("")
    pairs = Counter(zip(called["group_a"], called["group_b"], strict=True)).most_common(2)
    if len(pairs) > 1 and pairs[0][1] == pairs[1][1]:
        return told("")
    (a, b), many = pairs[0]
    short = _labels(result)
    return told(", {} between {} and {} ({})", "all" if len(pairs) == 1 else "most", short[a], short[b], Count(many))


def _link_words(row: pd.Series, short: Mapping[str, Level]) -> Text:
    """'turns its sign, +.48 in A, −.51 in B'; odds ratios by their name."""
    word, label = kind_of(row)
    verb = told("is {} {}", word, short[label]) if label else word
    return told("{}: {}{}", verb, _unit(row), _both(row, short))


def _unit(row: pd.Series) -> str:
    """What the numbers of a link are called before them; nothing of correlations, which are known by their look."""
    scale = SCALES[row["scale"]]
    return "" if scale.correlations else f"{scale.short} "


def _both(row: pd.Series, short: Mapping[str, Level]) -> Text:
    """'+.48 in A, −.51 in B'."""
    scale = SCALES[row["scale"]]
    a, b = (told("{} in {}", Number(scale.text(row[x])), short[row[f"group_{x}"]]) for x in "ab")
    return told("{}, {}", a, b)


def name_link(row: pd.Series) -> Text:
    """'q1 – q2', with the levels where it is of some only."""
    note = level_note(row["source"], row["target"], row["levels"])
    ends = (_end(name, shown_up(up)) for name, up in ((row.source, row.source_up), (row.target, row.target_up)))
    return told("{} – {}{}", *ends, note)


def _end(name: str, up: str) -> Text:
    """An end of a link: 'sex = male' where that level counts as up, else its name."""
    return told("{} = {}", _short(name), _brief(up)) if up else told("{}", _short(name))


def shown_up(up: str) -> str:
    """The level that counts as up where it does not go without saying, as "yes" does."""
    return "" if up.lower() in ("yes", "true", "1") else up


def direction_words(row: Any) -> Text:
    """'Above 0: higher age goes with sex = male.': what a sign says where an end has two levels without an order.

    Of a link that is below 0 in both groups, what it says there.
    """
    ends = ((row.source, row.source_up), (row.target, row.target_up))
    if row.levels or not any(up for _, up in ends):
        return told("")
    below = not SCALES[row.scale].ratios and max(row.a, row.b) < 0 and not row.target_up
    words = ("higher ", "lower " if below else "higher ")
    said = (told("{}{}", "" if up else word, _end(name, up)) for word, (name, up) in zip(words, ends, strict=True))
    side = "Above 1" if SCALES[row.scale].ratios else "Below 0" if below else "Above 0"
    return told("{}: {} goes with {}.", side, *said)


def level_note(source: str, target: str, levels: str) -> Text:
    """' (smoker yes v no)': of which levels a link is; a long name is cut, or left out where it has just been read."""
    if not levels:
        return told("")
    if len(target) > _NAME and levels.startswith(f"{target} "):
        levels = levels.removeprefix(f"{target} ")
    return told(" ({})", Level(shorten(levels.replace(source, _short(source)), _LEVELS)))


def _nothing(result: ComparisonEvidence) -> Text:
    links, groups = result.links(), _groups(result)
    if not len(links):
        return told("No pair of variables can be compared between {}.", groups)
    whole, draws = result.tested.differences.corrected[1], result.method.draws
    if (least := links.iloc[0])["p"] < LEVEL:  # p says so, P(differs) does not
        p, probability = words.p_value(least["p"], draws=draws), words.probability(least["probability"])
        size = told("{}{}", _unit(least), _both(least, _labels(result)))
        template = "Inconclusive: {} may differ: {}; {}, but P(differs) is {}."
        return told(template, name_link(least), size, Number(p), Number(probability))
    if whole < LEVEL:
        template = "No single link is seen to differ between {}, but all together do: {}."
        return told(template, groups, Number(words.p_value(whole, draws=draws)))
    return told("No link is seen to differ between {}; {}.", groups, _open_words(result))


def _open_words(result: ComparisonEvidence) -> Text:
    """'all 78 are inconclusive', 'of 78, 8 are equivalent and 70 inconclusive': what no difference seen leaves open."""
    pairs = result.tested_pairs()
    rest = pairs - (same := _verdicts(result)[Verdict.SAME])
    if not (same and rest):
        word = "equivalent" if same else "inconclusive"
        return told("all {} are {}", Count(pairs), word) if pairs > 1 else told("it is {}", word)
    are = "is" if same == 1 else "are"
    return told("of {}, {} {} equivalent and {} inconclusive", Count(pairs), Count(same), are, Count(rest))


def _groups(result: ComparisonEvidence) -> Text:
    named = zip(_labels(result).values(), result.rows, strict=True)
    return listed(told("{} ({})", label, People(rows)) for label, rows in named)


def _structure_headline(result: ComparisonEvidence) -> Text:
    structure = result.structure()
    if len(result.labels) > 2:
        groups = Count(len(result.labels))
        return told("{} networks are compared by their structure only; no difference is tested.", groups)
    edges = structure.edges
    if not len(edges):
        return told("Neither network has an edge.")
    shared, links = edges[edges["status"].isin([AGREE, DIFFER])], Count(len(edges), "link")
    if len(shared) < len(edges):
        which = told("{} of {} {}", Count(len(shared)), links, "is" if len(shared) == 1 else "are")
    else:
        which = told("All {} are", links) if len(edges) > 1 else told("The one link is")
    both = joined(_labels(result).values(), " and ")
    return told("{} in both {}{}; no difference is tested.", which, both, _directions_apart(shared, result))


def _directions_apart(shared: pd.DataFrame, result: ComparisonEvidence) -> Text:
    """', 2 of them turned round and 1 with a direction in A only': how directions of shared links differ."""
    apart = shared[shared["status"] == DIFFER]
    one_sided, in_first = apart["mark_a"] != apart["mark_b"], apart["mark_a"] == "->"
    a, b = _labels(result).values()
    kinds = (
        (int((~one_sided).sum()), told("turned round")),
        (int((one_sided & in_first).sum()), told("with a direction in {} only", a)),
        (int((one_sided & ~in_first).sum()), told("with a direction in {} only", b)),
    )
    said = [text if many == len(shared) else told("{} {}", Count(many), text) for many, text in kinds if many]
    return told(", {}", listed(said)) if said else told("")


def sentences(result: ComparisonEvidence) -> list[str]:
    """The certainty, how rough estimates are, links and nodes, the sums, permutations, what the searches share."""
    lines: list[str] = []
    if result.test is not None:
        lines += [
            certainty(result),
            rough(result),
            verdict_counts(result),
            *node_sentences(result),
            sums(result),
            permuted(result),
        ]
    return [line for line in [*lines, *_shared(result)] if line]


def how_sure(result: ComparisonEvidence) -> list[str]:
    """What a card and a summary have room for below the headline."""
    return [joined(filter(None, sentences(result)[:1] if result.test is None else [certainty(result), rough(result)]))]


def certainty(result: ComparisonEvidence) -> Text:
    """P, Bayes factor and p of the link that is named first, how they are corrected, and what would have been seen."""
    row = result.leading()
    if row is None or not len(result.called()):
        links, pairs = result.links(), Count(result.tested_pairs(), "link")
        if few := len({*both_ends(links[links["p"] < LEVEL])}):
            return told("p is below .05 after correction for {} of {}. {}", Count(few), pairs, missed(result))
        return told("No p is below .05 after correction for all links. {}", missed(result))
    p = Number(words.p_value(row["p"], draws=result.method.draws))
    draws = told("{}, corrected over {}", Count(result.method.draws, "draw"), Count(result.tested_pairs(), "link"))
    return told("{}, {} ({}). {}", evidence(row), p, draws, missed(result))


def missed(result: ComparisonEvidence) -> Text:
    """How large differences are missed 1 time in 5, on the scale of the link named first."""
    row = result.leading()
    scale = SCALES[result.scale.name if row is None else str(row["scale"])]
    where, size = "At other links" if len(result.called()) else "With these rows", result.visible(scale.name)
    if not size * scale.weight < 1:
        return told("{} only the largest differences would show.", where)
    power = Number(words.in_percent(0.8))
    template = "{}{} {} would be missed 1 time in 5 (power {}), smaller differences more often."
    large = told("Only large differences could be found. " if size * scale.weight >= LARGE else "")
    return told(template, large, where, Number(size_of(scale, size)), power)


def prior_words(result: ComparisonEvidence) -> Text:
    """What P(differs) is before the rows are seen, of links that are clear over the groups and of all others."""
    test = result.test
    if test is None:
        return told("")
    prior, seen = -np.expm1(test.log_same(result.method.p_none)), _seen(test)
    many = [len(np.unique(test.pairs[own], axis=0)) for own in (seen, ~seen)]
    if not all(many):
        return told("")
    first_, second = (Number(words.probability(float(np.median(prior[own])))) for own in (seen, ~seen))
    return told(
        "Before any row is seen, P(differs) is {} for {} clearly linked over all groups together, {} for {} others.",
        first_,
        Count(many[0], "pair"),
        second,
        Count(many[1]),
    )


def error_words(result: ComparisonEvidence) -> Text:
    """For how many links p is corrected, and how the error that is allowed is split between two kinds of them."""
    test = result.test
    if test is None:
        return told("")
    seen, parts = test.differences.seen, (Number(words.in_percent(part)) for part in (LEVEL, SPLIT, 1 - SPLIT))
    split = told("")
    if seen.any() and not seen.all():
        split = told(
            " Of the {} error allowed, links that are clear over all groups together share {}, others {}.", *parts
        )
    return told(
        "Intervals are each link’s own; p is corrected for all {}.{}", Count(result.tested_pairs(), "link"), split
    )


def chart_words(result: ComparisonEvidence) -> Text:
    """What is corrected in the chart of links, and how links of several units stand on one axis."""
    mixed = (
        " Links have different units, so the axes have no numbers: read sizes from the columns."
        if result.scale.name == MIXED
        else ""
    )
    return told(
        f"p is corrected for the number of links, intervals are not; the tables below have them as numbers.{mixed}"
    )


def _seen(test: LinkTest) -> np.ndarray:
    """(q,) whether a number of its pair of variables is clearly not 0 over the groups."""
    return (test.pairs[:, None] == test.pairs[test.differences.seen][None]).all(axis=2).any(axis=1)


def size_of(scale: Scale, difference: float) -> str:
    """The size of a difference: 'correlations .30 apart', 'odds ratios 2.5 times apart'."""
    if scale.ratios:
        return f"odds ratios {ratio(abs(difference)).replace('above ', '')} times apart"
    size = scale.text(abs(difference)).lstrip("+")
    if scale.name == MEANS:
        return f"differences of {size} (standard deviations of a variable)"
    return f"{scale.short}s {size} apart"


def order_of(scale: Scale, a: str, b: str) -> str:
    """The order of a difference, the second less the first as everywhere: 'B − A', of odds ratios 'B : A'."""
    return f"{b}{words.NO_BREAK}:{words.NO_BREAK}{a}" if scale.ratios else difference_name(b, a)


def evidence(row: Any) -> Text:
    """'P(differs) .60, Bayes factor 60'."""
    factor = math.exp(min(row.log_bayes_factor, 7.0))
    text = "above 1,000" if factor > 1000 else f"{factor:.0f}" if factor >= 9.95 else f"{factor:.2g}"
    return told("P(differs) {}, Bayes factor {}", Number(words.probability(row.probability)), Number(text))


def chance_words(row: Any) -> Text:
    """'P(differs) 4.0 %'; of what is inconclusive also what it was, and what the rows made of it."""
    now = Number(words.probability(row.probability))
    if row.word != Verdict.CANNOT_TELL:
        return told("P(differs) {}", now)
    before = float(special.expit(special.logit(row.probability) - row.log_bayes_factor))
    then, change = Number(words.probability(before)), math.log(HARDLY)
    way = "raised" if row.log_bayes_factor > 0 else "lowered"
    did = told("hardly changed" if abs(row.log_bayes_factor) < change else way)
    template = "the data {} P(differs), {} before and {} after: neither a difference nor equivalence is shown"
    return told(template, did, then, now)


def unit_words(row: Any) -> Text:
    """The meaning of SD: of which number, within whose levels; "" of links without."""
    if row.scale != MEANS:
        return told("")
    number, levels = _short(row.target), _short(row.source)
    if not row.source_up and not row.levels.startswith(f"{row.source} "):
        number, levels = levels, number
    return told("SD: standard deviations of {} (normal scores) within a level of {}.", number, levels)


def verdict_text(row: Any) -> str:
    """A link's word as it stands on screens: 'equivalent within ±.10', of odds ratios 'within a factor of 1.5'."""
    if row.word != Verdict.SAME:
        return SHOWN.get(row.word, row.word)
    return f"equivalent within {_margin(SCALES[row.scale])}"


def _margin(scale: Scale) -> str:
    return f"a factor of {ratio(scale.margin)}" if scale.ratios else f"±{scale.text(scale.margin)[1:]}"


def verdict_counts(result: ComparisonEvidence) -> Text:
    """Of how many links each word is said; "" of one alone."""
    if result.tested_pairs() < 2:
        return told("")
    many, scales = _verdicts(result), dict.fromkeys(result.tested.scales or (result.tested.scale,))
    margins = joined((told("{}", Number(_margin(SCALES[scale]))) for scale in scales), " or ")
    many[Verdict.CANNOT_TELL] += many.pop(Verdict.NOT_SEEN, 0)  # the table tells them apart, by P(differs)
    if many[Verdict.CANNOT_TELL] == result.tested_pairs():
        return told("Inconclusive: neither a difference nor equivalence is seen.")
    said = {
        Verdict.DIFFERS: told("seen to differ"),
        Verdict.PROBABLY: told("probably differing"),
        Verdict.CANNOT_TELL: told("inconclusive"),
        Verdict.SAME: told("equivalent within {}", margins),
    }
    counts = listed(told("{} {}", Count(many[word]), text) for word, text in said.items() if many[word])
    return told("Of {}: {}.", Count(result.tested_pairs(), "link"), counts)


def node_sentences(result: ComparisonEvidence) -> list[Text]:
    """Global strength of both groups, and the nodes whose links are stronger in one."""
    table = result.nodes()
    if not len(table) or not result.tested.nodes or not result.tested.nodes.counted:
        return []
    short, lines = _labels(result), []
    if len(result.labels) == 2:
        row = table.iloc[0]
        a, b = (short[row[name]] for name in ("group_a", "group_b"))
        lines.append(
            told(
                "Global strength: {} in {}, {} in {}; {} = {} ({} to {}), {} by itself.",
                Number(f"{row['a']:.2f}"),
                a,
                Number(f"{row['b']:.2f}"),
                b,
                Level(difference_name(b, a)),
                *(Number(words.signed(row[name])) for name in ("difference", "low", "high")),
                Number(words.p_value(row["p"], draws=result.method.draws)),
            )
        )
    nodes = table[table["measure"] != GLOBAL].sort_values("p", kind="stable")
    clearest, called = nodes.iloc[0], nodes[nodes["p"] < LEVEL]
    p = Number(words.p_value(clearest["p"], corrected=True))
    if len(called):
        template = "Strength or expected influence differs at {}, most clearly {} of {} ({})."
        some = Count(called["node"].nunique(), "node")
        lines.append(told(template, some, clearest["measure"], _short(clearest["node"]), p))
    else:
        lines.append(told("No node’s strength or expected influence is seen to differ (least {}).", p))
    return lines


def sums(result: ComparisonEvidence) -> Text:
    """p of the three sums."""
    corrected = np.atleast_1d(result.tested.differences.corrected)
    each = (Number(words.p_value(p, draws=result.method.draws)) for p in corrected)
    named = (told("{} {}", name, p) for name, p in zip(SUMS, each, strict=True))
    return told("In all, with one correction: {}.", joined(named, ", "))


def permuted(result: ComparisonEvidence) -> Text:
    """The outcome of learning again in shuffles."""
    shuffles = result.shuffles
    if shuffles is None:
        return told("")
    return told(
        "Learned again in {} of the rows: {} for the three sums together; {} had as large a difference.",
        Count(shuffles.many, "shuffle"),
        Number(words.p_value(shuffles.corrected, draws=shuffles.many)),
        Count(int(shuffles.reached[0]), "shuffle"),
    )


def _shared(result: ComparisonEvidence) -> list[Text]:
    """The edges that the two searches share, beside those that two random parts of one table would share."""
    if len(result.labels) != 2:
        return []
    structure = result.structure()
    if result.test is None:
        return structure.sentences()
    edges = structure.edges
    if not len(edges):
        return [told("Neither {} found a link.", search_name(result))]
    both, whole = int(edges["status"].isin([AGREE, DIFFER]).sum()), len(edges)
    first_, second = (whole - int((edges["status"] == other).sum()) for other in (ONLY_B, ONLY_A))
    a, b = _labels(result).values()
    taken = Count(first_, "link"), a, Count(second), b, Count(whole), Count(both)
    halves = _halves(result) if both < whole or result.shuffles else ""
    return [told("The {} took {} in {} and {} in {}: {} in all, {} in both{}.", search_name(result), *taken, halves)]


def search_name(result: ComparisonEvidence) -> str:
    """The search whose links are counted: of arrows by its name, beside tests of all pairs that call links clear."""
    graphs = [next(iter(side.graphs.values()), None) for side in result.sides]
    arrows = any(graph is not None and any(edge[2] for edge in each_edge(graph)) for graph in graphs)
    return f"{SEARCH} for arrows" if arrows else SEARCH


def searches_words(result: ComparisonEvidence, row: Any) -> Text:
    """Which search alone found a link, and that this is no difference where none is seen; "" where both did."""
    search = search_name(result)
    if row.drawn == "both":
        return told("")
    if not row.drawn:
        return told("Neither {} found it; every pair is estimated all the same.", search)
    if row.what:
        return told("Only the {} in {} found it.", search, Level(row.drawn))
    return told("Only the {} in {} found it; that alone is no sign of a difference.", search, Level(row.drawn))


def _halves(result: ComparisonEvidence) -> Text:
    shuffles = result.shuffles
    if shuffles is None:
        return told("; two random parts of one table may share as few")
    low, high = np.quantile(shuffles.shared, [0.05, 0.95]).round().astype(int)
    union = Count(round(float(np.median(shuffles.union))))
    share = Count(f"{low:,} to {high:,}" if low < high else f"{low:,}")
    return told("; two random parts of these sizes share {} of about {}", share, union)


def notes(result: ComparisonEvidence) -> list[str]:
    """The limits of the comparison, one sentence each."""
    lines: list[str] = [result.no_test] if result.no_test else []
    test = result.test
    if test is not None:
        if test.constant:
            names = first(told("'{}'", _short(name)) for name in test.constant)
            lines.append(told("Not tested, since they do not vary in every group: {}.", names))
        lines += filter(None, [together(result)])
        lines += filter(None, [determined(result)])
        least = int(test.differences.freedom.min())
        if test.scale == PARTIAL and least < FEW_FREEDOM:
            template = "Partial correlations given all others leave {} of freedom; about {} are best."
            lines.append(told(template, People(least, "degree"), Count(FEW_FREEDOM)))
        lines += [*_scales(test), *filter(None, [error_words(result), prior_words(result)])]
        lines += test.recorded
        if test.nodes is not None and test.nodes.unsigned and test.nodes.counted:
            lines.append(told("Strength and expected influence leave out links of levels that have no order."))
    return list(dict.fromkeys([*lines, *result.made.rows]))


def rough(result: ComparisonEvidence) -> Text:
    """Which groups are small, the rows that a partial correlation takes, and whose links are unreliable."""
    noun = "row" if not result.tested.subject else "subject"
    units = dict(zip(_labels(result).values(), result.tested.units, strict=True))
    few = [told("{} has {}", label, People(many, noun)) for label, many in units.items() if many < FEW_ROWS]
    texts = [told("{}: intervals are rough.", listed(few))] if few else []
    if few and result.tested.scale == PARTIAL:
        smallest = result.answers[int(np.argmin(result.tested.units))]
        texts += [said()] if (said := getattr(smallest, "rows_words", None)) else []
    names = ((label, first(map(Name, result.determined_in(place)), 2)) for place, label in enumerate(units))
    which = [told("{} in {}", name, label) for label, name in names if name]
    if which:
        texts.append(told("Unreliable, even in sign: links of {}.", joined(which, "; ")))
    return joined(texts)


def determined(result: ComparisonEvidence) -> Text:
    """The variables that all others nearly determine in a group; "" where links are no partial correlations."""
    groups = zip(_labels(result).values(), result.answers, strict=True)
    return determined_words(
        {label: answer for place, (label, answer) in enumerate(groups) if result.determined_in(place)}
    )


def drawn_words(result: ComparisonEvidence, drawn: int, unsure: bool) -> Text:
    """How many of the links that were tested are drawn and which, what signs go by, and when one is not clear."""
    which, tested = "Drawn: {} of {}, those that a search took or that differ.{}", result.tested_pairs()
    ends = any(map(result.determined_in, range(len(result.labels))))
    own = " Signs go by uncorrected 95 % intervals; a group’s own result can count fewer links.{}"
    rule = " Sign not clear: the interval includes no association{}."
    said = told(rule, ", or others nearly explain an end" if ends else "") if unsure else Text()
    return told(which, Count(drawn), Count(tested, "tested link"), told(own, said))


def _scales(test: LinkTest) -> list[Text]:
    """The meaning of the numbers of links, where they are no partial correlations given all others."""
    said = {
        ODDS: told(
            "An odds ratio compares one step up in both variables, among rows equal in the variables that stand "
            "between them."
        ),
        CORRELATION: told(
            "Two numbers, or a number and a rating, go by their correlation in ranks, among rows equal in the "
            "variables that stand between them."
        ),
        MEANS: told(
            "A number and levels without an order go by the difference of means in SD, among rows equal in the "
            "variables that stand between them."
        ),
    }
    return [text for scale, text in said.items() if scale in (test.scales or (test.scale,))]


def together(result: ComparisonEvidence) -> Text:
    """That rows of one subject count together, with how many subjects each group has; "" where rows stand alone."""
    test = result.test
    if test is None or not test.subject:
        return told("")
    many = listed(subjects_of(test.subject, units) for units in test.units)
    return told("Rows of one {} count together: {}.", _short(test.subject), many)


def _labels(result: ComparisonEvidence) -> dict[str, Level]:
    """The name of each group in a sentence: shortened, and with a letter where two would read the same."""
    short = _shorts(result)
    if len(set(short)) < len(short):
        short = [Level(f"{letter}: {label}") for letter, label in zip("ABCDEF", short, strict=False)]
    return dict(zip(result.labels, short, strict=True))


def _shorts(result: ComparisonEvidence) -> list[Level]:
    return [_brief(label) for label in result.labels]


def _short(name: str) -> Name:
    return Name(shorten(name, _NAME))


def _brief(level: str) -> Level:
    return Level(shorten(level, _NAME))
