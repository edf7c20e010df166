"""The charts of patients: of one, distribution, prediction and strength; of many, their links, changes and blankets."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from itertools import pairwise

from engine.graphs.drawing.svg import STYLES
from engine.lazy import go, pd
from engine.methods.instance_specific.cohort_evidence import CohortEvidence
from engine.methods.instance_specific.evidence import SIMILAR, InstanceEvidence
from engine.telling.charts.colours import (
    DIVERGING,
    GROUP_A,
    GROUP_B,
    INK,
    LINE,
    MUTED,
    NEGATIVE,
    PAPER,
    POSITIVE,
    PRIMARY,
    SEQUENTIAL,
)
from engine.telling.charts.frame import ABOVE, lay_out, numbered_bars, percent_ticks, whiskers
from engine.telling.charts.labels import distinct, escape, short
from engine.telling.instance_specific.cohort_wording import clusters as clusters_of
from engine.words import in_percent, with_sign, with_unit

MOST_ROWS = 5
MOST_TERMS = 12
PATTERNS = ("", "/", ".", "\\", "x", "-")


def distributions_figure(distributions: pd.DataFrame) -> go.Figure:
    """Bars a level: the cases like the patient, then the population rows they replace, with 95 % intervals."""
    figure = go.Figure()
    for number, who in enumerate(drawn_rows(distributions)):
        rows = distributions[distributions["who"] == who]
        similar = who == SIMILAR
        total = int(rows["rows"].iloc[0])
        fill = PRIMARY if similar else SEQUENTIAL[min(1 + number, 4)]
        figure.add_bar(
            x=[escape(level, 24) for level in rows["level"]],
            y=rows["share"].tolist(),
            name=f"{escape(who, 60)} ({total:,})",
            marker={
                "color": fill,
                "line": {"color": INK, "width": 1},
                "pattern": _pattern(PATTERNS[number % len(PATTERNS)], fill),
            },
            error_y=whiskers(rows["share"], rows["low"], rows["high"], INK, 1.2) | {"width": 4},
            hovertext=[
                f"{escape(who, 80)}<br>{escape(row.level, 40)}: {row.count_:,} of {total:,}"
                f"<br>{in_percent(row.share, 1)} (95 % interval {in_percent(row.low, 1)} to {in_percent(row.high, 1)})"
                for row in rows.rename(columns={"count": "count_"}).itertuples()
            ],
            hoverinfo="text",
        )
    _frame(figure, 330)
    figure.update_layout(legend={"orientation": "h", "y": -0.12, "yanchor": "top", "x": 0}, bargap=0.25)
    figure.update_yaxes(range=[0, 1], **percent_ticks(), gridcolor=LINE)
    figure.update_xaxes(type="category", tickfont={"color": INK})
    return figure


def drawn_rows(distributions: pd.DataFrame) -> list[str]:
    """The similar cases and the largest population rows, in their order."""
    sizes = distributions.groupby("who", sort=False)["rows"].first()
    others = [who for who in sizes.index if who != SIMILAR]
    largest = set(sorted(others, key=lambda who: -int(sizes[who]))[:MOST_ROWS])
    return [who for who in sizes.index if who == SIMILAR or who in largest]


def strength_figure(terms: pd.Series) -> go.Figure:
    """The log-likelihood ratio as a bar a variable, largest first; the bars add up to it."""
    values = strongest(terms)
    figure = numbered_bars(
        list(values.values()),
        [escape(name, 30) for name in values],
        [with_sign(value, 2) for value in values.values()],
        marker={
            "color": [POSITIVE if value >= 0 else NEGATIVE for value in values.values()],
            "line": {"color": INK, "width": 1},
        },
        hoverinfo="x+y",
    )
    _frame(figure, 80 + 34 * max(len(values), 2))
    low, high = min([0.0, *values.values()]), max([0.0, *values.values()])
    room = 0.2 * (high - low or 1.0)
    figure.add_vline(x=0, line={"color": INK, "width": 1})
    figure.update_xaxes(title="natural log of the likelihood ratio", range=[low - room, high + room], gridcolor=LINE)
    figure.update_yaxes(type="category", autorange="reversed", tickfont={"color": INK})
    return figure


def strongest(terms: pd.Series) -> dict[str, float]:
    """The terms that are not 0, largest first; those beyond the first dozen summed."""
    some = terms[terms != 0]
    some = some.reindex(some.abs().sort_values(ascending=False, kind="stable").index)
    values = {str(name): float(value) for name, value in some.head(MOST_TERMS).items()}
    if len(some) > MOST_TERMS:
        values[f"{len(some) - MOST_TERMS} other variables"] = float(some.iloc[MOST_TERMS:].sum())
    return values


def distributions_words(distributions: pd.DataFrame, variable: str) -> str:
    """The chart for someone who does not see it."""
    first = distributions[distributions["who"] == distributions["who"].iloc[0]]
    shares = "; ".join(f"{short(row.level, 30)} {in_percent(row.share)}" for row in first.itertuples())
    rows = len(drawn_rows(distributions))
    return f"Shares of the levels of {short(variable, 60)} in {rows} sets of rows; first of them: {shares}."


def _pattern(shape: str, fill: str) -> dict[str, object]:
    return {"shape": shape, "bgcolor": fill, "fgcolor": MUTED, "solidity": 0.15}


def _frame(figure: go.Figure, height: int) -> None:
    lay_out(figure, height, margin={"b": 30}, barmode="group")


MOST_PATIENTS = 1000
MOST_ARCS = 200
MOST_CHANGES = 15
MOST_NAMED_CELLS = 8
"""Links up to which a column is wide enough for a word."""
LINE_HEIGHT = 17
LOW = 360
"""Pixels of the map where the names of its groups stand beside it."""
MOST_BLANKET = 20
STATES = {
    -1: ("absent in both", PAPER),
    0: ("dropped", DIVERGING[3]),
    1: ("kept", "#D5DBE1"),
    2: ("added", STYLES["added"].colour),
    3: ("reversed", STYLES["turned"].colour),
}
"""Cell of `CohortEvidence.arc_matrix()` -> word and colour."""


def heat_table(cohort: CohortEvidence, *, every: bool) -> pd.DataFrame:
    """Patients x links for the screen: cluster by cluster, equal patterns together, links most often changed first.

    At most `MOST_PATIENTS` rows, evenly spaced, and `MOST_ARCS` columns; links that are the same for all only with
    `every`.
    """
    matrix, about = cohort.arc_matrix(), cohort.by_patient()
    changed = ((matrix != 1) & (matrix != -1)).mean()
    if not every:
        changed = changed[changed > 0]
    columns = list(changed.sort_values(ascending=False, kind="stable").index[:MOST_ARCS])
    order = about.sort_values(["cluster", "pattern"], kind="stable").index
    if len(order) > MOST_PATIENTS:
        order = order[[i * len(order) // MOST_PATIENTS for i in range(MOST_PATIENTS)]]
    return matrix.loc[order, columns]


MOST_DIFFERENCES = 8
"""Effects that differ that are drawn, those of most patients first."""


def differences_figure(cohort: CohortEvidence) -> go.Figure:
    """How far each link that differs shifts a share among the patients of one context, and among the others."""
    rows = cohort.differences[:MOST_DIFFERENCES]
    figure = go.Figure()
    for place, row in enumerate(rows):
        figure.add_scatter(
            x=[row.here, row.others],
            y=[place, place],
            mode="lines",
            line={"color": LINE, "width": 2},
            hoverinfo="skip",
            showlegend=False,
        )
    for name, symbol, values in (
        ("these patients", "circle", [row.here for row in rows]),
        ("the others", "square-open", [row.others for row in rows]),
    ):
        colour = GROUP_A if symbol == "circle" else GROUP_B
        figure.add_scatter(
            x=values,
            y=list(range(len(rows))),
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": 11, "color": colour, "line": {"width": 2, "color": colour}},
            hovertext=[f"{name}: {with_unit(with_sign(100 * value))}" for value in values],
            hoverinfo="text",
        )
    names = []
    for row in rows:
        link = " → ".join(escape(end, 20) for end in distinct((row.source, row.child), 20))
        given = ", ".join(f"{name} = {cohort.levels[name][code]}" for name, code in row.given.items())
        share = in_percent(row.patients / len(cohort.patients))
        names.append(f"<b>{link}</b><br>{escape(given or 'all', 34)}: {share}")
    lay_out(figure, 76 + 46 * max(len(rows), 2), margin={"b": 44}, legend=ABOVE | {"font": {"size": 13}})
    figure.add_vline(x=0, line={"color": MUTED, "width": 1})
    ends = [0.0, *(value for row in rows for value in (row.here, row.others))]
    step = next(step for step in (0.05, 0.1, 0.2, 0.5) if max(ends) - min(ends) <= 5 * step or step == 0.5)
    ticks = [step * i for i in range(math.floor(min(ends) / step), math.ceil(max(ends) / step) + 1)]
    figure.update_xaxes(
        title="shift of a share, percentage points",
        tickvals=ticks,
        ticktext=[with_sign(100 * tick) if abs(tick) > step / 2 else "0" for tick in ticks],
        gridcolor=LINE,
        zeroline=False,
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=names,
        tickfont={"color": INK, "size": 12},
        range=[max(len(rows), 2) - 0.5, -0.5],
        showgrid=False,
        automargin=True,
    )
    return figure


def heat_map(table: pd.DataFrame, cohort: CohortEvidence, titles: Sequence[str], *, named: bool = True) -> go.Figure:
    """One cell a patient and link; lines part the groups.

    Parameters
    ----------
    table : of `heat_table`
    cohort : whose
    titles : what each patient is called
    named : whether the names of the groups stand on the left; else their numbers do, and the picture is low
    """
    clusters = cohort.by_patient()["cluster"].reindex(table.index).tolist()
    groups = clusters_of(cohort)
    names = dict(zip(groups["cluster"], groups["name"], strict=True))
    codes = sorted(STATES)
    place = {code: i for i, code in enumerate(codes)}
    cells = [[place[int(value)] for value in row] for row in table.to_numpy()]
    steps = len(codes)
    scale = [[edge / steps, STATES[code][1]] for i, code in enumerate(codes) for edge in (i, i + 1)]
    arcs = [escape(name, 60) for name in table.columns]
    figure = go.Figure(
        go.Heatmap(
            z=cells,
            x=list(range(len(arcs))),
            y=list(range(len(cells))),
            zmin=-0.5,
            zmax=steps - 0.5,
            colorscale=scale,
            showscale=False,
            text=[[STATES[codes[cell]][0] for cell in row] for row in cells],
            customdata=[[escape(title, 30)] * len(arcs) for title in titles],
            hovertemplate="%{customdata}<br>%{x}: %{text}<extra></extra>",
            xgap=1 if len(arcs) <= 60 else 0,
        )
    )
    used = {cell for row in cells for cell in row}
    for code in codes:
        if place[code] in used:
            word, colour = STATES[code]
            figure.add_scatter(
                x=[None], y=[None], mode="markers", name=word,
                marker={"symbol": "square", "size": 12, "color": colour, "line": {"color": MUTED, "width": 1}},
            )  # fmt: skip
    ends = [i for i in range(1, len(clusters)) if clusters[i] != clusters[i - 1]]
    for end in ends:
        figure.add_hline(y=end - 0.5, line={"color": INK, "width": 1.5})
    starts = [0, *ends, len(clusters)]
    blocks = list(pairwise(starts))
    tallest = LOW if not named else 760 if len(arcs) > 6 else 340
    height = max(320, min(tallest, 150 + len(cells) * (20 if len(cells) <= 30 else 1)))
    if len(arcs) <= MOST_NAMED_CELLS:
        _name_blocks(figure, cells, blocks, [STATES[code][0] for code in codes], len(cells) * LINE_HEIGHT / height)
    labels = [
        ((a + b - 1) / 2, _lines(clusters[a], names[clusters[a]], room) if named else f"<b>{clusters[a]}</b>")
        for a, b in blocks
        if (room := int((b - a) / len(cells) * (height - 140) / LINE_HEIGHT)) > 0
    ]
    few = len(arcs) <= 4
    below = {"y": 0.0, "yanchor": "top"} if few else {}
    lay_out(figure, height, margin={}, legend=ABOVE | {"font": {"size": 13}} | below)
    figure.update_xaxes(
        side="top" if few else "bottom",
        tickvals=list(range(len(arcs))),
        ticktext=[escape(name, 34) for name in table.columns],
        tickangle=0 if few else -40,
        tickfont={"color": INK, "size": 12 if len(arcs) <= 30 else 9},
        showgrid=False,
        zeroline=False,
        range=[-0.5, len(arcs) - 0.5],
    )
    figure.update_yaxes(
        tickvals=[middle for middle, _ in labels],
        ticktext=[words for _, words in labels],
        tickfont={"color": INK, "size": 12},
        range=[len(cells) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    return figure


def _name_blocks(
    figure: go.Figure,
    cells: Sequence[Sequence[int]],
    blocks: Sequence[tuple[int, int]],
    states: Sequence[str],
    least: float,
) -> None:
    """The state in words, in each column of a group of at least so many patients in which all have the same."""
    for a, b in blocks:
        for column in range(len(cells[0])):
            alike = {row[column] for row in cells[a:b]}
            if b - a >= least and len(alike) == 1:
                word = states[alike.pop()]
                figure.add_annotation(
                    x=column, y=(a + b - 1) / 2, text=word, showarrow=False, font={"size": 13, "color": INK}
                )


def _lines(cluster: int, name: str, most: int) -> str:
    """A group's number and name in at most so many short lines, and never more than three."""
    lines = textwrap.wrap(short(f"{cluster}: {name}", 100), 34, max_lines=min(most, 3), placeholder="…")
    return "<br>".join(escape(line, 40) for line in lines)


def changes_figure(counts: pd.DataFrame) -> go.Figure:
    """Patients by how many arcs were added, dropped, reversed; the commonest kinds."""
    top = counts.sort_values("patients", ascending=False, kind="stable").head(MOST_CHANGES)
    words = [_changes_words(row) for row in top.itertuples()]
    numbers = [f"{value:,}" for value in top["patients"]]
    longest = float(top["patients"].max()) if len(top) else 1.0
    return _patient_bars(top["patients"].tolist(), words, numbers, longest, "patients")


def blanket_figure(blanket: pd.DataFrame) -> go.Figure:
    """Share of patients for whom each variable is in the target's Markov blanket."""
    top = blanket.head(MOST_BLANKET)
    names = [escape(name, 30) + (" ✓" if inside else "") for name, inside in top["in_population"].items()]
    numbers = [in_percent(share) for share in top["share"]]
    figure = _patient_bars(top["share"].tolist(), names, numbers, 1.0, "share of patients")
    return figure.update_xaxes(**percent_ticks())


def _changes_words(row: object) -> str:
    sentences = [f"{getattr(row, kind)} {kind}" for kind in ("dropped", "added", "reversed") if getattr(row, kind)]
    return ", ".join(sentences) or "nothing changes"


def _patient_bars(
    lengths: Sequence[float], rows: Sequence[str], numbers: Sequence[str], longest: float, title: str
) -> go.Figure:
    figure = numbered_bars(lengths, rows, numbers, marker={"color": PRIMARY}, hoverinfo="x+y")
    lay_out(figure, 80 + 28 * max(len(rows), 2), margin={"t": 6, "b": 30}, bargap=0.3)
    figure.update_xaxes(title=title, range=[0, 1.15 * longest], gridcolor=LINE)
    return figure.update_yaxes(type="category", autorange="reversed", tickfont={"color": INK})


def figure_makers(result: InstanceEvidence) -> dict[str, Callable[[], go.Figure]]:
    """Name -> what draws it: what the ratio is made of, and the first variable that changes, in similar rows."""
    name = next(iter([*result.relinked(), *result.names]))
    return {
        "strength": lambda: strength_figure(result.log_ratio_terms),
        "distributions": lambda: distributions_figure(result.distributions(name)),
    }


def cohort_makers(cohort: CohortEvidence) -> dict[str, Callable[[], go.Figure]]:
    """Name -> what draws it: what changes for how many patients, and every patient with every link that changes."""
    makers: dict[str, Callable[[], go.Figure]] = {"changes": lambda: changes_figure(cohort.change_counts())}
    table = heat_table(cohort, every=False)
    if table.shape[1]:
        makers["patients"] = lambda: heat_map(table, cohort, [str(patient) for patient in table.index])
    return makers
