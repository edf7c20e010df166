"""A session in one file: equal when opened, with the table or without, and asked again of other rows."""

from __future__ import annotations

import io
import json
import math
import zipfile
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
import sample_data
from engine.project.file import describe_contents, to_bytes
from tests.engine.project.made_up import CHOICES, data, project, table


def test_a_saved_project_comes_back_equal() -> None:
    """With everything in it, computed nothing, and byte for byte the same when saved again."""
    whole = project()
    content = to_bytes(whole)
    again = engine.load(content)
    assert isinstance(again, engine.Project)
    assert again == whole
    assert to_bytes(again) == content
    assert [one.title for one in again.analyses] == ["links", "", ""]
    assert again.analyses[0].seconds == 0.5
    assert math.isnan(again.analyses[1].seconds)
    assert again.analyses[0].starred
    assert [one.key for one in again.analyses] == ["a", "b", "c"]
    assert (again.notes, again.source, again.screen) == ("first look", "two_hospitals.csv", whole.screen)
    assert again.layouts == whole.layouts
    assert again.recipe == data().recipe


def test_the_table_gives_the_same_data_set() -> None:
    """To the last bit, numbers behind intervals included; and the recipe codes it alike."""
    again = engine.load(to_bytes(project()))
    assert isinstance(again, engine.Project)
    found = again.data()
    assert found is not None
    assert found.fingerprint == data().fingerprint
    assert found.numbers_digest == data().numbers_digest
    assert again.table is not None
    assert again.recipe is not None
    assert again.recipe.apply(again.table).fingerprint == data().fingerprint
    for one in again.analyses:
        one.result.check_data(found)


@pytest.mark.parametrize("name", ["regions", "screening", "clinic_export", "symptoms"])
def test_every_kind_of_choice_is_kept(name: str) -> None:
    """Choices as the data page makes them, over samples with numbers, dates, gaps and series."""
    read = sample_data.load(name)
    own = sample_data.dataset(name)
    choices = own.made_by.given() if own.made_by is not None else {}
    wanted = engine.Recipe(**choices).apply(read)
    again = engine.load(to_bytes(engine.Project(wanted.recipe, table=read, choices=choices)))
    assert isinstance(again, engine.Project)
    found = again.data()
    assert found is not None
    assert found.fingerprint == wanted.fingerprint
    assert found.numbers_digest == wanted.numbers_digest


def test_without_the_table_no_row_is_in_the_file() -> None:
    """Cells that no result is about are nowhere in any part; the file says in words what it holds."""
    marked = table().assign(mixed=[f"secret{row}" for row in range(len(table()))])
    choices = {**CHOICES, "kinds": {**CHOICES["kinds"], "mixed": "ignore"}}
    own = engine.Recipe(**choices).apply(marked)
    whole = engine.Project(own.recipe, [engine.LogLinear().run(own)], table=marked, choices=choices)
    for kept, there in ((whole, True), (whole.without_table(), False)):
        with zipfile.ZipFile(io.BytesIO(to_bytes(kept))) as file:
            parts = {name: file.read(name) for name in file.namelist()}
        assert any(b"secret17" in part for part in parts.values()) is there
        assert any(name.startswith("table/") for name in parts) is there
        about = json.loads(parts["about.json"])
        assert about["table"] is there
        assert ("The whole table" if there else "No row of the table") in " ".join(about["holds"])
    again = engine.load(to_bytes(whole.without_table()))
    assert isinstance(again, engine.Project)
    assert again.table is None
    assert again.data() is None


def test_what_results_hold_of_single_rows_is_said() -> None:
    """A patient, a cohort and held-out verdicts are of people; counts are not."""
    own = sample_data.dataset("two_hospitals")
    cohort = engine.InstanceSpecific().run_cohort(own, range(30))
    whole = engine.Project(analyses=[cohort, engine.LogLinear().run(own)])
    assert describe_contents(whole)[2:] == ["One patient: the values of the 30 patients it is about."]
    assert project().described_rows() == ("One patient: the values of the patient it is about",)


def test_projects_are_equal_by_content() -> None:
    """One cell, one word or one answer more makes another."""
    whole = project()
    assert whole == replace(whole)
    assert hash(whole) == hash(replace(whole))
    other = table().copy()
    other.loc[3, "weight"] = 51.25
    kept = list(whole.analyses)
    for change in (
        {"notes": "second"},
        {"table": other},
        {"table": None},
        {"screen": {}},
        {"choices": {}},
        {"layouts": ()},
        {"analyses": kept[:2]},
        {"analyses": [replace(kept[0], starred=False), *kept[1:]]},
        {"analyses": [replace(kept[0], result=engine.LogLinear(criterion="bic").run(data())), *kept[1:]]},
    ):
        assert replace(whole, **change) != whole
    assert replace(whole, table=None) == replace(whole, table=None)
    assert replace(whole, table=None) != replace(whole, table=other)
    assert whole != 7
    assert repr(whole) == "<Project of 'two_hospitals.csv': 3 results, table of 120 rows>"
    assert repr(engine.Project()) == "<Project: 0 results, no table>"


def test_results_without_a_key_are_given_one() -> None:
    """Numbers that nobody has."""
    result = engine.LogLinear().run(data())
    found = engine.Project(analyses=[result, engine.SavedResult(result, key="1"), engine.SavedResult(result)])
    assert [one.key for one in found.analyses] == ["2", "1", "3"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"recipe": {}}, "engine.Recipe, not a dict"),
        ({"table": [1]}, "pandas table, not a list"),
        ({"analyses": [7]}, "results of runs, not a int"),
        ({"notes": 7}, "notes of a project"),
        ({"source": None}, "source of a project"),
        ({"layouts": [{"a": (0.0, math.nan)}]}, "two finite numbers"),
        ({"layouts": [{"a": (0.0, True)}]}, "two finite numbers"),
        ({"layouts": [{"a": "ab"}]}, "two finite numbers"),
        ({"layouts": [7]}, "where each variable stands"),
        ({"screen": {"a": math.inf}}, "screen of a project"),
        ({"screen": {"a": object()}}, "screen of a project"),
        ({"choices": {"kinds": {"a": "magic"}}}, "it can be nominal"),
        ({"choices": {"magic": 1}}, "has no 'magic'"),
        ({"choices": {"kinds": 5}}, "Give 'kinds' by column"),
    ],
)
def test_what_no_project_has_is_refused(given: dict[str, Any], words: str) -> None:
    """In a sentence, when it is made; not when it is saved."""
    with pytest.raises(engine.DataError, match=words) as told:
        engine.Project(**given)
    assert str(told.value).endswith(".")


# -- again ------------------------------------------------------------------------------------------------------------


def test_the_same_table_again_gives_the_same_answers() -> None:
    """Nothing did not fit, nothing differs; the new project makes the same data set."""
    found = project().rerun(table())
    assert found.words == ()
    assert dict(found.refused) == {}
    assert found.data.fingerprint == data().fingerprint
    for old, new in zip(project().analyses, found.project.analyses, strict=True):
        assert (new.key, new.title, new.note, new.starred) == (old.key, old.title, old.note, old.starred)
        assert new.made > "2026"
        assert new.seconds > 0
        assert new.result.graphs().keys() == old.result.graphs().keys()
        edges = found.comparisons[new.key].structure().edges
        assert set(edges["status"]) <= {"agree"}
        assert len(edges) == len(old.result.edges())
    again = found.project.data()
    assert again is not None
    assert again.fingerprint == data().fingerprint
    assert engine.load(to_bytes(found.project)) == found.project


def test_other_rows_are_coded_by_the_old_cut_points() -> None:
    """Cut points and levels are those of the first table, whatever the second one's own would be."""
    other = table().assign(weight=table()["weight"] + 10).iloc[:80]
    found = project().rerun(other)
    cut = data().cuts["weight"][0]
    assert found.data.cuts["weight"] == (cut,)
    assert found.data.column("weight").tolist() == (other["weight"] >= cut).astype(int).tolist()
    assert [one.result.made.rows_used for one in found.project.analyses] == [80, 80, 80]
    rows = found.comparisons["a"].structure().rows.set_index("what")
    assert rows.loc["rows used", ["a", "b"]].tolist() == ["120", "80"]


def test_what_does_not_fit_is_said() -> None:
    """A column that is gone, a level that is new, rows that are left out: a sentence each, and what was asked."""
    other = table().drop(columns="age")
    other["mixed"] = other["mixed"].astype(object)
    other.loc[:4, "mixed"] = "brand new"
    fitted = project().fit(other)
    assert fitted.missing == ("age",)
    said = " ".join(fitted.words)
    assert "no column 'age', so it is left out" in said
    assert "'brand new' (5 rows) count as not known" in said
    assert "5 rows of 120 are left out" in said
    assert fitted.data.n_rows == 115
    found = project().rerun(other)
    assert found.words == fitted.words
    assert set(found.refused) == {"a", "b", "c"}
    assert found.refused["a"] == "It is about 'age', which the table does not have."


def test_answers_over_fewer_variables_are_asked_where_theirs_are_there() -> None:
    """Of two answers the one that needs the lost column is refused, and the other one is as it would be alone."""
    some = [name for name in data().names if name != "age"]
    kept = [engine.SavedResult(engine.LogLinear().run(data().select(some)), key="some"), engine.LogLinear().run(data())]
    found = engine.Project(data().recipe, kept).rerun(table().drop(columns="age"))
    assert list(found.refused) == ["1"]
    assert [one.key for one in found.project.analyses] == ["some"]
    assert found.project.analyses[0].result == kept[0].result
    assert set(found.comparisons) == {"some"}


def test_a_run_that_cannot_be_is_refused_alone() -> None:
    """One group only: the comparison of groups says so, and the others go on."""
    first = str(data().names[0])
    found = project().rerun(table()[table()[first] == table()[first].iloc[0]])
    assert list(found.refused) == ["b"]
    assert found.refused["b"].endswith(".")
    assert [one.key for one in found.project.analyses] == ["a", "c"]


def test_nothing_to_go_on_is_said() -> None:
    """No recipe, no column of it, no row that is known, no table."""
    with pytest.raises(engine.DataError, match="has no recipe"):
        engine.Project().rerun(table())
    with pytest.raises(engine.DataError, match="none of the columns"):
        project().fit(pd.DataFrame({"other": [1, 2]}))
    with pytest.raises(engine.DataError, match="No row of the table is known"):
        project().fit(table().assign(weight=np.nan))
    with pytest.raises(engine.DataError, match="pandas table"):
        project().fit([1])  # type: ignore[arg-type]


def test_progress_rises_over_all_answers_and_can_stop() -> None:
    """From 0 to 1 without falling; what it raises comes out."""
    told: list[float] = []
    project().rerun(table(), progress=lambda fraction, words: told.append(fraction))
    assert told == sorted(told)
    assert max(told) == pytest.approx(1.0)

    def stop(fraction: float, words: str) -> None:
        raise engine.Cancelled("enough")

    with pytest.raises(engine.Cancelled):
        project().rerun(table(), progress=stop)
