"""The terms of the program: what is shown of a stored verdict, and what each means, for tooltips and glossaries."""

from __future__ import annotations

import re

SHOWN = {
    "cannot tell": "inconclusive",
    "alike": "equivalent overall",
    "same": "equivalent",
    "on its own": "overall",
    "differs through others": "differs overall",
}
"""What is stored of a verdict -> the word that is shown; what is not here is shown as it is stored."""

SIGNS = {
    "differs": "▲",
    "probably differs": "△",
    "cannot tell": "?",
    "alike": "=",
    "no difference seen": "○",
    "one level": "·",
}
"""What is stored of a variable's verdict -> its sign, since several have one colour."""

TERMS = {
    "Adjusted": "Among rows that are equal in the variable's likeliest parents.",
    "AUC": "Area under the ROC curve: how often a case has the higher score of a case and a control; 0.5 is chance.",
    "Balanced accuracy": "The mean of the accuracies of the classes; 50 % is chance for two.",
    "Bayes factor": "How much the rows change the odds of a statement; above 3 counts as positive, above 20 as strong, "
    "above 150 as very strong evidence.",
    "Bit": "A unit of information: one yes or no. A nat is 1.44 bits.",
    "Bootstrap": "The rows are resampled with replacement and everything is computed again, to see how stable it is.",
    "Context": "One combination of values of a variable's parents, and the rows that have it.",
    "Bridge expected influence": "Expected influence counted over links to items of other scales.",
    "Correlation-stability coefficient": "The largest share of rows that can be dropped so that the order of the items "
    "is still alike (correlation above .7 in 95 % of the draws); stable from .5 on.",
    "Equivalent overall": "Over all rows no share differs by more than the margin, of a number up to no cut point; a "
    "context may differ.",
    "Expected influence": "The sum of an item's partial correlations with all others, with their signs.",
    "Explained by all others": "The share of an item's latent variance that all other items explain (predictability).",
    "Held-out": "Not used for learning, so that what is predicted of it is a fair test.",
    "Inconclusive": "The rows are too few to say whether it differs or is equivalent.",
    "Inclusion probability": "The share of networks drawn from the posterior that have a link.",
    "Latent value": "The unseen number behind a rating, which is cut into its levels.",
    "Odds": "A probability as a ratio: 20 to 1 for is a probability of 95 %.",
    "Odds ratio": "How many times as large the odds of one variable's higher level are one step up in the other; 1 is "
    "no link, below 1 they fall.",
    "Overall": "Among all rows of each group, whatever the other variables are.",
    "Parents": "The variables whose arrows point at a variable.",
    "Partial correlation": "How two values go together once others are known; from -1 to 1.",
    "Percentage point": "From 10 % to 18 % are 8 percentage points (pp).",
    "Permutation": "Labels are shuffled among the rows and everything is computed again: what chance alone would show.",
    "P(differs)": "The probability that the groups differ in the variable given its parents. It is no p "
    "value: it is given the rows and the prior, averaged over networks.",
    "p, corrected": "How often tables without the effect would show as much somewhere among all that was asked. It is "
    "no probability of a statement; those are written P.",
    "Prior": "What is taken for probable before the rows are seen.",
    "SD": "Standard deviation: about two thirds of all values lie within 1 SD of the mean.",
    "Sensitivity": "The share of the cases that are found.",
    "Specificity": "The share of the others that are left alone.",
    "Strength": "The sum of the sizes of an item's drawn lines.",
    "Trend": "Rank correlation with the order of the arms: ↗ rises, ↘ falls, of a level its share; its p is corrected "
    "for the variables.",
    "Unexpected": "Unlikely given the patient's other values. Its p, corrected, is at most the share of patients that "
    "would have any value as unlikely by chance; below .05 it is called unexpected.",
}
"""Term -> what it means, for tooltips and the report's glossary."""


def used_terms(text: str) -> list[tuple[str, str]]:
    """The terms that a text uses, with their meanings.

    Parameters
    ----------
    text : in which words stand, singular or plural, capitals or not

    Returns
    -------
    term and meaning, in the order of `TERMS`

    Examples
    --------
    >>> engine.telling.terms.used_terms("two Bits")
    [('Bit', 'A unit of information: one yes or no. A nat is 1.44 bits.')]
    """
    patterns = {term: rf"(?<!\w){re.escape(term)}s?(?!\w| ratio)" for term in TERMS}
    found = [term for term, pattern in patterns.items() if re.search(pattern, text, flags=re.IGNORECASE)]
    return [(term, TERMS[term]) for term in found]
