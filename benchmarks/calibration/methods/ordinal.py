"""How often ordinal networks claim links that are not there, find those that are, and how far their intervals hold.

Truths are latent normal models cut into levels, so the partial correlation that a claim speaks of is known: of the two
hidden values given the other parents that the network has for the later one. The bars were set before any table was
drawn: of tables without a link at most 7 % have one claimed; a planted link is claimed in four of five; of links that
are claimed at most 7 % have a true partial correlation of 0; of those said to be below the margin at most 7 % are not;
a 95 % interval of a link in the network holds the true value in 92 to 98 %.
"""

from __future__ import annotations

from functools import partial

import networkx as nx
import numpy as np

from benchmarks.calibration.cell import Bar, Cell, Counted
from benchmarks.ordinal.gaps import with_gaps
from engine.data.dataset import Dataset
from engine.graphs.dag import topological_order
from engine.methods.evidence import NO, YES
from engine.methods.ordinal.method import Ordinal
from engine.methods.ordinal.result import OrdinalResult
from engine.simulation.ordinal import LatentModel, cut_graph, full_sample, random_latent_model

ANY = "null tables with any link claimed"
PLANTED = "a planted link claimed"
STRONG = "a planted link said to be below the margin"
NOTHING = "links claimed although the true partial correlation is 0"
BESIDE = "links claimed between variables that are not linked in the true network"
EXCEEDS = "pairs said to be below the margin although they are not"
HELD = "interval of a link in the network holds the true partial correlation"
UNLINKED = "interval of a pair without a link holds it"
FOUND = "true links claimed"
BARS = {
    ANY: Bar(high=0.07),
    PLANTED: Bar(low=0.8),
    STRONG: Bar(high=0.07),
    NOTHING: Bar(high=0.07, least=100),
    EXCEEDS: Bar(high=0.07, least=100),
    HELD: Bar(low=0.92, high=0.98, least=100),
}
NEIGHBOURS = 3.0
WEIGHT = 0.5
"""Of a planted link, while the noise has sd 1: a correlation of 0.45."""
_NONE = 1e-9


def cells() -> list[Cell]:
    """Tables without a link, with one, and of random networks."""
    return [
        Cell("300 rows, 8 unrelated variables", partial(_null, 300, 8, 3), 0.4),
        Cell("1,000 rows, 8 unrelated variables", partial(_null, 1000, 8, 3), 0.4),
        Cell("300 rows, 12 unrelated variables of two levels", partial(_null, 300, 12, 2), 0.4),
        Cell("300 rows, 8 variables, one link", partial(_planted, 300, 8, 3), 0.4),
        Cell("500 rows, 8 variables of two levels, one link", partial(_planted, 500, 8, 2), 0.4),
        Cell("500 rows, 10 variables, random networks", partial(_network, 500, 0.0), 0.2),
        Cell("1,500 rows, 10 variables, random networks", partial(_network, 1500, 0.0), 0.2),
        Cell("500 rows, 10 variables, random networks, 5 % missing", partial(_network, 500, 0.05), 0.2),
    ]


def _run(data: Dataset, generator: np.random.Generator, missing: str = "refuse") -> OrdinalResult:
    return Ordinal(missing=missing, seed=int(generator.integers(1 << 31))).run(data)


def _null(rows: int, variables: int, levels: int, generator: np.random.Generator) -> Counted:
    """Variables that have nothing to do with each other, shares of levels as the paper draws them."""
    model = random_latent_model(variables, generator, 0.0, levels)
    _, data = full_sample(model, rows, generator)
    claims = _run(data, generator).claims()
    return {ANY: (int((claims["verdict"] == YES).any()), 1)}


def _planted(rows: int, variables: int, levels: int, generator: np.random.Generator) -> Counted:
    """One link of either sign, all else unrelated."""
    graph = nx.DiGraph()
    graph.add_nodes_from(f"v{i:02d}" for i in range(variables))
    one, other = generator.permutation(variables)[:2]
    ends = f"v{one:02d}", f"v{other:02d}"
    graph.add_edge(*ends, weight=WEIGHT * (1 if generator.random() < 0.5 else -1))
    sizes = {name: int(generator.integers(2, 2 * levels - 1)) for name in graph}
    _, data = full_sample(cut_graph(graph, sizes, generator), rows, generator)
    result = _run(data, generator)
    claims = result.claims().set_index(result.claims()["about"].map(lambda about: frozenset(_ends(about))))
    own = claims.loc[[frozenset(ends)]].iloc[0]
    others = claims.drop(index=[frozenset(ends)])
    return {
        PLANTED: (int(own["verdict"] == YES), 1),
        STRONG: (int(own["verdict"] == NO), 1),
        "another link claimed beside it": (int((others["verdict"] == YES).any()), 1),
    }


def _ends(about: str) -> list[str]:
    """Both names of 'a -> b' or 'a -- b'."""
    return about.replace(" -> ", " -- ").split(" -- ")


def _network(rows: int, missing: float, generator: np.random.Generator) -> Counted:
    """A random network as the paper draws them, with fewer links, and every claim about it."""
    model, data = full_sample(random_latent_model(10, generator, NEIGHBOURS), rows, generator)
    if missing:
        data = with_gaps(data, missing, generator)
    result = _run(data, generator, "latent" if missing else "refuse")
    true = {frozenset(arc) for arc in model.graph.edges}
    counted = dict.fromkeys((NOTHING, BESIDE, EXCEEDS, HELD, UNLINKED, FOUND), (0, 0))

    def count(what: str, hit: bool) -> None:
        hits, of = counted[what]
        counted[what] = hits + int(hit), of + 1

    linked = {frozenset(pair) for pair, _ in result.edge_pairs}
    for one in result.claims().itertuples():
        pair = frozenset(_ends(one.about))
        value = true_partial(model, result, *_ends(one.about))
        count(HELD if pair in linked else UNLINKED, one.low <= value <= one.high)
        if one.verdict == YES:
            count(NOTHING, abs(value) < _NONE)
            count(BESIDE, pair not in true)
        if one.verdict == NO:
            count(EXCEEDS, abs(value) >= result.method.margin)
        if pair in true:
            count(FOUND, one.verdict == YES)
    return counted


def true_partial(model: LatentModel, result: OrdinalResult, a: str, b: str) -> float:
    """The true partial correlation of two hidden values given the other parents that a result has for the later one.

    Parameters
    ----------
    model : the truth
    result : its networks, over the same variables
    a, b : names
    """
    names = list(result.names)
    alphabet = sorted(range(len(names)), key=names.__getitem__)
    order = topological_order(result.parents, [alphabet.index(i) for i in range(len(names))])
    source, child = sorted((names.index(a), names.index(b)), key=order.index)
    group = [source, child, *(x for x in result.parents[child] if x != source)]
    places = [model.names.index(names[x]) for x in group]
    precision = np.linalg.inv(model.correlation[np.ix_(places, places)])
    return float(-precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1]))
