"""What every answer is: sentences, claims, edges, tables and networks in one form, and where it comes from.

Pages, reports, notebooks and comparisons read these; none of them knows a method.
"""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, Self

from engine.data.dataset import Dataset, same_data
from engine.data.reading.report import plain
from engine.errors import DataError, SettingsError
from engine.execution import Progress, silent
from engine.graphs.dag import each_edge
from engine.lazy import go, nx, pd
from engine.methods import frames
from engine.methods.evidence import CLAIMS, EDGES, Evidence, Provenance
from engine.methods.fitting import check_that
from engine.methods.storing import Stored, encode
from engine.models.network import Network
from engine.notebook import notebook_bundle
from engine.telling.drawing import draw_networks, result_markup
from engine.telling.sections import Section
from engine.telling.tables import SETTINGS, TableDescription, settings_table
from engine.words import short


@dataclass(frozen=True, eq=False, repr=False)
class Result(Evidence, Stored, ABC):
    """Base of the answers; a subclass is a frozen dataclass that has the fields below, a headline and graphs.

    Attributes
    ----------
    method : the settings
    names : the variables, in column order
    fingerprint : of the data set
    made : what it was computed from and with
    """

    slug: ClassVar[str]
    format: ClassVar[str]
    """Name and version of what `to_json` writes."""
    title: ClassVar[str] = ""
    """Title on screen where its method's title would not say which of its results this is."""
    titles: ClassVar[tuple[str, ...]] = ("Links",)
    """Titles of the tables."""
    table_descriptions: ClassVar[Mapping[str, TableDescription]] = {}
    """Title of a table -> what its columns are, for reports; settings are described for all."""
    link_scale: ClassVar[str] = "odds"
    """How a link is measured when two such answers are compared: "odds" by log odds ratios given what separates the
    two variables, "partial" by partial correlations of latent values."""
    no_link_test: ClassVar[str] = ""
    """Why the links of two such answers are not tested against each other; "" where they are."""
    whose: ClassVar[Literal["rows", "person", "persons"]] = "rows"
    """Whose answer it is: of all rows, of one person, or of several, whom it has as `patients`."""
    several: ClassVar[str] = ""
    """Why it is compared with no other answer, being several answers itself; "" where it is one."""
    turned: ClassVar[str] = "reversed"
    """The kind of line of a link that runs the other way in the second network."""
    thick: ClassVar[str] = "the stronger the link"
    """What a thicker line of its networks says."""
    caution: ClassVar[str]
    """How not to read the answer; said once, at its end."""

    # -- what is said -------------------------------------------------------------------------------------------------

    @abstractmethod
    def headline(self) -> str:
        """The one-sentence answer."""

    def about_people(self) -> bool:
        """True of an answer about single people, or one that compares such answers."""
        return self.whose != "rows"

    def question(self) -> str:
        """The question that it answers, in words of its own variables and groups."""
        return self.method.question

    def how_sure(self) -> list[str]:
        """The sentences that a summary has below the headline: P, p and intervals."""
        return self.sentences()[:1]

    def left_open(self) -> list[str]:
        """Sentences on what is shown neither to differ nor to be the same, which a summary has beside these."""
        return []

    def short_title(self) -> str:
        """Words that set it apart from other results of its method, such as 'Row 5'; "" where nothing does."""
        return self.title

    def sentences(self) -> list[str]:
        """Sentences on what the answer rests on, after the headline."""
        return []

    def notes(self) -> list[str]:
        """Limits of the answer, one sentence each."""
        return self.row_notes()

    def row_notes(self) -> list[str]:
        """Sentences on rows that belong together or were left out; they stand in the notes or sentences too."""
        return list(self.made.rows)

    def summary(self) -> str:
        """Headline, sentences, notes and the caution, a line each."""
        return "\n".join([self.headline(), *self.sentences(), *self.notes(), self.caution])

    def sections(self) -> list[Section]:
        """The answer in parts, in the order in which pages and reports show them."""
        sentences = (*self.sentences(), *self.notes())
        return [
            Section("answer", self.headline(), sentences),
            Section("networks", "Networks and tables", (self.caution,), self.table_titles(), ("networks",)),
        ]

    def section(self, name: str) -> Section:
        """One of the parts, by its name; worked out once for all that ask.

        Parameters
        ----------
        name : such as "answer" or "method"

        Returns
        -------
        `Section`

        Raises
        ------
        DataError : the answer has no such part
        """
        result = next((part for part in self._parts if part.name == name), None)
        if result is None:
            raise DataError(f"There is no section {name!r}; there are {', '.join(part.name for part in self._parts)}.")
        return result

    @cached_property
    def _parts(self) -> list[Section]:
        return self.sections()

    # -- tables -------------------------------------------------------------------------------------------------------

    def claims(self) -> pd.DataFrame:
        """One row a claim: the columns of `CLAIMS`. A method that weighs nothing claims nothing.

        Returns
        -------
        pandas.DataFrame: `verdict` is "yes", "no" or "cannot tell"; `log_bayes_factor` is natural; `probability`
        posterior; `chance` how often data without the effect would show as much; `effect` with `low` and `high` in
        points of probability; `n` rows. NaN where a method does not give it
        """
        return frames.data_frame(columns=list(CLAIMS))

    def variables(self) -> pd.DataFrame:
        """One row a variable, named by the index "variable": how many others it is linked with in each network."""
        linked = {
            title: [len({*graph.adj[name], *getattr(graph, "pred", graph.adj)[name]}) for name in self.names]
            for title, graph in self.graphs().items()
        }
        return frames.data_frame(linked, names=self.names)

    def edges(self) -> pd.DataFrame:
        """One row an edge and network: the columns of `EDGES`, the same for all methods.

        Returns
        -------
        pandas.DataFrame: `mark` is "->" for an arc and "--" for an edge without a direction; `strength` is in the
        method's own unit
        """
        rows = [
            (title, source, target, "->" if directed else "--", *self._edge_facts(about))
            for title, graph in self.graphs().items()
            for source, target, directed, about in each_edge(graph)
        ]
        return frames.data_frame(rows, columns=list(EDGES))

    def _edge_facts(self, about: Mapping[str, Any]) -> tuple[str, float, float, str]:
        """Status, strength, probability and sign of an edge, from its attributes in `graphs`."""
        strength, probability = (float(about.get(name, math.nan)) for name in ("strength", "probability"))
        return str(about.get("status", "")), strength, probability, ""

    def table(self, title: str) -> pd.DataFrame:
        """One of the tables.

        Parameters
        ----------
        title : one of `table_titles()`

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        SettingsError : there is no such table; it names those there are
        """
        self._check_title(title)
        return self._table_makers()[title]()

    def hidden_in(self, title: str, least: int) -> Any:
        """Which cells of a table are hidden where counts from 1 to below `least` are, if their numbers stand in texts.

        Parameters
        ----------
        title : one of `table_titles()`
        least : the smallest count that is shown

        Returns
        -------
        `engine.telling.masking.Hidden`; None where the columns of the table say it
        """
        return None

    def _made_of(self) -> tuple[Result, ...]:
        """The answers that this one is made of."""
        return ()

    def _table_makers(self) -> Mapping[str, Callable[[], pd.DataFrame]]:
        """Title -> what makes that table."""
        return dict.fromkeys(self.titles, self.edges)

    def tables(self) -> dict[str, pd.DataFrame]:
        """{title: table}, each as `table(title)` gives it."""
        return {title: self.table(title) for title in self.table_titles()}

    def table_titles(self) -> tuple[str, ...]:
        """The titles of the tables that this answer has."""
        return self.titles

    def _check_title(self, title: str) -> None:
        if title not in self.titles:
            raise SettingsError(f"There is no table {title!r}; there are {', '.join(map(repr, self.titles))}.")

    def table_description(self, title: str) -> TableDescription:
        """Description of the columns of one of the tables; a table that nobody described is taken with care.

        Parameters
        ----------
        title : one of `table_titles()`

        Returns
        -------
        `engine.telling.tables.TableDescription`
        """
        return SETTINGS if title == "Settings" else self.table_descriptions.get(title, TableDescription())

    # -- networks -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def graphs(self) -> dict[str, nx.Graph]:
        """{title: network}; edges carry their status and what else the method knows of them."""

    def searched_graphs(self) -> dict[str, nx.Graph]:
        """The part of `graphs` that a search found, which a comparison of two searches sets side by side."""
        return self.graphs()

    def directed_graphs(self) -> dict[str, nx.Graph]:
        """{title: network} for whoever needs arrows; of a network without directions one that says the same."""
        return self.graphs()

    def rows_of_networks(self, data: Dataset) -> Sequence[Dataset]:
        """The rows that each network of `graphs` was learned on.

        Parameters
        ----------
        data : the rows that the answer was made from

        Returns
        -------
        one data set a network
        """
        return [data] * len(self.graphs())

    def own_networks(self) -> dict[str, Callable[[], Network]] | None:
        """{title: what makes it} of networks whose tables the answer brings along; None where they are counted."""
        return None

    # -- figures ------------------------------------------------------------------------------------------------------

    def figures(self) -> dict[str, go.Figure]:
        """Every figure that the result has, by the names that `sections()` gives them.

        Returns
        -------
        {name: plotly.graph_objects.Figure}; "networks" is the first. Plotly is loaded by this call
        """
        return {name: make() for name, make in self._figure_makers().items()}

    def plot(self, name: str | None = None) -> go.Figure:
        """One of the figures, the networks where none is named.

        Parameters
        ----------
        name : one of those of `figures()`

        Returns
        -------
        plotly.graph_objects.Figure

        Raises
        ------
        SettingsError : there is no such figure; it names those there are
        """
        makers = self._figure_makers()
        wanted = next(iter(makers)) if name is None else name
        if wanted not in makers:
            raise SettingsError(f"There is no figure {name!r}; there are {', '.join(map(repr, makers))}.")
        return makers[wanted]()

    def _figure_makers(self) -> dict[str, Callable[[], go.Figure]]:
        """Name -> what draws that figure."""
        return {"networks": partial(draw_networks, self), **self._own_figures()}

    def _own_figures(self) -> dict[str, Callable[[], go.Figure]]:
        """Name -> what draws it, of the figures that this kind of result has beside its networks."""
        return {}

    # -- where it comes from, and where it goes -----------------------------------------------------------------------

    @property
    def provenance(self) -> Provenance:
        """Data, recipe, settings, seed and versions: everything needed to get this answer again."""
        made, seed = self.made, int(getattr(self.method, "seed", 0))
        settings = encode(self.method.shown())
        return Provenance(
            self.fingerprint, made.rows_used, made.rows_given, plain(made.recipe), settings, seed, made.versions
        )

    def settings(self) -> dict[str, Any]:
        """The settings by name, as tables and files show them."""
        settings: dict[str, Any] = self.method.shown()
        return settings

    def settings_table(self, rows: Mapping[str, int]) -> pd.DataFrame:
        """Everything needed to repeat the analysis.

        Parameters
        ----------
        rows : how many there were, by what they are called
        """
        return settings_table(self.settings(), rows, self.fingerprint, self.made.versions)

    def described_data(self, **more: Any) -> dict[str, Any]:
        """The data in a document for other programs: fingerprint, variables, and their levels by name.

        Parameters
        ----------
        more : further facts by their names
        """
        known, levels = {}, getattr(self, "levels", None)
        if isinstance(levels, Mapping):
            known = {"levels": {name: list(levels[name]) for name in self.names}}
        return {"fingerprint": self.fingerprint, "variables": list(self.names), **known, **more}

    def document(self) -> dict[str, Any]:
        """The document that `to_json` writes: settings, data and answer, in names and plain numbers."""
        tables = {title: table.astype(object).where(table.notna(), None) for title, table in self.tables().items()}
        return {
            "settings": encode(self.method.shown()),
            "fingerprint": self.fingerprint,
            "variables": list(self.names),
            "tables": {title: table.to_dict("records") for title, table in tables.items()},
        }

    def to_json(self) -> str:
        """The answer for other programs; the format is named and versioned. See `to_dict` for what can be read back."""
        about_rows = {"about_rows": self.row_notes()} if self.row_notes() else {}
        whole = {"format": self.format, "headline": self.headline()} | self.document() | about_rows
        return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False)

    def asks_of(self) -> tuple[str, ...]:
        """The columns that the question is about: the variables of the answer, and those that its settings name."""
        about = dict.fromkeys(self.names)
        for declared in fields(self.method):
            value = getattr(self.method, declared.name)
            if declared.metadata.get("role") == "variable" and isinstance(value, str):
                about[value] = None
        return tuple(about)

    def rerun(self, data: Dataset, progress: Progress = silent) -> Self:
        """The same question asked of other data; what was worked out beside the run (re-runs, support) is not.

        Parameters
        ----------
        data : other rows of the same variables
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        the answer for these data

        Raises
        ------
        DataError, SettingsError : as the method's `run`
        """
        result: Self = self.method.run(data, progress=progress)
        return result

    def described_rows(self) -> str:
        """Describe in words what the answer itself holds of single rows of the table; "" for counts only."""
        return ""

    def _check_read(self) -> None:
        """Nothing where what a file holds fits together, `DataError` elsewhere; a subclass looks at its own parts."""
        check_that(getattr(self.method, "slug", None) == self.slug, "the settings are another method's")
        super()._check_read()

    def check_data(self, data: Dataset) -> None:
        """Nothing where the answer was made from these data.

        Parameters
        ----------
        data : what was given

        Raises
        ------
        DataError : they are others
        """
        same_data(data, self.fingerprint)

    def __eq__(self, other: object) -> bool:
        """Equal settings and an equal answer, to the last bit."""
        return type(other) is type(self) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((type(self), self.fingerprint, repr(self.method)))

    def __repr__(self) -> str:
        text = f"<{type(self).__name__}: {self.headline()}"
        return f"{short(text, 190)}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Headline, networks and the first table for a notebook, which asks nothing of any other host."""
        return notebook_bundle(repr(self), *result_markup(self))
