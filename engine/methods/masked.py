"""A result where small counts are not shown: which cells of its tables and which of its sentences are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any

from engine.lazy import pd
from engine.methods.result import Result
from engine.telling.masking import Hidden, counts_of, gives_away, hidden_cells, hidden_counts, is_small, wholes_of
from engine.telling.tables import Kind
from engine.text import Level, Name, People, Share, Text

_OF_WHOLES: tuple[Kind, ...] = ("share", "part", "points")
_OF_ROWS = ("Settings", "Compared rows")
"""Tables whose numbers of rows stand in texts."""


@dataclass
class Masked:
    """The part of a result that is shown where counts from 1 to below `least` are hidden; with 0 everything is.

    Attributes
    ----------
    result : the answer
    least : the least count that is shown
    cells : title of a table -> its hidden cells
    unsure : variables with hidden estimates
    hidden : the conditions of rows whose number is hidden, such as {"sex = f", "age = old"}
    numbers : variables -> hidden numbers of rows that are about these
    withheld : the sentences that were left out so far
    """

    result: Result
    least: int = 0
    cells: dict[str, Hidden] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    withheld: set[str] = field(default_factory=set)
    hidden: set[frozenset[str]] = field(default_factory=set)
    numbers: dict[frozenset[str], set[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._frame = cache(self._ordered)
        for title in self.result.table_titles():
            self.cells[title] = self._hidden(title)
        for part in self.result._made_of() if self.least else ():  # each hides what is told of its groups
            self.unsure |= Masked(part, self.least).unsure
        for title in self.cells if self.least else ():
            self._follow_counts(title)
        if self.least:
            self._agree()

    def frame(self, title: str) -> pd.DataFrame:
        """One of the tables, nothing hidden, its rows in the order in which they are shown."""
        return self._frame(title)

    def written(self, title: str) -> pd.DataFrame:
        """One of the tables with words in its hidden cells, for screens and files.

        Shares are in whole hundredths and other numbers to three figures: all their digits would say of which counts
        they were made.
        """
        table, hidden = self.frame(title), self.cells[title]
        result, about = table.copy(), self.result.table_description(title)
        for place, name in enumerate(table.columns):
            values = list(table.iloc[:, place])
            if self.least and table.dtypes.iloc[place].kind == "f":
                values = [_rounded(value, about.column(str(name)).kind) for value in values]
                result.isetitem(place, values)
            texts = [hidden.words((i, name)) for i in range(len(table))]
            if any(texts):
                cells = [text or _as_text(value) for text, value in zip(texts, values, strict=True)]
                result.isetitem(place, pd.Series(cells, dtype=object))
        return result

    def shows(self, title: str) -> bool:
        """True of a table that may be shown: not one whose rows are single people, where counts are hidden."""
        return not (self.least and self.result.table_description(title).persons)

    def publishable(self, sentences: Iterable[str]) -> list[str]:
        """The sentences that give no small count away; the others stand in `withheld`."""
        given = list(sentences)
        self.withheld |= {item for item in given if self._tells(item)}
        return [entry for entry in given if entry not in self.withheld]

    # -- inside -------------------------------------------------------------------------------------------------------

    def _ordered(self, title: str) -> pd.DataFrame:
        """A table with its rows as its description orders and chooses them."""
        table, about = table_of(self.result, title), self.result.table_description(title)
        if about.shown:
            table = table[table[about.shown] == getattr(self.result, about.shown)].reset_index(drop=True)
        if not about.ordered_as:
            return table
        key = about.keys[0]
        rank = {name: position for position, name in enumerate(self.result.table(about.ordered_as)[key])}
        positions = sorted(range(len(table)), key=lambda i: rank.get(table[key].iloc[i], len(rank)))
        return table.iloc[positions].reset_index(drop=True)

    def _tells(self, sentence: str) -> bool:
        if not self.least:
            return False
        made = self.result.made
        given = {part.n for part in sentence.parts if isinstance(part, People)} if isinstance(sentence, Text) else ()
        if made.rows_used < made.rows_given and made.rows_given in given:
            return True  # the rows of every group and those given say how many were left out
        if gives_away(sentence, self.least, self._wholes(), self.unsure):
            return True
        return isinstance(sentence, Text) and self.result.whose != "persons" and self._tells_of_levels(sentence)

    def _tells_of_levels(self, sentence: Text) -> bool:
        """True of numbers of rows that tell how many have a level whose number is hidden, by themselves or added up."""
        parts, margins = sentence.parts, self.result.made.margins
        names = {*margins} & {part for part in parts if isinstance(part, Name)}
        levels = {part for part in parts if isinstance(part, Level)}
        names |= set() if names else {name for name, own in margins.items() if not levels.isdisjoint(own)}
        rows, told = self.result.made.rows_used, self._hidden_of(names)
        about = chain.from_iterable(n for of, n in self.numbers.items() if of & names or not names)
        if self.result.whose == "person" and not any(is_small(n, self.least) for n in about):
            return False  # all that is hidden of what is named is how many there are but for the patient
        given: list[float] = [part.n for part in parts if isinstance(part, People)]
        for part in parts:
            given += [part.hits, part.n, part.n - part.hits] if isinstance(part, Share) else []
        some = [n for n in given if round(n) != rows]
        rare = any(frozenset((name,)) in self.numbers for name in names)
        whole = {rows}  # and the numbers that a reader can have of what is named: of its levels, and of all others
        for name in names:
            own = margins[name]
            whole |= {n for level in levels & {*own} or own for n in (own[level], rows - own[level])}
        near = (m - n for n in some if round(n) not in whole for m in whole)
        return bool(some and rare) or any(round(n) in told for n in some) or any(is_small(n, self.least) for n in near)

    def _wholes(self) -> tuple[int, ...]:
        """Numbers of people or rows that a reader knows, so that a number a little smaller gives the rest away."""
        rows = self.result.made.rows_used
        given = self.result.made.rows_given
        few = (given,) if is_small(given - self.result.made.rows_used, self.least) else ()
        return (*filter(None, (self._people(),)), rows, *few)

    def _people(self) -> int | None:
        """Of how many patients a share in a table is; None where shares are of something else."""
        return len(self.result.patients) if self.result.whose == "persons" else None  # type: ignore[attr-defined]

    def _hidden(self, title: str) -> Hidden:
        if not self.least or not self.shows(title):
            return Hidden(self.least)
        table, about = self._frame(title), self.result.table_description(title)
        if title == "Settings":
            return self._settings(table)
        if title == "Compared rows":  # how many rows there were, of parts that a reader may add up
            rows = [i for i, fact in enumerate(table["what"]) if str(fact).startswith("rows ")]
            return Hidden(self.least, others={(i, side) for i in rows for side in ("a", "b")})
        own: Hidden | None = self.result.hidden_in(title, self.least)
        if own is not None:  # its numbers stand in texts
            return own
        return hidden_cells(table, about, self.least, self._whole())

    def _whole(self) -> int:
        return self._people() or self.result.made.rows_used

    def _agree(self) -> None:
        """Hide what tells a number that is hidden of the whole table, or in another table of the answer."""
        margins, tables = self.result.made.margins, {}
        for name, margin in margins.items():
            small, others = hidden_counts([*margin.values()], self.least)
            for i, (level, n) in enumerate(margin.items()):
                if i in small or i in others:
                    self._hide(frozenset((f"{name} = {level}",)), n)
        for title, hidden in self.cells.items():
            for conditions, n in hidden.counts.items():
                self._hide(conditions, n)
            if self.shows(title) and self.result.hidden_in(title, self.least) is None and title not in _OF_ROWS:
                table = self._frame(title)
                counts = counts_of(table, self.result.table_description(title), self._whole())
                rows = table.to_dict("records") if counts else []
                abouts = {cell: _conditions(rows[cell[0]], cell[1]) for cell in counts}
                tables[title] = counts, abouts
        size = -1
        while size != (size := sum(map(len, self.cells.values()))):
            for title, (counts, abouts) in tables.items():
                for cell in (self.cells[title].small | self.cells[title].others) & counts.keys():
                    self._hide(abouts[cell], counts[cell])
            for title, (counts, abouts) in tables.items():
                hidden, about = self.cells[title], self.result.table_description(title)
                telling = {cell for cell, n in counts.items() if n and self._betrays(n, abouts[cell])}
                if not about.sums:  # rows like some others, which have a part of what the context says
                    telling |= {
                        cell for cell, n in counts.items() if n in self._hidden_of(_names(abouts[cell]) or {""})
                    }
                for cells in wholes_of(self._frame(title), about, list(counts)):
                    some = sorted((cell for cell in cells if counts[cell]), key=lambda cell: counts[cell])
                    if len(some) < 2 or not telling.isdisjoint(cells) or any(map(hidden.words, cells)):
                        continue
                    if frozenset.intersection(*(abouts[cell] for cell in some)) in self.hidden:
                        telling.add(some[0])
                if telling - hidden.small - hidden.others:
                    forced = telling | hidden.others
                    again = hidden_cells(self._frame(title), about, self.least, self._whole(), forced)
                    hidden.others, hidden.derived = again.others, hidden.derived | again.derived

    def _hidden_of(self, names: Set[str]) -> set[int]:
        """Hidden numbers of rows that are about some of these variables; about any, where none is named."""
        return {n for about, numbers in self.numbers.items() if about <= names or not names for n in numbers}

    def _hide(self, about: frozenset[str], n: int) -> None:
        self.hidden.add(about)
        self.numbers.setdefault(_names(about), set()).add(n)

    def _betrays(self, n: int, about: frozenset[str]) -> bool:
        """True of a number of rows that is hidden elsewhere, or a few under that of a level that all of them have."""
        if about in self.hidden:
            return True
        levels = (text.partition(" = ") for text in about)
        known = (self.result.made.margins.get(name, {}).get(level, 0) for name, _, level in levels)
        return any(is_small(m - n, self.least) for m in known)

    def _settings(self, table: pd.DataFrame) -> Hidden:
        """The rows that stand below the settings are numbers of rows of the table."""
        result = Hidden(self.least)
        first = len(self.result.settings())
        positions = [i for i in range(first, len(table)) if str(table["value"].iloc[i]).isdecimal()]
        counts = [int(table["value"].iloc[i]) for i in positions]
        names = [str(table["setting"].iloc[i]) for i in positions]
        parts = [k for k, name in enumerate(names) if name.startswith("rows in ")]
        small, others = hidden_counts([counts[k] for k in parts], self.least)
        result.small = {(positions[parts[k]], "value") for k in small}
        result.others = {(positions[parts[k]], "value") for k in others}
        result.small |= {
            (positions[k], "value") for k, count in enumerate(counts) if k not in parts and is_small(count, self.least)
        }
        return result

    def _follow_counts(self, title: str) -> None:
        """Hide what goes with other tables: parts of a hidden count, and differences made of small totals."""
        table, about = self._frame(title), self.result.table_description(title)
        if about.parts_of:
            wholes, keys = self._frame(about.parts_of), list(self.result.table_description(about.parts_of).keys)
            hidden = self.cells[about.parts_of].small | self.cells[about.parts_of].others
            hidden_parts = {(*wholes[keys].iloc[i], name) for i, name in hidden}
            columns = [f"n in {group}" for group in table["group"]]
            parts = zip(table[keys].itertuples(index=False), columns, strict=True)
            forced = [(i, "count") for i, (values, column) in enumerate(parts) if (*values, column) in hidden_parts]
            self.cells[title] = hidden_cells(table, about, self.least, forced=forced)
        if about.totals_of:
            totals = self._frame(about.totals_of).groupby([about.keys[0], *about.totals], sort=False)["count"].sum()
            self.unsure = {key[0] for key, total in totals.items() if is_small(total, self.least)}
        if about.estimates:
            known = table[list(about.keys)].isin(self.unsure).any(axis=1)
            touched = set(table.loc[known, about.keys[0]])  # parts of one whole tell each other
            rows = [i for i, name in enumerate(table[about.keys[0]]) if name in touched]
            self.cells[title].derived |= {(i, name) for i in rows for name in about.estimates if name in table.columns}


def _conditions(row: Mapping[str, Any], column: str) -> frozenset[str]:
    """Name the rows that a cell of a table counts, as far as its texts say it."""
    contexts = (value.split(", ") for value in row.values() if isinstance(value, str) and " = " in value)
    is_whole = column == "rows" and "count" in row  # of which the count is a part
    level = {f"{row['variable']} = {row['level']}"} if {"variable", "level"} <= row.keys() and not is_whole else set()
    group = {str(row["group"])} if "group" in row else set()
    group |= {column.removeprefix("n in ")} if column.startswith("n in ") else set()
    return frozenset((*chain(*contexts), *level, *group))


def _names(conditions: Iterable[str]) -> frozenset[str]:
    return frozenset(text.partition(" = ")[0] for text in conditions if " = " in text)


def _rounded(value: float, kind: Kind) -> float:
    """A number with as many figures as are shown where counts are hidden; counts have all of theirs."""
    if kind == "count" or value is pd.NA or not math.isfinite(value):
        return value
    return round(value, 2) if kind in _OF_WHOLES else float(f"{value:.3g}")


def _as_text(value: Any) -> str:
    """A value beside hidden ones."""
    if value is None or value != value:
        return ""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def table_of(result: Result, title: str) -> pd.DataFrame:
    """One table of a result as the report has it, nothing hidden."""
    description = result.table_description(title)
    table: pd.DataFrame = getattr(result, description.given_by)() if description.given_by else result.table(title)
    return table
