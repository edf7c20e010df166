"""The document as a whole: cover, contents, tables, results, glossary, colophon."""

from __future__ import annotations

from collections.abc import Sequence

from engine import words
from engine.project.report.about_data import TableReport
from engine.project.report.hiding import fewer
from engine.project.report.markup import name_of, render
from engine.project.report.part import Part, method_title

GLOSSARY = (
    ("Bayes factor", "bayes factor", "How much the rows change the odds of a statement; above 3 counts as positive, "
     "above 20 as strong, above 150 as very strong evidence."),
    ("Bits, nats", " bits", "Units of information. A bit is one yes or no; a nat is 1.44 bits."),
    ("Context", "context", "One combination of values of a variable’s parents, and the rows that have it."),
    ("Held out", "held-out", "Not used for learning, so that what is foretold of it is a fair test."),
    ("p, corrected", "p, corrected", "How often tables without the effect would show as much somewhere among all that "
     "was asked. It is no probability of a statement; those are written P."),
    ("Parents", "parents", "The variables whose arrows point at a variable."),
    ("Partial correlation", "partial correlation", "How two values go together once others are known; from −1 to 1."),
    ("Points", "points", "Percentage points: from 10 % to 18 % are 8 points."),
    ("Prior", "prior", "What is taken for probable before the rows are seen."),
)  # fmt: skip
"""Word, what to look for in the text, and what it means."""


def page(title: str, when: str, parts: Sequence[Part], tables: Sequence[tuple[TableReport, list[int]]]) -> str:
    """The whole document, of the parts on results and of the tables, each with the numbers of its results."""
    names = list(dict.fromkeys(table.source for table, _ in tables))
    shown = name_of(title) if title.strip() else f"Report on {words.listed(names[:3])}" if len(names) <= 3 else "Report"
    results = [part.markup() for part in parts]  # first of all, since the cover says how many cells they hide
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
    least = parts[0].shown.least
    facts = {
        "Table" if len(names) == 1 else "Tables": words.listed(names),
        "Date": name_of(when),
        "Contains": f"{words.count(len(parts), 'result')}, each with its doubt, networks, tables, settings and script",
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
        title=shown,
        facts=facts,
        least=least,
        data_title="The table" if len(fingerprints) == 1 else "The tables",
        parts=[(part, _entry(part)) for part in parts],
        tables=sections,
        results=results,
    )
    return render(
        "page.html",
        title=shown,
        body=body,
        glossary=used_words(body),
        versions=list(versions),
        fingerprints=fingerprints,
    )


def _entry(part: Part) -> str:
    """What the contents say of a result below its title."""
    own = part.title == method_title(part.result)
    return part.headline if own else f"{method_title(part.result)}. {part.headline}"


def used_words(text: str) -> list[tuple[str, str]]:
    """Word and meaning of those of the glossary that a text uses."""
    lower = text.lower()
    return [(word, meaning) for word, sign, meaning in GLOSSARY if sign in lower]
