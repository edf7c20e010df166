"""The walks of docs/architecture.md: every file named there is passed, and there are not too many."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import engine
import sample_data
from dashboard.network import component
from dashboard.views.group_difference.networks import panels, status_words
from engine.counting.backend import prepare_compiled
from engine.data.reading.foreign import ReaderChannel
from engine.data.reading.limits import Choices, Limits
from engine.data.reading.parse import parse
from engine.graphs.drawing.layout import layout
from engine.telling.group_difference.figures import reading_figure, shares_of
from engine.worker.channel import Channel
from tests.floor.tree import ROOT

TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def named(walk: int) -> list[str]:
    """The files that a walk of the document names."""
    part = TEXT.split(f"## Walk {walk}:")[1].split("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", part, re.MULTILINE)


def passed(walk: Callable[[], Any]) -> set[str]:
    """The files of ours in which a function is called on the way."""
    seen: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            seen.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    threading.setprofile(note)  # of threads that begin on the way: a page's script, and who listens to a job
    try:
        walk()
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    inside = (Path(one) for one in seen if one.startswith(str(ROOT)))
    return {one.relative_to(ROOT).as_posix() for one in inside}


def from_a_cell_to_a_bar() -> None:
    """Read, prepare, compare, rank, draw. What another process does of it is done here too."""
    content, name = sample_data.file_bytes("two_hospitals.csv"), "two_hospitals.csv"
    parse(content, name, Choices(), Limits(), ReaderChannel(Channel(BytesIO(), lambda _: None)))
    table = engine.read_table(content, name=name)
    data = engine.Dataset.from_frame(table)
    prepare_compiled()
    result = engine.GroupDifference(group="hospital").run(data)
    name, place = "early_antibiotics", result.where("early_antibiotics")
    shares = shares_of(result, name, place.level)
    reading_figure(result.differences(name), shares, result.labels, result.names)


def from_an_arc_to_the_browser() -> None:
    """What a page does with networks that were found, up to what it hands to the browser."""
    result = engine.GroupDifference(group="hospital").run(sample_data.dataset("two_hospitals"))
    places = layout(list(result.graphs().values()))
    sent: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(component, "_component", lambda: lambda **told: sent.append(told["data"]))
        component.network_panels(panels(result), places, key="walk", words=status_words(result))
    assert sent[0]["panels"][0]["edges"]


WALKS = {1: (14, from_a_cell_to_a_bar), 2: (7, from_an_arc_to_the_browser)}
"""Walk of the document -> most files, and the way."""


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_passes_the_files_that_are_named(walk: int) -> None:
    """A file that was moved or is no longer needed shows here."""
    assert_walked(walk, *WALKS[walk])


def assert_walked(walk: int, most: int, way: Callable[[], Any]) -> None:
    """The files that a walk names are passed on this way, and are this many at most."""
    files = named(walk)
    assert files
    assert len(files) == len(set(files)) <= most
    assert all((ROOT / one).is_file() for one in files)
    assert not {one for one in files if one.endswith(".py")} - passed(way)
