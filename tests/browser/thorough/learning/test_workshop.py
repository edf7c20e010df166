"""The workshop in a browser: evidence by bars, d-separation in words, drawing by pointer and keyboard, a sample."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.exchange import network_to_bif
from engine.models import posteriors, random_network
from engine.simulation.networks import random_dag
from sample_data.workshop_networks import WORKSHOP_NETWORKS
from tests.browser.conftest import PATIENCE, expect, settled

pytestmark = pytest.mark.browser

NETWORK = WORKSHOP_NETWORKS["cough"].make()


@pytest.fixture
def workshop(app_address: str, open_once: Callable[[str], Any]) -> Iterator[Any]:
    """The page with its first network, newly opened."""
    page = open_once(f"{app_address}/workshop")
    page.locator(".dw-hit").first.wait_for()
    settled(page)
    yield page


def bar(page: Any, name: str) -> Any:
    """What is pressed of a variable."""
    return page.locator(f".dw-hit[aria-label^='{name}:']")


def share(name: str, evidence: dict[str, str]) -> str:
    """P(yes) by the engine, as the page writes it."""
    return f"yes {round(100 * float(posteriors(NETWORK, evidence)[name][1]))}\u00a0%, nothing known"


def test_a_bar_sets_evidence_and_every_bar_is_the_engines(workshop: Any) -> None:
    """By pointer, then by keyboard with the focus where it was; a third press clears."""
    page = workshop
    expect(page.locator("h1")).to_contain_text("lowers P(Asthma = yes) from 43")
    expect(page.locator(".dw-note")).to_contain_text("again to change or clear it")
    bar(page, "Cough").click()
    evidence = {"Wheeze": "yes", "Cough": "yes"}
    expect(page.locator("h1")).to_contain_text("Cough = yes lowers P(Asthma = yes)")
    expect(bar(page, "Smokes")).to_have_attribute("aria-label", re.compile(share("Smokes", evidence)))
    for name in ("Smokes", "Asthma", "Phlegm", "Breathless"):
        assert share(name, evidence) in str(bar(page, name).get_attribute("aria-label")), name
    for text in ("known, no", "yes "):
        bar(page, "Cough").focus()
        page.keyboard.press("Enter")
        expect(bar(page, "Cough")).to_have_attribute("aria-label", re.compile(f"^Cough: {text}"))
        settled(page)
        assert bar(page, "Cough").evaluate("one => one.getRootNode().activeElement === one")


def test_a_bar_says_that_it_clears_where_its_other_level_cannot_occur(workshop: Any) -> None:
    """With tuberculosis known, either of two can only be yes: a press sets it, the next clears it, as it says."""
    page = workshop
    page.get_by_test_id("stSidebar").get_by_role("combobox").first.click()
    page.get_by_role("option", name="Chest").click()
    settled(page)
    bar(page, "Tuberculosis").click()
    for text in ("press to set yes", "press to clear it", "press to set yes"):
        expect(bar(page, "Either of two")).to_have_attribute("aria-label", re.compile(text))
        settled(page)
        bar(page, "Either of two").click()


def test_x_and_y_are_chosen_and_their_separation_is_said(workshop: Any) -> None:
    """Two clicks; a fork blocks once it is known."""
    page = workshop
    page.get_by_role("button", name="Clear evidence").click()
    settled(page)
    page.get_by_role("button", name="Choose X and Y").click()
    for name in ("Cough", "Wheeze"):
        page.locator(f".dw-hit[aria-label^='{name}']").click()
        expect(page.locator(f".dw-hit[aria-label^='{name}, is']")).to_be_visible()
        settled(page)
    answer = page.locator(".workshop-answer")
    expect(answer).to_contain_text("No. One path is open.")
    expect(answer).to_contain_text("Cough ← Smokes → Wheeze")
    page.get_by_role("button", name="Set evidence").click()
    bar(page, "Smokes").click()
    expect(answer).to_contain_text("Yes. Every path is blocked.")
    expect(answer).to_contain_text("Smokes is the middle of a fork and is known.")
    expect(page.locator("[class*=st-key-sentence]")).to_contain_text("Fork blocked.")


def test_a_network_is_drawn_and_sampled(workshop: Any) -> None:
    """Double clicks make variables, drags make arrows, Delete removes; a sample of it is the table of *Data*."""
    page = workshop
    page.get_by_test_id("stSidebar").get_by_role("combobox").first.click()
    page.get_by_role("option", name="Empty, to draw in").click()
    settled(page)
    field = page.locator(".dw-field")
    for x, y, name in ((120, 60, "Rain"), (380, 60, "Hose"), (250, 250, "Wet")):
        box = field.bounding_box()
        page.mouse.dblclick(box["x"] + x, box["y"] + y)
        page.keyboard.type(name, delay=400)  # milliseconds: the answer to the name before comes meanwhile
        page.keyboard.press("Enter")
    for name in ("Rain", "Hose", "Wet"):
        page.locator(f".dw-hit[aria-label^='{name}:']").wait_for()
    settled(page)
    box = field.bounding_box()
    page.mouse.dblclick(box["x"] + box["width"] - 12, box["y"] + box["height"] - 12)
    page.keyboard.type("Not wanted")
    page.keyboard.press("Escape")
    for source in ("Rain", "Hose"):
        drag(page, source, "Wet")
        settled(page)
    expect(page.locator(".workshop-answer")).to_contain_text("Rain → Wet ← Hose")
    drag(page, "Wet", "Rain")
    expect(page.get_by_text("linked already")).to_be_visible()
    page.locator(".dw-hit[aria-label^='Hose:']").click()
    page.keyboard.press("Delete")
    expect(page.locator(".dw-hit")).to_have_count(2, timeout=PATIENCE)
    settled(page)
    page.get_by_text("Sample a table from it").click()
    page.get_by_role("button", name="Open in Data").click()
    expect(page.get_by_text("1,000 rows").first).to_be_visible(timeout=PATIENCE)
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Workshop").click()
    expect(page.locator(".dw-hit")).to_have_count(2, timeout=PATIENCE)


def test_a_press_that_the_browser_takes_away_draws_nothing_and_selects_no_text(workshop: Any) -> None:
    """As where a finger begins to scroll; and the next drag makes its arrow."""
    page = workshop
    page.locator(".dw-modes button[data-mode=draw]").click()
    before = page.locator(".dw-arc").count()
    start = page.locator(".dw-hit[aria-label^='Cough:']").bounding_box()
    page.mouse.move(start["x"] + 40, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(start["x"] + 160, start["y"] + 90, steps=4)
    page.evaluate("dispatchEvent(new PointerEvent('pointercancel'))")
    page.mouse.move(start["x"] + 200, start["y"] + 120, steps=2)
    page.mouse.up()
    settled(page)
    assert page.locator(".dw-arc").count() == before
    assert page.evaluate("String(getSelection())") == ""
    assert page.locator(".dw-hit[aria-label^='Cough:']").bounding_box() == start


def places(page: Any) -> dict[str, tuple[int, ...]]:
    """Where the boxes are on the screen, and how large."""
    boxes = {str(hit.get_attribute("aria-label")): hit.bounding_box() for hit in page.locator(".dw-hit").all()}
    return {re.split("[:,]", label)[0]: tuple(round(v) for v in box.values()) for label, box in boxes.items()}


def test_boxes_stand_still_whatever_is_done(workshop: Any) -> None:
    """Another mode, an arrow, a new box, a press beside all that ends outside, undoing, another view and back."""
    page = workshop
    press_mode(page, "end")
    before = places(page)
    press_mode(page, "draw")
    assert places(page) == before
    drag(page, "Phlegm", "Breathless")
    page.get_by_text("The new arrow has no effect yet").wait_for()
    settled(page)
    assert places(page) == before
    field = page.locator(".dw-field").bounding_box()
    page.mouse.dblclick(field["x"] + field["width"] - 30, field["y"] + field["height"] - 50)
    page.keyboard.type("Fever")
    page.keyboard.press("Enter")
    page.locator(".dw-hit[aria-label^='Fever:']").wait_for()
    settled(page)
    assert {name: at for name, at in places(page).items() if name != "Fever"} == before
    page.mouse.move(field["x"] + 8, field["y"] + 150)
    page.mouse.down()
    page.mouse.move(280, 890, steps=4)
    page.mouse.up()
    assert page.evaluate("String(getSelection())") == ""
    arrows = page.locator(".dw-arc").count()
    drag(page, "Cough", "Fever")
    expect(page.locator(".dw-arc")).to_have_count(arrows + 1)
    for _ in range(3):
        page.get_by_role("button", name="Undo the last drawing").click()
        settled(page)
    assert places(page) == before
    for view in ("See and do", "Evidence and paths"):
        page.get_by_test_id("stSidebar").get_by_text(view).click()
        page.get_by_text({"See and do": "Set: do(x)"}.get(view, "Set evidence")).wait_for()
        settled(page)
        press_mode(page, "end")
        assert places(page) == before


def press_mode(page: Any, mode: str) -> None:
    """What a click on the picture does from now on."""
    page.locator(f".dw-modes button[data-mode={mode}]").click()


def test_picture_and_controls_are_whole_for_a_room_and_on_a_phone(workshop: Any) -> None:
    """At 1024 x 768 nothing is scrolled to see them all, in letters for a room; at 390 no box is cut."""
    page = workshop
    page.set_viewport_size({"width": 1024, "height": 768})
    page.get_by_test_id("stSidebar").get_by_text("Projector").first.click()
    page.get_by_text("1 of 1").wait_for()
    settled(page)
    letters = "one => 14 * one.getBoundingClientRect().width / parseFloat(one.style.width)"
    expect(page.locator(".dw-foot")).to_be_in_viewport(ratio=1)
    expect(page.locator("[data-testid=stMain] h1")).to_be_in_viewport(ratio=1)
    bar = page.get_by_role("toolbar", name="Projector").bounding_box()
    for part in ("h1", ".dw-modes", ".dw-field", ".dw-foot"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= bar["y"], part
        assert box["x"] >= 0 and box["x"] + box["width"] <= 1024, part
    assert page.locator(".dw-field").evaluate(letters) >= 16
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    settled(page)
    expect(page.locator(".dw-note")).not_to_contain_text("Swipe")
    assert all(x >= 0 and x + width <= 390 for x, _, width, _ in places(page).values())


def drag(page: Any, source: str, target: str) -> None:
    """Press on a box, move to another, let go."""
    settled(page)
    start, end = (page.locator(f".dw-hit[aria-label^='{name}:']").bounding_box() for name in (source, target))
    page.mouse.move(start["x"] + 40, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 50, end["y"] + 30, steps=5)
    page.mouse.up()


def test_a_network_of_thirty_variables_from_a_file(workshop: Any, tmp_path: Path) -> None:
    """All are drawn, and a press on the first bar shows the engine's posteriors."""
    rng = np.random.default_rng(1)
    network = random_network(random_dag(30, 45, rng), [2] * 30, rng)
    file = tmp_path / "thirty.bif"
    file.write_text(network_to_bif(network), encoding="utf-8")
    page = workshop
    page.get_by_text("From a file", exact=True).click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".dw-hit")).to_have_count(30, timeout=PATIENCE)
    settled(page)
    first, child = network.names[0], next(network.names[i] for i, group in enumerate(network.parents) if 0 in group)
    bar(page, first).click()
    expect(bar(page, first)).to_have_attribute("aria-label", re.compile("known, "))
    level = str(bar(page, first).get_attribute("aria-label")).split("known, ")[1].split(";")[0].split(",")[0]
    expected = round(100 * float(posteriors(network, {first: level})[child][1]))
    expect(bar(page, child)).to_have_attribute("aria-label", re.compile(f"{expected}\u00a0%, nothing known"))
