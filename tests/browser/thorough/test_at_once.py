"""A table that is dropped is answered on every page without a press, from the file to the sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.browser.conftest import PATIENCE, expect, settled

pytestmark = pytest.mark.browser


def test_each_page_of_a_dropped_table_says_its_sentence(
    app_address: str, open_page: Callable[[str], Any], tmp_path: Path
) -> None:
    """1,000 rows of 12 columns: drop it, go to a page, read; the placebo is subtracted, and a press asks by sex."""
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(rng.choice(["low", "high"], (1000, 10)), columns=[f"marker {i}" for i in range(10)])
    frame["arm"] = rng.choice(["placebo", "drug"], 1000)
    frame["sex"] = rng.choice(["f", "m"], 1000)
    frame.loc[frame["arm"] == "drug", "marker 3"] = "high"
    frame.to_csv(tmp_path / "trial.csv", index=False)
    page = open_page(app_address)
    page.locator("input[type=file]").first.set_input_files(tmp_path / "trial.csv")
    page.wait_for_url("**/data")
    settled(page)
    for slug, words in (("log_linear", "marker 3"), ("group_difference", "placebo"), ("instance_specific", "patient")):
        page.get_by_test_id("stSidebarNav").locator(f"a[href$='/{slug}']").click()
        expect(page.locator("[class*=st-key-sentence] h1")).to_contain_text(words)
        settled(page)
    page.get_by_test_id("stSidebarNav").locator("a[href$='/group_difference']").click()
    expect(page.get_by_text("drug − placebo").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="By sex", exact=True).click()
    expect(page.get_by_text(re.compile("^Group differences sex: f .* v m ")).first).to_be_visible(timeout=PATIENCE)
