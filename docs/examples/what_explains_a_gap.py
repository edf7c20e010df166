"""Is one hospital worse, or are its patients sicker? The gap of an outcome, split over what differs."""

import numpy as np
import pandas as pd

import engine

rng, parts = np.random.default_rng(1), []
for hospital, sick, withheld in (("North", 0.25, 0.2), ("South", 0.5, 0.6)):
    severe = rng.random(1200) < sick
    treated = rng.random(1200) < np.where(severe, 1 - withheld, 0.7)
    died = rng.random(1200) < 0.04 + 0.15 * severe + 0.25 * (severe & ~treated)
    rows = {"severity": np.where(severe, "severe", "mild"), "treated": treated, "death": np.where(died, "yes", "no")}
    parts.append(pd.DataFrame(rows | {"hospital": hospital}))
data = engine.Dataset.from_frame(pd.concat(parts))

result = engine.GroupDifference(group="hospital").run(data)
gap = result.explain_gap("death", "yes")
print("\n".join(gap.sentences()))
print(gap.table()[["variable", "share", "low", "high"]].round(3))
