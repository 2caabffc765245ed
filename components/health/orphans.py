"""Loose ends: entities in nothing, and records that refer to nothing or that nothing refers to."""

from collections.abc import Sequence

import streamlit as st

from components import change_preview, confirm
from components.entity_actions import entity_menu
from components.fact_actions import deleted
from components.health.findings import Findings, keys_of
from components.health.rows import entity_words, it_is_right, more_of, row, section, when
from components.markup import clipped, counted, text
from services import cached
from services.agent import get_services
from services.core.health_records import RESIDUES, Residue
from services.core.models import Entity
from services.mirror import orphans, residues
from services.writing import Scope, corrections

AT_ONCE = 500
"""So many are cleaned up in one go at most."""


def loose(workspace: str, found: Findings) -> None:
    """Draw both parts under one heading."""
    if not found.loose:
        return
    section("loose", "Orphans", found.loose, "unused records and broken references")
    _orphans(workspace, found)
    for kind, of_kind in found.residues.items():
        for one in of_kind.items:
            words = f"{text(clipped(one.name, 90))} <b>{RESIDUES[kind][0]}</b>"
            with row(f"residue_{kind}_{one.key}", "review", words, when("recorded", one.date)):
                todo = RESIDUES[kind][1]
                hint = None if todo else "Ingest the document again."
                if st.button("Clean up…", key=f"clean_{kind}_{one.key}", disabled=not todo, help=hint):
                    _clean(workspace, (one,))
                it_is_right(workspace, "residue", one.dismissal)
        if of_kind.total > 1 and RESIDUES[kind][1]:
            number = min(of_kind.total, AT_ONCE)
            if st.button(f"Clean up {number:,} records…", key=f"all_{kind}", type="tertiary"):
                dismissed = keys_of(found.dismissed, "residue")
                _clean(workspace, cached.ask(residues, workspace, kind, AT_ONCE, dismissed).items)
    more_of("residues", max((one.total for one in found.residues.values()), default=0))


def _orphans(workspace: str, found: Findings) -> None:
    for entity in found.orphans.items:
        words = f"{entity_words(workspace, entity)} <b>appears in no fact or source</b>"
        with row(f"orphan_{entity.uuid}", "review", words, when("recorded", entity.created_at)):
            if st.button("Delete…", key=f"orphan_{entity.uuid}"):
                _delete(workspace, (entity,))
            entity_menu(workspace, entity, key=f"correct_{entity.uuid}")
            it_is_right(workspace, "orphan", entity.uuid)
    if found.orphans.total > 1:
        number = min(found.orphans.total, AT_ONCE)
        if st.button(f"Delete {number:,} unused entities…", key="all_orphans", type="tertiary"):
            _delete(workspace, cached.ask(orphans, workspace, AT_ONCE, keys_of(found.dismissed, "orphan")).items)
    more_of("orphans", found.orphans.total)


@confirm.dialog("Delete unused entities", width="medium")
def _delete(workspace: str, orphans: Sequence[Entity]) -> None:
    asked = Scope(entities=frozenset(entity.uuid for entity in orphans))
    with change_preview.being_made():
        found = corrections.preview_delete(get_services().workspace(workspace), asked)
    change_preview.going(found)
    name = orphans[0].name if len(orphans) == 1 else counted(len(orphans), "entity", "entities")
    confirm.answers("Delete", deleted, workspace, name, asked, found)


@confirm.dialog("Clean up", width="medium")
def _clean(workspace: str, residues: Sequence[Residue]) -> None:
    kind = residues[0].kind
    if kind in ("episode", "document"):
        keys = frozenset(residue.key for residue in residues)
        asked = Scope(episodes=keys) if kind == "episode" else Scope(documents=keys)
        with change_preview.being_made():
            going = corrections.preview_delete(get_services().workspace(workspace), asked)
        change_preview.going(going)
    else:
        going = corrections.DeletionScope()
        more = f" and {len(residues) - 1:,} more" if len(residues) > 1 else ""
        st.html(f"<b>{text(clipped(residues[0].name, 90))}</b>{more}: {RESIDUES[kind][1]}")
    name = clipped(residues[0].name, 60) if len(residues) == 1 else counted(len(residues), "record")
    confirm.change(
        "Clean up",
        workspace,
        f"{name} cleaned up",
        lambda opened, user: corrections.mend_residues(
            opened, tuple(residues), reinstate=change_preview.reinstates(going), user_id=user
        ),
    )
