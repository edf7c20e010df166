"""Libraries that take long to load, each loaded at the first use of one of its names: `from engine.lazy import pd`."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["go", "nx", "pa", "pc", "pd", "pq", "special"]


class LazyModule(ModuleType):
    """Stands for a module that is loaded when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    import plotly.graph_objects as go
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    from scipy import special
else:
    nx = LazyModule("networkx")
    pd = LazyModule("pandas")
    go = LazyModule("plotly.graph_objects")
    pa = LazyModule("pyarrow")
    pc = LazyModule("pyarrow.compute")
    pq = LazyModule("pyarrow.parquet")
    special = LazyModule("scipy.special")
