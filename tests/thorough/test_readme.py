"""What the READMEs and two pages of the documents show as Python runs as it stands, block after block."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.floor.tree import ROOT

READMES = [ROOT / "README.md", *sorted((ROOT / "engine").rglob("README.md"))]
PAGES = [ROOT / "docs" / "guide" / "python.md", ROOT / "docs" / "large-tables.md"]
PROMPT = ">>> "
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("readme", [*READMES, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_the_blocks_of_a_readme_run(
    readme: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One after the other, in an empty folder; every one prints something, and with prompts what stands below them."""
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(readme.read_text(encoding="utf-8"))
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        if block.startswith(PROMPT):
            test = doctest.DocTestParser().get_doctest(block, {}, readme.name, str(readme), 0)
            said: list[str] = []
            doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
            assert not said, "".join(said)
        else:
            exec(compile(block, str(readme), "exec"), names)  # noqa: S102
            assert capsys.readouterr().out.strip(), block
