"""Unusual values against the joint table, written out cell by cell."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
import pytest

from engine import Dataset, InstanceSpecific
from engine.errors import DataError
from engine.methods.instance_specific.unusual import UNUSUAL, level_shares, unusual_values
from engine.models.network import Network, random_network
from engine.telling.instance_specific.wording import NOT_DANGER
from engine.words import p_value
from tests.engine.make import random_data

PARENTS = ((), (0,), (0, 1), (2,), (1, 3))
ARITIES = (2, 3, 2, 4, 3)


def network(seed: int) -> Network:
    return random_network(PARENTS, list(ARITIES), np.random.default_rng(seed))


def cells(net: Network) -> Iterator[tuple[dict[str, str], float]]:
    """Every combination of levels with its probability: the product of the tables, one factor a variable."""
    for codes in itertools.product(*(range(len(levels)) for levels in net.levels)):
        p = 1.0
        for child, parents in enumerate(net.parents):
            row = 0
            for parent in parents:
                row = row * len(net.levels[parent]) + codes[parent]
            p *= net.tables[child][row, codes[child]]
        yield {name: net.levels[i][codes[i]] for i, name in enumerate(net.names)}, p


def given_the_rest(net: Network, name: str, known: Mapping[str, str]) -> dict[str, float]:
    """Level -> its probability given all the other known values, by adding up cells."""
    rest = {other: level for other, level in known.items() if other != name}
    sums = dict.fromkeys(net.levels[net.names.index(name)], 0.0)
    for cell, p in cells(net):
        if all(cell[other] == level for other, level in rest.items()):
            sums[cell[name]] += p
    return {level: p / sum(sums.values()) for level, p in sums.items()}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("left_out", [(), (0,), (1, 3), (2,), (0, 1, 2, 3)])
def test_each_value_against_the_joint_table(seed: int, left_out: tuple[int, ...]) -> None:
    """Probability, likeliest level, surprise and correction, some values unknown; the least expected first."""
    net = network(seed)
    drawn = np.random.default_rng(seed + 50)
    known = {name: str(drawn.choice(net.levels[i])) for i, name in enumerate(net.names) if i not in left_out}
    found = unusual_values(net, known)
    assert set(found.index) == set(known) and found.index.name == "variable"
    surprises = {}
    for name, level in known.items():
        shares = given_the_rest(net, name, known)
        row = found.loc[name]
        assert row["level"] == level
        assert row["probability"] == pytest.approx(shares[level], abs=1e-12)
        assert row["likeliest"] == max(shares, key=shares.__getitem__)
        surprises[name] = sum(p for p in shares.values() if p <= shares[level] + 1e-9)
        assert row["surprise"] == pytest.approx(surprises[name], abs=1e-12)
    assert list(found["surprise"]) == sorted(found["surprise"])
    running = 0.0  # Holm as he wrote it: the smallest times n, the next times n - 1, never falling, at most 1
    for place, name in enumerate(found.index):
        running = max(running, min((len(known) - place) * surprises[name], 1.0))
        assert found.at[name, "p"] == pytest.approx(running, abs=1e-12)


def test_levels_as_improbable_count_as_surprising() -> None:
    """Of equal shares all are added up, so that no level of a uniform variable surprises."""
    net = Network(("die",), (tuple("123456"),), ((),), (np.full((1, 6), 1 / 6),))
    assert unusual_values(net, {"die": "3"}).loc["die", ["surprise", "p"]].tolist() == pytest.approx([1, 1])


def test_surprises_are_rare_in_what_the_network_draws() -> None:
    """A corrected p of at most .05 for any value of a row happens in at most about one row of twenty."""
    net = network(3)
    rows = net.sample(400, np.random.default_rng(4))
    hits = 0
    for i in range(rows.n_rows):
        known = {name: rows.levels[name][rows.column(name)[i]] for name in rows.names}
        hits += unusual_values(net, known)["p"].min() <= 0.05
    assert hits <= 400 * 0.05 + 3 * np.sqrt(400 * 0.05 * 0.95)


def test_what_cannot_be_together_has_no_number_and_costs_no_other_its_own() -> None:
    """Where the others around a value exclude each other it has NaN; only those with a number are corrected for."""
    never = np.array([[1.0, 0.0], [1.0, 0.0]])
    names, levels = ("a", "b", "c"), (("no", "yes"),) * 3
    tables = (np.array([[0.9, 0.1]]), never, np.array([[0.97, 0.03]]))
    net = Network(names, levels, ((), (0,), ()), tables)
    found = unusual_values(net, {"a": "no", "b": "yes", "c": "yes"})
    assert found.index[-1] != "b"
    assert np.isnan(found.loc["a", "probability"]) and np.isnan(found.loc["a", "p"])
    assert found.loc["c", "probability"] == found.loc["c", "p"] == pytest.approx(0.03), "no link leads to a and b"
    assert found.loc["b", "probability"] == 0 and found.loc["b", "p"] == found.loc["b", "surprise"] == 0


def test_nothing_known_is_an_empty_table() -> None:
    """No row, and all the columns that a reader asks for."""
    found = unusual_values(network(1), {})
    assert found.empty and {"level", "probability", "surprise", "p", "likeliest"} <= set(found.columns)


@pytest.mark.parametrize("known", [{"nobody": "1"}, {"X1": "no such level"}])
def test_what_the_network_does_not_have_is_refused(known: dict[str, str]) -> None:
    """By a sentence, as the docstring says."""
    net = network(1)
    known = {net.names[0] if name == "X1" else name: level for name, level in known.items()}
    with pytest.raises(DataError):
        unusual_values(net, known)


@pytest.mark.parametrize("target", [None, "wet"])
@pytest.mark.parametrize("mode", ["order_kept", "published"])
def test_tables_are_counted_in_all_rows_but_the_own_subjects(mode: str, target: str | None) -> None:
    """(rows + 1/2) / (rows of the parents' values + levels / 2), family by family; by either mode, with a target."""
    rng = np.random.default_rng(3)
    rain = rng.integers(0, 2, 60)
    wet = np.where(rng.random(60) < 0.9, rain, 1 - rain)
    table = pd.DataFrame({"wet": wet, "rain": rain, "dice": rng.integers(1, 4, 60), "who": np.arange(60) // 2})
    data = Dataset.from_frame(table.astype(str), roles={"who": "subject"})
    result = InstanceSpecific(mode=mode).run(data, 7, target=target)
    network = result.population_network
    assert network is not None and set(network.names) == {"wet", "rain", "dice"}
    assert any(network.parents)
    others = [r for r in range(60) if r // 2 != 3]
    codes = {name: data.column(name) for name in network.names}
    for child, parents, cells in zip(network.names, network.parents, network.tables, strict=True):
        families = [network.names[x] for x in parents]
        combinations = itertools.product(*(range(len(data.levels[name])) for name in families))
        r = len(data.levels[child])
        for row, values in zip(cells, combinations, strict=True):
            here = [i for i in others if all(codes[name][i] == v for name, v in zip(families, values, strict=True))]
            hits = [sum(codes[child][i] == level for i in here) for level in range(r)]
            assert row.tolist() == pytest.approx([(hit + 0.5) / (len(here) + 0.5 * r) for hit in hits])
    known = {name: data.levels[name][codes[name][7]] for name in network.names if name != target}
    pd.testing.assert_frame_equal(result.unusual_values().sort_index(), unusual_values(network, known).sort_index())


def test_the_headline_begins_with_the_value_that_is_unexpected() -> None:
    """The value, its share of all and its probability given the others; without one, the least expected."""
    rain = ["no"] * 60 + ["yes"] * 60
    table = pd.DataFrame({"rain": rain, "wet": ["no"] * 59 + ["yes"] * 61})
    data = Dataset.from_frame(table)
    odd = InstanceSpecific().run(data, 59)
    assert odd.unusual_values().loc["rain", "p"] < UNUSUAL
    assert odd.headline().replace("\u00a0", " ") == (
        "rain = no, as in 50 % of patients, is unexpected given the other values (p = .016); so is 1 more value."
    )
    usual = InstanceSpecific().run(data, 3)
    assert (
        usual.headline().replace("\u00a0", " ") == "No value is clearly unexpected given this patient's other values."
    )
    least = usual.how_sure()[0].replace("\u00a0", " ")
    alone = usual.unusual_values().loc["rain", "surprise"]
    own = p_value(alone).replace("\u00a0", " ")
    assert least == f"The smallest p of 2 values is that of rain = no: {own}, p > .999 after correction."
    corrected = "p allows for 2 values: chance makes one this unexpected in up to 1.6\u00a0% of patients."
    assert odd.how_sure() == [corrected, NOT_DANGER]
    not_compared = "The population's one link cannot be compared: it is the only link into its variable, "
    assert any(sentence.startswith(not_compared) for sentence in usual.sentences())
    predicted = InstanceSpecific().run(data, 3, target="wet").headline()
    assert predicted.startswith("Probability of wet = yes: ") and predicted.endswith(" of all rows.")


def test_shares_are_counted_in_all_rows() -> None:
    """Shares of a variable's levels."""
    data = random_data(80, 3, 3, seed=5)
    b = data.names[1]
    shares = level_shares(data, b)
    assert shares.tolist() == pytest.approx([list(data.codes[1]).count(level) / 80 for level in range(data.arity[1])])
