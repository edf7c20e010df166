"""The answer of a comparison: which links differ between groups, with sign and doubt, and what the networks share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, Self

from engine.comparison import wording
from engine.comparison.difference import Compare
from engine.comparison.figures import chosen_rows, links_figure, structure_figure
from engine.comparison.groups import group_labels, joined_fingerprint, joined_record, rows_of
from engine.comparison.links import Answer, check_parts, compute_link_test, why_no_test
from engine.comparison.nodes import node_table, permuted
from engine.comparison.scales import Scale
from engine.comparison.shuffles import Shuffles
from engine.comparison.structure import BareNetwork, Side, Structure
from engine.comparison.table import COLUMNS, TABLES, LinkTest, link_table
from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.execution import Progress, part, silent
from engine.graphs.dag import each_edge
from engine.lazy import go, nx, pd
from engine.methods import frames
from engine.methods.evidence import CANNOT_TELL, CLAIMS, NO, YES
from engine.methods.fitting import check_counts, check_that
from engine.methods.result import Result
from engine.methods.storing import storable
from engine.methods.verdicts import Verdict
from engine.telling.charts.labels import difference_name, distinct
from engine.telling.sections import Section
from engine.telling.tables import TableDescription, settings_table

NO_DATA = "No rows were given with the answers, so only their structure is compared."
DIFFERENCE = "Difference"
"""Title of the network of differences."""
_OF_STRUCTURE = {
    "Shared edges": "edges",
    "Compared claims": "claims",
    "Compared settings": "settings",
    "Compared rows": "rows",
}


@storable
@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult(Result):
    """The answer to "which links differ?".

    Attributes
    ----------
    method : draws and seed
    names : the variables that all have, in the order of the first
    fingerprint : of the table that the groups were taken out of; of several tables joined
    made : of the first answer, with the rows of all
    answers : what is compared
    labels : what the groups are called
    rows : of each group; subjects are in the notes
    group, levels : the column and its levels that the groups are; empty where they are none
    test : the tested numbers; None where there is no test, and `no_test` says why
    networks : title in the first -> title in the second, where other pairs were asked for
    shuffles : what learning again in shuffles found; None where that was not asked
    """

    method: Compare
    answers: tuple[Any, ...]
    labels: tuple[str, ...]
    rows: tuple[int, ...]
    group: str = ""
    levels: tuple[str, ...] = ()
    test: LinkTest | None = None
    no_test: str = ""
    networks: Mapping[str, str] = field(default_factory=dict)
    shuffles: Shuffles | None = None

    slug = Compare.slug
    format = "diptych/comparison/1"
    titles = (*("Links", "Nodes", "Shared edges", "Compared claims", "Compared settings", "Compared rows", "Settings"),)
    table_descriptions = TABLES
    no_link_test = "A comparison is compared with nothing further; compare the answers themselves."
    caution = wording.CAUTION

    @classmethod
    def of(
        cls,
        answers: Sequence[Answer],
        parts: Sequence[Dataset] | None,
        method: Compare,
        networks: Mapping[str, str] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """The comparison of answers; `engine.compare` looks at what it is given and calls this.

        Parameters
        ----------
        answers : two or more
        parts : their rows; None where only their structure is compared
        method : draws and seed
        networks : title in the first -> title in the second, for other pairs
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        `ComparisonResult`

        Raises
        ------
        DataError : the answers share no variable, or the rows are others
        """
        sides = [Side(answer) for answer in answers]
        for other in sides[1:]:
            Structure(sides[0], other, networks)  # refuses what cannot be compared
        names = tuple(name for name in sides[0].names if all(name in side.names for side in sides))
        why = NO_DATA
        if parts is not None:
            check_parts(answers, parts)
            why = why_no_test(answers, parts)
        group, levels, labels = group_labels(answers, parts)
        test: LinkTest | None = None
        if parts is not None and not why:
            test = compute_link_test(answers, parts, names, method.draws, method.seed, progress, labels)
        return cls(
            method=method,
            names=names,
            fingerprint=joined_fingerprint(answers, parts),
            made=joined_record(answers, parts),
            answers=tuple(answers),
            labels=labels,
            rows=tuple(rows_of(answers, parts)),
            group=group,
            levels=levels,
            test=test,
            no_test=why,
            networks=dict(networks or {}),
        )

    # -- links --------------------------------------------------------------------------------------------------------

    @property
    def scale(self) -> Scale:
        """The scale on which links are compared.

        Raises
        ------
        DataError : nothing was tested
        """
        return self.tested.of

    @property
    def tested(self) -> LinkTest:
        """The tested numbers; `DataError` where nothing was tested."""
        if self.test is None:
            raise DataError(f"No link is tested here. {self.no_test}")
        return self.test

    def links(self) -> pd.DataFrame:
        """Every pair of variables: both signed estimates, their difference, corrected p, and a word.

        Returns
        -------
        pandas.DataFrame, those of least p first: source, target, a, a_low, a_high, b, b_low, b_high, difference, low,
        high (log odds ratios a step, correlations, or differences of means in SD; 95 % intervals), p (corrected over
        all pairs), probability (P(differs)), log_bayes_factor, word (of `engine.methods.verdicts.Verdict`), what
        ("stronger in A", "turns its sign", "only in A" where it differs), levels (of nominal variables: those that are
        set against each other), drawn ("both", or the groups whose network has it), visible (the difference of which p
        would be below .05 in 8 of 10), group_a, group_b, scale, p_any (of any two groups). Empty without a test
        """
        return self._links.copy()

    @cached_property
    def _links(self) -> pd.DataFrame:
        if self.test is None:
            return pd.DataFrame(columns=list(COLUMNS))
        return link_table(self.test, self.names, self.labels, self._drawn, self.method.p_none)

    @cached_property
    def _drawn(self) -> list[set[frozenset[str]]]:
        """The links of each answer's first network, whatever their directions."""
        return [
            {frozenset((source, target)) for source, target, *_ in each_edge(next(iter(side.graphs.values())))}
            if side.graphs
            else set()
            for side in self.sides
        ]

    @cached_property
    def union(self) -> frozenset[frozenset[str]]:
        """The links that any of the networks has."""
        return frozenset(ends for drawn in self._drawn for ends in drawn)

    def called(self) -> pd.DataFrame:
        """The rows of `links` that differ, surely or probably."""
        return self._links[self._links["word"].isin([word for word in Verdict if word.called])]

    def nodes(self) -> pd.DataFrame:
        """Global strength, and every node's strength and expected influence, in both groups and their difference.

        Returns
        -------
        pandas.DataFrame, of nodes with a link that counts: measure, node ("all" of global strength), a, a_low, a_high,
        b, b_low, b_high, difference, low, high (95 % intervals), p (corrected over nodes and both measures), group_a,
        group_b, and where rows were shuffled p_permuted. Empty without a test
        """
        if self.test is None or self.test.nodes is None:
            return pd.DataFrame(columns=["measure", "node"])
        table = node_table(self.test.nodes, self.test.variables, self.labels)
        if self.shuffles is not None and len(self.shuffles.nodes):
            table["p_permuted"] = permuted(self.test.nodes, self.shuffles.nodes)
        return table[(table[["a", "b"]] != 0).any(axis=1)].reset_index(drop=True)

    def with_prior(self, p_none: float) -> Self:
        """The same evidence under another prior probability that no link differs; nothing is counted again.

        Parameters
        ----------
        p_none : above 0 and below 1

        Returns
        -------
        the comparison

        Raises
        ------
        SettingsError : it is not
        """
        return replace(self, method=replace(self.method, p_none=p_none))

    def drawn_links(self) -> pd.DataFrame:
        """The rows of `links` that are drawn: those of any network, and those that differ."""
        drawn = self.union_and_called()
        return self._links[[ends in drawn for ends in _ends(self._links)]]

    def union_and_called(self) -> frozenset[frozenset[str]]:
        """The links that are drawn: those of any network, and those that differ."""
        return frozenset((self.union & {*_ends(self._links)}) | {*_ends(self.called())})

    def tested_pairs(self) -> int:
        """How many pairs of variables were tested."""
        return len({*_ends(self._links)})

    def visible(self) -> float:
        """The difference that would have been seen in 8 of 10, as the middle over the links that are drawn."""
        drawn = self.drawn_links()
        links = drawn if len(drawn) else self._links
        return float(links["visible"].median()) if len(links) else math.nan

    # -- structure ----------------------------------------------------------------------------------------------------

    @cached_property
    def sides(self) -> list[Side]:
        """What is compared of each answer."""
        return [Side(answer) for answer in self.answers]

    def structure(self, first: int = 0, second: int = 1) -> Structure:
        """What two of the answers share.

        Parameters
        ----------
        first, second : their places

        Returns
        -------
        `Structure`
        """
        result = self._structures.get((first, second))
        if result is None:
            networks = self.networks if (first, second) == (0, 1) and self.networks else None
            result = Structure(self.sides[first], self.sides[second], networks)
            self._structures[first, second] = result
        return result

    @cached_property
    def _structures(self) -> dict[tuple[int, int], Structure]:
        return {}

    # -- networks -----------------------------------------------------------------------------------------------------

    def graphs(self) -> dict[str, nx.Graph]:
        """Title -> network: the union of the links in every group by its own estimate, and the difference.

        Where links were tested an edge has `status` ("positive", "negative"; in the difference "differs", "unseen"),
        `estimate`, `low`, `high`, `pale` (its interval holds 0), `drawn` (the group's search took it) and, in the
        difference, `p` and `word`. Elsewhere the difference has the statuses of `Structure.graph`, and the networks
        are those of the answers.
        """
        if self.test is None:
            result: dict[str, nx.Graph] = {}
            for title, graph in self.structure().graphs().items():
                result[DIFFERENCE if not result else f"{DIFFERENCE}: {title}"] = graph
            return result
        pairs = self.test.differences.pairs
        networks = {label: self._group_graph(place) for place, label in enumerate(self.labels)}
        for i, j in pairs:
            title = DIFFERENCE if len(pairs) == 1 else f"{self.labels[j]} - {self.labels[i]}"
            while title in networks:  # a group may be called so
                title += "*"
            networks[title] = self._difference_graph(self.labels[i], self.labels[j])
        return networks

    def _group_graph(self, place: int) -> nx.DiGraph:
        graph, label = nx.empty_graph(self.names, nx.DiGraph), self.labels[place]
        own = next(iter(self.sides[place].graphs.values()))
        arcs = {(s, t) for s, t, directed, _ in each_edge(own) if directed}
        for row in self.drawn_links().itertuples():
            letter = "a" if row.group_a == label else "b" if row.group_b == label else ""
            if not letter or graph.has_edge(row.source, row.target) or graph.has_edge(row.target, row.source):
                continue
            value, low, high = (getattr(row, f"{letter}{end}") for end in ("", "_low", "_high"))
            about = {
                "status": "linked" if row.levels else "positive" if value >= 0 else "negative",
                "estimate": float(value),
                "low": float(low),
                "high": float(high),
                "pale": bool(low <= 0 <= high),
                "drawn": frozenset((row.source, row.target)) in self._drawn[place],
            }
            _add(graph, row.source, row.target, arcs, about)
        return graph

    def _difference_graph(self, a: str, b: str) -> nx.DiGraph:
        graph, rows = nx.empty_graph(self.names, nx.DiGraph), self.drawn_links()
        for row in rows[(rows["group_a"] == a) & (rows["group_b"] == b)].itertuples():
            drawn = frozenset((row.source, row.target)) in self.union
            about = {
                "status": "unseen" if not row.what else "differs" if drawn else "differs_undrawn",
                "estimate": float(row.difference),
                "low": float(row.low),
                "high": float(row.high),
                "p": float(row.p),
                "word": row.word,
                "drawn": drawn,
            }
            _add(graph, row.source, row.target, set(), about)
        return graph

    def _edge_facts(self, about: Mapping[str, Any]) -> tuple[str, float, float, str]:
        """The strength is the estimate; in the difference it is the difference."""
        status, estimate = str(about.get("status", "")), float(about.get("estimate", math.nan))
        sign = {"positive": "+", "negative": "-"}.get(status, "")
        return status, estimate, math.nan, sign

    def plot_links(
        self,
        links: Sequence[tuple[str, str]] | None = None,
        selected: tuple[str, str] | None = None,
        groups: tuple[str, str] | None = None,
    ) -> go.Figure:
        """A row a link: both estimates with intervals on one axis, the difference on another, and p.

        Parameters
        ----------
        links : which, in this order; those that are drawn, least p first, where None
        selected : the one with a frame around its row
        groups : labels of the two groups; the first two where None

        Returns
        -------
        plotly.graph_objects.Figure, with no more rows than links; `customdata` names the two variables

        Raises
        ------
        DataError : nothing was tested, or there is no such group
        """
        scale = self.scale
        pair = self.labels[:2] if groups is None else groups
        if unknown := [item for item in pair if item not in self.labels]:
            raise DataError(f"There is no group {unknown[0]!r}; there are {', '.join(map(repr, self.labels))}.")
        positions = sorted({self.labels.index(entry) for entry in pair})
        if len(positions) != 2:
            raise DataError("The chart is of two different groups.")
        rows = chosen_rows(self._links, [self.labels[place] for place in positions], links, self.union_and_called())
        return links_figure(rows, scale, (positions[0], positions[-1]), selected)

    def _figure_makers(self) -> dict[str, Callable[[], go.Figure]]:
        """The networks side by side with their difference; the chart of the links where they were tested."""
        if self.test is not None:
            return super()._figure_makers() | {"links": self.plot_links}
        title = next(iter(self.structure().titles()), None)
        return super()._figure_makers() if title is None else {"networks": partial(self._plot_structure, title)}

    def _plot_structure(self, title: str) -> go.Figure:
        """Two networks and what is in both or in one of them."""
        structure = self.structure()
        rows = structure.edges[structure.edges["network"] == title]
        other = rows["network_b"].iloc[0] if len(rows) else title
        pair = [
            side.graphs.get(own) or next(iter(side.graphs.values()))
            for side, own in zip(self.sides, (title, other), strict=False)
        ]
        return structure_figure(pair, self.labels, structure.graph(title), self.names)

    # -- how it is told -----------------------------------------------------------------------------------------------

    def short_title(self) -> str:
        """What is compared."""
        return " v ".join(self.labels)

    headline = wording.headline

    sentences = wording.sentences

    notes = wording.notes

    def sections(self) -> list[Section]:
        """The answer, the networks with their links, what is shared, and how it was computed."""
        links = ("Links", "Nodes") if self.test is not None else ()
        shared = []
        if len(self.labels) == 2:  # of more there is no one number
            sentences = tuple(self.structure().sentences())
            shared = [Section("shared", "What the searches share", sentences, ("Shared edges",))]
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section("networks", "The networks and their difference", (self.caution,), links, ("networks",)),
            *shared,
            Section("method", "How this is computed", tables=("Compared settings", "Settings")),
        ]

    def claims(self) -> pd.DataFrame:
        """One row a link that is drawn, and two groups: whether it differs.

        "yes" where it differs, "no" where it is equivalent within the margin, else "cannot tell". `probability` is
        P(differs), `chance` the corrected p, `effect` the difference with its interval, `n` the rows of both groups.
        """
        rows = dict(zip(self.labels, self.rows, strict=True))
        result = []
        for row in self.drawn_links().itertuples():
            verdict = YES if row.what else NO if row.word == Verdict.SAME else CANNOT_TELL
            between = f": {row.group_a} v {row.group_b}" if len(self.labels) > 2 else ""
            n = rows[row.group_a] + rows[row.group_b]
            about = f"{row.source} -- {row.target}{between}"
            numbers = (row.log_bayes_factor, row.probability, row.p, row.difference, row.low, row.high)
            result.append((about, "differs", verdict, *numbers, n))
        return pd.DataFrame(result, columns=list(CLAIMS))

    def variables(self) -> pd.DataFrame:
        """One row a variable: its links in any network, and how many of its pairs differ."""
        called = {*_ends(self.called())}
        columns = {"links": self.union, "differ": called}
        many = {title: [sum(name in ends for ends in links) for name in self.names] for title, links in columns.items()}
        return frames.data_frame(many, names=self.names)

    def table_description(self, title: str) -> TableDescription:
        """What the columns of one of the tables are; of two groups' links with their names.

        Parameters
        ----------
        title : one of `table_titles()`

        Returns
        -------
        `engine.telling.tables.TableDescription`
        """
        about = super().table_description(title)
        if title not in ("Links", "Nodes") or len(self.labels) != 2:
            return about
        a, b = distinct(self.labels, 20)
        order = difference_name(b, a)
        headers = {"a": f"{a} (95 %)", "b": f"{b} (95 %)", "difference": f"{order} (95 %)"}
        return about.with_headers(headers)

    def table(self, title: str) -> pd.DataFrame:
        """One of the tables.

        Parameters
        ----------
        title : "Links", "Nodes", "Shared edges", "Compared claims", "Compared settings", "Compared rows" or "Settings"

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        SettingsError : there is no such table
        """
        self._check_title(title)
        if title == "Links":
            return self.links()
        if title == "Nodes":
            return self.nodes()
        if title == "Settings":
            return settings_table(self.settings(), {}, self.fingerprint, self.made.versions)
        tables = []
        for i, j in combinations(range(len(self.labels)), 2):
            result: pd.DataFrame = getattr(self.structure(i, j), _OF_STRUCTURE[title])
            between = {"group_a": self.labels[i], "group_b": self.labels[j]}
            tables.append(result.copy() if len(self.labels) == 2 else result.assign(**between))
        return pd.concat(tables, ignore_index=True)

    def document(self) -> dict[str, Any]:
        """Groups, links with their words, the three sums, and edges that the networks share."""
        sums = None
        if self.test is not None:
            result = self.test.differences
            sums = {"p": result.sums.tolist(), "p_corrected": result.corrected.tolist()}
        return {
            "groups": [{"label": label, "rows": rows} for label, rows in zip(self.labels, self.rows, strict=True)],
            "group_variable": self.group,
            "scale": None if self.test is None else self.scale.number,
            "no_test": self.no_test,
            "headline": self.headline(),
            "links": [frames.record(row) for row in self._links.to_dict("records")],
            "sums": sums,
            "nodes": [frames.record(row) for row in self.nodes().to_dict("records")],
            "shared_edges": [frames.record(row) for row in self.table("Shared edges").to_dict("records")],
            "settings": frames.record(self.settings()),
            "fingerprint": self.fingerprint,
        }

    # -- again --------------------------------------------------------------------------------------------------------

    def asks_of(self) -> tuple[str, ...]:
        """The columns that the question is about: those of every answer, and the one that parts the rows."""
        result: dict[str, None] = {}
        for answer in self.answers:
            result |= dict.fromkeys(answer.names if isinstance(answer, BareNetwork) else answer.asks_of())
        return (*result, *([self.group] if self.group else []))

    def rerun(self, data: Dataset, progress: Progress = silent) -> Self:
        """The same comparison of other rows: every answer again for its group, and the test.

        Parameters
        ----------
        data : other rows of the same variables, with the column that parts them
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        the comparison of these data

        Raises
        ------
        DataError : the groups are not levels of a column, one has no rows, or as the methods' runs
        """
        if any(isinstance(answer, BareNetwork) for answer in self.answers):
            raise DataError("A network from a file cannot be learned again, so this comparison cannot be made again.")
        parts = self._rows_by_answer(data)
        answers = []
        for place, (answer, rows) in enumerate(zip(self.answers, parts, strict=True)):
            share = part(progress, place / len(parts), (place + 1) / len(parts))
            answers.append(answer.rerun(rows, progress=share))
        result = self.of(answers, parts if self.group else None, self.method, self.networks or None)
        return result if self.group else replace(result, labels=self.labels)

    def _rows_by_answer(self, data: Dataset) -> list[Dataset]:
        if not self.group:
            if self.test is not None:
                raise DataError("The groups of this comparison are not levels of one column; compare the answers anew.")
            return [data] * len(self.answers)
        parts = data.split(self.group)
        levels = self.levels
        if missing := [level for level in levels if level not in parts]:
            raise DataError(f"No row has the level '{missing[0][:60]}' of '{self.group[:60]}', which is compared.")
        columns = [set(answer.asks_of()) for answer in self.answers]
        return [
            parts[level].select(name for name in parts[level].names if name in names)
            for level, names in zip(levels, columns, strict=True)
        ]

    def _check_read(self) -> None:
        super()._check_read()
        check_that(2 <= len(self.answers) == len(self.labels) == len(self.rows), "its groups do not fit")
        check_that(all(isinstance(item, Result | BareNetwork) for item in self.answers), "it compares something else")
        check_counts(*self.rows)
        if self.test is not None:
            check_that(self.test.differences.value.shape[0] == len(self.answers), "its test is of other groups")
            check_that(set(self.test.variables) <= set(self.names), "its test is of other variables")


def _ends(rows: pd.DataFrame) -> list[frozenset[str]]:
    """The two variables of every row."""
    return [frozenset(ends) for ends in zip(rows["source"], rows["target"], strict=True)]


def _add(graph: nx.DiGraph, source: str, target: str, arcs: set[tuple[str, str]], about: Mapping[str, Any]) -> None:
    """Add a link: the way its arc runs, else both ways."""
    if (target, source) not in arcs:
        graph.add_edge(source, target, **about)
    if (source, target) not in arcs:
        graph.add_edge(target, source, **about)
