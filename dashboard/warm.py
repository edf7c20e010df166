"""What the first answers need, loaded and compiled while the reader still looks at the start page.

Only a thread of the launcher imports this file, so that the server answers before any of it is loaded.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pyvis.network  # noqa: F401 - loaded here for the pages
import scipy.special  # noqa: F401
import sklearn.metrics  # noqa: F401

import dashboard.views.evaluate.try_it
import dashboard.views.shared.sections  # noqa: F401
from dashboard.jobs.process import tiny_table
from dashboard.pages import method_pages
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


def _load_views(slug: str) -> None:
    """Import the modules of a method's page, where it has a folder of its own."""
    for module in iter_modules([str(VIEWS / slug)]):
        import_module(f"dashboard.views.{slug}.{module.name}")
