"""One column of the open table: its picture, its levels in order, its intervals, what counts as missing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.column import alt_text, interval_picture, level_picture
from dashboard.session.keys import drop_value, set_value, value_of, widget_key
from dashboard.session.masking import are_hidden, counts_shown, rows_shown, sentence_shown, smallest_cell, without
from dashboard.session.session import session
from dashboard.session.work import PAGE, Work, work
from dashboard.text import plain, short, visible
from dashboard.views.data.choices import BINNING, KINDS, MISSING
from dashboard.views.shared.downloads import download, figure_page, file_name, show_figure
from engine.data.preparing.levels import place_levels
from engine.telling.masking import OTHER
from engine.text import told
from engine.words import count

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from engine import Dataset
    from engine.data.preparing.proposals import Proposal
    from engine.data.preparing.report import ColumnReport


def read_cuts(text: str) -> tuple[float, ...]:
    """Cut points as typed: numbers parted by semicolons, or by commas where no decimal comma can be meant.

    `ValueError` when they are not rising finite numbers.
    """
    parts = text.split(";") if ";" in text else text.split(", ") if ", " in text else text.split()
    cuts = tuple(float(part.strip().replace(",", ".")) for part in parts if part.strip())
    if list(cuts) != sorted(set(cuts)) or not all(map(math.isfinite, cuts)):
        raise ValueError("not rising")
    return cuts


MOST_LEVELS = 50


@dataclass
class Spotlight:
    """The column that the table of columns marks: changed from elsewhere than by a click in it."""

    name: str = ""


def show_variable() -> None:
    """Choose a column; see it and change everything about it."""
    state, current = session(), work()
    if state.table is None:
        return
    proposals = current.proposals(state.table)
    names = list(proposals)
    data = state.dataset
    about = (
        {column.name: column for column in data.report.columns} if data is not None and data.report is not None else {}
    )
    name = _spotlight(names)
    column = _Column(current, proposals[name], names.index(name))
    column.use()
    if name == current.error_column:
        st.caption(plain(sentence_shown(current.error)))
    figure = _picture(data, about[name]) if data is not None and name in about else None
    with st.container(horizontal=True):
        column.hints()
    if column.kind == "continuous":
        column.intervals()
    elif column.kind in ("nominal", "ordinal"):
        column.levels(about.get(name))
    column.gaps()
    if figure is not None:
        download(
            lambda: figure_page(figure, "variable"), file_name("variable", "html"), "text/html", "Chart", masked=True
        )


def selected_column(names: Sequence[str]) -> str:
    """The column under the closer look; to begin with the first that is used."""
    state = session()
    name = state.picked.get(PAGE)
    if name is None or name not in names:
        used = state.dataset.names if state.dataset is not None else ()
        name = next((column for column in names if column in used), names[0])
    return name


def select_column(name: str) -> None:
    """Let this column be under the closer look."""
    session().picked[PAGE] = name
    set_value(_spotlight_key(), name)


def _spotlight_key() -> str:
    return widget_key("data", "spotlight", id(work()))


def _spotlight(names: Sequence[str]) -> str:
    start, key = selected_column(names), _spotlight_key()

    def turn() -> None:
        session().picked[PAGE] = session().state(Spotlight).name = value_of(key)

    st.selectbox("A closer look at", names, index=names.index(start), key=key, on_change=turn)
    return start


def _picture(data: Dataset, about: ColumnReport) -> go.Figure | None:
    if not about.levels:
        st.caption(plain(sentence_shown(told("Left out: {}.", about.reason))))
        return None
    hidden = are_hidden(about.counts)
    if hidden:
        if about.cuts:  # of others they stand beside the levels
            rows = {"interval": list(about.levels), "rows used": counts_shown(about.counts)}
            st.dataframe(rows, hide_index=True, height="content", alt=f"Rows in each interval of {visible(about.name)}")
        st.caption(without("The chart was left out: it"))
        return None
    numbers = data.numbers.get(about.name) if about.cuts and not smallest_cell() else None
    figure = interval_picture(numbers, about) if numbers is not None else None
    figure = figure or level_picture(about)
    st.caption(f"{rows_shown(data.n_rows, data.n_rows)} used")
    show_figure(figure, "variable", key=widget_key("data", "picture"), alt=alt_text(about), masked=not hidden)
    return figure


class _Column:
    """The controls of one column. A key holds the value it shows, so that a change elsewhere draws it afresh."""

    def __init__(self, current: Work, proposal: Proposal, place: int) -> None:
        self.current = current
        self.proposal = proposal
        self.name = proposal.column
        self.kind = current.kind(proposal)
        self.new = self.name in current.chosen.get("derive", {})
        self.key = widget_key("data", "column", id(current), place)

    def _changed(self, argument: str, key: str, default: Any = None) -> None:
        self.current.choose(argument, self.name, value_of(key), default)
        self.current.version += 1

    def _choice(
        self, label: str, argument: str, words: Mapping[str, str], now: str, default: Any = None, *, width: int
    ) -> None:
        key = widget_key(self.key, argument, now)
        st.selectbox(
            label,
            list(words),
            index=list(words).index(now),
            format_func=words.__getitem__,
            key=key,
            on_change=self._changed,
            args=(argument, key, default),
            width=width,
        )

    def use(self) -> None:
        """What it is used as, beside the proposal and its reason."""
        usual, reason = self.current.usual(self.proposal)
        with st.container(horizontal=True, gap="xsmall"):
            self._choice("Use it as", "kinds", KINDS, self.kind, usual, width=196)
            self._choice("If missing", "missing", MISSING, self.current.get("missing", self.name), width=196)
        gaps = f" {self._gaps()}" if self.proposal.missing else ""
        label = self.current.labels.get(self.name)
        why = sentence_shown(told("Proposed: {}, because {}.", KINDS[usual], reason))
        st.caption((f"**{plain(label)}** · " if label else "") + f"{plain(why)}{gaps}")

    def _gaps(self) -> str:
        """How many cells are missing, as far as it may be said beside those of the other columns."""
        table = session().table
        every = {} if table is None else self.current.proposals(table)
        shown = counts_shown([item.missing for item in every.values()])
        number = dict(zip(every, shown, strict=True)).get(self.name, OTHER)
        return "How many cells are missing is hidden." if number == OTHER else f"{number} cells are missing."

    def hints(self) -> None:
        """One press takes a suggestion: texts that mean missing, levels that look alike."""
        if self.proposal.suspicious and not self.new:
            listed = ", ".join(f"“{short(text, 20)}”" for text in self.proposal.suspicious[:4])
            if st.button(f"Count {plain(listed)} as missing", key=widget_key(self.key, "suspicious")):
                self._tokens([*self._now_missing(), *self.proposal.suspicious])
                st.rerun()
        for place, twins in enumerate(self.proposal.twins[:4] if self.kind in ("nominal", "ordinal") else ()):
            pairs = self.current.get("merge", self.name) or {}
            if any(twin in pairs for twin in twins):
                continue
            listed = ", ".join(f"“{short(text, 20)}”" for text in twins)
            if st.button(f"Merge {plain(listed)}", key=widget_key(self.key, "twins", place)):
                self._merge(dict.fromkeys(twins[1:], twins[0]))
                st.rerun()

    def intervals(self) -> None:
        """How many and by what rule, or the cut points themselves."""
        bins = self.current.get("bins", self.name)
        given = () if isinstance(bins, int) else tuple(bins)
        key, text = widget_key(self.key, "bins", bins), widget_key(self.key, "cuts", bins)
        with st.container(horizontal=True, gap="xsmall"):
            st.number_input(
                "Intervals",
                2,
                50,
                bins if isinstance(bins, int) else len(given) + 1,
                key=key,
                on_change=self._changed,
                args=("bins", key),
                width=120,
            )
            self._choice("of", "binning", BINNING, self.current.get("binning", self.name), width=134)
            st.text_input(
                "or cut at",
                "; ".join(f"{cut:g}" for cut in given),
                key=text,
                on_change=self._cuts,
                args=(text,),
                placeholder="18.5; 25; 30",
                help="Your own cut points, rising, parted by semicolons. Empty: by the number of intervals.",
                width=134,
            )
        wrong = value_of(widget_key(self.key, "wrong"))
        if wrong:
            st.error(plain(wrong))

    def _cuts(self, key: str) -> None:
        text = value_of(key).strip()
        try:
            cuts = read_cuts(text)
        except ValueError:
            set_value(
                widget_key(self.key, "wrong"),
                (f"'{short(visible(text), 60)}' is not a list of rising numbers; write them like 18.5; 25; 30."),
            )
            return
        drop_value(widget_key(self.key, "wrong"))
        self.current.choose("bins", self.name, cuts or None)
        self.current.version += 1

    def levels(self, about: ColumnReport | None) -> None:
        """A small table: place, value in the file, what it becomes; editing it orders, renames and merges."""
        names = list(self.proposal.levels)
        if not names:
            if self.proposal.distinct > MOST_LEVELS:
                st.caption(f"{self.proposal.distinct:,} different values are too many to list here.")
        else:
            self._level_table(names, about)
            self._orders(names)
        rare = self.current.get("rare", self.name)
        key = widget_key(self.key, "rare", rare)
        st.number_input(
            "Merge levels with fewer rows than",
            0,
            None,
            rare,
            key=key,
            on_change=self._changed,
            args=("rare", key),
            help="Rare nominal levels become “other”, rare ordinal ones join a neighbour; 0 merges none.",
        )

    def _level_table(self, names: list[str], about: ColumnReport | None) -> None:
        import pandas as pd

        ordered = self._ordered(names)
        becomes = self.current.get("merge", self.name) or {}
        numbers = () if about is None else counts_shown(about.counts) if smallest_cell() else about.counts
        counts = dict(zip(() if about is None else about.levels, numbers, strict=True))
        frame = pd.DataFrame(
            {
                "place": range(1, len(ordered) + 1),
                "value": ordered,
                "becomes": [becomes.get(item, item) for item in ordered],
                "rows used": [counts.get(becomes.get(entry, entry)) for entry in ordered],
            }
        )
        key = widget_key(self.key, "levels", self.current.version)
        st.data_editor(
            frame,
            key=key,
            on_change=lambda: self.keep_levels(ordered, value_of(key)["edited_rows"]),
            hide_index=True,
            height=min(38 + 35 * len(frame), 210),
            disabled=["value", "rows used"],
            column_config={
                "place": st.column_config.NumberColumn(
                    min_value=1, max_value=len(ordered), step=1, width=60, help="Write a number to move a level"
                ),
                "becomes": st.column_config.TextColumn(
                    required=True, help="Write another name to rename a level, the name of another to merge them"
                ),
                "rows used": st.column_config.Column(width=90, help="After merging")
                if smallest_cell()
                else st.column_config.NumberColumn(width=80, format="localized", help="After merging"),
            },
            alt="The levels of the column in order",
        )

    def _orders(self, names: list[str]) -> None:
        """The other way round, and the same order for the columns that have the same values: one press each."""
        if len(names) < 2:
            return
        with st.container(horizontal=True):
            st.button(
                "Reverse the order",
                on_click=self.keep_order,
                args=(self._ordered(names)[::-1],),
                key=widget_key(self.key, "reverse"),
            )
            like = self._alike()
            if like:
                st.button(
                    f"Same use and order in {count(len(like), 'column')} with these values",
                    on_click=self.share_order,
                    args=(like,),
                    key=widget_key(self.key, "share"),
                    help="Every other column with exactly these values gets this column's use, names and order",
                )

    def keep_order(self, ordered: Sequence[str]) -> None:
        """These values of the file, in this order, with the names that they become."""
        becomes = self.current.get("merge", self.name) or {}
        levels = list(dict.fromkeys(becomes.get(item, item) for item in ordered))
        self.current.choose("levels", self.name, levels, list(self.proposal.levels))
        self.current.version += 1

    def share_order(self, others: Sequence[Proposal]) -> None:
        """Use, merges and order of this column for others with the same values."""
        for other in others:
            for argument in ("merge", "levels"):
                given = self.current.get(argument, self.name)
                self.current.choose(argument, other.column, None if given is None else type(given)(given))
            self.current.choose("kinds", other.column, self.kind, self.current.usual(other)[0])
        self.current.version += 1

    def _alike(self) -> list[Proposal]:
        """The other columns with exactly these values that are used otherwise than the user chose here."""
        table = session().table
        if table is None or not any(self.current.get(argument, self.name) for argument in ("kinds", "levels", "merge")):
            return []
        everyone = self.current.proposals(table).values()
        return [
            item
            for item in everyone
            if item.column != self.name
            and set(item.levels) == set(self.proposal.levels)
            and self.current.kind(item) in ("nominal", "ordinal")
            and self._use(item) != self._use(self.proposal)
        ]

    def _use(self, proposal: Proposal) -> tuple[Any, ...]:
        """How a column of words is used: its kind, its order and its merges."""
        order = self.current.get("levels", proposal.column) or list(proposal.levels)
        return self.current.kind(proposal), order, self.current.get("merge", proposal.column)

    def _ordered(self, names: list[str]) -> list[str]:
        """The values of the file in the order of the levels they become."""
        given = self.current.get("levels", self.name)
        if not given:
            return names
        becomes = self.current.get("merge", self.name) or {}
        place = {level: i for i, level in enumerate(given)}
        return sorted(names, key=lambda item: place.get(becomes.get(item, item), len(place)))

    def keep_levels(self, ordered: list[str], edited: Mapping[int, Mapping[str, Any]]) -> None:
        """Edits of the level table (row -> heading -> value) as an order and as merges."""
        positions = {row: int(cells["place"]) for row, cells in edited.items() if cells.get("place") is not None}
        new = {ordered[row]: str(cells["becomes"]).strip() for row, cells in edited.items() if cells.get("becomes")}
        if new:
            self._merge(new)
        if positions:
            becomes = self.current.get("merge", self.name) or {}
            moved = [becomes.get(level, level) for level in place_levels(ordered, positions)]
            self.current.choose("levels", self.name, list(dict.fromkeys(moved)))
        self.current.version += 1

    def _merge(self, new: Mapping[str, str]) -> None:
        pairs = dict(self.current.get("merge", self.name) or {}) | dict(new)
        pairs = {old: pair for old, pair in pairs.items() if pair and old != pair}
        given = self.current.get("levels", self.name)
        if given:
            earlier = self.current.get("merge", self.name) or {}
            back = {earlier.get(value, value): value for value in reversed(self.proposal.levels)}
            renamed = [pairs.get(back.get(level, level), back.get(level, level)) for level in given]
            known = dict.fromkeys([*renamed, *(pairs.get(value, value) for value in self.proposal.levels)])
            self.current.choose("levels", self.name, list(known))
        self.current.choose("merge", self.name, pairs or None)
        self.current.version += 1

    def gaps(self) -> None:
        """Which texts of this column count as missing; a new one is made of what is known already."""
        if self.new:
            return
        now = self._now_missing()
        key = widget_key(self.key, "tokens", self.current.version)
        options = list(dict.fromkeys([*now, *self.proposal.suspicious, *self.proposal.levels]))
        st.multiselect(
            "Count as missing in this column",
            options,
            default=now,
            accept_new_options=True,
            key=key,
            on_change=lambda: self._tokens(value_of(key)),
            placeholder="values that mean missing, such as -9",
        )

    def _now_missing(self) -> list[str]:
        return list(self.current.get("missing_tokens", self.name) or ())

    def _tokens(self, tokens: Sequence[str]) -> None:
        self.current.choose("missing_tokens", self.name, list(dict.fromkeys(map(str, tokens))) or None)
        self.current.version += 1
