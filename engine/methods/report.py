"""What the reports of all methods share: evidence in words, records for JSON, tables to read, the settings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_BANDS = ((math.log(3), "hardly any evidence either way"), (math.log(20), "positive"), (math.log(150), "strong"))


def strength(log_factor: float, of: str) -> str:
    """A log Bayes factor or log odds (natural) in words, by the bands of Kass & Raftery 1995 (3, 20 and 150)."""
    name = next((word for bound, word in _BANDS if abs(log_factor) < bound), "very strong")
    return name if name == _BANDS[0][1] else f"{name} evidence {'for' if log_factor > 0 else 'against'} {of}"


def chance(p: float) -> str:
    """A probability that never claims certainty: 'above 0.999', '0.870', 'below 0.001'."""
    return "above 0.999" if p > 0.999 else "below 0.001" if p < 0.001 else f"{p:.3f}"


def readable(frame: pd.DataFrame) -> pd.DataFrame:
    """The same table with tuples of names joined by commas."""
    return frame.map(lambda value: ", ".join(value) if isinstance(value, tuple) else value)


def record(row: Mapping[Any, Any]) -> dict[Any, Any]:
    """A row as JSON takes it: no numpy scalars, no NaN or infinity, lists for tuples."""
    found = {}
    for key, value in row.items():
        value = value.item() if hasattr(value, "item") else value
        value = list(value) if isinstance(value, tuple) else value
        found[key] = None if isinstance(value, float) and not math.isfinite(value) else value
    return found


def settings_table(settings: Mapping[str, Any], rows: Mapping[str, int], fingerprint: str) -> pd.DataFrame:
    """Everything needed to repeat an analysis: setting and value.

    `rows` says how many there were, by what they are called.
    """
    import platform
    from importlib.metadata import version

    import pandas as pd

    found = [(name, "" if value in (None, ()) else str(value)) for name, value in settings.items()]
    found += [(name, str(number)) for name, number in rows.items()]
    found += [
        ("data fingerprint", fingerprint),
        ("diptych", version("diptych")),
        ("numpy", version("numpy")),
        ("python", platform.python_version()),
    ]
    return pd.DataFrame(found, columns=["setting", "value"])
