"""A server that hides small counts: nothing that it sends lets one be read, whatever page, table, chart or file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import dashboard
from dashboard.server.memory import memory
from dashboard.server.paths import PathAccess
from dashboard.session.session import Session
from tests.dashboard.app_pages.running import finished
from tests.dashboard.sent import Sent

APP = str(Path(dashboard.__file__).parent / "app.py")
LEAST = 200
"""Large, so that a small count has three figures and is no place, step or size by chance."""
LOWEST = 103
METHODS = ("group_difference", "log_linear", "discriminative")


def people() -> pd.DataFrame:
    """1,500 people; levels, groups, crossings, gaps and rows left out between 103 and 199 of them."""
    generator = np.random.default_rng(11)
    n = 1500
    arm = generator.permuted(np.repeat(["usual", "coaching"], [811, 689]))
    grade = generator.permuted(np.repeat(["low", "middle", "high"], [701, 662, 137]))
    site = generator.permuted(np.repeat(["north", "south", "west"], [1000, 349, 151]))
    worse = (grade == "high") | (generator.random(n) < np.where(arm == "usual", 0.45, 0.2))
    mood = np.where(worse, "poor", np.where(generator.random(n) < 0.5, "fair", "good"))
    relapse = np.where(generator.random(n) < np.where(mood == "poor", 0.22, 0.03), "yes", "no")
    marker = np.where(generator.random(n) < 0.6, "negative", "positive").astype(object)
    marker[generator.choice(n, 127, replace=False)] = ""
    columns = {"arm": arm, "grade": grade, "site": site, "mood": mood, "relapse": relapse, "marker": marker}
    return pd.DataFrame(columns)


Counted = dict[int, tuple[str, ...]]
"""Count of people -> the columns that it is of; none for rows left out."""


def used(table: pd.DataFrame) -> pd.DataFrame:
    """The rows without a gap."""
    return table[table["marker"] != ""]


def small_counts(table: pd.DataFrame) -> Counted:
    """Every count of people from 103 to 199 in the table and in what is left of it."""
    found: Counted = {len(table) - len(used(table)): ()}
    for rows in (table, used(table)):
        for number in (1, 2):
            for names in combinations(rows.columns, number):
                found = dict.fromkeys(map(int, rows.groupby(list(names)).size()), names) | found
    return {count: names for count, names in found.items() if LOWEST <= count < LEAST}


def next_smallest(table: pd.DataFrame) -> Counted:
    """Of every column with a small level the count that has to be hidden beside it."""
    found: Counted = {}
    for rows, name in product((table, used(table)), table.columns):
        counts = sorted(rows.loc[rows[name] != "", name].value_counts())
        if counts[0] < LEAST:
            found[next(int(count) for count in counts if count >= LEAST)] = (name,)
    return found


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sent]:
    """What a server with this smallest cell sends."""
    monkeypatch.setattr(memory(), "smallest_cell", LEAST)
    yield Sent().watch(monkeypatch)


def opened(table: pd.DataFrame) -> AppTest:
    """The data page with an uploaded table."""
    at = AppTest.from_file(APP, default_timeout=60).switch_page("app_pages/data.py").run()
    content = table.to_csv(index=False).encode()
    at.file_uploader(key="data.upload").upload("people.csv", content, "text/csv").run()
    assert not at.exception
    return at


@pytest.fixture
def walked(sent: Sent) -> Sent:
    """What is sent while somebody opens a table, asks every method, compares groups and makes a report."""
    at = opened(people())
    for column in people().columns:
        at.selectbox(key=next(box.key for box in at.selectbox if box.label == "A closer look at")).select(column).run()
    where = next(box for box in at.selectbox if box.key.startswith("data.where") and box.label == "Column")
    where.select("grade").run()
    at.toggle(key=next(switch.key for switch in at.toggle if switch.label == "Edit many at once")).set_value(True).run()
    for slug in METHODS:
        asked(at, slug)
    compared(at)
    for view in ("All results", "Report", "Save and open"):
        at.switch_page("app_pages/results.py").run()
        at.session_state["results.view"] = view
        finished(at.run())
    return sent


def asked(at: AppTest, slug: str) -> None:
    """A method's page with its result."""
    at.switch_page(f"app_pages/{slug}.py").run()
    if slug == "log_linear":
        next(box for box in at.selectbox if box.label == "Also by group").select("arm").run()
    at.button(key=f"{slug}.run").click()
    finished(at.run())
    assert any(item.slug == slug and item.result is not None for item in held(at).analyses)


def compared(at: AppTest) -> None:
    """The page of comparisons with two groups, kept with a star."""
    finished(at.switch_page("app_pages/log_linear.py").run())
    at.button(key="log_linear.groups").click().run()
    finished(at.switch_page("app_pages/compare.py").run())
    at.button(key="compare.keep").click()
    finished(at.run())
    for card in held(at).cards:
        held(at).cards.change(card, starred=True)


def held(at: AppTest) -> Session:
    state: Session = at.session_state["diptych"]
    return state


def test_no_small_count_is_sent(walked: Sent) -> None:
    """No count of people, no rest of a whole that gives one away, no share of a level among all or in a group."""
    table, rows = people(), len(used(people()))
    document = walked.files.pop("diptych-report.html")  # tests of reports look at what stands in it
    text = document.decode()
    assert f"counts from 1 to {LEAST - 1} are shown as" in text
    assert "1,500" not in text
    small, found = small_counts(table), walked.counts()
    rest = {rows - count: names for count, names in small.items() if len(names) == 1} | next_smallest(table)
    read = {count: found[count][:3] for count in small | rest if count in found}
    assert not read, "\n".join(f"{count}: {where}" for count, where in read.items())
    groups = [rows, *used(table)["arm"].value_counts()]
    shares = np.array(sorted({count / size for count in small for size in groups}))
    sent = np.array(walked.shares())
    assert not [share for share in sent if np.abs(shares - share).min() < 5e-7]
    assert not found.get(len(table))  # 127 rows were left out


def test_a_table_that_is_opened_by_its_path_sends_none(
    sent: Sent, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither its card, nor what is said of it before it is opened."""
    monkeypatch.setattr(memory(), "paths", PathAccess(None))
    people().replace("", None).to_parquet(tmp_path / "people.parquet")
    at = AppTest.from_file(APP, default_timeout=60).switch_page("app_pages/data.py").run()
    at.text_input(key="data.path").input(str(tmp_path / "people.parquet")).run()
    finished(at)
    at.button(key="data.path.open").click().run()
    finished(at)
    assert held(at).table is None
    asked(at, "group_difference")
    assert "1,373 rows and 6 variables are ready" in sent.whole()
    small, found = small_counts(people()), sent.counts()
    assert not {count: found[count][:3] for count in [*small, len(people())] if count in found}


def test_ordinal_networks_send_none(sent: Sent) -> None:
    """Of the ordered columns alone, from all rows."""
    at = opened(people())
    asked(at, "ordinal")
    small, found = small_counts(people()), sent.counts()
    assert not {count: found[count][:3] for count in small if count in found}
    assert "diptych-ordinal-settings.csv" in sent.files


def test_what_is_sent_is_a_whole_result(walked: Sent) -> None:
    """Masked tables, networks, a report: hiding leaves the pages standing."""
    text = walked.whole()
    assert f"fewer than {LEAST}" in text
    assert "A sentence was left out: it would give away a count under 200." in text
    assert "A chart was left out: it could give away a count under 200." in text
    assert any(".bidi_component.json.panels" in place for place, _ in walked.texts)
    endings = {name.rpartition(".")[2] for name in walked.files}
    assert endings == {"csv", "html", "json", "py", "txt"}
    assert "diptych-report.html" in walked.files
    assert {"diptych-log-linear-edges.csv", "diptych-compare-links.csv"} <= {*walked.files}
    assert not any(name.endswith(("project.diptych", "result.json", "prepared-table.csv")) for name in walked.files)
