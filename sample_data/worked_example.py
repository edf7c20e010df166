"""The worked example's answer, computed beforehand: nobody's first page waits for it, and no visitor's job makes it.

`python -m sample_data.worked_example` computes it anew; a test holds it to what a run gives today.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import engine
from engine.project.file import ENDING
from sample_data.catalog import CATALOG, dataset

EXAMPLE = "two_hospitals"
FILE = Path(__file__).parent / "tables" / f"worked_example{ENDING}"


@cache
def stored_answer() -> Any:
    """The answer to the example's question, as it was computed."""
    return engine.load(FILE)


def computed_answer() -> Any:
    """The same, computed here and now."""
    sample = CATALOG[EXAMPLE]
    return getattr(engine, sample.method)(**sample.settings).run(dataset(EXAMPLE))


if __name__ == "__main__":
    engine.save(computed_answer(), FILE)
