"""Opening by path on the data page, at length."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard.pages import method_pages
from dashboard.server.memory import Memory
from dashboard.server.paths import PathAccess
from dashboard.session.session import Session
from engine import Dataset
from engine.data.stored import streaming
from tests.dashboard.answered import on_a_press
from tests.dashboard.app_pages.running import finished
from tests.dashboard.app_pages.test_data import PAGE, data, held
from tests.dashboard.jobs.test_path_work import TABLE, write
from tests.dashboard.views.data.test_by_path import known, opened, page, said, typed

__all__ = ["known", "on_a_press"]


@pytest.mark.usefixtures("on_a_press")
def test_a_table_past_memory(known: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows on disk: every page draws, and the folder goes with the table."""
    (tmp_path / "work").mkdir()
    monkeypatch.setattr(streaming, "MOST_IN_MEMORY", 100)
    rows = tmp_path / "work" / "rows"
    stored = Dataset.from_parquet(write(tmp_path, "parquet"), folder=rows)
    state = Session()
    state.load_coded(stored, "trial.parquet")
    at = page(state)
    assert "in the work folder" in said(at)
    assert "worker was lost" not in said(at)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored.store, "count_lost", lambda: 1)
        assert "A worker was lost; its part was counted again." in said(at.run())
    for other in ("group_difference", "instance_specific", "log_linear", "discriminative", "ordinal", "compare"):
        at.switch_page(f"app_pages/{other}.py").run()
        assert not at.exception, other
    for other in ("ordinal", "discriminative"):
        at.switch_page(f"app_pages/{other}.py").run()
        assert "This needs the rows one by one, and those of this table are on disk. Open a sample" in said(at)
        assert not [button.label for button in at.button if "example" in button.label]
    counted = {
        "group_difference": ("Compare the groups", "Resampling"),
        "instance_specific": ("Learn the networks", "The bootstrap of the population's links"),
        "log_linear": ("Find the links", "Resampling"),
    }
    for other, (label, what) in counted.items():
        at.switch_page(f"app_pages/{other}.py").run()
        assert "one by one" not in said(at), other
        next(button for button in at.button if button.label == label).click().run()
        finished(at)
        for view in ("Another criterion", "Stability") if other == "log_linear" else ():
            at.session_state["log_linear.view"] = view
            finished(at.run())
        assert not at.error and not at.exception, other  # what begins by itself asks for no rows
        assert f"{what} needs the rows one by one, and those of this table are in the work folder" in said(at)
        assert "on disk" not in said(at), other
    at.switch_page(PAGE).run()
    offered = [link.proto.label.strip("*") for link in at.get("page_link")]
    fit = {page.link for page in method_pages() if page.slug in counted}
    assert {page.link for page in method_pages()} & set(offered) == fit
    stored.close()
    assert not rows.exists()


def test_a_cluster_is_offered_where_the_operator_names_one(known: Memory, tmp_path: Path) -> None:
    """Of Parquet only; one that does not answer is a sentence, and the table that was open stays."""
    assert not page().radio
    known.paths = PathAccess(None, dask="tcp://127.0.0.1:9")
    state = Session()
    state.load_coded(Dataset.from_frame(TABLE), "before.csv")
    at = typed(page(state), write(tmp_path, "csv"))
    where = at.radio(key="data.path.where")
    assert where.label == "Where the rows are counted"
    assert where.options == ["This computer", "The cluster at 127.0.0.1"]
    where.set_value("The cluster at 127.0.0.1").run()
    assert "The cluster reads Parquet only" in said(at)
    assert at.button(key="data.path.open").disabled
    opened(at, write(tmp_path, "parquet"))
    assert "The cluster does not answer, or what answers at its address is no Dask scheduler." in said(at)
    assert held(at).source == "before.csv" and data(at).n_rows == 600
