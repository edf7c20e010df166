"""Libraries that take long to load, each loaded at the first use of one of its names: `from engine.lazy import pd`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["go", "nx", "pa", "pc", "pd", "pq", "special", "stats", "subplots"]

_loaded = cache(import_module)


class LazyModule:
    """Stands for a module that is loaded when something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(_loaded(self._name), name)


if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    import plotly.graph_objects as go
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    from plotly import subplots
    from scipy import special, stats
else:
    nx = LazyModule("networkx")
    pd = LazyModule("pandas")
    go = LazyModule("plotly.graph_objects")
    subplots = LazyModule("plotly.subplots")
    pa = LazyModule("pyarrow")
    pc = LazyModule("pyarrow.compute")
    pq = LazyModule("pyarrow.parquet")
    special = LazyModule("scipy.special")
    stats = LazyModule("scipy.stats")
