"""What is carried for this patient, with its doubt: the first lines of the page, and the table of every link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.labels import labelled
from dashboard.text import capital, plain
from dashboard.views.shared.downloads import show_with_file
from engine.methods.instance_specific.links import Link, LinkWord
from engine.telling.instance_specific.links import (
    compared_words,
    link_name,
    link_sentence,
    points,
    rests_on,
    why_untested,
)
from engine.telling.instance_specific.wording import named_links, supported
from engine.telling.terms import SHOWN
from engine.words import count, first, probability

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.instance_specific.result import InstanceSpecificResult

MOST_LINKS = 3
"""Links that stand in sentences at the top; all are in the table."""
SIGNS: dict[str, str] = {
    LinkWord.NO_LONGER: "✕",
    LinkWord.LESS: "−",
    LinkWord.MORE: "+",
    LinkWord.TURNED: "⇄",
    LinkWord.ALSO: "＋",
    LinkWord.NOTHING_SEEN: "≈",
}
"""What stands before a verdict in the table, so that colour never stands alone."""


def show_verdict(result: InstanceSpecificResult) -> None:
    """What the sentence rests on; where nothing is sure, what came nearest."""
    links = named_links(result)
    if links and not any(link.told for link in links):
        st.markdown("Nearest to a difference:")
    alone = [link.told for link in links].count(True) == 1  # then the headline is the verdict, and its doubt follows
    lines = [
        capital(rests_on(result, link)) if alone and link.told else link_sentence(result, link)
        for link in links[:MOST_LINKS]
    ]
    if links[MOST_LINKS:]:
        lines.append(f"{count(len(links[MOST_LINKS:]), 'more link')} in the table below.")
    st.markdown("\n".join(f"- {plain(labelled(line))}" for line in lines))
    _show_unjudged(result)


def _show_unjudged(result: InstanceSpecificResult) -> None:
    """Which links could not be asked about, and why, in grey."""
    reasons: dict[str, list[str]] = {}
    for link in result.links:
        if not link.asked:
            reasons.setdefault(why_untested(result, link), []).append(str(link_name(result, link)))
    if reasons:
        text = "; ".join(f"{first(names, 3)} ({reason})" for reason, names in reasons.items())
        st.caption(plain(f"Could not be asked about: {text}."))


def show_every_link(result: InstanceSpecificResult) -> None:
    """All links with their numbers, and what the columns mean."""
    table = links_display(result)
    if table.empty:
        return
    with st.expander(f"Every link with its numbers ({len(table)})"):
        if any(link.asked for link in result.links):
            st.caption(plain(labelled(compared_words(result))))
        show_with_file(
            table,
            "every-link",
            probabilities=[name for name in ("probability",) if name in table],
            p_values=[name for name in ("p",) if name in table],
            column_config={
                "probability": st.column_config.NumberColumn("P(arrow is there)", help=" ".join(supported(result))),
                "rows needed": st.column_config.NumberColumn(
                    help=f"Rows like the patient that show a difference of {points(result.method.margin)} percentage "
                    "points 4 times in 5."
                ),
                "contrast": st.column_config.TextColumn(
                    help="Of the first variable two levels, of the second one: the shift is how many percentage "
                    "points more often it occurs."
                ),
                "shift here": st.column_config.TextColumn(
                    help="Among rows with the patient's values of what else the second variable depends on, in "
                    "percentage points, with its 95 % interval."
                ),
                "difference": st.column_config.TextColumn(
                    help="Here less among the others, in percentage points. Its 95 % interval allows for every link "
                    "and every patient that could be asked about."
                ),
                "p": st.column_config.NumberColumn(
                    "p, corrected",
                    help="After correction (Holm) for every link and every patient of the table; a difference must "
                    "show in percentage points and in odds ratios.",
                ),
            },
        )
        st.caption(
            "Not asked: the link is the only one into its variable, the values to judge it by are unknown, or the rows "
            "are too few."
        )


def links_display(result: InstanceSpecificResult) -> pd.DataFrame:
    """Every link of either network, as a table for the screen; what differs first, then what was asked about."""
    import pandas as pd

    ranked = sorted(result.links, key=lambda item: (not item.told, not item.asked))
    rows = [
        {
            "link": str(link_name(result, entry)),
            "verdict": f"{SIGNS.get(entry.word, '')} {SHOWN.get(entry.word, entry.word)}".strip(),
            **_shifts(result, entry),
            "rows like the patient": entry.rows,
            "rows needed": entry.needed,
            "probability": None if result.support is None else result.probability_of(entry),
            "P(in the population)": "" if result.support is None else probability(result.support_of(entry)),
        }
        for entry in ranked
    ]
    table = pd.DataFrame(rows)
    return (
        table
        if result.support is not None
        else table.drop(columns=["probability", "P(in the population)"], errors="ignore")
    )


def _shifts(result: InstanceSpecificResult, link: Link) -> dict[str, str | float | None]:
    """What the table says of the shifts of one link; of one that was not asked about, the largest shift alone."""
    compared = link.compared
    if compared is None:
        here = "" if link.here.effect != link.here.effect else _span(link.here.effect, link.here.low, link.here.high)
        return {"contrast": "", "shift here": here, "among the others": "", "difference": "", "p": None}
    source, child = result.name(link.source), result.name(link.child)
    high, low = (result.levels[source][code] for code in (compared.high_level, compared.low_level))
    return {
        "contrast": f"{high} against {low}: {result.levels[child][compared.level]}",
        "shift here": _span(compared.here, compared.here_low, compared.here_high),
        "among the others": _span(compared.others, compared.others_low, compared.others_high),
        "difference": _span(compared.difference, compared.difference_low, compared.difference_high),
        "p": compared.p,
    }


def _span(effect: float, low: float, high: float) -> str:
    """'20 (12 to 28)', in points."""
    return f"{points(effect)} ({points(low)} to {points(high)})"
