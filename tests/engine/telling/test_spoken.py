"""Numbers as sentences, tables and reports write them: alike wherever they come from."""

from __future__ import annotations

import numpy as np

from engine.telling.spoken import decimal, with_interval


def test_one_number_is_written_in_one_way() -> None:
    """By Python's rounding, of NumPy's numbers too, and whatever the last bits are."""
    equal = (37.45, np.float64(37.45), np.nextafter(37.45, 0), np.nextafter(37.45, 99))
    assert {decimal([number], 6.8)[0] for number in equal} == {"37.5"}


def test_an_end_beside_0_does_not_look_like_0() -> None:
    """One decimal more, for all three; 0 itself stays, and a wide interval has no decimals."""
    assert with_interval(5.23, -0.2, 10.81) == ["5.2", "−0.2", "10.8"]
    assert with_interval(5.23, 0.0, 10.81) == ["5", "0", "11"]
    assert with_interval(-0.03, -0.19, 0.75) == ["−0.03", "−0.19", "0.75"]
