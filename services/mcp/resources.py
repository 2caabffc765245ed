"""Resources: an entity, a fact, a document and a saved query by address, each at the instants that it names."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from services.context import Services
from services.core import time_rule
from services.core.errors import BadInput
from services.core.json_documents import Json, fact_document, json_text
from services.core.toolsets import Toolset
from services.mcp.access import Access
from services.mcp.calls import call
from services.mcp.pin import Common, context_for, read_common
from services.mcp.tool_results import BESIDE, ToolReply
from services.tools.document_tools import documents_named, known_document
from services.tools.mirror_fallback import as_known
from services.tools.registry import TOOLS
from services.tools.tool import Context

SCHEME = "asof"
_TOOLSET: Toolset = "analyst"
"""What a connection has to be granted to read them."""
_PINS = "{?as_of,known_at}"
_TEMPLATES = (
    ("entity", "{name}", "An entity's facts over time"),
    ("fact", "{uuid}", "A fact with its dates, sources and attributes"),
    ("document", "{id}", "The text of a document, its sections and versions"),
    ("query", "{name}", "A saved query and its SQL"),
)
_Given = Mapping[str, str | None]
_ADDRESS = re.compile(r"/([a-z]+)/([^/]+)")


def templates() -> Json:
    """Return the addresses that can be read."""
    return {
        "resourceTemplates": [
            {
                "uriTemplate": f"{SCHEME}://{{workspace}}/{kind}/{part}{_PINS}",
                "name": kind,
                "title": kind.capitalize(),
                "description": f"{what}, on the given dates.",
                "mimeType": "text/plain" if kind in _BY_TOOL else "application/json",
            }
            for kind, part, what in _TEMPLATES
        ]
    }


def listed(services: Services, access: Access) -> Json:
    """Return the documents and saved queries of a connection's workspace; entities and facts are too many."""
    if _TOOLSET not in access.toolsets:
        return {"resources": []}
    context = _context(services, access, Common())
    known_at = context.at.known_at
    documents = [
        _listed(context, "document", document.id, known_document(context, document).title or document.id, "text/plain")
        for document in documents_named(context, None)
    ]
    queries = [
        _listed(context, "query", one.name, one.name, "application/json")
        for one in context.workspace.accounts.saved_queries.of(context.workspace.name)
        if one.updated_at <= known_at
    ]
    return {"resources": [*documents, *queries]}


def _listed(context: Context, kind: str, id: str, title: str, mime: str) -> Json:
    uri = f"{SCHEME}://{quote(context.workspace.name, safe='')}/{kind}/{quote(id, safe='')}"
    return {"uri": uri, "name": id, "title": title, "mimeType": mime}


def read(services: Services, access: Access, uri: str) -> Json:
    """Return what is at an address. Raises `BadInput` for one that cannot be read, or that leaves the pin."""
    kind, name, given = _parts(uri)
    text, mime = _READERS[kind](services, access, name, given)
    return {"contents": [{"uri": uri, "mimeType": mime, "text": text}]}


@dataclass(frozen=True, slots=True)
class ResourceState:
    """What was at an address in a version of the mirror, as a digest."""

    version: int
    digest: str


def states(
    services: Services, access: Access, uris: Sequence[str], before: Mapping[str, ResourceState]
) -> Mapping[str, ResourceState]:
    """Return how each address stands; what was in the graph before, and the mirror is as it was, is not read again.

    Raises `BadInput` as `read` does, for an address that did not stand in `before`.
    """
    return {uri: _state(services, access, uri, before.get(uri)) for uri in uris}


def _state(services: Services, access: Access, uri: str, before: ResourceState | None) -> ResourceState:
    kind, name, given = _parts(uri)
    try:
        version = _context(services, access, read_common(given)).mirror.version
        if before is not None and before.version == version and kind in _BY_TOOL:
            return before
        found = _timeless(services, access, kind, name, given)
    except BadInput as error:
        if before is None:
            raise
        return ResourceState(0, f"{error}")
    return ResourceState(version, hashlib.sha256(found.encode()).hexdigest())


def _timeless(services: Services, access: Access, kind: str, name: str, given: _Given) -> str:
    """What is at an address, without the instants at which it was asked for."""
    if kind not in _BY_TOOL:
        return _READERS[kind](services, access, name, given)[0]
    tool, field = _BY_TOOL[kind]
    reply = call(services, access, tool, {field: name, **given})
    if reply.data is None:
        return _text(reply)
    return json_text({**reply.data, BESIDE: None, "as_of": None, "known_at": None})


def _parts(uri: str) -> tuple[str, str, _Given]:
    """Return kind, name and inputs of an address. Raises `BadInput` for what is none of ours."""
    try:
        parts = urlsplit(uri)
        found = _ADDRESS.fullmatch(parts.path)
        given = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        found, given = None, {}
    if found is None or parts.scheme != SCHEME or found[1] not in _READERS or not given.keys() <= {"as_of", "known_at"}:
        raise BadInput(f"uri: there is no resource “{uri[:200]}”.", "resources/templates/list shows the valid forms.")
    return found[1], unquote(found[2]), {**given, "workspace": unquote(parts.netloc) or None}


_Reader = Callable[[Services, Access, str, _Given], tuple[str, str]]


def _by_tool(tool: str, field: str) -> _Reader:
    def read(services: Services, access: Access, name: str, given: _Given) -> tuple[str, str]:
        return _text(call(services, access, tool, {field: name, **given})), "text/plain"

    return read


def _text(reply: ToolReply) -> str:
    if reply.is_error:
        raise BadInput(reply.text)
    return reply.text


def _fact(services: Services, access: Access, uuid: str, given: _Given) -> tuple[str, str]:
    context = _context(services, access, read_common(given))
    known_at = context.at.known_at
    found = [fact for fact in context.mirror.facts([uuid]) if time_rule.recorded(fact, known_at)]
    if not found:
        raise BadInput(f"uri: there is no fact “{uuid[:80]}”.")
    (fact,) = as_known(context, found)
    return json_text({**fact_document(fact), "holds": time_rule.true_at(fact, context.at)}), "application/json"


def _query(services: Services, access: Access, name: str, given: _Given) -> tuple[str, str]:
    context = _context(services, access, read_common(given))
    every = context.workspace.accounts.saved_queries.of(context.workspace.name)
    saved = next((one for one in every if one.name == name and one.updated_at <= context.at.known_at), None)
    if saved is None:
        raise BadInput(f"uri: there is no saved query “{name[:80]}”.")
    return json_text({"name": saved.name, "sql": saved.sql, "question": saved.question}), "application/json"


def _context(services: Services, access: Access, common: Common) -> Context:
    if _TOOLSET not in access.toolsets:
        raise BadInput(
            f"uri: this connection has no access to the toolset “{_TOOLSET}”.", "Connect again with this toolset."
        )
    return context_for(services, access, TOOLS["facts_at"], common, {})


_BY_TOOL = {"entity": ("get_entity_history", "entity_name"), "document": ("get_document_context", "document")}
_READERS: Mapping[str, _Reader] = {
    **{kind: _by_tool(tool, field) for kind, (tool, field) in _BY_TOOL.items()},
    "fact": _fact,
    "query": _query,
}
