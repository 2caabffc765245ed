"""Schemas: the default one, and schemas as JSON."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from services.core.draft_records import EntityKind, RelationKind, Schema
from services.core.errors import BadInput
from services.core.json_documents import read_json

_HERE = Path(__file__).parent
_HINT = (
    'A schema is {"types": [{"name", "meaning"}], '
    '"relations": [{"name", "meaning", "sources", "targets", "one_at_a_time"}]}.'
)


@lru_cache(maxsize=1)
def default_schema() -> Schema:
    """The types and relations of types.tsv and relations.tsv."""
    types = tuple(EntityKind(*cells) for cells in _cells("types.tsv"))
    relations = tuple(
        RelationKind(name, meaning, _several(sources), _several(targets), many == "one")
        for name, sources, targets, many, meaning in _cells("relations.tsv")
    )
    return Schema(types, relations)


def _cells(file: str) -> list[list[str]]:
    lines = (_HERE / file).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def _several(cell: str) -> tuple[str, ...]:
    return tuple(name for name in cell.split(",") if name)


DEFAULT_SCHEMA = default_schema()


def schema_to_json(schema: Schema) -> dict[str, Any]:
    """A schema as a JSON document that `schema_from_json` reads."""
    return {
        "types": [{"name": kind.name, "meaning": kind.meaning} for kind in schema.types],
        "relations": [
            {
                "name": kind.name,
                "meaning": kind.meaning,
                "sources": list(kind.sources),
                "targets": list(kind.targets),
                "one_at_a_time": kind.one_at_a_time,
            }
            for kind in schema.relations
        ],
    }


def schema_from_json(document: Any) -> Schema:
    """The schema of a JSON document, parsed or as text. Raises `BadInput`, starting with the field that is wrong."""
    if isinstance(document, str):
        document = read_json("The schema", document, _HINT)
    if not isinstance(document, Mapping):
        raise BadInput("The schema must be a JSON object.", _HINT)
    types = tuple(_entity_kind(item, f"types[{n}]") for n, item in enumerate(_list(document, "types")))
    relations = tuple(_relation_kind(item, f"relations[{n}]") for n, item in enumerate(_list(document, "relations")))
    _check_unique([kind.name for kind in types], "types")
    _check_unique([kind.name for kind in relations], "relations")
    return Schema(types, relations)


def _list(document: Mapping[str, Any], name: str) -> list[Any]:
    value = document.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        raise BadInput(f"{name}: must be a list of objects.", _HINT)
    return value


def _entity_kind(item: Mapping[str, Any], where: str) -> EntityKind:
    return EntityKind(_name(item, where), _text(item, "meaning", where))


def _relation_kind(item: Mapping[str, Any], where: str) -> RelationKind:
    one = item.get("one_at_a_time", False)
    if not isinstance(one, bool):
        raise BadInput(f"{where}.one_at_a_time: must be true or false.", _HINT)
    meaning, sources, targets = (
        _text(item, "meaning", where),
        _names(item, "sources", where),
        _names(item, "targets", where),
    )
    return RelationKind(_name(item, where), meaning, sources, targets, one)


def _name(item: Mapping[str, Any], where: str) -> str:
    name = _text(item, "name", where).strip()
    if not name or "`" in name or not name.isprintable():
        raise BadInput(f"{where}.name: not a valid name.", "Use one line without backticks.")
    return name


def _text(item: Mapping[str, Any], field: str, where: str) -> str:
    value = item.get(field, "")
    if not isinstance(value, str):
        raise BadInput(f"{where}.{field}: must be text.", _HINT)
    return value


def _names(item: Mapping[str, Any], field: str, where: str) -> tuple[str, ...]:
    value = item.get(field, [])
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise BadInput(f"{where}.{field}: must be a list of types.", _HINT)
    return tuple(value)


def _check_unique(names: Sequence[str], where: str) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise BadInput(f"{where}: the name “{twice[0]}” appears twice.", "Leave out one of the two.")
