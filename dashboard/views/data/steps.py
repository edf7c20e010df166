"""Undo, and the list of all that was chosen: each step in words, to be taken back, saved, and used again."""

from __future__ import annotations

import json
from dataclasses import replace

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.large_tables import ask_table, opening
from dashboard.session.masking import sentence_shown
from dashboard.session.session import session
from dashboard.session.work import Work, work
from dashboard.text import plain, short
from dashboard.views.data.choices import by_column, lost_conditions, open_table, still_fitting
from dashboard.views.data.new_columns import take_away
from dashboard.views.shared.downloads import download, file_name
from dashboard.views.shared.page_parts import take_dropped_file
from engine import DataError, Recipe
from engine.data.preparing.wording import Step
from engine.exchange.script import recipe_script
from engine.words import count, first

_SEEN = "data.recipe.seen"
MOST_STEPS = 60


def show_undo() -> None:
    """A button that takes the latest change back, and says which that is."""
    current = work()
    last = current.done[-1].words if current.done else ""
    st.button(
        f"Undo: {plain(short(last.rstrip('.'), 30))}" if last else "Undo",
        icon=":material/undo:",
        disabled=not last,
        help=plain(last) if last else None,
        on_click=current.undo,
        key=widget_key("data", "undo", id(current)),
    )


def show_steps() -> None:
    """Every choice as it stands, the files that hold them, and the way in for one of those."""
    table, current = session().table, work()
    if table is None:
        return
    steps = current.steps(current.proposals(table))
    with st.popover(f"Steps ({len(steps)})", icon=":material/list_alt:", key=widget_key("data", "steps", id(current))):
        if not steps:
            st.caption("Nothing was chosen yet: the table is prepared as proposed.")
        for place, step in enumerate(steps[:MOST_STEPS]):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(plain(step.sentence), width="stretch")
                key = widget_key("data", "steps", id(current), current.version, place)
                st.button("Take back", on_click=_take_back, args=(current, step), key=key, type="tertiary")
        if len(steps) > MOST_STEPS:
            st.caption(f"And {len(steps[MOST_STEPS:])} more; the text below has all.")
        _files(current, [step.sentence for step in steps])
        _use_recipe(current)


def _take_back(current: Work, step: Step) -> None:
    if step.what == "derive":  # and what was made of it
        take_away(current, step.column)
    else:
        current.take_back(step)


def _files(current: Work, sentences: list[str]) -> None:
    state = session()
    data = state.dataset
    if data is None:
        return
    with st.container(horizontal=True):
        download(
            lambda: replace(data.recipe, reading=current.reading).to_json().encode(),
            file_name("recipe", "json"),
            "application/json",
            "Recipe",
            masked=True,
        )
        download("\n".join(sentences).encode(), file_name("steps", "txt"), "text/plain", "Steps in words", masked=True)
        download(
            lambda: recipe_script(current.used or Recipe(), current.name, current.reading, data.fingerprint).encode(),
            file_name("preparing", "py"),
            "text/x-python",
            "Python",
            masked=True,
        )
    st.caption("The recipe holds levels and cut points too: another table is then coded like this one.")


def _use_recipe(current: Work) -> None:
    given = take_dropped_file("Use a recipe", _SEEN, key=widget_key("data", "recipe", id(current)), max_upload_size=20)
    if given is None:
        return
    try:
        with session().job_queue.counted():
            prepare_by(current, Recipe.load(given.getvalue()))
    except DataError as error:
        st.error(plain(sentence_shown(str(error))))
        return
    st.rerun()


def prepare_by(current: Work, recipe: Recipe) -> None:
    """Read the open file and prepare its table as a saved recipe says; what does not fit the table is told.

    It is one change, which can be undone; a file that was read another way for it stays read so.

    Raises
    ------
    DataError : the file cannot be read that way, or its table not be prepared; the open one then stays
    """
    table = session().table
    if table is None:
        return
    reading = dict(recipe.reading) or current.reading
    if current.content is not None and reading != current.reading:
        table = session().job_queue.read_table(current.content, name=current.name, **reading)
    columns = set(map(str, table.columns))
    fitting, words = fitting_part(recipe, columns)
    chosen = still_fitting(by_column(fitting, columns), columns)
    tried = Work(chosen=chosen)
    with opening():
        used = fitting if fitting.columns else tried.recipe(tried.proposals(table))
        ask_table("Preparing the table", used.apply, table)
    done = [
        replace(item, choices=json.dumps(still_fitting(json.loads(item.choices), columns))) for item in current.done
    ]
    earlier = replace(current, chosen=still_fitting(current.chosen, columns))
    now = open_table(
        table,
        session().source,
        content=current.content,
        reading=reading,
        chosen=chosen,
        roles=fitting.roles,
        frozen=fitting if fitting.columns else None,
    )
    now.labels, now.scales, now.sample = current.labels, current.scales, current.sample
    now.notes = (*words, *now.notes)
    now.come_after(earlier, done, "A saved recipe was used.")


def fitting_part(recipe: Recipe, columns: set[str]) -> tuple[Recipe, list[str]]:
    """As much of a recipe as a table with these columns can be prepared by, and sentences on the rest."""
    chosen = still_fitting(by_column(recipe, columns), columns)
    derive, where = chosen.get("derive", {}), chosen.get("where", ())
    known = columns | set(derive)
    lacking = [column.name for column in recipe.columns if column.name not in known]
    words = []
    if lacking:
        named = first((f"'{short(name, 60)}'" for name in lacking), 6)
        words.append(f"The recipe speaks of {count(len(lacking), 'column')} that this table lacks: {named}.")
    words += lost_conditions(recipe.where, where)
    fitting = replace(
        recipe,
        columns=tuple(column for column in recipe.columns if column.name in known),
        derive=derive,
        where=where,
        roles={name: role for name, role in recipe.roles.items() if name in known},
    )
    return fitting, words
