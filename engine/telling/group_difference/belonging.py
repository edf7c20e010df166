"""Sentences on rows of a group comparison that belong together."""

from __future__ import annotations

from engine import words
from engine.data.rows.relations import FEWEST
from engine.methods.group_difference.rows.clusters import ClusterFacts
from engine.telling.charts.labels import short
from engine.text import Count, Level, Name, People, Text, told


def cluster_sentences(clusters: ClusterFacts, labels: tuple[str, str]) -> list[str]:
    """The number of subjects in each group, and how they are counted."""
    name, together = Name(short(clusters.name, 40)), clusters.name != words.NEIGHBOURS
    whose = told("Rows with one value of '{}'", name) if together else told("Neighbouring rows")
    counts = [_subjects(n, together) for n in clusters.counts]
    one, other = (told("{} in {}", n, Level(label)) for n, label in zip(counts, labels, strict=True))
    texts: list[str] = [told("{} count together, not one by one: {}, {}.", whose, one, other)]
    if clusters.alone:
        have = (
            "{} has no '{}', each counted by itself."
            if clusters.alone == 1
            else "{} have no '{}', each counted by itself."
        )
        texts.append(told(have, People(clusters.alone, "row"), name))
    if clusters.crossing:
        inside = "Groups are compared inside '{}': most of its values ({}) have rows in both."
        texts.append(told(inside, name, People(clusters.both)))
    elif clusters.both:
        stand = "stands" if clusters.both == 1 else "stand"
        counted = "{} of '{}' {} in both groups, counted once in each."
        texts.append(told(counted, People(clusters.both, "value"), name, told(stand)))
    return texts


def refusal_words(clusters: ClusterFacts, labels: tuple[str, str]) -> Text:
    """Why there is no verdict, as a part of a sentence."""
    n, label = min(zip(clusters.counts, labels, strict=True), key=lambda pair: pair[0])
    name = Name(short(clusters.name, 40))
    if n >= FEWEST:
        return told("a few of '{}' have nearly all rows of a group", name)
    many = _subjects(n, clusters.name != words.NEIGHBOURS)
    return told("{} has {} of '{}', and {} are needed", Level(label), many, name, Count(FEWEST))


def _subjects(n: int, together: bool) -> People | Count:
    """So many subjects, which are people; blocks of neighbouring rows are none."""
    return People(n, "value") if together else Count(n, "block")
