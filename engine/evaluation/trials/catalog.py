"""The trials that there are."""

from __future__ import annotations

from engine.evaluation.found import of_methods
from engine.evaluation.trials.outcome import Trial


def every_trial() -> dict[str, type[Trial]]:
    """Slug -> trial, of every method that has one: the `TRIAL` of `engine/evaluation/trials/<slug>.py`."""
    return of_methods("engine.evaluation.trials.{}".format, "TRIAL")
