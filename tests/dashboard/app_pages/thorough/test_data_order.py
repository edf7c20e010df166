"""The order of levels on the data page: proposed for known words, turned round, moved and shared by hand."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.session.keys import widget_key
from tests.dashboard.app_pages.test_data import control, data, edit, look_at, said, with_file, work

KNOWN = ("never", "sometimes", "often")
OWN = ("blaff", "arf", "woof", "bow")


def scales(words: tuple[str, ...], columns: int) -> bytes:
    """A file of text scales, every word in every column."""
    drawn = np.random.default_rng(1).choice(words, size=(60, columns)).tolist()
    rows = [[f"item {i}" for i in range(columns)], *([word] * columns for word in words), *drawn]
    return "\n".join(map(",".join, rows)).encode()


def press(app: AppTest, label: str) -> None:
    next(one for one in app.button if one.label.startswith(label)).click().run()
    assert not app.exception
    assert not app.error


def labels(app: AppTest) -> list[str]:
    return [one.label for one in app.button]


def test_24_text_scales_are_in_order_without_a_click() -> None:
    """The alphabet would put never first and often second; the proposal does not, and says why."""
    app = with_file("scales.csv", scales(KNOWN, 24))
    assert not app.exception
    assert set(data(app).levels.values()) == {KNOWN}
    assert set(data(app).kinds.values()) == {"ordinal"}
    assert not any(work(app).chosen.values())
    look_at(app, "item 3")
    assert "from 'never' to 'often'" in said(app).replace("\\", "")


def test_words_of_ones_own_are_ordered_once_for_all_columns() -> None:
    """Nominal to begin with; one choice, two places and one press, and every column is ordinal in that order."""
    app = with_file("scales.csv", scales(OWN, 5))
    assert set(data(app).kinds.values()) == {"nominal"}
    look_at(app, "item 1")
    assert not any(label.startswith("Same use") for label in labels(app))
    control(app, "selectbox", "Use it as").select("ordinal").run()
    assert data(app).kinds["item 1"] == "ordinal"
    assert data(app).levels["item 1"] == ("arf", "blaff", "bow", "woof")
    edit(app, "levels", {1: {"place": 1}, 3: {"place": 3}}, column="item 1")
    assert data(app).levels["item 1"] == OWN
    assert data(app).levels["item 0"] == ("arf", "blaff", "bow", "woof")
    press(app, "Same use and order in 4 columns")
    assert set(data(app).levels.values()) == {OWN}
    assert set(data(app).kinds.values()) == {"ordinal"}
    assert not any(label.startswith("Same use") for label in labels(app))


def test_the_order_is_turned_round_and_back() -> None:
    """One press each way; the second leaves no choice behind."""
    app = with_file("scales.csv", scales(KNOWN, 2))
    look_at(app, "item 1")
    press(app, "Reverse the order")
    assert data(app).levels["item 1"] == KNOWN[::-1]
    assert data(app).levels["item 0"] == KNOWN
    press(app, "Reverse the order")
    assert data(app).levels["item 1"] == KNOWN
    assert "item 1" not in work(app).chosen["levels"]


def test_merged_levels_turn_round_with_their_new_names() -> None:
    """What was renamed or merged stays so, here and where it is shared."""
    app = with_file("scales.csv", scales(OWN, 3))
    look_at(app, "item 0")
    edit(app, "levels", {0: {"becomes": "bark"}, 2: {"becomes": "bark"}}, column="item 0")
    assert data(app).levels["item 0"] == ("bark", "blaff", "woof")
    press(app, "Reverse the order")
    assert data(app).levels["item 0"] == ("woof", "bark", "blaff")
    press(app, "Same use and order in 2 columns")
    assert set(data(app).levels.values()) == {("woof", "bark", "blaff")}
    work(app).chosen["merge"]["item 0"]["arf"] = "else"
    assert work(app).chosen["merge"]["item 1"]["arf"] == "bark"


@pytest.mark.parametrize("other", ["A,B\nx,u\ny,v\nz,u\n", "A,B\nx,x\ny,y\nz,x\n"])
def test_columns_with_other_values_are_left_alone(other: str) -> None:
    """Only columns with exactly these values are offered the order of this one."""
    app = with_file("other.csv", other.encode())
    look_at(app, "A")
    control(app, "selectbox", "Use it as").select("ordinal").run()
    press(app, "Reverse the order")
    assert not any(label.startswith("Same use") for label in labels(app))
    assert app.button(key=widget_key(f"data.column.{id(work(app))}.0", "reverse")).label == "Reverse the order"
