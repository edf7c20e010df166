"""What is compared: two results that are chosen, all groups of a column, or a comparison that is a result itself."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.network.compared import clearest_pair, pair_sentence
from dashboard.pages import COMPARE
from dashboard.session.cards import Card
from dashboard.session.comparing import (
    WIDE,
    Comparisons,
    compared,
    parts_behind,
    sibling_groups,
    take_batch,
)
from dashboard.session.keys import drop_value, has_value, set_value, value_of, widget_key
from dashboard.session.labels import show_names_of
from dashboard.session.masking import sentences_shown
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.shared.by_group import LEFT, RIGHT
from dashboard.views.shared.page_parts import file_given
from dashboard.views.shared.running import await_job, compute_here
from dashboard.views.shared.saved_answer import opened_card, where_from
from engine import DataError
from engine.comparison.difference import DRAWS, Compare
from engine.comparison.links import MOST_GROUPS
from engine.comparison.result import ComparisonResult
from engine.data.reading.filetype import short_name
from engine.exchange.network_reader import read_graph
from engine.methods.result import Result

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from engine.data.dataset import Dataset

FILE = 0
"""In the list of the second, in place of a card's number: a network from a file."""
DRAWS_KEY, SEED_KEY = widget_key(COMPARE.slug, "draws"), widget_key(COMPARE.slug, "seed")
PRIOR_KEY = widget_key(COMPARE.slug, "p_none")


@dataclass(frozen=True, eq=False)
class ComparisonRequest:
    """A comparison that is on screen.

    Attributes
    ----------
    key : what is compared
    result : the comparison
    names : what its sides are called, one each
    pair : labels of the two that are drawn
    cards : the results behind it; none where it came as a whole
    parts : the rows of the groups; none where they are not at hand
    source : of which table
    card : where it stands among the results
    """

    key: Hashable
    result: ComparisonResult
    names: tuple[str, ...]
    pair: tuple[str, str]
    cards: Sequence[Card] = ()
    parts: Sequence[Dataset] = ()
    source: str = ""
    card: Card | None = None

    def heads(self) -> tuple[str, str]:
        """What stands above the two networks."""
        labels = self.result.labels
        sides = labels if self.result.group else self.names
        named = dict(zip(labels, sides, strict=False))
        first, second = (short(named.get(item, item), 40) for item in self.pair)
        return f"A: {first}", f"B: {second}"


@dataclass(frozen=True, eq=False)
class _Side:
    """One of what is chosen."""

    answer: Any
    name: str
    card: Card | None = None
    mark: str = field(default="")


def requested_comparison() -> ComparisonRequest | None:
    """What the page shows, with its choice in the sidebar; None where there is nothing to compare."""
    card = opened_card(COMPARE)
    return _chosen() if card is None else _opened(card)


def _opened(card: Card) -> ComparisonRequest:
    """A comparison that stands among the results."""
    show_names_of([card])
    state, key = session().state(Comparisons), ("card", card.number)
    if key not in state.results and isinstance(card.result, ComparisonResult):
        state.put(key, card.result)
    take_batch(session(), key)
    result: ComparisonResult = state.results[key]
    names = tuple(_title(answer) for answer in result.answers)
    pair = state.pairs.get(key) or clearest_pair(result)
    with st.sidebar:
        st.markdown(f"**{plain(card.name())}**  \n{where_from(card)}")
        if st.button("Compare other results", icon=":material/arrow_back:", key=widget_key(COMPARE.slug, "back")):
            session().page(COMPARE.slug).opened = None
            st.rerun()
        if len(result.labels) > 2:
            _show_pairs(result, pair, lambda item: state.pairs.update({key: item}))
    return ComparisonRequest(key, result, names, pair, (), parts_behind(result, card.data), card.source, card)


def _title(answer: Any) -> str:
    return type(answer.method).title if isinstance(answer, Result) else "a network from a file"


def _chosen() -> ComparisonRequest | None:
    """Two results out of the list, or all groups of a column."""
    cards = [card for card in session().cards if card.slug != COMPARE.slug]
    if not has_value(LEFT) and not any(len(sibling_groups(card, cards, None)) > 1 for card in cards):
        return None  # nobody asked for a comparison of other two
    numbers = {card.number: card for card in cards}
    begun = numbers.get(value_of(LEFT)) or _usual(cards)
    group_cards = sibling_groups(begun, cards, session().dataset)
    if not has_value(RIGHT) and 2 < len(group_cards) <= MOST_GROUPS and not _begin_with_clearest(group_cards):
        return None
    trouble = st.container()
    with st.sidebar:
        first = _choose("A", cards, LEFT, begun)
        others = [card for card in cards if card is not first.card]
        partner = next((item for item in group_cards if item is not first.card), None)
        second = _choose_other(others, partner, trouble)
        if second is None:
            return None
        if first.card is not None and second.card in group_cards and 2 < len(group_cards) <= MOST_GROUPS:
            return _groups(group_cards, first.card, second.card)
        return _two(first, second)


def _usual(cards: Sequence[Card]) -> Card:
    """The latest of a group that has others beside it, else the latest of all."""
    grouped = [card for card in cards if len(sibling_groups(card, cards, None)) > 1]
    return sibling_groups(grouped[-1], cards, session().dataset)[0] if grouped else cards[-1]


def _choose(label: str, cards: Sequence[Card], key: str, usual: Card | None, more: Sequence[int] = ()) -> _Side:
    by_number = {card.number: card for card in cards}
    labels = _labels(cards)
    numbers = [*by_number, *more]
    start = numbers.index(usual.number) if usual is not None and usual.number in numbers else 0
    if value_of(key) is not None and value_of(key) not in numbers:
        drop_value(key)
    number = st.selectbox(
        label,
        numbers,
        index=start,
        format_func=lambda item: "A network from a file" if item == FILE else labels[item],
        key=key,
        persist_state="session",
    )
    card = by_number.get(number)
    return _Side(None, "a file") if card is None else _Side(card.result, card.name(), card)


def _labels(cards: Sequence[Card]) -> dict[int, str]:
    """Number -> what a list calls a card: what tells it from the others comes first."""
    sources = {card.source for card in cards}
    named = {}
    for card in cards:
        name = card.title or f"{card.name()}, {type(card.result.method).title}"
        named[card.number] = f"{short(name, 60)}, {short(card.source, 30)}" if len(sources) > 1 else short(name, 60)
    texts = list(named.values())
    return {number: words if texts.count(words) == 1 else f"{number}. {words}" for number, words in named.items()}


def _choose_other(others: Sequence[Card], partner: Card | None, trouble: DeltaGenerator) -> _Side | None:
    """The other one: a card, or a network out of a file."""
    usual = partner if partner is not None else others[-1] if others else None
    side = _choose("B", others, RIGHT, usual, [FILE])
    return side if side.card is not None else _from_file(trouble)


def _from_file(trouble: DeltaGenerator) -> _Side | None:
    """A network out of a file; what is wrong with it stands on the page, not below the choices."""
    given = file_given(
        "BIF, GraphML, JSON, or a table of edges (CSV)", key=widget_key(COMPARE.slug, "network"), max_upload_size=20
    )
    if given is None:
        return None
    content = given.getvalue()
    try:
        mark = hashlib.sha256(content).hexdigest()
        with session().job_queue.counted():
            return _Side(read_graph(content, name=given.name), short_name(given.name) or "a file", mark=mark)
    except DataError as error:
        trouble.error(plain(error), icon=":material/error:")
        return None


def _two(first: _Side, second: _Side) -> ComparisonRequest | None:
    show_names_of([side.card for side in (first, second) if side.card is not None])
    networks = _networks(first, second)
    numbers = tuple(side.card.number if side.card is not None else side.mark for side in (first, second))
    method = settings()
    key = ("two", numbers, tuple(networks.items()), repr(method))
    cards = [side.card for side in (first, second) if side.card is not None]
    parts = [card.data for card in cards if card.data is not None]
    result = _compared(key, [first.answer, second.answer], parts if len(parts) == 2 else None, method, networks)
    if result is None:
        return None
    names = (first.name, second.name)
    pair = (result.labels[0], result.labels[1])
    return ComparisonRequest(key, result, names, pair, cards, parts, cards[0].source, session().cards.get(key))


def _networks(first: _Side, second: _Side) -> dict[str, str]:
    """Which network of the one is laid beside which of the other, where their titles do not say it."""
    if first.card is not None and second.card is not None and first.card.slug == second.card.slug:
        return {}
    ours, theirs = (
        list(side.answer.searched_graphs()) if side.card is not None else ["network"] for side in (first, second)
    )
    if set(ours) == set(theirs) or not ours or not theirs or len(ours) == len(theirs) == 1:
        return {}
    item = st.selectbox("Network of A", ours, key=widget_key(COMPARE.slug, "network", "a", *ours))
    other = st.selectbox("Network of B", theirs, key=widget_key(COMPARE.slug, "network", "b", *theirs))
    return {str(item): str(other)}


def _groups(cards: Sequence[Card], first: Card, second: Card) -> ComparisonRequest | None:
    """All groups of a column, with one correction over all pairs; two of them are drawn."""
    show_names_of(cards)
    result = _compare_groups(cards)
    if result is None:
        return None
    key, labels = _groups_key(cards), result.labels
    item, other = sorted((cards.index(first), cards.index(second)))
    pair = (labels[item], labels[other])
    _show_pairs(result, pair, lambda chosen: _begin_with(cards, result, chosen))
    parts = [card.data for card in cards if card.data is not None]
    return ComparisonRequest(key, result, labels, pair, cards, parts, cards[0].source, session().cards.get(key))


def _compare_groups(cards: Sequence[Card]) -> ComparisonResult | None:
    parts = [card.data for card in cards if card.data is not None]
    return _compared(_groups_key(cards), [card.result for card in cards], parts, settings(), {})


def _groups_key(cards: Sequence[Card]) -> Hashable:
    return ("groups", tuple(card.number for card in cards), repr(settings()))


def _begin_with_clearest(cards: Sequence[Card]) -> bool:
    """Begin with the two groups between which a link differs most clearly; whether that is known."""
    result = _compare_groups(cards)
    if result is not None:
        _begin_with(cards, result, clearest_pair(result))
    return result is not None


def _begin_with(cards: Sequence[Card], result: ComparisonResult, pair: tuple[str, str]) -> None:
    for key, label in zip((LEFT, RIGHT), pair, strict=True):
        set_value(key, cards[result.labels.index(label)].number)


def _show_pairs(
    result: ComparisonResult, drawn_pair: tuple[str, str], choose: Callable[[tuple[str, str]], None]
) -> None:
    """Every two of the groups with their sentence; a press shows them."""
    st.markdown("**All pairs**")
    for number, pair in enumerate(combinations(result.labels, 2)):
        with st.container(border=True, gap=None):
            st.button(
                f"{plain(short(pair[1], 24))} v {plain(short(pair[0], 24))}",
                icon=":material/visibility:" if pair == drawn_pair else None,
                type="tertiary",
                key=widget_key(COMPARE.slug, "pair", number),
                on_click=choose,
                args=(pair,),
            )
            st.caption(plain(" ".join(sentences_shown(result, [pair_sentence(result, pair)]))))


def settings() -> Compare:
    """Draws, seed and prior, as the details of the method say."""
    draws, seed = int(value_of(DRAWS_KEY, DRAWS)), int(value_of(SEED_KEY, 0) or 0)
    return Compare(draws=draws, seed=seed, p_none=float(value_of(PRIOR_KEY, Compare().p_none)))


def _compared(
    key: Hashable,
    answers: Sequence[Any],
    parts: Sequence[Dataset] | None,
    method: Compare,
    networks: Mapping[str, str],
) -> ComparisonResult | None:
    """The comparison, remembered; with many variables a job, and None until it is done."""
    state = session().state(Comparisons)
    if key not in state.results:
        if max(len(answer.names) for answer in answers) > WIDE:
            job = session().job_queue.start(
                ("compare", key), compared, answers, parts, method, networks, place=COMPARE.slug
            )
            result = await_job(job)
        else:
            result = compute_here(partial(compared, answers, parts, method, networks))
        if result is None:
            return None
        state.put(key, result)
    take_batch(session(), key)
    return state.results[key]
