"""Words of the names of columns, and whom or what a name says that rows are of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_PERSONS = {
    "subject", "patient", "participant", "person", "proband", "respondent", "individual", "client", "pupil", "student",
    "user", "donor", "animal", "mouse", "rat", "pt", "who", "mrn", "usubj", "subj", "vpn", "vpnr", "versuchsperson",
    "teilnehmer", "patienten", "probanden",
}  # fmt: skip
_IDS = {"id", "ids", "pid", "sid", "uid", "ptid", "patid", "identifier"}
KEYS = _IDS | {"guid", "uuid", "mrn", "ssn", "key", "code", "name", "index", "row", "rownames", "record"}
"""Words of names that only tell rows or places apart."""
_CLUSTERS = {
    "ward", "clinic", "hospital", "practice", "site", "center", "centre", "school", "classroom", "teacher", "family",
    "household", "couple", "dyad", "village", "cluster", "batch", "plate", "litter", "cage", "tank", "herd", "farm",
    "doctor", "physician", "surgeon", "therapist", "rater", "interviewer", "station", "place", "team",
}  # fmt: skip
"""Words of names of what several rows are of: places, people who see many, batches."""
_TAIL = re.compile(r"(?:s|no|nr|num|number|id)$")


@lru_cache(maxsize=20_000)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name in small letters: 'PatientID', 'patient_id' and 'patient id' have the same two.

    Cached: of a wide table every name is asked for dozens of stems, whenever a page is drawn.
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name[:200])
    return tuple(word for word in re.split(r"[\W\d_]+", spaced.casefold()) if word)


def names_one_of(words: Iterable[str], wanted: set[str]) -> bool:
    """True where one of the words is wanted, as it stands or without an ending."""
    return any(word in wanted or _TAIL.sub("", word) in wanted for word in words)


def subject_rank(name: str) -> int | None:
    """A name of people comes before one that is a mere number, and a short name before a long one."""
    words = name_words(name)
    if names_one_of(words, _PERSONS):
        return len(words)
    return 100 + len(words) if any(word in _IDS for word in words) else None


def names_group(name: str) -> bool:
    """True where a name of an identifier is not of a person or a row but of what many share: 'site_id', 'school no'."""
    words = set(name_words(name))
    others = words - KEYS - {"no", "nr", "num", "number", "case", "sample", "visit"}
    return bool(others) and not names_one_of(words, _PERSONS)


def names_person(name: str) -> bool:
    """True where a name says whose row each is: 'patient', 'subject_id', 'ID'."""
    return subject_rank(name) is not None and not names_cluster(name)


def names_cluster(name: str) -> bool:
    """True where a name says where a row comes from, or out of which lot: 'ward', 'school no', 'batch'."""
    return names_one_of(name_words(name), _CLUSTERS)
