"""The rounds: what is kept, what they cost, and what they find."""

from __future__ import annotations

import numpy as np

import engine
import sample_data
from engine.execution import silent
from engine.graphs.pdag import complete
from engine.measures.structure import patterns
from engine.methods.ordinal import structural_em
from engine.methods.ordinal.answers import read
from engine.methods.ordinal.settings import OrdinalSettings
from tests.engine.methods.ordinal.make import random_case


def test_five_seeds_give_one_class_on_two_questionnaires() -> None:
    """24 scales of 400 people at the default number of draws."""
    answers = read(sample_data.dataset("two_questionnaires"))
    found = [structural_em.learn(OrdinalSettings(seed=seed), answers, silent) for seed in range(5)]
    classes = {(tuple(one.parents), tuple(one.neighbours)) for one in (complete(each.parents) for each in found)}
    assert len(classes) == 1


def test_it_finds_more_than_the_authors_loop() -> None:
    """Mean distance over two tables of the paper's kind; eight and more are in the study."""
    distances = []
    for seed in (4, 15):
        model, data = random_case(12, seed)
        pair = [engine.Ordinal(draws=100, mode=mode).run(data).graph for mode in ("relaxed", "published")]
        distances.append([patterns(graph, model.graph).distance for graph in pair])
    ours, theirs = np.mean(distances, axis=0)
    assert ours < theirs
