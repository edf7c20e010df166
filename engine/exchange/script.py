"""An analysis, and the preparing of a table, as the Python that repeats it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any


def analysis_script(
    method: Any,
    fingerprint: str,
    *,
    file: str | None = None,
    sample: str | None = None,
    reading: Mapping[str, Any] | None = None,
    preparing: Mapping[str, Any] | None = None,
    call: str = "run",
    run: Mapping[str, Any] | None = None,
    shown: str = "result.ranking()",
) -> str:
    """Python source that reads the table, prepares it, runs the method and prints the answer.

    Parameters
    ----------
    method : the frozen settings of a method
    fingerprint : of the data set; the script checks it, so that another file is noticed
    file, sample : where the table comes from: a file name, or the key of a sample table
    reading, preparing : choices handed to `read_table` and `Dataset.from_frame`; where fixed columns are among the
        latter, to `Recipe.from_dict`
    call, run : the method's function that gives the result, and what it takes beside the data
    shown : the table that is printed below the summary

    Returns
    -------
    the text of the script

    Examples
    --------
    >>> data = sample_data.dataset("health_survey")
    >>> text = engine.exchange.analysis_script(engine.LogLinear(joint=True), data.fingerprint, sample="health_survey")
    >>> text.splitlines()[7]
    'method = engine.LogLinear(joint=True)'
    """
    name = type(method).__name__
    load = (
        f"sample_data.load({sample!r})" if sample else _call("engine.read_table", [repr(file or "table.csv")], reading)
    )
    if preparing and "columns" in preparing:
        prepared = f"engine.Recipe.from_dict({dict(preparing)!r}).apply(table)"
    else:
        prepared = _call("engine.Dataset.from_frame", ["table"], preparing)
    lines = [
        "import engine",
        *(["import sample_data"] if sample else []),
        "",
        f"table = {load}",
        f"data = {prepared}",
        f"assert data.is_of({fingerprint!r}), 'another table, or prepared differently'",
        "",
        f"method = {_call(f'engine.{name}', [], _settings(method))}",
        f"result = {_call(f'method.{call}', ['data'], run)}",
        "print(result.summary())",
        f"print({shown}.to_string())",
    ]
    return "\n".join(lines) + "\n"


def recipe_script(
    recipe: Any, file: str, reading: Mapping[str, Any] | None = None, fingerprint: str | None = None
) -> str:
    """Python source that reads a table and prepares it as a recipe says.

    Parameters
    ----------
    recipe : the choices, as an `engine.Recipe`
    file : name of the file that the table comes from
    reading : arguments of `engine.read_table`
    fingerprint : of the data set; the script checks it, so that another file is noticed

    Returns
    -------
    the text of the script

    Examples
    --------
    >>> print(engine.exchange.recipe_script(engine.Recipe(where=[("sex", "is", "f")]), "june.csv"), end="")
    import engine
    <BLANKLINE>
    recipe = engine.Recipe(where=[['sex', 'is', ['f']]])
    table = engine.read_table('june.csv')
    data = recipe.apply(table)
    """
    made = (
        f"engine.Recipe.from_dict({recipe.to_dict()!r})"
        if recipe.columns
        else _call("engine.Recipe", [], recipe.given())
    )
    lines = [
        "import engine",
        "",
        f"recipe = {made}",
        f"table = {_call('engine.read_table', [repr(file)], reading)}",
        "data = recipe.apply(table)",
    ]
    if fingerprint is not None:
        lines.append(f"assert data.is_of({fingerprint!r}), 'another table, or prepared differently'")
    return "\n".join(lines) + "\n"


def _settings(method: Any) -> dict[str, Any]:
    """The settings that differ from their defaults, and those that have none."""
    return {one.name: getattr(method, one.name) for one in fields(method) if getattr(method, one.name) != one.default}


def _call(function: str, first: list[str], options: Mapping[str, Any] | None) -> str:
    arguments = first + [f"{name}={_source(value)}" for name, value in (options or {}).items()]
    line = f"{function}({', '.join(arguments)})"
    if len(line) <= 100:
        return line
    inside = "".join(f"    {argument},\n" for argument in arguments)
    return f"{function}(\n{inside})"


def _source(value: Any) -> str:
    """A value as source; scores live in the engine's namespace."""
    return f"engine.{value!r}" if type(value).__module__.startswith("engine.") else repr(value)
