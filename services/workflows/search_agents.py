"""The searches of workflows: facts of the graph, passages of documents, rows of tables; as sentences that cite them."""

import re
from collections.abc import Iterable, Iterator

from services.agent.answerer import Answerer, AnswerOutcome, AskRequest
from services.analyst import phrasing
from services.analyst.quoted_passages import with_quotes
from services.analyst.table_answer import from_tables
from services.core.answer_records import Answer, ToolCall
from services.core.errors import AsofError, Cancelled
from services.core.models import Fact
from services.core.quotations import quoted_words
from services.tools.registry import READERS, TOOLS
from services.tools.toolbox import Toolbox
from services.workflows.goal_words import is_question, questions_of, topic_of
from services.workflows.step_context import AgentResult, StepContext, cited_line

_GRAPH = ("search_entities", "facts_at", "get_entity_history", "search_knowledge_graph", "find_path", "compare_times")
_DOCUMENTS = ("search_knowledge", "get_document_context")
_TABLES = ("query_database",)
_FOOTNOTE = re.compile(r"\s*\[\s*\d+(?:\s*[-–,;]\s*\d+)*\s*\]_?")
"""A document's own number of a source, which would be taken for one of the run."""


def search_graph(context: StepContext, goal: str) -> AgentResult:
    """Return the facts that a goal is about."""
    if model := context.model("search"):
        return _by_model(context, goal, model, _GRAPH)
    found = [_of_topic(context, topic) for topic in questions_of(topic_of(goal))]
    text = "\n".join(str(one.values["text"]) for one in found if one.values["text"])
    return AgentResult({"text": text}, tuple(call for one in found for call in one.calls))


def search_documents(context: StepContext, goal: str) -> AgentResult:
    """Return the passages that a goal is about."""
    if model := context.model("search"):
        return _by_model(context, goal, model, _DOCUMENTS)
    topic = topic_of(goal)
    return _from_documents(context, topic) or AgentResult({"text": ""})


def search_tables(context: StepContext, goal: str, database: str | None) -> AgentResult:
    """Return the rows that a goal asks for; where no SQL is found for it, what the graph says."""
    if model := context.model("search"):
        return _by_model(context, f"{goal}\n(Database: {database})" if database else goal, model, _TABLES)
    toolbox = Toolbox(context.tool_context(), READERS)
    answer = from_tables(context.asked(topic_of(goal)), toolbox)
    if answer is None:
        found = search_graph(context, goal)
        return AgentResult(found.values, (*toolbox.calls, *found.calls))
    return AgentResult({"text": context.cited(answer.text, toolbox.evidence)}, toolbox.calls)


def answer_question(context: StepContext, question: str) -> AgentResult:
    """Return the answer to a question, as the Ask page gives it."""
    model = context.model("search")
    outcome = _answered(context, question, model)
    values = {"text": context.cited(outcome.answer.text, outcome.evidence), "declined": outcome.answer.declined}
    return AgentResult(values, outcome.answer.calls, model)


def _by_model(context: StepContext, goal: str, model: str, tools: tuple[str, ...]) -> AgentResult:
    outcome = _answered(context, goal, model, tools)
    text = context.cited(outcome.answer.text, outcome.evidence)
    return AgentResult({"text": text}, outcome.answer.calls, model)


def _answered(context: StepContext, question: str, model: str, tools: tuple[str, ...] = ()) -> AnswerOutcome:
    """Answer a question. Raises `AsofError` where the model failed, and `Cancelled`."""
    chosen = tuple(TOOLS[name] for name in tools) or None
    answerer = Answerer(context.workspace, cancel=context.stop, tools=chosen)
    outcome = answerer.answer(AskRequest(context.asked(question), model, context.effort))
    if outcome.stopped:
        raise Cancelled("Stopped.")
    if outcome.problem:
        raise AsofError(outcome.problem, outcome.hint)
    return outcome


# -- without a model


def _first_answer(context: StepContext, questions: tuple[str, ...]) -> AgentResult | None:
    """Return the first answer that says something, as the sentences that cite; None where none does."""
    calls: list[ToolCall] = []
    for question in questions:
        outcome = _answered(context, question, "")
        calls += outcome.answer.calls
        supported = [one for one in outcome.answer.sentences if one.citations and one.mark == "supported"]
        if supported and not outcome.answer.declined:
            lines = (cited_line(one.text, one.citations) for one in supported)
            return AgentResult({"text": context.cited("\n".join(lines), outcome.evidence)}, tuple(calls))
    return None


def _from_documents(context: StepContext, topic: str) -> AgentResult | None:
    """Return what passages of documents say, in their own words; None where none fits."""
    toolbox = Toolbox(context.tool_context(), READERS)
    nothing = Answer("", (), (), context.at, declined=True)
    quoted = [one for one in with_quotes(nothing, topic, toolbox, toolbox.context).sentences if one.mark == "quoted"]
    lines = (cited_line(_FOOTNOTE.sub("", quoted_words(one.text)), one.citations) for one in quoted)
    text = context.cited("\n".join(lines), toolbox.evidence)
    return AgentResult({"text": text}, toolbox.calls) if quoted else None


def _by_meaning(context: StepContext, topic: str) -> AgentResult:
    """Return the facts that a search by meaning finds."""
    toolbox = Toolbox(context.tool_context(), READERS)
    found = toolbox.call("search_knowledge_graph", {"query": topic})
    facts = (item.fact for item in found.result.items)
    text = "\n".join(fact_lines(toolbox, (fact for fact in facts if fact is not None)))
    return AgentResult({"text": context.cited(text, toolbox.evidence)}, toolbox.calls)


def _of_topic(context: StepContext, topic: str) -> AgentResult:
    history = f"What is the history of {topic}?"
    questions = (topic, history) if is_question(topic) else (history, topic)
    return _first_answer(context, questions) or _from_documents(context, topic) or _by_meaning(context, topic)


def fact_lines(toolbox: Toolbox, facts: Iterable[Fact]) -> Iterator[str]:
    """Yield facts as lines of sentences that cite them."""
    for fact in facts:
        yield cited_line(fact_sentence(fact), (toolbox.number("fact", fact.uuid),))


def fact_sentence(fact: Fact) -> str:
    """Return a fact as a sentence with its dates, to the day; with the time where it began and ended on one day."""
    is_short = fact.valid_at and fact.invalid_at and fact.valid_at.date() == fact.invalid_at.date()
    return phrasing.sentence(fact, phrasing.day if is_short else phrasing.date_of)
