"""Which rows an answer belongs to; what runs beside is kept while it runs, and ends when something else is asked."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import engine
import sample_data
from dashboard.jobs.job_queue import method_key
from dashboard.session.cards import LEAST_ROWS, Card, column_of, give, parts_of, rows_behind, too_small
from dashboard.session.projects import Screen, bytes_of, cards_from, screen_of
from dashboard.session.session import MOST_ANALYSES, Analysis, Rerun, Session, Waiting
from dashboard.session.work import Work

DATA = sample_data.dataset("cough_and_smoke")
LINKS = engine.LogLinear(criterion="bic")


class Running:
    """As much of a job as a session looks at."""

    def __init__(self, active: bool = True) -> None:
        self.active, self.result, self.elapsed, self.worked, self.stopped = active, None, 0.0, 0.0, False

    def cancel(self) -> None:
        self.active, self.stopped = False, True


def analysis(key: Any, job: Any = None, group: str = "", method: Any = LINKS) -> Analysis:
    return Analysis(method, key, job=job, group=group)


def test_groups_with_too_few_rows_are_named_and_not_asked() -> None:
    codes = np.array([[0, 0, 0, 1, 2, 2], [0, 1, 0, 1, 0, 1]])
    data = engine.Dataset.from_codes(codes, [["a", "b", "c", "d"], 2], ["arm", "pain"])
    assert {name: part.n_rows for name, part in parts_of(data, "arm").items()} == {"arm = a": 3, "arm = c": 2}
    assert too_small(data, "arm") == ["b", "d"]
    assert LEAST_ROWS == 2
    assert column_of("arm = c", data) == "arm"
    assert column_of("arm = e", data) is None


def test_rows_are_given_only_where_they_are_those_of_the_answer() -> None:
    """The whole, a group, and neither."""
    parts = parts_of(DATA, "sex")
    name, part = next(iter(parts.items()))
    whole, grouped = LINKS.run(DATA), LINKS.run(part)
    assert rows_behind(whole, "", DATA) is DATA
    found = rows_behind(grouped, name, DATA)
    assert found is not None
    assert found.fingerprint == part.fingerprint
    assert rows_behind(grouped, "", DATA) is None
    assert rows_behind(grouped, [*parts][1], DATA) is None
    assert rows_behind(grouped, "no = such", DATA) is None
    assert rows_behind(whole, "", None) is None
    card = Card("a", grouped, group=name)
    assert not give(card, DATA.rows(range(50)))
    assert card.data is None
    assert give(card, DATA)
    assert card.data is not None
    assert card.key == "a"


def test_groups_and_arguments_come_back_out_of_a_file() -> None:
    """Without the table a card waits for its rows; once that is open it has them and is the page's own answer."""
    name, part = next(iter(parts_of(DATA, "sex").items()))
    patient = engine.InstanceSpecific().run(DATA, 3)
    held = Session(source="table.csv", dataset=DATA)
    held.cards.add(Card("g", LINKS.run(part), part, "table.csv", group=name))
    held.cards.add(Card("p", patient, DATA, "table.csv", arguments={"instance": 3, "target": None}, pressed=False))
    project = engine.load(bytes_of(held, with_table=False))
    assert isinstance(project, engine.Project)
    for given in (None, DATA):
        group, one = cards_from(project, given)
        assert (group.group, group.source, one.arguments) == (name, "table.csv", {"instance": 3, "target": None})
        assert (group.data is None, one.data is None) == (given is None, given is None)
        assert not one.pressed
    assert group.key == method_key(LINKS, part)
    opened = Session()
    for card in cards_from(project, None):
        opened.cards.add(card)
    opened.go("results")
    assert [card.data for card in opened.cards] == [None, None]
    opened.dataset = DATA
    opened.go("results")
    assert [card.data.fingerprint for card in opened.cards] == [part.fingerprint, DATA.fingerprint]


def test_labels_and_scales_come_back_out_of_a_file() -> None:
    """What a dictionary told beside kinds and levels; of a file that anybody may have written, texts only."""
    told = Work(labels={"age": "Age in years"}, scales={"age": "person"})
    screen = Screen(json.loads(json.dumps(screen_of(Session(), told))))
    assert (screen.texts("labels"), screen.texts("scales")) == (told.labels, told.scales)
    assert Screen({"scales": {"age": 7, "sex": "person"}}).texts("scales") == {"sex": "person"}


def test_a_file_names_no_argument_that_no_method_takes() -> None:
    """Anybody may have written it, and arguments stand in the script."""
    kept = engine.SavedResult(LINKS.run(DATA), key="1")
    strange: Any = {"1": {"group": 7, "arguments": {"x=1)\nimport os #": 1, "target": "Cough"}, "pressed": "no"}}
    (card,) = cards_from(engine.Project(analyses=[kept], screen={"cards": strange}), None)
    assert (card.group, dict(card.arguments), card.pressed) == ("", {"target": "Cough"}, True)
    for screen in ({"cards": [1]}, {"cards": {"1": "x"}}, {}):
        (card,) = cards_from(engine.Project(analyses=[kept], screen=screen), None)
        assert (card.group, dict(card.arguments)) == ("", {})


def test_what_still_runs_is_never_let_go() -> None:
    """More jobs than there are places all stay until they are done."""
    held = Session()
    jobs = [Running() for _ in range(MOST_ANALYSES + 5)]
    for number, job in enumerate(jobs):
        held.keep(analysis(number, job))
    assert len(held.analyses) == MOST_ANALYSES + 5
    held.keep(analysis("few"), most=1)
    assert len(held.analyses) == MOST_ANALYSES + 6
    for job in jobs:
        job.active = False
    held.keep(analysis("next"))
    assert len(held.analyses) == MOST_ANALYSES
    assert held.analyses[-1].key == "next"


def test_an_answer_has_its_card_before_it_makes_room() -> None:
    held = Session()
    first = Running()
    held.keep(analysis("first", first))
    first.active, first.result = False, LINKS.run(DATA)  # type: ignore[assignment]
    held.keep(analysis("second"), most=1)
    assert held.analysis("first") is None
    assert held.cards.get("first") is not None


def test_groups_of_an_earlier_press_end() -> None:
    """Only those of the method, and never the whole."""
    held = Session()
    whole, group, other = Running(), Running(), Running()
    held.keep(analysis("whole", whole))
    held.keep(analysis("group", group, "sex = f"))
    held.keep(analysis("other", other, "sex = f", engine.GroupDifference(group="g")))
    held.leave_groups("log_linear", ["group"])
    assert not group.stopped
    held.leave_groups("log_linear")
    assert [one.stopped for one in (whole, group, other)] == [False, True, False]


def test_groups_and_questions_asked_again_have_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that what still runs for the same place ends; two groups, and two cards, do not end each other."""
    held = Session(dataset=DATA)
    places: list[str] = []

    def start(key: Any, *_: Any, place: str = "", quiet: bool = False) -> Any:
        places.append(place)
        job = Running()
        job.key = key  # type: ignore[attr-defined]
        return job

    monkeypatch.setattr(held.job_queue, "start", start)
    for name, part in parts_of(DATA, "sex").items():
        held.ask_group(LINKS, part, name)
    for key in "ab":
        held.rerun_card(held.cards.add(Card(key, LINKS.run(DATA), DATA)))
    assert places == [
        *(f"log_linear.{name}" for name in parts_of(DATA, "sex")),
        "log_linear.again.1",
        "log_linear.again.2",
    ]


def test_a_question_is_not_asked_where_the_table_lacks_a_variable() -> None:
    """As the engine refuses it; nothing is started."""
    held = Session(dataset=DATA.select(DATA.names[1:]))
    card = held.cards.add(Card("a", LINKS.run(DATA), DATA))
    with pytest.raises(engine.DataError, match=f"about '{DATA.names[0]}'"):
        held.rerun_card(card)
    assert not held.analyses


def test_what_asking_again_found_goes_with_the_table() -> None:
    """With another table, with all of it; and so does a file that waits for an answer."""
    for leave in (lambda one: one.end(), lambda one: one.load(None, "")):
        held = Session(rerun=Rerun(("a",)), waiting=Waiting(b""), warnings=("b",))
        leave(held)
        assert (held.rerun, held.waiting, held.warnings) == (None, None, ())


def test_notes_are_unsaved_until_they_are_saved() -> None:
    held = Session()
    held.cards.add(Card("a", LINKS.run(DATA), DATA))
    held.cards.saved = held.cards.version
    held.write_notes("")
    assert not held.cards.unsaved
    assert held.replaceable
    held.write_notes("why")
    assert (held.notes, held.cards.unsaved, held.replaceable) == ("why", True, False)
