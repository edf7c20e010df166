"""What the answer says, and what it claims."""

from __future__ import annotations

from dataclasses import asdict, replace
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest
from scipy.special import ndtri

import engine
from engine.graphs.pdag import Pdag
from engine.methods.ordinal.approaches import agreement
from engine.methods.ordinal.effects import link
from engine.methods.ordinal.recurrence import EdgeStrength
from engine.methods.ordinal.rivals import DividedPC, _search, nearest
from engine.methods.storing import decode, encode
from engine.models.latent_normal import thresholds
from engine.telling.ordinal import wording
from engine.telling.ordinal.stability import by_rows
from engine.words import signed
from tests.engine.methods.ordinal.make import chain

RESULT = engine.Ordinal(draws=50)


def test_thresholds_and_shares_are_the_tables_own() -> None:
    """Of the counts of every variable."""
    data = chain(300)
    result = RESULT.run(data)
    for i, name in enumerate(data.names):
        counts = np.bincount(data.codes[i], minlength=4)
        assert result.thresholds[name] == pytest.approx(thresholds(counts)[1:-1])
        assert result.shares[name] == pytest.approx(counts / 300)
    table = result.table("Thresholds")
    assert table.groupby("variable")["rows"].sum().tolist() == [300] * 4
    assert (table["above"] < table["below"]).all()


def test_claims_are_yes_no_or_cannot_tell_by_their_bars() -> None:
    """Linked and beyond chance; not linked and below the margin; else neither."""
    result = engine.Ordinal(draws=50, margin=0.15).run(chain(300))
    claims = result.claims().set_index("about")
    linked = {frozenset(pair) for pair, _ in result.edge_pairs}
    for about, row in claims.iterrows():
        ends = frozenset(str(about).replace("->", "--").split(" -- "))
        wanted = "cannot tell"
        if ends in linked and row["chance"] <= 0.05:
            wanted = "yes"
        elif ends not in linked and max(abs(row["low"]), abs(row["high"])) < 0.15:
            wanted = "no"
        assert row["verdict"] == wanted
    assert len(claims) == 6


def test_independent_variables_are_not_called_linked() -> None:
    """And the headline says what was seen, not that there is nothing."""
    generator = np.random.default_rng(0)
    names = list("abcd")
    codes = generator.integers(0, 4, (4, 300))
    data = engine.Dataset.from_codes(codes, [4] * 4, names, kinds=dict.fromkeys(names, "ordinal"))
    result = RESULT.run(data)
    assert wording.arrows(result) == "No link between any two of the 4 variables shows in 300 rows."
    assert result.headline().startswith("No partial correlation of 4 variables is clear in 300 rows; half the pairs")
    assert "yes" not in set(result.claims()["verdict"])


def test_a_link_that_chance_could_show_is_said_to_be_one() -> None:
    """A required arc between variables that have nothing to do with each other."""
    generator = np.random.default_rng(2)
    names = list("abc")
    data = engine.Dataset.from_codes(
        generator.integers(0, 3, (3, 200)), [3] * 3, names, kinds=dict.fromkeys(names, "ordinal")
    )
    result = engine.Ordinal(draws=20, knowledge=engine.Knowledge(required=[("a", "b")])).run(data)
    assert result.n_links == 1
    assert result.sentences()[1].endswith("Chance alone could show it.")
    assert result.headline().startswith("No partial correlation") and "Chance" not in result.headline()
    assert len(result.headline().split()) <= 25


@pytest.mark.parametrize("approach", ["bge", "bic", "bde", "gpc", "opc", "npc", "npc_pcalg", "rpc", "cpc", "mmpc"])
def test_rivals_answer_in_the_same_form(approach: str) -> None:
    """Signs and sizes from pairwise hidden correlations, and said so."""
    result = engine.Ordinal(approach=approach).run(chain(500))
    assert {frozenset(pair) for pair, _ in result.edge_pairs} >= {frozenset("ab"), frozenset("cd")}
    assert result.rounds == ()
    assert "Rounds" not in result.table_titles()
    assert np.isnan(result.log_likelihood)
    table = result.edge_table()
    of_chain = [{*pair} in ({*"ab"}, {*"bc"}, {*"cd"}) for pair in zip(table["source"], table["target"], strict=True)]
    assert (table.loc[of_chain, "partial"] > 0).all()
    assert any("whatever found the links" in note for note in result.notes())
    assert bool(result.predicting) == (approach in ("bde", "npc", "npc_pcalg"))


@pytest.mark.parametrize(
    ("approach", "search"),
    [
        ("npc_pcalg", engine.PC(0.1, "g_squared", "independent", seed=3)),
        ("rpc", engine.PC(0.1, "kendall", orientation="conservative", seed=3)),
        ("cpc", engine.PC(0.1, "copula", orientation="conservative", seed=3)),
        ("mmpc", engine.PC(0.1, "ordinal_regression", seed=3)),
    ],
)
def test_an_approach_of_the_paper_is_its_search(approach: str, search: engine.PC) -> None:
    """With this method's alpha and seed; of rows that belong together the same with their design effect."""
    method = engine.Ordinal(approach=approach, alpha=0.1, seed=3)
    assert _search(method, 1.0) == search
    assert _search(method, 2.0) == DividedPC(**asdict(search), effect=2.0)


def test_signs_follow_the_hidden_values() -> None:
    """A scale turned about turns the sign of its links, and nothing else."""
    data = chain(400)
    codes = data.codes.copy()
    codes[0] = 3 - codes[0]
    turned = engine.Dataset.from_codes(codes, [4] * 4, data.names, kinds=data.kinds)
    one, other = (engine.Ordinal(approach="bge").run(each) for each in (data, turned))
    for pair, _ in one.edge_pairs:
        sign = -1 if "a" in pair else 1
        assert other.link(*pair).partial == pytest.approx(sign * one.link(*pair).partial, abs=1e-6)
    edges = one.edges().query("network == 'network'")
    assert set(edges["sign"]) == {"+"}
    assert edges["strength"].between(0, 1).all()


def test_two_answers_are_compared_link_by_link() -> None:
    """Both, one only, another direction."""
    data = chain(500)
    one, other = engine.Ordinal(draws=50).run(data), engine.Ordinal(approach="gpc", alpha=1e-12).run(data)
    table = agreement(one, other)
    pairs = {frozenset(row) for row in table[["a", "b"]].to_numpy().tolist()}
    links = [{frozenset(pair) for pair, _ in each.edge_pairs} for each in (one, other)]
    assert pairs == links[0] | links[1]
    for row in table.itertuples():
        ends = frozenset((row.a, row.b))
        assert (ends in links[0], ends in links[1]) == (bool(row.in_first), bool(row.in_second))
    assert set(agreement(one, one)["how"]) == {"both"}
    with pytest.raises(engine.DataError, match="different variables"):
        agreement(one, engine.Ordinal(draws=20).run(data.select(["a", "b", "c"])))


def test_settings_that_cannot_be_are_refused() -> None:
    """One sentence each."""
    for bad in (
        {"approach": "xyz"},
        {"penalty": -1.0},
        {"alpha": 0.0},
        {"missing": "latent", "approach": "bge"},
        {"search": "xyz"},
        {"knowledge": 3},
        {"draws": 0},
        {"approach": "opc", "knowledge": engine.Knowledge(max_parents=2)},
    ):
        with pytest.raises(engine.SettingsError):
            engine.Ordinal(**bad)
    with pytest.raises(engine.SettingsError, match="20 variables"):
        codes = np.tile([0, 1], (21, 20))
        engine.Ordinal(search="exact").run(engine.Dataset.from_codes(codes, [2] * 21, [f"v{i}" for i in range(21)]))


def cut(values: np.ndarray, shares: list[float]) -> np.ndarray:
    """Normal values as levels that hold these shares."""
    return np.searchsorted(ndtri(np.cumsum(shares))[:-1], values)


def test_a_link_between_two_rare_answers_is_not_called_missing() -> None:
    """Five even levels and one in twenty: a pair's rows count by what its own levels keep, not by the average."""
    verdicts, covered = [], 0
    for seed in range(12):
        values = np.random.default_rng(seed).normal(size=(8, 500))
        values[7] = 0.3 * values[6] + np.sqrt(1 - 0.09) * values[7]
        columns = [cut(one, [0.2] * 5) for one in values[:6]] + [cut(one, [0.95, 0.05]) for one in values[6:]]
        names = [f"v{i}" for i in range(8)]
        kinds = dict.fromkeys(names, "ordinal")
        data = engine.Dataset.from_codes(np.array(columns), [5] * 6 + [2] * 2, names, kinds=kinds)
        claim = (
            engine.Ordinal(approach="gpc").run(data).claims().set_index("about").filter(regex="v6.*v7|v7.*v6", axis=0)
        )
        verdicts.append(claim["verdict"].iloc[0])
        covered += bool(claim["low"].iloc[0] <= 0.3 <= claim["high"].iloc[0])
    assert "no" not in verdicts
    assert covered >= 10


def test_arrows_that_do_not_go_together_are_kept_as_far_as_they_do() -> None:
    """A circle of three arrows loses one direction; a required arc keeps its own; the answer says so."""
    circle = Pdag([4, 1, 2], [2, 4, 1], [0, 0, 0])
    parents = nearest(circle, [(), (), ()])
    graph = nx.DiGraph((x, child) for child, family in enumerate(parents) for x in family)
    assert nx.is_directed_acyclic_graph(graph)
    assert {frozenset(arc) for arc in graph.edges} == {frozenset((0, 1)), frozenset((1, 2)), frozenset((0, 2))}
    assert sum(arc in {(0, 1), (1, 2), (2, 0)} for arc in graph.edges) == 2
    assert 2 in nearest(circle, [(), (2,), ()])[1]


def test_copies_are_named() -> None:
    """A column and its reverse beside an unrelated one."""
    generator = np.random.default_rng(0)
    one = generator.integers(0, 4, 300)
    codes = np.array([one, 3 - one, generator.integers(0, 4, 300)])
    data = engine.Dataset.from_codes(codes, [4] * 3, list("abc"), kinds=dict.fromkeys("abc", "ordinal"))
    result = engine.Ordinal(approach="bge").run(data)
    assert result.copies == (("a", "b"),)
    assert any(note.startswith("b is a reversed, or nearly so.") for note in result.notes())


def test_the_round_that_is_kept_is_the_one_that_is_told() -> None:
    """In published mode the last, whatever the best was."""
    result = engine.Ordinal(mode="published").run(chain(300))
    assert result.criterion == result.rounds[-1].criterion
    assert f"{result.criterion:,.1f} after the penalty" in " ".join(result.section("latent").sentences)
    assert "the last explains" in " ".join(result.section("latent").sentences)


def drawn(result: engine.OrdinalResult, arrows: list[str], lines: list[str]) -> engine.OrdinalResult:
    """The same answer with another network over a, b, c and d."""
    graph = Pdag([0] * 4, [0] * 4, [0] * 4)
    for source, target in arrows + lines:
        i, j = "abcd".index(source), "abcd".index(target)
        graph.neighbours[i] |= 1 << j
        graph.neighbours[j] |= 1 << i
        if source + target in arrows:
            graph.direct(i, j)
    return replace(result, cpdag=graph)


def test_links_of_two_networks_stand_in_the_order_of_how_they_agree() -> None:
    """Both, another direction, one only, the other only; within these by columns; each drawn as it is."""
    result = engine.Ordinal(approach="gpc").run(chain(200))
    table = agreement(drawn(result, ["cb"], ["ab", "cd"]), drawn(result, ["ab", "cb", "da"], []))
    assert table.to_numpy().tolist() == [
        ["b", "c", "b -> a", "b -> a", "both"],
        ["a", "b", "a -- b", "a -> b", "direction differs"],
        ["c", "d", "a -- b", "", "first only"],
        ["a", "d", "", "b -> a", "second only"],
    ]


def test_variables_count_their_links_and_their_rarest_level() -> None:
    """By the graph and by the table."""
    data = chain(200)
    result = drawn(engine.Ordinal(approach="gpc").run(data), ["cb"], ["ab"])
    assert result.edge_pairs == ((("a", "b"), False), (("c", "b"), True))
    table = result.variables()
    assert table["links"].to_dict() == {"a": 1, "b": 2, "c": 1, "d": 0}
    assert table["levels"].tolist() == [4] * 4
    assert table["rarest"].tolist() == [np.bincount(row, minlength=4).min() / 200 for row in data.codes]
    arrows = result.graph
    assert wording.arrows(result) == (
        "2 links join 3 of the 4 variables; 1 stands alone; 1 has a direction, not yet tested in half samples."
    )
    assert (arrows.has_edge("a", "b"), arrows.has_edge("b", "a"), arrows.has_edge("b", "c")) == (True, True, False)


@pytest.mark.parametrize(
    ("arrows", "lines", "words"),
    [
        ([], ["ab"], "1 link joins 2 of the 4 variables; 2 stand alone; it does not have a direction."),
        (
            ["ab"],
            [],
            "1 link joins 2 of the 4 variables; 2 stand alone; it has a direction, not yet tested in half samples.",
        ),
        (["ab", "cb"], ["cd"], "3 links join all 4 variables; 2 have a direction, not yet tested in half samples."),
        (["ab", "cb", "db"], [], "3 links join all 4 variables; all have a direction, not yet tested in half samples."),
        ([], ["ab", "cd"], "2 links join all 4 variables; none has a direction."),
    ],
)
def test_links_variables_and_directions_are_counted(arrows: list[str], lines: list[str], words: str) -> None:
    """Beside the lines; where none were estimated, beside the headline, which names the strongest link."""
    result = drawn(engine.Ordinal(approach="gpc").run(chain(200)), arrows, lines)
    assert wording.arrows(result) == words
    assert f"Arrows are a model of their own: {words}{result.caveat()}" in result.sentences()[:2]
    alone = replace(result, lines=None)
    many, has = (len(arrows), "has" if len(arrows) == 1 else "have") if arrows else ("None", "has")
    way = f" {many} of the {alone.n_links} links {has} a direction." if alone.n_links > 1 else ""
    ends = f"{way}{' An arrow is not a cause.' if arrows else ''}"
    assert alone.sentences()[0].startswith("Beyond chance: ") and alone.sentences()[0].endswith(ends)
    assert words in alone.sentences() and "after correction for all 6 pairs." in alone.sentences()[0]
    assert ("The only link is " if alone.n_links == 1 else "; the largest estimate is ") in alone.headline()


def test_links_that_came_back_often_but_are_not_drawn_are_named() -> None:
    """Of four links one is drawn and came back always, one drawn seldom, one not drawn often, one not drawn seldom."""
    result = drawn(engine.Ordinal(approach="gpc").run(chain(200)), [], ["ab", "bc"])
    links = np.zeros((4, 4), dtype=np.int64)
    for pair, runs in (("ab", 20), ("bc", 8), ("cd", 10), ("ad", 9)):
        a, b = sorted("abcd".index(name) for name in pair)
        links[a, b] = links[b, a] = runs
    strength = EdgeStrength(result.names, 20, links, links / 2, 1, 0, ("", ""))
    said = by_rows(result, strength)
    assert said == (
        "With the rows resampled 20 times, 1 of the 2 links came back in 95\u00a0% of the networks or more; b – c came "
        "back in fewer than half. c – d came back in half of them or more, and is not in this network."
    )


def test_clear_and_drawn_are_said_apart() -> None:
    """The headline counts links with a corrected p of at most .05, which stands beside it."""
    result = engine.Ordinal(approach="gpc").run(chain(300))
    assert result.sentences()[0] == (
        "Clear: p at most .05 after correction for all 6 pairs, all other variables held fixed. Which is strongest is "
        "uncertain: intervals overlap."
    )
    assert str(wording.correlated(result)).startswith("For ordered answers, as latent values (polychoric")
    numbers = replace(result, numbers=("a",), method=engine.Ordinal())
    assert "numbers by ranks" in wording.correlated(numbers) and "numbers" not in wording.correlated(result)
    assert result.sentences()[1].startswith("Arrows are a model of their own: ")
    assert "another link may be the strongest there" in result.sentences()[2]  # in Associations, in the same report


def test_a_pair_is_given_with_its_interval() -> None:
    """Estimate, then the lower and the upper end, then p of all pairs."""
    result = engine.Ordinal(approach="gpc").run(chain(300))
    lines = result.lines
    assert lines is not None
    i, j = lines.names.index("b"), lines.names.index("a")
    value, low, high = (signed(number[i, j]) for number in (lines.partial, lines.low, lines.high))
    assert lines.low[i, j] < lines.partial[i, j] < lines.high[i, j]
    assert wording.pair_words(result, lines, "b", "a") == (
        f"Partial correlation {value} (95 % interval {low} to {high}) given all other variables; "
        "p\u00a0<\u00a0.001 after correction for all pairs. "
        "Positive: where one is higher, the other tends to be higher."
    )


def test_two_variables_are_both() -> None:
    """Nobody says all 2; and of the only pair no other parents are known."""
    result = engine.Ordinal(approach="gpc").run(chain(300).select(["a", "b"]))
    assert wording.arrows(result) == "1 link joins both variables; it does not have a direction."
    assert result.headline().startswith("1 link is clear; it is between a and b: partial correlation +")
    assert "Held fixed" not in " ".join(replace(result, lines=None).sentences())
    whole = replace(engine.Ordinal(approach="gpc").run(chain(300)), lines=None)
    assert "Held fixed" in " ".join(whole.sentences())


def test_every_pair_is_judged_as_a_link_of_its_family() -> None:
    """Every row its own: no design effect; Bonferroni by the number of pairs."""
    result = engine.Ordinal(approach="gpc").run(chain(200))
    assert len(result.links) == 6
    for (a, b), known in result.links.items():
        i, j = result.names.index(a), result.names.index(b)
        source, child, given = next(family for family in result.families if {*family[:2]} == {i, j})
        assert source in result.parents[child] or child not in result.parents[source]
        assert set(given) == set(result.parents[child]) - {source}
        matrices = result.matrices
        assert known == link(matrices["pairs"], matrices["variances"], source, child, given, 200.0, 6)


def test_an_answer_whose_parts_do_not_fit_is_not_read() -> None:
    """Re-runs of other variables or of another shape, counts of other levels, a network of another size."""
    data = chain(100)
    method = engine.Ordinal(approach="gpc")
    strength = method.edge_strength(data, runs=2)
    halves = method.half_samples(data, runs=2)
    result = method.run(data).with_parts(strength)
    assert result.table("Strength").equals(strength.frame())
    assert decode(encode(result)).headline() == result.headline()
    few = np.zeros((3, 3))
    other = ("a", "b", "c", "x")
    lines = result.lines
    assert lines is not None
    measure, item = next(iter(lines.centralities.items()))
    short = {"value": item.value[:3], "error": item.error[:3], "difference_error": few}
    damaged = [
        *({name: few} for name in ("partial", "low", "high", "p")),
        *({name: few[0]} for name in ("explained", "explained_low", "explained_high")),
        *({"centralities": {measure: replace(item, **{name: array})}} for name, array in short.items()),
    ]
    for changes in (
        *({"lines": replace(lines, **change)} for change in damaged),
        {"strength": replace(strength, names=other)},
        {"halves": replace(halves, names=other)},
        {"strength": replace(strength, links=few.astype(int))},
        {"strength": replace(strength, directed=few)},
        {"counts": {**result.counts, "a": np.array([50, 50, 0])}},
        {"cuts": {**result.cuts, "a": np.zeros(4)}},
        {"counts": {name: result.counts[name] for name in "abc"}},
        {"cpdag": Pdag([0] * 3, [0] * 3, [0] * 3)},
        {"effect": 0.5},
        {"subjects": -1},
    ):
        with pytest.raises(engine.DiptychError):
            decode(encode(replace(result, **changes)))  # type: ignore[arg-type]


METHOD_GPC = engine.Ordinal(approach="gpc")


def test_a_small_table_says_so_in_the_headline_and_how_many_rows_it_takes() -> None:
    """Too few for lines, too few for a clear one, few but clear; 100 rows are not called small."""
    few = METHOD_GPC.run(chain(5))
    assert few.lines is None
    assert few.headline() == (
        f"Only 5 rows: no line can be estimated between 4 variables; an interval of ±0.20 takes about "
        f"{wording.rows_for(few)} rows."
    )
    assert wording.why_no_line(few) == (
        "No lines are drawn: partial correlations of 4 variables need at least 7 rows with both answers of every pair."
    )
    noise = engine.Dataset.from_codes(
        np.random.default_rng(3).integers(0, 3, (4, 30)), [3] * 4, list("abcd"), kinds=dict.fromkeys("abcd", "ordinal")
    )
    unclear = METHOD_GPC.run(noise)
    assert unclear.headline().startswith("Only 30 rows: no partial correlation is clear between 4 variables; an ")
    assert wording.why_no_line(unclear) == ""
    assert unclear.how_sure()[0].startswith("Clear: p at most .05 after correction for all 6 pairs"), (
        "as the headline has it"
    )
    clear = METHOD_GPC.run(chain(99))
    assert clear.headline().startswith("Small table: ") and "clear" in clear.headline()
    assert any("An interval of ±0.20 takes about" in note for note in clear.notes())
    assert wording.small_table(METHOD_GPC.run(chain(100))) == ""


def test_the_rows_that_an_interval_takes_are_those_that_give_it() -> None:
    """A table of that size has intervals about as wide as said; levels are worth at least a twentieth."""
    small = METHOD_GPC.run(chain(60))
    needed = [wording.rows_for(replace(small, information=share)) for share in (1.0, 0.1, 0.05, 0.0)]
    z = (ndtri(0.975) / np.arctanh(0.2)) ** 2
    assert needed == [10 * int(np.ceil((5 + z / share) / 10)) for share in (1.0, 0.1, 0.05, 0.05)]
    lines = METHOD_GPC.run(chain(wording.rows_for(small))).lines
    assert lines is not None
    weak = [pair for pair in lines.pairs if abs(lines.partial[pair]) < 0.2]
    widths = [(lines.high - lines.low)[pair] / 2 for pair in weak]
    assert 0.7 * wording.WIDTH < np.mean(widths) < 1.4 * wording.WIDTH


def test_a_covariate_is_not_ranked_among_items() -> None:
    """Whatever its strength: a sex is no symptom, and the sentences say that it is left out."""
    lines = engine.Ordinal(approach="gpc").run(chain(300)).lines
    assert lines is not None
    first = int(np.argmax(lines.centralities["strength"].value))
    names = tuple("sex" if place == first else name for place, name in enumerate(lines.names))
    said = wording.centrality(SimpleNamespace(lines=replace(lines, names=names), dropping=None, determined={}))  # type: ignore[arg-type]
    assert not any(text.startswith("sex") or "above sex" in text for text in said[:2])
    assert said[-1] == "sex is a covariate, and its links are not counted."
