"""Two edges at once: join a variable to two adjacent ones where no single edge pays.

The paper names this limit of forward selection in its section VI and leaves it open. For an edge {y, z} and a variable
x that may be joined to y with separator S, S inside the neighbours of z, the two additions x-y and x-z gain together

    w(S+x+y+z) + w(S) - w(S+x) - w(S+y+z)

the information of x and the pair (y, z) given S; an exclusive-or shows here and nowhere before.
"""

from __future__ import annotations

import numpy as np

from engine.counting import addition_counts, kernels
from engine.graphs.dag import bits
from engine.methods.log_linear.criteria import MML, graph_term
from engine.methods.log_linear.search import Search


class JointMoves:
    """The joint candidates of a search; what is counted once is kept."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self._free: dict[tuple[int, int], np.ndarray] = {}
        self._bound: dict[tuple[int, int, int, int], float] = {}

    def take_best(self) -> bool:
        """Make the best joint move if it pays; whether one was made. Ties go to the lowest edge, then variable."""
        search = self.search
        best: tuple[float, int, int, int] | None = None
        for y, z in search.graph.edges():
            for value, x, near, far in self._of_edge(y, z):
                if best is None or value > best[0] + search.tolerance:
                    best = value, x, near, far
        if best is None or best[0] - self._stop() <= search.tolerance:
            return False
        worth = best[0] - self._stop()
        _, x, near, far = best
        search.add(min(x, near), max(x, near), worth, joint=True)
        search.add(min(x, far), max(x, far), worth, joint=True)
        return True

    def _stop(self) -> float:
        """The two graph terms; the other criteria have none."""
        search = self.search
        if not isinstance(search.criterion, MML):
            return 0.0
        return graph_term(search.pairs, search.graph.n_edges) + graph_term(search.pairs, search.graph.n_edges + 1)

    def _of_edge(self, y: int, z: int) -> list[tuple[float, int, int, int]]:
        """The best variable of another component for this edge, and every one of its own: (rank, x, first, second)."""
        search = self.search
        found = []
        whole = search.graph.component(y)
        if (y, z) not in self._free:
            others = np.array([x for x in range(search.n) if x not in (y, z)], dtype=np.int64)
            values = np.full(search.n, -np.inf)
            values[others] = self._ranks(others, y, z, ())
            barred = [x for x in others.tolist() if (x, y) in search.barred or (x, z) in search.barred]
            values[barred] = -np.inf
            self._free[y, z] = values
        values = self._free[y, z].copy()
        values[list(bits(whole))] = -np.inf
        if search.max_clique is not None and search.max_clique < 3:
            return []
        x = int(np.argmax(values >= values.max(initial=-np.inf) - search.tolerance))
        if values[x] > -np.inf:
            found.append((float(values[x]), x, y, z))
        for near, far in ((y, z), (z, y)):
            row = search.rank[near]
            for x in bits(whole & ~search.graph.neighbours[near] & ~(1 << near)):
                if row[x] == -np.inf or search.graph.has(x, far) or (x, far) in search.barred:
                    continue
                separator = search.graph.neighbours[x] & search.graph.neighbours[near]
                if separator & ~search.graph.neighbours[far]:
                    continue
                if search.max_clique is not None and separator.bit_count() + 3 > search.max_clique:
                    continue
                key = (x, near, far, separator)
                if key not in self._bound:
                    given = tuple(bits(separator))
                    self._bound[key] = float(self._ranks(np.array([x]), near, far, given)[0])
                found.append((self._bound[key], x, near, far))
        return found

    def _ranks(self, others: np.ndarray, y: int, z: int, given: tuple[int, ...]) -> np.ndarray:
        """The criterion's rank of joining each of `others` to y and z at once."""
        search, counts = self.search, self.search.counts
        weights = search.criterion.weights
        parents = tuple(counts.column[[*given, z]].tolist())
        counted = addition_counts(counts.data, int(counts.column[y]), parents, counts.column[others])
        information = np.empty(len(others))
        if counted is None:
            for i, x in enumerate(others.tolist()):
                whole = counts.margin((*given, y, z, x))
                parts = [whole.over(g).weight(weights) for g in (given, (*given, x), (*given, y, z))]
                information[i] = whole.weight(weights) + parts[0] - parts[1] - parts[2]
        else:
            pair = int(counts.arity[y] * counts.arity[z])
            q = counted.configurations // int(counts.arity[z])
            for s in set(counts.arity[others].tolist()):
                members = np.flatnonzero(counts.arity[others] == s)
                out = np.empty(len(members))
                kernels().table_information(counted.tables, members, q, pair, s, weights, out)
                information[members] = out
        configurations = np.prod(counts.arity[list(given)], dtype=float)
        degrees = (counts.arity[others] - 1.0) * (counts.arity[y] * counts.arity[z] - 1.0) * configurations
        ranks = search.criterion.rank(information, degrees)
        return np.where(counts.arity[others] > 1, ranks, -np.inf)
