"""`/api/docs`: the OpenAPI document as a page that needs no script and nothing from another host."""

import json
import re
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
th, td { border-bottom: 1px solid #ddd; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
table { border-collapse: collapse; margin: 0.5rem 0 1rem; width: 100%; }
td:last-child { overflow-wrap: anywhere; }
@media (max-width: 40rem) { td:first-child { overflow-wrap: anywhere; min-width: 6rem; } table { font-size: 14px; }
  th, td { padding: 0.3rem; } summary { overflow-wrap: anywhere; } }
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
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Asof: REST API</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body><main>'
        f"<h1>REST API</h1><p>Send a token with each request: <code>Authorization: Bearer TOKEN</code>. "
        f"Without sign-in, requests from this computer need none. Dates are ISO 8601: 2015, 2015-06-01T12:00Z. "
        f'Programs can read the same reference as an <a href="/api/openapi.json">OpenAPI document</a>.</p>{parts}'
        f"</main></body></html>"
    )


def _operation(method: str, path: str, one: Json, schemas: Json) -> str:
    title = f"<code>{method} {escape(path)}</code> {_prose(one['summary'])}"
    return (
        f"<details><summary>{title}</summary>{_parameters(one)}{_body(one, schemas)}{_answers(one, schemas)}</details>"
    )


def _parameters(one: Json) -> str:
    rows = [(p["name"], p["in"], p.get("description", "")) for p in one.get("parameters", ())]
    return _table(("Parameter", "In", "Description"), rows)


def _body(one: Json, schemas: Json) -> str:
    if "requestBody" not in one:
        return ""
    schema = _resolved(one["requestBody"]["content"]["application/json"]["schema"], schemas)
    needed = schema.get("required", ())
    rows = [
        (name, _type(part, schemas), "required" if name in needed else _default(part), part.get("description", ""))
        for name, part in schema.get("properties", {}).items()
    ]
    head = ("Field", "Type", "Default", "Description")
    return f"<p>{_prose(schema.get('description', ''))}</p>{_table(head, rows)}"


def _answers(one: Json, schemas: Json) -> str:
    statuses = [(status, answer["description"]) for status, answer in one["responses"].items()]
    answered: Json = next(iter(one["responses"].values()), {})
    schema = _resolved(answered.get("content", {}).get("application/json", {}).get("schema", {}), schemas)
    each = _resolved(schema.get("items", schema), schemas).get("properties", {})
    fields = [(name, _type(part, schemas), part.get("description", "")) for name, part in each.items()]
    head = "Item field" if "items" in schema else "Response field"
    return _table((head, "Type", "Description"), fields) + _table(("Status", "Description"), statuses)


def _prose(text: str) -> str:
    """Return a text for the page; what stands in it between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


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
    lines = "".join(f"<tr>{''.join(f'<td>{_prose(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f"<table><thead><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr></thead><tbody>{lines}</tbody></table>"
    )
