"""What a change did, for people: lines about facts before and after, and how many of each kind there are."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from services.core import clock
from services.core.json_documents import USUAL
from services.core.models import Fact
from services.graph import raw
from services.graph.raw import Image
from services.writing.edits import Edit, Line, LineKind

KEPT = 500
"""So many lines of a change-set are kept; all are counted."""


def lines_of(edit: Edit, before: Mapping[str, Fact], image: Image) -> list[Line]:
    """What an edit does, by what its facts were before; `image` knows the names of what it deletes and merges."""
    replaced = [
        Line(_kind(was, fact) if (was := before.get(fact.uuid)) is not None else "added", fact.text, was, fact)
        for fact in edit.replaced.facts
    ]
    lines = [*_paired(replaced, edit.created.facts), *_deleted(edit, before, image)]
    names = {uuid: _name(image, "Entity", uuid) for m in edit.merges for uuid in (m.gone, m.kept)}
    lines += [Line("merged", f"{names[m.gone]} → {names[m.kept]}") for m in edit.merges]
    if not edit.created.facts:
        lines += [Line("added", f"{entity.name}") for entity in edit.created.entities]
    lines += [Line("other", f"{whole.document.title or whole.document.id}: text ingested") for whole in edit.documents]
    lines += [Line("other", f"Tags of {_name(image, 'Document', id)}: {', '.join(t)}") for id, t in edit.tags.items()]
    changed = () if edit.created.facts else edit.replaced.entities
    return lines + [Line("other", f"{entity.name}: record changed") for entity in changed]


def counts_of(edit: Edit, lines: Iterable[Line]) -> dict[str, int]:
    """Lines by kind, and new entities, episodes and documents."""
    counted: dict[str, int] = dict(Counter(line.kind for line in lines))
    new = {
        "entities": edit.created.entities,
        "episodes": edit.created.episodes,
        "documents": edit.documents,
        "records": edit.nodes,
    }
    return counted | {name: len(records) for name, records in new.items() if records}


def _kind(before: Fact, after: Fact) -> LineKind:
    if before.withdrawn_at is None and after.withdrawn_at is not None:
        return "withdrawn"
    if before.withdrawn_at is not None and after.withdrawn_at is None:
        return "reinstated"
    if after.invalid_at not in (None, before.invalid_at) or after.ended_unknown > before.ended_unknown:
        return "ended"
    if replace(after, episodes=before.episodes) == before:
        return "source"
    return "corrected"


def _paired(replaced: Sequence[Line], created: Iterable[Fact]) -> list[Line]:
    """Lines of facts. A record that is withdrawn at the instant at which another one of the same ends is recorded was
    corrected: one line tells of both."""
    withdrawn = {
        (_ends(line.before), line.after.withdrawn_at): line
        for line in replaced
        if line.kind == "withdrawn" and line.before is not None and line.after is not None
    }
    lines, paired = list[Line](), set[int]()
    for fact in created:
        line = withdrawn.get((_ends(fact), fact.created_at)) if withdrawn else None
        if line is None or id(line) in paired:
            lines.append(Line("added", fact.text, None, fact))
        else:
            paired.add(id(line))
            lines.append(Line("corrected", fact.text, line.before, fact))
    return [*(line for line in replaced if id(line) not in paired), *lines]


def _ends(fact: Fact) -> tuple[str, str, str]:
    return fact.source_uuid, fact.relation, fact.target_uuid


def _deleted(edit: Edit, before: Mapping[str, Fact], image: Image) -> list[Line]:
    gone = edit.gone
    if not (gone.entities or gone.facts or gone.episodes or gone.documents):
        return []
    ends = gone.entities
    facts = [f for f in before.values() if f.uuid in gone.facts or {f.source_uuid, f.target_uuid} & ends]
    lines = [Line("deleted", fact.text, fact) for fact in facts]
    for label, uuids in (("Entity", gone.entities), ("Episodic", gone.episodes), ("Document", gone.documents)):
        lines += [Line("deleted", _name(image, label, uuid)) for uuid in sorted(uuids)]
    return lines


def _name(image: Image, label: str, uuid: str) -> str:
    bag = image.get(raw.node_key(label, uuid), ())
    properties = bag[0].properties if bag else {}
    return str(properties.get("name") or properties.get("title") or uuid)


def line_document(line: Line) -> dict[str, Any]:
    """A line for JSON."""
    facts = {name: _fact_document(fact) for name in ("before", "after") if (fact := getattr(line, name)) is not None}
    return {"kind": line.kind, "text": line.text, **facts}


fact_read = TypeAdapter(Fact).validate_python
"""Reads a fact of a line that `line_document` made."""

LINES = TypeAdapter(tuple[Line, ...])
"""Reads lines that `line_document` made."""


def _fact_document(fact: Fact) -> dict[str, Any]:
    values = {field.name: getattr(fact, field.name) for field in fields(fact)}
    return {name: _plain(v) for name, v in values.items() if v is not None and (name not in USUAL or v != USUAL[name])}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return clock.spell(value)
    return dict(value) if isinstance(value, Mapping) else value
