"""Entities that may be one and the same."""

import streamlit as st

from components.entity_actions import entity_menu, merge
from components.health.findings import Findings, limit_of
from components.health.rows import entity_words, it_is_right, more_of, row, section
from components.markup import clipped, plain, text


def same_entities(workspace: str, found: Findings) -> None:
    """Pairs of entities, the surest first, with the reasons."""
    if not found.same_entities.total:
        return
    section("doubles", "Entities twice", found.same_entities.total, "the surest first")
    for pair in found.same_entities.items:
        words = f"{entity_words(workspace, pair.kept)} and {entity_words(workspace, pair.gone)}"
        with row(f"double_{pair.key}", "review", words, text("; ".join(pair.reasons))):
            if st.button("Merge…", key=f"merge_{pair.key}", icon=":material/merge:"):
                merge(workspace, pair.kept, pair.gone)
            for entity in (pair.kept, pair.gone):
                label = f"Correct {plain(clipped(entity.name, 24))}…"
                entity_menu(workspace, entity, key=f"correct_{pair.key}_{entity.uuid}", label=label)
            it_is_right(workspace, "same entity", pair.key, label="They are two")
    more_of("same_entities", limit_of("same_entities"), found.same_entities.total)
