"""Which methods bring what a method need not bring; whoever adds one is asked for no more than that."""

from __future__ import annotations

from dashboard.pages import METHOD_PAGES
from engine.methods.method import Method
from engine.methods.registry import METHODS

OURS = [slug for slug, kind in METHODS.items() if kind.__module__.startswith("engine.")]
"""Those that come with Diptych: they have a folder with a README, answers in stored files, studies."""
WITH_COST = [slug for slug, kind in METHODS.items() if kind.cost is not Method.cost]
"""Those that say what a run takes."""
WITH_PAGE = [slug for slug in METHODS if slug in METHOD_PAGES]
"""Those with a page of their own; the others are shown on one made of their words."""
