"""Rows that are not independent, found without being told; the cards that ask, and the sentences on results."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import engine
import sample_data
from engine.data.notes import left_out, left_out_note, left_out_words, row_notes
from engine.data.rows.relations import COPIES, Relation
from engine.methods.evidence import RunRecord
from engine.words import distinct, in_percent, p_value
from tests.engine.data.rows.tables import clustered, frame, with_gaps

CLINICS = [60] * 16


def kinds(data: engine.Dataset) -> list[str]:
    """Of the relations."""
    return [one.kind for one in data.relations]


def shuffled(table: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """Its rows in another order."""
    return table.sample(frac=1, random_state=seed).reset_index(drop=True)


def clinics(seed: int, icc: float = 0.05, column: str = "clinic") -> pd.DataFrame:
    """16 clinics of 60 patients, in no order."""
    return shuffled(frame(*clustered(seed, CLINICS, icc), column=column))


def copied(seed: int) -> pd.DataFrame:
    """250 rows that stand 1 to 6 times."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.integers(0, 3, (250, 9))).add_prefix("x").astype(str)
    return shuffled(table.loc[table.index.repeat(rng.integers(1, 7, 250))])


def recording(seed: int) -> pd.DataFrame:
    """600 rows measured one after the other."""
    rng = np.random.default_rng(seed)
    series = np.zeros((6, 600))
    for t in range(1, 600):
        series[:, t] = 0.7 * series[:, t - 1] + rng.normal(size=6)
    return pd.DataFrame((series > 0).T.astype(str)).add_prefix("x").assign(half=["A"] * 300 + ["B"] * 300)


@pytest.mark.parametrize("key", sample_data.CATALOG)
def test_samples_say_nothing(key: str) -> None:
    """As they come with the program."""
    assert sample_data.dataset(key).relations == ()
    assert row_notes(sample_data.dataset(key)) == ()


def test_clinics_are_found_and_a_harmless_code_is_not() -> None:
    """In 10 of 10 tables; at most once in 20 where rows are independent."""
    for column in ("clinic", "ward_no", "patient"):
        data = engine.Dataset.from_frame(clinics(1, column=column))
        assert [(one.kind, one.column, one.values, one.most) for one in data.relations] == [
            ("rows-together", column, 16, 60)
        ]
    assert all("rows-together" in kinds(engine.Dataset.from_frame(clinics(seed))) for seed in range(2, 9))
    assert sum(bool(kinds(engine.Dataset.from_frame(clinics(seed, 0.0)))) for seed in range(20)) <= 1


def test_a_table_sorted_by_its_clinics_is_asked_one_thing() -> None:
    """Neighbours are alike since they are of one clinic; where that is denied, the order is asked for."""
    table = frame(*clustered(1, CLINICS, 0.2))
    assert kinds(engine.Dataset.from_frame(table)) == ["rows-together"]
    assert kinds(engine.Recipe(settled={"rows-together:clinic": "apart"}).apply(table)) == ["row-order"]


def test_only_what_is_called_so_is_looked_at() -> None:
    """An age that repeats, a class of six, a group: rows with one value are alike there, and that is no relation, as
    long as no other column never changes inside them.
    """
    for column in ("age", "grade", "income"):
        assert engine.Dataset.from_frame(clinics(3, column=column).drop(columns="arm")).relations == ()
    assert kinds(engine.Dataset.from_frame(clinics(3, column="grade"))) == ["rows-together"]
    few = frame(*clustered(4, [200] * 5, 0.2), column="clinic")
    assert engine.Dataset.from_frame(shuffled(few)).relations == ()
    assert "rows-together" not in kinds(engine.Dataset.from_frame(clinics(3), roles={"clinic": "group"}))


def test_a_region_that_follows_from_the_clinic_says_nothing() -> None:
    """What is one in every clinic is no likeness of its rows; what never changes in a person is."""
    table = shuffled(frame(*clustered(5, CLINICS, 0.0, group=False)))
    number = table["clinic"].str[1:].astype(int)
    region = np.where(number % 2, "north", "south")
    assert engine.Dataset.from_frame(table.assign(region=region)).relations == ()
    person = table.rename(columns={"clinic": "patient"}).assign(sex=region)
    assert kinds(engine.Dataset.from_frame(person)) == ["rows-together"]


def test_copies_and_neighbours_are_found() -> None:
    """Frequency weights written out, one recording; a sorted table says nothing beyond what it is sorted by."""
    assert sum("copied-rows" in kinds(engine.Dataset.from_frame(copied(seed))) for seed in range(10)) >= 9
    assert all("row-order" in kinds(engine.Dataset.from_frame(recording(seed))) for seed in range(5))
    rng = np.random.default_rng(0)
    free = pd.DataFrame(rng.integers(0, 3, (600, 6))).add_prefix("x").astype(str)
    assert engine.Dataset.from_frame(free.sort_values("x0")).relations == ()


def test_weights_are_no_copies_and_drawn_rows_are_asked_nothing() -> None:
    """Rows that are repeated as their weights say, and rows of a bootstrap."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.integers(0, 3, (250, 9))).add_prefix("x").astype(str).assign(n=rng.integers(1, 7, 250))
    data = engine.Recipe(roles={"n": "weight"}).apply(table)
    assert data.n_rows == table["n"].sum()
    assert data.relations == ()
    found = engine.Dataset.from_frame(clinics(1))
    assert kinds(found.rows(np.sort(rng.integers(0, 960, 960)))) == []
    assert kinds(found.rows(rng.permutation(960)[:800])) == ["rows-together"]
    assert kinds(found.select(["x0", "x1", "x2", "arm"])) == ["rows-together"]
    assert found.with_codes(found.codes).relations == ()
    assert engine.Dataset.from_codes(found.codes, found.levels, found.names).relations == ()


def test_the_card_asks_and_its_answer_ends_the_sentence() -> None:
    """The clinic becomes the subject, or is settled; either way nothing is asked or told again."""
    table = clinics(1)
    (card,) = (one for one in engine.decisions(table, engine.Recipe()) if one.kind == "rows-together")
    assert card.sentence == (
        "16 values of 'clinic' have 60 rows each and rows with one value are alike: do they belong together?"
    )
    data = engine.Recipe().apply(table)
    assert [one.key for one in data.relations] == [card.key]
    assert len(row_notes(data)) == 1
    for option in card.options:
        recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, option))
        data = recipe.apply(table)
        (again,) = (one for one in engine.decisions(table, recipe) if one.kind == "rows-together")
        assert (again.key, again.sentence, again.option(option.key).now) == (card.key, card.sentence, True)
        assert row_notes(data) == RunRecord.of(data).rows == ()
        assert row_notes(data.recipe.apply(table)) == ()
        assert (data.clusters is not None) == (option.key == "together") == ("clinic" not in data.names)


def test_cards_of_copies_and_of_order() -> None:
    """Counting once leaves different rows; measured one after the other makes stretches belong together."""
    table = copied(1)
    different = table.value_counts()
    (card,) = (one for one in engine.decisions(table, engine.Recipe()) if one.kind == COPIES)
    assert card.sentence == f"{len(different)} different rows stand 1 to {different.max()} times each: are they copies?"
    once = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("once")))
    assert f"keeps {len(different)} of" in card.option("once").effect
    assert once.apply(table).n_rows == len(different)
    (again,) = (one for one in engine.decisions(table, once) if one.kind == COPIES)
    assert again.option("once").now
    assert row_notes(once.apply(table)) == ()
    (order,) = engine.decisions(recording(0), engine.Recipe())
    assert not any(way.now for way in order.options)
    answered = {
        way.key: engine.Recipe(**engine.settle(engine.Recipe(), order, way)).apply(recording(0))
        for way in order.options
    }
    assert [row_notes(data) for data in answered.values()] == [(), ()]
    assert answered["sorted"].clusters is None and answered["sorted"].subject_column == ""
    series = answered["series"]
    assert series.clusters is not None
    assert np.array_equal(series.clusters, np.arange(600) // 15), "a fortieth of 600 rows each"
    assert series.fingerprint != answered["sorted"].fingerprint
    some = series.rows(np.arange(10, 25))
    assert some.clusters is not None and some.clusters.tolist() == [0] * 5 + [1] * 10


def test_cards_and_results_see_the_same() -> None:
    """Whatever the kinds of the columns are: numbers that are cut, gaps, levels that were merged."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        table = clinics(seed, 0.004).assign(age=rng.normal(50, 9, 960).round())
        table = with_gaps(table, "x1", np.full(960, 0.05), seed)
        recipe = engine.Recipe(rare={"age": 0}, bins={"age": 4}, roles={"arm": "group"})
        cards = [one.key for one in engine.decisions(table, recipe) if one.kind == "rows-together"]
        assert cards == [one.key for one in recipe.apply(table).relations]


def test_sentences_are_short_and_names_are_cut() -> None:
    """At most 25 words."""
    long = "a rather long name of a clinic that nobody would give to any column of a table " * 2
    table = clinics(1).rename(columns={"clinic": long, "x3": "y" * 90})
    table = with_gaps(table, "x0", np.where(table["y" * 90] == "yes", 0.5, 0.1))
    notes = row_notes(engine.Dataset.from_frame(table), "arm") + row_notes(engine.Dataset.from_frame(table))
    assert len(notes) == 4
    for one in (
        *notes,
        *row_notes(engine.Dataset.from_frame(copied(1))),
        *row_notes(engine.Dataset.from_frame(recording(0))),
    ):
        assert len(one.replace(distinct([long], 40)[0], "clinic").split()) <= 25


def test_gaps_by_group_are_told() -> None:
    """With the shares of the groups that are compared; a level that is not named is among the others."""
    table = shuffled(frame(*clustered(6, [1] * 900, 0.01, group=False))).drop(columns="clinic")
    table["arm"] = np.array(["A", "B", "C"])[np.arange(900) % 3]
    data = engine.Dataset.from_frame(with_gaps(table, "x2", np.array([0.05, 0.05, 0.4])[np.arange(900) % 3]))
    lost = [in_percent(lost / rows) for lost, rows in left_out(data, "arm").counts]
    assert row_notes(data, "arm") == (
        f"{lost[2]} of C, {lost[0]} of A and {lost[1]} of B were left out for gaps; what differs may be that.",
    ) or row_notes(data, "arm")[0].startswith(f"{lost[2]} of C, ")
    assert left_out_note(data, "arm", ("A", "B")) == ""
    assert left_out_note(data, "arm", ("C",)).startswith(f"{lost[2]} of C and ")
    assert "of the others" in left_out_note(data, "arm", ("C", "everybody else")).replace(
        "everybody else", "the others"
    )
    assert RunRecord.of(data, "arm").rows == row_notes(data, "arm")
    plain = engine.Dataset.from_frame(with_gaps(table, "x2", np.full(900, 0.2)))
    assert row_notes(plain, "arm") == ()
    assert left_out(plain, "arm").all[1] == 900


def test_gaps_by_clinic_are_not_taken_for_the_group() -> None:
    """With the clinic as the subject whole clinics are compared: the same gaps are told without it."""
    called = {"identifier": 0, "subject": 0}
    for seed in range(20):
        table = frame(*clustered(seed, CLINICS, 0.0))
        share = np.random.default_rng(seed).beta(0.5, 1.5, 16)[table["clinic"].str[1:].astype(int)]
        some = with_gaps(table, "x2", share)
        for role in called:
            found = left_out(engine.Recipe(roles={"clinic": role}).apply(some), "arm")
            called[role] += found.by_group
            assert [lost / rows for lost, rows in found.counts] == list(some["x2"].isna().groupby(some["arm"]).mean())
    assert called["identifier"] >= 5
    assert called["subject"] <= 1


def test_rows_left_out_follow_the_variables() -> None:
    """Selected, and with levels that no row has left away; of some rows it is not told who was left out."""
    table = pd.DataFrame({"a": ["x", "y", "z", "x"] * 20, "b": ["u", None, "w", "w"] * 20, "c": ["1", "2"] * 40})
    data = engine.Dataset.from_frame(table)
    assert data.context.left_out[:, 0].tolist() == [data.levels["a"].index("y"), -1, data.levels["c"].index("2")]
    assert data.select(["c", "a"]).context.left_out[:, 0].tolist() == [1, 1]
    bare, dropped = data.without_empty_levels()
    assert dropped == {"a": ("y",)}
    assert bare.context.left_out[:, 0].tolist() == [-1, -1, 1]
    assert data.rows(np.arange(9)).context.left_out.shape == (3, 0)
    assert left_out(data.rows(np.arange(9))) is None


def test_which_level_is_missing() -> None:
    """Of a variable whose gaps are a level; it is not there any more where that level is gone."""
    table = pd.DataFrame({"a": ["x", None, "missing", "x"] * 9, "b": ["u", "v"] * 18})
    data = engine.Dataset.from_frame(table, missing="level", missing_tokens={"b": ["q"]})
    assert data.missing_level("a") == "missing (2)"
    assert data.missing_level("b") is None
    assert data.recipe.apply(table).missing_level("a") == "missing (2)"
    part = data.rows(data.column("a") != data.levels["a"].index("missing (2)"))
    assert part.missing_level("a") == "missing (2)"
    assert part.without_empty_levels()[0].missing_level("a") is None


def test_subjects_without_a_time_are_told() -> None:
    """Rows without one count by themselves, subjects of one row each change nothing."""
    table = clinics(1).assign(own=range(960))
    table.loc[:4, "clinic"] = None
    data = engine.Recipe(roles={"clinic": "subject"}, kinds={"own": "ignore"}).apply(table)
    assert "5 rows have no 'clinic'; each of them counts by itself." in data.report.problems
    assert int(data.clusters.max()) + 1 == 16 + 5
    assert data.steps.sizes().endswith(" to 60 rows, and 5 rows of none")
    single = engine.Recipe(roles={"own": "subject"}).apply(table)
    assert single.clusters is None
    assert "No two rows share a 'own', so the role of the subject changes nothing." in single.report.problems


def test_a_relation_has_the_key_of_its_decision() -> None:
    """Which is what is settled."""
    assert Relation("copied-rows").key == "copied-rows:"
    assert Relation("rows-together", "a,b").key == "rows-together:a,b"


def test_rows_left_out_are_tested_on_the_data_page() -> None:
    """Which variable tells most who was left out, with SciPy's p times the variables; else inconclusive."""
    table = shuffled(frame(*clustered(6, [1] * 900, 0.01, group=False))).drop(columns="clinic")
    for share, said in (
        (np.where(table["x3"] == "yes", 0.5, 0.1), "differ from"),
        (np.full(900, 0.2), "is inconclusive"),
    ):
        lost = with_gaps(table, "x2", share)
        data = engine.Dataset.from_frame(lost)
        out, tested = lost["x2"].isna(), [name for name in data.names if name != "x2"]
        p = {}
        for name in tested:
            chi2, _, freedom, _ = stats.chi2_contingency(pd.crosstab(out, table[name]), correction=False)
            p[name] = stats.chi2.sf(chi2 * 899 / 900, freedom) * len(tested)
        least = min(p, key=lambda name: p[name])
        sentence, smallest = left_out_words(data), min(p[least], 1.0)
        named = f"'{least}' ({p_value(smallest, corrected=True)})"
        assert said in sentence and named in sentence
        assert len(sentence.split()) <= 25
    assert left_out_words(engine.Dataset.from_frame(table)) == ""
