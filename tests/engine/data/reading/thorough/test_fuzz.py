"""Bytes at random, and good files with bytes changed or cut off: a table or a sentence, nothing else, ever.

`DIPTYCH_FUZZ=20000 python -m pytest -n0 tests/engine/data/reading/thorough/test_fuzz.py` tries so many of each sort.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.data.reading.foreign import UNFORESEEN
from engine.data.reading.read import read_table
from engine.errors import DataError
from tests.engine.data.reading.thorough.test_more_hostile import UNFORESEEN_COLUMN
from tests.hostile.containers import parquet, statistics, workbook
from tests.hostile.make import FIXTURES
from tests.hostile.more_declared import feather, table
from tests.hostile.more_workbooks import ods, ods_row

TRIED = int(os.environ.get("DIPTYCH_FUZZ", "0"))
SMALL = [name for name, one in FIXTURES.items() if len(one.make()) < 20_000] if TRIED else ["utf8_bom", "decimal_comma"]
GOOD = {
    "xlsx": workbook(),
    "ods": ods(ods_row("a", "b") + ods_row("x", 1) + ods_row("y", 2))(),
    "parquet": parquet(table([1, 2, 3, None])),
    "feather": feather(table([1, 2, 3, None])),
    "sav": statistics("sav"),
    "dta": statistics("dta"),
    **{name: FIXTURES[name].make() for name in SMALL},
}
_TEXT = st.text(st.sampled_from("ab1,;\t|\"'\n\r .-+%eE\u00e4\ufeff\x1a#=NA"), max_size=200).map(str.encode)


def read(data: bytes) -> None:
    """A table, or a sentence that somebody has foreseen."""
    try:
        read_table(data)
    except DataError as error:
        assert str(error).endswith(".")
        assert UNFORESEEN not in str(error) and UNFORESEEN_COLUMN not in str(error)


@given(st.binary(max_size=300) | _TEXT)
@settings(max_examples=TRIED or 80)
@example(b"\x1f\x8b\x08")
@example(b"PK\x03\x04")
@example(b"ARROW1\0\0" + b"\xff" * 20 + b"ARROW1")
@example(b"a\n" + b"9" * 5_000 + b"\n1\n2\n")
def test_any_bytes(data: bytes) -> None:
    """No table at all, or a text that is nearly one."""
    read(data)


@pytest.mark.parametrize("name", GOOD)
@given(data=st.data())
@settings(max_examples=TRIED or 20)
def test_good_files_changed(name: str, data: st.DataObject) -> None:
    """Up to six bytes changed, and perhaps the end cut off."""
    changed = bytearray(GOOD[name])
    for place in data.draw(st.lists(st.integers(0, len(changed) - 1), max_size=6)):
        changed[place] = data.draw(st.integers(0, 255))
    read(bytes(changed[: data.draw(st.integers(0, len(changed)))] if data.draw(st.booleans()) else changed))
