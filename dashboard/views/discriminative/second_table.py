"""A second table, classified by the networks that were learned from the whole first one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.server.memory import memory
from dashboard.session.budget import refuse_file
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.text import plain
from dashboard.views.discriminative.verdicts import items_of, line_of, show_confusion
from dashboard.views.evaluate.curve import show_curve
from dashboard.views.evaluate.own_upload import upload
from dashboard.views.shared.downloads import download_table
from engine.methods.discriminative.result import SLUG

if TYPE_CHECKING:
    from engine.methods.discriminative.external import ExternalValidation
    from engine.methods.discriminative.result import DiscriminativeResult


def show_second_table(result: DiscriminativeResult) -> None:
    """Where its file is dropped, and how well it is classified."""
    st.markdown(
        "**Test on a second table** of other subjects, with the same columns and the class, prepared as the first one "
        "was and classified by networks learned from the whole first table."
    )
    slot = widget_key(SLUG, "second", result.fingerprint, hash(result.method))
    given = upload(
        "A second table (CSV, Excel, ODS, Parquet, Feather, SPSS, Stata, SAS)",
        slot,
        lambda content, name: _tested(result, content, name),
        help="It is read, classified and forgotten; only the result stays in memory.",
    )
    if given is not None:
        _show_validation(given.content, given.number)


def _tested(result: DiscriminativeResult, content: bytes, name: str) -> ExternalValidation:
    refuse_file(session(), len(content), work(), memory())
    return result.test(session().job_queue.read_table(content, name=name, **work().reading))


def _show_validation(validation: ExternalValidation, number: int) -> None:
    st.markdown(f"**{plain(validation.headline())}**")
    certainty, *notes = validation.sentences()
    st.markdown(plain(certainty))
    if notes:
        st.info(plain(" ".join(notes)), icon=":material/info:")
    of = validation.case
    lines = [line_of(validation, of, "second table"), line_of(validation.learned_from, of, "first table, held out")]
    show_curve(lines, widget_key(SLUG, "tested", number), items_of(validation, of), stem="second-table-roc", usual=True)
    show_confusion(validation, "second-table-confusion")
    download_table(validation.table(), "second-table-classified", label=f"Every {validation.noun} (CSV)")
