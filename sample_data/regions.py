"""Forty people under a scanner, twenty regions of the brain scan by scan; three links are weaker in dementia."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np

from engine.simulation.nmis import change_table, draw_table
from engine.simulation.series import DynamicNetwork, sample_subjects, with_noise
from sample_data.sampling import Columns, Entry, Made

CLASSES = ("healthy", "demented")
HEALTHY, DEMENTED, SCANS, LEVELS = 24, 16, 120, 4
NOISE = 30
"""Draws of subject noise for every region; see `with_noise`."""
SHORTER = {3: 96, 11: 110, 20: 88, 29: 104, 36: 92}
"""Place of a person -> scans before the measurement had to be stopped."""
LOST = 14
"""Scans inside a series that were thrown away, as for a head that moved."""

# region: the two regions that it listens to a scan later, the first one more
_LISTENS = {
    "hippocampus L": ("entorhinal L", "posterior cingulate"),
    "hippocampus R": ("entorhinal R", "hippocampus L"),
    "entorhinal L": ("temporal L", "amygdala L"),
    "entorhinal R": ("temporal R", "entorhinal L"),
    "parahippocampal L": ("precuneus", "hippocampus L"),
    "parahippocampal R": ("hippocampus R", "thalamus R"),
    "amygdala L": ("insula L", "thalamus L"),
    "amygdala R": ("insula R", "amygdala L"),
    "thalamus L": ("caudate L", "anterior cingulate"),
    "thalamus R": ("caudate R", "thalamus L"),
    "caudate L": ("medial frontal", "thalamus R"),
    "caudate R": ("caudate L", "medial frontal"),
    "insula L": ("anterior cingulate", "temporal L"),
    "insula R": ("insula L", "anterior cingulate"),
    "temporal L": ("parahippocampal L", "precuneus"),
    "temporal R": ("parahippocampal R", "temporal L"),
    "anterior cingulate": ("medial frontal", "amygdala R"),
    "posterior cingulate": ("precuneus", "medial frontal"),
    "medial frontal": ("posterior cingulate", "caudate R"),
    "precuneus": ("precuneus", "hippocampus R"),
}
_KINDS = {
    "entorhinal": "cortex",
    "parahippocampal": "gyrus",
    "caudate": "nucleus",
    "temporal": "lobe",
    "cingulate": "cortex",
    "frontal": "cortex",
}
_ALIKE, _BEFORE, _AFTER = (0.10, 0.05), (0.30, 0.22), (0.30, 0.05)
_CHANGED = ("hippocampus L", "parahippocampal R", "posterior cingulate")


def regions(rng: np.random.Generator) -> Made:
    """One row a person and scan; a person's scans follow each other, and a lost scan leaves a gap in their numbers."""
    codes, ill = behind(rng)
    gain = 1 + 0.2 * (2 * rng.random(codes.shape[:2]) - 1)
    offset = 0.25 * _normal(rng, codes.shape[:2])
    signal = codes + rng.random(codes.shape) - LEVELS / 2
    values = offset[:, :, None] + gain[:, :, None] * signal
    kept = np.arange(SCANS) < np.array([SHORTER.get(i, SCANS) for i in range(len(ill))])[:, None]
    for u in rng.random((LOST, 2)):
        person = int(u[0] * len(ill))
        kept[person, 1 + int(u[1] * (kept[person].sum() - 2))] = False
    who, scan = np.nonzero(kept)
    columns: Columns = {
        "subject": [f"P{i + 1:02d}" for i in who],
        "scan": [str(i + 1) for i in scan],
        "diagnosis": [CLASSES[int(ill[i])] for i in who],
    }
    columns |= {name: [f"{v:.2f}" for v in values[i, who, scan]] for i, name in enumerate(_LISTENS)}
    return Made(columns, _dictionary(), _truth())


def behind(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """(regions, people, scans) levels from 0 up that the signals come from, and (people,) who is demented."""
    one, two = _networks(rng)
    ill = np.argsort(np.argsort(rng.random(HEALTHY + DEMENTED))) >= HEALTHY
    own = [with_noise(two if sick else one, NOISE, rng) for sick in ill]
    return sample_subjects(own, SCANS, rng), ill


def _networks(rng: np.random.Generator) -> tuple[DynamicNetwork, DynamicNetwork]:
    """Healthy and demented; what is not changed is the same table in both."""
    names = tuple(_LISTENS)
    pair, margin = np.full((LEVELS, LEVELS), 1 / LEVELS**2), np.full(LEVELS, 1 / LEVELS)
    parents = tuple(tuple(map(names.index, family)) for family in _LISTENS.values())
    one = tuple(draw_table(_BEFORE if name in _CHANGED else _ALIKE, pair, margin, rng) for name in names)
    two = tuple(
        change_table(table, pair, _AFTER) if name in _CHANGED else table for name, table in zip(names, one, strict=True)
    )
    return DynamicNetwork(names, parents, one), DynamicNetwork(names, parents, two)


def _normal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    inverse = NormalDist().inv_cdf
    return np.array([inverse(u) for u in np.clip(rng.random(shape).ravel(), 1e-12, 1 - 1e-12)]).reshape(shape)


def _truth() -> dict[str, Any]:
    """Every link from a region to the one that listens a scan later, those that differ, and what else was done."""
    return {
        "group": "diagnosis",
        "arcs": [[source, name] for name, family in _LISTENS.items() for source in family],
        "changed": list(_CHANGED),
        "links": [
            {
                "link": [_LISTENS[name][1], name],
                "strength": dict(zip(CLASSES, (_BEFORE[1], _AFTER[1]), strict=True)),
                "beside": {"link": [_LISTENS[name][0], name], "strength": _BEFORE[0]},
            }
            for name in _CHANGED
        ],
        "unchanged_strengths": list(_ALIKE),
        "strength_is": "normalised mutual information of a region and what the other shows one scan later",
        "levels": LEVELS,
        "subject_noise": NOISE,
    }


def _dictionary() -> list[Entry]:
    return [
        Entry("subject", "ignore", "Number of the person"),
        Entry("scan", "ignore", "Number of the scan; the next one follows after two seconds"),
        Entry("diagnosis", "nominal", "Diagnosis of the person", CLASSES),
        *(Entry(name, "continuous", f"Signal of the {_whole(name)}", (), "%") for name in _LISTENS),
    ]


def _whole(name: str) -> str:
    """The short name of a region in full: "entorhinal L" is the left entorhinal cortex."""
    region, side = (name[:-2], {"L": "left ", "R": "right "}[name[-1]]) if name[-2] == " " else (name, "")
    return f"{side}{region} {_KINDS.get(region.split()[-1], '')}".rstrip()
