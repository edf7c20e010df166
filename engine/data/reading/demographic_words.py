"""Words by which columns are called that were there before anything else that a questionnaire asks."""

from __future__ import annotations

import re

DEMOGRAPHIC = {
    "age", "alter", "lebensalter", "birthyear", "geburtsjahr", "sex", "gender", "geschlecht", "ethnicity", "ethnic",
    "ethnie", "race", "nationality", "staatsangehörigkeit",
}  # fmt: skip
SCHOOLING = {"education", "educ", "edu", "schooling", "bildung", "schulbildung", "schulabschluss", "bildungsabschluss"}
_BESIDE = {"in", "years", "year", "yrs", "level", "jahre", "jahren"}
"""What may stand beside them: 'age (years)', 'education level'."""


def is_demographic(name: str) -> bool:
    """True where a name is nothing but such a word; 'sex drive' is an item."""
    words = {word for word in re.split(r"[\W\d_]+", name.casefold()) if word}
    return not words.isdisjoint(DEMOGRAPHIC | SCHOOLING) and words <= DEMOGRAPHIC | SCHOOLING | _BESIDE
