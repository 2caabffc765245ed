"""The system prompt: `prompts/system.md`, filled in with what is registered and what the graph holds."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from services.llm.listener import Prompt
from services.tools.tool import Context, Tool
from services.tools.wording import counted, day, shortened

_FILE = Path(__file__).parent / "prompts" / "system.md"
_MOST_NAMES = 30
_LONGEST_NAME = 60
_PARAGRAPH = "\n\n"

RULES: Mapping[str, str] = MappingProxyType(
    {
        "search_entities": "A name of uncertain spelling, or the entities of a type",
        "facts_at": "The value of something now or on a date, the holders of a value, counts",
        "get_entity_history": "An entity's changes over time: since when, until when, first, last, before, after",
        "compare_times": "Changes between two dates",
        "get_change_history": "Recent changes in documents and facts",
        "query_database": "Counting, summing, ranking, grouping and joining over tables, also with the graph's facts",
        "get_changes": "News in the graph since a date: facts recorded, ended or corrected",
        "find_path": "Connections between two entities",
        "search_knowledge_graph": ("Relationships, dependencies and connections, in any wording"),
        "search_knowledge": "Statements in documents: reasons, definitions, explanations",
        "get_document_context": "Close reading of a known document",
        "graph_search": "Relations between concepts, people, tools or goals",
        "graph_inspect": "All about one entity: its relationships, files and dates",
        "memory_search": "Anything written or said about a subject",
        "knowledge_ingest": "A file or text to keep for later questions, on request",
        "knowledge_crawl": "A page or site to keep for later questions, on request",
        "knowledge_crawl_status": "The progress of an earlier crawl",
        "get_job": "The progress of an ingestion job",
        "query_partnerships": "A partner of the memory's owner: role, trust, style, shared history",
        "query_conversations": "Past conversations with a partner",
        "query_technical_context": "A component's records: its bugs and their state",
        "query_emotional_state": "Emotions in a situation",
        "query_strategy_patterns": "Approaches that worked in similar situations",
        "query_related_code": "A file's dependencies, and the files that depend on it",
        "query_failed_attempts": "Failed attempts and lessons learned",
        "query_active_constraints": "Active deadlines, budgets and other pressures",
        "run_workflow": "A whole report, researched, written and reviewed by a workflow",
        "omnii_graph_search_nodes": "Entities by meaning, with a score",
        "omnii_graph_get_context": "One entity with its properties and related entities",
        "omnii_graph_list_entities": "The entities of a type, the newest first",
    }
)
"""What each tool is for, in the words of the prompt's rules."""

_DOCUMENTS = {"search_knowledge", "get_document_context"}
_GRAPH = {"search_knowledge_graph", "get_entity_history", "facts_at"}
_BOTH = "- You can combine document search and graph tools in one answer. Make independent calls together."

_KNOWLEDGE = """## Knowledge Graph
You have access to a knowledge graph that tracks entities (people, concepts, tools, repos, goals) and their
relationships across memory and ingested documents.{uses}

"""
_USES = {
    "graph_search": "Use graph_search when you need to understand how things relate to each other.",
    "graph_inspect": "Use graph_inspect to drill down into specific entities.",
    "memory_search": "memory_search follows the graph automatically; for structural questions, use the graph tools.",
    "knowledge_ingest": "A call that changes the graph waits for approval: say that it waits, not that it is done.",
}


def system_prompt(tools: Iterable[Tool], context: Context) -> Prompt:
    """The prompt for these tools in a workspace, with what the graph had at `known_at`.

    It is the same for every question of that clock, so that an endpoint can keep it.
    """
    first, text = (part.strip() for part in _FILE.read_text(encoding="utf-8").split("\n", 1))
    registered = list(tools)
    names = [tool.name for tool in registered]
    rules = [f"- {rule}: {name}." for name, rule in RULES.items() if name in names]
    rules += [_BOTH] if _DOCUMENTS & set(names) and _GRAPH & set(names) else []
    parts = {
        "tools": "\n".join(
            f"- {tool.name}: {' '.join(tool.description.partition(_PARAGRAPH)[0].split())}" for tool in registered
        ),
        "rules": "\n".join(rules),
        "knowledge": _knowledge(registered),
        "graph": _graph(context),
    }
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part, 1)
    return Prompt(text, first.removeprefix("version:").strip())


def _knowledge(tools: Iterable[Tool]) -> str:
    """The section on the knowledge graph, where its toolset is on."""
    on = [tool.name for tool in tools if tool.toolset == "knowledge"]
    uses = "".join(f"\n{_USES[name]}" for name in on if name in _USES)
    return _KNOWLEDGE.format(uses=uses) if on else ""


def _graph(context: Context) -> str:
    """What the workspace holds, so that names of types and relations need not be guessed."""
    mirror, known_at = context.mirror, context.known_at
    counts, bounds = mirror.counts(known_at), mirror.bounds(known_at)
    lines = [f"{counted(counts.entities, 'entity', 'entities')}, {counted(counts.facts, 'fact')}"]
    if bounds is not None:
        lines.append(f"Dates from {day(bounds[0])} to {day(bounds[1])}")
    lines.append(f"Types: {_names(one.name for one in mirror.types(known_at) if one.name)}")
    lines.append(f"Relations: {_names(one.name for one in mirror.relations(known_at))}")
    return "\n".join(lines)


def _names(found: Iterable[str]) -> str:
    """Names from the graph, which anybody may have written: short, and without what could close the delimiters."""
    safe = [shortened(name.replace("<", ""), _LONGEST_NAME) for name in found]
    return ", ".join(safe[:_MOST_NAMES]) + (" and more" if len(safe) > _MOST_NAMES else "")
