"""Pages with jobs: run on until the page has its answers."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

PATIENCE = 60
"""Seconds that one job may take on a busy machine."""


def finished(at: AppTest) -> AppTest:
    """The page when none of its jobs is active any more; drawn again only while it still offers to cancel one."""
    while any(button.label == "Cancel" for button in at.button):
        for job in list(at.session_state["diptych"].job_queue._jobs.values()):
            assert job.wait(PATIENCE)
        at.run()
    assert not at.exception
    return at
