"""Three and more groups in numbers: every arm against the control."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.lazy import nx, pd
from engine.methods import frames
from engine.methods.described_rows import DescribedRows
from engine.methods.evidence import Evidence
from engine.methods.group_difference.evidence import GroupDifferenceEvidence, sureness, surest_first


@dataclass(frozen=True, eq=False, repr=False)
class ArmsEvidence(Evidence):
    """The findings of comparisons of each arm with the control.

    Attributes
    ----------
    pairs : the control against each other level, in the order of the levels; the prior that nothing differs is that of
        all together
    trend : (n,) rank correlation of each variable with the order of the arms, NaN where they or it have none
    p_trend : (n,) of the test that it is 0, corrected by Holm
    described : all rows of all arms, in every variable; None in an answer that an older version saved
    """

    pairs: tuple[GroupDifferenceEvidence, ...]
    trend: np.ndarray
    p_trend: np.ndarray
    described: DescribedRows | None = None

    @property
    def control(self) -> str:
        """The level that every other one is compared with."""
        return self.pairs[0].labels[0]

    @property
    def labels(self) -> tuple[str, ...]:
        """The arms, the control first."""
        return (self.control, *(pair.labels[1] for pair in self.pairs))

    @property
    def n(self) -> tuple[int, ...]:
        """Rows of each of `labels`."""
        return (self.pairs[0].n[0], *(pair.n[1] for pair in self.pairs))

    @property
    def n_rows(self) -> int:
        """Rows of all arms."""
        return sum(self.n)

    @property
    def ordered(self) -> bool:
        """True where the arms have an order, along which a trend was tested."""
        return bool(np.isfinite(self.trend).any())

    @cached_property
    def strongest(self) -> GroupDifferenceEvidence:
        """The pair whose first variable differs most surely."""
        return min(self.pairs, key=lambda pair: sureness(pair.verdicts)[0])

    @property
    def prior_of_each(self) -> float:
        """Prior probability that nothing differs in one arm, so that all together have that of the settings."""
        return shared_prior(self.method.p_none, len(self.pairs))

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """One row a variable, of the arm in which it differs most surely, with its trend."""
        every = surest_first(pd.concat([pair.verdicts.assign(arm=pair.labels[1]) for pair in self.pairs]))
        result = every[~every.index.duplicated()].copy()
        result.insert(0, "arm", result.pop("arm"))
        trends = frames.data_frame({"trend": self.trend, "p_trend": self.p_trend}, names=self.names)
        return result.join(trends)

    def graphs(self) -> dict[str, nx.DiGraph]:
        """{title: network} of the control and of each arm, what differs marked as against the control."""
        first = dict(list(self.strongest.graphs().items())[:1])
        return first | {title: graph for pair in self.pairs for title, graph in list(pair.graphs().items())[1:2]}


def shared_prior(p_none: float, pairs: int) -> float:
    """The prior of each of several pairs, so that all together have this one."""
    return float(p_none ** (1 / pairs))
