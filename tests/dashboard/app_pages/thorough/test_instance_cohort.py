"""Many patients on the page: who is taken, what is asked of the engine, and what is said when that changes."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.views.instance_specific.cohort import arcs_display
from dashboard.views.instance_specific.running import CohortRequest, PatientState
from engine.methods.instance_specific.cohort_result import CohortResult
from engine.methods.instance_specific.method import InstanceSpecific
from engine.telling.instance_specific.figures import MOST_PATIENTS, changes_figure, heat_map, heat_table
from sample_data.catalog import dataset
from tests.dashboard.app_pages import conftest
from tests.dashboard.app_pages.thorough.test_instance_specific import PAGE, finished, key, opened, text


@pytest.fixture(scope="module")
def cough() -> engine.Dataset:
    return dataset("cough_and_smoke")


@pytest.fixture(scope="module")
def cohort(cough: engine.Dataset) -> CohortResult:
    return InstanceSpecific().run_cohort(cough)


def many(data: engine.Dataset, **widgets: object) -> AppTest:
    """The page turned to many patients, with these widgets set."""
    at = opened(data)
    at.session_state[f"{PAGE}.view"] = "Many patients"
    at.run()
    for name, value in widgets.items():
        at.session_state[f"{PAGE}.cohort.{name}"] = value
    return at.run()


def pressed(at: AppTest) -> AppTest:
    at.button(key=f"{PAGE}.cohort.run").click()
    return finished(at.run())


def found(at: AppTest) -> CohortResult:
    """The result of the job that ran last."""
    jobs = at.session_state["diptych"].job_queue._jobs
    result: CohortResult = next(job.result for key, job in reversed(jobs.items()) if key[0] == "cohort")
    return result


def test_all_rows_are_taken_unless_told_otherwise(cough: engine.Dataset, cohort: CohortResult) -> None:
    """Nothing runs before the press; then the engine's own answer stands on the page."""
    at = many(cough)
    assert not any(key[0] == "cohort" for key in at.session_state["diptych"].job_queue._jobs)
    pressed(at)
    assert found(at).to_json() == cohort.to_json()
    assert cohort.headline().rstrip(".") in text(at)
    assert "smoking = no: age is left out for cough" in str([one.value.to_csv() for one in at.dataframe])


@pytest.mark.parametrize("way", ["first", "random"])
def test_fewer_patients_can_be_taken(cough: engine.Dataset, way: str) -> None:
    """The number reaches the engine; a draw is the same each time."""
    at = many(cough, who=way)
    at.number_input(key=f"{PAGE}.cohort.count.{cough.fingerprint[:12]}").set_value(40).run()
    assert at.button(key=f"{PAGE}.cohort.run").label == "Learn the networks of 40 patients"
    patients = found(pressed(at)).patients
    assert len(patients) == 40
    assert (patients == tuple(range(40))) == (way == "first")


def test_changed_settings_are_said_to_be_unused(cough: engine.Dataset) -> None:
    """A slider moved after the run: the old result stays and the page says so; the press uses the new one."""
    at = pressed(many(cough, who="first"))
    at.select_slider(key=f"{PAGE}.live.kappa").set_value(0.9).run()
    assert "the result below has the old ones" in text(at)
    assert found(pressed(at)).method.kappa == 0.9
    assert "the result below has the old ones" not in text(at)


def test_a_target_brings_outcome_and_blanket(cough: engine.Dataset, cohort: CohortResult) -> None:
    """With a target chosen the page says how it turned out in each group, and whom each variable matters for."""
    at = pressed(many(cough))
    assert "What matters for the outcome" not in [one.label for one in at.expander]
    at.selectbox(key=key(cough, "target")).set_value("cough").run()
    assert "How cough turned out in each group" in text(at)
    outcome = next(one.value for one in at.dataframe if "yes" in one.value.columns and len(one.value) <= 4)
    assert list(outcome["patients"]) == list(cohort.with_clusters(4).outcome(cough, "cough")["patients"])


def test_the_number_of_groups_is_the_users(cough: engine.Dataset, cohort: CohortResult) -> None:
    """Fewer groups are the engine's own clusters."""
    at = pressed(many(cough))
    box = next(one for one in at.number_input if one.label == "Groups, at most")
    box.set_value(2).run()
    table = next(one.value for one in at.dataframe if "mean log ratio" in one.value.columns)
    assert list(table["patients"]) == list(cohort.with_clusters(2).clusters["patients"])


def test_the_map_puts_groups_together_and_says_each_cell_in_words(cohort: CohortResult) -> None:
    """Rows in order of group and pattern, only links that change; the pointer reads words, not numbers."""
    table = heat_table(cohort, every=False)
    assert len(table) == MOST_PATIENTS < len(cohort.patients)
    clusters = cohort.by_patient()["cluster"].reindex(table.index).tolist()
    assert clusters == sorted(clusters)
    assert all(((table[name] != 1) & (table[name] != -1)).any() for name in table.columns)
    assert heat_table(cohort, every=True).shape[1] == cohort.arc_matrix().shape[1]
    figure = heat_map(table, cohort, [f"row {i}" for i in table.index])
    words = {word for row in figure.data[0].text for word in row}
    assert words == {"kept", "dropped"}
    assert figure.data[0].text[0][0] == {1: "kept", 0: "dropped"}[int(table.iloc[0, 0])]
    assert figure.layout.annotations[0].text == figure.data[0].text[0][0]  # not by colour alone


def test_tables_leave_out_what_does_not_occur(cohort: CohortResult) -> None:
    """No column of added or reversed where nothing was; the link that changes most stands first."""
    table = arcs_display(cohort.arcs_by_change)
    assert {"added", "reversed"}.isdisjoint(table.columns)
    assert (table.iloc[0]["source"], table.iloc[0]["target"]) == ("age", "cough")
    assert changes_figure(cohort.change_counts()).data[0].y[0] == "1 dropped"


@pytest.mark.usefixtures("background")
def test_what_patients_are_told_without_any_context_stands_beside_the_answer(cough: engine.Dataset) -> None:
    """It runs by itself, and the sentences then hold both shares."""
    data = cough.rows(range(300))
    at = pressed(many(data))
    method = InstanceSpecific()
    population = method.learn_population(data)
    chance = method.without_context(data, population, conftest.FEW)
    expected = method.run_cohort(data, population=population).with_chance(chance)
    assert expected.headline() in text(at)
    assert expected.sentences() != method.run_cohort(data, population=population).sentences()


def test_where_nothing_is_compared_the_extremes_stay_and_nothing_is_offered() -> None:
    """A chain: no button; where it was asked for all the same the title stays, and no section is empty."""
    rows = np.arange(90)
    codes = np.array([np.where(rows % often, rows % 2, 1 - rows % 2) for often in (91, 9, 10)])
    data = engine.Dataset.from_codes(codes, [2] * 3, list("abc"))
    at = many(data)
    before = at.title[0].value
    assert "lies farthest" in before and "Links are not compared between patients" in text(at)
    assert f"{PAGE}.cohort.run" not in [one.key for one in at.button]
    asked = CohortRequest(InstanceSpecific(), data.fingerprint, None)
    at.session_state["diptych"].state(PatientState).cohort = asked
    finished(at.run())
    assert at.title[0].value == before and "all have the same network" in text(at)
    assert not {"The groups by links in numbers", "Patient by patient"} & {one.label for one in at.expander}
