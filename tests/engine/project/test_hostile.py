"""Hostile project files: each ends in one sentence, and costs neither time nor memory."""

from __future__ import annotations

import engine
from tests.engine.project.made_up import changed, parts, project, zipped


def test_what_is_changed_can_be_opened_unchanged() -> None:
    """The files above are refused for what was changed in them, and for nothing else."""
    assert engine.load(zipped(parts())) == project()
    assert engine.load(changed("analyses/1.json", lambda document: document)) == project()
