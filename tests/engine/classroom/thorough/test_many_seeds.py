"""Fifty students a lesson: what the lesson claims is in every draw, by another way of computing it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import product

import networkx as nx
import pytest
from scipy.special import betaln

from engine.classroom.catalog import LESSONS
from engine.classroom.exercise import Exercise, MultipleChoice
from engine.classroom.lesson import draw_exercise, fill_lesson, open_lesson
from engine.classroom.lesson_file import lesson_file
from engine.classroom.sheet import to_sheet
from tests.engine.classroom.students import given_away, predictions, right, wrong
from tests.floor.tree import ROOT

SEEDS = range(50)


def number(text: str) -> float:
    """A value of a text as a number."""
    return float(text.replace(",", "").replace("−", "-").split("\u00a0")[0])


def simpson(e: Exercise) -> None:
    """Better in both strata and worse in all, from the counts that the text names."""
    v = {name: number(e.values[name]) for name in e.values if name[:2] in ("n_", "re")}
    severe = [v[f"recovered_severe_{h}"] / v[f"n_severe_{h}"] for h in "ab"]
    mild = [(v[f"recovered_{h}"] - v[f"recovered_severe_{h}"]) / (v[f"n_{h}"] - v[f"n_severe_{h}"]) for h in "ab"]
    whole = [v[f"recovered_{h}"] / v[f"n_{h}"] for h in "ab"]
    assert severe[0] > severe[1]
    assert mild[0] > mild[1]
    assert whole[0] < whole[1]
    low, high = sorted((100 * (severe[0] - severe[1]), 100 * (mild[0] - mild[1])))
    assert low - 1e-9 - 1 <= number(e.values["difference"]) <= 1 + high + 1e-9


def collider(e: Exercise) -> None:
    """Rarer with the other cause, among those with the effect; not among all."""
    v = {name: number(e.values[name]) for name in ("with_x", "with_x_y", "without_x", "without_x_y")}
    assert v["with_x_y"] / v["with_x"] < v["without_x_y"] / v["without_x"] - 0.04
    assert abs(number(e.values["share_y"]) - e.solutions["everybody"].value) < 1
    assert e.values["effect"] in e.solutions["openers"].correct
    assert e.values["after"] in e.solutions["openers"].correct


def explaining_away(e: Exercise) -> None:
    """Counts of 10,000 patients: up by the finding, down by the second cause, up without it."""
    v = {name: number(e.values[name]) for name in ("n_finding", "n_both", "n_explained", "n_all_three", "prior")}
    seen, explained = 100 * v["n_both"] / v["n_finding"], 100 * v["n_all_three"] / v["n_explained"]
    left = 100 * (v["n_both"] - v["n_all_three"]) / (v["n_finding"] - v["n_explained"])
    assert v["prior"] < seen < left
    assert v["prior"] - 2 < explained < seen
    assert abs(seen - e.solutions["seen"].value) < 1
    assert abs(explained - e.solutions["explained"].value) < 2
    assert abs(left - number(e.values["left"])) < 2


def equivalence(e: Exercise) -> None:
    """All ways to turn the arrows, and of these the ones with the same meetings (Verma and Pearl), by networkx."""
    free = e.solutions["free"]
    arcs = [tuple(option.split(" → ")) for option in free.options]
    graph = nx.DiGraph(arcs)

    def meetings(one: nx.DiGraph) -> set[tuple[object, ...]]:
        return {(*sorted((a, c)), b) for a, b, c in nx.dag.v_structures(one)}

    members = []
    for turns in product((False, True), repeat=len(arcs)):
        other = nx.DiGraph([(b, a) if turn else (a, b) for (a, b), turn in zip(arcs, turns, strict=True)])
        if nx.is_directed_acyclic_graph(other) and meetings(other) == meetings(graph):
            members.append(other)
    assert e.solutions["members"].value == len(members)
    assert set(free.correct) == {f"{a} → {b}" for a, b in arcs if any(one.has_edge(b, a) for one in members)}
    assert set(e.solutions["middles"].correct) == {middle for *_, middle in meetings(graph)}


def doubt(e: Exercise) -> None:
    """The small interval holds 0 and what matters; half the width for four times the patients; enough have power."""
    size = e.solutions["excluding"].correct
    sizes = [number(e.values[name]) for name in ("n", "n_more", "n_third", "n_most")]
    enough = int(size[-1]) - 1
    gap, half = number(e.values["gap"]), number(e.values["half"])
    # 80 % power: the difference is (1.960 + 0.842) standard errors, an interval reaches 1.960 to either side
    ratios = [gap / (half * (sizes[0] / n) ** 0.5) for n in sizes]
    assert ratios[enough] > 1.36
    assert all(ratio < 1.5 for ratio in ratios[:enough])
    assert number(e.values["excluding"]) == sizes[enough]
    assert number(e.values["low"]) < 0 < 10 < number(e.values["high"])
    assert 1.7 < number(e.values["half"]) / number(e.values["half_more"]) < 2.4
    assert 180 <= e.solutions["coverage"].value <= 198
    assert e.solutions["coverage"].is_right(190)


def false_links(e: Exercise) -> None:
    """Pairs, and what one would predict of them, are right; the stricter, the fewer of either kind."""
    variables = number(e.values["variables"])
    assert e.solutions["pairs"].value == variables * (variables - 1) / 2
    assert e.solutions["by_p"].is_right(round(0.05 * e.solutions["pairs"].value))
    v = {name: number(e.values[name]) for name in e.values if name.startswith(("found", "false", "by", "many"))}
    assert v["found_holm"] < v["found_score"] <= v["found_p"]
    assert 0 == v["false_holm"] <= v["false_score"] <= v["false_p"]
    assert v["many_score"] < v["by_score"] < v["by_p"]


def prior(e: Exercise) -> None:
    """The Bayes factor by Beta integrals, and what the priors make of it."""

    def factor(a: float, b: float, n: float) -> float:
        apart = sum(betaln(k + 0.25, n - k + 0.25) - betaln(0.25, 0.25) for k in (a, b))
        return float(pow(2.718281828459045, apart - betaln(a + b + 0.5, 2 * n - a - b + 0.5) + betaln(0.5, 0.5)))

    hits = [number(e.values[f"hits_{side}"]) for side in "ab"]
    bayes = factor(*hits, number(e.values["n"]))
    assert abs(bayes - number(e.values["factor"])) < 0.06
    assert abs(100 * bayes / (1 + bayes) - e.solutions["even"].value) < 1e-6
    assert abs(100 * bayes / (9 + bayes) - e.solutions["sceptic"].value) < 1e-6
    assert factor(2 * hits[0], 2 * hits[1], 2 * number(e.values["n"])) > 4 * bayes
    assert factor(number(e.values["equal_a"]), number(e.values["equal_b"]), number(e.values["n"])) < 0.5
    assert number(e.values["sceptic_more"].replace("above ", "")) > 60


def context(e: Exercise) -> None:
    """Alike with the treatment, far apart without it, from the counts."""

    def share(where: str, side: str) -> float:
        return number(e.values[f"k_{where}_{side}"]) / number(e.values[f"n_{where}_{side}"])

    assert abs(share("with", "level") - share("with", "base")) < 0.041
    assert share("without", "level") - share("without", "base") > 0.19
    assert number(e.values["gain_with"]) < 0 < number(e.values["gain_without"])
    for where in ("with", "without"):
        rates = [share(where, side) for side in ("base", "level")]
        error = (
            sum(
                rate * (1 - rate) / number(e.values[f"n_{where}_{side}"])
                for rate, side in zip(rates, ("base", "level"), strict=True)
            )
            ** 0.5
        )
        assert abs(number(e.values[f"low_{where}"]) - 100 * (rates[1] - rates[0] - 1.96 * error)) < 2.5
        assert abs(number(e.values[f"high_{where}"]) - 100 * (rates[1] - rates[0] + 1.96 * error)) < 2.5
    assert number(e.values["low_with"]) < 0 < number(e.values["high_with"])
    assert number(e.values["low_all"]) >= 0
    assert number(e.values["low_without"]) > 0


def cut_points(e: Exercise) -> None:
    """Half of the patients and more in the lowest interval; the median cut shows less than the true one."""
    assert number(e.values["in_first"]) > 200
    assert number(e.values["gap_half"]) < number(e.values["gap_true"]) - 10
    assert number(e.values["small"]) > 15
    assert (e.solutions["number"].correct, e.solutions["ends"].correct) == ("yes", "no")
    assert number(e.values["again"].split()[0]) < number(e.values["best"].split()[0]) / 2


def held_out(e: Exercise) -> None:
    """The loss of training falls, that of new patients turns, and the score chooses as they do."""
    assert number(e.values["own_last"]) < number(e.values["own_first"])
    assert number(e.values["held_best"]) < min(number(e.values["held_first"]), number(e.values["held_last"])) - 0.05
    assert number(e.values["best"].split()[0]) == e.solutions["score"].value
    assert number(e.values["later"]) < number(e.values["lucky"])


def case_mix(e: Exercise) -> None:
    """The two parts add up to the gap of the counts, and the patients' is the product of the two differences."""
    v = {name: number(e.values[name].replace("+", "")) for name in ("gap", "patients", "own", "more_severe", "apart")}
    died = [number(e.values[f"died_{h}"]) / number(e.values[f"n_{h}"]) for h in "ab"]
    assert abs(100 * (died[1] - died[0]) - v["gap"]) < 0.06
    assert abs(v["patients"] + v["own"] - v["gap"]) < 0.16
    assert abs(v["more_severe"] * v["apart"] / 100 - v["patients"]) < 0.1
    assert v["patients"] > 2 * v["own"] > 1.5


def adjustment(e: Exercise) -> None:
    """Worse where it is seen, better where the common cause is held, as far as do(x) says; the counts bear it out."""
    v = {name: number(e.values[name]) for name in ("n_with", "k_with", "z_all", "rate_mild", "rate_z", "held", "done")}
    assert abs(100 * v["k_with"] / v["n_with"] - e.solutions["seen"].value) < 1e-9
    held = (v["z_all"] * v["rate_z"] + (100 - v["z_all"]) * v["rate_mild"]) / 100
    assert abs(held - e.solutions["held"].value) < 1.6
    assert abs(v["held"] - v["done"]) < 6
    assert number(e.values["gap"]) < 0 < number(e.values["effect"].replace("+", ""))
    assert set(e.solutions["enough"].correct) == {"E", e.values["z"]}


def bad_control(e: Exercise) -> None:
    """No difference among all, a clear one among those with the collider; what follows from X harms."""
    v = {name: number(e.values[name]) for name in ("n_with", "k_with", "n_in", "k_in", "without", "in_without")}
    assert abs(100 * v["k_with"] / v["n_with"] - v["without"]) < 2.1
    assert 100 * v["k_in"] / v["n_in"] < v["in_without"] - 7
    assert set(e.solutions["harmful"].correct) == {"B", "D", e.values["c"]}


def missing(e: Exercise) -> None:
    """Wrong by age and repaired by it, wrong by the answer itself and not repaired."""
    names = ("said_age", "truth_age", "fixed_age", "truth_own", "fixed_own")
    v = {name: number(e.values[name]) for name in names}
    assert v["said_age"] < v["truth_age"] - 4
    assert abs(v["fixed_age"] - v["truth_age"]) <= 3
    assert v["fixed_own"] < v["truth_own"] - 6


CLAIMS = {
    "adjustment": adjustment,
    "bad-control": bad_control,
    "missing": missing,
    "simpson": simpson,
    "case-mix": case_mix,
    "collider": collider,
    "explaining-away": explaining_away,
    "equivalence": equivalence,
    "doubt": doubt,
    "false-links": false_links,
    "prior": prior,
    "context": context,
    "cut-points": cut_points,
    "held-out": held_out,
}


@pytest.mark.parametrize("slug", LESSONS)
def test_every_draw_shows_the_point(slug: str) -> None:
    """Of fifty draws each opens, has what the lesson claims, and right and wrong predictions that differ."""
    answers, leaks = set(), Counter()
    for seed in SEEDS:
        exercise = draw_exercise(slug, seed)
        lesson = fill_lesson(lesson_file(slug), seed, exercise)
        CLAIMS[slug](exercise)
        assert lesson.number_right(predictions(lesson, right)) == len(lesson.steps)
        assert lesson.number_right(predictions(lesson, wrong)) == 0
        for solution in exercise.solutions.values():
            if isinstance(solution, MultipleChoice):
                assert 0 < len(solution.correct) < len(solution.options)
        answers.add(repr(exercise.solutions))
        leaks.update(given_away(lesson))
    # two results may be equal by chance
    assert [pair for pair, times in leaks.items() if times > len(SEEDS) / 3] == [], "a step gives away another's result"
    assert len(answers) >= 10, "students could copy each other's predictions"


PROGRAM = """
import hashlib
from engine.classroom.catalog import LESSONS
from engine.classroom.lesson import open_lesson
from engine.classroom.sheet import to_sheet
for slug in LESSONS:
    sheet = to_sheet(open_lesson(slug, 41), solutions=True)
    print(slug, hashlib.sha256(sheet.encode()).hexdigest())
"""


def test_two_processes_draw_the_same() -> None:
    """The same address gives the same texts, numbers and pictures, whatever order a process hashes strings in."""
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert len(said.pop().splitlines()) == len(LESSONS)


def test_a_sheet_is_of_a_size_that_can_be_sent() -> None:
    """All sheets together weigh less than 1 MB."""
    sheets = [to_sheet(open_lesson(slug, 41), solutions=True) for slug in LESSONS]
    assert sum(len(sheet.encode()) for sheet in sheets) < 1_000_000
