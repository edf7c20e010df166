"""The table rule hides little more than the least that would do."""

from __future__ import annotations

import numpy as np
import pandas as pd

from engine.telling.masking import hidden_cells, hidden_counts
from engine.telling.tables import Column, TableDescription, described
from tests.masking.least import fewest_hidden

CROSSED = TableDescription("", described(text="is"), others=Column("", "count"), sums=((),), matrix=True)
LEAST, MOST = 5, 1.3


def hidden(counts: np.ndarray) -> int:
    """How many cells the rule hides."""
    if len(counts) == 1:
        return sum(map(len, hidden_counts(counts[0].tolist(), LEAST)))
    frame = pd.DataFrame(counts, columns=list("abcdef")[: counts.shape[1]])
    frame.insert(0, "is", [f"level {i}" for i in range(len(counts))])
    cells = hidden_cells(frame, CROSSED, LEAST)
    return len(cells.small | cells.others)


def test_hardly_more_is_hidden_than_has_to_be() -> None:
    """Over drawn tables of up to six by six, as many cells as integer programming needs and three tenths more."""
    random, ours, fewest, met = np.random.default_rng(5), 0, 0, 0
    for number in range(40):
        rows, columns = random.integers(1, 7), random.integers(2, 7)
        if number % 2:
            counts = random.poisson(random.choice([8, 15, 30]), (rows, columns))
        else:
            shares = random.dirichlet(np.full(rows * columns, 1.5))
            counts = random.multinomial(random.integers(60, 400), shares).reshape(rows, columns)
        if needed := fewest_hidden(counts, LEAST):
            found = hidden(counts)
            assert found >= needed
            ours, fewest, met = ours + found, fewest + needed, met + 1
    assert met >= 20
    assert ours <= MOST * fewest, (ours, fewest)
