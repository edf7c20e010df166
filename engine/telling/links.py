"""Sentences that answers on the links of one table share: what its rows are worth, and what chance could show."""

from __future__ import annotations

from engine.data.rows.relations import FEWEST
from engine.methods.links_evidence import LinksEvidence
from engine.telling.subjects import few_subjects, together
from engine.text import Count, Text, told


def row_notes(links: LinksEvidence) -> list[str]:
    """The worth of rows that belong together, and what may be said of the rows."""
    if not links.subject or links.undecided:  # of too few subjects nobody knows what the rows are worth
        return list(links.made.rows)
    return [together(links.subject, links.n_rows, links.subjects, links.size, links.alone), *links.made.rows]


def too_few(links: LinksEvidence) -> Text:
    """Why nothing is said of any link."""
    return few_subjects(links.subject, links.subjects, FEWEST)


def caveat(links: LinksEvidence) -> Text:
    """The number of links that are no more than chance shows among so many pairs, as the end of a headline."""
    many = len(links.doubtful_links())
    if not many:
        return told("")
    if many < links.n_links:
        return told(" Chance alone could show {}.", Count(many, "link"))
    return told(" Chance alone could show {}.", "it" if many == 1 else "each of these links")
