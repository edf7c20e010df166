"""User text stays text."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from dashboard.text import distinct, plain, short, unbroken, visible

HOSTILE = [
    "![p](http://evil.example/p.png)",
    "[link](http://evil.example)",
    "<img src=x onerror=alert(1)>",
    "$\\TeX$",
    ":red[x]",
    ":material/home:",
    ":streamlit:",
    "a->b",
    "`code`",
    "# heading",
    "www.evil.example",
    "me@evil.example",
]


@settings(max_examples=50)
@given(st.text())
def test_every_mark_is_escaped(text: str) -> None:
    """No ASCII punctuation mark is left without a backslash before it, and none is lost."""
    shown = plain(text)
    unescaped, i = [], 0
    while i < len(shown):
        if shown[i] == "\\":
            unescaped.append(shown[i + 1])
            i += 2
        else:
            assert shown[i] not in string.punctuation
            unescaped.append(shown[i])
            i += 1
    assert "".join(unescaped).replace("\u2060", "") == visible(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_run_that_acts_is_left(text: str) -> None:
    """The runs Streamlit acts on even when escaped are broken up."""
    bare = plain(text).replace("\\", "")
    assert not any(run in bare for run in ("://", "www.", "->", "<-"))


def test_direction_marks_and_control_characters_go() -> None:
    """A name cannot turn the line around or break it."""
    assert visible("a\u202eb\x00c\nd\u200be") == "abc de"


@given(st.text(max_size=60), st.integers(2, 30))
@settings(max_examples=50)
def test_short_is_short(text: str, n: int) -> None:
    """At most n characters, and the text itself where it fits."""
    assert len(short(text, n)) <= n
    if len(visible(text)) <= n:
        assert short(text, n) == visible(text)
    else:
        assert short(text, n).endswith("…")


def test_escaped_text_reaches_a_page_unharmed() -> None:
    """An element drawn with `plain` keeps the escapes in what it sends to the browser."""

    def page() -> None:
        import streamlit as st

        from dashboard.text import plain

        st.markdown(plain("![p](http://evil.example/p.png)"))

    shown = AppTest.from_function(page, default_timeout=60).run().markdown[0].value
    assert shown.startswith("\\!\\[p\\]\\(")


def test_no_line_ends_within_a_share_and_its_counts() -> None:
    """The counts stay with their percent; a long bracket and one after a name may part."""
    shown = unbroken(
        plain("ICU = yes in 58 % (66 of 114) among North (179), r +.68 (95 % interval +.43 to +.84), a (b)")
    )
    assert "58\u00a0\\%\u00a0\\(66\u00a0of\u00a0114\\) among North \\(179\\)" in shown
    assert "interval \\+" in shown and "a \\(b" in shown


def test_texts_that_would_be_cut_alike_keep_their_ends() -> None:
    """Short ones stay, others are cut at the end; two that would read alike are told apart by their ends."""
    one, two = "age at diagnosis = young, stage = 1", "age at diagnosis = young, stage = 2"
    assert distinct(["old", one, "another long text that ends"], 12) == ["old", "age at diag…", "another lon…"]
    found = distinct([one, two, "old", one], 20)
    assert found == ["age at dia…stage = 1", "age at dia…stage = 2", "old", "age at dia…stage = 1"]
    assert all(len(text) <= 20 for text in found)
