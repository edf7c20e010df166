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
from engine.methods.ordinal.result import OrdinalResult
from engine.methods.ordinal.settings import LATENT, OrdinalSettings
from engine.models.latent_normal import UNKNOWN, lifted
from engine.models.polychoric import polychoric, polychoric_variances


def learned(
    method: OrdinalSettings, answers: Answers, progress: Progress, starts: int = structural_em.STARTS
) -> tuple[structural_em.Learned, Pdag]:
    """What the approach asked for learns, and its class of networks; positions are those of the answers."""
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


def analyse(method: OrdinalSettings, data: Dataset, progress: Progress, *, strict: bool = True) -> OrdinalResult:
    """Learn a network from the data.

    Parameters
    ----------
    method, data : the settings and the rows
    progress : told how far it is
    strict : refuse a variable of one value; a part of a table may have one

    Returns
    -------
    `OrdinalResult`

    Raises
    ------
    DataError : the table does not fit; see `engine.methods.ordinal.answers.read`
    SettingsError : knowledge that does not fit the variables, an exact search of more than 20
    """
    answers = read(data, method.missing, strict=strict)
    matches, cpdag = learned(method, answers, progress)
    positions = _places(answers, data)
    back = np.argsort(positions)
    parents: list[tuple[int, ...]] = [()] * data.n_variables
    for child, family in enumerate(matches.parents):
        parents[positions[child]] = tuple(sorted(int(positions[x]) for x in family))
    matrices = {"start": matches.start, "statistic": matches.statistic, "fitted": matches.correlation}
    boxes = answers.boxes()
    # a rival's own start is the same; that of OSEM has an imagined row in every cell
    raw = polychoric(boxes)
    pairs, was_lifted = lifted(raw) if method.approach in LATENT else (matches.start, matches.lifted)
    known = (answers.codes != UNKNOWN).astype(float)
    matrices |= {"pairs": pairs, "variances": polychoric_variances(boxes, pairs), "answered": known @ known.T}
    names, counted = answers.data.names, answers.data.subject_count
    result = OrdinalResult(
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
        information=matches.information,
        log_likelihood=matches.log_likelihood,
        lifted=matches.lifted or was_lifted,
        rounds=matches.rounds,
        warnings=tuple(warnings(answers)),
        criterion=matches.criterion,
        exact=matches.exact,
        starts=matches.starts,
        effect=answers.effect,
        numbers=tuple(name for name in data.names if names.index(name) in answers.numbers),
        copies=tuple(
            (data.names[i], data.names[j])
            for i, j in sorted(tuple(sorted((positions[a], positions[b]))) for a, b in copies_of(boxes, raw))
        ),
        gaps_depend={names[i]: tuple(names[j] for j in others) for i, others in gap_causes(answers).items()},
        **subject_fields(data),
        predicting=rivals.tables(method, answers, matches.parents) if method.approach in rivals.NOMINAL else (),
    )
    if counted is not None:
        result = replace(result, matrices={**result.matrices, "effects": _link_effects(result, answers)})
    progress(1.0, "done")
    return result


def _link_effects(result: OrdinalResult, answers: Answers) -> np.ndarray:
    """(p, p) the design effect of every pair's link, variables in column order."""
    p, names = len(result.names), answers.data.names
    at = [names.index(name) for name in result.names]
    pairs = result.families
    matches = np.ones((p, p))
    clusters = answers.data.clusters
    if clusters is None:
        return matches
    effects = link_effects(
        answers.boxes(),
        clusters,
        [(at[source], at[child], tuple(at[x] for x in given)) for source, child, given in pairs],
    )
    for (source, child, _), effect in zip(pairs, effects, strict=True):
        matches[source, child] = matches[child, source] = effect
    return matches


def _places(answers: Answers, data: Dataset) -> np.ndarray:
    """(p,) the column of every variable of the answers."""
    return np.array([data.index(name) for name in answers.data.names])


def in_columns(graph: Pdag, positions: np.ndarray) -> Pdag:
    """A graph with variable i moved to `places[i]`."""
    back = np.argsort(positions).tolist()

    def moved(masks: list[int]) -> list[int]:
        return [mask_of(int(positions[x]) for x in bits(masks[old])) for old in back]

    return Pdag(moved(graph.parents), moved(graph.children), moved(graph.neighbours))
