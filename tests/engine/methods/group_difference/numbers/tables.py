"""Seeded tables of numbers, ordered and nominal columns in two groups, for the proofs beside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import engine

KINDS = {"step": "ordinal", "level": "continuous", "score": "continuous"}


def mixed_frame(rows: int, seed: int, share: float = 0.5, gaps: bool = True) -> pd.DataFrame:
    """Two numbers (one with many ties, the other with gaps and a shift), an ordered column, two nominal ones."""
    rng = np.random.default_rng(seed)
    second = rng.permutation(rows) < share * rows
    x = rng.normal(size=rows)
    frame = pd.DataFrame(
        {
            "level": x.round(1),
            "score": 0.6 * x + rng.normal(size=rows) + 0.5 * second,
            "step": np.clip((x + rng.normal(size=rows)).round(), -1, 2).astype(int).astype(str),
            "kind": rng.choice(["p", "q", "r"], rows),
            "sign": np.where(x + rng.normal(size=rows) > 0.3, "yes", "no"),
            "group": np.where(second, "b", "a"),
        }
    )
    if gaps:
        frame.loc[rng.random(rows) < 0.1, "score"] = np.nan
        frame.loc[rng.random(rows) < 0.07, "step"] = None
        frame.loc[rng.random(rows) < 0.05, "kind"] = None
    return frame


def mixed_data(rows: int, seed: int, share: float = 0.5, gaps: bool = True, **choices: Any) -> engine.Dataset:
    """The same as a data set in which missing is a level."""
    frame = mixed_frame(rows, seed, share, gaps)
    columns = {name: kind for name, kind in KINDS.items() if name in frame}
    return engine.Dataset.from_frame(frame, missing="level", kinds=columns, rare=0, **choices)
