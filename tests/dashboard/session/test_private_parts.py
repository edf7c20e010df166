"""The parts of Streamlit that may go in its next version: all are there, and a sentence says which is not."""

from __future__ import annotations

import pytest
from packaging.specifiers import SpecifierSet
from streamlit import __version__ as installed

from dashboard.server import launcher
from dashboard.session import private_parts
from tests.floor.tree import ROOT


def test_this_streamlit_has_every_part() -> None:
    """Nothing is missing, and the versions that work are those of the package."""
    assert private_parts.missing_parts() == []
    assert installed in SpecifierSet(private_parts.VERSIONS)
    assert f'"streamlit{private_parts.VERSIONS}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_a_part_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command ends with what is missing and with the versions that work, before anything is served."""
    gone = {"streamlit.runtime:Runtime": ("_nobody", "close_session"), "streamlit.nowhere:Thing": ()}
    monkeypatch.setattr(private_parts, "PARTS", gone)
    with pytest.raises(SystemExit) as ended:
        launcher.main(["--headless"])
    sentence = str(ended.value)
    assert f"version {installed} does not have: Runtime._nobody, Thing." in sentence
    assert sentence.endswith(f'pip install "streamlit{private_parts.VERSIONS}"')


def test_the_command_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and nothing is served."""
    with pytest.raises(SystemExit) as ended:
        launcher.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"diptych {launcher.engine.__version__}\n"
