"""A questionnaire from its file to a compared pair of networks and figures for a paper, in twelve clicks at most."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.browser.conftest import PATIENCE, expect, settled
from tests.browser.thorough.methods.test_ordinal_sample import LETTERS, MAIN, READ
from tests.browser.thorough.test_compare import Clicks, button

pytestmark = pytest.mark.browser

MOOD = (
    "Little interest", "Feeling down", "Trouble sleeping", "Feeling tired", "Poor appetite", "Bad about self",
    "Trouble concentrating", "Moving slowly", "Hopeless", "Crying", "Irritable", "Lonely", "Guilty", "Slowed thinking",
)  # fmt: skip
WORRY = (
    "Nervous", "Uncontrolled worry", "Worrying too much", "Trouble relaxing", "Restless", "Easily annoyed", "Afraid",
    "Tense", "Palpitations", "Trembling", "Sweating", "Avoiding", "Checking", "Startled",
)  # fmt: skip
ENGLISH = ("Not at all", "Several days", "More than half the days", "Nearly every day")
GERMAN = ("Überhaupt nicht", "An einzelnen Tagen", "An mehr als der Hälfte der Tage", "Beinahe jeden Tag")
ROWS, MOST_CLICKS = 640, 12
TITLE = 75
"""Pixels above the sentence of a page."""
SIZES = ((1440, 900), (1024, 768))


def questionnaire() -> bytes:
    """28 items of two scales, one answered in German words, under two rows of names; one link is there in men alone.

    A fifth of the rows lacks one to three answers; sex and age stand behind the items, under no group.
    """
    rng = np.random.default_rng(3)
    sex, age = rng.integers(0, 2, ROWS), np.clip(rng.normal(40, 13, ROWS), 18, 80).round().astype(int)
    latent = np.zeros((28, ROWS))
    for item in range(28):
        noise = rng.normal(size=ROWS)
        weight = np.where(sex == 1, 0.85, 0.1) if item == 5 else 0.65
        value = weight * latent[(item - 1) // 2] + 0.8 * noise if item else noise
        latent[item] = value / value.std()
    steps = np.digitize(latent, [-0.3, 0.6, 1.3])
    lacking = rng.random(ROWS) < 0.2
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["", "PHQ", *[""] * 13, "GAD", *[""] * 13, "", ""])
    table.writerow(["id", *MOOD, *WORRY, "sex", "age"])
    for row in range(ROWS):
        cells = [(ENGLISH if item < 14 else GERMAN)[steps[item, row]] for item in range(28)]
        for item in rng.choice(28, rng.integers(1, 4), replace=False) if lacking[row] else ():
            cells[item] = ""
        table.writerow([row + 1, *cells, ("female", "male")[sex[row]], age[row]])
    return text.getvalue().encode()


@pytest.fixture(scope="module")
def journey(
    app_address: str, open_once: Callable[[str], Any], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Clicks, dict[str, bytes]]:
    """All presses from the file to the comparison, each screen looked at; what was saved on the way, by its ending."""
    page = open_once(app_address)
    clicks = Clicks(page)
    settled(page)
    file = {"name": "survey.csv", "mimeType": "text/csv", "buffer": questionnaire()}
    page.locator("input[type=file]").first.set_input_files(file)
    clicks.many += 1
    expect(page.locator(MAIN)).to_contain_text(
        re.compile(r"survey\.csv.+5\d\d of 640 rows and 30 of 31 columns are", re.DOTALL)
    )
    expect(page.locator(MAIN)).to_contain_text("'PHQ Little interest', 'PHQ Feeling down', 'PHQ Trouble sleeping'")
    clicks.press(button(page, "Leave them open"))
    expect(page.locator(MAIN)).to_contain_text("640 rows and 30 of 31 columns")
    clicks.press(page.get_by_text("See how ratings are linked").first)
    clicks.press(button(page, "Sex and age come first"))
    expect(page.locator(MAIN)).to_contain_text("sex and age → PHQ Little interest")
    clicks.press(page.get_by_role("combobox", name="Also by group").first)
    clicks.press(page.get_by_role("option", name="sex").first)
    clicks.press(button(page, "Learn the network"))
    button(page, "Compare these groups").wait_for(timeout=3 * PATIENCE)
    expect(page.get_by_text("In the background:")).to_have_count(0, timeout=5 * PATIENCE)
    settled(page)
    assert page.get_by_text("which is not a variable of this table").count() == 0
    for size in SIZES:
        look_at_result(page, size)
    page.set_viewport_size({"width": 1440, "height": 900})
    clicks.press(button(page, "Export"))
    menu, saved = page.get_by_test_id("stPopoverBody"), {}
    for ending in ("SVG", "PDF"):
        with page.expect_download() as waiting:
            menu.get_by_role("button", name=re.compile(rf"{ending}$")).first.click()
        clicks.many += 1
        target = tmp_path_factory.mktemp("saved") / ending
        waiting.value.save_as(target)
        saved[ending] = Path(target).read_bytes()
    page.keyboard.press("Escape")
    clicks.press(button(page, "Compare these groups"))
    page.locator(".dn-head").nth(2).wait_for()
    settled(page)
    return clicks, saved


def look_at_result(page: Any, size: tuple[int, int]) -> None:
    """Sentence, all rings and the measures fit one screen, but for the line on groups above; letters can be read."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.get_by_test_id("stMain").evaluate("one => one.scrollTo(0, 0)")
    page.wait_for_timeout(500)
    expect(page.locator(f"{MAIN} h1")).to_contain_text("join the scales PHQ and GAD")
    expect(page.locator(".rings-node")).to_have_count(30)
    rings = [ring.bounding_box() for ring in page.locator(".rings-node > circle:first-of-type").all()]
    title = page.locator(f"{MAIN} h1").bounding_box()
    assert max(ring["y"] + ring["height"] for ring in rings) - title["y"] < size[1] - TITLE
    field = page.locator(".dr-field").bounding_box()
    assert max(ring["x"] + ring["width"] for ring in rings) <= field["x"] + field["width"]
    measures = page.locator("[class*=st-key-ordinal-largest] .js-plotly-plot").first.bounding_box()
    assert measures["y"] < size[1] / 2 and measures["x"] >= field["x"] + field["width"]
    assert page.locator(".dr-field text").evaluate_all(LETTERS) >= READ
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_twelve_clicks_lead_to_the_link_that_differs(journey: tuple[Clicks, dict[str, bytes]]) -> None:
    """The file's one planted difference, in a sentence, with both groups' networks beside it.

    p, corrected, says that it is one; P(differs), which pays for all pairs, leaves it open.
    """
    clicks, _ = journey
    assert clicks.many <= MOST_CLICKS
    assert re.fullmatch(
        r"Inconclusive: PHQ Trouble sleeping – PHQ Bad about self may differ: "
        r"0 in female, \+\.51 in male; p.=.\.015, but P\(differs\) is 34.%\.",
        clicks.page.inner_text(f"{MAIN} h1"),
    )


def test_the_figure_is_saved_as_vectors_with_text(journey: tuple[Clicks, dict[str, bytes]]) -> None:
    """All items in both files; the PDF brings its font and holds no image."""
    _, saved = journey
    assert saved["SVG"].decode("utf-8").count("class='rings-node'") == 30
    assert saved["PDF"].startswith(b"%PDF-") and b"/FontFile2" in saved["PDF"]
    assert b"/Subtype /Image" not in saved["PDF"]
