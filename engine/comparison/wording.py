"""What a comparison says: one sentence with where and how much, how sure that is, and what limits it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from engine import words
from engine.charts.labels import difference_name, shorten
from engine.comparison.difference import LEVEL, SUMS
from engine.comparison.structure import AGREE, DIFFER
from engine.comparison.table import PARTIAL, word_of
from engine.lazy import pd

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
    row, links = called.iloc[0], len(result.union_and_called())
    many = len({frozenset((row_value.source, row_value.target)) for row_value in called.itertuples()})
    verb = "differs" if many == 1 else "differ"
    which = f"{many:,} of {words.count(links, 'link')} {verb}"
    rest = f"{name_link(row)} {_link_words(result, row)}"
    return f"{which}: {rest}." if many == 1 else f"{which}{_most_between(result, called)}; most clearly {rest}."


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


def _link_words(result: ComparisonResult, row: pd.Series) -> str:
    """'turns its sign, +.48 in A, −.51 in B'; odds ratios by their name."""
    text = result.scale.text
    unit = "" if result.scale.name == PARTIAL else "odds ratio "
    short = _labels(result)
    a, b = (short[row[name]] for name in ("group_a", "group_b"))
    word, label = word_of(row)
    verb = f"is {word.about(short[label])}" if label else word
    return f"{verb}: {unit}{text(row['a'])} in {a}, {text(row['b'])} in {b}"


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
        return f"No single link differs beyond chance between {_groups(result)}, but all together do: {p}."
    p = words.p_value(first["p"])
    text, short = result.scale.text, _labels(result)
    a, b = (short[first[name]] for name in ("group_a", "group_b"))
    size = f"odds ratio {text(first['a'])} in {a}, {text(first['b'])} in {b}"
    if result.scale.name == PARTIAL:
        order = difference_name(b, a)
        size = f"{order} = {result.scale.interval(first['difference'], first['low'], first['high'])}"
    return f"No difference beyond chance between {_groups(result)}; largest: {name_link(first)}, {size}, {p}."


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
    """How sure it is, the three sums, the second opinion, and what the searches share."""
    matches = []
    if result.test is not None:
        matches += [_certainty(result), _sums(result), _other_test(result)]
    matches += _shared(result)
    return [item for item in matches if item]


def _certainty(result: ComparisonResult) -> str:
    """p, how it is corrected, and what would have been seen."""
    called, power = result.called(), result.visible()
    draws = f"{result.method.draws:,} draws, corrected over {words.count(result.tested_pairs(), 'pair')}"
    p = f"{words.p_value(called.iloc[0]['p'])} ({draws}). " if len(called) else ""
    other = " in another link" if len(called) else ""
    start = "" if len(called) else f"Tested with {draws}. "
    seen = f"{result.scale.size(power)}{other} would have been seen in 8 of 10 tables."
    return f"{p}{start}{seen[0].upper()}{seen[1:]}"


def _sums(result: ComparisonResult) -> str:
    matches = result.tested.differences
    whole = ", ".join(
        f"{name} {words.p_value(p)}" for name, p in zip(SUMS, np.atleast_1d(matches.corrected), strict=True)
    )
    return f"In all, with one correction: {whole}."


def _other_test(result: ComparisonResult) -> str:
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
        if result.scale.name != PARTIAL:
            matches.append(
                "An odds ratio is of one step up in both variables, among rows alike in what separates them."
            )
    return list(dict.fromkeys([*matches, *result.made.rows]))


def together(result: ComparisonResult) -> str:
    """That rows of one subject count together, with how many subjects each group has; "" where rows stand alone."""
    test = result.test
    if test is None or not test.subject:
        return ""
    many = words.listed(words.subjects_of(test.subject, units) for units in test.units)
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
