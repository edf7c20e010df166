"""Names and levels in charts: nothing out of a file is markup, and a long one is cut before it is escaped."""

from __future__ import annotations

from engine.telling.charts.labels import escape


def test_names_out_of_a_file_are_no_markup() -> None:
    """Tags, entities, control signs and the signs of formulas are shown as they stand."""
    shown = escape("<b onclick=x>&lt;$\\alpha$\x07\u202e", 60)
    assert "<" not in shown and "$" not in shown and "\x07" not in shown and "\u202e" not in shown
    assert shown.startswith("&lt;b onclick=x&gt;&amp;lt;")


def test_a_long_name_is_cut() -> None:
    """Signs are counted before they are escaped, so that no entity is cut in two."""
    assert escape("<<<<<<", 4) == "&lt;&lt;&lt;…"
