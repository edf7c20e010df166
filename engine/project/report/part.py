"""One result as a part of the document: what it says and how sure that is, pictures, tables, and how it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from engine import words
from engine.methods import METHODS
from engine.methods.result import Result, Section
from engine.project.report.charts import Picture, pictures_markup
from engine.project.report.declared import declared
from engine.project.report.hiding import fewer
from engine.project.report.markup import Markup, clean, element, joined, name_of
from engine.project.report.masking import Masked
from engine.project.report.networks import network_figure
from engine.project.report.places import Plan
from engine.project.report.tables import plain_table, printed, settings_list, table_markup


@dataclass(frozen=True)
class Wish:
    """What is wanted of the part on one result.

    Attributes
    ----------
    number : from 1
    title, note : the user's words; may be empty
    source : what its table is called
    script : the Python that repeats it
    charts : pictures from elsewhere
    plan : where its variables stand
    """

    number: int
    title: str
    note: str
    source: str
    script: str
    charts: Sequence[Picture]
    plan: Plan


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
    shown : the result, and what of it may be shown
    wish : what is wanted of the part

    Attributes
    ----------
    hidden : cells of the tables in it that are hidden; known once `markup` was made
    """

    def __init__(self, shown: Masked, wish: Wish) -> None:
        self.shown, self.wish, self.result = shown, wish, shown.result
        self.ident = f"r{wish.number}"
        self.title = name_of(wish.title) if wish.title.strip() else method_title(self.result)
        said = shown.said([self.result.headline()])
        self.headline = (
            said[0] if said else f"The answer in one sentence names a count under {shown.least}; it is hidden."
        )
        self.hidden = self._tables = self._figures = 0

    def markup(self) -> Markup:
        """The whole part."""
        sections = [one for one in self.result.sections() if one.name != "answer"]
        sections.sort(key=lambda one: "networks" not in one.figures)  # the picture first, then what it rests on
        body = [self._section(one) for one in sections if one.name != "method"]
        charts = self._charts()
        method = next((one for one in sections if one.name == "method"), None)
        made = self._method(method)
        answer = self._answer()  # after the others, since it says how much they hide
        return element(
            "section",
            element("p", f"Result {self.wish.number} · {method_title(self.result)}", class_="kicker"),
            element("h2", self.title),
            *answer,
            *body,
            *charts,
            made,
            class_="part",
            id=self.ident,
        )

    # -- what it says -------------------------------------------------------------------------------------------------

    def _answer(self) -> list[Markup]:
        result = self.result
        sentences, notes = self.shown.said(result.sentences()), self.shown.said(result.notes())
        found = [
            element("p", self.headline, class_="headline"),
            element("div", *(element("p", one) for one in sentences), class_="lead"),
        ]
        if self.wish.note.strip():
            lines = [element("p", line) for line in clean(self.wish.note).splitlines() if line.strip()]
            found.append(element("div", element("h4", "Note"), *lines, class_="limits own"))
        items = [element("li", one) for one in [*notes, result.caution]]
        found.append(element("div", element("h4", "What limits this"), element("ul", *items), class_="limits"))
        if self.shown.least:
            found.append(element("div", element("p", self._masked()), class_="limits masked"))
        return found

    def _masked(self) -> str:
        least = self.shown.least
        for section in self.result.sections():  # all sentences have been looked at before their number is given
            self._sentences(section)
        said = f"Counts from 1 to {least - 1} are shown as “{fewer(least)}”. "
        if self.hidden:
            cells, verb = words.count(self.hidden, "cell"), "is" if self.hidden == 1 else "are"
            said += f"In this part {cells} {verb} hidden, those among them from which such a count could be worked out."
        else:
            said += "No cell of this part had to be hidden."
        if unsaid := len(self.shown.unsaid):
            said += (
                f" {words.count(unsaid, 'sentence')} {'is' if unsaid == 1 else 'are'} left out because "
                f"{'it names' if unsaid == 1 else 'they name'} such a count, or would give one away."
            )
        persons = [one for one in self.result.table_titles() if not self.shown.shows(one)]
        if persons:
            said += f" Left out because each row is one person: {words.listed(persons)}."
        return said

    def _sentences(self, section: Section) -> list[str]:
        return self.shown.said([one for one in section.sentences if one != self.result.caution])

    # -- pictures and tables ------------------------------------------------------------------------------------------

    def _section(self, section: Section) -> Markup:
        parts: list[Markup] = []
        if sentences := self._sentences(section):
            parts.append(element("div", *(element("p", one) for one in sentences), class_="text"))
        if "networks" in section.figures:
            parts.append(self._networks())
        parts += [self._table(one) for one in section.tables if one != "Settings" and self.shown.shows(one)]
        if not any(parts):
            return Markup("")
        said = self.shown.said([section.title])
        return joined(element("h3", said[0] if said else section.name.capitalize()), *parts)

    def _networks(self) -> Markup:
        self._figures += 1
        label = f"Figure {self.wish.number}.{self._figures}"
        return network_figure(self.result, self.wish.plan, f"{self.ident}-n", label)

    def _table(self, title: str) -> Markup:
        table = self.shown.frame(title)
        about = declared(self.result, title)
        if not len(table) or about.drawn:
            return Markup("")
        self._tables += 1
        asked = f"{about.given_by}()" if about.given_by else f"table({title!r})"
        self.hidden += printed(self.shown.cells[title], about)
        return table_markup(
            table,
            about,
            label=f"Table {self.wish.number}.{self._tables}",
            title=title,
            where=f"result.{asked} in Python, or the CSV file of that name",
            hidden=self.shown.cells[title],
        )

    def _charts(self) -> list[Markup]:
        if not self.wish.charts:
            return []
        if self.shown.least:
            said = "Charts are left out where counts are hidden, since they may show some."
            return [element("h3", "Charts"), element("p", said, class_="text")]
        return [element("h3", "Charts"), *pictures_markup(self.wish.charts, f"{self.ident}-c")]

    # -- how it was made ----------------------------------------------------------------------------------------------

    def _method(self, section: Section | None) -> Markup:
        parts = [element("h3", section.title if section is not None else "How this was computed")]
        if section is not None:
            parts += [element("p", one, class_="text") for one in self._sentences(section)]
            parts += [self._table(one) for one in section.tables if one != "Settings" and self.shown.shows(one)]
        parts += [self._settings(), element("h3", "Where it comes from"), self._provenance()]
        if self.wish.script:
            parts.append(element("h3", "The same in Python"))
            parts.append(element("pre", element("code", self.wish.script)))
        return joined(*parts)

    def _settings(self) -> Markup:
        """The settings by their words, and below them the numbers of rows."""
        self._tables += 1
        labels = _labels(self.result.method)
        rows = []
        shown = self.result.settings()
        for name, value in shown.items():
            rows.append([labels.get(name, name.replace("_", " ")), name, _setting(value)])
        caption = joined(element("b", f"Table {self.wish.number}.{self._tables} Settings"), ".")
        return plain_table(("what", "name in Python", "value"), rows, caption, f"{self.ident}-settings")

    def _provenance(self) -> Markup:
        made = self.result.provenance
        facts = {"Table": self.wish.source}
        facts |= self._rows()
        facts |= {"Fingerprint of the data": made.fingerprint, "Seed": str(made.seed)}
        facts["Versions"] = ", ".join(f"{name} {version}" for name, version in made.versions.items())
        return settings_list(facts)

    def _rows(self) -> dict[str, str]:
        """How many rows there were, as the table of settings has it below the settings."""
        if "Settings" not in self.result.table_titles():
            return {}
        table, cells = self.shown.frame("Settings"), self.shown.cells["Settings"]
        found = {}
        for i in range(len(self.result.settings()), len(table)):
            name, value = str(table["setting"].iloc[i]), str(table["value"].iloc[i])
            if value.isdecimal():
                said = cells.words((i, "value"))
                self.hidden += said is not None
                found[name_of(name[:1].upper() + name[1:])] = said or f"{int(value):,}"
        return found


def _labels(method: Any) -> dict[str, str]:
    """Name of a setting -> what the form calls it."""
    return {one.name: str(one.metadata.get("label") or one.name.replace("_", " ")) for one in fields(method)}


def _setting(value: Any) -> str:
    if value is None or value == () or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict) and "name" in value:
        rest = ", ".join(f"{name} {one}" for name, one in value.items() if name != "name" and one not in (None, ()))
        return f"{value['name']}{f' ({rest})' if rest else ''}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)
