"""Tables whose rows belong together, are copies, or follow each other."""

from __future__ import annotations

import numpy as np
import pandas as pd


def clustered(
    seed: int, sizes: list[int], icc: float, variables: int = 6, group: bool = True
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(p, n) binary codes in a chain, group and cluster of each row; whole clusters are of one group."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    side = (rng.permutation(len(sizes)) % 2)[cluster] if group else rng.integers(0, 2, len(cluster))
    spread = np.sqrt(icc / (1 - icc) * np.pi**2 / 3)
    codes = np.zeros((variables, len(cluster)), dtype=np.int64)
    for i in range(variables):
        eta = rng.normal(0, spread, len(sizes))[cluster] - 0.5 + (codes[i - 1] if i else 0)
        codes[i] = rng.random(len(cluster)) < 1 / (1 + np.exp(-eta))
    return codes, side, cluster


def frame(codes: np.ndarray, group: np.ndarray, cluster: np.ndarray, column: str = "clinic") -> pd.DataFrame:
    """The same as a table of words."""
    table: dict[str, object] = {f"x{i}": np.where(one == 1, "yes", "no") for i, one in enumerate(codes)}
    return pd.DataFrame(
        table | {"arm": np.where(group == 1, "B", "A"), column: [f"C{number:03d}" for number in cluster]}
    )


def with_gaps(table: pd.DataFrame, name: str, share: np.ndarray, seed: int = 0) -> pd.DataFrame:
    """With gaps in one column, each row with its own probability."""
    gone = np.random.default_rng(seed).random(len(table)) < share
    return table.assign(**{name: table[name].astype(object).mask(gone)})
