"""What a paper needs of an ordinal network: a paragraph on methods, two tables, references."""

from __future__ import annotations

import html
from collections.abc import Mapping

import numpy as np

from engine import words
from engine.lazy import pd
from engine.methods import frames
from engine.methods.ordinal.evidence import OrdinalEvidence
from engine.methods.ordinal.partial_network import MEASURES, PartialNetwork
from engine.methods.ordinal.settings import APPROACHES
from engine.telling.apa import apa_interval, apa_number, apa_table
from engine.telling.ordinal.figures.networks import Kind, centralities_figure, kinds_of, network_figure, threshold

REFERENCES = {
    "Epskamp et al., 2018": "Epskamp, S., Borsboom, D., & Fried, E. I. (2018). Estimating psychological networks and "
    "their accuracy: A tutorial paper. Behavior Research Methods, 50, 195–212.",
    "Friedman & Koller, 2003": "Friedman, N., & Koller, D. (2003). Being Bayesian about network structure. Machine "
    "Learning, 50, 95–125.",
    "Geiger & Heckerman, 2002": "Geiger, D., & Heckerman, D. (2002). Parameter priors for directed acyclic graphical "
    "models. The Annals of Statistics, 30, 1412–1440.",
    "Holm, 1979": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of "
    "Statistics, 6, 65–70.",
    "Jones et al., 2021": "Jones, P. J., Ma, R., & McNally, R. J. (2021). Bridge centrality: A network approach to "
    "understanding comorbidity. Multivariate Behavioral Research, 56, 353–367.",
    "Luo et al., 2021": "Luo, X. G., Moffa, G., & Kuipers, J. (2021). Learning Bayesian networks from ordinal data. "
    "Journal of Machine Learning Research, 22(266), 1–44.",
    "Olsson, 1979": "Olsson, U. (1979). Maximum likelihood estimation of the polychoric correlation coefficient. "
    "Psychometrika, 44, 443–460.",
    "Olsson et al., 1982": "Olsson, U., Drasgow, F., & Dorans, N. J. (1982). The polyserial correlation coefficient. "
    "Psychometrika, 47, 337–347.",
    "Robinaugh et al., 2016": "Robinaugh, D. J., Millner, A. J., & McNally, R. J. (2016). Identifying highly "
    "influential nodes in the complicated grief network. Journal of Abnormal Psychology, 125, 747–757.",
    "Rubin, 1987": "Rubin, D. B. (1987). Multiple imputation for nonresponse in surveys. Wiley.",
}


def methods_paragraph(result: OrdinalEvidence) -> str:
    """How the result was computed, with settings, versions and n, as a paper says it.

    Parameters
    ----------
    result : the answer

    Examples
    --------
    >>> result = engine.Ordinal(approach="gpc").run(sample_data.dataset("symptoms"))
    >>> "Holm, 1979" in methods_paragraph(result)
    True
    """
    whom = f", of {words.count(result.subjects, 'subject')}" if result.subjects else ""
    names = words.count(len(result.names), "variable")
    sentences = [
        f"We analysed {words.count(result.n_rows, 'row')}{whom} with {names}: each rating was taken for a "
        "latent normal variable cut at thresholds"
        + (
            f", and each number ({words.first(result.numbers)}) for its own latent value, by its normal score."
            if result.numbers
            else "."
        )
    ]
    if result.n_gaps:
        sentences.append(gaps_paragraph(result))
    if lines := result.lines:
        unit = "subject" if result.subjects else "row"
        mixed = (
            ", polyserial by moments (Olsson et al., 1982) with a number and of normal scores between numbers"
            * bool(result.numbers)
        )
        sentences.append(
            "Partial correlations given all other variables come from two-step polychoric correlations (Olsson, 1979)"
            f"{mixed}; 95% intervals are Fisher’s z with standard errors from the influence of each {unit}; p is "
            f"corrected for {len(lines.pairs)} pairs (Holm, 1979)."
        )
        bridges = " and bridge centralities (Jones et al., 2021)" if lines.scales else ""
        sentences.append(
            f"Strength, expected influence (Robinaugh et al., 2016){bridges} have 95% intervals from "
            f"{lines.draws:,} multiplier bootstrap draws (seed {lines.seed}); strength sums the links whose interval "
            f"excludes 0.{_not_counted(lines)}"
        )
    if dropping := result.dropping:
        values = ", ".join(
            f"{dropping.coefficient(name):.2f} ({name.replace('_', ' ')})" for name in dropping.correlations
        )
        sentences.append(
            f"Stability of their order was assessed by dropping cases ({dropping.runs} draws at each of "
            f"{len(dropping.steps)} steps; Epskamp et al., 2018): correlation-stability coefficients were {values}."
        )
    method = result.method
    setting = f", penalty {method.penalty:g}" if method.approach in ("osem", "bic") else ""
    sentences.append(
        f"A directed network was searched ({APPROACHES[method.approach]}{setting}, search {method.search}, seed "
        f"{method.seed}; Luo et al., 2021)."
    )
    if result.halves is not None:
        sentences.append(
            f"Arrows are drawn where their direction returned in 90% of {result.halves.runs} random halves of the rows."
        )
    if inclusion := result.inclusion:
        sentences.append(
            f"Inclusion probabilities come from {inclusion.networks:,} networks drawn by order MCMC (Friedman & "
            f"Koller, 2003) with the BGe score (Geiger & Heckerman, 2002) on polychoric correlations, "
            f"{inclusion.prior} prior, R-hat {inclusion.r_hat:.2f}."
        )
    versions = ", ".join(f"{name} {version}" for name, version in result.made.versions.items())
    sentences.append(f"Computed with Diptych ({versions}).")
    return " ".join(sentences)


def _not_counted(lines: PartialNetwork) -> str:
    """Which links no centrality counts, as a sentence after a space; "" without covariates."""
    return f" Links with {words.listed(lines.covariates)} do not count." if lines.covariates else ""


def gaps_paragraph(result: OrdinalEvidence) -> str:
    """What lines and arrows made of gaps, and what each assumes, as a paper says it."""
    many = f"{words.count(result.n_gaps, 'missing answer')} {'was' if result.n_gaps == 1 else 'were'} left open"
    if result.lines is not None and result.lines.completed:
        return (
            f"{many}: the directed network and the partial correlations use full information, which assumes answers "
            f"missing at random; for the latter, missing answers were drawn in {result.lines.completed} tables given "
            "all answers of their row under the latent normal model, and estimates pooled (Rubin, 1987)."
        )
    return (
        f"{many} in the search of the directed network (full information, which assumes answers missing at random); "
        "partial correlations use pairwise deletion, which assumes answers missing completely at random."
    )


def references(result: OrdinalEvidence) -> list[str]:
    """The works that the paragraph names, in their order in a list of references.

    Parameters
    ----------
    result : the answer
    """
    text = methods_paragraph(result)
    return [work for key, work in REFERENCES.items() if key in text]


def links_table(result: OrdinalEvidence, labels: Mapping[str, str] | None = None) -> pd.DataFrame:
    """The clear lines as texts in APA style, the strongest first.

    Parameters
    ----------
    result : the answer
    labels : name -> what stands in its place

    Returns
    -------
    pandas.DataFrame: Link, rp, 95% CI, p; without rows where no lines were estimated
    """
    rows, shown = [], labels or {}
    if lines := result.lines:
        for i, j in lines.pairs:
            if lines.clear[i, j]:
                value, *ends = (float(matrix[i, j]) for matrix in (lines.partial, lines.low, lines.high))
                link = " – ".join(shown.get(lines.names[k], lines.names[k]) for k in (i, j))
                rows.append((link, apa_number(value), apa_interval(*ends), words.fraction(float(lines.p[i, j]))))
    return frames.data_frame(rows, columns=["Link", "rp", "95% CI", "p"])


def items_table(result: OrdinalEvidence, labels: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Every variable's explained variance and centralities as texts in APA style, in column order.

    Parameters
    ----------
    result : the answer
    labels : name -> what stands in its place

    Returns
    -------
    pandas.DataFrame: Variable, R2, then each measure with its 95% CI; without rows where no lines were estimated
    """
    if (lines := result.lines) is None:
        return frames.data_frame(columns=["Variable", "R2"])
    columns = {
        "Variable": [(labels or {}).get(name, name) for name in lines.names],
        "R2": [apa_number(float(share)) for share in lines.explained],
    }
    for name, measured in lines.centralities.items():
        low, high = lines.interval(name)
        columns[MEASURES[name]] = [
            ""
            if np.isnan(value)
            else f"{apa_number(float(value), bounded=False)} {apa_interval(float(a), float(b), bounded=False)}"
            for value, a, b in zip(measured.value, low, high, strict=True)
        ]
    return pd.DataFrame(columns)


def network_caption(result: OrdinalEvidence, kind: Kind | None = None) -> str:
    """What stands below the figure of the network.

    Parameters
    ----------
    result : the answer
    kind : as of `network_figure`

    Examples
    --------
    >>> result = engine.Ordinal(approach="gpc").run(sample_data.dataset("symptoms"))
    >>> network_caption(result).startswith("Partial correlation network (n = ")
    True
    """
    rings = " Rings show the variance explained by all other variables." if result.lines is not None else ""
    kind = kind or kinds_of(result)[0]
    if kind == "arrows" or result.lines is None:
        halves = "" if result.halves is None else f" Pale: in fewer than 90% of {result.halves.runs} half samples."
        halves = " Pale: not beyond chance (p above .05 after correction)." if result.chance_first else halves
        return (
            f"Directed network (n = {result.n_rows}). Wider links are larger partial correlations, dashed ones "
            f"negative; lines have no direction.{halves}{rings}"
        )
    least = apa_number(threshold(result))
    named = (
        "Partial correlation network" if kind == "lines" else "Partial correlations that the directed network implies"
    )
    pale = " Thin and pale: not clear (p above .05 after correction)." if kind == "lines" else ""
    return (
        f"{named} (n = {result.lines.units}). Links of at least {least} are drawn; wider ones are larger, dashed ones "
        f"negative.{pale}{rings}"
    )


def centralities_caption(result: OrdinalEvidence) -> str:
    """What stands below the figure of centralities.

    Parameters
    ----------
    result : the answer, lines estimated
    """
    units = result.n_rows if result.lines is None else result.lines.units
    return (
        f"Centrality of variables with 95% bootstrap intervals (n = {units}). Strength sums the links whose interval "
        f"excludes 0.{_not_counted(result.lines) if result.lines is not None else ''}"
    )


def paper_page(result: OrdinalEvidence, labels: Mapping[str, str] | None = None) -> str:
    """Paragraph, tables, figure and references as one HTML page, which a word processor opens.

    Parameters
    ----------
    result : the answer
    labels : name -> what stands in its place in tables and figures

    Returns
    -------
    the page, every text escaped
    """
    parts = [f"<h2>Method</h2><p>{html.escape(methods_paragraph(result))}</p>"]
    if lines := result.lines:
        about = f"n = {lines.units}. rp = partial correlation given all other variables; CI = confidence interval"
        links, items = links_table(result, labels), items_table(result, labels)
        if len(links):
            note = f"{about}; p is corrected for {len(lines.pairs)} pairs (Holm). Links with p above .05 are left out."
            parts.append(apa_table(links, 1, "Links Between Variables", note, italic=("rp", "p")))
        note = "R2 = variance explained by all other variables. Intervals are 95% bootstrap intervals."
        parts.append(apa_table(items, 2, "Explained Variance and Centrality of Variables", note, italic=("R2",)))
        figures = [(network_caption(result), network_figure(result, labels=labels))]
        if not result.determined:
            figures.append((centralities_caption(result), centralities_figure(result, labels=labels)))
        for number, (caption, figure) in enumerate(figures, 1):
            parts.append(f"<p><b>Figure {number}</b></p><p><i>{html.escape(caption)}</i></p>{figure}")
    listed = "".join(f"<p>{html.escape(work)}</p>" for work in references(result))
    parts.append(f"<h2>References</h2>{listed}")
    head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diptych</title></head>'
    return f"{head}<body>{''.join(parts)}</body></html>"
