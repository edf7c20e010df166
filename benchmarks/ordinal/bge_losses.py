"""BGe's log loss beside what the authors' program printed: python -m benchmarks.ordinal.bge_losses FOLDER [--seeds N]

The folder has the tables of the paper and `authors_log_loss.json`: splits of them, and what the program printed. A line
a split and seed of our search: the program's figure, and ours by marginal variances (as the program), by conditional
ones (as the paper's formula), and by polychoric correlations (`engine.Ordinal`).
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.papers.ordinal.bge import by_formula, by_program
from benchmarks.papers.ordinal.draw import table_called
from engine.execution import silent
from engine.methods.ordinal.held_out_loss import log_loss
from engine.methods.ordinal.learn import analyse
from engine.methods.ordinal.method import Ordinal
from engine.scores.gaussian import BGe

WEIGHT = 3.0
"""am: a point of the paper's grid at which the program's losses are near their least."""


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    chosen = parser.parse_args()
    for split in json.loads((chosen.folder / "authors_log_loss.json").read_text()):
        name = split["table"].removesuffix(".csv")
        data = table_called(name, chosen.folder)
        held_out = np.array(split["test_rows_0based"])
        train, test = data.rows(np.setdiff1d(np.arange(data.n_rows), held_out)), data.rows(held_out)
        (printed,) = (
            -entry["log_likelihood_of_test_rows"] / split["n_test"]
            for entry in split["authors_program"]
            if (entry["method"], entry["parameter"]) == ("BGe", WEIGHT)
        )
        for prior_mean in ("zero", "rows"):
            matrix = BGe(am=WEIGHT, prior_mean=prior_mean).posterior_matrix(train)
            for seed in range(chosen.seeds):
                method = Ordinal(approach="bge", am=WEIGHT, prior_mean=prior_mean, seed=seed)
                result = analyse(method, train, silent, strict=False)
                ways = [by_program(matrix, result.parents), by_formula(matrix, result.parents)]
                ways.append(result.matrices["fitted"])
                losses = [
                    float(log_loss(replace(result, matrices={**result.matrices, "fitted": way}), test).mean())
                    for way in ways
                ]
                found = "  ".join(f"{loss:.3f}" for loss in losses)
                print(
                    f"{name:7} {printed:.3f}  mean {prior_mean:5} seed {seed}  {result.n_links} links: {found}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
