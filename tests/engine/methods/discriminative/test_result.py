"""What an answer says: families, tables, pushes that sum to the score, several classes, and honest sentences."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score, precision_score, recall_score, roc_auc_score

import engine
from engine.methods.discriminative.families import leading_family
from engine.methods.discriminative.result import DiscriminativeResult
from engine.telling.discriminative.accuracy import figure_rows
from engine.telling.discriminative.families import apart, family_sentence
from engine.telling.discriminative.wording import class_sentence, link_sentence
from engine.words import in_percent, with_minus
from tests.engine.methods.discriminative.make import METHOD, dataset, row_frame, series_frame

KINDS = {f"v{i}": "continuous" for i in range(4)}


def result(
    method: engine.Discriminative = METHOD, frame: pd.DataFrame | None = None, **more: object
) -> DiscriminativeResult:
    """Of small series."""
    return method.run(dataset(series_frame() if frame is None else frame, **more))


def test_the_changed_link_comes_first_with_its_tables() -> None:
    """v0 (t) -> v1 (t+1) of the ill; counts are those of the frame."""
    frame = series_frame()
    found = result(replace(METHOD, shuffles=19))
    top = found.families().iloc[0]
    assert (top["network"], top["child"], top["parents"]) == ("ill", "v1", ("v0",))
    assert top["chance"] == pytest.approx(1 / 20)
    assert top["recurrence"] == 1.0
    assert top["worth"] == pytest.approx(top["pacl"] - top["added"])
    assert 0 < top["gain"] < top["worth"]
    assert top["low"] < top["effect"] < top["high"]
    table = found.cpt("ill", "v1")
    steps = [
        (one["v0"].iloc[t], one["v1"].iloc[t + 1])
        for _, one in frame[frame["class"] == "ill"].groupby("who")
        for t in range(len(one) - 1)
    ]
    for _, row in table.iterrows():
        pair = (int(row["v0 (t)"]), int(row["v1 (t+1)"]))
        assert row["count ill"] == steps.count(pair)
    shares = table.groupby("v0 (t)")[["share ill", "share well", "probability used"]].sum()
    assert shares.to_numpy() == pytest.approx(np.ones((3, 3)))
    assert list(found.graphs()) == ["ill", "well"]
    assert found.graphs()["ill"].has_edge("v0 (t)", "v1 (t+1)")
    with pytest.raises(engine.SettingsError, match="no network 'odd'"):
        found.cpt("odd", "v1")
    with pytest.raises(engine.SettingsError, match="no variable 'odd'"):
        found.cpt("ill", "odd")


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("top", [None, 1])
def test_pushes_sum_to_the_score(shared: bool, top: int | None) -> None:
    """To the last digits; shared structures start at 0 and are the likelihood ratio."""
    found = result(replace(METHOD, shared=shared, top_families=top))
    table = found.predict(dataset(series_frame(seed=1)))
    pushes = table[[name for name in table if name.startswith("push ")]]
    summed = (pushes.sum(axis=1) + table["start"]).to_numpy()
    assert summed == pytest.approx(table["score"].to_numpy(), rel=1e-12, abs=1e-12)
    said = np.where(table["score"] > 0, found.classes[1], found.classes[0])
    assert table["class"].tolist() == said.tolist()
    assert (table["class"] == ["well", "ill"] * 6).mean() > 0.8
    if shared:
        assert (table["start"] == 0).all()
        ratio = table["log_likelihood well"] - table["log_likelihood ill"]
        assert table["score"].to_numpy() == pytest.approx(ratio.to_numpy())


def test_what_was_learned_from_is_scored_as_it_was() -> None:
    """Likelihoods of `predict` are those of the run, for cut numbers too; a loaded answer predicts the same."""
    frame = series_frame(numbers=True)
    for way in ("quantiles", "series", "differences", "given"):
        data = dataset(frame, kinds=KINDS)
        found = replace(METHOD, discretise=way).run(data)
        table = found.predict(data)
        own = found.likelihoods[:, 0]
        assert table["log_likelihood ill"].to_numpy() == pytest.approx(own[:, 0], rel=1e-12)
        assert table["log_likelihood well"].to_numpy() == pytest.approx(own[:, 1], rel=1e-12)
        file = io.BytesIO()
        engine.save(found, file)
        pd.testing.assert_frame_equal(engine.load(file.getvalue()).predict(data), table)


def test_new_rows_are_told_by_the_recipe_of_the_old_ones() -> None:
    """A table without the class column, coded by the same recipe."""
    data = engine.Dataset.from_frame(row_frame(200))
    found = METHOD.run(data)
    new = row_frame(50, seed=9)
    coded = engine.Dataset.from_codes(
        np.array([new[name].astype(int) for name in ("v0", "v1", "v2", "v3")]), [2] * 4, ["v0", "v1", "v2", "v3"]
    )
    table = found.predict(coded)
    assert table["row"].tolist() == [f"row {i + 1}" for i in range(50)]
    assert (table["class"].to_numpy() == new["class"].to_numpy()).mean() > 0.7
    with pytest.raises(engine.DataError, match="no variable 'v3'"):
        found.predict(coded.select(["v0", "v1", "v2"]))
    with pytest.raises(engine.DataError, match="single rows"):
        found.predict(dataset(series_frame().astype({f"v{i}": str for i in range(4)})))
    other = engine.Dataset.from_codes(coded.codes, [3, 2, 2, 2], coded.names)
    with pytest.raises(engine.DataError, match="'v0' has other levels"):
        found.predict(other)


def test_of_three_classes_each_is_held_against_the_others() -> None:
    """A network a class, and one of the others; the largest score is the verdict."""
    frame = series_frame(subjects=18)
    third = frame["who"].isin([f"s{s:02d}" for s in range(12, 18)])
    rng = np.random.default_rng(0)
    frame.loc[third, "class"] = "odd"
    frame.loc[third, "v3"] = np.where(rng.random(third.sum()) < 0.8, frame.loc[third, "v2"].shift(fill_value=0), 0)
    found = result(replace(METHOD, shuffles=9), frame)
    assert found.classes == ("ill", "odd", "well")
    assert list(found.graphs()) == ["ill", "odd", "well", "not ill", "not odd", "not well"]
    assert list(found.networks) == ["ill", "odd", "well"]
    assert found.held_out.accuracy > 0.7
    assert found.held_out.confusion().to_numpy().sum() == 18
    table = found.predict(dataset(frame))
    pushes = table[[name for name in table if name.startswith("push ")]]
    summed = (pushes.sum(axis=1) + table["start"]).to_numpy()
    assert summed == pytest.approx(table["score"].to_numpy(), rel=1e-12, abs=1e-12)
    assert found.headline().startswith("Inconclusive whether classification of class beats chance (33\u00a0%): ")
    assert found.headline().endswith("; p\u00a0at most\u00a0.10.")
    assert found.sentences()[1].startswith("Sensitivity ")
    assert "odd against the others: specificity " in " ".join(found.section("verdicts").sentences)


def test_a_link_whose_levels_differ_too_is_called_inconclusive_in_both_places() -> None:
    """The sentence of all links and that of each family say the same: beyond the permutations, yet inconclusive."""
    frame = row_frame(400)
    ill = frame["class"] == "ill"
    frame.loc[ill & (frame.index % 3 > 0), ["v0", "v1"]] = "1"
    found = replace(METHOD, shuffles=39).run(engine.Dataset.from_frame(frame))
    ranked = found.families()
    top = ranked[ranked["levels"] & (ranked["chance"] <= 0.05) & (ranked["parents"].map(len) > 0)].iloc[0]
    assert family_sentence(top, apart(found, top)).startswith("Inconclusive (p\u00a0=\u00a0")
    said = link_sentence(found)
    assert f"{', '.join(top['parents'])} → {top['child']} ({top['network']})" in said
    assert "That is inconclusive: the levels of " in said
    assert "often gains as much" not in said


def test_the_headline_names_what_separates_where_all_that_carries_it_is_beyond_chance() -> None:
    """The shifts of the table with their intervals; nothing where p of the accuracy or its interval reaches chance."""
    found = replace(METHOD, shuffles=39).run(engine.Dataset.from_frame(row_frame(300)))
    top = found.links().sort_values("strength").iloc[-1]
    other = next(name for name in found.classes if name != top["network"])

    def size(of: str) -> str:
        shift, low, high = (f"{100 * top[f'{part}_{of}']:.0f}" for part in ("shift", "low", "high"))
        return with_minus(f"{'' if shift[0] == '-' else '+'}{shift} pp ({low} to {high})")

    # the classes' tables are each other's mirror
    sentence = f"{top['source']} → {top['target']} turns its direction: {top['target']} = 1 {size('own')} in "
    sentence += f"{top['network']} and {size('other')} in {other}; p at most .025."
    assert {top["source"], top["target"]} == {"v0", "v1"}
    assert sentence in found.sentences()[0].replace("\u00a0", " ")
    assert len(found.headline().split(" ")) <= 25
    held = found.held_out
    better = "Classification of class beats chance (50\u00a0%): balanced accuracy "
    assert found.headline().startswith(better) and found.claims()["verdict"].iloc[-1] == "yes"
    unsure = replace(found, held_out=replace(held, null=np.ones_like(held.null)))
    assert unsure.headline().startswith("Inconclusive whether classification of class beats chance (50\u00a0%): ")
    assert " turns its direction" not in unsure.sentences()[0]  # then no link is named as what separates
    few = np.concatenate([np.flatnonzero(held.labels == code)[:8] for code in (0, 1)])
    scores = np.where(np.arange(16) % 8 < 5, 1.0, -1.0) * np.where(held.labels[few], 1.0, -1.0)  # 5 of 8 are right
    part = {name: getattr(held, name)[few] for name in ("labels", "positions", "observations", "units")}
    ids, scored = tuple(held.ids[i] for i in few), scores[None, :, None]
    small = replace(held, **part, ids=ids, scores=scored, null=held.null * 0, others=())
    wide = replace(found, held_out=small)
    assert small.p < 0.05 and small.balanced_interval[0] <= 0.5 and not small.too_few
    assert wide.headline().startswith("Inconclusive whether ") and wide.headline().endswith(" held-out rows.")
    assert wide.claims()["verdict"].iloc[-1] == "cannot tell"


def test_the_headline_names_levels_where_no_link_is_beyond_chance() -> None:
    """The largest difference of the table, with how often it is in which class; of three classes one against all."""
    frame = row_frame(400)
    ill = frame["class"] == "ill"
    frame["v1"] = np.where(np.arange(400) % 7 < 3, "1", "0")
    frame.loc[ill & (frame.index % 3 > 0), "v2"] = "1"
    found = replace(METHOD, shuffles=39).run(engine.Dataset.from_frame(frame))
    leading = leading_family(found)
    assert leading is not None and leading["child"] == "v2"
    top = found.families().loc[leading.name]
    alone, beaten, said = found.sentences()[0].replace("\u00a0", " ").partition(". Accuracy")[0].split(". ")
    assert beaten == "The networks beat chance (50 %): p at most .025"
    assert alone.startswith("Whether the networks beat v2 alone is inconclusive: balanced accuracy ")
    single = found.held_out.compared["single"]
    assert found.headline().startswith("Networks are not seen to classify class better than v2 alone: balanced ")
    assert f") v {in_percent(single.balanced_accuracy)} (" in found.headline()
    held, (heads, *rows) = found.held_out, figure_rows(found.held_out)
    assert heads == (f"class = {held.case}; 95\u00a0% intervals", "Class networks", "v2 alone")
    assert rows[0][0] == "Balanced accuracy (chance 50\u00a0%)" and rows[0][2] in found.headline()
    for place, each in ((1, held), (2, single)):  # by scikit-learn, of either
        truth, called = (codes == held.classes.index(held.case) for codes in (each.labels, each.predicted))
        by_others = [
            balanced_accuracy_score(truth, called),
            recall_score(truth, called),
            recall_score(~truth, ~called),
            roc_auc_score(truth, each.score(held.case)),
            precision_score(truth, called),
        ]
        shown = [f"{x:.2f} (" if row == 3 else f"{in_percent(x)} (" for row, x in enumerate(by_others)]
        shown[3] = shown[3] if each is held else "no common score"  # ranked anew in each fold
        assert all(row[place].startswith(size) for row, size in zip(rows, shown, strict=True))
    assert len(figure_rows(held, classes=False)) == 2
    assert len(found.headline().split()) <= 25
    assert found.levels[2] == ("0", "1")  # of two levels that which is more common in the class named first
    assert said.startswith(f"v2 = 0 is {100 * abs(top['effect']):.0f} pp (")
    assert said.endswith(") more common in well than in ill; p at most .025")
    one = found.families().assign(effect=-0.3, low=-0.4, high=-0.2).loc[leading.name]
    other = found.families().assign(effect=0.3, low=0.2, high=0.4).loc[leading.name]
    both = [apart(found, row) for row in (one, other)]
    assert {each.place for each in both} == {"v2 = 0", "v2 = 1"} and list(both[0].classes) == ["in well", "in ill"]
    assert sorted(each.difference[0] for each in both) == [0.3, 0.3]


def test_nothing_is_said_for_want_of_evidence() -> None:
    """Noise: no link is called, and that is said not to make the classes equivalent."""
    frame = series_frame(strength=0.0, steps=30)
    found = result(replace(METHOD, shuffles=19), frame)
    said = found.summary()
    assert "often give one as strong as the best of" in said
    assert "does not make the classes equivalent" in said
    assert set(found.claims()["verdict"]) == {"cannot tell"}
    for word in ("independent", "the same", "identical"):
        assert word not in said


def test_a_difference_of_levels_is_not_called_a_link() -> None:
    """White noise, one variable lower in one class: no link is carried, and the note says what differs."""
    carried = noted = 0
    for seed in range(6):
        frame = series_frame(subjects=20, steps=60, strength=0.0, seed=seed, numbers=True)
        frame.loc[frame["class"] == "ill", "v0"] += 0.8
        found = replace(METHOD, shuffles=39).run(dataset(frame, kinds=KINDS))
        claims = found.claims()
        carried += int(((claims["kind"] == "tells classes apart") & (claims["verdict"] == "yes")).any())
        noted += any("The levels of v0 separate the classes" in note for note in found.notes())
    assert carried <= 1
    assert noted == 6


def test_nothing_is_left_to_other_scores_but_the_score() -> None:
    """Shuffles, seed and balance are those of the settings whatever the score."""
    data = dataset(series_frame(steps=12))
    for score in ("bde", "ccl"):
        assert len(replace(METHOD, score=score, shuffles=0).run(data).chance) == 0
        one, other = (replace(METHOD, score=score, shuffles=5, seed=seed).run(data).chance for seed in (1, 2))
        assert len(one) == 5
        assert not np.array_equal(one, other)


def test_knowledge_may_name_the_class_column() -> None:
    """As on the other pages; it says nothing of it."""
    known = engine.Knowledge(tiers=[["class"], ["v0", "v1", "v2", "v3"]])
    assert replace(METHOD, knowledge=known).run(dataset(series_frame(steps=12))).held_out.n == 12


def test_other_cuts_or_kinds_are_refused_rather_than_misread() -> None:
    """Codes of the data set must be the same; a variable that was levels must not come as numbers."""
    frame = series_frame(numbers=True)
    given = replace(METHOD, discretise="given").run(dataset(frame, kinds=KINDS))
    with pytest.raises(engine.DataError, match="other levels"):
        given.predict(dataset(frame.assign(v0=frame["v0"] + 7), kinds=KINDS))
    levels = result()
    with pytest.raises(engine.DataError, match="'v0' has other levels"):
        levels.predict(dataset(frame, kinds=KINDS))


def test_the_first_sentence_has_count_interval_chance_and_p() -> None:
    """As on the page; unequal classes and short series are noted."""
    frame = series_frame(subjects=20)
    frame = frame[~frame["who"].isin(["s01", "s03", "s05", "s07"])]
    found = result(replace(METHOD, shuffles=99), frame)
    held = found.held_out
    low, high = (f"{100 * end:.0f}" for end in held.balanced_interval)
    share = in_percent(held.balanced_accuracy)
    accuracy = f"balanced accuracy {share} (95 %: {low} to {high})"
    assert found.headline().endswith(f" beats chance (50\u00a0%): {accuracy} on 16 held-out subjects.")
    side = "above" if held.hits > 10 else "below" if held.hits < 10 else "as high as"
    always = f" Accuracy {in_percent(held.hits / 16)}, {side} always saying “well” (62\u00a0%)."
    assert found.sentences()[0].endswith(always)
    rarely = "In 1 of 99 permutations of the class, balanced accuracy was as high: p\u00a0=\u00a0.020."
    assert found.sentences()[3] == rarely
    assert found.sentences()[1].startswith("Best single variable, chosen without held-out rows (v2 in 3 of 6 folds): ")
    assert found.sentences()[2] == class_sentence(held)
    written = json.loads(found.to_json())["held_out"]
    assert written["balanced_interval"] == list(held.balanced_interval)
    assert written["sensitivity"]["ill"] == written["specificity"]["well"]
    assert written["sensitivity"]["ill"]["value"] == held.by_class[0] / 6
    assert written["auc"]["ill"]["value"] == held.auc("ill").value
    assert any("an accuracy of 62\u00a0% and a sensitivity of 0\u00a0%" in note for note in found.notes())
    few = result(replace(METHOD, shuffles=9))
    assert few.headline().endswith("held-out subjects; p\u00a0at most\u00a0.10.")
    assert few.headline().startswith("Inconclusive whether ") and few.sentences()[2] == class_sentence(few.held_out)
    assert any(
        "In none of 9 permutations of the class, balanced accuracy was as high: p\u00a0at most\u00a0.10. Whether"
        in sentence
        for sentence in few.sentences()
    )
    often = replace(few, held_out=replace(few.held_out, null=np.ones((9, 2))))
    assert any(
        "In 9 of 9 permutations of the class, balanced accuracy was as high: p" in sentence
        for sentence in often.sentences()
    )
    assert any(note.startswith("The classes are unequal (10 and 6)") for note in found.notes())
    assert "over all thresholds AUC 1.00 (no interval)." in found.sentences()[2]  # all are right
    for steps, short in ((99, True), (100, False)):
        seen = replace(found, held_out=replace(held, observations=np.full(held.n, steps)))
        assert any("fewer than about 100 steps" in note for note in seen.notes()) is short
    assert any("in the smallest class" in note for note in found.notes())


def test_effects_are_those_of_subjects_or_rows() -> None:
    """Welch's interval over subjects' own shares; Newcombe's over rows."""
    from scipy.stats import ttest_ind

    frame = series_frame()
    top = result(frame=frame).families().iloc[0]
    assert re.fullmatch(r"v1 = \d after v0 = \d", top["where"])  # levels stand with their variable
    level, given = (int(part.rsplit(" ", 1)[1]) for part in top["where"].split(" after "))

    def share(one: pd.DataFrame) -> float:
        after = one["v1"].to_numpy()[1:][one["v0"].to_numpy()[:-1] == given]
        return float((after == level).mean())

    shares = frame.groupby(["class", "who"]).apply(share)
    slow = ttest_ind(shares["ill"], shares["well"], equal_var=False)
    assert top["effect"] == pytest.approx(shares["ill"].mean() - shares["well"].mean())
    tried = 3 * 3 * 4  # levels of parent and child, candidate parents
    assert top["low"] == pytest.approx(slow.confidence_interval(1 - 0.05 / tried).low)
    rows = METHOD.run(engine.Dataset.from_frame(row_frame())).families().iloc[0]
    assert rows["low"] < rows["effect"] < rows["high"]


def test_more_series_than_memory_holds_are_refused_beforehand() -> None:
    """With what it would take."""
    codes = np.zeros((152, 4000), dtype=np.uint8)
    codes[2:] = np.random.default_rng(0).integers(0, 12, (150, 4000))
    codes[0], codes[1] = np.arange(4000) // 16, np.arange(4000) % 16
    names = ["who", "time", *(f"v{i:03d}" for i in range(150))]
    label = (codes[0] % 2)[None]
    data = engine.Dataset.from_codes(
        np.vstack([codes, label]),
        [250, 16, *[12] * 150, 2],
        [*names, "class"],
        roles={"who": "subject", "time": "time"},
    )
    with pytest.raises(engine.DataError, match="GB of memory; take fewer variables"):
        METHOD.run(data)
