"""A job on a page: what its line says and what is left when it ends."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

from streamlit.testing.v1 import AppTest

from dashboard.session.session import Session
from dashboard.views.shared.running import BY_ITSELF, job_words
from tests.dashboard.jobs import slow_work


def job(**changes: Any) -> Any:
    given = {"state": "running", "words": "", "elapsed": 3.0, "seconds_left": None, "queue_position": None}
    return SimpleNamespace(**(given | changes))


def test_standing_says_what_and_how_long() -> None:
    """Queue position while waiting; words, elapsed and left while running."""
    assert "number 3 in the queue" in job_words(job(state="queued", queue_position=3))
    assert (
        job_words(job(words="learning", seconds_left=65.0))
        == "Learning (3\u00a0s elapsed, about 1\u00a0min 05\u00a0s left)"
    )
    assert job_words(job()) == job_words(job(seconds_left=0.4)) == "Starting (3\u00a0s elapsed)"


def page() -> None:
    import streamlit as st

    from dashboard.session.session import session
    from dashboard.views.shared.running import await_job
    from tests.dashboard.jobs import slow_work

    function = getattr(slow_work, st.session_state["work"])
    arguments = st.session_state["arguments"]
    if st.button("Run"):
        session().job_queue.start("key", function, *arguments)
    job = session().job_queue.get("key")
    if job is not None:
        st.text(f"{job.state}: {await_job(job)}")


def opened(work: str, *arguments: Any) -> AppTest:
    app = AppTest.from_function(page, default_timeout=60)
    app.session_state["work"], app.session_state["arguments"] = work, arguments
    app.run()
    app.button[0].click().run()
    return app


def last(app: AppTest, state: str) -> str:
    for _ in range(200):
        app.run()
        if app.text and app.text[0].value.startswith(state):
            return str(app.text[0].value)
        time.sleep(0.05)
    raise AssertionError([one.value for one in app.text])


def test_result_reaches_the_page() -> None:
    """The result is there on the run after the job is done."""
    assert last(opened("add", 2, 3), "done") == "done: 5"


def test_error_is_shown_as_it_is() -> None:
    """A DataError's sentence stands on the page, escaped."""
    app = opened("refuse")
    last(app, "failed")
    assert app.error[0].value.replace("\\", "") == "Column 'arm' has one level only; choose another."


def test_cancel_button_stops_the_job() -> None:
    """The button in the progress line cancels, and the page says so."""
    app = opened("sleep", 60)
    next(one for one in app.button if one.label == "Cancel").click().run()
    assert last(app, "cancelled") == "cancelled: None"
    assert "Stopped" in app.info[0].value


def test_what_is_long_waits_for_its_button() -> None:
    """A short job begins by itself, a long one once it was pressed; one that runs already goes on."""

    def page(seconds: float) -> None:
        import streamlit as st

        from dashboard.views.shared.running import may_begin

        st.text(str(may_begin(("key",), seconds, "Shuffle")))

    at = AppTest.from_function(page, args=(BY_ITSELF,), default_timeout=60)
    at.session_state["diptych"] = Session()
    assert at.run().text[0].value == "True"
    assert not at.button
    long = AppTest.from_function(page, args=(3 * 3600.0,), default_timeout=60)
    long.session_state["diptych"] = Session()
    assert long.run().text[0].value == "False"
    assert long.button[0].label == "Shuffle: about 3 hours"
    assert long.button[0].click().run().text[0].value == "True"
    job = long.session_state["diptych"].job_queue.start(("key",), slow_work.add, 1, 1)
    assert long.run().text[0].value == "True"
    assert not long.button
    assert job.wait(60)


def together() -> None:
    import streamlit as st

    from dashboard.views.shared.running import follow_together

    st.session_state["runs"] = st.session_state["runs"] + 1
    waiting = [job for job in st.session_state["jobs"] if not job.shown]
    for job in waiting:
        job.shown = job.state == "done"  # the next run has its answer
    follow_together(waiting)


def test_jobs_that_run_together_draw_the_page_once_more_when_the_last_has_ended() -> None:
    """One that ended waits for the other; one that failed is said, and draws nothing again."""
    first, second = (
        job(active=True, shown=False, fraction=0.5, words=f"job {number}", error="No rows") for number in range(2)
    )
    app = AppTest.from_function(together, default_timeout=60)
    app.session_state["jobs"], app.session_state["runs"] = [first, second], 0
    app.run()
    assert app.session_state["runs"] == 1
    assert len(app.button) == 2  # each can be cancelled
    first.active, first.state = False, "done"
    app.run()
    assert app.session_state["runs"] == 2
    assert len(app.button) == 1
    first.shown, second.active, second.state = False, False, "failed"
    app.run()
    assert app.session_state["runs"] == 4  # once more, since the first has an answer that the page lacks
    assert [one.value for one in app.error] == ["No rows"]
