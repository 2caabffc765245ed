"""Facts that cannot all be so, facts that are there twice, and facts without a start."""

import streamlit as st

from components import dates
from components.fact_actions import end_earlier, fact_menu
from components.health.findings import Findings
from components.health.rows import fact_words, it_is_right, listed, row, source_words, when
from components.markup import dotted, text
from services import cached
from services.core.contradictions import Overlap
from services.core.health_records import pair_key


def contradictions(workspace: str, found: Findings) -> None:
    """Facts of a relation with one value at a time that hold at once."""
    for overlap in listed(
        "contradictions",
        "Contradictions",
        found.contradictions,
        "facts that conflict because their relation allows only one value at a time",
    ):
        first, second = overlap.first, overlap.second
        key = pair_key(first.uuid, second.uuid)
        words = f"{fact_words(workspace, first)} and <b>{text(second.target)}</b> at once"
        with row(f"contradiction_{key}", "review", words, _about(workspace, overlap)):
            if st.button(
                "End the earlier fact…",
                key=f"end_{key}",
                disabled=first.invalid_at is not None,
                help="This fact already has an end date. Edit the fact instead." if first.invalid_at else None,
            ):
                end_earlier(workspace, first, second)
            if recorded := cached.fact(workspace, first.uuid):
                fact_menu(workspace, recorded, key=f"correct_{key}")
            it_is_right(workspace, "contradiction", key)


def _about(workspace: str, overlap: Overlap) -> str:
    spans = [f"{text(f.target)} {dates.fact_span(f)}" for f in (overlap.first, overlap.second)]
    return dotted(*spans, source_words(workspace, overlap.second.episodes))


def undated(workspace: str, found: Findings) -> None:
    """Facts without a start."""
    for fact in listed("undated", "Undated", found.undated, "no start date, so they never count as valid"):
        details = dotted(when("recorded", fact.created_at), source_words(workspace, fact.episodes))
        with row(f"undated_{fact.uuid}", "review", fact_words(workspace, fact), details):
            fact_menu(workspace, fact, key=f"date_{fact.uuid}")
            it_is_right(workspace, "undated", fact.uuid)
