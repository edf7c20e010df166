"""From a table to an answer: read, learn by the approach asked for, put everything back in column order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.execution import Progress
from engine.graphs.dag import bits, mask_of
from engine.graphs.pdag import Pdag, complete
from engine.methods.ordinal import rivals, structural_em
from engine.methods.ordinal.answers import Answers, read, warnings
from engine.methods.ordinal.result import OrdinalResult
from engine.methods.ordinal.settings import LATENT, OrdinalSettings
from engine.methods.result import Made
from engine.models.latent_normal import UNKNOWN, lifted
from engine.models.polychoric import polychoric, polychoric_variances

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


def learned(method: OrdinalSettings, answers: Answers, progress: Progress) -> tuple[structural_em.Learned, Pdag]:
    """What the approach asked for learns, and its class of networks; positions are those of the answers."""
    if method.approach in LATENT:
        found = structural_em.learn(method, answers, progress)
        return found, complete(found.parents)
    return rivals.learn(method, answers, progress)


def class_of(method: OrdinalSettings, data: Dataset, progress: Progress) -> Pdag:
    """The class of networks alone, by position in the data; for tables drawn again, where a level may be missing."""
    answers = read(data, method.missing, strict=False)
    return in_columns(learned(method, answers, progress)[1], _places(answers, data))


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
    found, cpdag = learned(method, answers, progress)
    places = _places(answers, data)
    back = np.argsort(places)
    parents: list[tuple[int, ...]] = [()] * data.n_variables
    for child, family in enumerate(found.parents):
        parents[places[child]] = tuple(sorted(int(places[x]) for x in family))
    matrices = {"start": found.start, "statistic": found.statistic, "fitted": found.correlation}
    boxes = answers.boxes()
    # a rival's own start is the same; that of OSEM has an imagined row in every cell
    pairs, was_lifted = lifted(polychoric(boxes)) if method.approach in LATENT else (found.start, found.lifted)
    known = (answers.codes != UNKNOWN).astype(float)
    matrices |= {"pairs": pairs, "variances": polychoric_variances(boxes, pairs), "answered": known @ known.T}
    names = answers.data.names
    gap = {column.name: column.missing for column in data.recipe.columns}
    result = OrdinalResult(
        method=method,
        names=data.names,
        fingerprint=data.fingerprint,
        made=Made.of(data),
        levels={
            name: tuple(one for one in data.levels[name] if not gap.get(name) or one != gap[name])
            for name in data.names
        },
        counts={
            name: np.bincount(own[own != UNKNOWN], minlength=size)
            for name, own, size in zip(names, answers.codes, answers.levels, strict=True)
        },
        cuts={name: cut[1:-1] for name, cut in zip(names, boxes.cuts, strict=True)},
        n_rows=data.n_rows,
        n_gaps=answers.gaps,
        cpdag=in_columns(cpdag, places),
        parents=tuple(parents),
        matrices={name: np.ascontiguousarray(one[np.ix_(back, back)]) for name, one in matrices.items()},
        information=found.information,
        log_likelihood=found.log_likelihood,
        lifted=found.lifted or was_lifted,
        rounds=found.rounds,
        warnings=tuple(warnings(answers)),
        criterion=found.criterion,
        exact=found.exact,
        predicting=rivals.tables(method, answers, found.parents) if method.approach in rivals.NOMINAL else (),
    )
    progress(1.0, "done")
    return result


def _places(answers: Answers, data: Dataset) -> np.ndarray:
    """(p,) the column of every variable of the answers."""
    return np.array([data.index(name) for name in answers.data.names])


def in_columns(graph: Pdag, places: np.ndarray) -> Pdag:
    """A graph with variable i moved to `places[i]`."""
    back = np.argsort(places).tolist()

    def moved(masks: list[int]) -> list[int]:
        return [mask_of(int(places[x]) for x in bits(masks[old])) for old in back]

    return Pdag(moved(graph.parents), moved(graph.children), moved(graph.neighbours))
