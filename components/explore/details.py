"""The panel beside the picture: the selected fact, the comparison, the selected entity, or what to do."""

import streamlit as st

from components.explore.changes_panel import changes_panel
from components.explore.entity_panel import entity_panel
from components.explore.fact_panel import fact_panel
from components.state import View
from services import cached
from services.core.models import Change, Path


def details(workspace: str, view: View, changes: tuple[Change, ...], path: Path | None) -> None:
    """Draw the panel."""
    with st.container(border=True, key="explore_panel", gap="small"):
        facts = cached.facts(workspace, (view.fact,)) if view.fact else ()
        entities = cached.entities(workspace, (view.entity,)) if view.entity else ()
        if facts:
            fact_panel(workspace, view, facts[0])
        elif view.comparing:
            changes_panel(view, changes)
        elif entities:
            entity_panel(workspace, view, entities[0], path)
        else:
            st.html('<div class="a-empty a-muted">Select an entity to see its facts.</div>')
