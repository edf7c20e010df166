"""P(differs) and P(link) of five variables against all orders written out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest
from scipy.special import gammaln

import engine


def marginal(counts: np.ndarray, alpha: float) -> float:
    """ln of the Dirichlet-multinomial likelihood of one row of a table."""
    whole = gammaln(alpha * len(counts)) - gammaln(alpha * len(counts) + counts.sum())
    return float(whole + (gammaln(alpha + counts) - gammaln(alpha)).sum())


class Written:
    """A comparison from its definition: loops over orders, parent sets, all possible blocks and rows."""

    def __init__(
        self, frame: pd.DataFrame, levels: Mapping[str, tuple[str, ...]], method: engine.GroupDifference
    ) -> None:
        self.frame, self.levels, self.method = frame, levels, method
        self.names = list(levels)
        self.group = frame[method.group]
        self.labels = list(dict.fromkeys(sorted(self.group.unique())))
        self.most = method.max_parents if method.max_parents is not None else 3

    def worth(self, child: str, parents: tuple[str, ...]) -> dict[str, float]:
        """ln of prior times likelihood: mixed, the same everywhere, first group alone, second group alone."""
        r = len(self.levels[child])
        blocks = list(itertools.product(*(self.levels[x] for x in parents)))
        q = len(blocks)
        alpha = self.method.score.ess / (q * r) if isinstance(self.method.score, engine.BDeu) else 1.0
        log_same = math.log(self.method.p_none) / (len(self.names) * q)
        found = dict.fromkeys(
            ("mixed", "alike", "first", "second"), -math.log(math.comb(len(self.names) - 1, len(parents)))
        )
        for block in blocks:
            inside = np.ones(len(self.frame), dtype=bool)
            for name, level in zip(parents, block, strict=True):
                inside &= (self.frame[name] == level).to_numpy()
            one, other = (
                np.array(
                    [
                        ((self.frame[child] == level) & inside & (self.group == label)).sum()
                        for level in self.levels[child]
                    ]
                )
                for label in self.labels
            )
            same = log_same + marginal(one + other, alpha)
            apart = math.log(-math.expm1(log_same)) + marginal(one, alpha) + marginal(other, alpha)
            found["mixed"] += np.logaddexp(same, apart)
            found["alike"] += same
            found["first"] += marginal(one, alpha)
            found["second"] += marginal(other, alpha)
        return found

    def averaged(self) -> tuple[dict[str, float], dict[str, pd.DataFrame], float]:
        """P(differs) by variable, probabilities of arcs in either group and in both, P(nothing differs anywhere)."""
        known = self.method.knowledge
        forbidden, required = set(known.forbidden), set(known.required)
        tier = {name: number for number, names in enumerate(known.tiers or ()) for name in names}
        family: dict[tuple[str, tuple[str, ...]], dict[str, float]] = {}
        for child in self.names:
            others = [name for name in self.names if name != child]
            must = {parent for parent, end in required if end == child}
            for size in range(self.most + 1):
                for parents in itertools.combinations(others, size):
                    if must <= set(parents) and not any((x, child) in forbidden for x in parents):
                        family[child, parents] = self.worth(child, parents)
        sums = {kind: [] for kind in ("mixed", "alike", "first", "second")}
        differs = {name: [] for name in self.names}
        arcs: dict[str, dict[tuple[str, str], list[float]]] = {kind: {} for kind in sums}
        for order in itertools.permutations(self.names):
            place = {name: i for i, name in enumerate(order)}
            late = any(tier[a] < tier[b] and place[a] > place[b] for a in tier for b in tier)
            if late or any(place[a] > place[b] for a, b in required):
                continue
            allowed = {
                name: [
                    parents
                    for child, parents in family
                    if child == name and all(place[x] < place[name] for x in parents)
                ]
                for name in self.names
            }
            for kind in sums:
                whole = {n: np.logaddexp.reduce([family[n, p][kind] for p in allowed[n]]) for n in self.names}
                sums[kind].append(sum(whole.values()))
                for n in self.names:
                    for x in self.names:
                        share = sum(math.exp(family[n, p][kind] - whole[n]) for p in allowed[n] if x in p)
                        arcs[kind].setdefault((x, n), []).append(share)
            for n in self.names:
                alike = np.logaddexp.reduce([family[n, p]["alike"] for p in allowed[n]])
                differs[n].append(-math.expm1(alike - np.logaddexp.reduce([family[n, p]["mixed"] for p in allowed[n]])))
        weights = {kind: np.exp(np.array(values) - np.logaddexp.reduce(values)) for kind, values in sums.items()}
        tables = {
            kind: pd.DataFrame(
                {n: {x: float(weights[kind] @ arcs[kind][x, n]) for x in self.names} for n in self.names}
            )
            for kind in ("mixed", "first", "second")
        }
        none = float(np.logaddexp.reduce(sums["alike"]) - np.logaddexp.reduce(sums["mixed"]))
        return {n: float(weights["mixed"] @ values) for n, values in differs.items()}, tables, math.exp(none)


def with_gaps(rows: int = 90) -> pd.DataFrame:
    """Five columns of words with gaps that become a level, and a group that moves one of them."""
    rng = np.random.default_rng(4)
    group = rng.permutation(np.repeat(["A", "B"], rows // 2))
    a = rng.choice(["no", "yes"], rows)
    b = np.where(rng.random(rows) < 0.75, a, rng.choice(["no", "yes"], rows))
    c = np.where((b == "yes") & (group == "B"), "high", rng.choice(["low", "high", "mid"], rows))
    frame = pd.DataFrame({"a": a, "b": b, "c": c, "d": rng.choice(["x", "y"], rows), "e": rng.choice(["0", "1"], rows)})
    frame.loc[rng.random(rows) < 0.15, "d"] = None
    frame.loc[(b == "yes") & (rng.random(rows) < 0.5), "a"] = None
    return frame.assign(group=group)


CASES = {
    "K2": {"score": engine.K2()},  # the paper's blocks; BDeu has common differences beside them (`numbers`)
    "another prior, two parents": {"p_none": 0.9, "max_parents": 2, "score": engine.K2()},
    "tiers": {"score": engine.K2(), "knowledge": engine.Knowledge(tiers=[["d", "a"], ["c"]])},
    "forbidden and required": {
        "score": engine.K2(),
        "knowledge": engine.Knowledge(forbidden=[("b", "c"), ("a", "d")], required=[("e", "b")]),
    },
}


@pytest.mark.parametrize("case", CASES)
def test_five_variables_equal_all_orders_written_out(case: str) -> None:
    """P(differs), the links of both groups and of the shared structure, and P(nothing differs), to ten digits."""
    data = engine.Dataset.from_frame(with_gaps(), missing="level")
    assert len(data.levels["a"]) == 3, "missing is a level"
    method = engine.GroupDifference(group="group", **CASES[case])
    result = method.run(data)
    frame = pd.DataFrame({name: np.array(data.levels[name], dtype=object)[data.column(name)] for name in data.names})
    differs, tables, none = Written(frame, {name: data.levels[name] for name in result.names}, method).averaged()
    found = result.variables()["probability"]
    assert all(found[name] == pytest.approx(p, abs=1e-10) for name, p in differs.items())
    assert result.p_any == pytest.approx(1 - none, abs=1e-10)
    arcs = zip(("first", "second", "mixed"), (*result.average.arcs, result.posterior.arcs), strict=True)
    for kind, probabilities in arcs:
        expected = tables[kind].loc[list(result.names), list(result.names)].to_numpy()
        np.testing.assert_allclose(probabilities, expected, atol=1e-10)
    links = result.links().set_index(["source", "target"])
    for (source, target), row in links.iterrows():
        both = tables["first"].at[source, target] + tables["first"].at[target, source]
        assert row["probability_first"] == pytest.approx(both, abs=1e-10)
