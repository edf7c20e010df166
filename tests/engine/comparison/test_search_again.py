"""The chance of a difference: against a slow second version, where nothing differs, and where something does."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import engine
import sample_data
from engine.methods.result import Result
from engine.project.chance import Chance, _pooled, holm

NAMES = ["a", "b", "c", "d"]


def drawn(seed: int, rows: int, strength: float = 0.75) -> np.ndarray:
    """(4, rows) codes: b follows a as often as asked, c follows b, d is alone."""
    generator = np.random.default_rng(seed)
    a = generator.integers(0, 2, rows)
    b = np.where(generator.random(rows) < strength, a, 1 - a)
    c = np.where(generator.random(rows) < 0.7, b, 1 - b)
    return np.array([a, b, c, generator.integers(0, 2, rows)])


def parted(codes: np.ndarray, first: int) -> tuple[engine.Dataset, engine.Dataset]:
    """The first rows, and the others."""
    whole = engine.Dataset.from_codes(codes, [2] * len(codes), NAMES[: len(codes)])
    return whole.rows(np.arange(first)), whole.rows(np.arange(first, whole.n_rows))


def asked(parts: tuple[engine.Dataset, engine.Dataset], **more: int) -> Chance:
    """Both parts analysed, and their difference weighed."""
    a, b = (engine.LogLinear(criterion="bic").run(part) for part in parts)
    return engine.compare_chance(a, b, *parts, **more)


def slowly(result: Result) -> dict[frozenset[str], float]:
    """Edge -> strength, out of the answer's own table."""
    return {frozenset((row.a, row.b)): abs(row.evidence_bits) for row in result.table("Edges").itertuples()}


def test_a_slow_second_version_says_the_same() -> None:
    """Membership dealt by hand, networks learned by hand, every p counted by hand."""
    parts = parted(drawn(1, 200), 80)
    repeats, seed = 12, 5
    found = asked(parts, repeats=repeats, seed=seed)
    whole = engine.Dataset.from_codes(np.concatenate([one.codes for one in parts], axis=1), [2] * 4, NAMES)
    method = engine.LogLinear(criterion="bic")

    def apart(first: list[int], second: list[int]) -> dict[frozenset[str], float]:
        one, other = (slowly(method.run(whole.rows(np.array(rows)))) for rows in (first, second))
        pairs = [frozenset(pair) for pair in combinations(NAMES, 2)]
        each = {pair: abs(one.get(pair, 0) - other.get(pair, 0)) for pair in pairs}
        return each | {frozenset(): abs(sum(one.values()) - sum(other.values()))}

    real = apart(list(range(80)), list(range(80, 200)))
    shuffled = []
    for child in np.random.SeedSequence(seed).spawn(repeats):
        side = np.random.default_rng(child).permutation(np.arange(200) >= 80).tolist()
        first = [row for row in range(200) if not side[row]]
        shuffled.append(apart(first, [row for row in range(200) if side[row]]))

    def p(value: float, values: list[float]) -> float:
        return (1 + sum(one >= value - 1e-9 for one in values)) / (1 + repeats)

    edges = {frozenset((row.source, row.target)): row for row in found.edges.itertuples()}
    assert set(edges) == {*slowly(method.run(parts[0])), *slowly(method.run(parts[1]))}
    largest = [max(value for pair, value in one.items() if pair) for one in shuffled]
    for pair, row in edges.items():
        assert row.difference == pytest.approx(real[pair])
        assert row.p == pytest.approx(p(real[pair], [one[pair] for one in shuffled]))
        assert row.p_of_all == pytest.approx(p(real[pair], largest))
    overall = found.overall.set_index("statistic")
    wanted = max(value for pair, value in real.items() if pair)
    assert overall["value"].tolist() == pytest.approx([wanted, real[frozenset()]])
    totals = [one[frozenset()] for one in shuffled]
    assert overall["p"].tolist() == pytest.approx([p(wanted, largest), p(real[frozenset()], totals)])


def test_equal_bits_whatever_the_number_of_jobs_and_the_order_of_rows() -> None:
    """One worker or two; rows handed over in another order."""
    parts = parted(drawn(2, 120), 60)
    one = asked(parts, repeats=8)
    turned = (parts[0].rows(np.arange(60)[::-1]), parts[1])
    for other in (asked(parts, repeats=8, jobs=2), asked(turned, repeats=8)):
        assert other.edges.equals(one.edges)
        assert other.overall.equals(one.overall)
        assert np.array_equal(other.largest, one.largest)
    assert not np.array_equal(asked(parts, repeats=8, seed=1).largest, one.largest)


def test_where_nothing_differs_p_is_about_uniform() -> None:
    """40 tables of one make, cut in two: neither many small p values nor none, of both statistics.

    With 9 shuffles p is one of ten values, so that 0.1 and 0.5 are come to as often as they say.
    """
    found = [asked(parted(drawn(100 + table, 160), 80), repeats=9, seed=table).overall["p"] for table in range(40)]
    for values in (np.array([one.iloc[i] for one in found]) for i in (0, 1)):
        assert 0.35 < values.mean() < 0.7
        assert (values <= 0.1).sum() <= 10  # 4 are expected; more than 10 come up once in 600
        assert (values <= 0.5).sum() >= 10  # 20 are expected


def test_a_planted_difference_is_found_and_named() -> None:
    """One link is there in the first rows only; overall and for that edge it is beyond every shuffle."""
    codes = np.concatenate([drawn(3, 300, strength=0.95), drawn(4, 300, strength=0.5)], axis=1)
    found = asked(parted(codes, 300), repeats=39)
    assert found.overall["p"].tolist()[0] == 1 / 40
    first = found.edges.iloc[0]
    assert {first["source"], first["target"]} == {"a", "b"}
    assert first["reached"] == 0
    assert first["p"] == first["p_of_all"] == 1 / 40
    assert first["corrected"] == pytest.approx(len(found.edges) / 40)
    said = " ".join(found.sentences())
    assert "a and b in associations" in said
    assert "came up in 0 of 39 shuffles; against the largest of any edge p = .025 after correction" in said
    assert "(p = .025)" in said
    assert not re.search(r"p = 0|Chance: ", said + repr(found))
    assert "the same" not in said.replace("the same settings", "")


def test_where_no_edge_is_beyond_chance_nobody_says_alike() -> None:
    """Few rows: the sentences say that a difference may stay unseen."""
    said = asked(parted(drawn(5, 60), 30), repeats=9).sentences()
    assert any("does not make the networks alike" in one or "no difference to weigh" in one for one in said)
    alone = np.random.default_rng(0).integers(0, 2, (3, 60))
    nothing = asked(parted(alone, 30), repeats=3)
    if not len(nothing.edges):
        assert nothing.sentences()[-1] == "Neither answer has an edge, so there is no difference to weigh."


def test_a_method_without_strengths_is_weighed_by_presence() -> None:
    """Each edge counts 1: the networks of two further groups inside each part."""
    data = sample_data.dataset("two_hospitals")
    parts = list(engine.by_group(data.rows(np.arange(0, data.n_rows, 3)), "hospital").values())
    group = next(name for name in parts[0].names if len(parts[0].levels[name]) == 2)
    a, b = (engine.GroupDifference(group=group).run(part) for part in parts)
    found = engine.compare_chance(a, b, *parts, repeats=3)
    assert found.presence
    assert set(found.edges["difference"]) <= {0.0, 1.0}
    assert set(found.edges["network"]) == set(a.graphs())


def test_what_has_no_chance_says_why() -> None:
    """Other settings, other data, shared rows, patients, changed answers, and what is no answer."""
    parts = parted(drawn(6, 120), 60)
    a, b = (engine.LogLinear(criterion="bic").run(part) for part in parts)
    other = engine.LogLinear(criterion="mml").run(parts[1])
    patient = engine.InstanceSpecific().run(parts[0], 0)
    whole = engine.Dataset.from_codes(drawn(6, 120), [2] * 4, NAMES)
    fewer = parts[1].select(["a", "b", "c"])
    alien = engine.Dataset.from_codes(drawn(9, 60), [2] * 4, NAMES)  # its rows have the numbers of the first part
    elsewhere = parted(drawn(9, 120), 60)[1]  # none of its rows has
    relabelled = engine.Dataset.from_codes(parts[1].codes, [["n", "y"]] * 4, NAMES)
    edited = a.edited(parts[0], remove=[next(iter(a.graph.edges))])
    cases = [
        ((a, other, *parts), "other methods or settings"),
        ((a, b, parts[0], relabelled), "other variables or levels"),
        ((a, engine.LogLinear(criterion="bic").run(fewer), parts[0], fewer), "other variables or levels"),
        ((a, a, parts[0], parts[0]), "share rows"),
        ((a, b, parts[1], parts[0]), "not the data of this result"),
        ((a, engine.LogLinear(criterion="bic").run(whole), parts[0], whole), "share rows"),
        ((a, engine.LogLinear(criterion="bic").run(alien), parts[0], alien), "come from two tables"),
        ((a, engine.LogLinear(criterion="bic").run(elsewhere), parts[0], elsewhere), "come from two tables"),
        ((patient, patient, *parts), "about single patients"),
        ((edited, replace(b, method=edited.method), *parts), "changed after their run"),
        ((a, parts[1], *parts), "results of two runs"),
        ((a, b, parts[0], parts[1].to_frame()), "Dataset"),
    ]
    for given, words in cases:
        with pytest.raises(engine.DataError, match=words) as told:
            engine.compare_chance(*given)  # type: ignore[arg-type]
        assert str(told.value).endswith(".")
    with pytest.raises(engine.SettingsError, match="runs"):
        engine.compare_chance(a, b, *parts, repeats=0)


def test_it_can_be_watched_and_stopped() -> None:
    """Told after every shuffle; `Cancelled` comes out."""
    parts = parted(drawn(7, 80), 40)
    told: list[float] = []
    a, b = (engine.LogLinear().run(part) for part in parts)
    engine.compare_chance(a, b, *parts, repeats=4, progress=lambda fraction, words: told.append(fraction))
    assert told == [0.25, 0.5, 0.75, 1.0]

    def stop(fraction: float, words: str) -> None:
        raise engine.Cancelled("enough")

    with pytest.raises(engine.Cancelled):
        engine.compare_chance(a, b, *parts, repeats=4, progress=stop)


def test_numbers_behind_intervals_are_pooled() -> None:
    """Each row keeps its own number, whatever part it is dealt to."""

    table = pd.DataFrame({"x": np.arange(40) * 1.5, "y": ["a", "b"] * 20})
    data = engine.Dataset.from_frame(table, kinds={"x": "continuous"})
    one, other = data.rows(np.arange(0, 40, 2)), data.rows(np.arange(1, 40, 2))
    pooled, second = _pooled(one, other)
    assert second.tolist() == [False, True] * 20
    assert pooled.numbers["x"].column.tolist() == table["x"].tolist()
    assert pooled.fingerprint == data.fingerprint


@pytest.mark.parametrize("p", [[0.01, 0.04, 0.03], [0.5], [], [0.2, 0.2, 0.2], [1.0, 0.001]])
def test_holm_is_what_it_says(p: list[float]) -> None:
    """Step by step: the smallest times how many there are, and never less than one before."""
    values, running = dict(enumerate(p)), 0.0
    wanted = [0.0] * len(p)
    while values:
        least = min(values, key=lambda i: (values[i], i))
        running = max(running, min(1.0, values[least] * len(values)))
        wanted[least] = running
        del values[least]
    assert holm(np.array(p)).tolist() == pytest.approx(wanted)


def test_an_edge_without_a_strength_does_not_take_the_others_theirs() -> None:
    """Links inside several groups cannot leave alone, so they have no bits: not weighed, while the rest is, in bits."""
    parts = list(engine.by_group(sample_data.dataset("health_survey"), "sex").values())
    a, b = (engine.LogLinear(joint=True).run(part) for part in parts)
    found = engine.compare_chance(a, b, *parts, repeats=3)
    unknown = found.edges["difference"].isna()
    assert not found.presence
    assert 0 < unknown.sum() < len(unknown)
    assert (found.edges.loc[unknown, ["p", "corrected", "p_of_all"]].isna()).all(axis=None)
    assert (found.edges.loc[~unknown, ["p", "corrected", "p_of_all"]].notna()).all(axis=None)
    assert found.overall["value"].tolist()[0] == found.edges["difference"].max() > 1.0


def visits(seed: int, clinics: int, rows: int, *, constant: bool, names: str = "abcd") -> engine.Dataset:
    """Clinics that keep values of their own, so that rows of one are alike; the arm is theirs, or varies in them."""
    generator = np.random.default_rng(seed)
    clinic = np.repeat(np.arange(clinics), rows)
    own = generator.integers(0, 2, (len(names), clinics))[:, clinic]
    codes = np.where(generator.random(own.shape) < 0.8, own, 1 - own)
    arm = clinic % 2 if constant else generator.integers(0, 2, len(clinic))
    table = np.vstack([codes, arm, clinic])
    levels = [2] * (len(names) + 1) + [clinics]
    return engine.Dataset.from_codes(table, levels, [*names, "arm", "clinic"], roles={"clinic": "subject"})


def both(data: engine.Dataset) -> tuple[engine.Dataset, engine.Dataset]:
    """Its arms."""
    one, other = engine.by_group(data, "arm").values()
    return one, other


@pytest.mark.parametrize("constant", [True, False])
def test_rows_that_belong_together_are_dealt_together_or_inside(
    constant: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand, in the parts that the method is run on: whole clinics change arms, or none loses a row of an arm."""
    parts = both(visits(1, 16, 12, constant=constant))
    seen: list[engine.Dataset] = []
    again = engine.methods.log_linear.result.LogLinearResult.again

    def watched(self: Result, data: engine.Dataset, *more: object) -> Result:
        seen.append(data)
        return again(self, data, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(engine.methods.log_linear.result.LogLinearResult, "again", watched)
    said = asked(parts, repeats=5).sentences()[0]
    owners = [set(one.steps.owner.tolist()) for one in parts]  # type: ignore[union-attr]
    dealt = [[one.steps.owner.tolist() for one in seen[i : i + 2]] for i in range(2, len(seen), 2)]  # type: ignore[union-attr]
    assert len(dealt) == 5
    assert (
        len({tuple(sorted(set(one[0]))) if constant else tuple(seen[2 + 2 * i].origin) for i, one in enumerate(dealt)})
        > 3
    )
    for one, other in dealt:
        if constant:
            assert not set(one) & set(other)
            assert len(set(one)) == len(owners[0])
            assert set(one) | set(other) == owners[0] | owners[1]
        else:
            for clinic in range(16):
                assert one.count(clinic) == parts[0].steps.owner.tolist().count(clinic)  # type: ignore[union-attr]
    inside = "Inside each of 16 clinics the rows were dealt anew to both parts, 5 times"
    assert said.startswith("Whole clinics were dealt anew to parts of 8 and 8, 5 times" if constant else inside)


def test_whole_clinics_keep_chance_honest() -> None:
    """Arms of alike rows without any difference: rows dealt by themselves call most of them, whole clinics few."""
    called = {"together": 0, "by themselves": 0}
    for seed in range(12):
        data = visits(seed, 12, 150, constant=True, names="abc")
        bare = engine.Dataset.from_codes(data.codes, data.arity.tolist(), data.names)
        for how, whole in (("together", data), ("by themselves", bare)):
            called[how] += int(asked(both(whole), repeats=19, seed=seed).overall["p"].iloc[0] <= 0.1)
    assert called["by themselves"] >= 7
    assert called["together"] <= 4  # 1.2 are expected; 5 or more come up once in 200


def test_few_subjects_and_series_have_no_chance() -> None:
    """Five clinics an arm are too few; steps in time are not dealt, subjects without a time are."""
    parts = both(visits(3, 10, 6, constant=True))
    a, b = (engine.LogLinear(criterion="bic").run(part) for part in parts)
    with pytest.raises(engine.DataError, match="A part has 5 clinics, and chance needs 6 in each"):
        engine.compare_chance(a, b, *parts)
    table = pd.DataFrame({"who": np.repeat(np.arange(20), 4), "step": list(range(4)) * 20, "arm": ["x", "y"] * 40})
    table["ill"], table["pain"] = ["no", "yes", "yes", "no"] * 20, ["a", "b"] * 40
    data = engine.Dataset.from_frame(table, roles={"who": "subject", "step": "time"})
    series = both(data)
    a, b = (engine.LogLinear(criterion="bic").run(part) for part in series)
    with pytest.raises(engine.DataError, match="These data hold series"):
        engine.compare_chance(a, b, *series)
