"""All that only the user of a table can decide, most costly first: about its columns, and about its rows."""

from __future__ import annotations

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.deciding.cards import cards
from engine.data.preparing.deciding.decision import Decision
from engine.data.preparing.deciding.row_relations import row_relations
from engine.data.preparing.deciding.table_view import view_table
from engine.lazy import pd


def decisions(table: pd.DataFrame, choices: FrameChoices) -> tuple[Decision, ...]:
    """Decisions that only the user can make: codes that may mean missing, copies, gaps that cost rows and the like.

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
    seen = view_table(table, choices)
    return cards(seen, row_relations(seen))
