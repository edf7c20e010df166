"""Class networks of rows that are only counted: networks with the bits of memory, scores that are those of the rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine.counting.subset_store import fold_of_words
from engine.data.digest import ROWS
from engine.errors import Cancelled, DataError, DiptychError, SettingsError
from engine.execution import silent, using
from engine.measures.curves import auc
from engine.methods.discriminative.counted_run import run_counted
from engine.methods.discriminative.method import shuffled_best
from engine.methods.discriminative.pipeline import coding_of, counted_by, fit_contrasts, known_of, stacked
from engine.methods.discriminative.points import points_of
from tests.engine.data.stored.make import parquet, stored
from tests.engine.methods.discriminative.far import BIG, both, table

METHOD = engine.Discriminative("class", shuffles=19, folds=3)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> tuple[engine.Dataset, engine.Dataset]:
    """In memory and on disk."""
    return both(tmp_path_factory.mktemp("rows"), table())


def written(result: Any) -> str:
    """All that is saved of a result but what only rows in memory say."""
    text: str = replace(result, made=replace(result.made, rows=())).to_json()
    return text


SETTINGS: list[dict[str, Any]] = [
    {},
    {"parameters": "mid", "boundary": "midpoint", "top_families": 2},
    {"score": "bde", "balance": False},
    {"shared": True, "max_parents": 2, "shuffles": 0},
    {"knowledge": engine.Knowledge(required=[("v4", "v0"), ("v3", "v0")], forbidden=[("v0", "v1")])},
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_bits_are_the_same_on_disk(
    data: tuple[engine.Dataset, engine.Dataset], settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the whole result by the same way in memory, and of the networks by the way over rows; no row is fetched."""
    monkeypatch.setattr("engine.data.store._MOST_FETCHED", 0)
    monkeypatch.setattr("engine.data.stored.disk_store.DiskStore.some", None)
    memory, disk = data
    method = METHOD.set_params(**settings)
    result = method.run(disk)
    assert written(result) == written(run_counted(method, memory, silent))
    points = points_of(memory, "class")
    counted = counted_by(points, coding_of(points, points.labels >= 0, method), method)
    (contrast,) = fit_contrasts(counted, points.labels, 2, method, known_of(points, method))
    (learned,) = result.learned
    for network, expected in zip(learned.networks, (contrast.pair.others, contrast.pair.own), strict=True):
        assert network.parents == expected.parents
        for name in ("pacl", "alone", "added"):
            assert getattr(network, name).tolist() == getattr(expected, name).tolist()
    assert learned.boundary == pytest.approx(contrast.boundary, rel=1e-5, abs=1e-7)


def test_every_row_is_classified_by_networks_that_had_not_seen_its_fold(
    data: tuple[engine.Dataset, engine.Dataset],
) -> None:
    """Held out row by row in memory: the same confusion, and the same area."""
    memory, disk = data
    held = METHOD.run(disk).held_out
    points = points_of(memory, "class")
    counted = counted_by(points, coding_of(points, points.labels >= 0, METHOD), METHOD)
    seed = int(np.random.SeedSequence([METHOD.seed, 1]).generate_state(1)[0])
    words = fold_of_words(3, seed)[np.arange(-(-BIG // 64)) % (ROWS // 64)]
    fold = np.repeat(words, 64)[:BIG][points.rows]
    scores = np.zeros(BIG)
    for number in range(3):
        labels = np.where(fold == number, -1, points.labels)
        out = fold == number
        scores[out] = stacked(fit_contrasts(counted, labels, 2, METHOD, known_of(points, METHOD)))[out, 0]
    expected = np.bincount(points.labels * 2 + (scores > 0), minlength=4).reshape(2, 2)
    assert held.confusion().to_numpy().tolist() == expected.tolist()
    area = auc(scores, points.labels == 1)
    found = held.auc()
    assert (found.value, found.low, found.high) == pytest.approx((area.value, area.low, area.high), abs=1e-4)
    assert (held.n, held.sizes.tolist()) == (BIG, np.bincount(points.labels).tolist())
    assert held.interval == pytest.approx((held.accuracy, held.accuracy), abs=0.01)
    assert held.balanced_accuracy == pytest.approx((expected.diagonal() / expected.sum(axis=1)).mean())


def test_pushes_are_told_beside_the_usual_one_of_rows(tmp_path: Path) -> None:
    """Which counts give; a patient's contributions sum to the score."""
    memory, disk = both(tmp_path, table(2_000))
    few = memory.rows(np.arange(200))
    ours, theirs = (METHOD.set_params(shuffles=0, folds=2).run(each) for each in (disk, memory))
    for c, other in zip(ours.learned, theirs.learned, strict=True):
        assert c.usual == pytest.approx(other.usual, rel=1e-5)
    assert ours.predict(few)["score"].to_numpy() == pytest.approx(theirs.predict(few)["score"].to_numpy(), abs=1e-5)


def test_permutations_by_table_find_what_permutations_of_rows_find(tmp_path: Path) -> None:
    """The most that any link gains by chance, and any variable's levels, in distribution."""
    frame = table(3_000)
    frame["class"] = np.random.default_rng(1).permutation(frame["class"].tolist())
    memory, disk = both(tmp_path, frame)
    method = METHOD.set_params(shuffles=400)
    result = method.run(disk)
    points = points_of(memory, "class")
    counted = counted_by(points, coding_of(points, points.labels >= 0, method), method)
    for ours, theirs in zip(
        (result.chance, result.chance_levels), shuffled_best(points, counted, method, silent), strict=True
    ):
        for share in (0.5, 0.9):
            assert np.quantile(ours, share) == pytest.approx(np.quantile(theirs, share), rel=0.2)
    assert "Classes were permuted table by table" in " ".join(result.notes())


def test_links_are_beyond_chance_or_not(data: tuple[engine.Dataset, engine.Dataset]) -> None:
    """The one that differs between the classes is; with more parents than one nobody says."""
    _, disk = data
    result = METHOD.set_params(shuffles=99).run(disk)
    ranked = result.families()
    first = ranked.iloc[0]
    assert {first["child"], *first["parents"]} == {"v0", "v1"} and first["chance"] == 0.01
    linked = ranked[ranked["parents"].map(len) > 0]
    assert (linked[~linked["parents"].map(set).map(lambda own: bool(own & {"v0", "v1"}))]["chance"] > 0.05).all()
    assert result.held_out.p != result.held_out.p
    several = METHOD.set_params(max_parents=2).run(disk)
    assert not len(several.chance) and "no link has a p" in " ".join(several.notes())


def test_a_second_table_is_tested_where_it_lies(data: tuple[engine.Dataset, engine.Dataset], tmp_path: Path) -> None:
    """With the figures of memory, whichever of both the networks were learned from; its first table is said to be."""
    _, disk = data
    second, far = both(tmp_path, table(5_000, seed=3))
    result = METHOD.run(disk)
    here, there = result.test(second), result.test(far)
    assert there.confusion().equals(here.confusion())
    assert there.auc().value == pytest.approx(here.auc().value, abs=1e-4)
    assert there.headline() == here.headline() and not there.notes
    assert "these figures are too good" in " ".join(result.test(disk).notes)
    assert replace(METHOD, shuffles=0).run(second).test(disk).n == BIG
    with pytest.raises(DataError, match="no variable 'v2', which the networks use"):
        result.test(far.select(["v0", "v1", "v3", "v4", "class"]))
    with pytest.raises(DataError, match="has no column 'class'"):
        result.test(far.select(["v0", "v1", "v2", "v3", "v4"]))
    with pytest.raises(DataError, match="What every family adds to a score needs the rows one by one"):
        result.predict(far)


def test_rows_without_a_class_are_left_out(tmp_path: Path) -> None:
    """Of what is learned, held out and tested; a variable of one level and names in another order are there."""
    frame = table(3_000)[["class", "v4", "v3", "v1", "v0", "v2"]].assign(same="x")
    frame.loc[frame.index[::7], "class"] = None
    memory = engine.Dataset.from_frame(frame, missing={"class": "level"}, kinds={"same": "nominal"})
    disk = stored(parquet(tmp_path, frame), memory.recipe, tmp_path / "stored")
    result = METHOD.run(disk)
    assert result.held_out.n == METHOD.run(memory).held_out.n == 2_571
    assert "429 rows without a class left out." in result.notes()
    lost, same = result.test(disk).notes
    assert lost == "429 rows without one of the classes are left out." and "these figures are too good" in same


def test_it_is_saved_and_opened(data: tuple[engine.Dataset, engine.Dataset], tmp_path: Path) -> None:
    """Counts of rows by score among it; a table that says how many rows each score has."""
    result = METHOD.run(data[1])
    engine.save(result, tmp_path / "far.diptych")
    opened = engine.load(tmp_path / "far.diptych")
    assert opened.to_json() == result.to_json() and opened.headline() == result.headline()
    verdicts = opened.table("Held-out verdicts")
    assert list(verdicts) == ["class", "classified as", "right", "score", "rows"] and verdicts["rows"].sum() == BIG
    drawn = opened.figures()
    assert set(drawn) == {
        "networks",
        *(name for section in opened.sections() for name in section.figures),
        "family",
        "links",
    }
    assert "scatter" not in drawn


REFUSED: list[tuple[dict[str, Any], type[DiptychError], str]] = [
    ({"score": "ccl"}, SettingsError, "CCL looks at every row for every link, and these rows are on disk"),
    ({"folds": "leave_one_out"}, SettingsError, "learns as often as there are rows, and these are on disk"),
    ({"discretise": "series"}, SettingsError, "needs several steps a subject"),
    ({"target": "v0"}, DataError, "'v0' has 3 classes .* are separated two at a time"),
]


@pytest.mark.parametrize(("settings", "kind", "words"), REFUSED)
def test_what_needs_rows_is_refused(
    data: tuple[engine.Dataset, engine.Dataset], settings: dict[str, Any], kind: type[DiptychError], words: str
) -> None:
    """In a sentence; settings beforehand, too."""
    method = METHOD.set_params(**settings)
    with pytest.raises(kind, match=words) as refused:
        method.run(data[1])
    expected = method.expected(data[1])
    assert expected and expected in str(refused.value)


def test_the_page_begins_with_two_classes(data: tuple[engine.Dataset, engine.Dataset]) -> None:
    """The column of two levels is proposed, without a look at a row; where there is none a sentence says so."""
    _, disk = data
    assert engine.Discriminative.propose(disk).target == "class"
    assert METHOD.expected(disk).startswith("Rows are only counted here: no p for the accuracy")
    assert engine.Discriminative.unfit(disk) == ""
    none = disk.select(["v0", "v1", "v2"])
    assert "No column has two levels, and rows on disk are separated" in engine.Discriminative.unfit(none)


def test_too_few_rows_to_hold_out(tmp_path: Path) -> None:
    """Of one class, one run of neighbours, or a class of one row."""
    frame = table(60)
    _, disk = both(tmp_path, frame)
    with pytest.raises(DataError, match="60 rows are too few to hold out runs of 64 neighbours"):
        METHOD.run(disk)
    (tmp_path / "other").mkdir()
    frame = table(300)
    frame["class"] = ["ill", *["well"] * 299]
    _, disk = both(tmp_path / "other", frame)
    with pytest.raises(DataError, match="Class 'ill' of 'class' has 1 row"):
        METHOD.run(disk)


def test_it_can_be_cancelled_in_every_pass(data: tuple[engine.Dataset, engine.Dataset]) -> None:
    """Progress rises, and what it raises ends the run."""
    seen: list[tuple[float, str]] = []
    with using(1):  # of several threads one may do all blocks and say nothing, or end them in another order
        METHOD.run(data[1], progress=lambda fraction, words: seen.append((fraction, words)))
    assert [fraction for fraction, _ in seen] == sorted(fraction for fraction, _ in seen) and seen[-1][0] == 1
    for words in ("counting pairs", "boundaries", "scores of the rows"):

        def stop(_: float, text: str, words: str = words) -> None:
            if text.startswith(words):
                raise Cancelled

        with using(1), pytest.raises(Cancelled):
            METHOD.run(data[1], progress=stop)
