"""Triage: what a goal asks for, read by a model, or by rules without one."""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from services.agent.request import delimited
from services.context import OpenWorkspace
from services.core.config import Settings
from services.sql.warehouse import warehouse
from services.workflows.goal_words import wants_documents, wants_figures, wants_several, wants_text
from services.workflows.model_requests import PROMPTS, ask_document, prompt_file
from services.workflows.step_context import AgentResult, StepContext

Search = Literal["sql", "neo4j", "azure_search"]
INTENTS = ("ai_search", "news_script", "sql", "unknown", "multi")
SEARCH_LABELS: dict[str, str] = {"sql": "SQL", "neo4j": "graph", "azure_search": "documents"}
"""What people read for each search."""


def _intents(given: Any) -> list[str]:
    """The intents that are known; something else means that nobody knows."""
    found = [one.strip().lower() for one in given if isinstance(one, str)] if isinstance(given, list) else []
    return [one for one in dict.fromkeys(found) if one in INTENTS] or ["unknown"]


def _search(given: Any) -> str | None:
    return given.strip().lower() if isinstance(given, str) and given.strip().lower() in SEARCH_LABELS else None


def _text(given: Any) -> str | None:
    return given.strip() or None if isinstance(given, str) else None


class IntentResult(BaseModel):
    """What a goal asks for. `azure_search` means the documents."""

    intents: Annotated[list[str], BeforeValidator(_intents)] = Field(
        default_factory=lambda: ["unknown"], description="One or more of ai_search, news_script, sql, unknown, multi."
    )
    preferred_agent: Annotated[str | None, BeforeValidator(_search)] = Field(
        None, description="One of sql, neo4j and azure_search."
    )
    database_id: Annotated[str | None, BeforeValidator(_text)] = Field(None, description="The name of the database.")
    database_type: Annotated[str | None, BeforeValidator(_text)] = Field(None, description="The kind of database.")


def triage(context: StepContext, goal: str) -> AgentResult:
    """Return what a goal asks for, and which search that leads to."""
    model = context.model("triage")
    read, calls = _by_model(context, goal, model) if model else (_by_rules(context, goal), ())
    databases = databases_of(context.workspace)
    if (chosen := str((context.run.options or {}).get("database", ""))) in databases:
        read = _meant(read, chosen, databases[chosen])
    database = read.database_id if read.database_id in databases else None
    values = {
        "triage": read.model_dump(),
        "selected_search": selected_search(read, databases, context.settings),
        "database_id": database,
    }
    return AgentResult(values, calls, model)


def selected_search(read: IntentResult, databases: dict[str, str], settings: Settings) -> Search:
    """Return SQL where it is preferred and there is a database, else the graph if it is switched on, else documents."""
    if read.preferred_agent == "sql" and databases:
        return "sql"
    return "neo4j" if settings.use_graph_search else "azure_search"


def _meant(read: IntentResult, database: str, kind: str) -> IntentResult:
    """What a goal asks for where whoever began the run chose the database."""
    intents = list(dict.fromkeys([one for one in read.intents if one != "unknown"] + ["ai_search", "sql"]))
    return IntentResult(intents=intents, preferred_agent="sql", database_id=database, database_type=kind)


def databases_of(workspace: OpenWorkspace) -> dict[str, str]:
    """Return the registered databases of a workspace with their kinds, by name."""
    return {one.name: one.kind for one in warehouse(workspace).databases(workspace.name)}


def _by_rules(context: StepContext, goal: str) -> IntentResult:
    intents = ["ai_search"]
    intents += ["news_script"] if wants_text(goal) else []
    intents += ["multi"] if wants_several(goal) else []
    databases = databases_of(context.workspace)
    named = next((name for name in databases if re.search(rf"\b{re.escape(name)}\b", goal, re.IGNORECASE)), None)
    if databases and (named or wants_figures(goal)):
        chosen = named or next(iter(databases))
        return IntentResult(
            intents=[*intents, "sql"], preferred_agent="sql", database_id=chosen, database_type=databases[chosen]
        )
    preferred: Search = "azure_search" if wants_documents(goal) else "neo4j"
    return IntentResult(intents=intents, preferred_agent=preferred, database_id=None, database_type=None)


def _by_model(context: StepContext, goal: str, model: str) -> tuple[IntentResult, tuple[Any, ...]]:
    databases = ", ".join(f"{name} ({kind})" for name, kind in databases_of(context.workspace).items()) or "none"
    prompt = prompt_file(PROMPTS / "triage.md")[1].replace("{databases}", databases)
    document, call = ask_document(context, model, prompt, delimited("goal", goal), IntentResult)
    unreadable = IntentResult(preferred_agent=None, database_id=None, database_type=None)
    return (unreadable if document is None else IntentResult(**document)), (call,)
