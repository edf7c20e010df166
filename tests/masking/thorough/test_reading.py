"""Nobody works a count of one to four people out of what is shown of an answer, of any method."""

from __future__ import annotations

import re

import pytest

from engine.methods.masked import Masked
from engine.project.report.write import report
from tests.masking.drawn import METHODS, answers, drawn, read, sentences
from tests.masking.reader import Reader

TABLES = 12
"""Drawn for each method."""
_COUNTED = re.compile(r"(?<![\w.,−-])([1-4]) (?:of \d+ )?(?:rows?|patients?|subjects?|people)\b(?! of the tables)")


@pytest.mark.parametrize("method", METHODS)
def test_no_small_count_is_pinned(method: str) -> None:
    """From sentences, tables of pages, files and the report, and the rows of every level, all taken together."""
    said = numbers = small = 0
    for seed in range(TABLES):
        frame = drawn(seed, method)
        for result, data in answers(method, frame):
            reader = Reader(frame)
            said += len(read(reader, result, data))
            assert not reader.pinned(), (seed, reader.pinned())
            numbers += reader.read
            small += sum(0 < reader.n(about) < reader.least for about in reader.forms)
    assert said >= 100 and numbers >= 90 and small >= 50, (said, numbers, small)


@pytest.mark.parametrize("method", METHODS)
def test_the_report_says_no_more(method: str) -> None:
    """What stands in the document, hover texts and headings among it, is what was read: no count of a few people."""
    frame = drawn(1, method)
    for result, data in answers(method, frame):
        text = re.sub(r"<[^>]+>", " ", report(result, hide_below=5, data=data, when="today") or "")
        assert not _COUNTED.findall(text)
        left_out = {*sentences(result)} - {*Masked(result, 5).publishable(sentences(result))}
        assert not [sentence for sentence in left_out if len(sentence) > 30 and sentence in text]


def test_the_reader_would_have_worked_it_out() -> None:
    """Of a result whose counts all stand: the proof reads what it claims to read."""
    frame = drawn(0, "group_difference")
    ((result, _),) = answers("group_difference", frame)
    reader = Reader(frame)
    for sentence in sentences(result):
        reader.sentence(sentence)
    kinds = {"variable": "text", "context": "text", "group": "text", "level": "text", "count": "count"}
    reader.table(result.table("Distributions")[[*kinds]], kinds)
    assert reader.pinned()
