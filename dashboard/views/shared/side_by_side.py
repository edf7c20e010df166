"""Which part of the results page is on screen, and which results the page that compares them begins with."""

from __future__ import annotations

from dashboard.pages import COMPARE
from dashboard.session.cards import Card
from dashboard.session.keys import drop_value, has_value, set_value, widget_key
from dashboard.session.session import session

VIEWS = ("All results", "Report", "Save and open")
VIEW = widget_key("results", "view")
LEFT, RIGHT = widget_key(COMPARE.slug, "first"), widget_key(COMPARE.slug, "second")
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
    """Let the page that compares show these when it is drawn next; of several groups it finds the others itself."""
    session().page(COMPARE.slug).opened = None
    set_value(LEFT, first.number)
    if second is None:
        drop_value(RIGHT)
    else:
        set_value(RIGHT, second.number)
