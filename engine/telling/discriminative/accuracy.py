"""How accurate class networks are, in words: beside chance, the largest class and the best single variable."""

from __future__ import annotations

from collections import Counter

from engine.measures.curves import Auc
from engine.methods.discriminative.baselines import SINGLE
from engine.methods.discriminative.classification import Classification, ClassShare
from engine.methods.discriminative.evaluation import Evaluation
from engine.telling.discriminative.families import IN_SHORT, size_words
from engine.text import Count, Level, Name, Number, Share, Text, joined, told
from engine.words import capital, in_percent, short, shown_difference

INTERVAL = told("95 %: ")


def name_of(name: str) -> Name:
    """A name that leaves a sentence readable."""
    return Name(short(name, 40))


def level_of(level: str) -> Level:
    return Level(short(level, 40))


def leading(evaluation: Evaluation) -> Text:
    """The accuracy that an evaluation is told by."""
    return told("balanced accuracy" if evaluation.leads_balanced else "accuracy")


def leading_accuracy(of: Classification, balanced: bool) -> Text:
    """The accuracy to look at, with its interval."""
    return told("{} {}", "balanced accuracy" if balanced else "accuracy", accuracy_words(of, balanced=balanced))


def accuracy_words(of: Classification, interval: str = "", *, balanced: bool | None = None) -> Text:
    if not (of.leads_balanced if balanced is None else balanced):
        return told("{} ({}{})", share(of.hits, of.n), interval, ends_words(*of.interval))
    mean = Share(*_fewest(of), written=in_percent(of.balanced_accuracy))
    return told("{} ({}{})", mean, interval, ends_words(*of.balanced_interval))


def _fewest(*every: Classification) -> tuple[int, int]:
    """Hits, and of how many, that a figure is hidden by: of two classes, whose hits it gives, those of the fewest."""
    sides = [(of, name) for of in every for name in of.classes]
    parts = [of.sensitivity(name)[:2] if len(of.classes) == 2 else (of.hits, of.n) for of, name in sides]
    return min(parts, key=lambda part: min(part[0], part[1] - part[0]) or part[1])


def ends_words(low: float, high: float) -> Number:
    """Ends of an interval in percent."""
    return Number(f"{100 * low:.0f} to {100 * high:.0f}")


def share(hits: int, n: int) -> Share:
    """Hits of tries in percent, never rounded to all or none."""
    fine = 0 < hits < n and not 0.005 <= hits / n <= 0.995
    return Share(hits, n, written=in_percent(hits / n, 1 if fine else 0))


def plain_accuracy(evaluation: Evaluation) -> Text:
    """Accuracy beside that of naming the largest class, where another figure leads; else ""."""
    if not evaluation.leads_balanced:
        return told("")
    largest = int(evaluation.sizes.argmax())
    many = int(evaluation.sizes[largest])
    side = "below" if evaluation.hits < many else "above" if evaluation.hits > many else "as high as"
    always = level_of(evaluation.classes[largest]), share(many, evaluation.n)
    return told("Accuracy {}, {} always saying “{}” ({}).", share(evaluation.hits, evaluation.n), side, *always)


def alone_words(evaluation: Evaluation) -> Text:
    """The best single variable by name, and its accuracy; "" where it was not asked."""
    alone, balanced = evaluation.compared.get(SINGLE), evaluation.leads_balanced
    if alone is None or evaluation.too_few:
        return told("")
    which, said = _of_folds(singles(evaluation)), leading_accuracy(alone, balanced)
    return told("Best single variable, chosen without held-out rows{}: {}.", which, said)


def _of_folds(chosen: dict[str, int]) -> Text:
    """' (Sepsis in 6 of 10 folds)', of how often each variable is the best single one; "" where that is not known."""
    name, many = next(iter(chosen.items()), ("", 0))
    of = Count(sum(chosen.values()), "fold")
    return told(" ({} in {} of {})", name_of(name), Count(many), of) if name else told("")


def against_alone(evaluation: Evaluation) -> Text:
    """Whether the networks are more accurate than the best single variable, by how much; "" where it was not asked."""
    if evaluation.compared.get(SINGLE) is None or evaluation.too_few:
        return told("")
    _, low, high = evaluation.gain_over(SINGLE)
    gain, what = gain_words(evaluation), leading(evaluation)
    if low <= 0 <= high:
        template = "Whether the networks beat {} alone is inconclusive: {} {}."
        return told(template, single_name(evaluation), what, gain)
    template = "The networks beat {} alone: {} {}." if low > 0 else "Networks minus {} alone: {} {}."
    return told(template, single_name(evaluation), what, gain)


def gain_words(evaluation: Evaluation) -> Share:
    """'−3 pp (95 %: −10 to 6)': the networks less the best single variable, in points of the leading accuracy."""
    _, low, high = evaluation.gain_over(SINGLE)
    size = size_words((shown_difference(*_accuracies(evaluation)) / 100, low, high), signed=True, unit=IN_SHORT)
    return Share(*_fewest(evaluation, evaluation.compared[SINGLE]), written=size.replace(" (", f" ({INTERVAL}"))


def single_name(evaluation: Evaluation) -> Text:
    """The best single variable by its name, where it is the same in every fold."""
    folds = singles(evaluation)
    return told("{}", name_of(next(iter(folds))) if len(folds) == 1 else "one variable")


def singles(evaluation: Evaluation) -> dict[str, int]:
    """Name -> the folds in which it is the best single variable, the most first."""
    chosen = next((other.chosen for other in evaluation.others if other.key == SINGLE), ())
    return dict(Counter(chosen).most_common())


def alone_above(evaluation: Evaluation) -> Text:
    """'Sepsis alone 73 % (65 to 79)', where the best single variable is more accurate than the networks; else ""."""
    alone, balanced = evaluation.compared.get(SINGLE), evaluation.leads_balanced
    if alone is None or evaluation.too_few:
        return told("")
    own, better = _accuracies(evaluation)
    if better <= own:
        return told("")
    return told("{} alone {}", single_name(evaluation), accuracy_words(alone, balanced=balanced))


def _accuracies(evaluation: Evaluation) -> tuple[float, float]:
    """The leading accuracy of the networks and that of the best single variable."""
    alone = evaluation.compared[SINGLE]
    if evaluation.leads_balanced:
        return evaluation.balanced_accuracy, alone.balanced_accuracy
    return evaluation.accuracy, alone.accuracy


def figure_rows(evaluation: Evaluation, *, classes: bool = True) -> list[tuple[Text, ...]]:
    """A heading, then each figure of the networks beside that of the best single variable, where it was asked.

    Parameters
    ----------
    evaluation : of held-out points
    classes : whether sensitivity and the like stand there too
    """
    alone, chosen, balanced = evaluation.compared.get(SINGLE), singles(evaluation), evaluation.leads_balanced
    every = [evaluation] if alone is None else [evaluation, alone]
    one = told("Best single variable{}", _mostly(chosen))
    heads = [told("Class networks"), told("{} alone", *map(name_of, chosen)) if len(chosen) == 1 else one][: len(every)]
    case = [] if len(evaluation.classes) > 2 or not classes else [_case(evaluation)]
    chance = told("{} (chance {})", capital(leading(evaluation)), Number(in_percent(1 / len(evaluation.classes))))
    rows = [
        (told("{}", joined([*case, told("95\u00a0% intervals")], "; ")), *heads),
        (chance, *(accuracy_words(each, balanced=balanced) for each in every)),
    ]
    figures = [class_figures(each, ranked=each is evaluation) for each in every if classes]
    return rows + [
        (what, *(own[place][1] for own in figures)) for place, (what, _) in enumerate(figures[0] if figures else ())
    ]


def _mostly(chosen: dict[str, int]) -> Text:
    """', mostly Sepsis', of a variable that is the best single one in more than half of the folds."""
    name, many = next(iter(chosen.items()), ("", 0))
    return told(", mostly {}", name_of(name)) if 2 * many > sum(chosen.values()) else told("")


def _case(of: Classification) -> Text:
    return told("{} = {}", name_of(of.method.target), level_of(of.case))


def class_figures(of: Classification, *, ranked: bool = True) -> list[tuple[Text, Text]]:
    """Each figure of the classes with its 95 % interval, and of how many it is; no AUC of what each fold ranks anew."""
    if len(of.classes) > 2:
        return [(told("Sensitivity, {}", level_of(name)), _part_words(of, of.sensitivity(name))) for name in of.classes]
    name, area, called = of.case, of.auc(of.case), of.precision(of.case)
    among = Share(of.sensitivity(name).of, of.n), level_of(name)
    ranks = told("{} ({})", Number(f"{area.value:.2f}"), area_interval(area))
    return [
        (told("Sensitivity"), _part_words(of, of.sensitivity(name))),
        (told("Specificity"), _part_words(of, of.specificity(name))),
        (told("AUC"), ranks if ranked else told("no common score")),
        (
            told("Positive predictive value where {} are {}", *among),
            _part_words(of, called) if called.of else told("nobody called {}", level_of(name)),
        ),
    ]


def _part_words(of: Classification, part: ClassShare) -> Text:
    """'45 % (32 to 59), 23 of 51'."""
    size = f"{share(part.hits, part.of)} ({ends_words(*part[2:])}), {part.hits} of {part.of}"
    return told("{}", hidden_with(of, part, size))


def hidden_with(of: Classification, part: ClassShare, written: str) -> Share:
    """A figure of some of the points, which is hidden where its hits or those of either class are."""
    few = min(part, *map(of.sensitivity, of.classes), key=lambda one: min(one.hits, one.of - one.hits))
    return Share(few.hits, few.of, written=written)


def area_interval(area: Auc) -> Number:
    """The interval of an area under the curve; where it has no width, the curve says why."""
    return Number(f"{area.low:.2f} to {area.high:.2f}" if area.low < area.high else "no interval")
