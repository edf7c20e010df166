"""Everything is text unless it was made as markup."""

from __future__ import annotations

from markupsafe import Markup

from engine.project.report.markup import clean, document_with_labels, render
from engine.telling.charts.labels import name_of


def test_text_is_escaped_and_markup_is_not() -> None:
    """Also in attributes, and what cannot be seen is left out of either."""
    text = render("picture.html", svg=Markup("<b>x</b>"), title="<a>&\x00\u202e", alternative="'\"")
    assert text == "<figure><b>x</b><figcaption><b>&lt;a&gt;&amp;. </b>&#39;&#34;</figcaption></figure>"


def test_what_cannot_be_seen_is_left_out() -> None:
    """Control and direction characters, halves of pairs, bytes that no document may hold."""
    assert clean("a\x00b\u202ec\ud800d\ufffee\tf\n") == "abcde f\n"
    assert name_of(" \u200b ") == "(no name)"
    assert name_of("a\n b") == "a b"


def test_labels_stand_in_texts_and_neither_in_pictures_nor_in_programs() -> None:
    """They are escaped; what is in a tag, a picture or a program is no text."""
    document = '<p id="q1">q1, q11</p><svg><text>q1</text></svg><pre>data["q1"]</pre><td>q1</td>&#39;q1&#39; is.'
    assert document_with_labels(document, {"q1": "Sad <b>"}) == (
        '<p id="q1">“Sad &lt;b&gt;” (q1), q11</p><svg><text>q1</text></svg><pre>data["q1"]</pre>'
        "<td>Sad &lt;b&gt; (q1)</td>“Sad &lt;b&gt;” (q1) is."
    )
