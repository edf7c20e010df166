"""How stable the network is: other rows like these, other seeds, and which way the arrows point."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.job_queue import method_key
from dashboard.session.keys import widget_key
from dashboard.session.labels import labelled
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.ordinal.networks import order_of, scales
from dashboard.views.shared.downloads import show_figure, show_with_file
from dashboard.views.shared.running import in_background, may_begin, start_on_press
from engine.methods.cost import Size
from engine.methods.ordinal.case_dropping import RUNS as RUNS_OF_A_STEP
from engine.methods.ordinal.inclusion import PRIORS
from engine.methods.ordinal.method import cost_of_halves, learn_halves
from engine.methods.ordinal.recurrence import HALVES, HALVES_SHOWN
from engine.methods.ordinal.result import SLUG
from engine.telling.charts.recurrence import recurrence_figure
from engine.telling.ordinal.figures.tables import shares_figure
from engine.words import count

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.ordinal.case_dropping import CaseDropping
    from engine.methods.ordinal.inclusion import Inclusion
    from engine.methods.ordinal.method import Ordinal
    from engine.methods.ordinal.recurrence import EdgeStrength, HalfSamples, SeedStability
    from engine.methods.ordinal.result import OrdinalResult


@dataclass
class OrdinalState:
    """Everything the views of the page keep.

    Attributes
    ----------
    strength, seeds : of which settings and data -> what was found
    dropping : of which data and scales -> the lines with fewer rows
    inclusion : of which settings and data -> what was found
    enriched : an answer, what was added to it, and the answer with it
    """

    strength: dict[Hashable, EdgeStrength] = field(default_factory=dict)
    seeds: dict[Hashable, SeedStability] = field(default_factory=dict)
    dropping: dict[Hashable, CaseDropping] = field(default_factory=dict)
    inclusion: dict[Hashable, Inclusion] = field(default_factory=dict)
    enriched: tuple[tuple[Any, ...], OrdinalResult] | None = None


def halves_key(result: OrdinalResult, data: Dataset, runs: int) -> Hashable:
    """The key of the job that learns so many halves of the rows."""
    return "halves", runs, *method_key(result.method, data)


def halves_so_far(result: OrdinalResult, data: Dataset) -> HalfSamples | None:
    """The half samples that were learned in the background."""
    jobs = session().job_queue
    found = [jobs.result(halves_key(result, data, runs)) for runs in HALVES_SHOWN]
    return next((halves for halves in reversed(found) if halves is not None), None)


def dropping_key(fingerprint: str, scales: Mapping[str, str]) -> Hashable:
    """The key of the job that drops cases."""
    return "dropping", RUNS_OF_A_STEP, fingerprint, tuple(sorted(scales.items()))


def with_additions(result: OrdinalResult, data: Dataset) -> OrdinalResult:
    """The answer with what was asked of it on the page since, and with the scales that the page knows."""
    state, key = session().state(OrdinalState), method_key(result.method, data)
    strength, seeds = state.strength.get(key), state.seeds.get(key)
    if strength is not None and result.strength is not None and result.strength.runs >= strength.runs:
        strength = None
    halves = None if result.halves is not None else halves_so_far(result, data)
    known = scales(result.names)
    wanted = known if len(set(known.values())) > 1 else {}
    dropping, inclusion = state.dropping.get(dropping_key(result.fingerprint, wanted)), state.inclusion.get(key)
    made_of = (strength, seeds, halves, dropping, inclusion, wanted)
    if state.enriched is None or state.enriched[0][0] is not result or state.enriched[0][1:] != made_of:
        enriched = result
        if result.lines is not None and dict(result.lines.scales) != wanted:
            enriched = enriched.with_parts(result.method.partial_network(data, wanted))
        of_nodes = None if enriched.lines is None else dropping
        asked = (of_nodes, inclusion, strength, seeds, halves)
        enriched = enriched.with_parts(*(part for part in asked if part is not None))
        state.enriched = ((result, *made_of), enriched)
        analysis = session().answered(SLUG)
        card = None if analysis is None or analysis.result is not result else session().cards.get(analysis.key)
        if card is not None and enriched is not result:  # so that the list of results and the report say the same
            session().cards.change(card, result=enriched)
    return state.enriched[1]


RUNS = (20, 50, 100, 200, 500)
SEEDS = 5
FEWEST_ROWS = 20
"""Rows from which halves of them are learned."""
MOST_LINKS, OUTSIDE = 40, 6
MOST_HEAT = 60
"""Variables up to which the shares of arrows are drawn."""


def show_background(result: OrdinalResult, data: Dataset) -> None:
    """What runs by itself below the picture: halves of the rows, which say what of it returns."""
    halves = result.halves
    if (halves is not None and halves.runs >= HALVES) or result.undecided or not result.edge_pairs:
        return
    if data.n_rows < FEWEST_ROWS:
        return
    words = f"{HALVES} half samples"
    partial = "" if halves is None else f" Arrows show the first {halves.runs} of {HALVES}."
    st.caption(f"In the background: {words}, to see which links and directions return.{partial}")
    runs = next(step for step in HALVES_SHOWN if halves is None or step > halves.runs)
    key, task = halves_key(result, data, runs), replace(result.method, bootstrap=0)
    seconds = cost_of_halves(task, Size.of(data), HALVES).seconds
    if halves is None and not may_begin(key, seconds, f"Learn {words}"):
        return
    if in_background(key, learn_halves, task, data, runs, halves) is not None:
        st.rerun()  # it ended while the page was drawn, whose sentences stand above


def show_stability(result: OrdinalResult, data: Dataset) -> None:
    """Three questions, the sentences, a row a link, and the shares of all arrows."""
    st.markdown(f"**{plain(result.section('strength').title)}**")
    rows, seeds = st.columns(2, gap="large")
    with rows:
        _ask_rows(result, data)
    with seeds:
        _ask_seeds(result, data)
    _ask_inclusion(result, data)
    sentences = result.section("strength").sentences
    if not sentences:
        return
    st.markdown("\n".join(f"- {plain(labelled(item))}" for item in sentences))
    if result.inclusion is not None:
        with st.expander(f"All {count(len(result.inclusion.frame()), 'pair')} with their probabilities"):
            show_with_file(result.inclusion.frame(), "inclusion", most=420)
    if result.strength is None and result.seeds is None:
        return  # half samples alone have their shares in the table of all links
    table = stability_table(result)
    left, right = st.columns([10, 11], gap="large")
    with left:
        if len(table):
            _show_links(table)
    with right:
        if result.strength is not None:
            _show_arrows(result, result.strength)
    if result.strength is not None:
        with st.expander(f"All {count(len(result.strength.frame()), 'link')} that ever came back, as a table"):
            _show_table(result.strength)


def _ask_rows(result: OrdinalResult, data: Dataset) -> None:
    resampled = "Whole subjects" if result.subjects else "Rows"
    st.markdown(
        f"**Would other rows like these give other links?** {resampled} are resampled with replacement (bootstrap), "
        "and the network is learned again."
    )
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    runs = left.select_slider("Times", RUNS, value=100, key=widget_key(SLUG, "runs"), persist_state="session")
    state, key = session().state(OrdinalState), method_key(result.method, data)
    earlier_runs = result.strength if result.strength is not None and result.strength.runs < runs else None
    pressed = right.button("Resample the rows", key=widget_key(SLUG, "strength"), icon=":material/casino:")
    task = (strength_of_drawn_tables, result.method, data, runs, earlier_runs)
    matches = start_on_press(pressed, ("strength", runs, *key), *task)
    if matches is not None and (result.strength is None or result.strength.runs < matches.runs):
        state.strength[key] = matches
        st.rerun(scope="app")


def _ask_seeds(result: OrdinalResult, data: Dataset) -> None:
    st.markdown(
        f"**Does the result depend on the seed?** The same rows are learned with {SEEDS} seeds. What changes "
        "between them does not come from the data."
    )
    st.space("small")
    state, key = session().state(OrdinalState), method_key(result.method, data)
    pressed = st.button(f"Learn it with {SEEDS} seeds", key=widget_key(SLUG, "seeds"), icon=":material/replay_5:")
    matches = start_on_press(pressed, ("seeds", SEEDS, *key), result.method.monte_carlo, data, SEEDS)
    if matches is not None and result.seeds is None:
        state.seeds[key] = matches
        st.rerun(scope="app")


def _ask_inclusion(result: OrdinalResult, data: Dataset) -> None:
    text, choice, press = st.columns([6, 3, 3], vertical_alignment="bottom")
    text.markdown(
        "**How probable is each link?** Networks are drawn by order MCMC; their share with a link is its posterior "
        "probability, with a Bayes factor (approximate)."
    )
    prior = choice.segmented_control(
        "Prior",
        PRIORS,
        default=PRIORS[0],
        required=True,
        format_func=str.capitalize,
        key=widget_key(SLUG, "prior"),
        help="Sparse expects as many arcs as variables; dense takes every arc for as likely as not.",
    )
    pressed = press.button("Draw networks", key=widget_key(SLUG, "inclusion"), icon=":material/casino:")
    key = method_key(result.method, data)
    found = start_on_press(pressed, ("inclusion", prior, *key), result.method.inclusion, data, prior)
    if found is not None and result.inclusion is not found:
        session().state(OrdinalState).inclusion[key] = found
        st.rerun(scope="app")


def strength_of_drawn_tables(
    method: Ordinal, data: Dataset, runs: int, earlier_runs: EdgeStrength | None, progress: Any
) -> EdgeStrength:
    """What the job does; runs that were made before are kept."""
    return method.edge_strength(data, runs=runs, so_far=earlier_runs, progress=progress)


def stability_table(result: OrdinalResult) -> pd.DataFrame:
    """A row a link for the picture: those of the network, the least sure first, then the surest of the others."""
    import pandas as pd

    own = result.edge_table()
    by = "share" if result.strength is not None else "seeds_share"
    own = own.sort_values(by, kind="stable").head(MOST_LINKS)
    rows: list[tuple[Any, ...]] = [
        (row.source, row.target, row.mark, row.share, row.share_low, row.share_high, row.seeds_share, True)
        for row in own.itertuples()
    ]
    known = {frozenset(pair) for pair, _ in result.edge_pairs}
    for matches in (result.strength, result.seeds):
        if matches is None:
            continue
        rest = [row for row in matches.frame().itertuples() if frozenset((row.source, row.target)) not in known]
        for item in rest[:OUTSIDE]:
            rows.append(_outside(result, item.source, item.target))
            known.add(frozenset((item.source, item.target)))
    columns = ["source", "target", "mark", "share", "low", "high", "seeds", "inside"]
    return pd.DataFrame(rows, columns=columns)


def _outside(result: OrdinalResult, a: str, b: str) -> tuple[Any, ...]:
    nothing = float("nan")
    share, ends, seeds = nothing, (nothing, nothing), nothing
    if result.strength is not None:
        share, ends = result.strength.share(a, b), result.strength.interval(a, b)
    if result.seeds is not None:
        seeds = result.seeds.share(a, b)
    return a, b, "--", share, *ends, seeds, False


def _show_links(table: pd.DataFrame) -> None:
    st.markdown("**Link by link, the least sure first**")
    words = [f"{short(row['source'], 30)} - {short(row['target'], 30)}" for _, row in table.head(5).iterrows()]
    show_figure(
        recurrence_figure(table),
        "how-sure",
        alt=f"How often each link came back; the least sure: {'; '.join(words)}.",
        key=widget_key(SLUG, "sure"),
        table=table,
    )
    st.caption("Bars: 95 % intervals of the share itself.")


def _show_arrows(result: OrdinalResult, strength: EdgeStrength) -> None:
    st.markdown("**Which way: shares of arrows, from the row to the column**")
    if len(result.names) > MOST_HEAT:
        st.caption(f"{len(result.names)} variables are too many to draw; the table below has all links.")
        return
    order, breaks = order_of(result)
    show_figure(
        shares_figure(strength.directed, strength.runs, result.names, order, breaks),
        "arrows",
        alt=f"Shares of {count(strength.runs, 'network')} with each arrow, from the row to the column.",
        key=widget_key(SLUG, "arrows"),
        table=strength.frame(),
    )
    st.caption(
        f"Of {count(strength.runs, 'network')} of bootstrap samples, in percent; a line counts a half each way, so one "
        "that is always there has 50 on both sides." + (" Black lines part the scales." if breaks else "")
    )


def _show_table(strength: EdgeStrength) -> None:
    frame = strength.frame()
    percent = st.column_config.NumberColumn(format="percent")
    show_with_file(frame, "link-shares", column_config=dict.fromkeys(("share", "low", "high", "directed"), percent))
