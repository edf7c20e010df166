"""A second table: scikit-learn's figures on fresh rows, the training's own on the first, else a sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score, confusion_matrix, recall_score, roc_auc_score

import engine
import sample_data
from engine.errors import DataError
from engine.methods.discriminative.external import FEWEST_VALUES
from engine.methods.discriminative.result import DiscriminativeResult
from tests.engine.methods.discriminative.make import METHOD, dataset, row_frame, series_frame


def first_table(rows: int = 300, seed: int = 0) -> pd.DataFrame:
    """Rows with two numbers and gaps in a third column."""
    frame = row_frame(rows, seed)
    rng = np.random.default_rng(seed + 100)
    frame["dose"] = rng.normal(5, 1, rows) + (frame["class"] == "ill")
    frame["site"] = rng.choice(["A", "B"], rows)
    frame.loc[rng.choice(rows, 15, replace=False), "site"] = None
    return frame


@pytest.fixture(scope="module")
def learned() -> DiscriminativeResult:
    """Learned from them; the third column's gaps are left out."""
    return METHOD.run(engine.Dataset.from_frame(first_table()))


def test_a_fresh_table_has_the_figures_of_scikit_learn(learned: DiscriminativeResult) -> None:
    """From `predict` on the same rows; in any order of columns, with others beside."""
    fresh = first_table(200, seed=7).dropna().reset_index(drop=True)
    tested = learned.test(fresh[fresh.columns[::-1]].assign(other=1))
    predicted = learned.predict(learned.provenance and engine.Recipe.from_dict(learned.made.recipe).apply(fresh))
    truth, called = fresh["class"], predicted["class"]
    assert tested.n == len(fresh)
    assert tested.accuracy == pytest.approx(accuracy_score(truth, called))
    assert tested.balanced_accuracy == pytest.approx(balanced_accuracy_score(truth, called))
    assert tested.sensitivity("ill").value == pytest.approx(recall_score(truth, called, pos_label="ill"))
    assert tested.specificity("ill").value == pytest.approx(recall_score(truth, called, pos_label="well"))
    assert tested.confusion().to_numpy().tolist() == confusion_matrix(truth, called, labels=["ill", "well"]).tolist()
    sign = 1 if learned.classes[1] == "ill" else -1
    assert tested.auc("ill").value == pytest.approx(roc_auc_score(truth == "ill", sign * predicted["score"]))
    assert tested.table()["classified as"].tolist() == called.tolist()
    assert not tested.notes


def test_the_first_table_has_its_own_predictions_and_a_warning(learned: DiscriminativeResult) -> None:
    """As a table and as a data set; the scores are those of the networks that learned from it."""
    table = first_table()
    data = engine.Dataset.from_frame(table)
    assert learned.fingerprint == data.fingerprint
    for tested in (learned.test(table), learned.test(data)):
        assert tested.table()["classified as"].tolist() == learned.predict(data)["class"].tolist()
        assert tested.notes[-1].startswith("This is the table that the networks were learned from")
    assert "285 of 300 rows are used" in learned.test(table).notes[0]
    assert len(learned.test(table).headline().split(" ")) <= 25


def test_an_answer_from_a_file_tests_alike(learned: DiscriminativeResult) -> None:
    """Its recipe came along."""
    again = DiscriminativeResult.from_dict(learned.to_dict())
    fresh = first_table(80, seed=3)
    assert np.array_equal(again.test(fresh).scores, learned.test(fresh).scores)
    ready = engine.Dataset.from_codes(np.random.default_rng(0).integers(0, 2, (3, 60)), [2, 2, 2], ["class", "a", "b"])
    with pytest.raises(engine.DataError, match="came as codes"):
        METHOD.run(ready).test(fresh)
    with pytest.raises(engine.DataError, match="needs a Dataset, not a list"):
        learned.test([1, 2])  # type: ignore[arg-type]


def test_what_does_not_fit_is_one_sentence(learned: DiscriminativeResult) -> None:
    """No classes, no variable, no row of a class, an unknown level, other units."""
    fresh = first_table(200, seed=7)
    with pytest.raises(engine.DataError, match="no column 'class', which says the classes"):
        learned.test(fresh.drop(columns="class"))
    with pytest.raises(engine.DataError, match="no column 'class', which says the classes"):
        learned.test(engine.Dataset.from_frame(fresh.drop(columns="class")))
    with pytest.raises(engine.DataError, match="no column 'dose', which the networks use"):
        learned.test(fresh.drop(columns="dose"))
    with pytest.raises(engine.DataError, match="no row of class 'ill' in 'class'"):
        learned.test(fresh[fresh["class"] == "well"])
    strange = learned.test(fresh.assign(site=fresh["site"].replace({"B": "B2"})))
    assert any("B2" in note for note in strange.notes)
    assert strange.n == int((fresh["site"] == "A").sum())
    (note,) = learned.test(fresh.dropna().assign(dose=lambda table: 1000 * table["dose"])).notes
    assert note.startswith("100\u00a0% of 'dose' lie above ")
    assert note.endswith("are the units the same?")
    few = fresh.dropna().groupby("class").head(FEWEST_VALUES // 2 - 1)
    assert not learned.test(few.assign(dose=lambda table: 1000 * table["dose"])).notes


def test_series_name_the_subjects_of_both_tables() -> None:
    """By their ids; the same series have the same scores, whoever stands beside them."""
    frame = series_frame(subjects=16)
    result = METHOD.run(dataset(frame))
    fresh = series_frame(subjects=20, seed=5)
    fresh["who"] = fresh["who"].str.replace("s", "t")
    tested = result.test(fresh)
    assert tested.n == 20
    assert not tested.notes
    both = pd.concat([fresh, frame[frame["who"] == "s03"]])
    tested = result.test(both)
    assert tested.notes == ("1 subject of both tables ('s03'): where they are the same, these figures are too good.",)
    own = result.predict(dataset(frame)).set_index("subject").loc["s03", "score"]
    assert tested.table().set_index("subject").loc["s03", "score"] == pytest.approx(own)
    short = fresh[(fresh["who"] != "t00") | (fresh["time"] == 0)]
    tested = result.test(short)
    assert (tested.n, tested.notes) == (19, ("Left out, since no step of theirs follows another: 't00'.",))
    with pytest.raises(engine.DataError, match="no column 'time', which the networks use"):
        result.test(fresh.drop(columns="time"))


def test_three_classes_and_repeated_subjects() -> None:
    """Intervals draw whole subjects of the second table; every class has its sensitivity."""
    frame = row_frame(300)
    frame.loc[::5, "class"] = "odd"
    frame["who"] = [f"p{i // 2}" for i in range(300)]
    result = METHOD.run(engine.Dataset.from_frame(frame, roles={"who": "subject"}))
    tested = result.test(frame.assign(who=[f"q{i // 3}" for i in range(300)]))
    assert tested.clusters is not None
    assert len(np.unique(tested.clusters)) == 100
    assert tested.headline().startswith("Balanced accuracy ")
    assert tested.sentences()[0].count(" on ") == 3


def test_a_frame_is_predicted_by_the_recipe_of_the_first() -> None:
    """With its class or without; as the data set that the recipe makes of it."""
    table = sample_data.load("two_hospitals")
    first = engine.Dataset.from_frame(table[:900])
    result = engine.Discriminative("hospital", shuffles=0).run(first)
    new = table[900:]
    found = result.predict(new.drop(columns="hospital"))
    assert len(found) == len(new) and found.equals(result.predict(new))
    assert found.equals(result.predict(first.recipe.apply(new)))
    with pytest.raises(DataError, match="Dataset"):
        result.predict([[1, 2]])
