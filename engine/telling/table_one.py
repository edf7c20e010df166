"""A Table 1: rows described in every variable as one reads them, with small counts hidden, and written for a paper."""

from __future__ import annotations

import html
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from engine import words
from engine.data.item_scales import level_steps, lowest_code
from engine.data.preparing.variables import day_text
from engine.data.spoken_levels import spoken_level
from engine.data.units import name_without_unit
from engine.errors import SettingsError
from engine.lazy import pd
from engine.measures import table_one as measures
from engine.measures.multiple import holm
from engine.methods.described_rows import DescribedRows, DescribedVariable
from engine.telling.charts.labels import short
from engine.telling.masking import OTHER, Hidden, fewer, hidden_cells, hidden_counts, is_small
from engine.telling.spoken import decimal
from engine.telling.tables import Column, TableDescription, described
from engine.text import Count, Level, Name, Number, People, Text, first, told

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

TITLE, OVERALL, MISSING, NONE = "Characteristics", "Overall", "missing", "–"
ODD = "†"
"""Mark of a variable some of whose values look like errors."""
IMBALANCE = 0.1
"""Size of an SMD above which groups are often called imbalanced (Austin 2009)."""
FAR_SPREAD = 2.0
"""Ratio of two variances from which on groups are told to be spread otherwise (Rubin 2001)."""
MOST_SHARES = 3
"""Ordered levels of which quartiles say less than shares."""
Numbers = Literal["both", "mean", "median"]
"""Forms of numbers: mean (SD) and median [quartiles], or one of them."""
DESCRIPTION = TableDescription(
    "What the rows are like, overall and by group.",
    described(text="variable; level", size="SMD", p="p"),
    others=Column("", "text"),
    blanks=True,
)


def frame(
    result: DescribedRows,
    *,
    numbers: Numbers = "both",
    p: bool = False,
    hide_below: int = 0,
    names: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """The table as one reads it.

    Parameters
    ----------
    numbers : "both", mean (SD) and median [quartiles]; "mean" or "median" for one of them
    p : whether p is there, corrected by Holm: of means (Welch's t-test, analysis of variance) where `numbers` is
        "mean", else of ranks (Kruskal and Wallis); of levels chi-squared, or Fisher's where few. Ordered levels count
        as their steps, whose shares stand below where `numbers` is "both"
    hide_below : counts from 1 to below this are hidden, with all from which they could be worked out
    names : variable -> what it is called

    Returns
    -------
    pandas.DataFrame of texts: variable, named once; level, or what stands in the row; a column overall and one a
    group; SMD, where there are groups, and p as numbers; no SMD (–) of a variable whose values look like errors

    Raises
    ------
    SettingsError : there is no such way to tell numbers
    """
    rows = list(_rows(result, numbers, hide_below, names or {}))
    table = pd.DataFrame(
        [[row.name, row.level, *row.cells] for row in rows], columns=["variable", "level", *heads(result)]
    )
    if len(result.labels) > 1:
        table["SMD"] = [
            row.number(row.of if row.of is None else NONE if row.of.odd else _difference(row.of)) for row in rows
        ]
    if p:
        chances = dict(zip(map(id, result.variables), _chances(result, numbers).tolist(), strict=True))
        table["p"] = [row.number(chances.get(id(row.of))) for row in rows]
    return table


def heads(result: DescribedRows) -> tuple[str, ...]:
    """Headings of the columns of counts: no two are alike, whatever groups are called, and 'yes' names its variable."""
    taken: list[str] = ["variable", "level", "SMD", "p", OVERALL]
    bare, group = any(map(words.is_bare, result.labels)), short(result.group, 24)
    for label in (f"{group} = {label}" if bare else label for label in result.labels):
        while label in taken:
            label += "*"
        taken.append(label)
    return tuple(taken[4:])


def hidden(result: DescribedRows, least: int, numbers: Numbers = "both") -> Hidden:
    """The cells of `frame()` that are hidden where counts from 1 to below `least` are.

    Parameters
    ----------
    least : the smallest count that is shown; 0 for all
    numbers : as for `frame`
    """
    cells, table = Hidden(least), frame(result, numbers=numbers, hide_below=least)
    for name in table.columns[2:] if least else ():
        for i, text in enumerate(table[name]):
            if text == fewer(least):
                cells.small.add((i, name))
            elif text == OTHER:
                (cells.derived if name == "SMD" else cells.others).add((i, name))
    for variable in result.variables if least else ():
        for k, c in _hidden_parts(variable, least, {}):
            if k < len(variable.levels):
                about = {f"{variable.name} = {variable.levels[k]}", *(result.labels[c - 1 : c] if c else ())}
                cells.counts[frozenset(about)] = int(variable.counts[k, c])
    return cells


def to_html(result: DescribedRows, **choices: Any) -> str:
    """The table as a page that a word processor opens, or whose table can be pasted.

    Parameters
    ----------
    choices : as for `frame`

    Returns
    -------
    HTML; names and levels are escaped
    """
    below = html.escape(" ".join(notes(result, **{name: own for name, own in choices.items() if name != "names"})))
    return (
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>Table 1</title></head>"
        f"<body style='font-family:serif;font-size:10pt'><b>Table 1</b>{markup(frame(result, **choices))}"
        f"<p>{below}</p></body></html>"
    )


def markup(table: pd.DataFrame, line: str = "#000") -> str:
    """What `frame()` made as a table in HTML, names and levels escaped; a line of this colour above every variable."""
    left, right = (f"padding:2pt 5pt;vertical-align:top;text-align:{side}" for side in ("left", "right"))
    above = "".join(
        f"<th scope='col' style='{left if k < 2 else right}'>"
        f"{html.escape({'variable': '', 'level': ''}.get(name, name))}</th>"
        for k, name in enumerate(map(str, table.columns))
    )
    whole = list(table.itertuples(index=False, name=None))
    begins = [k for k, row in enumerate(whole) if row[0] or not k] + [len(whole)]
    body = ""
    for begin, end in itertools.pairwise(begins):  # a long name stands beside all rows of its variable
        rule = f";border-top:1px solid {line}"
        name = f"<td rowspan='{end - begin}' style='{left};max-width:26em{rule}'>{html.escape(whole[begin][0])}</td>"
        for row in whole[begin:end]:
            cells = "".join(
                f"<td style='{f'{right};white-space:nowrap' if k else f'{left};min-width:13em'}{rule}'>"
                f"{html.escape(written(value, str(table.columns[k + 1])))}</td>"
                for k, value in enumerate(row[1:])
            )
            body, name, rule = f"{body}<tr>{name}{cells}</tr>", "", ""
    return (
        f"<table style='width:auto;border-collapse:collapse;border-bottom:1px solid {line}'>"
        f"<thead><tr>{above}</tr></thead><tbody>{body}</tbody></table>"
    )


def leading_notes(result: DescribedRows, hide_below: int = 0) -> int:
    """How many of the notes are to be read before the table: of whom it is, what in it is in doubt, what SMD is.

    Parameters
    ----------
    hide_below : as for `frame`
    """
    notes_before = (bool(result.complete), any(one.odd for one in result.variables), bool(result.labels))
    return sum(notes_before) + bool(_largest_differences(result, hide_below)) + bool(_other_spread(result, hide_below))


def notes(result: DescribedRows, numbers: Numbers = "both", p: bool = False, hide_below: int = 0) -> list[str]:
    """Notes below the table: which values look like errors, and what its cells are, one sentence each.

    Parameters
    ----------
    numbers, p, hide_below : as for `frame`
    """
    forms = " and ".join(_FORMS[name] for name in _shown(numbers))
    texts: list[str] = list(filter(None, [odd_note(result, hide_below)]))
    if len(result.labels) == 2:
        minus = (
            "SMD: difference of means or shares in SDs, {} minus {}; of three or more levels without an order no sign."
        )
        texts.append(told(minus, *(Level(short(label, 40)) for label in reversed(result.labels))))
    elif result.labels:
        texts.append(told("SMD: standardised mean difference, the largest of any two groups."))
    texts += filter(None, [_largest_differences(result, hide_below), _other_spread(result, hide_below)])
    texts.append(told("Numbers: {}. Levels: rows (% of those with a value).", forms))
    steps = told(" and of scores") if any(one.ordered for one in result.variables) else told("")
    if steps:
        shares = told("") if numbers == "both" else told("; their shares stand where mean and median do")
        texts.append(told("Scores of ordered levels are the numbers or codes of the file, else 1, 2, 3{}.", shares))
    if p:
        test = "Welch's t-test or analysis of variance" if numbers == "mean" else "the Kruskal-Wallis test"
        texts.append(
            told(
                "p, corrected by Holm: of numbers{} {}; of levels chi-squared, or Fisher's test where few.", steps, test
            )
        )
        if few := _named(variable for variable in result.variables if variable.few and not variable.ordered):
            least = Number(str(measures.FEW_EXPECTED))
            texts.append(told("Expected counts are under {}, so p is in doubt: {}.", least, few))
        if result.subjects:
            subject = Name(short(result.subject, 40))
            texts.append(told("p takes every row as its own, though rows of one '{}' belong together.", subject))
    if result.complete:
        texts.insert(
            0, told("All rows, each variable where it has a value; analyses use the complete rows, so figures differ.")
        )
    elif result.gaps:
        texts.append(
            told("Rows with a missing value are left out, unless missing values are kept as a level of their own.")
        )
    if limited := _named(variable for variable in result.variables if variable.limited):
        texts.append(told("Values beyond a limit of detection count as the limit: {}.", limited))
    if coarse := _named(variable for variable in result.variables if not variable.exact):
        cells = Count(127, "cell")
        texts.append(told("Moments and quartiles are approximate, of {}; counts are exact: {}.", cells, coarse))
    return texts


def _largest_differences(result: DescribedRows, hide_below: int) -> Text:
    """'Largest SMD: lactate 0.44, sepsis 0.24; 5 of 14 are beyond ±0.1.'; "" where none is."""
    sizes = {one.name: _difference(one) for one in result.variables if not one.odd} if len(result.labels) > 1 else {}
    far = sorted((name for name in sizes if abs(sizes[name]) > IMBALANCE), key=lambda name: -abs(sizes[name]))
    if hide_below or not far:
        return Text()
    named = (told("{} {}", Name(short(name, 40)), Number(written(sizes[name], "SMD"))) for name in far[:3])
    shares = Number(str(len(far))), Number(str(len(sizes))), "is" if len(far) == 1 else "are", Number(str(IMBALANCE))
    return told("Largest SMD: {}; {} of {} {} beyond ±{}.", first(named), *shares)


def _other_spread(result: DescribedRows, hide_below: int) -> Text:
    """'SMD compares means alone. SDs differ: sodium (2.9 v 5.7).'; "" where no variance is twice the other's."""
    if len(result.labels) != 2 or hide_below:
        return Text()
    other = []
    for variable in result.variables:
        ends = [] if variable.levels or variable.dates else sorted(variable.deviations[1:])
        if ends and ends[1] ** 2 > FAR_SPREAD * ends[0] ** 2 > 0:
            sizes = decimal(list(variable.deviations[1:]), ends[0], fewest=False)
            other.append(told("{} ({} v {})", Name(short(variable.name, 40)), *map(Number, sizes)))
    return told("SMD compares means alone. SDs differ: {}.", first(other, 3)) if other else Text()


def odd_values(result: DescribedRows | None, hide_below: int = 0, variable: str | None = None) -> Text:
    """'Values that look like errors are included: lactate (3 values, 88 to 120).'; "" where there are none.

    Parameters
    ----------
    result : the rows; None where they are not described
    hide_below : as for `frame`
    variable : the only one that is told; None for all
    """
    every = result.variables if result is not None else ()
    odd = [one for one in every if one.odd and variable in (None, one.name)]
    named = [told("{}{}", Name(short(one.name, 40)), Text() if hide_below else _odd_words(one.odd)) for one in odd]
    return told("Values that look like errors are included: {}.", first(named, 3)) if odd else Text()


def odd_note(result: DescribedRows, hide_below: int = 0) -> Text:
    """The same with its mark, and that no SMD is told of these; "" where there are none.

    Parameters
    ----------
    result, hide_below : as for `odd_values`
    """
    no_size = told(" No SMD is given for them.") if len(result.labels) > 1 else Text()
    odd = odd_values(result, hide_below)
    return told("{} {}{}", told(ODD), odd, no_size) if odd else odd


def smallest_group(result: DescribedRows | None) -> list[str]:
    """'The smallest group limits what can be seen: died = yes, 43 of 527 rows.'; none of groups of about one size.

    Parameters
    ----------
    result : the rows; None where they are not described
    """
    if result is None or not result.labels or 2 * min(result.n[1:]) > max(result.n[1:]):
        return []
    n, label = min(zip(result.n[1:], result.labels, strict=True))
    begins = "The smallest group limits what can be seen: {} = {}, {} of {}."
    return [told(begins, Name(result.group), Level(label), People(n), People(result.n[0], "row"))]


def _odd_words(values: Sequence[float]) -> Text:
    """' (3 values, 88 to 120)'."""
    ends = dict.fromkeys(f"{value:.6g}" for value in (values[0], values[-1]))
    return told(" ({}, {})", People(len(values), "value"), Number(words.with_minus(" to ".join(ends))))


def marked(name: str, variable: str, result: DescribedRows | None) -> str:
    """A name, with its mark where a value of the variable looks like an error."""
    return f"{name}{words.NO_BREAK}{ODD}" if odd_values(result, variable=variable) else name


def _named(variables: Iterable[DescribedVariable]) -> Text:
    return first(Name(short(variable.name, 40)) for variable in variables)


def in_short(data: Dataset) -> dict[str, str]:
    """Variable -> '137 (124 to 1370)', a median and its range, of ordered levels by scores; else the commonest level.

    Parameters
    ----------
    data : the rows, in which every number and level is counted already

    Returns
    -------
    texts; none of a variable without a value
    """
    columns = data.made_by.columns if data.made_by is not None else ()
    dates, result = {own.name for own in columns if own.sort == "date"}, {}
    for name, codes in zip(data.names, data.codes, strict=True):
        levels = [level for level in data.levels[name] if level != data.missing_level(name)]
        if name in data.numbers or (data.kinds[name] == "ordinal" and len(levels) > 2):
            if name in data.numbers:
                values, places = data.numbers[name]
            else:
                steps = dict(zip(levels, level_steps(levels, lowest_code(data, name, levels)), strict=True))
                values, places = np.array([steps.get(level, math.nan) for level in data.levels[name]]), codes
            known = np.sort(values[places[np.isfinite(values)[places]]])
            ends = [np.median(known), known[0], known[-1]] if len(known) else []
            shown = (day_text(round(end)) if name in dates else words.with_minus(f"{end:.6g}") for end in ends)
            result[name] = "{} ({} to {})".format(*shown) if ends else ""
        else:
            rows = np.bincount(codes, minlength=len(data.levels[name]))
            most = int(rows.argmax())
            result[name] = f"{words.in_percent(rows[most] / max(rows.sum(), 1))} {data.levels[name][most]}"
    return result


class _Row(NamedTuple):
    """A row: what it is about, its cells, and the variable whose numbers stand at its end."""

    name: str
    level: str
    cells: list[str]
    of: DescribedVariable | None = None
    hidden: bool = False

    def number(self, value: float | str | None) -> Any:
        """The cell at its end."""
        return OTHER if self.of is not None and self.hidden else math.nan if value is None else value


def _rows(result: DescribedRows, numbers: Numbers, least: int, names: Mapping[str, str]) -> Iterator[_Row]:
    """Every row, the numbers of rows and subjects first."""
    groups = result.n[1:] or result.n
    small, others = hidden_counts(groups, least) if least else (set[int](), set[int]())
    gone = {len(result.n) - len(groups) + g: fewer(least) if g in small else OTHER for g in small | others}
    rows = "all rows" if result.complete else "complete rows" if result.gaps else "rows"
    yield _Row("n", rows, [gone.get(c) or f"{n:,}" for c, n in enumerate(result.n)])
    if result.complete and not least:
        yield _Row("", "complete rows, n (%)", list(map(_counted, result.complete, result.n)))
    if result.subjects:
        few = bool(gone) or any(is_small(n, least) for n in result.subjects)
        counts = [OTHER if few else f"{n:,}" for n in result.subjects]
        yield _Row("", f"subjects ({short(result.subject, 40)})", counts)
    for variable in result.variables:
        parts = _hidden_parts(variable, least, gone)
        called, of = _called(variable, names), variable if result.labels else None
        for level, cells in _cells(variable, parts, gone, _shown(numbers)):
            yield _Row(called, level, cells, of, bool(parts))
            called, of = "", None


def _chances(result: DescribedRows, numbers: Numbers) -> np.ndarray:
    """p of every variable, corrected by Holm over those that were tested."""
    p = np.array([_chance(one, numbers) for one in result.variables], dtype=float)
    tested = np.isfinite(p)
    p[tested] = holm(p[tested])
    return p


def _chance(variable: DescribedVariable, numbers: Numbers) -> float:
    """p of a variable as it is told, before correction."""
    if not variable.ordered:
        return variable.p_means if numbers == "mean" else variable.p_ranks
    groups = variable.counts[:, 1:]
    if numbers == "mean":
        return measures.p_of_means(*measures.moments(variable.steps, groups), groups.sum(axis=0))
    return measures.p_of_ranks(groups)


def _difference(variable: DescribedVariable) -> float:
    """The SMD of a variable as it is told; of two levels in two groups with the sign of the level that is shown."""
    groups = variable.counts[:, 1:]
    if variable.ordered:
        return measures.difference_of_means(*measures.moments(variable.steps, groups))
    told = spoken_level(variable.levels) if groups.shape == (2, 2) else None
    if told is None:
        return variable.difference
    first, second = groups[told] / np.maximum(groups.sum(axis=0), 1)
    return variable.difference * (-1.0 if second < first else 1.0)


_FORMS = {"mean": "mean (SD)", "median": "median [quartiles]"}


def _shown(numbers: Numbers) -> tuple[str, ...]:
    if numbers not in ("both", *_FORMS):
        raise SettingsError(f"numbers is {numbers!r}; it is 'both', 'mean' or 'median'.", setting="numbers")
    return tuple(_FORMS) if numbers == "both" else (numbers,)


def _called(variable: DescribedVariable, names: Mapping[str, str]) -> str:
    """The name of a variable, its unit beside it."""
    name = names.get(variable.name) or name_without_unit(variable.name, variable.unit)
    mark = f"{words.NO_BREAK}{ODD}" if variable.odd else ""
    return f"{name if variable.unit in name else f'{name} ({variable.unit})'}{mark}"


def _hidden_parts(variable: DescribedVariable, least: int, gone: Mapping[int, str]) -> dict[tuple[int, int], str]:
    """Texts for the hidden counts of its levels, and of missing values after them, by level and column.

    Levels are parts of a group, groups of all rows. Where any is hidden, nothing is told of all rows.
    """
    if not least:
        return {}
    counts = np.vstack([variable.counts, variable.missing]) if variable.missing.any() else variable.counts
    first = int(counts.shape[1] > 1)
    forced = [(k, str(c)) for k in range(len(counts)) for c in gone]
    if first:  # groups do not add up to a number of all rows that is hidden on its own
        few, others = hidden_counts([*counts[:, 0]], least)
        forced += [
            (k, str(int(np.where(counts[k, 1:], counts[k, 1:], counts.max()).argmin()) + 1)) for k in others - few
        ]
    parts = TableDescription(sums=((),), matrix=bool(first))
    columns = [str(c) for c in range(first, counts.shape[1])]
    cells = hidden_cells(pd.DataFrame(counts[:, first:], columns=columns), parts, least, forced=forced)
    result = {(k, int(c)): cells.words((k, c)) or OTHER for k, c in cells.small | cells.others}
    if result and first:
        result |= {(k, 0): fewer(least) if is_small(n, least) else OTHER for k, n in enumerate(counts[:, 0])}
    return result


def _cells(
    variable: DescribedVariable, hidden: Mapping[tuple[int, int], str], gone: Mapping[int, str], shown: Sequence[str]
) -> Iterator[tuple[str, list[str]]]:
    """The rows of a variable: what each is, and its cells."""
    columns, last = range(len(variable.missing)), len(variable.counts)
    known = variable.counts.sum(axis=0)
    steps = variable.ordered and (shown[0] == "mean" or len(variable.levels) > MOST_SHARES)
    if steps:
        yield _in_steps(variable, [bool(hidden or gone) for _ in columns], shown[0])
    if variable.levels and not (steps and len(shown) == 1):
        one = 0 if len(variable.levels) == 1 else spoken_level(variable.levels)
        if one is None and not steps:
            yield "n (%)", ["" for _ in columns]
        for k, level in enumerate(variable.levels):
            if one in (None, k):
                cells = [  # shares would tell how many are missing
                    hidden.get((k, c)) or (OTHER if (last, c) in hidden else _counted(variable.counts[k, c], known[c]))
                    for c in columns
                ]
                yield level if one is None else f"{level}, n (%)", cells
    elif not variable.levels:
        few = [
            c in gone or (hidden.get((0, c), OTHER) != OTHER) or (bool(hidden) and c == 0 != columns[-1])
            for c in columns
        ]
        for form in shown:
            yield _FORMS[form], _told(_moments(variable) if form == "mean" else _quartiles(variable), few, known)
    if variable.missing.any():
        whole = known + variable.missing
        missing = [hidden.get((last, c)) or _counted(variable.missing[c], whole[c]) for c in columns]
        yield f"{MISSING}, n (%)", missing


def _in_steps(variable: DescribedVariable, few: Sequence[bool], form: str) -> tuple[str, list[str]]:
    """The row of ordered levels told as scores, where no count of a level is hidden: 'mean score (SD), 1 = never'."""
    steps, (of, spread) = variable.steps, _FORMS[form].split(" ")
    means, deviations = measures.moments(steps, variable.counts)
    if form == "mean":
        ends = ("–" if math.isnan(size) else f"{size:.2f}" for size in deviations)
        texts = [f"{mean:.2f} ({end})" for mean, end in zip(means, ends, strict=True)]
    else:
        quartiles = measures.quartiles(steps, variable.counts)
        texts = _quartiles(replace(variable, quartiles=quartiles, deviations=deviations))
    begins = f"{steps[0]:.0f}"
    scale = f"{begins} to {steps[-1]:.0f}" if variable.levels[0] == begins else f"{begins} = {variable.levels[0]}"
    name = f"{of} score {spread}, {scale}"
    return name, _told(texts, few, variable.counts.sum(axis=0))


def _told(texts: Sequence[str], few: Sequence[bool], known: np.ndarray) -> list[str]:
    """The cells of a number, overall and in each group, those that are hidden without it."""
    return [OTHER if few[c] else text if known[c] else NONE for c, text in enumerate(texts)]


def _counted(part: int, whole: int) -> str:
    return f"{part:,} ({words.in_percent(part / whole, 1)})" if whole else "0"


def _moments(variable: DescribedVariable) -> list[str]:
    means, spread = np.nan_to_num(variable.means), np.nan_to_num(variable.deviations)
    if variable.dates:
        texts = [day_text(round(day)) for day in means] + [
            f"{end} days" for end in decimal(spread, float(spread.max()))
        ]
    else:
        texts = decimal([*means, *spread], float(spread.max()), fewest=False)
    ends = [
        "–" if math.isnan(size) else end for size, end in zip(variable.deviations, texts[len(means) :], strict=True)
    ]
    return [f"{mean} ({end})" for mean, end in zip(texts, ends, strict=False)]


def _quartiles(variable: DescribedVariable) -> list[str]:
    numbers = np.nan_to_num(variable.quartiles)
    if variable.dates:
        texts = [day_text(round(day)) for day in numbers.ravel()]
    else:
        width = float((numbers[:, 2] - numbers[:, 0]).max()) or float(np.nan_to_num(variable.deviations).max())
        texts = decimal(numbers.ravel().tolist(), width)
    rows = (texts[k : k + 3] for k in range(0, len(texts), 3))
    return [f"{median} [{low}, {high}]" for low, median, high in rows]


def written(value: Any, column: str) -> str:
    """A cell of `TableOne.frame` as text: SMD with two decimals, p as elsewhere."""
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return ""
    return words.fraction(value) if column == "p" else words.with_minus(f"{value:z.2f}")
