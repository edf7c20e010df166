"""Answers in one file: equal when read again, in another process too; nothing that runs, nothing that bursts."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
import sample_data
from engine.methods.result import Result
from engine.methods.storing import decode, encode
from engine.project import archive, file

DATA = sample_data.dataset("cough_and_smoke")


ANSWERS: dict[str, Callable[[], Result]] = {
    "groups": lambda: engine.GroupDifference(group="sex", score=engine.BDeu(2.0), search=engine.HillClimbing(5)).run(
        DATA
    ),
    "patient": lambda: engine.InstanceSpecific().run(DATA, {"smoking": "no", "age": None}, target="cough"),
    "published": lambda: engine.InstanceSpecific(mode="published", kappa=0.5).run(DATA, 7),
    "cohort": lambda: engine.InstanceSpecific().run_cohort(DATA, range(500)),
    "links": lambda: engine.LogLinear(joint=True, knowledge=engine.Knowledge(required=[("age", "sex")])).run(DATA),
}
"""One of each kind."""


@cache
def answer(name: str) -> Any:
    """One of them, computed when the first test asks."""
    return ANSWERS[name]()


def test_a_loaded_answer_answers_every_question() -> None:
    """What asks the data, what re-reads the evidence, what was cached: all as before."""
    loaded = {name: engine.load(file.to_bytes(answer(name))) for name in ANSWERS}
    groups, links = loaded["groups"], loaded["links"]
    assert groups.with_prior(0.9).log_odds.equals(answer("groups").with_prior(0.9).log_odds)
    assert groups.method.stability(DATA, runs=2).table().equals(answer("groups").method.stability(DATA, 2).table())
    assert repr(links.what_if(DATA, "age", "cough")) == repr(answer("links").what_if(DATA, "age", "cough"))  # with NaN
    assert (
        links.edited(DATA, add=[("sex", "cough")]).formula == answer("links").edited(DATA, [("sex", "cough")]).formula
    )
    assert links.expected(["age", "cough"]).equals(answer("links").expected(["age", "cough"]))
    for name in ("patient", "published"):
        mine, theirs = answer(name), loaded[name]
        assert theirs.similar_rows(DATA, "cough").tolist() == mine.similar_rows(DATA, "cough").tolist()
    assert loaded["cohort"].outcome(DATA, "cough").equals(answer("cohort").outcome(DATA, "cough"))
    assert loaded["cohort"].with_clusters(2).clusters.equals(answer("cohort").with_clusters(2).clusters)


def test_long_arrays_stand_beside_the_answer() -> None:
    """The status of all patients stands beside the JSON."""
    with zipfile.ZipFile(io.BytesIO(file.to_bytes(answer("cohort")))) as whole:
        assert [name for name in whole.namelist() if name.endswith(".npy")]
        assert whole.testzip() is None


def test_no_row_of_the_table_is_in_the_file() -> None:
    """Levels, counts and the one patient; never the codes of the table."""
    text = json.dumps(answer("links").to_dict())
    assert str(DATA.codes[0].tolist())[1:200] not in text


def changed(**members: Any) -> bytes:
    """A file with some members in place of its own."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file.to_bytes(answer("links")))) as whole, zipfile.ZipFile(content, "w") as out:
        for name in whole.namelist():
            key = name.removesuffix(".json")
            if members.get(key, "") is not None:
                out.writestr(name, members.get(key, whole.read(name)))
    return content.getvalue()


ABOUT = {"format": "diptych/file", "version": file.VERSION, "kind": "result", "method": "log_linear"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no file of Diptych"),
        (b"PK\x03\x04 cut short", "no file of Diptych"),
        (pickle.dumps({"a": 1}), "no file of Diptych"),
        (partial(changed, about=None), "no file of Diptych"),
        (partial(changed, document=None), "no file of Diptych"),
        (partial(changed, about="[1, 2]"), "no file of Diptych"),
        (partial(changed, about="{}"), "no file of Diptych"),
        (partial(changed, about=json.dumps({**ABOUT, "version": 99})), "newer version"),
        (partial(changed, about=json.dumps({**ABOUT, "method": "nobody's"})), "does not have"),
        (partial(changed, document="{"), "no file of Diptych"),
        (partial(changed, document="[" * 100_000), "no file of Diptych"),
        (partial(changed, document='{"$": "Popen", "args": "x"}'), "damaged"),
        (partial(changed, document='{"$": "LogLinearResult"}'), "damaged"),
        (partial(changed, document='{"$": "K2"}'), "no answer"),
        (partial(changed, document='{"$array": "<i8", "shape": [3], "data": [1]}'), "damaged"),
        (partial(changed, document='{"$array": "O", "shape": [1], "data": [{"$": "K2"}]}'), "no answer|damaged"),
        (partial(changed, document="7"), "no answer"),
    ],
)
def test_strange_files_get_one_sentence(content: bytes | Callable[[], bytes], words: str) -> None:
    """Cut short, foreign, newer, damaged, hostile: a sentence, no traceback, nothing run."""
    with pytest.raises(engine.DataError, match=words) as told:
        engine.load(content() if callable(content) else content)
    assert str(told.value).endswith(".")


def test_a_file_that_would_burst_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes are looked at before anything is unpacked."""
    monkeypatch.setattr(archive, "MOST_BYTES", 100)
    with pytest.raises(engine.DataError, match="fill the memory"):
        engine.load(file.to_bytes(answer("links")))


@pytest.mark.parametrize("name", ["a.pkl", "a.json", "a.zip", "result.v2", "a.DIPTYCH"])
def test_another_ending_is_refused(name: str, tmp_path: Path) -> None:
    """It would say of the file what it is not; the sentence has a name that says it."""
    with pytest.raises(engine.DataError, match=r"Name it '\w+\.diptych'"):
        engine.save(engine.Project(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    engine.save(engine.Project(), tmp_path / "without")
    assert (tmp_path / "without").exists()


def test_what_cannot_be_saved_or_found_is_said(tmp_path: Path) -> None:
    """No answer, no folder, no file."""
    with pytest.raises(engine.DataError, match=r"engine\.save writes the result"):
        engine.save(DATA, tmp_path / "data.diptych")
    with pytest.raises(engine.DataError, match="cannot be written"):
        engine.save(answer("links"), tmp_path / "nowhere" / "a.diptych")
    with pytest.raises(engine.DataError, match=r"no file 'a\.diptych'"):
        engine.load(tmp_path / "a.diptych")


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -(2**70),
        0.1 + 0.2,
        float("inf"),
        "text",
        (),
        ((1, 2), ("a", None)),
        {"$strange": 1, "plain": (2.5,)},
        {(1, 2): "pair"},
        engine.K2(),
        engine.BDeu(0.3),
        engine.Knowledge(forbidden=[("a", "b")], tiers=[["a"], ["b"]]),
    ],
)
def test_values_come_back_as_they_were(value: Any) -> None:
    """Through JSON and back, types and bits kept."""
    again = decode(json.loads(json.dumps(encode(value), allow_nan=False)))
    assert again == value
    assert type(again) is type(value)


@pytest.mark.parametrize("kind", ["u1", "<i8", "<f8", "?"])
def test_arrays_come_back_to_the_last_bit(kind: str) -> None:
    """Shape, type, values; infinities and what is no number too."""
    array = (np.arange(12).reshape(3, 4) % 2).astype(kind)
    if kind == "<f8":
        array = array / 3
        array[0, :3] = np.inf, -np.inf, np.nan
    again = decode(json.loads(json.dumps(encode(array), allow_nan=False)))
    assert again.dtype == array.dtype
    assert np.array_equal(again, array, equal_nan=kind == "<f8")


def test_only_listed_classes_are_written() -> None:
    """Anything else is a fault of ours, not a file."""
    with pytest.raises(TypeError, match="can be stored"):
        encode({"a": Path()})
