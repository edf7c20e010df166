"""What a user types into a box, read."""

from __future__ import annotations

import math


def read_cuts(text: str) -> tuple[float, ...]:
    """Cut points as typed: numbers parted by semicolons, or by commas where no decimal comma can be meant.

    `ValueError` when they are not rising finite numbers.
    """
    parts = text.split(";") if ";" in text else text.split(", ") if ", " in text else text.split()
    cuts = tuple(float(part.strip().replace(",", ".")) for part in parts if part.strip())
    if list(cuts) != sorted(set(cuts)) or not all(map(math.isfinite, cuts)):
        raise ValueError("not rising")
    return cuts
