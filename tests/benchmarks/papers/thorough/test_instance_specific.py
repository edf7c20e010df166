"""The study of Jabbari et al. (2018) at the size of its acceptance."""

from __future__ import annotations

from tests.benchmarks.papers.test_instance_specific import bands


def test_bands_of_the_simulation_hold_with_50_arcs() -> None:
    """10 networks x 20 patients: GES fits the printed row, order-kept every band."""
    assert bands(10, 20)["verdict"].tolist() == ["within"] * 7


def test_most_bands_hold_already_in_a_small_simulation() -> None:
    """3 networks x 5 patients: every band has its verdict, and what is outside is so by chance."""
    verdicts = bands(3, 5)["verdict"].tolist()
    assert len(verdicts) == 7
    assert set(verdicts) <= {"within", "**outside**"}
    assert verdicts.count("within") >= 5
