"""The studies that there are."""

from __future__ import annotations

from benchmarks.calibration.study import CalibrationStudy
from benchmarks.papers.study import Study
from engine.errors import SettingsError
from engine.evaluation.trials import of_methods


def every_study() -> dict[str, type[Study]]:
    """Slug -> study, of every method that has one: the `STUDY` of `benchmarks/papers/<slug>/study.py`.

    Last comes the one that is about all of them.
    """
    return {**of_methods("benchmarks.papers.{}.study".format, "STUDY"), CalibrationStudy.slug: CalibrationStudy}


def study_called(name: str) -> type[Study]:
    """The study of a slug.

    Raises
    ------
    SettingsError : there is no such study

    Examples
    --------
    >>> study_called("group_difference").slug
    'group_difference'
    """
    there = every_study()
    if name in there:
        return there[name]
    raise SettingsError(f"There is no study {name!r}; there are {', '.join(map(repr, there))}.")
