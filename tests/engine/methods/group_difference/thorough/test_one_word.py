"""One variable, one word: over the samples and public tables, in sentences, tables, networks, report and JSON."""

from __future__ import annotations

import html
import itertools
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets

import engine
import sample_data
from engine.methods.group_difference.arms import ArmsResult
from engine.methods.group_difference.result import GroupDifferenceResult
from engine.methods.group_difference.verdicts import Alone, Verdict
from engine.telling.group_difference.one_variable import verdict_words
from engine.telling.group_difference.wording import lists

SAMPLES = ["two_hospitals", "cough_and_smoke", "symptoms", "clinic_export", "health_survey", "screening"]
PUBLIC = ["wine", "iris", "breast_cancer", "diabetes", "breast_cancer, labels dealt"]


def public(name: str) -> engine.Dataset:
    """A table of scikit-learn's, numbers in three parts, two groups; ten columns at most, so that sums are exact."""
    plain = name.split(",")[0]
    bunch = getattr(datasets, f"load_{plain}")(as_frame=True)
    frame, target = bunch.data.iloc[:, :10], bunch.target
    group = pd.Series((target > target.median()).astype(int) if plain == "diabetes" else np.minimum(target, 1))
    if "dealt" in name:
        group = pd.Series(np.random.default_rng(5).permutation(group))
    thirds = ["low", "mid", "high"]
    words = frame.apply(lambda column: pd.qcut(column.rank(method="first"), 3, labels=thirds).astype(str))
    return engine.Dataset.from_frame(words.assign(group=group.astype(str).to_numpy()))


@cache
def compared(name: str) -> GroupDifferenceResult:
    """The comparison of a table as the page would propose it."""
    if name in PUBLIC:
        return engine.GroupDifference(group="group").run(public(name))
    data = sample_data.dataset(name)
    result = engine.GroupDifference.propose(data).run(data)
    return result.pairs[0] if isinstance(result, ArmsResult) else result


@pytest.mark.parametrize("name", [*SAMPLES, *PUBLIC])
def test_every_variable_stands_in_one_list(name: str) -> None:
    """And that list says its word; those of one level stand in none, nor those that sentences of their own name."""
    result = compared(name)
    found = result.variables()
    told = lists(result)
    names = list(itertools.chain.from_iterable(told.values()))
    assert len(names) == len(set(names))
    by_themselves = {result.names[i] for i in result.undecided} | set(found.index[found["found"] != ""])
    assert set(names) == set(found.index[found["verdict"] != Verdict.ONE_LEVEL]) - by_themselves
    for kind, members in told.items():
        column = "alone" if kind == Alone.THROUGH_OTHERS else "verdict"
        assert set(found.loc[members, column]) <= {kind}
    assert set(found.loc[told[Alone.THROUGH_OTHERS], "verdict"]) <= {Verdict.NOT_SEEN, Verdict.CANNOT_TELL}


@pytest.mark.parametrize("name", [*SAMPLES, *PUBLIC])
def test_no_name_stands_in_two_sentences_that_list_names(name: str) -> None:
    """Sentences with another word name others; none has more than 25 words."""
    result = compared(name)
    listed = [one for one in result.sentences() if re.match(r"(Differs|Probably|Cannot|Alike|No difference)", one)]
    of = [{one for one in result.names if re.search(rf"(?<![\w.]){re.escape(one)}(?![\w.])", each)} for each in listed]
    for one, other in itertools.combinations(of, 2):
        assert not one & other
    head = result.headline()
    differ = lists(result)[Verdict.DIFFERS] or lists(result)[Verdict.PROBABLY]
    quiet = (
        "No variable is seen to differ",
        "are equivalent",
        "One of ",
        "Something differs among",
        "How ",
        "among rows",
    )
    assert (differ[0] in head) if differ else any(words in head for words in quiet)
    for sentence in [head, *result.sentences(), *result.notes()]:
        plain = re.sub(r"|".join(map(re.escape, sorted(result.names, key=len, reverse=True))), "x", sentence)
        assert len(re.findall(r"[^\W\d_]{2,}", plain)) <= 25, sentence


@pytest.mark.parametrize("name", ["two_hospitals", "breast_cancer", "breast_cancer, labels dealt"])
def test_table_networks_claims_json_and_report_say_the_same(name: str, tmp_path: Path) -> None:
    """The verdict of each variable, wherever it is written."""
    result = compared(name)
    verdicts = result.variables()["verdict"]
    claims = result.claims().set_index("about")["verdict"]
    expected = {Verdict.DIFFERS: "yes", Verdict.ALIKE: "no"}
    document = json.loads(result.to_json())
    for variable, verdict in verdicts.items():
        assert claims[variable] == expected.get(verdict, "cannot tell")
        assert document["verdicts"][variable]["verdict"] == verdict
        for graph in result.graphs().values():
            assert graph.nodes[variable]["verdict"] == verdict
        what = result.variables().at[variable, "what"].split(" ")[0]  # 'higher', 'varies', of what is called
        said = what or verdict_words(verdict, result.method.margin).split(",")[0]
        assert said in result.explain(variable)[0] or verdict_words(verdict, 0.1) in result.explain(variable)[0]
    engine.report(result, tmp_path / "report.html")
    page = html.unescape(re.sub(r"<[^>]+>", "", (tmp_path / "report.html").read_text(encoding="utf-8")))
    assert result.headline() in page
    for sentence in result.sentences():
        assert sentence in page
