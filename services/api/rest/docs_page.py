"""`/api/docs`: the OpenAPI document as a page that needs no script and nothing from another host."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from services.core.json_documents import Json

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 56rem; padding: 0 1rem; color: #1a1a1a;
  background: #fff; }
h2 { border-bottom: 1px solid #ccc; margin-top: 2.5rem; }
summary { cursor: pointer; padding: 0.4rem 0; }
code, pre { font: 14px/1.5 ui-monospace, monospace; }
pre { background: #f4f4f4; overflow-x: auto; padding: 0.75rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ddd; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
@media (prefers-color-scheme: dark) {
  body { background: #14161a; color: #e8e8e8; } pre { background: #22252b; } a { color: #9cc4ff; }
  th, td, h2 { border-color: #3a3f47; }
}
"""


def docs_page(document: Json) -> str:
    """Return the page of a document."""
    schemas = document["components"]["schemas"]
    tags: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, one in methods.items():
            tags.setdefault(one["tags"][0], []).append(_operation(method.upper(), path, one, schemas))
    parts = "".join(f"<section><h2>{escape(tag)}</h2>{''.join(found)}</section>" for tag, found in tags.items())
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Asof: REST</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body><main>'
        f"<h1>REST</h1><p>Send <code>Authorization: Bearer TOKEN</code>. Without sign-in this machine needs none. "
        f'The same for programs: <a href="/api/openapi.json">openapi.json</a>.</p>{parts}</main></body></html>'
    )


def _operation(method: str, path: str, one: Json, schemas: Json) -> str:
    title = f"<code>{method} {escape(path)}</code> {escape(one['summary'])}"
    return f"<details><summary>{title}</summary>{_parameters(one)}{_body(one, schemas)}{_answers(one)}</details>"


def _parameters(one: Json) -> str:
    rows = [(p["name"], p["in"], p.get("description", "")) for p in one.get("parameters", ())]
    return _table(("parameter", "in", ""), rows)


def _body(one: Json, schemas: Json) -> str:
    if "requestBody" not in one:
        return ""
    schema = _resolved(one["requestBody"]["content"]["application/json"]["schema"], schemas)
    needed = schema.get("required", ())
    rows = [
        (name, _type(part, schemas), "required" if name in needed else _default(part), part.get("description", ""))
        for name, part in schema.get("properties", {}).items()
    ]
    return f"<p>{escape(schema.get('description', ''))}</p>{_table(('field', 'type', 'default', ''), rows)}"


def _answers(one: Json) -> str:
    return _table(("status", ""), [(status, answer["description"]) for status, answer in one["responses"].items()])


def _default(part: Mapping[str, Any]) -> str:
    return json.dumps(part["default"]) if "default" in part else ""


def _type(part: Mapping[str, Any], schemas: Json) -> str:
    part = _resolved(part, schemas)
    if "anyOf" in part:
        return " or ".join(_type(one, schemas) for one in part["anyOf"])
    if "enum" in part:
        return " | ".join(json.dumps(value) for value in part["enum"])
    kind = str(part.get("type", "any"))
    return f"{kind} of {_type(part['items'], schemas)}" if kind == "array" and "items" in part else kind


def _resolved(schema: Mapping[str, Any], schemas: Json) -> Mapping[str, Any]:
    found: Mapping[str, Any] = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return found


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return ""
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f"<table><thead><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr></thead><tbody>{lines}</tbody></table>"
    )
