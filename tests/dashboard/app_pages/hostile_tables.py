"""Hostile files on the pages: what must hold of any page that gets one. Every file is walked at the reader."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.text import plain
from tests.dashboard.app_pages import test_data as data_page
from tests.dashboard.app_pages.thorough import test_evaluate_own as evaluate
from tests.dashboard.app_pages.thorough.test_discriminative import opened as discriminative
from tests.dashboard.app_pages.thorough.test_group_difference import opened as group_difference
from tests.dashboard.app_pages.thorough.test_instance_specific import opened as instance_specific
from tests.dashboard.app_pages.thorough.test_log_linear import opened as log_linear
from tests.dashboard.app_pages.thorough.test_ordinal import opened as ordinal
from tests.hostile.make import FIXTURES, ODD

NAMES = sorted(ODD)

FILES = sorted(name for name, one in FIXTURES.items() if not one.choices)
FEW_FILES = (
    *("empty", "one_row_too_long", "parquet_damaged", "pdf", "xlsx_password"),  # refused
    *("every_row_has_a_gap", "header_html_script", "latin1", "name_markup", "xlsx_merged"),  # read
)
"""One file of each kind of sentence that the data page has for files."""

PAGES: dict[str, tuple[Callable[[pd.DataFrame, engine.Dataset], AppTest], str]] = {
    "discriminative": (lambda _, data: discriminative(data, shuffles=3), "held\\-out"),
    "group_difference": (lambda _, data: group_difference(data, group=data.names[0], run=True), "differ"),
    "instance_specific": (
        lambda table, data: instance_specific(data, table, target=data.names[-1]),
        "this patient",
    ),
    "log_linear": (lambda _, data: log_linear(data, run=True), "variables"),
    "ordinal": (lambda _, data: ordinal(data), "variables"),
}
"""How a page is opened with a table, and words of its answers."""


def answered_or_refused_on(page: str, name: str) -> None:
    """Whatever can be read and prepared gets its answer or a sentence, with no name acting as markup."""
    open_page, answer = PAGES[page]
    table, data = prepared(name)
    answered_or_refused(open_page(table, data), data, answer)


def read_or_refused(busy: AppTest, name: str) -> None:
    """No traceback; what the engine refuses is a sentence, what it reads is on screen."""
    fixture = FIXTURES[name]
    before = data_page.held(busy).table
    data_page.upload(busy, fixture.file.replace("\0", ""), fixture.make())  # Streamlit itself refuses the zero byte
    assert not busy.exception
    if fixture.refused:
        assert busy.error
        assert data_page.held(busy).table is before
        return
    table = data_page.held(busy).table
    assert table is not None
    assert table is not before
    assert bool(busy.error) == bool(fixture.unusable)
    for column in list(map(str, table.columns))[:2]:
        data_page.look_at(busy, column)


def brought_as_a_truth(views: dict[str, AppTest], name: str) -> None:
    """As labels and as an edge list, one after the other: no crash, and no name acts as markup."""
    file = FIXTURES[name].file.replace("\0", "")
    for kind, what in ((evaluate.LABELS, "labels"), (evaluate.NETWORKS, "found")):
        if kind == evaluate.NETWORKS or name in ODD:
            evaluate.harmless(evaluate.bring(views[kind], what, FIXTURES[name].make(), file))


@cache
def _prepared(name: str) -> tuple[pd.DataFrame, engine.Dataset] | None:
    try:
        table = engine.read_table(ODD[name].make(), name=ODD[name].file)
        return table, engine.Dataset.from_frame(table)
    except engine.DataError:
        return None


def prepared(name: str) -> tuple[pd.DataFrame, engine.Dataset]:
    """The table and its data set; a table that no page behind the data page ever meets is skipped."""
    found = _prepared(name)
    if found is None:
        pytest.skip("this table is refused before the page, which the data layer's tests check")
    return found


def answered_or_refused(at: AppTest, data: engine.Dataset, answer: str) -> None:
    """Either the words of an answer stand there, or a sentence that refuses; no name is markup."""
    assert not at.exception
    said = [str(one.value) for one in [*at.title, *at.markdown, *at.caption, *at.info, *at.error, *at.warning]]
    refusals = [str(one.value) for one in [*at.info, *at.error, *at.warning]]
    answered = any(answer in one for one in said)
    assert answered or any(len(one.split()) > 4 for one in refusals), said
    labels = [str(one.label) for one in (*at.button, *at.expander, *at.selectbox, *at.tabs)]
    for name in data.names:
        if plain(name) != name and len(name) > 3:
            for shown in (*said, *labels):
                assert name not in shown.replace(plain(name), ""), f"{name} is not escaped in: {shown}"
