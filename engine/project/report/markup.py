"""HTML out of values that may be hostile: everything is text unless this module made it markup."""

from __future__ import annotations

import html
import unicodedata

_VOID = ("br", "hr", "meta")
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn")


class Markup(str):
    """Text that is HTML already; only `element`, `joined` and what draws a picture make one."""


def element(name: str, /, *inside: str, **attributes: str) -> Markup:
    """One element with its content; what is no `Markup` among it is escaped.

    Parameters
    ----------
    name : of the element
    inside : its content
    attributes : `class_` stands for class, `aria_label` for aria-label; left out where empty

    Returns
    -------
    the element

    Examples
    --------
    >>> element("p", "a < b", class_="note")
    "<p class='note'>a &lt; b</p>"
    """
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}='{html.escape(clean(value))}'"
        for key, value in attributes.items()
        if value
    )
    return Markup(f"<{name}{given}>" if name in _VOID else f"<{name}{given}>{joined(*inside)}</{name}>")


def joined(*parts: str) -> Markup:
    """The parts one after the other, escaped where they are no markup.

    Parameters
    ----------
    parts : texts and markup

    Returns
    -------
    markup
    """
    return Markup("".join(part if isinstance(part, Markup) else html.escape(clean(part)) for part in parts))


def clean(text: object) -> str:
    """The text without control, direction-override and other invisible characters, which no document needs.

    Parameters
    ----------
    text : anything

    Returns
    -------
    text; lines stay lines
    """
    return "".join(_seen(mark) for mark in str(text))


def _seen(mark: str) -> str:
    if mark.isspace():
        return mark if mark in "\n " else " "
    return "" if unicodedata.category(mark) in _HIDDEN else mark


def name_of(text: object) -> str:
    """A name from a table on one line, never empty.

    Parameters
    ----------
    text : the name

    Returns
    -------
    text
    """
    return " ".join(clean(text).split()) or "(no name)"
