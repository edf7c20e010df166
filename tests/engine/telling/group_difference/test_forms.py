"""What differs of a variable, in words: its form, its range, its context, and both groups' figures in its unit."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from engine.methods.group_difference.numbers.child_evidence import ChildEvidence, Segments
from engine.methods.group_difference.numbers.described import MOST_BINS, round_bins
from engine.methods.group_difference.verdicts import Alone
from engine.telling.group_difference import wording
from engine.telling.group_difference.forms import form_of, what
from engine.telling.group_difference.one_variable import overall_words, undecided_words
from engine.telling.group_difference.tables import widths
from engine.telling.group_difference.wording import among_words
from engine.telling.spoken import decimal


def wards(seed: int = 1, rows: int = 400) -> engine.Dataset:
    """Two hospitals: lactate is higher, sodium varies more, glucose has a bump, CRP is higher in severe cases."""
    rng = np.random.default_rng(seed)
    south = np.repeat([False, True], rows)
    severity = rng.choice(["mild", "severe"], 2 * rows)
    bump = (rng.random(2 * rows) < 0.25) & south
    glucose = np.where(bump, rng.uniform(6.9, 7.1, 2 * rows), rng.normal(6, 1.5, 2 * rows))
    table = {
        "site": np.where(south, "South", "North"),
        "severity": severity,
        "Lactate (mmol/L)": np.round(rng.lognormal(0.5, 0.5, 2 * rows) * np.where(south, 1.35, 1), 1),
        "sodium": np.round(140 + rng.normal(0, 3, 2 * rows) * np.where(south, 1.7, 1), 1),
        "glucose": np.round(glucose, 2),
        "crp": np.round(np.exp(rng.normal(2, 1, 2 * rows) + 0.9 * (south & (severity == "severe"))), 1),
    }
    return engine.Dataset.from_frame(pd.DataFrame(table))


@pytest.fixture(scope="module")
def result() -> engine.GroupDifferenceResult:
    """Its answer."""
    return engine.GroupDifference(group="site").run(wards())


def test_each_form_of_a_difference_has_its_words(result: engine.GroupDifferenceResult) -> None:
    """In the row, the explanation and the headline; figures of the group that is named come first."""
    said = result.variables()["what"]
    assert said["Lactate (mmol/L)"] == "higher in South"
    assert said["sodium"] == "varies more in South"
    assert said["crp"] == "higher in South where severity = severe"
    assert re.fullmatch(r"more often between 6\.\d+ and 7\.\d+ in South", said["glucose"])
    one, other = (pd.DataFrame(group) for group in _parts("Lactate (mmol/L)"))
    figures = [f"{float(part[0].quantile(q)):.1f}" for part in (other, one) for q in (0.5, 0.25, 0.75)]
    expected = "Lactate is higher in South: median {} (IQR {} to {}) v {} ({} to {}) mmol/L."
    assert result.explain("Lactate (mmol/L)")[0] == expected.format(*figures)
    assert result.headline().startswith("4 of 5 variables differ, first ")
    sentences = [result.headline(), *(text for name in result.names for text in result.explain(name))]
    assert all(len(text.split()) <= 25 for text in sentences)


def test_of_a_spread_the_widths_stand_beside_it(result: engine.GroupDifferenceResult) -> None:
    """The second group's first, by pandas; nothing where a number is higher."""
    rows = {str(name): row for name, row in result.variables().iterrows()}
    one, other = (pd.Series(part).quantile([0.25, 0.75]).diff().iloc[-1] for part in _parts("sodium"))
    assert widths(result, rows["sodium"]) == f"IQR {other:.1f} v {one:.1f} wide"
    assert widths(result, rows["Lactate (mmol/L)"]) == widths(result, rows["severity"]) == ""


def _parts(name: str) -> list[np.ndarray]:
    """A number's values in either group."""
    data = wards()
    values = data.numbers[name].column
    return [values[:400], values[400:]]


def test_a_number_is_described_in_its_unit(result: engine.GroupDifferenceResult) -> None:
    """Quartiles, means, counts by context and a histogram of all rows; the answer is read back whole."""
    summary = result.number("crp")
    assert summary is not None and result.number("severity") is None
    for g, part in enumerate(_parts("crp")):
        assert summary.quartiles[g] == pytest.approx(np.quantile(part, [0.25, 0.5, 0.75]))
        assert summary.counts[g].sum() == summary.present[g] == 400
    assert summary.alone[1] < summary.alone[0] == pytest.approx(np.diff(summary.means)[0])
    contexts = result.contexts_in_units("crp")
    assert contexts["context"][0] == "severity = severe" and contexts["n_first"].sum() == 400
    row = result.variables().loc["crp"]
    assert row["difference_low"] < row["difference"] < row["difference_high"]
    bump = result.segments("glucose")
    assert "higher" in set(bump["direction"]) and (bump["low"] <= bump["high"]).all()
    assert type(result).from_dict(result.to_dict()).variables().equals(result.variables())


def test_the_form_is_that_of_most_evidence(result: engine.GroupDifferenceResult) -> None:
    """A common difference, else the context of most evidence and there the run of cells that says most."""
    i = result.names.index("sodium")
    cells = np.arange(4.0)
    counts = np.array([[10, 10, 10, 10], [10, 10, 10, 25]])

    def changed(common: list[float], effects: list[float], higher: list[float]) -> str:
        item = Segments(cells, cells + 0.5, counts, np.array(higher))
        own = ChildEvidence((), np.array(common), np.array(effects), np.array([5.0]), (item,))
        evidence = tuple(own if k == i else other for k, other in enumerate(result.evidence_differing))
        return what(replace(result, evidence_differing=evidence), i)

    flat = [0.5] * 4
    assert changed([9.0, 0, 0], [-1.0, 0, 0], flat) == "lower in South"
    assert changed([0.0, 9, 0], [0.0, -1, 0], flat) == "varies less in South"
    assert changed([0.0, 0, 9], [0.0, 0, 1], flat) == "further from the middle in South"
    assert changed([1.2, 0, 0], [0.0, 0, 0], [0.02, 0.5, 0.5, 0.98]) == "higher in South"
    assert changed([0.0, 1.2, 0], [0.0, 0, 0], [0.95, 0.5, 0.02, 0.98]) == "varies more in South"
    assert changed([0.0, 0, 0], [0.0, 0, 0], [0.95, 0.5, 0.02, 0.98]) == "more often at 3.0 and above in South"
    assert changed([0.0, 0, 0], [0.0, 0, 0], [0.5, 0.5, 0.5, 0.98]) == "more often at 3.0 and above in South"
    form = form_of(result, result.names.index("severity"))
    assert form is not None and form.kind in ("more often", "less often")


def test_what_cannot_be_told_apart_is_said_of_all(result: engine.GroupDifferenceResult) -> None:
    """Pairs that vanish given each other, or go together otherwise, and a difference that no variable can be given."""
    assert result.average is not None
    given = np.full((5, 5), math.nan)
    given[1, 2] = given[2, 1] = 0.1
    posterior = replace(result.average.posterior, given=given, together=((3, 4),))
    read = replace(result, average=replace(result.average, posterior=posterior))
    names = read.names
    assert undecided_words(read) == [
        f"How {names[3]} and {names[4]} go together differs",
        f"One of {names[1]} and {names[2]} differs (by itself P at least 99.9\u00a0%, given the others below "
        "50\u00a0%); which is not known",
    ]
    assert set(read.variables().loc[list(names[1:]), "verdict"]) == {"cannot tell"}
    assert read.headline() == f"How {names[3]} and {names[4]} go together differs."
    assert any(text.startswith(f"One of {names[1]} and {names[2]} differs (by itself") for text in read.sentences())
    third = replace(
        posterior, given=np.full((5, 5), math.nan), together=(), log_odds=np.log([0.5, 0.4, 0.3, 0.01, 0.01])
    )
    open_ = replace(result, average=replace(result.average, posterior=third))
    among = f"Something differs among {names[0]}, {names[1]} and {names[2]}; which of them is not known"
    assert among_words(open_, open_.variables()) == among and open_.headline() == f"{among}."


def test_the_overall_result_is_not_hidden() -> None:
    """Deaths follow severity: both shares stand in the sentence, and given whom nothing is seen."""
    rng = np.random.default_rng(4)
    site = np.repeat([0, 1], 1000)
    severe = (rng.random(2000) < np.where(site == 1, 0.6, 0.25)).astype(int)
    death = (rng.random(2000) < np.where(severe == 1, 0.35, 0.05)).astype(int)
    codes = np.array([site, severe, death, *rng.integers(0, 2, (4, 2000))], dtype=np.uint8)
    levels = [["North", "South"], *[["no", "yes"]] * 6]
    names = ["site", "severe", "death", "a", "b", "c", "d"]
    result = engine.GroupDifference(group="site").run(engine.Dataset.from_codes(codes, levels, names))
    assert result.variables().at["death", "verdict"] == "no difference seen"
    shares = [f"{100 * death[site == g].mean():.0f}\u00a0%" for g in (0, 1)]
    text = overall_words(result, "death")
    assert text == (
        f"death differs overall: “yes” in {shares[0]} of North, {shares[1]} of South; among rows alike in severe no "
        "difference is seen"
    )
    assert result.sentences()[1] == f"{text}."  # beside what differs, where a page shows it
    assert any("p at most .0" in said for said in result.explain("death"))


def test_an_outcome_hides_no_other_that_differs_overall(monkeypatch: pytest.MonkeyPatch) -> None:
    """The outcome has its shares, the others stand in the list; alone, another has its shares too."""
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(rng.choice(["no", "yes"], (300, 5)), columns=["arm", "death", "a", "b", "c"])
    result = engine.GroupDifference(group="arm").run(engine.Dataset.from_frame(frame, roles={"death": "outcome"}))
    assert result.outcome == "death"
    for others in ([], ["a"], ["a", "b"]):
        monkeypatch.setattr(wording, "lists", lambda _, own=others: {Alone.THROUGH_OTHERS: [*own, "death"]})
        said = wording.through_words.__wrapped__(result)  # else the first is remembered
        assert sum(one.startswith("death differs overall: ") for one in said) == 1
        assert len(said) == 1 + bool(others)
        assert all(any(re.search(rf"\b{name}\b", one) for one in said) for name in others)


def test_numbers_are_written_as_they_are_spoken() -> None:
    """Decimals by the spread, none that say nothing, true minus, and figures for what is very large or small."""
    assert decimal([3.24, 2.1, 4.8], 2.7) == ["3.2", "2.1", "4.8"]
    assert decimal([62.4, -1250.0], 40.0) == ["62", "−1,250"]
    assert decimal([0.0312], 0.01) == ["0.031"]
    assert decimal([1e300], 1e299) == ["1e+300"]


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e300])
def test_bins_are_round_common_and_not_too_many(scale: float) -> None:
    """Of any width; whole numbers stand in the middle of theirs; a constant has one."""
    values = np.random.default_rng(0).normal(size=500) * scale
    edges = round_bins(values)
    assert 2 <= len(edges) <= MOST_BINS + 1 and (np.diff(edges) > 0).all()
    assert np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0].sum() == 500
    assert round_bins(np.array([1.0, 2.0, 2.0, 5.0])).tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert len(round_bins(np.full(9, 3.3))) == 2


def test_a_group_without_a_value_of_a_number_is_told_by_the_gaps() -> None:
    """Nothing of the scale can be said; how often it is missing can."""
    rng = np.random.default_rng(0)
    group = np.repeat(["a", "b"], 60)
    frame = pd.DataFrame(
        {"x": np.where(group == "a", rng.normal(size=120), np.nan), "y": rng.normal(size=120), "g": group}
    )
    result = engine.GroupDifference(group="g").run(engine.Dataset.from_frame(frame, missing="level"))
    assert result.variables().at["x", "what"].startswith("more often “")
    assert result.headline().startswith("x ")


@pytest.mark.parametrize(
    ("turn", "said"), [(False, "higher in South: above “never” in"), (True, "lower in South: below “always” in")]
)
def test_a_scale_that_is_higher_is_told_by_what_is_more(turn: bool, said: str) -> None:
    """The share above its lowest level, or below its highest: what is told rises or falls as the words say."""
    scale = ["never", "some", "often", "always"]
    counts = {"A": [200, 100, 60, 40], "B": [60, 120, 120, 100]}
    answers = [level for group in "AB" for level, n in zip(scale, counts[group], strict=True) for _ in range(n)]
    turned = dict(zip(scale, reversed(scale), strict=True)) if turn else dict.fromkeys(scale)
    frame = pd.DataFrame(
        {"panic": [turned[level] or level for level in answers], "group": ["North"] * 400 + ["South"] * 400}
    )
    data = engine.Dataset.from_frame(frame, kinds={"panic": "ordinal"}, levels={"panic": scale})
    result = engine.GroupDifference(group="group").run(data)
    assert f"{said} 85 % (340 of 400) v 50 % (200 of 400)" in result.headline().replace("\u00a0", " ")
