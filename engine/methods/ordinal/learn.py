"""From a table to an answer: read, learn by the approach asked for, put everything back in column order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.data.dataset import Dataset
from engine.execution import Progress
from engine.graphs.dag import bits, mask_of
from engine.graphs.pdag import Pdag, complete
from engine.methods.evidence import RunRecord
from engine.methods.links_evidence import subject_fields
from engine.methods.ordinal import rivals, structural_em
from engine.methods.ordinal.answers import Answers, answer_levels, read, warnings
from engine.methods.ordinal.effects import copies_of, gap_causes, link_effects
from engine.methods.ordinal.evidence import OrdinalEvidence
from engine.methods.ordinal.settings import LATENT, OrdinalSettings
from engine.models.latent_normal import UNKNOWN, lifted
from engine.models.polychoric import polychoric, polychoric_variances


def learned(
    method: OrdinalSettings, answers: Answers, progress: Progress, starts: int = structural_em.STARTS
) -> tuple[structural_em.Learned, Pdag]:
    """Learn by the approach asked for, with its class of networks; positions are those of the answers."""
    if method.approach in LATENT:
        result = structural_em.learn(method, answers, progress, starts)
        return result, complete(result.parents)
    return rivals.learn(method, answers, progress)


def class_of(
    method: OrdinalSettings,
    data: Dataset,
    progress: Progress,
    effect: float | None = None,
    starts: int = structural_em.STARTS,
) -> Pdag:
    """The class of networks alone, by position in the data; for tables drawn again, where a level may be missing.

    Their design effect is that of the whole table: copies of a subject would raise their own.
    """
    answers = read(data, method.missing, strict=False, effect=effect)
    return in_columns(learned(method, answers, progress, starts)[1], _places(answers, data))


def analyse(method: OrdinalSettings, data: Dataset, progress: Progress, *, strict: bool = True) -> OrdinalEvidence:
    """Learn a network from the data.

    Parameters
    ----------
    method, data : the settings and the rows
    progress : told how far it is
    strict : refuse a variable of one value; a part of a table may have one

    Returns
    -------
    `OrdinalEvidence`

    Raises
    ------
    DataError : the table does not fit; see `engine.methods.ordinal.answers.read`
    SettingsError : knowledge that does not fit the variables, an exact search of more than 20
    """
    answers = read(data, method.missing, strict=strict)
    fit, cpdag = learned(method, answers, progress)
    positions = _places(answers, data)
    back = np.argsort(positions)
    parents: list[tuple[int, ...]] = [()] * data.n_variables
    for child, family in enumerate(fit.parents):
        parents[positions[child]] = tuple(sorted(int(positions[x]) for x in family))
    matrices = {"start": fit.start, "statistic": fit.statistic, "fitted": fit.correlation}
    boxes = answers.boxes()
    # a rival's own start is the same; that of OSEM has an imagined row in every cell
    raw = polychoric(boxes)
    pairs, was_lifted = lifted(raw) if method.approach in LATENT else (fit.start, fit.lifted)
    known = (answers.codes != UNKNOWN).astype(float)
    matrices |= {"pairs": pairs, "variances": polychoric_variances(boxes, pairs), "answered": known @ known.T}
    names, counted = answers.data.names, answers.data.subject_count
    result = OrdinalEvidence(
        method=method,
        names=data.names,
        fingerprint=data.fingerprint,
        made=RunRecord.of(data),
        levels=answer_levels(data),
        counts={
            name: np.bincount(own[own != UNKNOWN], minlength=size)
            for name, own, size in zip(names, answers.codes, answers.levels, strict=True)
        },
        cuts={name: cut[1:-1] for name, cut in zip(names, boxes.cuts, strict=True)},
        n_rows=data.n_rows,
        n_gaps=answers.gaps,
        cpdag=in_columns(cpdag, positions),
        parents=tuple(parents),
        matrices={name: np.ascontiguousarray(matrix[np.ix_(back, back)]) for name, matrix in matrices.items()},
        information=fit.information,
        log_likelihood=fit.log_likelihood,
        lifted=fit.lifted or was_lifted,
        rounds=fit.rounds,
        warnings=tuple(warnings(answers)),
        criterion=fit.criterion,
        exact=fit.exact,
        starts=fit.starts,
        effect=answers.effect,
        numbers=tuple(name for name in data.names if names.index(name) in answers.numbers),
        copies=tuple(
            (data.names[i], data.names[j])
            for i, j in sorted(tuple(sorted((positions[a], positions[b]))) for a, b in copies_of(boxes, raw))
        ),
        gaps_depend={names[i]: tuple(names[j] for j in others) for i, others in gap_causes(answers).items()},
        **subject_fields(data),
        predicting=rivals.tables(method, answers, fit.parents) if method.approach in rivals.NOMINAL else (),
    )
    if counted is not None:
        result = replace(result, matrices={**result.matrices, "effects": _link_effects(result, answers)})
    progress(1.0, "done")
    return result


def _link_effects(network: OrdinalEvidence, answers: Answers) -> np.ndarray:
    """(p, p) the design effect of every pair's link, variables in column order."""
    names, clusters = answers.data.names, answers.data.clusters
    at = [names.index(name) for name in network.names]
    effects = np.ones((len(at), len(at)))
    if clusters is None:
        return effects
    asked = [(at[source], at[child], tuple(at[x] for x in given)) for source, child, given in network.families]
    for (source, child, _), effect in zip(
        network.families, link_effects(answers.boxes(), clusters, asked), strict=True
    ):
        effects[source, child] = effects[child, source] = effect
    return effects


def _places(answers: Answers, data: Dataset) -> np.ndarray:
    """(p,) the column of every variable of the answers."""
    return np.array([data.index(name) for name in answers.data.names])


def in_columns(graph: Pdag, positions: np.ndarray) -> Pdag:
    """A graph with variable i moved to `positions[i]`."""
    back = np.argsort(positions).tolist()

    def moved(masks: list[int]) -> list[int]:
        return [mask_of(int(positions[x]) for x in bits(masks[old])) for old in back]

    return Pdag(moved(graph.parents), moved(graph.children), moved(graph.neighbours))
