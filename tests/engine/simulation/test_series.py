"""Dynamic networks of two classes: links as strong as asked, series that follow the tables, noise by subject."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engine.errors import DataError, SettingsError
from engine.simulation.nmis import nmis
from engine.simulation.series import DynamicNetwork, four_nodes, random_pair, sample_subjects, with_noise


def strengths(network: DynamicNetwork, child: int) -> np.ndarray:
    """NMIS of a variable's parents, taken as even and independent."""
    shape = network.tables[child].shape[:-1]
    return nmis(network.tables[child], np.full(shape, 1 / np.prod(shape)))


def frequencies(network: DynamicNetwork, codes: np.ndarray, child: int) -> np.ndarray:
    """The table of a variable as the transitions of series show it."""
    counts = np.zeros(network.tables[child].shape)
    before, after = codes[:, :, :-1].reshape(len(codes), -1), codes[:, :, 1:].reshape(len(codes), -1)
    np.add.at(counts, (*(before[parent] for parent in network.parents[child]), after[child]), 1)
    found: np.ndarray = counts / counts.sum(axis=-1, keepdims=True)
    return found


def mixed() -> DynamicNetwork:
    """Two and three levels, a variable without parents, one with itself and another as parents."""
    rng = np.random.default_rng(8)
    tables = (rng.dirichlet(np.ones(2)), rng.dirichlet(np.ones(3), size=(2, 3)), rng.dirichlet(np.ones(2), size=3))
    return DynamicNetwork(("a", "b", "c"), ((), (0, 1), (1,)), tables)


@pytest.mark.parametrize(("c", "arity"), [(0.0, 4), (0.01, 4), (0.17, 4), (0.22, 4), (0.1, 3), (0.1, 5)])
def test_four_nodes_have_the_papers_strengths(c: float, arity: int) -> None:
    """X4 is the only one that is another variable in the second class, and only X3 matters less to it."""
    one, two = four_nodes(c, np.random.default_rng(3), arity)
    assert one.parents == two.parents == ((0,), (0,), (2,), (1, 2))
    assert one.arities == (arity,) * 4
    assert [a is b for a, b in zip(one.tables, two.tables, strict=True)] == [True, True, True, c == 0]
    for child in range(3):
        np.testing.assert_allclose(strengths(one, child), [0.2], atol=1e-7)
    np.testing.assert_allclose(strengths(one, 3), (0.3, 0.22), atol=1e-7)
    np.testing.assert_allclose(strengths(two, 3), (0.3, 0.22 - c), atol=1e-7)
    np.testing.assert_allclose(two.tables[3].mean(axis=1), one.tables[3].mean(axis=1), atol=1e-8)  # P(X4 | X2) stays


def test_a_random_pair_differs_in_the_changed_variables_alone() -> None:
    """Two distinct parents for everybody, strengths as the paper has them, the same arcs in both classes."""
    one, two, changed = random_pair(9, 2, np.random.default_rng(1))
    assert one.names == two.names == tuple(f"X{i}" for i in range(1, 10))
    assert one.parents == two.parents
    assert all(len(set(family)) == 2 for family in one.parents)
    assert len(changed) == 2
    for child, name in enumerate(one.names):
        same = one.tables[child] is two.tables[child]
        assert same == (name not in changed)
        np.testing.assert_allclose(strengths(one, child), (0.1, 0.05) if same else (0.3, 0.22), atol=1e-7)
        np.testing.assert_allclose(strengths(two, child), (0.1, 0.05) if same else (0.3, 0.05), atol=1e-7)


def test_a_random_pair_of_other_strengths() -> None:
    """As many parents as strengths; nobody changed gives the same network twice; a link may become stronger."""
    one, two, changed = random_pair(12, 0, np.random.default_rng(2), arity=3, parents=(0.1,))
    assert one is two
    assert changed == ()
    assert one.names[0] == "X01"
    assert all(len(family) == 1 for family in one.parents)
    one, two, changed = random_pair(4, 4, np.random.default_rng(2), before=(0.1, 0.2), after=(0.1, 0.05))
    assert changed == one.names
    np.testing.assert_allclose(strengths(two, 2), (0.1, 0.05), atol=1e-7)


@pytest.mark.parametrize("made", [mixed, lambda: four_nodes(0.17, np.random.default_rng(5))[1]])
def test_series_follow_the_tables(made: Callable[[], DynamicNetwork]) -> None:
    """Transitions are as frequent as the tables say, and codes are levels of their variable."""
    network = made()
    codes = network.sample(40, 2000, np.random.default_rng(0))
    assert codes.shape == (len(network.names), 40, 2000)
    assert codes.dtype == np.uint8
    assert codes.flags.c_contiguous
    for child, table in enumerate(network.tables):
        assert set(np.unique(codes[child])) <= set(range(table.shape[-1]))
        np.testing.assert_allclose(frequencies(network, codes, child), table, atol=0.03)


def test_series_begin_where_they_have_settled() -> None:
    """After the burn-in the first step is like any other; without it, it is even."""
    slow = DynamicNetwork(("mood",), ((0,),), (np.array([[0.95, 0.05], [0.2, 0.8]]),))
    first, second = (slow.sample(20_000, 2, np.random.default_rng(1))[0, :, step].mean() for step in (0, 1))
    assert first == pytest.approx(0.2, abs=0.01)
    assert second == pytest.approx(0.2, abs=0.01)
    assert slow.sample(20_000, 1, np.random.default_rng(1), burn_in=0).mean() == pytest.approx(0.5, abs=0.02)


def test_running_series_keep_the_strengths() -> None:
    """Parents in a chain are nearly even and independent, so links are as strong as they were drawn."""
    one, _, _ = random_pair(6, 1, np.random.default_rng(4))
    codes = one.sample(20, 5000, np.random.default_rng(0))
    for child in range(6):
        np.testing.assert_allclose(
            strengths(replace(one, tables=tuple(frequencies(one, codes, i) for i in range(6))), child),
            strengths(one, child),
            atol=0.02,
        )
        shares = np.bincount(codes[child].ravel()) / codes[child].size
        np.testing.assert_allclose(shares, 0.25, atol=0.03)


def test_no_noise_is_the_network_itself() -> None:
    """Nothing is drawn either."""
    network, rng = mixed(), np.random.default_rng(0)
    assert with_noise(network, 0, rng) is network
    assert rng.random() == np.random.default_rng(0).random()


def test_noise_raises_cells_by_tenths() -> None:
    """Rows still sum to one; before they are divided by their sums they hold whole tenths more, `rho` in all."""
    network, _ = four_nodes(0.17, np.random.default_rng(0))
    for rho in (1, 20, 300):
        noisy = with_noise(network, rho, np.random.default_rng(rho), ["X4"])
        assert [a is b for a, b in zip(noisy.tables, network.tables, strict=True)] == [True, True, True, False]
        old, new = (one.tables[3].reshape(-1, 4) for one in (network, noisy))
        np.testing.assert_allclose(new.sum(axis=1), 1)
        assert (new > 0).all()
        sums = 1 + 0.1 * np.arange(400)  # a row's sum is the one that makes every addition a whole number of tenths
        added = 0
        for before, after in zip(old, new, strict=True):
            tenths = (after * sums[:, None] - before) * 10
            fits = np.flatnonzero((np.abs(tenths - tenths.round()) < 1e-6).all(axis=1) & (tenths > -1e-6).all(axis=1))
            added += int(tenths[fits[0]].round().sum())
        assert added == rho
    everywhere = with_noise(network, 30, np.random.default_rng(0))
    assert not any(a is b for a, b in zip(everywhere.tables, network.tables, strict=True))


def test_a_seed_is_a_simulation() -> None:
    """The same seed gives the same networks, noise and series to the bit; another seed gives others."""

    def all_of_it(seed: int) -> list[np.ndarray]:
        rng = np.random.default_rng(seed)
        one, two, _ = random_pair(5, 1, rng)
        noisy = [with_noise(two, 10, rng) for _ in range(2)]
        return [*one.tables, *noisy[1].tables, one.sample(2, 30, rng), sample_subjects(noisy, 30, rng)]

    for one, same, other in zip(all_of_it(6), all_of_it(6), all_of_it(7), strict=True):
        np.testing.assert_array_equal(one, same)
        assert (one != other).any()


def test_what_cannot_be_is_said() -> None:
    """Sentences, not numbers that are wrong."""
    rng = np.random.default_rng(0)
    network = mixed()
    with pytest.raises(SettingsError, match="more than the child has to tell"):
        four_nodes(0.1, rng, arity=2)
    for c in (-0.01, 0.23, float("nan")):
        with pytest.raises(SettingsError, match=r"it can be 0 to 0\.22"):
            four_nodes(c, rng)
    with pytest.raises(SettingsError, match="it can be 0 to 3"):
        random_pair(3, 4, rng)
    with pytest.raises(SettingsError, match="2 parents among 1 variables"):
        random_pair(1, 1, rng)
    with pytest.raises(SettingsError, match="of the same parents"):
        random_pair(3, 1, rng, after=(0.1,))
    with pytest.raises(SettingsError, match="more than the child has to tell"):
        random_pair(3, 1, rng, arity=2)
    with pytest.raises(SettingsError, match="0, for none"):
        with_noise(network, -1, rng)
    with pytest.raises(SettingsError, match="no variable 'z'"):
        with_noise(network, 1, rng, ["z"])
    for subjects, steps, burn_in in ((0, 5, 0), (5, 0, 0), (5, 5, -1)):
        with pytest.raises(SettingsError, match="one or more"):
            network.sample(subjects, steps, rng, burn_in)
    with pytest.raises(SettingsError, match="one or more"):
        sample_subjects([], 5, rng)
    with pytest.raises(SettingsError, match="the same parents"):
        sample_subjects([network, four_nodes(0.1, rng)[0]], 5, rng)


def test_a_network_fits_together() -> None:
    """Tables have the shape that their families ask for, and rows that are distributions."""
    table = np.array([[0.5, 0.5], [0.1, 0.9]])
    for parents, tables, words in (
        (((1,),), (table,), "different variables"),
        (((0, 0),), (np.full((2, 2, 2), 0.5),), "different variables"),
        (((),), (table,), "asks for"),
        (((0,),), (table + 0.1,), "sum to 1"),
        (((0,),), (np.array([[1.5, -0.5], [0.1, 0.9]]),), "sum to 1"),
    ):
        with pytest.raises(DataError, match=words):
            DynamicNetwork(("a",), parents, tables)
