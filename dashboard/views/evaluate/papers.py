"""The papers: what each claims, what came out here, and what that teaches; with the way to its study in the guide."""

from __future__ import annotations

import streamlit as st

from dashboard.guide import contents, findings, measured
from dashboard.views.guide.page import link_page

STUDIES = ("The papers, computed again", "How often a verdict is wrong", "What of each paper is here")
"""The sections of the guide that list them; of the first the findings are shown."""
HEADS = ("What the paper claims", "What came out", "What that teaches")
STUDY = ":material/menu_book:"
WIDTHS = (3, 5, 5, 5)
VERDICTS = "The claim in the row is ● reproduced, ◐ in part, or ○ not. A method's name opens its study of all claims."
BARS = (
    "Separate studies, each on tables of its own with known truth. A bar, set beforehand, says how often a verdict may "
    "be wrong; each study has the shares of errors, and names what misses its bar."
)


def show_papers() -> None:
    """A row a method and its paper with the findings, as its study says them; below it the other studies."""
    sections = contents()
    st.markdown(VERDICTS)
    with st.container(border=True, gap="small"):
        for place, head in zip(st.columns(WIDTHS)[1:], HEADS, strict=True):
            place.markdown(f"**{head}**")
        for (page, title), paper in zip(sections[STUDIES[0]].items(), sections[STUDIES[2]].values(), strict=True):
            name, *said = st.columns(WIDTHS)
            with name:
                link_page(title.partition(":")[0], page, STUDY)
            for place, head, begins in zip(said, HEADS, (f"**{paper}:** ", "", ""), strict=True):
                place.markdown(f":small[{begins}{findings(page)[head]}]")
    for place, section in zip(st.columns(2, gap="small"), STUDIES[1:], strict=True):
        with place.container(border=True, height="stretch", gap="xsmall"):
            st.markdown(f"**{section}**")
            if section == STUDIES[1]:
                st.markdown(f":small[{BARS}]")
            for page, title in sections[section].items():
                link_page(f"{title}: {shares}" if (shares := measured(page)) else title, page, STUDY)
