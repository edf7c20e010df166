"""The page for one patient: who it is, every control wired to the engine, and what a reader may get wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.session.session import Session
from dashboard.views.instance_specific.running import PatientState
from engine.methods.instance_specific.method import InstanceSpecific
from engine.methods.instance_specific.result import InstanceSpecificResult
from engine.words import in_percent
from sample_data.catalog import dataset, truth
from tests.dashboard.app_pages.running import finished
from tests.engine.make import random_data

APP = str(Path(__file__).parents[4] / "dashboard" / "app.py")
PAGE = "instance_specific"


def opened(
    data: engine.Dataset, table: pd.DataFrame | None = None, *, run: bool = True, seconds: float = 0.0, **settings: Any
) -> AppTest:
    """The page with this data set in the session, the networks asked for; learning counts as quick, so in the page."""
    at = AppTest.from_file(APP, default_timeout=60)
    session = Session(table=table, dataset=data, source="a *table*.csv")
    session.begin(PAGE, settings, run=run)
    session.state(PatientState).seconds = seconds
    at.session_state["diptych"] = session
    at.switch_page(f"app_pages/{PAGE}.py")
    return finished(at.run())


def shown(at: AppTest) -> InstanceSpecificResult:
    """The result on screen: the one asked for last."""
    found = at.session_state["diptych"].analyses[-1].result
    assert isinstance(found, InstanceSpecificResult)
    return found


def learned(at: AppTest) -> int:
    """Jobs that learned a population network."""
    return sum(key[0] == "population" for key in at.session_state["diptych"].job_queue._jobs)


def text(at: AppTest) -> str:
    """All that the page says, without the escapes."""
    said = "\n".join(str(one.value) for one in [*at.title, *at.markdown, *at.caption, *at.info, *at.error, *at.warning])
    return said.replace("\\", "")


def key(data: engine.Dataset, what: str) -> str:
    return f"{PAGE}.{data.fingerprint[:12]}.{what}"


def typed(at: AppTest, data: engine.Dataset, **values: str) -> AppTest:
    """Type a patient."""
    at.session_state[key(data, "way")] = "typed"
    at.run()
    for name, level in values.items():
        box = at.selectbox(key=key(data, f"value.{data.names.index(name)}"))
        box.set_value(data.levels[name].index(level))
    return finished(at.run())


@pytest.fixture(scope="module")
def cough() -> engine.Dataset:
    return dataset("cough_and_smoke")


def test_without_a_table_the_page_shows_its_example() -> None:
    """The sample's answer, and the ways to it and to a table of one's own."""
    at = AppTest.from_file(APP, default_timeout=60).switch_page(f"app_pages/{PAGE}.py").run()
    assert not at.exception
    assert "age no longer matters for it" in at.title[0].value
    assert [one.label for one in at.button if one.key.startswith(PAGE)] == ["Try this example", "Use my own table"]


@pytest.mark.usefixtures("on_a_press")
def test_it_waits_for_the_click_and_then_answers(cough: engine.Dataset) -> None:
    """Where it is long nothing runs by itself; the button gives the engine's own answer for the row chosen."""
    at = opened(cough, run=False, seconds=5.0)
    assert "press *Learn the networks*" in text(at)
    assert not learned(at)
    next(b for b in at.button if b.label == "Learn the networks").click()
    finished(at.run())
    assert learned(at) == 1
    assert shown(at).to_json() == InstanceSpecific().run(cough, 0).to_json()
    assert InstanceSpecific().run(cough, 0).headline().replace(" %", "\xa0%") in text(at)


def test_the_sample_opens_on_a_teaching_patient_and_both_have_the_true_contexts(cough: engine.Dataset) -> None:
    """From its card: Mrs. Nolan, for whom age drops out of cough; a press: Mrs. Young, for whom nothing changes."""
    at = AppTest.from_file(APP, default_timeout=60).run()
    at.button(key="start.open.cough_and_smoke").click().run()
    finished(at)
    told = truth("cough_and_smoke")
    contexts = {tuple(one["context"].items()): set(one.get("without", [])) for one in told["contexts"]}
    for number, patient in enumerate(told["patients"]):
        at.button(key=key(cough, f"preset.{number}")).click().run()
        changes = shown(finished(at)).arc_changes
        dropped = {(row.source, row.target) for row in changes[changes["status"] != "kept"].itertuples()}
        smoking = (("smoking", patient["instance"]["smoking"]),)
        assert dropped == {(name, "cough") for name in contexts[smoking]}
        assert shown(at).patient == patient["instance"]
    assert shown(at).target == "cough"
    at.button(key=key(cough, "preset.0")).click().run()
    assert "With smoking = no, age no longer matters for cough." in text(at)


def test_a_row_is_chosen_by_its_number(cough: engine.Dataset) -> None:
    """The row of the table from 1 is the engine's row from 0."""
    at = opened(cough)
    at.number_input(key=key(cough, "row")).set_value(42)
    result = shown(finished(at.run()))
    assert result.row == 41
    assert result.patient == {name: cough.levels[name][cough.column(name)[41]] for name in cough.names}


def test_a_row_is_found_by_a_value_and_by_an_identifier(cough: engine.Dataset) -> None:
    """A level lists the rows that have it; text finds a cell of a column that the analysis leaves out."""
    table = cough.to_frame().astype(str)
    table.insert(0, "patient", [f"P{i:04d}" for i in range(len(table))])
    data = engine.Dataset.from_frame(table)
    at = opened(data, table)
    assert "patient" not in data.names
    at.selectbox(key=key(data, "by")).set_value(0).run()
    at.text_input(key=key(data, "text.0")).set_value("P0123").run()
    match = next(box for box in at.selectbox if "row found" in box.label)
    assert match.options == ["row 124: patient P0123, age " + table["age"].iloc[123] + ", sex "
                             + table["sex"].iloc[123] + ", smoking " + table["smoking"].iloc[123]]  # fmt: skip
    assert shown(finished(at)).row == 123  # the only one there is, so chosen
    at.selectbox(key=key(data, "by")).set_value(table.columns.get_loc("smoking")).run()
    at.selectbox(key=key(data, f"level.{table.columns.get_loc('smoking')}")).set_value(1).run()
    level = data.levels["smoking"][1]
    match = next(box for box in at.selectbox if "found" in box.label)
    assert match.label.startswith(f"{int((table['smoking'] == level).sum())} rows found")
    assert all(f"smoking {level}" in option for option in match.options)
    second = int((table["smoking"] == level).to_numpy().nonzero()[0][1])
    match.set_value(second)
    assert shown(finished(at.run())).row == second


def with_gaps(cough: engine.Dataset) -> tuple[pd.DataFrame, engine.Dataset]:
    """The table with two incomplete rows, and its data set."""
    table = cough.to_frame().astype(object)
    table.loc[4, ["asthma", "wheeze"]] = None
    table.loc[9, "sex"] = None
    return table, engine.Dataset.from_frame(table)


def test_a_row_with_a_gap_is_explained_and_can_be_used(cough: engine.Dataset) -> None:
    """The sentence names row and columns; one press types what the row does say. Rows after it keep their numbers."""
    table, data = with_gaps(cough)
    at = opened(data, table)
    at.number_input(key=key(data, "row")).set_value(5)
    finished(at.run())
    assert "Row 5 lacks a value of 'asthma', 'wheeze'" in text(at)
    at.button(key=key(data, "use_gap")).click().run()
    finished(at)
    known = {name: str(table.at[4, name]) for name in data.names if name not in ("asthma", "wheeze")}
    assert shown(at).patient == known
    assert shown(at).row is None
    at.session_state[key(data, "way")] = "row"
    at.number_input(key=key(data, "row")).set_value(11) if at.run().number_input else None
    assert shown(finished(at.run())).row == 8


def test_the_first_row_with_all_values_is_proposed(cough: engine.Dataset) -> None:
    """Where row 1 has a gap, a line says which row is shown; of another row the line says nothing."""
    table = cough.to_frame().astype(object)
    table.loc[[0, 1], "asthma"] = None
    data = engine.Dataset.from_frame(table)
    at = opened(data, table)
    assert shown(finished(at.run())).row == 0
    assert "Row 3 is the first that can be used" in text(at)
    at.number_input(key=key(data, "row")).set_value(4)
    assert shown(finished(at.run())).row == 1
    assert "is the first that can be used" not in text(at)


def test_a_row_outside_the_filter_is_no_row_with_a_gap(cough: engine.Dataset) -> None:
    """The sentence says which rows are meant, whether or not the row has a gap as well; it can be asked about."""
    table = cough.to_frame().astype(object)
    one, other = dict.fromkeys(table["sex"])
    place = table.index[table["sex"] == other][0]
    both = table.index[table["sex"] == other][1]
    gap = table.index[table["sex"] == one][0]
    table.loc[[both, gap], "asthma"] = None
    data = engine.Recipe(where=[("sex", "is", one)], kinds={"sex": "ignore"}).apply(table)
    at = opened(data, table)
    for row, words in ((place, f"is not among the rows where sex is {one}"), (both, "is not among the rows where")):
        at.number_input(key=key(data, "row")).set_value(int(row) + 1)
        finished(at.run())
        assert f"Row {row + 1} {words}" in text(at)
        assert "lacks a value" not in text(at)
    assert not at.button(key=key(data, "use_gap")).disabled
    at.number_input(key=key(data, "row")).set_value(int(gap) + 1)
    finished(at.run())
    assert f"Row {gap + 1} lacks a value of 'asthma'" in text(at)


def test_a_typed_patient_reaches_the_engine(cough: engine.Dataset) -> None:
    """What is chosen is known, all else unknown; Clear empties the boxes."""
    at = typed(opened(cough), cough, smoking="no", age="70 and over")
    expected = InstanceSpecific().run(cough, {"smoking": "no", "age": "70 and over"})
    assert shown(at).to_json() == expected.to_json()
    at.button(key=key(cough, "clear")).click().run()
    assert shown(finished(at)).patient == {}
    assert "Nothing is known of this patient yet" in text(at)


def test_the_values_of_a_row_can_be_changed(cough: engine.Dataset) -> None:
    """One press types the row; another value then is another patient."""
    at = opened(cough)
    at.button(key=key(cough, "edit")).click().run()
    first = shown(finished(at))
    assert first.row is None
    assert first.patient == InstanceSpecific().run(cough, 0).patient
    other = next(level for level in cough.levels["smoking"] if level != first.patient["smoking"])
    typed(at, cough, smoking=other)
    assert shown(at).patient == {**first.patient, "smoking": other}


def test_a_level_never_seen_gets_its_sentence(cough: engine.Dataset) -> None:
    """A declared level without rows can be chosen; the page says that nothing can be learned there."""
    levels = {**cough.levels, "smoking": (*cough.levels["smoking"], "pipe")}
    data = engine.Dataset.from_codes(cough.codes, levels, cough.names)
    at = typed(opened(data), data, smoking="pipe", age="70 and over")
    assert "No row has smoking = pipe" in text(at)


def test_the_target_is_blanked_predicted_and_compared(cough: engine.Dataset) -> None:
    """The engine is asked with the target; prediction, observed value and the row left out are on the page."""
    at = opened(cough)
    at.selectbox(key=key(cough, "target")).set_value("cough")
    result = shown(finished(at.run()))
    assert result.to_json() == InstanceSpecific().run(cough, 0, target="cough").to_json()
    assert "cough" not in result.patient
    assert result.prediction is not None
    level = result.levels["cough"][-1]
    here = in_percent(result.prediction.at[level, "instance"])
    assert at.title[0].value.replace("\\", "").startswith(f"Probability of cough = {level}: {here} for this patient, ")
    assert f"cough = {level}: {here} (95\u00a0% interval " in text(at)
    assert f" Observed: {result.observed_target}." in text(at)
    assert "compared with 1,999 of 2,000 rows" in text(at)


def test_a_constant_target_gets_its_sentence_and_the_page_lives_on(cough: engine.Dataset) -> None:
    """The engine's words; another target works."""
    codes = cough.codes.copy()
    codes[cough.names.index("asthma")] = 0
    data = engine.Dataset.from_codes(codes, cough.levels, cough.names)
    at = opened(data)
    at.selectbox(key=key(data, "target")).set_value("asthma")
    finished(at.run())
    assert "nothing to predict" in text(at)
    at.selectbox(key=key(data, "target")).set_value("cough")
    finished(at.run())
    assert shown(at).target == "cough"
    assert "nothing to predict" not in text(at)


@pytest.mark.parametrize(
    ("label", "value", "expected"),
    [
        ("Search", "published", {"mode": "published"}),
        ("Prior of the patient's parameters", "paper", {"prior": "paper"}),
        ("When no parent is left", "all_rows", {"empty": "all_rows"}),
        ("Expected number of parents", 0.5, {"structure_prior": 0.5}),
        ("Most parents of a variable", 1, {"max_parents": 1}),
        ("Also look for extra parents", True, {"additions": True}),
    ],
)
def test_every_setting_reaches_the_engine(cough: engine.Dataset, label: str, value: Any, expected: Any) -> None:
    """A changed setting is used at once; the published search brings its warning."""
    at = opened(cough)
    boxes = [*at.selectbox, *at.number_input, *at.toggle]
    next(one for one in boxes if one.label.replace("\\", "") == label).set_value(value)
    assert shown(finished(at.run())).method == InstanceSpecific(**expected)
    assert ("the search as the paper published it" in text(at)) == ("mode" in expected)
    assert not any("Seed" in one.label for one in at.number_input)


@pytest.mark.parametrize(("slider", "value"), [("kappa", 0.7), ("ess", 10.0)])
def test_the_sliders_answer_in_the_page(cough: engine.Dataset, slider: str, value: float) -> None:
    """A moved slider gives the engine's answer with no further job, once learning is known to be quick."""
    at = opened(cough)
    at.session_state["diptych"].state(PatientState).seconds = 0.01  # as on a machine that is not busy
    jobs = learned(at)
    at.select_slider(key=f"{PAGE}.live.{slider}").set_value(value).run()
    expected = replace(InstanceSpecific(), **{slider: value}).run(cough, 0)  # type: ignore[arg-type]
    assert shown(at).to_json() == expected.to_json()
    assert learned(at) == jobs


def test_slow_learning_goes_through_a_job(cough: engine.Dataset) -> None:
    """Where the last population network took long, a new equivalent sample size is learned in a job."""
    at = opened(cough)
    at.session_state["diptych"].state(PatientState).seconds = 5.0
    jobs = learned(at)
    at.select_slider(key=f"{PAGE}.live.ess").set_value(10.0).run()
    finished(at)
    assert learned(at) == jobs + 1
    assert shown(at).method.ess == 10.0


def test_choosing_a_variable_shows_its_evidence(cough: engine.Dataset) -> None:
    """The sentence of the variable, its similar cases, and its parent sets."""
    at = opened(cough)
    at.selectbox(key=f"{PAGE}.variable").set_value("wheeze").run()
    result = shown(at)
    assert at.session_state["diptych"].picked[PAGE] == "wheeze"
    assert result.sentence("wheeze").split(" (95 %")[0] in text(at)
    row = result.families().loc["wheeze"]
    assert f"{row['cases']:,} of 2,000 rows are like this patient in what matters here ({row['context']})" in text(at)
    assert any(expander.label.startswith(f"The {row['cases'] - 1:,} similar cases") for expander in at.expander)


@pytest.mark.parametrize(("rows", "warned"), [(20, True), (100, False)])
def test_few_similar_cases_bring_a_warning(rows: int, warned: bool) -> None:
    """Under 30 cases the page says that chance can do this."""
    codes = np.array([[0, 1] * (rows // 2)] * 2)
    data = engine.Dataset.from_codes(codes, [2, 2], ["a", "b"])
    child = next(b for _, b in InstanceSpecific().run(data, 0).population.edges)
    at = opened(data)
    at.selectbox(key=f"{PAGE}.variable").set_value(child).run()
    assert any("similar cases: below 30" in one.value for one in at.warning) == warned


def test_a_job_that_failed_waits_to_be_started_again(cough: engine.Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence and a button; looking at the page again does not start it by itself."""
    monkeypatch.setattr(InstanceSpecific, "unfit", lambda _: "")
    at = opened(cough.select(["age"]), seconds=5.0)
    assert "two columns or more" in text(at)
    jobs = list(at.session_state["diptych"].job_queue._jobs.values())
    at.run()
    assert list(at.session_state["diptych"].job_queue._jobs.values()) == jobs
    next(b for b in at.button if b.label == "Start it again").click().run()
    assert list(at.session_state["diptych"].job_queue._jobs.values()) != jobs
    assert "two columns or more" in text(finished(at))


def test_a_table_of_one_variable_gets_a_sentence(cough: engine.Dataset) -> None:
    """The engine's own words are shown, and the page stays usable."""
    at = opened(cough.select(["age"]))
    assert "is in use" in text(at)
    assert [link.proto.label for link in at.get("page_link")] == ["Help", "To the data page"]
    assert not learned(at)


def test_another_table_forgets_the_patient(cough: engine.Dataset) -> None:
    """Replaced while a patient is on screen: its first row, and boxes of the new table."""
    at = typed(opened(cough), cough, smoking="no")
    other = random_data(50, 3, 2, seed=1)
    state = at.session_state["diptych"]
    state.load(other.to_frame(), "other.csv")
    state.dataset = other
    finished(at.run())
    assert "Row 1, compared with 50 rows" in text(at)
    at.session_state[key(other, "way")] = "typed"
    at.run()
    assert at.selectbox(key=key(other, "value.0")).value == -1
