"""Forms made from a method's fields: label, help, choices, bounds and place all come from the engine."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, Field, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from dashboard.session.caches import cached
from dashboard.session.keys import begin_with, of_table, set_value, widget_key
from dashboard.session.labels import full_name
from dashboard.text import plain, short, visible
from engine import SettingsError
from engine.methods.group_pair import likely_arms, likely_pair

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from engine import Dataset
    from engine.methods.method import Method

REST, EACH = -1, -2
"""The choice "all other rows" among the levels."""


def settings_form(
    method: type,
    data: Dataset,
    key: str,
    defaults: Mapping[str, Any] | None = None,
    without: Collection[str] = (),
    first: Collection[str] = (),
    *,
    live: bool = True,
) -> Any | None:
    """Draw the settings of a method and return the method made of them, None when they do not fit.

    Parameters
    ----------
    method : a frozen settings dataclass whose fields were made with `engine.methods.setting.setting`
    data : whose variables and levels the form offers
    key : prefix of the widgets' keys; one form a page
    defaults : field -> the value to begin with, in place of the field's own default
    without : fields that are not asked for; they keep the value to begin with
    first : fields that are drawn open, before the fold, beside those that say so themselves
    live : whether settings that act on an answer that is there are asked for too; a page has them beside the answer

    The bounds of widgets are enforced in the browser only, so the method itself checks every value again;
    its `SettingsError` is shown as it is.
    """
    begin = defaults or {}
    drawn = [field for field in fields(method) if _is_drawn(field, without, live)]
    form = _Form(data, key, begin)
    opening = [item for item in drawn if item.metadata.get("place") == "first" or item.name in first]
    rest = [entry for entry in drawn if entry not in opening]
    values = {item.name: begin[item.name] for item in fields(method) if item not in drawn and item.name in begin}
    form.draw(opening, values)
    if rest:
        with st.expander("More settings"):
            form.draw(rest, values)
    try:
        return method(**values)
    except SettingsError as error:
        st.error(plain(error))
        return None


def _is_drawn(item: Field[Any], without: Collection[str], live: bool) -> bool:
    rule = item.metadata
    hidden = rule.get("place") == "hidden" or (rule.get("live") and not live)
    return bool(rule.get("label")) and not hidden and item.name not in without


def has_use(item: Field[Any], values: Mapping[str, Any]) -> bool:
    """True where a setting means anything beside the values of the others."""
    wanted = item.metadata.get("used_when", {})
    return all(name not in values or values[name] in allowed for name, allowed in wanted.items())


def set_pairs(prefix: str, name: str, data: Dataset, pairs: tuple[tuple[str, str], ...]) -> None:
    """Let the form of this prefix ask for a setting with these pairs in it, now or when it is drawn next."""
    keep_pairs(widget_key(prefix, name, of_table(data)), pairs)


def set_levels(prefix: str, name: str, data: Dataset, variable: str, levels: Sequence[str]) -> None:
    """Let the form of this prefix ask for this group column and two of its levels, one against the rest, or all against
    the first."""
    about = (name, of_table(data), variable)
    others = [level for level in data.levels[variable] if level != levels[0]]
    set_value(widget_key(prefix, *about, "a"), levels[0])
    second = REST if len(levels) == 1 else EACH if len(levels) > 2 else others.index(levels[1])
    set_value(widget_key(prefix, *about, "b", levels[0]), second)
    set_value(widget_key(prefix, "group", of_table(data)), variable)


class _Form:
    """Draws one field after the other; a field may depend on the variable chosen before it."""

    def __init__(self, data: Dataset, key: str, defaults: Mapping[str, Any]) -> None:
        self.data = data
        self.key = key
        self.defaults = defaults
        self.variable: str | None = None

    def draw(self, those: Collection[Field[Any]], values: dict[str, Any]) -> None:
        """Draw these and put down what they say; what has no use beside the others keeps its own default."""
        for item in those:
            if has_use(item, values):
                values[item.name] = self.value(item)

    def value(self, item: Field[Any]) -> Any:
        by_role = {
            "variable": self._variable,
            "levels": self._levels,
            "score": self._score,
            "order": self._order,
            "pairs": self._pairs,
        }
        draw = by_role.get(item.metadata.get("role", ""), self._plain)
        return draw(item, self._default(item))

    def _default(self, item: Field[Any]) -> Any:
        if item.name in self.defaults:
            return self.defaults[item.name]
        return None if item.default is MISSING else item.default

    def _widget(self, item: Field[Any], *about: object) -> dict[str, Any]:
        return {
            "label": item.metadata["label"],
            "help": item.metadata.get("help"),
            "key": widget_key(self.key, item.name, *about),
            "persist_state": "session",
        }

    def _variable(self, item: Field[Any], default: Any) -> str:
        names = list(self.data.names)
        start = names.index(default) if default in names else 0
        self.variable = st.selectbox(
            options=names, index=start, format_func=full_name, **self._widget(item, of_table(self.data))
        )
        return self.variable or names[start]

    def _levels(self, item: Field[Any], default: Any) -> tuple[str, ...] | None:
        """Two levels, one against all other rows, or each against the first; None where the variable has just two."""
        pair = None if self.variable is None else cached(self.data, likely_pair, self.variable)[0]
        if self.variable is None or pair is None:
            return None
        levels = list(self.data.levels[self.variable])
        wanted = [level for level in default or () if level in levels] or pair
        about = (of_table(self.data), self.variable)
        settings = self._widget(item, *about, "a")
        settings["label"] += ": A"
        a = st.selectbox(options=levels, index=levels.index(wanted[0]), **settings)
        others = [level for level in levels if level != a]
        called = item.metadata.get("words", {})
        words = {REST: called.get("rest", "the rest"), EACH: called.get("each", "")}
        arms = cached(self.data, likely_arms, self.variable) if words[EACH] else ()
        options = [*([EACH] if a in arms else []), *range(len(others)), REST]
        second = others.index(wanted[1]) if len(wanted) > 1 and wanted[1] in others else 0
        b = st.selectbox(
            options=options,
            format_func=lambda i: words[i] if i in words else others[i],
            index=options.index(EACH if len(wanted) > 2 and EACH in options else second),
            **{**self._widget(item, *about, "b", a), "label": "B"},
        )
        if b == EACH:
            return (a, *(level for level in arms if level != a))
        return (a,) if b == REST else (a, others[b])

    def _score(self, item: Field[Any], default: Any) -> Any:
        """One of the classes that the field names; their own fields beside it."""
        classes = {kind.__name__: kind for kind in item.metadata["choices"]}
        own = type(default).__name__
        left, right = st.columns(2)
        name = left.selectbox(options=list(classes), index=list(classes).index(own), **self._widget(item))
        kind = classes[name or own]
        values = {}
        with right:
            for part in fields(kind):
                values[part.name] = st.number_input(
                    min_value=0.01,
                    value=float(getattr(default, part.name, 1.0 if part.default is MISSING else part.default)),
                    label=part.metadata.get("label", part.name),
                    help=part.metadata.get("help"),
                    key=widget_key(self.key, item.name, part.name),
                    persist_state="session",
                )
        return kind(**values)

    def _order(self, item: Field[Any], default: Any) -> tuple[str, ...] | None:
        """None when nothing is chosen; else the chosen first, the others after them in table order."""
        names = [name for name in self.data.names if name != self.variable]
        chosen = st.multiselect(
            options=names,
            default=[name for name in default or () if name in names],
            placeholder="as the search finds it",
            **self._widget(item, of_table(self.data), self.variable),
        )
        return (*chosen, *(name for name in names if name not in chosen)) if chosen else None

    def _pairs(self, item: Field[Any], default: Any) -> tuple[tuple[str, str], ...]:
        key = widget_key(self.key, item.name, of_table(self.data))
        return choose_pairs(
            item.metadata["label"], item.metadata.get("help"), list(self.data.names), key, default or ()
        )

    def _plain(self, item: Field[Any], default: Any) -> Any:
        rule = item.metadata
        if isinstance(default, bool):
            return st.toggle(value=default, **self._widget(item))
        if rule.get("choices") is not None:
            choices = list(rule["choices"])
            start = choices.index(default) if default in choices else 0
            return st.selectbox(
                options=choices, index=start, format_func=partial(choice_words, item), **self._widget(item)
            )
        if isinstance(default, str):
            return st.text_input(value=default, **self._widget(item))
        return self._number(item, default)

    def _number(self, item: Field[Any], default: Any) -> Any:
        rule = item.metadata
        low = rule["minimum"] if rule.get("minimum") is not None else rule.get("above")
        high = rule["maximum"] if rule.get("maximum") is not None else rule.get("below")
        if rule.get("scale") == "log":
            return _small_number(self._widget(item), float(default), low, high)
        if rule.get("above") == 0 and rule.get("below") == 1 and default is not None:
            return st.slider(min_value=0.01, max_value=0.99, step=0.01, value=float(default), **self._widget(item))
        whole = not isinstance(default, float)
        kind = int if whole else float
        return st.number_input(
            min_value=None if low is None else kind(low),
            max_value=None if high is None else kind(high),
            value=default if default is None else kind(default),
            step=1 if whole else None,
            placeholder="no limit",
            **self._widget(item),
        )


def choice_words(item: Field[Any], choice: Any) -> str:
    """Name of a setting's choice."""
    return str(item.metadata.get("words", {}).get(choice) or str(choice).replace("_", " ").capitalize())


def _small_number(widget: dict[str, Any], default: float, low: float | None, high: float | None) -> float:
    """A number asked for over orders of magnitude: any can be typed, a press on + or - is a step of its own size."""
    step = 10.0 ** (math.floor(math.log10(default)) - 1)
    return float(st.number_input(min_value=low, max_value=high, value=default, step=step, format="%.6g", **widget))


MethodT = TypeVar("MethodT", bound="Method")


def live_settings(
    method: MethodT, widths: Sequence[float] = (), only: Collection[str] | None = None
) -> tuple[MethodT, list[DeltaGenerator]]:
    """Draw the live settings side by side; the method with what they say, and the columns that are left over.

    Parameters
    ----------
    method : the settings of the answer; the widgets begin with its values
    widths : of the columns, one a live setting, and of those the page wants beside them; equal where none are given
    only : the live settings to draw, where the page has them in several places
    """
    names = [name for name in method.live() if only is None or name in only]
    drawn = [field for field in fields(method) if field.name in names and field.metadata.get("place") != "hidden"]  # type: ignore[arg-type]
    if not drawn:
        return method, []
    columns = st.columns(list(widths) or len(drawn), gap="large", vertical_alignment="bottom")
    values = {}
    for item, column in zip(drawn, columns, strict=False):
        with column:
            values[item.name] = _live(item, getattr(method, item.name), live_key(method.slug, item.name))
    return replace(method, **values), columns[len(drawn) :]  # type: ignore[type-var]


def live_key(slug: str, name: str) -> str:
    """The key of a live setting's widget."""
    return widget_key(slug, "live", name)


def _live(item: Field[Any], value: Any, key: str) -> Any:
    rule: Mapping[str, Any] = item.metadata
    about = {"label": rule["label"], "help": rule["help"], "key": key, "persist_state": "session"}
    if rule["stops"]:
        stops = sorted({*rule["stops"], value})
        return st.select_slider(options=stops, value=value, **about)
    if isinstance(value, bool):
        return st.toggle(value=value, **about)
    if rule["choices"]:
        choices = list(rule["choices"])
        return st.selectbox(
            options=choices,
            index=choices.index(value),
            format_func=lambda choice: choice_words(item, choice),
            **about,
        )
    return st.number_input(min_value=rule["minimum"], max_value=rule["maximum"], value=value, **about)


Pairs = tuple[tuple[str, str], ...]


def choose_pairs(
    label: str, help: str | None, names: Sequence[str], key: str, default: Pairs = (), *, arrows: bool = False
) -> Pairs:
    """Draw the editor and return the pairs in the order they were added.

    Parameters
    ----------
    label, help : what the pairs mean
    names : the variables to choose from
    key : of the list, and prefix of the widgets' keys; `keep_pairs` writes there
    default : pairs to begin with
    arrows : whether a pair runs from its first variable to its second, so that the other way round is another one
    """
    sign = "→" if arrows else "-"
    first_label, second_label = ("From", "To") if arrows else ("One variable", "and another")
    pairs: Pairs = begin_with(_pairs_key(key), tuple(map(tuple, default)))
    with st.popover(f"{plain(label)} ({len(pairs)})", width="stretch", help=help):
        a = st.selectbox(first_label, names, index=None, key=widget_key(key, "a"), persist_state="session")
        others = [name for name in names if name != a]
        b = st.selectbox(second_label, others, index=None, key=widget_key(key, "b", a), persist_state="session")
        known = {pair for a_pair in pairs for pair in ((a_pair,) if arrows else (a_pair, a_pair[::-1]))}
        ready = a is not None and b is not None and (a, b) not in known
        if (
            st.button("Add this arrow" if arrows else "Add this pair", key=widget_key(key, "add"), disabled=not ready)
            and a is not None
            and b is not None
        ):
            keep_pairs(key, (*pairs, (a, b)))
            st.rerun()
        if pairs:
            left = st.multiselect(
                "Chosen arrows" if arrows else "Chosen pairs",
                pairs,
                default=pairs,
                format_func=lambda pair: f"{short(pair[0], 20)} {sign} {short(pair[1], 20)}",
                key=widget_key(key, "list", len(pairs), hash(pairs)),
            )
            if len(left) < len(pairs):
                keep_pairs(key, tuple(left))
                st.rerun()
        else:
            st.caption("None yet.")
    if pairs:
        st.caption(plain("; ".join(f"{visible(a)} {sign} {visible(b)}" for a, b in pairs)))
    return pairs


def keep_pairs(key: str, pairs: Pairs) -> None:
    """Put these pairs into the editor of this key, now or when it is drawn next."""
    set_value(_pairs_key(key), tuple(pairs))


def _pairs_key(key: str) -> str:
    return widget_key(key, "pairs")
