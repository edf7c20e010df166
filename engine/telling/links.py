"""Sentences that answers on the links of one table share: what its rows are worth, and what chance could show."""

from __future__ import annotations

from collections.abc import Mapping

from engine import words
from engine.data.rows.relations import FEWEST
from engine.methods.links_evidence import LinksEvidence
from engine.telling.subjects import few_subjects, together
from engine.text import Count, Level, Name, Number, Text, first, joined, told

MISSING = "A missing link says that nothing more was found, not that there is nothing."


def left_open(links: LinksEvidence) -> list[str]:
    """That a missing link is not shown to be none; nothing of rows that no link can be judged by."""
    return [] if links.undecided else [told(MISSING)]


def row_notes(links: LinksEvidence) -> list[str]:
    """The worth of rows that belong together, and what may be said of the rows."""
    if not links.subject or links.undecided:  # of too few subjects nobody knows what the rows are worth
        return list(links.made.rows)
    return [together(links.subject, links.n_rows, links.subjects, links.size, links.alone), *links.made.rows]


def too_few(links: LinksEvidence) -> Text:
    """Why nothing is said of any link."""
    return few_subjects(links.subject, links.subjects, FEWEST)


def determined_words(of: Mapping[str, LinksEvidence]) -> Text:
    """The variables that all others nearly determine, and what follows for their partial correlations; "" without any.

    Parameters
    ----------
    of : what a group is called -> its links; "" of a whole table
    """
    found = {label: links.determined for label, links in of.items() if links.determined}
    if not found:
        return told("")
    names = {label: first(map(Name, shares), 2) for label, shares in found.items()}
    which = (told("{} in {}", name, Level(label)) if label else name for label, name in names.items())
    alone = sum(map(len, found.values())) == 1
    most = max(share for shares in found.values() for share in shares.values())
    return told(
        "Other variables explain {}{} of {}. Partial correlations with {} are unreliable, even in sign, and links may "
        "be missed; Associations does without this model.",
        "" if alone else "up to ",
        Number(words.in_percent(most)),
        joined(which, "; "),
        "it" if len(set().union(*found.values())) == 1 else "these",
    )


def caveat(links: LinksEvidence) -> Text:
    """The number of links that are no more than chance shows among so many pairs, as the end of a headline."""
    many = len(links.doubtful_links())
    if not many:
        return told("")
    if many < links.n_links:
        return told(" Chance alone could show {}.", Count(many, "link"))
    return told(" Chance alone could show {}.", "it" if many == 1 else "each of these links")
