"""The whole answer on screen: sentence, network, one link; below it one closer look at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.labels import labelled
from dashboard.session.masking import sentences_shown
from dashboard.text import plain
from dashboard.views.ordinal.centrality import show_centrality
from dashboard.views.ordinal.compare_approaches import show_loss, show_path
from dashboard.views.ordinal.heat_maps import show_approaches
from dashboard.views.ordinal.latent import show_latent
from dashboard.views.ordinal.lesson import show_lesson
from dashboard.views.ordinal.networks import averaged_panel, model_positions, network_panel, words_of
from dashboard.views.ordinal.picture import averaged_links, item_labels, show_picture
from dashboard.views.ordinal.scales_by_hand import scales_code, show_scales
from dashboard.views.ordinal.side_panel import show_side_panel
from dashboard.views.ordinal.stability import show_background, show_stability, with_additions
from dashboard.views.shared.downloads import download_table, file_name, show_figure, show_with_file, with_probabilities
from dashboard.views.shared.exports import GraphFile, PaperFile, WebPage, export_menu, network_of
from dashboard.views.shared.neighbourhood import part_drawn, strengths
from dashboard.views.shared.page_parts import choose_option
from dashboard.views.shared.running import computed_here
from dashboard.views.shared.sections import method_part, show_answer, show_other_sentences, show_settings
from engine.exchange.safe_csv import to_csv
from engine.graphs.drawing.pdf import lacking_letters, svg_to_pdf
from engine.methods.ordinal.answers import leaving_out
from engine.methods.ordinal.recurrence import RETURNS_AT
from engine.methods.ordinal.result import SLUG
from engine.telling.charts.recurrence import threshold_figure
from engine.telling.ordinal.figures import networks
from engine.telling.ordinal.paper import (
    centralities_caption,
    items_table,
    links_table,
    methods_paragraph,
    network_caption,
    paper_page,
)
from engine.telling.ordinal.wording import copies_words, correlated, gaps_notes, turned_sign, upper_ends, why_no_line
from engine.words import count, in_percent

if TYPE_CHECKING:
    from dashboard.network.panel import Panel
    from engine.data.dataset import Dataset
    from engine.methods.ordinal.recurrence import EdgeStrength
    from engine.methods.ordinal.result import OrdinalResult

VIEWS = {
    "Centrality": show_centrality,
    "Stability": show_stability,
    "Two approaches": show_approaches,
    "Another penalty": show_path,
    "Behind the levels": show_latent,
    "Prediction": show_loss,
}
OWN, AVERAGED = "own", "averaged"
WHICH = {OWN: "Of all rows", AVERAGED: "Averaged over bootstrap samples"}
SHARES = ("share", "share low", "share high", "directed share", "seeds share", "half share", "half way")
MOST_LETTERS = 6
"""Of those that a font does not have, to be named."""
CROWD = 30
"""Variables from which the picture needs the whole width."""


def show_result(result: OrdinalResult, data: Dataset) -> None:
    """Everything below the title."""
    learned, result = result, with_additions(result, data)
    menu = show_answer(result, data, more=" ".join(filter(None, _limits(result, data))))
    for sentence in copies_words(result):
        st.warning(plain(labelled(sentence)), icon=":material/warning:")
    _show_model(result)
    show_scales(result)
    if computed_here(learned):  # one read from a file computes nothing by itself
        show_background(result, data)
    key = widget_key(SLUG, "view")
    views = sorted(VIEWS, key=lambda view: view != "Stability") if result.arrows_first else VIEWS
    view = choose_option("Look closer", views, key, label_visibility="visible", persist_state="session")
    VIEWS[view](result, data)
    _show_method(result)
    show_lesson()
    with menu:
        show_exports(result, data)


def _limits(result: OrdinalResult, data: Dataset) -> list[str]:
    """What was left out, and what was made of gaps, on the first screen."""
    left_out = leaving_out([name for name in data.names if name not in result.names])
    gaps = [f"{count(result.n_gaps, 'missing answer')} left open.", *gaps_notes(result)[1:]] if result.n_gaps else []
    return [*left_out, *gaps]


@st.fragment
def _show_model(result: OrdinalResult) -> None:
    """The picture on the left, its largest links or what was clicked on the right; a click draws only them."""
    if len(result.names) > CROWD:
        for show in (_show_network, show_side_panel):
            with st.container(border=True, gap="small"):
                show(result)
        _show_links(result)
        return
    left, right = st.columns([13, 8], gap="small")
    with left.container(border=True, gap="small", height="stretch"):
        _show_network(result)
    with right.container(border=True, gap="small", height="stretch"):
        show_side_panel(result)
    _show_links(result)


def _show_network(result: OrdinalResult) -> None:
    averaged = None
    if result.strength is not None:
        which = choose_option("Network", WHICH, widget_key(SLUG, "averaged"), format_func=WHICH.__getitem__)
        if which == AVERAGED:
            averaged = averaged_links(result, _choose_threshold(result, result.strength))
    show_picture(result, averaged)
    if why := why_no_line(result):
        st.caption(plain(why))
    said = sentences_shown(result, filter(None, [correlated(result), turned_sign(result), upper_ends(result)]))
    st.caption(plain(labelled(" ".join(said))))


def _choose_threshold(result: OrdinalResult, strength: EdgeStrength) -> float:
    """The slider, with how many links every place of it leaves and the L1 rule's marked."""
    usual = round(strength.threshold, 2)
    threshold = st.slider(
        "Links in more than this share of bootstrap samples",
        0.0,
        1.0,
        usual,
        0.01,
        format="percent",
        key=widget_key(SLUG, "threshold", strength.runs),
        help="It begins at the L1 rule of Scutari and Nagarajan (2013): the cut nearest to a world in which every link "
        "is there always or never.",
    )
    cut = strength.threshold if threshold == usual else threshold
    show_figure(
        threshold_figure(strength.frame()["share"], strength.threshold, cut),
        "links-by-threshold",
        key=widget_key(SLUG, "thresholds"),
        alt=f"How many links each threshold leaves; the L1 rule says {in_percent(strength.threshold)}.",
    )
    st.caption("How many links each place of the slider leaves.")
    return cut


def _show_links(result: OrdinalResult) -> None:
    table = result.edge_table()
    if not len(table):
        return
    number, share = st.column_config.NumberColumn, st.column_config.NumberColumn(format="percent")
    display = table.drop(columns=[name for name in table.columns if table[name].isna().all()])
    display = display.assign(mark=["→" if item == "->" else "–" for item in display["mark"]]).rename(
        columns=lambda name: {"mark": " ", "log_bayes_factor": "log Bayes factor", "chance": "p, corrected"}.get(
            name, name.replace("_", " ")
        )
    )
    with st.expander("All links as tables, the largest first"):
        if result.lines is not None and not result.chance_first:
            st.markdown("**Lines**")
            signed, lines = dict.fromkeys(("partial", "low", "high"), 2), result.lines.line_table()
            show_with_file(lines, "lines", most=420, p_values=("p",), signed=signed)
            st.markdown("**Arrows**")
        st.dataframe(
            with_probabilities(display, p_values=[name for name in ("p, corrected",) if name in display]),
            hide_index=True,
            height=min(420, 38 + 35 * len(display)),
            column_config={
                **dict.fromkeys(("partial", "low", "high", "weight"), number(format="%+.2f")),
                "log Bayes factor": number(format="%.1f"),
                **dict.fromkeys(SHARES, share),
            },
        )
        download_table(table, "links")


def _show_method(result: OrdinalResult) -> None:
    with method_part(result):
        show_other_sentences(result)
        st.markdown(plain(result.caution))
        if result.lines is not None:
            st.markdown(
                "Lines are estimated without penalty or search. Those under about 2.5 standard errors are left out at "
                "first; the slider brings them back."
            )
        if result.halves is not None:
            share, halves = in_percent(RETURNS_AT), count(result.halves.runs, "random half sample")
            st.markdown(
                f"The arrows were searched again in {halves}. An arrow has no head where fewer than {share} of these "
                f"agree on its direction{'' if result.chance_first else ', and is pale where fewer have the link'}. "
                "*Implied* has the partial correlations that the arrows imply; they have no intervals."
            )
        st.markdown(
            "A latent vector Z is normal with a network: each value is a weighted sum of its parents' and noise. An "
            "answer is the level that its latent value falls into:"
        )
        st.latex(r"X_i = k \iff \alpha_{i,k-1} < Z_i \le \alpha_{i,k}, \qquad Z \sim N(0, \Sigma_{G})")
        st.markdown(
            "Thresholds come from the shares of the levels, first correlations from every pair by itself (polychoric). "
            "A number is its own latent value, by its normal score. Then latent values are drawn between thresholds "
            "of every row (Gibbs), their expected correlations taken, and the network sought that has the best"
        )
        st.latex(r"\ell(\Sigma_G) - \tfrac{\lambda}{2}\,\log(N)\,\#\mathrm{parameters}")
        st.markdown(
            "again and again; of all rounds the one is kept that explains the answers best (Luo, Moffa and Kuipers "
            "2021). Networks with the same score for every choice of weights are shown as one: arrows that all of them "
            "have, and lines. Partial correlations are of the latent values, with intervals for as many rows of latent "
            "values as the levels are worth."
        )
        if result.rounds:
            st.markdown("**Rounds**")
            st.dataframe(result.table("Rounds"), hide_index=True)
        show_settings(result)


STEM = "ordinal"
LABELS = {"Edges": "Links", "Strength": "Links that came back"}


def show_exports(result: OrdinalResult, data: Dataset) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
    names = part_drawn(SLUG, result.names, lambda: strengths(_panels(result)))
    page = WebPage(
        "Web page, opens offline",
        f"{STEM}-networks",
        result.headline(),
        partial(_panels, result),
        dict(model_positions(result, names)),
        words_of(result),
        names=names,
    )
    graphs = [
        GraphFile("The network; lines have no direction", f"{STEM}-network", partial(network_of, result, "network")),
        GraphFile("One of the networks it stands for", f"{STEM}-dag", lambda: result.dag),
    ]
    note = ""
    if result.strength is not None:
        graphs.append(GraphFile("Averaged over bootstrap samples", f"{STEM}-averaged", result.averaged))
        if result.method.bootstrap != result.strength.runs:
            note = f"The bootstrap of this page: method.edge_strength(data, runs={result.strength.runs})."
    if result.halves is not None:
        note = f"{note} The half samples: method.half_samples(data, runs={result.halves.runs}).".strip()
    export_menu(
        result,
        data,
        stem=STEM,
        labels=LABELS,
        pages=[page],
        graphs=graphs,
        paper=_paper_files(result),
        printed="result.edge_table()",
        then=scales_code(result),
        note=note,
    )


def _paper_files(result: OrdinalResult) -> list[PaperFile]:
    """Text and tables for a word processor, and the figures in colour and in grey."""
    labels = item_labels(result.names)
    html, text, csv = "text/html", "text/plain", "text/csv"
    return [
        PaperFile(label, file_name(f"{STEM}-{stem}", ending), media, make)
        for label, stem, ending, media, make in (
            ("Methods, tables, figures (for Word)", "paper", "html", html, partial(paper_page, result, labels)),
            ("Methods paragraph", "methods", "txt", text, partial(methods_paragraph, result)),
            ("Links, APA (CSV)", "apa-links", "csv", csv, lambda: to_csv(links_table(result, labels))),
            ("Variables, APA (CSV)", "apa-variables", "csv", csv, lambda: to_csv(items_table(result, labels))),
        )
    ] + _figure_files(result, labels)


def _figure_files(result: OrdinalResult, labels: Mapping[str, str]) -> list[PaperFile]:
    """Lines, arrows and centralities as SVG and as PDF with a caption."""
    network, files = partial(networks.network_figure, result, labels=labels), []
    texts = "".join([*labels.values(), *networks.scale_names(result)])
    lacking = "" if texts.isascii() else lacking_letters(texts)
    note = f" (the font of the PDF has no {plain(lacking[:MOST_LETTERS])}; the SVG has)" if lacking else ""
    made: list[tuple[str, str, Callable[..., str], str]] = []
    if result.lines is not None:
        made.append(("Figure of the lines", "figure", partial(network, "lines"), network_caption(result, "lines")))
    if result.lines is not None and not result.determined:
        drawn = partial(networks.centralities_figure, result, labels=labels)
        made.append(("Figure of centralities", "centralities", drawn, centralities_caption(result)))
    made.append(("Figure of the arrows", "arrows", partial(network, "arrows"), network_caption(result, "arrows")))
    for title, stem, draw, caption in made:
        for label, end, grey in (("", "", False), (" in grey", "-grey", True)):
            svg, name, group = partial(draw, grey=grey), f"{STEM}-{stem}{end}", f"{title}{note}"
            pdf = partial(_pdf, svg, caption)
            files.append(PaperFile(f"SVG{label}", file_name(name, "svg"), "image/svg+xml", svg, group))
            files.append(PaperFile(f"PDF{label}", file_name(name, "pdf"), "application/pdf", pdf, group))
    return files


def _pdf(draw: Callable[[], str], caption: str) -> bytes:
    return svg_to_pdf(draw(), caption)


def _panels(result: OrdinalResult) -> list[Panel]:
    matches = [network_panel(result)]
    if result.strength is not None:
        matches.append(averaged_panel(result, result.strength.threshold))
    return matches
