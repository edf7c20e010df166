"""How to read a report: a paragraph at its beginning, and the words that it uses, at its end."""

from __future__ import annotations

HOW_TO_READ = (
    "A posterior probability, P, says how sure a statement is once the rows are seen, given the method and its "
    "settings; odds say the same as a ratio, so “20 to 1 for” is a probability of 0.95. A small p is that of a test: "
    "how often tables without the effect would show as much. A 95 % interval holds the values that the rows leave "
    "plausible; it does not contain the doubt about the network itself. “Cannot tell” is not “no”: the rows are too "
    "few to say either. A dash (–) means not asked, or not estimated.",
    "An arrow is not a cause. It says that one variable helps to foretell another in this table.",
)
GLOSSARY = (
    ("Bayes factor", "bayes factor", "How much the rows change the odds of a statement; above 3 counts as positive, "
     "above 20 as strong, above 150 as very strong evidence."),
    ("Bits, nats", " bits", "Units of information. A bit is one yes or no; a nat is 1.44 bits."),
    ("Context", "context", "One combination of values of a variable’s parents, and the rows that have it."),
    ("Held out", "held-out", "Not used for learning, so that what is foretold of it is a fair test."),
    ("p, corrected", "p, corrected", "How often tables without the effect would show as much somewhere among all that "
     "was asked. It is no probability of a statement; those are written P."),
    ("Parents", "parents", "The variables whose arrows point at a variable."),
    ("Partial correlation", "partial correlation", "How two values go together once others are known; from −1 to 1."),
    ("Points", "points", "Percentage points: from 10 % to 18 % are 8 points."),
    ("Prior", "prior", "What is taken for probable before the rows are seen."),
)  # fmt: skip
"""Word, what to look for in the text, and what it means."""


def used_words(text: str) -> list[tuple[str, str]]:
    """The words of the glossary that a text uses.

    Parameters
    ----------
    text : the document so far

    Returns
    -------
    word and meaning

    Examples
    --------
    >>> used_words("A difference of 8 points.")[0][0]
    'Points'
    """
    lower = text.lower()
    return [(word, meaning) for word, sign, meaning in GLOSSARY if sign in lower]
