"""What a notebook shows of our values: a line of text, and a document of its own in a frame that may do nothing.

The frame is sandboxed: no script of it runs, and its policy lets it load nothing, so that nothing in a table of others
can act in the notebook. Its height is estimated, since without a script nobody can measure it; what is higher scrolls.
"""

from __future__ import annotations

import html
import math

from engine.words import short

LINE, LETTERS = 22, 100
"""Pixels of a line of text or a row of a table, and letters that a line about takes."""
TALLEST = 900
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = (
    "html{color-scheme:light;background:#fff}"
    "body{font:14px/1.45 system-ui,sans-serif;color:#1C2733;margin:4px 8px}"
    "p{margin:4px 0}table{border-collapse:collapse;margin:8px 0;font-size:13px}"
    "th,td{padding:2px 10px 2px 0;text-align:left;border-bottom:1px solid #D5DBE1;white-space:nowrap}"
    "div{display:flex;gap:16px}figure{margin:6px 0;min-width:0}figcaption{font-size:13px}"
    "figure svg{width:100%;height:auto}"
    "ul{list-style:none;margin:4px 0;padding:0;font-size:12px}li{display:inline-block;margin-right:18px}"
    "small{color:#56626B}"
)


def notebook_bundle(text: str, markup: str, height: float) -> dict[str, str]:
    """The same value as plain text and as a sandboxed frame.

    Parameters
    ----------
    text : in a line
    markup : the body of the document, every name escaped
    height : of the body in pixels, about

    Examples
    --------
    >>> sorted(notebook_bundle("a value", "<p>a value</p>", 40))
    ['text/html', 'text/plain']
    """
    document = (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(short(text, 80))}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"><style>{_STYLE}</style></head>'
        f"<body>{markup}</body></html>"
    )
    frame = (
        f'<iframe sandbox="" srcdoc="{html.escape(document)}" title="{html.escape(short(text, 80))}" '
        f'style="width:100%;height:{min(round(height) + 24, TALLEST)}px;border:0"></iframe>'
    )
    return {"text/plain": text, "text/html": frame}


def text_height(text: str) -> float:
    """Pixels that a paragraph about takes."""
    return LINE * math.ceil(max(len(text), 1) / LETTERS) + 8.0
