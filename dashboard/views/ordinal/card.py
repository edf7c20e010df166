"""The panel beside the network: one link, or one variable, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import begin_with, set_value, value_of, widget_key
from dashboard.session.labels import full_name, labelled
from dashboard.session.session import session
from dashboard.text import plain, short, visible
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.page_parts import choose_option
from engine.methods.ordinal.result import SLUG
from engine.telling.ordinal.figures.networks import LEAST_DRAWN
from engine.telling.ordinal.figures.tables import thresholds_alt, thresholds_figure
from engine.telling.ordinal.stability import inclusion_words
from engine.telling.ordinal.wording import named, pair_in_arrows, pair_words
from engine.words import count, in_percent, listed, signed

if TYPE_CHECKING:
    from dashboard.network.component import NetworkEvent
    from engine.methods.ordinal.recurrence import HalfSamples
    from engine.methods.ordinal.result import OrdinalResult

CARD, LINK, NAME = (widget_key(SLUG, item) for item in ("card", "link", "variable"))
A_LINK, A_VARIABLE = "A link", "A variable"

Pair = tuple[str, str]


def linked_pairs(result: OrdinalResult) -> list[Pair]:
    """The links of the network, the strongest first; then the drawn lines, and others that came back in resamples."""
    table = result.edge_table()
    matches = list(zip(table["source"], table["target"], strict=True))
    known = set(map(frozenset, matches))
    if result.lines is not None:
        names = result.lines.names
        lines = [(names[i], names[j]) for i, j in result.lines.pairs if abs(result.lines.partial[i, j]) >= LEAST_DRAWN]
        matches += [_in_order(result, pair) for pair in lines if frozenset(pair) not in known]
        known |= set(map(frozenset, matches))
    if result.strength is not None:
        frame = result.strength.frame()
        rest = zip(frame["source"], frame["target"], strict=True)
        matches += [_in_order(result, pair) for pair in rest if frozenset(pair) not in known]
    return matches


def _in_order(result: OrdinalResult, pair: Pair) -> Pair:
    return pair if pair in result.links else (pair[1], pair[0])


def clicked(result: OrdinalResult, event: NetworkEvent) -> bool:
    """A click on a link or a box shows its card; one beside everything ends the spotlight."""
    picked = session().picked
    if event.edge:
        ends = set(event.edge[:2])
        pair = next((known for known in linked_pairs(result) if set(known) == ends), None)
        if pair is None or (value_of(LINK) == pair and value_of(CARD) == A_LINK):
            return False
        set_value(LINK, pair)
        set_value(CARD, A_LINK)
        return True
    if event.node and event.node in result.names:
        if picked.get(SLUG) == event.node and value_of(CARD) == A_VARIABLE:
            return False
        picked[SLUG] = event.node
        set_value(NAME, event.node)
        set_value(CARD, A_VARIABLE)
        return True
    if event.cleared and picked.get(SLUG) is not None:
        picked[SLUG] = None
        return True
    return False


def show_card(result: OrdinalResult) -> None:
    """A choice between a link and a variable, which one, and what is known of it."""
    pairs = linked_pairs(result)
    if not pairs:
        set_value(CARD, A_VARIABLE)
    begin_with(CARD, A_LINK)
    help_ = "Or click a link or a box in the picture."
    which = choose_option("Look at", (A_LINK, A_VARIABLE), CARD, default=None, help=help_)
    if which == A_VARIABLE:
        _show_variable(result)
    else:
        _show_link(result, pairs)


def _show_link(result: OrdinalResult, pairs: list[Pair]) -> None:
    if value_of(LINK) not in pairs:
        set_value(LINK, pairs[0])
    pair = st.selectbox(
        "Link, the largest first",
        pairs,
        format_func=lambda item: visible(labelled(named(result, item))),
        key=LINK,
        label_visibility="collapsed",
    )
    st.markdown(f"**{plain(labelled(named(result, pair)))}**")
    for sentence in link_sentences(result, pair):
        st.markdown(plain(labelled(sentence)))


def link_sentences(result: OrdinalResult, pair: Pair) -> list[str]:
    """What is known of two variables, linked in the network or not: one effect, its p, how often it returns."""
    a, b = pair
    directed = {frozenset(ends): directed for ends, directed in result.edge_pairs}.get(frozenset(pair))
    lines = None if result.arrows_first else result.lines
    sentences: list[str] = [pair_words(result, lines, a, b) if lines is not None else pair_in_arrows(result, pair)]
    if directed is None:
        sentences.append("Not among the links of the searched network.")
    elif not directed:
        sentences.append("No direction: networks with either one explain the rows equally well.")
    if result.inclusion is not None:
        sentences.append(inclusion_words(result.inclusion, a, b))
    if result.halves is not None:
        sentences.append(_halves_words(result, result.halves, pair, directed))
    if result.strength is not None:
        low, high = result.strength.interval(a, b)
        forth, back = result.strength.directed_share(a, b), result.strength.directed_share(b, a)
        sentences.append(
            f"Bootstrap: in {in_percent(result.strength.share(a, b))} of {count(result.strength.runs, 'network')} "
            f"(95 % interval {in_percent(low)} to {in_percent(high)}); from {short(a, 24)} to {short(b, 24)} in "
            f"{in_percent(forth)}, the other way in {in_percent(back)}, a line counting half each way."
        )
    elif result.halves is None:
        sentences.append("No bootstrap was run; see Stability, below.")
    if result.seeds is not None:
        sentences.append(f"Other seeds, same rows: in {in_percent(result.seeds.share(a, b))} of {result.seeds.runs}.")
    return sentences


def _halves_words(result: OrdinalResult, halves: HalfSamples, pair: Pair, directed: bool | None) -> str:
    """How often the link returned in halves of the rows, and its arrow in these."""
    a, b = pair
    runs, share = halves.runs, in_percent(halves.share(a, b))
    text = f"Searched again in {runs} random halves of the rows: the link returns in {share}"
    if not directed:
        return f"{text}."
    drawn = dict(result.drawn_pairs)[pair]
    way = f"{in_percent(halves.returns(a, b))} of these have the arrow this way"
    return f"{text}; {way}{'' if drawn else ', so it is drawn as a line'}."


def _show_variable(result: OrdinalResult) -> None:
    if value_of(NAME) not in result.names:
        set_value(NAME, result.names[0])
    name = st.selectbox("Variable", result.names, format_func=full_name, key=NAME, label_visibility="collapsed")
    st.markdown(f"**{plain(full_name(name))}**")
    for sentence in variable_sentences(result, name):
        st.markdown(plain(labelled(sentence)))
    show_thresholds(result, name, widget_key(SLUG, "card", "cuts", result.names.index(name)))


def show_thresholds(result: OrdinalResult, name: str, key: str) -> None:
    """The normal curve of a variable with its cuts; nothing of a number."""
    if name in result.numbers:
        return
    about = result.thresholds[name], result.shares[name], result.levels[name]
    table = result.table("Thresholds")
    show_figure(
        thresholds_figure(*about),
        "thresholds",
        alt=thresholds_alt(*about),
        key=key,
        table=table[table["variable"] == name],
    )


def variable_sentences(result: OrdinalResult, name: str) -> list[str]:
    """Its neighbours, its levels with their shares, and its cuts."""
    neighbours = [b if a == name else a for (a, b), _ in result.edge_pairs if name in (a, b)]
    sentences = [
        f"Linked with {listed(short(item, 30) for item in neighbours)}." if neighbours else "No link in the network."
    ]
    if name in result.numbers:
        return [*sentences, "A number: its latent value is its normal score, so it is not cut."]
    levels = zip(result.levels[name], result.shares[name], strict=True)
    sentences.append(
        f"Levels from low to high: {'; '.join(f'{short(level, 24)} {in_percent(share)}' for level, share in levels)}."
    )
    cuts = [signed(cut) for cut in result.thresholds[name]]
    sentences.append(f"The latent value is cut at {listed(cuts)} standard deviations from its mean.")
    return sentences
