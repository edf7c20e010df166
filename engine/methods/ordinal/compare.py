"""Two ordinal networks over the same variables, link by link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import DataError
from engine.methods.ordinal.model import OrdinalModel

if TYPE_CHECKING:
    import pandas as pd

BOTH, FIRST, SECOND, TURNED = "both", "first only", "second only", "direction differs"


def agreement(first: OrdinalModel, second: OrdinalModel) -> pd.DataFrame:
    """Every link of either network.

    Parameters
    ----------
    first, second : results over the same variables, such as two approaches

    Returns
    -------
    pandas.DataFrame: a, b (in column order of the first), in_first and in_second ("a -> b", "b -> a", "a -- b" or ""),
    how ("both", "direction differs", "first only", "second only"); in this order

    Raises
    ------
    DataError : the networks stand over different variables
    """
    import pandas as pd

    if set(first.names) != set(second.names):
        raise DataError("The two networks stand over different variables; compare networks of the same ones.")
    marks = [_marks(one, first.names) for one in (first, second)]
    order = {BOTH: 0, TURNED: 1, FIRST: 2, SECOND: 3}
    rows = []
    for pair in sorted({*marks[0], *marks[1]}):
        one, other = (found.get(pair, "") for found in marks)
        how = SECOND if not one else FIRST if not other else BOTH if one == other else TURNED
        rows.append((first.names[pair[0]], first.names[pair[1]], one, other, how))
    frame = pd.DataFrame(rows, columns=["a", "b", "in_first", "in_second", "how"])
    return frame.sort_values("how", key=lambda how: how.map(order), kind="stable", ignore_index=True)


def _marks(result: OrdinalModel, names: tuple[str, ...]) -> dict[tuple[int, int], str]:
    place = {name: i for i, name in enumerate(names)}
    found = {}
    for (source, target), directed in result.edge_pairs:
        i, j = place[source], place[target]
        mark = "a -- b" if not directed else "a -> b" if i < j else "b -> a"
        found[min(i, j), max(i, j)] = mark
    return found
