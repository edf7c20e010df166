"""Settings that ask for an edge, or against it, and settings that go on from a model made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from engine.methods.log_linear.result import LogLinearModel
from engine.methods.log_linear.settings import LogLinearSettings, Pairs
from engine.search.knowledge import Knowledge

Asked = TypeVar("Asked", bound=LogLinearSettings)
Pair = tuple[str, str]


def demanded(method: Asked, pair: Pair, *, there: bool) -> Asked:
    """The same search with this edge forced, or forbidden; what said the opposite is lifted."""
    forced, forbidden = _but(method.forced, pair), _but(method.forbidden, pair)
    if there:
        free = Knowledge(_but(method.knowledge.forbidden, pair), method.knowledge.required)
        return replace(method, forced=(*forced, pair), forbidden=forbidden, knowledge=free)
    free = Knowledge(method.knowledge.forbidden, _but(method.knowledge.required, pair))
    start = _but(method.start, pair)
    return replace(method, forced=forced, forbidden=(*forbidden, pair), start=start, knowledge=free)


def onwards(method: Asked, model: LogLinearModel) -> Asked:
    """The same search, begun from the edges of a model, which decide over what is forced or forbidden."""
    edges = tuple(model.worth)
    there = set(map(frozenset, edges))
    forced = tuple(pair for pair in method.must if frozenset(pair) in there)
    forbidden = tuple(pair for pair in method.barred if frozenset(pair) not in there)
    return replace(method, start=edges, forced=forced, forbidden=forbidden, knowledge=Knowledge())


def _but(pairs: Pairs, pair: Pair) -> Pairs:
    return tuple(one for one in pairs if set(one) != set(pair))
