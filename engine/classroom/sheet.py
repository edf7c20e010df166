"""A lesson on paper: one HTML file that prints on A4, loads nothing, with or without solutions."""

from __future__ import annotations

import html
import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from engine.classroom.drawings import IDENT
from engine.classroom.exercise import Drawing
from engine.classroom.lesson import OpenedLesson

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_NAMESPACE = " xmlns='http://www.w3.org/2000/svg'"
"""A picture in HTML needs none, and without it the sheet holds no address at all."""


def to_sheet(lesson: OpenedLesson, *, solutions: bool) -> str:
    """The lesson as a document to print.

    Parameters
    ----------
    lesson : an opened lesson
    solutions : whether results and corrections stand in it, for the teacher; else lines to write on

    Returns
    -------
    HTML of one file

    Examples
    --------
    >>> from engine.classroom.lesson import open_lesson
    >>> sheet = to_sheet(open_lesson("simpson", 41), solutions=False)
    >>> sheet.count("<h2>"), "://" in sheet
    (6, False)
    """
    template = _environment().get_template("sheet.html")
    drawings = _results(lesson) if solutions else _unanswered(lesson)
    return template.render(lesson=lesson, template=lesson.template, solutions=solutions, drawings=drawings)


def _results(lesson: OpenedLesson) -> list[Drawing | None]:
    """For each step the picture of its result, or the one before it."""
    return [step.result_drawing or step.drawing for step in lesson.steps]


def _unanswered(lesson: OpenedLesson) -> list[Drawing | None]:
    """For each step the picture before its result, None where an earlier step has it as its result."""
    steps = lesson.steps
    results = [step.result_drawing for step in steps]
    return [None if step.drawing in results[:place] else step.drawing for place, step in enumerate(steps)]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("engine.classroom", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"paragraphs": to_html, "inline": inline, "svg": _svg}
    return environment


def to_html(text: str) -> Markup:
    """Paragraphs of a lesson's Markdown as HTML.

    Parameters
    ----------
    text : paragraphs with emphasis, as lessons have them

    Examples
    --------
    >>> print(to_html("Some *mild* cases."))
    <p>Some <em>mild</em> cases.</p>
    """
    paragraphs = [part for part in re.split(r"\n\s*\n", text.strip()) if part]
    return Markup("").join(Markup("<p>{}</p>").format(inline(part)) for part in paragraphs)


def inline(text: str) -> Markup:
    """A line of a lesson's Markdown as HTML: emphasis, and marks that a backslash protects.

    Parameters
    ----------
    text : without headings and lists
    """
    # marks behind a backslash become entities that no later rule reads; what is between them is escaped
    parts = _ESCAPED.split(text)
    safe = "".join(f"&#{ord(part)};" if place % 2 else html.escape(part) for place, part in enumerate(parts))
    safe = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", safe)
    return Markup(re.sub(r"\*(.+?)\*", r"<em>\1</em>", safe))  # noqa: S704 - escaped above


def _svg(svg: str, number: int) -> Markup:
    """A drawing of the engine's own, whose names are escaped already, with ids that no other on the sheet has."""
    return Markup(svg.replace(_NAMESPACE, "").replace(f"{IDENT}-", f"step{number}-"))  # noqa: S704 - drawn by `engine.classroom.drawings`
