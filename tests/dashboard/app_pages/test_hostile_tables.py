"""Hostile files on the pages: one of each kind of sentence."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboard.app_pages import hostile_tables as hostile


@pytest.mark.parametrize("name", hostile.FEW_FILES)
def test_a_file_is_read_or_refused_on_the_data_page(busy: AppTest, name: str) -> None:
    """Without a traceback."""
    hostile.read_or_refused(busy, name)


@pytest.mark.parametrize("name", ("header_html_image", "one_column", "pdf"))
def test_a_file_is_read_or_refused_as_a_truth_of_ones_own(views: dict[str, AppTest], name: str) -> None:
    """Without a traceback, and no name acts as markup."""
    hostile.brought_as_a_truth(views, name)
