"""Make the pictures of the guide: `python docs/make_pictures.py http://127.0.0.1:8501`, of a server that runs here.

Each is the worked example of a page as a browser shows it, with few colours, so that all of them stay small.
"""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent / "guide" / "pictures"
WIDTH, HEIGHT = 1040, 900
COLOURS = 256
BUSY = "[data-testid=stStatusWidget],[data-testid=stSkeleton]"
BARE = (
    "[data-testid=stSidebar],[data-testid=stHeader],[class*=st-key-guide-help],[data-testid=stToast]"
    "{display:none!important}"
)
"""What stands around a page is in no picture."""


def settle(page: Page, seconds: float = 120) -> None:
    """Wait until the page is drawn and nothing is computed any more."""
    end, quiet = time.monotonic() + seconds, 0
    while quiet < 6 and time.monotonic() < end:
        working = page.locator(BUSY).count() or page.get_by_role("button", name="Cancel").count()
        quiet = 0 if working else quiet + 1
        time.sleep(0.4)


def press(page: Page, name: str) -> None:
    """Press a button."""
    page.get_by_role("button", name=name).first.click()
    settle(page)


def open_page(page: Page, name: str) -> None:
    """Go to a page by the list on the left."""
    page.locator("[data-testid=stSidebarNav]").get_by_role("link", name=name, exact=True).click(force=True)
    settle(page)


def take(page: Page, name: str, height: int, top: int = 0) -> None:
    """Write a part of the page as a picture of few colours."""
    page.add_style_tag(content=BARE)
    page.mouse.move(1, 1)  # else a table below it shows its tools
    page.wait_for_timeout(1200)
    raw = page.screenshot(clip={"x": 0, "y": top, "width": WIDTH, "height": height})
    image = Image.open(io.BytesIO(raw)).convert("RGB")
    image = image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    image.save(FOLDER / f"{name}.png", optimize=True)


def take_example(page: Page, name: str, title: str, height: int) -> None:
    """A page with its worked example run."""
    open_page(page, title)
    press(page, "Try this example")
    take(page, name, height)


def take_first_table(page: Page) -> None:
    """The sample of the first table: the cards, and the result once they are decided."""
    page.get_by_text(re.compile(r"^\d+ more")).first.click()
    page.get_by_role("button", name="An export as it comes").click()
    settle(page)
    open_page(page, "Data")
    take(page, "first-table-decide", 720)
    for choice in ("A level of its own", "An end of the scale", "Missing"):
        page.get_by_role("button", name=choice, exact=True).first.click()
        settle(page)
    page.get_by_text("Compare two groups").first.click()
    settle(page)
    take(page, "first-table-result", 900)


PICTURES: dict[str, Callable[[Page], None]] = {
    "first-table": take_first_table,
    "group-difference": lambda page: take_example(page, "group-difference", "Group differences", 655),
    "instance-specific": lambda page: take_example(page, "instance-specific", "One patient", 880),
    "log-linear": lambda page: take_example(page, "log-linear", "Associations", 890),
    "discriminative": lambda page: take_example(page, "discriminative", "Class networks", 860),
    "ordinal": lambda page: take_example(page, "ordinal", "Ordinal networks", 860),
    "compare": lambda page: (open_page(page, "Compare"), take(page, "compare", 540))[0],
    "evaluate": lambda page: (open_page(page, "Evaluate"), take(page, "evaluate", 755))[0],
}


def main(address: str, names: list[str]) -> None:
    """Make the pictures of these names, or all."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=os.environ.get("DIPTYCH_CHROMIUM") or None)
        for name in names or PICTURES:
            page = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}).new_page()
            page.goto(address)
            settle(page)
            PICTURES[name](page)
            page.context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
