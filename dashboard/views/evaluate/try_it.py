"""Try it: draw data from a known truth, let a method look for it, and see what it found, once and over many seeds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from dashboard.charts.trials import alarms_figure, runs_figure
from dashboard.forms.settings_form import settings_form
from dashboard.network.boxes import node_height, node_sizes, two_columns
from dashboard.network.panel import Edge, Node, Panel
from dashboard.session.caches import Point
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.theme import CHANGED as FILLED
from dashboard.views.evaluate.curve import Line, show_curve
from dashboard.views.shared.downloads import download, download_table, file_name, show_figure, show_with_file
from dashboard.views.shared.network_view import network_view, pick_node
from dashboard.views.shared.page_parts import choose_option, show_sentence
from dashboard.views.shared.running import await_job, start_on_press
from engine import Dataset
from engine.evaluation.trials import every_trial
from engine.evaluation.trials.outcome import NOT_ASKED, in_words, script
from engine.evaluation.trials.repeat import repeat
from engine.graphs.comparison import ComparedEdge
from engine.graphs.comparison import panels as arcs_of
from engine.graphs.drawing.layout import layout
from engine.methods.registry import METHODS
from engine.methods.verdicts import Verdict
from engine.telling.terms import SHOWN, SIGNS
from engine.words import count, probability, with_sign

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.evaluation.trials.outcome import Outcome, Picture, Trial
    from engine.evaluation.trials.repeat import Repeated
    from engine.methods.method import Method


PAGE = "evaluate.try"
OF_A_TABLE = ("variable", "levels", "order", "pairs")
"""Roles of settings that name variables or levels."""


class TryRequest(NamedTuple):
    """A truth, the method that looks for it, and the score to compare with."""

    trial: Trial
    method: Any
    rival: str | None

    @property
    def key(self) -> tuple[str, ...]:
        """What makes two tries equal."""
        return "try", repr(self.trial), repr(self.method), str(self.rival)


def show_try() -> None:
    """The choices on the left, the try on the right; the first one runs by itself."""
    requests = session().choices.setdefault(PAGE, {})
    with st.sidebar:
        kind = _choose_trial()
        wanted = _form(kind)
        current = wanted is not None and wanted == requests.get(kind.slug)
        pressed = st.button(
            "Draw and look",
            type="secondary" if current else "primary",
            width="stretch",
            disabled=wanted is None,
            key=widget_key("evaluate", "try", "run"),
        )
    if wanted is not None and (pressed or kind.slug not in requests):
        _start(requests, kind.slug, wanted)
    request: TryRequest | None = requests.get(kind.slug)
    job = session().job_queue.get(request.key) if request is not None else None
    story = st.empty()
    story.markdown(f":gray[{kind.story}]")
    if request is None or job is None:
        return
    outcome = await_job(job)
    if outcome is not None:
        story.empty()
        if wanted is not None and wanted != request:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.info("The settings have changed; the result below has the old ones.", icon=":material/sync:")
                st.button(
                    "Draw and look",
                    type="primary",
                    icon=":material/play_arrow:",
                    on_click=_start,
                    args=(requests, kind.slug, wanted),
                    key=widget_key("evaluate", "try", "run", "changed"),
                )
        show_outcome(request.trial, request.method, request.rival, outcome)


def _start(requests: dict[str, TryRequest], slug: str, wanted: TryRequest) -> None:
    """Draw what is wanted, and remember that it was asked."""
    requests[slug] = wanted
    session().job_queue.start(wanted.key, wanted.trial.run, wanted.method, wanted.rival)


def _choose_trial() -> type[Trial]:
    """Which truth, of the methods that have one to be tried on."""
    trials = every_trial()
    chosen = st.radio(
        "What to try",
        list(trials),
        format_func=lambda slug: trials[slug].title,
        key=widget_key(PAGE, "kind"),
        persist_state="session",
    )
    return trials.get(chosen or "", next(iter(trials.values())))


def _form(kind: type[Trial]) -> TryRequest | None:
    """The truth, the method, and the score to compare with; None where a setting does not fit."""
    key = widget_key(PAGE, kind.slug)
    st.markdown("**The truth**")
    trial: Trial | None = settings_form(kind, _no_table(), widget_key(key, "truth"))
    st.markdown("**The method**")
    kind_of_method = METHODS[kind.slug]
    method = settings_form(
        kind_of_method,
        _no_table(),
        widget_key(key, "method"),
        kind.given,
        without=omitted_settings(kind_of_method),
        first=kind.opened,
    )
    keys: list[str | None] = [*kind.seconds, None]
    rival = st.selectbox(
        "Compare with",
        keys,
        index=keys.index(kind.first_second),
        format_func=lambda item: "nothing" if item is None else kind.seconds[item],
        key=widget_key(key, "second"),
        help="A second score of the same items, on the same data.",
        persist_state="session",
    )
    if trial is not None and (words := trial.too_slow(rival)):
        st.warning(words)
        return None
    return None if trial is None or method is None else TryRequest(trial, method, rival)


def omitted_settings(method: type[Method]) -> list[str]:
    """Settings that name what is in a table, which a trial draws itself; and the seed, which is the truth's here."""
    return [field.name for field in fields(method) if field.name == "seed" or field.metadata.get("role") in OF_A_TABLE]  # type: ignore[arg-type]


@cache
def _no_table() -> Dataset:
    """A form asks for a table whose variables it offers; here nothing offers any."""
    import pandas as pd

    return Dataset.from_frame(pd.DataFrame({"none": ["-"]}), kinds={"none": "nominal"})


TIMES = (10, 20, 50, 100)
ONE_TRY = "One try says little: repeat it."
INTERVALS = "Brackets have 95 % intervals{} (Jeffreys' for shares, {} for an AUC)."


def show_outcome(trial: Trial, method: Any, rival: str | None, outcome: Outcome) -> None:
    """Everything below the choices."""
    key = widget_key("evaluate", "try", trial.slug)
    beside = [outcome.direction_sentence(), outcome.ranking_sentence(), outcome.called_sentence(), ONE_TRY]
    show_sentence("evaluate", outcome.headline(), " ".join(filter(None, beside)))
    with st.container(key=widget_key("crowded", "evaluate")):  # on a small screen one below the other
        picture, reading = st.columns([3, 2], gap="small") if outcome.pictures else (None, st.container())
    if picture is not None:
        with picture.container(border=True, height="stretch"):
            show_networks(outcome, key)
    with reading.container(border=True, height="stretch", gap="small"):
        st.markdown(f":small[{plain(f'{trial.story} {outcome.remark}')}]")
        show_verdicts(trial, method, outcome.claim_counts(), trial.drawn_together, f"try-{trial.slug}")
        repeated = _ask_to_repeat(trial, method, rival)
    if repeated is not None:
        _show_repeated(repeated, widget_key(key, "repeat"))
    if outcome.has_curve:
        st.markdown("**What if the highest scores were called?**")
        lines = [
            Line(
                one.name,
                one.values,
                outcome.truth,
                one.unit,
                one.usual,
                outcome.clusters,
                outcome.interval(place),
                one.meaning,
                trial.drawn_together,
            )
            for place, one in enumerate(outcome.scores)
        ]
        stem, place = f"try-{trial.slug}", widget_key(key, "curve")
        said = outcome.beside_counts()
        show_curve(lines, place, trial.items, stem=stem, usual=True, begins=outcome.begins, beside=said)
    else:
        _show_alarms(outcome)
    _show_items(outcome)
    with st.expander("The script behind it"):
        source = script(trial, method, rival)
        st.code(source, language="python")
        download(source, file_name(f"try-{trial.slug}", "py"), "text/x-python", "Python")


def _show_alarms(outcome: Outcome) -> None:
    """No cases, so no curve: what is called all the same."""
    items = outcome.trial.items
    if outcome.truth.any() or not len(outcome.truth):
        return
    st.markdown("**False positives**")
    st.markdown(
        f"There is no curve: it needs {items.case} {items.many}, and the truth has none. What can be seen is the false "
        f"positives, here those {items.many} that the method calls {items.case} all the same."
    )
    figure = alarms_figure(outcome)
    alt = f"Scores of {len(outcome.truth)} {items.many}, highest first; {len(outcome.called.nonzero()[0])} are called."
    show_figure(
        figure,
        f"try-{outcome.trial.slug}-false-alarms",
        alt=alt,
        key=widget_key("evaluate", "try", outcome.trial.slug, "alarms"),
    )


def _show_items(outcome: Outcome) -> None:
    """Every item with truth, scores and ranks."""
    items = outcome.trial.items
    table = outcome.table().rename(columns={"truth": items.case, "called": "called by the method"})
    with st.expander(f"All {len(table):,} {items.many} with truth, score and rank"):
        number, check = st.column_config.NumberColumn, st.column_config.CheckboxColumn
        formats: dict[str, Any] = {score.name: number(format="%.3g", help=score.unit) for score in outcome.scores}
        formats |= {items.case: check(), "called by the method": check()}
        show_with_file(table, f"try-{outcome.trial.slug}-items", column_config=formats, most=420)


def show_verdicts(trial: Trial, method: Any, table: pd.DataFrame, whole: str, key: str) -> None:
    """What is said of the items, counted by truth; nothing without verdicts.

    `whole` is what items belong together in ("runs"), empty where each stands by itself.
    """
    if table.empty:
        return
    st.dataframe(
        in_words(table, (trial.items.case, trial.items.other)),
        hide_index=True,
        alt=f"What is said of {trial.items.case} and of {trial.items.other} {trial.items.many}",
    )
    how = INTERVALS.format(
        *(
            (f", whole {whole} kept together", "resampled")
            if whole
            else ("", "DeLong's or, of a perfect order, Jeffreys'")
        )
    )
    st.markdown(f":small[{plain(f'{how} {trial.note(method)}')}]")
    with st.expander("How to read it"):
        st.caption(plain(verdicts_note(trial)))
        download_table(table, f"{key}-as-said")


def verdicts_note(trial: Trial) -> str:
    """How to read the table."""
    return (
        f"These are the verdicts that the method's own page shows. {trial.case_words} is false of what is "
        f'{trial.items.other}; "inconclusive" shows neither, so it is never false.'
    )


def _ask_to_repeat(trial: Trial, method: Any, rival: str | None) -> Repeated | None:
    """How many runs, the button, and what came out."""
    key = widget_key("evaluate", "try", trial.slug, "repeat")
    left, right = st.columns([1, 2], vertical_alignment="bottom", gap="small")
    times = left.selectbox(
        "Runs", TIMES, index=1, key=widget_key(key, "times"), help="Each draws another truth and other rows."
    )
    pressed = right.button(
        f"Repeat {times} times", key=widget_key(key, "start"), icon=":material/repeat:", width="stretch"
    )
    name = ("try again", times, repr(trial), repr(method), rival)
    repeated: Repeated | None = start_on_press(pressed, name, repeat, trial, method, rival, times, 1)
    return repeated


def _show_repeated(repeated: Repeated, key: str) -> None:
    st.markdown(f"## {plain(repeated.headline())}")
    trial = repeated.trial
    show_verdicts(trial, repeated.method, repeated.claim_counts(), "runs", f"try-{trial.slug}-runs")
    if repeated.has_curve:
        st.markdown(plain(repeated.spread()))
        show_figure(
            runs_figure(repeated),
            f"try-{repeated.trial.slug}-runs",
            alt=repeated.headline(),
            key=widget_key(key, "runs"),
        )
        st.markdown("**All runs as one**")
        st.caption(
            f"The {repeated.trial.items.many} of all runs on one curve. The interval resamples whole runs "
            "(bootstrap), since those of one run belong together."
        )
        lines = [
            Line(
                score.name,
                pooled.scores,
                pooled.truth,
                score.unit,
                score.usual,
                clusters=pooled.block,
                interval=repeated.intervals[number],
                whole="runs",
            )
            for number, score in enumerate(repeated.scores)
            for pooled in [repeated.pooled(number)]
        ]
        show_curve(lines, widget_key(key, "curve"), repeated.trial.items, stem=f"try-{repeated.trial.slug}-pooled")
    with st.expander(f"The {len(repeated.runs)} runs as a table"):
        table = repeated.table()
        show_with_file(table, f"try-{repeated.trial.slug}-runs")


WORDS = {
    "same": "in truth and found",
    "only_a": "missed: only in the truth",
    "only_b": "false: not in the truth",
    "reversed": "found, direction differs",
}
SWITCHED = {
    "same": "intact",
    "dropped": "✕ switched off in truth: found or missed",
    "only_a": "intact, wrongly called switched off",
}
PROBABILITY = "P(differs): orange above 50 %, blue below; sign: the verdict"
BOTH = ("same", "reversed")
CHANGED = "◆"
MOST_BESIDE = 12
"""Boxes up to which truth and result stand side by side."""
APART = 560.0
"""Between the columns of two steps: so far that a line from one to the other clears the boxes next to it."""
BESIDE = 240
"""Width in which a network beside another is laid out: rather high than wide, so that its names are larger."""
PICTURE = 380
"""Pixels of the networks' height."""
FEW = 3
"""Pictures up to which they are chosen by a click rather than from a list."""


@st.fragment
def show_networks(outcome: Outcome, key: str) -> None:
    """One picture at a time; a fragment, so that a drag or a choice draws only this."""
    place = _pick(outcome.pictures, key)
    picture = outcome.pictures[place]
    positions = _positions(outcome, f"{key}.{place if len(outcome.pictures) > FEW else 0}")
    network_view(
        network_panels(picture, positions),
        positions,
        widget_key(key, "networks"),
        picked=session().picked.get(key),
        words=(WORDS if picture.off is None else SWITCHED) | {FILLED: f"{CHANGED} changed: found or missed"},
        evidence=PROBABILITY if picture.values else "",
        clicked=pick_node(key),
        small=True,
        height=PICTURE,
    )
    st.caption(network_words(picture))


def network_panels(picture: Picture, names: Sequence[str] | dict[str, Point]) -> list[Panel]:
    """Truth on the left, result on the right, what differs marked in both; in one of many variables, and of a patient.

    A patient's links say what became of each: intact and left so, or switched off, and found or missed.
    """
    truth, result = arcs_of(picture.truth, picture.found)
    left, right = ([*map(_edge, arcs)] for arcs in (truth, result))
    if picture.off is not None:
        marks = {arc: "missed" if picture.found.has_edge(*arc) else "found" for arc in picture.off}
        marks |= dict.fromkeys(untested(picture), "not tested")
        off = (
            Edge(*arc, "dropped", words=f"switched off: {picture.off[arc]}", mark=f"✕ {marks[arc]}") for arc in marks
        )
        edges = [*left, *off]
        return [Panel(picture.title, count(len(edges), "link"), [Node(name) for name in names], edges)]
    if len(names) > MOST_BESIDE:
        return [_both_in_one(picture, names, truth, result)]
    return [
        Panel(f"{picture.title}: the truth", _count(truth), [_true_node(picture, name) for name in names], left),
        Panel(f"{picture.title}: found", _count(result), [_result_node(picture, name) for name in names], right),
    ]


def _both_in_one(
    picture: Picture, names: Iterable[str], truth: Sequence[ComparedEdge], result: Sequence[ComparedEdge]
) -> Panel:
    """The truth with what was found beside it."""
    edges = [*map(_edge, truth), *(_edge(arc) for arc in result if arc.status == "only_b")]
    of = _result_node if picture.values else _true_node
    title = f"{_count(truth)} in truth, {len(result)} found"
    return Panel(picture.title, title, [of(picture, name) for name in names], edges)


def network_words(picture: Picture) -> str:
    """What the picture shows, in a line."""
    statuses, result = ([arc.status for arc in arcs] for arcs in arcs_of(picture.truth, picture.found))
    if picture.off is not None:
        found = len([arc for arc in picture.off if not picture.found.has_edge(*arc)])
        off = f"{found} of {count(len(picture.off), 'switched-off link')} found"
        off += f" ({len(untested(picture))} not tested)" if untested(picture) else ""
        wrong = count(statuses.count("only_a"), "intact link")
        return f"{off if picture.off else 'No link switched off'}; {wrong} wrongly called."
    false = result.count("only_b")
    true = f"{len([status for status in statuses if status in BOTH])} of {len(statuses)} true"
    text = f"{true} links were found"
    if picture.values:
        text = f"The headline counts variables. Of the links, {true} ones were found"
    text += f", and {false or 'no'} false {'ones' if false > 1 else 'one'}.{_turned_words(picture)}"
    said = [f"{sign} {SHOWN.get(word, word)}" for word, sign in SIGNS.items() if word in picture.claims.values()]
    told = f"{text} Numbers are P(differs), {CHANGED} what was changed; the verdict is {', '.join(said)}."
    return told if picture.values else text


def _turned_words(picture: Picture) -> str:
    """What differs in the directions of the links found, and what a line without an arrowhead means."""
    truth, result = arcs_of(picture.truth, picture.found)
    directed = {frozenset((arc.source, arc.target)): arc.directed for arc in result}
    kinds = Counter(
        "with an arrowhead that the truth has not"
        if not arc.directed
        else "reversed"
        if directed[frozenset((arc.source, arc.target))]
        else "without the arrowhead of the truth"
        for arc in truth
        if arc.status == "reversed"
    )
    text = f" The direction differs in {kinds.total()}: " if kinds else ""
    text += f"{', '.join(f'{many} {kind}' for kind, many in kinds.most_common())}." if kinds else ""
    if picture.truth.is_directed() and any(not arc.directed for arc in (*truth, *result)):
        text += " Without an arrowhead, a network fits equally well with the line either way round."
    return text


def untested(picture: Picture) -> list[tuple[str, str]]:
    """Switched-off links of a patient that no verdict was asked for."""
    return [arc for arc, said in (picture.off or {}).items() if said == NOT_ASKED]


def _pick(pictures: Sequence[Picture], key: str) -> int:
    if len(pictures) == 1:
        return 0
    titles = [picture.title for picture in pictures]
    options, key, words = range(len(pictures)), widget_key(key, "picture"), titles.__getitem__
    if len(pictures) <= FEW:
        return int(choose_option("Network", options, key, format_func=words))
    box = st.selectbox("Network", options, width=260, key=key, format_func=words, label_visibility="collapsed")
    return int(box)


def _positions(outcome: Outcome, key: str) -> dict[str, Point]:
    """Where the variables of this try stand, and where the user has dragged them; new for every try."""
    stored = session().choices.setdefault(widget_key(key, "places"), {})
    if stored.get("of") is not outcome:
        first = outcome.pictures[0]
        graphs = [_with_off(picture) for picture in outcome.pictures[:FEW]] + [first.found]
        names, below = list(graphs[0].nodes), f"{CHANGED} changed" if first.values else ""
        room = BESIDE if first.off is None and not first.values and len(names) <= MOST_BESIDE else None
        placed = (
            two_columns(*first.steps, between=APART)
            if first.steps
            else layout(graphs, sizes=node_sizes(names, below), height=node_height(names, below), room=room)
        )
        stored["of"], stored["places"] = outcome, placed
    positions: dict[str, Point] = stored["places"]
    return positions


def _with_off(picture: Picture) -> nx.Graph:
    graph = picture.truth.copy()
    graph.add_edges_from(picture.off or ())
    return graph


def _edge(arc: ComparedEdge) -> Edge:
    """An edge by whether it was found, and with its direction."""
    return Edge(arc.source, arc.target, arc.status, words=WORDS[arc.status], directed=arc.directed)


def _count(arcs: Sequence[ComparedEdge]) -> str:
    return count(len(arcs), "link")


def _true_node(picture: Picture, name: str) -> Node:
    if not picture.values:
        return Node(name)
    if name not in picture.marked:
        return Node(name, value=" ")
    became = "found" if picture.claims[name] == Verdict.DIFFERS else "missed"
    return Node(name, words=f"was changed, and {became}", value=f"{CHANGED} {became}", changed=True)


def _result_node(picture: Picture, name: str) -> Node:
    odds = picture.values.get(name, math.nan)
    if not math.isfinite(odds):
        return Node(name)
    mark = f"{CHANGED} " if name in picture.marked else ""
    said = picture.claims[name]
    words = f"{SHOWN.get(said, said)}; log10 odds for a difference {with_sign(odds, 2)}"
    return Node(name, odds, words=words, value=f"{mark}{probability(picture.probability(name))} {SIGNS[said]}")
