"""The whole document: valid, complete by itself, honest about what it hides, harmless whatever the names are."""

from __future__ import annotations

import json
import re
import sys
from html import unescape
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest

import engine
import sample_data
from engine.errors import DataError, SettingsError
from engine.methods.links_result import TWO_MEASURES
from engine.methods.masked import Masked
from engine.methods.result import Result
from engine.project.report.charts import Picture
from tests.contract.made_up import ChowLiu
from tests.engine.make import two_groups
from tests.engine.project.report.answers import GROUP, KINDS, RARE, SAMPLES, answer, small, table
from tests.engine.project.report.strict import elements, faults, parsed, words


def written(results: Result | list[Result], **more: object) -> str:
    """The document as text."""
    text = engine.report(results, **more)  # type: ignore[arg-type]
    assert text is not None
    return text


@pytest.fixture(scope="module")
def five() -> str:
    """A report of five results, one a method, with their tables."""
    return written([answer(kind) for kind in SAMPLES], data=[table(kind) for kind in SAMPLES], when="2026-01-02")


def test_five_results_are_a_valid_document_under_5_mb(five: str) -> None:
    """Strictly read; nothing is asked for outside; no script."""
    assert faults(five) == []
    assert len(five.encode("utf-8")) < 5_000_000
    assert not re.search(r"https?:|src=|@import|url\((?!#)", five)
    assert "default-src 'none'" in parsed(five).find(".//meta[@http-equiv]").get("content")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("least", [0, 11])
def test_every_kind_of_answer_makes_a_valid_document(kind: str, least: int) -> None:
    """Alone, with and without small counts."""
    assert faults(written(answer(kind), hide_below=least)) == []


def test_everything_that_an_answer_says_is_said(five: str) -> None:
    """Headline, sentences, notes, caution and the sentences of its sections."""
    found = words(five)
    for kind in SAMPLES:
        result = answer(kind)
        parts = [one for section in result.sections() for one in section.sentences]
        for said in [result.headline(), *result.sentences(), *result.notes(), result.caution, *parts]:
            assert " ".join(said.split()) in found


def test_contents_lead_to_every_part(five: str) -> None:
    """Each result, the tables, how to read it, and the colophon; all of these are there."""
    contents = five.split("<nav", 1)[1].split("</nav>", 1)[0]
    links = re.findall(r"<a href='([^']+)'", contents)
    assert links == [*(f"#r{number}" for number in range(1, 6)), "#data", "#reading", "#appendix", "#colophon"]
    assert {f"#{one.get('id')}" for one in elements(parsed(five))} >= set(links)


def test_the_first_page_has_questions_answers_and_a_picture(five: str) -> None:
    """Of the first three results, in their order; the chart of the first one."""
    first_page = five.split("<nav", 1)[0]
    said, shown = unescape(first_page), [answer(kind) for kind in list(SAMPLES)[:3]]
    places = [said.index(result.headline()) for result in shown]
    assert places == sorted(places)
    questions = [unescape(text) for text in re.findall(r"<p class='question'><a[^>]*>(.*?)</a></p>", first_page)]
    assert questions == [result.question() for result in shown]
    assert "2 more results below" in said
    assert first_page.count("role='img'") == 1 and "<circle cx=" in first_page


@pytest.mark.parametrize("kind", KINDS)
def test_a_chapter_is_short_and_leaves_nothing_out(kind: str) -> None:
    """At most 1,500 words, two pictures and two short tables; the others stand in the closed appendix, named above."""
    text = written(answer(kind), data=table(kind) if kind in SAMPLES else None)
    chapter = re.search(r"<section class='part' id='r1'>.*?</section>", text, re.S)
    appendix = re.search(r"<details><summary><b>Result 1.*?</details>", text, re.S)
    assert chapter and appendix
    assert 60 < len(re.findall(r"\w\S*", re.sub(r"<[^>]*>", " ", chapter[0]))) <= 1500
    assert chapter[0].count("<figcaption>") <= 2
    numbers = [
        re.findall(r"<b>Table 1\.(\d+)\b(?! Settings)[^<]*</b>(?!, cont)", part[0]) for part in (chapter, appendix)
    ]
    assert len(numbers[0]) <= 2
    assert [int(number) for part in numbers for number in part] == [*range(1, len(numbers[0] + numbers[1]) + 1)]
    titles = appendix[0].split("</summary>")[0]
    assert all(f"Table 1.{number} " in titles for number in numbers[1])
    for title in (title for section in answer(kind).sections() for title in section.tables):
        if title == "Characteristics":  # Table 1 of the document
            assert text.count("<b>Table 1 by ") == 2
            continue
        empty = not len(Masked(answer(kind)).frame(title)) or answer(kind).table_description(title).drawn
        assert empty or f" {title}</b>" in chapter[0] + appendix[0]


def test_every_network_is_a_picture_and_a_text(five: str) -> None:
    """One picture a network in its chapter, of groups without the pooled one, and every edge in words."""
    found = words(five)
    for number, kind in enumerate(SAMPLES, 1):
        panels = re.findall(f"aria-labelledby='r{number}-n-\\d+-t", five)
        pictured = next(section.networks for section in answer(kind).sections() if "networks" in section.figures)
        assert len(panels) == len([*answer(kind).graphs()][:pictured])
        assert pictured == (2 if kind == "group_difference" else None)
    for kind in SAMPLES:
        for row in answer(kind).edges().itertuples():
            assert f"{row.source} {'→' if row.mark == '->' else '—'} {row.target}" in found


def test_without_the_table_the_document_tells_what_results_remember() -> None:
    """Kinds and levels from the recipe; with the table, counts too."""
    result = answer("log_linear")
    assert "1,077" not in words(written(result))
    counts = np.bincount(table("log_linear").codes[0])
    assert f"north {counts[0]:,}" in words(written(result, data=table("log_linear")))
    assert "north" in words(written(result))


def test_results_of_one_table_share_its_report() -> None:
    """It is told once, with the numbers of both."""
    found = words(written([answer("instance_specific"), answer("cohort")], data=table("cohort")))
    assert found.count("Table 0.1") == 1
    assert "The table" in found and "The tables" not in found
    assert "Table 0.2" not in found
    two = words(written([answer("instance_specific"), answer("ordinal")], data=[table("cohort"), table("ordinal")]))
    assert "The tables" in two
    assert "· result 1" in two and "· result 2" in two
    assert "Table 0.1" in two and "Table 0.2" in two


def test_the_users_words_stand_where_they_belong() -> None:
    """Title, titles, notes, name of the table, date and script."""
    found = words(
        written(
            [answer("log_linear"), answer("ordinal")],
            title="Our title",
            titles=["First", ""],
            notes=["one line\nanother", ""],
            source="survey.xlsx",
            when="on a Monday",
            script=["print('mine')", None],
        )
    )
    for said in ("Our title", "First", "one line", "another", "survey.xlsx", "on a Monday", "print('mine')"):
        assert said in found
    assert found.count("The same in Python") == 1
    made = written(answer("ordinal"), script=lambda result: f"# {result.slug}")
    assert "# ordinal" in words(made)


def test_hostile_names_are_text() -> None:
    """In names, levels, titles, notes: markup is shown to the letter, and invisible characters are gone."""
    result = engine.GroupDifference(group=GROUP).run(small())
    evil = "</style></title><script>alert('x')</script>\u202e\x00\ud800"
    text = written(result, data=small(), title=evil, titles=[evil], notes=[evil], source=evil, when=evil, script=[evil])
    assert faults(text) == []
    assert "\u202e" not in text
    assert "&lt;script&gt;alert(&#x27;ill&#x27;)" in text
    assert words(text).count("</title><script>alert('x')</script>") >= 5


def test_small_counts_are_hidden_and_that_is_said() -> None:
    """No count from 1 to 4 of a level is left in the document."""
    result = engine.GroupDifference(group=GROUP).run(small())
    shown, hidden = (words(written(result, data=small(), hide_below=least)) for least in (0, 5))
    assert f"{RARE} 3" in shown
    assert f"{RARE} fewer than 5" in hidden
    assert f"{RARE} 3" not in hidden
    assert re.search(r"counts from 1 to 4 are shown as “fewer than 5”; \d+ cells hidden in all", hidden)
    assert "hidden in all" not in shown


def test_the_number_of_hidden_cells_is_the_number_in_print() -> None:
    """What the cover says can be counted."""
    text = written(engine.GroupDifference(group=GROUP).run(small()), hide_below=5)
    said = re.search(r"; (\d+) cells? hidden in all", words(text))
    assert said is not None
    cells = [one for one in elements(parsed(text)) if one.get("class", "").split()[-1:] == ["hid"]]
    assert int(said[1]) == len(cells)


def test_dropped_rows_are_hidden_where_they_are_few() -> None:
    """Both numbers would give them away, and so would the cells that are missing."""
    frame = pd.DataFrame({"x": ["a", "b"] * 40, "y": ["p", "q", "p", "p"] * 20})
    frame.loc[[3, 7], "x"] = None
    data = engine.Dataset.from_frame(frame)
    result = engine.LogLinear().run(data)
    shown, hidden = (words(written(result, data=data, hide_below=least)) for least in (0, 5))
    assert "78 of 80 rows are used; 2 were dropped" in shown
    assert not re.search(r"\b80\b", hidden)
    assert "of a number that is hidden" in hidden


def test_the_table_of_columns_says_what_became_of_each() -> None:
    """In words: what was left out, and what was cut."""
    made = np.random.default_rng(0)
    frame = pd.DataFrame({"who": [f"p{i}" for i in range(60)], "age": made.normal(50, 9, 60).round(1)})
    data = engine.Dataset.from_frame(frame.assign(sex=["f", "m"] * 30, ill=["y", "n", "n"] * 20))
    found = words(written(engine.LogLinear().run(data), data=data))
    assert "wholeft out" in found
    assert "agenumber, in intervals" in found


def test_charts_are_shown_but_not_where_counts_are_hidden() -> None:
    """Nobody knows what is drawn in them."""
    chart = Picture("A chart", "<svg viewBox='0 0 9 9'><text>secret 3</text></svg>", "Three bars.")
    assert "secret 3" in words(written(answer("log_linear"), charts=[[chart]]))
    hidden = words(written(answer("log_linear"), charts=[[chart]], hide_below=5))
    assert "secret 3" not in hidden
    assert "Charts are left out where counts are hidden" in hidden


def test_a_person_given_by_values_is_not_told_where_counts_are_hidden() -> None:
    """Neither as a table nor in the script."""
    result = answer("patient by values")
    assert "'age': 'under 50'" in words(written(result))
    hidden = words(written(result, hide_below=5))
    assert "'age': 'under 50'" not in hidden
    assert "Left out because each row is one person: Unusual values and Patient." in hidden
    assert "mine" not in words(written(result, hide_below=5, script=["mine = 'under 50'"]))


def test_a_file_is_written(tmp_path: Path) -> None:
    """With the same content as the text; a place that is none says so."""
    path = tmp_path / "report.html"
    assert engine.report(answer("ordinal"), path, when="now") is None
    assert path.read_text(encoding="utf-8") == written(answer("ordinal"), when="now")
    with pytest.raises(DataError, match=r"'report.html' cannot be written"):
        engine.report(answer("ordinal"), tmp_path / "nowhere" / "report.html")


def test_what_is_asked_wrongly_is_refused() -> None:
    """Each with one sentence."""
    result = answer("ordinal")
    for wrong in ([], "result", [result, "x"], None):
        with pytest.raises(DataError, match="writes the results"):
            engine.report(wrong)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="none that these results were made of"):
        engine.report(result, data=sample_data.dataset("two_hospitals"))
    with pytest.raises(DataError, match=r"must be the engine\.Dataset"):
        engine.report(result, data=["table.csv"])  # type: ignore[list-item]
    for name in ("titles", "notes", "charts", "script"):
        with pytest.raises(SettingsError, match=f"{name} must be a list with one entry a result"):
            engine.report(result, **{name: ["a", "b"]})
    for least in (-1, 2.5, True, "5", 10**9):
        with pytest.raises(SettingsError, match="hide_below is"):
            engine.report(result, hide_below=least)  # type: ignore[arg-type]


def test_a_method_that_nobody_declared_is_reported_with_care() -> None:
    """Its tables stand as they are, and its whole numbers count as counts."""
    result = ChowLiu().run(small())
    assert faults(written(result)) == []
    assert faults(written(result, hide_below=11)) == []


def test_equal_results_make_equal_documents() -> None:
    """Nothing in it depends on the hour."""
    assert written(answer("ordinal"), when="x") == written(answer("ordinal"), when="x")


@pytest.mark.parametrize("kind", KINDS)
def test_one_sentence_leads_everywhere(kind: str) -> None:
    """Summary, JSON and the first page begin with the headline of every kind of answer, a comparison among them."""
    result = answer(kind)
    headline = result.headline()
    assert result.summary().splitlines()[0] == headline
    assert json.loads(result.to_json())["headline"] == headline
    assert headline in unescape(written(result).split("<nav", 1)[0])
    assert len(re.findall(r"\w\S*", headline)) <= 25


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_is_in_words_of_the_table(kind: str) -> None:
    """Short, a question, and another than that of the method; it heads the chapter."""
    result = answer(kind)
    question = result.question()
    assert question.endswith("?") and len(question.split()) <= 14 and question != type(result.method).question
    assert f"<h2>{question}</h2>" in unescape(written(result))
    if kind == "gap":
        assert question == "South v North: which variables differ?"


def test_the_summary_says_how_sure_it_is_and_why_rows_are_missing() -> None:
    """P, p and an interval; the column that had gaps; what nobody decided; no more than is in print."""
    made = np.random.default_rng(5)
    frame = pd.DataFrame({"arm": ["drug", "placebo"] * 100, "pain": made.normal(5, 1, 200).round(1)})
    frame["pain"] += frame["arm"].eq("drug") * 2
    frame["sex"] = made.choice(["f", "m"], 200)
    frame.loc[:19, "sex"] = None
    data = engine.Dataset.from_frame(frame)
    result = engine.GroupDifference(group="arm").run(data)
    found = words(written(result, data=data, form="summary", questions=["Is 99 in 'pain' a value?"]))
    assert "P(differs)" in found
    assert re.search(r"pain: the mean is 1\.99 lower in placebo \(95 %: −2\.\d+ to −1\.\d+\)", found)
    assert re.search(r"(Inconclusive: sex \(|No difference seen, which does not make them equivalent: sex\.)", found)
    table_1 = result.table("Variables")
    assert re.fullmatch(r"\d\.\d+ \(\d\.\d+\)", table_1["first"][0]), "means, as its difference is of means"
    assert list(table_1).index("overall") < list(table_1).index("difference")
    assert "180 of 200 rows are used; 20 were dropped because they lack a value in 'sex' (20)" in found
    assert "Is 99 in 'pain' a value?" in found
    hidden = words(written(result, data=data, form="summary", hide_below=50, questions=["Are 20 cells in 'sex' gaps?"]))
    assert "20 " not in hidden.split("Table 1")[0]


def test_the_first_page_says_what_is_neither_different_nor_the_same() -> None:
    """Variables that are not called, a patient's links, pairs without one; of one variable by its name."""
    every = [answer(kind) for kind in ("group_difference", "instance_specific", "log_linear")]
    said = [sentence for each in every for sentence in each.left_open()]
    assert len(said) > 2 and all(len(sentence.split()) <= 25 for sentence in said)
    assert re.match(r"Equivalent overall \(±10.pp\): \w+", said[0])
    assert re.search(
        r"links? could be compared .*: \w+ shown to differ, \w+ to be alike, \w+ inconclusive\.$", said[-2]
    )
    cover = words(written(every)).split("Result 1")[0]
    assert all(" ".join(sentence.split()) in cover for sentence in said)
    open_ = every[0].verdicts.index[every[0].verdicts["verdict"] == "cannot tell"]
    assert len(open_) and f"Inconclusive: {open_[0]}" in cover, "beside what differs, with its P"


def test_the_summary_has_the_largest_differences_and_the_smallest_group() -> None:
    """Of 14 variables the last differs, and stands there. A small group is not counted where hidden."""
    made = np.random.default_rng(6)
    frame = pd.DataFrame(made.normal(0, 1, (200, 14)).round(2), columns=[f"v{i:02}" for i in range(14)])
    frame = frame.assign(arm=["drug"] * 30 + ["placebo"] * 170)
    frame["v13"] += frame["arm"].eq("drug") * 2
    apart = frame["v12"] - frame.groupby("arm")["v12"].transform("mean")
    frame["v12"] = (apart * frame["arm"].map({"drug": 9, "placebo": 1})).round(3)
    data = engine.Dataset.from_frame(frame)
    result = engine.GroupDifference(group="arm").run(data)
    found = written(result, data=data, form="summary")
    assert "<td>v13</td>" in found and "<td>v12</td>" in found, "also the one whose spread alone differs"
    assert "9 called different or with the largest SMD; 5 more variables in the whole report" in found
    assert "arm = drug, 30 of 200 rows" in words(found)
    assert "smallest group" not in words(written(result, data=data, form="summary", hide_below=50))


def test_table_1_is_there_once_whole_whatever_was_asked() -> None:
    """Of the groups that were compared, else of the likely group of the table; nowhere where counts are hidden."""
    compared = written([answer("group_difference"), answer("log_linear")], data=table("group_difference"))
    assert compared.count("<b>Table 1 by hospital</b>") == 2
    alone = written(answer("discriminative"), data=table("discriminative"))
    assert alone.count("<b>Table 1 by ") == 2 and "<b>Table 1 by" not in written(answer("discriminative"))
    assert "<b>Table 1 by" not in written(answer("discriminative"), data=table("discriminative"), hide_below=5)
    assert re.search(r"<td class='n'>−?0\.\d\d</td></tr>", alone), "SMD with two decimals"


def test_many_variables_without_a_link_are_named_and_not_drawn() -> None:
    """Two that are linked and ten that are not make a picture of two boxes."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 2, (400, 11)), columns=[f"alone {i}" for i in range(10)] + ["pain"])
    data = engine.Dataset.from_frame(frame.assign(sleep=np.where(rng.random(400) < 0.9, frame["pain"], 1)).astype(str))
    text = engine.report(engine.LogLinear().run(data))
    assert "Without any link and not drawn: alone 0, alone 1," in text
    assert text.count(">alone 1<") < text.count(">pain<")
    few = engine.Dataset.from_frame(frame.assign(sleep=frame["pain"]).drop(columns="alone 9").astype(str))
    assert "not drawn" not in engine.report(engine.LogLinear().run(few))


def test_a_summary_is_its_first_page_and_no_chapter_says_bits() -> None:
    """Question, answer, Table 1, a picture, limits; numbers of the message stand in the appendix alone."""
    results = [answer("group_difference"), answer("log_linear")]
    brief = str(engine.report(results, form="summary"))
    assert "<b>Table 1 by hospital</b>" in brief and "<svg" in brief and "What limits this" in brief
    assert "id='appendix'" not in brief and "id='r1'" not in brief
    chapters, _, appendix = str(engine.report(results)).partition("id='appendix'")
    assert "bits" in appendix
    assert not re.search(r"\bbits\b|BDeu", re.sub(r"<style.*?</style>", "", chapters, flags=re.DOTALL))


def test_a_workbook_has_every_table_and_no_formula(tmp_path: Path) -> None:
    """A sheet a table, numbers as numbers, a name that begins as a formula does as a text; small counts hidden."""
    data = two_groups(60, 4, 9, seed=3, changed=True)
    frame = data.to_frame().rename(columns={data.names[1]: "=cmd()"})
    result = engine.LogLinear().run(engine.Dataset.from_frame(frame))
    engine.report(result, tmp_path / "report.xlsx", title="=1+1", hide_below=11)
    book = openpyxl.load_workbook(tmp_path / "report.xlsx")
    assert book.sheetnames[:2] == ["Summary", "1 Edges"]
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert book["Summary"]["A1"].value == "=1+1" and not any(cell.data_type == "f" for cell in cells)
    assert any(cell.data_type == "n" for cell in cells)
    assert len(book.sheetnames) == 1 + len(result.table_titles())


def test_a_word_document_has_sentences_and_short_tables(tmp_path: Path) -> None:
    """And without its package a sentence says what is missing; a form that is none is refused."""
    with pytest.raises(SettingsError, match="'html', 'summary', 'word', 'excel'"):
        engine.report(answer("log_linear"), form="pdf")
    docx = pytest.importorskip("docx")
    result = answer("group_difference")
    engine.report(result, tmp_path / "report.docx")
    document = docx.Document(str(tmp_path / "report.docx"))
    said = [paragraph.text for paragraph in document.paragraphs]
    assert result.headline() in said and len(document.tables) > 1


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(SettingsError, match="pip install python-docx"):
        engine.report(answer("log_linear"), form="word")


def test_shares_of_a_link_in_words_are_hidden_where_counts_are() -> None:
    """They would tell them; without that every link says its level and its rows."""
    shown, hidden = (Masked(answer("log_linear"), least).written("Edges")["shares"] for least in (0, 5))
    assert all(" otherwise" in text or text.startswith("no overall association seen (") for text in shown)
    assert set(hidden) == {"hidden"}


def test_two_methods_that_measure_links_otherwise_are_joined_by_a_sentence() -> None:
    """Of one table; answers of two tables are not compared."""
    ordinal, data = answer("ordinal"), table("ordinal")
    other = engine.LogLinear(criterion="bic").run(data)
    assert TWO_MEASURES in unescape(written([ordinal, other]))
    assert TWO_MEASURES not in unescape(written([ordinal, answer("log_linear")]))
