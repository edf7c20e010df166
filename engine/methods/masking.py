"""Which counts of a result are hidden where small ones shall not be shown: cells of its tables, and sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from engine.lazy import pd
from engine.methods.columns import BY_ITSELF, COUNTS, Kind, TableDescription
from engine.methods.result import Result
from engine.words import NO_BREAK

OTHER = "hidden"
"""The sign in place of a count that would give a small one away."""
_OF_WHOLES: tuple[Kind, ...] = ("share", "part", "points")
Cell = tuple[int, str]
"""Row number from 0, and column."""


@dataclass
class Hidden:
    """The hidden cells of one table.

    Attributes
    ----------
    least : counts from 1 to below this are not shown; 0 hides nothing
    small : cells that hold such a count
    others : counts from which a small one could be worked out
    derived : numbers made of hidden counts
    """

    least: int
    small: set[Cell] = field(default_factory=set)
    others: set[Cell] = field(default_factory=set)
    derived: set[Cell] = field(default_factory=set)

    def __len__(self) -> int:
        return len(self.small | self.others | self.derived)

    def words(self, cell: Cell) -> str | None:
        """The text in a cell instead of its number; None where the number stands."""
        if cell in self.small:
            return fewer(self.least)
        return OTHER if cell in self.others or cell in self.derived else None


def fewer(least: int) -> str:
    """'fewer than 5'."""
    return f"fewer than {least}"


def is_small(count: float, least: int) -> bool:
    """True of a count that is not shown: above 0 and under the least."""
    return 0 < count < least


def hidden_counts(counts: Sequence[int], least: int) -> tuple[set[int], set[int]]:
    """Which parts of a whole of known size are hidden: the small ones, and as many others as it takes.

    Examples
    --------
    >>> hidden_counts([3, 40, 12], 5)
    ({0}, {2})
    """
    small = {i for i, count in enumerate(counts) if is_small(count, least)}
    others: set[int] = set()
    _complete(list(range(len(counts))), counts, small, others, least)
    return small, others


def hidden_cells(
    table: pd.DataFrame, about: TableDescription, least: int, whole: int | None = None, forced: Iterable[Cell] = ()
) -> Hidden:
    """The cells of a table that are hidden.

    Counts that do not add up within it are parts of `whole`; those of `forced` are hidden whatever they are.
    """
    result = Hidden(least)
    if not least or not len(table):
        return result
    counts = _counts(table, about, whole)
    result.small = {cell for cell, count in counts.items() if is_small(count, least)}
    result.others = {cell for cell in forced if cell not in result.small}
    sets = list(_wholes(table, about, list(counts)))
    if not sets and whole is not None:  # the rest of the rows is a part of the whole as well
        result.others |= {cell for cell, number in counts.items() if is_small(whole - number, least)} - result.small
    size = -1
    while size != len(result.small) + len(result.others):
        size = len(result.small) + len(result.others)
        for cells in sets:
            _complete(cells, counts, result.small, result.others, least)
    result.derived = _derived(table, about, result)
    return result


def _counts(table: pd.DataFrame, about: TableDescription, whole: int | None) -> dict[Cell, int]:
    result: dict[Cell, int] = {}
    for name in table.columns:
        kind = about.column(str(name), table[name].dtype.kind in "iu").kind
        if kind not in COUNTS:
            continue
        for i, value in enumerate(table[name]):
            if value == value and value is not None and not isinstance(value, str):
                result[i, name] = round(float(value) * (whole or 1)) if kind == "part" else int(value)
    return result


def _wholes(table: pd.DataFrame, about: TableDescription, cells: Sequence[Cell]) -> Iterable[list[Cell]]:
    """Cells that add up to what a reader may know."""
    for keys in about.sums:
        groups: dict[Any, list[Cell]] = {}
        values = list(zip(*(table[key] for key in keys), strict=True)) if keys else [()] * len(table)
        for i, name in cells:
            groups.setdefault((values[i], name), []).append((i, name))
        yield from groups.values()
    if about.matrix:
        rows: dict[int, list[Cell]] = {}
        for i, name in cells:
            rows.setdefault(i, []).append((i, name))
        yield from rows.values()


def _complete(
    cells: Sequence[Any],
    counts: Mapping[Any, int] | Sequence[int],
    small: set[Any],
    others: set[Any],
    least: int,
) -> None:
    """Hide further parts of a whole until no hidden one can be told more closely than "fewer than the least"."""
    inside = [cell for cell in cells if cell in small or cell in others]
    if not any(cell in small for cell in inside) and len(inside) != 1:
        return
    rest = sorted((cell for cell in cells if cell not in inside), key=lambda cell: counts[cell])
    rest = [cell for cell in rest if counts[cell]] + [cell for cell in rest if not counts[cell]]
    while inside and not _enough(inside, counts, small, least) and rest:
        others.add(rest[0])
        inside.append(rest.pop(0))


def _enough(inside: Sequence[Any], counts: Any, small: set[Any], least: int) -> bool:
    """Two parts or more, whose sum leaves every small one free to be anything from 1 to below the least."""
    few, number, whole = sum(cell in small for cell in inside), len(inside), sum(counts[cell] for cell in inside)
    if number == few:  # a reader knows of each that it is from 1 to below the least
        return number > 1 and number - 1 + least - 1 <= whole <= (number - 1) * (least - 1) + 1
    return number > 1 and whole >= few * (least - 1) + (number - few) * least


def _derived(table: pd.DataFrame, about: TableDescription, cells: Hidden) -> set[Cell]:
    """Numbers of the same row that were made of a hidden count, and columns that tell neighbours apart."""
    hidden = cells.small | cells.others
    rows = {i for i, _ in hidden}
    kinds = {name: about.column(str(name), table[name].dtype.kind in "iu").kind for name in table.columns}
    dependent = [name for name, kind in kinds.items() if kind not in BY_ITSELF and name not in about.keys]
    derived = {(i, name) for i in rows for name in dependent} - hidden
    if about.reveals:
        keys = list(about.sums[0])
        groups = list(zip(*(table[key] for key in keys), strict=True))
        touched = {groups[i] for i in rows}
        derived |= {(i, name) for i, group in enumerate(groups) if group in touched for name in about.reveals}
    return derived


@dataclass
class Masked:
    """The part of a result that is shown where counts from 1 to below `least` are hidden; with 0 everything is.

    Attributes
    ----------
    result : the answer
    least : the least count that is shown
    cells : title of a table -> its hidden cells
    unsure : variables with hidden estimates
    withheld : the sentences that were left out so far
    """

    result: Result
    least: int = 0
    cells: dict[str, Hidden] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    withheld: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._frame = cache(self._ordered)
        for title in self.result.table_titles():
            self.cells[title] = self._hidden(title)
        for part in self.result._made_of() if self.least else ():  # each hides what is told of its groups
            self.unsure |= Masked(part, self.least).unsure
        for title in self.cells if self.least else ():
            self._follow_counts(title)

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
        if re.search(r"\d", sentence) and any(name in sentence for name in self.unsure):
            return True
        made = self.result.made
        if made.rows_used < made.rows_given and f"{made.rows_given:,}" in sentence:
            return True  # the rows of every group and those given say how many were left out
        if tells_left_out(sentence, self.least, self._sizes()):
            return True
        return gives_away(sentence, self.least, self._values(), self._people(), self._wholes())

    def _sizes(self) -> dict[str, int]:
        """Rows of each group by its name where groups are compared, else of all."""
        settings = self._frame("Settings") if "Settings" in self.result.table_titles() else None
        rows = [] if settings is None else zip(settings["setting"], settings["value"], strict=True)
        parts = {str(name): int(value) for name, value in rows if str(value).isdecimal()}
        groups = {name.removeprefix("rows in "): n for name, n in parts.items() if name.startswith("rows in ")}
        return groups or {"": self.result.made.rows_used}

    def _wholes(self) -> tuple[int, ...]:
        """Numbers of people or rows that a reader knows, so that a number a little smaller gives the rest away."""
        rows = getattr(self.result, "n_rows", self.result.made.rows_used)
        given = self.result.made.rows_given
        few = (given,) if is_small(given - self.result.made.rows_used, self.least) else ()
        return (*filter(None, (self._people(),)), rows, *few)

    def _people(self) -> int | None:
        """Of how many patients a share in a sentence is; None where shares are of something else."""
        patients = getattr(self.result, "patients", None)
        return None if patients is None else len(patients)

    def _values(self) -> tuple[str, ...]:
        """Names and levels, whose digits count nothing."""
        levels = getattr(self.result, "levels", ())
        parts: Iterable[Sequence[str]] = levels.values() if hasattr(levels, "values") else levels
        result = {*self.result.names, *(str(level) for part in parts for level in part)}
        return tuple(sorted((item for item in result if any(map(str.isdigit, item))), key=len, reverse=True))

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
        whole = self._people() or getattr(self.result, "n_rows", self.result.made.rows_used)
        return hidden_cells(table, about, self.least, whole)

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


def _rounded(value: float, kind: Kind) -> float:
    """A number with as many figures as are shown where counts are hidden; counts have all of theirs."""
    if kind == "count" or not math.isfinite(value):
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


_NUMBER = r"\d{1,3}(?:,\d{3})+|\d+"
_NOT_PEOPLE = (
    "variables? links? networks? levels? values? searches search seeds? folds? tables? pairs? points? pp bits nats "
    "patterns? clusters? famil(?:y|ies) rounds? parents? groups? more steps? times draws? permutations? shuffles? "
    "runs? parameters contexts? cells? columns? predictors? questions? degrees intervals? asked"
)
_OTHER_THINGS = "|".join(_NOT_PEOPLE.split())
_AFTER = re.compile(rf"^(?:\.\d|\s?%|\s+to 1\b|(?:\s+[a-z-]+){{0,1}}\s+(?:{_OTHER_THINGS})\b)")
_OF = re.compile(
    rf"({_NUMBER}) of (?:the |all |this )*({_NUMBER})(?:\s+[a-z-]+){{0,1}}\s+(?:{_OTHER_THINGS})\b"
    r"|\bin \d+ of \d+ such "
)
_SIGN = rf"{NO_BREAK}?%"
"""As shares are written: the ends of an interval have a space that may break."""
_ON = re.compile(rf"(\d+(?:\.\d)?){_SIGN}(?: \([^)]*\))? on ({_NUMBER})\b")
"""A share and what it is a share of: "Accuracy 98 % (95 % interval 88 to 100) on 40"."""
_OF_ALL = re.compile(rf"(\d+(?:\.\d)?){_SIGN} of all rows")
"""A share of all rows that were used: "11 % for this patient, 22 % of all rows"."""
_HELD_OUT = re.compile(rf" on ({_NUMBER}) held-out ")
"""Of how many all shares of a sentence are: "Balanced accuracy 85 % on 40 held-out subjects; accuracy 98 %"."""
_TECHNICAL = (
    r"\d+\spp \(\S+ to \S+\)",  # a difference of shares with its interval
    r"\(?9\d %(?::| interval)[^);.]*\)?",  # an interval; shares are written with a no-break space
    r"\b(?:p|size|kappa|alpha)\s*(?:=|at most|above|below)?\s*\d[\d.]*",
    r"\(equation \d+\)|\bequation \d+",
    r"\brow [\d,]+ of the table",
    r"10\^-?\d+ to 1|\d[\d,.]* to 1\b",
    r"10\^-?\d+",
    r"[+\-−]?\d[\d,]*\.\d+",
    r"[+\-−]\d+",
    r"\bby (?:at most )?\d+(?= points|\spp| to|[.,;)]|$)",
    r"\d+ to \d+\s(?:percentage points|points|pp)",
    r"\bin \d+ of \d+ (?:such )?tables",
    r"\btakes? \d+ points",
    r"\blog10|\bp\(",
    r"\bof \d+ levels",
    r"\b\d+ (?:half|bootstrap) samples?\b",
    r"\b\d+ stands? alone|\bcould show \d+ of them|\b\d+ (?:has|have) a direction",
)


def gives_away(
    sentence: str, least: int, values: Iterable[str] = (), people: int | None = None, wholes: Sequence[int] = ()
) -> bool:
    """True where a count from 1 to below the least can be read from a sentence.

    Names and levels with digits, longest first, count nothing; a percentage is of `people`, and `wholes` are known.

    Examples
    --------
    >>> gives_away("3 rows with sex = f were compared with 40.", 5), gives_away("1 of 10 variables differs.", 5)
    (True, False)
    """
    text = sentence
    for value in values:
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", " ", text)
    if people is not None and _share_is_small(text, least, people):
        return True
    if any(_share_is_small(f"{share}%", least, int(of.replace(",", ""))) for share, of in _ON.findall(text)):
        return True
    if any(_share_is_small(f"{share}%", least, whole) for share in _OF_ALL.findall(text) for whole in wholes):
        return True
    if any(_share_is_small(text, least, int(of.replace(",", ""))) for of in _HELD_OUT.findall(text)):
        return True
    for pattern in _TECHNICAL:
        text = re.sub(pattern, " ", text)
    text = _OF.sub(" ", text)
    for result in re.finditer(rf"({_NUMBER}) of (?:the |all )*({_NUMBER})", text):
        part, whole = (int(group.replace(",", "")) for group in result.groups())
        if 0 < part < least or 0 < whole - part < least:
            return True
    for result in re.finditer(rf"(?<![\w.^])(?:{_NUMBER})(?!\w)", text):
        number = int(result[0].replace(",", ""))
        if _AFTER.match(text[result.end() :]):
            continue
        if 0 < number < least or any(0 < whole - number < least for whole in wholes):
            return True
    return False


def tells_left_out(sentence: str, least: int, sizes: Mapping[str, int]) -> bool:
    """True where a small number of rows can be worked out of the share of them that was left out for gaps.

    Examples
    --------
    >>> said = "30 % of A and 2 % of B were left out for gaps; what differs may be that."
    >>> tells_left_out(said, 5, {"A": 209, "B": 295}), tells_left_out(said, 5, {"A": 209, "B": 90})
    (False, True)
    """
    if "left out for gaps" not in sentence:
        return False
    for under, number, name in re.findall(r"(under )?(\d+)\s% of (.+?)(?=, | and | were )", sentence):
        low, high = (int(number) - 0.5) / 100, min((int(number) + 0.5) / 100, 0.999)
        each = [sizes[name]] if name in sizes else list(sizes.values())
        for n in each if int(number) else ():
            if under or any(low <= dropped / (n + dropped) <= high for dropped in range(1, least)):
                return True
    return False


def _share_is_small(text: str, least: int, people: int) -> bool:
    """True where a percentage of so many people may stand for a small number of them, or for all but that."""
    for result in re.finditer(
        rf"(?<![\d.])(\d+(\.\d)?){_SIGN}", re.sub(r"\(?9\d %(?::| interval)[^);.]*\)?", " ", text)
    ):
        rounding = 0.05 if result[2] else 0.5
        low, high = (float(result[1]) - rounding) / 100 * people, (float(result[1]) + rounding) / 100 * people
        for low_end, high_end in ((low, high), (people - high, people - low)):
            if any(low_end <= number <= high_end for number in range(1, least)):
                return True
    return False
