"""The runs whose answers are kept: every method on the sample tables, with settings that reach its branches."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import engine
import sample_data

_dataset = cache(sample_data.dataset)
"""Read once: the runs only look."""


def _group(key: str, **settings: Any) -> Any:
    """The paper's single order under K2, unless the settings say otherwise."""
    single = {"average": "none", "score": engine.K2()}
    return engine.GroupDifference(**(single | settings)).run(_dataset(key))


def _patient(key: str, instance: Any, target: str | None = None, **settings: Any) -> Any:
    return engine.InstanceSpecific(**settings).run(_dataset(key), instance, target=target)


def _cohort(key: str, rows: int, **settings: Any) -> Any:
    return engine.InstanceSpecific(**settings).run_cohort(_dataset(key), range(rows))


def _classes(key: str, target: str, **settings: Any) -> Any:
    return engine.Discriminative(target=target, **settings).run(_dataset(key))


def _ordinal(key: str, **settings: Any) -> Any:
    return engine.Ordinal(**settings).run(_dataset(key))


def _compared(key: str, column: str, method: Any, **settings: Any) -> Any:
    """The links of the answers of two groups, tested."""
    parts = list(engine.by_group(_dataset(key), column).values())[:2]
    return engine.compare(*(method.run(part) for part in parts), data=parts, draws=99, seed=1, **settings)


def _links(key: str, **settings: Any) -> Any:
    return engine.LogLinear(**settings).run(_dataset(key))


HOSPITALS = {"group": "hospital", "groups": ("North", "South")}
SMOKER = {"smoking": "no", "age": "70 and over"}

CASES: dict[str, Callable[[], Any]] = {
    "group-hospitals": partial(_group, "two_hospitals", **HOSPITALS),
    "group-hospitals-bdeu": partial(
        _group, "two_hospitals", **HOSPITALS, score=engine.BDeu(ess=2.0), search="hill_climbing", p_level="overall"
    ),
    "group-hospitals-exact": partial(
        _group, "two_hospitals", **HOSPITALS, search="exact", alignment="common", max_parents=2, p_same=0.9
    ),
    "group-clinic": partial(_group, "clinic_export", group="Arm", groups=("usual care", "coaching")),
    "group-survey-rest": partial(_group, "health_survey", group="smoking", groups=("current",), p_level="context"),
    "group-breast": partial(_group, "breast_cancer", group="diagnosis", groups=("malignant", "benign")),
    "group-hospitals-averaged": partial(_group, "two_hospitals", **HOSPITALS, average="orders", score=engine.BDeu()),
    "patient-smoker": partial(_patient, "cough_and_smoke", SMOKER, target="cough"),
    "patient-row": partial(_patient, "cough_and_smoke", 7, target="cough", kappa=1.0, additions=True),
    "patient-published": partial(_patient, "cough_and_smoke", 7, mode="published", kappa=0.5),
    "patient-paper": partial(_patient, "symptoms", 3, prior="paper", empty="all_rows", kappa=1.0),
    "patient-hospital": partial(_patient, "two_hospitals", 11, structure_prior=0.5, ess=3.0, kappa=0.5),
    "cohort-smoke": partial(_cohort, "cough_and_smoke", 300),
    "cohort-symptoms": partial(_cohort, "symptoms", 60, kappa=1.0),
    "cohort-published": partial(_cohort, "cough_and_smoke", 12, mode="published", kappa=0.5),
    "links-survey": partial(_links, "health_survey"),
    "links-survey-joint": partial(_links, "health_survey", joint=True, max_clique=3),
    "links-survey-smt": partial(_links, "health_survey", criterion="smt"),
    "links-symptoms-chi2": partial(_links, "symptoms", criterion="chi2", alpha=0.01),
    "links-symptoms-bic": partial(_links, "symptoms", criterion="bic"),
    "links-clinic-kl": partial(_links, "clinic_export", criterion="kl", max_clique=3),
    "links-hospitals-ah": partial(_links, "two_hospitals", criterion="ah"),
    "links-breast": partial(_links, "breast_cancer"),
    "classes-screening": partial(_classes, "screening", "relapse", shuffles=9),
    "classes-screening-ccl": partial(_classes, "screening", "relapse", score="ccl", parameters="mid", shuffles=0),
    "classes-screening-bde": partial(_classes, "screening", "relapse", score="bde", max_parents=2, shuffles=0, folds=5),
    "classes-regions": partial(_classes, "regions", "diagnosis", top_families=5, levels=3, shuffles=2, folds=5),
    "ordinal-symptoms": partial(_ordinal, "symptoms", draws=100),
    "ordinal-boredom-published": partial(_ordinal, "boredom", mode="published", draws=100),
    "ordinal-boredom-opc": partial(_ordinal, "boredom", approach="opc"),
    "ordinal-boredom-bde": partial(_ordinal, "boredom", approach="bde", search="exact"),
    "compared-hospitals": partial(_compared, "two_hospitals", "hospital", engine.LogLinear()),
    "compared-boredom": partial(_compared, "boredom", "language", engine.Ordinal(search="hill_climbing", draws=100)),
    "compared-adhd-again": partial(_compared, "adhd", "group", engine.LogLinear(), search_again=True),
}
"""Name -> a run that gives a result with `to_json`."""

REPORTS: dict[str, tuple[str, ...]] = {
    "groups": ("group-hospitals-averaged", "group-hospitals-exact"),
    "patients": ("patient-smoker", "patient-published", "cohort-smoke"),
    "links": ("links-survey", "links-symptoms-chi2"),
    "classes": ("classes-screening", "classes-regions"),
    "ordinal": ("ordinal-symptoms", "compared-boredom"),
}
"""Name -> the cases that one report, and one project file, is made of."""
