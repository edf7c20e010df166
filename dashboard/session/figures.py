"""The figures drawn last, so that going back to a page, or moving a slider beside one, does not build it again."""

from __future__ import annotations

import hashlib
import pickle
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import plotly.graph_objects as go

MOST = 32
"""Figures that a session keeps; the one drawn longest ago goes first."""


class Figures:
    """Figures by what they were made of. Nobody changes one after it was made."""

    def __init__(self) -> None:
        self._figures: OrderedDict[bytes, go.Figure] = OrderedDict()

    def of(self, build: Callable[..., go.Figure], *inputs: Any) -> go.Figure:
        """The figure that `build` makes of these; it must be made of nothing else.

        Tables are computed anew at each run of a page, so what counts is what they hold: the same bytes make the same
        figure. Things that are alike and have other bytes cost a figure more, nothing else.
        """
        named = (build.__module__, build.__qualname__, inputs)
        key = hashlib.blake2b(pickle.dumps(named, pickle.HIGHEST_PROTOCOL), digest_size=16).digest()
        if key not in self._figures:
            self._figures[key] = build(*inputs)
        self._figures.move_to_end(key)
        while len(self._figures) > MOST:
            self._figures.popitem(last=False)
        return self._figures[key]

    def __len__(self) -> int:
        return len(self._figures)

    def clear(self) -> None:
        """Keep none."""
        self._figures.clear()
