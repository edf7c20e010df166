"""Attributes of nodes and edges as plain values every format can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

Plain = str | int | float | bool


def plain_attributes(attributes: Mapping[Any, Any]) -> dict[str, Plain]:
    """The attributes that are single values, numpy's scalars as Python's; what is not one, or not finite, is
    left out."""
    result: dict[str, Plain] = {}
    for key, value in attributes.items():
        if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
            value = value.item()
        if isinstance(value, str | int | float) and not (isinstance(value, float) and not math.isfinite(value)):
            result[str(key)] = value
    return result
