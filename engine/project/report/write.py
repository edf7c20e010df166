"""`engine.report`: results as one self-contained HTML file that one would hand to a colleague."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.comparison.result import ComparisonResult
from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError, check_choice, check_number
from engine.exchange.script import analysis_script, changed_settings, comparison_script
from engine.graphs.drawing.layout import Point, runs_behind
from engine.methods.masked import Masked
from engine.methods.result import Result
from engine.project.report.about_table import TableReport, by_table
from engine.project.report.charts import Picture
from engine.project.report.first_table import first_tables
from engine.project.report.markup import clean
from engine.project.report.office import word_document, workbook
from engine.project.report.page import Part, heading_and_facts, page
from engine.telling.charts.network_layout import FigureLayout, plan_networks
from engine.telling.drawing import differing_names, linked_names
from engine.telling.tables import MOST_HIDDEN

if TYPE_CHECKING:
    import networkx as nx

Scripts = Callable[[Result], str] | Sequence[str | None]
OFFICE = {"word": word_document, "excel": workbook}
FORMS = ("html", "summary", *OFFICE)
"""What a report can be made as."""
_ENDINGS = {".docx": "word", ".xlsx": "excel"}
MOST_ALONE = 9
"""Variables without any link that stand in a picture; where there are more its caption names them."""


def report(
    results: Result | Sequence[Result],
    path: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
    titles: Sequence[str] | None = None,
    notes: Sequence[str] | None = None,
    data: Dataset | Sequence[Dataset] | None = None,
    source: str = "",
    script: Scripts | None = None,
    hide_below: int = 0,
    layouts: Sequence[Mapping[str, Point]] | None = None,
    charts: Sequence[Sequence[Picture]] | None = None,
    labels: Mapping[str, str] | Sequence[Mapping[str, str]] | None = None,
    when: str = "",
    form: str = "",
    questions: Sequence[str] = (),
) -> str | bytes | None:
    """Write results as one document: sentences with their doubt, networks, tables, settings, scripts.

    The HTML file needs no network and no script, and prints on A4.

    Parameters
    ----------
    results : one answer or several, of any methods and tables
    path : where the file is written; None gives the text back
    title : of the document
    titles, notes : one a result, in the user's words; empty ones are left out
    data : the table or tables the results were made of, for the counts of levels; without it the document tells what
        the results remember
    source : what the table is called, such as the name of its file
    script : the Python that repeats each result: texts, or what makes one of a result; made of the settings where None
    hide_below : counts from 1 to below this are shown as "fewer than ..." (5 and 11 are usual), and so are counts and
        shares from which they could be worked out; 0 hides nothing
    layouts : places of variables, name -> (x, y); networks whose variables are all in one of them are drawn so. All
        networks over the same variables share their places in any case
    charts : for each result, pictures to be added (`engine.project.report.charts.Picture`)
    labels : column -> what is shown in its place, the name beside it; in pictures alone. One such for all results, or
        one a result, where tables of different labels are reported together
    when : the date as it is shown; today where empty
    form : "html"; "summary", its first page alone with what limits it; "word" (needs python-docx), without pictures;
        "excel" (needs openpyxl), a sheet a table. Where empty the path's ending says it, else it is "html"
    questions : what nobody has decided about the table, such as a value that looks mistyped, one sentence each

    Returns
    -------
    where `path` is None the text, or the bytes of Word's and Excel's files; otherwise nothing

    Raises
    ------
    DataError : something else than results, a table none of them was made of, or the file cannot be written
    SettingsError : lists of another length than `results`, a number to hide below that is none, a form that is none or
        whose package is not there

    Examples
    --------
    >>> result = engine.LogLinear().run(sample_data.dataset("two_hospitals"))
    >>> text = engine.report(result, title="Two hospitals", hide_below=5)
    >>> text.startswith("<!DOCTYPE html>"), "<script" in text
    (True, False)
    """
    form = form or _ENDINGS.get(Path(path or "").suffix.casefold(), "html")
    check_choice("form", form, FORMS)
    answers = _answers(results)
    labelled = [labels or {}] * len(answers) if isinstance(labels, Mapping | None) else list(labels)
    _check_lengths(len(answers), titles=titles, notes=notes, charts=charts, labels=labelled)
    least = _least(hide_below)
    scripts = _scripts(answers, script, source, least)
    tables = [
        (TableReport(item, table, least, source, questions or _questions(table)), whose)
        for item, table, whose in by_table(answers, _given(data, answers))
    ]
    sources = {number: entry.source for entry, whose in tables for number in whose}
    wanted = zip(
        answers,
        titles or [""] * len(answers),
        notes or [""] * len(answers),
        scripts,
        charts or [()] * len(answers),
        _plans(answers, layouts or (), labelled),
        labelled,
        strict=True,
    )
    parts = [
        Part(Masked(result, least), number, heading or "", note or "", sources[number], text, pictures or (), plan, own)
        for number, (result, heading, note, text, pictures, plan, own) in enumerate(wanted, 1)
    ]
    when = when or date.today().isoformat()
    if form in OFFICE:
        content: str | bytes = OFFICE[form](*heading_and_facts(title, when, parts, tables), parts)
    else:
        first = first_tables(answers, _given(data, answers), least)
        content = page(title, when, parts, tables, first, brief=form == "summary")
    if path is None:
        return content
    try:
        Path(path).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    except OSError as error:
        raise DataError(f"The file '{Path(path).name}' cannot be written: {error.strerror}.") from None
    return None


def _answers(results: Any) -> list[Result]:
    result = [results] if isinstance(results, Result) else list(results) if isinstance(results, list | tuple) else None
    if not result or not all(isinstance(item, Result) for item in result):
        raise DataError("engine.report writes the results of methods' runs: one, or a list of at least one.")
    return result


def _check_lengths(number: int, **given: Sequence[Any] | None) -> None:
    for name, item in given.items():
        if item is not None and (isinstance(item, str) or len(item) != number):
            raise SettingsError(f"{name} must be a list with one entry a result, {number} here.", setting=name)


def _least(hide_below: Any) -> int:
    check_number("hide_below", hide_below, least=0, most=MOST_HIDDEN, whole=True)
    return hide_below if hide_below > 1 else 0  # no count is above 0 and under 1


def _given(data: Any, answers: Sequence[Result]) -> list[Dataset]:
    tables = [data] if isinstance(data, Dataset) else list(data or ())
    if not all(isinstance(table, Dataset) for table in tables):
        raise DataError("data must be the engine.Dataset that the results were made of, or a list of them.")
    if not all(any(table.is_of(result.fingerprint) for result in answers) for table in tables):
        raise DataError("One of the tables in data is none that these results were made of; leave it out.")
    return tables


def _questions(table: Dataset | None) -> Sequence[str]:
    """The open questions that the report of the import remembers, without the Python that answers them."""
    asked = () if table is None or table.report is None else table.report.questions
    return [f"{question.partition('?')[0]}?" for question in asked]


def _scripts(answers: Sequence[Result], script: Any, source: str, least: int) -> list[str]:
    if script is None:
        texts = [script_of(answer, source) for answer in answers]
    elif callable(script):
        texts = [script(answer) for answer in answers]
    else:
        _check_lengths(len(answers), script=script)
        texts = [item or "" for item in script]
    # the values of one person are not shown where small counts are not, whoever wrote the script
    return ["" if least and by_values(one) else clean(text) for one, text in zip(answers, texts, strict=True)]


def _plans(
    answers: Sequence[Result], layouts: Sequence[Mapping[str, Point]], labels: Sequence[Mapping[str, str]]
) -> list[FigureLayout]:
    """Where the variables of each result stand: as in other results over the same variables, unless that hides a link.

    Many variables without a link in any of these are not drawn; the caption names them.
    """
    graphs = [list(answer.graphs().values()) for answer in answers]
    names = [frozenset(name for graph in each for name in graph.nodes) for each in graphs]
    drawn: dict[frozenset[str], set[str]] = {}
    for answer, every in zip(answers, names, strict=True):
        drawn.setdefault(every, set()).update(linked_names(answer), differing_names(answer) & every)
    graphs = [
        [graph.subgraph(drawn[every]) for graph in each]
        if drawn[every] and len(every - drawn[every]) > MOST_ALONE
        else each
        for each, every in zip(graphs, names, strict=True)
    ]
    result = []
    for i, own in enumerate(graphs):
        first = names.index(names[i])  # the one whose order decides, so that all have the same places
        others = [graph for k, each in enumerate(graphs) if names[k] == names[i] and k != first for graph in each]
        fewer = any(len(graph) < len(names[first]) for graph in graphs[first])  # places of all would leave holes
        whole = plan_networks(graphs[first], () if fewer else layouts, others, labels[i])
        shared = whole if first == i else plan_networks(own, [whole.positions], labels=labels[i])
        alone = _hides_links(shared, own) and plan_networks(own, labels=labels[i])
        result.append(alone if alone and not _hides_links(alone, own) else shared)
    return result


def _hides_links(plan: FigureLayout, graphs: Sequence[nx.Graph]) -> bool:
    """True where a link runs behind a box that it does not join, so that it seems to end there."""
    widths = {name: box.width for name, box in plan.boxes.items()}
    return bool(widths) and runs_behind(plan.positions, graphs, widths, next(iter(plan.boxes.values())).height)


_FIXED = ("columns", "reading", "written")
"""Of a recipe: what follows from the other choices, and what reading the file took."""
_USUAL = {"missing": "drop", "bins": 3, "binning": "quantile", "rare": 0, "tick": None}


def script_of(result: Result, source: str = "") -> str:
    """Python that reads the table, prepares it in the same way, and runs the method with the same settings.

    "" where the result does not know what it would take: the values of several people, the rows of several tables.
    """
    recipe = result.provenance.recipe
    choices = {
        name: value
        for name, value in recipe.items()
        if name not in _FIXED and value not in ({}, [], ()) and value != _USUAL.get(name, ...)
    }
    reading = dict(recipe.get("reading") or {})
    table: dict[str, Any] = {"file": source or "table.csv", "reading": reading, "preparing": choices}
    if isinstance(result, ComparisonResult):
        methods = [answer.method for answer in result.answers] if result.group else []
        settings = changed_settings(result.method)
        whole = (methods, result.group, result.levels, result.fingerprint)
        return comparison_script(*whole, settings=settings, **table) if methods else ""
    call, run = "run", {}
    if result.whose == "persons":
        patients = result.patients  # type: ignore[attr-defined]
        call, run = "run_cohort", {"instances": list(patients)}
        if isinstance(patients[0], str):
            return ""
    elif result.whose == "person":
        run = {"instance": result.patient if result.row is None else result.row}  # type: ignore[attr-defined]
        run |= {} if result.target is None else {"target": result.target}  # type: ignore[attr-defined]
    shown = f"result.table({result.table_titles()[0]!r})"
    return analysis_script(result.method, result.fingerprint, call=call, run=run, shown=shown, **table)


def by_values(result: Result) -> bool:
    """True where a result is about a person who is no row of the table, so that a script has to name the values."""
    return result.whose == "person" and result.row is None  # type: ignore[attr-defined]
