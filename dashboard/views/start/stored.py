"""The worked example's answer, computed beforehand: nobody's first page waits for it, and no visitor's job makes it.

`python -m dashboard.views.start.stored` computes it anew; a test holds it to what a run gives today.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dashboard
from dashboard.views.data.samples import sample_dataset
from engine.methods.group_difference.method import GroupDifference
from engine.project.file import ENDING, load, save
from sample_data.catalog import CATALOG

if TYPE_CHECKING:
    from engine.methods.group_difference.result import GroupDifferenceResult

EXAMPLE = "two_hospitals"
FILE = Path(dashboard.__file__).parent / "assets" / f"worked_example{ENDING}"


@cache
def stored_example() -> GroupDifferenceResult:
    """The comparison of the two hospitals, as it was computed; it holds no row of anybody's table."""
    found: Any = load(FILE)
    return found


def computed_example() -> GroupDifferenceResult:
    """The same computed here and now."""
    return GroupDifference(**CATALOG[EXAMPLE].settings).run(sample_dataset(EXAMPLE))


if __name__ == "__main__":
    save(computed_example(), FILE)
