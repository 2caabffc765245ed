"""Entities that may be one and the same, and facts that are there twice."""

import streamlit as st

from components import change_preview, confirm, dates
from components.entity_actions import entity_menu, merge
from components.fact_actions import fact_menu
from components.health.findings import Findings
from components.health.rows import (
    entity_words,
    fact_words,
    it_is_right,
    listed,
    row,
    source_words,
)
from components.markup import clipped, counted, dotted, plain, text
from services.core import clock
from services.core.health_records import SameFact
from services.writing import corrections


def same_entities(workspace: str, found: Findings) -> None:
    """Pairs of entities, most likely first, with the reasons."""
    for pair in listed(
        "doubles", "Possible duplicates", found.same_entities, "most likely first", limit="same_entities"
    ):
        words = f"{entity_words(workspace, pair.kept)} and {entity_words(workspace, pair.gone)}"
        with row(f"double_{pair.key}", "review", words, text("; ".join(pair.reasons))):
            if st.button("Merge…", key=f"merge_{pair.key}", icon=":material/merge:"):
                merge(workspace, pair.kept, pair.gone)
            for entity in (pair.kept, pair.gone):
                entity_menu(
                    workspace,
                    entity,
                    key=f"correct_{pair.key}_{entity.uuid}",
                    label=f"Edit {plain(clipped(entity.name, 24))}",
                )
            it_is_right(workspace, "same entity", pair.key, label="Not duplicates")


def same_facts(workspace: str, found: Findings) -> None:
    """Facts that say the same of the same entities."""
    for same in listed("same_facts", "Duplicate facts", found.same_facts, "same entities, relation and dates"):
        fact = same.facts[0]
        details = dotted(
            f"{len(same.facts):,} times",
            dates.fact_span(fact),
            source_words(workspace, fact.episodes),
        )
        with row(f"same_{same.key}", "review", fact_words(workspace, fact), details):
            if st.button("Keep one…", key=f"unite_{same.key}"):
                _unite(workspace, same)
            fact_menu(workspace, fact, key=f"correct_{same.key}")
            it_is_right(workspace, "same fact", same.key)


@confirm.dialog("Keep one fact", width="medium")
def _unite(workspace: str, same: SameFact) -> None:
    kept, *others = same.facts
    st.caption(f"Keeps the oldest, with all sources, and withdraws {counted(len(others), 'duplicate')}.")
    change_preview.lines(corrections.united(kept, others, corrections.Moment(workspace, clock.now())).lines)
    confirm.change(
        "Keep one",
        workspace,
        f"Kept one copy of {corrections.title_of(same.facts[0])}",
        lambda opened, user: corrections.unite(opened, same, user_id=user),
    )
