"""The few rules of style that Streamlit's theme has no option for; no text of a user's ever gets in here."""

from __future__ import annotations

from dashboard.theme import DARK_PAPER, WHITE

BARE = "bare-figure"
"""Begins the key of a container whose figure has nothing beside it that its toolbar could stand by."""

PAGE = (
    # less room above and beside the page, so that the answer stands on the first screen
    "[data-testid=stMainBlockContainer]{padding:2.5rem 2.5rem 3rem}"
    "[data-testid=stMain] h1{font-size:1.9rem}"
    # a chart whose rows have words in them scrolls where the screen is narrow
    "[class*=st-key-wide]{overflow-x:auto}[class*=st-key-wide] [data-testid=stFullScreenFrame],"
    "[class*=st-key-wide] [data-testid=stPlotlyChart]{min-width:680px}"
    # a line above a page's sentence, clear of Streamlit's own bar
    "[class*=st-key-crumb]{padding-top:1.1rem}"
    # a sentence that is the page's answer, at most two lines
    "[data-testid=stMain] [class*=st-key-sentence] h1"
    "{font-size:1.625rem;line-height:1.23;font-weight:650;padding:0;text-wrap:balance}"
    "@media (max-width:640px){[data-testid=stMainBlockContainer]{padding:2.5rem 1rem 3rem}}"
    # below what the page asks for
    "[data-testid=stSidebar] [data-testid=stLayoutWrapper]:has(>.st-key-session_foot){order:98}"
    "[data-testid=stSidebar] .st-key-projector-on{order:99}"
    # beside the sidebar of a small screen a network and its reading find no room side by side
    "@media (max-width:1100px){[class*=st-key-narrow] [data-testid=stHorizontalBlock]{flex-wrap:wrap}"
    "[class*=st-key-narrow] [data-testid=stColumn]{min-width:100%}}"
    # cards share the width of their row, and one alone does not become a banner
    "[class*=st-key-data-decide-cards]>[data-testid=stLayoutWrapper]{flex-grow:1!important;max-width:420px!important}"
    # a chosen cell would keep this table's toolbar open, over the search above it
    "[class*=st-key-data-table] [data-testid=stElementToolbar]{display:none}"
    # Streamlit writes white on every primary button; on the light blue of a dark screen that cannot be read
    "[data-testid^=stBaseButton-primary],[data-testid^=stBaseButton-primary] *"
    f"{{color:light-dark({WHITE},{DARK_PAPER})!important}}"
    # Streamlit's own CSV button would write cells as they are; ours make them harmless in a spreadsheet
    "[data-testid=stElementToolbarButton]:has(button[aria-label='Download as CSV']){display:none}"
)
"""Of every page."""

TOOLBARS = (
    # on top of a figure the toolbar would cover legends and rows; below it stands beside the buttons
    "[data-testid=stPlotlyChart] .modebar-container{top:auto!important;bottom:-2.1rem!important;height:0!important}"
    "[data-testid=stPlotlyChart] .modebar{background:transparent!important}"
    "[data-testid=stPlotlyChart] .js-plotly-plot,[data-testid=stElementContainer]:has(>*>[data-testid=stPlotlyChart])"
    "{overflow:visible!important}"
    # a figure that fills the window has nothing below it
    "[data-testid=stPlotlyChart]:has([data-title='Close fullscreen']) .modebar-container"
    "{top:0!important;bottom:auto!important}"
    f"[class*=st-key-{BARE}]{{padding-bottom:1.6rem}}"
)
"""Of the toolbars of figures."""

PROJECTOR = (
    "html{font-size:21px!important}"
    "[data-testid=stSidebar],[data-testid=stExpandSidebarButton],[data-testid=stHeader]{display:none!important}"
    "[data-testid=stMainBlockContainer]{padding:1.5rem 2rem 4rem;max-width:none}"
    "[data-testid=stHorizontalBlock]:has([data-testid=stPlotlyChart]){flex-wrap:wrap}"
    "[data-testid=stColumn]:has([data-testid=stPlotlyChart]){min-width:100%}"
)
"""While the page is shown to a room."""


def sheet(*rules: str) -> str:
    """Rules as an element for `st.html`."""
    return f"<style>{''.join(rules)}</style>"
