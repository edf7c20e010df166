"""Reads a lesson's Markdown: a header, then steps with a text, a prediction, a result and a correction.

---
question: Which hospital treats better?
concept: Simpson's paradox
minutes: 8
summary: One sentence to take away.
---
## Title of a step
Text with {places}, filled from the exercise.
![drawing]
### Predict share
The question; options as `- key: text` where one of several is right.
### Result
What came out, for everybody, perhaps with another ![drawing].
### Correction
The path or the count that shows why, for those who predicted something else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from engine.errors import DataError
from engine.words import short

FOLDER = Path(__file__).parent / "lessons"
MOST_LINES, LEAST_STEPS, MOST_STEPS = 150, 5, 8
_HEADER = ("question", "concept", "minutes", "summary")
_PARTS = ("Predict", "Result", "Correction")
_DRAWING = re.compile(r"!\[(\w+)\]")
_OPTION = re.compile(r"- (\w+): (.+)")
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass
class Passage:
    """A text of a step with places in it, and the name of the drawing beside it, "" for none."""

    text: str = ""
    drawing: str = ""


@dataclass
class StepTemplate:
    """One step as it is written.

    Attributes
    ----------
    title : its heading
    read : the text before the question
    key : of the question
    question : its text
    options : key -> text of each
    result : what came out
    correction : for those who predicted something else
    """

    title: str
    line: int
    read: Passage = field(default_factory=Passage)
    key: str = ""
    question: Passage = field(default_factory=Passage)
    options: dict[str, str] = field(default_factory=dict)
    result: Passage = field(default_factory=Passage)
    correction: Passage = field(default_factory=Passage)

    def texts(self) -> list[str]:
        """Everything with places in it."""
        passages = (self.read, self.question, self.result, self.correction)
        return [self.title, *(passage.text for passage in passages), *self.options.values()]


@dataclass(frozen=True)
class LessonTemplate:
    """A lesson as it is written, before anything is drawn.

    Attributes
    ----------
    slug : its name in an address
    question : its title
    concept : the term that it teaches
    minutes : that it takes about
    summary : what to take away
    steps : in order
    """

    slug: str
    question: str
    concept: str
    minutes: int
    summary: str
    steps: tuple[StepTemplate, ...]

    def places(self) -> set[str]:
        """The names of the places in its texts."""
        return {name for step in self.steps for text in step.texts() for name in _PLACE.findall(text)}

    def drawings(self) -> set[str]:
        """The names of the drawings beside its texts."""
        named = {passage.drawing for step in self.steps for passage in (step.read, step.result)}
        return named - {""}


@cache
def lesson_file(slug: str) -> LessonTemplate:
    """The lesson of this name.

    Parameters
    ----------
    slug : as in an address

    Raises
    ------
    DataError : the file does not keep the rules of the head of this file

    Examples
    --------
    >>> lesson_file("simpson").concept
    "Simpson's paradox"
    """
    return read_lesson((FOLDER / f"{slug}.md").read_text(encoding="utf-8"), slug)


def read_lesson(text: str, slug: str = "lesson") -> LessonTemplate:
    """A lesson from its Markdown.

    Parameters
    ----------
    text : the file
    slug : its name, for errors

    Returns
    -------
    the lesson

    Raises
    ------
    DataError : a part is missing, misplaced or unknown; the sentence names the line

    Examples
    --------
    >>> read_lesson("Hello", "greeting")
    Traceback (most recent call last):
    ...
    engine.errors.DataError: Lesson 'greeting', line 1: it begins with a header between two lines '---'.
    """
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise _refused(slug, len(lines), f"a lesson has at most {MOST_LINES} lines")
    if not lines or lines[0] != "---" or "---" not in lines[1:]:
        raise _refused(slug, 1, "it begins with a header between two lines '---'")
    end = lines.index("---", 1)
    header = _header(lines[1:end], slug)
    steps = _steps(lines[end + 1 :], end + 2, slug)
    if not LEAST_STEPS <= len(steps) <= MOST_STEPS:
        raise _refused(slug, len(lines), f"a lesson has {LEAST_STEPS} to {MOST_STEPS} steps, this one {len(steps)}")
    keys = [step.key for step in steps]
    for step in steps:
        _check_step(step, slug)
        if keys.count(step.key) > 1:
            raise _refused(slug, step.line, f"two questions are called '{step.key}'")
    return LessonTemplate(
        slug, header["question"], header["concept"], int(header["minutes"]), header["summary"], tuple(steps)
    )


def _header(lines: list[str], slug: str) -> dict[str, str]:
    """Name -> value of the lines of a header."""
    parts = [line.partition(": ") for line in lines]
    header = {name: value.strip() for name, _, value in parts}
    if tuple(header) != _HEADER or not all(header.values()) or not header["minutes"].isdecimal():
        raise _refused(slug, 1, f"its header has the lines {', '.join(_HEADER)}, in this order, minutes as a number")
    return header


def _steps(lines: list[str], start: int, slug: str) -> list[StepTemplate]:
    """The steps, each line put where it belongs."""
    steps: list[StepTemplate] = []
    passage: Passage | None = None
    for number, line in enumerate(lines, start):
        if line.startswith("## "):
            steps.append(StepTemplate(line.removeprefix("## ").strip(), number))
            passage = steps[-1].read
        elif line.startswith("### ") and steps:
            passage = _begin_part(steps[-1], line.removeprefix("### ").split(), number, slug)
        elif passage is None:
            if line.strip():
                raise _refused(slug, number, "a text stands below the heading of a step, '## ...'")
        elif line.startswith("#"):
            raise _refused(slug, number, f"there is no heading '{short(line, 40)}'; steps have '## ', parts '### '")
        elif drawing := _DRAWING.fullmatch(line.strip()):
            passage.drawing = drawing[1]
        elif passage is steps[-1].question and (option := _OPTION.fullmatch(line)):
            steps[-1].options[option[1]] = option[2].strip()
        else:
            passage.text += f"{line}\n"
    return steps


def _begin_part(step: StepTemplate, words: list[str], number: int, slug: str) -> Passage:
    """The passage that a heading of the third level begins."""
    name = words[0] if words else ""
    if name not in _PARTS or len(words) != (2 if name == "Predict" else 1):
        raise _refused(slug, number, "a part is '### Predict name', '### Result' or '### Correction'")
    if name == "Predict":
        step.key = words[1]
        return step.question
    return step.result if name == "Result" else step.correction


def _check_step(step: StepTemplate, slug: str) -> None:
    """A step has all its parts."""
    parts = {
        "text": step.read.text,
        "Predict": step.key and step.question.text,
        "Result": step.result.text,
        "Correction": step.correction.text,
    }
    missing = [name for name, part in parts.items() if not part.strip()]
    if missing:
        raise _refused(slug, step.line, f"the step '{step.title}' has no {missing[0]}")


def _refused(slug: str, line: int, reason: str) -> DataError:
    return DataError(f"Lesson '{slug}', line {line}: {reason}.", row=line)
