"""Records as cards or as a table, how far each can be relied on, and the entities that they name."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components.address import View
from components.markup import chip, counted, dotted, heading, link, note, table, text
from components.shell import Opened
from services.core.errors import AsofError
from services.core.memory_records import Properties, RecordType
from services.core.models import Entity
from services.memory import MARK, Confidence, MemoryAnswer, entities_of_records, in_field_order, names_in, title_of

_HOW, _CARDS, _TABLE = "memory_how", "Cards", "Table"
_WHOLE = 1.0


def answer(opened: Opened, found: MemoryAnswer) -> None:
    """Draw the answer of a query: its records with their confidence, then the finding."""
    result = found.result
    if not result:
        kind = "a-info" if result.was_asked else ""
        note(f"<b>{text(result.message or '')}</b>{_advice(found) if result.was_asked else ''}", kind)
        return
    records = [_entries(row) for row in result.rows]
    with st.container(horizontal=True, vertical_alignment="center", key="memory_head"):
        with st.container(width="stretch"):
            about = counted(len(records), "record")
            heading(result.message or "", dotted(about, f"confidence {result.confidence:.2f}"))
        how = st.segmented_control(
            "View",
            [_CARDS, _TABLE],
            default=_CARDS,
            required=True,
            key=_HOW,
            label_visibility="collapsed",
            persist_state="session",
        )
    type = found.query.type
    if how == _TABLE:
        records_table([in_field_order(type, record) for record, _ in records])
    else:
        entities = linked(opened, type, [one for record, related in records for one in (record, *related)])
        for (record, related), confidence in zip(records, found.confidences, strict=True):
            card(opened.view, type, record, entities, confidence=confidence, related=related)
    heading(f"{found.finding.lens.capitalize()} finding", "from these records alone")
    st.html(f'<div class="a-quote" style="white-space:pre-line">{text(found.finding.synthesis)}</div>')


def _advice(found: MemoryAnswer) -> str:
    return f"<br>Try part of the name, or another word. {text(found.finding.synthesis)}."


def _entries(row: Properties) -> tuple[Properties, Sequence[Properties]]:
    """A record, and the files related to it."""
    return (row["primary"], row["related"]) if row.keys() == {"primary", "related"} else (row, ())


def linked(opened: Opened, type: RecordType, records: Sequence[Properties]) -> Mapping[str, Entity]:
    """Return the entities that records name; none while the mirror cannot be asked."""
    try:
        return entities_of_records(opened.workspace, type, records)
    except AsofError:
        return {}


def card(
    view: View,
    type: RecordType,
    record: Properties,
    entities: Mapping[str, Entity],
    *,
    confidence: Confidence | None = None,
    related: Sequence[Properties] = (),
) -> None:
    """Draw one record with all that is stored of it."""
    fields = "".join(
        f"<dt>{text(name.replace('_', ' '))}</dt><dd>{_value(name, value)}</dd>"
        for name, value in in_field_order(type, record).items()
        if value != title_of(type, record)
    )
    files = "".join(
        f"<li>{chip('a-off', text(one[MARK]))} <code>{text(str(one.get('file_path')))}</code></li>" for one in related
    )
    parts = [
        f'<div class="a-rec-h"><b>{text(title_of(type, record))}</b>'
        f'<span class="a-muted a-sm">{text(type.replace("_", " "))}</span></div>',
        f'<dl class="a-rec">{fields}</dl>',
        f'<ul class="a-rec-l">{files}</ul>' if files else "",
        _explained(confidence) if confidence else "",
        _links(view, type, record, entities),
    ]
    with st.container(border=True):
        st.html("".join(parts))


def _value(name: str, value: Any) -> str:
    if value in ("", []):
        return '<span class="a-muted">empty</span>'
    if isinstance(value, list):
        return ", ".join(
            f"<code>{text(str(item))}</code>" if name == "dependencies" else text(str(item)) for item in value
        )
    return text(str(value).lower() if isinstance(value, bool) else str(value))


def _explained(confidence: Confidence) -> str:
    """Why a record's confidence is what it is."""
    if confidence.value == _WHOLE:
        return '<div class="a-muted a-sm">Confidence 1.00: full match, complete, not known to be outdated.</div>'
    reasons = " ".join(confidence.reasons)
    return f'<div class="a-muted a-sm">Confidence {confidence.value:.2f} = 1 {text(reasons)}</div>'


def _links(view: View, type: RecordType, record: Properties, entities: Mapping[str, Entity]) -> str:
    """Links to the entities that a record names."""
    named = {entity.uuid: entity for name in names_in(type, record) if (entity := entities.get(name))}
    if not named:
        return ""
    links = (link("Timeline", text(one.name), view.changed(entity=one.uuid)) for one in named.values())
    return f'<div class="a-sm a-rec-e">In the graph: {", ".join(links)}</div>'


def records_table(records: Sequence[Properties]) -> None:
    """Draw records as rows, one column for each of their fields."""
    names = list(dict.fromkeys(name for record in records for name in record))
    table(
        [[(_value(name, record[name]) if name in record else "", "") for name in names] for record in records],
        [(text(name.replace("_", " ")), "") for name in names],
        label="Records",
    )
