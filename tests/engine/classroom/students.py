"""Two students: one who predicts everything right, and one who predicts everything wrong."""

from __future__ import annotations

import re

from engine.classroom.exercise import Amount, Prediction, SingleChoice
from engine.classroom.lesson import LessonStep, OpenedLesson, Question
from engine.words import NO_BREAK

USUAL = ("the same", "holm's correction")
"""Solutions that a text may name for another reason."""


def right(question: Question) -> Prediction:
    """What is right."""
    solution = question.solution
    return solution.value if isinstance(solution, Amount) else solution.correct


def wrong(question: Question) -> Prediction:
    """Something that is offered and not right."""
    solution = question.solution
    if isinstance(solution, Amount):
        return round(solution.value + solution.tolerance + 1)
    if isinstance(solution, SingleChoice):
        return next(key for key in question.options if key != solution.correct)
    return tuple(option for option in solution.options if option not in solution.correct) or solution.options[:1]


def given_away(lesson: OpenedLesson) -> set[tuple[int, int]]:
    """Positions of a step and of another whose text holds its solution in words, before it is predicted."""
    return {
        (place, other)
        for place, step in enumerate(lesson.steps)
        for other, another in enumerate(lesson.steps)
        if other != place and _holds(_read(another, answered=other < place), step.question)
    }


def _read(step: LessonStep, *, answered: bool) -> str:
    """What a student may read of a step: on a sheet all but the result, on screen that of an answered step too."""
    after = (step.result, step.correction) if answered else ()
    return " ".join((step.title, step.text, step.question.text, *after))


def _holds(text: str, question: Question) -> bool:
    """Whether a text holds a solution of more than a word, whatever its capitals and marks."""
    text, solution = (
        part.replace("\\", "").replace(NO_BREAK, " ").lower() for part in (text, question.solution_in_words)
    )
    long = isinstance(question.solution, Amount) or (" " in solution and solution not in USUAL)
    return long and bool(re.search(rf"(?<![\w.,+]){re.escape(solution)}(?!\w)", text))


def predictions(lesson: OpenedLesson, student) -> dict[int, Prediction]:  # type: ignore[no-untyped-def]
    """All that a student predicts in a lesson."""
    return {place: student(step.question) for place, step in enumerate(lesson.steps)}
