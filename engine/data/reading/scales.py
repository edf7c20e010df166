"""The natural order of level names: numbers, known scales, grades, ranges, weekdays, months, else the alphabet.

Scales of words (frequencies, severities, agreement and the like) are known in four languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from engine.words import short

_ENGLISH = (
    ("very low", "low", "lower", "below average", "normal", "medium", "moderate", "intermediate", "mid",
     "average", "above average", "high", "higher", "very high", "extreme"),
    ("none", "absent", "no", "minimal", "trace", "very mild", "mild", "mild to moderate", "moderate",
     "moderate to severe", "marked", "severe", "very severe", "critical", "extreme", "life-threatening",
     "fatal", "death"),
    ("no problems", "slight problems", "some problems", "moderate problems", "severe problems", "extreme problems",
     "unable"),
    ("never", "almost never", "hardly ever", "very rarely", "rarely", "seldom", "occasionally", "once in a while",
     "sometimes", "fairly often", "often", "frequently", "usually", "very often", "very frequently", "mostly",
     "most of the time", "nearly always", "almost always", "always", "all of the time"),
    ("never", "yearly", "once a year", "less than monthly", "less than once a month", "monthly", "once a month",
     "several times a month", "weekly", "once a week", "several times a week", "almost daily",
     "daily or almost daily", "daily", "several times a day"),
    ("not at all", "several days", "more than half the days", "over half the days", "nearly every day",
     "almost every day", "every day"),
    ("strongly disagree", "completely disagree", "disagree", "mostly disagree", "somewhat disagree",
     "slightly disagree", "neither agree nor disagree", "neutral", "undecided", "slightly agree", "somewhat agree",
     "mostly agree", "agree", "completely agree", "strongly agree"),
    ("not at all", "very little", "a little", "a little bit", "slightly", "somewhat", "moderately", "quite a bit",
     "very much", "very", "a lot", "extremely"),
    ("very poor", "poor", "bad", "fair", "satisfactory", "average", "good", "very good", "excellent"),
    ("very dissatisfied", "dissatisfied", "somewhat dissatisfied", "neutral", "neither satisfied nor dissatisfied",
     "somewhat satisfied", "satisfied", "very satisfied"),
    ("tiny", "extra small", "small", "med", "medium", "big", "large", "extra large", "huge"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("infant", "baby", "toddler", "child", "adolescent", "teenager", "young", "young adult", "adult",
     "middle-aged", "middle aged", "old", "elderly", "senior"),
    ("underweight", "normal", "normal weight", "healthy weight", "overweight", "obese", "severely obese",
     "morbidly obese"),
    ("much worse", "worse", "slightly worse", "somewhat worse", "same", "about the same", "unchanged", "stable",
     "slightly better", "somewhat better", "better", "improved", "much better", "recovered"),
    ("primary", "secondary", "tertiary"),
    ("first", "second", "third", "fourth", "fifth", "sixth"),
    ("very unlikely", "unlikely", "possible", "probable", "likely", "very likely", "definite", "certain"),
    ("not important", "slightly important", "important", "very important"),
    ("-", "+", "++", "+++", "++++"),
    ("negative", "trace", "1+", "2+", "3+", "4+"),
    ("decreased", "unchanged", "normal", "increased"),
    ("vlow", "low", "med", "middle", "high", "vhigh"),
    ("definitely not", "no", "probably not", "rather no", "maybe", "partly", "rather yes", "probably", "yes",
     "definitely"),
    ("none", "no schooling", "no formal education", "less than primary", "primary", "primary school", "elementary",
     "elementary school", "middle school", "lower secondary", "less than high school", "some high school", "secondary",
     "secondary school", "upper secondary", "high school", "high school graduate", "high school diploma", "vocational",
     "some college", "associate", "associate degree", "associate's degree", "college", "college graduate", "bachelor",
     "bachelors", "bachelor's", "bachelor's degree", "university", "graduate", "master", "masters", "master's",
     "master's degree", "postgraduate", "doctorate", "doctoral", "doctoral degree", "phd"),
    ("disagree strongly", "disagree very much", "disagree moderately", "disagree a little", "disagree slightly",
     "neither agree nor disagree", "neutral", "agree slightly", "agree a little", "agree moderately",
     "agree very much", "agree strongly"),
    ("very inaccurate", "moderately inaccurate", "inaccurate", "slightly inaccurate", "somewhat inaccurate",
     "neither inaccurate nor accurate", "neither accurate nor inaccurate", "neutral", "somewhat accurate",
     "slightly accurate", "accurate", "moderately accurate", "very accurate"),
    ("did not apply to me at all", "applied to me to some degree", "applied to me to some degree or some of the time",
     "applied to me to a considerable degree", "applied to me to a considerable degree or a good part of the time",
     "applied to me to a considerable degree or a good part of time", "applied to me very much",
     "applied to me very much or most of the time"),
    ("none of the time", "at no time", "never", "rarely or none of the time",
     "rarely or none of the time less than 1 day", "a little of the time", "some or a little of the time",
     "some or a little of the time 1-2 days", "some of the time", "less than half of the time",
     "less than half the time", "occasionally or a moderate amount of time",
     "occasionally or a moderate amount of time 3-4 days", "occasionally or a moderate amount of the time",
     "about half the time", "half of the time", "more than half of the time", "more than half the time",
     "a good bit of the time", "most of the time", "most or all of the time", "most or all of the time 5-7 days",
     "all of the time", "always"),
    ("not true", "not at all true", "not true at all", "untrue", "hardly true", "barely true", "rarely true",
     "a little true", "slightly true", "somewhat true", "partly true", "sometimes true", "moderately true",
     "mostly true", "often true", "true", "very true", "certainly true", "definitely true", "exactly true",
     "completely true", "always true"),
    ("definitely false", "mostly false", "neither true nor false", "mostly true", "definitely true"),
    ("never true", "never or very rarely true", "very rarely true", "rarely true", "sometimes true", "often true",
     "very often true", "very often or always true", "almost always true", "always true"),
    ("not like me at all", "not at all like me", "not like me", "not much like me", "a little like me",
     "somewhat like me", "like me", "mostly like me", "very much like me"),
    ("not at all typical of me", "not very typical of me", "somewhat typical of me", "fairly typical of me",
     "very typical of me"),
    ("not at all characteristic of me", "a little characteristic of me", "somewhat characteristic of me",
     "moderately characteristic of me", "very characteristic of me", "extremely characteristic of me",
     "entirely characteristic of me"),
    ("not at all", "mildly", "mildly but it didn't bother me much", "moderately",
     "moderately it wasn't pleasant at times", "moderately but it wasn't pleasant at times", "severely",
     "severely it bothered me a lot", "very severely"),
    ("no control", "little control", "moderate control", "much control", "complete control"),
    ("i never feel this way", "i rarely feel this way", "i sometimes feel this way", "i often feel this way",
     "i always feel this way"),
    ("no not limited at all", "not limited at all", "not limited", "yes limited a little", "limited a little",
     "yes limited a lot", "limited a lot"),
    ("much worse now than one year ago", "somewhat worse now than one year ago", "about the same as one year ago",
     "about the same", "somewhat better now than one year ago", "much better now than one year ago"),
    ("extremely unlikely", "very unlikely", "moderately unlikely", "unlikely", "rather unlikely", "somewhat unlikely",
     "slightly unlikely", "neither likely nor unlikely", "neither unlikely nor likely", "neutral", "unsure",
     "slightly likely", "somewhat likely", "rather likely", "moderately likely", "likely", "very likely",
     "extremely likely"),
    ("not important at all", "not at all important", "unimportant", "not important", "not very important",
     "low importance", "slightly important", "a little important", "somewhat important", "neutral",
     "moderately important", "fairly important", "quite important", "important", "very important",
     "extremely important", "essential"),
    ("extremely dissatisfied", "very dissatisfied", "moderately dissatisfied", "dissatisfied",
     "somewhat dissatisfied", "slightly dissatisfied", "neither satisfied nor dissatisfied",
     "neither dissatisfied nor satisfied", "neutral", "slightly satisfied", "somewhat satisfied", "satisfied",
     "moderately satisfied", "very satisfied", "extremely satisfied"),
    ("not at all", "much less than usual", "less than usual", "less so than usual", "same as usual",
     "no more than usual", "about the same as usual", "rather more than usual", "more so than usual",
     "more than usual", "better than usual", "much more than usual"),
    ("not difficult at all", "very easy", "easy", "somewhat easy", "neutral", "somewhat difficult", "difficult",
     "very difficult", "extremely difficult"),
    ("no pain", "minimal pain", "mild pain", "moderate pain", "severe pain", "very severe pain", "extreme pain",
     "worst pain imaginable", "worst possible pain"),
    ("not a problem", "no problem", "a small problem", "minor problem", "moderate problem", "serious problem",
     "big problem", "very big problem"),
    ("never", "very rarely", "rarely", "occasionally", "sometimes", "half of the time", "about half the time",
     "frequently", "often", "usually", "very frequently", "most of the time", "almost every time", "every time",
     "always"),
    ("not at all", "not really", "to a small extent", "a little", "to some extent", "somewhat", "to a moderate extent",
     "moderately", "to a large extent", "to a great extent", "to a very great extent", "completely", "totally"),
    ("totally disagree", "disagree", "partly disagree", "neither agree nor disagree", "neutral", "undecided",
     "unsure", "partly agree", "agree", "totally agree"),
)  # fmt: skip
_GERMAN = (
    ("nie", "niemals", "fast nie", "sehr selten", "selten", "gelegentlich", "ab und zu", "hin und wieder",
     "manchmal", "öfter", "oft", "häufig", "meistens", "sehr oft", "sehr häufig", "fast immer", "immer"),
    ("überhaupt nicht", "an einzelnen Tagen", "an mehr als der Hälfte der Tage", "beinahe jeden Tag",
     "fast jeden Tag", "jeden Tag"),
    ("kein", "keine", "keiner", "minimal", "sehr leicht", "leicht", "gering", "leicht bis mittel", "mäßig",
     "mittel", "mittelgradig", "mittelschwer", "stark", "schwer", "sehr stark", "sehr schwer", "extrem"),
    ("gar nicht", "überhaupt nicht", "kaum", "ein wenig", "wenig", "ein bisschen", "etwas", "mäßig", "mittelmäßig",
     "ziemlich", "stark", "sehr", "sehr stark", "äußerst", "extrem"),
    ("stimme überhaupt nicht zu", "stimme gar nicht zu", "stimme nicht zu", "lehne ab", "stimme eher nicht zu",
     "lehne eher ab", "weder noch", "teils teils", "teils/teils", "teils-teils", "neutral", "unentschieden",
     "stimme eher zu", "stimme zu", "stimme voll zu", "stimme völlig zu", "stimme voll und ganz zu"),
    ("trifft überhaupt nicht zu", "trifft gar nicht zu", "trifft nicht zu", "trifft eher nicht zu", "teils teils",
     "teils/teils", "teils-teils", "trifft teilweise zu", "trifft eher zu", "trifft zu", "trifft genau zu",
     "trifft voll zu", "trifft voll und ganz zu"),
    ("sehr niedrig", "sehr gering", "niedrig", "gering", "eher niedrig", "mittel", "normal", "durchschnittlich",
     "eher hoch", "hoch", "sehr hoch"),
    ("sehr klein", "klein", "mittel", "mittelgroß", "groß", "sehr groß"),
    ("sehr schlecht", "schlecht", "mäßig", "mittelmäßig", "weniger gut", "befriedigend", "gut", "sehr gut",
     "ausgezeichnet"),
    ("nie", "jährlich", "einmal im Jahr", "seltener als einmal im Monat", "monatlich", "einmal im Monat",
     "mehrmals im Monat", "wöchentlich", "einmal pro Woche", "mehrmals pro Woche", "fast täglich", "täglich",
     "mehrmals täglich"),
    ("nein", "eher nein", "teilweise", "vielleicht", "eher ja", "ja"),
    ("kein Abschluss", "ohne Abschluss", "Grundschule", "Hauptschule", "Hauptschulabschluss", "Realschule",
     "Realschulabschluss", "mittlere Reife", "Lehre", "Ausbildung", "Fachabitur", "Fachhochschulreife", "Abitur",
     "Bachelor", "Hochschule", "Universität", "Hochschulabschluss", "Diplom", "Master", "Promotion"),
    ("sehr unzutreffend", "unzutreffend", "eher unzutreffend", "weder noch", "weder zutreffend noch unzutreffend",
     "neutral", "teils teils", "teils-teils", "teils/teils", "eher zutreffend", "zutreffend", "sehr zutreffend"),
    ("nicht zutreffend", "teilweise zutreffend", "eindeutig zutreffend"),
    ("traf gar nicht auf mich zu", "traf bis zu einem gewissen Grad auf mich zu",
     "traf bis zu einem gewissen Grad auf mich zu oder manchmal", "traf in beträchtlichem Maße auf mich zu",
     "traf in beträchtlichem Maße auf mich zu oder ziemlich oft", "traf sehr stark auf mich zu",
     "traf sehr stark auf mich zu oder die meiste Zeit"),
    ("nie", "zu keinem Zeitpunkt", "zu keiner Zeit", "überhaupt nicht", "selten oder überhaupt nicht", "selten",
     "ab und zu", "ein wenig", "manchmal", "einen Teil der Zeit", "etwas weniger als die Hälfte der Zeit",
     "etwas mehr als die Hälfte der Zeit", "öfters", "ziemlich oft", "oft", "die meiste Zeit", "meistens",
     "meistens die ganze Zeit", "die ganze Zeit", "immer"),
    ("nie", "fast nie", "selten", "manchmal", "ziemlich oft", "oft", "häufig", "sehr oft", "meistens", "fast immer",
     "immer"),
    ("mir überhaupt nicht ähnlich", "mir nicht ähnlich", "mir nur ein wenig ähnlich", "mir ein wenig ähnlich",
     "mir einigermaßen ähnlich", "mir etwas ähnlich", "mir ähnlich", "mir sehr ähnlich"),
    ("nein überhaupt nicht eingeschränkt", "überhaupt nicht eingeschränkt", "ja etwas eingeschränkt",
     "etwas eingeschränkt", "ja stark eingeschränkt", "stark eingeschränkt"),
    ("überhaupt nicht", "wenig", "mittel", "stark"),
    ("überhaupt nicht wichtig", "gar nicht wichtig", "unwichtig", "nicht wichtig", "eher unwichtig", "teils teils",
     "teils-teils", "weder noch", "neutral", "etwas wichtig", "eher wichtig", "ziemlich wichtig", "wichtig",
     "sehr wichtig", "äußerst wichtig"),
    ("äußerst unwahrscheinlich", "sehr unwahrscheinlich", "unwahrscheinlich", "eher unwahrscheinlich", "weder noch",
     "neutral", "eher wahrscheinlich", "wahrscheinlich", "sehr wahrscheinlich", "äußerst wahrscheinlich"),
    ("äußerst unzufrieden", "sehr unzufrieden", "unzufrieden", "eher unzufrieden", "weder noch", "teils teils",
     "teils-teils", "neutral", "eher zufrieden", "zufrieden", "sehr zufrieden", "äußerst zufrieden"),
    ("stimmt nicht", "stimmt überhaupt nicht", "stimmt gar nicht", "stimmt kaum", "stimmt wenig", "stimmt eher nicht",
     "stimmt teilweise", "stimmt etwas", "stimmt mittelmäßig", "stimmt eher", "stimmt ziemlich", "stimmt",
     "stimmt völlig", "stimmt sehr", "stimmt genau"),
    ("sehr leicht", "leicht", "eher leicht", "neutral", "eher schwierig", "etwas schwierig", "schwierig",
     "sehr schwierig"),
)  # fmt: skip
_FRENCH = (
    ("jamais", "presque jamais", "très rarement", "rarement", "occasionnellement", "de temps en temps", "parfois",
     "quelquefois", "assez souvent", "souvent", "fréquemment", "très souvent", "la plupart du temps",
     "presque toujours", "toujours"),
    ("jamais", "pas du tout", "plusieurs jours", "plus de la moitié du temps", "plus de la moitié des jours",
     "presque tous les jours", "tous les jours"),
    ("aucun", "aucune", "absent", "absente", "minime", "minimal", "minimale", "très léger", "très légère", "léger",
     "légère", "modéré", "modérée", "moyen", "moyenne", "fort", "forte", "sévère", "grave",
     "très fort", "très forte", "très sévère", "très grave", "extrême"),
    ("pas du tout", "très peu", "un peu", "légèrement", "modérément", "moyennement", "assez", "beaucoup",
     "énormément", "extrêmement"),
    ("pas du tout d'accord", "tout à fait en désaccord", "fortement en désaccord", "pas d'accord", "en désaccord",
     "plutôt pas d'accord", "plutôt en désaccord", "ni d'accord ni en désaccord", "ni en accord ni en désaccord",
     "neutre", "indécis", "plutôt d'accord", "plutôt en accord", "d'accord", "en accord", "fortement d'accord",
     "tout à fait d'accord", "totalement d'accord"),
    ("très bas", "très basse", "très faible", "bas", "basse", "faible", "moyen", "moyenne", "normal", "normale",
     "élevé", "élevée", "haut", "haute", "fort", "forte", "très élevé", "très élevée"),
    ("très petit", "très petite", "petit", "petite", "moyen", "moyenne", "grand", "grande", "très grand",
     "très grande"),
    ("très mauvais", "très mauvaise", "mauvais", "mauvaise", "médiocre", "passable", "moyen", "moyenne",
     "assez bon", "assez bonne", "bon", "bonne", "très bon", "très bonne", "excellent", "excellente"),
    ("jamais", "une fois par an", "moins d'une fois par mois", "mensuellement", "une fois par mois",
     "plusieurs fois par mois", "chaque semaine", "une fois par semaine", "plusieurs fois par semaine",
     "quotidiennement", "chaque jour", "plusieurs fois par jour"),
    ("non", "plutôt non", "peut-être", "en partie", "plutôt oui", "oui"),
    ("aucun", "sans diplôme", "aucun diplôme", "primaire", "école primaire", "brevet", "collège", "cap", "bep",
     "cap/bep", "secondaire", "lycée", "bac", "baccalauréat", "bac+2", "bac+3", "licence", "bac+5", "master",
     "doctorat"),
)  # fmt: skip
_SPANISH = (
    ("nunca", "jamás", "casi nunca", "muy raramente", "rara vez", "raramente", "raras veces", "pocas veces",
     "ocasionalmente", "de vez en cuando", "a veces", "algunas veces", "a menudo", "frecuentemente",
     "con frecuencia", "muchas veces", "muy a menudo", "la mayoría de las veces", "casi siempre", "siempre"),
    ("nunca", "para nada", "ningún día", "varios días", "más de la mitad de los días", "casi todos los días",
     "todos los días"),
    ("ninguno", "ninguna", "ausente", "mínimo", "mínima", "muy leve", "leve", "moderado", "moderada", "grave",
     "severo", "severa", "muy grave", "extremo", "extrema"),
    ("nada", "en absoluto", "muy poco", "un poco", "poco", "algo", "moderadamente", "bastante", "mucho",
     "muchísimo", "extremadamente"),
    ("totalmente en desacuerdo", "muy en desacuerdo", "en desacuerdo", "algo en desacuerdo",
     "ni de acuerdo ni en desacuerdo", "neutral", "indeciso", "algo de acuerdo", "de acuerdo", "muy de acuerdo",
     "totalmente de acuerdo"),
    ("muy bajo", "muy baja", "bajo", "baja", "medio", "media", "normal", "alto", "alta", "muy alto", "muy alta"),
    ("muy pequeño", "muy pequeña", "pequeño", "pequeña", "mediano", "mediana", "grande", "muy grande"),
    ("muy malo", "muy mala", "malo", "mala", "regular", "aceptable", "bueno", "buena", "muy bueno", "muy buena",
     "excelente"),
    ("nunca", "una vez al año", "menos de una vez al mes", "mensualmente", "una vez al mes", "varias veces al mes",
     "semanalmente", "una vez por semana", "varias veces por semana", "casi a diario", "diariamente", "a diario",
     "varias veces al día"),
    ("no", "más bien no", "quizás", "tal vez", "en parte", "más bien sí", "sí"),
    ("ninguno", "sin estudios", "primaria", "estudios primarios", "eso", "secundaria", "estudios secundarios",
     "bachillerato", "formación profesional", "universidad", "universitario", "universitarios",
     "estudios universitarios", "grado", "licenciatura", "máster", "maestría", "doctorado"),
)  # fmt: skip


LONGEST_WORD = 200
"""Letters of a level that can be a word of a scale, a grade or a range; a longer one is a text."""


def are_words(levels: Iterable[str]) -> bool:
    """Whether all levels are short enough to be looked up."""
    return all(len(level) <= LONGEST_WORD for level in levels)


def folded(level: str) -> str:
    """A level as it is looked up: capitals, accents, underscores and the sort of apostrophe do not count."""
    apart = unicodedata.normalize("NFKD", level.casefold().replace("_", " ").replace("’", "'"))
    return "".join(mark for mark in apart if not unicodedata.combining(mark))


def anchor(level: str) -> str:
    """A level as it is looked up among the scales: stops, commas, dashes between words and brackets do not count."""
    return " ".join(_STOPS.sub(" ", folded(level)).split())


_STOPS = re.compile(r"[,.;:()]|(?<=\s)[-–—](?=\s)")
_NEUTRAL = (
    "neither", "neutral/unsure", "unsure", "not sure", "no opinion", "no preference", "indifferent", "mixed",
    "undecided", "weder noch", "weder/noch", "unsicher", "unentschieden", "unentschlossen", "keine Meinung",
    "ni l'un ni l'autre", "sans opinion", "indécis", "ni uno ni otro", "sin opinión", "indeciso",
)  # fmt: skip
"""Words beside 'neutral' for the middle of a scale."""


def _with_neutral(scale: tuple[str, ...]) -> tuple[str, ...]:
    """A scale with all words for its middle, where it has one."""
    middle = next((scale.index(word) for word in ("neutral", "neutre") if word in scale), None)
    if middle is None:
        return scale
    more = [word for word in map(anchor, _NEUTRAL) if word not in scale]
    return (*scale[: middle + 1], *more, *scale[middle + 1 :])


SCALES = tuple(_with_neutral(tuple(map(anchor, scale))) for scale in (*_ENGLISH, *_GERMAN, *_FRENCH, *_SPANISH))
"""Word scales, each from least to most; a set of levels counts as ordered when one of them holds it all. Words that
mean the same stand side by side."""

_WEEKDAYS = (
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
    ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Sonnabend", "Sonntag"),
    ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"),
    ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    ("lun", "mar", "mer", "jeu", "ven", "sam", "dim"),
    ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    ("lun", "mar", "mié", "jue", "vie", "sáb", "dom"),
)  # fmt: skip
_MONTHS = (
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
     "november", "december"),
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
     "Dezember"),
    ("Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"),
    ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
     "décembre"),
    ("janv", "févr", "mars", "avr", "mai", "juin", "juil", "août", "sept", "oct", "nov", "déc"),
    ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
     "diciembre"),
    ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),
)  # fmt: skip
_OTHER_CYCLES = (
    ("spring", "summer", "autumn", "winter"),
    ("spring", "summer", "fall", "winter"),
    ("Frühling", "Sommer", "Herbst", "Winter"),
    ("printemps", "été", "automne", "hiver"),
    ("primavera", "verano", "otoño", "invierno"),
    ("morning", "noon", "afternoon", "evening", "night"),
)
CYCLES = tuple(tuple(map(folded, cycle)) for cycle in (*_WEEKDAYS, *_MONTHS, *_OTHER_CYCLES))
"""Words with a natural sequence that starts over: sorted that way, but not ordinal."""

BARE = frozenset({"no", "absent", "yes", "nein", "ja", "non", "oui", "si"})
"""Words that alone are answers and no grades."""

_ROMAN = ("0", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_GRADED = re.compile(
    r"(stage|stadium|stade|estadio|grade|grad|grado|class|klasse|classe|clase|level|stufe|niveau|nivel|phase|"
    r"step|nyha|asa|ecog|figo|child|score|degree|quartile|tertile|quintile|tier|"
    r"q|g|t|n|m|nyha class|asa class|killip|killip class|ccs|gold)[ _-]*([ivx]+|\d+)([a-d]?)",
    re.IGNORECASE,
)
_NUMBER = r"-?(?:[1-9]\d{0,2}(?:[,.' ]\d{3})+(?![\d.,])|\d+(?:[.,]\d+)?)"
_UNIT = r"(?:\s?(?P<%s>[a-zµ%%°€$£][a-zµ%%°/²³. ]{0,24}?))??"
_UNDER = (
    r"<=?|≤|(?:under|below|less than|fewer than|younger than|up to|until|unter|weniger als|junger als|hochstens|"
    r"bis zu|bis|moins de|jusqu'a|au plus|menos de|menor de|hasta|como maximo)\b"
)
_OVER = (
    r">=?|≥|(?:over|above|more than|older than|at least|from|uber|mehr als|alter als|mindestens|ab|von|"
    r"plus de|au moins|a partir de|mas de|mayor de|al menos|desde|de)\b"
)
_AND_OVER = (
    r"\+|(?:and|or) (?:above|over|more|older|up)|plus|(?:und|oder) (?:mehr|alter|daruber)|(?:et|ou) (?:plus|au-dessus)|"
    r"[yo] (?:mas|mayores|mayor)"
)
_AND_UNDER = (
    r"(?:and|or) (?:less|fewer|under|below|younger)|(?:und|oder) (?:weniger|junger|darunter)|(?:et|ou) moins|[yo] menos"
)
_RANGE = re.compile(
    rf"(?:aged? |ages |between |zwischen |entre )?(?:(?P<under>{_UNDER})|(?P<over>{_OVER}))?\s*[€$£]?\s?"
    rf"(?P<low>{_NUMBER})(?P<low_k>k(?![a-z]))?{_UNIT % 'low_unit'}"
    rf"(?:\s*(?:-|–|—|\.\.|(?<=\s)(?:to|bis|a|and|und|et|y)(?=\s))\s*[€$£]?\s?"
    rf"(?P<high>{_NUMBER})(?P<high_k>k(?![a-z]))?{_UNIT % 'high_unit'})?"
    rf"(?:\s*(?:(?P<and_over>{_AND_OVER})|(?P<and_under>{_AND_UNDER}))\s?"
    rf"(?P<last_unit>[a-zµ%°€$£][a-zµ%°/²³. ]{{0,24}})?)?"
)
_DAYS = {
    "minute": 1 / 1440, "min": 1 / 1440, "hour": 1 / 24, "hr": 1 / 24, "h": 1 / 24, "stunde": 1 / 24,
    "heure": 1 / 24, "hora": 1 / 24, "day": 1, "d": 1, "tag": 1, "jour": 1, "dia": 1, "week": 7, "wk": 7, "w": 7,
    "woche": 7, "semaine": 7, "semana": 7, "month": 30.4, "mo": 30.4, "mth": 30.4, "monat": 30.4, "moi": 30.4,
    "mese": 30.4, "me": 30.4, "year": 365.25, "yr": 365.25, "y": 365.25, "jahr": 365.25, "j": 365.25, "an": 365.25,
    "annee": 365.25, "ano": 365.25,
}  # fmt: skip
"""Length of a unit of time, by its name without an ending, accents or what follows it (as in "years old")."""
_NUMBERED = re.compile(
    r"[(\[]?(?P<number>\d+(?:[.,]\d+)?)(?P<words>\s*[-–—.:=)\]]+\s*[^\s\d].*|\s*[(\[][^\d].*|(?P<apart>\s+[^\W\d_]{2,}.*))?[)\]]?"
)
_NUMBER_BEHIND = re.compile(
    r"(?P<words>[^\s\d].*[^\s(\[=:–—-])\s*(?:[(\[]\s*(?P<number>\d+)\s*[)\]]|[-–—:=]\s*(?P<last>\d+))"
)
_DIGITS = re.compile(r"(\d+)")
NUMBERED = "its levels begin with numbers; choose nominal if they are mere codes"
"""Why levels such as "1 - mild" are taken as ordered; the name of the column may say otherwise."""


def natural_order(levels: Iterable[str]) -> list[str]:
    """The levels in the order a person would put them."""
    return known_order(levels)[0]


def known_order(levels: Iterable[str]) -> tuple[list[str], str]:
    """The levels in natural order, and why they are ordered: a sentence part, or "" when they are not."""
    levels = list(levels)
    if not are_words(levels):
        return sorted(levels, key=natural_key), ""
    numbers = _numbers(levels)
    if numbers is not None:
        return _sorted(levels, numbers), ""
    if len(levels) > 60:
        return sorted(levels, key=natural_key), ""
    words, anchors = [folded(level) for level in levels], [anchor(level) for level in levels]
    for scale in SCALES:
        if len(set(anchors)) >= 2 and set(anchors) <= set(scale) and not BARE.issuperset(anchors):
            result = _sorted(levels, [scale.index(word) for word in anchors])
            return result, f"its words form a known scale, from '{short(result[0], 40)}' to '{short(result[-1], 40)}'"
    for cycle in CYCLES:
        if set(words) <= set(cycle):
            return _sorted(levels, [cycle.index(word) for word in words]), ""
    grades = _grades(words)
    if grades is not None:
        return _sorted(levels, grades), "its levels are numbered grades"
    ranges = _ranges(words)
    if ranges is not None:
        return _sorted(levels, ranges), "its levels are ranges of numbers"
    coded = _coded(levels)
    if coded is not None:
        numbers, bare = coded
        worded = len(set(bare)) == len(levels) and known_order(bare)[1]
        return _sorted(levels, numbers), worded or NUMBERED
    return sorted(levels, key=natural_key), ""


def scale_with_none(levels: Sequence[str]) -> bool:
    """Whether "None" next to these levels means a grade (none, mild, severe) and not a missing value."""
    words = {anchor(level) for level in levels} if are_words(levels) else set()
    return bool(words) and any("none" in scale and words <= set(scale) for scale in SCALES)


def natural_key(level: str) -> tuple[list[tuple[int, int, str]], str]:
    """A sort key for which item 9 comes before item 10 and capitals do not count."""
    if len(level) > LONGEST_WORD:
        return [(1, 0, level[:LONGEST_WORD].casefold())], level
    parts = [
        (0, int(part), "") if part.isdecimal() and part.isascii() else (1, 0, part.casefold())
        for part in _DIGITS.split(level)
        if part
    ]
    return parts, level


def _sorted(levels: list[str], keys: Sequence[object]) -> list[str]:
    order = sorted(range(len(levels)), key=lambda i: (keys[i], levels[i]))
    return [levels[i] for i in order]


def _numbers(levels: Sequence[str]) -> list[float] | None:
    try:
        return [float(level) for level in levels]
    except ValueError:
        return None


def _coded(levels: Sequence[str]) -> tuple[list[float], list[str]] | None:
    """Numbers that stand before or behind the words of levels, or in place of some, and these words; None where not.

    All have one, no two the same, and some have words, which differ: 'Ward 1' and 'Ward 2' are names.
    """
    numbers, words, apart = list[float](), list[str](), False
    for level in levels:
        found = _NUMBERED.fullmatch(level)
        behind = None if found else _NUMBER_BEHIND.fullmatch(level)
        if found:
            numbers.append(float(found["number"].replace(",", ".")))
            words.append((found["words"] or "").strip(" -–—.:=()[]"))
            apart = apart or found["apart"] is not None
        elif behind:
            numbers.append(float(behind["number"] or behind["last"]))
            words.append(behind["words"].strip(" -–—.:=()[]"))
        else:
            return _ends_in_words(levels)
    said = [word for word in words if word]
    if len(levels) < 2 or not said or len(set(numbers)) < len(levels):
        return None
    if apart and not known_order(said)[1]:
        return None  # '10 days' and '2 weeks' have units, no codes
    if len(set(map(folded, said))) < len(said) and not all(_NUMBERED.fullmatch(level) for level in levels):
        return None
    return numbers, words


def _ends_in_words(levels: Sequence[str]) -> tuple[list[float], list[str]] | None:
    """The same where two words of a known scale stand for the ends of a row of numbers: 'never', 2, 3, 4, 'always'."""
    inner = sorted(int(level) for level in levels if level.isdecimal() and level.isascii() and len(level) < 3)
    ends = [level for level in levels if not (level.isdecimal() and level.isascii())]
    if len(ends) != 2 or len(inner) != len(levels) - 2 or not inner or inner[-1] - inner[0] != len(inner) - 1:
        return None
    words = list(map(anchor, ends))
    scale = next((scale for scale in SCALES if set(words) <= set(scale) and not BARE.issuperset(words)), None)
    if scale is None or words[0] == words[1]:
        return None
    low = min(ends, key=lambda end: scale.index(anchor(end)))
    numbers = [
        float(level) if level not in ends else inner[0] - 1.0 if level == low else inner[-1] + 1.0 for level in levels
    ]
    return numbers, ["" for _ in levels]


def _grades(words: Sequence[str]) -> list[tuple[int, str]] | None:
    """Numbered or Roman grades, with or without a common word before them."""
    if len(words) < 2:
        return None
    matches = [re.fullmatch(r"()([ivx]+|0)([a-d]?)", level) for level in words]
    if not all(matches) or {"ii", "iii"}.isdisjoint(words):
        matches = [_GRADED.fullmatch(level) for level in words]
    grades = [match.groups() for match in matches if match]
    if len(grades) < len(words) or len({word for word, _, _ in grades}) != 1:
        return None
    keys = [
        (_ROMAN.index(number) if number in _ROMAN else int(number) if number.isdigit() else -1, letter)
        for _, number, letter in grades
    ]
    return None if any(number < 0 for number, _ in keys) else keys


def _ranges(words: Sequence[str]) -> list[tuple[float, int]] | None:
    """Ranges such as `18-30`, `under 18 years`, `65+` and `1 to 4 weeks`, at least one of them with a mark."""
    result = [_RANGE.fullmatch(level) for level in words]
    if len(words) < 2 or not all(result):
        return None
    keys, units, marked = [], list[str](), False
    for item in filter(None, result):
        low, high = _number(item["low"]), item["high"]
        thousands = 1000 if item["low_k"] or (item["high_k"] and low < 1000) else 1
        if high is not None and _number(high) * (1000 if item["high_k"] else 1) <= low * thousands:
            return None
        marked |= any(item[part] for part in ("under", "over", "high", "and_over", "and_under"))
        unit = _unit(item["high_unit"] or item["low_unit"] or item["last_unit"] or "")
        units.append(unit)
        under, over = item["under"] or item["and_under"], (item["over"] or item["and_over"]) and high is None
        keys.append((low * thousands, 0 if under else 2 if over and item["over"] else 1))
    named = set(filter(None, units))
    if not marked or (len(named) > 1 and not named.issubset(_DAYS)):
        return None
    if len(named) > 1 and len(set(map(_DAYS.get, named))) > 1:
        if "" in units:
            return None
        keys = [(low * _DAYS[unit], rank) for (low, rank), unit in zip(keys, units, strict=True)]
    return keys


def _number(text: str) -> float:
    """A number of which a mark before each three digits tells thousands, and any other mark the decimals."""
    if re.fullmatch(r"-?[1-9]\d{0,2}(?:[,.' ]\d{3})+", text):
        return float(re.sub(r"[,.' ]", "", text))
    return float(text.replace(",", "."))


def _unit(text: str) -> str:
    """A unit without ending and without what is said after it: 'year' of 'years old'."""
    word = re.sub(r" (?:old|of age|alt|d'age|de edad)$", "", text.strip()).rstrip(".")
    for ending in ("", "s", "es", "e", "n", "en"):
        if word.endswith(ending) and word.removesuffix(ending) in _DAYS:
            return word.removesuffix(ending)
    return word.removesuffix("s")
