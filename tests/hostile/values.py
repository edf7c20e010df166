"""Values: missing, infinite, mixed, look-alike, too many, and groups that are hard to compare."""

from __future__ import annotations

from collections.abc import Callable

from tests.hostile.fixture import Fixture


def column(*cells: str, times: int = 1, name: str = "x") -> Callable[[], bytes]:
    """A table with this column beside a good one, the cells repeated."""
    body = "".join(f'"{cell}",{"yes" if i % 2 else "no"}\n' for i, cell in enumerate(cells * times))
    return lambda: f"{name},good\n{body}".encode()


def groups(**sizes: int) -> Callable[[], bytes]:
    """A table with a group column of these sizes."""
    rows = [f"{name},{'low' if i % 2 else 'high'}" for name, n in sizes.items() for i in range(n)]
    return lambda: ("group,risk\n" + "\n".join(rows) + "\n").encode()


FIXTURES = (
    Fixture("all_missing_column", column("", "NA", times=6)),
    Fixture("constant_column", column("same", times=9)),
    Fixture("all_distinct_column", column(*(f"p{i:03d}" for i in range(60)))),
    Fixture("infinite", column("1.5", "Inf", "-inf", "2.5", times=3), says=("not a finite number",)),
    Fixture("overflow", column("1.5", "1e999", "2.5", times=3), says=("1e999", "line 3")),
    Fixture("negative_zero", column("0", "-0", "1", "2", times=4)),
    Fixture("negative_counts", column("-3", "-2", "0", "4", times=4)),
    Fixture("huge_integers", column("99999999999999999999", "1", "2", times=3), says=("too large",)),
    Fixture("floats_as_levels", column("1.0", "2.0", "", times=6)),
    Fixture("whole_numbers_with_gap", column("1", "2", "", times=6)),
    Fixture("mixed_types", column(*"123456789", "8-12", "45+"), says=("kept it from being numeric", "8-12")),
    Fixture("dates_two_orders", column("2021-03-04", "13/04/2021", "04/13/2021", times=4)),
    Fixture("dates", column(*(f"2021-03-{day:02d}" for day in range(1, 29)))),
    Fixture("leading_zeros", column("0012", "0013", "7", times=5), says=("leading zeros",)),
    Fixture("thousands", column("1,234", "12,345,678", "999", times=5), says=("thousands",)),
    Fixture("percent", column("12%", "13.5%", "99 %", times=5), says=("percent",)),
    Fixture("look_alike_unicode", column("caf\u00e9", "cafe\u0301", times=6)),
    Fixture("trailing_spaces", column("low", "low ", " Low", "high", times=5)),
    Fixture("many_levels", column(*(f"level {i % 300}" for i in range(900)))),
    Fixture("level_only_in_one_group", lambda: b"g,x\n" + b"a,1\na,2\nb,1\nb,1\n" * 5 + b"a,3\n"),
    Fixture("level_none", column("None", "mild", "severe", times=5), says=("'None' is kept",)),
    Fixture("level_nan", column("nan", "a", "b", times=5)),
    Fixture("level_true", column("True", "False", times=8)),
    Fixture("level_none_kept", column("None", "NA", "b", times=5), choices={"missing": []}),
    Fixture("question_marks", column(*"1234567890", "?", "-", ".", times=2)),
    Fixture("missing_codes", column("1", "2", "3", "-9", "999", times=5)),
    Fixture("level_formula", column("=cmd|' /C calc'!A0", "@x", "+1+1", "-a", times=5)),
    Fixture("level_markup", column("<img src=x onerror=alert(1)>", "![p](http://203.0.113.7/p)", ":red[x]", times=5)),
    Fixture("every_row_has_a_gap", lambda: b"a,b\n" + b"x,\n,y\ny,\n,x\n" * 4, unusable=("No row is complete", "'a'")),
    Fixture("nearly_empty_column", lambda: b"a,b,c\n" + b"x,1,\ny,2,\nx,1,\ny,1,\n" * 5 + b"x,2,9\n", rows=21),
    Fixture("one_group", groups(a=12), unusable=()),
    Fixture("three_groups", groups(a=9, b=9, c=9)),
    Fixture("one_against_many", groups(a=1, b=10_000), rows=10_001),
)
