"""The picture as files: JSON, GraphML and CSV, with every fact as the graph knew it."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from xml.etree import ElementTree as Xml

from services.core import clock, time_rule
from services.core.formulas import harmless
from services.core.models import Entity, Fact, Instants
from services.tables import SOURCES

_EXACTNESS = ("valid_at_precision", "invalid_at_precision", "ended_unknown")
_FACT_FIELDS = (
    *("source", "relation", "target", "fact", "valid_at", "invalid_at", "created_at", "expired_at"),
    *_EXACTNESS,
)
_COLUMNS = ("source", "source_type", "relation", "target", "target_type", *_FACT_FIELDS[3:], SOURCES)
_GRAPHML = "http://graphml.graphdrawing.org/xmlns"


def as_json(entities: Sequence[Entity], facts: Sequence[Fact], at: Instants) -> str:
    """One document with the two instants, the entities and the facts."""
    document = {
        "as_of": clock.spell(at.as_of),
        "known_at": clock.spell(at.known_at),
        "entities": [
            {"uuid": e.uuid, "name": e.name, "types": list(e.types), "summary": e.summary}
            | {"attributes": dict(e.attributes)}
            for e in entities
        ],
        "facts": [
            {"uuid": f.uuid, "source_uuid": f.source_uuid, "target_uuid": f.target_uuid, **_fact(f, at)}
            | {"holds": time_rule.true_at(f, at), "episodes": list(f.episodes), "attributes": dict(f.attributes)}
            for f in facts
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1, default=str)


def as_csv(entities: Sequence[Entity], facts: Sequence[Fact], at: Instants, sources: Mapping[str, str]) -> str:
    """One row for each fact, in the columns that an import reads, and one that it passes over: what states the fact.

    `entities` give the ends their types, `sources` are the names of episodes by uuid. A text that a spreadsheet would
    run as a formula is preceded by an apostrophe.
    """
    types = {entity.uuid: entity.type for entity in entities}
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for fact in facts:
        more = {
            "source_type": types.get(fact.source_uuid),
            "target_type": types.get(fact.target_uuid),
            SOURCES: " | ".join(dict.fromkeys(sources.get(uuid) or uuid for uuid in fact.episodes)),
        }
        writer.writerow({name: harmless(_cell(value)) for name, value in (_fact(fact, at) | more).items()})
    return out.getvalue()


def as_graphml(entities: Sequence[Entity], facts: Sequence[Fact], at: Instants) -> str:
    """A directed multigraph that Gephi, yEd and networkx read."""
    root = Xml.Element("graphml", xmlns=_GRAPHML)
    for name in ("name", "type", "summary"):
        Xml.SubElement(root, "key", {"id": name, "for": "node", "attr.name": name, "attr.type": "string"})
    for name in _FACT_FIELDS[1:]:
        Xml.SubElement(root, "key", {"id": f"e_{name}", "for": "edge", "attr.name": name, "attr.type": "string"})
    graph = Xml.SubElement(root, "graph", edgedefault="directed")
    for entity in entities:
        _data(
            Xml.SubElement(graph, "node", id=entity.uuid),
            {"name": entity.name, "type": entity.type, "summary": entity.summary},
        )
    for fact in facts:
        _data(
            Xml.SubElement(graph, "edge", id=fact.uuid, source=fact.source_uuid, target=fact.target_uuid),
            {f"e_{name}": _cell(value) for name, value in _fact(fact, at).items() if name != "source"},
        )
    return Xml.tostring(root, encoding="unicode", xml_declaration=True)


def _data(parent: Xml.Element, values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value:
            # XML holds no other control characters.
            Xml.SubElement(parent, "data", key=name).text = "".join(c for c in value if c >= " " or c in "\t\n\r")


def _fact(fact: Fact, at: Instants) -> dict[str, Any]:
    """What an import reads of a fact; how its dates were given where that is told."""
    known = time_rule.as_known(fact, at.known_at)
    no_end = known.ended_unknown and known.invalid_at == known.expired_at
    exactness = {
        "valid_at_precision": known.valid_at_precision,
        "invalid_at_precision": known.invalid_at_precision,
        "ended_unknown": known.ended_unknown,
    }
    return {
        "source": fact.source,
        "relation": fact.relation,
        "target": fact.target,
        "fact": fact.text,
        "valid_at": _spelled(fact.valid_at),
        "invalid_at": None if no_end else _spelled(known.invalid_at),
        "created_at": _spelled(fact.created_at),
        "expired_at": _spelled(known.expired_at),
        **{name: value for name, value in exactness.items() if value not in (False, "instant")},
    }


def _cell(value: str | bool | None) -> str:
    return "true" if value is True else value or ""


def _spelled(value: datetime | None) -> str | None:
    return None if value is None else clock.spell(value)
