"""Pages x hostile files: all that the first tier leaves out."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import engine
from tests.dashboard.app_pages import hostile_tables as hostile

EVERY = {"ordinal": 12}
"""Of how many tables one goes to a page whose answers take long."""
ASKED = [(page, name) for page in hostile.PAGES for name in hostile.NAMES[:: EVERY.get(page, 1)]]


@pytest.mark.parametrize(("page", "name"), ASKED)
def test_a_table_is_answered_or_refused_on_the_page_of_a_method(page: str, name: str) -> None:
    """In words, with no name acting as markup."""
    hostile.answered_or_refused_on(page, name)


@pytest.mark.parametrize("name", [name for name in hostile.FILES if name not in hostile.FEW_FILES])
def test_a_file_is_read_or_refused_on_the_data_page(busy: AppTest, name: str) -> None:
    """Without a traceback."""
    hostile.read_or_refused(busy, name)


@pytest.mark.parametrize("name", hostile.NAMES)
def test_a_table_is_read_or_refused_as_a_truth_of_ones_own(views: dict[str, AppTest], name: str) -> None:
    """Without a traceback, and no name acts as markup."""
    hostile.brought_as_a_truth(views, name)


@pytest.mark.parametrize("name", sorted(set(hostile.FIXTURES) - set(hostile.ODD))[::8])
def test_an_odd_file_is_read_or_refused_as_a_truth_of_ones_own(views: dict[str, AppTest], name: str) -> None:
    """Some of the files that are odd as files; the rest go the same way through the data layer."""
    hostile.brought_as_a_truth(views, name)


@pytest.mark.parametrize("name", hostile.NAMES)
def test_class_networks_of_a_table_are_an_answer_or_a_sentence(name: str) -> None:
    """Whatever can be prepared: all tables, claims and sentences, or one that refuses."""
    _, data = hostile.prepared(name)
    if refused := engine.Discriminative.unfit(data):
        assert refused.endswith(".")
        return
    try:
        method = engine.Discriminative.propose(data)
        result = engine.Discriminative(method.target, shuffles=0).run(data)
    except engine.DiptychError as error:
        assert str(error).endswith(".")
        return
    assert result.summary()
    assert isinstance(result.claims(), pd.DataFrame)
    assert result.tables()
    assert result.to_json()
