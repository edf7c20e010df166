"""What survey programs export: Qualtrics, REDCap, SurveyMonkey, LimeSurvey, Google Forms."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator, Sequence

from tests.exports.reading import OUT, Export, Right

LIKERT = ("Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree")
FREQUENCY = ("Never", "Rarely", "Sometimes", "Often", "Always")
ZUSTIMMUNG = ("Stimme gar nicht zu", "Stimme eher nicht zu", "Weder noch", "Stimme eher zu", "Stimme voll zu")
N = 48


def text(rows: Sequence[Sequence[object]], separator: str = ",", encoding: str = "utf-8", ending: str = "\n") -> bytes:
    """Rows as a text with as many quotes as needed."""
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator, lineterminator=ending).writerows(rows)
    return stream.getvalue().encode(encoding)


def answers(seed: int, words: Sequence[object], n: int = N) -> list[object]:
    """Answers that all occur."""
    draw = random.Random(seed)
    return [*words, *(draw.choice(words) for _ in range(n - len(words)))]


def numbers(seed: int, low: int, high: int, n: int = N) -> list[int]:
    """Whole numbers, of which some are equal."""
    draw = random.Random(seed)
    return [draw.randint(low, high) for _ in range(n)]


def exports() -> Iterator[Export]:
    """The switches of all five."""
    yield from _qualtrics()
    yield from _redcap()
    yield from _survey_monkey()
    yield from _lime_survey()
    yield from _google_forms()


def _qualtrics() -> Iterator[Export]:
    """Three rows of names; the second is cut into several lines, or says the same of several columns."""
    names = ["StartDate", "ResponseId", "Finished", "Q1", "Q2_1", "Q2_2", "T1_First Click"]
    data = [
        [f"2024-01-{1 + i % 28:02d} 10:{i % 60:02d}:00" for i in range(N)],
        [f"R_{random.Random(i).randrange(16**9):09x}" for i in range(N)],
        ["True"] * N,
        numbers(1, 18, 80),
        answers(2, LIKERT),
        answers(3, LIKERT),
        [round(random.Random(i).uniform(0.1, 9), 3) for i in range(N)],
    ]
    columns = {
        "StartDate": Right(OUT), "ResponseId": Right(OUT), "Finished": Right(OUT), "Q1": Right("continuous", None, 0),
        "Q2_1": Right("ordinal", LIKERT, 0), "Q2_2": Right("ordinal", LIKERT, 0),
        "T1_First Click": Right("continuous", None, 0),
    }  # fmt: skip
    texts = {
        "texts": [
            "Start Date",
            "Response ID",
            "Finished",
            "How old are you?",
            "I am calm",
            "I am tense",
            "First Click",
        ],
        "repeated texts": ["Start Date", "Response ID", "Finished", "Age", "Rate this", "Rate this", "Rate this"],
        "texts in lines": [
            "Start Date",
            "Response ID",
            "Finished",
            "Age\nin years",
            "Rate:\n- calm",
            "Rate:\n- tense",
            "T",
        ],
        "texts are numbers": ["1", "2", "3", "4", "5", "6", "7"],
        "some texts are lacking": ["Start Date", "", "", "How old are you?", "I am calm", "", ""],
    }
    for switch, row in texts.items():
        codes = [f'{{"ImportId":"QID{i}"}}' for i in range(len(names))]
        rows = [names, row, codes, *zip(*data, strict=True)]
        yield Export("Qualtrics", switch, "survey.csv", text(rows), N, columns)
        if switch == "texts":
            yield Export("Qualtrics", "tabs", "s.tsv", text(rows, "\t"), N, columns)
            marked = text(rows, encoding="utf-8-sig", ending="\r\n")
            yield Export("Qualtrics", "byte-order mark", "s.csv", marked, N, columns)
            yield Export("Qualtrics", "without texts", "s.csv", text([names, codes, *rows[3:]]), N, columns)
            single = [f"{{'ImportId': 'QID{i}'}}" for i in range(len(names))]
            yield Export("Qualtrics", "single quotes", "s.csv", text([names, row, single, *rows[3:]]), N, columns)


def _redcap() -> Iterator[Export]:
    """One row of names; checkboxes, forms that are complete; longitudinal with what was asked once in one row."""
    item = numbers(4, 0, 3)
    flat = {
        "record_id": list(range(1, N + 1)),
        "age": numbers(5, 20, 80),
        "sex": answers(6, (1, 2)),
        "symptoms___1": answers(7, (0, 1)),
        "symptoms___2": answers(8, (0, 1)),
        "phq_1": item,
        "phq_2": [min(3, max(0, a + d)) for a, d in zip(item, numbers(9, -1, 1), strict=True)],
        "phq_3": [min(3, max(0, a + d)) for a, d in zip(item, numbers(10, -1, 1), strict=True)],
        "baseline_complete": [2] * (N - 4) + [0, 1, 2, 0],
    }
    steps = ("0", "1", "2", "3")
    right = {
        "record_id": Right(OUT), "age": Right("continuous", None, 0), "sex": Right("nominal", ("1", "2"), 0),
        "symptoms___1": Right("nominal", ("0", "1"), 0), "symptoms___2": Right("nominal", ("0", "1"), 0),
        "phq_1": Right("ordinal", steps, 0), "phq_2": Right("ordinal", steps, 0), "phq_3": Right("ordinal", steps, 0),
        "baseline_complete": Right("ordinal", ("0", "1", "2"), 0),
    }  # fmt: skip
    rows = [list(flat), *zip(*flat.values(), strict=True)]
    yield Export("REDCap", "codes, one row", "redcap.csv", text(rows), N, right)
    yield Export("REDCap", "semicolons", "redcap.csv", text(rows, ";"), N, right)
    labels = dict(flat, sex=answers(6, ("Male", "Female")), symptoms___1=answers(7, ("Checked", "Unchecked")))
    labels["baseline_complete"] = ["Complete"] * (N - 4) + ["Incomplete", "Unverified", "Complete", "Incomplete"]
    told = {
        **right, "sex": Right("nominal", ("Male", "Female"), 0),
        "symptoms___1": Right("nominal", ("Checked", "Unchecked"), 0), "baseline_complete": Right("nominal|ordinal"),
    }  # fmt: skip
    yield Export("REDCap", "labels", "redcap.csv", text([list(labels), *zip(*labels.values(), strict=True)]), N, told)
    coded = dict(flat, phq_1=[-99 if i in (3, 17, 30) else x for i, x in enumerate(item)])
    coded["age"] = [-99 if i == 5 else x for i, x in enumerate(flat["age"])]
    gone = {**right, "phq_1": Right("ordinal", steps, 3), "age": Right("continuous", None, 1)}
    rows = [list(coded), *zip(*coded.values(), strict=True)]
    yield Export("REDCap", "-99 in two columns, once in one", "redcap.csv", text(rows), N, gone)
    visits = [
        (person, f"visit_{visit}_arm_1", sex, score)
        for person, sex in zip(range(1, 25), answers(11, ("f", "m"), 24), strict=True)
        for visit, score in zip((1, 2, 3), numbers(person, 0, 40, 3), strict=True)
    ]
    long = {
        "record_id": Right(OUT, subject=True),
        "redcap_event_name": Right("nominal|ordinal|ignore"), "sex": Right("nominal", ("f", "m"), 0),
        "score": Right("continuous", None, 0),
    }  # fmt: skip
    forms = []
    for person, sex, age in zip(range(1, 31), answers(57, ("f", "m"), 30), numbers(58, 20, 80, 30), strict=True):
        forms.append([person, "", "", sex, age, ""])
        forms += [[person, "lab", i + 1, "", "", 80 + (17 * person + 5 * i) % 53] for i in range(1 + person % 3)]
    repeated = {
        "record_id": Right(OUT, subject=True), "redcap_repeat_instrument": Right(OUT),
        "redcap_repeat_instance": Right("nominal|ordinal|continuous"), "sex": Right(OUT), "age": Right(OUT),
        "sex (record_id)": Right("nominal", ("f", "m"), 0), "age (record_id)": Right("continuous", None, 0),
        "crp": Right("continuous", None, 30),
    }  # fmt: skip
    names = ["record_id", "redcap_repeat_instrument", "redcap_repeat_instance", "sex", "age", "crp"]
    yield Export("REDCap", "repeating", "repeat.csv", text([names, *forms]), len(forms), repeated)
    for shuffled in (False, True):
        some = random.Random(1).sample(visits, len(visits)) if shuffled else visits
        switch = f"longitudinal{', shuffled' if shuffled else ''}"
        yield Export("REDCap", switch, "long.csv", text([list(long), *some]), len(visits), long)


def _survey_monkey() -> Iterator[Export]:
    """Two rows: a question stands for all of its columns."""
    upper = ["Respondent ID", "Start Date", "How often do you feel", "", "", "Your age"]
    lower = ["", "", "calm", "tense", "tired", "Open-Ended Response"]
    data = [
        [118_000_000 + 37 * i for i in range(N)],
        [f"01/{1 + i % 28:02d}/2024 10:00:00" for i in range(N)],
        *(answers(i, FREQUENCY) for i in (12, 13, 14)),
        numbers(15, 18, 80),
    ]
    stem = "How often do you feel"
    columns = {"Respondent ID": Right(OUT), "Start Date": Right(OUT)}
    columns |= {f"{stem} {word}": Right("ordinal", FREQUENCY, 0) for word in lower[2:5]}
    columns["Your age Open-Ended Response"] = Right("continuous", None, 0)
    for switch, separator, ending in (("commas", ",", "\n"), ("semicolons", ";", "\r\n"), ("tabs", "\t", "\n")):
        rows = [upper, lower, *zip(*data, strict=True)]
        yield Export("SurveyMonkey", switch, "monkey.csv", text(rows, separator, ending=ending), N, columns)
    upper[2:2], lower[2:2] = ["Your sex", "Your devices", ""], ["Response", "Phone", "Laptop"]
    ticks = [["Phone" if i % 3 else "" for i in range(N)], ["Laptop" if i * 7 % 5 < 2 else "" for i in range(N)]]
    rows = [upper, lower, *zip(*data[:2], answers(56, ("female", "male")), *ticks, *data[2:], strict=True)]
    columns = {**columns, "Your sex Response": Right("nominal", ("female", "male"), 0)}
    for device in ("Your devices Phone", "Your devices Laptop"):
        columns |= {device: Right("ignore"), f"{device} ticked": Right("nominal", ("no", "yes"), 0)}
    yield Export("SurveyMonkey", "one answer, ticks", "monkey.csv", text(rows), N, columns)


def _lime_survey() -> Iterator[Export]:
    """Codes or full answers; German answers with one that is none."""
    words = (*ZUSTIMMUNG, "keine Angabe")
    first, second = answers(16, words), answers(17, words)
    third = answers(18, ZUSTIMMUNG)
    full = {
        "id. Antwort ID": list(range(1, N + 1)),
        "G1Q1[SQ001]. Bewerten Sie [ruhig]": first,
        "G1Q1[SQ002]. Bewerten Sie [müde]": second,
        "G1Q1[SQ003]. Bewerten Sie [froh]": third,
        "geschl. Geschlecht": answers(19, ("weiblich", "männlich")),
    }
    gaps = [sum(word == "keine Angabe" for word in some) for some in (first, second, third)]
    right = {name: Right("ordinal", ZUSTIMMUNG, gap) for name, gap in zip(list(full)[1:4], gaps, strict=True)}
    columns = {"id. Antwort ID": Right(OUT), **right, "geschl. Geschlecht": Right("nominal", ("weiblich", "männlich"))}
    for separator, encoding in ((",", "utf-8"), (";", "utf-8-sig"), ("\t", "cp1252")):
        rows = [list(full), *zip(*full.values(), strict=True)]
        switch = f"full answers, {separator!r}, {encoding}"
        yield Export("LimeSurvey", switch, "lime.csv", text(rows, separator, encoding), N, columns)
    codes = {"id": full["id. Antwort ID"]} | {
        f"G1Q1_SQ00{i}": answers(20 + i, ("A1", "A2", "A3", "A4")) for i in range(4)
    }
    right = {name: Right("ordinal", ("A1", "A2", "A3", "A4"), 0) for name in list(codes)[1:]}
    rows = [list(codes), *zip(*codes.values(), strict=True)]
    yield Export("LimeSurvey", "codes", "lime.csv", text(rows), N, {"id": Right(OUT), **right})
    behind = {f"i{i}": answers(30 + i, [f"{word} ({5 - j})" for j, word in enumerate(LIKERT)]) for i in range(3)}
    levels = [f"{word} ({5 - j})" for j, word in enumerate(LIKERT)]
    rows = [list(behind), *zip(*behind.values(), strict=True)]
    columns = {name: Right("ordinal", levels, 0) for name in behind}
    yield Export("LimeSurvey", "codes behind words", "lime.csv", text(rows), N, columns)
    for switch, some in {
        "codes before words": ["1 = blau", "2 = grün", "3 = rot", "4 = gelb"],
        "codes in brackets before words": ["[1] wenig", "[2] etwas", "[3] ziemlich", "[4] ganz"],
        "words at the ends": ["Never", "2", "3", "4", "Always"],
        "code and words at the ends": ["1 (not at all)", "2", "3", "4", "5 (extremely)"],
    }.items():
        one = {f"x{i}": answers(40 + i, some) for i in range(3)}
        rows = [list(one), *zip(*one.values(), strict=True)]
        columns = {name: Right("ordinal", some, 0) for name in one}
        yield Export("LimeSurvey", switch, "lime.csv", text(rows), N, columns)


def _google_forms() -> Iterator[Export]:
    """Questions as names, a time stamp first, several answers in one cell."""
    form = {
        "Timestamp": [f"2024/03/{1 + i % 28:02d} 9:{10 + i % 50}:00 AM GMT+1" for i in range(N)],
        "How much do you agree? [It is calm here]": answers(50, LIKERT),
        "How much do you agree? [I sleep well]": answers(51, LIKERT),
        "Your ward": answers(52, ("Ward A", "Ward\u00a0A", "Ward B")),
        "Did you need help?": answers(53, ("None", "None", "A nurse", "A relative")),
    }
    columns = {
        "Timestamp": Right(OUT),
        "How much do you agree? [It is calm here]": Right("ordinal", LIKERT, 0),
        "How much do you agree? [I sleep well]": Right("ordinal", LIKERT, 0),
        "Your ward": Right("nominal", ("Ward A", "Ward B"), 0),
        "Did you need help?": Right("nominal", ("None", "A nurse", "A relative"), 0),
    }
    rows = [list(form), *zip(*form.values(), strict=True)]
    yield Export("Google Forms", "blanks, None", "form.csv", text(rows), N, columns)
    form["Your ward"] = answers(54, ("Yes", "yes", "No", "YES"))
    columns = {**columns, "Your ward": Right("nominal", ("Yes", "No"), 0)}
    rows = [list(form), *zip(*form.values(), strict=True)]
    yield Export("Google Forms", "capitals", "form.csv", text(rows), N, columns)
