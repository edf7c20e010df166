"""All that only the user of a table can decide, most costly first."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.deciding.copies import copies
from engine.data.preparing.deciding.decision import Decision
from engine.data.preparing.deciding.detection_limits import detection_limits
from engine.data.preparing.deciding.gaps import gaps
from engine.data.preparing.deciding.identifiers import identifiers
from engine.data.preparing.deciding.labelled_codes import labelled_codes
from engine.data.preparing.deciding.look import look, spelled
from engine.data.preparing.deciding.many_levels import many_levels
from engine.data.preparing.deciding.missing_codes import missing_codes
from engine.data.preparing.deciding.odd_words import odd_words
from engine.data.preparing.deciding.row_relations import row_relations
from engine.data.preparing.deciding.survival import survival

if TYPE_CHECKING:
    import pandas as pd

_DETECTORS = (
    missing_codes,
    detection_limits,
    odd_words,
    gaps,
    copies,
    survival,
    many_levels,
    identifiers,
    labelled_codes,
    row_relations,
)


def decisions(table: pd.DataFrame, choices: FrameChoices) -> tuple[Decision, ...]:
    """What only the user of a table can decide: codes that may mean missing, copies, gaps that cost rows and the like.

    Parameters
    ----------
    table : as `engine.read_table` or pandas gives it
    choices : an `engine.Recipe`; what was decided before stands in its `settled`

    Returns
    -------
    the decisions, most costly first, those settled too; `engine.settle` makes the choices of an option

    Raises
    ------
    DataError : no table, or a choice about a column that it does not have

    Examples
    --------
    >>> import pandas
    >>> table = pandas.DataFrame({"chol": [190, 210, 240, 999] * 9, "trig": [80, 999, 120, 150] * 9})
    >>> print(engine.decisions(table, engine.Recipe())[0].sentence)
    999 stands 9 times in 'chol' and 9 times in 'trig': does it mean missing?
    """
    seen = look(table, choices)
    found = sorted(chain.from_iterable(detect(seen) for detect in _DETECTORS), key=lambda one: -one.cost)
    names = [name for name in seen.now if name not in choices.derive]
    return tuple(
        replace(one, options=tuple(replace(way, change=spelled(way.change, choices, names)) for way in one.options))
        for one in found
    )
