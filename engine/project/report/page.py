"""The document as a whole: cover, contents, tables, results, glossary, colophon."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from markupsafe import Markup

from engine import words
from engine.charts.labels import name_of
from engine.charts.network_layout import FigureLayout
from engine.data.dataset import Dataset
from engine.methods.masking import OTHER, Masked, fewer, gives_away, hidden_counts, is_small
from engine.methods.registry import METHODS
from engine.methods.result import Result, Section
from engine.project.report.charts import Picture, pictures_markup
from engine.project.report.intervals import intervals_figure
from engine.project.report.markup import clean, document_with_labels, render
from engine.project.report.networks import links_in_words, network_figure
from engine.project.report.tables import Cell, printed, table_markup, text_cell


def page(
    title: str,
    when: str,
    parts: Sequence[Part],
    tables: Sequence[tuple[TableReport, list[int]]],
    labels: Mapping[str, str],
) -> str:
    """The whole document, of the parts on results and of the tables, each with the numbers of its results."""
    names = list(dict.fromkeys(table.source for table, _ in tables))
    heading = (
        name_of(title) if title.strip() else f"Report on {words.listed(names[:3])}" if len(names) <= 3 else "Report"
    )
    chapters = [part.markup() for part in parts]  # first of all, since the cover says how many cells they hide
    sections = [
        {
            "source": table.source,
            "results": f" · result{'s' if len(own) > 1 else ''} {words.listed(map(str, own))}"
            if len(tables) > 1
            else "",
            "content": table.markup(f"Table 0.{number}"),
        }
        for number, (table, own) in enumerate(tables, 1)
    ]
    least = parts[0].masked.least
    facts = {
        "Table" if len(names) == 1 else "Tables": words.listed(names),
        "Date": name_of(when),
        "Contains": f"{words.count(len(parts), 'result')}; further tables, settings and scripts in the appendix",
    }
    if least:
        hidden = sum(part.hidden for part in parts) + sum(table.hidden for table, _ in tables)
        facts["Small counts"] = (
            f"counts from 1 to {least - 1} are shown as “{fewer(least)}”; {words.count(hidden, 'cell')} hidden in all"
        )
    fingerprints = list(dict.fromkeys(part.result.fingerprint for part in parts))
    versions = dict.fromkeys(
        ", ".join(f"{name} {version}" for name, version in part.result.made.versions.items()) for part in parts
    )
    body = render(
        "body.html",
        title=heading,
        facts=facts,
        least=least,
        data_title="The table" if len(fingerprints) == 1 else "The tables",
        parts=parts,
        tables=sections,
        chapters=[chapter for chapter, _ in chapters],
        appendices=[appendix for _, appendix in chapters],
        answers=[part.first_page() for part in parts[:ON_FIRST_PAGE]],
        picture=parts[0].picture("Figure 1", "cover", parts[0].plan.per_row),
    )
    return render(
        "page.html",
        title=heading,
        body=document_with_labels(body, labels),
        glossary=words.used_terms(body),
        versions=list(versions),
        fingerprints=fingerprints,
    )


ON_FIRST_PAGE = 3
"""Results whose answer stands on the first page."""
MOST_WORDS = 1500
"""Of a chapter; tables that would make it longer stand in the appendix."""
_WORD, _TAG = re.compile(r"\w\S*"), re.compile(r"<[^>]*>")


def count_words(markup: str) -> int:
    """Words and numbers of a text with tags."""
    return len(_WORD.findall(_TAG.sub(" ", markup)))


@dataclass(frozen=True, eq=False)
class Block:
    """What stands in a chapter, or where that is full in its appendix: a table, or the links of a figure in words."""

    title: str
    markup: Markup


@dataclass(frozen=True, eq=False)
class Content:
    """A section of a result: what is always in its chapter, what may be, and which of that is."""

    title: str
    sentences: list[str]
    figures: list[Markup | str]
    blocks: list[Block]
    shown: list[Block]


def method_title(result: Result) -> str:
    """What the method of a result is called on screen."""
    if hasattr(result, "patients"):
        return "Many patients"
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

    Attributes
    ----------
    summary : what the contents say below its title
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
    ) -> None:
        self.masked, self.result, self.number, self.ident = masked, masked.result, number, f"r{number}"
        self.note, self.source, self.script, self.charts, self.plan = note, source, script, charts, plan
        self.title = name_of(title) if title.strip() else method_title(self.result)
        sentences = masked.publishable([self.result.headline()])
        self.headline = (
            sentences[0]
            if sentences
            else f"The answer in one sentence names a count under {masked.least}; it is hidden."
        )
        method = method_title(self.result)
        self.summary = self.headline if self.title == method else f"{method}. {self.headline}"
        self.hidden = self._tables = self._figures = 0

    def first_page(self) -> dict[str, str]:
        """Question, answer and how sure it is, for the first page."""
        certainty = self.masked.publishable(self.result.sentences()[:1])
        many = "Which kinds of patients are there?" if hasattr(self.result, "patients") else ""
        question = many or getattr(METHODS.get(self.result.slug), "question", "") or self.title
        return {"question": question, "answer": self.headline, "certainty": certainty[0] if certainty else ""}

    def picture(self, label: str, ident: str, most: int | None = None) -> Markup | str:
        """The networks of the result, or the first of them; "" where it draws none."""
        if not any("networks" in section.figures for section in self.result.sections()):
            return ""
        return network_figure(self.result, self.plan, f"{self.ident}-{ident}", label, most)

    def markup(self) -> tuple[Markup, Markup]:
        """The chapter, with as many tables as it has room for; and its appendix with the others."""
        result, masked = self.result, self.masked
        sections = [section for section in result.sections() if section.name != "answer"]
        sections.sort(key=lambda section: "networks" not in section.figures)  # the picture first, then its grounds
        contents = [self._content(section) for section in sections if section.name != "method"]
        method = [self._content(section) for section in sections if section.name == "method"]
        self._tables += 1
        chapter = {
            "part": self,
            "method_title": method_title(result),
            "answer": masked.publishable(result.sentences()),
            "user_note": [line for line in clean(self.note).splitlines() if line.strip()],
            "limits": [*masked.publishable(result.notes()), result.caution],
            "charts": () if masked.least else pictures_markup(self.charts, f"{self.ident}-c"),
        }
        settings, provenance = self._settings(), self._provenance()
        chapter["masked"] = self._masked() if masked.least else ""  # after all others, since it says how much they hide
        titles = [block.title for content in (*contents, *method) for block in content.blocks]  # named where it ends
        room = MOST_WORDS - count_words(render("part.html", sections=contents, moved=titles, **chapter))
        moved: list[Block] = []
        for content in contents:
            for block in content.blocks:
                number = count_words(block.markup)
                fits = number <= room
                (content.shown if fits else moved).append(block)
                room -= number if fits else 0
        further = [block for content in method for block in content.blocks]
        shown = [content for content in contents if content.sentences or content.figures or content.shown]
        return (
            render("part.html", sections=shown, moved=[block.title for block in (*moved, *further)], **chapter),
            render("appendix.html", part=self, blocks=moved, method=method, settings=settings, provenance=provenance),
        )

    def _settings(self) -> Markup:
        """The settings by the words of their forms, their names in Python, and their values."""
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
        """Title, sentences, networks, charts and tables of a section."""
        titles, figures, blocks = self.masked.publishable([section.title]), [], []
        if "networks" in section.figures:
            self._figures += 1
            label = f"Figure {self.number}.{self._figures}"
            figures = [picture] if (picture := self.picture(label, "n")) else []
            blocks = [Block(f"{label} in words", links_in_words(self.result, label))] if figures else []
        for title in section.tables:
            if title == "Settings" or not self.masked.shows(title):
                continue
            figures += [chart] if (chart := self._chart(title)) else []
            blocks += [table] if (table := self._table(title)) else []
        title = titles[0] if titles else section.name.capitalize()
        return Content(title, self._sentences(section), figures, blocks, [])

    def _chart(self, title: str) -> Markup | str:
        if self.masked.least:  # an estimate may give a small count away
            return ""
        about, label = self.result.table_description(title), f"Figure {self.number}.{self._figures + 1}"
        chart = intervals_figure(self.masked.frame(title), about, f"{label} {title}")
        self._figures += bool(chart)
        return chart

    def _table(self, title: str) -> Block | None:
        table = self.masked.frame(title)
        about = self.result.table_description(title)
        if not len(table) or about.drawn:
            return None
        self._tables += 1
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

    def markup(self, label: str) -> Markup:
        """Sentences, facts and columns."""
        rows = self._columns()
        header = ["column", "kind", "levels and rows" if self.data is not None else "levels"]
        header += ["missing", "why"] if self.report is not None else []
        return render(
            "data.html",
            label=label,
            sentences=self._sentences(),
            facts=self._facts(),
            about=self._about_columns(len(rows)),
            header=[Cell(text, "n" if text == "missing" else "") for text in header],
            rows=[  # what the levels of a column are is markup already
                [Cell(text) if i == 2 else text_cell(text, i == 3) for i, text in enumerate(row)]
                for row in rows[:MOST_COLUMNS]
            ],
            ident=f"data-{self.result.fingerprint[:12]}",
            problems=self._problems(),
        )

    # -- inside -------------------------------------------------------------------------------------------------------

    def _count(self, number: int) -> str:
        if not is_small(number, self.least):
            return f"{number:,}"
        self.hidden += 1
        return fewer(self.least)

    def _facts(self) -> dict[str, str]:
        provenance = self.result.made
        used = self._count(provenance.rows_used)
        if provenance.rows_given != provenance.rows_used:  # with the rows of every group it says how many are left out
            self.hidden += bool(self.least)
            used += f" of {'a number that is hidden' if self.least else self._count(provenance.rows_given)}"
        return {"Rows used": used, "Fingerprint": self.result.fingerprint}

    def _sentences(self) -> list[str]:
        if self.report is None or not self.report.rows_dropped:
            return []
        return self._safe_sentences(
            [self.report.rows_sentence()], "How many rows were dropped for which column is hidden."
        )

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
            why = f"{why}; in the file: {name_of(item.renamed_from)[:80]}"
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
    matches: dict[str, tuple[Result, Dataset | None, list[int]]] = {}
    for number, result in enumerate(results, 1):
        table = next((entry for entry in given if entry.is_of(result.fingerprint)), None)
        item = matches.setdefault(result.fingerprint, (result, table, []))
        item[2].append(number)
    return list(matches.values())
