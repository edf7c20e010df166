"""One file for an answer or a project: a zip of JSON, `.npy` and Parquet, no pickle. `engine.save`, `engine.load`.

`about.json` says in words what the file is and holds. An answer stands in `document.json`, those of a project in
`analyses/0.json` and so on (see `engine.methods.storing`), long arrays beside them in `arrays/0.npy` and so on, and a
project's own parts in `project.json`; its table, where it is in the file, in `table/`. Every part comes from a
stranger until it has been looked at (see `engine.project.archive`).
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from engine.comparison.difference import Compare
from engine.data.dataset import Recipe
from engine.errors import DataError, DiptychError
from engine.methods.fitting import misfit
from engine.methods.registry import METHODS
from engine.methods.result import Result
from engine.methods.storing import ARRAY_TYPE, decode, encode
from engine.project.archive import NOT_OURS, Archive, Source, Target, as_json, refuse, zipped
from engine.project.project import Project, SavedResult, read_recipe
from engine.project.table_parts import packed, unpacked
from engine.words import capital

FORMAT = "diptych/file"
VERSION = 4
"""Version of the file; no other one is read."""
ENDING = ".diptych"
_PROJECT = {"recipe", "analyses", "layouts", "notes", "source", "screen", "choices"}
_FACTS = {"title", "note", "starred", "made", "source", "key", "seconds"}
_NPY, _LONGEST_HEAD = b"\x93NUMPY\x01\x00", 1_000
"""What an array of ours begins with, and letters that describe it."""
_NO_ANSWER = "This file holds no answer of a method."


def save(result: Result | Project, path: Target) -> None:
    """Write an answer or a project into one file, from which `load` gives an equal one.

    An answer holds settings, names, levels and counts of the table, but none of its rows, except of patients it is
    about. A project holds the table where it has one; save `project.without_table()` to give it away without.

    Parameters
    ----------
    result : what a method's run gave, or an `engine.Project`
    path : a path that ends in ".diptych" or has no ending, or a file opened for bytes

    Raises
    ------
    DataError : something else than these, another ending, or the file cannot be written

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> engine.save(engine.LogLinear().run(sample_data.dataset("two_hospitals")), file)
    >>> engine.load(file.getvalue()).separators[0]
    ('age',)
    """
    if not isinstance(result, Result | Project):
        raise DataError(
            f"engine.save writes the result of a method's run, or an engine.Project, not a {type(result).__name__}."
        )
    if isinstance(path, str | os.PathLike) and Path(path).suffix not in ("", ENDING):
        raise DataError(
            f"engine.save writes files of Diptych only, whose ending is '{ENDING}', not '{Path(path).suffix}'. "
            f"Name it '{Path(path).with_suffix(ENDING).name}'."
        )
    content = to_bytes(result)
    if not isinstance(path, str | os.PathLike):
        path.write(content)
        return
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise DataError(f"The file '{Path(path).name}' cannot be written: {error.strerror}.") from None


def to_bytes(result: Result | Project) -> bytes:
    """The content of the file, for a download.

    Parameters
    ----------
    result : what a method's run gave, or a project

    Returns
    -------
    a zip; equal answers and projects give equal bytes
    """
    arrays: list[np.ndarray] = []
    about = {"format": FORMAT, "version": VERSION, "diptych": _own_version()}
    if isinstance(result, Result):
        about |= {"kind": "result", "method": result.slug}
        members = {"document.json": as_json(encode(result, arrays))}
    else:
        about |= {"kind": "project", "holds": describe_contents(result), "table": result.table is not None}
        members = {"project.json": as_json(result.plain())}
        for number, analysis in enumerate(result.analyses):
            members[f"analyses/{number}.json"] = as_json(encode(analysis.result, arrays))
        if result.table is not None:
            plan, content = packed(result.table)
            members |= {"table/columns.json": as_json(plan), "table/cells.parquet": content}
    for number, array in enumerate(arrays):
        npy = io.BytesIO()
        np.lib.format.write_array(npy, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
        members[f"arrays/{number}.npy"] = npy.getvalue()
    return zipped({"about.json": as_json(about), **members})


def describe_contents(project: Project) -> list[str]:
    """Describe the file of a project, in sentences for whoever is given it.

    Parameters
    ----------
    project : with its table or without

    Returns
    -------
    sentences

    Examples
    --------
    >>> from engine.project.file import describe_contents
    >>> describe_contents(engine.Project(notes="first look"))[1]
    'No row of the table is in this file, but for what its results are about, if that is said below.'
    """
    result = [
        "Choices, results, layouts and notes, and the workshop's network where it was changed. Names of columns, their "
        "levels and cut points, and counts of rows stand in them as they are; where a count is small, it may tell of a "
        "person."
    ]
    if project.table is None:
        result.append("No row of the table is in this file, but for what its results are about, if that is said below.")
    else:
        rows, columns = project.table.shape
        result.append(f"The whole table is in this file: {rows:,} rows of {columns:,} columns, as they were read.")
    return result + [f"{capital(text)}." for text in project.described_rows()]


def load(path: Source) -> Result | Project:
    """The answer or project that `save` wrote; it answers every question it answered then.

    Parameters
    ----------
    path : a path, the content as bytes, or a file opened for bytes

    Returns
    -------
    a result or a project equal to the one saved; nothing is computed again

    Raises
    ------
    DataError : no file of Diptych, one of a newer version, or a damaged one

    Examples
    --------
    >>> from engine.project.file import to_bytes
    >>> result = engine.LogLinear().run(sample_data.dataset("two_hospitals"))
    >>> engine.load(to_bytes(result)) == result
    True
    """
    with Archive(path) as archive:
        about = archive.json("about.json")
        _check_about(about)
        if about["kind"] == "project":
            result = _guarded(lambda: _project(archive, about.get("table")))
        else:
            result = _guarded(lambda: _answer(archive, "document.json"))
        archive.check_all_read()
    loaded: Result | Project = result
    return loaded


def _guarded(make: Callable[[], Any]) -> Any:
    """What a file gives, or one sentence; whatever a stranger wrote, no fault of the program is shown."""
    try:
        with np.errstate(all="ignore"):  # numbers that no run gives may be in a file, and are nobody's warning
            return make()
    except DiptychError as error:
        raise DataError(str(error)) from None
    except (
        *(TypeError, ValueError, LookupError, AttributeError, ArithmeticError),
        *(RecursionError, MemoryError, NotImplementedError, OSError),
    ):
        raise DataError(NOT_OURS) from None


def _array(archive: Archive, number: Any) -> np.ndarray:
    """A long array, after a look at its head: numpy's reader takes whatever memory that asks for."""
    if type(number) is not int:
        refuse()
    content = archive.bytes(f"arrays/{number}.npy")
    damaged = "An array in this file is damaged; save the file again."
    if content[:8] != _NPY or int.from_bytes(content[8:10], "little") > _LONGEST_HEAD:
        refuse(damaged)
    file = io.BytesIO(content[8:])
    try:
        shape, _, kind = np.lib.format.read_array_header_1_0(file, max_header_size=_LONGEST_HEAD)
    except Exception:  # whatever Python's own parser raises
        refuse(damaged)
    if not ARRAY_TYPE.fullmatch(kind.str):
        refuse("An array in this file holds something else than numbers; it is damaged.")
    if kind.itemsize * math.prod(shape) != len(content) - 8 - file.tell():
        refuse("An array in this file is not as long as the file says; it is damaged.")
    archive.spend(4 * len(content))  # the bytes, numpy's array, and what is made of it
    array: np.ndarray = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    array.flags.writeable = False
    return array


def _answer(archive: Archive, name: str) -> Result:
    """One answer, after it has told what every page begins with."""
    result = decode(archive.json(name), lambda number: _array(archive, number))
    if not isinstance(result, Result):
        raise DataError(_NO_ANSWER)
    if not _is_known(result.slug):
        refuse("This file holds an answer of a method that this version of Diptych does not have.")
    graphs = result.graphs()
    if not result.headline() or any(set(graph.nodes) - set(_drawn(result)) for graph in graphs.values()):
        refuse()
    result.edges()
    result.variables()
    return result


def _drawn(result: Result) -> list[str]:
    """Every node that a network of an answer can have: its variables, of series at both steps."""
    own = list(result.names)
    return [*own, *(f"{name} ({step})" for name in own for step in ("t", "t+1"))]


def _project(archive: Archive, with_table: Any) -> Project:
    document = archive.json("project.json")
    if not isinstance(document, dict) or set(document) != _PROJECT or not isinstance(document["analyses"], list):
        refuse()
    text, layouts = document["analyses"], document["layouts"]
    if not all(isinstance(item, dict) and set(item) == _FACTS and item["key"] for item in text):
        refuse()
    text = [item | {"seconds": math.nan} if item["seconds"] is None else item for item in text]
    if not isinstance(layouts, list) or not isinstance(document["screen"], dict) or type(with_table) is not bool:
        refuse()
    analyses = [SavedResult(_answer(archive, f"analyses/{number}.json"), **entry) for number, entry in enumerate(text)]
    table = None
    if with_table:
        plan = archive.json("table/columns.json")
        table = unpacked(plan, lambda: archive.bytes("table/cells.parquet"), archive.spend)
    _recipe(document["choices"])
    return Project(
        recipe=None if document["recipe"] is None else _fixed_recipe(document["recipe"]),
        analyses=analyses,
        layouts=layouts,
        notes=document["notes"],
        table=table,
        source=document["source"],
        screen=document["screen"],
        choices=document["choices"],
    )


def _check_about(about: Any) -> None:
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        refuse()
    if type(about.get("version")) is not int or about["version"] < 1:
        refuse()
    if about["version"] != VERSION:
        age = "a newer" if about["version"] > VERSION else "an older"
        refuse(f"This file was written by {age} version of Diptych; open it with that one.")
    if about.get("kind") == "project":
        return
    if about.get("kind") != "result":
        refuse("This file holds neither an answer nor a project of this version of Diptych.")
    if not _is_known(about.get("method")):
        refuse("This file holds an answer of a method that this version of Diptych does not have.")


def _is_known(slug: Any) -> bool:
    """True where a file can hold an answer with this slug: of a method, or a comparison."""
    return slug in METHODS or slug == Compare.slug


def _own_version() -> str:
    try:
        return version("diptych")
    except PackageNotFoundError:  # run from a source tree that nobody installed
        return "unknown"


_NO_RECIPE = "The recipe in this file is damaged, or was not written by Diptych; save the file again."


def _fixed_recipe(document: Any) -> Recipe:
    """The recipe, with its columns fixed, that `Recipe.to_dict` wrote; `DataError` where it is none."""
    recipe = _recipe(document)
    return recipe if recipe.columns else refuse(_NO_RECIPE)


def _recipe(document: Any) -> Recipe:
    """A recipe, its columns fixed or not, whose every part is of its kind."""
    if not isinstance(document, dict):
        refuse(_NO_RECIPE)
    recipe = read_recipe(document, _NO_RECIPE)
    names = [column.name for column in recipe.columns]
    return recipe if len(set(names)) == len(names) and not misfit(Recipe, vars(recipe)) else refuse(_NO_RECIPE)
