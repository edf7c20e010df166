"""The reading report of a table out of a file, held to the types that its fields have."""

from __future__ import annotations

from typing import Any

from engine.data.reading.report import ReadingReport
from engine.methods.fitting import misfit
from engine.project.archive import refuse

_DAMAGED = "What this file says of how its table was read is damaged; save the file again."


def checked_reading(document: Any) -> ReadingReport:
    """The report that `ReadingReport.to_dict` wrote.

    Parameters
    ----------
    document : plain values

    Returns
    -------
    `ReadingReport`

    Raises
    ------
    DataError : it is none
    """
    if not isinstance(document, dict) or set(document) - set(ReadingReport.__dataclass_fields__):
        refuse(_DAMAGED)
    try:
        found = ReadingReport.from_dict(document)
    except (TypeError, ValueError, LookupError, AttributeError):
        refuse(_DAMAGED)
    cells = (*found.invalid, *found.not_numeric, *found.renamed)
    if misfit(ReadingReport, vars(found)) or any(misfit(type(one), vars(one)) for one in cells):
        refuse(_DAMAGED)
    return found
