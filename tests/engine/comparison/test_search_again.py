"""The second opinion: shuffles by hand, equal bits whatever jobs and calls, whole subjects, and what is refused."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import engine
from engine.comparison.compare import rerun_shuffles
from engine.comparison.difference import three_sums
from engine.comparison.links import estimate_links
from engine.comparison.result import ComparisonResult
from engine.comparison.shuffles import Shuffles
from engine.methods.log_linear.result import LogLinearResult
from tests.engine.comparison.made import drawn, grouped, two

METHOD = engine.LogLinear(criterion="bic")


def asked(parts: list[engine.Dataset], again: bool | int = False, seed: int = 0) -> ComparisonResult:
    """Each part analysed, and compared."""
    answers = [METHOD.run(part) for part in parts]
    return engine.compare(*answers, data=parts, search_again=again, draws=99, seed=seed)


def equal(one: Shuffles, other: Shuffles) -> bool:
    """To the last bit, but for the time that they took."""
    fields = ("observed", "sums", "shared", "union")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in fields)


def test_shuffles_are_what_one_would_do_by_hand() -> None:
    """Rows dealt by their place in the table, networks learned anew, three sums and shared edges; then every p."""
    parts, runs, seed = two(1, (80, 120), (2.5, 0.0)), 12, 5
    found = asked(parts, runs, seed=seed).shuffles
    codes = np.concatenate([part.codes for part in parts], axis=1)  # the table has its groups one after the other
    label = np.repeat([0, 1], [80, 120])
    sums, shared, union = [], [], []
    for run in range(runs):
        dealt = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(run,))).permutation(label)
        again = grouped(codes, [2] * 4, "abcd", dealt)
        answers = [METHOD.run(part) for part in again]
        edges = [{frozenset(edge) for edge in answer.graph.edges} for answer in answers]
        sums.append(three_sums(estimate_links(answers, again, tuple("abcd")).groups))
        shared.append(len(edges[0] & edges[1]))
        union.append(len(edges[0] | edges[1]))
    assert found is not None and found.many == runs
    assert found.sums == pytest.approx(np.array(sums)) and found.observed == pytest.approx(
        three_sums(estimate_links([METHOD.run(part) for part in parts], parts, tuple("abcd")).groups)
    )
    assert (found.shared.tolist(), found.union.tolist()) == (shared, union)
    reached = [sum(one[i] >= found.observed[i] - 1e-9 for one in sums) for i in range(3)]
    p = [(1 + many) / (1 + runs) for many in reached]
    own = [min(sum(b[i] >= a[i] - 1e-9 for b in sums) / runs for i in range(3)) for a in sums]
    assert found.reached.tolist() == reached and found.p.tolist() == pytest.approx(p)
    assert found.corrected == pytest.approx((1 + sum(one <= min(p) + 1e-9 for one in own)) / (1 + runs))


def test_equal_bits_whatever_the_jobs_the_calls_and_the_order_of_rows() -> None:
    """Eight at once, four and four more with two workers, and rows handed over in another order."""
    parts = two(2, (60, 60))
    whole, half = asked(parts, 8).shuffles, asked(parts, 4)
    assert whole is not None and half.shuffles is not None
    more = rerun_shuffles(half, parts, 4, jobs=2)
    assert more.shuffles is not None and equal(more.shuffles, whole)
    assert (whole.many, half.shuffles.many) == (8, 4) and more.links().equals(half.links())
    turned = asked([parts[0].rows(np.arange(60)[::-1]), parts[1]], 4).shuffles
    assert turned is not None and turned.sums == pytest.approx(whole.sums[:4])
    other = asked(parts, 4, seed=1).shuffles
    assert other is not None and not np.array_equal(other.sums, whole.sums[:4])


def test_a_planted_difference_is_beyond_every_shuffle_and_said() -> None:
    """One link is strong in one group only; the short form says the same."""
    parts = two(3, (300, 300), (3.5, 0.0))
    found = asked(parts, 19)
    assert found.shuffles is not None
    assert found.shuffles.p[0] == found.shuffles.corrected == 1 / 20
    said = " ".join(found.sentences())
    assert (
        "Learned again in 19 shuffles of the rows: p\u00a0at most\u00a0.050" in said
        and "0 shuffles had as large" in said
    )
    assert re.search(r"two random parts of these sizes share \d( to \d)? of about \d\.", said)
    assert "may share as few" in " ".join(asked(parts).sentences())


def test_what_cannot_be_learned_again_says_why() -> None:
    """No rows, no test, a network of no method, other rows, and no number of runs."""
    parts = two(4, (60, 60))
    a, b = (METHOD.run(part) for part in parts)
    patient = engine.InstanceSpecific().run(parts[0], 0)
    cases = [
        ((a, b), {}, "cannot be learned again in shuffles. No rows were given"),
        ((a, a), {"data": (parts[0], parts[0])}, "share rows"),
        ((patient, patient), {"data": (parts[0], parts[0])}, "cannot be learned again in shuffles"),
        ((a.graph, b.graph), {"data": parts}, "no answer of a method cannot be learned again"),
        ((a, b), {"data": parts[::-1]}, "not the data of this result"),
    ]
    for answers, more, words in cases:
        with pytest.raises(engine.DataError, match=re.escape(words)) as told:
            engine.compare(*answers, search_again=5, **more)  # type: ignore[arg-type]
        assert str(told.value).endswith(".")
    tested = engine.compare(a, b, data=parts, draws=99)
    for rows in (parts[::-1], (), parts[:1]):
        with pytest.raises(engine.DataError):
            rerun_shuffles(tested, rows, 5)
    for runs in (0, -3):
        with pytest.raises(engine.SettingsError, match="runs"):
            rerun_shuffles(tested, parts, runs)
    with pytest.raises(engine.SettingsError, match="runs"):
        engine.compare(a, b, data=parts, search_again=-3)
    with pytest.raises(engine.SettingsError, match="runs"):
        engine.compare(a, b, data=parts, search_again=0)


def test_it_can_be_watched_and_stopped() -> None:
    """Told after every shuffle, with how many reached so far; `Cancelled` comes out."""
    parts = two(5, (40, 40))
    a, b = (METHOD.run(part) for part in parts)
    told: list[tuple[float, str]] = []
    found = engine.compare(a, b, data=parts, search_again=4, progress=lambda *one: told.append(one))
    assert found.shuffles is not None
    assert [fraction for fraction, _ in told] == sorted(fraction for fraction, _ in told)
    told = [item for item in told if item[1].startswith("permutations")]
    assert [fraction for fraction, _ in told] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert told[-1][1] == f"permutations: 4 of 4; so far {found.shuffles.reached[0]} with as large a difference"

    def stop(fraction: float, words: str) -> None:
        raise engine.Cancelled("enough")

    with pytest.raises(engine.Cancelled):
        engine.compare(a, b, data=parts, search_again=4, progress=stop)


def visits(seed: int, clinics: int, rows: int, *, constant: bool) -> list[engine.Dataset]:
    """Clinics that keep values of their own, so that rows of one are alike; the arm is theirs, or varies in them."""
    generator = np.random.default_rng(seed)
    clinic = np.repeat(np.arange(clinics), rows)
    own = generator.integers(0, 2, (3, clinics))[:, clinic]
    codes = np.where(generator.random(own.shape) < 0.8, own, 1 - own)
    arm = clinic % 2 if constant else generator.integers(0, 2, len(clinic))
    return grouped(codes, [2] * 3, "abc", arm, subject=clinic)


@pytest.mark.parametrize("constant", [True, False])
def test_rows_that_belong_together_are_dealt_together_or_inside(
    constant: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the parts that the method is run on: whole clinics change arms, or none loses a row of an arm."""
    parts = visits(1, 16, 12, constant=constant)
    seen: list[engine.Dataset] = []
    rerun = LogLinearResult.rerun

    def watched(self: LogLinearResult, data: engine.Dataset, *more: object) -> LogLinearResult:
        seen.append(data)
        return rerun(self, data, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(LogLinearResult, "rerun", watched)
    asked(parts, 5)
    owners = [part.steps.owner.tolist() for part in parts]  # type: ignore[union-attr]
    dealt = [[part.steps.owner.tolist() for part in seen[i : i + 2]] for i in range(0, len(seen), 2)]  # type: ignore[union-attr]
    assert len(dealt) == 5 and len({tuple(part.origin) for part in seen[::2]}) > 3
    for one, other in dealt:
        if constant:
            assert not set(one) & set(other) and len(set(one)) == len(set(owners[0]))
            assert set(one) | set(other) == {*owners[0], *owners[1]}
        else:
            assert [one.count(clinic) for clinic in range(16)] == [owners[0].count(clinic) for clinic in range(16)]


def test_steps_in_time_are_dealt_with_their_subject() -> None:
    """Three steps of each of 20 subjects: no series is torn."""
    table = pd.DataFrame({"who": np.repeat(np.arange(20), 3), "step": [0, 1, 2] * 20})
    table["arm"] = np.where(table["who"] % 2 == 0, "left", "right")
    codes = drawn(6, 60)
    for name, column in zip("abcd", codes, strict=True):
        table[name] = np.where(column == 1, "yes", "no")
    whole = engine.Dataset.from_frame(table, roles={"who": "subject", "step": "time"})
    parts = list(engine.by_group(whole, "arm").values())
    found = asked(parts, 3)
    assert found.test is not None and found.test.differences.freedom.tolist() == [9, 9]
    assert found.shuffles is not None and found.shuffles.many == 3
