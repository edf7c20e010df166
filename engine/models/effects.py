"""What one more piece of evidence does, in words: which probability changes, by which path, and what that is called.

A name (explaining away, chain blocked) is given only where the probabilities and the paths bear it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.graphs.dag import to_networkx
from engine.graphs.separation import Path, d_separated, open_paths, paths
from engine.models.evidence import posteriors
from engine.models.intervention import intervene, seen_and_done
from engine.models.network import Network
from engine.words import chance_in_percent

_SAME = 5e-4
"""Change of a probability that is called one: under it a share in percent, to one decimal, stays."""
_NO_CHANGE = "but with these probabilities nothing changes."
NEGATIONS = frozenset({"no", "false", "absent", "negative", "0", "none", "never", "off"})
"""First levels of a variable with two that say that it does not hold."""


@dataclass(frozen=True)
class Effect:
    """The effect of a change of the evidence.

    Attributes
    ----------
    sentence : the change in one sentence, with both probabilities
    name : what it is called, such as "Explaining away"; "" where it has no name
    reason : why, in one sentence
    """

    sentence: str
    name: str
    reason: str


def holds_level(network: Network, name: str) -> str:
    """The level of a variable that questions are about: its last, as in no and yes, or mild and severe."""
    return network.levels[network.names.index(name)][-1]


def is_binary(levels: tuple[str, ...]) -> bool:
    """True where one bar says all: two levels, the first of which is a negation."""
    return len(levels) == 2 and levels[0].strip().lower() in NEGATIONS


def describe_state(network: Network, x: str, y: str, evidence: Mapping[str, str]) -> Effect:
    """Say if X and Y are independent given what is known, with the probabilities that show it.

    Parameters
    ----------
    network : any discrete network
    x, y : names of two variables
    evidence : name -> level of what is known

    Returns
    -------
    the sentence, without a name

    Raises
    ------
    DataError : as `posteriors` and `paths`
    """
    rest = {name: level for name, level in evidence.items() if name not in (x, y)}
    graph = to_networkx(network.parents, network.names)
    given = _given(rest)
    if d_separated(graph, x, y, rest):
        before, _ = _chances(network, x, y, rest)
        known = f"{y} = {holds_level(network, y)}"
        sentence = (
            f"{given}{x} and {y} are independent: {known} leaves {_p(network, x)} at {chance_in_percent(before)}."
        )
        reason = "Every path between them is blocked." if paths(graph, x, y, most=1) else "No path joins them."
        return Effect(_capital(sentence), "", reason)
    shortest = open_paths(graph, x, y, rest)[0]
    change = _change(network, x, y, rest)
    words = f"are associated: {change}." if change else f"are joined by an open path, {_NO_CHANGE}"
    return Effect(_capital(f"{given}{x} and {y} {words}"), "", shortest.describe(rest))


def describe_change(
    network: Network, x: str, y: str, before: Mapping[str, str], after: Mapping[str, str], changed: str
) -> Effect:
    """Describe what setting or clearing the value of one variable did.

    Where it opened or closed the last path between X and Y, the sentence is about these two; else about what the change
    did to X, or to Y where X is what changed or is known.

    Parameters
    ----------
    network : any discrete network
    x, y : names of the two variables that are looked at
    before, after : name -> level of what was and is known
    changed : the variable that was set or cleared

    Returns
    -------
    the sentence, the name of the effect, and why

    Raises
    ------
    DataError : as `posteriors` and `paths`
    """
    graph = to_networkx(network.parents, network.names)
    if changed not in (x, y) and x not in after and y not in after:
        was, now = d_separated(graph, x, y, before), d_separated(graph, x, y, after)
        if was and not now:
            return _opened(network, x, y, before, after, changed)
        if now and not was:
            return _closed(network, x, y, before, after, changed)
    target = next((name for name in (x, y) if name != changed and name not in after), None) or _most_changed(
        network, before, after, changed
    )
    if target is None:
        return Effect("Every variable is known.", "", "Clear one to see how the others bear on it.")
    return _on_target(network, target, before, after, changed)


def describe_doing(network: Network, x: str, y: str, do: Mapping[str, str]) -> Effect:
    """Compare setting X to a level with seeing it there, for the probability of Y.

    Parameters
    ----------
    network : any discrete network, its arrows read as causes
    x, y : names of two variables
    do : name -> the level that it is set to, X among them

    Returns
    -------
    the sentence, "Confounding" or "No confounding", and the path that makes it so

    Raises
    ------
    DataError : as `seen_and_done`
    """
    if y in do:
        return Effect(f"{y} is set itself.", "", "Choose another Y, or clear it.")
    seen, done = (float(p[_code(network, y)]) for p in seen_and_done(network, do, x, y))
    others = {name: level for name, level in do.items() if name != x}
    families = intervene(network, others).parents
    every = open_paths(to_networkx(families, network.names), x, y, others)
    paths_in = [path for path in every if not path.forward[0]]
    reason = paths_in[0].describe(others) if paths_in else f"No path that begins with an arrow into {x} is open."
    if abs(seen - done) <= _SAME:
        same = (
            f"{_p(network, y)} is {chance_in_percent(done)} where {x} = {do[x]} is set, and as much where it is seen."
        )
        return Effect(same, "" if paths_in else "No confounding", reason)
    alone = float(intervene(network, others).query(y, {})[_code(network, y)])
    before, now = f"leaves {_p(network, y)} at", chance_in_percent(done)
    if abs(alone - done) > _SAME:
        before = f"moves {_p(network, y)} from {chance_in_percent(alone)} to"
    sentence = f"Setting {x} = {do[x]} {before} {now}; where {x} = {do[x]} is only seen, it is "
    return Effect(f"{sentence}{chance_in_percent(seen)}.", "Confounding", reason)


def bearing_paths(network: Network, target: str, evidence: Mapping[str, str]) -> list[str]:
    """For each piece of evidence the shortest path by which it bears on a variable given the others, if any.

    Parameters
    ----------
    network : any discrete network
    target : name of a variable that is not known
    evidence : name -> level of what is known

    Returns
    -------
    a sentence each

    Raises
    ------
    DataError : as `paths`
    """
    graph = to_networkx(network.parents, network.names)
    sentences = []
    for name in evidence:
        rest = [other for other in evidence if other != name]
        opened = open_paths(graph, name, target, rest, most=1)
        sentences.append(opened[0].describe(rest) if opened else f"No path from {name} to {target} is open.")
    return sentences


def _opened(
    network: Network, x: str, y: str, before: Mapping[str, str], after: Mapping[str, str], changed: str
) -> Effect:
    """The change let X and Y tell about each other."""
    graph = to_networkx(network.parents, network.names)
    path = open_paths(graph, x, y, after)[0]
    stays = posteriors(network, before)[x][_code(network, x)]
    how = f"Given {changed} = {after[changed]}" if changed in after else f"Without {changed} known"
    change = _change(network, x, y, after)
    words = (
        f"{x} and {y} become associated: also {change}."
        if change
        else f"a path between {x} and {y} opens, {_NO_CHANGE}"
    )
    sentence = f"{how}, {words}"
    if changed not in after or not change:
        name = "Collider opened" if changed in after else "Path opened"
        return Effect(sentence, name, f"{path} is open: {path.reason(after)}")
    name = "Explaining away" if _explains_away(network, x, y, before, after) else "Collider opened"
    yes = holds_level(network, y)
    reason = (
        f"Without {changed} known the two are independent: {_p(network, x)} stays {chance_in_percent(stays)} "
        f"whether or not {y} = {yes}."
    )
    return Effect(sentence, name, reason)


def _explains_away(network: Network, x: str, y: str, before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """True where the effect makes both causes more probable, and each of them then makes the other less so."""
    causes = ((x, y), (y, x))
    prior, given = posteriors(network, before), posteriors(network, after)
    for cause, other in causes:
        code = _code(network, cause)
        if not given[cause][code] > prior[cause][code] + _SAME:
            return False
        if not 0 < given[other][_code(network, other)] < 1:
            return False
        both = posteriors(network, {**after, other: holds_level(network, other)})
        if not both[cause][code] < given[cause][code] - _SAME:
            return False
    return True


def _closed(
    network: Network, x: str, y: str, before: Mapping[str, str], after: Mapping[str, str], changed: str
) -> Effect:
    """The change left no path between X and Y open."""
    graph = to_networkx(network.parents, network.names)
    was, _ = _chances(network, x, y, after)
    yes = f"{y} = {holds_level(network, y)}"
    kinds = {
        triple.kind for path in open_paths(graph, x, y, before) for triple in path.triples(after) if not triple.is_open
    }
    name = (
        f"{next(iter(kinds)).capitalize()} {'blocked' if changed in after else 'closed'}"
        if len(kinds) == 1
        else ("Paths blocked")
    )
    how = f"Given {changed} = {after[changed]}" if changed in after else f"Without {changed} known"
    sentence = f"{how}, {x} and {y} are independent: {yes} leaves {_p(network, x)} at {chance_in_percent(was)}."
    p, q = _chances(network, x, y, before)
    reason = (
        f"Before, {yes} changed it from {chance_in_percent(p)} to {chance_in_percent(q)}; now every path is blocked."
    )
    return Effect(sentence, name, reason if abs(p - q) > _SAME else "Every path between them is blocked.")


def _on_target(
    network: Network, target: str, before: Mapping[str, str], after: Mapping[str, str], changed: str
) -> Effect:
    """Say what the change did to the probability of a variable."""
    graph = to_networkx(network.parents, network.names)
    code = _code(network, target)
    rest = [name for name in after if name not in (changed, target)]
    ways = open_paths(graph, changed, target, rest)
    was = float(posteriors(network, before)[target][code])
    now = float(posteriors(network, after)[target][code]) if ways else was  # sampled ones would differ by chance
    verb = _verb(was, now)
    given = _given({name: level for name, level in after.items() if name not in (changed, target)})
    if changed not in after:
        subject = f"{'clearing' if given else 'Clearing'} {changed}"
    elif changed in before:
        subject = f"{changed} = {after[changed]} in place of {before[changed]}"
    else:
        subject = f"{changed} = {after[changed]}"
    numbers = (
        f"at {chance_in_percent(was)}"
        if verb == "leaves"
        else f"from {chance_in_percent(was)} to {chance_in_percent(now)}"
    )
    sentence = _capital(f"{given}{subject} {verb} {_p(network, target)} {numbers}.")
    if not ways:
        return Effect(sentence, "Independent", f"No path between {changed} and {target} is open.")
    name = ""
    opened = _opened_collider(ways[0], rest)
    if opened is not None and changed in after and target not in before and changed not in before:
        without = {key: level for key, level in before.items() if key != opened}
        with_it = dict(before)
        if d_separated(graph, changed, target, without) and _explains_away_by(
            network, target, changed, without, with_it, after
        ):
            name = "Explaining away"
    return Effect(sentence, name, ways[0].describe(rest))


def _explains_away_by(
    network: Network,
    target: str,
    changed: str,
    without: Mapping[str, str],
    before: Mapping[str, str],
    after: Mapping[str, str],
) -> bool:
    """True where the collider made both causes more probable, and the one now known made the other less so."""
    code = _code(network, target)
    level = network.levels[network.names.index(changed)].index(after[changed])
    bare, opened, closed = (posteriors(network, known) for known in (without, before, after))
    return bool(
        opened[target][code] > bare[target][code] + _SAME
        and opened[changed][level] > bare[changed][level] + _SAME
        and closed[target][code] < opened[target][code] - _SAME
    )


def _opened_collider(path: Path, given: list[str]) -> str | None:
    """The known variable that opens the only collider of a path; None where it has none or several."""
    known = [triple.known for triple in path.triples(given) if triple.kind == "collider"]
    return str(known[0]) if len(known) == 1 else None


def _most_changed(network: Network, before: Mapping[str, str], after: Mapping[str, str], changed: str) -> str | None:
    was, now = posteriors(network, before), posteriors(network, after)
    free = [name for name in network.names if name not in after and name != changed]
    return max(free, key=lambda name: float(np.abs(now[name] - was[name]).max()), default=None)


def _chances(network: Network, x: str, y: str, known: Mapping[str, str]) -> tuple[float, float]:
    """P(X holds) without and with Y holding."""
    code = _code(network, x)
    without = float(posteriors(network, known)[x][code])
    chance = posteriors(network, known)[y][_code(network, y)]
    if not chance > 0:
        return without, without
    return without, float(posteriors(network, {**known, y: holds_level(network, y)})[x][code])


def _change(network: Network, x: str, y: str, known: Mapping[str, str]) -> str:
    """Say what Y holding does to P(X holds); where that is nothing, the largest change by any level; "" without one."""
    was, now = _chances(network, x, y, known)
    y_level, x_level = holds_level(network, y), holds_level(network, x)
    if _verb(was, now) == "leaves":
        bare = posteriors(network, known)
        shifts = [
            (abs(after - before), after, before, other, level)
            for other, chance in zip(_levels(network, y), bare[y], strict=True)
            if chance > 0
            for before, after, level in zip(
                bare[x], posteriors(network, {**known, y: other})[x], _levels(network, x), strict=True
            )
        ]
        shift, now, was, y_level, x_level = max(shifts)
        if shift <= _SAME:
            return ""
    numbers = f"from {chance_in_percent(was)} to {chance_in_percent(now)}"
    return f"knowing {y} = {y_level} {_verb(was, now)} P({x} = {x_level}) {numbers}"


def _verb(was: float, now: float) -> str:
    return "leaves" if abs(now - was) <= _SAME else "raises" if now > was else "lowers"


def _p(network: Network, name: str) -> str:
    return f"P({name} = {holds_level(network, name)})"


def _levels(network: Network, name: str) -> tuple[str, ...]:
    return network.levels[network.names.index(name)]


def _code(network: Network, name: str) -> int:
    return network.levels[network.names.index(name)].index(holds_level(network, name))


def _given(known: Mapping[str, str]) -> str:
    """Name what is known, as a sentence begins with it; many are counted."""
    if not known:
        return ""
    if len(known) > 2:
        return f"given {len(known)} known variables, "
    return "given " + " and ".join(f"{name} = {level}" for name, level in known.items()) + ", "


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] if text.startswith("given ") else text
