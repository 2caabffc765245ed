"""Has an agent of the catalogue work, imported when it is first asked: what it stands on takes long to import."""

from collections.abc import Mapping
from typing import Any

from services.core.errors import BadInput
from services.workflows.step_context import AgentResult, StepContext


def run_agent(context: StepContext, agent: str, inputs: Mapping[str, Any]) -> AgentResult:
    """Return what an agent gives. Raises `BadInput` for inputs that it cannot use, and whatever it raises."""
    match agent:
        case "TriageAgent":
            from services.workflows.triage_agent import triage

            return triage(context, text_of(inputs, "goal"))
        case "NewsReporterAgent":
            return _report(context, inputs)
        case "ReviewAgent":
            from services.workflows.review_agent import review

            return review(context, text_of(inputs, "goal"), text_of(inputs, "script"))
    return _search(context, agent, inputs)


def _search(context: StepContext, agent: str, inputs: Mapping[str, Any]) -> AgentResult:
    from services.workflows import search_agents

    match agent:
        case "SQLAgent":
            database = inputs.get("database_id")
            return search_agents.search_tables(context, text_of(inputs, "goal"), database if database else None)
        case "Neo4jGraphRAGAgent":
            return search_agents.search_graph(context, text_of(inputs, "goal"))
        case "AiSearchAgent":
            return search_agents.search_documents(context, text_of(inputs, "goal"))
        case "AnswerAgent":
            return search_agents.answer_question(context, text_of(inputs, "question"))
    raise BadInput(f"There is no agent “{agent}”.")


def _report(context: StepContext, inputs: Mapping[str, Any]) -> AgentResult:
    from services.workflows.reporter_agent import report

    draft, passes = inputs.get("draft"), inputs.get("passes") or 0
    return report(
        context,
        text_of(inputs, "goal"),
        text_of(inputs, "context"),
        reporter_id=str(inputs.get("reporter_id") or ""),
        draft=None if draft is None else str(draft),
        passes=passes if isinstance(passes, int) else 0,
    )


def text_of(inputs: Mapping[str, Any], name: str) -> str:
    """Return an input that has to be a text. Raises `BadInput` that names it."""
    value = inputs.get(name)
    if not isinstance(value, str):
        raise BadInput(f"inputs.{name}: must be text.")
    return value
