"""The figure of every paper beside ours, as pictures of the guide: `python -m benchmarks.papers.pictures`."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from benchmarks.papers.figures import paper_figure
from benchmarks.papers.panels import panels_figure
from benchmarks.papers.results import every_paper, read_results

FOLDER = Path(__file__).parents[2] / "docs" / "guide" / "pictures"
WIDTH, HEIGHT, COLOURS = 1040, 340, 128


def main() -> None:
    """Draw each in a browser, which is how Plotly draws."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for slug in every_paper():
            paper = paper_figure(read_results(slug))
            if paper is None:
                continue
            page.set_content(panels_figure(paper).to_html(include_plotlyjs=True, config={"displayModeBar": False}))
            page.locator(".main-svg").first.wait_for()
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
            picture.save(FOLDER / f"{slug.replace('_', '-')}-study.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
