"""A lesson opened with a seed: its texts filled, its questions with their solutions, predictions compared with them."""

from __future__ import annotations

import re
import string
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from engine.classroom.catalog import LESSONS
from engine.classroom.exercise import (
    Amount,
    Drawing,
    Exercise,
    MultipleChoice,
    Prediction,
    SingleChoice,
    Solution,
    options_in_words,
)
from engine.classroom.lesson_file import LessonTemplate, Passage, StepTemplate, lesson_file
from engine.errors import DataError, SettingsError
from engine.words import listed, short

MOST_SEED = 999_999


@dataclass(frozen=True)
class Question:
    """The prediction asked for in a step.

    Attributes
    ----------
    text : as Markdown
    options : key -> text as Markdown, where something is chosen; empty for a number
    solution : what is right
    """

    text: str
    options: Mapping[str, str]
    solution: Solution

    def in_words(self, prediction: Prediction) -> str:
        """A prediction as one reads it, as Markdown.

        Parameters
        ----------
        prediction : the key of an option, a number, or several options

        Returns
        -------
        the text of the option, the number with its unit, or the list of options
        """
        if isinstance(self.solution, Amount):
            return self.solution.in_words(float(prediction))  # type: ignore[arg-type]
        if isinstance(prediction, tuple):
            return escape_markdown(options_in_words(prediction))
        return self.options[str(prediction)]

    @property
    def solution_in_words(self) -> str:
        """The right answer as one reads it, as Markdown."""
        solution = self.solution
        return self.in_words(solution.value if isinstance(solution, Amount) else solution.correct)


@dataclass(frozen=True)
class LessonStep:
    """One step of an opened lesson; texts are Markdown.

    Attributes
    ----------
    title : its heading
    text, drawing : read before the prediction
    question : what is predicted
    result, result_drawing : shown afterwards; None where the first drawing says it
    correction : shown to who predicted something else
    """

    title: str
    text: str
    drawing: Drawing | None
    question: Question
    result: str
    result_drawing: Drawing | None
    correction: str


@dataclass(frozen=True)
class OpenedLesson:
    """A lesson with everything drawn from its seed.

    Attributes
    ----------
    template : the lesson as it is written
    seed : of the draw
    steps : in order
    draws : for each part that was drawn until it showed the point, which draw it is
    """

    template: LessonTemplate
    seed: int
    steps: tuple[LessonStep, ...]
    draws: tuple[int, ...]

    @property
    def selection(self) -> str:
        """Say how its numbers were selected."""
        draws = listed(f"{number:,}" for number in self.draws)
        return f"Each part is drawn until it shows the point clearly. Draws that this took: {draws}."

    def number_right(self, predictions: Mapping[int, Prediction]) -> int:
        """Count the right predictions.

        Parameters
        ----------
        predictions : position of a step -> what was predicted there

        Returns
        -------
        at most as many as there are steps
        """
        return sum(self.steps[place].question.solution.is_right(given) for place, given in predictions.items())


def open_lesson(slug: str, seed: int) -> OpenedLesson:
    """A lesson with the exercise of a seed; equal seeds give equal exercises, on every machine.

    Parameters
    ----------
    slug : of the lesson, one of `engine.classroom.catalog.LESSONS`
    seed : from 0 to 999999

    Returns
    -------
    the lesson, ready to be shown

    Raises
    ------
    SettingsError : there is no such lesson or seed
    DataError : the lesson's file and its exercise do not fit

    Examples
    --------
    >>> lesson = open_lesson("simpson", 41)
    >>> lesson.template.concept, len(lesson.steps)
    ("Simpson's paradox", 6)
    """
    if slug not in LESSONS:
        raise SettingsError(f"There is no lesson '{short(slug, 40)}'; choose one of the list.", setting="lesson")
    if not 0 <= seed <= MOST_SEED:
        raise SettingsError(f"The seed of a lesson is a whole number from 0 to {MOST_SEED}.", setting="seed")
    return fill_lesson(lesson_file(slug), seed, draw_exercise(slug, seed))


def fill_lesson(template: LessonTemplate, seed: int, exercise: Exercise) -> OpenedLesson:
    """A lesson with its places filled from an exercise.

    Parameters
    ----------
    template : the lesson as it is written
    seed : of the exercise
    exercise : one draw

    Returns
    -------
    the lesson, ready to be shown

    Raises
    ------
    DataError : the file and the exercise do not fit
    """
    check_fit(template, exercise)
    return OpenedLesson(template, seed, tuple(_open_step(step, exercise) for step in template.steps), exercise.draws)


def draw_exercise(slug: str, seed: int) -> Exercise:
    """The exercise of a lesson for one seed.

    Parameters
    ----------
    slug : of the lesson
    seed : all randomness comes from it and the slug

    Returns
    -------
    the exercise

    Examples
    --------
    >>> draw_exercise("simpson", 3) == draw_exercise("simpson", 3)
    True
    """
    return LESSONS[slug](np.random.default_rng([zlib.crc32(slug.encode()), seed]))


def check_fit(template: LessonTemplate, exercise: Exercise) -> None:
    """`DataError` where a file asks for something that its exercise does not have, or the other way round.

    Parameters
    ----------
    template : the file
    exercise : one draw
    """
    wanted = {
        "value": (template.places(), exercise.values),
        "drawing": (template.drawings(), exercise.drawings),
        "question": ({step.key for step in template.steps}, exercise.solutions),
    }
    for kind, (asked, given) in wanted.items():
        if odd := sorted(asked ^ set(given)):
            raise DataError(f"Lesson '{template.slug}': the file and the exercise differ in the {kind} '{odd[0]}'.")
    for step in template.steps:
        solution = exercise.solutions[step.key]
        if isinstance(solution, SingleChoice) != bool(step.options) or (
            isinstance(solution, SingleChoice) and solution.correct not in step.options
        ):
            raise DataError(f"Lesson '{template.slug}': the options of '{step.key}' do not fit its solution.")


def _open_step(step: StepTemplate, exercise: Exercise) -> LessonStep:
    """One step with its places filled."""

    def fill(text: str) -> str:
        return fill_places(text, exercise.values, escape_markdown).strip()

    def drawing(passage: Passage) -> Drawing | None:
        return exercise.drawings[passage.drawing] if passage.drawing else None

    solution = exercise.solutions[step.key]
    options = {key: fill(text) for key, text in step.options.items()}
    if isinstance(solution, MultipleChoice):
        options = {option: escape_markdown(option) for option in solution.options}
    return LessonStep(
        fill(step.title),
        fill(step.read.text),
        drawing(step.read),
        Question(fill(step.question.text), options, solution),
        fill(step.result.text),
        drawing(step.result),
        fill(step.correction.text),
    )


def fill_places(text: str, values: Mapping[str, str], escape: Callable[[str], str]) -> str:
    """A text with a value in each of its places.

    Parameters
    ----------
    text : with places such as {share}
    values : name -> what stands there
    escape : what makes a value harmless

    Returns
    -------
    the text

    Examples
    --------
    >>> fill_places("{n} patients", {"n": "20"}, str)
    '20 patients'
    """
    return re.sub(r"\{(\w+)\}", lambda place: escape(values[place[1]]), text)


def escape_markdown(text: str) -> str:
    """A value that Markdown shows to the letter.

    Parameters
    ----------
    text : any

    Examples
    --------
    >>> print(escape_markdown("a*b"))
    a\\*b
    """
    return "".join(f"\\{mark}" if mark in string.punctuation else mark for mark in text)
