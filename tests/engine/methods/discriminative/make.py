"""Small series and rows of two classes for these tests."""

from __future__ import annotations

import numpy as np
import pandas as pd

import engine
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.pipeline import coding_of, counted_by
from engine.methods.discriminative.points import Points, points_of

METHOD = engine.Discriminative("class", shuffles=0)


def series_frame(
    subjects: int = 12, steps: int = 40, variables: int = 4, seed: int = 0, strength: float = 0.8, numbers: bool = False
) -> pd.DataFrame:
    """In class "ill" v1 follows v0 of the step before; all else is noise. Lengths differ a little."""
    rng = np.random.default_rng(seed)
    parts = []
    for s in range(subjects):
        ill = s % 2 == 1
        many = steps + int(rng.integers(0, 4))
        codes = rng.integers(0, 3, (many, variables))
        if ill:
            follows = rng.random(many - 1) < strength
            codes[1:, 1] = np.where(follows, codes[:-1, 0], codes[1:, 1])
        values = codes + rng.random(codes.shape) * 0.9 if numbers else codes
        part = pd.DataFrame(values, columns=[f"v{i}" for i in range(variables)])
        part.insert(0, "time", np.arange(many))
        part.insert(0, "who", f"s{s:02d}")
        part["class"] = "ill" if ill else "well"
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def dataset(frame: pd.DataFrame, **more: object) -> engine.Dataset:
    """The frame as series."""
    return engine.Dataset.from_frame(frame, roles={"who": "subject", "time": "time"}, **more)


def row_frame(rows: int = 160, seed: int = 0, variables: int = 4) -> pd.DataFrame:
    """Rows in which v1 is v0 for class "ill" and is not for "well"; a third is ill."""
    rng = np.random.default_rng(seed)
    ill = rng.random(rows) < 1 / 3
    codes = rng.integers(0, 2, (rows, variables))
    codes[:, 1] = np.where(rng.random(rows) < 0.85, np.where(ill, codes[:, 0], 1 - codes[:, 0]), codes[:, 1])
    frame = pd.DataFrame(codes, columns=[f"v{i}" for i in range(variables)]).astype(str)
    frame["class"] = np.where(ill, "ill", "well")
    return frame


def points(frame: pd.DataFrame, **more: object) -> Points:
    """The points of series."""
    return points_of(dataset(frame, **more), "class")


def counted(of: Points, method: engine.Discriminative = METHOD) -> Counted:
    """All of them, coded by all of them."""
    return counted_by(of, coding_of(of, of.labels >= 0, method), method)
