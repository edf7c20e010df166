"""Step through a search: the network as it grows, the candidates of each step, and why another was not taken."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from dashboard.forms.settings_form import choose_pairs
from dashboard.network.boxes import node_sizes
from dashboard.network.panel import Edge, Node, Panel
from dashboard.session.caches import Point, cached
from dashboard.session.keys import begin_with, of_names, of_table, set_value, value_of, widget_key
from dashboard.session.labels import labelled, labelled_table
from dashboard.session.masking import smallest_cell
from dashboard.session.session import session
from dashboard.text import plain, visible
from dashboard.views.data.samples import FOR_PRACTICE
from dashboard.views.shared.network_view import network_view, positions_of
from dashboard.views.shared.page_parts import page_head, projected, show_sentence
from engine import GES, K2, PC, BDeu, BGe, GaussianBIC, HillClimbing, Knowledge, LogLinear, ThickThinning
from engine.data.dataset import Dataset
from engine.errors import DiptychError
from engine.graphs.drawing.layers import HEIGHT as BOX
from engine.graphs.drawing.layout import remove_overlaps
from engine.graphs.drawing.rings import Ring, place_in_circle
from engine.lazy import nx
from engine.methods.log_linear.settings import CRITERIA
from engine.methods.log_linear.steps import edge_parts, selection_steps
from engine.scores.parts import score_parts
from engine.search.independence import chi_squared_parts
from engine.search.step_wording import (
    describe_state,
    explain_choice,
    explain_gain,
    families_of,
    headline,
    links_of,
    name_family,
    name_move,
    tabulate_candidates,
    write_gain,
)
from engine.search.steps import MOST_ROWS, MOST_VARIABLES, part_to_step, search_steps
from engine.words import count, with_minus
from sample_data.catalog import CATALOG, dataset

if TYPE_CHECKING:
    import pandas as pd
    from pandas.io.formats.style import Styler

    from engine.scores.parts import ScoreParts
    from engine.search.steps import CandidateMove, SearchStep

PAGE = "workshop.steps"
OPEN, FIRST_SAMPLE = "the open table", "cough_and_smoke"
SEARCHES: dict[str, Any] = {
    "Hill climbing": HillClimbing(tabu=0),
    "Hill climbing with a tabu list": HillClimbing(tabu=10),
    "Greedy thick thinning": ThickThinning(),
    "GES": GES(),
    "PC (stable)": PC(),
    "Log-linear (Chordalysis)": LogLinear(),
}
SCORES: dict[str, Any] = {"BDeu": BDeu(), "K2": K2(), "Gaussian BIC": GaussianBIC(), "BGe": BGe()}
TESTS = {"chi_squared": "Chi-squared", "g_squared": "G-squared"}
LIMITS = {"no limit": None, "1": 1, "2": 2, "3": 3}
ADDITIVE = ("mml", "bic")
"""Criteria of the log-linear search whose gains add up to a score, and have parts to be shown."""
STATUS = {"removed": "step_removed", "tested": "step_tested", "": "link"}
MARKS = {"added": "+", "removed": "✕", "turned": "↻", "directed": "→", "undirected": "—", "tested": "?"}
VERDICTS = (
    "Refused: *cycle*, it would close one; *full*, the child has its most parents; *ruled out* by what is known; "
    "*tabu*, changed lately; *may cycle*, a path back to its source may close one; *no chord*, it would close a cycle "
    "without a chord; *clique*, too many variables would be linked with each other."
)
FIRST_VARIABLES, FIRST_ROWS, RECORDINGS = 8, 8, 8
PICTURE, ROOM = 400, 440
"""Pixels of the network's height, and of the width of a circle, which fits beside a table on a small laptop."""
DETAILS: dict[type, str] = {
    HillClimbing: "Every step adds, removes or turns the arrow that gains most, as long as one gains. With a tabu list "
    "of 10 it walks on past an optimum, may not touch the arrows changed last, and returns to the best network met.",
    ThickThinning: "Arrows are added, the one that gains most first, until none gains; then arrows are removed the "
    "same way (Heckerman 1999). Nothing is ever turned.",
    GES: "Each network stands for all that the data cannot tell apart; a line is an arrow that may turn. Inserts come "
    "first, then deletions; the links in brackets are directed with the move (Chickering 2002).",
    PC: "All variables begin linked. A link goes where the test finds no association given some neighbours; rounds "
    "take ever more neighbours. Then colliders and Meek's rules direct links (Colombo & Maathuis 2014).",
    LogLinear: "Links are added, the one that pays most first, as long as the graph stays chordal and one pays "
    "(Petitjean, Allison & Webb 2014). There are no arrows.",
}
"""Kind of search -> how it goes."""


class SearchRequest(NamedTuple):
    """A search with what it needs."""

    data: Dataset
    search: Any
    score: Any
    knowledge: Knowledge
    about: str

    @property
    def key(self) -> str:
        """What makes two of them equal."""
        return widget_key(of_table(self.data), of_names(self.data.names), of_names(map(repr, self[1:4])))


@dataclass
class _Recordings:
    """The searches that were stepped through last."""

    known: OrderedDict[str, tuple[SearchStep, ...]] = field(default_factory=OrderedDict)


def show_steps() -> None:
    """The choices in the sidebar, the search in the page."""
    with st.sidebar:
        try:
            request = _choose()
        except DiptychError as error:
            st.warning(plain(labelled(str(error))))
            request = None
    with page_head("workshop-steps", "Workshop", "step through a search" if request is None else request.about):
        pass
    if request is None:
        st.info("Choose two variables at least, and a search has something to do.", icon=":material/tune:")
        return
    _show(request)


# -- what is stepped through -------------------------------------------------------------------------------------------


def _choose() -> SearchRequest | None:
    name = st.selectbox("Search", SEARCHES, key=widget_key(PAGE, "search"), persist_state="session")
    search = SEARCHES[name]
    score: Any = BDeu()
    criterion: Any = "mml"
    limit = None
    if isinstance(search, LogLinear):
        criterion = _pick("Criterion for a link", {key: CRITERIA[key] for key in ADDITIVE})
    elif isinstance(search, PC):
        test = _pick("Test", TESTS)
        levels = [0.001, 0.01, 0.05, 0.1]
        alpha = st.select_slider("Significance (alpha)", levels, 0.05, key=widget_key(PAGE, "alpha"))
        search = PC(alpha=alpha, test=test)
    else:
        score = _choose_score(needs_equivalent=isinstance(search, GES))
        words = st.selectbox("Most parents", LIMITS, key=widget_key(PAGE, "parents"), persist_state="session")
        limit = LIMITS[words]
    data, title = _choose_table()
    if data is None:
        return None
    knowledge = Knowledge()
    if isinstance(search, LogLinear):
        search = LogLinear(criterion=criterion, **_choose_known(data, "links"))
    else:
        knowledge = Knowledge(**_choose_known(data, "arrows"), max_parents=limit, tiers=_choose_tiers(data))
    return SearchRequest(data, search, score, knowledge, f"{name}, on {title} ({count(data.n_rows, 'row')})")


def _choose_known(data: Dataset, noun: str) -> dict[str, Any]:
    """The arrows or links that must be there, and those that must not, by the names of their settings."""
    arrows, key = noun == "arrows", widget_key(PAGE, noun, of_names(data.names))
    must = choose_pairs(f"Required {noun}", None, data.names, widget_key(key, "required"), arrows=arrows)
    barred = choose_pairs(f"Forbidden {noun}", None, data.names, widget_key(key, "forbidden"), arrows=arrows)
    return {"required" if arrows else "forced": must, "forbidden": barred}


def _choose_tiers(data: Dataset) -> tuple[tuple[str, ...], ...] | None:
    """The order in time of the table, where it has one and the search is to keep it."""
    words = "No arrow runs from a later variable to an earlier one."
    if data.tiers and st.toggle(
        "Keep the order in time", key=widget_key(PAGE, "tiers"), help=words, persist_state="session"
    ):
        return data.tiers
    return None


def _choose_table() -> tuple[Dataset | None, str]:
    """The rows and variables that are chosen, None where these are too few; and what the table is called."""
    samples = {key: CATALOG[key].title for key in CATALOG if key not in FOR_PRACTICE}
    table = session().dataset
    hidden = table is not None and bool(smallest_cell())
    options = [*([OPEN] if table is not None and not hidden else []), *samples]
    chosen = st.selectbox(
        "Table",
        options,
        0 if OPEN in options else options.index(FIRST_SAMPLE),
        format_func=lambda key: samples.get(key, "The open table"),
        key=widget_key(PAGE, "table", len(options)),
        persist_state="session",
    )
    if hidden:
        st.caption("The open table is not offered: its small counts are hidden, and steps show counts.")
    whole = table if chosen == OPEN and table is not None else _sample(chosen)
    names = st.multiselect(
        "Variables",
        whole.names,
        list(whole.names[:FIRST_VARIABLES]),
        format_func=lambda name: visible(labelled(name)),
        max_selections=MOST_VARIABLES,
        key=widget_key(PAGE, "variables", of_table(whole)),
        help=f"At most {MOST_VARIABLES}, so that each step can be read.",
    )
    as_level = any(map(whole.missing_level, names)) and st.toggle(
        "Missing is a level",
        key=widget_key(PAGE, "missing"),
        help="Off: a missing value tells the search nothing; rows that lack one of these variables are left out.",
        persist_state="session",
    )
    part = cached(whole, part_to_step, tuple(names), as_level) if len(names) > 1 else None
    if part is not None and part.n_rows == MOST_ROWS < whole.n_rows:
        st.caption(f"{MOST_ROWS:,} of {whole.n_rows:,} rows are drawn, so that steps come at once.")
    elif part is not None and part.n_rows < whole.n_rows:
        st.caption(f"{part.n_rows:,} of {whole.n_rows:,} rows: the others lack a value of these variables.")
    return part, samples.get(chosen, OPEN)


@st.cache_resource(show_spinner=False)
def _sample(key: str) -> Dataset:
    """A sample as it is prepared, for all sessions."""
    return dataset(key)


def _choose_score(*, needs_equivalent: bool) -> Any:
    names = [name for name, score in SCORES.items() if score.equivalent or not needs_equivalent]
    name = st.selectbox("Score", names, key=widget_key(PAGE, "score", needs_equivalent), persist_state="session")
    if name != "BDeu":
        return SCORES[name]
    sizes = [0.1, 1.0, 10.0, 100.0]
    words = "How many imagined rows the uniform prior is worth."
    return BDeu(st.select_slider("Equivalent sample size", sizes, 1.0, key=widget_key(PAGE, "ess"), help=words))


def _pick(label: str, words: dict[str, str]) -> Any:
    key = widget_key(PAGE, of_names(words))
    return st.selectbox(label, words, format_func=words.__getitem__, key=key, persist_state="session")


def _recorded(request: SearchRequest) -> tuple[SearchStep, ...]:
    """All steps of a search, recorded once."""
    known = session().state(_Recordings).known
    if request.key not in known:
        if isinstance(request.search, LogLinear):
            known[request.key] = selection_steps(request.data, request.search)
        else:
            known[request.key] = search_steps(request.data, request.score, request.search, request.knowledge)
    known.move_to_end(request.key)
    while len(known) > RECORDINGS:
        known.popitem(last=False)
    return known[request.key]


# -- one step ----------------------------------------------------------------------------------------------------------


@st.fragment
def _show(request: SearchRequest) -> None:
    """A fragment, so that a step draws nothing else again."""
    try:
        steps = _recorded(request)
    except DiptychError as error:
        st.warning(plain(labelled(str(error))))
        return
    key = widget_key(PAGE, "at", request.key)
    position = min(max(int(value_of(key, 1)), 1), len(steps)) - 1
    step = steps[position]
    show_sentence("workshop-steps", headline(steps, position), describe_state(step))
    picture, reading = st.columns([5, 4], gap="small")
    with picture.container(border=True, height="stretch", gap="small"):
        _show_controls(key, len(steps), position)
        _show_network(request, step, steps[-1])
    with reading.container(border=True, height="stretch", gap="small"):
        _show_candidates(step, request.search, request.key)
    _show_reason(step, widget_key(request.key, position))
    _show_parts(request, step, widget_key(request.key, position))
    with st.expander("Details of the method"):
        st.markdown(DETAILS[type(request.search)])


def _show_controls(key: str, number: int, position: int) -> None:
    """To the first step, back, on, to the last one; and a slider for all of them."""
    at = position + 1
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key=widget_key(PAGE, "controls"))
    for label, to, icon, shortcut in (
        ("First", 1, "first_page", None),
        ("Back", at - 1, "chevron_left", "B"),
        ("Next", at + 1, "chevron_right", "N"),
        ("Last", number, "last_page", None),
    ):
        row.button(
            label,
            key=widget_key(PAGE, label),
            icon=f":material/{icon}:",
            shortcut=shortcut,
            disabled=to == at or not 1 <= to <= number,
            on_click=partial(set_value, key, to),
        )
    if number > 1:
        begin_with(key, 1)
        st.slider("Step", 1, number, key=key, label_visibility="collapsed", persist_state="session")


def _show_network(request: SearchRequest, step: SearchStep, last: SearchStep) -> None:
    """The network after the step, in places that stay over all steps and searches; a room's are wide and low."""
    names = request.data.names
    ends = {end for link in links_of(step) if link.change for end in link[:2]}
    edges = [
        Edge(
            link.source,
            link.target,
            STATUS.get(link.change, "step_changed"),
            words=link.change,
            directed=link.directed,
            mark=MARKS.get(link.change, ""),
        )
        for link in links_of(step)
    ]
    nodes = [Node(name, lit=name in ends) for name in names]
    panel = Panel("", "", nodes, edges)
    graph = nx.DiGraph()
    graph.update(sorted(last.after), names)
    positions = positions_of(names, [graph]) if projected() else _circle(names)
    network_view([panel], positions, widget_key(PAGE, "network", of_names(names)), small=True, height=PICTURE)


def _circle(names: tuple[str, ...]) -> dict[str, Point]:
    """Places that suit every search, those that begin with all links too: no link runs behind a box."""
    stored: dict[str, dict[str, Point]] = session().choices.setdefault(widget_key(PAGE, "circles"), {})
    rings = [Ring(name, name, 0.0) for name in sorted(names)]
    return stored.setdefault(
        of_names(names), remove_overlaps(place_in_circle(rings, ROOM, PICTURE), node_sizes(names), BOX)
    )


def _show_candidates(step: SearchStep, search: Any, key: str) -> None:
    """The candidates with their gains, the best first."""
    table = tabulate_candidates(step)
    total = len(table)
    head = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
    head.markdown("**Candidates**" if total else "**Why**", width="content")
    if not total:
        st.markdown(plain(labelled(explain_choice(step, step.move))) if step.move else "There is no change that gains.")
        return
    whole = total <= FIRST_ROWS or head.toggle(f"Show all {total}", key=widget_key(PAGE, "all", key))
    st.dataframe(
        _with_true_minus(labelled_table(table if whole else table.head(FIRST_ROWS)), 1),
        hide_index=True,
        height=38 + 35 * min(len(table), FIRST_ROWS),
        column_config={
            "gain": st.column_config.NumberColumn(width=58),
            "p": st.column_config.TextColumn(width=58),
            "verdict": st.column_config.TextColumn(width=84 if isinstance(search, PC) else 70, help=VERDICTS),
        },
        alt=f"The {total} candidates of this step with their gains",
    )
    if isinstance(search, GES):
        st.caption("Only changes that gain are listed.")
    if step.left_out:
        st.caption(f"{step.left_out} more candidates gain less.")


def _with_true_minus(table: pd.DataFrame, digits: int) -> Styler:
    """The table with its numbers written with these digits and a minus in place of a hyphen."""
    numbers = table.select_dtypes("float").columns
    return table.style.format({name: lambda value: with_minus(f"{value:z,.{digits}f}") for name in numbers}, na_rep="")


def _show_reason(step: SearchStep, key: str) -> None:
    """Why a candidate was not taken, of the reader's choice; of the first that was not, to begin with."""
    if not step.candidates:
        return
    first = next((place for place, item in enumerate(step.candidates) if item != step.move), 0)
    with st.expander("Why not another?"):
        chosen = _choose_candidate(step.candidates, first, widget_key(PAGE, "why", key))
        st.markdown(plain(labelled(explain_choice(step, chosen))))


def _choose_candidate(candidates: Sequence[CandidateMove], first: int, key: str) -> CandidateMove:
    options = range(len(candidates))
    words = [_words(item) for item in candidates]
    return candidates[st.selectbox("Candidate", options, first, format_func=words.__getitem__, key=key)]


def _words(move: CandidateMove) -> str:
    return visible(labelled(", ".join(filter(None, (name_move(move), write_gain(move))))))


def _show_parts(request: SearchRequest, step: SearchStep, key: str) -> None:
    """What the number of the move is made of, the equation beside its numbers; worked out when it is opened."""
    candidates = [item for item in step.candidates if write_gain(item)]
    if not candidates:
        return
    name = "The test's parts" if isinstance(request.search, PC) else "The score's parts"
    drawer = st.expander(name, key=widget_key(PAGE, "parts"), on_change="rerun")
    if not drawer.open:
        return
    with drawer:
        first = candidates.index(step.move) if step.move in candidates else 0
        move = _choose_candidate(candidates, first, widget_key(PAGE, "parts", key))
        if isinstance(request.search, LogLinear):
            _show_one(edge_parts(request.data, request.search, step, move), name_move(move))
        elif isinstance(request.search, PC):
            pair = move.source, move.target
            _show_one(chi_squared_parts(request.data, pair, move.given, request.search.test), name_move(move))
        else:
            _show_families(request, move, key)


def _show_families(request: SearchRequest, move: CandidateMove, key: str) -> None:
    """A gain as a difference of families' scores, and one of these scores taken apart."""
    families = families_of(move)
    parts = [score_parts(request.data, child, parents, request.score) for child, parents in families]
    st.markdown(plain(explain_gain(move, [item.total for item in parts])))
    place = st.segmented_control(
        "Family",
        range(len(families)),
        default=0,
        required=True,
        format_func=lambda place: plain(labelled(name_family(*families[place]))),
        key=widget_key(PAGE, "family", key, name_move(move)),
    )
    _show_one(parts[place], name_family(*families[place]))


def _show_one(parts: ScoreParts, name: str) -> None:
    """Equation and terms at the left, the counts at the right."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.latex(parts.equation)
        if parts.prior:
            st.latex(parts.prior)
        st.caption(plain(parts.source))
        terms = parts.tabulate_terms()
        number = st.column_config.NumberColumn(width=90)
        st.dataframe(
            _with_true_minus(terms, 3), hide_index=True, column_config={parts.unit: number}, alt=f"The terms of {name}"
        )
    right.dataframe(labelled_table(parts.table), hide_index=True, alt=f"Counts and prior of {name}")
