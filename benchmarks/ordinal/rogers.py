"""The paper's section 5 by both modes of OSEM: python -m benchmarks.ordinal.rogers FOLDER [--splits N] [--seeds N]

The folder has `rogers.csv` (408 patients, 24 scales; not shipped). Penalty 6 as in the paper. First the links of each
mode under some seeds beside the 26 that one run of the authors' program gave; then the log loss of a fifth of the rows.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.papers.ordinal.draw import table_called
from benchmarks.papers.ordinal.plan import HELD
from engine.data.dataset import Dataset
from engine.execution import silent
from engine.methods.ordinal.held_out_loss import corrected, log_loss
from engine.methods.ordinal.learn import analyse
from engine.methods.ordinal.method import Ordinal

PENALTY = 6.0
MODES = ("relaxed", "published")
OF_THE_PROGRAM = (
    "guilt-concen fatigue-concen hypersom-fatigue anhedonia-fatigue concen-retard fatigue-retard obdistress-obtime "
    "comptime-obtime obdistress-obinterfer compinterf-obinterfer onset-late middle-late late-sad sad-guilt sad-suicide "
    "sad-anhedonia guilt-agitation appetite-weight guilt-obdistress obdistress-obcontrol comptime-compinterf "
    "compinterf-compdis obresist-compresis obcontrol-compcont compinterf-compcont compresis-compcont"
)
"""Links of one run of the authors' R program, as this project measured it."""


def main() -> None:
    """Print links and losses."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=5)
    chosen = parser.parse_args()
    data = table_called("rogers", chosen.folder)
    printed = {frozenset(pair.split("-")) for pair in OF_THE_PROGRAM.split()}
    for mode in MODES:
        for seed in range(chosen.seeds):
            result = analyse(Ordinal(penalty=PENALTY, mode=mode, seed=seed), data, silent)
            links = {frozenset(pair) for pair, _ in result.edge_pairs}
            print(
                f"{mode:9} seed {seed}: {len(links)} links, {len(links & printed)} of the {len(printed)}, "
                f"criterion {result.criterion:.1f}, starts {result.starts}",
                flush=True,
            )
    losses = pd.DataFrame([_losses(data, split) for split in range(chosen.splits)], columns=MODES)
    worse = (losses["relaxed"] - losses["published"]).to_numpy()
    low, high = corrected(worse, HELD / (1 - HELD))
    print(losses.mean().round(3).to_dict())
    print(
        f"the default is {worse.mean():+.3f} nats a row off (standard error over splits "
        f"{worse.std(ddof=1) / np.sqrt(len(worse)):.3f}; 95 %, splits sharing rows: {low:+.3f} to {high:+.3f})"
    )


def _losses(data: Dataset, split: int) -> list[float]:
    """Of both modes on the same rows held out."""
    order = np.random.default_rng(np.random.SeedSequence(0, spawn_key=(split,))).permutation(data.n_rows)
    held_out = round(HELD * data.n_rows)
    train, test = data.rows(np.sort(order[held_out:])), data.rows(np.sort(order[:held_out]))
    return [
        float(log_loss(analyse(Ordinal(penalty=PENALTY, mode=mode), train, silent, strict=False), test).mean())
        for mode in MODES
    ]


if __name__ == "__main__":
    main()
