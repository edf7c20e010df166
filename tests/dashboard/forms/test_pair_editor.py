"""The small editor of pairs: add, take out, and a list put in from elsewhere."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

HOSTILE = "![p](http://evil.example/p.png)"


def page() -> None:
    import streamlit as st

    from dashboard.forms.settings_form import choose_pairs, keep_pairs

    names = ["a", "b", "![p](http://evil.example/p.png)"]
    if st.button("From elsewhere"):
        keep_pairs("k", (("b", "a"),))
    st.session_state["made"] = choose_pairs("Pairs", "help", names, "k", (("a", names[2]),))


def arrows_page() -> None:
    import streamlit as st

    from dashboard.forms.settings_form import choose_pairs

    st.session_state["made"] = choose_pairs("Arrows", None, ["a", "b"], "k", (("a", "b"),), arrows=True)


def opened() -> AppTest:
    at = AppTest.from_function(page, default_timeout=30).run()
    assert not at.exception
    return at


def test_it_begins_with_the_default_and_shows_it_as_text() -> None:
    """Names of the user's are escaped where Markdown is rendered."""
    at = opened()
    assert at.session_state["made"] == (("a", HOSTILE),)
    assert at.caption[0].value.startswith("a \\- \\!\\[p\\]")


def test_a_pair_is_added_once() -> None:
    """The button waits for two different variables that are no pair yet, in either order."""
    at = opened()
    assert at.button(key="k.add").disabled
    at.selectbox(key="k.a").set_value("b").run()
    assert "b" not in at.selectbox(key="k.b.b").options
    at.selectbox(key="k.b.b").set_value("a").run()
    at.button(key="k.add").click().run()
    assert at.session_state["made"] == (("a", HOSTILE), ("b", "a"))
    at.selectbox(key="k.a").set_value("a").run()
    at.selectbox(key="k.b.a").set_value("b").run()
    assert at.button(key="k.add").disabled


def test_an_arrow_is_another_one_the_other_way_round() -> None:
    """From and to are asked for, and both directions can be chosen."""
    at = AppTest.from_function(arrows_page, default_timeout=30).run()
    assert [box.label for box in at.selectbox] == ["From", "To"]
    at.selectbox(key="k.a").set_value("b").run()
    at.selectbox(key="k.b.b").set_value("a").run()
    at.button(key="k.add").click().run()
    assert at.session_state["made"] == (("a", "b"), ("b", "a"))
    assert at.button(key="k.add").disabled
    assert at.caption[0].value.replace("\\", "") == "a → b; b → a"


def test_a_pair_is_taken_out() -> None:
    """An empty list stays empty: the default does not come back."""
    at = opened()
    at.multiselect[0].set_value([]).run()
    assert at.session_state["made"] == ()
    at.run()
    assert at.session_state["made"] == ()


def test_the_page_can_put_pairs_in() -> None:
    """What is kept under the key is what the editor shows."""
    at = opened()
    at.button[0].click().run()
    assert at.session_state["made"] == (("b", "a"),)
