"""An analysis, and the preparing of a table, as the Python that repeats it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

_CHECK = "assert data.is_of({!r}), 'another table, or prepared differently'"


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
    then: Sequence[str] = (),
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
    then : lines that go on with `result`
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
    lines = [
        *_prepared(fingerprint, file, sample, reading, preparing),
        f"method = {_method(method)}",
        f"result = {_call(f'method.{call}', ['data'], run)}",
        *then,
        "print(result.summary())",
        f"print({shown}.to_string())",
    ]
    return "\n".join(lines) + "\n"


def comparison_script(
    methods: Sequence[Any],
    group: str,
    levels: Sequence[str],
    fingerprint: str,
    *,
    file: str | None = None,
    sample: str | None = None,
    reading: Mapping[str, Any] | None = None,
    preparing: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> str:
    """Python source that asks each group of a table and compares the answers.

    Parameters
    ----------
    methods : the frozen settings of each group's method
    group, levels : the column that parts the rows, and its levels in the order of the groups
    fingerprint, file, sample, reading, preparing : as `analysis_script` takes them
    settings : of the comparison

    Returns
    -------
    the text of the script

    Examples
    --------
    >>> two = [engine.LogLinear(), engine.LogLinear()]
    >>> text = engine.exchange.comparison_script(two, "hospital", ["North", "South"], "abc", sample="two_hospitals")
    >>> text.splitlines()[9]
    'answers = [method.run(part) for method, part in zip(methods, parts)]'
    """
    lines = [
        *_prepared(fingerprint, file, sample, reading, preparing),
        f"parts = [engine.by_group(data, {group!r})[level] for level in {list(levels)!r}]",
        f"methods = [{', '.join(map(_method, methods))}]",
        "answers = [method.run(part) for method, part in zip(methods, parts)]",
        f"result = {_call('engine.compare', ['*answers', 'data=parts'], settings)}",
        "print(result.summary())",
        "print(result.links().to_string())",
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
    expression = (
        f"engine.Recipe.from_dict({recipe.to_dict()!r})"
        if recipe.columns
        else _call("engine.Recipe", [], recipe.given())
    )
    lines = [
        "import engine",
        "",
        f"recipe = {expression}",
        f"table = {_call('engine.read_table', [repr(file)], reading)}",
        "data = recipe.apply(table)",
    ]
    if fingerprint is not None:
        lines.append(_CHECK.format(fingerprint))
    return "\n".join(lines) + "\n"


def _prepared(
    fingerprint: str,
    file: str | None,
    sample: str | None,
    reading: Mapping[str, Any] | None,
    preparing: Mapping[str, Any] | None,
) -> list[str]:
    """The lines that read a table and prepare it."""
    load = (
        f"sample_data.load({sample!r})" if sample else _call("engine.read_table", [repr(file or "table.csv")], reading)
    )
    if preparing and "columns" in preparing:
        prepared = f"engine.Recipe.from_dict({dict(preparing)!r}).apply(table)"
    else:
        prepared = _call("engine.Dataset.from_frame", ["table"], preparing)
    return [
        "import engine",
        *(["import sample_data"] if sample else []),
        "",
        f"table = {load}",
        f"data = {prepared}",
        _CHECK.format(fingerprint),
        "",
    ]


def _method(method: Any) -> str:
    """The call that makes a method, with the settings that differ from their defaults, and those that have none."""
    return _call(f"engine.{type(method).__name__}", [], changed_settings(method))


def changed_settings(settings: Any) -> dict[str, Any]:
    """The fields of settings that are not as they are by default.

    Parameters
    ----------
    settings : a method or another dataclass whose fields have defaults

    Returns
    -------
    name -> value, in the order of the fields

    Examples
    --------
    >>> engine.exchange.changed_settings(engine.LogLinear(alpha=0.01))
    {'alpha': 0.01}
    """
    given = {field.name: (getattr(settings, field.name), field.default) for field in fields(settings)}
    return {name: value for name, (value, usual) in given.items() if value != usual}


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
