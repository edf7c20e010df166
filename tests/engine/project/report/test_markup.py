"""Everything is text unless it was made as markup."""

from __future__ import annotations

from engine.project.report.markup import Markup, clean, element, joined, name_of
from engine.project.report.reading import used_words


def test_text_is_escaped_and_markup_is_not() -> None:
    """Also in attributes."""
    assert element("p", "<a>", Markup("<b>x</b>"), id="'\"<") == "<p id='&#x27;&quot;&lt;'>&lt;a&gt;<b>x</b></p>"
    assert joined("&", Markup("&amp;")) == "&amp;&amp;"
    assert element("meta", name="a", content="") == "<meta name='a'>"
    assert element("div", aria_label="x", class_="y") == "<div aria-label='x' class='y'></div>"


def test_what_cannot_be_seen_is_left_out() -> None:
    """Control and direction characters, halves of pairs, bytes that no document may hold."""
    assert clean("a\x00b\u202ec\ud800d\ufffee\tf\n") == "abcde f\n"
    assert name_of(" \u200b ") == "(no name)"
    assert name_of("a\n b") == "a b"


def test_only_words_that_are_used_are_explained() -> None:
    """A short glossary."""
    assert [word for word, _ in used_words("ten points of a partial correlation")] == ["Partial correlation", "Points"]
    assert used_words("nothing") == []
