"""Three small experiments on how the method thinks; each runs the engine on a table made on the spot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dashboard.views.log_linear.edge_words import PAGE
from engine.methods.log_linear.message import data_length, entropy_sum
from engine.methods.log_linear.method import LogLinear

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.log_linear.result import LogLinearResult
    from engine.methods.log_linear.what_if import WhatIf


def as_counts(*numbers: int) -> np.ndarray:
    """Counts as the engine takes them."""
    return np.array(numbers, dtype=float)


TOSSES = 100
COPIES = 8
BIT = data_length(as_counts(1, 1))
"""One toss with one head and one tail takes one bit: the engine's own unit, in nats."""


def show_lessons() -> None:
    """The coin, the exclusive-or, and the level that never occurs."""
    with st.expander("Three small experiments, to see how it thinks"):
        coin, blind, phantom = st.columns(3, gap="large")
        with coin:
            _show_coin()
        with blind:
            _show_blind_spot()
        with phantom:
            _show_phantom()


def coin_bits(heads: int, tosses: int = TOSSES) -> tuple[float, float]:
    """Bits that a row of tosses takes: by the share of heads as a probability, and by the exact number of heads."""
    counts = as_counts(heads, tosses - heads)
    return (entropy_sum(as_counts(tosses)) - entropy_sum(counts)) / BIT, data_length(counts) / BIT


def _show_coin() -> None:
    st.markdown("**The coin: why counting exactly is shorter**")
    heads = int(st.slider(f"Heads in {TOSSES} tosses", 0, TOSSES, 60, key=f"{PAGE}.heads"))
    by_share, exact = coin_bits(heads)
    st.markdown(
        f"Sent one by one with the probability {heads / TOSSES:.0%}, the tosses take **{by_share:.1f} bits**. Yet who "
        f"knows that there are exactly {heads} heads need only say in which order they came: **{exact:.1f} bits**. The "
        "message that states a model also states its counts, so the second way is the one used here. (Equations 9 and "
        "10 of the paper: 97.1 and 93.5 for 60 heads.)"
    )


@st.cache_data(show_spinner=False, max_entries=8)
def blind_spot(copies: int) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Links found in an exclusive-or, one at a time and with two at once."""
    data = exclusive_or(copies)
    return tuple(list(_run(data, joint).graph.edges) for joint in (False, True))  # type: ignore[return-value]


def _run(data: Dataset, joint: bool) -> LogLinearResult:
    return LogLinear(joint=joint).run(data)


def exclusive_or(copies: int) -> Dataset:
    """Two switches that mostly stand alike, a lamp that is on when just one is up, two coins without any part in it."""
    import pandas as pd

    from engine.data.dataset import Dataset

    rows = [
        (one, two, "on" if one != two else "off", coin, other)
        for one in ("up", "down")
        for two in ("up", "down")
        for coin in ("heads", "tails")
        for other in ("heads", "tails")
        for _ in range(3 if one == two else 1)
    ]
    names = ["switch 1", "switch 2", "lamp", "coin 1", "coin 2"]
    return Dataset.from_frame(pd.DataFrame(rows * copies, columns=names))


def _show_blind_spot() -> None:
    st.markdown("**The blind spot: a lamp with two switches**")
    copies = int(st.slider("Rows, in units of 32", 1, 20, 10, key=f"{PAGE}.copies"))
    single, both = blind_spot(copies)
    st.markdown(
        f"A lamp is on when just one of two switches is up; the switches mostly stand alike ({copies * 32} rows, two "
        "coins beside). The lamp goes along with neither switch alone, so a search that takes **one link at a time "
        f"finds {_links(single)}**. Taking **two links at once it finds {_links(both)}**. That is the choice *Also two "
        "edges at once* on the left."
    )


def _links(found: list[tuple[str, str]]) -> str:
    if not found:
        return "nothing"
    pairs = "; ".join(f"{a} - {b}" for a, b in found)
    return f"{len(found)} links: {pairs}" if len(found) > 1 else f"one link: {pairs}"


@st.cache_data(show_spinner=False, max_entries=8)
def phantom_price(copies: int, extra: int) -> WhatIf:
    """What the one link is worth, in 32 rows times `copies`, when both variables declare levels that never occur."""
    import pandas as pd

    from engine.data.dataset import Dataset

    levels = ["low", "middle", "high"]
    rows = [
        (one, two) for i, one in enumerate(levels) for j, two in enumerate(levels) for _ in range((6, 3, 1)[abs(i - j)])
    ]
    declared = [*levels, *(f"never {i + 1}" for i in range(extra))]
    table = pd.DataFrame(rows * copies, columns=["diet", "weight"])
    data = Dataset.from_frame(table, levels={"diet": declared, "weight": declared})
    result = _run(data, joint=False)
    bare = result.edited(data, remove=list(result.graph.edges))
    return bare.what_if(data, "diet", "weight")


def _show_phantom() -> None:
    st.markdown("**The phantom: a level that never occurs**")
    extra = int(st.slider("Levels declared but never seen", 0, 4, 1, key=f"{PAGE}.phantom"))
    plain_price, price = phantom_price(COPIES, 0), phantom_price(COPIES, extra)
    st.markdown(
        f"Two variables of three levels hang together in {COPIES * 32} rows; the link saves "
        f"**{plain_price.saving_bits:,.1f} bits**. Declare {extra} more level{'' if extra == 1 else 's'} in each, "
        f"say 'missing', and the same rows give **{price.saving_bits:+,.1f} bits**: the link must now pay for "
        f"{price.degrees:.0f} numbers in place of {plain_price.degrees:.0f}"
        f"{', so it would not be taken' if price.saving_bits <= 0 else ''}. Take out levels that cannot occur on the "
        "data page."
    )
