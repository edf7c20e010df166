"""The calibration study: its truths worked out apart, its blocks and bars, and a small part that may not get worse."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from benchmarks.calibration.cell import Bar
from benchmarks.calibration.methods import changes, numbers, related_rows
from benchmarks.calibration.methods import group_difference as groups
from benchmarks.calibration.study import bars, parts
from benchmarks.papers.catalog import every_study
from engine.methods.registry import METHODS
from engine.models.network import Network


@pytest.fixture(scope="module")
def network() -> Network:
    """A random network of four variables."""
    found = changes.drawn(4, np.random.default_rng(1))
    assert any(len(family) for family in found.parents)
    return found


def test_the_joint_is_the_product_of_the_tables(network: Network) -> None:
    """Every cell, one by one; it sums to one."""
    joint = changes.joint(network)
    assert joint.sum() == pytest.approx(1.0)
    for cell in itertools.product(*(range(size) for size in joint.shape)):
        assert joint[cell] == pytest.approx(np.exp(network.log_probability(np.array(cell)[:, None]))[0])


def test_true_differences_are_those_of_many_rows(network: Network) -> None:
    """Shares in a context of both networks, counted in 400,000 rows of each; the order of parents is theirs."""
    generator = np.random.default_rng(2)
    other, changed = changes.perturbed(network, 0.2, generator)
    child = 0 if changed else 1
    given = [x for x in range(4) if x != child][::-1][:2]
    places = [np.array([0, 1]), np.array([1, 0])]
    found = changes.differences((changes.joint(network), changes.joint(other)), child, given, places, 2)
    samples = [one.sample_codes(400_000, generator) for one in (network, other)]
    for row in range(2):
        shares = []
        for codes in samples:
            here = np.all([codes[x] == place[row] for x, place in zip(given, places, strict=True)], axis=0)
            shares.append(np.bincount(codes[child, here], minlength=found.shape[1]) / here.sum())
        assert found[row] == pytest.approx(shares[1] - shares[0], abs=0.02)


def others_are_equal(one: Network, other: Network, child: int) -> bool:
    """Whether no table but that of one variable was touched."""
    pairs = zip(one.tables, other.tables, strict=True)
    return one.parents == other.parents and all(np.array_equal(a, b) for i, (a, b) in enumerate(pairs) if i != child)


def test_a_change_is_as_large_as_it_is_said() -> None:
    """Both ways of changing a variable move so much in every context, and leave all other tables."""
    generator = np.random.default_rng(3)
    for _ in range(5):
        one, other, child = changes.shifted(6, 0.2, generator)
        change = other.tables[child] - one.tables[child]
        assert np.abs(change).max(axis=1) == pytest.approx(np.full(len(change), 0.2))
        assert (np.sign(change) == np.sign(change[0])).all(), "between the same two levels"
        assert others_are_equal(one, other, child)
        mixed, place = changes.perturbed(one, 0.1, generator)
        assert np.abs(mixed.tables[place] - one.tables[place]).max(axis=1) == pytest.approx(0.1)


def test_a_change_in_one_context_is_in_one_that_holds_enough() -> None:
    """By the rows of the network itself, one context of several moves by 25 points and holds a fifth of them."""
    generator = np.random.default_rng(4)
    for _ in range(5):
        one, other, child = changes.shifted_in_one_context(6, 0.25, 0.2, generator)
        size = np.abs(other.tables[child] - one.tables[child]).max(axis=1)
        assert sorted(size) == pytest.approx([*[0.0] * (len(size) - 1), 0.25]) and len(size) > 1
        assert others_are_equal(one, other, child)
        codes = one.sample_codes(40_000, generator)
        number = np.ravel_multi_index([codes[x] for x in one.parents[child]], one.arities[list(one.parents[child])])
        assert np.bincount(number, minlength=len(size))[size.argmax()] / 40_000 > 0.19


def test_small_networks_have_their_shape() -> None:
    """The chain's head has room for 30 points and each link moves 30 to 80; both causes move the effect."""
    generator = np.random.default_rng(5)
    for _ in range(10):
        chain, collider = changes.chain(generator), changes.collider(generator)
        assert chain.parents == ((), (0,), (1,), (2,)) and chain.tables[0].tolist() == [[0.65, 0.35]]
        for table in chain.tables[1:]:
            assert 0.3 <= abs(table[0, 0] - table[1, 0]) <= 0.8
        assert collider.parents[2] == (0, 1)
        share = collider.tables[2][:, 0].reshape(2, 2)
        assert np.abs(share[0] - share[1]).min() > 0.14 and np.abs(share[:, 0] - share[:, 1]).min() > 0.14


def test_networks_of_the_prior_are_as_the_prior_says() -> None:
    """Of 600 pairs half are equal, each variable differs in 1 - .5^(1/4) of them, parents are as by order and size."""
    generator = np.random.default_rng(6)
    pairs = [changes.of_the_prior(4, 0.5, 2, generator) for _ in range(600)]
    differs = np.array([own for _, _, own in pairs])
    assert (~differs.any(axis=1)).mean() == pytest.approx(0.5, abs=0.06)
    assert differs.mean() == pytest.approx(1 - 0.5**0.25, abs=0.025)
    for one, other, own in pairs:
        same = [np.array_equal(a, b) for a, b in zip(one.tables, other.tables, strict=True)]
        assert one.parents == other.parents and same == (~own).tolist()
    # at each place of the order the weights C(place, k) / C(3, k): 1; 1, 1/3; 1, 2/3, 1/3; 1, 1, 1
    expected = np.mean([[1, 0, 0], [3 / 4, 1 / 4, 0], [1 / 2, 1 / 3, 1 / 6], [1 / 3, 1 / 3, 1 / 3]], axis=0)
    sizes = np.bincount([len(family) for one, _, _ in pairs for family in one.parents], minlength=3) / 2400
    assert sizes == pytest.approx(expected, abs=0.03)
    first = [
        one.tables[i] for one, _, _ in pairs for i in range(4) if len(one.tables[i]) == 1 and len(one.levels[i]) == 2
    ]
    spread = np.array([table[0, 0] for table in first]).var()  # of Beta(1/2, 1/2)
    assert spread == pytest.approx(1 / 8, abs=0.01)


def test_probabilities_are_counted_by_bins() -> None:
    """An end belongs to the bin above, one to the last; empty bins and variables of one level say nothing."""
    probabilities = np.array([0.0, 0.05, np.nan, 0.1, 0.95, 1.0])
    counted = groups._by_bins("{:.1f} to {:.1f}", probabilities, np.array([0, 1, 1, 0, 1, 1]))
    assert list(counted) == [f"{k / 10:.1f} to {(k + 1) / 10:.1f}" for k in range(10)]
    assert {words: pair for words, pair in counted.items() if pair[1]} == {
        "0.0 to 0.1": (1, 2),
        "0.1 to 0.2": (0, 1),
        "0.9 to 1.0": (2, 2),
    }


def test_no_cell_is_called_as_another() -> None:
    """Tables are drawn by the name of their cell; and every bar is of a quantity that some cell gives."""
    names = [cell.name for cell in groups.cells()]
    assert len(set(names)) == len(names)
    assert all(0 < cell.share <= 1 for cell in groups.cells())
    assert groups.FOUND.format(500) not in groups.BARS, "told as power, held to nothing"


def test_bars_hold_what_they_say() -> None:
    """Ends are within; words name them; every barred quantity belongs to a method that has cells."""
    assert Bar(high=0.07).holds(0.07) and not Bar(high=0.07).holds(0.0701)
    assert Bar(low=0.95).holds(0.95) and not Bar(low=0.95).holds(0.9499)
    assert [one.words() for one in (Bar(high=0.07), Bar(low=0.5), Bar(0.92, 0.98))] == [
        "at most 0.07",
        "at least 0.5",
        "0.92 to 0.98",
    ]
    assert set(bars()) == set(parts()) <= {*METHODS, related_rows.SLUG, numbers.SLUG}
    assert list(every_study())[-1] == "calibration"


def test_rows_of_a_cluster_are_as_alike_as_is_asked() -> None:
    """Pairs of rows of one cluster agree oftener than pairs of two by the ICC; at 1 they are one row."""
    generator = np.random.default_rng(4)
    network = changes.drawn(3, generator, (2, 2))
    cluster = np.repeat(np.arange(4000), 5)
    root = next(i for i, own in enumerate(network.parents) if not own)
    codes = related_rows.clustered(network, cluster, 0.2, generator)[root].reshape(4000, 5).astype(float)
    p = codes.mean()
    within = np.mean([(codes[:, a] - p) * (codes[:, b] - p) for a in range(5) for b in range(a)])
    assert within / (p * (1 - p)) == pytest.approx(0.2, abs=0.03)
    assert p == pytest.approx(network.tables[root][0, 1], abs=0.03)
    alone = related_rows.clustered(network, np.arange(20_000), 0.0, generator)
    assert alone[root].mean() == pytest.approx(network.tables[root][0, 1], abs=0.02)
    copied = related_rows.clustered(network, cluster, 1.0, generator)
    assert (copied.reshape(3, 4000, 5) == copied.reshape(3, 4000, 5)[:, :, :1]).all()
    constant = related_rows.clustered(network, cluster, 0.2, generator, constant=1)[0].reshape(4000, 5)
    assert (constant == constant[:, :1]).all() and 0 < constant.mean() < 1
