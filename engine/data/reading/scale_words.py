"""Words that have an order: frequencies, severities, agreement and the like, in four languages; days and seasons."""

from __future__ import annotations

import unicodedata

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
)  # fmt: skip
_FRENCH = (
    ("jamais", "presque jamais", "très rarement", "rarement", "occasionnellement", "de temps en temps", "parfois",
     "quelquefois", "assez souvent", "souvent", "fréquemment", "très souvent", "la plupart du temps",
     "presque toujours", "toujours"),
    ("jamais", "pas du tout", "plusieurs jours", "plus de la moitié du temps", "plus de la moitié des jours",
     "presque tous les jours", "tous les jours"),
    ("aucun", "aucune", "absent", "absente", "minime", "minimal", "minimale", "très léger", "très légère", "léger",
     "légère", "modéré", "modérée", "moyen", "moyenne", "sévère", "grave", "très sévère", "très grave", "extrême"),
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


def folded(level: str) -> str:
    """A level as it is looked up: capitals, accents, underscores and the sort of apostrophe do not count."""
    apart = unicodedata.normalize("NFKD", level.casefold().replace("_", " ").replace("’", "'"))
    return "".join(mark for mark in apart if not unicodedata.combining(mark))


SCALES = tuple(tuple(map(folded, scale)) for scale in (*_ENGLISH, *_GERMAN, *_FRENCH, *_SPANISH))
"""Word scales, each from least to most; a set of levels counts as ordered when one of them holds it all. Words that
mean the same stand side by side."""

_DAYS = (
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
CYCLES = tuple(tuple(map(folded, cycle)) for cycle in (*_DAYS, *_MONTHS, *_OTHER_CYCLES))
"""Words with a natural sequence that starts over: sorted that way, but not ordinal."""

BARE = frozenset({"no", "absent", "yes", "nein", "ja", "non", "oui", "si"})
"""Words that alone are answers and no grades."""
