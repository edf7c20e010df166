"""A log-linear analysis in plain sentences: the answer, what limits it, and what may be said of two variables.

A model without a link is no proof that there is none: the link may not pay for its parameters, or run by way of others,
or want more rows. So "no link" is said of the model, and beside it stands what the rows say of the two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from engine import words
from engine.graphs.dag import bits
from engine.methods.log_linear.message import MARGIN, EdgeSupport, edge_support, largest_shift
from engine.methods.log_linear.number_checks import FROM_THE_CUT
from engine.methods.log_linear.pair_screening import beyond_chance, gaps_of, level_note, rule_sentences
from engine.methods.log_linear.power import Margins, false_links_sentence, power_sentence
from engine.methods.log_linear.settings import WITH_ALPHA
from engine.methods.log_linear.thin_tables import is_thin, strata
from engine.telling.spoken import FEW_ROWS, of_rows, spoken_level

if TYPE_CHECKING:
    from engine.methods.log_linear.result import LogLinearResult


NOT_CAUSAL = (
    "A link is not a cause: it says that two variables are associated beyond what the others explain. A missing link "
    "says that nothing more was found, not that there is nothing."
)


def headline(result: LogLinearResult) -> str:
    """The one-sentence answer."""
    if result.undecided:
        return f"Inconclusive: no link can be judged. {result.too_few()}"
    edges, alone = result.chosen.n_edges, len(result.isolated)
    n = len(result.names)
    few = result.n_rows < FEW_ROWS
    if not edges:
        shows = "shows" if few else f"shows in {words.count(result.n_rows, 'row')}"
        return of_rows(f"No link between any two of the {n:,} variables {shows}.", result.n_rows)
    strongest = strongest_link(result)
    if strongest is None:
        text = f"{words.count(edges, 'link')} among {n - alone:,} of the {n:,} variables.{result.caveat()}"
        return of_rows(text, result.n_rows)
    doubtful = sum(map(result.from_the_cut, result.edge_values))
    if doubtful == edges:
        many = words.count(edges, "link")
        return of_rows(
            f"{many} of levels, which the numbers do not show: {FROM_THE_CUT}.{result.caveat()}", result.n_rows
        )
    which = "The only link" if edges == doubtful + 1 else f"The strongest of {edges - doubtful:,} links"
    return of_rows(f"{which}: {contrast_words(result, *strongest)}.{result.caveat()}", result.n_rows)


def sentences(result: LogLinearResult) -> list[str]:
    """How sure the strongest link is, the largest group, and what the answer rests on."""
    method, lines, saves = result.method, [], ""
    strongest = strongest_link(result)
    if strongest is not None and not result.undecided:
        a, b = strongest
        support, saved = result.supports[a, b], result.edge_values[a, b].evidence_bits
        alone = len(result.isolated)
        rest = f"; no link found for {words.count(alone, 'variable')}" if alone else ""
        lines.append(f"{a} with {b}: {p_words(support.log10_p)}{rest}.")
        doubtful = sum(map(result.from_the_cut, result.edge_values))
        if 0 < doubtful < len(result.edge_values):
            lines.append(f"{words.count(doubtful, 'more link')} {FROM_THE_CUT}.")
        saves = f"; the strongest link saves {saved:,.1f}"
        if note := result.link_notes.get((a, b)):
            lines.append(f"But of {a} and {b}: {note}")
    elif power := _power_of_no_links(result):
        lines.append(power)
    largest = result.cliques[0] if result.cliques else ()
    if len(largest) > 2:
        lines.append(
            f"The largest group, all linked with each other, has {len(largest)} variables: {', '.join(largest)}."
        )
    message = result.message["total"]
    lines.append(
        f"{result.n_rows:,} rows, {len(result.names)} variables, criterion {method.criterion}"
        f"{' with two links at once' if method.joint else ''}; message length {message['no edges']:,.0f} bits without "
        f"links, {message['this model']:,.0f} with these{saves}."
    )
    return lines


def strongest_link(result: LogLinearResult) -> tuple[str, str] | None:
    """The link that saves most, of those that can be taken away alone; one that numbers show before any other."""
    known = [pair for pair, about in result.edge_values.items() if math.isfinite(about.evidence_bits)]
    return next((pair for pair in known if not result.from_the_cut(pair)), known[0] if known else None)


def contrast_words(result: LogLinearResult, a: str, b: str) -> str:
    """'b = no in 45 % (9 of 20) where a = high, 12 % (6 of 50) elsewhere', of the cell farthest from no link.

    Parameters
    ----------
    result : with a link between them
    a, b : names of the two variables

    Returns
    -------
    a sentence without its full stop, which says so where the difference is small, or nothing can be compared
    """
    contrast = _contrast(result, a, b)
    if contrast is None:
        return f"{a} and {b} have no level that can be compared"
    low, high, *shares = contrast
    here, elsewhere = (f"{words.in_percent(part / n)} ({part:,.0f} of {n:,.0f})" for part, n in shares)
    text = f"{b} = {high} in {here} where {a} = {low}, {elsewhere} elsewhere"
    difference = shares[0][0] / shares[0][1] - shares[1][0] / shares[1][1]
    return f"{text}, a small difference ({words.points(difference)})" if abs(difference) < MARGIN else text


def contrast_brief(result: LogLinearResult, a: str, b: str) -> str:
    """The same without counts: 'b = no in 45 % where a = high, 12 % elsewhere'."""
    contrast = _contrast(result, a, b)
    if contrast is None:
        return "no level can be compared"
    low, high, *shares = contrast
    here, elsewhere = (words.in_percent(part / n) for part, n in shares)
    return f"{b} = {high} in {here} where {a} = {low}, {elsewhere} elsewhere"


def contrast_shares(result: LogLinearResult, a: str, b: str) -> str:
    """The two shares alone: '45 % v 12 %'."""
    contrast = _contrast(result, a, b)
    return "" if contrast is None else " v ".join(words.in_percent(part / n) for part, n in contrast[2:])


def _contrast(
    result: LogLinearResult, a: str, b: str
) -> tuple[str, str, tuple[float, float], tuple[float, float]] | None:
    """Levels of a and b whose cell is farthest from no link, and rows with both of so many, there and elsewhere.

    None where no level of either stands beside another one.
    """
    counts = result.margin_of([result.position(a), result.position(b)]).dense(result.arity).astype(float)
    rows, columns, total = counts.sum(axis=1, keepdims=True), counts.sum(axis=0, keepdims=True), counts.sum()
    spread = np.sqrt(rows * columns * (1 - rows / total) * (1 - columns / total) / total)
    far = np.divide(abs(counts - rows * columns / total), spread, out=np.full_like(counts, -1.0), where=spread > 0)
    if (far < 0).all():
        return None
    i, j = map(int, np.unravel_index(far.argmax(), far.shape))
    i, j = _spoken(result, a, i), _spoken(result, b, j)
    here, n, level, rows_in_all = (float(x) for x in (counts[i, j], rows[i, 0], columns[0, j], total))
    return result.levels[a][i], result.levels[b][j], (here, n), (level - here, rows_in_all - n)


def _spoken(result: LogLinearResult, name: str, k: int) -> int:
    """The level that one speaks of where a level is one of two, beside that of missing values; else itself."""
    levels, missing = result.levels[name], result.missing.get(name)
    known = [level for level in levels if level != missing]
    spoken = spoken_level(known)
    return k if spoken is None or levels[k] == missing else levels.index(known[spoken])


def notes(result: LogLinearResult) -> list[str]:
    """What limits the answer."""
    method, lines = result.method, [*rule_sentences(result.screening.rules), *result.row_notes()]
    if result.size < FEW_ROWS:
        lines.append(f"{words.count(result.n_rows, 'row')} are few: only very strong links could show.")
    if len(result.names) < 2:
        lines.append("One variable has nothing to be linked with; choose more.")
    if (false := false_links_of(result)) and len(result.names) > 1:
        lines.append(false)
    power = power_sentence(_margins(result), result.n_rows, method.criterion, method.alpha)
    if power and power != _power_of_no_links(result):
        lines.append(power)
    constant = [name for name, item in zip(result.sorted_names, result.singles, strict=True) if len(item.counts) < 2]
    if constant:
        lines.append(f"Only one value occurs, which can tell nothing of a link: {words.first(constant)}.")
    if method.criterion in ("kl", "ah"):
        lines.append(f"The criterion '{method.criterion}' finds links that are not there; it is for comparison.")
    if method.criterion in WITH_ALPHA:
        lines += _thin_note(result)
    if doubtful := [pair for pair in result.edge_values if result.from_the_cut(pair)]:
        pairs = words.first((" - ".join(pair) for pair in doubtful), 3, "; ")
        which = f"{words.count(len(doubtful), 'link')} {FROM_THE_CUT}, as the numbers do not show"
        lines.append(f"{which} {'it' if len(doubtful) == 1 else 'them'}: {pairs}.")
    if result.cut and method.criterion in WITH_ALPHA:
        lines.append(
            f"Numbers were cut, so alpha does not bound false links found through them: {words.first(result.cut, 3)}."
        )
    if given := result.begun.n_edges:
        lines.append(
            f"{given} of the {result.chosen.n_edges} links {'was' if given == 1 else 'were'} given (forced, or to "
            "start from), not found by the search."
        )
    if result.filled:
        pairs = ", ".join(" - ".join(result.in_order(edge)) for edge in result.filled[:5])
        lines.append(f"Added so that the model keeps a closed form: {pairs}.")
    return lines


def _power_of_no_links(result: LogLinearResult) -> str:
    """How strong a link would have had to be to show, where none does; "" elsewhere."""
    if result.undecided or result.chosen.n_edges:
        return ""
    return power_sentence(_margins(result), result.n_rows, result.method.criterion, result.method.alpha)


def false_links_of(result: LogLinearResult) -> str:
    """How often this criterion finds a link where there is none, in tables of about this size; "" where unknown."""
    levels = math.exp(float(np.log(np.maximum(result.arity, 1)).mean())) if len(result.arity) else 1.0
    method = result.method
    rows = max(round(result.size), 1)
    return false_links_sentence(method.criterion, method.joint, rows, len(result.names), levels)


def _thin_note(result: LogLinearResult) -> list[str]:
    """How p was found where cells are few."""
    thin = sum(is_thin(strata(step.table), result.effect) for step in result.accepted)
    if not thin:
        return []
    many = f"{thin} of the {len(result.accepted)} links rest on tables with few rows a cell"
    if result.method.thin_tables == "drawn":
        return [f"{many}; their p comes from tables drawn with the same margins."]
    return [f"{many}, where the published test finds links too easily; let p be drawn, or merge rare levels."]


def _margins(result: LogLinearResult) -> list[Margins]:
    """Every variable with its levels and how often each occurs, divided by the design effect."""
    return [
        (name, result.levels[name], item.dense(result.arity) / result.effect)
        for name, item in zip(result.sorted_names, result.singles, strict=True)
    ]


# -- two variables -----------------------------------------------------------------------------------------------------


class PairState(StrEnum):
    """What may be said of two variables: a model without a link is no proof that there is none."""

    LINKED = "linked"
    NOT_NEEDED = "no link needed"
    NOT_SEEN = "nothing seen"
    UNDECIDED = "inconclusive"


@dataclass(frozen=True)
class PairEvidence:
    """What is known of two variables.

    Attributes
    ----------
    a, b : names
    state : undecided where rows belong to too few subjects
    separator : what parts them in the model, the smallest such part of a's neighbours; empty for a link
    alone : log10 p of the two by themselves; NaN where unknown
    support : what the rows say of the link given others; None where it was not asked
    given : what a link would be given, were it added alone
    parameters : that it would have to pay for; NaN where no link was refused
    shift_high : no level of the one shifts a share of the other by more, with 95 % probability; NaN where not asked
    """

    a: str
    b: str
    state: PairState
    separator: tuple[str, ...]
    alone: float
    support: EdgeSupport | None
    given: tuple[str, ...] = ()
    parameters: float = math.nan
    shift_high: float = math.nan


def pair_of(result: LogLinearResult, a: str, b: str) -> PairEvidence:
    """Two variables of a model."""
    x, y = result.edge(a, b)
    alone = result.screening.alone(x, y, len(result.names))
    if result.undecided:
        return PairEvidence(a, b, PairState.UNDECIDED, (), alone, None)
    if result.chosen.has(x, y):
        return PairEvidence(a, b, PairState.LINKED, (), alone, result.supports.get(result.pair((x, y))))
    refused = next((item.step for item in result.declined if (item.step.a, item.step.b) == (x, y)), None)
    support = None if refused is None else result.support_of(refused.table)
    seen = [alone] if support is None else [alone, support.log10_p]
    visible = any(beyond_chance(entry, result.pairs) for entry in seen)
    state = PairState.NOT_NEEDED if visible or math.isnan(alone) else PairState.NOT_SEEN
    parting = parting_of(result, result.position(a), result.position(b))
    given = result.in_order(bits(result.chosen.separator(x, y) or 0))
    high = (
        math.nan
        if refused is None
        else largest_shift(refused.table, result.sorted_names, result.method.seed, result.effect)[1]
    )
    return PairEvidence(a, b, state, parting, alone, support, given, _parameters(result, x, y), high)


def parting_of(result: LogLinearResult, x: int, y: int) -> tuple[str, ...]:
    """The smallest part of x's neighbours without which the model does not connect x and y."""
    neighbours = result.chosen.neighbours
    touching = 0
    for z in bits(result.chosen.component(y, neighbours[x])):
        touching |= neighbours[z]
    return result.in_order(bits(touching & neighbours[x]))


def link_note(result: LogLinearResult, pair: tuple[str, str]) -> str:
    """What the way the table was made may explain of a link, a sentence without its full stop; "" for nothing."""
    table = result.edge_table(pair) or result.margin_of(result.edge(*pair))
    names = result.sorted_names
    a, b = table.variables[-2:]
    if gaps := gaps_of((names[a], names[b]), table, result.arity, result.levels, result.missing):
        given, seed = result.in_order(table.variables[:-2]), result.method.drawing_seed
        without = edge_support(gaps.table, names, gaps.arity, seed, given, result.effect)
        left = words.evidence(without.log_bayes_factor, "the link")
        return f"they are missing together: without those rows there is {left} ({p_words(without.log10_p)})"
    check = result.number_check(*pair)
    if check is not None and check.from_the_cut:
        return f"{check.words()}: it {FROM_THE_CUT}"
    both = result.margin_of([result.position(name) for name in pair])
    return level_note(pair, result.levels, both.dense(result.arity))


def independence(result: LogLinearResult, a: str, b: str) -> str:
    """What may be said of two variables: linked, no link needed, or nothing seen, and what the rows say of them.

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
    both = f"{pair.a} and {pair.b}"
    if pair.state == PairState.UNDECIDED:
        return f"{both}: inconclusive. {result.too_few()}"
    if pair.state == PairState.LINKED:
        note = result.link_notes.get(result.pair(result.edge(pair.a, pair.b)), "")
        return f"{both}: linked. {_gain(result, pair)}{f' But {note}' if note else ''}"
    model = f"{both}: {pair.state}. The model has no link between them"
    model += f"; in it they meet only by way of {words.listed(pair.separator)}." if pair.separator else "."
    return " ".join(filter(None, (model, _not_paid(result, pair), _rows_say(result, pair))))


def p_words(log10_p: float) -> str:
    """'p = .030', 'p < .001'; the exact p stands in the tables."""
    return words.p_value(10.0**log10_p)


def rows_words(result: LogLinearResult) -> str:
    """'1,473 rows'."""
    return words.count(result.n_rows, "row")


def _gain(result: LogLinearResult, pair: PairEvidence) -> str:
    about = result.edge_values[result.pair(result.edge(pair.a, pair.b))]
    if about.removable and about.evidence_bits >= 0:
        text = f"it saves {about.evidence_bits:,.1f} bits"
    elif about.removable:
        text = f"it costs {-about.evidence_bits:,.1f} bits more than it saves"
    else:
        text = f"it lies in {about.cliques} groups and cannot be taken away alone"
    contrast = contrast_words(result, pair.a, pair.b)
    if pair.support is None:
        return f"{contrast}. I{text[1:]}."
    caveat = "" if beyond_chance(pair.support.log10_p, result.pairs) else ", so chance alone could show as much"
    factor, check = words.evidence(pair.support.log_bayes_factor, "a link"), result.number_check(pair.a, pair.b)
    if check is not None and not check.from_the_cut:
        text += f"; {check.words()}"
    return f"{contrast}. The rows are {factor} ({p_words(pair.support.log10_p)}{caveat}); {text}."


def _not_paid(result: LogLinearResult, pair: PairEvidence) -> str:
    """Why there is no link, where that is known."""
    if math.isnan(pair.parameters):
        return ""
    given = f", given {words.listed(pair.given)}," if pair.given else ""
    if result.method.criterion in WITH_ALPHA:
        return f"A link{given} does not pass the test among so many at {rows_words(result)}."
    return f"A link{given} is not worth its {words.count(round(pair.parameters), 'parameter')} at {rows_words(result)}."


def _rows_say(result: LogLinearResult, pair: PairEvidence) -> str:
    """What the rows say of the two, whatever the model."""
    support = pair.support
    if support is not None and support.separator and beyond_chance(support.log10_p, result.pairs):
        given, check = words.listed(support.separator), result.number_check(pair.a, pair.b)
        if check is not None and check.from_the_cut:
            return f"Yet in the levels of {given} the two are associated, which {FROM_THE_CUT}: {check.words()}."
        return f"Yet given {given} the two are associated ({p_words(support.log10_p)})."
    if beyond_chance(pair.alone, result.pairs):
        less = (
            f", given {words.listed(support.separator)} no more than chance shows"
            if support and support.separator
            else ""
        )
        return f"Yet alone the two are associated ({p_words(pair.alone)}){less}."
    if math.isnan(pair.alone):
        return "What the two show by themselves was not worked out."
    text = f"Alone the two show no more than chance does ({p_words(pair.alone)}, {_among(result)})"
    if pair.shift_high < MARGIN:
        return f"{text}; a shift of {words.in_percent(MARGIN)} or more of any share is improbable."
    return f"{text}, which does not say that there is nothing."


def _among(result: LogLinearResult) -> str:
    return f"one of {words.count(result.pairs, 'pair')}"


def _parameters(result: LogLinearResult, x: int, y: int) -> float:
    """What a link that was asked for and refused would have to pay for; NaN where it was not."""
    separator, method = result.chosen.separator(x, y), result.method
    barred = any({x, y} == {result.position(name) for name in pair} for pair in method.barred)
    if not result.declined or separator is None or barred:
        return math.nan
    if method.max_clique is not None and separator.bit_count() + 2 > method.max_clique:
        return math.nan
    given = [float(result.arity[z]) for z in bits(separator)]
    return (float(result.arity[x]) - 1) * (float(result.arity[y]) - 1) * math.prod(given)
