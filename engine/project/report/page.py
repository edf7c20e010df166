"""The document as a whole: first page, a chapter a result, the data, the glossary, the appendix, the colophon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from markupsafe import Markup

from engine import words
from engine.data.dataset import Dataset
from engine.methods.masked import Masked
from engine.methods.registry import METHODS
from engine.methods.result import Result
from engine.project.report.charts import Picture, pictures_markup
from engine.project.report.intervals import intervals_figure
from engine.project.report.markup import clean, document_with_labels, render
from engine.project.report.networks import links_in_words, network_figure
from engine.project.report.tables import MOST_ROWS, Cell, printed, table_markup, text_cell
from engine.telling import terms
from engine.telling.charts.labels import name_of
from engine.telling.charts.network_layout import FigureLayout
from engine.telling.masking import OTHER, fewer, gives_away, hidden_counts, is_small
from engine.telling.sections import Section
from engine.words import short


def heading_and_facts(
    title: str, when: str, parts: Sequence[Part], tables: Sequence[tuple[TableReport, list[int]]]
) -> tuple[str, dict[str, str]]:
    """What the document is called, and what stands below: the tables, the date, how many cells are hidden so far."""
    names = list(dict.fromkeys(table.source for table, _ in tables))
    heading = (
        name_of(title) if title.strip() else f"Report on {words.listed(names[:3])}" if len(names) <= 3 else "Report"
    )
    least = parts[0].masked.least
    facts = {
        "Table" if len(tables) == 1 else "Tables": "; ".join(table.summary() for table, _ in tables[:ON_FIRST_PAGE]),
        "Date": name_of(when),
    }
    if least:
        hidden = sum(part.hidden for part in parts) + sum(table.hidden for table, _ in tables)
        facts["Small counts"] = (
            f"counts from 1 to {least - 1} are shown as “{fewer(least)}”; {words.count(hidden, 'cell')} hidden in all"
        )
    return heading, facts


def page(
    title: str,
    when: str,
    parts: Sequence[Part],
    tables: Sequence[tuple[TableReport, list[int]]],
    brief: bool = False,
) -> str:
    """The whole document, of the parts on results and of the tables, each with the numbers of its results.

    A brief one is its first page, with what limits each result.
    """
    table = next((found for part in parts if (found := part.first_table())), "")
    chapters = [part.markup() for part in parts]  # first of all, since the cover says how many cells they hide
    sections = []
    for number, (entry, own) in enumerate(tables, 1):
        whose = f" · result{'s' if len(own) > 1 else ''} {words.listed(map(str, own))}" if len(tables) > 1 else ""
        content, columns = map(parts[own[0] - 1].labelled, entry.markup(f"Table 0.{number}"))
        sections.append({"title": f"{entry.source}{whose}", "content": content, "columns": columns})
    heading, facts = heading_and_facts(title, when, parts, tables)
    least = parts[0].masked.least
    fingerprints = list(dict.fromkeys(part.result.fingerprint for part in parts))
    versions = dict.fromkeys(
        ", ".join(f"{name} {version}" for name, version in part.result.made.versions.items()) for part in parts
    )
    body = render(
        "body.html",
        title=heading,
        facts=facts,
        least=least,
        brief=brief,
        limits=list(dict.fromkeys(part.result.caution for part in parts)),
        table=parts[0].labelled(table),
        glossary=terms.used_terms("".join(chapter for chapter, _ in chapters)),
        data_title="The table" if len(fingerprints) == 1 else "The tables",
        parts=parts,
        tables=sections,
        chapters=[part.labelled(chapter) for part, (chapter, _) in zip(parts, chapters, strict=True)],
        appendices=[part.labelled(appendix) for part, (_, appendix) in zip(parts, chapters, strict=True)],
        answers=[part.first_page(ON_FIRST_PAGE - 1 if len(parts) == 1 else 0) for part in parts[:ON_FIRST_PAGE]],
        picture=parts[0].labelled(
            parts[0].cover_picture(f"Figure 1 {parts[0].title}" if len(parts) > 1 else "Figure 1")
        ),
    )
    return render(
        "page.html",
        title=heading,
        body=body,
        versions=list(versions),
        fingerprints=fingerprints,
    )


ON_FIRST_PAGE = 3
"""Sentences on the first page: the headlines of so many results, or that of the only one with two more."""
FIRST_TABLES, MOST_FIRST_ROWS = ("Characteristics", "Patient"), 10
"""Tables of which one stands on the first page, and its rows there."""
APPENDIX = ("method", "story", "paper")
"""Sections that stand there alone."""
MOST_FIGURES, MOST_TABLES, MOST_TABLE_ROWS = 2, 2, 12
"""Of a chapter; further pictures, further tables and longer ones stand in the appendix."""


@dataclass(frozen=True, eq=False)
class Block:
    """A picture or a table of a result, or the links of a picture in words."""

    title: str
    markup: Markup


@dataclass(frozen=True, eq=False)
class Content:
    """A section of a result, in its chapter or in the appendix: its heading, what it says, and what stands below."""

    title: str
    sentences: list[str]
    blocks: list[Block]


def method_title(result: Result) -> str:
    """What the method of a result is called on screen."""
    if result.title:
        return result.title
    method = METHODS.get(result.slug, type(result.method))
    return str(getattr(method, "title", "") or result.slug.replace("_", " "))


class Part:
    """The part of the document on one result.

    Parameters
    ----------
    masked : the result, and what of it may be shown
    number : of the part, from 1
    title, note : the user's words; may be empty
    source : what its table is called
    script : the Python that repeats it
    charts : pictures from elsewhere
    plan : where its variables stand
    labels : column -> what is shown in its place

    Attributes
    ----------
    hidden : cells of the tables in it that are hidden; known once `markup` was made
    """

    def __init__(
        self,
        masked: Masked,
        number: int,
        title: str,
        note: str,
        source: str,
        script: str,
        charts: Sequence[Picture],
        plan: FigureLayout,
        labels: Mapping[str, str],
    ) -> None:
        self.masked, self.result, self.number, self.ident = masked, masked.result, number, f"r{number}"
        self.note, self.source, self.script, self.charts, self.plan = note, source, script, charts, plan
        self.labels = labels
        self.title = name_of(title) if title.strip() else method_title(self.result)
        sentences = masked.publishable([self.result.headline()])
        self.headline = (
            sentences[0]
            if sentences
            else f"The answer in one sentence names a count under {masked.least}; it is hidden."
        )
        self.hidden = self._tables = self._figures = 0
        self._pictured = False
        self._charts_shown: set[str] = set()
        self._tables_shown: set[str] = set()

    def first_page(self, further: int) -> dict[str, Any]:
        """Question, answer and as many further sentences as the first page has room for."""
        many = "Which kinds of patients are there?" if self.result.whose == "persons" else ""
        question = many or self.result.method.question
        sentences = [self.headline, *self.masked.publishable(self.result.sentences())[:further]]
        headline, *sentences = [words.with_labels(sentence, self.labels) for sentence in sentences]
        return {"part": self, "question": question, "headline": headline, "sentences": sentences}

    def first_table(self) -> Markup | str:
        """Who is compared, or the patient's values, in as many rows as the first page has room for; "" without."""
        for title in FIRST_TABLES:
            if title in self.result.table_titles() and self.masked.shows(title):
                whole, about = self.masked.frame(title), self.result.table_description(title)
                begins = [k for k in range(len(whole)) if k <= MOST_FIRST_ROWS and whole.iloc[k, 0] != ""]
                frame = whole if len(whole) <= MOST_FIRST_ROWS else whole.head(begins[-1] or MOST_FIRST_ROWS)
                rest = len(whole) - len(frame)
                more = f"{words.count(rest, 'more row')} in chapter {self.number} of the whole report" if rest else ""
                label, cells = "Table 1", self.masked.cells[title]
                self.hidden += printed(cells, about, len(frame))
                return table_markup(frame, about, label=label, title=title, where=more, hidden=cells, brief=more)
        return ""

    def limits(self) -> list[str]:
        """What limits the result, in sentences."""
        return [*self.masked.publishable(self.result.notes()), self.result.caution]

    def short_tables(self) -> list[str]:
        """The tables that a chapter would print, by their titles."""
        chapter = [section for section in self.result.sections() if section.name not in ("answer", *APPENDIX)]
        titles = [title for section in chapter for title in self._tables_of(section)]
        first = [title for title in FIRST_TABLES if title in self.result.table_titles() and self.masked.shows(title)]
        return [*first, *(title for title in titles if title not in first)][: 1 + MOST_TABLES]

    def labelled(self, markup: Markup | str) -> Markup:
        """Markup about the result or its table, with labels in its text."""
        return document_with_labels(markup, self.labels)

    def picture(self, label: str, ident: str, most: int | None = None) -> Markup | str:
        """The networks of the result, or the first of them; "" where it draws none."""
        if not any("networks" in section.figures for section in self.result.sections()):
            return ""
        return network_figure(self.result, self.plan, f"{self.ident}-{ident}", label, most)

    def cover_picture(self, label: str) -> Markup | str:
        """The networks that stand in one row; where they have no link, the chart of the first table that has one."""
        sections = self.result.sections()
        if not any(graph.number_of_edges() for graph in self.result.graphs().values()) and not self.masked.least:
            titles = (title for section in sections for title in self._tables_of(section))
            charts = (
                intervals_figure(self.masked.frame(title), self.result.table_description(title), label)
                for title in titles
            )
            if chart := next(filter(None, charts), ""):
                return chart
        return self.picture(label, "cover", self.plan.per_row)

    def markup(self) -> tuple[Markup, Markup]:
        """The chapter, with the first pictures and the first short tables; and its appendix with all others."""
        result, masked = self.result, self.masked
        sections = [section for section in result.sections() if section.name != "answer"]
        # who is compared, then the picture, then its grounds; accuracy, which a headline says, before both
        sections.sort(key=lambda section: (section.name != "described", not {"networks", "roc"} & {*section.figures}))
        chapter = [self._content(section) for section in sections if section.name not in APPENDIX]
        appendix = [self._further(section) for section in sections]
        settings, provenance = self._settings(), self._provenance()
        method = method_title(result)
        part = render(
            "part.html",
            part=self,
            method_title="" if method == self.title else method,
            answer=masked.publishable(result.sentences()),
            user_note=[line for line in clean(self.note).splitlines() if line.strip()],
            limits=self.limits(),
            masked=self._masked() if masked.least else "",  # after all others, since it says how much they hide
            sections=[content for content in chapter if content.sentences or content.blocks],
            charts=() if masked.least else pictures_markup(self.charts, f"{self.ident}-c"),
        )
        contents = [content for content in appendix if content.sentences or content.blocks]
        titles = [block.title for content in contents for block in content.blocks]
        return part, render(
            "appendix.html", part=self, titles=titles, sections=contents, settings=settings, provenance=provenance
        )

    def _settings(self) -> Markup:
        """The settings by the words of their forms, their names in Python, and their values."""
        self._tables += 1
        labels = {
            field.name: str(field.metadata.get("label") or _spaced(field.name)) for field in fields(self.result.method)
        }
        return render(
            "settings.html",
            label=f"Table {self.number}.{self._tables}",
            ident=f"{self.ident}-settings",
            header=[Cell(text) for text in ("what", "name in Python", "value")],
            rows=[
                [text_cell(labels.get(name, _spaced(name))), text_cell(name), text_cell(_setting(value))]
                for name, value in self.result.settings().items()
            ],
        )

    def _masked(self) -> str:
        least = self.masked.least
        for section in self.result.sections():  # all sentences have been looked at before their number is given
            self._sentences(section)
        text = f"Counts from 1 to {least - 1} are shown as “{fewer(least)}”. "
        if self.hidden:
            cells, verb = words.count(self.hidden, "cell"), "is" if self.hidden == 1 else "are"
            text += f"In this part {cells} {verb} hidden, those among them from which such a count could be worked out."
        else:
            text += "No cell of this part had to be hidden."
        if unsaid := len(self.masked.withheld):
            text += (
                f" {words.count(unsaid, 'sentence')} {'is' if unsaid == 1 else 'are'} left out because "
                f"{'it names' if unsaid == 1 else 'they name'} such a count, or would give one away."
            )
        persons = [title for title in self.result.table_titles() if not self.masked.shows(title)]
        if persons:
            text += f" Left out because each row is one person: {words.listed(persons)}."
        return text

    def _sentences(self, section: Section) -> list[str]:
        return self.masked.publishable([sentence for sentence in section.sentences if sentence != self.result.caution])

    def _content(self, section: Section) -> Content:
        """What the chapter shows of a section."""
        blocks = []
        if "networks" in section.figures and (picture := self._networks()):
            blocks = [picture]
        for title in self._tables_of(section):
            about = self.result.table_description(title)
            if about.chart not in about.technical and self._figures < MOST_FIGURES and (chart := self._chart(title)):
                blocks.append(chart)
        for title in self._tables_of(section):
            rows, described = len(self.masked.frame(title)), section.name == "described"
            if rows <= (MOST_ROWS if described else MOST_TABLE_ROWS) and self._tables < MOST_TABLES:
                blocks += [table] if (table := self._table(title, chapter=True)) else []
        return Content(self._heading(section), self._sentences(section), blocks)

    def _further(self, section: Section) -> Content:
        """What the appendix has of a section: what the chapter does not show."""
        blocks = []
        if "networks" in section.figures and self._pictured:
            label = f"Figure {self.number}.1"
            blocks = [Block(f"{label} in words", links_in_words(self.result, label))]
        for title in self._tables_of(section):
            blocks += [block for make in (self._chart, self._table) if (block := make(title))]
        return Content(self._heading(section), self._sentences(section) if section.name in APPENDIX else [], blocks)

    def _heading(self, section: Section) -> str:
        titles = self.masked.publishable([section.title])
        return titles[0] if titles else section.name.capitalize()

    def _tables_of(self, section: Section) -> list[str]:
        return [title for title in section.tables if title != "Settings" and self.masked.shows(title)]

    def _networks(self) -> Block | None:
        """The networks, which are the first figure of the chapter."""
        label = f"Figure {self.number}.1"
        picture = self.picture(label, "n")
        if not picture:
            return None
        self._figures += 1
        self._pictured = True
        return Block(label, Markup(picture))  # noqa: S704 - rendered

    def _chart(self, title: str) -> Block | None:
        if self.masked.least or title in self._charts_shown:  # an estimate may give a small count away
            return None
        about, label = self.result.table_description(title), f"Figure {self.number}.{self._figures + 1}"
        chart = intervals_figure(self.masked.frame(title), about, f"{label} {title}")
        if not chart:
            return None
        self._figures += 1
        self._charts_shown.add(title)
        return Block(f"{label} {title}", Markup(chart))  # noqa: S704 - rendered

    def _table(self, title: str, *, chapter: bool = False) -> Block | None:
        table = self.masked.frame(title)
        about = self.result.table_description(title)
        technical = about.technical if chapter else ()
        about = about.in_chapter() if chapter else about
        if not len(table) or about.drawn or title in self._tables_shown:
            return None
        self._tables += 1
        if not technical:
            self._tables_shown.add(title)
        call = f"{about.given_by}()" if about.given_by else f"table({title!r})"
        self.hidden += printed(self.masked.cells[title], about)
        label = f"Table {self.number}.{self._tables}"
        markup = table_markup(
            table,
            about,
            label=label,
            title=title,
            where=f"result.{call} in Python, or the CSV file of that name",
            hidden=self.masked.cells[title],
        )
        return Block(f"{label} {title}", markup)

    def _provenance(self) -> dict[str, str]:
        provenance = self.result.provenance
        facts = {"Table": self.source} | self._rows()
        facts |= {"Fingerprint of the data": provenance.fingerprint, "Seed": str(provenance.seed)}
        facts["Versions"] = ", ".join(f"{name} {version}" for name, version in provenance.versions.items())
        return facts

    def _rows(self) -> dict[str, str]:
        """How many rows there were, as the table of settings has it below the settings."""
        if "Settings" not in self.result.table_titles():
            return {}
        table, cells = self.masked.frame("Settings"), self.masked.cells["Settings"]
        result = {}
        for i in range(len(self.result.settings()), len(table)):
            name, value = str(table["setting"].iloc[i]), str(table["value"].iloc[i])
            if value.isdecimal():
                text = cells.words((i, "value"))
                self.hidden += text is not None
                result[name_of(name[:1].upper() + name[1:])] = text or f"{int(value):,}"
        return result


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _setting(value: Any) -> str:
    if value is None or value == () or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict) and "name" in value:
        rest = ", ".join(f"{name} {item}" for name, item in value.items() if name != "name" and item not in (None, ()))
        return f"{value['name']}{f' ({rest})' if rest else ''}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


MOST_LEVELS, MOST_COLUMNS = 14, 150


class TableReport:
    """The part of the document on one table.

    Parameters
    ----------
    result : one that was made of it
    data : the table itself, where it is at hand
    least : the least count that is shown
    source : what the table is called
    """

    def __init__(self, result: Result, data: Dataset | None, least: int, source: str) -> None:
        self.result, self.data, self.least = result, data, least
        self.report = None if data is None else data.report
        self.hidden = 0
        reading = self.report.reading if self.report is not None and self.report.reading else {}
        self.source = name_of(source or reading.get("file") or "the table")

    def summary(self) -> str:
        """Its name, how many rows were used and how many variables it has."""
        provenance = self.result.made
        used = self._count(provenance.rows_used)
        if provenance.rows_given != provenance.rows_used:  # with the rows of every group it says how many are left out
            self.hidden += bool(self.least)
            used += f" of {'a number that is hidden' if self.least else self._count(provenance.rows_given)}"
        return f"{self.source}: {used} rows used, {words.count(len(self.result.names), 'variable')}"

    def markup(self, label: str) -> tuple[Markup, Markup]:
        """What is to be known of it; and for the appendix how each column became a variable."""
        rows = self._columns()
        header = ["column", "kind", "levels and rows" if self.data is not None else "levels"]
        header += ["missing", "why"] if self.report is not None else []
        return (
            render("data.html", sentences=self._sentences(), problems=self._problems()),
            render(
                "columns.html",
                label=label,
                about=self._about_columns(len(rows)),
                header=[Cell(text, "n" if text == "missing" else "") for text in header],
                rows=[  # what the levels of a column are is markup already
                    [Cell(text) if i == 2 else text_cell(text, i == 3) for i, text in enumerate(row)]
                    for row in rows[:MOST_COLUMNS]
                ],
                ident=f"data-{self.result.fingerprint[:12]}",
            ),
        )

    # -- inside -------------------------------------------------------------------------------------------------------

    def _count(self, number: int) -> str:
        if not is_small(number, self.least):
            return f"{number:,}"
        self.hidden += 1
        return fewer(self.least)

    def _sentences(self) -> list[str]:
        size = f"{self.summary().removeprefix(f'{self.source}: ')}."
        if self.report is None or not self.report.rows_dropped:
            return [size]
        return [
            size,
            *self._safe_sentences(
                [self.report.rows_sentence()], "How many rows were dropped for which column is hidden."
            ),
        ]

    def _safe_sentences(self, sentences: Sequence[str], instead: str = "") -> list[str]:
        if not self.least:
            return list(sentences)
        provenance = self.result.made
        few = is_small(provenance.rows_given - provenance.rows_used, self.least)
        result = [
            sentence
            for sentence in sentences
            if not gives_away(sentence, self.least) and not (few and "dropped" in sentence)
        ]
        return result + ([instead] if instead and len(result) < len(sentences) else [])

    def _about_columns(self, number: int) -> str:
        text = "How each column became a variable. "
        if self.data is None:
            text = "As the results remember it; counts of levels need the table itself. "
        if number > MOST_COLUMNS:
            text += f"The first {MOST_COLUMNS} of {number:,} columns."
        return text

    def _columns(self) -> list[list[str]]:
        if self.report is not None and self.data is not None:
            return [self._reported(column, self.data) for column in self.report.columns]
        if self.data is not None:
            return [
                [name_of(name), self.data.kinds[name], self._levels(self.data.levels[name], _counts(self.data, name))]
                for name in self.data.names
            ]
        columns = self.result.provenance.recipe.get("columns", ())
        if columns:
            return [
                [
                    name_of(column["name"]),
                    column["kind"],
                    self._levels(column["levels"], (), column["cuts"]),
                ]
                for column in columns
            ]
        return [[name_of(name), "–", "–"] for name in self.result.names]

    def _reported(self, item: Any, data: Dataset) -> list[str]:
        """A line of the report of the import, with the counts of the rows that were used."""
        levels: Sequence[str] = data.levels.get(item.name, item.levels)
        counts = _counts(data, item.name) if item.name in data.names else item.counts
        cuts = data.cuts.get(item.name, item.cuts)
        why = f"chosen; {item.reason}" if item.chosen and item.reason else "chosen" if item.chosen else item.reason
        kind = {"ignore": "left out", "continuous": "number, in intervals"}.get(item.kind, item.kind)
        name = name_of(item.name)
        if item.renamed_from is not None:
            why = f"{why}; in the file: {short(name_of(item.renamed_from), 80)}"
        return [name, kind, self._levels(levels, counts, cuts), self._count(item.missing) if item.missing else "–", why]

    def _levels(self, levels: Sequence[str], counts: Sequence[int], cuts: Sequence[float] = ()) -> Markup:
        small, others = hidden_counts(counts, self.least) if self.least else (set(), set())
        self.hidden += len(small | others)
        chips = []
        for i, level in enumerate(list(levels)[:MOST_LEVELS]):
            number = ""
            if i < len(counts):
                number = fewer(self.least) if i in small else OTHER if i in others else f"{counts[i]:,}"
            chips.append((name_of(level), number))
        more = f" and {len(levels) - MOST_LEVELS:,} more" if len(levels) > MOST_LEVELS else ""
        cut = f" cut at {words.listed(f'{number:g}' for number in cuts)}" if len(cuts) else ""
        return render("levels.html", chips=chips, more=more + cut)

    def _problems(self) -> list[str]:
        return [] if self.report is None else self._safe_sentences([*self.report.problems, *self.report.suggestions])


def _counts(data: Dataset, name: str) -> list[int]:
    result = np.bincount(data.column(name), minlength=len(data.levels[name]))
    return [int(item) for item in result]


def by_table(results: Sequence[Result], given: Sequence[Dataset]) -> list[tuple[Result, Dataset | None, list[int]]]:
    """The tables of the results, each once: a result made of it, the table where it is at hand, and whose it is."""
    tables: dict[str, tuple[Result, Dataset | None, list[int]]] = {}
    for number, result in enumerate(results, 1):
        table = next((entry for entry in given if entry.is_of(result.fingerprint)), None)
        item = tables.setdefault(result.fingerprint, (result, table, []))
        item[2].append(number)
    return list(tables.values())
