"""Hostile tables on the pages of the methods: each is read once, and what must hold of any page that gets one."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.text import plain
from tests.hostile.make import ODD

NAMES = sorted(ODD)


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
    said = [str(one.value) for one in [*at.markdown, *at.caption, *at.info, *at.error, *at.warning]]
    refusals = [str(one.value) for one in [*at.info, *at.error, *at.warning]]
    answered = any(answer in one for one in said)
    assert answered or any(len(one.split()) > 4 for one in refusals), said
    labels = [str(one.label) for one in (*at.button, *at.expander, *at.selectbox, *at.tabs)]
    for name in data.names:
        if plain(name) != name and len(name) > 3:
            for shown in (*said, *labels):
                assert name not in shown.replace(plain(name), ""), f"{name} is not escaped in: {shown}"
