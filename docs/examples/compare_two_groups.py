"""Learn a network in each of two groups, and ask which links differ beyond chance; the figure leaves as one file."""

from pathlib import Path
from tempfile import gettempdir

import engine
import sample_data

children = sample_data.dataset("adhd")  # Silk et al. 2019, CC-BY 4.0
groups = engine.by_group(children, "group")
answers = [engine.LogLinear().run(part) for part in groups.values()]
comparison = engine.compare(*answers, data=list(groups.values()), draws=199)

print(comparison.headline())
print(comparison.links()[["source", "target", "a", "b", "difference", "p"]].head(3).round(3))
file = Path(gettempdir()) / "adhd.html"
comparison.plot().write_html(file, include_plotlyjs=True, include_mathjax=False)
print(f"{len(comparison.figures())} figures; the networks are in {file.name}")
