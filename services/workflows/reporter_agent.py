"""Reporters: a text on the goal from what was found, by a model that has a reporter's prompt, or the facts in order."""

from collections.abc import Mapping
from pathlib import Path

from services.agent.loop import ModelAgent
from services.agent.request import delimited
from services.core.answer_records import ToolCall
from services.core.config import Settings, listed
from services.core.errors import AsofError, BadInput, Cancelled
from services.llm.listener import NullListener, Prompt
from services.tools.toolbox import Toolbox
from services.workflows.model_requests import PROMPTS, prompt_file
from services.workflows.rule_based_report import arranged
from services.workflows.step_context import AgentResult, StepContext

NO_ACTION = "No action taken."
_REPORTERS = PROMPTS / "reporters"


def reporters(settings: Settings) -> Mapping[str, Path]:
    """Return the prompt files of ASOF_REPORTERS by the reporter's id, in their order."""
    found: dict[str, Path] = {}
    for name in listed(settings.reporters):
        own = _REPORTERS / f"{name}.md"
        path = own if "/" not in name and own.is_file() else Path(name).expanduser()
        found[path.stem] = path
    return found


def report(
    context: StepContext, goal: str, given: str, *, reporter_id: str, draft: str | None, passes: int
) -> AgentResult:
    """Return a script, and as `final` what is handed out should it be the last.

    A `draft` is handed on as it stands. `passes` counts the reviews so far.
    """
    if draft is not None:
        return AgentResult({"script": draft, "final": draft or NO_ACTION})
    model = context.model("report")
    if model:
        script, calls = _by_model(context, goal, given, reporter_id, model)
    else:
        script, calls = arranged(context, given), ()
    final = f"[After {passes} review passes]\n{script}" if passes else script or NO_ACTION
    return AgentResult({"script": script, "final": final}, calls, model)


def _by_model(
    context: StepContext, goal: str, given: str, reporter_id: str, model: str
) -> tuple[str, tuple[ToolCall, ...]]:
    version, instructions = _prompt(context.settings, reporter_id)
    toolbox = Toolbox(context.tool_context(), ())
    agent = ModelAgent(
        context.settings,
        toolbox,
        Prompt(instructions, version or reporter_id),
        model=model,
        effort=context.effort,
        listener=NullListener(),
        cancel=context.stop,
    )
    wanted = f"{delimited('goal', goal)}\n\n{delimited('context', given)}"
    spoken = agent.answer(context.asked(wanted), ())
    if spoken.state == "stopped":
        raise Cancelled("Stopped.")
    if spoken.state == "failed":
        raise AsofError(spoken.problem, spoken.hint)
    return spoken.text, toolbox.calls


def _prompt(settings: Settings, reporter_id: str) -> tuple[str, str]:
    """The version and the text of a reporter's prompt, the first reporter's where none is named."""
    known = reporters(settings)
    path = known.get(reporter_id) or (None if reporter_id else next(iter(known.values()), None))
    if path is None:
        raise BadInput(
            f"There is no reporter “{reporter_id}”.", f"Reporters in ASOF_REPORTERS: {', '.join(known) or 'none'}."
        )
    try:
        return prompt_file(path)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"Asof cannot read the prompt of “{path.stem}”.", "Check ASOF_REPORTERS.") from error
