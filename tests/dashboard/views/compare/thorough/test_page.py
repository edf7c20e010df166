"""The page that compares: its first screen, groups of a column, other methods, shuffles, and a kept comparison."""

from __future__ import annotations

from html import escape

import numpy as np

import engine
from dashboard.session.cards import Card
from dashboard.session.comparing import BATCH, Comparisons
from dashboard.session.projects import bytes_of, cards_from
from dashboard.session.session import Session
from dashboard.views.compare.pictures import MOST_OF_PART
from dashboard.views.results.report import report_bytes
from dashboard.views.shared.neighbourhood import PartsDrawn
from engine.project.report.write import script_of
from tests.dashboard.views.compare.test_page import DATA, answers, page, said, session_with


def test_shuffles_come_in_batches_and_stay_when_stopped() -> None:
    """None by itself; asked for, what two random parts share is said, and a second batch adds to it."""
    held = session_with()
    at = page(held)
    kept = held.state(Comparisons)
    (key,) = kept.shuffling
    assert kept.shuffling[key].job is None and kept.results[key].shuffles is None
    kept.shuffling[key].want(BATCH)
    at.run()
    for expected in (BATCH, 2 * BATCH):
        job = kept.shuffling[key].job
        assert job is not None and job.wait(120) and job.error is None
        at.run()
        assert not at.exception
        found = kept.results[key]
        assert found.shuffles is not None and found.shuffles.many == expected
        assert f"Learned again in {expected} shuffles" in said(at)
        assert "two random parts of these sizes share" in said(at)
        if expected == BATCH:
            kept.shuffling[key].want(BATCH)
            at.run()
    kept.shuffling[key].want(BATCH)
    at.run()
    job = kept.shuffling[key].job
    assert job is not None
    job.cancel()
    job.wait(20)
    at.run()
    assert kept.results[key].shuffles.many == 2 * BATCH  # type: ignore[union-attr]


def test_many_variables_open_on_what_differs_and_lies_around_it() -> None:
    """Nine boxes of 14, with both ends of the link that differs among them; all by one press."""
    random = np.random.default_rng(5)
    codes = random.integers(0, 2, (15, 400))
    for place in range(1, 14):
        stays = random.random(400) < 0.8
        codes[place] = np.where(stays, codes[place - 1], codes[place])
    codes[7] = np.where(codes[14] == 1, codes[6], 1 - codes[6]) ^ (random.random(400) < 0.1)
    names = [*(f"v{place}" for place in range(14)), "group"]
    table = engine.Dataset.from_codes(codes, [2] * 14 + [["one", "two"]], names)
    held = Session(dataset=table, source="many.csv")
    for number, (level, part) in enumerate(engine.by_group(table, "group").items()):
        held.cards.add(Card(number, engine.LogLinear().run(part), part, "many.csv", group=f"group = {level}"))
    at = page(held)
    (drawn,) = [one.value for one in at.caption if one.value.startswith("Drawn:")]
    assert "v6" in drawn and "v7" in drawn and "of 14 variables" in drawn
    (shown,) = held.state(PartsDrawn).names.values()
    assert len(shown) <= MOST_OF_PART and {"v6", "v7"} <= set(shown)
    next(one for one in at.toggle if one.label == "All 14 variables").set_value(True).run()
    assert not at.exception
    assert [len(names) for names in held.state(PartsDrawn).names.values()] == [14]


def test_a_kept_comparison_is_a_card_a_chapter_and_part_of_the_file() -> None:
    """With a star and a name that says what is compared; out of the file it says the same."""
    held = session_with()
    at = page(held)
    next(one for one in at.sidebar.button if one.label == "Keep this comparison").click().run()
    assert not at.exception
    (card,) = [one for one in held.cards if one.slug == "compare"]
    assert card.name() == "Associations: South v North"
    assert card.data is DATA
    text = report_bytes(held, [card], "Title", 0, [script_of(card.result)], {}).decode()
    assert escape(card.result.headline()) in text
    assert "engine.compare(" in text and "stroke='#DD8432'" in text
    project = engine.load(bytes_of(held, with_table=True))
    again = next(one for one in cards_from(project, DATA) if one.slug == "compare")
    assert again.result == card.result and again.starred and again.data is not None
    shown = Session(dataset=DATA, source="two_hospitals.csv")
    shown.show(shown.cards.add(again))
    assert card.result.headline().replace("\u00a0", " ") in said(page(shown))


def test_a_kept_comparison_is_asked_again_of_another_table() -> None:
    """Of half the rows: each group is learned again, and the links are tested again."""
    held = session_with()
    at = page(held)
    next(one for one in at.sidebar.button if one.label == "Keep this comparison").click().run()
    (card,) = [one for one in held.cards if one.slug == "compare"]
    half = DATA.rows(np.arange(0, DATA.n_rows, 2))
    held.dataset = half
    key = held.rerun_card(card)
    job = held.job_queue.get(key)
    assert job is not None and job.wait(120) and job.error is None
    held.collect()
    new = held.cards.get(key)
    assert (new is not None and new.result.rows == (309, 291)) or sum(new.result.rows) == half.n_rows  # type: ignore[union-attr]
    assert new.result.fingerprint == half.fingerprint  # type: ignore[union-attr]


def test_all_pairs_of_three_groups_have_a_card_each() -> None:
    """One correction over all of them; a press draws the pair."""
    column = next(name for name in DATA.names if len(DATA.levels[name]) == 3)
    held = session_with(column)
    at = page(held)
    pairs = [one for one in at.sidebar.button if " v " in one.label]
    assert len(pairs) == 3
    results, parts = answers(column)
    assert engine.compare(*results, data=parts).headline().replace("\u00a0", " ") in said(at)
    pairs[2].click().run()
    assert not at.exception
