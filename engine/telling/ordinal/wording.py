"""An ordinal network in plain sentences."""

from __future__ import annotations

import math

import numpy as np

from engine import words
from engine.methods.ordinal.case_dropping import MINIMUM, RECOMMENDED, CaseDropping
from engine.methods.ordinal.effects import ALPHA, Link
from engine.methods.ordinal.evidence import OrdinalEvidence, Pair
from engine.methods.ordinal.partial_network import MEASURES, MOST_ITEMS, PartialNetwork
from engine.methods.ordinal.recurrence import RETURNS_AT
from engine.methods.ordinal.settings import APPROACHES, BY_TEST, LATENT
from engine.telling.links import MISSING, caveat, determined_words, row_notes, too_few
from engine.text import Count, Level, Name, Number, Part, People, Text, decapitalized, first, listed, told

NOT_CAUSAL = told(
    f"A link is not a cause, and one table does not prove the direction of an arrow; a line has none. {MISSING}"
)
FEW_ROWS, WIDTH = 100, 0.2
"""Rows below which a table is small; half the width of an interval that says something."""
MOST_NAMED = 4
CLEARLY_OTHER = 0.1
"""Size of a correlation from which it is worth saying that a link has the other sign."""
ALMOST = 0.95
"""Partial correlation from which on hardly any is."""
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


def short_title(result: OrdinalEvidence) -> str:
    """The approach where it is another than OSEM, else the count of variables."""
    approach = result.method.approach
    return words.count(len(result.names), "variable") if approach == "osem" else APPROACHES[approach]


OTHERS_FIXED = told(
    "Each line holds all other variables fixed, Associations only those that its model needs: another link may be the "
    "strongest there."
)


def question(result: OrdinalEvidence) -> Text:
    """'How are 12 variables linked?'."""
    return told("How are {} linked?", Count(len(result.names), "variable"))


def headline(result: OrdinalEvidence) -> Text:
    """The one-sentence answer: the clearest line, or the strongest link of the network where lines do not lead."""
    if result.undecided:
        return told("Inconclusive: no link can be judged. {}", too_few(result))
    small, lines = small_table(result), result.lines
    if small and (lines is None or not _clear(lines)):
        return small
    said = searched(result) if result.arrows_first or lines is None else _clearest_line(lines, result.n_rows)
    return told("Small table: {}" if small else "{}", said)


def small_table(result: OrdinalEvidence) -> Text:
    """That the rows are few, and how many an interval of a useful width takes; "" of a larger table."""
    if result.size >= FEW_ROWS:
        return told("")
    return told(
        "Only {}: {} {}; {}",
        People(result.subjects, "subject") if result.subjects else People(result.n_rows, "row"),
        "no line can be estimated between" if result.lines is None else "no partial correlation is clear between",
        Count(len(result.names), "variable"),
        decapitalized(rows_words(result)),
    )


def why_no_line(result: OrdinalEvidence) -> Text:
    """Why the picture has no lines; "" where it has."""
    if result.lines is not None:
        return told("")
    many = len(result.names)
    if result.undecided:
        return told("No lines are drawn: {}", decapitalized(too_few(result)))
    if many > MOST_ITEMS:
        return told(
            "No lines are drawn: they are estimated for at most {} variables; these are {}.",
            Count(MOST_ITEMS),
            Count(many),
        )
    return told(
        "No lines are drawn: partial correlations of {} variables need at least {} {} with both answers of every pair.",
        Count(many),
        Count(many + 3),
        "subjects" if result.subjects else "rows",
    )


def rows_for(result: OrdinalEvidence) -> int:
    """Rows, in steps of 10, that the 95 % interval of a partial correlation near 0 takes to be +- WIDTH wide.

    Fisher's z has the variance 1 / (n - p - 1) given all other variables; levels keep a share of the information.
    """
    needed = len(result.names) + 1 + (1.96 / math.atanh(WIDTH)) ** 2 / max(result.information, 0.05)
    return 10 * math.ceil(needed / 10)


def rows_words(result: OrdinalEvidence) -> Text:
    """'An interval of ±0.20 takes about 150 rows.'"""
    return told("An interval of ±{} takes about {} rows.", Number(f"{WIDTH:.2f}"), Count(rows_for(result)))


def _clear(lines: PartialNetwork) -> list[tuple[int, int]]:
    """The pairs of items whose corrected p is at most .05, the largest partial correlation first."""
    return [pair for pair in lines.item_pairs if lines.clear[pair]]


def _clearest_line(lines: PartialNetwork, rows: int) -> Text:
    """How many links are clear, and the largest between two scales, or of all."""
    clear, every = _clear(lines), sum(bool(lines.clear[pair]) for pair in lines.pairs)
    if not clear:
        size, power = words.signed(lines.visible).lstrip("+"), words.in_percent(0.8)
        return told(
            "No partial correlation of {} is clear in {}; {}.",
            Count(len(lines.names) - len(lines.covariates), "variable"),
            People(rows, "row"),
            told("half the pairs would show one of {} (power {})", Number(size), Number(power))
            if lines.visible < ALMOST
            else "so few rows show only the largest",
        )
    bridges = [pair for pair in clear if lines.is_bridge(*pair)]
    counted = bridges or clear
    i, j = counted[0]
    larger = [p for p in lines.pairs if lines.clear[p] and abs(lines.partial[p]) > abs(lines.partial[i, j])]
    estimate = estimate_words(lines.partial[i, j], lines.low[i, j], lines.high[i, j])
    most = "the largest not of a covariate is" if larger and not lines.scales else "the largest estimate is"
    which = "it is" if len(counted) == 1 and (lines.scales or every == 1) else most
    largest = told("{} {}", which, _ends((lines.names[i], lines.names[j]), estimate))
    if not lines.scales:
        return told("{} {} clear; {}.", Count(every, "link"), "is" if every == 1 else "are", largest)
    between = told("the scales {}", listed(map(Part, dict.fromkeys(lines.scales.values()))))
    if not bridges:
        return told("No link between {} is clear; within them {}.", between, largest)
    return told("{} {}; {}.", Count(len(bridges), "clear link joins", "clear links join"), between, largest)


def _ends(pair: Pair, estimate: Text, *, directed: bool = False) -> Text:
    """'between a and b: partial correlation +.46 (95 % interval +.37 to +.54)', or 'from a to b'."""
    template = "from {} to {}: partial correlation {}" if directed else "between {} and {}: partial correlation {}"
    return told(template, *map(Name, pair), estimate)


def _order_open(links: list[tuple[float, float, float]]) -> str:
    """That the intervals of links, each after its estimate, do not tell which is strongest; "" where they do."""
    if not links:
        return ""
    (_, *ends), *others = sorted(links, key=lambda link: -abs(link[0]))
    overlap = any(max(map(abs, other[1:])) > min(map(abs, ends)) for other in others)
    return " Which is strongest is uncertain: intervals overlap." if overlap else ""


def clear_links(lines: PartialNetwork) -> Text:
    """What a clear link is, whether the largest is the strongest, and how many links with covariates are clear."""
    ranked = [pair for pair in _clear(lines) if lines.is_bridge(*pair)] or _clear(lines)
    aside, many = told(""), sum(bool(lines.clear[pair]) for pair in lines.pairs) - len(_clear(lines))
    if beside := lines.covariates:  # whose links the headline counts only where others are clear
        links = told("; {} clear", Count(many, "link of theirs is", "links of theirs are")) if many else told("")
        aside = told(" Covariates, held fixed too: {}{}.", listed(map(Name, beside)), links)
    return told(
        "Clear: p at most .05 after correction for all {}{}.{}{}",
        Count(len(lines.pairs), "pair"),
        ", all other variables held fixed" if len(lines.names) > 2 else "",
        _order_open([(lines.partial[pair], lines.low[pair], lines.high[pair]) for pair in ranked]),
        aside,
    )


def pair_words(result: OrdinalEvidence, lines: PartialNetwork, a: str, b: str) -> Text:
    """What is known of one pair given all others, and what its sign means."""
    i, j = lines.names.index(a), lines.names.index(b)
    return told(
        "Partial correlation {} given all other variables; {} for all pairs. {}",
        estimate_words(lines.partial[i, j], lines.low[i, j], lines.high[i, j]),
        Number(words.p_value(lines.p[i, j], corrected=True)),
        sign_words(result, a, b, lines.partial[i, j]),
    )


def sign_words(result: OrdinalEvidence, a: str, b: str, partial: float) -> Text:
    """What the sign of a link means; where one of the two has two levels, which of these goes with more."""
    two, sign = [len(result.levels[name]) == 2 for name in (a, b)], "Positive" if partial > 0 else "Negative"
    if not any(two):
        return told("{}: where one is higher, the other tends to be {}.", sign, "higher" if partial > 0 else "lower")
    of, other = (a, b) if two[0] else (b, a)
    level = result.levels[of][-1 if partial > 0 else 0]
    upper = told("{} = {} is more common", Name(other), Level(result.levels[other][-1]))
    more = upper if all(two) else told("{} is higher", Name(other))
    return told("{}: {} with {} = {}.", sign, more, Name(of), Level(level))


def estimate_words(value: float, low: float, high: float) -> Text:
    """'+.52 (95 % interval +.44 to +.59)'."""
    return told("{} (95 % interval {} to {})", *(Number(words.signed(x)) for x in (value, low, high)))


def searched(result: OrdinalEvidence) -> Text:
    """How many links of the network are beyond chance, and the largest; or that it has none."""
    if not result.edge_pairs:
        return arrows(result)
    pair, directed = max(result.drawn_pairs, key=lambda edge: abs(result.link(*edge[0]).partial))
    largest = _ends(pair, effect_words(result.link(*pair)), directed=directed)
    if result.n_links == 1:
        return told("The only link is {}.{}", largest, caveat(result))
    sure = result.n_links - len(result.doubtful_links())
    many = Count(sure) if sure else told("None"), Count(result.n_links, "link"), "is" if sure < 2 else "are"
    return told("{} of {} {} beyond chance; the largest estimate is {}.", *many, largest)


def beyond_chance(result: OrdinalEvidence) -> Text:
    """What a link beyond chance is, whether the largest is the strongest, and how many have a direction."""
    if not result.edge_pairs:
        return told("")
    directed, links = sum(directed for _, directed in result.drawn_pairs), Count(result.n_links, "link")
    doubtful, has = result.doubtful_links(), "has" if directed < 2 else "have"
    sure = [result.link(*pair) for pair, _ in result.edge_pairs if pair not in doubtful]
    held = " Held fixed: other variables with an arrow to the same one." if len(result.names) > 2 else ""
    way = told(" {} of the {} {} a direction.", Count(directed) if directed else told("None"), links, has)
    return told(
        "Beyond chance: p at most .05 after correction for all {}.{}{}{}{}",
        Count(len(result.links), "pair"),
        held,
        _order_open([(link.partial, link.low, link.high) for link in sure]),
        way if result.n_links > 1 else "",
        " An arrow is not a cause." if directed else "",
    )


def arrows(result: OrdinalEvidence) -> Text:
    """How many links the network has, and how many a direction, with how that was tested."""
    n, links = len(result.names), result.n_links
    if not links:
        rows = People(result.n_rows, "row")
        return told("No link between any two of the {} variables shows in {}.", Count(n), rows)
    alone = n - len({name for pair, _ in result.edge_pairs for name in pair})
    directed = sum(directed for _, directed in result.drawn_pairs)
    if alone:
        whom = told("{} of the {}", Count(n - alone), Count(n))
        rest = told("; {} stands alone" if alone == 1 else "; {} stand alone", Count(alone))
    else:
        whom, rest = told("both") if n == 2 else told("all {}", Count(n)), told("")
    if links == 1:
        way = told("it has" if directed else "it does not have")
    elif directed in (0, links):
        way = told("all have" if directed else "none has")
    else:
        way = told("{} has" if directed == 1 else "{} have", Count(directed))
    return told(
        "{} {} {} variables{}; {} a direction{}.",
        Count(links, "link"),
        "joins" if links == 1 else "join",
        whom,
        rest,
        way,
        _returning(result),
    )


def _returning(result: OrdinalEvidence) -> Text:
    """In how many halves of the rows a direction has to return to be one; without halves, that none was tested."""
    if not any(directed for _, directed in result.edge_pairs):
        return told("")
    if result.halves is None:
        return told(", not yet tested in half samples")
    share = Number(words.in_percent(RETURNS_AT))
    return told(" that returns in {} of {} half samples", share, Count(result.halves.runs))


def named(result: OrdinalEvidence, pair: Pair) -> Text:
    """'a → b' or 'a – b'."""
    directed = dict(result.drawn_pairs).get(pair, False)
    return told("{} → {}" if directed else "{} – {}", *map(Name, pair))


def arrow_words(result: OrdinalEvidence, pair: Pair) -> Text:
    """A link's partial correlation with its interval, and of which variables it is given; of none a correlation."""
    size, given = effect_words(result.link(*pair)), result.given(*pair)
    if not given:
        return told("Correlation {}", size)
    return told("Partial correlation {} given {}", size, first(map(Name, given), MOST_NAMED))


def pair_in_arrows(result: OrdinalEvidence, pair: Pair) -> Text:
    """What is known of one pair given the later one's other parents, what its sign means, and whether it is chance."""
    item = result.link(*pair)
    if result.undecided:
        chance = told("Not judged: the rows belong to too few subjects.")
    else:
        p, beyond = Number(words.p_value(item.chance, corrected=True)), "B" if item.beyond_chance else "Not b"
        chance = told(f"{beyond}eyond chance: {{}} for all pairs.", p)
    return told("{}. {} {}", arrow_words(result, pair), sign_words(result, *pair, item.partial), chance)


def effect_words(link: Link) -> Text:
    """A link's partial correlation with its interval."""
    return estimate_words(link.partial, link.low, link.high)


def sentences(result: OrdinalEvidence) -> list[str]:
    """The strongest link, and what the answer rests on."""
    said: list[str] = []
    if result.lines is not None and small_table(result) == headline(result):
        said.append(clear_links(result.lines))
    if not result.undecided and result.chance_first:
        said += filter(None, (beyond_chance(result), determined_words({"": result})))
        said += [arrows(result)] if result.edge_pairs else []
    elif result.lines is not None and not result.undecided:
        directed = told("Arrows are a model of their own: {}{}", decapitalized(arrows(result)), caveat(result))
        said += [clear_links(result.lines), directed, *([OTHERS_FIXED] if len(result.names) > 2 else [])]
    said.append(told("{}.{}", told(READING[result.method.approach]), numbers_words(result)))
    said.append(
        told(
            "As only levels are known, {} are as informative about a link as {} of latent values ({}).",
            People(round(result.size), "row"),
            Count(round(result.effective_rows), "row"),
            Number(words.in_percent(result.information)),
        )
    )
    return said


def how_sure(result: OrdinalEvidence) -> list[str]:
    """What a clear link, or one beyond chance, is, and which variables the others nearly determine."""
    return [*sentences(result)[:1], *filter(None, [determined_words({"": result})])]


def correlated(result: OrdinalEvidence) -> Text:
    """What the method is made for, how numbers enter, and why Associations may link other pairs."""
    uncut = bool(result.numbers and result.uncut)
    made = "For ordered answers and numbers" if uncut else "For ordered answers"
    latent = f"latent values (polychoric correlations{'; numbers by ranks, as normal scores' if uncut else ''})"
    return told(f"{made}, as {latent}. Associations uses no order and another rule: links and their number can differ.")


def upper_ends(result: OrdinalEvidence) -> Text:
    """Which level of a two-level variable a positive link goes with, those of the headline first; "" without any."""
    pairs = [] if result.lines is None else result.lines.item_pairs[:1]
    first_named = [result.lines.names[i] for pair in pairs for i in pair] if result.lines is not None else []
    two = [name for name in dict.fromkeys([*first_named, *result.names]) if len(result.levels[name]) == 2]
    ends = (told("{} = {}", Name(name), Level(result.levels[name][-1])) for name in two)
    return (
        told("Links to a variable of two levels: positive means higher with {}.", first(ends, MOST_NAMED))
        if two
        else told("")
    )


def turned_sign(result: OrdinalEvidence) -> Text:
    """The largest link whose variables correlate the other way round, with both numbers; "" where none does."""
    if (lines := result.lines) is None:
        return told("")
    plainly = result.correlation.reindex(index=lines.names, columns=lines.names).to_numpy()
    for i, j in lines.item_pairs:
        alone, held = plainly[i, j], lines.partial[i, j]
        if lines.drawn[i, j] and abs(alone) >= CLEARLY_OTHER and (alone > 0) != (held > 0):
            parts = Name(lines.names[i]), Name(lines.names[j]), Number(words.signed(alone)), Number(words.signed(held))
            return told("{} with {}: correlation {}, but {} given all others; a third may go with both.", *parts)
    return told("")


def numbers_words(result: OrdinalEvidence) -> Text:
    """That numbers stand uncut, beginning with a space; "" without any."""
    if not result.numbers:
        return told("")
    is_one, which = len(result.numbers) == 1, first(map(Name, result.numbers), MOST_NAMED)
    if result.uncut:
        is_, by = "is" if is_one else "are", "a number is its own latent value, by its normal score"
        return told(" {} {} not cut: {}.", which, is_, by)
    its = "its" if is_one else "their"
    return told(" Arrows use the levels of {}; lines use {} numbers, by normal scores.", which, its)


def copies_words(result: OrdinalEvidence) -> list[Text]:
    """Which variables say the same as another or its reverse, and what to do."""
    if not result.copies:
        return []
    copies = []
    for a, b in result.copies:
        turned = result.correlation.at[a, b] < 0
        template = "{} is {} reversed, or nearly so" if turned else "{} is a copy of {}, or nearly so"
        copies.append(told(template, Name(b), Name(a)))
    which = first(copies, MOST_NAMED, "; ")
    return [told("{}. What such copies are linked with is inconclusive: leave one out.", which)]


def gaps_notes(result: OrdinalEvidence) -> list[Text]:
    """How many answers are missing, what was made of them, what that assumes, and what their gaps depend on."""
    cells = result.n_rows * len(result.names)
    said = [
        told(
            "{} of {} {} missing. {}",
            People(result.n_gaps, "answer"),
            Count(cells),
            "is" if result.n_gaps == 1 else "are",
            gaps_used(result),
        )
    ]
    if result.gaps_depend:
        shown = [
            told("{} is missing depending on {}", Name(name), first(map(Name, others), 2))
            for name, others in result.gaps_depend.items()
        ]
        verdict = (
            "lines of pairwise deletion are biased then; full information allows for it"
            if result.method.missing == "pairwise"
            else "full information allows for that"
        )
        said.append(told("Gaps depend on observed answers: {}; {}.", first(shown, 2, "; "), verdict))
    return said


def gaps_used(result: OrdinalEvidence) -> Text:
    """What lines and arrows made of gaps, and what each assumes."""
    if result.method.missing == "pairwise":
        return told(
            "Lines use each pair’s own answers, which assumes that they are missing completely at random; arrows use "
            "full information."
        )
    return told(
        "Lines and arrows use full information: an answer may be missing depending on other answers, not on what it "
        "would have been (missing at random)."
    )


def centrality(result: OrdinalEvidence) -> list[Text]:
    """Which variable is the most central, how stable that order is, and what the figures are."""
    lines, dropping = result.lines, result.dropping
    if lines is None or result.determined:
        return list(filter(None, [no_ranking(result)]))
    return [
        *(_leader(lines, measure) for measure in ("expected_influence", "strength")),
        *([] if dropping is None else [stability_of_order(dropping, measure) for measure in dropping.correlations]),
        told(
            "Expected influence sums all partial correlations of a variable with their signs. Strength sums the sizes "
            "of lines whose interval excludes 0, and comes out somewhat too high."
        ),
        *filter(None, [not_counted(lines)]),
    ]


def no_ranking(result: OrdinalEvidence) -> Text:
    """Why no variable is said to be central, where others nearly determine some; "" elsewhere."""
    which = first(map(Name, result.determined), 2)
    said = "No variable is ranked: influence and strength sum partial correlations, and others nearly determine {}."
    return told(said, which) if result.determined else told("")


def not_counted(lines: PartialNetwork) -> Text:
    """That covariates are neither ranked nor counted in any measure of an item; "" without any."""
    if not lines.covariates:
        return told("")
    are = "is a covariate, and its links" if len(lines.covariates) == 1 else "are covariates, and their links"
    return told("{} {} are not counted.", listed(map(Name, lines.covariates)), are)


def _leader(lines: PartialNetwork, measure: str) -> Text:
    """The largest value; the order of the first two is left open where their difference may be chance."""
    values, (low, high) = lines.centralities[measure].value, lines.interval(measure)
    order = [place for place in np.argsort(-values, kind="stable") if lines.names[place] not in lines.covariates]
    leader, second = (int(place) for place in order[:2])
    label = MEASURES[measure].lower()
    tied = [lines.names[place] for place in order if round(float(values[leader] - values[place]), 2) == 0]
    if len(tied) > 1:
        size = Number(words.signed(float(values[leader])))
        whom = told("all") if len(tied) == len(order) else first(map(Name, tied))
        return told("Several variables have the largest {}: {} for {}.", label, size, whom)
    table = lines.difference_table(measure)
    own = table[(table["a"] == lines.names[leader]) | (table["b"] == lines.names[leader])]
    name, value = Name(lines.names[leader]), estimate_words(values[leader], low[leader], high[leader])
    if (own["p_corrected"] <= ALPHA).all():
        return told("{} has the largest {}: {}.", name, label, value)
    return told(
        "{} has the largest {}, {}; whether it is above {} and others is inconclusive.",
        name,
        label,
        value,
        Name(lines.names[second]),
    )


def difference_words(lines: PartialNetwork, measure: str, a: str, b: str) -> Text:
    """Whether two items differ in a measure, with the corrected p of all pairs."""
    table = lines.difference_table(measure)
    own = table[((table["a"] == a) & (table["b"] == b)) | ((table["a"] == b) & (table["b"] == a))].iloc[0]
    turn = 1.0 if own["a"] == a else -1.0
    ends = sorted((turn * own["low"], turn * own["high"]))
    return told(
        "{}, {} minus {}: {}; {} for all pairs: {}.",
        told(MEASURES[measure]),
        Name(a),
        Name(b),
        estimate_words(turn * own["difference"], *ends),
        Number(words.p_value(own["p_corrected"], corrected=True)),
        "they differ" if own["p_corrected"] <= ALPHA else "inconclusive",
    )


def stability_of_order(dropping: CaseDropping, measure: str) -> Text:
    """The correlation-stability coefficient in words."""
    value = dropping.coefficient(measure)
    return told(
        "The order by {} is {}: correlation-stability coefficient {} (stable from {} on).",
        told(MEASURES[measure].lower()),
        "stable"
        if value >= RECOMMENDED
        else "to be read with caution"
        if value >= MINIMUM
        else "not to be interpreted",
        Number(f"{value:.2f}"),
        Number(f"{RECOMMENDED:.2f}"),
    )


def notes(result: OrdinalEvidence) -> list[str]:
    """What limits the answer, one sentence each."""
    said = [*row_notes(result), *result.warnings, *filter(None, [upper_ends(result), turned_sign(result)])]
    if result.size < FEW_ROWS and small_table(result) not in headline(result):
        said.append(
            told("{} are few: only strong links can be seen. {}", People(result.n_rows, "row"), rows_words(result))
        )
    if tiers := result.method.knowledge.tiers:
        early = listed(map(Name, tiers[0][:MOST_NAMED]))
        others = " and others" if len(tiers[0]) > MOST_NAMED else ""
        said.append(told("No arrow points at {}{} from later variables: that order was set, not found.", early, others))
    if result.lifted:
        said.append(
            told(
                "The correlations found pair by pair did not fit together, so they were adjusted before the search; "
                "links among strongly tied variables are the least sure."
            )
        )
    if result.starts > 1:
        said.append(
            told(
                "The rounds therefore began {} with other random numbers; the network is the best of all rounds. "
                "Another seed may find another one.",
                Count(result.starts, "time"),
            )
        )
    if result.n_gaps:
        said += gaps_notes(result)
    if result.method.approach in BY_TEST:
        said.append(
            told("A PC search takes a link away at the first test that fails, so it misses many in small tables.")
        )
    if not result.exact:
        said.append(
            told(
                "The tests contradict each other: no network has exactly these arrows and lines, so sizes and "
                "predictions are those of the nearest one."
            )
        )
    if result.method.approach not in LATENT:
        said.append(
            told("Signs and sizes of links are those of pairwise hidden correlations, whatever found the links.")
        )
    said += copies_words(result)
    if result.strength is None and result.halves is None and result.edge_pairs:
        said.append(told("How sure each link is has not been asked: other rows like these could give other links."))
    return said


def latent(result: OrdinalEvidence) -> list[Text]:
    """What stands behind the levels."""
    said = [
        told(
            "Each {} is cut at its thresholds: the share of the normal curve between two of them is about the share of "
            "the rows with that level (one imagined row a level is counted in).",
            "rating" if result.numbers else "variable",
        )
    ]
    if result.rounds:
        said.append(
            told(
                "{} of the fit; the {} explains the answers with a log-likelihood of {} nats ({} after the penalty).",
                Count(len(result.rounds), "round"),
                "last" if result.method.mode == "published" else "best",
                Number(f"{result.log_likelihood:,.1f}"),
                Number(f"{result.criterion:,.1f}"),
            )
        )
    return said
