"""What the first answers need, loaded and compiled while the reader still looks at the start page.

Only a thread of the launcher imports this file, so that the server answers before any of it is loaded.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import numpy as np
import pandas as pd
import pyvis.network  # noqa: F401 - loaded here for the pages
import scipy.special  # noqa: F401
import sklearn.metrics  # noqa: F401

import dashboard.views.evaluate.try_it
import dashboard.views.shared.sections  # noqa: F401
from dashboard.jobs.process import tiny_table
from dashboard.pages import method_pages
from engine.data.dataset import Dataset
from engine.evaluation.trials import every_trial

VIEWS = Path(__file__).parent / "views"


def warm_pages() -> None:
    """A first answer of every method and what its page makes of it by itself, so that the reader's own come at once."""
    data = tiny_table()
    every_trial()
    for page in method_pages():
        _load_views(page.slug)
        result = page.method.propose(data).run(data, *page.method.first_asked(data))
        if page.warm is not None:
            page.warm(result, data)
    numbers = _tiny_numbers()  # numbers have kernels of their own
    for page in method_pages():
        if not page.method.unfit(numbers):
            page.method.propose(numbers).run(numbers, *page.method.first_asked(numbers))


def _tiny_numbers() -> Dataset:
    """A table of a group, two numbers, an order and a word."""
    generator = np.random.default_rng(0)
    columns: dict[str, object] = {name: generator.normal(size=60).round(3) for name in ("a", "b")}
    columns |= {"rating": generator.integers(1, 5, 60), "word": generator.choice(["u", "v", "w"], 60)}
    table = pd.DataFrame(columns | {"group": ["x", "y"] * 30})
    return Dataset.from_frame(table, kinds={"a": "continuous", "b": "continuous", "rating": "ordinal"})


def _load_views(slug: str) -> None:
    """What the page of a method shows, where it has a folder of its own."""
    for module in iter_modules([str(VIEWS / slug)]):
        import_module(f"dashboard.views.{slug}.{module.name}")
