"""The OpenAPI document of REST, made of the models that requests are read by."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter

from services.api.rest.chat_models import ProblemAnswer
from services.api.rest.operations import Operation
from services.core.json_documents import Json

_TEMPLATE = "#/components/schemas/{model}"
_PROBLEMS: Mapping[int, str] = {
    400: "Invalid request; the response names the field",
    401: "Missing or invalid token, or its user no longer exists",
    403: "The token does not grant access to this operation",
    404: "Not found",
    409: "Asof is still answering the previous question",
    413: "Request body too large",
    429: "Too many requests (`Retry-After` gives the seconds to wait), or no budget left for today",
    500: "Internal error; see Asof's log for details",
    503: "The accounts database, the graph or the model is unavailable",
}

_TAGS: Mapping[str, str] = {
    "auth": "Sign in",
    "chat": "Chat",
    "graphrag": "GraphRAG",
    "databases": "Databases",
    "v1": "Graph and documents",
}
"""What operations are listed under, by the first part of their path."""


def openapi_document(operations: Iterable[Operation], version: str) -> Json:
    """Return the document of some operations."""
    schemas: Json = {}
    problem = _schema(ProblemAnswer, schemas, "serialization")
    paths: Json = {}
    for one in operations:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, schemas, problem)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Asof",
            "version": version,
            "description": "Query a temporal knowledge graph on two clocks: the world's and the graph's.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _operation(one: Operation, schemas: Json, problem: Json) -> Json:
    described: Json = {
        "summary": one.summary,
        "operationId": f"{one.method.lower()}{re.sub(r'\W+', '_', one.path.removeprefix('/api'))}".strip("_"),
        "tags": [_TAGS[one.path.split("/")[2]]],
        "responses": {str(one.status): _answer(one, schemas), **_problems(one, problem)},
    }
    if parameters := [*_path_parameters(one), *_query_parameters(one)]:
        described["parameters"] = parameters
    if one.body is not None:
        content = {"application/json": {"schema": _schema(one.body(), schemas, "validation")}}
        described["requestBody"] = {"required": True, "content": content}
    if one.is_open:
        described["security"] = []
    return described


def _answer(one: Operation, schemas: Json) -> Json:
    if one.status == 204:
        return {"description": "Deleted"}
    answered = {"type": "object"} if one.answer is None else _schema(one.answer, schemas, "serialization")
    content: Json = {"application/json": {"schema": answered}}
    if one.streams:
        content["text/event-stream"] = {"schema": {"type": "string"}}
    return {"description": "Created" if one.status == 201 else "OK", "content": content}


def _problems(one: Operation, problem: Json) -> Json:
    usual = (
        {500, 503}
        | (set() if one.is_open else {401, 403, 429})
        | ({400, 413} if one.body else {400} if one.query else set())
    )
    own = {401} if one.is_open else set()
    return {
        str(status): {"description": _PROBLEMS[status], "content": {"application/json": {"schema": problem}}}
        for status in sorted(usual | own | set(one.problems))
    }


def _path_parameters(one: Operation) -> list[Json]:
    names = re.findall(r"{(\w+)}", one.path)
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _query_parameters(one: Operation) -> list[Json]:
    return [
        {"name": name, "in": "query", "required": False, "description": words, "schema": {"type": "string"}}
        for name, words in one.query.items()
    ]


def _schema(model: Any, schemas: Json, mode: Any) -> Json:
    """Return a reference to a model's schema, which is put among the others; a list's stands where it is used."""
    schema = TypeAdapter(model).json_schema(ref_template=_TEMPLATE, mode=mode)
    schemas.update(schema.pop("$defs", {}))
    if "title" not in schema:
        return schema
    schemas[schema["title"]] = schema
    return {"$ref": _TEMPLATE.format(model=schema["title"])}
