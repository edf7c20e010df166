"""The few rules of style that Streamlit's theme has no option for; no text of a user's ever gets in here."""

from __future__ import annotations

from dashboard.theme import DARK_PAPER, INK, LINE, MUTED, PANEL, PRIMARY, WHITE, dark

_FIRST_TAB_SHUT = "[data-testid=stTab]:first-of-type[aria-selected=false]"
_OTHER_TAB = f"[data-testid=stVerticalBlock]:has(>[data-testid=stTabs] {_FIRST_TAB_SHUT})"
PAGE = (
    # less room around the page, so that the answer stands on the first screen; Streamlit's bar lets it through
    "[data-testid=stMainBlockContainer]{padding:1.9rem 2.5rem 3rem}"
    "[data-testid=stHeader]{background:transparent;height:2.4rem;min-height:0;pointer-events:none}"
    "[data-testid=stHeader] *{pointer-events:none}[data-testid=stHeader] :is(button,button *){pointer-events:auto}"
    "[data-testid=stMain] h1{font-size:1.625rem;line-height:1.23;font-weight:650}"
    "[class*=st-key-start-samples] button{border-radius:999px;min-height:30px;padding:0 .8rem}"
    # a sidebar no wider than its words, so that a page has room on a small screen too
    "[data-testid=stSidebar][data-collapsed=false]{width:256px!important;min-width:256px!important}"
    "@media (max-width:1100px){"
    "[data-testid=stSidebar][data-collapsed=false]{width:208px!important;min-width:208px!important}"
    "[data-testid=stMainBlockContainer]{padding:1.6rem 1.5rem 3rem}"
    "[data-testid=stMain] [class*=st-key-sentence] h1{font-size:1.375rem!important}"
    "[data-testid=stMain] [class*=st-key-start-question] p{font-size:.93rem;line-height:1.35}"
    "[data-testid=stMain] [class*=st-key-start-question] a p{font-size:.75rem}"
    # the sample tables in one line, without their numbers of rows
    "[data-testid=stMain] [class*=st-key-start-name] p{font-size:1rem}[class*=st-key-start-name]{gap:.6rem}"
    "[class*=st-key-start-samples]{gap:.5rem}[class*=st-key-start-samples] button{padding:0 .55rem}"
    "[class*=st-key-start-open] button p span{display:none}"
    "[data-testid=stMain] [class*=st-key-start-drop] [data-testid=stFileUploaderDropzone]{min-height:14rem}"
    ":is([class*=st-key-instance_specific-cards],[class*=st-key-instance_specific-bars]) p{font-size:.85rem}"
    "[class*=st-key-instance_specific-bars]{padding:8px 14px 6px}.patient-large{display:none}"
    "[class*=st-key-discriminative-matrices]{overflow-x:auto}"
    "[class*=st-key-discriminative-matrices] :is([data-testid=stFullScreenFrame],[data-testid=stPlotlyChart])"
    "{min-width:560px}"
    ":is([data-testid=stSidebar],[class*=st-key-crowded]) [data-testid=stHorizontalBlock]{flex-wrap:wrap}"
    "[class*=st-key-crowded] [data-testid=stColumn]{min-width:100%}"
    "[data-testid=stSidebar] [data-testid=stColumn]{min-width:100%}}"
    # the cards of a patient leave the first screen room for the network, and the strip of values is one line
    ":is([class*=st-key-instance_specific-cards],[class*=st-key-instance_specific-bars]) p{line-height:1.35}"
    "[class*=st-key-instance_specific-cards] [data-testid=stColumn] [data-testid=stLayoutWrapper]"
    ">[data-testid=stVerticalBlock]{padding:10px 14px 8px}"
    "@media (min-width:1101px){.patient-small{display:none}"
    ":is([class*=st-key-instance_specific-cards],[class*=st-key-instance_specific-bars]) p{font-size:.9rem}}"
    # so do the cards of a comparison, to its rows
    "[class*=st-key-compare-card]{padding:10px 14px}[class*=st-key-compare-card]>[data-testid=stElementContainer] p"
    "{font-size:.9rem;line-height:1.35}"
    # a choice that has no room says so
    "[data-testid=stSelectbox] input{text-overflow:ellipsis}"
    # the name beside the logo
    "[data-testid=stSidebarHeader]>:first-child{display:flex;align-items:center;gap:.6rem}"
    "[data-testid=stSidebarHeader]>:first-child::after{content:'Diptych';font-weight:700;font-size:1.15rem}"
    # the start page: its name, and a drop zone as high as the picture beside it, in which the words stand
    "[class*=st-key-start-name] h1{font-size:2.25rem;line-height:1.1;font-weight:700;padding:0}"
    "[class*=st-key-start-name] p{font-size:1.15rem}"
    "[class*=st-key-start-drop]>[data-testid=stElementContainer]:first-child{flex-grow:1}"
    "[class*=st-key-start-drop] :is([data-testid=stFileUploader],[data-testid=stFileUploaderDropzone]){height:100%}"
    "[class*=st-key-start-drop] [data-testid=stFileUploaderDropzone]"
    "{flex-direction:column;justify-content:center;align-items:center;gap:.9rem;min-height:17rem;"
    "border:1.5px dashed;text-align:center}"
    "[class*=st-key-start-drop] [data-testid=stFileUploaderDropzone]>*{flex:none;margin:0}"
    "[class*=st-key-start-drop] [data-testid=stFileUploaderDropzone]>*{width:auto!important}"
    "[class*=st-key-start-drop] [data-testid=stFileUploaderDropzone]::before"
    "{content:'Drop a table here';font-weight:600;font-size:1.4rem;order:-2}"
    "[class*=st-key-start-drop] [data-testid=stFileUploaderDropzone]::after"
    "{content:'CSV, Excel, SPSS, Stata, SAS or Parquet';order:-1}"
    # how large a file may be stands in the line below
    "[class*=st-key-start-drop] [data-testid=stFileUploaderDropzoneInstructions]{display:none}"
    f"[class*=st-key-start-drop] [data-testid=stFileUploaderDropzone] button{{background:light-dark({PRIMARY},"
    f"{dark(PRIMARY)});color:light-dark({WHITE},{DARK_PAPER})}}"
    "[class*=st-key-start-question]>:last-child{margin-top:auto}"
    "[class*=st-key-start-question] a,[class*=st-key-start-question] a *{padding-left:0;margin-left:0}"
    "[class*=st-key-start-question] [data-testid=stPageLink-NavLink]>:has([data-testid=stIconMaterial]){display:none}"
    f"[class*=st-key-start-question] a p{{font-size:.8rem;white-space:nowrap;"
    f"color:light-dark({PRIMARY},{dark(PRIMARY)})}}"
    # a link of several words is whole on a phone too
    "[data-testid=stMain] [data-testid=stPageLink] p{white-space:normal}"
    "[class*=st-key-instance_specific-evidence-reset] button{min-height:26px;padding:0 .6rem}"
    # Streamlit's grey of small text has too little contrast, and is drawn with opacity
    "[data-testid=stCaptionContainer],[data-testid=stCaptionContainer] p"
    f"{{color:light-dark({MUTED},{dark(MUTED)})!important;opacity:1}}"
    # the ring of a choice that is not made is seen on a dark screen, too
    "[data-testid=stRadioOption]>div>div:first-child"
    f"{{box-shadow:0 0 0 1px light-dark({MUTED},{dark(MUTED)})}}"
    # a page's menu is no higher than the line that it stands in, and its files stand close
    "[data-testid=stPopoverBody] [data-testid=stVerticalBlock]{gap:.3rem}"
    "[data-testid=stPopoverBody] [data-testid=stDownloadButton] button{min-height:1.8rem;padding-block:0}"
    "[class*=st-key-crumb] button{min-height:30px;padding:0 .7rem}"
    # a chart whose rows have words in them scrolls where the screen is narrow
    "[class*=st-key-wide]{overflow-x:auto}[class*=st-key-wide] [data-testid=stFullScreenFrame],"
    "[class*=st-key-wide] [data-testid=stPlotlyChart]{min-width:680px}"
    # the way to the guide, in the corner beside Streamlit's own menu, where no page draws anything
    "[data-testid=stMainBlockContainer]{position:relative}"
    "[data-testid=stLayoutWrapper]:has(>[class*=st-key-guide-help])"
    "{position:absolute;top:.45rem;right:3.2rem;width:auto;z-index:1}"
    "[data-testid=stApp]:has([data-testid=stStatusWidget]) [class*=st-key-guide-help]{visibility:hidden}"
    "[class*=st-key-guide-help]{width:auto;gap:0}[class*=st-key-guide-help] a{min-height:0;padding:0 .3rem}"
    f"[class*=st-key-guide-help] a *{{font-size:.85rem;color:light-dark({MUTED},{dark(MUTED)})}}"
    # a page of the guide: headings of a text, lines no longer than one reads, the list of pages stays in sight
    "[class*=st-key-guide-page] h1{font-size:1.9rem}[class*=st-key-guide-page] h2{font-size:1.35rem;padding-top:1rem}"
    "[class*=st-key-guide-page] h3{font-size:1.08rem;padding-top:.6rem}"
    "[class*=st-key-guide-page] [data-testid=stMarkdown]{max-width:46rem}"
    "[class*=st-key-guide-page] [data-testid=stMarkdown] blockquote{color:inherit;opacity:1}"
    "[class*=st-key-guide-page] img{max-width:min(100%,46rem);border:1px solid rgba(128,128,128,.4);border-radius:6px;"
    "display:block}"
    "@media (min-width:641px){[data-testid=stColumn]:has([class*=st-key-guide-contents])"
    "{position:sticky;top:2.4rem;align-self:flex-start;max-height:calc(100vh - 3rem);overflow-y:auto}}"
    "[class*=st-key-guide-page] a[data-testid=stPageLink-NavLink]{background:transparent}"
    "[class*=st-key-guide-contents] a[data-testid=stPageLink-NavLink]{min-height:0;padding:.1rem 0}"
    "[class*=st-key-guide-contents] a[data-testid=stPageLink-NavLink] p{font-weight:400}"
    "[class*=st-key-guide-contents] p{font-size:.9rem;white-space:normal}"
    "[class*=st-key-guide-contents] [data-testid=stVerticalBlock]{gap:.35rem}"
    # the four counts of a curve stand in a square on a phone too
    "@media (max-width:640px){[class*=st-key][class*=-counts] [data-testid=stHorizontalBlock]{flex-wrap:nowrap}"
    "[class*=st-key][class*=-counts] [data-testid=stColumn]{min-width:0}}"
    # a line above a page's sentence, clear of Streamlit's own menu
    "[class*=st-key-crumb]{padding-right:1.4rem}"
    "@media (min-width:641px){[class*=st-key-crumb]{flex-wrap:nowrap!important}"
    "[class*=st-key-crumb]>[data-testid=stElementContainer]:first-child{min-width:0;flex-shrink:1!important}"
    "[class*=st-key-crumb] [data-testid=stMarkdownContainer]>p"
    "{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}"
    "[class*=st-key-crumb]>:last-child{flex-shrink:0}}"
    # a sentence that is the page's answer, at most two lines
    "[data-testid=stMain] [class*=st-key-sentence] h1"
    "{font-size:1.625rem;line-height:1.23;font-weight:650;padding:0 0 .2rem;text-wrap:balance}"
    "[class*=st-key-sentence] [data-testid=stCaptionContainer]{padding-top:.3rem}"
    "[class*=st-key-sentence]:not(:has([data-testid=stCaptionContainer])){padding-bottom:.6rem}"
    f"[class*=st-key-sentence] [data-testid=stCaptionContainer] strong{{color:light-dark({INK},{dark(INK)})}}"
    # on a phone nothing scrolls behind the logo
    "@media (max-width:640px){[data-testid=stMainBlockContainer]{padding:2.5rem 1rem 3rem}"
    "[class*=st-key-data-undo]:has(button:disabled){display:none}"
    "[data-testid=stHeader]{background:linear-gradient(to right,"
    f"light-dark({WHITE},{DARK_PAPER}) 6rem,transparent 6rem)}}}}"
    # below what the page asks for
    "[data-testid=stSidebar] [data-testid=stLayoutWrapper]:has(>.st-key-session_foot){order:98}"
    "[data-testid=stSidebar] .st-key-projector-on{order:99}"
    "[data-testid=stSidebar] [data-testid=stBaseButton-tertiary]{justify-content:flex-start;text-align:left}"
    # the star of a card stands beside its name, however long that is
    "[class*=st-key-results-head]{flex-wrap:nowrap!important}"
    "[class*=st-key-results-head]>:last-child{min-width:0;flex-shrink:1!important}"
    # of many choices side by side none is cut off at the edge
    "[data-testid=stMain] [data-testid=stButtonGroup]>[role=radiogroup]{flex-wrap:wrap}"
    # one that wraps below the chosen one has its own edge
    "[data-testid=stMain] [data-testid=stButtonGroup] button[aria-checked=true]{position:relative;z-index:1}"
    "[data-testid=stMain] [data-testid=stButtonGroup] button[aria-checked=false]:not(:hover,:focus-visible)"
    f"{{border-color:light-dark({LINE},{dark(LINE)})!important}}"
    # in the sidebar they share one line
    "[data-testid=stSidebar] [data-testid=stButtonGroup]>[role=radiogroup]{flex-wrap:nowrap}"
    "[data-testid=stSidebar] [data-testid=stButtonGroup] button{padding:0 .3rem;min-width:0}"
    "@media (max-width:1100px){[data-testid=stMain] [data-testid=stButtonGroup] button{padding:0 .55rem}}"
    # cards share the width of their row, and one alone does not become a banner
    "[class*=st-key-data-decide-cards]>[data-testid=stLayoutWrapper]{flex-grow:1!important;max-width:420px!important}"
    # the questions stand with the columns; above another tab they would push it off the screen
    f"{_OTHER_TAB} [class*=st-key-data-decide-cards]{{display:none}}"
    f"{_OTHER_TAB} [class*=st-key-data-decide-title] strong::after{{content:': see the tab Columns'}}"
    # a chosen cell would keep this table's toolbar open, over the search above it
    "[class*=st-key-data-table] [data-testid=stElementToolbar]{display:none}"
    # Streamlit writes white on every primary button and chosen value; on the light blue of a dark screen that cannot
    # be read
    "[data-testid^=stBaseButton-primary],[data-testid^=stBaseButton-primary] *"
    f"{{color:light-dark({WHITE},{DARK_PAPER})!important}}"
    "[data-testid=stMultiSelectTagsContainer] [data-tag],[data-testid=stMultiSelectTagsContainer] [data-tag] *"
    f"{{color:light-dark({WHITE},{DARK_PAPER})!important}}"
    # Streamlit's own CSV button would write cells as they are; ours make them harmless in a spreadsheet
    "[data-testid=stElementToolbarButton]:has(button[aria-label='Download as CSV']){display:none}"
)
"""Of every page."""

DARK = ":is([data-testid=stPopoverBody],[data-testid=stDialog]){color-scheme:dark}"
"""On a dark screen: Streamlit says only of the page itself that it is dark, not of what it lays over it."""

WORKSHOP = (
    ".workshop-answer{background:light-dark(#F1F6FA,#1B2731);padding:9px 14px;border-radius:2px;line-height:22px;"
    f"border-left:4px solid light-dark({PRIMARY},{dark(PRIMARY)});font-size:14.5px;overflow-wrap:anywhere}}"
    ".workshop-answer>*{display:block}.workshop-answer b{font-size:16px}"
    f".workshop-answer small{{font-size:14px;color:light-dark({MUTED},{dark(MUTED)})}}"
    ":is(.workshop-kinds,.workshop-shares){width:100%;border-collapse:collapse;font-size:14px}"
    ":is(.workshop-kinds,.workshop-shares) th{text-align:left;font-weight:400;padding:4px 10px;white-space:nowrap;"
    f"color:light-dark({MUTED},{dark(MUTED)});background:light-dark({PANEL},{dark(PANEL)})}}"
    ":is(.workshop-kinds,.workshop-shares) td{padding:4px 10px;"
    f"border-bottom:1px solid light-dark({LINE},{dark(LINE)})}}"
    ".workshop-kinds i{display:inline-block;vertical-align:middle;margin-right:12px;"
    "width:100px;height:36px;background:currentColor}"
    ".workshop-kinds tr.acting td{background:light-dark(#F1F6FA,#1B2731)}"
    ".workshop-shares td:nth-child(2){width:45%}.workshop-shares td:last-child{text-align:right;white-space:nowrap}"
    f".workshop-shares i{{display:block;height:10px;background:light-dark({PRIMARY},{dark(PRIMARY)})}}"
    ".workshop-shares{max-width:640px}"
    # a shorter sentence leaves the picture below it where it is
    "@media (min-width:641px){.st-key-sentence-workshop{min-height:5.4rem}}"
    "@media (max-width:1100px){.workshop-kinds i{width:64px;height:26px;margin-right:6px}"
    ":is(.workshop-kinds,.workshop-shares) :is(td,th){padding:3px 6px}"
    ".workshop-answer{padding:7px 10px;font-size:13.5px;line-height:20px}}"
    "@media (max-width:640px){[class*=st-key-workshop-row] [data-testid=stHorizontalBlock]{flex-wrap:wrap}"
    "[class*=st-key-workshop-row] [data-testid=stHorizontalBlock]>[data-testid=stColumn]{min-width:100%}}"
)
"""Of what stands beside a network that evidence is set in."""

PROJECTOR = (
    "html{font-size:21px!important}"
    "[data-testid=stSidebar],[data-testid=stExpandSidebarButton],[data-testid=stHeader],"
    "[class*=st-key-guide-help]{display:none!important}"
    # the page ends above the bar, which covers nothing
    "[data-testid=stMain]{height:calc(100% - 3.6rem)!important;flex:none!important}"
    "[data-testid=stMainBlockContainer]{padding:1.5rem 2rem 1rem;max-width:none}"
    "[data-testid=stHorizontalBlock]:has([data-testid=stPlotlyChart]){flex-wrap:wrap}"
    "[data-testid=stColumn]:has([data-testid=stPlotlyChart]){min-width:100%}"
    # of a page whose picture is pressed, the sentence and all of the picture stand on the screen
    "[data-testid=stMainBlockContainer]:has([class*=st-key-crumb-workshop]){padding-top:.4rem}"
    ".st-key-sentence-workshop{min-height:6.3rem!important}"
    "[class*=st-key-workshop-steps-controls]{gap:.3rem;flex-wrap:nowrap!important}"
    "[class*=st-key-workshop-steps-controls] button{padding:.15rem .5rem;min-height:0}"
    "[data-testid=stLayoutWrapper]:has(>[class*=st-key-crumb-workshop]){display:none}"
    "[class*=st-key-workshop-row] [data-testid=stHorizontalBlock]{flex-wrap:wrap}"
    "[class*=st-key-workshop-row]>div>[data-testid=stHorizontalBlock]>[data-testid=stColumn]{min-width:100%}"
)
"""While the page is shown to a room."""


def sheet(*rules: str) -> str:
    """Rules as an element for `st.html`."""
    return f"<style>{''.join(rules)}</style>"
