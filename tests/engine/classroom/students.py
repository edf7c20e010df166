"""Two students: one who predicts everything right, and one who predicts everything wrong."""

from __future__ import annotations

from engine.classroom.exercise import Amount, Prediction, SingleChoice
from engine.classroom.lesson import OpenedLesson, Question


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


def predictions(lesson: OpenedLesson, student) -> dict[int, Prediction]:  # type: ignore[no-untyped-def]
    """All that a student predicts in a lesson."""
    return {place: student(step.question) for place, step in enumerate(lesson.steps)}
