"""Which sentences name a small count of rows or people."""

from __future__ import annotations

import pandas as pd
import pytest

import engine
from engine.methods.masking import Masked, gives_away, tells_left_out
from tests.engine.project.report.answers import KINDS, answer

TELLS = [
    "3 rows with arm = new were compared with 587 with old, over 10 variables.",
    "613 rows with arm = new were compared with 4 with old, over 10 variables.",
    "With a = b, age no longer matters: among the 2 rows like this patient age shifts cough by at most 4\u00a0pp.",
    "For 3 of 30 patients (10_%) some link is seen to be different.",
    "Classified correctly: 234 of 350 no and 4 of 90 yes.",
    "Sensitivity 4_% (95 % interval 2 to 11) on 90 yes, specificity 67_% (62 to 72) on 350 no; AUC 0.68 (0.6 to 0.7).",
    "Sensitivity 44_% (95 % interval 35 to 55) on 90 yes, specificity 99.4_% (98 to 100) on 350 no; AUC 0.68.",
    "Classified correctly: 348 of 350 no and 86 of 150 yes.",
    "The classes are unequal (350 and 4): they weigh alike here.",
    "4 answers of 1,200 are missing.",
    "Accuracy 98_% (95 % interval 88 to 100) on 40 held-out subjects; chance 50_%.",
    "Balanced accuracy 85_% (95 % interval 70 to 93) on 40 held-out subjects; chance 50_%; accuracy 98_%.",
    "Accuracy 6_% (95 % interval 1 to 20) on 31 held-out subjects; chance 50_%.",
    "497 of 500 rows are used; they lack a value in 'x' (3).",
]
SAYS = [
    "1 of 10 variables differs between arm = new and old more than chance shows: kind.",
    "Inconclusive: a, b, c and 3 more; to see 10 percentage points in each of them would take 634 rows a group.",
    "2 links gain more than the best of at least 95 % of permutations.",
    "yes is 3 percentage points less frequent in South than in North (95 %: −4 to −1).",
    "Marginally, South − North: −3 percentage points (95 %: −4 to −2), p = .020.",
    "The strongest is a with b: very strong evidence for a link, p = 10^-3; it saves 2,122.6 bits.",
    "Published odds (equation 10): 250 to 1 for a difference, on common parents 1.0 to 1 against.",
    "14 links join all 12 variables; 3 have a direction. Chance alone could show 2 links.",
    "The patient (row 1,003 of the table), with 2 of 11 values known, was compared with 2,000 rows (size 1).",
    "Sensitivity 44_% (95 % interval 35 to 55) on 90 yes, specificity 67_% (62 to 72) on 350 no; AUC 0.6 (0.5 to 0.7).",
    "caudate shifts insula by up to 57\u00a0pp (24 to 78) in control, by 20\u00a0pp (−17 to 54) in patient; p = .005.",
    "response = no: 9\u00a0pp (3 to 14) more often in ill than in well; p = .005.",
    "Accuracy 64_% (95 % interval 60 to 68) on 500 held-out rows; chance 50_%; p = .33 (2 permutations).",
    "Probability of cough = yes: 3_% for this patient, 2_% of all rows; age matters less for cough.",
    "Links in more than half of 3 bootstrap samples: the difference lies within 1 to 4 percentage points.",
]


def written(sentence: str) -> str:
    """The sentence with the no-break spaces of a share, where '_' stands here, and of a p."""
    return sentence.replace("_%", "\u00a0%").replace("p = .", "p\u00a0=\u00a0.")


@pytest.mark.parametrize("sentence", TELLS)
def test_a_small_count_is_seen(sentence: str) -> None:
    """As a part, as the rest of one, alone, or in brackets."""
    assert gives_away(written(sentence), 5)


@pytest.mark.parametrize("sentence", SAYS)
def test_what_counts_no_people_is_left_alone(sentence: str) -> None:
    """Variables, links, points, odds, intervals, settings."""
    assert not gives_away(written(sentence), 5)


def test_names_and_levels_with_digits_count_nothing() -> None:
    """'grade 2' is a level."""
    assert gives_away("With grade = 2, age no longer matters.", 5)
    assert not gives_away("With grade = 2, age no longer matters.", 5, values=("2",))


def test_a_percentage_of_few_people_is_a_count() -> None:
    """7 % of 30 are two; 93 % leave two."""
    assert gives_away("It is seen for 7\u00a0% of them.", 5, people=30)
    assert gives_away("It is seen for 93\u00a0% of them.", 5, people=30)
    assert not gives_away("It is seen for 50\u00a0% of them.", 5, people=30)


def test_a_percentage_of_few_rows_is_a_count() -> None:
    """2 % of 60 rows are one; of 2,000 they are 40."""
    said = written("Probability of cough = yes: 3_% for this patient, 2_% of all rows; age matters less for cough.")
    assert gives_away(said, 5, wholes=(60,))
    assert not gives_away(said, 5, wholes=(2000,))


def test_a_number_just_under_a_known_whole_gives_the_rest_away() -> None:
    """22 of 30 patients, and the 30 stand in the next sentence."""
    assert gives_away(
        "The networks of 22 of 30 patients have other links than the population's (4 patterns in all).",
        11,
        wholes=(30,),
    )
    assert not gives_away(
        "The networks of 15 of 30 patients have other links than the population's (4 patterns in all).",
        11,
        wholes=(30,),
    )


@pytest.mark.parametrize("kind", KINDS)
def test_most_of_an_answer_on_many_rows_is_said(kind: str) -> None:
    """Where a table is large, hiding costs at most a sentence or two, and never the headline."""
    result = answer(kind)
    every = [result.headline(), *result.sentences(), *result.notes()]
    said = Masked(result, 5).publishable(every)
    assert said[0] == every[0]
    assert len(said) >= len(every) - 2


def test_a_share_left_out_gives_no_few_rows_away() -> None:
    """Of 60 rows used, 5 % left out are three; of 600 they are some thirty. None left out is no count of rows."""
    said = "{}_% of B and 0_% of A were left out for gaps; what differs may be that."
    for share, n, hidden in (("5", 60, True), ("5", 600, False), ("under 1", 9000, True), ("7", 60, False)):
        assert tells_left_out(written(said.format(share)), 5, {"A": 5000, "B": n}) == hidden, (share, n)
    assert tells_left_out("5\u00a0% of the rows were left out for gaps, and ...", 5, {"": 60})
    assert not tells_left_out("5\u00a0% of B were ill.", 5, {"B": 60})
    gaps = ["B"] * 60 + ["A"] * 200
    table = pd.DataFrame({"arm": gaps, "x": (["lo", "hi"] * 130), "y": (["no", "no", "yes", "yes"] * 65)})
    table.loc[range(56, 60), "y"] = None
    data = engine.Dataset.from_frame(pd.concat([table, table[:6].assign(y=None)], ignore_index=True))
    result = engine.GroupDifference(group="arm").run(data)
    told = next(one for one in result.sentences() if "left out for gaps" in one)
    assert Masked(result, 5).publishable([told]) == [told]
    assert Masked(result, 11).publishable([told]) == []
