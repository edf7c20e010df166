"""Answer scales of usual questionnaires: each is put in its order, whatever the order and spelling in the file."""

from __future__ import annotations

import io
import random
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import engine
import sample_data
from engine.data.preparing.deciding.answer_words import ANSWER_WORDS, in_order
from engine.data.reading.scales import known_order

SCALES = {
    "BFI-44": "Disagree strongly|Disagree a little|Neither agree nor disagree|Agree a little|Agree strongly",
    "IPIP": "Very Inaccurate|Moderately Inaccurate|Neither Accurate Nor Inaccurate|Moderately Accurate|Very Accurate",
    "DASS-21": "Did not apply to me at all|Applied to me to some degree, or some of the time|Applied to me to a "
    "considerable degree or a good part of time|Applied to me very much or most of the time",
    "CES-D": "Rarely or none of the time (less than 1 day)|Some or a little of the time (1-2 days)|Occasionally or a "
    "moderate amount of time (3-4 days)|Most or all of the time (5-7 days)",
    "K10": "None of the time|A little of the time|Some of the time|Most of the time|All of the time",
    "SDQ": "Not true|Somewhat true|Certainly true",
    "PVQ": "Not like me at all|Not like me|A little like me|Somewhat like me|Like me|Very much like me",
    "BAI": "Not at all|Mildly, but it didn't bother me much|Moderately - it wasn't pleasant at times|"
    "Severely - it bothered me a lot",
    "BAI, short": "Not at all|Mildly|Moderately|Severely",
    "Y-BOCS": "None|Mild|Moderate|Severe|Extreme",
    "UCLA": "I never feel this way|I rarely feel this way|I sometimes feel this way|I often feel this way",
    "PHQ-9, GAD-7": "Not at all|Several days|More than half the days|Nearly every day",
    "PCL-5": "Not at all|A little bit|Moderately|Quite a bit|Extremely",
    "PSS": "Never|Almost never|Sometimes|Fairly often|Very often",
    "SF-36, health": "Poor|Fair|Good|Very good|Excellent",
    "SF-36, limits": "No, not limited at all|Yes, limited a little|Yes, limited a lot",
    "SF-36, time": "None of the time|A little of the time|Some of the time|A good bit of the time|Most of the time|"
    "All of the time",
    "SF-36, truth": "Definitely false|Mostly false|Mostly true|Definitely true",
    "WHO-5": "At no time|Some of the time|Less than half of the time|More than half of the time|Most of the time|"
    "All of the time",
    "GHQ-12": "Better than usual|Same as usual|Less than usual|Much less than usual",
    "MAAS": "Never or very rarely true|Rarely true|Sometimes true|Often true|Very often or always true",
    "agree, 5": "Strongly disagree|Disagree|Neither agree nor disagree|Agree|Strongly agree",
    "agree, 7": "Strongly disagree|Disagree|Somewhat disagree|Neither agree nor disagree|Somewhat agree|Agree|"
    "Strongly agree",
    "likely, 5": "Very unlikely|Unlikely|Neutral|Likely|Very likely",
    "likely, 7": "Extremely unlikely|Moderately unlikely|Slightly unlikely|Neither likely nor unlikely|Slightly "
    "likely|Moderately likely|Extremely likely",
    "important, 5": "Not at all important|Slightly important|Moderately important|Very important|Extremely important",
    "important, 7": "Not at all important|Low importance|Slightly important|Neutral|Moderately important|Very "
    "important|Extremely important",
    "frequency, 5": "Never|Rarely|Sometimes|Often|Always",
    "frequency, 7": "Never|Rarely|Occasionally|Sometimes|Frequently|Usually|Every time",
    "satisfied, 7": "Very dissatisfied|Dissatisfied|Somewhat dissatisfied|Neither satisfied nor dissatisfied|Somewhat "
    "satisfied|Satisfied|Very satisfied",
    "BFI, German": "sehr unzutreffend|eher unzutreffend|weder noch|eher zutreffend|sehr zutreffend",
    "IPIP, German": "trifft überhaupt nicht zu|trifft eher nicht zu|teils-teils|trifft eher zu|trifft voll zu",
    "DASS, German": "Traf gar nicht auf mich zu|Traf bis zu einem gewissen Grad auf mich zu oder manchmal|Traf in "
    "beträchtlichem Maße auf mich zu oder ziemlich oft|Traf sehr stark auf mich zu oder die meiste Zeit",
    "ADS": "selten oder überhaupt nicht|manchmal|öfters|meistens, die ganze Zeit",
    "K10, German": "nie|selten|manchmal|meistens|immer",
    "SDQ, German": "nicht zutreffend|teilweise zutreffend|eindeutig zutreffend",
    "PVQ, German": "mir überhaupt nicht ähnlich|mir nicht ähnlich|mir nur ein wenig ähnlich|mir einigermaßen "
    "ähnlich|mir ähnlich|mir sehr ähnlich",
    "BAI, German": "überhaupt nicht|wenig|mittel|stark",
    "PHQ, German": "Überhaupt nicht|An einzelnen Tagen|An mehr als der Hälfte der Tage|Beinahe jeden Tag",
    "PCL, German": "überhaupt nicht|ein wenig|ziemlich|stark|sehr stark",
    "PSS, German": "nie|fast nie|manchmal|ziemlich oft|sehr oft",
    "WHO-5, German": "Zu keinem Zeitpunkt|Ab und zu|Etwas weniger als die Hälfte der Zeit|Etwas mehr als die Hälfte "
    "der Zeit|Meistens|Die ganze Zeit",
    "SF-36, German": "schlecht|weniger gut|gut|sehr gut|ausgezeichnet",
    "SF-36, limits, German": "Nein, überhaupt nicht eingeschränkt|Ja, etwas eingeschränkt|Ja, stark eingeschränkt",
    "agree, German": "stimme überhaupt nicht zu|stimme eher nicht zu|teils/teils|stimme eher zu|"
    "stimme voll und ganz zu",
    "important, German": "überhaupt nicht wichtig|eher unwichtig|teils teils|eher wichtig|sehr wichtig",
    "likely, German": "sehr unwahrscheinlich|unwahrscheinlich|neutral|wahrscheinlich|sehr wahrscheinlich",
    "satisfied, German": "sehr unzufrieden|eher unzufrieden|weder noch|eher zufrieden|sehr zufrieden",
}
"""Questionnaire -> its answers from one end to the other, as its form prints them."""
UNORDERED = (
    ("red", "green", "blue"),
    ("married", "single", "divorced", "widowed"),
    ("yes", "no"),
    ("bus", "car", "bicycle", "on foot"),
    ("left", "right", "both"),
    ("strategy", "luck", "neither"),
    ("nein", "ja"),
    ("agree", "other", "no answer"),
)


@pytest.mark.parametrize("name", SCALES)
@pytest.mark.parametrize("spelled", [str, str.upper, str.lower, lambda level: level.replace(" ", "_")])
def test_usual_scales_are_put_in_order(name: str, spelled: object) -> None:
    """From either end, with all answers and where one was never given."""
    levels = [spelled(level) for level in SCALES[name].split("|")]  # type: ignore[operator]
    generator = random.Random(name)
    for given in (levels, levels[:-1], levels[1:]):
        mixed = list(given)
        generator.shuffle(mixed)
        order, why = known_order(mixed)
        assert why
        assert order in (given, given[::-1])


@pytest.mark.parametrize("levels", UNORDERED, ids="-".join)
def test_words_that_are_no_steps_are_given_no_order(levels: tuple[str, ...]) -> None:
    """None is ordered wrongly, which would be worse than a question."""
    assert known_order(levels)[1] == ""


NAMED = (
    *("BFI-44", "IPIP", "DASS-21", "CES-D", "K10", "SDQ", "PVQ", "BAI", "Y-BOCS", "UCLA"),
    *("likely, 5", "important, 5", "SDQ, German"),
)
ON_NO_LIST = {
    "describes": "Doesn't describe me|Describes me slightly|Describes me fairly well|Describes me perfectly",
    "bother": "Bothered me not at all|Bothered me hardly|Bothered me somewhat|Bothered me much|Bothered me extremely",
    "burden": "No burden|Slight burden|Moderate burden|Severe burden",
    "confident": "Cannot do at all|Hardly can do|Moderately can do|Mostly can do|Completely can do",
    "worse": "Nothing like my pain|A little like my pain|Rather like my pain|Very like my pain|Exactly like my pain",
    "effort": "never takes effort|seldom takes effort|sometimes takes effort|often takes effort|always takes effort",
    "trust": "trust nobody, not at all|trust a few people|trust half of them|trust many people|trust fully",
    "need": "no need of help|some need of help|strong need of help|total need: always",
    "German, help": "hilft gar nicht|hilft kaum|hilft etwas|hilft ziemlich|hilft sehr|hilft völlig",
    "German, burden": "belastet mich nie|belastet mich selten|belastet mich manchmal|belastet mich immer",
    "German, fits": "passt überhaupt nicht|passt wenig|passt mittelmäßig|passt stark|passt genau",
    "colours of a thermometer": "blue zone|green zone|yellow zone|red zone",
}
"""Answers of questionnaires that no list has; the last says nothing of how much, so that the user gives the order."""
VOCABULARIES = {**{name: SCALES[name] for name in NAMED}, **ON_NO_LIST}


def as_csv(table: pd.DataFrame, levels: list[str]) -> bytes:
    return table.to_csv(index=False).encode()


def as_excel(table: pd.DataFrame, levels: list[str]) -> bytes:
    pytest.importorskip("openpyxl")
    stream = io.BytesIO()
    table.to_excel(stream, index=False)
    return stream.getvalue()


def as_spss(table: pd.DataFrame, levels: list[str]) -> bytes:
    """Codes with the answers as their labels, as SPSS has them, and no level of measurement."""
    pyreadstat = pytest.importorskip("pyreadstat")
    codes = table.apply(lambda column: column.map(levels.index).astype(float))
    answers = {float(code): level for code, level in enumerate(levels)}
    labels = dict.fromkeys(table.columns, answers)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.sav"
        pyreadstat.write_sav(codes, path, variable_value_labels=labels)
        return path.read_bytes()


@pytest.mark.parametrize("written", [as_csv, as_excel, as_spss])
@pytest.mark.parametrize("name", VOCABULARIES)
def test_a_questionnaire_needs_one_card_at_most_and_is_then_in_order(name: str, written: object) -> None:
    """From a file: what is ordered unasked is ordered right, and else one card orders all items at once."""
    levels = VOCABULARIES[name].split("|")
    source = np.random.default_rng(len(name))
    table = pd.DataFrame({f"item_{i}": source.choice(levels, 150) for i in range(1, 7)})
    read = engine.read_table(written(table, levels))  # type: ignore[operator]
    recipe = engine.Recipe()
    unasked = recipe.apply(read)
    for column in read:
        ordered = unasked.kinds[column] == "ordinal"
        assert not ordered or list(unasked.levels[column]) in (levels, levels[::-1])
    cards = engine.decisions(read, recipe)
    assert len(cards) <= 1
    for card in cards:
        option = card.options[0]
        if card.kind == ANSWER_WORDS and name == "colours of a thermometer":
            option = in_order(option, levels)
        recipe = engine.Recipe(**engine.settle(recipe, card, option))
    data = recipe.apply(read)
    assert set(data.kinds.values()) == {"ordinal"}
    assert all(list(data.levels[column]) in (levels, levels[::-1]) for column in read)


@pytest.mark.parametrize("key", sample_data.CATALOG)
def test_no_sample_has_a_card_of_a_questionnaire(key: str) -> None:
    """Their words are in order, and their items run one way."""
    asked = {card.kind for card in engine.decisions(sample_data.load(key), engine.Recipe())}
    assert asked.isdisjoint({ANSWER_WORDS, "labelled-codes", "name-rows", "reversed-items"})
