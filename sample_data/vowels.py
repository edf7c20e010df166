"""A real example of several classes that is not ours to ship: nine speakers saying two vowels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


def japanese_vowels() -> pd.DataFrame:
    """Kudo, Toyama and Shimbo's Japanese vowels: 640 utterances of nine speakers, 12 coefficients, 7 to 29 steps each.

    The series come with the package aeon, which is not among ours; the licence of the data themselves is not stated
    there, so they are read from it and not copied. An utterance is a point and a speaker a class; utterances of one
    speaker are not independent, so that verdicts on them say nothing of new speakers.

    Returns
    -------
    pandas.DataFrame: utterance, step, speaker, c01 to c12; for `engine.Dataset.from_frame` with the roles
    {"utterance": "subject", "step": "time", "speaker": "outcome"} and kinds {"speaker": "nominal"}

    Raises
    ------
    DataError : aeon is not installed
    """
    import numpy as np
    import pandas as pd

    try:
        from aeon.datasets import load_japanese_vowels
    except ImportError:
        raise DataError("The Japanese vowels come with another package: pip install aeon") from None
    series, speakers = load_japanese_vowels()
    parts = []
    for number, (one, speaker) in enumerate(zip(series, speakers, strict=True)):
        part = pd.DataFrame(np.asarray(one).T, columns=[f"c{i + 1:02d}" for i in range(len(one))])
        part.insert(0, "speaker", f"speaker {speaker}")
        part.insert(0, "step", np.arange(1, len(part) + 1))
        part.insert(0, "utterance", f"u{number + 1:03d}")
        parts.append(part)
    return pd.concat(parts, ignore_index=True)
