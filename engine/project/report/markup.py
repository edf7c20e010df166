"""HTML by templates: every value is text, cleaned and escaped, unless a template or a drawing made it markup."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from engine import words
from engine.words import NO_BREAK

_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn")


def render(template: str, **values: Any) -> Markup:
    """A template of `templates/` filled with values, as markup."""
    return Markup(_environment().get_template(template).render(values))  # noqa: S704 - the templates escape


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("engine.project.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: value if isinstance(value, Markup) else clean(value),
    )


_KEPT = re.compile(r"(<pre.*?</pre>|<code.*?</code>|<svg.*?</svg>|<style.*?</style>|<[^>]*>)", re.DOTALL)
"""Parts of a document that keep what they have: programs, pictures (whose boxes have labels already), and tags."""


def document_with_labels(markup: str, labels: Mapping[str, str]) -> Markup:
    """A document with labels in its text; its programs keep the names of the columns."""
    safe = {html.escape(name): html.escape(clean(label)) for name, label in labels.items()}
    parts = _KEPT.split(markup)
    result = "".join(part if i % 2 else words.with_labels(part, safe) for i, part in enumerate(parts))
    result = re.sub(r"&#39;(“[^”<]*” \([^()<]*\))&#39;", r"\1", result)  # what is quoted already
    return Markup(result)  # noqa: S704 - it was markup, and the labels are escaped


def clean(text: object) -> str:
    """The text without control, direction-override and other invisible characters, which no document needs."""
    return "".join(_seen(mark) for mark in str(text))


def _seen(mark: str) -> str:
    if mark.isspace():
        return mark if mark in ("\n", " ", NO_BREAK) else " "
    return "" if unicodedata.category(mark) in _HIDDEN else mark
