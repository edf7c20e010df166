"""Every lesson from start to end: its file, its texts, a right and a wrong student, its sheets."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from engine.classroom.catalog import LESSONS
from engine.classroom.exercise import Amount, MultipleChoice
from engine.classroom.lesson import OpenedLesson, open_lesson
from engine.classroom.lesson_file import FOLDER
from engine.classroom.sheet import inline, to_html, to_sheet
from engine.errors import SettingsError
from tests.engine.classroom.students import given_away, predictions, right, wrong
from tests.floor.test_shown_words import OLD

SEED = 41
MOST_WORDS = 25
NAMESPACE = " xmlns='http://www.w3.org/2000/svg'"
_OPENED: dict[str, OpenedLesson] = {}


@pytest.fixture(params=LESSONS)
def lesson(request: pytest.FixtureRequest) -> OpenedLesson:
    """Each lesson, opened once for all tests."""
    if request.param not in _OPENED:
        _OPENED[request.param] = open_lesson(request.param, SEED)
    return _OPENED[request.param]


def texts(lesson: OpenedLesson) -> list[str]:
    """All that a student may read."""
    steps = [[step.text, step.question.text, step.result, step.correction] for step in lesson.steps]
    return [lesson.template.summary, *(text for step in steps for text in step)]


def test_every_file_is_a_lesson() -> None:
    """No file is forgotten in the list, and none is missing."""
    assert {file.stem for file in FOLDER.glob("*.md")} == set(LESSONS)


def test_a_right_and_a_wrong_student_come_to_the_end(lesson: OpenedLesson) -> None:
    """One has all predictions right, the other none, and a reason at each step that differs from the result."""
    assert lesson.number_right(predictions(lesson, right)) == len(lesson.steps)
    assert lesson.number_right(predictions(lesson, wrong)) == 0
    for step in lesson.steps:
        assert step.question.in_words(right(step.question)) == step.question.solution_in_words
        assert step.question.in_words(wrong(step.question)) != step.question.solution_in_words
        assert step.correction != step.result


def test_sentences_are_short_and_in_standard_words(lesson: OpenedLesson) -> None:
    """At most 25 words a sentence, no place left open, no word of before."""
    for text in texts(lesson):
        assert "{" not in text
        assert not re.search(r"^\s*(\d+[.)]|[-+*]) ", text, re.MULTILINE), "Markdown would make a list of it"
        assert not [word for word in OLD if word in text.lower()]
        plain = re.sub(r"[\\*]", "", text)
        for sentence in re.split(r"(?<=[.?!:;])\s", plain):
            assert len(re.findall(r"[^\W\d_]{2,}", sentence)) <= MOST_WORDS, sentence


def test_drawings_load_nothing_and_say_what_they_show(lesson: OpenedLesson) -> None:
    """At least one picture a lesson, each with words, none with an address but its own namespace."""
    drawings = [one for step in lesson.steps for one in (step.drawing, step.result_drawing) if one is not None]
    assert drawings
    for drawing in drawings:
        assert drawing.alternative
        assert set(re.findall(r"https?://[^'\" ]*", drawing.svg)) <= {"http://www.w3.org/2000/svg"}


class _Sections(HTMLParser):
    """How many sections a sheet has, and that every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sections = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.sections += tag == "section"
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_sheets_have_all_steps_and_only_the_teachers_the_solutions(lesson: OpenedLesson) -> None:
    """Closed elements, no address, a section a step; results stand in one of the two sheets only."""
    without, teachers = (to_sheet(lesson, solutions=solutions) for solutions in (False, True))
    for sheet in (without, teachers):
        reader = _Sections()
        reader.feed(sheet)
        assert not reader.open
        assert reader.sections == len(lesson.steps)
        assert lesson.selection in sheet
        assert "://" not in sheet
        ids = re.findall(r"\bid='([^']+)'", sheet)
        assert len(ids) == len(set(ids)), "an arrow would get the head of another picture"
    for step in lesson.steps:
        assert str(to_html(step.result)) in teachers
        assert str(to_html(step.result)) not in without
        assert str(inline(step.correction)) not in without
    assert "class='right'" not in without
    pictures = re.findall(r"<svg.*?</svg>", re.sub(r"step\d+-", "lesson-", without), re.DOTALL)
    asked = []
    for step in lesson.steps:
        asked.append(step.drawing)
        if step.result_drawing is not None and step.result_drawing not in asked:
            assert step.result_drawing.svg.replace(NAMESPACE, "") not in pictures, "a later step shows the result"


def test_a_step_does_not_give_away_the_result_of_another() -> None:
    """What is read before a prediction, on screen or on paper, holds the result of no other step."""
    assert [slug for slug in ("explaining-away", "prior", "context") if given_away(open_lesson(slug, SEED + 1))] == []


def test_places_are_filled_with_harmless_text() -> None:
    """What stands in a place is no markup, neither in Markdown nor on a sheet."""
    assert str(inline(r"\<b\>a\*b\* **bold** <i>")) == ("&#60;b&#62;a&#42;b&#42; <strong>bold</strong> &lt;i&gt;")


@pytest.mark.parametrize(("slug", "seed"), [("nothing", 1), ("simpson", -1), ("simpson", 1_000_000)])
def test_an_address_that_means_nothing_is_refused(slug: str, seed: int) -> None:
    """A lesson that there is not, a seed that is none."""
    with pytest.raises(SettingsError):
        open_lesson(slug, seed)


def test_other_seeds_give_other_exercises() -> None:
    """Two students with other seeds have other numbers; with the same seed the same."""
    numbers = [open_lesson("simpson", seed).steps[0].text for seed in (1, 2, 1)]
    assert numbers[0] == numbers[2] != numbers[1]


def test_a_number_is_right_near_what_is_shown() -> None:
    """2 is within 1 of the 3 patients that the page names, though the mean is 3.125; 1.9 and 4.2 are too far."""
    solution = Amount(3.125, 1, "patients")
    assert solution.in_words(solution.value) == "3\u00a0patients"
    assert [solution.is_right(number) for number in (1.9, 2, 4, 4.125, 4.2)] == [False, True, True, True, False]


def test_several_options_are_right_only_together() -> None:
    """One of two right options is not enough, and a superfluous one is too many."""
    solution = MultipleChoice(("A", "B", "C"), ("A", "B"))
    given = [("B", "A"), ("A",), ("A", "B", "C"), ()]
    assert [solution.is_right(one) for one in given] == [True, False, False, False]
