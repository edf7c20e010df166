"""Column names that are missing, doubled, hidden, huge or mean something to a browser."""

from __future__ import annotations

from tests.hostile.fixture import Fixture, text

_BODY = "".join(f"{'a' if i % 2 else 'b'},{'x' if i % 3 else 'y'},{i % 4}\n" for i in range(24))

NAMES = {
    "href": "href_code",
    "proto": "__proto__",
    "constructor": "constructor",
    "sql": "x'; DROP TABLE patients; --",
    "markdown_image": "![p](http://203.0.113.7/p.png)",
    "markdown_link": "[click](http://203.0.113.7/)",
    "tex": "$\\frac{1}{0}$",
    "streamlit_colour": ":red[x]",
    "html_image": "<img src=http://203.0.113.7/x onerror=alert(1)>",
    "html_script": "<script>alert(1)</script>",
    "html_svg": "<svg onload=alert(1)>",
    "closing_script": "</script><script>alert(1)//",
    "template": "{{7*7}}{% raw %}",
    "formula": "=cmd|' /C calc'!A0",
    "formula_plus": "+1+1",
    "formula_minus": "-1+1",
    "formula_at": "@SUM(A1)",
    "reserved": "class",
    "index": "index",
    "emoji": "🫀 heart 👩‍⚕️",
    "number": "2019",
}
"""Sin -> a column name that must come through to the letter."""


def _named(name: str) -> str:
    quoted = '"' + name.replace('"', '""') + '"'
    return f"{quoted},second,third\n{_BODY}"


FIXTURES = (
    *(
        Fixture(f"header_{sin}", text(_named(name)), columns=(name, "second", "third"), rows=24)
        for sin, name in NAMES.items()
    ),
    Fixture("header_duplicate", text("a,a,a\n" + _BODY), columns=("a", "a (2)", "a (3)"), says=("stands twice",)),
    Fixture("header_empty", text("a,,c\n" + _BODY), columns=("a", "column 2", "c"), says=("empty",)),
    Fixture("header_spaces", text(" a ,b,c\u00a0\n" + _BODY), columns=("a", "b", "c"), says=("removed",)),
    Fixture("header_case_twins", text("a, A,b\n" + _BODY), columns=("a", "A", "b"), says=("capitals",)),
    Fixture("header_long", text("n" * 10_000 + ",b,c\n" + _BODY), rows=24, says=("200 characters",)),
    Fixture("header_right_to_left", text("a\u202ecod,b,c\n" + _BODY), columns=("acod", "b", "c"), says=("invisible",)),
    Fixture("header_newline", text('"a\nb",b,c\n' + _BODY), columns=("a b", "b", "c"), says=("Column 1",)),
    Fixture("header_decomposed", text("e\u0301,b,c\n" + _BODY), columns=("\u00e9", "b", "c")),
    Fixture("header_missing_numbers", text("1.5,2,x\n2.5,3,y\n3.5,4,x\n1.5,9,y\n"), rows=4, says=("looks like data",)),
    Fixture(
        "header_missing_words",
        text("low,yes\n" + "low,yes\nhigh,no\nlow,no\n" * 4),
        rows=13,
        columns=("column 1", "column 2"),
        says=("looks like data",),
    ),
    Fixture(
        "header_years",
        text("2019,2020,2021\n1.5,2.5,3.5\n4.5,5.5,6.5\n"),
        columns=("2019", "2020", "2021"),
        says=("are numbers",),
    ),
    Fixture("header_line_not_there", text("a,b\n1,2\n"), choices={"header": 9}, refused=("Line 9",)),
)
