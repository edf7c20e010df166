"""Writing a data dictionary: what the columns of a table mean, as a CSV that opens safely in a spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.data.dataset import Dataset
from engine.data.preparing.dictionary import FIELDS, Dictionary, Entry
from engine.data.preparing.proposals import Proposal
from engine.exchange.safe_csv import to_csv
from engine.lazy import pd


def write_dictionary(
    about: Dataset | Sequence[Proposal] | Dictionary,
    labels: Mapping[str, str] | None = None,
    scales: Mapping[str, str] | None = None,
) -> str:
    """A data dictionary as CSV text, safe to open in a spreadsheet.

    Examples
    --------
    >>> from engine.exchange.data_dictionary import write_dictionary
    >>> write_dictionary(engine.Dataset.from_codes([[0, 1]], [["no", "yes"]], ["cough"])).splitlines()[1]
    'cough,nominal,,no | yes,,'
    """
    labels, scales = labels or {}, scales or {}
    rows = []
    for entry in _entries(about):
        label, scale = entry.label or labels.get(entry.name, ""), entry.scale or scales.get(entry.name, "")
        rows.append((entry.name, entry.kind, label, " | ".join(map(_escaped, entry.levels)), entry.unit, scale))
    return to_csv(pd.DataFrame(rows, columns=list(FIELDS), dtype=object))


_CODED = re.compile(r"^(\s*-?\d+\s*),")


def _entries(about: Any) -> list[Entry]:
    if isinstance(about, Dictionary):
        return list(about.entries)
    if not hasattr(about, "codes"):
        return [Entry(p.column, p.kind, "", p.levels if p.kind in ("nominal", "ordinal") else ()) for p in about]
    if about.report is not None:
        columns = about.report.columns
        return [Entry(c.name, c.kind, "", () if c.cuts else c.levels, about.units.get(c.name, "")) for c in columns]
    kinds, levels, units = about.kinds, about.levels, about.units
    return [
        Entry(x, kinds[x], "", () if kinds[x] == "continuous" else levels[x], units.get(x, "")) for x in about.names
    ]


def _escaped(level: str) -> str:
    """A level that is read again as it is: no bar parts it, and no code stands before an equal sign or a comma."""
    plain = level.replace("\\", "\\\\").replace("|", "\\|").replace("=", "\\=")
    return _CODED.sub(r"\1\\,", plain)
