"""Save results, open them again, and write one document that needs no network and no program to be read."""

from pathlib import Path
from tempfile import TemporaryDirectory

import engine
import sample_data

data = sample_data.dataset("two_hospitals")
results = [engine.GroupDifference(group="hospital").run(data), engine.LogLinear().run(data)]

with TemporaryDirectory() as folder:
    file = Path(folder) / "hospitals.diptych"
    engine.save(results[0], file)
    assert engine.load(file) == results[0]
    page = Path(folder) / "hospitals.html"
    engine.report(results, page, title="Two hospitals", data=data, hide_below=5)
    text = page.read_text(encoding="utf-8")
print(f"{len(text) // 1000} kB, scripts: {text.count('<script')}, addresses: {text.count('http://')}")
