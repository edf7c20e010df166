"""Answers in one file: equal when read again, in another process too; nothing that runs, nothing that bursts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.data.reading.limits import Limits
from engine.graphs.pdag import Pdag
from engine.methods.storing import decode, encode
from engine.project import archive, file
from tests.engine.project.test_file import ANSWERS, answer

ROOT = Path(__file__).parents[4]
READER = """
import sys
import engine
for name in sys.argv[2:]:
    result = engine.load(f"{sys.argv[1]}/{name}.diptych")
    engine.save(result, f"{sys.argv[1]}/{name}.again.diptych")
    with open(f"{sys.argv[1]}/{name}.said", "wb") as out:
        out.write((result.to_json() + result.summary()).encode())
"""


@pytest.fixture(scope="module")
def read_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every answer, what another process said of it, and as that process saved it again."""
    folder = tmp_path_factory.mktemp("answers")
    for name in ANSWERS:
        engine.save(answer(name), folder / f"{name}.diptych")
    subprocess.run([sys.executable, "-c", READER, str(folder), *ANSWERS], check=True, cwd=ROOT)
    return folder


@pytest.mark.parametrize("name", ANSWERS)
def test_a_fresh_process_loads_an_equal_answer(name: str, read_again: Path) -> None:
    """The other process says the same, byte for byte, and saves an equal file."""
    result, path = answer(name), read_again / f"{name}.diptych"
    assert (read_again / f"{name}.said").read_bytes().decode("utf-8") == result.to_json() + result.summary()
    assert (read_again / f"{name}.again.diptych").read_bytes() == path.read_bytes()
    assert engine.load(path) == result


def test_an_answer_about_thousands_of_variables_is_opened_again() -> None:
    """As many as a table that is read can have columns: sets of them are long numbers."""
    codes = np.random.default_rng(0).integers(0, 2, (2_100, 12), dtype=np.uint8)
    codes[1::2] = codes[::2]
    data = engine.Dataset.from_codes(codes, [2] * len(codes), [f"v{i}" for i in range(len(codes))])
    result = engine.LogLinear().run(data)
    assert engine.load(file.to_bytes(result)) == result
    n, last = Limits().columns, 300  # of the others no set has a member: only the long numbers are the matter
    chain = Pdag(
        [0 if i <= n - last else 1 << (i - 1) for i in range(n)],
        [0 if i < n - last or i == n - 1 else 1 << (i + 1) for i in range(n)],
        [0] * n,
    )
    again = decode(archive.read_json(archive.as_json(encode(chain))))
    assert (again.parents, again.children, again.neighbours) == (chain.parents, chain.children, chain.neighbours)
