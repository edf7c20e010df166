"""Opening by path on the data page: said beforehand, read by a job, and then a table like an uploaded one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.server.log import Log, open_log
from dashboard.server.memory import Memory, remember
from dashboard.server.paths import PathAccess
from dashboard.session.session import Session
from engine import Dataset, GroupDifference
from tests.dashboard.app_pages.running import finished
from tests.dashboard.app_pages.test_data import APP, PAGE, data, held
from tests.dashboard.app_pages.test_data import said as escaped
from tests.dashboard.jobs.test_path_work import TABLE, write


@pytest.fixture
def known() -> Iterator[Memory]:
    """A server that lets every file be opened by path."""
    result = remember(Memory())
    result.paths = PathAccess(None)
    yield result
    remember(Memory())


def said(at: AppTest) -> str:
    return escaped(at).replace("\\", "")


def page(state: Session | None = None) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=60)
    if state is not None:
        at.session_state["diptych"] = state
    return at.switch_page(PAGE).run()


def typed(at: AppTest, path: object) -> AppTest:
    at.text_input(key="data.path").input(str(path)).run()
    return finished(at)


def opened(at: AppTest, path: object) -> AppTest:
    typed(at, path).button(key="data.path.open").click().run()
    return finished(at)


def test_nothing_is_offered_where_nothing_may_be_opened() -> None:
    """The control does not appear."""
    remember(Memory())
    assert not [box for box in page().text_input if "file or folder" in box.label]


def test_a_table_is_opened_where_it_lies(known: Memory, tmp_path: Path) -> None:
    """Its size first, then a card that changes nothing; group differences of levels have the bits of the uploaded
    table's, and numbers are compared by cells."""
    file = write(tmp_path, "parquet")
    at = typed(page(), file)
    assert "600 rows, 4 columns, 0.1 MB. It is read twice" in said(at)
    at = opened(at, file)
    assert "600 rows and 4 variables are ready" in said(at)
    assert str(tmp_path) not in said(at)
    assert held(at).table is None
    here, uploaded = data(at), Dataset.from_frame(TABLE)
    method, levels = GroupDifference(group="arm"), [name for name in here.names if name != "score"]
    assert method.run(here.select(levels)).to_dict() == method.run(uploaded.select(levels)).to_dict()
    for other in ("group_difference", "instance_specific", "log_linear", "discriminative", "ordinal", "results"):
        at.switch_page(f"app_pages/{other}.py").run()
        assert not at.exception, other


def test_most_rows_lost_to_gaps_are_no_small_print(known: Memory, tmp_path: Path) -> None:
    """A warning where more than half are gone, a caption where few are."""
    for each, warned in ((200, True), (50, False)):
        file = tmp_path / f"{each}.parquet"
        first, last = TABLE.index < each, TABLE.index >= 600 - each
        TABLE.assign(ill=TABLE["ill"].mask(first), stage=TABLE["stage"].mask(last)).to_parquet(file)
        at = opened(page(), file)
        sentence = f"{600 - 2 * each} of 600 rows are used"
        assert any(sentence in one.value for one in at.warning) is warned
        assert any(sentence in one.value for one in at.caption) is not warned


def test_what_is_refused_stays_on_the_page(known: Memory, tmp_path: Path) -> None:
    """A sentence, no button to press, and nothing of the path in the log."""
    open_log(Log(tmp_path / "log", lambda: "tab"))
    try:
        at = typed(page(), tmp_path / "nothing-here.csv")
        assert "There is no file or folder 'nothing-here.csv'" in said(at)
        assert at.button(key="data.path.open").disabled
        opened(at, write(tmp_path, "csv"))
    finally:
        open_log(None)
    text = (tmp_path / "log").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert {("refusal", "path"), ("upload", "path")} <= {(line["action"], line.get("kind")) for line in lines}
    assert "nothing" not in text
    assert "trial" not in text
    assert str(tmp_path) not in text
