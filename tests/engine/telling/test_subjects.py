"""Rows that belong together, in words."""

from engine.telling.masking import gives_away
from engine.telling.subjects import few_subjects, together


def test_rows_that_count_together() -> None:
    """A column's name is made a plural only where it is a word; few subjects are people like others."""
    said = together("Patient ID", 12, 1, 0.2)
    assert said == "Rows of one 'Patient ID' count together: 12 rows of 1 subject tell as much as about 1 row."
    assert gives_away(said, 5) and gives_away(few_subjects("clinic", 4, 6), 5)
    assert not gives_away(few_subjects("clinic", 5, 6), 5)
