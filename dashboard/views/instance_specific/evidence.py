"""One variable for one patient: the sentence, then what it rests on, the next best answers, the similar cases."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.labels import full_name, labelled
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.downloads import csv_bytes, download, download_table, file_name, show_figure, show_with_file
from engine.data.table_rows import table_rows
from engine.methods.instance_specific.evidence import FEW_CASES
from engine.methods.instance_specific.result import SLUG
from engine.telling.instance_specific.figures import MOST_ROWS, SIMILAR, distributions_figure, distributions_words
from engine.words import count, evidence, odds_phrase, probability, with_sign

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.result import InstanceSpecificResult

MOST_CASES = 200
CASE_COLUMNS = 200
MOST_ALTERNATIVES = 8
ALTERNATIVE_COLUMNS = ("parents", "probability", "net", "score gain", "kappa cost", "cases")


def show_evidence(result: InstanceSpecificResult, data: Dataset) -> None:
    """The variable in the spotlight, words first."""
    left, right = st.columns([11, 10], gap="large")
    with left:
        st.markdown("**One variable: why**", help="Click a variable in the networks, or choose it here.")
        name = _choose_variable(result)
        st.markdown(plain(labelled(result.sentence(name))))
        _show_counts(result, name)
        if result.families().at[name, "changed"] or len(result.alternatives(name)) > 1:
            with st.expander("The method's own weighing"):
                _show_weighing(result, name)
                _show_alternatives(result, name)
    with right:
        _show_distributions(result, name)
    _show_similar(result, data, name)


def picked(result: InstanceSpecificResult) -> str:
    """The variable in the spotlight: the user's, else the first that changes, else the first."""
    name = session().picked.get(SLUG)
    return name if name in result.names else in_order_of_interest(result)[0]


def in_order_of_interest(result: InstanceSpecificResult) -> list[str]:
    """Variables whose parents change, the strongest first; then the target; then the others as in the table."""
    changed = result.relinked()
    first = list(changed)
    if result.target is not None and result.target not in changed:
        first.append(result.target)
    return [*first, *(name for name in result.names if name not in first)]


def _choose_variable(result: InstanceSpecificResult) -> str:
    """The select box of variables, kept in step with clicks on the networks."""
    order = in_order_of_interest(result)
    changed = result.relinked()
    key = widget_key(SLUG, "variable")
    set_value(key, picked(result))

    def pick() -> None:
        session().picked[SLUG] = value_of(key)

    st.selectbox(
        "Variable",
        order,
        key=key,
        on_change=pick,
        label_visibility="collapsed",
        format_func=lambda name: (
            f"{full_name(name)}  ({_short_word(result, name)})" if name in changed else full_name(name)
        ),
    )
    return str(value_of(key))


def _short_word(result: InstanceSpecificResult, name: str) -> str:
    """What the list of variables says of one whose links are other ones in the patient's network."""
    certain = result.network.cpdag is None and any(
        link.told for link in result.links if result.name(link.child) == name
    )
    return "different" if certain else "may be different"


def _show_counts(result: InstanceSpecificResult, name: str) -> None:
    """Context and similar cases; a warning where they are few."""
    row = result.families().loc[name]
    where = f" ({row['context']})" if row["context"] else ""
    st.markdown(
        plain(
            f"{row['cases']:,} of {row['rows']:,} rows are like this patient in what matters here{where}."
            if row["instance_parents"]
            else f"Nothing known of this patient matters here; all {row['rows']:,} rows count."
        )
    )
    if row["few_cases"] and (row["changed"] or row["instance_parents"]):
        st.warning(
            f"Only {count(row['cases'], 'similar case')}: below {FEW_CASES}, shares and odds can easily be chance. "
            "Look at the intervals.",
            icon=":material/warning:",
        )


def _show_weighing(result: InstanceSpecificResult, name: str) -> None:
    """Score, cost, net and odds of the parents that the patient's network has."""
    row = result.families().loc[name]
    if row["changed"]:
        cost = f", the prior for a change takes {with_sign(row['kappa_cost'], 2)} (kappa {result.method.kappa:g})"
        st.markdown(
            plain(
                f"The rows speak for the change with {with_sign(row['score_gain'], 2)}{cost}: net "
                f"{with_sign(row['net'], 2)} in natural "
                f"logs, odds of {odds_phrase(row['net'])} the change. The rows alone are "
                f"{evidence(row['score_gain'], 'it')}."
            )
        )
    if row["population_parents"] and not math.isnan(row["probability"]):
        st.caption(f"Among all sets of parents that were weighed, this one has {probability(row['probability'], 'P')}.")


def _show_alternatives(result: InstanceSpecificResult, name: str) -> None:
    table = alternatives_display(result.alternatives(name))
    if len(table) < 2:
        return
    st.markdown("**What else was weighed**")
    st.dataframe(
        table.head(MOST_ALTERNATIVES)[[column for column in table.columns if column in ALTERNATIVE_COLUMNS]],
        hide_index=True,
        column_config={
            "probability": st.column_config.NumberColumn(format="percent", width="small"),
            **{
                item: st.column_config.NumberColumn(format="%+.2f", width="small")
                for item in ("score gain", "kappa cost", "net")
            },
            "cases": st.column_config.NumberColumn(width="small"),
        },
    )
    if len(table) > MOST_ALTERNATIVES:
        st.caption(f"The best {MOST_ALTERNATIVES} of {len(table):,}; all of them in the file.")
    download_table(table, "parent-sets-weighed")


def alternatives_display(alternatives: pd.DataFrame) -> pd.DataFrame:
    """The parent sets weighed, with headings for the screen."""
    display = alternatives.copy()
    display["parents"] = [", ".join(names) or "(none)" for names in display["parents"]]
    for column in ("dropped", "added"):
        display[column] = [", ".join(names) for names in display[column]]
    display = display.rename(columns={"score_gain": "score gain", "kappa_cost": "kappa cost"})
    empty = [
        item for item in ("added", "probability") if not display[item].astype(bool).any() or display[item].isna().all()
    ]
    first = ["parents", "probability", "net", "score gain", "kappa cost", "cases", "context", "dropped", "added"]
    return display[[entry for entry in first if entry not in empty]]


def _show_distributions(result: InstanceSpecificResult, name: str) -> None:
    table = result.distributions(name)
    st.markdown(f"**How {plain(name)} is distributed**")
    figure = session().figures.of(distributions_figure, table)
    show_figure(
        figure, "evidence-of-one-variable", alt=distributions_words(table, name), key=widget_key(SLUG, "distribution")
    )
    rows = len(table["who"].unique())
    text = "Shares with 95 % intervals."
    if table["who"].iloc[0] == SIMILAR and rows > 1:
        text += " The first bar of each level is the cases like this patient; the others are the population's rows "
        text += "that they take the place of."
    if rows > MOST_ROWS + 1:
        text += f" The {MOST_ROWS} largest of those are drawn, all {rows - 1} are in the table."
    st.caption(text)
    with st.expander("The same as a table"):
        show_with_file(
            table,
            "distributions-of-one-variable",
            column_config={item: st.column_config.NumberColumn(format="percent") for item in ("share", "low", "high")},
        )


def _show_similar(result: InstanceSpecificResult, data: Dataset, name: str) -> None:
    rows = result.similar_rows(data, name)
    left_out = " (the patient's own row left out)" if result.row is not None else ""
    many = f"{len(rows):,} similar cases"
    if data.clusters is not None:
        many += f" of {count(len(set(data.clusters[rows].tolist())), 'subject')}"
        left_out = left_out.replace("own row", "own subject")
    with st.expander(f"The {many}{left_out}"):
        if not len(rows):
            st.markdown("No row is like this patient here.")
            return
        if len(rows) > MOST_CASES:
            st.caption(f"The first {MOST_CASES} are shown; the file has them all.")
        chosen = data
        if data.n_variables > CASE_COLUMNS:
            chosen = data.select([name, *(other for other in data.names if other != name)][:CASE_COLUMNS])
            st.caption(f"{CASE_COLUMNS} of {data.n_variables:,} columns are shown; the file has them all.")
        st.dataframe(cases_table(chosen, rows[:MOST_CASES]), hide_index=True, height=320)
        download(partial(_cases_csv, data, rows), file_name("similar-cases", "csv"), "text/csv", "Similar cases (CSV)")
        st.caption(
            "Rows are numbered as in the table that was read. Columns left out of the analysis (names, identifiers) "
            "are not in the list; the row number leads back to them."
        )


def cases_table(data: Dataset, rows: object) -> pd.DataFrame:
    """Rows of the data set with the numbers they have in the table, from 1."""
    frame = data.rows(rows).to_frame()  # type: ignore[arg-type]
    label = "row" if "row" not in frame.columns else "row of the table"
    while label in frame.columns:
        label += "'"
    frame.insert(0, label, table_rows(data, rows) + 1)  # type: ignore[arg-type]
    return frame


def _cases_csv(data: Dataset, rows: object) -> bytes:
    return csv_bytes(cases_table(data, rows))
