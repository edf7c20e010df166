"""The network of a questionnaire's items: lines with their intervals, and which items are central."""

import engine
import sample_data

items = sample_data.dataset("symptoms")
result = engine.Ordinal(approach="gpc").run(items)

print(result.headline())
print(result.table("Lines").head(3).round(2))
central = result.table("Centrality").set_index("variable")["expected_influence"].sort_values(ascending=False)
print(central.head(3).round(2).to_dict())
result.plot("centrality")
