"""How probable is each arc, averaged over all networks that the rows allow?"""

import engine
import sample_data

data = sample_data.dataset("two_hospitals").select(["age", "severity", "admission", "complication", "readmitted"])
posterior = engine.edge_posteriors(data, engine.BDeu())

table = posterior.table.sort_values("probability", ascending=False)
print(table.head(5).round(3))
print(f"{(table['probability'] > 0.5).sum()} arcs are more probable than not")
