"""Everything is text unless it was made as markup."""

from __future__ import annotations

from markupsafe import Markup

from engine.project.report.markup import clean, name_of, render
from engine.project.report.page import used_words


def test_text_is_escaped_and_markup_is_not() -> None:
    """Also in attributes, and what cannot be seen is left out of either."""
    text = render("picture.html", svg=Markup("<b>x</b>"), title="<a>&\x00\u202e", alternative="'\"")
    assert text == "<figure><b>x</b><figcaption><b>&lt;a&gt;&amp;. </b>&#39;&#34;</figcaption></figure>"


def test_what_cannot_be_seen_is_left_out() -> None:
    """Control and direction characters, halves of pairs, bytes that no document may hold."""
    assert clean("a\x00b\u202ec\ud800d\ufffee\tf\n") == "abcde f\n"
    assert name_of(" \u200b ") == "(no name)"
    assert name_of("a\n b") == "a b"


def test_only_words_that_are_used_are_explained() -> None:
    """A short glossary."""
    assert [word for word, _ in used_words("ten percentage points of a partial correlation")] == [
        "Partial correlation",
        "Percentage point",
    ]
    assert used_words("nothing") == []
