"""Rows drawn again: what must be kept is kept, no subject is split, and equal seeds give equal bits."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import execution
from engine.errors import Cancelled, DataError, SettingsError
from engine.resampling import bootstrap, check_runs, deal, half, k_fold, permutation, repeat, units_of

SEEDS = st.integers(0, 2**32)
LABELS = st.lists(st.sampled_from(["a", "b", 3, None]), min_size=1, max_size=30)


def generator(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def draw(seed: np.random.SeedSequence) -> list[int]:
    """What a run draws; at module level, so that workers find it."""
    return np.random.default_rng(seed).integers(0, 1000, 5).tolist()


@given(LABELS, SEEDS)
def test_strata_keep_their_margins(strata: list[object], seed: int) -> None:
    """Every row comes once, from its own stratum: a column read so has the same counts in each."""
    order = permutation(len(strata), generator(seed), strata)
    assert sorted(order.tolist()) == list(range(len(strata)))
    assert [strata[row] for row in order] == strata
    values = generator(0).integers(0, 3, len(strata)).tolist()
    shuffled = [values[row] for row in order]
    assert Counter(zip(strata, values, strict=True)) == Counter(zip(strata, shuffled, strict=True))
    assert order.tolist() == permutation(len(strata), generator(seed), np.array(strata, dtype=object)).tolist()


@given(st.integers(0, 40), SEEDS)
def test_without_strata_every_row_may_go_anywhere(n: int, seed: int) -> None:
    """The generator's own permutation, bit for bit: shuffled labels of before stay as they were."""
    assert permutation(n, generator(seed)).tolist() == generator(seed).permutation(n).tolist()


def test_every_order_within_strata_is_as_likely() -> None:
    """Two strata of two rows have four orders; none is much rarer than a quarter."""
    one = generator(3)
    seen = Counter(tuple(permutation(4, one, "abab").tolist()) for _ in range(4000))
    assert set(seen) == {(0, 1, 2, 3), (2, 1, 0, 3), (0, 3, 2, 1), (2, 3, 0, 1)}
    assert min(seen.values()) > 900


@given(st.integers(1, 60), SEEDS)
def test_a_bootstrap_is_n_rows_in_order(n: int, seed: int) -> None:
    """As many rows as there are, rising, with the bits that bootstraps always had."""
    rows = bootstrap(n, generator(seed))
    assert rows.tolist() == sorted(generator(seed).integers(0, n, n).tolist())


def test_a_bootstrap_leaves_out_a_third() -> None:
    """A row is missed with probability (1 - 1/n)^n, which is 1/e."""
    missed = [500 - len(set(bootstrap(500, generator(seed)).tolist())) for seed in range(200)]
    assert np.mean(missed) / 500 == pytest.approx(np.exp(-1), abs=0.01)


@given(LABELS, SEEDS, st.data())
def test_folds_are_disjoint_cover_all_and_split_no_subject(
    subjects: list[object], seed: int, data: st.DataObject
) -> None:
    """The other rows are the rest; sizes differ by no more than the largest subject has rows."""
    many = len(set(subjects))
    if many < 2:
        return
    k = data.draw(st.integers(2, many))
    folds = list(k_fold(len(subjects), k, generator(seed), subjects))
    held_out = [out.tolist() for _, out in folds]
    assert len(folds) == k and all(held_out)
    assert sorted(row for out in held_out for row in out) == list(range(len(subjects)))
    for rest, out in folds:
        assert sorted([*rest.tolist(), *out.tolist()]) == list(range(len(subjects)))
        assert not {subjects[row] for row in rest} & {subjects[row] for row in out}
    sizes = [len(out) for out in held_out]
    assert max(sizes) - min(sizes) <= max(Counter(subjects).values())
    assert held_out == [out.tolist() for _, out in k_fold(len(subjects), k, generator(seed), subjects)]


@given(st.integers(2, 40), SEEDS, st.data())
def test_folds_of_single_rows_are_even(n: int, seed: int, data: st.DataObject) -> None:
    """They differ by one row at most, and as many folds as rows leave one out each."""
    k = data.draw(st.integers(2, n))
    sizes = [len(out) for _, out in k_fold(n, k, generator(seed))]
    assert sum(sizes) == n and max(sizes) - min(sizes) <= 1
    assert sorted(int(out[0]) for _, out in k_fold(n, n, generator(seed))) == list(range(n))


def test_a_run_is_the_same_whatever_the_number_of_runs_and_workers() -> None:
    """Run 2 of 3 and of 5, on one worker, on two and on two threads; another seed is another run."""
    three = repeat(draw, 3, seed=8)
    assert repeat(draw, 5, seed=8)[:3] == three == repeat(draw, 3, seed=8, jobs=2)
    with execution.using(2):
        assert repeat(draw, 3, seed=8, threaded=True) == three
    assert repeat(draw, 3, seed=9) != three and len({tuple(run) for run in three}) == 3


def test_runs_tell_their_progress_and_can_be_cancelled() -> None:
    """A word at the beginning and for each run; what the callback raises comes up as it is."""
    heard: list[tuple[float, str]] = []
    repeat(draw, 2, seed=0, progress=lambda fraction, words: heard.append((fraction, words)), words="shuffles")
    assert heard == [(0.0, "shuffles: 0 of 2"), (0.5, "shuffles: 1 of 2"), (1.0, "shuffles: 2 of 2")]

    def stop(fraction: float, words: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        repeat(draw, 2, seed=0, progress=stop)


@pytest.mark.parametrize("runs", [0, -1, True, 2.0, "3", None])
def test_what_is_no_number_of_runs_is_one_sentence(runs: object) -> None:
    """Before anything is drawn."""
    with pytest.raises(SettingsError, match="whole number from 1 up"):
        check_runs(runs)
    with pytest.raises(SettingsError, match="whole number from 1 up"):
        repeat(draw, runs, seed=0)  # type: ignore[arg-type]


@pytest.mark.parametrize("k", [1, 0, 4, True, 2.5])
def test_folds_need_a_subject_each(k: object) -> None:
    """Three subjects have two or three folds."""
    with pytest.raises(SettingsError, match="from 2 to 3"):
        list(k_fold(4, k, generator(0), list("abca")))  # type: ignore[arg-type]


def test_labels_must_be_as_many_as_rows() -> None:
    """Said for strata and for subjects."""
    for make in (
        lambda: permutation(3, generator(0), "ab"),
        lambda: list(k_fold(3, 2, generator(0), "abab")),
    ):
        with pytest.raises(DataError, match="labels for 3 rows"):
            make()


CLUSTERS = st.lists(st.integers(0, 5), min_size=2, max_size=40).map(np.array)


@given(CLUSTERS, st.integers(0, 99))
def test_whole_clusters_are_drawn_and_dealt(clusters: np.ndarray, seed: int) -> None:
    """A cluster comes whole or not at all, and keeps one label."""
    n, sizes = len(clusters), Counter(clusters.tolist())
    drawn = Counter(clusters[bootstrap(n, generator(seed), clusters)].tolist())
    assert all(rows % sizes[one] == 0 for one, rows in drawn.items())
    assert sum(rows // sizes[one] for one, rows in drawn.items()) == len(sizes)
    halved = Counter(clusters[half(n, generator(seed), clusters)].tolist())
    assert all(rows == sizes[one] for one, rows in halved.items())
    assert len(halved) == max(len(sizes) // 2, 1)
    labels = clusters % 2
    dealt = deal(labels, generator(seed), clusters)
    by_cluster = {one: set(dealt[clusters == one].tolist()) for one in sizes}
    assert all(len(found) == 1 for found in by_cluster.values())
    assert sum(next(iter(found)) for found in by_cluster.values()) == sum(one % 2 for one in sizes)


@given(st.integers(2, 8), st.integers(0, 99))
def test_labels_that_vary_in_most_clusters_are_dealt_inside_them(many: int, seed: int) -> None:
    clusters = np.repeat(np.arange(many + 1), 4)
    labels = np.where(
        clusters == many, 0, generator(seed).permuted(np.tile([0, 1, 1, 0], (many + 1, 1)), axis=1).ravel()
    )
    dealt = deal(labels, generator(seed), clusters)
    assert [dealt[clusters == c].sum() for c in range(many + 1)] == [2] * many + [0]


def test_a_row_of_another_label_does_not_turn_a_cluster_over() -> None:
    """One miscoded row makes a unit of its own; whole clusters are dealt all the same."""
    clusters = np.repeat(np.arange(6), 5)
    labels = (clusters >= 3).astype(int)
    labels[0] = 1
    units = units_of(labels, clusters)
    assert not units.inside
    pairs = sorted(zip(units.cluster.tolist(), units.label.tolist(), strict=True))
    assert pairs == [(0, 0), (0, 1), (1, 0), (2, 0), (3, 1), (4, 1), (5, 1)]
    dealt = deal(labels, generator(0), clusters)
    assert sorted(dealt[[int(np.argmax(units.unit == u)) for u in range(7)]].tolist()) == [0] * 3 + [1] * 4


def test_one_pair_among_single_rows_is_no_table_of_pairs() -> None:
    """Labels are dealt inside clusters only where most rows stand in clusters that have several."""
    clusters = np.append(np.arange(59), 0)
    labels = np.append(np.arange(59) % 2, 1)
    assert not units_of(labels, clusters).inside
    assert units_of(np.tile([0, 1], 30), np.repeat(np.arange(30), 2)).inside


def test_rows_by_themselves_are_clusters_of_one() -> None:
    clusters = np.arange(7)
    assert np.array_equal(bootstrap(7, generator(3), clusters), bootstrap(7, generator(3)))
    assert np.array_equal(half(7, generator(3), clusters), half(7, generator(3)))
    labels = np.array([0, 1, 0, 1, 1, 0, 0])
    assert np.array_equal(deal(labels, generator(3), clusters), deal(labels, generator(3)))
