"""All that only the user of a table can decide, most costly first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.deciding.copies import copies
from engine.data.preparing.deciding.decision import Decision, Finding, Option, holds, quoted
from engine.data.preparing.deciding.gaps import gaps
from engine.data.preparing.deciding.identifiers import identifiers
from engine.data.preparing.deciding.many_levels import labelled_codes, many_levels
from engine.data.preparing.deciding.missing_codes import missing_codes
from engine.data.preparing.deciding.odd_words import detection_limits, odd_words
from engine.data.preparing.deciding.row_relations import row_relations
from engine.data.preparing.deciding.rules import GRAMMAR, RULES
from engine.data.preparing.deciding.survival import survival
from engine.data.preparing.deciding.table_view import TableView, spelled, view_table
from engine.words import count

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
    seen = view_table(table, choices)
    cards = [_decision(seen, finding) for detect in _DETECTORS for finding in detect(seen)]
    return tuple(sorted((card for card in cards if card is not None), key=lambda card: -card.cost))


def _decision(seen: TableView, finding: Finding) -> Decision | None:
    """A finding in words, its options with what they keep and which is the case; None where only one is possible.

    Now is the case what holds, else what needs no change. What would keep nothing would be refused.
    """
    columns, choices, changes = finding.columns, seen.choices, finding.changes
    rule, key = RULES[finding.rule or finding.kind], finding.key
    chosen = choices.settled.get(key)
    rows_by_option = {option: seen.after(change, list(changes.values())) for option, change in changes.items()}
    possible = [
        o for o, (rows, names) in rows_by_option.items() if o == chosen or (rows.any() and (names or not changes[o]))
    ]
    if len(possible) < 2 and chosen is None:
        return None
    standing = [option for option, change in changes.items() if change and holds(choices, change)][:1]
    now = [chosen] if finding.open else standing or [option for option, change in changes.items() if not change]
    many = (len(columns) if finding.number is None else finding.number) != 1
    words = {"named": quoted(columns), **{word: forms[many] for word, forms in GRAMMAR.items()}, **finding.words}
    every = [name for name in seen.now if name not in choices.derive]
    options = [
        Option(
            option,
            rule.options[option].format(**words),
            "; ".join(filter(None, (finding.effects.get(option, ""), _keeps(seen.n, *rows_by_option[option])))),
            spelled(changes[option], choices, every),
            option in now,
        )
        for option in possible
    ]
    sentence, why = rule.sentence.format(**words), rule.why.format(**words)
    return Decision(key, finding.kind, tuple(columns), sentence, why, tuple(options), float(finding.cost))


def _keeps(n: int, rows: np.ndarray, columns: list[str]) -> str:
    n_kept = int(rows.sum())
    part = f"{n_kept:,} of {count(n, 'row')}" if n_kept < n else f"all {count(n, 'row')}"
    return f"keeps {part} and {count(len(columns), 'column')}"
