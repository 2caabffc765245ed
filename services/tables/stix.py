"""Bundles of STIX 2.1: relationships between named objects, with the dates from which and until which they hold."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def is_bundle(document: Any) -> bool:
    """True for the JSON of a bundle."""
    return isinstance(document, Mapping) and document.get("type") == "bundle" and "objects" in document


def stix_records(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a record for each relationship of a bundle; one without dates of its own has those of its source."""
    given = document["objects"]
    objects = [one for one in given if isinstance(one, Mapping)] if isinstance(given, Sequence) else []
    by_id = {str(one.get("id")): one for one in objects}
    return list(_records(objects, by_id))


def _records(objects: Sequence[Mapping[str, Any]], by_id: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for one in objects:
        if one.get("type") != "relationship":
            continue
        source, target = (_end(str(one.get(name, "")), by_id) for name in ("source_ref", "target_ref"))
        yield {
            "source": _name(source),
            "source_type": _kind(source),
            "relation": str(one.get("relationship_type", "related-to")).replace("-", "_").upper(),
            "target": _name(target),
            "target_type": _kind(target),
            "fact": one.get("description"),
            "valid_at": one.get("start_time") or source.get("valid_from"),
            "invalid_at": one.get("stop_time") or source.get("valid_until"),
            "created_at": one.get("created"),
            "confidence": one.get("confidence", source.get("confidence")),
        }


def _end(id: str, by_id: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    return by_id.get(id, {"id": id, "type": id.partition("--")[0]})


def _name(one: Mapping[str, Any]) -> str:
    """The name of an object; an indicator without one is called by its pattern, anything else by its id."""
    return str(one.get("name") or one.get("value") or one.get("pattern") or one.get("id") or "")


def _kind(one: Mapping[str, Any]) -> str:
    return str(one.get("type", "")).replace("-", " ").title().replace(" ", "")
