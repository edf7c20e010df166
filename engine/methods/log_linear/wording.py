"""Two variables and what may be said of them: linked, no link needed, nothing seen.

A model without a link is no proof that there is none: the link may not pay for its parameters, or run by way of others,
or want more rows. So "no link" is said of the model, and beside it stands what the rows say of the two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine import words
from engine.data.rows.subjects import FEWEST
from engine.graphs.dag import bits
from engine.methods.log_linear.evidence.pair_screening import beyond_chance
from engine.methods.log_linear.evidence.edge_support import MARGIN, Standing, largest_shift
from engine.methods.log_linear.result import LogLinearModel
from engine.methods.log_linear.settings import WITH_ALPHA

LINKED, NOT_NEEDED, NOTHING, UNDECIDED = "linked", "no link needed", "nothing seen", "inconclusive"


@dataclass(frozen=True)
class Pair:
    """What is known of two variables.

    Attributes
    ----------
    a, b : names
    state : `LINKED`, `NOT_NEEDED`, `NOTHING`, or `UNDECIDED` where rows belong to too few subjects
    separator : what parts them in the model, the smallest such part of a's neighbours; empty for a link
    alone : log10 p of the two by themselves; NaN where unknown
    standing : what the rows say of the link given others; None where it was not asked
    given : what a link would be given, were it added alone
    parameters : that it would have to pay for; NaN where no link was refused
    shift_high : no level of the one shifts a share of the other by more, with 95 % probability; NaN where not asked
    """

    a: str
    b: str
    state: str
    separator: tuple[str, ...]
    alone: float
    standing: Standing | None
    given: tuple[str, ...] = ()
    parameters: float = math.nan
    shift_high: float = math.nan


def pair_of(result: LogLinearModel, a: str, b: str) -> Pair:
    """Two variables of a model.

    Parameters
    ----------
    result : the model
    a, b : names

    Returns
    -------
    `Pair`

    Raises
    ------
    DataError : an unknown variable, or one twice
    """
    x, y = result.edge(a, b)
    alone = result.before.alone(x, y, len(result.names))
    if result.undecided:
        return Pair(a, b, UNDECIDED, (), alone, None)
    if result.chosen.has(x, y):
        return Pair(a, b, LINKED, (), alone, result.standings.get(result.pair((x, y))))
    refused = next((one.step for one in result.declined if (one.step.a, one.step.b) == (x, y)), None)
    stand = None if refused is None else result.standing(refused.table)
    seen = [alone] if stand is None else [alone, stand.log10_p]
    shown = any(beyond_chance(one, result.pairs) for one in seen)
    state = NOT_NEEDED if shown or math.isnan(alone) else NOTHING
    parting = parting_of(result, result.position(a), result.position(b))
    given = result.in_order(bits(result.chosen.separator(x, y) or 0))
    high = (
        math.nan
        if refused is None
        else largest_shift(refused.table, result.sorted_names, result.method.seed, result.effect)[1]
    )
    return Pair(a, b, state, parting, alone, stand, given, _parameters(result, x, y), high)


def parting_of(result: LogLinearModel, x: int, y: int) -> tuple[str, ...]:
    """The smallest part of x's neighbours without which the model does not connect x and y."""
    neighbours = result.chosen.neighbours
    touching = 0
    for z in bits(result.chosen.component(y, neighbours[x])):
        touching |= neighbours[z]
    return result.in_order(bits(touching & neighbours[x]))


def sentence(result: LogLinearModel, pair: Pair) -> str:
    """What may be said of two variables, what the rows say after what the model says."""
    both = f"{pair.a} and {pair.b}"
    if pair.state == UNDECIDED:
        return f"{both}: inconclusive. {too_few(result)}"
    if pair.state == LINKED:
        note = result.link_notes.get(result.pair(result.edge(pair.a, pair.b)), "")
        return f"{both}: linked. {_worth(result, pair)}{f' But {note}' if note else ''}"
    model = f"{both}: {pair.state}. The model has no link between them"
    model += f"; in it they meet only by way of {words.listed(pair.separator)}." if pair.separator else "."
    return " ".join(filter(None, (model, _not_paid(result, pair), _rows_say(result, pair))))


def p_words(log10_p: float) -> str:
    """'p = .030', 'p < .001'; the exact p stands in the tables."""
    return words.p_value(10.0**log10_p)


def too_few(result: LogLinearModel) -> str:
    """Why nothing is said of any link."""
    return words.few_subjects(result.subject, result.subjects, FEWEST)


def rows_words(result: LogLinearModel) -> str:
    """'1,473 rows'."""
    return words.count(result.n_rows, "row")


def _worth(result: LogLinearModel, pair: Pair) -> str:
    about = result.worth[result.pair(result.edge(pair.a, pair.b))]
    if about.removable and about.evidence_bits >= 0:
        said = f"The link saves {about.evidence_bits:,.1f} bits"
    elif about.removable:
        said = f"The link costs {-about.evidence_bits:,.1f} bits more than it saves"
    else:
        said = f"It lies in {about.cliques} groups and cannot be taken away alone"
    if pair.standing is None:
        return f"{said}."
    doubt = "" if beyond_chance(pair.standing.log10_p, result.pairs) else ", so chance alone could show as much"
    factor = words.evidence(pair.standing.log_bayes_factor, "a link")
    return f"{said}; the rows are {factor} ({p_words(pair.standing.log10_p)}{doubt})."


def _not_paid(result: LogLinearModel, pair: Pair) -> str:
    """Why there is no link, where that is known."""
    if math.isnan(pair.parameters):
        return ""
    given = f", given {words.listed(pair.given)}," if pair.given else ""
    if result.method.criterion in WITH_ALPHA:
        return f"A link{given} does not pass the test among so many at {rows_words(result)}."
    return f"A link{given} is not worth its {words.count(round(pair.parameters), 'parameter')} at {rows_words(result)}."


def _rows_say(result: LogLinearModel, pair: Pair) -> str:
    """What the rows say of the two, whatever the model."""
    stand = pair.standing
    if stand is not None and stand.separator and beyond_chance(stand.log10_p, result.pairs):
        given = words.listed(stand.separator)
        return f"Yet given {given} the two do hang together ({p_words(stand.log10_p)})."
    if beyond_chance(pair.alone, result.pairs):
        less = f", given {words.listed(stand.separator)} no more than chance shows" if stand and stand.separator else ""
        return f"Yet alone the two do hang together ({p_words(pair.alone)}){less}."
    if math.isnan(pair.alone):
        return "What the two show by themselves was not worked out."
    said = f"Alone the two show no more than chance does ({p_words(pair.alone)}, {_among(result)})"
    if pair.shift_high < MARGIN:
        return f"{said}; a shift of {MARGIN:.0%} or more of any share is improbable."
    return f"{said}, which does not say that there is nothing."


def _among(result: LogLinearModel) -> str:
    return f"one of {words.count(result.pairs, 'pair')}"


def _parameters(result: LogLinearModel, x: int, y: int) -> float:
    """What a link that was asked for and refused would have to pay for; NaN where it was not."""
    separator, method = result.chosen.separator(x, y), result.method
    barred = any({x, y} == {result.position(name) for name in pair} for pair in method.barred)
    if not result.declined or separator is None or barred:
        return math.nan
    if method.max_clique is not None and separator.bit_count() + 2 > method.max_clique:
        return math.nan
    given = [float(result.arity[z]) for z in bits(separator)]
    return (float(result.arity[x]) - 1) * (float(result.arity[y]) - 1) * math.prod(given)
