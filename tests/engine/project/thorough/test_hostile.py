"""Hostile project files: each ends in one sentence, and costs neither time nor memory."""

from __future__ import annotations

import io
import json
import pickle
import resource
import stat
import struct
import time
import zipfile
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import engine
from engine.project.file import to_bytes
from tests.engine.project.made_up import changed, opened, parts, project, put, zipped

MOST_SECONDS, MOST_MEGABYTES = 10.0, 700
"""What opening a hostile file may take, on a slow machine."""


def answer(number: int, path: str, value: Any) -> Callable[[], bytes]:
    """One of the answers with another value in it."""
    return partial(changed, f"analyses/{number}.json", put(path, value))


def said(path: str, value: Any) -> Callable[[], bytes]:
    """The project's own part with another value in it."""
    return partial(changed, "project.json", put(path, value))


def column(path: str, value: Any) -> Callable[[], bytes]:
    """The plan of the table with another value in it."""
    return partial(changed, "table/columns.json", put(path, value))


def about(**more: Any) -> Callable[[], bytes]:
    """What the file says it is, changed."""
    return partial(changed, "about.json", lambda document: document | more)


def whole(name: str, value: Any) -> Callable[[], bytes]:
    """A part that is something else altogether."""
    return partial(changed, name, lambda _: value)


def without(name: str) -> Callable[[], bytes]:
    """The file without a part."""
    return lambda: zipped({one: part for one, part in parts().items() if one != name})


def beside(name: str, content: bytes = b"{}") -> Callable[[], bytes]:
    """The file with one part more."""
    return lambda: zipped({**parts(), name: content})


def twice() -> bytes:
    """Two parts of one name: readers differ in which they see."""
    content = io.BytesIO(to_bytes(project()))
    with zipfile.ZipFile(content, "a") as out, pytest.warns(UserWarning, match="Duplicate"):
        out.writestr("about.json", parts()["about.json"])
    return content.getvalue()


def link() -> bytes:
    """A part that is a symbolic link."""
    content = io.BytesIO(to_bytes(project()))
    with zipfile.ZipFile(content, "a") as out:
        member = zipfile.ZipInfo("analyses/9.json")
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        out.writestr(member, "/etc/passwd")
    return content.getvalue()


def flagged(place: int, width: str, value: int) -> bytes:
    """The first entry of the directory with another value at a place of its own."""
    content = bytearray(to_bytes(project()))
    struct.pack_into(width, content, content.index(b"PK\x01\x02") + place, value)
    return bytes(content)


def members(number: int) -> bytes:
    """Very many parts."""
    return zipped({**parts(), **{f"x/{i}.json": b"" for i in range(number)}})


def bomb(size: int = 400_000_000) -> bytes:
    """A part that packs to a thousandth."""
    return zipped({**parts(), "project.json": b" " * size})


def lying_bomb() -> bytes:
    """A part of 300 MB that is said to have ten bytes."""
    content = bytearray(zipped({**parts(), "project.json": b"[" + b" " * 300_000_000 + b"]"}))
    for mark, place in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        found = content.find(mark)
        while found >= 0:
            name = 46 if mark == b"PK\x01\x02" else 30
            if content[found + name :].startswith(b"project.json"):
                struct.pack_into("<I", content, found + place, 10)
            found = content.find(mark, found + 1)
    return bytes(content)


def parquet(columns: dict[str, Any], **more: Any) -> bytes:
    """A Parquet file, but for what is asked for as plain as ours."""
    content, arrays = io.BytesIO(), {name: pa.array(one) for name, one in columns.items()}
    fields = [pa.field(name, one.type, nullable=bool(one.null_count)) for name, one in arrays.items()]
    table = pa.Table.from_arrays(list(arrays.values()), schema=pa.schema(fields))
    pq.write_table(table, content, **({"compression": "none", "use_dictionary": False} | more))
    return content.getvalue()


def cells(**more: Any) -> bytes:
    """The table's Parquet part written again, some columns changed."""
    found = pq.read_table(io.BytesIO(parts()["table/cells.parquet"]))
    columns: dict[str, Any] = {name: found[name].combine_chunks() for name in found.column_names}
    replaced = {name.replace("_", "."): value for name, value in more.items() if name.startswith("0")}
    rest = {name: value for name, value in more.items() if not name.startswith("0")}
    return parquet({**columns, **replaced}, **rest)


def npy(array: Any) -> bytes:
    """An array as numpy writes it."""
    content = io.BytesIO()
    np.save(content, array, allow_pickle=True)
    return content.getvalue()


def stored_array(content: bytes) -> bytes:
    """An answer whose array stands beside it."""
    document = opened("analyses/1.json")
    document["chance_alone"]["p"] = {"$stored": 0}
    return zipped({**parts(), "analyses/1.json": json.dumps(document).encode(), "arrays/0.npy": content})


def head(text: str, version: int = 1) -> bytes:
    """An array of eight bytes with a head of its own."""
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H", len(text)) + text.encode("latin1") + bytes(8)


def many_arrays() -> bytes:
    """Eighteen arrays of 40 MB each, which are some bytes in the zip."""
    document = opened("analyses/1.json")
    big = npy(np.zeros(5_000_000))
    document["made"]["recipe"] = [{"$stored": i} for i in range(18)]
    arrays = {f"arrays/{i}.npy": big for i in range(18)}
    return zipped({**parts(), "analyses/1.json": json.dumps(document).encode(), **arrays})


def array(kind: str, shape: Any, data: Any) -> Callable[[], bytes]:
    """An answer with another array in it."""
    return answer(1, "chance_alone/p", {"$array": kind, "shape": shape, "data": data})


def circle(document: Any) -> Any:
    """Two variables that are each other's parent."""
    document["structures"][0][0], document["structures"][0][1] = [1], [0]
    return document


ZEROS = {str(place): np.zeros(1_000_000) for place in range(7)}


HOSTILE: dict[str, tuple[bytes | Callable[[], bytes], str]] = {
    "empty": (b"", "no file of Diptych"),
    "no zip": (b"a,b\n1,2\n", "no file of Diptych"),
    "pickle": (pickle.dumps({"a": 1}), "no file of Diptych"),
    "truncated": (lambda: to_bytes(project())[:-40], "no file of Diptych"),
    "cut in the middle": (lambda: to_bytes(project())[:2000], "no file of Diptych"),
    "a flipped byte": (lambda: flagged(16, "<I", 7), "no file of Diptych"),
    "no about": (without("about.json"), "no file of Diptych"),
    "no project": (without("project.json"), "no file of Diptych"),
    "no answer": (without("analyses/1.json"), "no file of Diptych"),
    "no table": (without("table/cells.parquet"), "no file of Diptych"),
    "a part nobody speaks of": (beside("analyses/9.json"), "nothing in it speaks of"),
    "path upwards": (beside("../about.json"), "leads elsewhere"),
    "absolute path": (beside("/etc/passwd"), "leads elsewhere"),
    "backslash": (beside("analyses\\9.json"), "leads elsewhere"),
    "drive": (beside("C:/about.json"), "leads elsewhere"),
    "letters of another script": (beside("analyses/٩.json"), "leads elsewhere"),
    "two parts of one name": (twice, "same name"),
    "link": (link, "leads elsewhere"),
    "password": (lambda: flagged(8, "<H", 1), "password"),
    "unknown compression": (lambda: flagged(10, "<H", 99), "no file of Diptych"),
    "many parts": (lambda: members(20_500), "fill the memory"),
    "bomb": (bomb, "fill the memory"),
    "bomb that lies": (lying_bomb, "no file of Diptych|fill the memory"),
    "newer": (about(version=99), "newer version"),
    "version as text": (about(version="2"), "no file of Diptych"),
    "version true": (about(version=True), "no file of Diptych"),
    "version minus": (about(version=-1), "no file of Diptych"),
    "older": (about(version=1), "older version"),
    "another kind": (about(kind="virus"), "neither an answer nor a project"),
    "says it has no table": (about(table=False), "nothing in it speaks of"),
    "table maybe": (about(table="yes"), "no file of Diptych"),
    "deep": (whole("project.json", "[" * 500 + "]" * 500), "too deep"),
    "very deep": (whole("project.json", "[" * 1_000_000), "no file of Diptych"),
    "very many values": (whole("project.json", "[" + "0," * 11_000_000 + "0]"), "fill the memory"),
    "a list": (whole("project.json", "[]"), "no file of Diptych"),
    "unknown key": (partial(changed, "project.json", lambda one: one | {"extra": 1}), "no file of Diptych"),
    "key twice": (whole("project.json", '{"notes": "a", "notes": "b"}'), "same key twice"),
    "NaN": (whole("project.json", '{"notes": NaN}'), "holds NaN"),
    "Infinity": (whole("project.json", '{"notes": -Infinity}'), "holds -Infinity"),
    "a number beyond floats": (whole("project.json", '{"notes": 1e999}'), "too large"),
    "a huge whole number": (whole("project.json", '{"notes": ' + "9" * 5000 + "}"), "more than 4,000 digits"),
    "a very long text": (said("notes", "x" * 1_000_001), "million characters"),
    "half a letter": (whole("project.json", b'{"notes": "\xff"}'), "no file of Diptych"),
    "notes that are a number": (said("notes", 7), "notes"),
    "two answers with one key": (said("analyses/1/key", "a"), "have the key 'a'"),
    "no key": (said("analyses/1/key", ""), "no file of Diptych"),
    "seconds as text": (said("analyses/0/seconds", "long"), "seconds"),
    "starred maybe": (said("analyses/0/starred", "yes"), "starred"),
    "unknown words of an answer": (said("analyses/0", lambda one: one | {"class": "os.system"}), "no file of Diptych"),
    "layout of texts": (said("layouts/0/age", ["left", "right"]), "two finite numbers"),
    "layout without a place": (said("layouts/0/age", [1.0]), "two finite numbers"),
    "layout far away": (said("layouts/0/age", [1e300, 0.0]), "two finite numbers"),
    "recipe with a stranger": (said("recipe/evil", 1), "A recipe has no 'evil'"),
    "recipe of texts": (said("recipe/columns/0/levels", "yes"), "recipe in this file is damaged"),
    "recipe with a level twice": (said("recipe/columns/0/levels", ["a", "a"]), "recipe in this file is damaged"),
    "recipe that falls": (said("recipe/columns/5/cuts", [3.0, 1.0]), "recipe in this file is damaged"),
    "choices of another kind": (said("choices/kinds", 5), "Give 'kinds' by column"),
    "choices for a column to be magic": (said("choices/kinds/age", "magic"), "it can be nominal"),
    "bins as nest": (said("choices/bins", {"weight": {"a": 1}}), "number of intervals"),
    "screen that is a text": (said("screen", "x"), "no file of Diptych"),
    "class of Python": (answer(0, "$", "os.system"), "damaged"),
    "class that is a list": (answer(0, "$", ["LogLinearResult"]), "damaged"),
    "settings where an answer is wanted": (whole("analyses/0.json", {"$": "K2"}), "holds no answer"),
    "a recipe where an answer is wanted": (whole("analyses/0.json", {"$": "Recipe"}), "damaged"),
    "an answer of fields alone": (whole("analyses/0.json", {"$": "LogLinearResult"}), "damaged"),
    "unknown field": (partial(changed, "analyses/0.json", lambda one: one | {"extra": 1}), "damaged"),
    "another method's settings": (answer(0, "method", {"$": "GroupDifference"}), "damaged"),
    "text where a number is wanted": (answer(0, "n_rows", "many"), "n_rows is not"),
    "rows without end": (answer(0, "n_rows", 10**15), "more rows than a table has"),
    "fewer rows than none": (answer(1, "n/0", -5), "number of rows"),
    "two variables of one name": (answer(1, "names/1", lambda _: opened("analyses/1.json")["names"][0]), "same name"),
    "a name that is a number": (answer(1, "names/1", 7), "names is not"),
    "levels of nobody": (answer(1, "levels", {}), "levels of other variables"),
    "circle": (partial(changed, "analyses/1.json", circle), "circle"),
    "edge to no variable": (answer(1, "structures/0/0", [99]), "no variable"),
    "edge to itself": (answer(1, "structures/0/0", [0]), "circle|itself"),
    "edge with one end": (answer(2, "network_of_all/cpdag/parents/0", 2), "edge"),
    "huge set of variables": (answer(2, "network_of_all/cpdag/parents/0", 10**900), "no variable"),
    "graph over a billion": (answer(0, "chosen/n", 10**12), "too many|no variable"),
    "edges that are no triangulated graph": (
        answer(0, "chosen/edges", [[0, 1], [1, 2], [2, 3], [0, 3]]), "damaged"
    ),
    "codes without a level": (answer(2, "codes/age", 77), "no level"),
    "shape that does not match": (array("<f8", [3], [0.1]), "length that its shape"),
    "shape below zero": (array("<f8", [-1], [0.1]), "no such shape"),
    "shape without end": (array("<f8", [10**9, 10**9], [0.1]), "length that its shape"),
    "array of another length": (array("<f8", [1], [0.1]), "not as many"),
    "objects": (array("|O", [1], [{"$": "K2"}]), "something else than numbers"),
    "records": (array("V8", [1], [1]), "something else than numbers"),
    "texts as numbers": (array("<f8", [1], ["__import__('os')"]), "something else than numbers"),
    "stored array that is not there": (answer(1, "chance_alone/p", {"$stored": 3}), "no file of Diptych"),
    "stored array from above": (answer(1, "chance_alone/p", {"$stored": "../x"}), "no file of Diptych"),
    "stored array without end": (
        lambda: stored_array(head("{'descr': '<f8', 'fortran_order': False, 'shape': (10000000, 10000000)}")), "as long"
    ),
    "stored array below zero": (
        lambda: stored_array(head("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -1), }")), "damaged"
    ),
    "stored array of another length": (
        lambda: stored_array(head("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }")), "as long"
    ),
    "stored array of too few": (lambda: stored_array(npy(np.array([0.1]))), "damaged|not as many"),
    "stored array of texts": (lambda: stored_array(npy(np.array(["x"]))), "something else than numbers"),
    "stored array of objects": (
        lambda: stored_array(npy(np.array([{"a": 1}], dtype=object))), "something else than numbers"
    ),
    "stored array of records": (
        lambda: stored_array(npy(np.zeros(1, dtype=[("a", "<f8")]))), "something else than numbers"
    ),
    "stored array whose head is code": (lambda: stored_array(head("__import__('os').system('true')")), "damaged"),
    "stored array whose head nests": (lambda: stored_array(head("(" * 900)), "damaged"),
    "stored array with a long head": (lambda: stored_array(head(" " * 20_000)), "damaged"),
    "stored array of a later version": (lambda: stored_array(head("{}", version=3)), "damaged"),
    "stored array cut short": (lambda: stored_array(npy(np.zeros(5))[:-1]), "as long"),
    "stored array of no array": (lambda: stored_array(b"\x93NUMPY nothing"), "damaged"),
    "stored arrays that are small and many": (many_arrays, "fill the memory"),
    "table of other rows": (column("rows", 119), "not as long"),
    "table without end": (column("rows", 10**12), "limit is"),
    "table below zero": (column("rows", -1), "damaged"),
    "table of unknown form": (column("columns/0/form", "pickle"), "damaged"),
    "table of unknown type": (column("columns/5/type", "O"), "damaged"),
    "table with a name that is a list": (column("columns/0/label", ["a"]), "damaged"),
    "table with a cell that is code": (column("columns/6/cells/0", ["eval", "1"]), "damaged"),
    "table whose codes have no text": (column("columns/6/cells", []), "damaged"),
    "table that was read by nobody": (column("reading", {"file": 1, "format": {}}), "damaged"),
    "table of texts": (lambda: changed("table/cells.parquet", lambda _: cells(**{"0": ["x"] * 120})), "plain"),
    "table of nested cells": (
        lambda: changed("table/cells.parquet", lambda _: cells(**{"0": [[1]] * 120})), "other columns|plain"
    ),
    "table that unpacks itself": (
        lambda: changed("table/cells.parquet", lambda _: parquet(ZEROS, compression="zstd")), "not as long"
    ),
    "table with a hole": (
        lambda: changed("table/cells.parquet", lambda _: cells(**{"0": [0] * 119 + [None]})), "damaged"
    ),
    "table of broken numbers": (
        lambda: changed("table/cells.parquet", lambda _: cells(**{"0": [0.5] * 120})), "damaged"
    ),
    "table of no Parquet": (lambda: changed("table/cells.parquet", lambda _: b"PAR1 nothing PAR1"), "damaged"),
    "table of a column more": (
        lambda: changed("table/cells.parquet", lambda _: cells(**{"0_extra": [1] * 120})), "other columns"
    ),
}  # fmt: skip
"""Name -> file, and words of the sentence."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_in_a_sentence(name: str) -> None:
    """No traceback, no second sentence of ours, no long wait, no memory filled."""
    made, words = HOSTILE[name]
    content = made() if callable(made) else made
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    with pytest.raises(engine.DataError, match=words) as told:
        engine.load(content)
    text = str(told.value)
    assert text.endswith(".")
    assert text[0].isupper() or text[0] in "'\""
    assert len(text) < 400
    assert "\n" not in text
    assert time.perf_counter() - begun < MOST_SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MEGABYTES * 1024
