"""The few rules of style that Streamlit's theme has no option for; no text of a user's ever gets in here."""

from __future__ import annotations

from pathlib import Path

from dashboard.theme import INK, LINE, MUTED, PANEL, PRIMARY, WHITE, dark

_FOLDER = Path(__file__).parent / "assets" / "styles"
_COLOURS = {"ink": INK, "line": LINE, "muted": MUTED, "panel": PANEL, "primary": PRIMARY, "white": WHITE}
_PALETTE = "".join(f"--page-{name}:light-dark({colour},{dark(colour)});" for name, colour in _COLOURS.items())
"""The theme's colours, light and dark, under the names that the style sheets have for them."""


def _rules(name: str) -> str:
    """Read the style sheet of one name."""
    return (_FOLDER / f"{name}.css").read_text(encoding="utf-8")


PAGE = _rules("page")
"""Of every page."""

DARK = ":is([data-testid=stPopoverBody],[data-testid=stDialog]){color-scheme:dark}"
"""On a dark screen: Streamlit says only of the page itself that it is dark, not of what it lays over it."""

WORKSHOP = _rules("workshop")
"""Of what stands beside a network that evidence is set in."""

PROJECTOR = _rules("projector")
"""While the page is shown to a room."""


def sheet(*rules: str) -> str:
    """Write rules as an element for `st.html`."""
    return f"<style>:root{{{_PALETTE}}}{''.join(rules)}</style>"
