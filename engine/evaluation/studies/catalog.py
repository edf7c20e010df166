"""The studies that there are."""

from __future__ import annotations

from engine.errors import SettingsError
from engine.evaluation.found import of_methods
from engine.evaluation.studies.calibration.study import CalibrationStudy
from engine.evaluation.studies.study import Study


def every_study() -> dict[str, type[Study]]:
    """Slug -> study, of every method that has one: the `STUDY` of `engine/evaluation/studies/<slug>/study.py`.

    Last comes the one that is about all of them.
    """
    return {**of_methods("engine.evaluation.studies.{}.study".format, "STUDY"), CalibrationStudy.slug: CalibrationStudy}


def study_called(name: str) -> type[Study]:
    """The study of a slug, or of what it was called before.

    Parameters
    ----------
    name : a slug, or the name of before

    Raises
    ------
    SettingsError : there is no such study

    Examples
    --------
    >>> study_called("groups").slug
    'group_difference'
    """
    there = every_study()
    for study in there.values():
        if name in study.names():
            return study
    raise SettingsError(f"There is no study {name!r}; there are {', '.join(map(repr, there))}.")
