"""The test of nodes that are more central in one group: strength and expected influence of each, and global strength.

A link counts in strength with its size, s times its estimate, where s is its sign: a group's own where its estimate is
clear (`SEEN` standard errors), else that of the mean over groups. That mean is uncorrelated with every difference, and
its covariance with a group's estimate is the same in all groups. So noise adds as much to every group's strength,
whatever its rows, where sums of absolute values grow as rows get fewer. Strength sums the links that are clearly there
over all groups (`Differences.seen`), expected influence all with their signs. Each sum's influence is that of its
links, so one set of draws corrects over all nodes and both measures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.comparison.difference import SEEN, Differences, common_z, find_differences
from engine.comparison.estimates import Estimates
from engine.comparison.link_estimates import LinkEstimates
from engine.comparison.scales import SCALES
from engine.lazy import pd, special
from engine.methods.fitting import check_that
from engine.methods.storing import storable

STRENGTH, INFLUENCE, GLOBAL = "strength", "expected influence", "global strength"
ALL = "all"
"""In place of a node: of global strength."""
_CONFIDENCE = 0.975


@storable
@dataclass(frozen=True, eq=False)
class NodeTest:
    """The test of nodes.

    Attributes
    ----------
    nodes : of strengths (p,) and then of expected influences (p,)
    whole : of global strength alone
    counted : links that strength sums
    unsigned : whether pairs of levels without an order were left out, which have no one sign
    """

    nodes: Differences
    whole: Differences
    counted: int
    unsigned: bool = False

    def _check_read(self) -> None:
        check_that(self.whole.value.shape[1] == 1, "its global strength is of several networks")
        check_that(len(self.whole.value) == len(self.nodes.value), "its nodes are of other groups")


def find_node_differences(links: LinkEstimates, seen: np.ndarray, draws: int, seed: int) -> NodeTest:
    """Test every node's two sums and global strength, by draws of the links' own influences."""
    nodes, whole = node_sums(links, seen)
    signed = signed_links(links)
    return NodeTest(
        find_differences(nodes, draws, seed, even=True),
        find_differences(whole, draws, seed, even=True),
        int((signed & seen).sum()),
        not bool(signed.all()),
    )


def node_sums(links: LinkEstimates, seen: np.ndarray) -> tuple[list[Estimates], list[Estimates]]:
    """(2 p,) strengths and expected influences of every group, and (1,) global strength."""
    p, signed = len(links.variables), signed_links(links)
    at = np.zeros((p, len(links.pairs)))
    for end in (0, 1):
        at[links.pairs[:, end], np.arange(len(links.pairs))] = 1.0
    mean = np.sign(common_z(links.groups))
    bounded = np.array([SCALES[scale].correlations for scale in links.scales or [links.scale] * len(links.pairs)])
    nodes, whole = [], []
    for group in links.groups:
        clear = np.abs(group.value) >= SEEN * np.sqrt(group.variance)
        sign = np.where(clear, np.sign(group.value), mean) * (signed & seen)
        shown = np.where(bounded, np.tanh(group.value), group.value) * links.weights
        slope = np.where(bounded, 1.0 - np.tanh(group.value) ** 2, 1.0) * links.weights
        sums = np.vstack([at * sign, at * signed])
        nodes.append(replace(group, value=sums @ shown, influence=(sums * slope) @ group.influence))
        total = sign[None]
        whole.append(replace(group, value=total @ shown, influence=(total * slope) @ group.influence))
    return nodes, whole


def signed_links(links: LinkEstimates) -> np.ndarray:
    """(q,) which estimates have one sign: not those of some levels against others."""
    return np.asarray((links.levels < 0).all(axis=(1, 2)))


def largest_differences(links: LinkEstimates) -> np.ndarray:
    """(2,) the largest |z| of a difference of any node's sums, and of global strength: what shuffles compare."""
    seen = np.abs(common_z(links.groups)) >= SEEN
    found = (find_differences(sums, 1, even=True).z for sums in node_sums(links, seen))
    return np.array([np.abs(z).max(initial=0.0) for z in found])


def permuted(test: NodeTest, shuffled: np.ndarray) -> np.ndarray:
    """p of every row of `node_table` by shuffles: the share of (B, 2) largest differences that are as large."""
    p = test.nodes.value.shape[1] // 2
    rows = ((test.whole, slice(0, 1), 1), (test.nodes, slice(0, p), 0), (test.nodes, slice(p, 2 * p), 0))
    z = [(np.abs(found.z[:, own]).ravel(), shuffled[:, of]) for found, own, of in rows]
    reached = [(largest[:, None] >= own - 1e-9).sum(axis=0) for own, largest in z]
    return np.asarray((1 + np.concatenate(reached)) / (1 + len(shuffled)))


def node_table(test: NodeTest, variables: Sequence[str], labels: Sequence[str]) -> pd.DataFrame:
    """A row a measure, node and pair of groups: both values with intervals, their difference, and p."""
    p = len(variables)
    frames = []
    for name, names, found, own in (
        (GLOBAL, [ALL], test.whole, slice(0, 1)),
        (STRENGTH, list(variables), test.nodes, slice(0, p)),
        (INFLUENCE, list(variables), test.nodes, slice(p, 2 * p)),
    ):
        for row, (i, j) in enumerate(found.pairs):
            columns: dict[str, object] = {"measure": name, "node": names}
            for letter, group in zip("ab", (i, j), strict=True):
                value = found.value[group, own]
                half = np.sqrt(found.variance[group, own]) * special.stdtrit(found.freedom[group], _CONFIDENCE)
                columns |= {letter: value, f"{letter}_low": value - half, f"{letter}_high": value + half}
            gap = found.value[j, own] - found.value[i, own]
            half = found.error[row, own] * special.stdtrit(found.degrees[row, own], _CONFIDENCE)
            ends = {"difference": gap, "low": gap - half, "high": gap + half, "p": found.p[row, own]}
            frames.append(pd.DataFrame(columns | ends | {"group_a": labels[i], "group_b": labels[j]}))
    return pd.concat(frames, ignore_index=True)
