"""Sentences on rows that belong together: what they are worth, and that too few subjects have them."""

from __future__ import annotations

from engine.text import Count, Name, People, Text, told
from engine.words import NEIGHBOURS, short


def together(subject: str, rows: int, subjects: int, effective_rows: float, without: int = 0) -> Text:
    """The worth of rows that belong together.

    Parameters
    ----------
    subject : name of the column that says which belong together
    rows, subjects : how many there are
    effective_rows : rows by themselves that would tell as much
    without : rows without a subject, among them

    Examples
    --------
    >>> str(together("clinic", 2000, 20, 640.2))
    "Rows of one 'clinic' count together: 2,000 rows of 20 clinics tell as much as about 640 rows."
    """
    whose = told("block of neighbours") if subject == NEIGHBOURS else told("'{}'", Name(short(subject, 40)))
    alone = told(" and {} without", People(without, "row")) if without else ""
    return told(
        "Rows of one {} count together: {} of {}{} tell as much as about {}.",
        whose,
        People(rows, "row"),
        subjects_of(subject, subjects),
        alone,
        People(max(round(effective_rows), 1), "row"),
    )


def few_subjects(subject: str, subjects: int, needed: int) -> Text:
    """Why nothing is said where rows belong to few subjects, or nearly all to a few of them.

    Parameters
    ----------
    subject : name of the column
    subjects : how many there are
    needed : how many there should be

    Examples
    --------
    >>> str(few_subjects("clinic", 4, 6)), str(few_subjects("clinic", 9, 6))
    ('The rows belong to 4 clinics; 6 are needed.', 'A few of the 9 clinics have nearly all rows.')
    """
    many = subjects_of(subject, subjects)
    if subjects < needed:
        return told("The rows belong to {}; {} are needed.", many, Count(needed))
    return told("A few of the {} have nearly all rows.", many)


def subjects_of(subject: str, number: int) -> People:
    """The number of subjects, by the name of their column where that is a word.

    Parameters
    ----------
    subject : name of the column
    number : how many

    Examples
    --------
    >>> subjects_of("clinic", 20), subjects_of("Patient ID", 1)
    ('20 clinics', '1 subject')
    """
    if subject == NEIGHBOURS:
        return People(number, "block")
    plain = subject.isascii() and subject.isalpha() and subject.islower() and not subject.endswith(("s", "x", "y", "h"))
    return People(number, subject if plain and len(subject) <= 40 else "subject")
