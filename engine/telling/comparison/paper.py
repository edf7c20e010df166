"""A comparison in a paper: a paragraph on methods, two tables, references."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence

from engine import words
from engine.comparison.evidence import ComparisonEvidence
from engine.comparison.scales import CORRELATION, MEANS, ODDS, PARTIAL, SCALES, ratio
from engine.lazy import pd
from engine.methods import frames
from engine.telling.apa import apa_interval, apa_number, apa_table
from engine.telling.comparison.wording import shown_up, verdict_text

REFERENCES = {
    "Mantel & Haenszel, 1959": "Mantel, N., & Haenszel, W. (1959). Statistical aspects of the analysis of data from "
    "retrospective studies of disease. Journal of the National Cancer Institute, 22, 719–748.",
    "Olsson, 1979": "Olsson, U. (1979). Maximum likelihood estimation of the polychoric correlation coefficient. "
    "Psychometrika, 44, 443–460.",
    "Olsson et al., 1982": "Olsson, U., Drasgow, F., & Dorans, N. J. (1982). The polyserial correlation coefficient. "
    "Psychometrika, 47, 337–347.",
    "Robinaugh et al., 2016": "Robinaugh, D. J., Millner, A. J., & McNally, R. J. (2016). Identifying highly "
    "influential nodes in the complicated grief network. Journal of Abnormal Psychology, 125, 747–757.",
    "van Borkulo et al., 2022": "van Borkulo, C. D., van Bork, R., Boschloo, L., Kossakowski, J. J., Tio, P., "
    "Schoevers, R. A., Borsboom, D., & Waldorp, L. J. (2022). Comparing network structures on three aspects: A "
    "permutation test. Psychological Methods.",
    "Zou, 2007": "Zou, G. Y. (2007). Toward using confidence intervals to compare correlations. Psychological "
    "Methods, 12, 399–413.",
}
_NUMBERS = {
    ODDS: "the common log odds ratio a step given what separates the two variables in any group’s network (Mantel & "
    "Haenszel, 1959)",
    PARTIAL: "the partial correlation given all others, from two-step polychoric correlations (Olsson, 1979) of each "
    "pair’s own answers",
    CORRELATION: "of numbers with numbers and ratings the correlation of normal scores, ranks within groups, given "
    "what separates the two (Olsson et al., 1982)",
    MEANS: "of numbers with unordered levels the difference of mean normal scores in SD",
}
_SLABS = {ODDS: "log odds ratios (of steps in SD)", MEANS: "differences in SD"}


def methods_paragraph(result: ComparisonEvidence) -> str:
    """The computation of the comparison, with settings, versions and n, as a paper says it.

    Parameters
    ----------
    result : the comparison, links tested

    Raises
    ------
    DataError : nothing was tested
    """
    test, method = result.tested, result.method
    scales = [scale for scale in SCALES if scale in (test.scales or (test.scale,))]
    groups = words.listed(f"{label} (n = {rows:,})" for label, rows in zip(result.labels, result.rows, strict=True))
    pairs = words.count(result.tested_pairs(), "link")
    unit = "row" if not test.subject else "subject"
    numbers = words.listed(_NUMBERS[scale] for scale in scales)
    if test.numbers and test.scale == PARTIAL:
        numbers += "; a number is its own latent value, by its normal score in each group (Olsson et al., 1982)"
    slabs = words.listed(f"{SCALES[scale].slab:g} for {_SLABS.get(scale, 'Fisher’s z')}" for scale in scales)
    sentences = [
        f"We compared the networks of {groups}, link by link: {numbers}.",
        f"Standard errors come from the influence of each {unit}; p is corrected for {pairs} by {method.draws:,} joint "
        f"draws of the error (seed {method.seed}).",
        f"P(differs) sets a spike at 0 against normal differences of SD {slabs}, with a prior of {method.p_none:g} "
        f"that no link differs, spread over {pairs} as the error is.",
    ]
    if any(SCALES[scale].correlations for scale in scales):
        sentences.append("Intervals of differences of correlations follow Zou, 2007.")
    if test.nodes is not None:
        sentences.append(
            f"Strength sums the sizes of {words.count(test.nodes.counted, 'link')} that are clearly there in the "
            "groups together, expected influence all links with their signs (Robinaugh et al., 2016); p of nodes is "
            "corrected over nodes and both measures by the same draws."
        )
    if result.shuffles is not None:
        sentences.append(
            f"As a second test all networks were learned again in "
            f"{words.count(result.shuffles.many, 'permutation')} of the group labels (van Borkulo et al., 2022)."
        )
    versions = ", ".join(f"{name} {version}" for name, version in result.made.versions.items())
    sentences.append(f"Computed with Diptych ({versions}).")
    return " ".join(sentences)


def links_table(result: ComparisonEvidence, labels: Mapping[str, str] | None = None) -> pd.DataFrame:
    """The drawn links as texts in APA style, the clearest difference first.

    Parameters
    ----------
    result : the comparison, links tested
    labels : name -> what stands in its place

    Returns
    -------
    pandas.DataFrame: Link, Groups (of more than two), both estimates, Difference, 95% CI, p, P(differs), BF, Verdict
    """
    rows, shown = [], labels or {}
    for row in result.drawn_links().itertuples():
        scale = SCALES[row.scale]
        bounded = scale.correlations

        def number(value: float, *, odds: bool = scale.ratios, bounded: bool = bounded) -> str:
            return ratio(value) if odds else apa_number(value, bounded=bounded)

        ends = (
            f"[{ratio(row.low)}, {ratio(row.high)}]"
            if scale.ratios
            else apa_interval(row.low, row.high, bounded=bounded)
        )
        ups = map(shown_up, (row.source_up, row.target_up))
        named = zip((row.source, row.target), ups, strict=True)
        link = " – ".join(f"{shown.get(end, end)} = {up}" if up else shown.get(end, end) for end, up in named)
        factor = math.exp(min(row.log_bayes_factor, 10.0))
        rows.append(
            {
                "Link": f"{link} ({row.levels})" if row.levels else link,
                "Groups": f"{row.group_b} v {row.group_a}",
                "Number": scale.short,
                "A": number(row.a),
                "B": number(row.b),
                "Difference": number(row.difference),
                "95% CI": ends,
                "p": words.fraction(row.p),
                "P": words.probability(row.probability),
                "BF": "> 1,000" if factor > 1000 else f"{factor:.2f}",
                "Verdict": f"{verdict_text(row)}{f', {row.what}' if row.what else ''}",
            }
        )
    table = _by_group(result, rows, "Link")
    return table.drop(columns="Number") if len(set(table.get("Number", ()))) == 1 else table


def nodes_table(result: ComparisonEvidence, labels: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Global strength and the nodes' sums as texts in APA style.

    Parameters
    ----------
    result : the comparison, links tested
    labels : name -> what stands in its place

    Returns
    -------
    pandas.DataFrame: Measure, Node, Groups (of more than two), both values, Difference, 95% CI, p
    """
    table, shown = result.nodes(), labels or {}
    rows = [
        {
            "Measure": row.measure,
            "Node": shown.get(row.node, row.node),
            "Groups": f"{row.group_b} v {row.group_a}",
            **{letter.upper(): apa_number(getattr(row, letter), bounded=False) for letter in "ab"},
            "Difference": apa_number(row.difference, bounded=False),
            "95% CI": apa_interval(row.low, row.high, bounded=False),
            "p": words.fraction(row.p),
        }
        for row in table.itertuples()
    ]
    return _by_group(result, rows, "Measure")


def _by_group(result: ComparisonEvidence, rows: Sequence[Mapping[str, str]], first: str) -> pd.DataFrame:
    """Rows as a table; of two groups the columns are called by them."""
    table = frames.data_frame(rows, columns=list(rows[0]) if rows else [first])
    if len(result.labels) != 2 or not rows:
        return table
    return table.drop(columns="Groups").rename(columns=dict(zip("AB", result.labels, strict=True)))


def paper_page(result: ComparisonEvidence, labels: Mapping[str, str] | None = None) -> str:
    """Paragraph, tables and references as one HTML page, which a word processor opens.

    Parameters
    ----------
    result : the comparison, links tested
    labels : name -> what stands in its place

    Returns
    -------
    the page, every text escaped
    """
    text = methods_paragraph(result)
    note = (
        "CI = confidence interval; P = probability of a difference; BF = Bayes factor for a difference. p is "
        f"corrected for {words.count(result.tested_pairs(), 'link')}."
    )
    parts = [f"<h2>Method</h2><p>{html.escape(text)}</p>"]
    parts.append(apa_table(links_table(result, labels), 1, "Differences of Links", note, italic=("p", "P")))
    note = "p is corrected over nodes and both measures; that of global strength stands for itself."
    parts.append(apa_table(nodes_table(result, labels), 2, "Differences of Nodes", note, italic=("p",)))
    listed = "".join(f"<p>{html.escape(entry)}</p>" for key, entry in REFERENCES.items() if key in text)
    head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diptych</title></head>'
    return f"{head}<body>{''.join(parts)}<h2>References</h2>{listed}</body></html>"
