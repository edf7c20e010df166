"""A Table 1: against the package tableone on three tables, by slow and obvious counting, hidden, written."""

from __future__ import annotations

import io
import itertools
import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import engine
import sample_data
from engine.data.dataset import Recipe
from engine.exchange.safe_csv import to_csv
from engine.measures.multiple import holm
from engine.methods.storing import decode, encode
from engine.methods.table_one import TableOne
from engine.telling.masking import OTHER
from engine.telling.table_one import in_short
from engine.words import with_minus


def trial(n: int = 240, arms: Sequence[str] = ("placebo", "drug"), seed: int = 3) -> pd.DataFrame:
    """Numbers with gaps, two levels, levels in order, a rare level."""
    rng = np.random.default_rng(seed)
    age, crp = np.round(rng.normal(63, 12, n)), np.round(rng.lognormal(1, 1, n), 1)
    crp[rng.random(n) < 0.1] = np.nan
    stage = rng.choice(["I", "II", "III", "IV"], n, p=[0.5, 0.3, 0.17, 0.03]).astype(object)
    stage[rng.random(n) < 0.05] = None
    return pd.DataFrame(
        {
            "arm": rng.choice(list(arms), n),
            "Age (years)": age,
            "crp": crp,
            "stage": stage,
            "died": rng.choice(["no", "yes"], n, p=[0.8, 0.2]),
        }
    )


def described(table: pd.DataFrame, group: str | None = "arm", **choices: Any) -> TableOne:
    """A table described with its gaps."""
    return engine.table_one(engine.Dataset.from_frame(table, missing="level", **choices), group)


def survey() -> pd.DataFrame:
    """The survey that ships, three groups."""
    return sample_data.load("health_survey").rename(columns={"smoking": "arm"})


TABLES = {
    "two arms": (trial(), ["Age (years)", "crp"]),
    "three arms, few rows": (trial(60, ("a", "b", "c"), 4), ["Age (years)", "crp"]),
    "the hospitals": (sample_data.load("two_hospitals").rename(columns={"hospital": "arm"}), []),
}


@pytest.mark.parametrize("name", list(TABLES))
def test_numbers_are_those_of_tableone(name: str) -> None:
    """Counts, shares, moments, quartiles, missing, SMD and p of tests of means and of ranks, each as it has them."""
    from tableone import TableOne as Peer

    table, numbers = TABLES[name]
    ours = described(table, kinds=dict.fromkeys(numbers, "continuous"))
    kept = [variable.name for variable in ours.variables]
    levels = [column for column in kept if column not in numbers]
    chosen: dict[str, Any] = {"columns": kept, "categorical": levels, "include_null": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = Peer(table, **chosen)
        peers = [Peer(table, groupby="arm", nonnormal=ranks, pval=True, smd=True, **chosen) for ranks in ([], numbers)]
    for peer, ranks in zip(peers, (False, True), strict=True):
        for variable in ours.variables:
            expected = peer.htest_table.loc[variable.name, "P-Value"]
            assert (variable.p_ranks if ranks else variable.p_means) == pytest.approx(expected, rel=1e-9)
    for variable in ours.variables:
        smds = {
            tuple(column[5:-1].split(",")): float(peer.smd_table.loc[variable.name, column])
            for column in peer.smd_table.columns
        }
        sizes = [size if pair == ours.labels else -size for pair, size in smds.items()]
        if variable.levels:
            sizes = list(map(abs, sizes))
        expected = sizes[0] if len(sizes) == 1 else np.nanmax(np.abs(sizes))  # NaN where two groups lack a level
        assert variable.difference == pytest.approx(expected, rel=1e-9)
        for place, label in enumerate(("Overall", *ours.labels)):
            from_peer = peers[0] if place else whole
            if variable.levels:
                about = from_peer.cat_describe.loc[variable.name]
                for k, level in enumerate(variable.levels):
                    assert variable.counts[k, place] == about[("freq", label)][level]
                    share = 100 * variable.counts[k, place] / variable.counts[:, place].sum()
                    assert share == pytest.approx(about[("percent", label)][level])
                assert variable.missing[place] == int(about[("Missing", label)].dropna().iloc[0])
                continue
            about = from_peer.cont_describe.loc[variable.name]
            quartiles = [about[(part, label)] for part in ("q25", "median", "q75")]
            assert variable.counts[0, place] == about[("count", label)]
            assert variable.means[place] == pytest.approx(about[("mean", label)])
            assert variable.deviations[place] == pytest.approx(about[("std", label)])
            assert variable.quartiles[place] == pytest.approx(quartiles)


def test_texts_against_slow_counting() -> None:
    """Every cell of a level, and mean, median and gaps of a number, counted in the table by pandas."""
    table = trial()
    frame = described(table).frame().set_index(["variable", "level"])
    for head, rows in {"Overall": table, **dict(list(table.groupby("arm")))}.items():
        yes = (rows["died"] == "yes").sum()
        assert frame.loc[("died", "yes, n (%)"), head] == f"{yes} ({100 * yes / len(rows):.1f}\u00a0%)"
        third = (rows["stage"] == "III").sum()
        assert frame.loc[("", "III"), head] == f"{third} ({100 * third / rows['stage'].notna().sum():.1f}\u00a0%)"
        mean = f"{rows['Age (years)'].mean():.0f} ({rows['Age (years)'].std():.0f})"
        assert frame.loc[("Age (years)", "mean (SD)"), head] == mean
        gaps = [rows[name].isna().sum() for name in ("crp", "stage")]
        texts = frame.loc[("", "missing, n (%)"), head].tolist()
        assert texts == [f"{n} ({100 * n / len(rows):.1f}\u00a0%)" for n in gaps]
    assert list(frame.columns) == ["Overall", "placebo", "drug", "SMD"]
    by_arm = table.groupby("arm")["died"].apply(lambda died: (died == "yes").mean())
    for own, sign in ((table, 1), (table.assign(arm=table["arm"].map({"placebo": "drug", "drug": "placebo"})), -1)):
        smd = float(
            np.ravel(described(own).frame().set_index(["variable", "level"]).loc[("died", "yes, n (%)"), "SMD"])[0]
        )
        assert math.copysign(1, smd) == sign * math.copysign(1, by_arm["drug"] - by_arm["placebo"])


@settings(max_examples=8, deadline=None)
@given(st.permutations(range(60)), st.permutations(["I", "II", "III", "IV"]))
def test_order_of_rows_and_names_of_levels_change_nothing(rows: list[int], names: list[str]) -> None:
    """The same rows in another order; levels called otherwise, in the order of old."""
    table = trial(60)
    renamed = dict(zip(["I", "II", "III", "IV"], names, strict=True))
    other = table.iloc[rows].assign(stage=lambda own: own["stage"].map(renamed))
    known = [level for level in renamed if (table["stage"] == level).any()]
    choices: dict[str, Any] = {"kinds": {"stage": "nominal"}}
    one = described(table, levels={"stage": known}, **choices)
    two = described(other, levels={"stage": [renamed[level] for level in known]}, **choices)
    for first, second in zip(one.variables, two.variables, strict=True):
        assert (first.counts == second.counts).all()
        assert first.difference == pytest.approx(second.difference, nan_ok=True)
    left, right = one.frame(p=True), two.frame(p=True)
    pd.testing.assert_frame_equal(left.drop(columns="level"), right.drop(columns="level"))


def test_groups_and_their_order() -> None:
    """The control first, doses in order; two levels as asked; one against all other rows; rows of no group left out."""
    doses = trial(200, ("high dose", "placebo", "low dose"))
    assert described(doses).labels == ("placebo", "low dose", "high dose")
    assert described(trial(arms=("drug", "placebo"))).labels == ("placebo", "drug")
    data = engine.Dataset.from_frame(doses.assign(arm=doses["arm"].where(doses.index > 9)), missing="level")
    assert engine.table_one(data, "arm").n[0] == 190
    one = engine.table_one(data, "arm", ["placebo"])
    assert one.labels == ("placebo", "all other rows") and one.n[0] == 200
    assert one.n[1] + one.n[2] == 200
    chosen = engine.table_one(data, "arm", ["high dose", "placebo"])
    assert chosen.labels == ("high dose", "placebo") and chosen.n[0] == sum(chosen.n[1:])
    plain = engine.table_one(data)
    assert plain.labels == () and list(plain.frame().columns) == ["variable", "level", "Overall"]
    with pytest.raises(engine.DataError, match="no level 'x'"):
        engine.table_one(data, "arm", ["x", "placebo"])
    with pytest.raises(engine.SettingsError, match="'both', 'mean' or 'median'"):
        plain.frame(numbers="all")  # type: ignore[arg-type]


def test_p_on_request_is_corrected() -> None:
    """Of ranks, or of means where means alone are told; Holm over all that were tested; said below the table."""
    table = described(trial())
    raw = np.array([variable.p_ranks for variable in table.variables])
    shown = table.frame(p=True)["p"].dropna().to_numpy()
    assert shown == pytest.approx(_holm(raw))
    means = table.frame(numbers="mean", p=True)
    assert means["p"].dropna().to_numpy() == pytest.approx(_holm([variable.p_means for variable in table.variables]))
    assert "mean (SD)" in set(means["level"]) and "median [quartiles]" not in set(means["level"])
    assert "Kruskal" in " ".join(table.notes(p=True)) and "Welch" in " ".join(table.notes("mean", p=True))
    assert "p" not in table.frame() and not any("Holm" in note for note in table.notes())


def _holm(p: Any) -> list[float]:
    order, result, largest = np.argsort(p), [0.0] * len(p), 0.0
    for step, place in enumerate(order):
        largest = max(largest, min(1.0, float(p[place]) * (len(p) - step)))
        result[place] = largest
    return result


def test_subjects_dates_limits_and_gaps() -> None:
    """Rows of subjects are counted as both; dates are told as dates; limits of detection by levels; gaps are said."""
    table = (
        trial(120)
        .drop(columns="stage")
        .assign(
            clinic=[f"c{k % 12}" for k in range(120)],
            seen=pd.date_range("2020-01-01", periods=120),
            dimer=["<0.5" if k % 3 == 0 else f"{0.5 + k / 10:.1f}" for k in range(120)],
        )
    )
    kinds = {"seen": "continuous", "dimer": "continuous"}
    limits = {"dimer": "level"}
    data = engine.Dataset.from_frame(table, missing="drop", roles={"clinic": "subject"}, kinds=kinds, limits=limits)
    ours = engine.table_one(data, "arm")
    assert ours.subjects[0] == 12
    frame = ours.frame().set_index("variable")
    assert str(frame.loc["seen", "Overall"]).startswith("2020-0") and "days)" in str(frame.loc["seen", "Overall"])
    notes = " ".join(ours.notes(p=True))
    assert "Rows with a missing value are left out" in notes and "count as the limit: dimer." in notes
    assert "rows of one 'clinic' belong together" in notes
    assert all(len(note.split()) <= 25 for note in ours.notes(p=True))


def test_rows_on_disk_give_the_same_counts(tmp_path: Any) -> None:
    """Levels and gaps to the row; numbers by their cells, near those of the rows, and said to be so."""
    table = trial(3000).drop(columns="stage")
    table.to_parquet(tmp_path / "rows.parquet")
    here = Recipe(missing="level").apply(table)
    there = engine.Dataset.from_parquet(tmp_path / "rows.parquet", recipe=here.recipe)
    one, two = engine.table_one(here, "arm"), engine.table_one(there, "arm")
    assert one.n == two.n and one.labels == two.labels
    for first, second in zip(one.variables, two.variables, strict=True):
        assert first.levels == second.levels
        assert (first.counts == second.counts).all() and (first.missing == second.missing).all()
        if first.levels:
            assert first.difference == second.difference
        else:
            assert second.means == pytest.approx(first.means, rel=0.02)
            assert second.quartiles == pytest.approx(first.quartiles, rel=0.05, abs=0.2)
            assert first.exact and not second.exact
    assert "approximate" in " ".join(two.notes()) and "approximate" not in " ".join(one.notes())


LEAST = 5


@pytest.mark.parametrize("seed", range(12))
def test_a_hidden_count_cannot_be_worked_out(seed: int) -> None:
    """Whatever is shown of a variable, every small count can still be anything from 1 to below the least."""
    rng = np.random.default_rng(seed)
    arms = ("a", "b", "c")[: 2 + seed % 2]
    n = 90 if seed % 4 else 30
    table = trial(n, arms, seed).assign(rare=rng.choice(["no", "yes"], n, p=[0.95, 0.05]))
    ours = described(table, kinds={"stage": "nominal"})
    frame = ours.frame(p=True, hide_below=LEAST)
    small = 0
    for variable in ours.variables:
        counts = np.vstack([variable.counts, variable.missing])
        shown = _shown_counts(frame, variable, ours)
        for c in range(1, len(ours.n)):
            if isinstance(_read(frame.iloc[0][ours.heads()[c]]), str):
                continue
            for k, text in enumerate(shown[:, c]):
                if 0 < counts[k, c] < LEAST:
                    small += 1
                    assert isinstance(text, str), (variable.name, k, c)
            assert _free(shown[:, c], ours.n[c]), (variable.name, c, shown[:, c])
        hidden = any(isinstance(text, str) for text in shown[:, 1:].ravel())
        rows = frame[frame["variable"] == variable.name]
        if hidden:
            assert rows.iloc[0]["SMD"] == rows.iloc[0]["p"] == OTHER
            assert all(isinstance(text, str) for text, own in zip(shown[:, 0], counts, strict=True) if own.any())
    assert small
    assert ours.hidden(LEAST).small and not ours.hidden(0).small


def _read(text: str) -> int | str:
    head = text.split(" ")[0].replace(",", "")
    return int(head) if head.isdecimal() else text


def _shown_counts(frame: pd.DataFrame, variable: Any, ours: TableOne) -> np.ndarray:
    """What is shown of the counts of levels, then of gaps: numbers, or the words in their place."""
    heads, names = list(ours.heads()), list(frame["variable"])
    begin = names.index(variable.name)
    end = next((i for i in range(begin + 1, len(names)) if names[i]), len(names))
    rows = {str(row["level"]): [_read(row[head]) for head in heads] for _, row in frame.iloc[begin:end].iterrows()}
    gaps = rows.get("missing, n (%)", [0] * len(heads))
    if not variable.levels:
        known = [
            n - gap if isinstance(gap, int) and isinstance(n, int) else OTHER
            for n, gap in zip(ours.n, gaps, strict=True)
        ]
        return np.array([known, gaps], dtype=object)
    parts = []
    for level in variable.levels:
        own = rows.get(level, rows.get(f"{level}, n (%)"))
        if own is None:  # of two levels one is told, and the other one is the rest
            told = next(rows[f"{other}, n (%)"] for other in variable.levels if f"{other}, n (%)" in rows)
            own = [
                n - a - b if isinstance(a, int) and isinstance(b, int) else OTHER
                for n, a, b in zip(ours.n, told, gaps, strict=True)
            ]
        parts.append(own)
    return np.array([*parts, gaps], dtype=object)


def _free(column: np.ndarray, whole: int) -> bool:
    """Whether every count that is said to be small can be each number from 1 to below the least, others any number."""
    rest = whole - sum(part for part in column if isinstance(part, int))
    few = sum(isinstance(part, str) and part != OTHER for part in column)
    others = sum(isinstance(part, str) and part == OTHER for part in column)
    if not few:
        return others != 1
    for wanted in range(1, LEAST):
        sums = {sum(parts) for parts in itertools.product(range(1, LEAST), repeat=few - 1)}
        if not any((rest - wanted - total >= others) if others else rest - wanted == total for total in sums):
            return False
    return True


def test_a_hidden_group_hides_its_column() -> None:
    """A group of three rows: it, the one beside it, and every cell of both."""
    table = trial(80)
    table["arm"] = ["drug"] * 3 + ["placebo"] * 77
    frame = described(table).frame(hide_below=LEAST)
    assert frame.loc[0, "drug"] == "fewer than 5" and frame.loc[0, "placebo"] == OTHER
    cells = frame.loc[1:, ["drug", "placebo"]].to_numpy().ravel()
    assert not any(any(letter.isdigit() for letter in text.removeprefix("fewer than 5")) for text in cells)


HOSTILE = '=cmd|"/c calc"!A1'


def test_hostile_names_are_harmless() -> None:
    """In a spreadsheet no cell is a formula; in HTML no name is markup; no heading stands twice."""
    table = trial(60, ("SMD", "<b>x</b>")).rename(columns={"died": HOSTILE, "crp": "<script>alert(1)</script>"})
    table["stage"] = table["stage"].replace("I", "@SUM(A1)")
    ours = described(table)
    text = to_csv(ours.frame(p=True))
    read = pd.read_csv(io.StringIO(text), dtype=str).fillna("")
    assert not any(str(cell).startswith(("=", "@", "+")) for cell in read.to_numpy().ravel())
    assert f"'{HOSTILE}" in set(read["variable"])
    page = ours.to_html(p=True)
    assert "<script>" not in page and "<b>x</b>" not in page and "&lt;script&gt;" in page
    assert len(set(ours.heads())) == 3 and "SMD*" in ours.heads()
    assert described(trial(60, ("no", "yes"))).heads() == ("Overall", "arm = no", "arm = yes")


def test_shares_tell_no_hidden_gaps() -> None:
    """Where the number of missing values of a group is hidden, so are the shares whose whole would tell it."""
    table = trial(200).assign(stage=["I", "II"] * 100)
    table.loc[table.index[table["arm"] == "drug"][:3], "stage"] = None
    ours = described(table)
    frame = ours.frame(hide_below=LEAST)
    place = list(frame["variable"]).index("stage")
    assert frame.loc[place + 1, ["level", "drug"]].tolist() == ["missing, n (%)", "fewer than 5"]
    assert frame.loc[place, "drug"] == OTHER and "%" in ours.frame().loc[place, "drug"]


def test_values_that_look_like_errors_are_marked() -> None:
    """Named with how many and from where to where; no figure where counts are hidden; not once they are values."""
    rng = np.random.default_rng(4)
    lactate = np.exp(rng.normal(0.9, 0.5, 400)).clip(0.5, 12).round(1)
    lactate[[3, 50, 399]] = 88.0, 95.0, 120.0
    table = pd.DataFrame({"arm": np.tile(["A", "B"], 200), "Lactate (mmol/L)": lactate, "x": rng.normal(0, 1, 400)})
    ours = engine.table_one(engine.Dataset.from_frame(table), "arm")
    assert [name for name in ours.frame()["variable"] if "†" in name] == ["Lactate (mmol/L)\u00a0†"]
    said = "† Values that look like errors are included: Lactate (mmol/L)"
    without = "No SMD is given for them."
    assert ours.notes()[0] == f"{said} (3 values, 88 to 120). {without}"
    assert ours.notes(hide_below=5)[0] == f"{said}. {without}"
    assert ours.frame(numbers="mean")["SMD"].map(type).tolist() == [float, str, float]  # rows, the marked, x
    result = engine.GroupDifference(group="arm").run(engine.Dataset.from_frame(table))
    odd = ours.notes()[0].removeprefix("† ").removesuffix(f" {without}")
    told = result.explain("Lactate (mmol/L)")
    assert odd in result.notes() and f"{odd} Means are left out." in told
    assert not any("mean is" in text for text in told) and any("percentage points" in text for text in told)
    assert said.removeprefix("† ") in result.table_description("Variables").about
    assert "look like errors" not in " ".join(result.explain("x"))
    data = engine.Dataset.from_frame(table)
    chapters = engine.report([result, engine.LogLinear().run(data)], data=data).split("<section class='part'")[1:3]
    rows = [row.partition("</tr>")[0] for row in chapters[0].split("<tr>")[1:]]
    assert any("Lactate" in row and "pp (" in row for row in rows), "a share in place of means"
    limits = [chapter.partition("What limits this")[2].partition("</div>")[0] for chapter in chapters]
    assert [one.count("Values that look like errors are included: Lactate") for one in limits] == [1, 1]
    answered = engine.Dataset.from_frame(table, settled={"extremes:Lactate (mmol/L)": "value"})
    assert "†" not in " ".join(engine.table_one(answered, "arm").notes())


def test_ordered_levels_are_told_as_steps() -> None:
    """Mean, SD, quartiles, SMD and p of their steps, by pandas and SciPy; a hidden count hides the row."""
    table = trial(400).dropna()
    rows = engine.table_one(engine.Dataset.from_frame(table, kinds={"stage": "ordinal"}), "arm")
    steps = table["stage"].map({"I": 1, "II": 2, "III": 3, "IV": 4}).astype(float)
    parts = [steps[table["arm"] == label] for label in rows.labels]
    means = [f"{own.mean():.2f} ({own.std():.2f})" for own in (steps, *parts)]
    quartiles = [own.quantile([0.5, 0.25, 0.75]).map("{:.0f}".format).tolist() for own in (steps, *parts)]
    medians = ["{} [{}, {}]".format(*own) for own in quartiles]
    smd = (parts[1].mean() - parts[0].mean()) / np.sqrt((parts[0].var() + parts[1].var()) / 2)
    welch, ranks = stats.ttest_ind(*parts, equal_var=False).pvalue, stats.kruskal(*parts).pvalue
    for numbers, row, shown, p in (
        ("mean", "mean score (SD), 1 = I", means, welch),
        ("both", "mean score (SD), 1 = I", means, ranks),
        ("median", "median score [quartiles], 1 = I", medians, ranks),
    ):
        frame = rows.frame(numbers=numbers, p=True).set_index("level")  # type: ignore[arg-type]
        assert frame.loc[row, ["Overall", *rows.labels]].tolist() == shown
        assert frame.at[row, "SMD"] == pytest.approx(smd)
        others = [one.p_means if numbers == "mean" else one.p_ranks for one in rows.variables if not one.ordered]
        assert frame.at[row, "p"] == pytest.approx(holm(np.array([*others, p]))[-1])
        assert ("IV" in frame.index) == (numbers == "both")
        assert "codes of the file, else 1, 2, 3" in " ".join(rows.notes(numbers))  # type: ignore[arg-type]
        few = rows.frame(numbers=numbers, hide_below=12).set_index("level")  # type: ignore[arg-type]
        assert few.loc[row, ["Overall", *rows.labels, "SMD"]].tolist() == [OTHER] * 4


def test_numbered_levels_are_their_own_steps() -> None:
    """An item from 0 to 3 has the mean of its numbers."""
    table = trial(60).assign(item=[0, 1, 2, 3] * 15)
    rows = engine.table_one(engine.Dataset.from_frame(table[["arm", "item"]], kinds={"item": "ordinal"}), "arm")
    assert rows.frame().set_index("level").at["mean score (SD), 0 to 3", "Overall"] == "1.50 (1.13)"


@pytest.mark.parametrize(("codes", "begins"), [((0, 1, 2, 3), 0), ((1, 2, 4, 5), 1), ((0, 1, 2, 7), 1)])
def test_labelled_codes_of_a_file_are_the_steps(tmp_path: Path, codes: tuple[int, ...], begins: int) -> None:
    """An item scored from 0 to 3 keeps its scores where these go up by one; else steps are counted from 1."""
    labels = dict(zip(codes, ("not at all", "somewhat", "mostly", "always"), strict=True))
    frame = pd.DataFrame({"arm": ["a", "b"] * 40, "item": [float(codes[i % 4]) for i in range(80)]})
    file = tmp_path / "items.sav"
    pyreadstat.write_sav(frame, file, variable_value_labels={"item": labels}, variable_measure={"item": "ordinal"})
    rows = engine.table_one(engine.Dataset.from_frame(engine.read_table(file)), "arm")
    told = rows.frame().set_index("level").at[f"mean score (SD), {begins} = not at all", "Overall"]
    assert told == f"{begins + 1.5:.2f} (1.13)"


@pytest.mark.parametrize("where", [(), (("died", "is", "no"),)])
def test_rows_with_a_gap_are_described_too_where_the_table_is_at_hand(where: tuple) -> None:
    """Each variable where it has a value, by pandas; ordered levels stay so, and the complete rows have a line."""
    table = trial(200).assign(feels=[("low", "fair", "good")[k % 3] for k in range(200)])
    table.loc[::9, "feels"] = None
    data = engine.Dataset.from_frame(
        table, where=where, levels={"feels": ["low", "fair", "good"]}, kinds={"feels": "ordinal"}
    )
    ours, meant = engine.table_one(data, "arm", source=table), table[table["died"] == "no"] if where else table
    parts = [meant, *(meant[meant["arm"] == label] for label in ours.labels)]
    assert ours.n == tuple(map(len, parts)) and ours.complete == tuple(len(part.dropna()) for part in parts)
    frame, by_name = ours.frame(), {one.name: one for one in ours.variables}
    assert frame.loc[:1, "level"].tolist() == ["all rows", "complete rows, n (%)"]
    assert frame.loc[1, ours.heads()[0]].split(" ")[0] == str(data.n_rows) < str(ours.n[0])
    for name in ("crp", "feels"):
        assert by_name[name].missing.tolist() == [int(part[name].isna().sum()) for part in parts]
    np.testing.assert_allclose(by_name["crp"].means, [part["crp"].mean() for part in parts])
    np.testing.assert_allclose(by_name["crp"].deviations, [part["crp"].std() for part in parts])
    assert by_name["feels"].ordered and by_name["feels"].levels == ("low", "fair", "good")
    assert by_name["feels"].counts[:, 1].tolist() == [
        (parts[1]["feels"] == level).sum() for level in ("low", "fair", "good")
    ]
    assert decode(encode(ours)).frame().equals(frame) and not engine.table_one(data, "arm").complete


def test_the_largest_differences_and_other_spreads_are_named() -> None:
    """By pandas: sizes above .1 are counted, and a number whose variance is more than twice the other's is named."""
    rng = np.random.default_rng(3)
    arm = np.repeat(["control", "drug"], 200)
    table = pd.DataFrame({"arm": arm, "shift": rng.normal(0, 1, 400) + (arm == "drug"), "still": rng.normal(0, 1, 400)})
    table["wide"] = rng.normal(0, 1, 400) * np.where(arm == "drug", 3, 1)
    notes = engine.table_one(engine.Dataset.from_frame(table), "arm").notes()
    parts = [table[table["arm"] == label] for label in ("control", "drug")]
    sizes = {
        name: (parts[1][name].mean() - parts[0][name].mean())
        / np.sqrt((parts[0][name].var() + parts[1][name].var()) / 2)
        for name in ("shift", "still", "wide")
    }
    far = sorted((name for name in sizes if abs(sizes[name]) > 0.1), key=lambda name: -abs(sizes[name]))
    named = ", ".join(f"{name} {with_minus(f'{sizes[name]:.2f}')}" for name in far)
    assert f"Largest SMD: {named}; {len(far)} of 3 {'is' if len(far) == 1 else 'are'} beyond ±0.1." in notes
    spreads = " v ".join(f"{part['wide'].std():.1f}" for part in parts)
    assert [note for note in notes if "SDs" in note and "means alone" in note] == [
        f"SMD compares means alone. SDs differ: wide ({spreads})."
    ]


def test_every_variable_in_short_by_pandas() -> None:
    """Least, median and greatest of a number, days as dates; of levels the most frequent with its share."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"sodium": rng.normal(140, 4, 121).round(), "ward": rng.choice(["a", "b", "<b>"], 121)})
    frame.loc[3, "sodium"] = 1370.0
    frame["seen"] = pd.date_range("2020-01-01", periods=121).strftime("%Y-%m-%d")
    frame["feels"] = rng.choice(["low", "fair", "good", "best"], 121, p=[0.6, 0.2, 0.1, 0.1])
    kinds = {"sodium": "continuous", "seen": "continuous", "feels": "ordinal"}
    found = in_short(engine.Dataset.from_frame(frame, kinds=kinds, levels={"feels": ["low", "fair", "good", "best"]}))
    middle = frame["feels"].map({"low": 1, "fair": 2, "good": 3, "best": 4}).median()
    assert found["feels"] == f"{middle:g} (1 to 4)"
    column, shares = frame["sodium"], frame["ward"].value_counts(normalize=True)
    assert found["sodium"] == f"{column.median():g} ({column.min():g} to 1370)"
    assert found["ward"] == f"{100 * shares.iloc[0]:.0f}\u00a0% {shares.index[0]}"
    assert found["seen"] == "2020-03-01 (2020-01-01 to 2020-04-30)"
