"""The schema of extraction: types and relations, shown in a line and changed in a dialog."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from components import problems, state
from components.markup import chip, counted, text
from components.shell import Opened
from services.core.draft_records import EntityKind, RelationKind, Schema
from services.core.errors import BadInput
from services.core.json_documents import read_json
from services.extraction import default_schema, schema_from_json, schema_of, schema_to_json, suggest_schema

_OWN, _DRAFT, _ROUND = "ingest_schema", "ingest_schema_draft", "ingest_schema_round"
_PROBLEM, _NOTICE = "ingest_schema_problem", "ingest_schema_said"
_CHIPS = 14
_SAMPLE = 200_000
_TYPES, _RELATIONS = "schema_types", "schema_relations"
_LARGEST = 1
_ONE = "Single value"
_FILE = "schema_import"


def choose(opened: Opened, sample: str = "") -> dict[str, Any] | None:
    """A line of what is looked for, and the button to change it. Returns what was changed, None where nothing was."""
    own = _kept(_OWN, opened)
    found = own or schema_of(opened.workspace)
    names = [kind.name for kind in found.types]
    more = f" and {len(names) - _CHIPS} more" if len(names) > _CHIPS else ""
    chips = " ".join(chip("a-off", text(name)) for name in names[:_CHIPS])
    where = " · changed for this session" if own else ""
    counts = f"{counted(len(names), 'type')}, {counted(len(found.relations), 'relation')}{where}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="schema_head"):
        st.html(f'<div class="a-sm">Schema <span class="a-muted">{counts}</span></div>', width="stretch")
        if st.button("Edit", key="schema_open", icon=":material/tune:", type="tertiary", help="Edit the schema"):
            state.forget(_PROBLEM, _NOTICE)
            _change(opened, sample)
    st.html(f'<div class="a-chips">{chips}{more}</div>')
    return dict(schema_to_json(own)) if own else None


def _kept(name: str, opened: Opened) -> Schema | None:
    """Return what this session looks for in the workspace, or what the open dialog shows and nothing uses yet."""
    workspace, found = state.remembered(name, ("", None))
    return found if workspace == opened.name else None


@st.dialog("Schema", width="large", on_dismiss=lambda: state.forget(_DRAFT))
def _change(opened: Opened, sample: str) -> None:
    found = _kept(_DRAFT, opened) or _kept(_OWN, opened) or schema_of(opened.workspace)
    number = state.remembered(_ROUND, 0)
    types, relations = st.tabs([f"Types · {len(found.types)}", f"Relations · {len(found.relations)}"])
    with types:
        kinds = st.data_editor(
            [{"Type": kind.name, "Meaning": kind.meaning} for kind in found.types],
            key=f"{_TYPES}_{number}",
            num_rows="dynamic",
            hide_index=True,
            height=320,
            width="stretch",
            column_config=_texts("Type", "Meaning"),
            alt="Entity types to extract",
        )
    with relations:
        rows = st.data_editor(
            [_row(kind) for kind in found.relations],
            key=f"{_RELATIONS}_{number}",
            num_rows="dynamic",
            hide_index=True,
            height=320,
            width="stretch",
            alt="Relations to extract",
            column_config=_texts("Relation", "Meaning", "Entity types", "Value types")
            | {_ONE: st.column_config.CheckboxColumn(help="A new value ends the previous one.", default=False)},
        )
    problems.show_kept(_PROBLEM)
    if notice := state.remembered(_NOTICE):
        st.caption(notice)
    _buttons(opened, _edited(kinds, rows), sample)


def _texts(*names: str) -> dict[str, Any]:
    return {name: st.column_config.TextColumn(default="") for name in names}


def _row(kind: RelationKind) -> dict[str, Any]:
    return {
        "Relation": kind.name,
        "Meaning": kind.meaning,
        "Entity types": ", ".join(kind.sources),
        "Value types": ", ".join(kind.targets),
        _ONE: kind.one_at_a_time,
    }


def _edited(kinds: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> Schema:
    """The tables as they stand, without rows that have no name."""
    return Schema(
        tuple(EntityKind(_cell(r, "Type"), _cell(r, "Meaning")) for r in kinds if _cell(r, "Type")),
        tuple(
            RelationKind(
                _cell(r, "Relation"),
                _cell(r, "Meaning"),
                _several(r, "Entity types"),
                _several(r, "Value types"),
                bool(r.get(_ONE)),
            )
            for r in rows
            if _cell(r, "Relation")
        ),
    )


def _cell(row: Mapping[str, Any], name: str) -> str:
    return str(row.get(name) or "").strip()


def _several(row: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in _cell(row, name).split(",") if part.strip())


def _buttons(opened: Opened, edited: Schema, sample: str) -> None:
    with st.container(horizontal=True, gap="small"):
        used = st.button(
            "Use for this session", type="primary", key="schema_use", on_click=_attempt, args=(_use, opened, edited)
        )
        kept = st.button("Save for this workspace", key="schema_save", on_click=_attempt, args=(_save, opened, edited))
        suggested = st.button(
            "Suggest from this text",
            key="schema_suggest",
            disabled=not sample.strip(),
            help="Keeps only the types and relations that the rules find in this text.",
        )
        st.button("Restore the defaults", key="schema_default", on_click=_put, args=(opened, default_schema()))
        if opened.services.accounts.schemas.get(opened.name) is not None:
            st.button(
                "Restore the workspace's schema",
                key="schema_own",
                on_click=_put,
                args=(opened, schema_of(opened.workspace)),
            )
        st.download_button(
            "Export",
            json.dumps(schema_to_json(edited), indent=2, ensure_ascii=False),
            "schema.json",
            "application/json",
            key="schema_export",
            icon=":material/download:",
            on_click="ignore",
        )
    st.file_uploader(
        "Import", ["json"], key=_FILE, max_upload_size=_LARGEST, on_change=_attempt, args=(_import, opened)
    )
    if (used or kept) and not state.remembered(_PROBLEM):
        st.rerun()
    if suggested:
        with st.spinner("Reading the text… Loading the parser takes a few seconds the first time."):
            _attempt(_suggest, opened, sample)
        st.rerun(scope="fragment")


def _attempt(action: Callable[..., None], *args: object) -> None:
    """Do something, or keep for the dialog why it cannot be done."""
    state.forget(_NOTICE)
    problems.attempt(_PROBLEM, action, *args)


def _use(opened: Opened, schema: Schema) -> None:
    """Look for this from here on, in this session."""
    used = schema_from_json(schema_to_json(schema))
    state.forget(_DRAFT)
    if used == schema_of(opened.workspace):
        state.forget(_OWN)
    else:
        state.remember(_OWN, (opened.name, used))


def _save(opened: Opened, schema: Schema) -> None:
    """Look for this from here on, whoever reads a text of the workspace."""
    document = schema_to_json(schema)
    schema_from_json(document)
    opened.services.accounts.schemas.set(opened.name, document)
    state.forget(_OWN, _DRAFT)


def _suggest(opened: Opened, sample: str) -> None:
    found = suggest_schema([sample[:_SAMPLE]])
    if not found.relations:
        raise BadInput("No relations found in this text.", "Paste a longer text, or add rows by hand.")
    _put(opened, found)
    state.remember(
        _NOTICE,
        f"Kept {counted(len(found.relations), 'relation')} found in this text and removed the rest from the schema.",
    )


def _import(opened: Opened) -> None:
    if (upload := state.remembered(_FILE)) is None:
        return
    document = read_json("The schema file", upload.getvalue(), "Export a schema here to see the format.")
    _put(opened, schema_from_json(document))
    state.remember(_NOTICE, "The file is loaded. Nothing is saved yet.")


def _put(opened: Opened, schema: Schema) -> None:
    """Show another schema in the tables, which begin anew with it; nothing uses it yet."""
    state.forget(_PROBLEM, _NOTICE)
    state.remember(_DRAFT, (opened.name, schema))
    state.remember(_ROUND, state.remembered(_ROUND, 0) + 1)
