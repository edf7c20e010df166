"""Numbers and tables in APA style."""

from __future__ import annotations

import html5lib
import pandas as pd

from engine.telling.apa import apa_interval, apa_number, apa_table


def test_numbers_follow_the_manual() -> None:
    """No zero before the point where 1 is the limit, a true minus, no minus zero."""
    assert [apa_number(value) for value in (0.456, -0.456, 1.0, -0.001, float("nan"))] == [
        *(".46", "−.46", "1.00", ".00", "–")
    ]
    assert apa_number(-0.5, bounded=False) == "−0.50"
    assert apa_interval(-0.1, 0.25) == "[−.10, .25]"


def test_a_table_is_markup_of_its_own_only() -> None:
    """Names from a file are text; three rules; one row a row."""
    text = apa_table(pd.DataFrame({"Item": ["<b>x</b>", "y"], "r": [".1", ".2"]}), 2, "<i>", "a & b", italic=["r"])
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    assert [cell.text for cell in tree.iter("td")] == ["<b>x</b>", ".1", "y", ".2"]
    assert text.count("border-bottom") == 4 and text.count("border-top") == 2
    assert not next(iter(tree.iter("td"))).findall("b")
