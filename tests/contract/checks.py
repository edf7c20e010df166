"""The promises of a method, one function each: `for check in CHECKS: check(method_class)`.

What a method need not bring (a seed, knowledge, settings that name variables) is asked for where it has it.

They know no method: a table is made up, the method proposes its own settings for it, and is held to what the base
classes say. A method registered by somebody else is held to the same.
"""

from __future__ import annotations

import html
import io
import json
import math
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import engine
from engine.errors import SettingsError
from engine.graphs.dag import each_edge
from engine.methods.evidence import CANNOT_TELL, CLAIMS, EDGES, NO, YES
from engine.methods.method import Method
from engine.methods.result import Result
from tests.notebooks import frame_document

NAMES = ["arm", "b", "c", "d", "e"]
KINDS_OF_TABLE = {"c": "ordinal", "d": "ordinal"}
"""Of the three-level ones, so that a method for ordered levels has something to say too."""


def table(rows: int = 160, seed: int = 0) -> engine.Dataset:
    """Five variables of two and three levels, some of which hang together."""
    generator = np.random.default_rng(seed)
    arm = generator.integers(0, 2, rows)
    b = np.where(generator.random(rows) < 0.85, arm, 1 - arm)
    c = generator.integers(0, 3, rows)
    d = np.where(generator.random(rows) < 0.8, c, generator.integers(0, 3, rows))
    e = np.where(generator.random(rows) < 0.8, (b + d) % 2, 1 - (b + d) % 2)
    return engine.Dataset.from_codes(np.array([arm, b, c, d, e]), [2, 2, 3, 3, 2], NAMES, kinds=KINDS_OF_TABLE)


def asked(kind: type[Method], data: engine.Dataset) -> tuple[Any, ...]:
    """What is handed to `run` beside the data; a patient by values, which hold whatever the order of rows."""
    given = kind.first_asked(data)
    return tuple(values(data, one) if isinstance(one, int) else one for one in given)


def values(data: engine.Dataset, row: int) -> dict[str, str]:
    """The level names of one row."""
    return {name: data.levels[name][data.codes[i, row]] for i, name in enumerate(data.names)}


FEWER = {"shuffles": 12}
"""Of the settings of methods, those that say how often chance is asked: no promise is about their number."""


def proposed(kind: type[Method], data: engine.Dataset) -> Any:
    """With the proposed settings, but quick."""
    method: Any = kind.propose(data)
    there = {one.name for one in fields(method)}
    return replace(method, **{name: number for name, number in FEWER.items() if name in there})


def answer(kind: type[Method], data: engine.Dataset | None = None, **more: Any) -> Result:
    """The answer of the proposed settings."""
    data = table() if data is None else data
    return proposed(kind, data).run(data, *asked(kind, data), **more)


@cache
def the_answer(kind: type[Method]) -> Result:
    """That of the proposed settings, for those who only read it: computed once in a process."""
    return answer(kind)


def check_it_introduces_itself(kind: type[Method]) -> None:
    """Slug, title, question and paper are there; the slug is a name for files and addresses."""
    assert kind.slug.isidentifier()
    assert kind.slug == kind.slug.lower()
    assert all(isinstance(getattr(kind, name), str) and getattr(kind, name) for name in ("title", "question", "paper"))


def check_settings_are_frozen_values(kind: type[Method]) -> None:
    """Settings cannot be changed, equal ones are equal and hash alike, each has its words for the form."""
    method = kind.propose(table())
    assert is_dataclass(method)
    assert method == replace(method)
    assert hash(method) == hash(replace(method))
    with pytest.raises(FrozenInstanceError):
        method.seed = 3  # type: ignore[attr-defined]
    assert all(one.metadata["label"] and one.metadata["help"] for one in fields(method))
    assert set(kind.live()) <= {one.name for one in fields(method)}


def check_settings_can_be_written_down(kind: type[Method]) -> None:
    """`from_dict(to_dict())` through JSON gives an equal method."""
    method = kind.propose(table())
    again = kind.from_dict(json.loads(json.dumps(method.to_dict(), allow_nan=False)))
    assert again == method
    assert type(again) is type(method)


def check_equal_settings_give_equal_bits(kind: type[Method]) -> None:
    """Twice the same run, twice the same document."""
    one, again = the_answer(kind), answer(kind)
    assert one == again
    assert one.to_json() == again.to_json()


def check_orders_change_nothing(kind: type[Method]) -> None:
    """Columns and rows in another order give the same edges and claims."""
    data = table()
    codes = data.codes[:, np.random.default_rng(1).permutation(data.n_rows)]
    turned = engine.Dataset.from_codes(codes, data.levels, data.names, kinds=data.kinds).select(reversed(data.names))
    method = proposed(kind, data)
    one, other = (method.run(here, *asked(kind, data)) for here in (data, turned))
    assert_same(by_ends(one.edges()), by_ends(other.edges()))
    assert_same(one.claims().set_index("about"), other.claims().set_index("about"), undirected=True)


def by_ends(edges: pd.DataFrame) -> pd.DataFrame:
    """Edges under their network and ends; those without a direction by the alphabet."""
    ends = [
        (row.network, *((row.source, row.target) if row.mark == "->" else sorted((row.source, row.target))))
        for row in edges.itertuples()
    ]
    return edges.assign(ends=[" ".join(one) for one in ends]).set_index("ends").drop(columns=["source", "target"])


def assert_same(one: pd.DataFrame, other: pd.DataFrame, undirected: bool = False) -> None:
    """Equal tables up to the order of rows and rounding."""
    if undirected:
        one, other = (frame.set_index(frame.index.map(_alphabetical)) for frame in (one, other))
    pd.testing.assert_frame_equal(one.sort_index(), other.sort_index(), rtol=1e-9, check_dtype=False)


def _alphabetical(about: str) -> str:
    ends = about.split(" -- ")
    return " -- ".join(sorted(ends))


def check_progress_rises(kind: type[Method]) -> None:
    """Fractions between 0 and 1 that never fall, each with words."""
    told: list[tuple[float, str]] = []
    answer(kind, progress=lambda fraction, words: told.append((fraction, words)))
    fractions = [fraction for fraction, _ in told]
    assert fractions
    assert fractions == sorted(fractions)
    assert min(fractions) >= 0
    assert max(fractions) <= 1
    assert all(isinstance(words, str) and words for _, words in told)


def check_it_can_be_cancelled(kind: type[Method]) -> None:
    """What the progress callback raises comes out as it is."""

    def stop(fraction: float, words: str) -> None:
        raise engine.Cancelled("enough")

    with pytest.raises(engine.Cancelled, match="enough"):
        answer(kind, progress=stop)


def check_an_answer_can_be_saved(kind: type[Method]) -> None:
    """The loaded answer is equal, and says the same in every form."""
    result, file = the_answer(kind), io.BytesIO()
    engine.save(result, file)
    loaded = engine.load(file.getvalue())
    assert loaded == result
    assert type(loaded) is type(result)
    assert loaded.summary() == result.summary()
    assert loaded.to_json() == result.to_json()
    assert loaded.provenance == result.provenance
    for title, frame in result.tables().items():
        pd.testing.assert_frame_equal(loaded.table(title), frame)
    for title, graph in result.graphs().items():
        assert nx.utils.graphs_equal(*(_plain(one) for one in (loaded.graphs()[title], graph)))


def _plain(graph: nx.Graph) -> nx.Graph:
    """The graph without attributes, some of which are NaN and so never equal."""
    bare = graph.__class__(graph.edges)
    bare.add_nodes_from(graph.nodes)
    return bare


def check_edges_match_the_graphs(kind: type[Method]) -> None:
    """The edge table has its columns, and a row for every edge of every network."""
    result = the_answer(kind)
    edges = result.edges()
    assert tuple(edges.columns) == EDGES
    assert set(edges["mark"]) <= {"->", "--"}
    drawn = [
        (title, source, target, "->" if directed else "--")
        for title, graph in result.graphs().items()
        for source, target, directed, _ in each_edge(graph)
    ]
    assert [tuple(row) for row in edges[["network", "source", "target", "mark"]].to_numpy()] == drawn
    assert all(set(graph.nodes) == set(result.names) for graph in result.graphs().values())


def check_claims_have_their_form(kind: type[Method]) -> None:
    """The columns, the three states, probabilities between 0 and 1, rows counted."""
    claims = the_answer(kind).claims()
    assert tuple(claims.columns) == CLAIMS
    assert set(claims["verdict"]) <= {YES, NO, CANNOT_TELL}
    for name in ("probability", "chance"):
        known = claims[name].dropna()
        assert known.between(0, 1).all()
    assert (claims["n"] >= 0).all()
    assert all(any(name in about.split() for name in NAMES) for about in claims["about"])


def check_sections_say_what_the_answer_says(kind: type[Method]) -> None:
    """The first section is the answer; every table and sentence of a section is one of the answer's."""
    result = the_answer(kind)
    sections = result.sections()
    assert sections[0].title == result.headline()
    assert set(sections[0].sentences) == {*result.sentences(), *result.notes()}
    assert len({one.name for one in sections}) == len(sections)
    titles = [title for one in sections for title in one.tables]
    assert set(titles) == set(result.table_titles())
    assert len(set(titles)) == len(titles)
    said = result.summary().splitlines()
    assert said == [result.headline(), *result.sentences(), *result.notes(), result.caution]
    assert "networks" in [figure for one in sections for figure in one.figures]


def check_variables_have_a_row_each(kind: type[Method]) -> None:
    """One row a variable of the answer."""
    result = the_answer(kind)
    assert sorted(result.variables().index) == sorted(result.names)
    assert result.variables().index.name == "variable"


def check_it_shows_itself_shortly(kind: type[Method]) -> None:
    """One line under 200 characters; in a notebook headline, networks and a table, all escaped."""
    hostile = table()
    names = ["<script>x</script>", *NAMES[1:]]
    result = answer(kind, engine.Dataset.from_codes(hostile.codes, [2, 2, 3, 3, 2], names, kinds=KINDS_OF_TABLE))
    assert len(repr(result)) < 200
    assert "\n" not in repr(result)
    page = frame_document(result._repr_mimebundle_())
    assert "<script>" not in page
    assert "<svg" in page
    assert "<table" in page
    for name, figure in result.figures().items():
        assert "<script>" not in str(figure.to_plotly_json()), name


def check_it_draws_itself(kind: type[Method]) -> None:
    """Every figure that a section names is among `figures()`; the first is the networks, and names are no markup."""
    result = the_answer(kind)
    figures = result.figures()
    assert next(iter(figures)) == "networks"
    assert all(len(figure.data) for figure in figures.values())
    named = {name for section in result.sections() for name in section.figures}
    assert named - {"directions"} <= set(figures)
    assert result.plot().to_json() == figures["networks"].to_json()
    assert {name for name in result.names if name in figures["networks"].to_json()} == set(result.names)
    with pytest.raises(SettingsError, match="'networks'"):
        result.plot("no such figure")


def check_settings_are_parameters(kind: type[Method]) -> None:
    """`get_params` has every setting; `set_params` gives another method, and refuses a setting that is none."""
    method = proposed(kind, table())
    params = method.get_params()  # type: ignore[attr-defined]
    assert list(params) == [one.name for one in fields(method)]  # type: ignore[arg-type]
    assert kind(**params) == method
    again = method.set_params(**params)  # type: ignore[attr-defined]
    assert again == method and again is not method
    with pytest.raises(SettingsError, match="no setting 'nobody'"):
        method.set_params(nobody=1)  # type: ignore[attr-defined]


def check_choices_are_typed(kind: type[Method]) -> None:
    """Whoever writes a call sees the choices of a setting that is chosen among words, and no others."""
    hints = get_type_hints(kind)
    for declared in fields(kind):  # type: ignore[arg-type]
        choices = declared.metadata.get("choices") or ()
        if choices and all(isinstance(one, str) for one in choices) and declared.metadata["role"] != "search":
            among = (hints[declared.name], *get_args(hints[declared.name]))
            literals = [get_args(one) for one in among if get_origin(one) is Literal]
            assert literals == [tuple(choices)], declared.name


def check_it_says_where_it_comes_from(kind: type[Method]) -> None:
    """Fingerprint, rows, settings, seed and versions, as plain JSON."""
    data = table()
    found = the_answer(kind).provenance
    assert found.fingerprint == data.fingerprint
    assert (found.rows_used, found.rows_given) == (160, 160)
    assert found.seed == 0
    assert {"diptych", "numpy", "python"} <= set(found.versions)
    json.dumps(found.to_dict(), allow_nan=False)


def check_what_cannot_be_is_refused_in_a_sentence(kind: type[Method]) -> None:
    """No rows, one row, one variable, a constant column: an answer, or one sentence."""
    whole = table()
    method = proposed(kind, whole)
    constant = whole.codes.copy()
    constant[2:] = 0
    tables = {
        "no rows": whole.rows(np.zeros(0, dtype=np.int64)),
        "one row": whole.rows(np.array([0])),
        "one variable": whole.select(["arm"]),
        "constant columns": engine.Dataset.from_codes(constant, whole.levels, whole.names, kinds=whole.kinds),
    }
    for data in tables.values():
        try:
            result = method.run(data, *(asked(kind, data) if data.n_rows else asked(kind, whole)))
        except (engine.DataError, engine.SettingsError) as error:
            assert_one_sentence(str(error))
        else:
            assert result.headline()
            result.tables(), result.claims(), result.edges()


def assert_one_sentence(text: str) -> None:
    """It begins like a sentence, ends like one, and quotes no code of ours."""
    assert text[0].isupper() or text[0] in "'\"" or text.split(" ", 1)[0].isidentifier()
    assert text.endswith(".")
    assert "Traceback" not in text
    assert "\n" not in text


def check_the_commonest_slips_are_answered(kind: type[Method]) -> None:
    """A frame in place of a data set, progress=1, a variable that is not there: what to write instead."""
    data = table()
    method = proposed(kind, data)
    with pytest.raises(engine.DataError, match=r"engine\.Dataset\.from_frame"):
        method.run(data.to_frame(), *asked(kind, data))
    with pytest.raises(engine.SettingsError, match="progress"):
        method.run(data, *asked(kind, data), progress=1)
    strange: dict[str, Any] = {one.name: "no such" for one in fields(method) if one.metadata["role"] == "variable"}
    known = engine.Knowledge(required=[("no such", "b")])
    knowledge = {one.name: known for one in fields(method) if one.name == "knowledge"}
    for change in filter(None, (strange, knowledge)):
        with pytest.raises((engine.DataError, engine.SettingsError), match="no such"):
            replace(method, **change).run(data, *asked(kind, data))


MOST_WORDS = 25
"""Of the sentence that leads a page."""


def check_one_sentence_leads_everywhere(kind: type[Method]) -> None:
    """The headline is in the summary, in JSON and on the report's first page as it is, and has at most 25 words."""
    result = the_answer(kind)
    headline = result.headline()
    assert headline in result.summary()
    assert json.loads(result.to_json())["headline"] == headline
    first_page = engine.report([result]).split("<nav", 1)[0]
    assert headline in html.unescape(first_page)
    assert len(headline.split()) <= MOST_WORDS


def check_numbers_are_numbers(kind: type[Method]) -> None:
    """The document for other programs is JSON without NaN, in a format that is named and versioned."""
    document = json.loads(the_answer(kind).to_json())
    assert document["format"].startswith("diptych/")
    assert document["format"].rsplit("/", 1)[1].isdigit()
    assert not any(isinstance(one, float) and not math.isfinite(one) for one in _leaves(document))


def _leaves(document: Any) -> list[Any]:
    parts = document.values() if isinstance(document, dict) else document if isinstance(document, list) else None
    return [document] if parts is None else [leaf for part in parts for leaf in _leaves(part)]


CHECKS: list[Callable[[type[Method]], None]] = [
    found for name, found in sorted(globals().items()) if name.startswith("check_") and callable(found)
]
