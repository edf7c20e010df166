"""The document as a whole: first page, a chapter a result, the data, the glossary, the appendix, the colophon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from markupsafe import Markup

from engine import words
from engine.lazy import pd
from engine.methods.links_result import reconcile_results
from engine.methods.masked import Masked
from engine.methods.registry import METHODS
from engine.methods.result import Result
from engine.methods.table_one import DescribedResult
from engine.project.report.about_table import TableReport
from engine.project.report.charts import Picture, pictures_markup
from engine.project.report.first_table import MOST_BESIDE, MOST_ROWS, FirstTable
from engine.project.report.intervals import intervals_figure
from engine.project.report.markup import clean, document_with_labels, render
from engine.project.report.networks import links_in_words, network_figure
from engine.project.report.tables import Cell, printed, rows_printed, table_markup, text_cell
from engine.telling import terms
from engine.telling.charts.labels import name_of
from engine.telling.charts.network_layout import FigureLayout
from engine.telling.drawing import lines_of
from engine.telling.masking import fewer
from engine.telling.sections import Section
from engine.telling.table_one import ODD, odd_note, odd_values, smallest_group
from engine.text import told


def heading_and_facts(
    title: str,
    when: str,
    parts: Sequence[Part],
    tables: Sequence[tuple[TableReport, list[int]]],
    first: Sequence[FirstTable] = (),
) -> tuple[str, dict[str, str]]:
    """What the document is called, and what stands below: the tables, the date, how many cells are hidden so far."""
    names = list(dict.fromkeys(table.source for table, _ in tables))
    heading = (
        name_of(title) if title.strip() else f"Report on {words.listed(names[:3])}" if len(names) <= 3 else "Report"
    )
    least = parts[0].masked.least
    facts = {
        "Table" if len(tables) == 1 else "Tables": "; ".join(table.summary() for table, _ in tables[:ON_FIRST_PAGE]),
    }
    if questions := [question for table, _ in tables for question in table.questions]:
        rest = len(questions) - MOST_QUESTIONS
        more = f" And {words.count(rest, 'more question')}." if rest > 0 else ""
        facts["Not decided"] = " ".join(questions[:MOST_QUESTIONS]) + more
    if joins := reconcile_results(part.result for part in parts):
        facts["Links"] = joins
    facts["Date"] = name_of(when)
    if least:
        hidden = sum(part.hidden for part in parts) + sum(table.hidden for table, _ in tables)
        hidden += sum(table.hidden for table in first)
        facts["Small counts"] = (
            f"counts from 1 to {least - 1} are shown as “{fewer(least)}”; {words.count(hidden, 'cell')} hidden in all"
        )
    return heading, facts


def page(
    title: str,
    when: str,
    parts: Sequence[Part],
    tables: Sequence[tuple[TableReport, list[int]]],
    first: Sequence[FirstTable],
    brief: bool = False,
) -> str:
    """The whole document, of the parts on results and of the tables, each with the numbers of its results.

    A brief one is its first page, with what limits each result.
    """
    for part in parts if len(tables) == 1 else ():  # of several tables it is not known here whose a Table 1 is
        part.odd = [text for entry in first if (text := odd_values(entry.rows, entry.least))]
    short: Markup | str = next((found for part in parts if not first and (found := part.patient())), "")
    if first:
        where = "the whole report" if brief else "“The table”, behind the results"
        odd = odd_note(first[0].rows, first[0].least)
        if brief:
            said = "".join(sentence for part in parts for sentence in part.result.how_sure())
            sure = "P(differs): probability that the groups differ; " if "P(differs)" in said else ""
            sure = f"{ODD} Values in doubt: see “What limits this”. {sure}" if odd else sure
            odd = told("{}SMD: difference in SDs; pp: percentage points.", sure)
        short = first[0].short((MOST_ROWS if len(parts) == 1 else MOST_BESIDE) - 2 * brief, where, odd)
    chapters = [part.markup() for part in parts]  # first of all, since the cover says how many cells they hide
    described = [] if brief else [(table.notes(), parts[0].labelled(table.whole())) for table in first]
    sections = []
    for number, (entry, own) in enumerate(tables, 1):
        whose = f" · result{'s' if len(own) > 1 else ''} {words.listed(map(str, own))}" if len(tables) > 1 else ""
        content, columns = map(parts[own[0] - 1].labelled, entry.markup(f"Table 0.{number}"))
        sections.append({"title": f"{entry.source}{whose}", "content": content, "columns": columns})
    heading, facts = heading_and_facts(title, when, parts, tables, first)
    least = parts[0].masked.least
    fingerprints = list(dict.fromkeys(part.result.fingerprint for part in parts))
    versions = dict.fromkeys(
        ", ".join(f"{name} {version}" for name, version in part.result.made.versions.items()) for part in parts
    )
    drawn = next((part for part in parts if isinstance(part.result, DescribedResult)), parts[0])
    body = render(
        "body.html",
        title=heading,
        facts={name: words.with_labels(fact, parts[0].labels) for name, fact in facts.items()},
        least=least,
        brief=brief,
        limits=list(dict.fromkeys(limit for part in parts[:ON_FIRST_PAGE] for limit in part.first_limits())),
        more=words.count(len(parts) - ON_FIRST_PAGE, "more result") if len(parts) > ON_FIRST_PAGE else "",
        table=parts[0].labelled(short),
        glossary=terms.used_terms("".join(chapter for chapter, _ in chapters)),
        data_title="The table" if len(fingerprints) == 1 else "The tables",
        parts=parts,
        tables=sections,
        described=described,
        chapters=[part.labelled(chapter) for part, (chapter, _) in zip(parts, chapters, strict=True)],
        appendices=[part.labelled(appendix) for part, (_, appendix) in zip(parts, chapters, strict=True)],
        answers=[part.first_page(ON_FIRST_PAGE - 1 if len(parts) == 1 else 1) for part in parts[:ON_FIRST_PAGE]],
        picture=drawn.labelled(
            drawn.cover_picture(
                f"Figure 1, of result {drawn.number}" if len(parts) > 1 else "Figure 1",
                "the whole report" if brief else f"the table of result {drawn.number}",
                ON_COVER - brief,
            )
        ),
    )
    return render("page.html", title=heading, body=body, versions=list(versions), fingerprints=fingerprints)


ON_FIRST_PAGE = 3
"""Sentences on the first page: the headlines of so many results, or that of the only one with two more."""
MOST_QUESTIONS, ON_COVER, MOST_WORDS = 3, 4, 120
"""Open questions on the first page, rows of a chart, and words of one of several results below its headline."""
FIRST_TABLES, MOST_FIRST_ROWS = ("Characteristics", "Patient"), 10
"""Tables of which one stands on the first page, and the rows of a patient's there."""
APPENDIX = ("method", "story", "paper", "shared")
"""Sections that stand there alone."""
MOST_FIGURES, MOST_TABLES, MOST_TABLE_ROWS = 2, 2, 12
"""Of a chapter; further pictures, tables and rows stand in the appendix."""


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
    """Name of a result's method on screen."""
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
    odd : which values of its table look like errors, where Table 1 of the document says so
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
        self.labels, self.odd = labels, list[str]()
        asked = masked.publishable([self.result.question()])
        self.question = asked[0] if asked else self.result.method.question
        self.title = name_of(title) if title.strip() else words.with_labels(self.question, labels)
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
        """Question, answer, and as many sentences as there is room for: how sure it is and what is open come first."""
        said = self.result.how_sure()
        sure = self.masked.publishable([*said[:1], *self.result.left_open(), *said[1:]])
        rest = self.masked.publishable(sentence for sentence in self.result.sentences() if sentence not in sure)
        first = [*sure, *rest][: max(further, len(sure))]
        while len(first) > further == 1 and len(" ".join(first).split()) > MOST_WORDS:
            first.pop()
        headline, question, *below = [
            words.with_labels(sentence, self.labels) for sentence in (self.headline, self.question, *first)
        ]
        return {"part": self, "question": question, "headline": headline, "sentences": below}

    def patient(self) -> Markup | str:
        """The patient's values, as many as the first page has room for; "" where the result is of no single one."""
        title = FIRST_TABLES[1]
        if title not in self.result.table_titles() or not self.masked.shows(title):
            return ""
        whole, cells = self.masked.frame(title), self.masked.cells[title]
        rest = len(whole) - MOST_FIRST_ROWS
        more = f"{words.count(rest, 'more value')} in the appendix of result {self.number}" if rest > 0 else ""
        about = self.result.table_description(title)
        self.hidden += printed(cells, about, MOST_FIRST_ROWS)
        return table_markup(
            whole.head(MOST_FIRST_ROWS), about, label="Table 1", title=title, where="", hidden=cells, brief=more
        )

    def limits(self) -> list[str]:
        """Limits of the result, in sentences."""
        return list(dict.fromkeys([*self.masked.publishable(self.result.notes()), *self.odd, self.result.caution]))

    def first_limits(self) -> list[str]:
        """Limits of the result that the summary names: the smallest group, odd values, the caution."""
        rows = self.result.described if isinstance(self.result, DescribedResult) else None
        return [*self.masked.publishable(smallest_group(rows)), *self.odd, self.result.caution]

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

    def cover_picture(self, label: str, where: str, most: int) -> Markup | str:
        """The chart of the first table that has one, which is read when small too; else the networks in one row."""
        linked = any(lines_of(self.result, self.plan.per_row).values())
        for title in (title for section in self.result.sections() for title in self._tables_of(section)):
            about = self.result.table_description(title)
            if self.masked.least or (linked and about.chart not in about.ends):
                continue
            if chart := intervals_figure(self._drawn(title), about, label, most, where):
                return chart
        return self.picture(label, "cover", self.plan.per_row)

    def markup(self) -> tuple[Markup, Markup]:
        """The chapter, with the first pictures and the first short tables; and its appendix with all others."""
        result, masked = self.result, self.masked
        # who is compared is Table 1 of the document
        sections = [section for section in result.sections() if section.name not in ("answer", "described")]
        # the picture, then its grounds; accuracy, which a headline says, before both
        sections.sort(key=lambda section: not {"networks", "roc"} & {*section.figures})
        chapter = [self._content(section) for section in sections if section.name not in APPENDIX]
        appendix = [self._further(section) for section in sections]
        settings, provenance = self._settings(), self._provenance()
        method = method_title(result)
        part = render(
            "part.html",
            part=self,
            method_title=method,
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
        if "networks" in section.figures and (picture := self._networks(section.networks)):
            blocks = [picture]
        for title in self._tables_of(section):
            about = self.result.table_description(title)
            wanted = not about.apart and about.chart not in about.technical and self._figures < MOST_FIGURES
            blocks += [chart] if wanted and (chart := self._chart(title)) else []
        for title in self._tables_of(section):
            if self._tables < MOST_TABLES and not self.result.table_description(title).apart:
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

    def _networks(self, most: int | None) -> Block | None:
        """The first figure of the chapter: the networks, or the first of them; without any link a sentence says so."""
        label, lines = f"Figure {self.number}.1", lines_of(self.result)
        if lines and not any(lines.values()):
            none = "The network has no link." if len(lines) == 1 else f"None of the {len(lines)} networks has a link."
            return Block(label, Markup("<p class='text'>{}</p>").format(none))
        picture = self.picture(label, "n", most)
        if not picture:
            return None
        self._figures += 1
        self._pictured = True
        return Block(label, Markup(picture))  # noqa: S704 - rendered

    def _drawn(self, title: str) -> pd.DataFrame:
        """A table for its chart, whose texts stand where nothing else puts labels."""
        table, about = self.masked.frame(title), self.result.table_description(title)
        texts = [name for name in (*about.keys, about.place) if name in table and about.column(name).kind == "text"]
        return table.assign(
            **{name: [words.with_labels(str(one), self.labels) for one in table[name]] for name in texts}
        )

    def _chart(self, title: str) -> Block | None:
        if self.masked.least or title in self._charts_shown:  # an estimate may give a small count away
            return None
        about, label = self.result.table_description(title), f"Figure {self.number}.{self._figures + 1}"
        chart = intervals_figure(self._drawn(title), about, f"{label} {title}")
        if not chart:
            return None
        self._figures += 1
        self._charts_shown.add(title)
        return Block(f"{label} {title}", Markup(chart))  # noqa: S704 - rendered

    def _table(self, title: str, *, chapter: bool = False) -> Block | None:
        table = self.masked.frame(title)
        about, charted = self.result.table_description(title), title in self._charts_shown
        cut = rows_printed(about, len(table), MOST_TABLE_ROWS if chapter else 0)
        partly = chapter and bool(about.technical or charted or cut < len(table))
        about = about.in_chapter(charted) if chapter else about
        if not len(table) or about.drawn or title in self._tables_shown:
            return None
        self._tables += 1
        if not partly:
            self._tables_shown.add(title)
        call = f"{about.given_by}()" if about.given_by else f"table({title!r})"
        self.hidden += printed(self.masked.cells[title], about, cut)
        label = f"Table {self.number}.{self._tables}"
        where, hidden = f"result.{call} in Python, or the CSV file of that name", self.masked.cells[title]
        names = {"label": label, "title": title, "where": "" if chapter else where}
        markup = table_markup(table, about, **names, hidden=hidden, most=cut)
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
                result[name_of(words.capital(name))] = text or f"{int(value):,}"
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
