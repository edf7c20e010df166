"""Which part of the results page is on screen, and which two results are side by side."""

from __future__ import annotations

from dashboard.session.cards import Card
from dashboard.session.keys import drop_value, has_value, set_value, widget_key

VIEWS = ("All results", "Compare two", "Report", "Save and open")
VIEW = widget_key("results", "view")
FIRST, SECOND = widget_key("results", "first"), widget_key("results", "second")
_ALL = "diptych.show_all"


def show_all() -> None:
    """Let the page begin with all results when it is drawn next."""
    set_value(_ALL, True)


def begin_view() -> None:
    """Called before the page draws its choice of views."""
    if has_value(_ALL):
        drop_value(_ALL)
        set_value(VIEW, VIEWS[0])


def compare(first: Card, second: Card | None = None) -> None:
    """Let the page show these side by side when it is drawn next; a callback."""
    set_value(VIEW, VIEWS[1])
    set_value(FIRST, first.number)
    if second is not None:
        set_value(SECOND, second.number)
