"""What is carried for this patient, with its doubt: the first lines of the page, and the table of every link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.text import capital, plain
from dashboard.views.shared.downloads import download_table
from engine.methods.instance_specific.tell import shown_links, supported
from engine.methods.instance_specific.verdicts.told import points, rests_on, rows_wanted, sentence
from engine.words import count, percent

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.instance_specific.result import InstanceSpecificResult

SHOWN = 3
"""Links that stand in sentences at the top; all are in the table."""


def show_verdict(result: InstanceSpecificResult) -> None:
    """The answer in a sentence, then what it rests on; where nothing is sure, what came nearest."""
    st.markdown(f"#### {plain(result.headline())}")
    links = shown_links(result)
    if links and not any(one.told or one.status != "kept" for one in links):
        st.markdown("Nearest to being different:")
    alone = len([one for one in links if one.told]) == 1  # then the headline is the verdict, and its doubt follows
    lines = [capital(rests_on(result, one)) if alone and one.told else sentence(result, one) for one in links[:SHOWN]]
    if links[SHOWN:]:
        lines.append(f"{count(len(links[SHOWN:]), 'more link')} in the table below.")
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))
    if not any(one.told for one in links):
        _show_known(result)


def _show_known(result: InstanceSpecificResult) -> None:
    """Nothing is different: what is known of the patient all the same."""
    said = [
        "Where nothing is seen to be different, the population's network is what is known of this patient; that is not "
        "to say that nothing is different."
    ]
    asked = [one for one in result.links if one.asked and one.needed is not None]
    if asked:
        least = min(asked, key=lambda one: one.needed or 0)
        source, child = result.name(least.source), result.name(least.child)
        said.append(
            f"Easiest to see would be {source} for {child}: {rows_wanted(result, least)}, and there are {least.rows:,}."
        )
    st.markdown(plain(" ".join(said)))


def show_every_link(result: InstanceSpecificResult) -> None:
    """All links with their numbers, and what the columns mean."""
    table = links_display(result)
    if table.empty:
        return
    with st.expander(f"Every link with its numbers ({len(table)})"):
        st.dataframe(
            table,
            hide_index=True,
            column_config={
                "probability": st.column_config.NumberColumn(
                    "probability that it applies", format="percent", help=" ".join(supported(result))
                ),
                "rows needed": st.column_config.NumberColumn(
                    help=f"Rows like the patient that show {points(result.method.margin)} points 4 times in 5."
                ),
                "shift": st.column_config.TextColumn(
                    help="The largest difference that the first variable makes to a share of the second among the rows "
                    "like the patient, in points, with its 95 % interval."
                ),
            },
        )
        download_table(table, "every-link")
        st.caption("Not asked: the link is the only one into its variable, or the values to judge it by are unknown.")


def links_display(result: InstanceSpecificResult) -> pd.DataFrame:
    """Every link of either network, as a table for the screen; what was asked about first.

    Parameters
    ----------
    result : the answer

    Returns
    -------
    pandas.DataFrame
    """
    import pandas as pd

    ranked = sorted(result.links, key=lambda one: (not one.told, one.status == "kept", not one.asked))
    rows = [
        {
            "link": f"{result.name(one.source)} → {result.name(one.child)}",
            "verdict": one.word,
            "shift": f"{points(one.here.effect)} ({points(one.here.low)} to {points(one.here.high)})"
            if one.here.effect == one.here.effect
            else "",
            "among the others": "" if one.others != one.others else points(one.others),
            "rows like the patient": one.rows,
            "rows needed": one.needed,
            "probability": None if result.support is None else result.probability_of(one),
            "population has it": "" if result.support is None else percent(result.support_of(one)),
        }
        for one in ranked
    ]
    table = pd.DataFrame(rows)
    return (
        table
        if result.support is not None
        else table.drop(columns=["probability", "population has it"], errors="ignore")
    )
