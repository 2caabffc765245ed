"""Review: a script accepted, or what to change, by a model that sees the check of its sentences, or by that check."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from services.agent.request import delimited
from services.core.answer_records import Sentence
from services.core.json_documents import Json
from services.workflows.model_requests import PROMPTS, ask_document, prompt_file
from services.workflows.step_context import AgentResult, StepContext

_PROMPT = PROMPTS / "review.md"
_UNREADABLE = "Asof could not read the review."


def _text(given: Any) -> str:
    """A text, whatever was given; lists are read line by line."""
    if isinstance(given, list):
        return "\n".join(f"- {_text(one)}" for one in given)
    return "" if given is None else str(given).strip()


_Text = Annotated[str, BeforeValidator(_text)]


class ReviewVerdict(BaseModel):
    """What a reviewer says. Without a decision the script is to be revised."""

    decision: _Text = Field("", description="accept, or revise.")
    reason: _Text = Field("", description="Why, in one or two sentences.")
    suggested_changes: _Text = Field("", description="What to change.")
    revised_script: _Text = Field("", description="If you accept the script: all of it, with minor corrections.")


def review(context: StepContext, goal: str, script: str) -> AgentResult:
    """Return a verdict, and as `final` the script as it would be handed out if it is accepted."""
    unsupported = [one for one in context.checked(script) if one.mark in ("uncited", "contradicted")]
    model = context.model("review")
    if model:
        verdict, calls = _by_model(context, goal, script, unsupported, model)
    else:
        verdict, calls = _by_check(unsupported), ()
    decision = (verdict["decision"] or "revise").lower()
    final = (verdict["revised_script"] if decision == "accept" else "") or script
    return AgentResult({"verdict": {**verdict, "decision": decision}, "final": final}, calls, model)


def _by_check(unsupported: list[Sentence]) -> Json:
    """Accept what its records bear out whole."""
    if not unsupported:
        return ReviewVerdict(decision="accept", reason="The cited records support every sentence.").model_dump()
    changes = "\n".join(map(_remark, unsupported))
    return ReviewVerdict(
        decision="revise", reason="Some sentences have no support in the records.", suggested_changes=changes
    ).model_dump()


def _by_model(
    context: StepContext, goal: str, script: str, unsupported: list[Sentence], model: str
) -> tuple[Json, tuple[Any, ...]]:
    checked = "\n".join(map(_remark, unsupported)) or "The cited records support every claim."
    parts = (("goal", goal), ("script", script), ("check", checked))
    prompt = "\n\n".join(delimited(name, text) for name, text in parts)
    document, call = ask_document(context, model, prompt_file(_PROMPT)[1], prompt, ReviewVerdict)
    return document or ReviewVerdict(decision="revise", reason=_UNREADABLE).model_dump(), (call,)


def _remark(one: Sentence) -> str:
    problem = "contradicted" if one.mark == "contradicted" else "no source"
    return f"- {problem}: “{one.text}” {one.reason}".rstrip()
