"""The data dictionary: there and back, and robust to what people write into it."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.data.dataset import Dataset
from engine.data.preparing.dictionary import Dictionary, Entry, read_dictionary
from engine.data.preparing.proposals import propose
from engine.errors import DataError
from engine.exchange.data_dictionary import write_dictionary

_words = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=6)
_plain = _words.filter(lambda text: text == text.strip() and not text.startswith(("'", "#", '"')))


def table() -> pd.DataFrame:
    """A table with an identifier, a scale and a number."""
    return pd.DataFrame(
        {
            "id": [f"p{i}" for i in range(30)],
            "pain": ["none", "mild", "severe"] * 10,
            "age": [20.5 + i for i in range(30)],
        }
    )


def test_a_data_set_comes_back_from_its_dictionary() -> None:
    """Kinds and levels written from a data set rebuild the same data set."""
    data = Dataset.from_frame(table())
    choices, problems = read_dictionary(write_dictionary(data).encode()).choices(table().columns)
    assert problems == ()
    assert Dataset.from_frame(table(), **choices).fingerprint == data.fingerprint


def test_proposals_can_be_written() -> None:
    """The proposals of a table make a dictionary with all its columns."""
    entries = read_dictionary(write_dictionary(propose(table()), {"age": "age in years"}).encode()).entries
    assert [(one.name, one.kind) for one in entries] == [("id", "ignore"), ("pain", "ordinal"), ("age", "continuous")]
    assert entries[1].levels == ("none", "mild", "severe")
    assert entries[2].label == "age in years"


def test_other_words_and_separators() -> None:
    """Common synonyms of headings and types, codes with labels, and semicolons are understood."""
    found = read_dictionary(b"Variable;Description;Kind;Values\nsex;Sex of the patient;Categorical;1=m | 2=f\n")
    assert found.entries == (Entry("sex", "nominal", "Sex of the patient", ("1", "2")),)


def test_errors_in_it_are_sentences() -> None:
    """A wrong type, a doubled level, a nameless line, a second entry and unknown columns are named with their line."""
    found = read_dictionary(b"name,type,levels\na,strange,\nb,ordinal,x | x\n,nominal,\nb,nominal,\nz,nominal,\n")
    choices, problems = found.choices(["a", "b", "c"])
    text = "\n".join(problems)
    for words in ("Line 2", "'strange'", "Line 3", "same level twice", "Line 4", "Line 5", "'z'", "'c'"):
        assert words in text
    assert choices == {"kinds": {"b": "ordinal"}, "levels": {"b": ["x"]}, "units": {}}


def test_no_names_is_refused() -> None:
    """Without a column of names there is no dictionary."""
    with pytest.raises(DataError, match="name,type,label,levels,unit,scale"):
        read_dictionary(b"a,b\n1,2\n")


def test_names_match_without_capitals() -> None:
    """`AGE` in the dictionary is the column `age`."""
    choices, _ = Dictionary((Entry("AGE", "continuous"),)).choices(["age"])
    assert choices["kinds"] == {"age": "continuous"}


def test_labels_carry_units() -> None:
    """A unit stands in brackets behind the label."""
    entries = (Entry("age", label="Age", unit="years"), Entry("hb", unit="g/l"), Entry("x"))
    assert Dictionary(entries).labels() == {"age": "Age [years]", "hb": "hb [g/l]"}


def test_scales_are_read_and_written() -> None:
    """From a column of that name or what forms call it; what is on none is not listed."""
    found = read_dictionary(b"name,Form Name,label\na,PHQ-9,sad\nb,,worried\nc,=GAD,\n")
    assert found.scales() == {"a": "PHQ-9", "c": "=GAD"}
    assert read_dictionary(write_dictionary(found).encode()).scales() == found.scales()
    kinds = read_dictionary(b"name,scale\na,Ordinal\nb,ratio\nc,PHQ-9\n").entries
    assert [(one.kind, one.scale) for one in kinds] == [("ordinal", ""), ("continuous", ""), ("", "PHQ-9")]
    again = read_dictionary(write_dictionary(propose(table()), scales={"age": "visit"}).encode())
    assert again.scales() == {"age": "visit"}


@settings(max_examples=60)
@example(name="0", levels=["0,0", "-1 , 2"])
@example(name="\uff0b", levels=["\uff1d1", "\uff20"])
@given(name=_plain, levels=st.lists(_plain, min_size=1, max_size=4, unique=True))
def test_levels_with_any_sign_come_back(name: str, levels: list[str]) -> None:
    """Bars, equal signs and backslashes inside levels survive."""
    from engine.data.reading.headers import clean_text

    levels = list(dict.fromkeys(clean_text(level) for level in levels if clean_text(level)))
    written = Dictionary((Entry(clean_text(name) or "x", "nominal", "", tuple(levels)),))
    assert read_dictionary(write_dictionary(written).encode()).entries == written.entries
