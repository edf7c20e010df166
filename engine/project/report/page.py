"""The document as a whole: cover, contents, tables, results, glossary, colophon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import words
from engine.project.report.about_data import TableReport
from engine.project.report.hiding import fewer
from engine.project.report.markup import Markup, element, joined, name_of
from engine.project.report.part import Part, method_title
from engine.project.report.reading import HOW_TO_READ, used_words
from engine.project.report.style import POLICY, STYLE


def page(title: str, when: str, parts: Sequence[Part], tables: Sequence[tuple[TableReport, list[int]]]) -> str:
    """The whole document.

    Parameters
    ----------
    title : of the document; made of the tables' names where empty
    when : the date as it is shown
    parts : of the results, in order
    tables : the tables they were made of, with the numbers of the results

    Returns
    -------
    HTML
    """
    names = list(dict.fromkeys(one.source for one, _ in tables))
    shown = name_of(title) if title.strip() else f"Report on {words.listed(names[:3])}" if len(names) <= 3 else "Report"
    results = [one.markup() for one in parts]  # first of all, since the cover says how many cells they hide
    about = _tables(tables)
    least = parts[0].shown.least
    hidden = sum(one.hidden for one in parts) + sum(one.hidden for one, _ in tables)
    body = joined(_cover(shown, when, parts, names, least, hidden), _contents(parts), about, *results)
    whole = joined(body, _glossary(body), _colophon(parts))
    return "<!DOCTYPE html>\n" + element("html", _head(shown), "\n", element("body", element("main", whole)), lang="en")


def _head(title: str) -> Markup:
    policy = element("meta", http_equiv="Content-Security-Policy", content=POLICY)
    return element(
        "head",
        element("meta", charset="utf-8"),
        policy,
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", Markup(STYLE)),
    )


def _cover(title: str, when: str, parts: Sequence[Part], names: Sequence[str], least: int, hidden: int) -> Markup:
    facts = {
        "Table" if len(names) == 1 else "Tables": words.listed(names),
        "Date": name_of(when),
        "Contains": f"{words.count(len(parts), 'result')}, each with its doubt, networks, tables, settings and script",
    }
    if least:
        facts["Small counts"] = (
            f"counts from 1 to {least - 1} are shown as “{fewer(least)}”; {words.count(hidden, 'cell')} hidden in all"
        )
    reading = [element("p", one) for one in HOW_TO_READ]
    if least:
        reading.append(
            element(
                "p",
                "Hiding small counts keeps them from being read, or worked out by subtraction, within a table; it does "
                "not make a report anonymous, and pictures of networks are drawn from all rows. Titles and notes are "
                "shown as they were typed.",
            )
        )
    return element(
        "header",
        element("p", "Report", class_="kicker"),
        element("h1", title),
        _facts(facts),
        element("h4", "How to read this"),
        *reading,
        class_="cover",
    )


def _facts(facts: Mapping[str, str]) -> Markup:
    return element(
        "dl",
        *(part for name, said in facts.items() for part in (element("dt", name), element("dd", said))),
        class_="meta",
    )


def _contents(parts: Sequence[Part]) -> Markup:
    items = [
        _entry("", "data", "The table" if len({one.result.fingerprint for one in parts}) == 1 else "The tables", "")
    ]
    for one in parts:
        what = one.headline if one.title == method_title(one.result) else f"{method_title(one.result)}. {one.headline}"
        items.append(_entry(str(one.wish.number), one.ident, one.title, what))
    items.append(_entry("", "colophon", "How this report was made", ""))
    return element("nav", element("h4", "Contents"), element("ol", *items), aria_label="Contents")


def _entry(number: str, ident: str, title: str, what: str) -> Markup:
    said = [element("span", what, class_="what")] if what else []
    return element("li", element("span", number), element("span", element("a", title, href=f"#{ident}"), *said))


def _tables(tables: Sequence[tuple[TableReport, list[int]]]) -> Markup:
    several = len(tables) > 1
    found = [element("p", "Data", class_="kicker"), element("h2", "The tables" if several else "The table")]
    for number, (one, whose) in enumerate(tables, 1):
        label = f"Table 0.{number}"
        name = joined(
            one.source,
            f" · result{'s' if len(whose) > 1 else ''} {words.listed(map(str, whose))}" if several else "",
        )
        found += [element("h3", name), one.markup(label)]
    return element("section", *found, class_="part", id="data")


def _glossary(body: Markup) -> Markup:
    found = used_words(body)
    if not found:
        return Markup("")
    items = [part for word, meaning in found for part in (element("dt", word), element("dd", meaning))]
    return element(
        "section",
        element("p", "Glossary", class_="kicker"),
        element("h2", "Words used"),
        element("dl", *items, class_="words"),
        class_="part words",
        id="words",
    )


def _colophon(parts: Sequence[Part]) -> Markup:
    made = {", ".join(f"{name} {version}" for name, version in one.result.made.versions.items()): None for one in parts}
    prints = dict.fromkeys(one.result.fingerprint for one in parts)
    return element(
        "footer",
        element("p", f"Computed with {'; and with '.join(made)}."),
        element("p", f"Fingerprint{'s' if len(prints) > 1 else ''} of the data: {', '.join(prints)}."),
        element(
            "p",
            "This file is complete: it holds no program, loads nothing, and opens without a network. Diptych compares "
            "networks learned from a table.",
        ),
        id="colophon",
    )
