"""The frame of charts: nothing out of a file is markup, and a chart has the letters of all."""

from __future__ import annotations

import subprocess
import sys

from engine.charts import frame


def test_names_out_of_a_file_are_no_markup() -> None:
    """Tags, entities, control signs and the signs of formulas are shown as they stand."""
    shown = frame.text("<b onclick=x>&lt;$\\alpha$\x07\u202e", 60)
    assert "<" not in shown and "$" not in shown and "\x07" not in shown and "\u202e" not in shown
    assert shown.startswith("&lt;b onclick=x&gt;&amp;lt;")


def test_a_long_name_is_cut() -> None:
    """Signs are counted before they are escaped, so that no entity is cut in two."""
    assert frame.text("<<<<<<", 4) == "&lt;&lt;&lt;…"


def test_plotly_is_loaded_when_a_chart_is_asked_for() -> None:
    """Neither the engine nor a comparison loads it."""
    code = (
        "import sys, engine; from engine.comparison import compare, figures; assert 'plotly' not in sys.modules;"
        "from engine.charts import frame; frame.figure(100); assert 'plotly' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
