"""The sample tables: what each is about, the question it is good for, and how to get at it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from engine.data.dataset import Dataset
from engine.data.preparing.dictionary import read_dictionary
from engine.data.reading.read import read_table
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Sample:
    """One sample table.

    Attributes
    ----------
    key : what `load` is asked for
    title, story : for the card; plain words
    file, dictionary_file, truth_file : names in the folder `tables`, or None where there is none
    method : the question it is made for, by the name of the method
    settings : settings of that method to begin with
    question : that question in plain words
    choices : for `Dataset.from_frame`, beyond what the dictionary says
    source : of a table of others, whom to cite, its licence and what was changed (`LICENSES.md` has all of it); else ""
    """

    key: str
    title: str
    story: str
    question: str
    method: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)
    file: str | None = None
    dictionary_file: str | None = None
    truth_file: str | None = None
    source: str = ""


def _own(key: str, **words: Any) -> Sample:
    return Sample(
        key,
        file=f"{key}.csv",
        dictionary_file=f"{key}_dictionary.csv",
        truth_file=f"{key}_truth.json",
        **words,
    )


def _public(key: str, **words: Any) -> Sample:
    """A table of others, copied as it is; nobody knows the truth of it."""
    return Sample(key, file=f"{key}.csv", dictionary_file=f"{key}_dictionary.csv", **words)


_SAMPLES = (
    _own(
        "two_hospitals",
        title="Two hospitals",
        story="1,200 patients were admitted with pneumonia to one of two hospitals. Their patients are alike, and so "
        "is nearly everything that is done for them. One thing is not: in one situation, one hospital acts "
        "differently. The table was made by a computer, so the right answer is known.",
        question="What do the two hospitals do differently, and for which patients?",
        method="GroupDifference",
        settings={"group": "hospital", "groups": ("North", "South")},
    ),
    _own(
        "sepsis",
        title="Sepsis and lactate",
        story="1,200 patients were admitted with sepsis to one of two hospitals. Six hours later lactate is alike in "
        "both, except among those who came in shock at night. Lactate, creatinine and age are numbers. Made by a "
        "computer, so the right answer is known.",
        question="In which patients is lactate higher at one hospital than at the other?",
        method="GroupDifference",
        settings={"group": "hospital", "groups": ("North", "South")},
    ),
    _own(
        "cough_and_smoke",
        title="Cough, smoke and age",
        story="2,000 adults were asked about smoking, work and cough. Among smokers cough grows more common with age; "
        "among those who do not smoke, age makes no difference. One network for everybody cannot say that, a "
        "network for one patient can. Two patients to try are included. Made by a computer.",
        question="Which causes matter for this one patient, and which do not?",
        method="InstanceSpecific",
        settings={"target": "cough"},
    ),
    _own(
        "symptoms",
        title="Symptom scales",
        story="600 people rated twelve complaints, from sleep to mood, on scales of four or five steps. The steps have "
        "an order but no size; 550 people answered all. Behind the answers stands a known network. Made by "
        "a computer.",
        question="Which complaints stand next to each other, and which are linked only through others?",
        method="Ordinal",
    ),
    _own(
        "two_questionnaires",
        title="Two questionnaires",
        story="400 people answered ten questions on thoughts and habits that will not let go, from 0 to 4, and "
        "fourteen on mood and strength, from 0 to 3. Of these numbers only the order counts. One link alone joins the "
        "two questionnaires, and two answers stand apart from all others. Made by a computer, so the right answer is "
        "known.",
        question="How are the answers linked, and which link joins the two questionnaires?",
        method="Ordinal",
    ),
    _own(
        "health_survey",
        title="Health survey",
        story="3,000 people answered twenty questions on their life and health: where they live, work, diet, weight, "
        "diseases. Almost everything goes along with everything else; only a few links are direct. Made by a "
        "computer from a known model.",
        question="Which answers are associated directly, and which only by way of others?",
        method="LogLinear",
    ),
    _own(
        "regions",
        title="Twenty regions of the brain",
        story="40 people lay in a scanner, 24 of them healthy and 16 demented, and the signal of twenty regions was "
        "taken scan by scan. What a region shows depends on others a moment before. Three of these links are weaker in "
        "dementia, each beside a stronger link that is the same in everybody. Made by a computer.",
        question="Which links separate the demented from the healthy, and how well?",
        method="Discriminative",
        settings={"target": "diagnosis"},
        choices={"roles": {"subject": "subject", "scan": "time", "diagnosis": "outcome"}},
    ),
    _own(
        "screening",
        title="Screening after treatment",
        story="500 people filled in a form of twelve questions after treatment; within a year 150 had a relapse. On "
        "average both groups give the same answers. What sets them apart is how two pairs of answers are linked. Made "
        "by a computer.",
        question="Which links between answers tell who will relapse, and how well?",
        method="Discriminative",
        settings={"target": "relapse"},
        choices={"roles": {"relapse": "outcome"}},
    ),
    _own(
        "clinic_export",
        title="An export as it comes",
        story="300 patients with diabetes, usual care or coaching, exported from a clinic's system: semicolons, "
        "decimal commas, a patient number, dates, remarks, gaps written in three ways, 'yes' written in three "
        "ways, and odd headers. For practice in reading a table before asking it anything. Made by a computer.",
        question="What does coaching change? First, though: what do the columns mean?",
        method="GroupDifference",
        settings={"group": "Arm", "groups": ("usual care", "coaching")},
        choices={
            "missing_tokens": {"Steps/day": ["-"], "Creatinine µmol/l": ["n/a"]},
            "merge": {"Smoker?": {"Yes": "yes", "No": "no"}},
        },
    ),
    Sample(
        "breast_cancer",
        title="Breast cancer, Wisconsin",
        story="A real table: thirty measures of cell nuclei under the microscope for 569 breast tumours, 212 of them "
        "malignant and 357 benign (Wolberg, Street and Mangasarian, 1995; it comes with scikit-learn). Nobody knows "
        "the true network here.",
        question="Which measures are linked differently in malignant and in benign tumours?",
        method="GroupDifference",
        settings={"group": "diagnosis", "groups": ("malignant", "benign")},
    ),
    _public(
        "adhd",
        title="Symptoms of ADHD",
        story="A real table: parents of 355 children of 6 to 8 years were asked about eighteen symptoms, present or "
        "absent. 146 of the children have a diagnosis of ADHD, 209 have none. The groups were made from these "
        "symptoms, so most differ. Nobody knows the true network here.",
        question="Which symptoms are associated directly, and is that alike with and without a diagnosis?",
        method="LogLinear",
        choices={"roles": {"group": "group"}},
        source="Silk et al. 2019, PLOS ONE, doi 10.1371/journal.pone.0211053.s004. CC-BY 4.0, unchanged.",
    ),
    _public(
        "boredom",
        title="Boredom in two languages",
        story="A real table: 986 people rated the eight items of the Short Boredom Proneness Scale from 1 (strongly "
        "disagree) to 7 (strongly agree). 496 answered in English and 490 in French; on average every item is rated "
        "higher in English. Nobody knows the true network here.",
        question="How are the ratings linked, and is that the same in both languages?",
        method="Ordinal",
        choices={"roles": {"language": "group"}},
        source="Martarelli et al. 2023, osf.io/qhux8. CC-BY 4.0, unchanged.",
    ),
)
CATALOG: dict[str, Sample] = {sample.key: sample for sample in _SAMPLES}
"""Key -> sample, in the order of the start page."""


def load(key: str) -> pd.DataFrame:
    """A sample as `engine.read_table` reads it; `DataError` for a key that is not in `CATALOG`."""
    sample = _sample(key)
    if sample.file is None:
        return _breast_cancer()
    return read_table(_content(sample.file), name=sample.file)


def truth(key: str) -> dict[str, Any]:
    """What made the table: arcs or edges, what changes between groups, contexts, patients; {} for the real
    ones."""
    name = _sample(key).truth_file
    return {} if name is None else dict(json.loads(_content(name)))


def dataset(key: str) -> Dataset:
    """A sample as a `Dataset`, its kinds and levels as its dictionary says, continuous columns in three."""
    table = load(key)
    name = _sample(key).dictionary_file
    if name is None:
        return Dataset.from_frame(table, **_sample(key).choices)
    choices, _ = read_dictionary(_content(name), name=name).choices(table.columns)
    return Dataset.from_frame(table, **choices, **_sample(key).choices)


def file_bytes(name: str) -> bytes:
    """A file of a sample as it stands, for a download; `DataError` for any other name."""
    known = {f for s in _SAMPLES for f in (s.file, s.dictionary_file, s.truth_file) if f}
    if name not in known:
        raise DataError("There is no sample file of that name; see sample_data.CATALOG.")
    return _content(name)


def _sample(key: str) -> Sample:
    if key not in CATALOG:
        raise DataError(f"There is no sample {str(key)[:60]!r}; there are {', '.join(CATALOG)}.")
    return CATALOG[key]


def _content(name: str) -> bytes:
    return (files("sample_data") / "tables" / name).read_bytes()


def _breast_cancer() -> pd.DataFrame:
    from sklearn.datasets import load_breast_cancer

    bunch = load_breast_cancer(as_frame=True)
    table = bunch.data.copy()
    table.insert(0, "diagnosis", [str(bunch.target_names[code]) for code in bunch.target])
    return table
