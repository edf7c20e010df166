"""Many patients at once: how often each link holds, who is alike, and what became of them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from dashboard.forms.settings_form import live_settings
from dashboard.jobs.job_queue import method_key
from dashboard.session.caches import cached
from dashboard.session.keys import of_table, value_of, widget_key
from dashboard.session.labels import labelled, labelled_table
from dashboard.session.masking import headline, rows_of, sentences_shown
from dashboard.session.session import Analysis, session
from dashboard.session.work import work
from dashboard.text import plain, short
from dashboard.views.instance_specific.patient import LEAST_ALIKE, is_single, open_patient
from dashboard.views.instance_specific.patient_cards import FAR_OUT
from dashboard.views.instance_specific.running import (
    REMEMBERED,
    CohortRequest,
    PatientState,
    follow,
    nothing_compared,
    population_of,
)
from dashboard.views.shared.downloads import (
    csv_bytes,
    download,
    download_table,
    file_name,
    show_figure,
    show_with_file,
)
from dashboard.views.shared.exports import export_menu
from dashboard.views.shared.page_parts import choose_option, page_head, show_sentence
from dashboard.views.shared.running import in_background
from dashboard.views.shared.sections import show_answer, show_other_sentences, warn_dropped
from engine.data.table_rows import far_out_rows, identifier_of, table_rows
from engine.methods.instance_specific.result import SLUG
from engine.models.kinds import extreme_rows, value_kinds
from engine.telling.instance_specific.cohort_wording import other_links
from engine.telling.instance_specific.figures import (
    MOST_ARCS,
    MOST_DIFFERENCES,
    MOST_PATIENTS,
    blanket_figure,
    changes_figure,
    differences_figure,
    heat_map,
    heat_table,
)
from engine.telling.instance_specific.values import (
    BEYOND,
    distance_names,
    extremes_table,
    farthest_row,
    how_far,
    in_doubt,
    kinds_table,
    kinds_words,
)
from engine.words import count, first, in_percent, with_minus

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.cohort_result import CohortResult
    from engine.methods.instance_specific.method import InstanceSpecific

WHO = {"all": "all rows", "first": "the first rows", "random": "rows drawn at random"}
HEADINGS = {
    "cluster": "group",
    "name": "what changes",
    "values": "values (others)",
    "mean_log_ratio": "mean log ratio",
    "mean_held_out_gain": "mean gain on held-out values",
    "log_likelihood_ratio": "log likelihood ratio",
    "held_out_gain": "gain on held-out values",
    "in_population": "in population",
    "share": "in the network of",
    "told": "seen to be different for",
    "low": "95 % from",
    "high": "to",
    "mean_probability": "mean probability",
}
GAINS = (
    "Log ratio: how much better their own networks explain the rows than the population's. Gain: how much better they "
    "predict the patients' own values, in nats; 0 is no better."
)
ALL_TOGETHER = (
    "Mahalanobis distance of numbers (quartile ranges from the median) and ordered levels, of all levels without any: "
    "how far out, and how little they go together. Named are up to three, until the patient lies as near as three in "
    "four without them, or the combination where none of these is among the outer 5 %. "
    "Chance: values that have nothing to do with each other, numbers normal, levels as often as here."
)
KINDS = (
    "k-means, as many kinds as have the largest average silhouette; seen where that is above .25, and larger than in "
    "19 tables with every column permuted and in 19 normal clouds with the same correlations."
)
FIRST_EXTREMES = 5
"""Extreme patients before all of them are asked for."""
IN_LINE, BROKEN = 68, 66
"""Letters that a line of a reason has, and pixels of a row from which on Streamlit breaks it into lines."""
QUESTION = "Which patients are far from all others?"
SHIFT = "Shift: the share of one level of the arrow's end, where its start has one level minus where it has another."
SAMPLE = 1000
TABLES = 20
"""Tables without interaction that are drawn while the reader looks at the answer."""
LISTED = 20
"""Rows that the script names."""
SEED = 0


@st.fragment
def show_cohort(method: InstanceSpecific, data: Dataset, target: str | None) -> None:
    """Choose the patients, run them as a job, show what came out."""
    state = session().state(PatientState)
    if is_single():  # a patient was opened from here, which the whole page has to know
        st.rerun()
    head, answer = st.container(), st.container()
    place = st.container(border=True, gap="xsmall")
    place.markdown("**Do links differ between patients?**")
    with place.container(horizontal=True, vertical_alignment="center"):
        with st.popover("Patients and settings", icon=":material/tune:", width="content"):
            rows = _choose_rows(data)
            method, _ = live_settings(method)
        wanted = CohortRequest(method, data.fingerprint, rows)
        request = state.cohort if state.cohort is not None and state.cohort.fingerprint == data.fingerprint else None
        nothing = nothing_compared(method, data)
        if nothing:  # learned for nothing; other settings may compare more
            st.caption(plain(nothing))
        else:
            _learn_button(data, wanted, "run", first=request is None)
            st.caption("Then shown: in how many patients a link is stronger, weaker or missing. It can be cancelled.")
    if request is None:
        with answer:
            _show_values(data)
        return
    if request != wanted and not nothing:
        with head.container(horizontal=True, vertical_alignment="center"):
            st.info("Other patients or settings are chosen; the result below has the old ones.", icon=":material/sync:")
            _learn_button(data, wanted, "changed", first=True)
    with answer:
        population = population_of(request.method, data, None)
    if population is None:
        head.title(QUESTION)
        return
    key = ("cohort", *method_key(request.method, data, request.rows))
    run = partial(request.method.run_cohort, population=population)
    with answer:
        cohort = follow("cohort", key, run, data, None if request.rows is None else list(request.rows))
    if cohort is None:
        head.title(QUESTION)
    else:
        if request.method.mode == "order_kept":
            chance_key = ("chance", *method_key(request.method, data))
            chance = in_background(chance_key, request.method.without_context, data, population, TABLES)
            cohort = cohort if chance is None else cohort.with_chance(chance)
        session().keep(Analysis(request.method, key, {"instances": request.rows}, answer=cohort, data=data), REMEMBERED)
        with answer:
            _show(cohort, data, target, request.rows)


def _show_values(data: Dataset) -> None:
    """What the values alone tell, under the farthest patient as the headline."""
    if not _has_values(data):
        st.title(QUESTION)
        return
    _say_extremes(data, f"{session().source}, {rows_of(data)}")
    _show_extremes_and_kinds(data)


def _say_extremes(data: Dataset, source: str, learned: str = "") -> DeltaGenerator:
    """The farthest patient as the headline, below it what networks say; returns the place of the menu."""
    about = cached(data, extreme_rows), partial(_named, data), _doubted(data)
    with st.container(gap="xsmall"):
        with page_head(SLUG, "Many patients", source, of_table=True):
            menu = st.container(width="content")
        show_sentence(SLUG, farthest_row(data, *about), how_far(data, about[0], about[-1]))
        if learned:
            st.markdown(plain(labelled(learned)))
        warn_dropped(data)
    return menu


def _has_values(data: Dataset) -> bool:
    """Whether extremes and kinds are looked for."""
    return data.in_memory and data.n_rows > LEAST_ALIKE


def _doubted(data: Dataset) -> dict[int, tuple[str, ...]]:
    """Extreme row -> its numbers that the data page asks about."""
    return in_doubt(data, cached(data, extreme_rows), work().asked_of_numbers())


def _show_extremes_and_kinds(data: Dataset) -> None:
    """The patients farthest from all others, and the kinds that patients fall into, with what sets each apart."""
    with st.container(border=True):
        found = cached(data, extreme_rows)
        which = plain(labelled(distance_names(found)))
        st.markdown("**The most extreme patients**", help=f"{which} {ALL_TOGETHER}")
        table = extremes_table(data, found, partial(_named, data), _doubted(data))
        marked = table["overall distance"].str.contains(BEYOND).any()
        place = st.container()  # a few, so that the kinds are seen too
        with st.container(horizontal=True, vertical_alignment="center"):
            every = st.toggle(f"{len(table)} most extreme", key=widget_key(SLUG, "cohort", "extremes"))
            st.caption(f"A click on a row opens the patient.{f' {BEYOND} farther out than chance.' if marked else ''}")
            download_table(
                extremes_table(data, found, partial(_row_name, data), _doubted(data)), "most-extreme-patients"
            )
        with place:
            _show_extremes(table if every else table.head(FIRST_EXTREMES), [row for row, *_ in found.rows], data)
    with st.container(border=True):
        st.markdown("**Kinds of patients, by their values**", help=KINDS)
        kinds = in_background(("kinds", data.fingerprint, data.numbers_digest), value_kinds, data)
        if kinds is not None:
            st.markdown(plain(kinds_words(kinds)))
        if kinds is not None and kinds.seen:
            _show_whole(kinds_table(data, kinds))


def _show_extremes(table: pd.DataFrame, rows: list[int], data: Dataset) -> None:
    """The farthest rows, long reasons in several lines; a click on one opens it as the one patient."""
    key = widget_key(SLUG, "cohort", "farthest", of_table(data))
    table = table.map(lambda cell: labelled(str(cell)))
    columns = dict(zip(table, (116, 376, 106, 144), strict=True))
    st.dataframe(
        table,
        key=key,
        on_select=lambda: _open(data, rows, value_of(key)),
        selection_mode="single-cell",  # a row would be selected by its checkbox alone
        hide_index=True,
        row_height=BROKEN if (table.iloc[:, 1].str.len() > IN_LINE).any() else None,
        column_config={
            name: st.column_config.TextColumn(width=width, alignment="right" if name in table.columns[2:] else None)
            for name, width in columns.items()
        },
        alt="The patients farthest from all others, and what sets each apart",
    )


def _open(data: Dataset, rows: list[int], text: Mapping[str, Any] | None) -> None:
    """Turn to the patient whose row was clicked."""
    if cells := text["selection"]["cells"] if text else []:
        open_patient(data, rows[cells[0][0]])


def _show_whole(table: pd.DataFrame) -> None:
    """A short table whose long cells are broken into lines, with labels in place of codes."""
    st.table(table.map(lambda cell: plain(labelled(str(cell)))), hide_index=True)


def _learn_button(data: Dataset, wanted: CohortRequest, place: str, *, first: bool) -> None:
    """The button that asks for these patients, primary where it is the first thing to press."""
    st.button(
        f"Learn the networks of {_count(data, wanted.rows)}",
        type="primary" if first else "secondary",
        on_click=partial(setattr, session().state(PatientState), "cohort", wanted),
        key=widget_key(SLUG, "cohort", place),
    )


def _choose_rows(data: Dataset) -> tuple[int, ...] | None:
    """Rows of the data set; None for all."""
    who, number = st.columns([3, 2], vertical_alignment="bottom")
    start = "all" if data.n_rows <= 5 * SAMPLE else "random"
    with who:
        way = choose_option(
            "Which patients",
            WHO,
            widget_key(SLUG, "cohort", "who"),
            default=start,
            format_func=WHO.__getitem__,
            label_visibility="visible",
            persist_state="session",
        )
    if way == "all":
        return None
    count = int(
        number.number_input(
            "How many",
            1,
            max(data.n_rows, 1),
            value=min(SAMPLE, max(data.n_rows, 1)),
            key=widget_key(SLUG, "cohort", "count", of_table(data)),
            persist_state="session",
        )
    )
    if way == "first":
        return tuple(range(count))
    return tuple(sorted(random.Random(SEED).sample(range(data.n_rows), count)))  # noqa: S311 - a draw, no secret


def _count(data: Dataset, rows: tuple[int, ...] | None) -> str:
    return count(data.n_rows if rows is None else len(rows), "patient")


# -- the answer -------------------------------------------------------------------------------------------------------


def _show(learned: CohortResult, data: Dataset, target: str | None, rows: tuple[int, ...] | None) -> None:
    answer = st.container(gap="xsmall")
    values = _has_values(data)
    alike = not learned.differences and len(learned.patterns()) == 1  # one network, and nothing seen to differ in it
    cohort = learned.with_clusters(1) if alike else _show_effects_and_groups(learned, data, target)
    with answer:
        about = f"{len(cohort.patients):,} patients"
        if alike and values:  # networks say nothing of them: the headline stays that of the values
            reason = cohort.sentences()[:1] if cohort.least_p != cohort.least_p else []  # nan: nothing was asked
            menu = _say_extremes(data, about, " ".join([headline(cohort), *sentences_shown(cohort, reason)]))
        else:
            menu = show_answer(cohort, data, about)
    if alike and values:
        _show_extremes_and_kinds(data)
    if heat_table(cohort, every=False).shape[1]:
        with st.container(border=True, gap="small"):
            _show_heat_map(cohort, data)
    if not alike and values:
        with st.expander("The most extreme patients, and kinds of patients by their values"):
            _show_extremes_and_kinds(data)
    if not alike:
        with st.expander("The groups by links in numbers"):
            _show_clusters(cohort, data, target)
    with st.expander("How often each link stands in the patients' networks"):
        _show_arcs(cohort)
    if not alike:
        with st.expander("How much changes for a patient"):
            _show_changes(cohort)
    if target is not None:
        with st.expander("What matters for the outcome"):
            _show_blanket(cohort, target)
    if not alike:
        with st.expander("Patient by patient"):
            _show_patients(cohort, data)
    with st.expander("Details of the method"):
        show_other_sentences(cohort)
        st.markdown(plain(cohort.caution))
    with menu:
        _show_exports(cohort, data, rows)


def _show_effects_and_groups(learned: CohortResult, data: Dataset, target: str | None) -> CohortResult:
    """The effects that differ beside the groups by links; the cohort with as many groups as are chosen."""
    picture, reading = (
        column.container(border=True, gap="small", height="stretch") for column in st.columns([3, 2], gap="small")
    )
    with reading:
        cohort = learned.with_clusters(_choose_number(learned))
        _show_groups(cohort, data, target)
    with picture:
        _show_differences(cohort)
    return cohort


def _choose_number(cohort: CohortResult) -> int:
    """How many groups the patients are put into at most, by their links; kinds are by their values."""
    most = max(1, min(12, len(cohort.patterns())))
    head = "**Patients grouped by the links in their networks**"
    if most == 1:
        st.markdown(head)
        return 1
    title, place = st.columns([3, 2], vertical_alignment="bottom")
    title.markdown(head)
    return int(
        place.number_input(
            "Groups, at most", 1, most, value=min(4, most), key=widget_key(SLUG, "cohort", "clusters", most),
            help="Patients with equal networks stay together; groups with the fewest differences are put together.",
        )
    )  # fmt: skip


def _show_groups(cohort: CohortResult, data: Dataset, target: str | None) -> None:
    """What sets each group apart, how many patients are in it, and what became of them."""
    level = None if target is None else data.levels[target][-1]
    shares = None if target is None else cohort.outcome(data, target)[level].tolist()
    for place, kind in enumerate(cohort.clusters.itertuples()):
        text = f"{in_percent(kind.share)} ({kind.patients:,}): {f'{kind.values}; ' if kind.values else ''}"
        text += short(kind.name, 120)
        if shares is not None:
            text += f"; {short(target, 24)} = {short(level, 16)} in {in_percent(shares[place])}"
        st.markdown(f"**{kind.cluster}.** {plain(labelled(text))}")
    medians = " Values are medians, and shares of a level; in brackets those of the other patients."
    st.caption(plain(other_links(cohort) + (medians if any(cohort.clusters["values"]) else "")))
    numbers = extreme_numbers(cohort, data)
    if who := [_row_name(data, patient) for patient, text in zip(cohort.patients, numbers, strict=True) if text]:
        of = f"{len(who):,} of {count(len(cohort.patients), 'patient')}"
        rows = first(who, 3)
        st.caption(f"Extreme numbers: {of} ({rows}), named in *Patient by patient*.", help=FAR_OUT)


def _show_clusters(cohort: CohortResult, data: Dataset, target: str | None) -> None:
    clusters = cohort.clusters.rename(columns={**HEADINGS, "share": "share"})
    config = dict.fromkeys(("mean log ratio", "mean gain on held-out values"), _number())
    show_with_file(clusters, "groups-of-patients", percents=("share",), column_config=config)
    st.caption(GAINS)
    if target is None:
        st.caption("Choose a target on the left to see how it turned out in each group.")
        return
    outcome = cohort.outcome(data, target).rename(columns={"cluster": "group"})
    outcome.insert(1, "what changes", list(cohort.clusters["name"]), allow_duplicates=True)
    st.markdown(f"**How {plain(target)} turned out in each group**")
    shares = [name for name in outcome.columns if name in data.levels[target]]
    show_with_file(outcome, "outcome-by-group", percents=shares)


def _show_differences(cohort: CohortResult) -> None:
    """The effects that differ, for whom, and how far they shift a share there and among the others."""
    st.markdown("**Effects that differ, and for whom**")
    if cohort.least_p != cohort.least_p:  # nan: nothing was asked
        st.markdown("No effect could be compared between these patients.")
        return
    if not cohort.differences:
        st.markdown("No effect is seen to differ for these patients, which does not make them alike.")
        return
    shown = min(len(cohort.differences), MOST_DIFFERENCES)
    show_figure(
        differences_figure(cohort),
        "effects-that-differ",
        alt=f"{count(shown, 'effect')}: the shift among patients of one context, and among the others.",
        key=widget_key(SLUG, "cohort", "differences"),
    )
    many = f" Drawn: the {shown} of {len(cohort.differences):,} that most patients have."
    st.caption(SHIFT + (many if len(cohort.differences) > shown else ""))


def _show_heat_map(cohort: CohortResult, data: Dataset) -> None:
    st.markdown("**Every patient and every link**")
    every = st.toggle("Also links that hold for every patient shown", key=widget_key(SLUG, "cohort", "every"))
    table = heat_table(cohort, every=every)
    if not table.shape[1]:
        st.markdown("No link changes in the network of any of these patients.")
        return
    show_figure(
        heat_map(table, cohort, [_row_name(data, item) for item in table.index], named=False),
        "patients-and-links",
        alt=f"{table.shape[0]:,} patients down, {table.shape[1]} links across; each cell says whether the link holds.",
        key=widget_key(SLUG, "cohort", "map"),
    )
    matrix = cohort.arc_matrix()
    text = "Patients of one group stand together, the largest group on top."
    if len(matrix) > MOST_PATIENTS:
        text += f" {len(table):,} of {len(matrix):,} patients are drawn, evenly spaced; the file has all."
    if table.shape[1] == MOST_ARCS:
        text += f" The {MOST_ARCS} links that change most are drawn."
    st.caption(text)
    matrix = matrix.copy()
    matrix.insert(0, "patient", [_row_name(data, entry) for entry in matrix.index], allow_duplicates=True)
    download(partial(csv_bytes, matrix), file_name("patients-and-links", "csv"), "text/csv", "CSV")


def _show_arcs(cohort: CohortResult) -> None:
    table = arcs_display(cohort.arcs_by_change)
    bar = st.column_config.ProgressColumn(format="percent", min_value=0.0, max_value=1.0)
    shares = ("95 % from", "to", "seen to be different for", "dropped", "added", "reversed", "mean probability")
    st.dataframe(
        labelled_table(table),
        hide_index=True,
        height=min(460, 38 + 35 * max(len(table), 1)),
        column_config={"in the network of": bar, **{name: _percent() for name in shares if name in table}},
    )
    st.caption(
        "Share of the patients in whose network each link is, with its 95 % interval, and for whom it is seen to be "
        "different; the mean probability that the arrow is there holds if the population has it."
        if "mean probability" in table
        else "Share of the patients in whose network each link is, with its 95 % interval."
    )
    download_table(table, "links-by-share")


def arcs_display(frequencies: pd.DataFrame) -> pd.DataFrame:
    """The shares table for the screen, without kinds of change that do not occur."""
    table = frequencies.drop(columns="kept")
    empty = [name for name in ("added", "reversed") if not table[name].any()]
    if table["mean_probability"].isna().all():
        empty.append("mean_probability")
    return table.drop(columns=empty).rename(columns=HEADINGS)


def _show_changes(cohort: CohortResult) -> None:
    st.markdown("**How much changes for a patient**")
    counts = cohort.change_counts()
    show_figure(
        changes_figure(counts),
        "changes-by-patient",
        alt=f"Bars of patients by what changes for them, {len(counts)} kinds.",
        key=widget_key(SLUG, "cohort", "changes"),
        table=counts,
    )


def _show_blanket(cohort: CohortResult, target: str) -> None:
    blanket = cohort.blanket(target)
    some = blanket[blanket["share"] > 0]
    st.markdown(f"**For how many patients each variable matters for {plain(target)}**")
    show_figure(
        blanket_figure(some),
        "blanket-shares",
        alt="; ".join(f"{short(name, 30)} {in_percent(share)}" for name, share in blanket["share"].head(8).items()),
        key=widget_key(SLUG, "cohort", "blanket"),
        table=blanket.reset_index(),
    )
    st.caption(
        "Share of patients in whose Markov blanket of the target a variable falls: parents, children, and their other "
        "parents. ✓ marks the population's own blanket. Variables that are not drawn matter for nobody."
    )


def _show_patients(cohort: CohortResult, data: Dataset) -> None:
    """What changes for each patient, and how much."""
    by_patient = cohort.by_patient().reset_index().rename(columns=HEADINGS)
    by_patient["patient"] = [_row_name(data, item) for item in by_patient["patient"]]
    if any(numbers := extreme_numbers(cohort, data)):
        by_patient.insert(1, "extreme numbers", numbers)
    config = dict.fromkeys(("log likelihood ratio", "gain on held-out values"), _number())
    show_with_file(by_patient, "patient-by-patient", height=320, column_config=config)


def extreme_numbers(cohort: CohortResult, data: Dataset) -> list[str]:
    """Of each patient that is a row the numbers far out, that of the fewest rows first; "" where there are none."""
    far, result = cached(data, far_out_rows), []
    for patient in cohort.patients:
        own = [] if isinstance(patient, str) else sorted((rows[patient], name) for name, rows in far.items())
        numbers = ((name, rows, data.numbers[name].column[patient]) for rows, name in own if rows)
        result.append(", ".join(f"{name} {with_minus(f'{x:g}')} ({rows:,} so far out)" for name, rows, x in numbers))
    return result


def _show_exports(cohort: CohortResult, data: Dataset, rows: tuple[int, ...] | None) -> None:
    """The menu; of many rows the script names a few."""
    cut = rows is not None and len(rows) > LISTED
    export_menu(
        cohort,
        data,
        stem="cohort",
        printed="result.clusters",
        call="run_cohort",
        run={} if rows is None else {"instances": list(rows[:LISTED])},
        note=f"The list of rows is cut after {LISTED} of {len(rows or ()):,}; the table has them all." if cut else "",
    )


def _row_name(data: Dataset, patient: Any) -> str:
    """A patient of the cohort by the row of the table that was read."""
    return str(patient) if isinstance(patient, str) else f"row {int(table_rows(data, [patient])[0]) + 1}"  # type: ignore[arg-type]


def _named(data: Dataset, row: int) -> str:
    """The same beside what the table calls the patient, which goes into no file."""
    name = _row_name(data, row)
    identifier = identifier_of(data, session().table, int(table_rows(data, [row])[0]))  # type: ignore[arg-type]
    who = f"patient {identifier}" if identifier.isdecimal() else identifier
    return f"{short(who, 24)} ({name})" if identifier else name


def _percent() -> Any:
    return st.column_config.NumberColumn(format="percent")


def _number() -> Any:
    return st.column_config.NumberColumn(format="%+.2f")
