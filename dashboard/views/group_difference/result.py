"""The whole answer of a group comparison on screen: sentence, ranking, one variable, networks, stability, exports."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts import contexts as contexts_view
from dashboard.charts import odds as odds_view
from dashboard.forms.live import live_settings
from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.group_difference.exports import show_exports
from dashboard.views.group_difference.networks import EVIDENCE, panels, status_words
from dashboard.views.group_difference.resampling import show_resampling
from dashboard.views.shared.downloads import download_table, show_figure
from dashboard.views.shared.network_view import network_view, places_of
from dashboard.views.shared.sections import method_part, section_of, show_settings, show_words
from engine.methods.group_difference.result import SLUG
from engine.words import count

if TYPE_CHECKING:
    from dashboard.network.component import NetworkEvent
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.result import GroupDifferenceResult

SHOWN = 15


@st.fragment
def show_result(result: GroupDifferenceResult, data: Dataset) -> None:
    """Everything below the title; a fragment, so that moving the prior draws nothing else again."""
    learned, result = result, _with_controls(result)
    left, right = st.columns([11, 10], gap="large")
    with left:
        _show_ranking(result)
    with right:
        _show_variable(result, data)
    _show_networks(result)
    show_resampling(learned, result, data)
    show_exports(result, data)
    _show_method(result)


def _with_controls(result: GroupDifferenceResult) -> GroupDifferenceResult:
    """The answer first; under it the prior and the alignment, which act at once."""
    answer = st.container()
    method, _ = live_settings(result.method, (5, 4, 5))
    result = result.with_prior(method.p_same, method.p_level).with_alignment(method.alignment)
    with answer:
        show_words(result)
    return result


def _show_ranking(result: GroupDifferenceResult) -> None:
    ranking = result.ranking()
    st.markdown(f"##### {section_of(result, 'ranking').title}", help="Click a bar to see that variable on the right.")
    chart, table = st.tabs(["Chart", "Table"])
    with chart:
        all_of_them = len(ranking) > SHOWN and st.toggle(f"Show all {len(ranking)}", key=widget_key(SLUG, "all"))
        shown = ranking if all_of_them else ranking.head(SHOWN)
        key = widget_key(
            SLUG, "chart", _picked(result)
        )  # a new one for each pick: Plotly would keep dimming the other bars
        show_figure(
            odds_view.ranking_figure(shown, _picked(result)),
            "odds-by-variable",
            alt=odds_view.alt_text(shown),
            key=key,
            on_select=partial(_pick_point, key, list(shown.index)),
            selection_mode="points",
        )
        st.caption(odds_view.MARKS)
    with table:
        display = odds_view.ranking_display(ranking)
        key = widget_key(SLUG, "table")
        st.dataframe(
            display,
            hide_index=True,
            key=key,
            height=min(560, 38 + 35 * len(display)),
            on_select=partial(_pick_row, key, list(ranking.index)),
            selection_mode="single-row",
            column_config=_number_formats(),
        )
        download_table(display, "odds-by-variable")


def _number_formats() -> dict[str, Any]:
    number = st.column_config.NumberColumn
    formats: dict[str, Any] = {
        name: number(format="%+.2f") for name in ("log10 odds", "published", "common", "on its own", "prior")
    }
    formats |= {name: number(format="%.3g") for name in ("P(different)", "tipping prior")}
    formats["largest share difference"] = number(format="percent")
    return formats


def _show_variable(result: GroupDifferenceResult, data: Dataset) -> None:
    st.markdown(f"##### {section_of(result, 'variable').title}")
    name = _choose_variable(result)
    verdict, *more = result.explain(name)
    st.markdown(plain(verdict))
    st.caption(plain(" ".join(more)))
    distributions = result.distributions(name)
    figure = contexts_view.contexts_figure(distributions, result.levels[name], data.kinds[name] != "nominal")
    table = result.contexts(name)
    if hidden := len(table[contexts_view.MOST_CONTEXTS :]):
        st.caption(
            f"The {contexts_view.MOST_CONTEXTS} contexts with the strongest evidence; {hidden} more in the table."
        )
    show_figure(figure, "contexts", alt=contexts_view.alt_text(distributions, name), key=widget_key(SLUG, "contexts"))
    with st.expander(f"All {count(len(table), 'context')} with rows, as a table"):
        display = contexts_view.contexts_display(table)
        st.dataframe(display, hide_index=True)
        download_table(display, "contexts-of-one-variable")


def _show_networks(result: GroupDifferenceResult) -> None:
    st.markdown(f"##### {section_of(result, 'networks').title}")
    equivalent = (
        " Directions that could as well be the other say so when you point at the arc."
        if result.method.score.equivalent
        else ""
    )
    st.caption(
        "An arc means that one variable helps to predict the other; it does not show what causes what." + equivalent
    )
    drawn = panels(result)
    event = network_view(
        drawn,
        places_of(result.names, list(result.graphs().values())),
        widget_key(SLUG, "networks"),
        picked=_picked(result),
        words=status_words(result),
        evidence=EVIDENCE,
        clicked=_pick_clicked,
    )
    if event.edge:
        source, target, panel = event.edge
        st.info(plain(f"{source} -> {target} in the network of {drawn[panel].title}; {target} is shown above."))


def _pick_clicked(event: NetworkEvent) -> bool:
    """A box, or the head of an arc, is the variable shown above; there always is one."""
    clicked = event.node or (event.edge[1] if event.edge else None)
    changed = clicked is not None and clicked != session().picked.get(SLUG)
    if clicked is not None:
        _pick(clicked)
    return changed


def _show_method(result: GroupDifferenceResult) -> None:
    with method_part(result):
        st.markdown(
            "A *block* is one combination of values of the parents that all three networks share. For each block the "
            "rows are explained once with separate probabilities in the two groups and once with the same; b is the "
            "natural log of the ratio of the two marginal likelihoods (equations 6 and 7 of Sverchkov and "
            "Cooper 2015). With the prior probability p of 'same' in each of the H possible blocks, the odds that the "
            "variable differs are"
        )
        st.latex(r"O_i = \prod_{\eta=1}^{H_i}\left(e^{b_{i\eta}}\,\frac{1-p_{i\eta}}{p_{i\eta}} + 1\right) - 1")
        st.markdown("Evidence in words follows Kass and Raftery 1995: odds of 3, 20 and 150 divide the bands.")
        show_settings(result)


# -- the variable in the spotlight ------------------------------------------------------------------------------------


def _picked(result: GroupDifferenceResult) -> str | None:
    name = session().picked.get(SLUG)
    return name if name in result.names else None


def _pick(name: str) -> None:
    session().picked[SLUG] = name


def _choose_variable(result: GroupDifferenceResult) -> str:
    """The select box of variables, kept in step with clicks on bars, rows and nodes."""
    order = list(result.ranking().index)
    key = widget_key(SLUG, "variable")
    set_value(key, _picked(result) or order[0])
    st.selectbox("Variable", order, key=key, on_change=lambda: _pick(value_of(key)), label_visibility="collapsed")
    return str(value_of(key))


def _pick_point(key: str, names: list[str]) -> None:
    points = value_of(key).selection.points
    if points:
        place = points[0].get("customdata", points[0].get("point_index"))
        _pick(names[int(place[0] if isinstance(place, list) else place)])


def _pick_row(key: str, names: list[str]) -> None:
    rows = value_of(key).selection.rows
    if rows:
        _pick(names[rows[0]])
