"""One patient's evidence: the tables that are worked out of the answer, and what follows from it in numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.data.dataset import Dataset, same_data
from engine.data.table_rows import rows_of_subject
from engine.graphs.comparison import compare
from engine.lazy import nx, pd
from engine.measures.intervals import beta_interval
from engine.methods import frames
from engine.methods.evidence import CANNOT_TELL, CLAIMS, YES, Claim
from engine.methods.fitting import check_codes, check_parents, check_positions, check_shape, check_that
from engine.methods.instance_specific.answer import InstanceAnswer
from engine.methods.instance_specific.links import SUBJECTS, TOLD, Link, LinkWord, agreeing
from engine.methods.instance_specific.parent_choices import PARTS, NodeChoice, ratio_part
from engine.methods.instance_specific.unusual import corrected, unusual_values
from engine.models.network import Network as BayesianNetwork
from engine.scores.instance import UNKNOWN

FEW_CASES = 30
"""With fewer similar cases than this the shares are marked as thin evidence."""
SIMILAR = "similar cases"
STATUS = {"same": "kept", "only_a": "dropped", "only_b": "added", "reversed": "reversed"}
"""What `engine.graphs.comparison` says of population and patient -> what this method calls it."""


def edge_rows(result: InstanceAnswer) -> pd.DataFrame:
    """One row an edge of either network; see `InstanceEvidence.arc_changes`."""
    population, instance, published = result.population, result.instance, result.network.cpdag is not None
    rows = []
    for arc in compare(population, instance).arcs:
        source, target = arc.source, arc.target
        status = STATUS[arc.status]
        drawn = instance if status in ("added", "reversed") else population
        if drawn.has_edge(target, source) and not drawn.has_edge(source, target):
            source, target = target, source
        choice = result.choice(target)
        link = result.link(source, target)
        compelled = result.has_direction(source, target)
        rows.append(
            {
                "source": source,
                "target": target,
                "status": status,
                "directed": not drawn.has_edge(target, source) if published else compelled,
                "compelled": compelled,
                "known": result.codes[source] != UNKNOWN,
                "probability": result.probability_of(link) if link is not None else math.nan,
                "context": in_words(result, choice.parents),
                "cases": int(choice.cases.sum()),
                "score_gain": choice.gain,
                "kappa_cost": choice.cost,
                "net": choice.gain + choice.cost,
                **_said(result, link),
            }
        )
    columns = ["source", "target", "status", "directed", "compelled", "known", "probability", "context", "cases"]
    return frames.data_frame(rows, columns=[*columns, "score_gain", "kappa_cost", "net", *SAID])


def _said(result: InstanceAnswer, link: Link | None) -> dict[str, Any]:
    """The columns `SAID` of one edge; of one that nothing can be said of, nothing."""
    nothing = math.nan
    if link is None:
        return dict(zip(SAID, (False, nothing, CANNOT_TELL, LinkWord.NOT_ASKED, *(nothing,) * 9, 0), strict=True))
    known = (
        link.asked,
        result.support_of(link),
        link.verdict,
        link.word,
        link.log_bayes_factor,
        *_shifts(link),
        nothing if link.needed is None else link.needed,
        link.rows,
    )
    return dict(zip(SAID, known, strict=True))


def _shifts(link: Link) -> tuple[float, ...]:
    """The shift here with its interval, that among the others, and their difference with its own."""
    sizes = link.compared
    if sizes is None:
        return link.here.effect, link.here.low, link.here.high, *(math.nan,) * 4
    difference = sizes.difference, sizes.difference_low, sizes.difference_high
    return sizes.here, sizes.here_low, sizes.here_high, sizes.others, *difference


SAID = (
    "asked",
    "in_population",
    "verdict",
    "word",
    "log_bayes_factor",
    "effect",
    "low",
    "high",
    "others",
    "difference",
    "difference_low",
    "difference_high",
    "rows_needed",
    "like",
)
"""What the verdicts add to an edge; see `InstanceEvidence.arc_changes`."""


def family_rows(result: InstanceAnswer) -> pd.DataFrame:
    """One row a variable; see `InstanceEvidence.families`."""
    rows = []
    for name in result.names:
        choice = result.choice(name)
        chosen = sum(1 << i for i, x in enumerate(choice.pool) if x in choice.parents)
        links = [link for link in result.links if link.child == choice.child]
        rows.append(
            {
                "population_parents": result.in_order(choice.population),
                "instance_parents": result.in_order(choice.parents),
                "changed": choice.changed,
                "context": in_words(result, choice.parents),
                "cases": int(choice.cases.sum()),
                "rows": result.n_rows,
                "few_cases": bool(choice.cases.sum() / result.divided_by < FEW_CASES),
                "score_gain": choice.gain,
                "kappa_cost": choice.cost,
                "net": choice.gain + choice.cost,
                "probability": _parent_set_probability(result, choice, chosen),
                **{
                    word.replace(" ", "_"): result.in_order(link.source for link in links if _group_word(link) == word)
                    for word in (LinkWord.NO_LONGER, LinkWord.DIFFERENTLY, CANNOT_TELL, LinkWord.NOT_ASKED)
                },
            }
        )
    return frames.data_frame(rows, names=result.names)


def _group_word(link: Link) -> str:
    """The word under which a link is listed; one for all that matter otherwise but still."""
    return LinkWord.DIFFERENTLY if link.told and link.word != LinkWord.NO_LONGER else link.word


def _parent_set_probability(result: InstanceAnswer, choice: NodeChoice, chosen: int) -> float:
    """The probability of a set of parents among those weighed; NaN where only one could be chosen."""
    if result.network.cpdag is not None or np.isfinite(choice.gains).sum() < 2:
        return math.nan
    return float(choice.posterior()[chosen])


def weighed_parents(result: InstanceAnswer, choice: NodeChoice) -> pd.DataFrame:
    """Every parent set that was weighed for one variable, best first."""
    weighed = [(choice.parents, choice.gain, choice.cost, math.nan)]
    if result.network.cpdag is None:
        posterior = choice.posterior()
        weighed = [
            (choice.subset(s), float(choice.gains[s]), float(choice.costs[s]), float(posterior[s]))
            for s in np.argsort(-(choice.gains + choice.costs), kind="stable").tolist()
            if choice.gains[s] > -np.inf
        ]
    elif choice.changed:
        weighed.append((choice.population, 0.0, 0.0, math.nan))
    rows = [
        {
            "parents": result.in_order(group),
            "dropped": result.in_order(set(choice.population) - set(group)),
            "added": result.in_order(set(group) - set(choice.population)),
            "context": in_words(result, group),
            "cases": _cases(result, choice, group),
            "score_gain": gain,
            "kappa_cost": cost,
            "net": gain + cost,
            "probability": probability,
        }
        for group, gain, cost, probability in weighed
    ]
    return frames.data_frame(rows)


def level_shares_of(result: InstanceAnswer, choice: NodeChoice) -> pd.DataFrame:
    """The child's distribution in the patient's row of parameters, and in the population rows this replaces."""
    family = result.counted[choice.child]
    r = family.counts.shape[1]
    blocks: list[tuple[str, np.ndarray, float]] = []
    if choice.changed:
        blocks.append((SIMILAR, choice.cases, _shared_prior(result, choice)))
    prior = result.method.ess / (family.possible + (result.method.prior == "paper" and choice.changed))
    replaced = agreeing(family, result.codes_by_position, {*choice.population} & {*choice.parents})
    for configuration, counts in zip(family.configurations[replaced], family.counts[replaced], strict=True):
        blocks.append((_row_words(result, family.parents, configuration), counts, prior))
    if not blocks:
        blocks.append((in_words(result, family.parents), np.zeros(r, dtype=np.int64), prior))
    levels = result.levels[result.name(choice.child)]
    rows = [row for who, counts, total in blocks for row in _shares(who, counts, total, levels, result.divided_by)]
    return frames.data_frame(rows, columns=["who", "rows", "level", "count", "share", "low", "high"])


def in_words(result: InstanceAnswer, group: tuple[int, ...]) -> str:
    """The patient's known values of some variables in one cell of a table: "smoking = no"."""
    return ", ".join(f"{name} = {level}" for name, level in result.known_values(group).items())


def _row_words(result: InstanceAnswer, parents: tuple[int, ...], configuration: np.ndarray) -> str:
    values = dict(zip((result.name(x) for x in parents), configuration.tolist(), strict=True))
    words = [f"{name} = {result.levels[name][values[name]]}" for name in result.names if name in values]
    return ", ".join(words) or "all rows"


def _cases(result: InstanceAnswer, choice: NodeChoice, group: tuple[int, ...]) -> int | None:
    """Rows that agree with the patient on a subset of the population's parents; None for other parents."""
    if group == choice.parents:
        return int(choice.cases.sum())
    if not set(group) <= set(choice.population):
        return None
    family = result.counted[choice.child]
    return int(family.counts[agreeing(family, result.codes_by_position, group)].sum())


def _shared_prior(result: InstanceAnswer, choice: NodeChoice) -> float:
    if result.method.prior == "paper":
        return result.method.ess / (result.counted[choice.child].possible + 1)
    return result.method.ess / math.prod(len(result.levels[result.name(x)]) for x in choice.parents)


def _shares(who: str, counts: np.ndarray, prior: float, levels: tuple[str, ...], by: float) -> list[tuple[Any, ...]]:
    """Posterior mean and central 95 % interval of every level's share (Beta margins of the Dirichlet)."""
    a = counts / by + prior / len(counts)
    low, high = beta_interval(a, a.sum() - a)
    columns = (levels, counts.tolist(), a / a.sum(), low, high)
    return [(who, int(counts.sum()), *row) for row in zip(*columns, strict=True)]


def blanket(arcs: set[tuple[str, str]], target: str) -> set[str]:
    """The Markov blanket of a variable: its parents, its children, and the children's other parents."""
    children = {b for a, b in arcs if a == target}
    near = {a for a, b in arcs if b == target or b in children} | children
    return near - {target}


@dataclass(frozen=True, eq=False, repr=False)
class InstanceEvidence(InstanceAnswer):
    """Which links hold for one patient, in numbers; see its base for the fields."""

    @property
    def arc_changes(self) -> pd.DataFrame:
        """One row an edge of either network: source, target, status and its evidence.

        `status` is "kept", "dropped", "added" or "reversed"; `directed`: the edge is drawn with a head; `compelled`:
        all equivalent population DAGs agree on its direction; `known`: the patient's value of the source is;
        `probability` that the link applies here (exact sum over parent sets; NaN in published mode); `context` in
        words, `cases` the rows that share it; `score_gain`, `kappa_cost` and `net` (natural log) are those of the whole
        family of the arc's head.
        """
        return self._arc_changes.copy()

    def graphs(self) -> dict[str, nx.DiGraph]:
        """The two networks; arcs carry `status` and `probability`. A link runs both ways where no row tells which."""
        result = self.directed_graphs()
        for row in self._arc_changes.itertuples():
            for graph in result.values():
                ways = ((row.source, row.target), (row.target, row.source))
                drawn = [arc for arc in ways if graph.has_edge(*arc)]
                if drawn and self.network.cpdag is None and not row.compelled:
                    drawn = list(ways)
                graph.add_edges_from(drawn, status=row.status, probability=row.probability)
        return result

    def searched_graphs(self) -> dict[str, nx.DiGraph]:
        """See `Result.searched_graphs`."""
        return self.directed_graphs()

    def directed_graphs(self) -> dict[str, nx.DiGraph]:
        """See `Result.directed_graphs`; in published mode the classes of equivalent networks."""
        return {"population": self.population, "patient": self.instance}

    # -- one variable -------------------------------------------------------------------------------------------------

    def families(self) -> pd.DataFrame:
        """By variable: parents in both networks, the context, similar cases of `rows`, score gain, kappa cost, net.

        Without a target a patient who is a row is one of the similar cases (`similar_rows` lists the others).
        `changed`: the parents are not the population's; `few_cases`: under 30 rows share the context; `probability` of
        the parent set among all that were weighed (NaN in published mode). Natural log.
        """
        return self._families.copy()

    def alternatives(self, variable: str) -> pd.DataFrame:
        """The parent sets that were weighed for one variable, best first.

        Parameters
        ----------
        variable : its name

        Returns
        -------
        pandas.DataFrame: parents, dropped, added (tuples of names), context, cases, score_gain, kappa_cost, net,
        probability

        Raises
        ------
        DataError : there is no such variable
        """
        return weighed_parents(self, self.choice(variable))

    def distributions(self, variable: str) -> pd.DataFrame:
        """The variable among the cases like the patient, then in the population rows that these replace, long form.

        Parameters
        ----------
        variable : its name

        Returns
        -------
        pandas.DataFrame: who, rows, level, count, share (posterior mean), low and high (central 95 % interval)

        Raises
        ------
        DataError : there is no such variable
        """
        return level_shares_of(self, self.choice(variable))

    def similar_rows(self, data: Dataset, variable: str) -> np.ndarray:
        """Row numbers of `data` that agree on what the variable depends on here; the patient's own row, and all of the
        own subject, left out.

        Parameters
        ----------
        data : the data of this result
        variable : its name

        Returns
        -------
        (k,) ascending row numbers

        Raises
        ------
        DataError : other data than those of this result, or no such variable
        """
        same_data(data, self.fingerprint)
        agree = np.ones(data.n_rows, dtype=bool)
        for x in self.choice(variable).parents:
            name = self.name(x)
            if self.codes[name] != UNKNOWN:
                agree &= data.column(name) == self.codes[name]
        if self.row is not None:
            agree[rows_of_subject(data, self.row)] = False
        return np.flatnonzero(agree)

    def relinked(self) -> list[str]:
        """Variables into which some edge differs from the population's, the strongest change first.

        Not simply those whose parents differ: the published score counts an edge without a direction as a parent added.
        """
        changes = self._arc_changes
        differs = changes[changes["status"] != "kept"]
        both = differs["source"].where(~differs["directed"].astype(bool) & (self.network.cpdag is not None))
        heads = {*differs["target"], *both}
        order = self._families["net"].sort_values(ascending=False, kind="stable").index
        return [name for name in order if name in heads]

    # -- strength -----------------------------------------------------------------------------------------------------

    @property
    def log_likelihood_ratio(self) -> float:
        """Natural log of how much better the patient's network explains the rows; equation 14 in published mode.

        In order-kept mode both are proper models of the same rows. In published mode a turned arc makes the rows count
        twice; see `log_ratio_parts`.
        """
        return float(self.log_ratio_terms.sum())

    @property
    def log_ratio_terms(self) -> pd.Series:
        """The ratio by variable, in column order; it is their sum."""
        terms = dict(zip(self.network_of_all.names, self.ratio.tolist(), strict=True))
        return frames.series_of([terms[name] for name in self.names], self.names)

    def log_ratio_parts(self) -> pd.Series:
        """The ratio by where it comes from: variables with a reversed arc, those with an edge that has no direction in
        the population, those that dropped arcs, those that gained some.
        """
        parts = dict.fromkeys(PARTS, 0.0)
        for child, term in enumerate(self.ratio.tolist()):
            if self.network.cpdag is None:
                added = set(self.network.parents[child]) - set(self.network_of_all.parents[child])
                parts[PARTS[3] if added else PARTS[2]] += term
            elif term:
                parts[ratio_part(child, self.network.parents, self.network_of_all)] += term
        return pd.Series(parts)

    @property
    def prediction(self) -> pd.DataFrame | None:
        """Level of the target -> probability under both networks, given all other known values of the patient.

        None without a target, or where too many unknown values hang together.
        """
        if self.target is None or self.predicted is None:
            return None
        shares = {"instance": self.predicted[0], "population": self.predicted[1]}
        return frames.data_frame(shares, names=self.levels[self.target], of=self.target)

    @cached_property
    def population_network(self) -> BayesianNetwork | None:
        """The population's DAG with its tables, variables in alphabetical order; None where a table is too large."""
        if self.population_tables is None:
            return None
        population = self.network_of_all
        return BayesianNetwork(
            population.names,
            tuple(self.levels[name] for name in population.names),
            population.parents,
            self.population_tables,
        )

    def unusual_values(self) -> pd.DataFrame:
        """Improbability of each of the patient's values, given all the others; see `unusual.unusual_values`.

        One row a known value, the least expected first: variable (index), level, probability, surprise, p (corrected),
        likeliest. Of a number the level is the number, its probability that of one as far out on either side, by its
        percentile given the others. No row where a table of the population's network is too large; no p where rows
        belong to so few subjects that nothing is tested.
        """
        return self._unusual.copy()

    @cached_property
    def _unusual(self) -> pd.DataFrame:
        network = self.population_network
        if network is None:
            return frames.data_frame(columns=["level", "probability", "surprise", "likeliest", "p"])
        table = unusual_values(network, self.patient)
        for number in self.numbers:
            if number.name in table.index and not math.isnan(number.given):
                values = f"{number.value:g}", number.tail_given, number.tail_given
                table.loc[number.name, ["level", "probability", "surprise"]] = values
        table = corrected(table)
        if any(link.why_not == SUBJECTS and not self.is_without_context(link) for link in self.links):
            table["p"] = math.nan
        return table

    _arc_changes = cached_property(edge_rows)

    _families = cached_property(family_rows)

    @property
    def foretold(self) -> str | None:
        """The level of the target that is most probable under the patient's network; None without a prediction."""
        table = self.prediction
        return None if table is None else str(table["instance"].idxmax())

    def evidence_of_target(self) -> tuple[list[str], list[str]]:
        """Values that the prediction is from: the target's parents with known values, and its other known neighbours.

        Returns
        -------
        names of known parents in the patient's network, and of the known rest of the target's Markov blanket there
        """
        if self.target is None:
            return [], []
        parents = [self.name(x) for x in self.choice(self.target).parents]
        near = blanket(set(self.instance.edges), self.target) - set(parents)
        return [x for x in self.patient if x in parents], [x for x in self.patient if x in near]

    @property
    def log_probability_of_observed(self) -> tuple[float, float] | None:
        """Natural log of what the patient's network and the population's gave the target's observed level.

        None without a prediction, or where the target was not observed.
        """
        table = self.prediction
        if table is None or self.observed_target is None:
            return None
        own, shared = (math.log(max(float(table.at[self.observed_target, column]), 1e-300)) for column in table.columns)
        return own, shared

    def claims(self) -> pd.DataFrame:
        """One row an edge of either network: whether it applies to the patient; see `arc_changes` for more.

        "yes": it does, as for others or differently; "no": it no longer matters. `kind` is "not asked" where it could
        not be asked whether it is another here, and nothing is said there but how many rows there are. `effect` with
        `low` and `high` is the shift among the `n` rows like the patient, `chance` the p of its difference from that
        among the others, corrected. What matters more, less or the other way round is a kind of its own ("matters
        differently"): the effect is that difference, and there is no probability.
        """
        rows = []
        for row in self.arc_changes.itertuples():
            about = f"{row.source} {'->' if row.directed else '--'} {row.target}"
            if not row.asked:
                rows.append(Claim(about, LinkWord.NOT_ASKED, CANNOT_TELL, n=row.like))
                continue
            link = self.link(row.source, row.target)
            p = math.nan if link is None or link.compared is None else link.compared.p
            if row.word in TOLD and row.word != LinkWord.NO_LONGER:
                difference = (row.difference, row.difference_low, row.difference_high)
                rows.append(Claim(about, LinkWord.DIFFERENTLY, YES, math.nan, math.nan, p, *difference, row.like))
                continue
            known = (row.log_bayes_factor, row.probability, p, row.effect, row.low, row.high)
            rows.append(Claim(about, "applies to the patient", row.verdict, *known, row.like))
        return frames.data_frame(rows, columns=list(CLAIMS))

    def _check_read(self) -> None:
        super()._check_read()
        population, n = self.network_of_all, len(self.names)
        check_that(sorted(population.names) == sorted(self.names), "its networks stand over other variables")
        arity = [len(self.levels[name]) for name in population.names]
        check_parents(self.network.parents, n)
        check_that(self.network.cpdag is None or self.network.cpdag.n_variables == n, "its networks differ in size")
        check_that([choice.child for choice in self.network.choices] == list(range(n)), "a variable has no choice")
        for choice in self.network.choices:
            check_positions((*choice.population, *choice.parents, *choice.pool), n)
            check_shape(choice.cases, arity[choice.child])
        check_that(set(self.codes) == set(self.names), "the patient has values of other variables")
        codes = np.array([[self.codes[name]] for name in population.names])
        check_codes(codes, arity, UNKNOWN)
        check_that({number.name for number in self.numbers} <= set(self.names), "a number is of no variable")
        check_that({name for scale in self.scales for name in scale.items} <= set(self.names), "a score has no items")
        check_that(self.regressed is None or self.target is not None, "a regression has no target")
        check_that(self.target is None or self.target in self.names, "the target is no variable")
        check_that(len(self.counted) == n, "a variable has no counts")
        for x, family in enumerate(self.counted):
            check_positions(family.parents, n)
            check_that(family.possible >= 1, "a family has no configurations")
            check_shape(family.configurations, None, len(family.parents))
            check_shape(family.counts, len(family.configurations), arity[x])
        check_that(self.population_tables is None or len(self.population_tables) == n, "a variable has no table")
        for x, table in enumerate(self.population_tables or ()):
            check_shape(table, math.prod(arity[y] for y in population.parents[x]), arity[x])
        check_shape(self.ratio, n)
