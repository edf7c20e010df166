"""The example notebook, run by a kernel, exported by nbconvert and drawn where no kernel runs."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from tests.floor.tree import ROOT

pytestmark = pytest.mark.browser

NOTEBOOK = ROOT / "docs" / "examples" / "two_groups.ipynb"


def executed() -> Any:
    """The notebook with its outputs."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not [cell for cell in notebook.cells if cell.get("outputs")], "it is stored without outputs"
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    return notebook


def requests_of(page: Any, notebook: Any, file: Path) -> set[str]:
    """What the exported notebook asks for; other hosts are not reached."""
    file.write_text(HTMLExporter().from_notebook_node(notebook)[0], encoding="utf-8")
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url))
    page.route("http*://**/*", lambda route: route.abort())
    page.goto(file.as_uri())
    page.wait_for_timeout(1000)
    return {address for address in asked if not address.startswith((file.as_uri(), "about:", "data:", "blob:"))}


def test_the_saved_notebook_is_whole_and_asks_for_nothing(chromium: Any, tmp_path: Path) -> None:
    """Our outputs ask for nothing beyond what nbconvert's own page asks for; frames and figures are drawn."""
    notebook = executed()
    bare = copy.deepcopy(notebook)
    for cell in bare.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    page = chromium.new_page(viewport={"width": 1100, "height": 1400})
    usual = requests_of(page, bare, tmp_path / "bare.html")
    page.close()
    page = chromium.new_page(viewport={"width": 1100, "height": 1400})
    asked = requests_of(page, notebook, tmp_path / "whole.html")
    assert asked <= usual, sorted(asked - usual)
    frames = [frame for frame in page.frames if frame is not page.main_frame]
    shown = [cell for cell in notebook.cells if any("<iframe sandbox" in str(one) for one in cell.get("outputs", ()))]
    assert len(frames) == len(shown) == 9
    assert [frame.locator("table").count() for frame in frames] == [1] * 7 + [0, 0]
    assert all(frame.locator("svg rect").count() > 5 for frame in frames[1:])
    plots = page.locator(".plotly-graph-div")
    assert plots.count() == 5
    assert [plots.nth(k).locator(".main-svg").count() > 0 for k in range(5)] == [True] * 5
    page.screenshot(path=str(tmp_path / "whole.png"), full_page=True)
    for place, frame in enumerate(frames):  # the estimated height leaves little to scroll
        size = frame.evaluate("[document.documentElement.scrollHeight, window.innerHeight]")
        assert size[1] >= 900 or 0 <= size[0] - size[1] + 60 <= 260, (place, size)
    page.close()
