"""The studies that there are."""

from __future__ import annotations

from engine.errors import SettingsError
from engine.evaluation.studies.group_difference.study import GroupDifferenceStudy
from engine.evaluation.studies.instance_specific.study import InstanceSpecificStudy
from engine.evaluation.studies.log_linear.study import LogLinearStudy
from engine.evaluation.studies.study import Study

STUDIES: dict[str, type[Study]] = {
    study.slug: study for study in (GroupDifferenceStudy, InstanceSpecificStudy, LogLinearStudy)
}
"""By the slug of the method that each judges."""


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
    for slug, study in STUDIES.items():
        if name in (slug, study.former):
            return study
    raise SettingsError(f"There is no study {name!r}; there are {', '.join(map(repr, STUDIES))}.")
