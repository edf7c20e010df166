"""The steps of a search in words: the headline, every candidate with its verdict, and why another was not taken."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from engine.lazy import nx, pd
from engine.search.steps import Arcs, CandidateMove, Obstacle, SearchStep
from engine.words import capital, count, fraction, listed, p_value, with_minus

TESTED = ("test",)
"""Kinds of candidates whose number is a p-value."""
RULES = {
    1: "{w} → {x} is there, and {w} and {y} are not linked: {y} → {x} would be a new collider",
    2: "{x} → {w} → {y} is there: {y} → {x} would close a cycle",
    3: "{v} and {w}, which are not linked, touch {x} and point to {y}: {y} → {x} would make them collide in {x}",
    4: "{v} → {w} → {y} is there, and {v} touches {x}: {y} → {x} would make {v} and {y} collide in {x}",
}
"""Why Meek's rules direct x - y as x -> y."""
_COLLIDER = "since the other way would make a new collider"
AVOIDED = {1: _COLLIDER, 2: "since the other way would close a cycle", 3: _COLLIDER, 4: _COLLIDER}
"""The same in a few words."""


def name_move(move: CandidateMove) -> str:
    """A candidate in a few words.

    Parameters
    ----------
    move : of any kind

    Returns
    -------
    a verb with its link

    Examples
    --------
    >>> from engine.search.step_wording import name_move
    >>> from engine.search.steps import CandidateMove
    >>> name_move(CandidateMove("add", "smoking", "cough", 12.3))
    'add smoking → cough'
    """
    x, y = move.source, move.target
    match move.kind:
        case "add" | "remove":
            return f"{move.kind} {x} → {y}"
        case "reverse":
            return f"turn {x} → {y}"
        case "insert":
            return f"insert {x} {'→' if move.directed else '–'} {y}" + (
                f" (with {listed(move.others)})" if move.others else ""
            )
        case "delete":
            return f"delete {x} – {y}" + (f" (with {listed(move.others)})" if move.others else "")
        case "test":
            return f"given {listed(move.given) if move.given else 'no other variable'}"
        case "collider":
            return f"{x} → {move.given[0]} ← {y}"
        case "link":
            return f"link {x} – {y}" + (f" given {listed(move.given)}" if move.given else "")
    return f"direct {x} → {y}"


def write_gain(move: CandidateMove) -> str:
    """The number of a candidate: "gain 41.2", or "p = .40" of a test; nothing where there is none.

    Parameters
    ----------
    move : of any kind
    """
    if math.isnan(move.gain):
        return ""
    return p_value(move.gain) if move.kind in TESTED else f"gain {_figure(move.gain)}"


def headline(steps: Sequence[SearchStep], position: int) -> str:
    """A step in one sentence.

    Parameters
    ----------
    steps : of a search
    position : from 0
    """
    step = steps[position]
    return f"Step {position + 1} of {len(steps)}: {_decision(step)}"


def _decision(step: SearchStep) -> str:
    move = step.move
    if move is None:
        return _ending(step)
    match move.kind:
        case "test":
            return _test_verdict(step, move)
        case "collider":
            return _collider_verdict(move)
        case "orient":
            why = f"{AVOIDED[step.rule]} (Meek's rule {step.rule})" if step.rule else "as is known before the tests"
            return f"{name_move(move)}, {why}."
    if step.phase == "shaking":
        return f"a random move, {name_move(move)}, {write_gain(move)}."
    if move.gain <= step.threshold:
        return f"{name_move(move)}, {write_gain(move)}: the search walks on past an optimum."
    others = [item for item in step.candidates if item != move and item.obstacle is None]
    second = f"; next best {_figure(others[0].gain)}" if others else "; no other move gains"
    if others and _turned(move, others[0]):
        second = "; the other direction gains as much, so it is arbitrary"
    return f"{name_move(move)}, {write_gain(move)}{second}."


def _turned(move: CandidateMove, other: CandidateMove) -> bool:
    """True where another move adds the same link in the other direction, for the same gain."""
    ends = (other.target, other.source)
    return (
        move.kind == other.kind == "add"
        and ends == (move.source, move.target)
        and math.isclose(move.gain, other.gain, rel_tol=1e-9)
    )


def _ending(step: SearchStep) -> str:
    """Say that a phase makes no move."""
    if step.before != step.after:
        return f"{step.phase}."
    best = next((item for item in step.candidates if item.obstacle is None), None)
    if best is None:
        return f"{step.phase} ends, since no change {'that gains is allowed' if step.candidates else 'gains'}."
    if best.gain > step.threshold:
        return f"{step.phase} ends, since too many moves in a row brought no better network."
    return f"{step.phase} ends, since no change gains; the best, {name_move(best)}, has {write_gain(best)}."


def _test_verdict(step: SearchStep, move: CandidateMove) -> str:
    tests = count(len(step.candidates) + step.left_out, "test")
    given = f" given {listed(move.given)}" if move.given else ""
    if step.before != step.after:
        return f"{move.source} and {move.target} are independent{given} ({p_value(move.gain)}): the link goes."
    largest = "" if tests == count(1, "test") else f"the largest of {tests} is "
    return f"{move.source} and {move.target} stay linked{given}: {largest}{p_value(move.gain)}."


def _collider_verdict(move: CandidateMove) -> str:
    if move.obstacle is not None:
        return f"the collider {name_move(move)} is not drawn: {_collider_obstacle(move)}."
    return f"draw the collider {name_move(move)}, since {move.given[0]} did not separate the two."


def _collider_obstacle(move: CandidateMove) -> str:
    return {
        Obstacle.CONTRADICTED: "another collider asks for the opposite arrow",
        Obstacle.KNOWLEDGE: "the knowledge rules an arrow out",
        Obstacle.AMBIGUOUS: "some separating sets hold its middle and others do not",
        Obstacle.SEPARATES: f"{move.given[0]} is among the variables that separate the two",
    }[move.obstacle or Obstacle.SEPARATES]


def explain_choice(step: SearchStep, other: CandidateMove) -> str:
    """Why a candidate was not taken, or why it was.

    Parameters
    ----------
    step : where it was a candidate
    other : one of the candidates

    Returns
    -------
    one or two sentences
    """
    name = name_move(other)
    if other == step.move:
        return f"This decides the step: {_taken_because(step, other)}."
    if other.kind == "test":
        return f"{capital(name)}, {write_gain(other)}: the largest p-value decides, and another is larger."
    if other.kind == "collider":
        return f"The collider {name}: {_collider_obstacle(other) if other.obstacle else 'it has a step of its own'}."
    if other.obstacle is not None:
        number = f" It has {write_gain(other)}." if not math.isnan(other.gain) else ""
        return f"{capital(name)} is refused: {_refusal(step, other)}.{number}"
    if step.move is not None and other.gain >= step.move.gain - 1e-6:
        return f"{capital(name)} gains the same; among equals the first in alphabetical order is taken."
    if step.move is None or other.gain <= step.threshold:
        return f"{capital(name)} has {write_gain(other)}: it does not pay."
    return f"{capital(name)} has {write_gain(other)}, less than {write_gain(step.move)} of the move taken."


def _taken_because(step: SearchStep, move: CandidateMove) -> str:
    match move.kind:
        case "test":
            return f"it has the largest p-value, {p_value(move.gain)}"
        case "collider":
            return _collider_obstacle(move) if move.obstacle else f"{move.given[0]} did not separate the two"
        case "orient":
            return _rule_reason(step, move) if step.rule else "it is known before the tests"
    return "a random move" if step.phase == "shaking" else "no other change that is allowed gains more"


def _rule_reason(step: SearchStep, move: CandidateMove) -> str:
    """Name what in the graph makes one of Meek's rules direct the arc."""
    x, y = move.source, move.target
    arcs = {arc for arc in step.before if arc[::-1] not in step.before}
    linked = {frozenset(arc) for arc in step.before}
    names = sorted({end for arc in step.before for end in arc} - {x, y})
    for v, w in product(names, names):
        both = (v, y) in arcs and (w, y) in arcs and {x, v} in linked and {x, w} in linked
        holds = {
            1: (w, x) in arcs and {w, y} not in linked,
            2: (x, w) in arcs and (w, y) in arcs,
            3: both and v < w and {v, w} not in linked,
            4: {(v, w), (w, y)} <= arcs and {x, v} in linked and {v, y} not in linked,
        }
        if holds[step.rule]:
            return RULES[step.rule].format(x=x, y=y, v=v, w=w)
    raise ValueError(f"rule {step.rule} directs no {x} → {y} here")


def _refusal(step: SearchStep, other: CandidateMove) -> str:
    x, y = other.source, other.target
    match other.obstacle:
        case Obstacle.CYCLE:
            parent, child = (y, x) if other.kind == "reverse" else (x, y)
            without = step.before - {(x, y)}
            return f"it would close a cycle, since {' → '.join(_path(without, child, parent))} is there"
        case Obstacle.PARENTS:
            child = x if other.kind == "reverse" else y
            return f"{child} has the most parents that are allowed"
        case Obstacle.KNOWLEDGE:
            return "what is known before rules it out"
        case Obstacle.RECENT:
            return "the link was changed lately, and the tabu list holds it for some moves"
        case Obstacle.PATH:
            return f"a path that may run from {y} to {x} would close a cycle"
        case Obstacle.CLIQUE:
            return "more variables would be linked with each other than are allowed"
        case Obstacle.CHORD:
            return f"{x} and {y} would close a cycle without a chord"
    raise ValueError(f"{other.obstacle!r} refuses no change")


def _path(arcs: Arcs, source: str, target: str) -> Sequence[str]:
    graph = nx.DiGraph(sorted(arcs))
    return list(nx.shortest_path(graph, source, target))


def tabulate_candidates(step: SearchStep) -> pd.DataFrame:
    """The candidates of a step, the largest gain first.

    Parameters
    ----------
    step : of any search

    Returns
    -------
    pandas.DataFrame with `candidate`, marked where it is taken, `gain` (of tests `p`, as text) and `verdict`
    """
    number = "p" if step.candidates and step.candidates[0].kind in TESTED else "gain"
    marks = ["▶ " if item == step.move else "" for item in step.candidates]
    names = [f"{mark}{name_move(item)}" for mark, item in zip(marks, step.candidates, strict=True)]
    gains = [
        round(item.gain, 9) + 0.0 if number == "gain" else "" if math.isnan(item.gain) else fraction(item.gain)
        for item in step.candidates  # no minus 0
    ]
    verdicts = [_verdict(step, item) for item in step.candidates]
    return pd.DataFrame({"candidate": names, number: gains, "verdict": verdicts})


def _verdict(step: SearchStep, item: CandidateMove) -> str:
    if item == step.move:
        if item.kind == "test":
            return "independent" if step.before != step.after else "dependent"
        return "taken" if item.obstacle is None else item.obstacle.value
    if item.obstacle is not None:
        return item.obstacle.value
    if item.kind in ("test", "collider"):
        return "" if item.kind == "collider" else "independent" if item.gain > step.threshold else "dependent"
    return "possible" if item.gain > step.threshold else "no gain"


class StepLink(NamedTuple):
    """A link of a step's picture.

    Attributes
    ----------
    source, target : its ends, as an arc runs where there is one
    directed : whether there is one
    change : "added", "removed", "turned", "directed", "undirected", "tested" (and left); "" where nothing happens to it
    """

    source: str
    target: str
    directed: bool
    change: str


def links_of(step: SearchStep) -> list[StepLink]:
    """Every link before or after a step, with what the step does to it.

    Parameters
    ----------
    step : of any search

    Returns
    -------
    each pair of variables once, in alphabetical order
    """
    before, after = _links(step.before), _links(step.after)
    result = []
    for pair in sorted(before.keys() | after.keys(), key=sorted):
        earlier, later = before.get(pair), after.get(pair)
        if pair not in before:
            change = "added"
        elif pair not in after:
            change = "removed"
        elif earlier == later:
            tested = step.move is not None and step.move.kind == "test" and pair == frozenset(step.move[1:3])
            change = "tested" if tested else ""
        else:
            change = "turned" if earlier and later else "directed" if later else "undirected"
        arc = later if pair in after else earlier
        source, target = arc or sorted(pair)
        result.append(StepLink(source, target, arc is not None, change))
    return result


def describe_state(step: SearchStep) -> str:
    """Say what the search does at the time, how many links there are then, and the score.

    Parameters
    ----------
    step : of any search
    """
    links = count(len(_links(step.after)), "link")
    if any(item.kind in TESTED for item in step.candidates):
        return f"{capital(step.phase)}. {links} after this step; independent where p is above {step.threshold:g}."
    if math.isnan(step.score_after):
        return f"{capital(step.phase)}. {links} after this step."
    if any(item.kind == "link" for item in step.candidates):
        return f"{capital(step.phase)}. {links} after this step, which save {_figure(step.score_after)} nats together."
    change = f", from {_figure(step.score_before)}" if step.score_after != step.score_before else ""
    score = f"a log score of {_figure(step.score_after)} after this step{change} (higher: the rows are more probable)"
    return f"{capital(step.phase)}. {links} and {score}."


def families_of(move: CandidateMove) -> list[tuple[str, tuple[str, ...]]]:
    """The families whose scores a gain is the difference of.

    Parameters
    ----------
    move : a change of arcs

    Returns
    -------
    (child, parents): with the arc and without it; of a reversal also those of the other end
    """
    pairs = [(move.source, move.target, move.given)]
    if move.kind == "reverse":
        pairs.append((move.target, move.source, move.others))
    if move.kind not in ("add", "remove", "reverse", "insert", "delete"):
        return []
    families = [(child, tuple(sorted((*given, parent)))) for parent, child, given in pairs]
    return [
        item for with_it, (_, child, given) in zip(families, pairs, strict=True) for item in (with_it, (child, given))
    ]


def name_family(child: str, parents: Sequence[str]) -> str:
    """A family in words.

    Parameters
    ----------
    child, parents : its variables

    Examples
    --------
    >>> from engine.search.step_wording import name_family
    >>> name_family("cough", ["age", "smoking"])
    'cough given age and smoking'
    """
    return f"{child} given {listed(parents)}" if parents else f"{child} without parents"


def explain_gain(move: CandidateMove, scores: Sequence[float]) -> str:
    """A gain as the difference of the scores of its families.

    Parameters
    ----------
    move : a change of arcs
    scores : of `families_of(move)`
    """
    signs = [1, -1] if move.kind in ("add", "insert") else [-1, 1]
    signs += [1, -1] * (move.kind == "reverse")
    terms = [f"{'−' if sign < 0 else '+'} ({_figure(value)})" for sign, value in zip(signs, scores, strict=True)]
    return f"{capital(write_gain(move))} = {' '.join(terms).removeprefix('+ ')}"


def _links(arcs: Arcs) -> dict[frozenset[str], tuple[str, str] | None]:
    """Pair -> its arc, None where it has no direction."""
    return {frozenset(arc): None if arc[::-1] in arcs else arc for arc in arcs}


def _figure(gain: float) -> str:
    return with_minus(f"{round(gain, 1) + 0.0:,.1f}")
