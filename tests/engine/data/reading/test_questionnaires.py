"""Answer scales of usual questionnaires: each is put in its order, whatever the order and spelling in the file."""

from __future__ import annotations

import random

import pytest

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
