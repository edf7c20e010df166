"""A form made from a method's fields: label, help, choices and bounds all come from the engine."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.forms.pair_editor import choose_pairs
from dashboard.text import plain
from engine.errors import SettingsError
from engine.methods.group_difference.settings import REST

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

_FIRST = ("variable", "levels", "score")


def settings_form(
    method: type,
    data: Dataset,
    key: str,
    defaults: Mapping[str, Any] | None = None,
    without: Collection[str] = (),
    first: Collection[str] = (),
    words: Mapping[Any, str] | None = None,
) -> Any | None:
    """Draw the settings of a method and return the method made of them, None when they do not fit.

    Parameters
    ----------
    method : a frozen settings dataclass whose fields were made with `engine.methods.setting.setting`
    data : whose variables and levels the form offers
    key : prefix of the widgets' keys; one form a page
    defaults : field -> the value to begin with, in place of the field's own default
    without : fields that the page lets the user turn elsewhere; they keep the value to begin with
    first : fields that are drawn open, before the fold, beside those that every user decides
    words : choice -> what it is called, where the choice itself says too little

    The bounds of widgets are enforced in the browser only, so the method itself checks every value again;
    its `SettingsError` is shown as it is.
    """
    values = {name: (defaults or {})[name] for name in without if name in (defaults or {})}
    values |= form_values(method, data, key, defaults or {}, without, first, words)
    try:
        return method(**values)
    except SettingsError as error:
        st.error(plain(error))
        return None


def form_values(
    method: type,
    data: Dataset,
    key: str,
    defaults: Mapping[str, Any],
    without: Collection[str] = (),
    first: Collection[str] = (),
    words: Mapping[Any, str] | None = None,
) -> dict[str, Any]:
    """Draw the form and return field name -> value, unchecked."""
    asked = [one for one in fields(method) if one.metadata.get("label") and one.metadata.get("place") != "hidden"]
    drawn = [one for one in asked if one.name not in without]
    form = _Form(data, key, defaults, words or {})
    opening = [one for one in drawn if one.name in first or _comes_first(one)]
    rest = [one for one in drawn if one not in opening]
    values = {one.name: form.value(one) for one in opening}
    if rest:
        with st.expander("More settings"):
            values |= {one.name: form.value(one) for one in rest}
    return values


def _comes_first(one: Field[Any]) -> bool:
    """What every user decides: what the data are about, the score, and a probability."""
    rule = one.metadata
    return rule.get("role") in _FIRST or (rule.get("above") == 0 and rule.get("below") == 1)


class _Form:
    """Draws one field after the other; a field may depend on the variable chosen before it."""

    def __init__(self, data: Dataset, key: str, defaults: Mapping[str, Any], words: Mapping[Any, str]) -> None:
        self.data = data
        self.key = key
        self.defaults = defaults
        self.words = words
        self.variable: str | None = None

    def value(self, one: Field[Any]) -> Any:
        by_role = {
            "variable": self._variable,
            "levels": self._levels,
            "score": self._score,
            "order": self._order,
            "pairs": self._pairs,
        }
        draw = by_role.get(one.metadata.get("role", ""), self._plain)
        return draw(one, self._default(one))

    def _default(self, one: Field[Any]) -> Any:
        if one.name in self.defaults:
            return self.defaults[one.name]
        return None if one.default is MISSING else one.default

    def _widget(self, one: Field[Any], *about: str) -> dict[str, Any]:
        """Label, help and key; the key changes with what the options depend on, so no stale value stays."""
        return {
            "label": one.metadata["label"],
            "help": one.metadata.get("help"),
            "key": ".".join((self.key, one.name, *about)),
            "persist_state": "session",
        }

    def _variable(self, one: Field[Any], default: Any) -> str:
        names = list(self.data.names)
        start = names.index(default) if default in names else 0
        self.variable = st.selectbox(options=names, index=start, **self._widget(one, self.data.fingerprint[:12]))
        return self.variable or names[start]

    def _levels(self, one: Field[Any], default: Any) -> tuple[str, ...] | None:
        """Two levels, or one against all other rows; None where the variable has just two."""
        levels = list(self.data.levels[self.variable]) if self.variable is not None else []
        if len(levels) <= 2:
            return None
        wanted = [level for level in default or () if level in levels] or levels[:2]
        about = (self.data.fingerprint[:12], str(self.variable))
        left, right = st.columns(2)
        settings = self._widget(one, *about)
        with left:
            a = st.selectbox(
                options=levels,
                index=levels.index(wanted[0]),
                **{**settings, "label": f"{settings['label']}: A", "key": settings["key"] + ".a"},
            )
        others = [level for level in levels if level != a]
        start = others.index(wanted[1]) if len(wanted) > 1 and wanted[1] in others else 0
        with right:
            b = st.selectbox(
                options=[*range(len(others)), -1],
                format_func=lambda i: REST if i < 0 else others[i],
                index=start,
                **{**settings, "label": "B", "key": f"{settings['key']}.b.{a}"},
            )
        return (a,) if b == -1 else (a, others[b])

    def _score(self, one: Field[Any], default: Any) -> Any:
        from engine.scores.dirichlet import K2, BDeu

        left, right = st.columns(2)
        names = ["K2", "BDeu"]
        with left:
            name = st.selectbox(options=names, index=names.index(type(default).__name__), **self._widget(one))
        if name == "K2":
            return K2()
        with right:
            ess = st.number_input(
                "Equivalent sample size",
                min_value=0.01,
                value=float(getattr(default, "ess", 1.0)),
                key=f"{self.key}.{one.name}.ess",
                help="How many imaginary rows the prior is worth; they are spread evenly over all cells.",
                persist_state="session",
            )
        return BDeu(ess=ess)

    def _order(self, one: Field[Any], default: Any) -> tuple[str, ...] | None:
        """None when nothing is chosen; else the chosen first, the others after them in table order."""
        names = [name for name in self.data.names if name != self.variable]
        chosen = st.multiselect(
            options=names,
            default=[name for name in default or () if name in names],
            placeholder="as the search finds it",
            **self._widget(one, self.data.fingerprint[:12], str(self.variable)),
        )
        return (*chosen, *(name for name in names if name not in chosen)) if chosen else None

    def _pairs(self, one: Field[Any], default: Any) -> tuple[tuple[str, str], ...]:
        key = f"{self.key}.{one.name}.{self.data.fingerprint[:12]}"
        return choose_pairs(one.metadata["label"], one.metadata.get("help"), list(self.data.names), key, default or ())

    def _choice(self, choice: Any) -> str:
        return self.words.get(choice) or str(choice).replace("_", " ").capitalize()

    def _plain(self, one: Field[Any], default: Any) -> Any:
        rule = one.metadata
        if isinstance(default, bool):
            return st.toggle(value=default, **self._widget(one))
        if rule.get("choices") is not None:
            choices = list(rule["choices"])
            start = choices.index(default) if default in choices else 0
            return st.selectbox(options=choices, index=start, format_func=self._choice, **self._widget(one))
        if isinstance(default, str):
            return st.text_input(value=default, **self._widget(one))
        return self._number(one, default)

    def _number(self, one: Field[Any], default: Any) -> Any:
        rule = one.metadata
        whole = not isinstance(default, float)
        low = rule["minimum"] if rule.get("minimum") is not None else rule.get("above")
        high = rule["maximum"] if rule.get("maximum") is not None else rule.get("below")
        if rule.get("above") == 0 and rule.get("below") == 1 and default is not None:
            return st.slider(min_value=0.01, max_value=0.99, step=0.01, value=float(default), **self._widget(one))
        kind = int if whole else float
        return st.number_input(
            min_value=None if low is None else kind(low),
            max_value=None if high is None else kind(high),
            value=default if default is None else kind(default),
            step=1 if whole else None,
            placeholder="no limit",
            **self._widget(one),
        )
