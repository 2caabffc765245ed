"""Every tool there is. The agent, the analyst without a model and other programs register the same objects."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from services.core.errors import BadInput
from services.tools.change_tools import compare_times, get_change_history
from services.tools.document_tools import get_document_context, search_knowledge
from services.tools.entity_tools import search_entities
from services.tools.fact_tools import facts_at, get_entity_history, search_knowledge_graph
from services.tools.ingest_tools import (
    exact_crawl,
    exact_ingest,
    knowledge_crawl,
    knowledge_crawl_status,
    knowledge_ingest,
)
from services.tools.job_tools import get_job
from services.tools.knowledge_tools import graph_inspect, graph_search, memory_search
from services.tools.memory_tools import MEMORY_TOOLS
from services.tools.omnii_tools import OMNII_TOOLS
from services.tools.path_tools import find_path
from services.tools.query_tool import query_database
from services.tools.recorded_tools import get_changes
from services.tools.tool import Tool

_ALL = (
    Tool("analyst", search_knowledge),
    Tool("analyst", get_document_context),
    Tool("analyst", get_change_history),
    Tool("analyst", query_database),
    Tool("analyst", search_entities),
    Tool("analyst", search_knowledge_graph),
    Tool("analyst", get_entity_history),
    Tool("analyst", facts_at),
    Tool("analyst", compare_times),
    Tool("analyst", find_path),
    Tool("analyst", get_changes),
    Tool("knowledge", graph_search),
    Tool("knowledge", graph_inspect),
    Tool("knowledge", memory_search),
    Tool("knowledge", knowledge_ingest, writes=True, exact=exact_ingest),
    Tool("knowledge", knowledge_crawl, writes=True, exact=exact_crawl),
    Tool("knowledge", knowledge_crawl_status),
    Tool("knowledge", get_job),
    *MEMORY_TOOLS,
    *OMNII_TOOLS,
)

_registered = {tool.name: tool for tool in _ALL}
TOOLS: Mapping[str, Tool] = MappingProxyType(_registered)
"""The tools by name."""


READERS = tuple(tool for tool in _ALL if not tool.writes)
"""The tools that change nothing."""


def add_tool(tool: Tool) -> None:
    """Register a tool that stands on packages above this one."""
    _registered[tool.name] = tool


def tools_of(toolsets: Iterable[str], *, writing: bool = False) -> tuple[Tool, ...]:
    """The tools of these toolsets, in their order; those that write only where the caller sees to who may.

    Raises `BadInput` for a toolset that there is not.
    """
    asked, known = list(toolsets), list(dict.fromkeys(tool.toolset for tool in TOOLS.values()))
    for name in asked:
        if name not in known:
            raise BadInput(f"There is no toolset “{name}”.", f"Available: {', '.join(known)}.")
    return tuple(tool for tool in TOOLS.values() if tool.toolset in asked and (writing or not tool.writes))
