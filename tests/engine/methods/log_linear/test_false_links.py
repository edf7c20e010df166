"""The shipped rates of false links: whole, found by the nearest size, said with a warning where they are large."""

from __future__ import annotations

import itertools
import math

import pytest

from benchmarks.calibration.methods.log_linear import CRITERIA, LEVELS, ROWS, VARIABLES, null_links
from engine.methods.log_linear.power import measured, nearest
from engine.telling.log_linear.power import false_links_sentence


def test_the_table_is_whole() -> None:
    """Every criterion at every size, once."""
    lines = [(one.criterion, one.rows, one.variables, one.levels) for one in measured()]
    assert lines == list(itertools.product(CRITERIA, ROWS, VARIABLES, LEVELS))
    assert all(0 <= one.any_link <= min(1.0, one.mean_links) for one in measured())


@pytest.mark.parametrize("size", [(31, 4, 2.2), (550, 14, 7.0), (90_000, 150, 3.3)])
def test_the_nearest_size_is_so_on_logarithmic_scales(size: tuple[float, ...]) -> None:
    """Against all of them one by one."""
    sizes = itertools.product(ROWS, VARIABLES, LEVELS)
    slow = min(sizes, key=lambda one: math.hypot(*(math.log(x / y) for x, y in zip(one, size, strict=True))))
    found = nearest("bic", False, int(size[0]), int(size[1]), size[2])
    assert found is not None
    assert (found.rows, found.variables, found.levels) == slow


def test_large_rates_warn() -> None:
    """BIC on many binary variables; message length on the same size does not; unmeasured criteria say nothing."""
    assert false_links_sentence("bic", False, 100, 10, 2).startswith(
        "With 100 rows and 10 variables a link may well be chance."
    )
    assert "may well be chance" not in false_links_sentence("mml", True, 100, 10, 2)
    assert false_links_sentence("kl", False, 100, 10, 2) == ""


def test_what_was_not_measured_is_said() -> None:
    """Twenty variables are the most that were; a thousand have 2,629 times as many pairs."""
    wide = false_links_sentence("mml", True, 1_000, 1_000, 3)
    assert "1,000 rows and 20 unrelated variables" in wide
    assert wide.endswith(
        "some 2,629 times as many pairs of variables; how often chance shows a link among so many was not measured."
    )
    assert "not measured" not in false_links_sentence("mml", True, 1_000, 50, 3)


@pytest.mark.parametrize("criterion", ["mml joint", "bic", "smt"])
def test_a_line_comes_out_again(criterion: str) -> None:
    """The same seed gives the figures that are shipped."""
    kept = nearest(criterion.removesuffix(" joint"), criterion.endswith(" joint"), 30, 3, 2)
    assert kept is not None
    found = null_links(30, 3, 2, criterion, kept.tables, 0)
    assert (round(found.any_link, 4), round(found.mean_links, 4)) == (kept.any_link, kept.mean_links)
