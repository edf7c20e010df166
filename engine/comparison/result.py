"""The answer of a comparison: which links differ between groups, with sign and doubt, and what the networks share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, Self

from engine.comparison.difference import Compare
from engine.comparison.evidence import ComparisonEvidence, both_ends
from engine.comparison.groups import group_labels, joined_fingerprint, joined_record, rows_of
from engine.comparison.links import Answer, check_parts, compute_link_test, why_no_test
from engine.comparison.structure import BareNetwork, Side, Structure
from engine.comparison.table import LinkTest
from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.execution import Progress, part, silent
from engine.graphs.dag import each_edge
from engine.lazy import go, nx, pd
from engine.methods import frames
from engine.methods.evidence import CANNOT_TELL, CLAIMS, NO, YES
from engine.methods.fitting import check_that
from engine.methods.result import Result
from engine.methods.storing import storable
from engine.methods.verdicts import Verdict
from engine.telling.charts.labels import difference_name, distinct
from engine.telling.comparison import columns, wording
from engine.telling.comparison.figures import chosen_rows, links_figure, structure_figure
from engine.telling.sections import Section
from engine.telling.tables import TableDescription, settings_table
from engine.words import short

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
class ComparisonResult(ComparisonEvidence, Result):
    """The answer to "which links differ?"; see `ComparisonEvidence` for its attributes."""

    slug = Compare.slug
    format = "diptych/comparison/1"
    titles = (*("Links", "Nodes", "Shared edges", "Compared claims", "Compared settings", "Compared rows", "Settings"),)
    table_descriptions = columns.TABLES
    no_link_test = "A comparison is compared with nothing further; compare the answers themselves."
    caution = wording.CAUTION

    @property
    def learned(self) -> tuple[Result, ...]:
        """The answers that a method gave; the others are networks that came alone."""
        return tuple(answer for answer in self.answers if isinstance(answer, Result))

    def about_people(self) -> bool:
        """See `Result.about_people`."""
        return any(answer.about_people() for answer in self.learned)

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

    # -- networks -----------------------------------------------------------------------------------------------------

    def graphs(self) -> dict[str, nx.Graph]:
        """Title -> network: the union of the links in every group by its own estimate, and the difference.

        Where links were tested an edge has `status` ("positive", "negative", "unsure" where it is pale; in the
        difference "differs", "unseen"), `estimate`, `low`, `high`, `pale` (its interval holds 0, or other variables
        nearly determine an end), `drawn` (the group's search took it) and, in the difference, `p` and `word`. Elsewhere
        the difference has the statuses of `Structure.graph`, and the networks
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
        unreliable = self.determined_in(place)
        for row in self.drawn_links().itertuples():
            letter = "a" if row.group_a == label else "b" if row.group_b == label else ""
            if not letter or graph.has_edge(row.source, row.target) or graph.has_edge(row.target, row.source):
                continue
            value, low, high = (getattr(row, f"{letter}{end}") for end in ("", "_low", "_high"))
            pale = bool(low <= 0 <= high) or not unreliable.keys().isdisjoint((row.source, row.target))
            sign = "unsure" if pale else "positive" if value >= 0 else "negative"
            about = {
                "status": "linked" if row.levels else sign,
                "estimate": float(value),
                "low": float(low),
                "high": float(high),
                "pale": pale,
                "drawn": frozenset((row.source, row.target)) in self.sides[place].links,
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
        """The groups against each other, what is subtracted last."""
        return " v ".join(reversed(self.labels))

    headline = wording.headline

    question = wording.question

    sentences, how_sure = wording.sentences, wording.how_sure

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
        called = {*both_ends(self.called())}
        columns = {"links": self.union, "differ": called}
        many = {title: [sum(name in ends for ends in links) for name in self.names] for title, links in columns.items()}
        return frames.data_frame(many, names=self.names)

    def table_description(self, title: str) -> TableDescription:
        """The description of one of the tables; of two groups' links with their names.

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
        named = about.with_headers(headers)
        return replace(named, left_out=(*named.left_out, "group_a", "group_b"))  # they stand above the estimates

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
            raise DataError(
                f"No row has the level '{short(missing[0], 60)}' of '{short(self.group, 60)}', which is compared."
            )
        columns = [set(answer.asks_of()) for answer in self.answers]
        return [
            parts[level].select(name for name in parts[level].names if name in names)
            for level, names in zip(levels, columns, strict=True)
        ]

    def _check_read(self) -> None:
        super()._check_read()
        known = all(isinstance(answer, Result | BareNetwork) for answer in self.answers)
        check_that(known, "it compares something else")


def _add(graph: nx.DiGraph, source: str, target: str, arcs: set[tuple[str, str]], about: Mapping[str, Any]) -> None:
    """Add a link: the way its arc runs, else both ways."""
    if (target, source) not in arcs:
        graph.add_edge(source, target, **about)
    if (source, target) not in arcs:
        graph.add_edge(target, source, **about)
