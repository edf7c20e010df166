"""Read a file, look at what was decided about its columns, and ask which variables differ between two groups."""

from pathlib import Path

import engine
import sample_data

FILE = Path(sample_data.__file__).parent / "tables" / "two_hospitals.csv"

table = engine.read_table(FILE)
data = engine.Dataset.from_frame(table)
print("\n".join(data.report.sentences()))

result = engine.GroupDifference(group="hospital").run(data)
print(result.headline())
print(result.variables()[["verdict", "probability", "effect", "low", "high"]].head(3).round(2))
