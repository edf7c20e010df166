"""What a comparison says: one sentence with where and how much, how sure that is, and what limits it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import words
from engine.comparison.difference import LEVEL, SUMS
from engine.comparison.nodes import GLOBAL
from engine.comparison.scales import CORRELATION, MEANS, ODDS, PARTIAL, SCALES, signed
from engine.comparison.structure import AGREE, DIFFER
from engine.comparison.table import LinkTest, kind_of
from engine.lazy import pd
from engine.methods.verdicts import Verdict
from engine.telling.charts.labels import difference_name, shorten
from engine.telling.subjects import subjects_of
from engine.telling.terms import SHOWN

if TYPE_CHECKING:
    from engine.comparison.result import ComparisonResult


CAUTION = "An arrow is not a cause, and a difference between two groups is not an effect of the group."
FEW_ROWS = 100
FEW_FREEDOM = 60
_NAME, _LEVELS = 24, 60


def headline(result: ComparisonResult) -> str:
    """The one sentence: which links differ, where and how much; or that no difference is seen."""
    if result.test is None:
        return _structure_headline(result)
    called = result.called()
    if not len(called):
        return _nothing(result)
    row, many = called.iloc[0], _verdicts(result)
    surely, probably = many[Verdict.DIFFERS], many[Verdict.PROBABLY]
    adverb = "" if surely else "probably "
    which = f"{surely or probably:,} of {words.count(result.tested_pairs(), 'link')} {adverb}"
    which += "differs" if (surely or probably) == 1 else "differ"
    which += f" and {probably:,} more probably" if surely and probably else ""
    rest = f"{name_link(row)} {_link_words(row, _labels(result))}"
    return f"{which}: {rest}." if surely + probably == 1 else f"{which}{_most_between(result, called)}; {rest}."


def _verdicts(result: ComparisonResult) -> Counter[Verdict]:
    """How many links each word is said of: of more than two groups the first that any two of them have."""
    order = (Verdict.DIFFERS, Verdict.PROBABLY, Verdict.CANNOT_TELL, Verdict.NOT_SEEN, Verdict.SAME)
    found: dict[frozenset[str], Verdict] = {}
    for row in result.links().itertuples():
        ends, word = frozenset((row.source, row.target)), Verdict(row.word)
        found[ends] = min(word, found.get(ends, word), key=order.index)
    return Counter(found.values())


def _most_between(result: ComparisonResult, called: pd.DataFrame) -> str:
    """', most between B and C (3)'; "" of two groups, or where no pair of them has more than the others."""
    if len(result.labels) < 3:
        return ""
    pairs = Counter(zip(called["group_a"], called["group_b"], strict=True)).most_common(2)
    if len(pairs) > 1 and pairs[0][1] == pairs[1][1]:
        return ""
    (a, b), many = pairs[0]
    short = _labels(result)
    return f", {'all' if len(pairs) == 1 else 'most'} between {short[a]} and {short[b]} ({many})"


def _link_words(row: pd.Series, short: Mapping[str, str]) -> str:
    """'turns its sign, +.48 in A, −.51 in B'; odds ratios by their name."""
    scale = SCALES[row["scale"]]
    unit = "" if scale.correlations else f"{scale.short} "
    a, b = (short[row[name]] for name in ("group_a", "group_b"))
    word, label = kind_of(row)
    verb = f"is {word.about(short[label])}" if label else word
    return f"{verb}: {unit}{scale.text(row['a'])} in {a}, {scale.text(row['b'])} in {b}"


def name_link(row: pd.Series) -> str:
    """'q1 – q2', with the levels where it is of some only."""
    return f"{_short(row['source'])} – {_short(row['target'])}{level_note(row['source'], row['target'], row['levels'])}"


def level_note(source: str, target: str, levels: str) -> str:
    """' (smoker yes v no)': of which levels a link is; a long name is cut, or left out where it has just been read."""
    if not levels:
        return ""
    if len(target) > _NAME and levels.startswith(f"{target} "):
        levels = levels.removeprefix(f"{target} ")
    return f" ({_short(levels.replace(source, _short(source)), _LEVELS)})"


def _nothing(result: ComparisonResult) -> str:
    links = result.links()
    if not len(links):
        return f"No pair of variables can be compared between {_groups(result)}."
    first, whole = links.iloc[0], result.tested.differences.corrected[1]
    if whole < LEVEL:
        p = words.p_value(whole)
        return f"No single link is seen to differ between {_groups(result)}, but all together do: {p}."
    p = words.p_value(first["p"])
    scale, short = SCALES[first["scale"]], _labels(result)
    a, b = (short[first[name]] for name in ("group_a", "group_b"))
    size = f"odds ratio {scale.text(first['a'])} in {a}, {scale.text(first['b'])} in {b}"
    if not scale.ratios:
        size = f"{difference_name(b, a)} = {scale.interval(first['difference'], first['low'], first['high'])}"
    lead = "Inconclusive" if first["p"] < LEVEL else "No difference is seen"  # p says so, P(differs) does not
    return f"{lead} between {_groups(result)}; largest: {name_link(first)}, {size}, {p}."


def _groups(result: ComparisonResult) -> str:
    short = _labels(result)
    named = [f"{short[label]} ({rows:,})" for label, rows in zip(result.labels, result.rows, strict=True)]
    return words.listed(named)


def _structure_headline(result: ComparisonResult) -> str:
    structure = result.structure()
    if len(result.labels) > 2:
        return f"{len(result.labels)} networks are compared by their structure only; no difference is tested."
    edges = structure.edges
    if not len(edges):
        return "Neither network has an edge."
    shared, links = edges[edges["status"].isin([AGREE, DIFFER])], words.count(len(edges), "link")
    if len(shared) == len(edges):
        which = f"All {links} are" if len(edges) > 1 else "The one link is"
    else:
        which = f"{len(shared):,} of {links} {'is' if len(shared) == 1 else 'are'}"
    both = " and ".join(_labels(result).values())
    return f"{which} in both {both}{_directions_apart(shared, result)}; no difference is tested."


def _directions_apart(shared: pd.DataFrame, result: ComparisonResult) -> str:
    """', 2 of them turned round and 1 with a direction in A only': how directions of shared links differ."""
    apart = shared[shared["status"] == DIFFER]
    one_sided, first = apart["mark_a"] != apart["mark_b"], apart["mark_a"] == "->"
    short = _labels(result)
    a, b = (short[label] for label in result.labels)
    kinds = (
        (int((~one_sided).sum()), "turned round"),
        (int((one_sided & first).sum()), f"with a direction in {a} only"),
        (int((one_sided & ~first).sum()), f"with a direction in {b} only"),
    )
    said = [text if many == len(shared) else f"{many:,} {text}" for many, text in kinds if many]
    return f", {words.listed(said)}" if said else ""


def sentences(result: ComparisonResult) -> list[str]:
    """How sure it is, what is said of links and nodes, the three sums, permutations, what the searches share."""
    matches = []
    if result.test is not None:
        matches += [certainty(result), verdict_counts(result), *node_sentences(result), sums(result), permuted(result)]
    matches += _shared(result)
    return [item for item in matches if item]


def certainty(result: ComparisonResult) -> str:
    """P, Bayes factor and p of the clearest link, how they are corrected, and what would have been seen."""
    called, power = result.called(), result.visible()
    draws = f"{result.method.draws:,} draws, corrected over {words.count(result.tested_pairs(), 'link')}"
    start = f"Tested with {draws}. "
    if len(called):
        first = called.iloc[0]
        start = f"{evidence(first)}, {words.p_value(first['p'])} ({draws}). "
    drawn = result.drawn_links()
    scale = (
        SCALES[(drawn if len(drawn) else result.links())["scale"].iloc[0]] if result.tested_pairs() else result.scale
    )
    other = " in another link" if len(called) else ""
    seen = f"{scale.size(power)}{other} would have p below .05 in 8 of 10 tables."
    return f"{start}{seen[0].upper()}{seen[1:]}"


def evidence(row: Any) -> str:
    """'P(differs) .60, Bayes factor 60'."""
    factor = math.exp(min(row.log_bayes_factor, 7.0))
    text = "above 1,000" if factor > 1000 else f"{factor:.0f}" if factor >= 9.95 else f"{factor:.2g}"
    return f"P(differs) {words.probability(row.probability)}, Bayes factor {text}"


def verdict_text(row: Any) -> str:
    """A link's word as it stands on screens: 'equivalent within ±.10', 'inconclusive'."""
    return f"equivalent {SCALES[row.scale].within}" if row.word == Verdict.SAME else SHOWN.get(row.word, row.word)


def verdict_counts(result: ComparisonResult) -> str:
    """Of how many links each word is said; "" of one alone."""
    if result.tested_pairs() < 2:
        return ""
    many = _verdicts(result)
    said = {
        Verdict.DIFFERS: "differing",
        Verdict.PROBABLY: "probably differing",
        Verdict.CANNOT_TELL: "inconclusive",
        Verdict.NOT_SEEN: "without a difference seen",
        Verdict.SAME: "equivalent within the margin",
    }
    counts = [f"{many[word]:,} {text}" for word, text in said.items() if many[word]]
    return f"Of {words.count(result.tested_pairs(), 'link')}: {words.listed(counts)}."


def node_sentences(result: ComparisonResult) -> list[str]:
    """Global strength of both groups, and the nodes whose links are stronger in one."""
    table = result.nodes()
    if not len(table) or not result.tested.nodes or not result.tested.nodes.counted:
        return []
    short, told = _labels(result), []
    if len(result.labels) == 2:
        row = table.iloc[0]
        a, b = (short[row[name]] for name in ("group_a", "group_b"))
        told.append(
            f"Global strength: {row['a']:.2f} in {a}, {row['b']:.2f} in {b}; {difference_name(b, a)} = "
            f"{signed(row['difference'])} ({signed(row['low'])} to {signed(row['high'])})."
        )
    nodes = table[table["measure"] != GLOBAL].sort_values("p", kind="stable")
    called = nodes[nodes["p"] < LEVEL]
    if len(called):
        first = called.iloc[0]
        some = words.count(called["node"].nunique(), "node")
        told.append(
            f"Strength or expected influence differs at {some}, most clearly {first['measure']} of "
            f"{_short(first['node'])} ({words.p_value(first['p'], corrected=True)})."
        )
    else:
        told.append(
            f"No node’s strength or expected influence is seen to differ (least "
            f"{words.p_value(nodes['p'].iloc[0], corrected=True)})."
        )
    return told


def sums(result: ComparisonResult) -> str:
    """p of the three sums."""
    matches = result.tested.differences
    whole = ", ".join(
        f"{name} {words.p_value(p)}" for name, p in zip(SUMS, np.atleast_1d(matches.corrected), strict=True)
    )
    return f"In all, with one correction: {whole}."


def permuted(result: ComparisonResult) -> str:
    """What learning again in shuffles found."""
    shuffles = result.shuffles
    if shuffles is None:
        return ""
    return (
        f"Learned again in {words.count(shuffles.many, 'shuffle')} of the rows: {words.p_value(shuffles.corrected)} "
        f"for the three sums together; {words.count(int(shuffles.reached[0]), 'shuffle')} had as large a difference."
    )


def _shared(result: ComparisonResult) -> list[str]:
    """What the two searches share comes last, with what two random parts of one table would share."""
    if len(result.labels) != 2:
        return []
    structure = result.structure()
    matches = []
    if result.test is not None:
        edges = structure.edges
        both = int(edges["status"].isin([AGREE, DIFFER]).sum())
        if not len(edges):
            return ["Neither search found an edge."]
        matches.append(f"The two searches share {both:,} of {words.count(len(edges), 'edge')}{_halves(result)}.")
        return matches
    return structure.sentences()


def _halves(result: ComparisonResult) -> str:
    shuffles = result.shuffles
    if shuffles is None:
        return "; two random parts of one table may share as few"
    low, high = np.quantile(shuffles.shared, [0.05, 0.95]).round().astype(int)
    union = round(float(np.median(shuffles.union)))
    share = f"{low:,} to {high:,}" if low < high else f"{low:,}"
    return f"; two random parts of these sizes share {share} of about {union:,}"


def notes(result: ComparisonResult) -> list[str]:
    """What limits the comparison, one sentence each."""
    matches = [result.no_test] if result.no_test else []
    test = result.test
    if test is not None:
        if test.constant:
            names = words.first(f"'{_short(item)}'" for item in test.constant)
            matches.append(f"Not tested, since they do not vary in every group: {names}.")
        matches += _directions(result)
        matches += filter(None, [together(result)])
        noun = "row" if not test.subject else "subject"
        few = [(label, units) for label, units in zip(result.labels, test.units, strict=True) if units < FEW_ROWS]
        if few:
            which = words.listed(f"{_short(label)} has {words.count(units, noun)}" for label, units in few)
            matches.append(f"{which}: only large differences can be seen, and intervals are rough.")
        least = int(test.differences.freedom.min())
        if test.scale == PARTIAL and least < FEW_FREEDOM:
            matches.append(
                f"Partial correlations given all others leave {words.count(least, 'degree')} of freedom; "
                f"about {FEW_FREEDOM} are best."
            )
        matches += _scales(test)
        matches += test.recorded
        if test.nodes is not None and test.nodes.unsigned and test.nodes.counted:
            matches.append("Strength and expected influence leave out links of levels that have no order.")
    return list(dict.fromkeys([*matches, *result.made.rows]))


def _scales(test: LinkTest) -> list[str]:
    """What the numbers of links are, where they are no partial correlations given all others."""
    scales = {*(test.scales or (test.scale,))}
    matches = []
    if ODDS in scales:
        matches.append("An odds ratio is of one step up in both variables, among rows alike in what separates them.")
    if CORRELATION in scales:
        matches.append(
            "Numbers go with numbers and ratings by the correlation of normal scores given what separates them, ranks "
            "within each group."
        )
    if MEANS in scales:
        matches.append(
            "Numbers go with levels that have no order by the difference of mean normal scores in SD, given what "
            "separates them."
        )
    return matches


def together(result: ComparisonResult) -> str:
    """That rows of one subject count together, with how many subjects each group has; "" where rows stand alone."""
    test = result.test
    if test is None or not test.subject:
        return ""
    many = words.listed(subjects_of(test.subject, units) for units in test.units)
    return f"Rows of one {_short(test.subject)} count together: {many}."


def _directions(result: ComparisonResult) -> list[str]:
    """Which level counts as up, of the two variables whose link comes first."""
    test, links = result.tested, result.links()
    upper = dict(zip(test.variables, test.upper, strict=False))
    if not len(links) or links["levels"].iloc[0]:
        return []
    ends = [name for name in links[["source", "target"]].iloc[0] if upper.get(name)]
    if not ends:
        return []
    return [f"Up is {words.listed(f'“{_short(upper[name])}” of {_short(name)}' for name in ends)}."]


def _labels(result: ComparisonResult) -> dict[str, str]:
    """What each group is called in a sentence: shortened, and with a letter where two would read the same."""
    short = [_short(label) for label in result.labels]
    if len(set(short)) < len(short):
        short = [f"{letter}: {label}" for letter, label in zip("ABCDEF", short, strict=False)]
    return dict(zip(result.labels, short, strict=True))


def _short(text: str, most: int = _NAME) -> str:
    return shorten(text, most)
