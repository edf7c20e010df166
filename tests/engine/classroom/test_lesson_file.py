"""The reader of lessons is strict: whatever is missing or misplaced is named with its line."""

from __future__ import annotations

import re

import pytest

from engine.classroom.exercise import Amount, Exercise, SingleChoice
from engine.classroom.lesson import check_fit, fill_lesson
from engine.classroom.lesson_file import read_lesson
from engine.errors import DataError

STEP = """## Step {n}
Read {{share}}.
![picture]
### Predict q{n}
Which one?
- a: the first
- b: the second
### Result
![other]
The first.
### Correction
Count.
"""
HEADER = "---\nquestion: Which?\nconcept: Counting\nminutes: 5\nsummary: Count.\n---\n"
LESSON = HEADER + "".join(STEP.format(n=n) for n in range(1, 6))


def test_a_lesson_is_read_part_by_part() -> None:
    """Header, texts, options and drawings stand where they belong."""
    lesson = read_lesson(LESSON)
    assert (lesson.question, lesson.minutes, len(lesson.steps)) == ("Which?", 5, 5)
    step = lesson.steps[1]
    assert (step.title, step.key, step.options) == ("Step 2", "q2", {"a": "the first", "b": "the second"})
    assert (step.read.drawing, step.result.drawing) == ("picture", "other")
    assert (step.read.text.strip(), step.question.text.strip()) == ("Read {share}.", "Which one?")
    assert (lesson.places(), lesson.drawings()) == ({"share"}, {"picture", "other"})


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("---\nquestion", "question", 1, "begins with a header"),
        ("minutes: 5", "minutes: five", 1, "minutes as a number"),
        ("concept: Counting\n", "", 1, "its header has the lines"),
        ("---\n## Step 1", "---\nHello\n## Step 1", 7, "below the heading of a step"),
        ("### Result\n![other]\nThe first.\n### Correction\nCount.\n## Step 2", "## Step 2", 7, "has no Result"),
        ("### Correction\nCount.\n## Step 2", "## Step 2", 7, "has no Correction"),
        ("### Predict q1", "### Predict", 10, "a part is"),
        ("### Predict q1", "### Guess q1", 10, "a part is"),
        ("### Predict q1", "#### Predict q1", 10, "there is no heading"),
        ("### Predict q2", "### Predict q1", 7, "two questions are called 'q1'"),
        ("## Step 5", "Step 5", 60, "this one 4"),
        ("Count.\n## Step 2", "Count.\n" + "x\n" * 100 + "## Step 2", 166, "at most 150 lines"),
    ],
)  # fmt: skip
def test_what_does_not_keep_the_rules_is_refused(old: str, new: str, line: int, reason: str) -> None:
    """One sentence with the lesson, the line and the rule."""
    assert old in LESSON
    with pytest.raises(DataError, match=re.escape(reason)) as error:
        read_lesson(LESSON.replace(old, new, 1), "counting")
    if "this one" not in reason:
        assert f"Lesson 'counting', line {line}:" in str(error.value)


def exercise(**changed: object) -> Exercise:
    """What fits the lesson above."""
    solutions = {f"q{n}": SingleChoice("a") for n in range(1, 6)}
    fitting = {
        "draws": (1, 3),
        "values": {"share": "4 %"},
        "solutions": solutions,
        "drawings": {"picture": None, "other": None},
    }
    return Exercise(**fitting | changed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"values": {}}, "in the value 'share'"),
        ({"values": {"share": "", "more": ""}}, "in the value 'more'"),
        ({"drawings": {"picture": None}}, "in the drawing 'other'"),
        ({"solutions": {"q1": SingleChoice("a")}}, "in the question 'q2'"),
        ({"solutions": {f"q{n}": SingleChoice("c") for n in range(1, 6)}}, "the options of 'q1'"),
        ({"solutions": {f"q{n}": Amount(1, 0) for n in range(1, 6)}}, "the options of 'q1'"),
    ],
)
def test_file_and_exercise_fit(changed: dict[str, object], reason: str) -> None:
    """A place without a value, a value without a place, an option that is not offered."""
    check_fit(read_lesson(LESSON), exercise())
    with pytest.raises(DataError, match=re.escape(reason)):
        check_fit(read_lesson(LESSON), exercise(**changed))


def test_a_value_is_shown_to_the_letter() -> None:
    """Whatever an exercise puts into a place, Markdown takes no mark of it for markup."""
    lesson = fill_lesson(read_lesson(LESSON), 1, exercise(values={"share": "*4* <b>"}))
    assert lesson.steps[0].text == r"Read \*4\* \<b\>."
